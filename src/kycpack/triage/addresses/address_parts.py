"""The parts of an address: country, postal code, numbers by their role, and the other words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

from kycpack.assets import asset_yaml
from kycpack.triage.addresses.house_numbers import (
    NO_STREET,
    Street,
    street_of,
    with_floor_and_door,
    with_ranges,
)
from kycpack.triage.countries import all_countries
from kycpack.triage.names.transliteration import plain_text, respelled, words

HOUSE = "house"
_UK_CODE = re.compile(r"\b([a-z]{1,2}\d[a-z\d]?) ?(\d[a-z]{2})\b", re.IGNORECASE)
_IRISH_CODE = re.compile(r"\b([a-z]\d[\dw]) ?([\da-z]{4})\b", re.IGNORECASE)
_POLISH_CODE = re.compile(r"\b(\d{2})-(\d{3})\b")
_FIVE_DIGITS = re.compile(r"\b(\d{5})(?:-\d{4})?\b")
_FOUR_DIGITS = re.compile(r"(?:^|,\s*)(\d{4})(?: ?[A-Z]{2})?(?=\s+[^\W\d]{3})")
_MAY_HOLD_CODE = re.compile(r"[a-z]\d|\d-\d|\d{4}", re.IGNORECASE)  # as each of the codes has it
_STREET_ENDING = re.compile(r"(?<=\w{3})(?:strasse|str)$")
_NUMBER = re.compile(r"\d+[a-z]?(?:\d+)?")
_NUMBER_AGAIN = re.compile(r"(\d+)(bis|ter|quater)")
_PAIR = re.compile(r"(?<![\w/])(\d+[a-z]?) ?/ ?(\d+[a-z]?)(?![\w/])", re.IGNORECASE)
# House, staircase and door, as in 5/3/12.
_TRIPLE = re.compile(r"(?<![\w/])(\d+[a-z]?) ?/ ?(\d+) ?/ ?(\d+)(?![\w/])", re.IGNORECASE)
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")
_US_STATES = frozenset(
    ["AL", "AR", "AZ", "CA", "CO", "DE", "GA", "ID", "IL", "IN", "KY", "LA", "MA", "MD", "ME", "MN", "MO", "MS", "MT", "NC", "ND", "NE", "PA", "SC", "SD", "TN", "VA"]
)  # fmt: skip
_US_STATE_AND_CODE = re.compile(r"\b[A-Z]{2},? \d{5}\b")
_REMEMBERED = 1_024
_LONGEST_COUNTRY, _LONGEST_CODE = 9, 3
_BOX = re.compile(
    r"(?:\b(?:(?:g\.?\s*)?p\.?\s*o\.?\s*box|p\.?\s*o\.?\s*b(?=\.?\s*\d)|b\.?\s?p(?=\.?\s*(?:n°|no\b\.?)\s*\d)|post office box|post box(?=\s+\d)|casella postale|apartado (?:de correos|postal)"
    r"|bo[iî]te postale|case postale|caixa postal|skrytka pocztowa|skr\.?\s*poczt|postboks(?=\s+\d)|(?:private|locked) bag(?=\s+\d)|po[sš]tanski pretinac"
    r"|po[sš]tovn[ií] p[rř]ihr[aá]dka|postafi[oó]k|posta kutusu|postilokero|абонентский ящик|\u0430/я|поштова скринька|ταχυδρομική θυρίδα|τ\.?\s*θ(?=\.?\s*\d))\b"
    r"|^\s*(?:box|pf)(?=\.?\s*\d+\s*(?:,|$)))\.?(?:\s*(?:(?:no|nr|num|number)\b\.?|n°|№|#)\s*(?=\d))?",
    re.IGNORECASE,
)
_BOX_IN_PAIRS = re.compile(r"\b(postfach\s+\d{1,2})\s(\d{2})(?:\s(\d{2}))?\b", re.IGNORECASE)
_UNNUMBERED = frozenset({"pobox", "postfach", "postbus"})
# A box number may have as many digits as a post code. `Postfach 10115` may be either, and `CP` introduces both.
_BOX_BEFORE = re.compile(r"\b(?:pobox|bp|apartado|apdo|postbus|skrytka)\.?\s+$", re.IGNORECASE)
_INITIALS = re.compile(r"\b(b)\.\s?(p)\.", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class AddressParts:
    """The parts of an address.

    Attributes:
        country: Its name in ISO 3166-1; empty if the address does not name one.
        code: Postal code, without spaces.
        numbers: By role: house, flat, unit, suite, floor, room, block, box.
        words: The other words, in their full forms, with how often each occurs.
        street: The words that the house number belongs to, as it reads.
        house_names: The words of the names of houses.
        of_states: Whether the line has a state and a ZIP code of the United States.
        pair: Two numbers joined by a slash, as in 4/2: one is the house, the other the flat.
    """

    country: str = ""
    code: str = ""
    numbers: dict[str, str] = field(default_factory=dict)
    words: Counter[str] = field(default_factory=Counter)
    street: Street = NO_STREET
    house_names: frozenset[str] = frozenset()
    of_states: bool = False
    pair: str = ""


@dataclass(frozen=True, slots=True)
class _AddressWords:
    full: dict[str, str]
    empty: frozenset[str]
    roles: dict[str, str]
    suffixes: frozenset[str]
    countries: dict[str, str]
    signs: dict[str, str]
    house_first: frozenset[str]
    units_are_flats: frozenset[str]
    houses: frozenset[str]
    streets: frozenset[str]
    levels: dict[str, str]
    phrases: dict[tuple[str, ...], str]
    denying: frozenset[str]
    few_houses: frozenset[str]
    one_house: frozenset[str]


@cache
def _vocabulary() -> _AddressWords:
    known: dict[str, Any] = asset_yaml("addresses/words.yaml")
    full = {plain_text(short): word for word, shorts in known["shortened"].items() for short in shorts}
    towns = {tuple(plain_text(town).split()): towns[0] for towns in known["towns"] for town in towns}
    full |= {town[0]: first for town, first in towns.items() if len(town) == 1}
    by_code = all_countries().editions[-1].names
    countries = {plain_text(name): name for name in by_code.values()}
    countries |= {
        plain_text(name): by_code[code.casefold()]
        for code, names in known["countries"].items()
        for name in names
    }
    return _AddressWords(
        full=full,
        empty=frozenset(known["empty"]),
        roles={word: role for role, forms in known["roles"].items() for word in forms},
        suffixes=frozenset(known["suffixes"]),
        countries=countries,
        signs={sign: f" {word} " for sign, word in known["signs"].items()},
        house_first=frozenset(by_code[code.casefold()] for code in known["house_before_flat"]),
        units_are_flats=frozenset(by_code[code.casefold()] for code in known["units_are_flats"]),
        houses=frozenset(known["houses"]),
        streets=frozenset(known["streets"]),
        levels={word: level for level, forms in known["levels"].items() for word in forms},
        phrases={town: first for town, first in towns.items() if len(town) > 1},
        denying=frozenset(known["denying"]),
        few_houses=frozenset(by_code[code.casefold()] for code in known["codes_of_few_houses"]),
        one_house=frozenset(by_code[code.casefold()] for code in known["codes_of_one_house"]),
    )


def country_of(text: str) -> str:
    """Return the name in ISO 3166-1 of a country in any spelling; for an unknown country, the text in lower case without accents."""
    named = all_countries().editions[-1].names.get(text.strip().casefold())
    return named or _vocabulary().countries.get(plain := plain_text(text), plain)


def names_house(line: str, country: str) -> bool:
    """Return whether a line names a house instead of numbering it, in a country whose post codes cover only a few houses.

    Args:
        line: The first line, as in `Rose Cottage` or `The Elms, Church Road`.
        country: The country's name in ISO 3166-1.
    """
    known = _vocabulary()
    if country in known.one_house:
        return True
    parts = [
        [known.full.get(text, text) for text in _texts(part)] for part in line.split(",") if _texts(part)
    ]
    if country not in known.few_houses or not parts or parts[0][-1] in known.streets:
        return False
    own = not known.houses.isdisjoint(parts[0])
    if own or len(parts) == 1:
        return own
    return not known.streets.isdisjoint(parts[1]) or (len(parts[1]) > 1 and parts[1][0].isdigit())


def denies(words: Iterable[str]) -> bool:
    """Return whether one of some words says that an address is not, or no longer, somebody's."""
    return not _vocabulary().denying.isdisjoint(words)


