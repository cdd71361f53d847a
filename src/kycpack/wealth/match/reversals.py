"""Money that was taken back, and money that is called a refund: each with the row that confirms it.

A credit that a debit takes back (a recalled salary, a tenant's cheque that bounces, an overpayment that is returned) was never
income. A credit that is called a refund counts as one if an earlier debit confirms it, or if the bank's own code shows it; the
sender's word alone explains only small amounts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pandas as pd

from kycpack.wealth.match.refunds import Texts, match_excess, match_refunds, spelled_alike, words_with_digits
from kycpack.wealth.prepare.clues import BANK_CODE, REFUND
from kycpack.wealth.prepare.coded import Codes, Mask, joint_code, pick
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.known_payers import EMPLOYERS
from kycpack.wealth.prepare.lexicon import NO_TYPE, Lexicon, without_words
from kycpack.wealth.prepare.parties import OWN, UNKNOWN
from kycpack.wealth.prepare.payers import party_keys
from kycpack.wealth.prepare.phrase_meanings import REFERENCE, TEXT, without_sent_back
from kycpack.wealth.prepare.signals import Signals, is_party, is_person

_TAKEN_BACK_DAYS = 60  # a direct debit may be recalled for eight weeks
_RETURNED_DAYS = 10  # a payment that cannot be made comes back within days
_PAID_TWICE_DAYS = 7
_MOST_LOOKED_AT = 12
_SEVERAL = 3
_KEPT_NAMES = 8_192
_PAY = "employment"
_SHORTEST_SHARED = 4
_NOT_PAID_BY_CUSTOMERS = EMPLOYERS | {"", "pension_provider", "state_benefits", "state_paymaster"}
_BOUGHT_DAYS = (
    183  # what is faulty within six months was so when it was sold (Consumer Rights Act 2015, section 19(14))
)


@dataclass(frozen=True, eq=False)
class Reversals:
    """Credits that are matched with a debit because one takes the other back, one element per credit.

    Args:
        taken_back: Row of the last debit that took the credit back, if all of it is gone; otherwise -1.
        partly: Row of the last debit that took some of it back, if some is left; otherwise -1.
        minor: How much of it these debits took back, or may have, minor units.
        pays_back: For a credit that is called a refund, the row of the debit that it pays back; -1 if there is none.
        doubtful: Whether it is called a refund only by the sender, and its amount is too large for that to be enough.
        supposed: Whether only names, sums and dates show that it was taken back, all or in part: the debit may be another payment.
        spread: Whether it is supposed so because the debit was larger than any one credit, and its sum is not that of several.
    """

    taken_back: Codes
    partly: Codes
    minor: Codes
    pays_back: Codes
    doubtful: Mask
    supposed: Mask
    spread: Mask


def find_reversals(
    book: Book,
    rows: Codes,
    candidates: Codes,
    spent: Mask,
    moved: Mask,
    said: Signals,
    small: Mask,
    lexicon: Lexicon,
) -> Reversals:
    """Return the credits that were taken back, and which refunds are confirmed.

    Args:
        book: Transactions.
        rows: Rows of the credits.
        candidates: Credits, as indexes into `rows`, that are not own transfers.
        spent: Rows of the book that are debits, count, and are not own transfers.
        moved: Rows of the book that may be own transfers: without a word for a return, they take nothing back.
        said: What the codes and words of all rows of the book show.
        small: Which credits are small enough that a word explains them.
        lexicon: Words for a reversal, and words that do not name a party.
    """
    signals = said.of(rows)
    named = partial(_names, book, lexicon=lexicon)
    called = candidates[signals.refund[candidates]]
    theirs = spent & np.isin(book.customer.codes, book.customer.codes[rows[called]])
    names = _as_written(book, rows[called], np.flatnonzero(theirs), lexicon)
    pays_back = match_refunds(book, rows, called, spent, names, named, _BOUGHT_DAYS)
    unnamed = called[pays_back[called] < 0]
    known = ~is_party(signals, UNKNOWN)[unnamed]
    pays_back[unnamed] = _of_equal_amount(book, rows[unnamed], known, spent, named)
    by_bank = _with_clue(signals, REFUND, BANK_CODE)
    called_pay = _with_clue(signals, _PAY, TEXT, REFERENCE)
    doubtful = np.zeros(len(rows), dtype=np.bool_)
    if called.size:
        alone = (pays_back[called] < 0) & ~by_bank[signals.reading[called]]
        pay = called_pay[signals.reading[called]] & _come_again(book, rows[called], names, alone)
        doubtful[called] = alone & (~small[called] | pay)
    used = spent.copy()
    used[pays_back[pays_back >= 0]] = False
    used[moved & ~said.refund] = False
    # "SALARY PAID IN ERROR" is called a refund by its words, but is what a debit takes back.
    open_ = candidates[(~signals.refund | (pays_back < 0))[candidates]]
    taken_back, partly, minor, spread = _taken_back(book, rows, open_, used, said, lexicon)
    return Reversals(taken_back, partly, minor, pays_back, doubtful, spread, spread)


def with_excess(
    back: Reversals,
    book: Book,
    rows: Codes,
    candidates: Codes,
    spent: Mask,
    signals: Signals,
    payer: Codes,
    lexicon: Lexicon,
) -> Reversals:
    """Return reversals with the credits that may have been too much and gone back without a word, as in `match_excess`.

    Args:
        back: What else was taken back.
        book: Transactions.
        rows: Rows of the credits.
        candidates: Credits, as indexes into `rows`, that are not own transfers.
        spent: Rows of the book that are debits, count, and cannot be own transfers.
        signals: What the credits' codes and words show.
        payer: Code of each credit's payer.
        lexicon: Words that do not name a party.
    """
    free = spent.copy()
    for debit in (back.taken_back, back.partly, back.pays_back):
        free[debit[debit >= 0]] = False
    paid = ~signals.refund & (back.taken_back < 0) & (back.partly < 0) & _is_income(signals)
    whole, part = match_excess(
        book, rows, candidates[paid[candidates]], free, payer, partial(_names, book, lexicon=lexicon)
    )
    debit = np.maximum(whole, part)
    supposed = debit >= 0
    return replace(
        back,
        taken_back=np.maximum(back.taken_back, whole),
        partly=np.maximum(back.partly, part),
        minor=np.where(supposed, -book.amount[debit], back.minor),
        supposed=supposed | back.supposed,
    )


def _is_income(signals: Signals) -> Mask:
    """Return which credits are neither a person's without a known type, nor from a known firm with which customers also spend, such as a shop or a bank."""
    paid = [one.kind in _NOT_PAID_BY_CUSTOMERS for one in signals.readings]
    paid_by = pick(np.array(paid, dtype=np.bool_), signals.reading, missing=False)
    of_person = is_person(signals) & (signals.type_code == NO_TYPE)
    income: Mask = paid_by & ~of_person & ~is_party(signals, OWN)
    return income


