"""The rows that may be sides of own transfers, the pairs among them, and what comes back from a pot, a part of an account that earlier debits of it filled.

Pairs that do not match exactly in amount and date are listed with their credit, and not deducted from income: a fee was deducted, the money came in two or
three parts, it took a week, or it was converted into another currency. Only money that was converted within days at a rate there was, and that names the
customer on both sides, is certainly the customer's own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache, partial
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pandas as pd

from kycpack.assets import asset_yaml
from kycpack.wealth.match.exchange_rates import may_be_changed
from kycpack.wealth.match.own_transfers import (
    FARTHEST_DAYS,
    FEWEST_ELSEWHERE,
    OWN_TRANSFERS,
    Legs,
    Pairs,
    match_own_transfers,
    pairs_of,
    read_paper,
)
from kycpack.wealth.match.sides import Debits, Sides, any_of
from kycpack.wealth.prepare.coded import Coded, Codes, Mask, distinct_of, pick, sorted_by
from kycpack.wealth.prepare.duplicates import Duplicates
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.lexicon import Lexicon, matches, party_of_name, without_words
from kycpack.wealth.prepare.parties import FIRM, PERSON, STATE
from kycpack.wealth.prepare.payers import Payers
from kycpack.wealth.prepare.plain_text import to_plain_text
from kycpack.wealth.prepare.signals import Signals

_LONGEST_LAG_DAYS = 7
_LARGEST_FEE_MINOR = 5_000
_LARGEST_FEE_SHARE = 0.05
_TO_THE_PENNY, _LESS_A_FEE, _CHANGED = range(3)
_MOST_LOOKED_AT = 40  # nearest rows on the other side that are considered for one row


def find_own_transfers(
    book: Book,
    duplicates: Duplicates,
    rows: Codes,
    said: Signals,
    payers: Payers,
    sides: Sides,
    debits: Debits,
) -> Pairs:
    """Return the pairs of a credit and a debit between accounts of one customer, as in `match_own_transfers`.

    Args:
        book: Transactions.
        duplicates: Rows that repeat another one, and accounts that are one.
        rows: Rows of the credits.
        said: What the codes and words of all rows of the book show.
        payers: Who paid them.
        sides: What they show about their other party.
        debits: The debits that count.
    """
    account = duplicates.same_account[book.account]
    several = (
        np.bincount(book.account_customer[distinct_of(account)], minlength=len(book.customer.distinct)) > 1
    )
    into = np.flatnonzero(several[book.customer.codes[rows]] & ~said.refund[rows])
    near = np.flatnonzero(several[book.customer.codes[debits.rows]])
    out = debits.rows[near]
    order = np.lexsort((book.place[out], account[out], book.day[out]))
    near, out = near[order], out[order]
    paid = debits.sides.of(near)
    payer = pd.factorize(book.customer.codes[rows] * len(payers.keys) + payers.key)[0].astype(np.int64)
    credits_ = _legs(book, account, rows[into], sides.of(into), payer[into], into)
    spent = _legs(book, account, out, paid, np.full(len(out), -1, dtype=np.int64), np.arange(len(out)))
    # A shop is somebody else, however little its text shows.
    paid.against[debits.signals.merchant[near] & paid.other] = True
    exact = match_own_transfers(credits_, spent, np.bincount(payer), partial(read_paper, book))
    settled = exact.having(*OWN_TRANSFERS, "possible")
    open_in = np.flatnonzero(~np.isin(credits_.row, settled.credit))
    open_out = np.flatnonzero(~np.isin(spent.row, settled.debit))
    possible = match_possible_transfers(
        credits_.of(open_in), spent.of(open_out), [str(one) for one in book.currency.distinct]
    )
    return exact.with_more(possible)


def find_waiting_transfers(
    book: Book, account: Codes, into: tuple[Codes, Sides], out: tuple[Codes, Sides]
) -> Pairs:
    """Return the own transfers among pending rows.

    Args:
        book: Transactions.
        account: For each account, itself, or the one that it may be another link to.
        into: Rows of pending credits, and what they show about their other party.
        out: The same of pending debits.
    """
    account = account[book.account]
    order = np.arange(len(into[0]))
    credits_ = _legs(book, account, *into, order, order)
    spent = _legs(book, account, *out, np.full(len(out[0]), -1), np.arange(len(out[0])))
    # What else a payer pays is not looked at: each is taken for one who also makes payments without a matching debit.
    paid = np.full(len(order), 1 + FEWEST_ELSEWHERE)
    return match_own_transfers(credits_, spent, paid, partial(read_paper, book)).having(*OWN_TRANSFERS)


def _legs(book: Book, account: Codes, rows: Codes, side: Sides, payer: Codes, rank: Codes) -> Legs:
    return Legs(
        row=rows,
        customer=book.customer.codes[rows],
        currency=book.currency.codes[rows],
        day=book.day[rows],
        account=account[rows],
        amount=np.abs(book.amount[rows]),
        side=side,
        payer=payer,
        rank=rank,
    )


def match_possible_transfers(credits_: Legs, debits: Legs, currencies: Sequence[str]) -> Pairs:
    """Return pairs that may be own transfers.

    Args:
        credits_: Money in that no exact pair explains.
        debits: Money out that no exact pair explains.
        currencies: ISO 4217 code of each currency of the legs.

    Returns:
        Pairs with the verdict `possible`, or `certain`; each credit in at most one. At least one side names the customer, an own
        account, a transfer or a bank, or both name one person, and the other side does not contradict it. Credits that share a debit
        are its two or three parts.
    """
    speaks = _speaks(credits_, debits), _speaks(debits, credits_)
    credits_, said_in = _without_income(credits_, speaks[0])
    debits, said_out = _without_income(debits, speaks[1])
    used_in: set[int] = set()
    used_out: set[int] = set()
    found: list[tuple[int, int]] = []
    ins, outs = _ByDay(credits_, debits), _ByDay(debits, credits_)
    for one in np.lexsort((credits_.rank, credits_.day)).tolist():
        if said_in[one]:
            near = [other for other in outs.near(one) if other not in used_out]
            sent = _best((_fit(credits_, one, debits, other, currencies), other) for other in near)
            parts = (sent,) if sent is not None else _parts(debits, near, credits_, one)
            if parts:
                found.append((one, parts[0]))
                used_in.add(one)
                used_out.update(parts)
    for one in np.lexsort((debits.rank, debits.day)).tolist():
        if said_out[one] and one not in used_out:
            near = [other for other in ins.near(one) if other not in used_in]
            whole = _best((_fit(credits_, other, debits, one, currencies), other) for other in near)
            halves = (whole,) if whole is not None else _parts(credits_, near, debits, one)
            found += [(other, one) for other in halves]
            used_in.update(halves)
    return pairs_of(
        [
            (
                int(credits_.row[one]),
                int(debits.row[other]),
                "certain" if _surely_changed(credits_, one, debits, other, currencies) else "possible",
            )
            for one, other in sorted(found)
        ]
    )


def _without_income(legs: Legs, speaks: Any) -> tuple[Legs, Any]:
    fine = np.flatnonzero(~legs.side.against)
    return legs.of(fine), speaks[fine]


class _ByDay:
    """Legs by customer and day, for a search around the days of the other side's legs."""

    def __init__(self, legs: Legs, others: Legs) -> None:
        self._legs, self._others = legs, others
        moment, asked = ((side.customer << 32) + side.day for side in (legs, others))
        self._order = sorted_by(moment, legs.rank)
        self._first, self._end = (
            np.searchsorted(moment[self._order], asked + days).tolist()
            for days in (-_LONGEST_LAG_DAYS, _LONGEST_LAG_DAYS + 1)
        )

    def near(self, index: int) -> list[int]:
        """Return the legs in the customer's other accounts within a week of a leg of the other side, the nearest first."""
        rows: Codes = self._order[self._first[index] : self._end[index]]
        rows = rows[self._legs.account[rows] != self._others.account[index]]
        away = np.abs(self._legs.day[rows] - self._others.day[index])
        return cast("list[int]", rows[np.argsort(away, kind="stable")[:_MOST_LOOKED_AT]].tolist())


