"""Debits that are large enough to matter to red flags, with the party they went to."""

from __future__ import annotations

import numpy as np
import pandas as pd

from kycpack.wealth.judge.dispositions import below
from kycpack.wealth.prepare.intake import Book, Mask, to_datetimes
from kycpack.wealth.prepare.lexicon import Lexicon
from kycpack.wealth.prepare.payers import party_keys
from kycpack.wealth.thresholds import Thresholds


def large_debits(
    book: Book, counted: Mask, pairs: pd.DataFrame, limits: Thresholds, lexicon: Lexicon
) -> pd.DataFrame:
    """Return debits, own transfers left out.

    Args:
        book: Transactions.
        counted: Rows that are booked, count, and repeat no other one.
        pairs: Own transfers, as of `match_own_transfers`.
        limits: Thresholds; the party is looked up only where a round trip could be.
        lexicon: Words that do not name a party.

    Returns:
        customer_id, account_id, txn_id, booked_on, amount_minor (plus), currency, party, merchant, evidence_id.
    """
    debit = counted & (book.amount < 0)
    debit[pairs.loc[pairs["verdict"].isin(["certain", "probable"]), "debit"].to_numpy()] = False
    rows = np.flatnonzero(debit)
    rows = rows[~below(book, rows, limits.smallest_flow, sign=-1)]
    merchant = np.zeros(len(rows), dtype=np.bool_)
    for name in ("merchant_name", "mcc"):
        if name in book.columns:
            merchant |= book.columns[name].codes[rows] >= 0
    party = np.full(len(rows), "", dtype=object)
    smallest = limits.round_trip_amount * (1 - limits.round_trip_spread)
    large = ~below(book, rows, smallest, sign=-1) & ~merchant
    party[large] = party_keys(book, rows[large], lexicon)
    none = np.full(len(rows), None, dtype=object)
    frame = pd.DataFrame(
        {
            "customer_id": book.customer.texts(rows),
            "account_id": book.account_ids[book.account[rows]],
            "txn_id": book.txn_id[rows],
            "booked_on": to_datetimes(book.day[rows]),
            "amount_minor": -book.amount[rows],
            "currency": book.currency.texts(rows),
            "party": party,
            "merchant": merchant,
            "evidence_id": none if book.evidence_id is None else book.evidence_id.texts(rows),
        }
    )
    texts = dict.fromkeys(
        ("customer_id", "account_id", "txn_id", "currency", "party", "evidence_id"), "string"
    )
    return (
        frame.astype(texts)
        .sort_values(["customer_id", "account_id", "booked_on", "txn_id"], kind="stable")
        .reset_index(drop=True)
    )
