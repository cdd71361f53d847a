"""The linked accounts over time: balances, money in and out, and the dates of sessions, payments and bank data."""

from __future__ import annotations

from calendar import monthrange
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date, datetime
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd

from kycpack.frames import Frames
from kycpack.frames.rows import arrays_of, records, rows, values_of
from kycpack.models.dates import month_words
from kycpack.models.listed import listed
from kycpack.render.charts import PART_MONTH, Month, has_part_month, month_name
from kycpack.render.document_parts import Block, Figure, Subheading
from kycpack.render.drawing import Drawing, Label
from kycpack.render.history_charts import Balances, Event, chart_balances, chart_flows, chart_timeline
from kycpack.render.origin import Given, Origins, calculated, value_of
from kycpack.render.review.accounts import booking_days
from kycpack.render.review.coverage import TWICE_INCLUDED, by_count
from kycpack.render.review.short_names import ShortNames
from kycpack.render.wording import is_absent

PartMonths = Mapping[str, frozenset[Month]]
"""Months that the data covers only in part, by currency."""
_ACCOUNTS = 6
_SESSION_EVENTS = (
    ("created_at", "{} created"),
    ("identity_completed_at", "{} identity step finished"),
    ("ais_completed_at", "{} bank access given"),
)


def part_months(transactions: pd.DataFrame, as_of: datetime) -> dict[str, frozenset[Month]]:
    """Return the months of each currency that the transactions of an account may cover only in part: they begin after its first day or end before its last one, or it is that of the review."""
    seen: dict[tuple[str, str], list[date]] = {}
    currencies, accounts, days = arrays_of(transactions, ("currency", "account_id", "booked_on"))
    dates = np.asarray(days).astype("datetime64[D]").tolist()
    for currency, account, day in zip(values_of(currencies), values_of(accounts), dates, strict=True):
        if day is not None:
            seen.setdefault((str(currency), str(account)), []).append(day)
    found: dict[str, set[Month]] = {}
    for (currency, _), mine in seen.items():
        found.setdefault(currency, set()).update(_part_months(min(mine), max(mine), as_of))
    return {currency: frozenset(months) for currency, months in found.items()}


def _part_months(first: date, last: date, as_of: datetime) -> Iterator[Month]:
    if first.day > 1:
        yield first.year, first.month
    is_of_review = (last.year, last.month) == (as_of.year, as_of.month)
    if is_of_review or last.day < monthrange(last.year, last.month)[1]:
        yield last.year, last.month


def part_month_note(*drawings: Drawing, part_months: Collection[Month] = (), most: int | None = None) -> str:
    """Return what the star of a month means, after a space, and the part months without a star; empty where there is neither.

    Args:
        drawings: Charts by month, whose axes have no room for the names of all months.
        part_months: Months that the data covers only in part.
        most: How many of those without a star there is room to name; None for all.
    """
    names = {mark.text for one in drawings for mark in one.marks if isinstance(mark, Label)}
    others = [month_words(*one) for one in sorted(part_months) if f"{month_name(one)}*" not in names]
    others = others if most is None or len(others) <= most else ["others"]
    if any(map(has_part_month, drawings)):
        return f" {PART_MONTH}{f'; also {listed(others)}' if others else ''}."
    return f" {PART_MONTH.removeprefix('* ')}: {listed(others)}." if others else ""