def _speaks(legs: Legs, others: Legs) -> Mask:
    """Return which legs indicate an own transfer."""
    side = legs.side
    said = side.own | side.worded | side.mentioned | side.institution
    # If the customer's name is not known, a person named on both sides may be the customer.
    person = np.flatnonzero(side.person & ~said)
    named = others.side.person
    there = set(zip(others.customer[named].tolist(), others.side.party[named].tolist(), strict=True))
    pairs = zip(legs.customer[person].tolist(), side.party[person].tolist(), strict=True)
    said[person] = [pair in there for pair in pairs]
    return np.asarray(said, dtype=np.bool_)


def _best(fits: Iterable[tuple[int | None, int]]) -> int | None:
    """Return the leg that fits best: exact before less a fee before converted; on a tie, the nearest."""
    best: tuple[int, int] | None = None
    for fit, other in fits:
        if fit is not None and (best is None or fit < best[0]):
            best = fit, other
            if fit == _TO_THE_PENNY:
                break
    return None if best is None else best[1]


def _fit(credits_: Legs, one: int, debits: Legs, other: int, currencies: Sequence[str]) -> int | None:
    """Return how one debit may correspond to one credit: late, less a fee, or converted; None if it cannot."""
    days = abs(int(credits_.day[one]) - int(debits.day[other]))
    into, out = int(credits_.amount[one]), int(debits.amount[other])
    receiver, sender = credits_.side, debits.side
    one_person = bool(
        receiver.person[one] and sender.person[other] and receiver.party[one] == sender.party[other]
    )
    named = one_person or bool(
        receiver.own[one] or sender.own[other] or receiver.mentioned[one] or sender.mentioned[other]
    )
    somebody = [_names_somebody(receiver, one), _names_somebody(sender, other)]
    worded = bool(receiver.worded[one] or sender.worded[other])
    if not named and (all(somebody) or (any(somebody) and not worded)):
        return None
    if credits_.currency[one] != debits.currency[other]:
        plausible = may_be_changed(
            out, currencies[int(debits.currency[other])], into, currencies[int(credits_.currency[one])]
        )
        sure = named if plausible is None else plausible and (named or not any(somebody))
        return _CHANGED if sure and (named or days <= FARTHEST_DAYS) else None
    fee = out - into
    if fee == 0:
        return _TO_THE_PENNY
    both = all(
        side.own[at] or side.worded[at] or side.mentioned[at] or side.institution[at]
        for side, at in ((receiver, one), (sender, other))
    )
    small = 0 < fee <= min(_LARGEST_FEE_MINOR, _LARGEST_FEE_SHARE * out)
    return _LESS_A_FEE if small and (named or both or (worded and days <= FARTHEST_DAYS)) else None