def units_are_flats() -> frozenset[str]:
    """Return the names of the countries where a unit is a home like a flat."""
    return _vocabulary().units_are_flats


def house_before_flat() -> frozenset[str]:
    """Return the names of the countries where 4/2 always means house 4, flat 2."""
    return _vocabulary().house_first


def countries_named(texts: tuple[str, ...]) -> dict[str, str]:
    """Return the countries named in some words: the ISO 3166-1 name by the words used. Part of a longer country name does not count as another country.

    Args:
        texts: Plain words, in their order.
    """
    found: dict[str, str] = {}
    start = 0
    while start < len(texts):
        for end in range(min(len(texts), start + _LONGEST_COUNTRY), start, -1):
            spelling = " ".join(texts[start:end])
            if spelling in _vocabulary().countries:
                found[spelling] = _vocabulary().countries[spelling]
                start = end - 1
                break
        start += 1
    return found


@lru_cache(_REMEMBERED)
def read_address(line: str, postal_code: str | None, country: str | None) -> AddressParts:
    """Return the parts of an address.

    Args:
        line: All lines and the town, separated by commas; the code and the country may be in it as well.
        postal_code: The code, if it is a separate field.
        country: The country, if it is a separate field.
    """
    if not line.isascii():
        line = respelled(line, _vocabulary().signs.items())
    line = _BOX_IN_PAIRS.sub(r"\1\2\3", line)
    line = _INITIALS.sub(r"\1\2", _BOX.sub(" pobox ", line)).replace("#", " unit ")
    named = country_of(country) if country else ""
    line = with_floor_and_door(line)
    of_states = _US_STATE_AND_CODE.search(line) is not None
    line, found = _without_country(line)
    code = "".join([word.text for word in words(postal_code or "")])
    line, own_code = _without_code(line)
    line, pair = _without_pair(_TRIPLE.sub(r"\1 flat \2f\3", line)) if "/" in line else (line, "")
    numbers, rest, street, houses = _numbers(with_ranges(line))
    return AddressParts(
        named or found, code or own_code, numbers, rest, street, houses, of_states=of_states, pair=pair
    )


