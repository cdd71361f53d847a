"""What a customer has to pay with, from the transactions of one currency and what was derived from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from kycpack.frames.rows import records
from kycpack.wealth.judge.balance_path import balance_path
from kycpack.wealth.judge.statement import NEVER_PRIMARY
from kycpack.wealth.judge.sufficiency import Means
from kycpack.wealth.match.own_accounts import has_own_number
from kycpack.wealth.prepare.duplicates import find_duplicates
from kycpack.wealth.prepare.intake import Book, Codes
from kycpack.wealth.prepare.lexicon import load_lexicon
from kycpack.wealth.prepare.signals import Signals, read_signals


@dataclass(frozen=True, eq=False)
class ReadTransactions:
    """A customer's transactions as they were taken in, and what their texts say.

    Args:
        book: The transactions.
        said: What was read of every one of them; None where it has to be read when it is asked for.
    """

    book: Book
    said: Signals | None = None

    def signals(self, rows: Codes) -> Signals:
        """Return what the texts of some rows say."""
        return read_signals(self.book, rows, load_lexicon()) if self.said is None else self.said.of(rows)


_NOT_EVIDENCED = NEVER_PRIMARY | {"gift"}
_BALANCE = "balance_after_minor"
_PROOF = ("code", "entity")


def means_of(
    read: ReadTransactions,
    transactions: pd.DataFrame,
    credits_: pd.DataFrame,
    streams: pd.DataFrame,
    pairs: pd.DataFrame,
    accounts: pd.DataFrame | None,
    balances: pd.DataFrame | None,
    currency: str,
) -> Means | None:
    """Return a customer's means in one currency, None where no booked transaction is in it.

    Args:
        read: The customer's transactions as they were taken in.
        transactions: The same rows as they were given.
        credits_: The customer's rows of frame `credits`.
        streams: The customer's rows of frame `streams`.
        pairs: The customer's rows of frame `pairs`.
        accounts: Frame `accounts`.
        balances: The customer's rows of frame `balances`.
        currency: ISO 4217.
    """
    book = read.book
    counted = book.counted & ~find_duplicates(book).repeated
    rows = np.flatnonzero(counted & (book.currency.distinct[book.currency.codes] == currency))
    if not rows.size:
        return None
    after = (
        transactions[_BALANCE].astype(object).to_numpy()[rows]
        if _BALANCE in transactions.columns
        else np.full(len(rows), None, dtype=object)
    )
    bookings = pd.DataFrame(
        {
            "account_id": book.account_ids[book.account[rows]],
            "txn_id": book.txn_id[rows],
            "day": book.day[rows],
            "amount": book.amount[rows],
            "balance": after,
        }
    )
    mine = [] if balances is None else records(balances)
    path = balance_path(bookings, [row for row in mine if row.get("currency") == currency])
    debits = np.flatnonzero(bookings["amount"].to_numpy() < 0)
    own = _own_debits(bookings.iloc[debits], pairs)
    spent = np.where(own, 0, -bookings["amount"].to_numpy()[debits])
    signals = read.signals(rows[debits])
    to_own = signals.own_transfer | has_own_number(book, rows[debits], signals.own_transfer, accounts)
    unlinked = np.where(to_own & ~signals.merchant, spent, 0)
    proven_ids, claimed_ids, proven, claimed = _evidenced(credits_[credits_["currency"] == currency], streams)
    return Means(
        path=path,
        proven=_by_day(path.days, proven),
        claimed=_by_day(path.days, claimed),
        spent=_added(path.days, bookings["day"].to_numpy()[debits], spent),
        unlinked=_added(path.days, bookings["day"].to_numpy()[debits], unlinked),
        proven_ids=proven_ids,
        claimed_ids=claimed_ids,
    )


def _own_debits(debits: pd.DataFrame, pairs: pd.DataFrame) -> np.ndarray[Any, np.dtype[np.bool_]]:
    sure = pairs[pairs["verdict"].isin(["certain", "probable"])]
    matched = set(zip(sure["debit_account_id"].astype(str), sure["debit_txn_id"].astype(str), strict=True))
    keys = zip(debits["account_id"].astype(str), debits["txn_id"].astype(str), strict=True)
    return np.array([key in matched for key in keys], dtype=np.bool_)


def _evidenced(
    credits_: pd.DataFrame, streams: pd.DataFrame
) -> tuple[tuple[str, ...], tuple[str, ...], pd.DataFrame, pd.DataFrame]:
    """Return the ids of proven and of claimed sources, and the credits of each."""
    eligible = streams[~streams["type"].isin(_NOT_EVIDENCED) & (streams["evidence_level"] != "none")]
    sure = eligible["type_confidence"].isin(["medium", "high"]) & (eligible["cadence"] != "irregular")
    sure |= eligible["type_confidence"] == "high"
    single = credits_[(credits_["disposition"] == "one_off") & ~credits_["type"].isin(_NOT_EVIDENCED)]
    shown = single["evidence_level"].isin(_PROOF) & ~single["doubtful"]
    proven_streams = set(eligible.loc[sure, "stream_id"].astype(str))
    claimed_streams = set(eligible.loc[~sure, "stream_id"].astype(str))
    stream = credits_["stream_id"].astype(object)
    proven, claimed = credits_[stream.isin(proven_streams)], credits_[stream.isin(claimed_streams)]
    names = single["account_id"].astype(str) + "/" + single["txn_id"].astype(str)
    return (
        (*_in_use(streams, proven), *names[shown]),
        (*_in_use(streams, claimed), *names[~shown]),
        pd.concat([proven, single[shown]]),
        pd.concat([claimed, single[~shown]]),
    )


def _in_use(streams: pd.DataFrame, credits_: pd.DataFrame) -> list[str]:
    used = set(credits_["stream_id"].astype(str))
    return [one for one in streams["stream_id"].astype(str) if one in used]


def _by_day(days: Codes, credits_: pd.DataFrame) -> Codes:
    booked = credits_["booked_on"].to_numpy().astype("datetime64[D]").astype(np.int64)
    return _added(days, booked, credits_["amount_minor"].to_numpy(dtype=np.int64))


def _added(days: Codes, day: Codes, amount: Codes) -> Codes:
    sums = np.zeros(len(days), dtype=np.int64)
    np.add.at(sums, np.searchsorted(days, day), amount)
    return sums