def _surely_changed(credits_: Legs, one: int, debits: Legs, other: int, currencies: Sequence[str]) -> bool:
    """Return whether both sides name the customer, and one is the other in another currency within days, at a rate there was."""
    into, out = int(credits_.currency[one]), int(debits.currency[other])
    return bool(
        into != out
        and credits_.side.own[one]
        and debits.side.own[other]
        and abs(int(credits_.day[one]) - int(debits.day[other])) <= FARTHEST_DAYS
        and may_be_changed(
            int(debits.amount[other]), currencies[out], int(credits_.amount[one]), currencies[into]
        )
    )


def _names_somebody(side: Sides, at: int) -> bool:
    return bool(side.other[at] and not side.institution[at] and not side.mentioned[at])


def _parts(parts: Legs, near: list[int], whole: Legs, index: int) -> tuple[int, ...]:
    """Return two or three legs that add up to one on the other side, within some days and in one currency; empty if there are none."""
    wanted, day = int(whole.amount[index]), int(whole.day[index])
    named = _names_somebody(whole.side, index)
    fine = [
        one
        for one in near
        if parts.currency[one] == whole.currency[index]
        and abs(int(parts.day[one]) - day) <= FARTHEST_DAYS
        and not (named and _names_somebody(parts.side, one))
    ]
    found = _two(parts, fine, wanted)
    if found or named:
        return found
    # Of many amounts, three often add up to a sum by chance: all must come from one account and name nobody else.
    alone: dict[int, list[int]] = {}
    for one in fine:
        if not _names_somebody(parts.side, one):
            alone.setdefault(int(parts.account[one]), []).append(one)
    for of_account in alone.values():
        for at, one in enumerate(of_account):
            rest = _two(parts, of_account[at + 1 :], wanted - int(parts.amount[one]))
            if rest:
                return (one, *rest)
    return ()


