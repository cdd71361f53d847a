"""Whose answer it is, by its content: answers without an id, held against the customer's record and the list of accounts.

Only two facts that disagree are proof. One alone has harmless causes (a maiden name, a transliteration, a slip in a date, a
new account), so the answer is kept, and triage compares the names and reports the difference. The number of an account
identifies it, as an id does, and is proof by itself; so is a currency that the account does not have.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from difflib import SequenceMatcher
from functools import cached_property
from typing import Any

from kycpack.errors import InputError
from kycpack.evidence import Entry
from kycpack.frames.adapters.catalogue import OWN_SHAPE
from kycpack.frames.members import amount, date, items, label, text
from kycpack.frames.reading import Reading, foreign_id
from kycpack.models.json import parse_json_leniently

_ALIKE = 0.7
"""Two words that agree this far (0..1) may be spellings of one: Smith and Smyth 0.8, Anna and Hanna 0.89, Smith and Jones 0.2."""
_NOT_KNOWN = frozenset({dt.date(1, 1, 1), dt.date(1900, 1, 1), dt.date(1970, 1, 1)})
"""Dates that systems write where a birth date is missing."""
_WORD = re.compile(r"[^\W\d_]+")
_LATIN = re.compile(r"[a-z]")
_MASK = re.compile(r"X{2,}|[^A-Z0-9]+")
_FEWEST_DIGITS = 2
_NUMBERS: Mapping[str, tuple[str, ...]] = {
    "number": ("accountNumber", "account.accountNumber"),
    "iban": ("iban", "account.iban"),
    "sort_code": ("sortCode", "account.sortCode"),
}
_CURRENCY = ("currency", "account.currency")
_SHOWS_NUMBER = re.compile(rb'"(?:accountNumber|sortCode|iban)"')
_IN_CURRENCY = re.compile(rb'"currency"\s*:\s*"([A-Za-z]{3})"')


@dataclass(frozen=True, slots=True)
class Account:
    """What identifies an account: its numbers, masked as they come, and its currency; empty where not given."""

    number: str = ""
    iban: str = ""
    sort_code: str = ""
    currency: str = ""

    def has_other_numbers(self, other: Account) -> bool:
        """Whether a number that both show differs."""
        return any(_differ(getattr(self, name), getattr(other, name)) for name in _NUMBERS)

    def has_other_currency(self, other: Account) -> bool:
        """Whether both name a currency, and not the same."""
        return bool(self.currency and other.currency) and self.currency != other.currency


@dataclass(frozen=True)
class Identity:
    """What is known of a customer by which an answer can be recognised.

    Args:
        reading: The evidence that is being read.
    """

    reading: Reading = field(repr=False)

    def other_results(self, entry: Entry) -> str:
        """Return why a results document is about another person; empty where nothing proves it."""
        holder = _member(_document(self.reading, entry), "document.holder")
        born, other = _born(_member(self._record, "dateOfBirth")), _born(_member(holder, "dateOfBirth"))
        if _share_no_name(self._name, _name(holder)) and _are_two_dates(born, other):
            return "the date of birth and every part of the name differ from the customer's record"
        return ""

    def other_statement(self, entry: Entry) -> str:
        """Return why a statement is about another person or payment; empty where nothing proves it."""
        statement = _document(self.reading, entry)
        payment_id = entry.subject.get("payment_id", "")
        said, paid = _amount(statement, "paymentAmount"), self._payments.get(payment_id)
        if said is not None and paid is not None and said != paid:
            return "it names another amount than the payment has"
        accounts = [_account(item) for item in _list(_member(statement, "accounts"))]
        known = self._accounts.values()
        no_account = (
            bool(accounts)
            and bool(known)
            and not any(
                not one.has_other_numbers(other) and not one.has_other_currency(other)
                for one in accounts
                for other in known
            )
        )
        if no_account and _share_no_name(self._name, _name(_member(statement, "customer"))):
            return "every part of the name and every account differ from the customer's"
        return ""

    def other_balance(self, entry: Entry) -> str:
        """Return why a balance is that of another account; empty where nothing proves it."""
        account = self._accounts.get(entry.subject.get("account_id", ""))
        document = _document(self.reading, entry)
        if account is None:
            return ""
        said = _account(document)
        if account.has_other_numbers(said):
            return "it shows the number of another account"
        return (
            "it is in a currency that the account does not have" if account.has_other_currency(said) else ""
        )

    def other_transactions(self, entry: Entry) -> str:
        """Return why a page of transactions is that of another account; empty where nothing proves it."""
        account = self._accounts.get(entry.subject.get("account_id", ""))
        body = self.reading.body(entry) or b""
        if account is None:
            return ""
        # A page may be large, so it is parsed only where it may show a number of its own account.
        if _SHOWS_NUMBER.search(body) and account.has_other_numbers(_account(_document(self.reading, entry))):
            return "it shows the number of another account"
        if entry.adapter != OWN_SHAPE or not account.currency:
            return ""
        currencies = {found[1].decode("ascii").upper() for found in _IN_CURRENCY.finditer(body)}
        if currencies and account.currency not in currencies:
            return "none of it is in the currency of the account"
        return ""

    @cached_property
    def _record(self) -> Any:
        answered = [one for one in self.reading.select("customers.get") if one.outcome == "answered"]
        document = _document(self.reading, answered[-1]) if answered else None
        return None if document is None or foreign_id(answered[-1], document) else document

    @cached_property
    def _name(self) -> str:
        return _name(self._record)

    @cached_property
    def _accounts(self) -> dict[str, Account]:
        found: dict[str, Account] = {}
        for entry in self.reading.select("bank_accounts.list"):
            for item in _list(_document(self.reading, entry)):
                account_id = _read(item, "id", label)
                if account_id is not None:
                    found[account_id] = _account(item)
        return found

    @cached_property
    def _payments(self) -> dict[str, Decimal]:
        found: dict[str, Decimal] = {}
        for entry in self.reading.select("payments.get"):
            value = _amount(_document(self.reading, entry), "amount")
            if value is not None:
                found[entry.subject.get("payment_id", "")] = value
        return found


def _document(reading: Reading, entry: Entry) -> Any:
    """Return the body of an answer about what was asked; what cannot be read proves nothing here, and is a gap elsewhere."""
    body = reading.body(entry)
    if body is None:
        return None
    try:
        return parse_json_leniently(body)
    except InputError:
        return None


def _member(document: Any, path: str) -> Any:
    for name in path.split("."):
        document = document.get(name) if isinstance(document, dict) else None
    return document


def _read(document: Any, path: str, read: Any) -> Any:
    value = _member(document, path)
    try:
        return None if value is None else read(value)
    except (ValueError, InputError):
        return None


def _list(document: Any) -> list[Any]:
    try:
        return items(document)
    except InputError:
        return []


def _amount(document: Any, path: str) -> Decimal | None:
    found: Decimal | None = _read(document, path, amount)
    return found


def _name(document: Any) -> str:
    return " ".join(filter(None, (_read(document, name, text) for name in ("firstName", "lastName"))))


def _account(document: Any) -> Account:
    def first(paths: tuple[str, ...]) -> str:
        return next((found for path in paths if (found := _read(document, path, label))), "")

    numbers = {name: first(paths) for name, paths in _NUMBERS.items()}
    return Account(**numbers, currency=first(_CURRENCY).upper())


def _differ(one: str, other: str) -> bool:
    """Whether two numbers, masked or not, differ in the characters that both show at their end."""
    ends = [_MASK.split(re.sub(r"[\s-]", "", number).upper())[-1] for number in (one, other)]
    length = min(len(end) for end in ends)
    return length >= _FEWEST_DIGITS and ends[0][-length:] != ends[1][-length:]


def _born(value: Any) -> dt.date | None:
    try:
        return date(value).date()
    except (ValueError, InputError):
        return None


def _are_two_dates(one: dt.date | None, other: dt.date | None) -> bool:
    """Whether two birth dates cannot be one that was written down wrongly or in part."""
    if one is None or other is None or {one, other} & _NOT_KNOWN:
        return False
    if one.year == other.year and ((one.month, one.day) == (1, 1) or (other.month, other.day) == (1, 1)):
        return False  # the first of January is written where only the year is known
    if (one.year, one.month, one.day) == (other.year, other.day, other.month):
        return False
    return sum((one.year != other.year, one.month != other.month, one.day != other.day)) > 1


def _share_no_name(one: str, other: str) -> bool:
    """Whether no word of one name can be a word of the other; names in two scripts are not compared here."""
    left, right = [*_words(one)], [*_words(other)]
    if not left or not right or _is_latin(left) != _is_latin(right):
        return False
    return not any(_are_alike(a, b) for a in left for b in right)


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