@cache
def _box_names() -> tuple[str, ...]:
    return tuple(name for name, role in _vocabulary().roles.items() if role == "box")


def is_post_box(line: str, postal_code: str | None) -> bool:
    """Return whether an address is a post box: it has a box, and no number of a house or a flat.

    Args:
        line: All lines, separated by commas.
        postal_code: The code, if it is a separate field; a number that is the code, as in `CP 28001`, is not a box number.
    """
    folded = line.casefold()
    # Reading an address takes ten times as long as this test, and few addresses name a box.
    if not (any(name in folded for name in _box_names()) or _BOX.search(line) or _INITIALS.search(line)):
        return False
    parts = read_address(line, None, None)
    if not parts.numbers:
        # Small post offices have boxes without a number, and a number of five digits looks like a code.
        return not parts.words.keys().isdisjoint(_UNNUMBERED) and (bool(parts.code) or len(parts.words) == 1)
    return parts.numbers.keys() == {"box"} and parts.numbers["box"] != (postal_code or "").strip()


def _without_pair(line: str) -> tuple[str, str]:
    """Return a line with 4/2 rewritten as house 4, flat 2, and the pair. After the word for a flat, as in `Flat 2/1, 4 High Street`, it is the flat's number and not a pair."""
    parts = line.split(",")
    for place, part in enumerate(parts):
        found = _PAIR.search(part)
        if found is None:
            continue
        before, after = part[: found.start()], part[found.end() :]
        one, other = found.groups()
        said = _texts(before)
        of_flat = bool(said) and _vocabulary().roles.get(said[-1]) is not None
        alone = (
            not _texts(before + after) and place + 1 < len(parts) and parts[place + 1].strip()[:1].isdigit()
        )
        if of_flat or alone:
            parts[place] = f"{before}{'' if of_flat else ' flat '}{one}f{other}{after}"
            return ",".join(parts), ""
        parts[place] = f"{before}{one} flat {other} {after}"
        return ",".join(parts), f"{one}/{other}".lower()
    return line, ""


def _without_country(line: str) -> tuple[str, str]:
    before, comma, last = line.rpartition(",")
    code = last.strip()
    if comma and code.isupper() and code.isalpha() and len(code) <= _LONGEST_CODE and code not in _US_STATES:
        name = country_of(code)
        if name != plain_text(code):
            return before, name
    pieces = line.split()
    for count in range(min(_LONGEST_COUNTRY, len(pieces) - 1), 0, -1):
        # A town may have the name of a country; a country follows a comma.
        if pieces[-count - 1].endswith(","):
            name = plain_text(" ".join(pieces[-count:]))
            if name in _vocabulary().countries:
                return " ".join(pieces[:-count]).rstrip(", "), _vocabulary().countries[name]
    return line, ""


def _without_code(line: str) -> tuple[str, str]:
    if not _MAY_HOLD_CODE.search(line):
        return line, ""
    for pattern in (_UK_CODE, _IRISH_CODE, _POLISH_CODE, _FIVE_DIGITS, _FOUR_DIGITS):
        found = [one for one in pattern.finditer(line) if not _BOX_BEFORE.search(line[: one.start()])]
        if found:
            last = found[-1]
            return line[: last.start()] + " , " + line[last.end() :], "".join(last.groups()).lower()
    return line, ""


