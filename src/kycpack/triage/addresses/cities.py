"""Whether a well-known city lies in the country that an address names."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from kycpack.assets import asset_yaml
from kycpack.triage.addresses.address_parts import country_of
from kycpack.triage.countries import country_name
from kycpack.triage.names.transliteration import words

_FILE = "countries/cities.yaml"


@lru_cache(maxsize=16_384)
def is_of_another_country(city: str, country: str) -> bool:
    """Return whether a town is a world-famous city, and the country has no city of that name.

    Args:
        city: The whole name of the town, with or without a district number, as in `Paris 15`.
        country: A code or a name; anything that is not a country is not compared.
    """
    home = country_name(country_of(country))
    lies_in = _known().get(_plain(city))
    return home is not None and lies_in is not None and home not in lies_in


@cache
def _known() -> dict[str, frozenset[str]]:
    known: dict[str, Any] = asset_yaml(_FILE)
    namesakes = {_name(code) for code in known["namesakes"]}
    found: dict[str, set[str]] = {}
    for part in ("cities", "further"):
        for code, cities in known[part].items():
            for city in cities:
                found.setdefault(_plain(city), {*namesakes}).add(_name(code))
    return {city: frozenset(countries) for city, countries in found.items()}


def _name(code: str) -> str:
    return country_name(code) or code


def _plain(city: str) -> str:
    return " ".join(word.text for word in words(city) if not any(map(str.isdigit, word.text)))
