"""The order of streams: amounts of different currencies are not compared."""

from __future__ import annotations

import pandas as pd

from kycpack.wealth.streams.streams import largest_first


def test_streams_are_in_order_of_size_within_one_currency_only() -> None:
    streams = pd.DataFrame(
        [
            ("C1", "S-yen", "JPY", 3, 90_000_000),
            ("C1", "S-small", "GBP", 12, 100),
            ("C1", "S-large", "GBP", 12, 500),
            ("C0", "S-other", "EUR", 1, 1),
        ],
        columns=["customer_id", "stream_id", "currency", "count", "total_minor"],
    )
    ordered = largest_first(streams)
    assert ordered["stream_id"].tolist() == ["S-other", "S-large", "S-small", "S-yen"]
    assert list(ordered.columns) == list(streams.columns)
