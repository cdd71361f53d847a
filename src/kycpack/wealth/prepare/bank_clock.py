"""Times on the bank's clock."""

from __future__ import annotations

from typing import Any

import pandas as pd

from kycpack.wealth.prepare.coded import Mask


def bank_local(wall: pd.Series[Any], in_utc: Mask, zone: str | None) -> pd.Series[Any]:
    """Return times on the bank's clock: a time in UTC other than midnight is an instant to convert, midnight is a date."""
    if zone is None or not in_utc.any():
        return wall
    instant = in_utc & wall.notna().to_numpy() & (wall != wall.dt.normalize()).to_numpy()
    local: pd.Series[Any] = wall.dt.tz_localize("UTC").dt.tz_convert(zone).dt.tz_localize(None)
    return wall.where(~instant, local)
