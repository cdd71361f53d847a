"""The parts of an address: country, postal code, numbers by their role, and the other words."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

from kycpack.assets import asset_yaml
from kycpack.triage.countries import all_countries
from kycpack.triage.transliteration import words

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
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")
_US_STATES = frozenset(
    [
        "AL",
        "AR",
        "AZ",
        "CA",
        "CO",
        "DE",
        "GA",
        "ID",
        "IL",
        "IN",
        "KY",
        "LA",
        "MA",
        "MD",
        "ME",
        "MN",
        "MO",
        "MS",
        "MT",
        "NC",
        "ND",
        "NE",
        "PA",
        "SC",
        "SD",
        "TN",
        "VA",
    ]
)
_TOWN_AND_NUMBER = 2
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
# The number of such a box may have as many digits as a code. `Postfach 10115` may be either, and `CP` stands before both.
_BOX_BEFORE = re.compile(r"\b(?:pobox|bp|apartado|apdo|postbus|skrytka)\.?\s+$", re.IGNORECASE)
_INITIALS = re.compile(r"\b(b)\.\s?(p)\.", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class AddressParts:
    """An address by its parts.

    Attributes:
        country: Its name in ISO 3166-1; empty where it is not named.
        code: Postal code, without spaces.
        numbers: By role: house, flat, floor, room, block, box.
        words: The other words, in their full forms, with how often each occurs.
        numbered: The words that the house number stands with, as those of the street and not of the house's name.
        pair: Two numbers with a stroke between them, as 4/2, of which one is the house's and one the flat's.
    """

    country: str = ""
    code: str = ""
    numbers: dict[str, str] = field(default_factory=dict)
    words: Counter[str] = field(default_factory=Counter)
    numbered: frozenset[str] = frozenset()
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
    houses: frozenset[str]
    streets: frozenset[str]
    few_houses: frozenset[str]
    one_house: frozenset[str]


@cache
def _vocabulary() -> _AddressWords:
    known: dict[str, Any] = asset_yaml("addresses/words.yaml")
    full = {_plain(short): word for word, shorts in known["shortened"].items() for short in shorts}
    full |= {_plain(town): towns[0] for towns in known["towns"] for town in towns}
    by_code = all_countries().editions[-1].names
    countries = {_plain(name): name for name in by_code.values()}
    countries |= {
        _plain(name): by_code[code.casefold()] for code, names in known["countries"].items() for name in names
    }
    return _AddressWords(
        full=full,
        empty=frozenset(known["empty"]),
        roles={word: role for role, forms in known["roles"].items() for word in forms},
        suffixes=frozenset(known["suffixes"]),
        countries=countries,
        signs=known["signs"],
        house_first=frozenset(by_code[code.casefold()] for code in known["house_before_flat"]),
        houses=frozenset(known["houses"]),
        streets=frozenset(known["streets"]),
        few_houses=frozenset(by_code[code.casefold()] for code in known["codes_of_few_houses"]),
        one_house=frozenset(by_code[code.casefold()] for code in known["codes_of_one_house"]),
    )


def _plain(text: str) -> str:
    return " ".join([word.text for word in words(text)])


def country_of(text: str) -> str:
    """Return the name in ISO 3166-1 of a country in any spelling; the folded text itself where it is not known."""
    by_code = all_countries().editions[-1].names
    named = by_code.get(text.strip().casefold())
    return named or _vocabulary().countries.get(plain := _plain(text), plain)


def names_house(line: str, country: str) -> bool:
    """Tell whether a line names a house without a number, so that it is one of the few, or the one, that share a post code of the country.

    Args:
        line: The first line, as `Rose Cottage` or `The Elms, Church Road`.
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
    return own or (len(parts) > 1 and not known.streets.isdisjoint(parts[1]))


def house_before_flat() -> frozenset[str]:
    """Return the names of the countries in which 4/2 is always house 4, flat 2."""
    return _vocabulary().house_first


def countries_named(texts: tuple[str, ...]) -> dict[str, str]:
    """Return the countries that words name, the name in ISO 3166-1 by the words; of a longer name no part is another's.

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
        line: All lines and the town, with commas between them; it may hold the code and the country as well.
        postal_code: The code, where it stands apart.
        country: The country, where it stands apart.
    """
    if not line.isascii():
        for sign, word in _vocabulary().signs.items():
            line = line.replace(sign, f" {word} ")
    line = _BOX_IN_PAIRS.sub(r"\1\2\3", line)
    line = _INITIALS.sub(r"\1\2", _BOX.sub(" pobox ", line)).replace("#", " flat ")
    named = country_of(country) if country else ""
    line, found = _without_country(line)
    code = "".join([word.text for word in words(postal_code or "")])
    line, own_code = _without_code(line)
    line, pair = _without_pair(line) if "/" in line else (line, "")
    numbers, rest, numbered = _numbers(line)
    return AddressParts(named or found, code or own_code, numbers, rest, numbered, pair)


