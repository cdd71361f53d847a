"""Credits without what was taken back: the amounts that page one, the statement and the means for a payment count.

The coverage ledger keeps the amounts as booked, so that it adds up to all booked credits.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pandas as pd

from kycpack.frames.rows import records, rows
from kycpack.wealth.judge.coverage import nature_of_credits, natures_of
from kycpack.wealth.judge.sufficiency import Means
from kycpack.wealth.prepare.coded import Codes, pick
from kycpack.wealth.prepare.intake import Book, to_datetimes


def with_net_amounts(credits_: pd.DataFrame, book: Book, debit: Codes) -> pd.DataFrame:
    """Return credits with `least_minor`, `most_minor` and `pair_on`.

    Args:
        credits_: Frame `credits` without these columns.
        book: Transactions.
        debit: Row of the debit that matches each of them; -1 if there is none.
    """
    most = credits_["amount_minor"] - credits_["returned_minor"]
    return credits_.assign(
        least_minor=most - credits_["may_be_twice_minor"] - credits_["may_be_returned_minor"],
        most_minor=most,
        pair_on=np.where(debit >= 0, to_datetimes(pick(book.day, debit, 0)), np.datetime64("NaT", "s")),
    )


def net_nature_of_credits(credits_: pd.DataFrame, streams: pd.DataFrame) -> pd.DataFrame:
    """Return how much of one customer's credits is of known nature, without what was taken back.

    Args:
        credits_: The customer's rows of frame `credits`.
        streams: The customer's rows of frame `streams`.

    Returns:
        The rows of `nature_of_credits` with the totals and shares of the net amounts; the share is NA where nothing is left. Credits of a pack
        that an earlier version made have no net amounts, and are counted as booked.
    """
    found = nature_of_credits(credits_, streams)
    if "most_minor" not in credits_.columns:
        return found
    sums: Counter[tuple[str, str, str]] = Counter()
    for row, (nature, level) in zip(
        rows(credits_, "currency", "disposition", "most_minor"), natures_of(credits_, streams), strict=True
    ):
        if row.disposition != "own_transfer":
            sums[row.currency, nature, level] += row.most_minor
    totals = [sums[row["currency"], row["nature"], row["evidence_level"]] for row in records(found)]
    net = found.assign(total_minor=totals)
    whole = net.groupby("currency")["total_minor"].transform("sum")
    return net.assign(share=(net["total_minor"] / whole.where(whole > 0)).astype("Float64"))


def least_credits(credits_: pd.DataFrame) -> pd.DataFrame:
    """Return credits with their amounts without what was, or may have been, taken back."""
    less = credits_["returned_minor"] + credits_["may_be_returned_minor"]
    return credits_.assign(amount_minor=credits_["amount_minor"] - less)


def without_returns(means: Means | None, credits_: pd.DataFrame) -> Means | None:
    """Return means in which a debit is not spending as far as it took money back, or may have, or was refunded: the credit does not count that money either.

    Args:
        means: From the credits of `least_credits`.
        credits_: The customer's rows of frame `credits` in the same currency.
    """
    paired = credits_[credits_["pair_on"].notna()]
    if means is None or paired.empty:
        return means
    spent = means.spent.copy()
    days = paired["pair_on"].to_numpy().astype("datetime64[D]").astype(np.int64)
    taken_back = (paired["returned_minor"] + paired["may_be_returned_minor"]).to_numpy()
    minor = np.where(paired["disposition"] == "refund", paired["amount_minor"], taken_back)
    seen = np.isin(days, means.path.days)
    np.subtract.at(spent, np.searchsorted(means.path.days, days[seen]), minor[seen])
    return replace(means, spent=np.maximum(spent, 0))
