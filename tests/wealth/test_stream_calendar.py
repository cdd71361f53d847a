from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.errors import InputError
from kycpack.wealth import derive
from kycpack.wealth.judge.stream_calendar import stream_calendar

Ledger = Callable[..., pd.DataFrame]
AS_OF = "2025-12-31"
PAY = [
    (f"2025-{day}", 200_000, "ACME LTD SALARY")
    for day in ("01-31", "02-28", "04-30", "05-30", "06-30", "07-31")
]


def test_a_calendar_shows_what_was_paid_and_what_is_missing(ledger: Ledger) -> None:
    wealth = derive(ledger(*PAY), as_of=AS_OF)
    days = stream_calendar(wealth, wealth.streams["stream_id"].iloc[0])
    assert days["kind"].tolist() == ["paid", "paid", "missing", "paid", "paid", "paid", "paid"]
    assert str(days["expected_on"].iloc[2].date()) == "2025-03-31"
    with pytest.raises(InputError, match="stream"):
        stream_calendar(wealth, "S-none")