def without_doubtful(signals: Signals, doubtful: Mask) -> Signals:
    """Return signals in which an unconfirmed refund does not count as a refund."""
    return replace(signals, refund=signals.refund & ~doubtful)


def _names(book: Book, rows: Codes, lexicon: Lexicon) -> Texts:
    """Return the words that name the other party, sorted, without words for the return and for what was paid."""
    party = party_keys(book, rows, lexicon)
    bare = without_words(without_sent_back(party.distinct).tolist(), lexicon.refund_pattern)
    core = without_words(bare, lexicon.nature_pattern)
    names = [_in_order(short or long) for short, long in zip(core, bare, strict=True)]
    return np.array(names, dtype=object)[party.codes]


def _as_written(book: Book, rows: Codes, others: Codes, lexicon: Lexicon) -> Texts:
    """Return the names in `rows` as the rows `others` write them, as in `spelled_alike`."""
    asked, known = (
        (book.owners(each), _names(book, each, lexicon), words_with_digits(book, each))
        for each in (rows, others)
    )
    return spelled_alike(asked, known, lexicon.given_names)


@lru_cache(maxsize=_KEPT_NAMES)
def _in_order(name: str) -> str:
    return " ".join(sorted(name.split()))


def _with_clue(signals: Signals, says: str, *places: str) -> Mask:
    """Return which readings have a piece of evidence for a type or mark, counted or not, in one of the given places."""
    return np.array(
        [
            any(clue.says == says and clue.place in places for clue in one.nature.clues)
            for one in signals.readings
        ],
        dtype=np.bool_,
    )