def movement_blocks(
    frames: Frames,
    names: ShortNames,
    part_months: PartMonths = MappingProxyType({}),
    twice: Collection[str] = (),
    base_currency: str | None = None,
) -> Iterator[Block]:
    """Yield the charts of balances and of money in and out, one of each per currency.

    Args:
        frames: Frames of one customer.
        names: Short names of the accounts.
        part_months: Months that the data covers only in part, by currency.
        twice: The currencies in which transactions may be counted twice.
        base_currency: The currency that comes first.
    """
    names_of_columns = (
        "status",
        "currency",
        "account_id",
        "booked_on",
        "amount_minor",
        "balance_after_minor",
    )
    booked: dict[str, list[Any]] = {}
    for row in rows(frames.transactions, *names_of_columns):
        if str(row.status) == "booked":
            booked.setdefault(str(row.currency), []).append(row)
    for currency in by_count({one: len(mine) for one, mine in booked.items()}, base_currency):
        mine = booked[currency]
        balances = list(_balances(mine, names))
        if balances:
            yield Subheading(f"Balance over time, {currency}")
            yield Figure(
                chart_balances(balances[:_ACCOUNTS], currency),
                "As given by the bank, at the end of each week.",
                _days(currency),
            )
        yield Subheading(f"Money in and out by month, {currency}")
        flows = [
            sums_by_month(
                (row.booked_on, abs(row.amount_minor)) for row in mine if sign * row.amount_minor > 0
            )
            for sign in (1, -1)
        ]
        in_part = part_months.get(currency, frozenset())
        flows_drawn = chart_flows(flows[0], flows[1], currency, part_months=in_part)
        again = TWICE_INCLUDED if currency in twice else ""
        caption = f"All booked transactions, own transfers included.{again}{part_month_note(flows_drawn, part_months=in_part)}"
        sums = tuple(
            calculated(
                "sum", "transactions", "amount_minor", currency=currency, status="booked", amount_minor=sign
            )
            for sign in (">0", "<0")
        )
        origins = (*sums, value_of("transactions", "booked_on", currency=currency, status="booked"))
        yield Figure(flows_drawn, caption, origins)


def timeline_blocks(frames: Frames, names: ShortNames, as_of: datetime) -> Iterator[Block]:
    """Yield the timeline of sessions, bank data and payments up to the date of the review."""
    events = sorted(_events(frames, names), key=lambda event: event.first)
    if events:
        yield Subheading("Timeline of sessions, payments and bank data")
        day = as_of.date()
        origins = (
            value_of("sessions", *(column for column, _ in _SESSION_EVENTS)),
            value_of("payments", "created_at"),
            value_of("transactions", "booked_on"),
            Given("date of the review"),
        )
        yield Figure(chart_timeline([*events, Event("This review", day, day)]), origins=origins)


def _balances(booked: Iterable[Any], names: ShortNames) -> Iterator[Balances]:
    by_account: dict[str, dict[date, int]] = {}
    for row in sorted(booked, key=lambda row: row.booked_on):
        if not is_absent(row.balance_after_minor):
            by_account.setdefault(str(row.account_id), {})[row.booked_on.date()] = int(
                row.balance_after_minor
            )
    named = [Balances(names.of(account), balances) for account, balances in sorted(by_account.items())]
    # A2 comes before A10, as in the list of short names.
    yield from sorted(named, key=lambda one: (len(one.name), one.name))


def sums_by_month(bookings: Iterable[tuple[date, int]]) -> dict[Month, int]:
    """Return the sums of amounts by the month in which they were booked.

    Args:
        bookings: Booking dates, each with an amount in minor units.
    """
    sums: Counter[Month] = Counter()
    for day, minor in bookings:
        sums[day.year, day.month] += minor
    return dict(sums)


def _events(frames: Frames, names: ShortNames) -> Iterator[Event]:
    for row in records(frames.sessions, "session_id", *(column for column, _ in _SESSION_EVENTS)):
        for column, words in _SESSION_EVENTS:
            if not is_absent(row[column]):
                yield _on(words.format(names.of(row["session_id"])), row[column])
    for row in records(frames.payments, "payment_id", "created_at"):
        if not is_absent(row["created_at"]):
            yield _on(f"{names.of(row['payment_id'])} payment created", row["created_at"])
    booked = {names.of(account): days for account, days in booking_days(frames.transactions).items()}
    for name, days in sorted(booked.items(), key=lambda one: (len(one[0]), one[0])):
        yield Event(f"{name} transactions seen", min(days), max(days))


def _on(name: str, instant: Any) -> Event:
    day: date = instant.date()
    return Event(name, day, day)


def _days(currency: str) -> Origins:
    rows = {"currency": currency, "status": "booked"}
    return tuple(calculated(operation, "transactions", "booked_on", **rows) for operation in ("min", "max"))
