"""The order in which streams are shown: amounts are compared only within one currency."""

from __future__ import annotations

import pandas as pd


def largest_first(streams: pd.DataFrame) -> pd.DataFrame:
    """Return streams by customer and currency, the largest first in each; the currency with the most credits comes first.

    Args:
        streams: Rows of frame `streams`.
    """
    credits_ = streams.groupby(["customer_id", "currency"], observed=True)["count"].transform("sum")
    return (
        streams.assign(credits_in_currency=credits_)
        .sort_values(
            ["customer_id", "credits_in_currency", "currency", "total_minor", "stream_id"],
            ascending=[True, False, True, False, True],
            kind="stable",
        )
        .drop(columns="credits_in_currency")
    )
