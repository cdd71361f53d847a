"""Compares the facts in a document that identify somebody: names, dates of birth, addresses, account numbers.

Each comparison is about proof: two values count as different only if they cannot be two ways of writing the same thing.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from kycpack.errors import InputError
from kycpack.frames.answer_fields import Value, currency, date, items, label, text

_ALIKE = 0.7
"""Two words with at least this similarity (0 to 1) may be spellings of one: Smith and Smyth 0.8, Anna and Hanna 0.89, Smith
and Jones 0.2."""
_NOT_KNOWN = frozenset({dt.date(1, 1, 1), dt.date(1900, 1, 1), dt.date(1970, 1, 1)})
"""Dates that systems enter when the date of birth is missing."""
_WORD = re.compile(r"[^\W\d_]+")
_LATIN = re.compile(r"[a-z]")
_MASK = re.compile(r"X{2,}|[^A-Z0-9]+")
_NOT_IN_CODE = re.compile(r"[^A-Z0-9]+")
_FEWEST_DIGITS = 2
_FEWEST_LETTERS = 3
_NUMBERS: Mapping[str, tuple[str, ...]] = {
    "number": ("accountNumber", "account.accountNumber"),
    "iban": ("iban", "account.iban"),
    "sort_code": ("sortCode", "account.sortCode"),
}
_CURRENCY = ("currency", "account.currency")
_HOLDER = ("accountHolderName", "account.accountHolderName")


@dataclass(frozen=True, slots=True)
class AccountFacts:
    """What identifies an account: its numbers (masked as received), currency and holder; empty if not given or not readable."""

    number: str = ""
    iban: str = ""
    sort_code: str = ""
    currency: str = ""
    holder: str = ""

    def has_other_numbers(self, other: AccountFacts) -> bool:
        """Whether a number differs that both accounts have."""
        return any(_differ(getattr(self, name), getattr(other, name)) for name in _NUMBERS)

    def is_other(self, other: AccountFacts) -> bool:
        """Whether numbers or currencies show that these are two accounts."""
        return self.has_other_numbers(other) or self.has_other_currency(other)

    def has_other_currency(self, other: AccountFacts) -> bool:
        """Whether both accounts have a currency, and the currencies differ."""
        return bool(self.currency and other.currency) and self.currency != other.currency


def member(document: Any, path: str) -> Any:
    """Return the value at a dotted path of a document, None if there is none."""
    for name in path.split("."):
        document = document.get(name) if isinstance(document, dict) else None
    return document


def read_member(document: Any, path: str, read: Callable[[Any], Value]) -> Value | None:
    """Return the value at a dotted path as read by `read`, None if it is absent or does not fit."""
    value = member(document, path)
    try:
        return None if value is None else read(value)
    except (ValueError, InputError):
        return None


def listed(document: Any) -> list[Any]:
    """Return the items of a list answer; empty if the answer is not a list."""
    try:
        return items(document)
    except InputError:
        return []


def name_of(document: Any) -> str:
    """Return the first and last name as one text."""
    return " ".join(filter(None, (read_member(document, name, text) for name in ("firstName", "lastName"))))


def account_of(document: Any) -> AccountFacts:
    """Return what identifies the account in a document, or in its member `account`."""

    def first(paths: tuple[str, ...], read: Any = label) -> str:
        return next((found for path in paths if (found := read_member(document, path, read))), "")

    numbers = {name: first(paths) for name, paths in _NUMBERS.items()}
    return AccountFacts(**numbers, currency=first(_CURRENCY, currency), holder=first(_HOLDER, text))


def _differ(one: str, other: str) -> bool:
    """Whether two numbers, masked or not, differ in the characters at the end that are visible in both."""
    ends = [_MASK.split(re.sub(r"[\s-]", "", number).upper())[-1] for number in (one, other)]
    length = min(len(end) for end in ends)
    return length >= _FEWEST_DIGITS and ends[0][-length:] != ends[1][-length:]


def born_on(value: Any) -> dt.date | None:
    """Return a date of birth, None if the value is not one."""
    try:
        return date(value).date()
    except (ValueError, InputError):
        return None


def are_two_dates(one: dt.date | None, other: dt.date | None) -> bool:
    """Whether two dates of birth differ by more than a typing error or a missing part can explain."""
    if one is None or other is None or {one, other} & _NOT_KNOWN:
        return False
    if one.year == other.year and ((one.month, one.day) == (1, 1) or (other.month, other.day) == (1, 1)):
        return False  # the first of January is entered if only the year is known
    if (one.year, one.month, one.day) == (other.year, other.day, other.month):
        return False
    return sum((one.year != other.year, one.month != other.month, one.day != other.day)) > 1


def are_two_addresses(one: Any, other: Any) -> bool:
    """Whether two address objects differ in postal code and in town; a different street line alone proves nothing."""
    codes = [
        _NOT_IN_CODE.sub("", (read_member(address, "postalCode", text) or "").upper())
        for address in (one, other)
    ]
    towns = [read_member(address, "city", text) or "" for address in (one, other)]
    return all(codes) and codes[0] != codes[1] and share_no_name(*towns)


def share_no_name(one: str, other: str) -> bool:
    """Whether no word of one name can be a word of the other; names in different scripts are not compared."""
    left, right = [*_words(one)], [*_words(other)]
    if not left or not right or _is_latin(left) != _is_latin(right):
        return False
    return not any(_are_alike(a, b) for a in left for b in right)


def is_named_in(name: str, written: str) -> bool:
    """Whether a text may contain a name; also True if the name is in another script or has no word to search for.

    Args:
        name: First and last name.
        written: The text to search.
    """
    wanted = [word for word in _words(name) if len(word) >= _FEWEST_LETTERS]
    if not wanted or not _is_latin(wanted):
        return True
    found = {word for word in _words(written) if len(word) >= _FEWEST_LETTERS}
    return any(_are_alike(word, other) for word in wanted for other in found)


def _words(name: str) -> Iterator[str]:
    plain = "".join(
        letter for letter in unicodedata.normalize("NFKD", name) if not unicodedata.combining(letter)
    )
    return (found[0].casefold() for found in _WORD.finditer(plain))


def _is_latin(some: list[str]) -> bool:
    return any(_LATIN.search(word) for word in some)


def _are_alike(one: str, other: str) -> bool:
    if min(len(one), len(other)) == 1:
        return one[0] == other[0]
    return SequenceMatcher(None, one, other).ratio() >= _ALIKE
