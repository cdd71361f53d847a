"""Places in territories under comprehensive sanctions that no country code names."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from kycpack.assets import asset_yaml
from kycpack.triage.countries import country_name
from kycpack.triage.transliteration import words

_FILE = "countries/sanctioned_territories.yaml"


@lru_cache(maxsize=4_096)
def sanctioned_territory(place: str, country: str) -> str:
    """Return the territory under comprehensive sanctions in which a place lies, as `Crimea`; empty for none.

    Args:
        place: A town or the line of an address.
        country: Its country, a code or a name.
    """
    said = f" {_plain(place)} "
    known = _known().get(country_name(country) or "", ())
    return next((title for title, places in known if any(f" {one} " in said for one in places)), "")


def _plain(text: str) -> str:
    return " ".join(word.text for word in words(text))


@cache
def _known() -> dict[str, list[tuple[str, frozenset[str]]]]:
    known: dict[str, Any] = asset_yaml(_FILE)
    found: dict[str, list[tuple[str, frozenset[str]]]] = {}
    for entry in known["territories"]:
        places = frozenset(map(_plain, entry["places"]))
        for code in entry["countries"]:
            found.setdefault(country_name(code) or code, []).append((entry["title"], places))
    return found
