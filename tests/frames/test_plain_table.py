from __future__ import annotations

import pandas as pd

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