def _numbers(line: str) -> tuple[dict[str, str], Counter[str], Street, frozenset[str]]:
    """Return the numbers by their role, the other words, the street of the house number, and the words of the names of houses."""
    known = _vocabulary()
    numbers: dict[str, str] = {}
    rest: list[str] = []
    stands_at, begins_at = -1, 0
    ends_at: int | None = None
    houses: set[str] = set()
    parts = [texts for part in line.split(",") if (texts := _texts(part))]
    for number, texts in enumerate(parts, 1):
        if number == len(parts) and _is_district(texts):
            rest += texts
            continue
        place, begins = 0, len(rest)
        while place < len(texts):
            if taken := _take_number(texts[place:], numbers):
                place += taken
                continue
            text = texts[place]
            if HOUSE not in numbers and _NUMBER.fullmatch(text):
                numbers[HOUSE] = text
                stands_at, begins_at = len(rest), begins
            elif text not in known.empty:
                rest.append(known.full.get(text, text))
            place += 1
        own = rest[begins:]
        if stands_at < begins and own and own[-1] in known.houses:
            houses.update(own)
        # A number that is a part of its own belongs to the next part.
        if stands_at >= 0 and ends_at is None and len(rest) > begins_at:
            ends_at = len(rest)
    if stands_at < 0:
        return numbers, Counter(rest), NO_STREET, frozenset(houses)
    street = street_of(rest[begins_at:stands_at], rest[stands_at:ends_at], known.streets)
    return numbers, Counter(rest), street, frozenset(houses)


def _take_number(texts: Sequence[str], numbers: dict[str, str]) -> int:
    """Add the number with a role that some words begin with, such as `flat 4` or `ground floor`; return how many words it takes."""
    known = _vocabulary()
    role, following = known.roles.get(texts[0]), "".join(texts[1:2])
    if role and role not in numbers and _is_mark(following, role):
        numbers[role] = following
        return 2
    taken = 0 if "floor" in numbers else _level(texts)
    if taken:
        numbers["floor"] = known.levels.get(texts[0]) or re.sub(r"\D", "", texts[0])
    return taken


def _level(texts: Sequence[str]) -> int:
    """Return how many words name a floor without a number, as in `2nd floor`, `ground floor flat` and `basement flat`; 0 if they name none."""
    known = _vocabulary()
    roles = [known.roles.get(text) for text in texts[1:3]] + [None, None]
    is_level = texts[0] in known.levels
    if roles[0] == "floor" and (is_level or _ORDINAL.fullmatch(texts[0])):
        flat = roles[1] == "flat" and not (texts[3:4] and _is_mark(texts[3], "flat"))
        return 3 if flat else 2
    alone = roles[0] == "flat" and not (texts[2:3] and _is_mark(texts[2], "flat"))
    return 2 if is_level and alone else 0


def _is_district(texts: tuple[str, ...]) -> bool:
    """Return whether a part is a town with a district number, as in Dublin 2, and not a street."""
    return (
        len(texts) == 2
        and re.fullmatch(r"\d{1,2}", texts[1]) is not None
        and texts[0].isalpha()
        and texts[0] not in _vocabulary().roles
    )


def _is_mark(text: str, role: str) -> bool:
    """Return whether a word is a number, or a letter that names a flat, room or block."""
    return bool(_NUMBER.fullmatch(text)) or (role != "box" and len(text) == 1 and text.isalpha())


# The same towns and streets recur.
@lru_cache(_REMEMBERED)
def _texts(part: str) -> tuple[str, ...]:
    """Return the words of a part: a house letter is joined to its number, and the kind of street is split from its name."""
    suffixes, roles = _vocabulary().suffixes, _vocabulary().roles
    found: list[str] = []
    texts = [word.text for word in words(part)]
    for text, following in zip(texts, [*texts, ""][1:], strict=True):
        joins = found and found[-1].isdigit() and (text in suffixes or (len(text) == 1 and text.isalpha()))
        joins = joins and not (text in roles and following.isdigit())
        number = _NUMBER_AGAIN.fullmatch(text)
        if joins and text not in {"n", "s", "e", "w"}:
            found[-1] += text[0]
        elif number:
            found.append(number[1] + number[2][0])
        elif _STREET_ENDING.search(text):
            found += [_STREET_ENDING.sub("", text), "street"]
        else:
            found.append(text)
    for phrase, town in _vocabulary().phrases.items():
        found = _with_town(found, phrase, town)
    return tuple(found)


def _with_town(texts: list[str], phrase: tuple[str, ...], town: str) -> list[str]:
    if phrase[0] in texts:
        start = texts.index(phrase[0])
        if tuple(texts[start : start + len(phrase)]) == phrase:
            return [*texts[:start], town, *texts[start + len(phrase) :]]
    return texts
