"""Credits that a debit takes back: a recalled salary, a cheque that bounces, an overpayment that is returned."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from kycpack.wealth.match.refunds import may_be_one, names_as_written, party_names
from kycpack.wealth.prepare.coded import Codes, Mask, distinct_of, joint_code, pick
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.known_payers import PUBLIC_KINDS
from kycpack.wealth.prepare.lexicon import Lexicon, matches
from kycpack.wealth.prepare.parties import STATE
from kycpack.wealth.prepare.payers import party_keys
from kycpack.wealth.prepare.plain_text import to_plain_text
from kycpack.wealth.prepare.signals import Signals, is_party

_TAKEN_BACK_DAYS = 60  # a direct debit may be recalled for eight weeks
_RECLAIMED_DAYS = 183  # offices look back on what they paid once or twice a year
_RETURNED_DAYS = 10  # a payment that cannot be made comes back within days
_PAID_TWICE_DAYS = 7
_PROTECTED_DAYS = 45  # a deposit is protected within 30 days of its receipt (Housing Act 2004, section 213)
_MOST_LOOKED_AT = 12


@dataclass(frozen=True, eq=False)
class Recalls:
    """Credits that debits took back, by codes or words or because they came twice; one element per credit, but for `takes`.

    Args:
        whole: Row of the last debit that took the credit back, if all of it is gone; otherwise -1.
        part: Row of the last debit that took some of it back, if some is left; otherwise -1.
        minor: How much of it these debits took back, minor units.
        kept: Whether the debit went to a scheme that keeps the deposits of tenants.
        spread: Whether a debit took it together with others and left some of one: which of them it took is not certain.
        takes: Which rows of the book are such debits.
    """

    whole: Codes
    part: Codes
    minor: Codes
    kept: Mask
    spread: Mask
    takes: Mask


def find_recalls(
    book: Book, rows: Codes, candidates: Codes, spent: Mask, said: Signals, secured: Mask, lexicon: Lexicon
) -> Recalls:
    """Return which credits were taken back, and by what.

    Args:
        book: Transactions.
        rows: Rows of the credits.
        candidates: Credits, as indexes into `rows`, that may be taken back.
        spent: Rows of the book that are debits and may take something back.
        said: What the codes and words of all rows of the book show.
        secured: Rows of the book whose text names a deposit that is given back later.
        lexicon: Words for a reversal, and words that do not name a party.
    """
    whole, part = np.full(len(rows), -1, dtype=np.int64), np.full(len(rows), -1, dtype=np.int64)
    gone = np.zeros(len(rows), dtype=np.int64)
    kept, spread = np.zeros(len(rows), dtype=np.bool_), np.zeros(len(rows), dtype=np.bool_)
    takes = np.zeros(len(spent), dtype=np.bool_)
    recalls = Recalls(whole, part, gone, kept, spread, takes)
    scheme = _to_a_scheme(book, spent, lexicon)
    debits = _said_to_take_back(book, rows[candidates], spent, said.refund | scheme)
    if not debits.size:
        return recalls
    customers = distinct_of(book.customer.codes[debits])
    mine = candidates[np.isin(book.customer.codes[rows[candidates]], customers)]
    texts = book.columns["description_raw"].read(to_plain_text)
    said_by_payers, said_by = ([text or "" for text in texts.texts(one)] for one in (rows[mine], debits))
    desks = _desks_of(book, said, lexicon)
    received = _Received(
        book,
        rows[mine],
        party_names(book, rows[mine], lexicon),
        said_by_payers,
        desks(rows[mine]),
        secured[rows[mine]],
    )
    paid_at = desks(debits)
    worded = said.refund[debits]
    of_deposit = secured[debits] & worded
    names = party_names(book, debits, lexicon)
    names[worded] = names_as_written(book, debits[worded], rows[mine], lexicon)
    for at in np.lexsort((book.place[debits], book.account[debits], book.day[debits])).tolist():
        row = int(debits[at])
        received.until(int(book.day[row]))
        name = str(names[at])
        taken = received.deposited(book, row, name) if of_deposit[at] else []
        # "J SMITH TENANCY DEPOSIT RETURNED" goes to the tenant and not to a scheme.
        if scheme[row] and not taken and not received.knows(book, row, name):
            taken = received.kept_by(book, row)
            kept[mine[[found for found, _ in taken]]] = True
        if not (taken or of_deposit[at]):
            taken = received.taken_by(book, row, name, said_by[at], paid_at[at], worded=bool(worded[at]))
        takes[row] = bool(taken)
        for found, minor in taken:
            one = mine[found]
            gone[one] += minor
            is_whole = gone[one] == book.amount[rows[one]]
            whole[one], part[one] = (row, -1) if is_whole else (-1, row)
        if len(taken) > 1 and part[mine[taken[-1][0]]] >= 0:
            spread[mine[[found for found, _ in taken]]] = True
    return recalls


class _Received:
    """Credits that a debit may take back, with the latest at the end of each list; credits of which nothing is left are dropped when they are reached.

    Args:
        book: Transactions.
        rows: Rows of the credits.
        names: Text that names the payer of each credit.
        texts: The whole text of each credit.
        desks: What shows the office that paid each credit, as in `_desks_of`.
        secured: Whether the text of each credit names a deposit that is given back later.
    """

    def __init__(
        self,
        book: Book,
        rows: Codes,
        names: npt.NDArray[np.object_],
        texts: list[str],
        desks: list[frozenset[str]],
        secured: Mask,
    ) -> None:
        self._text, self._desk, self._secured = texts, desks, secured
        self._owner, self._name = book.owners(rows).tolist(), names.tolist()
        self._amount, self._day = book.amount[rows].tolist(), book.day[rows].tolist()
        self._place = book.holdings(rows).tolist()
        self._again = _paid_twice(self._place, self._name, self._amount, self._day)
        self._order = np.lexsort((np.arange(len(rows)), book.day[rows])).tolist()
        self._next = 0
        self._left = list(self._amount)
        self._lists: dict[tuple[object, ...], list[int]] = defaultdict(list)

    def until(self, day: int) -> None:
        """Add the credits up to a day."""
        while self._next < len(self._order) and self._day[self._order[self._next]] <= day:
            one = self._order[self._next]
            owner, name, amount = self._owner[one], self._name[one], self._amount[one]
            self._lists["amount", self._place[one], amount].append(one)
            if self._desk[one]:
                self._lists["office", owner, amount].append(one)
            if name:
                self._lists["name", owner, name].append(one)
                self._lists["both", owner, name, amount].append(one)
                if self._secured[one]:
                    self._lists["deposit", owner, name].append(one)
                    self._lists["deposit", owner, ""].append(one)
                if self._again[one]:
                    self._lists["again", self._place[one], name, amount].append(one)
            self._next += 1

    def taken_by(
        self, book: Book, row: int, name: str, text: str, desk: frozenset[str], *, worded: bool
    ) -> list[tuple[int, int]]:
        """Return the credits that a debit takes back, and how much of each, minor units; nothing if none fit."""
        owner, place = int(book.owners(np.array([row]))[0]), int(book.holdings(np.array([row]))[0])
        amount, day = -int(book.amount[row]), int(book.day[row])
        # Without a word for it, money goes back from the account into which it came.
        key = ("both", owner, name, amount) if worded else ("again", place, name, amount)
        since = day - (_RECLAIMED_DAYS if worded else _TAKEN_BACK_DAYS)
        found = [one for one in self._latest(key, since, place) if self._left[one] == amount]
        if worded:
            # "J SMITH DEPOSIT RETURN" takes back "J SMITH DEPOSIT", and no rent of the same amount.
            words = {*text.split()}
            found.sort(key=lambda one: -len(words.intersection(self._text[one].split())))
        if worded and not found:
            # A bank's own text for a return may name nobody; then only one payer may have paid the amount.
            near = self._latest(("amount", place, amount), day - _RETURNED_DAYS, place)
            near = [one for one in near if self._left[one] == amount]
            said = {self._name[one] for one in near}
            found = near if len(said) == 1 and may_be_one(name, said.pop()) else []
        if worded and not found:
            # Offices have another desk, with a name of its own, for what they paid too much.
            near = self._latest(("office", owner, amount), since, place)
            near = [one for one in near if self._left[one] == amount and self._desk[one] & desk]
            found = near if len({self._name[one] for one in near}) == 1 else []
        if worded and not found:
            near = self._latest(("name", owner, name), day - _TAKEN_BACK_DAYS, place)
            enough = [one for one in near if self._left[one] >= amount]
            # One debit may take back what several payments were too much.
            found = (
                self._alike(near, amount)
                or sorted(enough, key=lambda one: self._left[one] < self._amount[one])
                or (near if sum(self._left[one] for one in near) >= amount else [])
            )
        taken = []
        for one in found:
            minor = min(amount, self._left[one])
            self._left[one] -= minor
            amount -= minor
            taken.append((one, minor))
            if not amount:
                break
        return taken

    def knows(self, book: Book, row: int, name: str) -> bool:
        """Return whether a name is that of somebody who has paid in."""
        return ("name", int(book.owners(np.array([row]))[0]), name) in self._lists

    def deposited(self, book: Book, row: int, name: str) -> list[tuple[int, int]]:
        """Return the deposit that a debit gives back, and how much of it, minor units, however long it was held; nothing if a debit without a name fits those of several."""
        owner, place = int(book.owners(np.array([row]))[0]), int(book.holdings(np.array([row]))[0])
        amount = -int(book.amount[row])
        held = self._latest(("deposit", owner, name), int(book.day.min()), place)
        enough = [one for one in held if self._left[one] >= amount]
        if not name and len({self._name[one] for one in enough}) > 1:
            return []
        # One of that amount is likelier than a part of a larger one.
        enough.sort(key=lambda one: self._left[one] > amount)
        for one in enough[:1]:
            self._left[one] -= amount
        return [(one, amount) for one in enough[:1]]

    def _alike(self, near: list[int], amount: int) -> list[int]:
        """Return several untouched credits of one amount that add up to what went back: two weeks of one benefit, and no part of another; none if several amounts fit."""
        whole: dict[int, list[int]] = defaultdict(list)
        for one in near:
            if self._left[one] == self._amount[one]:
                whole[self._amount[one]].append(one)
        fits = [
            ones[: amount // minor]
            for minor, ones in whole.items()
            if minor < amount and amount % minor == 0 and len(ones) >= amount // minor
        ]
        return fits[0] if len(fits) == 1 else []

    def kept_by(self, book: Book, row: int) -> list[tuple[int, int]]:
        """Return the credit that a debit passes on to a scheme, and its amount, minor units: the latest of that amount, if one payer alone paid it."""
        place, amount = int(book.holdings(np.array([row]))[0]), -int(book.amount[row])
        near = self._latest(("amount", place, amount), int(book.day[row]) - _PROTECTED_DAYS, place)
        whole = [one for one in near if self._left[one] == amount]
        if len({self._name[one] for one in whole}) != 1:
            return []
        self._left[whole[0]] = 0
        return [(whole[0], amount)]

    def _latest(self, key: tuple[object, ...], from_day: int, place: int) -> list[int]:
        """Return the last few credits of a list of which something is left: those in the given account first, then the latest first."""
        every = self._lists.get(key, [])
        while every and not self._left[every[-1]]:
            every.pop()
        near = [
            one
            for one in every[: -_MOST_LOOKED_AT - 1 : -1]
            if self._left[one] and self._day[one] >= from_day
        ]
        return sorted(near, key=lambda one: self._place[one] != place)


def _desks_of(book: Book, said: Signals, lexicon: Lexicon) -> Callable[[Codes], list[frozenset[str]]]:
    """Return what shows the office behind rows of the book: it is listed, a public body, or named by words; nothing for a credit that no office paid.

    Args:
        book: Transactions.
        said: What the codes and words of all rows of the book show.
        lexicon: Words that do not name a party.
    """
    fund = said.where(lambda one: one.kind == "pension_provider")
    public = (is_party(said, STATE) | said.where(lambda one: one.kind in PUBLIC_KINDS)) & ~fund

    def desks(rows: Codes) -> list[frozenset[str]]:
        found: list[frozenset[str]] = [frozenset()] * len(rows)
        shown = np.flatnonzero((public | fund)[rows] | (book.amount[rows] < 0))
        for at, text in zip(shown.tolist(), party_keys(book, rows[shown], lexicon)[:].tolist(), strict=True):
            row = rows[at]
            entity = said.readings[said.reading[row]].entity
            found[at] = frozenset({entity, *text.split(), STATE if public[row] else ""} - {""})
        return found

    return desks


def _paid_twice(place: list[int], name: list[str], amount: list[int], day: list[int]) -> list[bool]:
    """Return which credits have another one from the same payer, in the same account and with the same amount, within days."""
    keys = list(zip(place, name, amount, strict=True))
    again = [False] * len(keys)
    for one, other in pairwise(sorted(range(len(keys)), key=lambda at: (keys[at], day[at]))):
        if keys[one] == keys[other] and day[other] - day[one] <= _PAID_TWICE_DAYS:
            again[one] = again[other] = True
    return again


def _to_a_scheme(book: Book, spent: Mask, lexicon: Lexicon) -> Mask:
    """Return the debits to schemes that keep the deposits of tenants."""
    found = np.zeros(len(spent), dtype=np.bool_)
    debits = np.flatnonzero(spent)
    for column in (book.names, book.columns["description_raw"]):
        texts = column.read(to_plain_text)
        named = matches(texts.distinct.tolist(), lexicon.scheme_pattern)
        found[debits] |= pick(named, texts.codes[debits], missing=False)
    return found


def _said_to_take_back(book: Book, credits_: Codes, spent: Mask, said: Mask) -> Codes:
    """Return debits that may take a credit back: a code or word allows it, as `said` says, or their amount was paid twice within days."""
    debits = np.flatnonzero(spent)
    if not debits.size or not credits_.size:
        return debits[:0]
    return debits[said[debits] | _were_paid_twice(book, debits, credits_)]


def _were_paid_twice(book: Book, debits: Codes, credits_: Codes) -> Mask:
    """Return which debits have an amount that came in twice within days, not long before."""
    rows = np.concatenate([debits, credits_])
    kind = joint_code(book.holdings(rows), np.abs(book.amount[rows]))
    span = int(book.day[rows].max() - book.day[rows].min()) + 1 + _TAKEN_BACK_DAYS
    moment = kind * span + book.day[rows] - int(book.day[rows].min())
    credit = np.sort(moment[len(debits) :])
    twice = credit[1:][np.diff(credit) <= _PAID_TWICE_DAYS]
    if not twice.size:
        return np.zeros(len(debits), dtype=np.bool_)
    last = np.searchsorted(twice, moment[: len(debits)], side="right") - 1
    near = moment[: len(debits)] - twice[np.maximum(last, 0)] <= _TAKEN_BACK_DAYS
    return np.asarray((last >= 0) & near, dtype=np.bool_)
