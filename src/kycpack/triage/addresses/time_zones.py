"""Whether a zone of the clock is that of a country."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from kycpack.assets import asset_yaml
from kycpack.triage.addresses.address_parts import country_of
from kycpack.triage.countries import country_name

_FILE = "countries/time_zones.yaml"


@lru_cache(maxsize=16_384)
def is_zone_of_another_country(zone: str, country: str) -> bool:
    """Return whether a zone is one of the time zone database, and is not used in a country.

    Args:
        zone: Its name, as `Europe/London`; any other text is not compared.
        country: A code or a name; anything that is not a country is not compared.
    """
    home, used_in = country_name(country_of(country)), _known().get(zone.strip().casefold())
    return home is not None and used_in is not None and home not in used_in


@cache
def _known() -> dict[str, frozenset[str]]:
    known: dict[str, Any] = asset_yaml(_FILE)
    return {
        zone.casefold(): frozenset(country_name(code) or code for code in codes)
        for zone, codes in known["zones"].items()
    }
