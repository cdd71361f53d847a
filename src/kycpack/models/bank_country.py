"""The country of a customer's bank, whose business days, time and currency apply."""

from __future__ import annotations

from functools import lru_cache

import holidays

from kycpack.errors import InputError


@lru_cache(maxsize=32)
def read_country(text: str) -> str:
    """Return a country in the form in which everything about it is found: in capitals, with its region where one was given.

    Args:
        text: ISO 3166-1 alpha-2 code, or with a region, as in `GB-NIR`, `de`.

    Raises:
        InputError: The country or region is not known; a code of three letters is not one of two.
    """
    code, _, region = text.upper().partition("-")
    regions = holidays.list_supported_countries(include_aliases=False).get(code)
    if regions is None or (region and region not in regions):
        raise InputError(
            f"no calendar of business days for {text!r}; expected a two-letter code (ISO 3166-1), as in GB or GB-SCT",
            place="country",
        )
    return text.upper()