def _two(parts: Legs, among: Sequence[int], wanted: int) -> tuple[int, ...]:
    by_amount: dict[int, int] = {}
    for one in among:
        other = by_amount.get(wanted - int(parts.amount[one]))
        if other is not None:
            return (other, one)
        by_amount.setdefault(int(parts.amount[one]), one)
    return ()


def match_pots(
    book: Book, rows: Codes, signals: Signals, sides: Sides, debits: Debits, lexicon: Lexicon
) -> Codes:
    """Return, for each credit from a pot, the latest debit that filled it.

    Args:
        book: Transactions.
        rows: Rows of the credits.
        signals: What the credits' codes and words show.
        sides: What they show about their other party.
        debits: The debits that count.
        lexicon: Words that name nobody.

    Returns:
        Rows of the book; -1 if no pot with the name is known in the account, or less was put into it than has come out.
    """
    found = np.full(len(rows), -1, dtype=np.int64)
    into = _pots(signals, lexicon)
    into[sides.against | signals.refund] = None
    taken = np.flatnonzero(into != None)  # noqa: E711 - element by element
    if not taken.size:
        return found
    filled = _pots(debits.signals, lexicon)
    put = np.flatnonzero(filled != None)  # noqa: E711 - element by element
    moves = [(int(book.day[debits.rows[at]]), 0, int(debits.rows[at]), str(filled[at]), -1) for at in put]
    moves += [(int(book.day[rows[at]]), 1, int(rows[at]), str(into[at]), int(at)) for at in taken]
    held: dict[tuple[int, int, str], int] = defaultdict(int)
    last: dict[tuple[int, int, str], int] = {}
    for _, _, row, pot, credit in sorted(moves):
        key = int(book.account[row]), int(book.currency.codes[row]), pot
        if credit < 0:
            last[key] = row
        elif held[key] >= book.amount[row]:
            found[credit] = last[key]
        else:
            continue
        held[key] -= int(book.amount[row])
    return found


def _pots(signals: Signals, lexicon: Lexicon) -> npt.NDArray[np.object_]:
    """Return the name of the pot of each row; None if it names none, or names somebody."""
    found = [
        _named_pots(column.read(to_plain_text), lexicon) for column in (signals.names, signals.description)
    ]
    return np.where(signals.names.codes >= 0, *found)


def _named_pots(texts: Coded, lexicon: Lexicon) -> npt.NDArray[np.object_]:
    plain: list[str] = texts.distinct.tolist()
    pot, account = _patterns()
    names = np.full(len(plain), None, dtype=object)
    for at in np.flatnonzero(matches(plain, pot)).tolist():
        if party_of_name(plain[at], lexicon) not in (PERSON, FIRM, STATE):
            names[at] = " ".join(without_words(without_words([plain[at]], account), lexicon.dropped_pattern))
    return pick(names, texts.codes, None)


@lru_cache(maxsize=1)
def _patterns() -> tuple[str, str]:
    document = asset_yaml("lexicon/own_accounts.yaml")
    return any_of(document["pots"]), any_of(document["words"])