def _come_again(book: Book, rows: Codes, names: Texts, counted: Mask) -> Mask:
    """Return which credits are from a payer with several that count: "REFUND RIGHTS LTD WAGES" every week is not a small matter."""
    payer = joint_code(book.customer.codes[rows], pd.factorize(names)[0].astype(np.int64))
    return np.asarray(np.bincount(payer, counted)[payer] >= _SEVERAL, dtype=np.bool_)


def _of_equal_amount(
    book: Book, rows: Codes, known: Mask, spent: Mask, named: Callable[[Codes], Texts]
) -> Codes:
    """Return, for each row, the latest earlier debit with its amount and account; each debit is used once, -1 if there is none.

    Within days, whatever it names, as "UNPAID DIRECT DEBIT" names nobody, unless the row names somebody else: a person or firm, by `known`, or
    more than a word. Within months, if the names share a word: "LEDBURY LAW DEPOSIT 9 ELM ROW" comes back as "LEDBURY LAW RETURN OF DEPOSIT".
    """
    if not rows.size:
        return rows
    somebody = known | np.array([" " in name for name in named(rows).tolist()], dtype=np.bool_)
    debits = np.flatnonzero(
        spent & np.isin(book.account, book.account[rows]) & np.isin(-book.amount, book.amount[rows])
    )
    alike: dict[tuple[int, int], list[int]] = defaultdict(list)
    for debit, key in zip(debits.tolist(), _place_and_amount(book, debits), strict=True):
        alike[key].append(debit)
    of_debit = dict(zip(debits.tolist(), named(debits).tolist(), strict=True))
    pairs = [
        (int(book.day[credit] - book.day[debit]), str(book.txn_id[debit]), place, debit)
        for place, (credit, key, name, is_named) in enumerate(
            zip(
                rows.tolist(),
                _place_and_amount(book, rows),
                named(rows).tolist(),
                somebody.tolist(),
                strict=True,
            )
        )
        for debit in alike.get(key, ())
        if (
            0 <= book.day[credit] - book.day[debit] <= _RETURNED_DAYS
            and (not is_named or _may_be_one(name, of_debit[debit]))
        )
        or (0 <= book.day[credit] - book.day[debit] <= _BOUGHT_DAYS and _share_a_word(name, of_debit[debit]))
    ]
    found = np.full(len(rows), -1, dtype=np.int64)
    used: set[int] = set()
    for _, _, place, debit in sorted(pairs, key=lambda pair: pair[:2]):
        if found[place] < 0 and debit not in used:
            found[place] = debit
            used.add(debit)
    return found


def _place_and_amount(book: Book, rows: Codes) -> list[tuple[int, int]]:
    return list(zip(book.holdings(rows).tolist(), np.abs(book.amount[rows]).tolist(), strict=True))


