"""The calendar of a stream: its expected days beside its payments."""

from __future__ import annotations

import numpy as np
import pandas as pd

from kycpack.errors import InputError
from kycpack.wealth.result import Wealth
from kycpack.wealth.streams.cadence import classify_cadences, slot_calendar
from kycpack.wealth.streams.calendars import Days

_BESIDE_DAYS = 3


def stream_calendar(wealth: Wealth, stream_id: str) -> pd.DataFrame:
    """Return the expected days of a stream beside the payments, for a calendar.

    Args:
        wealth: A derivation.
        stream_id: Id of the stream.

    Returns:
        expected_on, booked_on, amount_minor, kind: `paid` (a payment on its day or within three days of it), `missing` (an expected day without one),
        `beside` (a payment without an expected day), by date. An irregular stream has payments only; before a change of
        calendar the expected days are those of the earlier calendar.

    Raises:
        InputError: No stream has this id.
    """
    found = np.flatnonzero((wealth.streams["stream_id"] == stream_id).to_numpy())
    if not found.size:
        raise InputError("no such stream", place="stream_id")
    payments = wealth.credits[wealth.credits["stream_id"] == stream_id].sort_values(
        ["booked_on", "amount_minor"], kind="stable"
    )
    days = payments["booked_on"].to_numpy().astype("datetime64[D]").astype(np.int64)
    changed = wealth.streams["calendar_changed_on"].iloc[int(found[0])]
    slots = _slots(wealth, int(found[0]), days, None if pd.isna(changed) else _day_number(changed))
    rows: list[tuple[int | None, int | None, int | None, str]] = []
    filled: set[int] = set()
    for day, amount in zip(days.tolist(), payments["amount_minor"].tolist(), strict=True):
        near = [slot for slot in slots.tolist() if abs(slot - day) <= _BESIDE_DAYS and slot not in filled]
        slot = min(near, key=lambda slot: (abs(slot - day), slot), default=None)
        if slot is not None:
            filled.add(slot)
        rows.append((slot, day, amount, "beside" if slot is None else "paid"))
    rows += [(slot, None, None, "missing") for slot in slots.tolist() if slot not in filled]
    rows.sort(key=lambda row: (row[0] or row[1] or 0, row[1] or 0))
    return pd.DataFrame(
        {
            "expected_on": [pd.NaT if row[0] is None else pd.Timestamp(row[0], unit="D") for row in rows],
            "booked_on": [pd.NaT if row[1] is None else pd.Timestamp(row[1], unit="D") for row in rows],
            "amount_minor": pd.array([row[2] for row in rows], dtype="Int64"),
            "kind": [row[3] for row in rows],
        }
    ).astype({"expected_on": "datetime64[s]", "booked_on": "datetime64[s]", "kind": "string"})


def expected_after(
    wealth: Wealth, stream_id: str, start: pd.Timestamp, end: pd.Timestamp
) -> list[pd.Timestamp]:
    """Return the expected days of a ceased stream within a time in which its first missing payment was expected; none for another stream.

    Args:
        wealth: A derivation.
        stream_id: Id of the stream.
        start: The day before that time.
        end: The day after it.
    """
    index = int(np.flatnonzero((wealth.streams["stream_id"] == stream_id).to_numpy())[0])
    stream = wealth.streams.iloc[index]
    if stream["status"] != "ceased" or pd.isna(stream["next_on"]) or not start < stream["next_on"] < end:
        return []
    first, last = _day_number(stream["next_on"]), _day_number(end) - 1
    slots = slot_calendar(wealth.cadences, index, wealth.country, first, last)
    return [pd.Timestamp(day, unit="D") for day in slots.tolist()]


def _slots(wealth: Wealth, index: int, days: Days, changed: int | None) -> Days:
    """Return the expected days of a stream; before a change of its calendar, those of the earlier calendar."""
    first, last = int(days.min()) - _BESIDE_DAYS, int(days.max()) + _BESIDE_DAYS
    slots = slot_calendar(wealth.cadences, index, wealth.country, first, last)
    if changed is None:
        return slots
    before = days[days < changed]
    earlier = classify_cadences(np.zeros_like(before), before, 1, wealth.country)
    old = slot_calendar(earlier, 0, wealth.country, first, changed - 1)
    return np.concatenate([old[old <= before.max() + _BESIDE_DAYS], slots[slots >= changed - _BESIDE_DAYS]])


def _day_number(moment: pd.Timestamp) -> int:
    return int(moment.to_datetime64().astype("datetime64[D]").astype(np.int64))
