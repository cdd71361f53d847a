"""Dated lists of countries, as used in policies."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from kycpack.assets import asset_text, asset_yaml
from kycpack.errors import PolicyError
from kycpack.models.dates import day_words
from kycpack.triage.located_yaml import Node, read_nodes

_TOP = ("id", "title", "source", "note", "current_days", "editions", "other_codes")
_ALL_COUNTRIES = "countries/iso-3166-1.yaml"


@dataclass(frozen=True, slots=True)
class Edition:
    """A list as it was published on a day.

    Attributes:
        published: The day of publication; later changes are not in it.
        codes: ISO 3166-1 codes, of two and of three letters.
        names: The names in the list by code, and the codes by name, case-folded.
    """

    published: dt.date
    codes: frozenset[str]
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class CountryList:
    """A list of jurisdictions in its editions.

    Attributes:
        id: Its id.
        title: Its title.
        source: Where it is published.
        note: What a reader should know.
        digest: SHA-256 of the file's bytes.
        current_days: Number of days after publication for which an edition counts as current; None for no limit.
        editions: The editions, the oldest first.
        other_codes: Known codes that do not stand for a country.
    """

    id: str
    title: str
    source: str
    note: str
    digest: str
    current_days: int | None
    editions: tuple[Edition, ...]
    other_codes: frozenset[str]

    def edition(self, day: dt.date) -> Edition | None:
        """Return the latest edition on a day; None if none had been published yet."""
        published = [edition for edition in self.editions if edition.published <= day]
        return published[-1] if published else None

    def complaint(self, day: dt.date) -> str:
        """Return why the list cannot be relied on on a day, in words; empty if it can."""
        edition = self.edition(day)
        if edition is None:
            return f"{self.title}: no edition had been published by {day_words(day)}"
        age = (day - edition.published).days
        if self.current_days is not None and age > self.current_days:
            return f"{self.title}: the latest edition in the policy is of {day_words(edition.published)}, {age} days old"
        return ""

    def holds(self, country: str, day: dt.date) -> bool | None:
        """Return whether a country is on the list on a day; None if that cannot be known.

        Args:
            country: A code of two or three letters, or a name.
            day: The day.
        """
        edition = self.edition(day)
        if edition is None:
            return None
        folded = country.strip()
        if folded.upper() in edition.codes or folded.casefold() in edition.names:
            return True
        return False if is_country(folded) else None


def is_country(word: str) -> bool:
    """Return whether a word is a country's code or name, or a code that travel documents use in its place."""
    every = all_countries()
    edition = every.editions[-1]
    folded = word.strip()
    return folded.upper() in edition.codes | every.other_codes or folded.casefold() in edition.names


def country_name(word: str) -> str | None:
    """Return the name of a country from its code or name; None for any other word.

    Args:
        word: A code of two or three letters, or a name in English.
    """
    return all_countries().editions[-1].names.get(word.strip().casefold())


def country_of_people(word: str) -> str | None:
    """Return the name of the country of a nationality; None for a word that is not known as one.

    Args:
        word: A code or a name of the country, or what its people are called, as in `Irish` or `british citizen`.
    """
    said = word.strip().casefold()
    for ending in (" citizen", " national"):
        said = said.removesuffix(ending)
    return country_name(said) or _peoples().get(said)


@cache
def _peoples() -> dict[str, str]:
    return {
        word: country_name(code) or code
        for code, words in asset_yaml("countries/peoples.yaml").items()
        for word in words
    }


def country_words(country: str) -> str:
    """Return a country by its name, with its code if that was given, as in `Serbia (RS)`; an unknown word is unchanged."""
    name = country_name(country)
    if name is None:
        return country
    return name if name.casefold() == country.strip().casefold() else f"{name} ({country.strip()})"


@lru_cache(maxsize=1_024)
def country_code(word: str) -> str | None:
    """Return the code of a country, of two letters, from its code or name; None for any other word."""
    name = country_name(word)
    names = all_countries().editions[-1].names
    return next((key.upper() for key, one in names.items() if one == name and len(key) == 2), None)


@lru_cache(maxsize=1)
def all_countries() -> CountryList:
    """Return the countries and territories of ISO 3166-1."""
    return read_country_list(asset_text(_ALL_COUNTRIES), _ALL_COUNTRIES)


@lru_cache(maxsize=64)
def read_country_list(text: str, name: str) -> CountryList:
    """Return a country list from its file.

    Args:
        text: The file's text, YAML.
        name: The file's name in errors.

    Raises:
        PolicyError: The file does not parse; the error names file and line.
    """
    top = read_nodes(text, name).members(_TOP, ("id", "title", "source", "editions"))
    editions = tuple(_edition(node) for node in top["editions"].items())
    days = [edition.published for edition in editions]
    if not days or days != sorted(set(days)):
        raise top["editions"].error("expected one edition or more, the oldest first")
    current = top["current_days"].scalar() if "current_days" in top else None
    if current is not None and (isinstance(current, bool) or not isinstance(current, int) or current < 1):
        raise top["current_days"].error("expected a number of days")
    return CountryList(
        id=top["id"].text(),
        title=top["title"].text(),
        source=top["source"].text(),
        note=top["note"].text() if "note" in top else "",
        digest=hashlib.sha256(text.encode()).hexdigest(),
        current_days=current,
        editions=editions,
        other_codes=frozenset(item.text() for item in top["other_codes"].items())
        if "other_codes" in top
        else frozenset(),
    )


def _edition(node: Node) -> Edition:
    top = node.members(("published", "jurisdictions", "source"), ("published", "jurisdictions"))
    codes: set[str] = set()
    names: dict[str, str] = {}
    for item in top["jurisdictions"].items():
        entry = item.members(("alpha2", "alpha3", "name"), ("alpha2", "alpha3", "name"))
        two, three, name = entry["alpha2"].text(), entry["alpha3"].text(), entry["name"].text()
        if (
            len(two) != 2
            or len(three) != 3
            or not (two + three).isalpha()
            or (two + three) != (two + three).upper()
        ):
            raise PolicyError("expected codes of two and three capital letters", place=item.place)
        if two in codes or three in codes:
            raise PolicyError(f"{two} is listed twice", place=item.place)
        codes |= {two, three}
        names |= {name.casefold(): name, two.casefold(): name, three.casefold(): name}
    return Edition(read_date(top["published"]), frozenset(codes), names)


def read_date(node: Node) -> dt.date:
    """Return a date from a policy or a list.

    Raises:
        PolicyError: It is not a date.
    """
    try:
        return dt.date.fromisoformat(node.text())
    except ValueError:
        raise node.error("expected a date, such as 2026-01-01") from None
