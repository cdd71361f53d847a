"""The money a customer has available for payments, from the transactions in one currency and what was derived from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from kycpack.frames.rows import records, rows
from kycpack.wealth.given_thresholds import entities_with
from kycpack.wealth.judge.balance_path import Objects, balance_path
from kycpack.wealth.judge.sufficiency import Claim, Means
from kycpack.wealth.judge.support import (
    CLAIMED_BY,
    NOT_EVIDENCED,
    PROVEN,
    SUPPORT_COLUMNS,
    support_of_single,
    support_of_stream,
)
from kycpack.wealth.match.own_accounts import has_own_number
from kycpack.wealth.match.sides import OwnParties, read_sides
from kycpack.wealth.match.transfer_legs import find_waiting_transfers
from kycpack.wealth.prepare.coded import Codes, Mask, pick
from kycpack.wealth.prepare.duplicates import Duplicates, find_duplicates, not_booked_yet
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.lexicon import Lexicon, load_lexicon
from kycpack.wealth.prepare.signals import Signals, read_signals


@dataclass(frozen=True, eq=False)
class ReadTransactions:
    """A customer's transactions as they were read, and the meaning of their texts.

    Args:
        book: The transactions.
        said: The signals read from all of them; None if they have to be read when needed.
        payers: The policy's own payers.
        moved: Account and id of each transaction of which a red flag says that the money was moved on.
    """

    book: Book
    said: Signals | None = None
    payers: Mapping[str, str] = field(default_factory=dict)
    moved: AbstractSet[tuple[str, str]] = frozenset()

    def signals(self, rows: Codes) -> Signals:
        """Return what the texts of the given rows show."""
        if self.said is not None:
            return self.said.of(rows)
        return read_signals(self.book, load_lexicon(), entities_with(self.payers), rows)


_MOVED_ON = frozenset({
    "pass_through", "sent_to_exchange", "own_account_layering", "answering_sums", "round_trip", "loan_repaid", "cash_sent_on", "new_account_passage",
})  # fmt: skip
"""The red flags that say of credits that the money left again."""
_BALANCE = "balance_after_minor"
_CREDIT_COLUMNS = [
    "stream_id",
    "disposition",
    "type",
    "evidence_level",
    "doubtful",
    "account_id",
    "txn_id",
    "booked_on",
    "least_minor",
]
_READ_OF_CREDITS = [
    *_CREDIT_COLUMNS,
    *(
        "amount_minor",
        "returned_minor",
        "may_be_returned_minor",
        "may_repeat_txn_id",
        "pair_on",
        "pair_txn_id",
    ),
]


@dataclass(frozen=True)
class _Sources:
    """Ids of sources, and the booking date of each of their credits, with the amount without what was, or may have been, taken back."""

    ids: list[str] = field(default_factory=list)
    credits: list[tuple[pd.Timestamp, int]] = field(default_factory=list)


def means_of(
    read: ReadTransactions,
    transactions: pd.DataFrame,
    credits_: pd.DataFrame,
    streams: pd.DataFrame,
    pairs: pd.DataFrame,
    parties: OwnParties,
    balances: pd.DataFrame | None,
    currency: str,
) -> Means | None:
    """Return a customer's means in one currency; None if no booked transaction is in it.

    Args:
        read: The customer's transactions as they were read.
        transactions: The same rows as they were provided.
        credits_: The customer's rows of frame `credits`.
        streams: The customer's rows of frame `streams`.
        pairs: The customer's rows of frame `pairs`.
        parties: The customer's names, and frame `accounts`.
        balances: The customer's rows of frame `balances`.
        currency: ISO 4217.
    """
    book = read.book
    again = find_duplicates(book, parties.accounts)
    # A transaction that may be a duplicate is counted once: the lower of the two results is what supports a payment.
    of_currency = np.asarray(book.currency.distinct[book.currency.codes] == currency, dtype=np.bool_)
    rows = np.flatnonzero(book.counted & ~again.repeated & (again.maybe < 0) & of_currency)
    if not rows.size:
        return None
    after = (
        transactions[_BALANCE].astype(object).to_numpy()[rows]
        if _BALANCE in transactions.columns
        else np.full(len(rows), None, dtype=object)
    )
    account, day, amount = book.account[rows], book.day[rows], book.amount[rows]
    linked = book.account_ids[again.maybe_account]
    path = balance_path(
        linked[account],
        day,
        amount,
        after,
        _balances(balances, currency, dict(zip(book.account_ids.tolist(), linked.tolist(), strict=True))),
    )
    waiting = _about_to_leave(read, parties, again, of_currency)
    pending = -int(book.amount[waiting].sum())
    rows = np.concatenate([rows, waiting])
    account, amount = book.account[rows], book.amount[rows]
    day = np.concatenate([day, np.full(len(waiting), path.days[-1])])
    debits = np.flatnonzero(amount < 0)
    own = _own_debits(book.account_ids[account[debits]], book.txn_id[rows[debits]], pairs)
    spent = np.where(own, 0, -amount[debits])
    signals = read.signals(rows[debits])
    lexicon = load_lexicon()
    sides = read_sides(book, rows[debits], signals, parties, lexicon)
    # A payment to the customer's own name goes to an account of theirs, wherever that is held.
    named = (sides.own | sides.mentioned) & ~sides.against
    to_own = (
        named
        | signals.own_transfer
        | has_own_number(book, rows[debits], signals.own_transfer, parties.accounts)
    )
    # What a broker holds, or what is paid into savings, is still the customer's.
    brokers = np.array([one.kind == "broker" for one in signals.readings], dtype=np.bool_)
    to_own |= pick(brokers, signals.reading, missing=False) | signals.is_type(lexicon, "savings")
    to_own |= _to_banks(signals, lexicon)
    mine = credits_[_READ_OF_CREDITS][credits_["currency"] == currency]
    may_repeat = mine["may_repeat_txn_id"].notna()
    once = mine[~may_repeat]
    gone = _added(path.days, day[debits], np.where(to_own & ~signals.merchant, spent, 0))
    left = once.assign(least_minor=_not_put_there(once, path.days, gone))
    evidenced = _evidenced(left, streams)
    ids = zip(left["account_id"].astype(str), left["txn_id"].astype(str), strict=True)
    kept = _evidenced(left[[one not in read.moved for one in ids]], streams) if read.moved else evidenced
    spent_on = spent - _sent_back(book, rows[debits], spent, again.maybe, once)
    proven, claims = evidenced[PROVEN], [(by, evidenced[by]) for by in CLAIMED_BY if evidenced[by].ids]
    return Means(
        path=path.less(pending),
        proven=_by_day(path.days, proven.credits),
        claimed=_by_day(path.days, [one for _, claim in claims for one in claim.credits]),
        kept=_by_day(path.days, kept[PROVEN].credits),
        kept_claimed=_by_day(path.days, [one for by, _ in claims for one in kept[by].credits]),
        spent=_added(path.days, day[debits], spent_on),
        moved=_added(path.days, day[debits], np.where(_flagged(book, rows[debits], read.moved), spent_on, 0)),
        unlinked=gone,
        proven_ids=tuple(proven.ids),
        claims=tuple(
            Claim(by, len(claim.ids), sum(int(minor) for _, minor in claim.credits)) for by, claim in claims
        ),
        left_out=int(mine.loc[may_repeat, "amount_minor"].sum()),
        pending=pending,
    )


def moved_on(flags: pd.DataFrame) -> set[tuple[str, str]]:
    """Return the account and id of each transaction of which a red flag says that the money was moved on.

    Args:
        flags: The customer's rows of frame `flags`.
    """
    return {
        (str(account), str(txn))
        for row in rows(flags, "code", "account_ids", "txn_ids")
        if row.code in _MOVED_ON
        for account, txn in zip(row.account_ids, row.txn_ids, strict=True)
    }


def _about_to_leave(read: ReadTransactions, parties: OwnParties, again: Duplicates, among: Mask) -> Codes:
    """Return the pending debits among some rows, each once: that money is no longer there, unless it is about to arrive in another linked account."""
    book = read.book
    waiting = not_booked_yet(book, again)
    waiting = waiting[among[waiting]]
    into, out = waiting[book.amount[waiting] > 0], waiting[book.amount[waiting] < 0]
    if not (into.size and out.size):
        return out
    legs = []
    for each in (into, out):
        signals = read.signals(each)
        side = read_sides(book, each, signals, parties, load_lexicon())
        side.against[signals.merchant | signals.refund] = True
        legs.append((each, side))
    return out[~np.isin(out, find_waiting_transfers(book, again.maybe_account, *legs).debit)]


def _not_put_there(credits_: pd.DataFrame, days: Codes, gone: Codes) -> list[int]:
    """Return the least that is left of each credit; of savings that come back, what is more than had gone to own accounts: the rest is not new money.

    Args:
        credits_: Rows of frame `credits`.
        days: Days with a booking, since 1970-01-01.
        gone: What went to own accounts that are not linked, savings, banks and brokers on each of them, minor units.
    """
    left: list[int] = credits_["least_minor"].tolist()
    day = credits_["booked_on"].to_numpy().astype("datetime64[D]").astype(np.int64)
    before = np.concatenate([[0], np.cumsum(gone)])[np.searchsorted(days, day, side="right")]
    saved = np.flatnonzero((credits_["type"] == "savings") & (credits_["disposition"] != "own_transfer"))
    used = 0
    for place in saved[np.argsort(day[saved], kind="stable")].tolist():
        back = min(left[place], max(int(before[place]) - used, 0))
        left[place] -= back
        used += back
    return left


def _sent_back(book: Book, rows: Codes, spent: Codes, maybe: Codes, credits_: pd.DataFrame) -> Codes:
    """Return how much of each debit took money back, or may have, or was refunded: the credits do not count that money either.

    Args:
        book: Transactions.
        rows: Rows of the debits.
        spent: Their amounts, minor units.
        maybe: For each row of the book that may duplicate another one, the other row; otherwise -1.
        credits_: Rows of frame `credits` without those that may duplicate another one.
    """
    twin = {_id_of(book, one): _id_of(book, int(maybe[one])) for one in np.flatnonzero(maybe >= 0).tolist()}
    paired = credits_[credits_["pair_on"].notna()]
    taken_back = paired["returned_minor"] + paired["may_be_returned_minor"]
    minor = np.where(paired["disposition"] == "refund", paired["amount_minor"], taken_back)
    on = paired["pair_on"].to_numpy().astype("datetime64[D]").astype(np.int64)
    back: Counter[tuple[str, int]] = Counter()
    for key, one in zip(
        zip(paired["pair_txn_id"].astype(str), on.tolist(), strict=True), minor.tolist(), strict=True
    ):
        back[twin.get(key, key)] += one
    result = np.zeros(len(rows), dtype=np.int64)
    for place, row in enumerate(rows.tolist()):
        key = _id_of(book, row)
        result[place] = min(back[key], int(spent[place]))
        back[key] -= int(result[place])
    return result


def _flagged(book: Book, rows: Codes, moved: AbstractSet[tuple[str, str]]) -> npt.NDArray[np.bool_]:
    """Return of which rows a red flag says that the money was moved on."""
    keys = zip(book.account_ids[book.account[rows]].tolist(), book.txn_id[rows].tolist(), strict=True)
    return np.array([(str(account), str(txn)) in moved for account, txn in keys], dtype=np.bool_)


def _id_of(book: Book, row: int) -> tuple[str, int]:
    return str(book.txn_id[row]), int(book.day[row])


def _to_banks(signals: Signals, lexicon: Lexicon) -> npt.NDArray[np.bool_]:
    """Return which rows name a bank and nothing else: the money may be in an account there."""
    # Few of the hundreds of local savings and cooperative banks are listed, but their names show the trade.
    banks = np.array(
        [
            (one.kind == "bank" or (one.trade == "bank" and one.shown)) and not one.nature.type
            for one in signals.readings
        ],
        dtype=np.bool_,
    )
    result = pick(banks, signals.reading, missing=False)
    for column in (signals.description, signals.names):
        said = column.read(lexicon.words_of)
        other = [
            not lexicon.not_kept_by_banks.isdisjoint(_beside_trade(str(text).split(), lexicon))
            for text in said.distinct
        ]
        result &= ~pick(np.array(other, dtype=np.bool_), said.codes, missing=False)
    return np.asarray(result, dtype=np.bool_)


def _beside_trade(words: list[str], lexicon: Lexicon) -> list[str]:
    """Return words without those that show a trade: CREDIT in "CREDIT UNION" is not what the bank is paid for."""
    shown = {at for hit in lexicon.trades.marks.find(words) for at in range(hit.start, hit.end)}
    return [word for at, word in enumerate(words) if at not in shown]


def _balances(
    balances: pd.DataFrame | None, currency: str, linked: Mapping[Any, Any]
) -> list[dict[str, Any]]:
    """Return the balances in a currency; if an account may be a second link to another one, under that other account."""
    return [
        row | {"account_id": linked.get(row["account_id"], row["account_id"])}
        for row in (() if balances is None else records(balances))
        if row.get("currency") == currency
    ]


def _own_debits(account_ids: Objects, txn_ids: Objects, pairs: pd.DataFrame) -> npt.NDArray[np.bool_]:
    matched = {
        (str(row.debit_account_id), str(row.debit_txn_id))
        for row in rows(pairs, "verdict", "debit_account_id", "debit_txn_id")
        if row.verdict in {"certain", "probable"}
    }
    keys = zip(map(str, account_ids), map(str, txn_ids), strict=True)
    return np.array([key in matched for key in keys], dtype=np.bool_)


def _evidenced(credits_: pd.DataFrame, streams: pd.DataFrame) -> dict[str, _Sources]:
    """Return the sources by what supports their nature: `PROVEN`, or a key of `CLAIMED_BY`."""
    found = {by: _Sources() for by in (PROVEN, *CLAIMED_BY)}
    of_stream = {
        str(row.stream_id): found[support_of_stream(row)]
        for row in rows(streams, "stream_id", *SUPPORT_COLUMNS)
        if row.type not in NOT_EVIDENCED and row.evidence_level != "none"
    }
    in_use: set[str] = set()
    single: list[tuple[_Sources, str]] = []
    for row in rows(credits_[credits_["least_minor"] > 0], *_CREDIT_COLUMNS):
        if str(row.stream_id) in of_stream:
            in_use.add(str(row.stream_id))
            of_stream[str(row.stream_id)].credits.append((row.booked_on, row.least_minor))
        if row.disposition == "one_off" and row.type not in NOT_EVIDENCED:
            shown = found[support_of_single(row)]
            shown.credits.append((row.booked_on, row.least_minor))
            single.append((shown, f"{row.account_id}/{row.txn_id}"))
    for sources, name in (
        *((sources, stream) for stream, sources in of_stream.items() if stream in in_use),
        *single,
    ):
        sources.ids.append(name)
    return found


def _by_day(days: Codes, credits_: Sequence[tuple[pd.Timestamp, int]]) -> Codes:
    booked = np.array([day for day, _ in credits_], dtype="datetime64[D]").astype(np.int64)
    return _added(days, booked, np.array([minor for _, minor in credits_], dtype=np.int64))


def _added(days: Codes, day: Codes, amount: Codes) -> Codes:
    sums = np.zeros(len(days), dtype=np.int64)
    np.add.at(sums, np.searchsorted(days, day), amount)
    return sums
