"""The coverage ledger: how much of all booked credits each disposition explains, to the last minor unit."""

from __future__ import annotations

import numpy as np
import pandas as pd

DISPOSITIONS = ("stream", "own_transfer", "refund", "one_off", "small_other", "unexplained")
SET_ASIDE = ("duplicate", "pending")

EXPLAINED = ("stream", "own_transfer", "refund", "one_off")
"""Dispositions that say what a credit is."""

_KEY = ["customer_id", "currency", "disposition"]


def coverage_of(credits_: pd.DataFrame, set_aside: pd.DataFrame) -> pd.DataFrame:
    """Return the ledger.

    Args:
        credits_: Frame `credits`.
        set_aside: Credits set aside as `duplicate` or `pending`.

    Returns:
        customer_id, currency, disposition, count, total_minor, share: a row for each disposition of each customer and currency, those
        without credits included, and a row for each kind of set-aside that there is. Shares are of all credits that are not set
        aside; those set aside have none. The dispositions and `duplicate` add up to all booked credits of the input.
    """
    counted = _sums(credits_)
    owners = counted[["customer_id", "currency"]].drop_duplicates()
    full = owners.merge(pd.DataFrame({"disposition": list(DISPOSITIONS)}), how="cross")
    ledger = full.merge(counted, on=_KEY, how="left")
    ledger[["count", "total_minor"]] = ledger[["count", "total_minor"]].fillna(0).astype("int64")
    whole = ledger.groupby(["customer_id", "currency"])["total_minor"].transform("sum").to_numpy()
    ledger["share"] = pd.array(ledger["total_minor"].to_numpy() / np.maximum(whole, 1), dtype="Float64")
    aside = _sums(set_aside)
    aside["share"] = pd.array([pd.NA] * len(aside), dtype="Float64")
    joined = pd.concat([ledger, aside], ignore_index=True) if len(aside) else ledger
    rank = joined["disposition"].map({name: index for index, name in enumerate((*DISPOSITIONS, *SET_ASIDE))})
    joined = joined.assign(rank=rank).sort_values(["customer_id", "currency", "rank"], kind="stable")
    return joined.drop(columns="rank").reset_index(drop=True)


def explained_share(coverage: pd.DataFrame, customer_id: str, currency: str) -> float | None:
    """Return the share of a customer's credits in one currency that is explained, 0..1; None without credits."""
    mine = coverage[(coverage["customer_id"] == customer_id) & (coverage["currency"] == currency)]
    mine = mine[mine["disposition"].isin(DISPOSITIONS)]
    whole = int(mine["total_minor"].sum())
    if not whole:
        return None
    return int(mine.loc[mine["disposition"].isin(EXPLAINED), "total_minor"].sum()) / whole


def _sums(credits_: pd.DataFrame) -> pd.DataFrame:
    sums = credits_.groupby(_KEY, sort=True, observed=True)["amount_minor"].agg(["size", "sum"]).reset_index()
    sums = sums.rename(columns={"size": "count", "sum": "total_minor"})
    return sums.astype(
        {
            "customer_id": "str",
            "currency": "str",
            "disposition": "str",
            "count": "int64",
            "total_minor": "int64",
        }
    )
