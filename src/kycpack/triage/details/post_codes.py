"""Whether a post code has the form of its country, and whether the country has any."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import Any

from kycpack.assets import asset_yaml
from kycpack.triage.addresses.address_parts import country_of
from kycpack.triage.countries import all_countries
from kycpack.triage.results.document_forms import hides_characters

_FILE = "countries/post_codes.yaml"
_SIGNS = {"N": "[0-9]", "A": "[A-Z]", "X": "[A-Z0-9]", " ": "[ -]?", "-": "[ -]"}
_DASHES = re.compile(r"\s*[\u2010-\u2015\u2212-]\s*")
# A code may be written with its town, as in `8000 Aarhus`; part of a longer code does not count.
_BEFORE, _AFTER = r"(?<![A-Z0-9])(?<![0-9][ -])", r"(?![A-Z0-9])(?![ -][0-9])(?![ -][A-Z]{1,2}\b)"


@lru_cache(maxsize=16_384)
def is_form_of_country(code: str, country: str) -> bool:
    """Return whether a post code may be one of a country; True if it has no digit, is masked, or the country is not listed.

    Args:
        code: As written, with or without the country's letters or the town.
        country: A code or a name.
    """
    form = _forms().get(country_of(country))
    written = " ".join(_DASHES.sub("-", unicodedata.normalize("NFKC", code)).upper().split())
    if form is None or not re.search("[0-9]", written) or hides_characters(code):
        return True
    return form.search(written) is not None


@lru_cache(maxsize=1_024)
def has_no_codes(country: str) -> bool:
    """Return whether a country has no post codes.

    Args:
        country: A code or a name.
    """
    return country_of(country) in _without()


@cache
def _without() -> frozenset[str]:
    names = all_countries().editions[-1].names
    return frozenset(names[alpha2.casefold()] for alpha2 in asset_yaml(_FILE)["without"])


@cache
def _forms() -> dict[str, re.Pattern[str]]:
    known: dict[str, Any] = asset_yaml(_FILE)
    names = all_countries().editions[-1].names
    made: dict[str, re.Pattern[str]] = {}
    for alpha2, forms in known["forms"].items():
        name = names[alpha2.casefold()]
        own = {short.upper() for short, other in names.items() if other == name and len(short) in {2, 3}}
        before = "|".join(sorted({*own, *known["prefixes"].get(alpha2, ())}))
        of_form = "|".join("".join(_SIGNS[sign] for sign in form) for form in forms)
        made[name] = re.compile(rf"{_BEFORE}(?:(?:{before})[ -]?)?(?:{of_form}){_AFTER}")
    return made
