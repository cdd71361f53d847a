"""What is known of places: the countries of well-known cities and of the zones of the clock, territories under comprehensive sanctions that have no country code of their own, addresses where nobody lives (in care of somebody else, mail drops, prisons), and places named with a word that specimens bear too, such as Test Valley in Hampshire."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

from kycpack.assets import asset_yaml
from kycpack.triage.addresses.address_parts import country_of
from kycpack.triage.countries import country_name
from kycpack.triage.names.transliteration import plain_text, words

SPECIMENS = "names/specimens.yaml"

_HOUSE = "a mail drop"


@lru_cache(maxsize=16_384)
def is_of_another_country(city: str, country: str) -> bool:
    """Return whether a town is a world-famous city, and the country has no city of that name.

    Args:
        city: The whole name of the town, with or without a district number, as in `Paris 15`.
        country: A code or a name; anything that is not a country is not compared.
    """
    home = country_name(country_of(country))
    lies_in = _cities().get(_plain_name(city))
    return home is not None and lies_in is not None and home not in lies_in


@cache
def _cities() -> dict[str, frozenset[str]]:
    known: dict[str, Any] = asset_yaml("countries/cities.yaml")
    namesakes = {_name(code) for code in known["namesakes"]}
    found: dict[str, set[str]] = {}
    for part in ("cities", "further"):
        for code, cities in known[part].items():
            for city in cities:
                found.setdefault(_plain_name(city), {*namesakes}).add(_name(code))
    return {city: frozenset(countries) for city, countries in found.items()}


def _name(code: str) -> str:
    return country_name(code) or code


def _plain_name(city: str) -> str:
    return " ".join(word.text for word in words(city) if not any(map(str.isdigit, word.text)))


@lru_cache(maxsize=16_384)
def is_zone_of_another_country(zone: str, country: str) -> bool:
    """Return whether a zone is one of the time zone database, and is not used in a country.

    Args:
        zone: Its name, as `Europe/London`; any other text is not compared.
        country: A code or a name; anything that is not a country is not compared.
    """
    home, used_in = country_name(country_of(country)), _zones().get(zone.strip().casefold())
    return home is not None and used_in is not None and home not in used_in


@cache
def _zones() -> dict[str, frozenset[str]]:
    return {
        zone.casefold(): frozenset(country_name(code) or code for code in codes)
        for zone, codes in asset_yaml("countries/time_zones.yaml")["zones"].items()
    }


@lru_cache(maxsize=4_096)
def sanctioned_territory(place: str, country: str) -> str:
    """Return the territory under comprehensive sanctions in which a place lies, such as `Crimea`; empty if it lies in none.

    Args:
        place: A town, or a line of an address.
        country: Its country, a code or a name.
    """
    said = f" {plain_text(place)} "
    known = _territories().get(country_name(country) or "", ())
    return next((title for title, places in known if any(f" {one} " in said for one in places)), "")


@cache
def _territories() -> dict[str, list[tuple[str, frozenset[str]]]]:
    found: dict[str, list[tuple[str, frozenset[str]]]] = {}
    for entry in asset_yaml("countries/sanctioned_territories.yaml")["territories"]:
        places = frozenset(map(plain_text, entry["places"]))
        for code in entry["countries"]:
            found.setdefault(country_name(code) or code, []).append((entry["title"], places))
    return found


class _MailDrops(NamedTuple):
    """Lines where nobody lives, as patterns of plain words.

    Attributes:
        phrases: Each pattern, with what it stands for.
        houses: First lines of addresses, each with its post code.
    """

    phrases: tuple[tuple[re.Pattern[str], str], ...]
    houses: frozenset[tuple[str, str]]


@lru_cache(maxsize=16_384)
def mail_drop(line: str, postal_code: str) -> str:
    """Return why nobody lives at an address, such as `a mail drop`; empty if nothing says so.

    Args:
        line: All lines, separated by commas.
        postal_code: The code, if it is a separate field.
    """
    said = plain_text(line)
    if found := next((what for pattern, what in _mail_drops().phrases if pattern.search(said)), ""):
        return found
    code = postal_code.replace(" ", "").upper()
    return _HOUSE if any(text in said and its == code for text, its in _mail_drops().houses) else ""


@cache
def _mail_drops() -> _MailDrops:
    known: dict[str, Any] = asset_yaml("countries/mail_drops.yaml")
    phrases = [
        (re.compile(rf"(?<!\S){re.escape(plain_text(text))}(?!\S)"), what)
        for what, texts in known["phrases"].items()
        for text in texts
    ]
    short = "|".join(known["numbered"])
    phrases.append((re.compile(rf"(?<!\S)(?:{short}) \d+(?!\S)"), _HOUSE))
    houses = frozenset((plain_text(line), code.replace(" ", "")) for line, code in known["houses"])
    return _MailDrops(tuple(phrases), houses)


def without_places(said: Sequence[str], *, in_address: bool = False) -> list[str]:
    """Return the words of a text without those that are part of a place's name: a word of specimens next to one for a valley, a river or a hill.

    Args:
        said: The words in order, in lower case.
        in_address: Whether they are those of an address, where words such as LOWER are part of a place's name too.
    """
    borne, of_places, of_addresses = _place_words()
    features = of_places | of_addresses if in_address else of_places
    return [
        word
        for at, word in enumerate(said)
        if word not in borne or features.isdisjoint((*said[max(at - 1, 0) : at], *said[at + 1 : at + 2]))
    ]


@cache
def _place_words() -> tuple[frozenset[str], ...]:
    known = asset_yaml(SPECIMENS)
    return tuple(frozenset(known[name]) for name in ("in_places", "features", "beside_in_addresses"))
