"""Machine-readable zones and their check digits: of passports (TD3), of cards (TD1, TD2) and of visas (MRV-A, MRV-B).

Source: ICAO Doc 9303, part 3 (4.9), parts 4, 5, 6 and 7.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_NAMES = re.compile(r"[PVIAC][A-Z<][A-Z<]{3}[A-Z][A-Z<]*")
_NAMES_OF_CARD = re.compile(r"[A-Z][A-Z<]{29}")
_SECOND = re.compile(r"[A-Z0-9<]{9}[0-9<][A-Z<]{3}[0-9<]{6}[0-9][MFX<][0-9]{6}[0-9][A-Z0-9<]{8,16}")
_FIRST_OF_CARD = re.compile(r"[IAC][A-Z<][A-Z<]{3}[A-Z0-9<]{9}[0-9<][A-Z0-9<]{15}")
_SECOND_OF_CARD = re.compile(r"[0-9<]{6}[0-9][MFX<][0-9]{6}[0-9][A-Z<]{3}[A-Z0-9<]{11}[0-9]")
# The details in the lines of passports and visas (two lines), and of cards (three).
_DETAILS = tuple(
    re.compile(line)
    for line in (
        r"[PVIAC][A-Z<](?P<issuing_country>[A-Z<]{3})(?P<full_name>[A-Z<]*[A-Z]<<[A-Z][A-Z<]*)",
        r"(?P<document_number>[A-Z0-9<]{9})[0-9<](?P<nationality>[A-Z<]{3})(?P<born_on>[0-9]{6})[0-9](?P<sex>[MFX<])(?P<expires_on>[0-9]{6})[0-9][A-Z0-9<]*",
        r"[IAC][A-Z<](?P<issuing_country>[A-Z<]{3})(?P<document_number>[A-Z0-9<]{9})[0-9<][A-Z0-9<]*",
        r"(?P<born_on>[0-9]{6})[0-9](?P<sex>[MFX<])(?P<expires_on>[0-9]{6})[0-9](?P<nationality>[A-Z<]{3})[A-Z0-9<]*",
        r"(?P<full_name>[A-Z][A-Z<]*[A-Z]<<[A-Z][A-Z<]*)",
    )
)
_OF_PASSPORT, _OF_TWO_LINES, _OF_CARD = 44, 36, 30


def lines_of(text: str) -> tuple[str, ...]:
    """Return the lines of a machine-readable zone in a text; empty if any part of the text is something else."""
    lines = tuple(line.strip() for line in text.strip().splitlines())
    return lines if all(map(_is_line, lines)) else ()


def details_of(text: str) -> Iterator[tuple[str, str]]:
    """Yield the details in the lines of a zone, each with its value as printed there; other words of the text are left out.

    Args:
        text: The lines, with white space between them.
    """
    for line in text.split():
        found = next((found for form in _DETAILS if (found := form.fullmatch(line))), None)
        for detail, value in found.groupdict().items() if found else ():
            yield detail, value.replace("<", " ").strip()


def is_sound_zone(lines: Sequence[str]) -> bool:
    """Return whether every check digit of a zone is correct: number, date of birth, expiry, personal number and composite.

    Args:
        lines: From `lines_of`, for one zone; the composite digit of a three-line card is checked if both of its lines are there.
    """
    of_visa = any(line.startswith("V") for line in lines)
    of_card = [line for line in lines if len(line) == _OF_CARD]
    first, second = (
        next((line for line in of_card if form.fullmatch(line) and not _NAMES_OF_CARD.fullmatch(line)), "")
        for form in (_FIRST_OF_CARD, _SECOND_OF_CARD)
    )
    if first and second and _digit(f"{first[5:]}{second[:7]}{second[8:15]}{second[18:29]}") != second[29]:
        return False
    if first and not _is_number(first[5:14], first[14], first[15:]):
        return False
    if second and not (_is_right(second[:6], second[6]) and _is_right(second[8:14], second[14])):
        return False
    return all(_is_sound(line, of_visa=of_visa) for line in lines if _is_second(line))


def _is_line(line: str) -> bool:
    if len(line) == _OF_CARD:
        return any(form.fullmatch(line) for form in (_FIRST_OF_CARD, _SECOND_OF_CARD, _NAMES_OF_CARD))
    return len(line) in (_OF_PASSPORT, _OF_TWO_LINES) and bool(_NAMES.fullmatch(line) or _is_second(line))


def _is_second(line: str) -> bool:
    return len(line) != _OF_CARD and _SECOND.fullmatch(line) is not None


def _is_sound(line: str, *, of_visa: bool) -> bool:
    """Return whether the check digits of the second of two lines are correct; a visa has none for the personal number and no composite one."""
    rest = line[28:-1] if len(line) == _OF_TWO_LINES else ""
    parts = (
        _is_number(line[:9], line[9], rest)
        and _is_right(line[13:19], line[19])
        and _is_right(line[21:27], line[27])
    )
    if of_visa or not parts:
        return parts
    empty = not line[28:42].strip("<")
    personal = len(line) != _OF_PASSPORT or (empty and line[42] == "<") or _is_right(line[28:42], line[42])
    return personal and _digit(f"{line[:10]}{line[13:20]}{line[21:-1]}") == line[-1]


def _is_number(text: str, digit: str, rest: str) -> bool:
    """Return whether the check digit of a number is correct; for a long number, it follows the rest of the number in the optional data."""
    if digit != "<":
        return _is_right(text, digit)
    end = rest.partition("<")[0]
    return bool(end) and _is_right(text + end[:-1], end[-1])


def _is_right(text: str, digit: str) -> bool:
    return _digit(text) == digit


def _digit(text: str) -> str:
    total = sum(_value(each) * (7, 3, 1)[place % 3] for place, each in enumerate(text))
    return str(total % 10)


def _value(each: str) -> int:
    return 0 if each == "<" else int(each, 36)
