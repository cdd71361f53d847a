from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pandas as pd
import pyarrow as pa
import pytest

from kycpack.frames.plain_table import plain_table


def test_times_are_as_arrow_gives_them() -> None:
    local = pd.to_datetime(pd.Series(["2026-01-31 12:00:01", None, "1969-12-31 00:00:00"])).astype(
        "datetime64[s]"
    )
    frame = pd.DataFrame({"on": local, "at": local.dt.tz_localize("UTC")})
    for of in (frame, frame.iloc[:0]):
        table = plain_table(of)
        assert dict(table.items()) == table.arrow.to_pydict()
        assert list(map(type, table["on"])) == list(map(type, table.arrow["on"].to_pylist()))


@pytest.mark.parametrize("zone", [None, "UTC", "Europe/London"])
@pytest.mark.parametrize("unit", ["s", "us"])
def test_times_keep_unit_and_zone(unit: str, zone: str | None) -> None:
    moment = datetime(2026, 1, 31, 12, 0, 1, tzinfo=None if zone is None else ZoneInfo(zone))
    frame = pd.DataFrame({"at": pd.Series([moment, None]).dt.as_unit(unit)})
    assert (
        plain_table(frame)
        .arrow.column("at")
        .equals(pa.chunked_array([[moment, None]], pa.timestamp(unit, zone)))
    )
