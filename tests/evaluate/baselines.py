"""What simple rules reach on the same data: the peers that a figure is to be read beside."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd

_GAPS = {
    "weekly": 7.0,
    "fortnightly": 14.0,
    "semi_monthly": 15.2,
    "four_weekly": 28.0,
    "monthly": 30.44,
    "quarterly": 91.3,
    "semi_annual": 182.6,
    "annual": 365.25,
}
_FEWEST = 3


def median_gap(transactions: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Take one payer's credits for a stream when their gaps are steady: the median gap names the cadence, and the median absolute
    deviation is at most a fifth of it.
    """
    return _streams(transactions, ["payer"], lambda gaps: _deviation(gaps) <= 0.2 * float(np.median(gaps)))


def identical_amount(transactions: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Take at least three credits of one payer and of an identical amount for a stream, as simple published rules do."""
    return _streams(transactions, ["payer", "amount_minor"], lambda _: True)


def same_payer(transactions: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Take at least three credits of one payer for a stream."""
    return _streams(transactions, ["payer"], lambda _: True)


BASELINES: Mapping[str, Callable[[pd.DataFrame], tuple[pd.DataFrame, pd.DataFrame]]] = {
    "median gap and MAD": median_gap,
    "three of one payer and amount": identical_amount,
    "three of one payer": same_payer,
}
"""Each gives credits and streams in the columns that `measure` reads."""


def nearest_cadence(days: np.ndarray) -> str:
    """Return the class whose usual gap is nearest to the median gap of sorted days."""
    gap = float(np.median(np.diff(days)))
    return min(_GAPS, key=lambda name: abs(_GAPS[name] - gap) / _GAPS[name])


def _deviation(gaps: np.ndarray) -> float:
    return float(np.median(np.abs(gaps - np.median(gaps))))


def _streams(
    transactions: pd.DataFrame, by: list[str], accept: Callable[[np.ndarray], bool]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    status = transactions["status"].fillna("booked")
    credits_ = transactions[(status == "booked") & (transactions["amount_minor"] > 0)].copy()
    name = credits_["counterparty_name"].fillna(credits_["description_raw"])
    credits_["payer"] = name.str.lower().str.replace(r"\S*\d\S*", "", regex=True).str.split().str.join(" ")
    credits_["stream_id"] = None
    credits_["disposition"], credits_["type"] = "unexplained", "other"
    found = []
    for number, (_, rows) in enumerate(credits_.groupby(["customer_id", "currency", *by], sort=True)):
        days = np.unique(rows["booked_on"].to_numpy().astype("datetime64[D]").astype(np.int64))
        if len(days) < _FEWEST or not accept(np.diff(days)):
            continue
        stream_id = f"B{number}"
        credits_.loc[rows.index, ["stream_id", "disposition"]] = [stream_id, "stream"]
        found.append(
            {"stream_id": stream_id, "cadence": nearest_cadence(days), "type": "other", "ambiguous": False}
        )
    return credits_, pd.DataFrame(found, columns=["stream_id", "cadence", "type", "ambiguous"])
