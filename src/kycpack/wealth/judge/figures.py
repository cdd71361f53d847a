"""The data for the figures: credits by month, a stream's calendar, balances, and the ledger as steps."""

from __future__ import annotations

import numpy as np
import pandas as pd

from kycpack.errors import InputError
from kycpack.wealth.judge.coverage import DISPOSITIONS
from kycpack.wealth.result import Wealth
from kycpack.wealth.streams.cadence import classify_cadences, slot_calendar
from kycpack.wealth.streams.calendars import Days

OUTSIDE = "no stream"
_NO_MONEY_IN = ("own_transfer", "refund")
_BESIDE_DAYS = 3


def credits_by_month(wealth: Wealth, customer_id: str, currency: str) -> pd.DataFrame:
    """Return credits by month and stream, for stacked bars.

    Args:
        wealth: A derivation.
        customer_id: Customer id.
        currency: ISO 4217 code; amounts in other currencies are left out.

    Returns:
        Minor units; one row per month from the first to the last, one column per stream (its id), the largest first, and `no stream`. Own transfers
        and refunds are left out.
    """
    mine = wealth.of(wealth.credits, customer_id)
    mine = mine[(mine["currency"] == currency) & ~mine["disposition"].isin(_NO_MONEY_IN)]
    if mine.empty:
        return pd.DataFrame(
            columns=[OUTSIDE], index=pd.PeriodIndex([], freq="M", name="month"), dtype="int64"
        )
    month = mine["booked_on"].dt.to_period("M").rename("month")
    stream = mine["stream_id"].fillna(OUTSIDE).astype(object)
    table = mine.groupby([month, stream])["amount_minor"].sum().unstack(fill_value=0)  # noqa: PD010 - sums of a two-level index
    every = pd.period_range(month.min(), month.max(), freq="M", name="month")
    sums = table.sum().to_dict()
    ordered = sorted(
        (name for name in sums if name != OUTSIDE), key=lambda name: (-int(sums[name]), str(name))
    )
    return table.reindex(index=every, columns=[*ordered, OUTSIDE], fill_value=0).astype("int64")


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
        ["booked_on", "txn_id"], kind="stable"
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


def balance_by_day(transactions: pd.DataFrame, customer_id: str, currency: str) -> pd.DataFrame:
    """Return what each account held at the end of each day with a booking, according to the bank.

    Args:
        transactions: The normal form with `balance_after_minor`.
        customer_id: Customer id.
        currency: ISO 4217 code; amounts in other currencies are left out.

    Returns:
        booked_on and one column per account, minor units, carried forward; empty if the bank gave no balances.
    """
    mine = transactions[(transactions["customer_id"] == customer_id) & (transactions["currency"] == currency)]
    if "balance_after_minor" not in mine.columns:
        mine = mine.assign(balance_after_minor=pd.array([pd.NA] * len(mine), dtype="Int64"))
    known = mine[mine["balance_after_minor"].notna()]
    last = known.groupby(["booked_on", "account_id"], observed=True)["balance_after_minor"].last().unstack()  # noqa: PD010 - as above
    return last.astype("Int64").ffill().reset_index()


def ledger_steps(wealth: Wealth, customer_id: str, currency: str) -> pd.DataFrame:
    """Return the coverage ledger as steps from zero to all credits, for a waterfall chart.

    Args:
        wealth: A derivation.
        customer_id: Customer id.
        currency: ISO 4217 code; amounts in other currencies are left out.

    Returns:
        disposition, from_minor, to_minor, count, and a last row `all`.
    """
    mine = wealth.of(wealth.coverage, customer_id)
    mine = mine[(mine["currency"] == currency) & mine["disposition"].isin(DISPOSITIONS)]
    ends = mine["total_minor"].cumsum()
    whole = int(mine["total_minor"].sum())
    steps = pd.DataFrame(
        {
            "disposition": mine["disposition"].astype(object),
            "from_minor": ends - mine["total_minor"],
            "to_minor": ends,
            "count": mine["count"],
        }
    )
    total = pd.DataFrame(
        {"disposition": ["all"], "from_minor": [0], "to_minor": [whole], "count": [int(mine["count"].sum())]}
    )
    return pd.concat([steps, total], ignore_index=True).astype({"disposition": "string"})
