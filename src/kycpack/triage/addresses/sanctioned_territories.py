"""Places in territories under comprehensive sanctions that have no country code of their own."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from kycpack.assets import asset_yaml
from kycpack.triage.countries import country_name
from kycpack.triage.names.transliteration import plain_text

_FILE = "countries/sanctioned_territories.yaml"


@lru_cache(maxsize=4_096)
def sanctioned_territory(place: str, country: str) -> str:
    """Return the territory under comprehensive sanctions in which a place lies, such as `Crimea`; empty if it lies in none.

    Args:
        place: A town, or a line of an address.
        country: Its country, a code or a name.
    """
    said = f" {plain_text(place)} "
    known = _known().get(country_name(country) or "", ())
    return next((title for title, places in known if any(f" {one} " in said for one in places)), "")


@cache
def _known() -> dict[str, list[tuple[str, frozenset[str]]]]:
    known: dict[str, Any] = asset_yaml(_FILE)
    found: dict[str, list[tuple[str, frozenset[str]]]] = {}
    for entry in known["territories"]:
        places = frozenset(map(plain_text, entry["places"]))
        for code in entry["countries"]:
            found.setdefault(country_name(code) or code, []).append((entry["title"], places))
    return found