def _taken_back(
    book: Book, rows: Codes, candidates: Codes, spent: Mask, said: Signals, lexicon: Lexicon
) -> tuple[Codes, Codes, Codes, Mask]:
    """Return `taken_back`, `partly`, `minor` and `spread` of `Reversals`."""
    whole, part = np.full(len(rows), -1, dtype=np.int64), np.full(len(rows), -1, dtype=np.int64)
    gone, spread = np.zeros(len(rows), dtype=np.int64), np.zeros(len(rows), dtype=np.bool_)
    debits = _said_to_take_back(book, rows[candidates], spent, said)
    if not debits.size:
        return whole, part, gone, spread
    customers = np.unique(book.customer.codes[debits])
    mine = candidates[np.isin(book.customer.codes[rows[candidates]], customers)]
    received = _Received(book, rows[mine], _names(book, rows[mine], lexicon))
    worded = said.refund[debits]
    names = _names(book, debits, lexicon)
    names[worded] = _as_written(book, debits[worded], rows[mine], lexicon)
    for at in np.lexsort((book.txn_id[debits], book.account[debits], book.day[debits])).tolist():
        row = int(debits[at])
        received.until(int(book.day[row]))
        taken = received.taken_by(book, row, str(names[at]), worded=bool(worded[at]))
        for found, minor in taken:
            one = mine[found]
            gone[one] += minor
            is_whole = gone[one] == book.amount[rows[one]]
            whole[one], part[one] = (row, -1) if is_whole else (-1, row)
        if len(taken) > 1 and part[mine[taken[-1][0]]] >= 0:
            spread[mine[[found for found, _ in taken]]] = True
    return whole, part, gone, spread


class _Received:
    """Credits that a debit may take back, with the latest at the end of each list; credits of which nothing is left are dropped when they are reached.

    Args:
        book: Transactions.
        rows: Rows of the credits.
        names: Text that names the payer of each credit.
    """

    def __init__(self, book: Book, rows: Codes, names: npt.NDArray[np.object_]) -> None:
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
            if name:
                self._lists["name", owner, name].append(one)
                self._lists["both", owner, name, amount].append(one)
                if self._again[one]:
                    self._lists["again", self._place[one], name, amount].append(one)
            self._next += 1

    def taken_by(self, book: Book, row: int, name: str, *, worded: bool) -> list[tuple[int, int]]:
        """Return the credits that a debit takes back, and how much of each, minor units; nothing if none fit."""
        owner, place = int(book.owners(np.array([row]))[0]), int(book.holdings(np.array([row]))[0])
        amount, day = -int(book.amount[row]), int(book.day[row])
        # Without a word for it, money goes back from the account into which it came.
        key = ("both", owner, name, amount) if worded else ("again", place, name, amount)
        found = [one for one in self._latest(key, day - _TAKEN_BACK_DAYS, place) if self._left[one] == amount]
        if worded and not found:
            # A bank's own text for a return may name nobody; then only one payer may have paid the amount.
            near = self._latest(("amount", place, amount), day - _RETURNED_DAYS, place)
            near = [one for one in near if self._left[one] == amount]
            said = {self._name[one] for one in near}
            found = near if len(said) == 1 and _may_be_one(name, said.pop()) else []
        if worded and not found:
            near = self._latest(("name", owner, name), day - _TAKEN_BACK_DAYS, place)
            enough = [one for one in near if self._left[one] >= amount]
            # One debit may take back what several payments were too much.
            found = sorted(enough, key=lambda one: self._left[one] < self._amount[one]) or (
                near if sum(self._left[one] for one in near) >= amount else []
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


def _may_be_one(name: str, other: str) -> bool:
    """Return whether two names share a word, or one of them is empty."""
    return not name or not other or not set(name.split()).isdisjoint(other.split())


def _share_a_word(name: str, other: str) -> bool:
    return any(len(word) >= _SHORTEST_SHARED for word in set(name.split()) & set(other.split()))


def _paid_twice(place: list[int], name: list[str], amount: list[int], day: list[int]) -> list[bool]:
    """Return which credits have another one from the same payer, in the same account and with the same amount, within days."""
    keys = list(zip(place, name, amount, strict=True))
    again = [False] * len(keys)
    for one, other in pairwise(sorted(range(len(keys)), key=lambda at: (keys[at], day[at]))):
        if keys[one] == keys[other] and day[other] - day[one] <= _PAID_TWICE_DAYS:
            again[one] = again[other] = True
    return again


def _said_to_take_back(book: Book, credits_: Codes, spent: Mask, said: Signals) -> Codes:
    """Return debits that may take a credit back: a code or word allows it, or their amount was paid twice within days."""
    debits = np.flatnonzero(spent)
    if not debits.size or not credits_.size:
        return debits[:0]
    return debits[said.refund[debits] | _were_paid_twice(book, debits, credits_)]


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
