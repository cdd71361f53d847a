"""Money that was taken back, and money that is called a refund: each with the row that confirms it.

A credit that a debit takes back (a recalled salary, a tenant's cheque that bounces, an overpayment that is returned) was never
income. A credit that is called a refund counts as one if an earlier debit confirms it, or if the bank's own code shows it; the
sender's word alone explains only small amounts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd

from kycpack.wealth.match.recalls import find_recalls
from kycpack.wealth.match.refunds import (
    Texts,
    match_excess,
    match_refunds,
    may_be_one,
    names_as_written,
    party_names,
    share_a_word,
)
from kycpack.wealth.prepare.clues import BANK_CODE, REFUND
from kycpack.wealth.prepare.coded import Codes, Mask, joint_code, pick
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.known_payers import EMPLOYERS
from kycpack.wealth.prepare.lexicon import NO_TYPE, Lexicon, name_a_security
from kycpack.wealth.prepare.parties import OWN, UNKNOWN
from kycpack.wealth.prepare.phrase_meanings import REFERENCE, TEXT
from kycpack.wealth.prepare.plain_text import to_plain_text
from kycpack.wealth.prepare.signals import Signals, is_party, is_person

_RETURNED_DAYS = 10  # a payment that cannot be made comes back within days
_SEVERAL = 3
_PAY = "employment"
_NOT_PAID_BY_CUSTOMERS = EMPLOYERS | {"", "pension_provider", "state_benefits", "state_paymaster"}
_BOUGHT_DAYS = (
    183  # what is faulty within six months was so when it was sold (Consumer Rights Act 2015, section 19(14))
)
_KEEPS_DEPOSITS = "deposit_scheme"  # a kind of known payers that pay out nothing but the deposits of tenants
_HELD_DAYS = 3_660  # a deposit is held as long as a tenancy lasts: longer than what a bank shows


@dataclass(frozen=True, eq=False)
class Reversals:
    """Credits that are matched with a debit because one takes the other back; one element per credit, but for `takes` and `left`.

    Args:
        taken_back: Row of the last debit that took the credit back, if all of it is gone; otherwise -1.
        partly: Row of the last debit that took some of it back, if some is left; otherwise -1.
        minor: How much of it these debits took back, or may have, minor units.
        takes: Which rows of the book are debits that took something back.
        pays_back: For a credit that is called a refund, the row of the debit that it pays back; -1 if there is none.
        doubtful: Whether it is called a refund only by the sender, and its amount is too large for that to be enough.
        supposed: Whether only names, sums and dates show that it was taken back, all or in part: the debit may be another payment.
        kept: Whether the debit went to a scheme that keeps the deposits of tenants.
        spread: Whether it is supposed so because the debit was larger than any one credit, and its sum is not that of several.
        left: For each row of the book that is a debit, what refunds have left of it, minor units.
    """

    taken_back: Codes
    partly: Codes
    minor: Codes
    takes: Mask
    pays_back: Codes
    doubtful: Mask
    supposed: Mask
    kept: Mask
    spread: Mask
    left: Codes


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
    named = partial(party_names, book, lexicon=lexicon)
    called = candidates[signals.refund[candidates]]
    theirs = spent & np.isin(book.customer.codes, book.customer.codes[rows[called]])
    names = names_as_written(book, rows[called], np.flatnonzero(theirs), lexicon)
    # A payment that gives back what its receiver had paid bought nothing.
    bought = spent & ~_gives_back(
        book, rows[candidates[~signals.refund[candidates]]], spent & said.refund, named
    )
    # A deposit that comes back is the one that was left, however long ago, rather than a later rent.
    texts = book.columns["description_raw"].read(to_plain_text)
    secured = pick(name_a_security(texts.distinct.tolist(), lexicon), texts.codes, missing=False)
    deposit = secured[rows[called]]
    # What one purchase cost does not come back twice.
    left = -book.amount
    pays_back = np.full(len(rows), -1, dtype=np.int64)
    pays_back[called[deposit]] = match_refunds(
        book, rows[called[deposit]], bought & secured, left, names[deposit], named, _HELD_DAYS
    )
    other = pays_back[called] < 0
    pays_back[called[other]] = match_refunds(
        book, rows[called[other]], bought, left, names[other], named, _BOUGHT_DAYS
    )
    unnamed = called[pays_back[called] < 0]
    known = ~is_party(signals, UNKNOWN)[unnamed]
    pays_back[unnamed] = _of_equal_amount(book, rows[unnamed], known, bought, left, named)
    shown = _with_clue(signals, REFUND, BANK_CODE)
    shown |= np.array([one.kind == _KEEPS_DEPOSITS for one in signals.readings], dtype=np.bool_)
    called_pay = _with_clue(signals, _PAY, TEXT, REFERENCE)
    doubtful = np.zeros(len(rows), dtype=np.bool_)
    if called.size:
        alone = (pays_back[called] < 0) & ~shown[signals.reading[called]]
        pay = called_pay[signals.reading[called]] & _come_again(book, rows[called], names, alone)
        doubtful[called] = alone & (~small[called] | pay)
    free = spent & ~(moved & ~said.refund)
    free[pays_back[pays_back >= 0]] = False
    # "SALARY PAID IN ERROR" is called a refund by its words, but is what a debit takes back.
    open_ = candidates[(~signals.refund | (pays_back < 0))[candidates]]
    recalls = find_recalls(book, rows, open_, free, said, secured, lexicon)
    return Reversals(
        recalls.whole,
        recalls.part,
        recalls.minor,
        recalls.takes,
        pays_back,
        doubtful,
        recalls.spread,
        recalls.kept,
        recalls.spread,
        left,
    )


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
    free = spent & ~back.takes
    free[back.pays_back[back.pays_back >= 0]] = False
    paid = ~signals.refund & (back.taken_back < 0) & (back.partly < 0) & _is_income(signals)
    whole, part = match_excess(
        book, rows, candidates[paid[candidates]], free, payer, partial(party_names, book, lexicon=lexicon)
    )
    debit = np.maximum(whole, part)
    supposed = debit >= 0
    takes = back.takes.copy()
    takes[debit[supposed]] = True
    return replace(
        back,
        taken_back=np.maximum(back.taken_back, whole),
        partly=np.maximum(back.partly, part),
        minor=np.where(supposed, -book.amount[debit], back.minor),
        takes=takes,
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


def _with_clue(signals: Signals, says: str, *places: str) -> Mask:
    """Return which readings have a piece of evidence for a type or mark, counted or not, in one of the given places."""
    return np.array(
        [
            any(clue.says == says and clue.place in places for clue in one.nature.clues)
            for one in signals.readings
        ],
        dtype=np.bool_,
    )


def _gives_back(book: Book, paid: Codes, returns: Mask, named: Callable[[Codes], Texts]) -> Mask:
    """Return which debits that are called a return have the amount, and name the payer, of an earlier credit in their account, within months."""
    found = np.zeros(len(returns), dtype=np.bool_)
    debits = np.flatnonzero(returns & np.isin(book.account, book.account[paid]))
    came: dict[tuple[int, int, str], list[int]] = defaultdict(list)
    paid = paid[np.isin(book.amount[paid], -book.amount[debits])]
    for row, key in zip(paid.tolist(), _named_sums(book, paid, named), strict=True):
        came[key].append(int(book.day[row]))
    for row, key in zip(debits.tolist(), _named_sums(book, debits, named), strict=True):
        found[row] = bool(key[-1]) and any(
            0 <= int(book.day[row]) - day <= _BOUGHT_DAYS for day in came.get(key, ())
        )
    return found


def _named_sums(book: Book, rows: Codes, named: Callable[[Codes], Texts]) -> list[tuple[int, int, str]]:
    keys = _place_and_amount(book, rows)
    return [(*key, str(name)) for key, name in zip(keys, named(rows).tolist(), strict=True)]


def _come_again(book: Book, rows: Codes, names: Texts, counted: Mask) -> Mask:
    """Return which credits are from a payer with several that count: "REFUND RIGHTS LTD WAGES" every week is not a small matter."""
    payer = joint_code(book.customer.codes[rows], pd.factorize(names)[0].astype(np.int64))
    return np.asarray(np.bincount(payer, counted)[payer] >= _SEVERAL, dtype=np.bool_)


def _of_equal_amount(
    book: Book, rows: Codes, known: Mask, spent: Mask, left: Codes, named: Callable[[Codes], Texts]
) -> Codes:
    """Return, for each row, the latest earlier debit with its amount and account, of which all is left; each debit is used once, -1 if there is none.

    Within days, whatever it names, as "UNPAID DIRECT DEBIT" names nobody, unless the row names somebody else: a person or firm, by `known`, or
    more than a word. Within months, if the names share a word: "LEDBURY LAW DEPOSIT 9 ELM ROW" comes back as "LEDBURY LAW RETURN OF DEPOSIT".
    """
    if not rows.size:
        return rows
    somebody = known | np.array([" " in name for name in named(rows).tolist()], dtype=np.bool_)
    debits = np.flatnonzero(
        spent
        & (left == -book.amount)
        & np.isin(book.account, book.account[rows])
        & np.isin(-book.amount, book.amount[rows])
    )
    alike: dict[tuple[int, int], list[int]] = defaultdict(list)
    for debit, key in zip(debits.tolist(), _place_and_amount(book, debits), strict=True):
        alike[key].append(debit)
    of_debit = dict(zip(debits.tolist(), named(debits).tolist(), strict=True))
    pairs = [
        (int(book.day[credit] - book.day[debit]), int(book.place[debit]), place, debit)
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
            and (not is_named or may_be_one(name, of_debit[debit]))
        )
        or (0 <= book.day[credit] - book.day[debit] <= _BOUGHT_DAYS and share_a_word(name, of_debit[debit]))
    ]
    found = np.full(len(rows), -1, dtype=np.int64)
    used: set[int] = set()
    for _, _, place, debit in sorted(pairs, key=lambda pair: pair[:2]):
        if found[place] < 0 and debit not in used:
            found[place] = debit
            used.add(debit)
    left[found[found >= 0]] = 0
    return found


def _place_and_amount(book: Book, rows: Codes) -> list[tuple[int, int]]:
    return list(zip(book.holdings(rows).tolist(), np.abs(book.amount[rows]).tolist(), strict=True))