@cache
def _box_names() -> tuple[str, ...]:
    return tuple(name for name, role in _vocabulary().roles.items() if role == "box")


def is_post_box(line: str, postal_code: str | None) -> bool:
    """Tell whether an address is a post box and no home: a box, and neither a house nor a flat by its number.

    Args:
        line: All lines, with commas between them.
        postal_code: The code, where it stands apart; a number that is the code, as in `CP 28001`, is no box.
    """
    folded = line.casefold()
    # Reading an address takes ten times as long, and few name a box.
    if not (any(name in folded for name in _box_names()) or _BOX.search(line) or _INITIALS.search(line)):
        return False
    parts = read_address(line, None, None)
    if not parts.numbers:
        # Small offices have boxes without a number, and one of five digits reads as a code.
        return not parts.words.keys().isdisjoint(_UNNUMBERED) and (bool(parts.code) or len(parts.words) == 1)
    return parts.numbers.keys() == {"box"} and parts.numbers["box"] != (postal_code or "").strip()


def _without_pair(line: str) -> tuple[str, str]:
    """Return a line in which 4/2 is written as house 4, flat 2, and the pair; as a flat's mark, as in `Flat 2/1, 4 High Street`, it is none."""
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
        if name != _plain(code):
            return before, name
    pieces = line.split()
    for count in range(min(_LONGEST_COUNTRY, len(pieces) - 1), 0, -1):
        # A town may have a country's name; a country stands behind a comma.
        if pieces[-count - 1].endswith(","):
            name = _plain(" ".join(pieces[-count:]))
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
            code = "".join(last.groups()).lower()
            return line[: last.start()] + " , " + line[last.end() :], code
    return line, ""


def _numbers(line: str) -> tuple[dict[str, str], Counter[str], frozenset[str]]:
    """Return the numbers by their role, the other words, and the words that the house number stands with."""
    known = _vocabulary()
    numbers: dict[str, str] = {}
    rest: list[str] = []
    stands_at, begins_at = -1, 0
    ends_at: int | None = None
    parts = [texts for part in line.split(",") if (texts := _texts(part))]
    for number, texts in enumerate(parts, 1):
        if number == len(parts) and _is_district(texts):
            rest += texts
            continue
        place, begins = 0, len(rest)
        while place < len(texts):
            text = texts[place]
            following = texts[place + 1] if place + 1 < len(texts) else ""
            role = known.roles.get(text)
            if role and role not in numbers and _is_mark(following, role):
                numbers[role] = following
                place += 2
                continue
            if known.roles.get(following) == "floor" and _ORDINAL.fullmatch(text):
                numbers["floor"] = re.sub(r"\D", "", text)
                place += 2
                continue
            if HOUSE not in numbers and _NUMBER.fullmatch(text):
                numbers[HOUSE] = text
                stands_at, begins_at = len(rest), begins
            elif text not in known.empty:
                rest.append(known.full.get(text, text))
            place += 1
        # A number that is a part by itself stands with the next one.
        if stands_at >= 0 and ends_at is None and len(rest) > begins_at:
            ends_at = len(rest)
    numbered = _numbered(rest[begins_at:ends_at], stands_at - begins_at) if stands_at >= 0 else frozenset()
    return numbers, Counter(rest), numbered


def _numbered(texts: list[str], place: int) -> frozenset[str]:
    """Return the words of a part that its number stands with: those before it at the end, the next one elsewhere, and where that is a kind of street the one after it."""
    if place >= len(texts):
        return frozenset(texts)
    following = 2 if texts[place] in _vocabulary().full.values() else 1
    return frozenset(texts[max(0, place - 1) : place + following])


def _is_district(texts: tuple[str, ...]) -> bool:
    """Tell whether a part is a town with the number of a district, as Dublin 2, and no street."""
    if len(texts) != _TOWN_AND_NUMBER or not re.fullmatch(r"\d{1,2}", texts[1]):
        return False
    return texts[0].isalpha() and texts[0] not in _vocabulary().roles


def _is_mark(text: str, role: str) -> bool:
    """Tell whether a word is a number or, of a flat, room or block, a letter."""
    if _NUMBER.fullmatch(text):
        return True
    return role != "box" and len(text) == 1 and text.isalpha()


# Towns and streets come again.
@lru_cache(_REMEMBERED)
def _texts(part: str) -> tuple[str, ...]:
    """Return the words of a part, with the letter of a house joined to its number and the kind of a street parted from its name."""
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
    return tuple(found)
