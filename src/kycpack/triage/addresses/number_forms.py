"""Numbers of addresses in forms of their own: ranges of houses, and floors with doors."""

from __future__ import annotations

import re

_RANGE = re.compile(r"(?<![\w/.-])(\d{1,4}[a-z]?) ?[-\u2013] ?(\d{1,4}[a-z]?)(?![\w/-])", re.IGNORECASE)
# As in Spain: 2º A is the second floor, door A.
_FLOOR_AND_DOOR = re.compile(
    r"(?:,\s*|(?<=\d)\s+)(\d{1,2})\s?[\u00ba\u00b0]\s?(?:([A-Za-z]|\d{1,2})|(izq|izda|izqda|izquierda|esq|esquerdo)|(dcha|dch|dta|dto|derecha|direito))?\.?(?=\s*(?:,|$))",
    re.IGNORECASE,
)


def with_ranges(line: str) -> str:
    """Return a line in which each range of numbers, as in `12-14`, reads as one number, `12t14`."""
    return _RANGE.sub(_range, line)


def is_in_range(number: str, numbers: str) -> bool:
    """Return whether a number of a house lies in a range of numbers as it is read, such as `12t14`."""
    first, is_range, last = numbers.partition("t")
    digits = [re.sub(r"\D", "", one) for one in (first, number, last)]
    return bool(is_range) and all(digits) and int(digits[0]) <= int(digits[1]) <= int(digits[2])


def with_floor_and_door(line: str) -> str:
    """Return a line in which `2º A` says floor and flat."""
    return _FLOOR_AND_DOOR.sub(_floor_and_door, line)


def _range(found: re.Match[str]) -> str:
    first, last = (int(re.sub(r"\D", "", number)) for number in found.groups())
    return f"{found[1]}t{found[2]}" if first < last else found[0]


def _floor_and_door(found: re.Match[str]) -> str:
    floor, door, left, right = found.groups()
    door = door or ("i" if left else "d" if right else "")
    return f", floor {floor}{f' flat {door}' if door else ''}"
