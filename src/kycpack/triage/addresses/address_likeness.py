"""Compares addresses: numbers keep their role, words may be shortened, and parts may be in any order."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import NamedTuple

from kycpack.triage.addresses.address_parts import (
    HOUSE,
    AddressParts,
    denies,
    house_before_flat,
    names_house,
    read_address,
    units_are_flats,
)
from kycpack.triage.addresses.house_numbers import difference_of_streets, is_in_range
from kycpack.triage.addresses.places import mail_drop
from kycpack.triage.likeness import (
    DENIED,
    DIFFERENT,
    EQUAL,
    FORMAT,
    MAIL_DROP,
    MISSING_PART,
    NUMBER_MISSING,
    NUMBER_ROLE,
    ORDER,
    PLACE_ONLY,
    SIMILAR,
    SLIP,
    STREET_WORD,
    TRANSLITERATION,
    WORDS,
    Likeness,
    different,
    similar,
)
from kycpack.triage.names.transliteration import edits, folded, respelled

_ROLES = {
    "box": "PO box",
    HOUSE: "house number",
    "flat": "flat",
    "unit": "unit",
    "suite": "suite",
    "floor": "floor",
    "room": "room",
    "block": "block",
}
_HOUSES = "houses"
_OF_PAIR = (HOUSE, "flat")
_SLIP_LETTERS = 5
# More digits may be a postal code, except in countries with long streets.
_HOUSE_NUMBER_FIRST = re.compile(r"([0-9]{1,5}) [A-Za-z]")
_SHORT_NUMBER = 3
_LONG_STREETS = frozenset({"US", "CA", "AU", "NZ"})
_POSTAL_CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ]*")
_SAME = "the same apart from case, accents, order and abbreviations"
_Towns = tuple[str | None, str | None]
_ZIP, _ZIP_AND_FOUR = 5, 9
_UMLAUTS = (("oe", "o"), ("ae", "a"), ("ue", "u"))


class PostalAddress(NamedTuple):
    """An address as one source gives it; any part may be missing."""

    line: str | None
    city: str | None
    postal_code: str | None
    country: str | None
    second_line: str | None = None

    @property
    def is_given(self) -> bool:
        """Whether there is anything to compare."""
        return bool(self.line or self.postal_code or self.city)


def compare_addresses(left: PostalAddress, right: PostalAddress) -> Likeness:
    """Compare two addresses.

    A second line that the other source does not repeat is not a difference, since a proof of address has only
    one line; but a flat number in it is a difference, and so is a second line that the other source contradicts.

    Returns:
        How similar they are; the reason does not repeat the addresses.

    Source: interface.md, "Onboard verification results".
    """
    if left == right and _is_of_a_house(left):
        return Likeness(EQUAL, 1.0, _SAME)
    whole = _compare(left, right)
    same_lines = whole.verdict == EQUAL or bool(left.second_line) == bool(right.second_line)
    if same_lines or {DENIED, MAIL_DROP} & {*whole.kinds}:
        return whole
    street = left.second_line or right.second_line or ""
    first_lines = _compare(left._replace(second_line=None), right._replace(second_line=None), street)
    if first_lines.verdict == EQUAL:
        unsaid = [*_unsaid(left, right), *_unsaid(right, left)]
        if unsaid:
            return similar(0.95, {NUMBER_MISSING})._replace(reason=f"only one has a {' and a '.join(unsaid)}")
        return first_lines._replace(reason=f"{first_lines.reason}; only one has a second line")
    if whole.verdict == SIMILAR or _contradicts(left, right) or _contradicts(right, left):
        return whole
    return first_lines


def _is_of_a_house(address: PostalAddress) -> bool:
    """Return whether there is a house number and a postal code, so that an equal text is the same address without being parsed."""
    numbered, code = _HOUSE_NUMBER_FIRST.match(address.line or ""), address.postal_code or ""
    return (
        numbered is not None
        and _POSTAL_CODE.fullmatch(code) is not None
        and (
            len(numbered[1]) <= _SHORT_NUMBER
            or (address.country in _LONG_STREETS and numbered[1] != code.strip())
        )
    )


def _contradicts(one: PostalAddress, other: PostalAddress) -> bool:
    """Return whether the second line of one has a number that differs from one with the same role in the other."""
    numbers = read_address(one.second_line or "", None, None).numbers
    peers = _parts(other).numbers
    return any(peers.get(role, number) != number for role, number in numbers.items() if role != HOUSE)


def _unsaid(one: PostalAddress, other: PostalAddress) -> list[str]:
    """Return the numbers in the second line of one that the other lacks, such as `flat`; the house number is in the first line."""
    numbers = read_address(one.second_line or "", None, None).numbers
    return [_ROLES[role] for role in numbers if role != HOUSE and role not in _parts(other).numbers]


def _compare(left: PostalAddress, right: PostalAddress, street: str = "") -> Likeness:
    """Compare two addresses; a street in a second line that only one of them had shows that the first line names a house."""
    one, other = _in_step(_parts(left), _parts(right))
    if one.country and other.country and one.country != other.country:
        return different("another country")
    kinds: set[str] = set()
    said: dict[str, str] = {}
    missing: list[str] = []
    if one.code and other.code and one.code != other.code:
        if sorted(one.code) != sorted(other.code) or edits(one.code, other.code) != 1:
            return different("another postal code", _share(one.words, other.words) / 2)
        kinds.add(SLIP)
    elif one.code != other.code:
        missing.append("postal code")
    turned = one.pair != other.pair and _same_pair(one, other)
    moved = difference_of_streets((one.street, one.words), (other.street, other.words), _is_one_word)
    if moved == ORDER and _numbers_of(one) != _numbers_of(other):
        return different("the same numbers in another order", _share(one.words, other.words) / 2)
    kinds |= {NUMBER_ROLE} if turned else set()
    kinds |= {moved} if moved else set()
    unlike = _unlike_numbers(one, other, frozenset(_OF_PAIR if turned else ()))
    if DIFFERENT in unlike.values():
        name = next(name for name, how in unlike.items() if how == DIFFERENT)
        return different(f"another {name}", _share(one.words, other.words) / 2)
    if of_role := _other_role(one, other, unlike):
        said[NUMBER_ROLE] = of_role
        kinds.add(NUMBER_ROLE)
    else:
        missing += unlike
    drops = _drop(left), _drop(right)
    if drops[0] != drops[1]:
        said[MAIL_DROP] = f"only one is {' or '.join(sorted(filter(None, drops)))}"
        kinds.add(MAIL_DROP)
    of_house = (
        bool(one.code)
        and one.code == other.code
        and one.words == other.words
        and _name_house(left, right, street=street)
    )
    found = _compare_words(one, other, kinds, missing, (left.city, right.city), of_house=of_house)
    if found.verdict == EQUAL:
        return Likeness(EQUAL, 1.0, found.reason, () if left == right else (FORMAT,))
    return found if found.verdict == DIFFERENT else found._replace(reason=_reason(found, said, missing))


def _numbers_of(parts: AddressParts) -> list[str]:
    """Return the numbers in the name of the street, as in `Soi 12 Sukhumvit 3 Road`, in their order."""
    return [word for word in parts.street.words if any(map(str.isdigit, word))]


def _reason(found: Likeness, said: dict[str, str], missing: list[str]) -> str:
    """Return the reason of a similarity, with the name of what is missing, or of what differs, instead of a general word."""
    if missing:
        said |= dict.fromkeys((MISSING_PART, NUMBER_MISSING), f"only one has a {' and a '.join(missing)}")
    return "; ".join(dict.fromkeys(said.get(kind, WORDS[kind]) for kind in found.kinds))


def _in_step(one: AddressParts, other: AddressParts) -> tuple[AddressParts, AddressParts]:
    """Return both with a unit as a flat where it is one, and without the last four digits of a ZIP code that only one of them has."""
    pair = [one, other]
    if any(parts.of_states or parts.country in units_are_flats() for parts in pair):
        pair = [_with_flat(parts) if "unit" in parts.numbers else parts for parts in pair]
    shorter, longer = sorted((one.code, other.code), key=len)
    if (
        (len(shorter), len(longer)) == (_ZIP, _ZIP_AND_FOUR)
        and longer.isdigit()
        and longer.startswith(shorter)
    ):
        pair = [replace(parts, code=shorter) for parts in pair]
    return pair[0], pair[1]


def _with_flat(parts: AddressParts) -> AddressParts:
    numbers = {"flat" if role == "unit" else role: number for role, number in parts.numbers.items()}
    return replace(
        parts, numbers=numbers | ({"flat": parts.numbers["flat"]} if "flat" in parts.numbers else {})
    )


def _other_role(one: AddressParts, other: AddressParts, unlike: dict[str, str]) -> str:
    """Return the reason if each has a number with a role that the other lacks, such as a flat and a room, or a range of house numbers; empty if not."""
    if _HOUSES in unlike.values():
        return "only one has a range of house numbers"
    ours, theirs = sorted(
        [name for role, name in _ROLES.items() if role in some.numbers and role not in peer.numbers]
        for some, peer in ((one, other), (other, one))
    )
    if not ours or not theirs:
        return ""
    return f"one has a {' and a '.join(ours)} where the other has a {' and a '.join(theirs)}"


def _drop(address: PostalAddress) -> str:
    lines = ", ".join(part for part in (address.line, address.second_line) if part)
    return mail_drop(lines, address.postal_code or "")


def _unlike_numbers(one: AddressParts, other: AddressParts, but: frozenset[str]) -> dict[str, str]:
    """Return the numbers that differ, by name: `different`, `missing_part` if only one has it, or `houses` if one is a range."""
    found = {}
    for role, name in _ROLES.items():
        number, peer = one.numbers.get(role, ""), other.numbers.get(role, "")
        if role in but or number == peer:
            continue
        if role == HOUSE and (is_in_range(number, peer) or is_in_range(peer, number)):
            found[name] = _HOUSES
        else:
            found[name] = DIFFERENT if number and peer else MISSING_PART
    return found


def _same_pair(one: AddressParts, other: AddressParts) -> bool:
    """Return whether both name the same house and flat, possibly swapped: in 4/2 either number may be the house.

    In some countries the house always comes first; there the order must agree.
    """
    ours, theirs = ([parts.numbers.get(role, "") for role in _OF_PAIR] for parts in (one, other))
    is_ordered = not house_before_flat().isdisjoint({one.country, other.country})
    return all(ours) and sorted(ours) == sorted(theirs) and not (ours == theirs and is_ordered)


def _parts(address: PostalAddress) -> AddressParts:
    line = ", ".join([part for part in (address.line, address.second_line, address.city) if part])
    return read_address(line, address.postal_code, address.country)


def _compare_words(
    one: AddressParts,
    other: AddressParts,
    kinds: set[str],
    missing: list[str],
    towns: _Towns,
    *,
    of_house: bool,
) -> Likeness:
    rest, other_rest = one.words - other.words, other.words - one.words
    if rest and other_rest:
        _pair(rest, other_rest, kinds)
    score = round(_share(one.words, other.words), 2)
    further = {*rest, *other_rest}
    if rest and other_rest:
        return different(f"another {_which(further, one, other, towns)}", min(score, 0.7))
    if not (one.words and other.words) and not (one.code and one.code == other.code):
        return different("nothing in common that could be compared")
    streets = Counter(one.street.words), Counter(other.street.words)
    of_street = further & {*(streets[0] - streets[1]), *(streets[1] - streets[0])} - _words_of(towns)
    if denies(further):
        kinds.add(DENIED)
    elif of_street and NUMBER_ROLE not in kinds and one.street.words and other.street.words:
        kinds.add(STREET_WORD)
    elif further and MAIL_DROP not in kinds:
        missing.append(_which(further, one, other, towns))
    numbers = set(missing) & set(_ROLES.values())
    kinds |= {NUMBER_MISSING} if numbers else set()
    kinds |= {MISSING_PART} if set(missing) - numbers else set()
    if {"box"} & (one.numbers.keys() ^ other.numbers.keys()) and HOUSE in {**one.numbers, **other.numbers}:
        return different("a PO box is not the address of a house", score)
    if not of_house and (not one.numbers or not other.numbers):
        kinds.add(PLACE_ONLY)
    if not kinds - {TRANSLITERATION, FORMAT}:
        return Likeness(EQUAL, 1.0, _SAME)
    return similar(min(score, 0.95), kinds)


def _name_house(*addresses: PostalAddress, street: str) -> bool:
    """Return whether each address names a house in its first line, besides the town."""
    return all(
        one.line
        and one.city
        and not {*read_address(one.line, None, None).words} <= {*read_address(one.city, None, None).words}
        and names_house(f"{one.line}, {street}", read_address("", None, one.country).country)
        for one in addresses
    )


def _which(words: set[str], one: AddressParts, other: AddressParts, towns: _Towns) -> str:
    """Return which part of an address some words belong to; towns are known if both are separate fields."""
    of_towns = _words_of(towns) if all(towns) else set()
    houses, streets = one.house_names | other.house_names, {*one.street.words, *other.street.words}
    both_number = bool(one.street.words and other.street.words)
    unknown = "street or town" if not of_towns else "house name or district" if both_number else "street"
    parts = ("house name", houses), ("street", streets), (unknown, words), ("town", of_towns)
    found = [next(name for name, some in (parts[-1], *parts[:-1]) if word in some) for word in sorted(words)]
    return " and ".join(name for name in dict.fromkeys(name for name, _ in parts) if name in found)


def _words_of(towns: _Towns) -> set[str]:
    return {word for town in towns if town for word in read_address(town, None, None).words}


def _pair(rest: Counter[str], other_rest: Counter[str], kinds: set[str]) -> None:
    """Remove words that are the same word in another spelling, or with a typing error."""
    for word in list(rest):
        for peer in list(other_rest):
            if not rest[word] or not other_rest[peer]:
                continue
            if _is_respelled(word, peer):
                kinds.add(TRANSLITERATION)
            elif _is_slip(word, peer):
                kinds.add(SLIP)
            else:
                continue
            rest[word] -= 1
            other_rest[peer] -= 1
    for counter in (rest, other_rest):
        for word in [word for word, count in counter.items() if count <= 0]:
            del counter[word]


def _is_respelled(word: str, peer: str) -> bool:
    return folded(word) == folded(peer) or respelled(word, _UMLAUTS) == respelled(peer, _UMLAUTS)


def _is_one_word(word: str, peer: str) -> bool:
    return _is_respelled(word, peer) or _is_slip(word, peer)


def _is_slip(left: str, right: str) -> bool:
    if edits(left, right) != 1 or not (left.isalpha() and right.isalpha()):
        return False
    if len(left) == len(right) and sorted(left) == sorted(right):
        return True
    if re.sub(r"(.)\1", r"\1", left) == re.sub(r"(.)\1", r"\1", right):
        return min(len(left), len(right)) > _SLIP_LETTERS - 2
    return min(len(left), len(right)) >= _SLIP_LETTERS and left[0] == right[0]


def _share(one: Counter[str], other: Counter[str]) -> float:
    total = one.total() + other.total()
    shared = sum(min(count, other[word]) for word, count in one.items())
    return 2 * shared / total if total else 0.0
