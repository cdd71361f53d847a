"""Plots for a notebook, which a reader can understand without code.

They are drawings on a white background, so they look the same in the light and the dark theme. No information depends on
colour alone: fills differ in lightness, and marks in shape. Amounts are in major units. Streams and accounts are labelled by
kind and id without names, because a notebook keeps its output.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd

from kycpack.errors import InputError
from kycpack.folders import write_file
from kycpack.frames import Frames
from kycpack.models.arguments import require
from kycpack.models.instants import read_as_of
from kycpack.models.listed import counted
from kycpack.render.charts import (
    WIDTH,
    Days,
    Month,
    Series,
    chart_months,
    month_name,
)
from kycpack.render.document_parts import Figure
from kycpack.render.drawing import Box, Dot, Drawing, Label, Line, Mark, render_svg
from kycpack.render.history_charts import Balances, Event, chart_balances, chart_flows, chart_timeline
from kycpack.render.html_sections import figure_markup
from kycpack.render.palette import HAIRLINE, INK, MUTED, NAVY, UNEXPLAINED_FILL
from kycpack.render.review.coverage import TWICE_INCLUDED
from kycpack.render.review.credit_series import credit_series
from kycpack.render.review.movements import part_month_note, part_months, sums_by_month
from kycpack.render.wording import is_absent
from kycpack.wealth import Wealth
from kycpack.wealth.judge.stream_calendar import stream_calendar
from kycpack.wealth.judge.wording import type_words
from kycpack.wealth.match.own_transfers import OWN_TRANSFERS
from kycpack.wealth.streams.streams import largest_first

_STREAMS = 6
_CALENDARS = 12
_ACCOUNTS = 6
_ID = 6  # characters of a stream's id: enough to distinguish one customer's streams, and short enough for a legend
_SHORT_ID = 8
_LEFT = 58.0
_LEFT_OF_LONG_NAMES = 88.0
_SHORT_NAME = 30  # characters
_SAFE = 0.85  # a browser may have to use a wider font than the one that the text was measured with
_ROW = 5.6
_NO_INCOME = ("own_transfer", "refund")


@dataclass(frozen=True, slots=True)
class Plot:
    """Drawings for a notebook.

    Attributes:
        title: Title.
        drawings: The drawings, from top to bottom.
        caption: How to read the drawings.
    """

    title: str
    drawings: tuple[Drawing, ...]
    caption: str = ""

    def __repr__(self) -> str:
        words = "; ".join(drawing.words for drawing in self.drawings)
        return f"{self.title}: {words or 'nothing to show'}"

    def save(self, path: Path | str) -> tuple[Path, ...]:
        """Write the drawings as SVG files, for a page or a report.

        Args:
            path: File for the first drawing; the second is `NAME-2.svg` beside it, and so on. Existing files are replaced.

        Returns:
            The paths of the files.

        Raises:
            InputError: The plot has no drawing.
            OSError: A file cannot be written.
        """
        first = Path(path)
        if not self.drawings:
            raise InputError("the plot has nothing to show", place=str(path))
        files = [
            first,
            *(first.with_stem(f"{first.stem}-{number}") for number in range(2, len(self.drawings) + 1)),
        ]
        for file, drawing in zip(files, self.drawings, strict=True):
            write_file(file, render_svg(drawing).encode())
        return tuple(files)

    def _repr_html_(self) -> str:
        # As images: for a notebook from elsewhere, JupyterLab would show only the words of a drawing in the page.
        figures = "".join(
            f"<div style='margin:6px 0'>{figure_markup(Figure(drawing))}</div>" for drawing in self.drawings
        )
        body = figures or "<p>Nothing to show.</p>"
        return (
            '<div style="background:#fff;color:#1c2430;padding:10px 14px;max-width:900px">'
            f"<strong>{escape(self.title)}</strong>{body}<small>{escape(self.caption)}</small></div>"
        )


def plot_credits(
    wealth: Wealth, customer_id: str | None = None, currency: str | None = None, *, of_type: str | None = None
) -> Plot:
    """Plot credits by month and source, without own transfers and refunds.

    Args:
        wealth: From `derive`.
        customer_id: Customer id; may be left out if there is only one customer.
        currency: ISO 4217 code; None for the currency with the most credits.
        of_type: Only credits of this type, such as `employment`.

    Raises:
        InputError: There are several customers and none is given, or there are no credits of this type.
    """
    require("wealth", wealth, Wealth, "Wealth, as `derive` returns it")
    mine, currency = _credits(wealth, customer_id, currency)
    mine = mine[~mine["disposition"].isin(_NO_INCOME)]
    title = "Credits by month and source"
    if of_type is not None:
        types = sorted(mine["type"].astype(str).unique())
        if of_type not in types:
            raise InputError(
                f"no credits of this type; there are {', '.join(types) or 'no credits'}", place="of_type"
            )
        mine, title = mine[mine["type"] == of_type], f"{title}: {type_words(of_type)}"
    twice = TWICE_INCLUDED if mine["may_be_twice_minor"].any() else ""
    series = credit_series(mine, wealth.streams, _stream_words, _STREAMS - 1)
    drawings = (
        (chart_months(series, currency, part_months=_in_part(wealth, mine, currency)),) if series else ()
    )
    return Plot(
        _titled(title, currency),
        drawings,
        f"Own transfers, refunds and what was taken back are left out.{twice}{part_month_note(*drawings)}",
    )


@dataclass(frozen=True, slots=True)
class Calendar:
    """The days of one stream: payments seen when due, due but missing, and seen without being due."""

    name: str
    seen: tuple[date, ...]
    missing: tuple[date, ...]
    beside: tuple[date, ...]


def plot_streams(wealth: Wealth, customer_id: str | None = None) -> Plot:
    """Plot streams as a calendar: expected and seen, expected and missing, seen without being expected.

    Args:
        wealth: From `derive`.
        customer_id: Customer id; may be left out if there is only one customer.

    Raises:
        InputError: There are several customers and none is given.
    """
    require("wealth", wealth, Wealth, "Wealth, as `derive` returns it")
    streams = wealth.of(wealth.streams, _only(wealth.credits, customer_id))
    streams = largest_first(streams)
    rows = []
    for stream in streams.head(_CALENDARS).to_dict("records"):
        calendar = stream_calendar(wealth, str(stream["stream_id"]))
        when = calendar["booked_on"].fillna(calendar["expected_on"]).dt.date
        days = {
            kind: tuple(when[(calendar["kind"] == kind).to_numpy()]) for kind in ("paid", "missing", "beside")
        }
        rows.append(Calendar(_stream_words(stream), days["paid"], days["missing"], days["beside"]))
    caption = "Filled: expected and seen. Ring: expected and missing. Upright line: seen, not expected."
    left_out = len(streams) - len(rows)
    more = f" Not shown: {counted(left_out, 'more stream')}." if left_out else ""
    return Plot("Streams as a calendar", (_draw_calendars(rows),) if rows else (), caption + more)


def plot_balance(
    transactions: pd.DataFrame,
    customer_id: str | None = None,
    currency: str | None = None,
    *,
    as_of: date | datetime | str | None = None,
) -> Plot:
    """Plot the balance of each account, with cash in and out by month below it.

    Args:
        transactions: Frame `transactions`.
        customer_id: Customer id; may be left out if there is only one customer.
        currency: ISO 4217 code; None for the currency with the most transactions.
        as_of: The day of the review; None for the last day of the data.

    Raises:
        InputError: There are several customers and none is given.
    """
    require("transactions", transactions, pd.DataFrame, "a DataFrame, as in `flatten(evidence).transactions`")
    mine = transactions[transactions["customer_id"] == _only(transactions, customer_id)]
    mine = mine[mine["status"].astype("string") == "booked"]
    currency = currency or _most(mine["currency"])
    mine = mine[mine["currency"] == currency]
    known = mine[mine["balance_after_minor"].notna()].sort_values("booked_on", kind="stable")
    short = _short_ids(known["account_id"])
    accounts = [
        Balances(short[str(account)], dict(zip(rows["booked_on"].dt.date, rows["balance_after_minor"].astype(int), strict=True)))
        for account, rows in known.groupby(known["account_id"].astype("string"), sort=True)
    ]  # fmt: skip
    drawings = [chart_balances(accounts[:_ACCOUNTS], currency)] if accounts else []
    flows = [_by_month(mine[sign * mine["amount_minor"] > 0]) for sign in (1, -1)]
    if any(flows):
        until = mine["booked_on"].max() if as_of is None else read_as_of(as_of)
        starred = part_months(mine, until).get(currency, frozenset())
        drawings.append(chart_flows(flows[0], flows[1], currency, part_months=starred))
    said = "Balances are the bank's." if accounts else "The bank gave no balances."
    if len(accounts) > _ACCOUNTS:
        said += f" Not shown: {counted(len(accounts) - _ACCOUNTS, 'more account')}."
    return Plot(
        _titled("Balance, and cash in and out", currency),
        tuple(drawings),
        f"{said} Own transfers are included.{part_month_note(*drawings)}",
    )


def plot_own_transfers(wealth: Wealth, customer_id: str | None = None, currency: str | None = None) -> Plot:
    """Plot the transfers between a customer's own accounts, by direction and month.

    Args:
        wealth: From `derive`.
        customer_id: Customer id; may be left out if there is only one customer.
        currency: ISO 4217 code; None for the currency with the most credits.

    Raises:
        InputError: There are several customers and none is given.
    """
    require("wealth", wealth, Wealth, "Wealth, as `derive` returns it")
    credits_, currency = _credits(wealth, customer_id, currency)
    mine = wealth.pairs[wealth.pairs["customer_id"].isin(credits_["customer_id"].unique())]
    mine = mine[(mine["currency"] == currency) & mine["verdict"].isin(OWN_TRANSFERS)]
    short = _short_ids(pd.concat([mine["debit_account_id"], mine["credit_account_id"]]))
    route = mine["debit_account_id"].map(short) + " to " + mine["credit_account_id"].map(short)
    rows = mine.rename(columns={"credit_on": "booked_on"})
    order = rows.groupby(route)["amount_minor"].sum().sort_values(ascending=False, kind="stable").index
    series = [Series(str(name), _by_month(rows[route == name])) for name in order[:_STREAMS]]
    caption = "Certain and probable transfers, by the day on which the money arrived."
    if len(order) > _STREAMS:
        caption += f" Not shown: {counted(len(order) - _STREAMS, 'more direction')}."
    words = f"Transfers between own accounts by month in {currency}, {counted(len(rows), 'transfer')}, stacked by direction"
    starred = _in_part(wealth, credits_, currency)
    drawings = (replace(chart_months(series, currency, part_months=starred), words=words),) if series else ()
    return Plot(_titled("Between own accounts", currency), drawings, f"{caption}{part_month_note(*drawings)}")


def plot_timeline(frames: Frames, as_of: date | datetime | str, customer_id: str | None = None) -> Plot:
    """Plot the timeline of sessions, bank access, payments and bank data.

    Args:
        frames: From `flatten`.
        as_of: The instant of the review.
        customer_id: Customer id; may be left out if there is only one customer.

    Raises:
        InputError: There are several customers and none is given.
    """
    require("frames", frames, Frames, "Frames, as `flatten` returns them")
    customer = _only(frames.customers, customer_id)
    events = sorted(_events(frames, customer), key=lambda event: (event.first, event.name))
    day = read_as_of(as_of).date()
    drawn = chart_timeline([*events, Event("as of", day, day)])
    return Plot(
        "Timeline of sessions, payments and bank data",
        (drawn,),
        "Bank data: from the first to the last transaction.",
    )


def plot_counts(title: str, counts: Sequence[tuple[str, int]], caption: str = "") -> Plot:
    """Plot the number of customers of each kind.

    Args:
        title: Title.
        counts: Label and number of each kind, in the order in which they are shown.
        caption: How to read the plot.
    """
    return Plot(title, (_draw_counts(counts),) if counts else (), caption)


def _credits(wealth: Wealth, customer_id: str | None, currency: str | None) -> tuple[pd.DataFrame, str]:
    mine = wealth.of(wealth.credits, _only(wealth.credits, customer_id))
    currency = _most(mine["currency"]) if currency is None else currency
    return mine[mine["currency"] == currency], currency


def _titled(title: str, currency: str) -> str:
    return f"{title}, {currency}" if currency else title


def _only(frame: pd.DataFrame, customer_id: str | None) -> str:
    if customer_id is not None:
        return customer_id
    found = frame["customer_id"].unique()
    if len(found) > 1:
        raise InputError(f"there are {len(found)} customers: give the id of one", place="customer_id")
    return str(found[0]) if len(found) else ""


def _most(values: pd.Series[Any]) -> str:
    counts = values.astype("string").value_counts()
    return "" if counts.empty else str(counts.index[0])


def _stream_words(row: Mapping[Any, Any]) -> str:
    kind, rhythm = str(row["type"]).replace("_", " "), str(row["cadence"]).replace("_", "-")
    return f"{kind}, {rhythm} ({str(row['stream_id'])[:_ID]})"


def _short_ids(ids: pd.Series[Any]) -> dict[str, str]:
    """Return the shortest unique beginning of each id, because a legend has no room for a whole UUID."""
    whole = sorted(set(ids.dropna().astype(str)))
    longest = max(map(len, whole), default=0)
    enough = next(
        (size for size in range(_SHORT_ID, longest) if len({one[:size] for one in whole}) == len(whole)),
        longest,
    )
    return {one: one[:enough] for one in whole}


def _events(frames: Frames, customer: str) -> Iterator[Event]:
    for frame, key, columns in (
        (frames.sessions, "session_id", {"created_at": "ordered", "identity_completed_at": "identity step finished", "ais_completed_at": "bank access given"}),
        (frames.payments, "payment_id", {"created_at": "payment created"}),
    ):  # fmt: skip
        theirs = frame[frame["customer_id"] == customer]
        short = _short_ids(theirs[key])
        for row in theirs.to_dict("records"):
            for column, words in columns.items():
                if not is_absent(row[column]):
                    day = row[column].date()
                    yield Event(f"{words} ({short[str(row[key])]})", day, day)
    mine = frames.transactions[frames.transactions["customer_id"] == customer]
    short = _short_ids(mine["account_id"])
    for account, days in mine["booked_on"].groupby(mine["account_id"].astype("string")):
        yield Event(f"bank data ({short[str(account)]})", days.min().date(), days.max().date())


def _draw_calendars(rows: Sequence[Calendar]) -> Drawing:
    seen = (day for row in rows for day in (*row.seen, *row.missing, *row.beside))
    days = Days.over(seen, _LEFT + 2.0, WIDTH - _LEFT - 4.0)
    foot = 2.0 + len(rows) * _ROW
    marks: list[Mark] = []
    every = max(1, -(-len(days.months) // 10))
    for place, start in enumerate(days.months):
        if start >= days.first:
            x = days.x(start)
            marks.append(Line(x, 1.0, x, foot, HAIRLINE, 0.12))
            if place % every == 0 and x < WIDTH - 8.0:
                marks.append(Label(x, foot + 3.0, month_name((start.year, start.month)), 6.0, "left", MUTED))
    for index, row in enumerate(rows):
        y = 2.0 + (index + 0.5) * _ROW
        marks.append(Label(_LEFT - 2.0, y + 0.9, row.name, 6.4, "right", INK, room=_SAFE * (_LEFT - 3.0)))
        marks += [Dot(days.x(day), y, 0.8, NAVY) for day in row.seen]
        marks += [Dot(days.x(day), y, 1.3, UNEXPLAINED_FILL, hollow=True) for day in row.missing]
        marks += [Line(x, y - 1.7, x, y + 1.7, INK, 0.45) for x in map(days.x, row.beside)]
    missing_days = sum(len(row.missing) for row in rows)
    words = f"{counted(len(rows), 'stream')} from {days.first} to {days.last}: {sum(len(row.seen) for row in rows)} expected payments seen, {missing_days} missing"
    return Drawing(WIDTH, foot + 4.5, tuple(marks), words)


def _draw_counts(counts: Sequence[tuple[str, int]]) -> Drawing:
    left = _LEFT if max(len(name) for name, _ in counts) <= _SHORT_NAME else _LEFT_OF_LONG_NAMES
    most, room = max(1, *(count for _, count in counts)), WIDTH - left - 14.0
    marks: list[Mark] = []
    for index, (name, count) in enumerate(counts):
        y = 1.0 + index * _ROW
        marks.append(Label(left - 2.0, y + 3.0, name, 7.0, "right", INK, room=_SAFE * (left - 3.0)))
        marks.append(Box(left, y, max(room * count / most, 0.2), _ROW - 1.8, NAVY))
        marks.append(Label(left + room * count / most + 1.5, y + 3.0, f"{count:,}", 7.0, colour=MUTED))
    words = ", ".join(f"{name} {count}" for name, count in counts)
    return Drawing(WIDTH, 2.0 + len(counts) * _ROW, tuple(marks), words)


def _in_part(wealth: Wealth, credits_: pd.DataFrame, currency: str) -> frozenset[Month]:
    """Return the months that the data of the credits' customer covers only in part, in one currency."""
    mine = wealth.transactions[wealth.transactions["customer_id"].isin(credits_["customer_id"].unique())]
    mine = mine.assign(booked_on=pd.to_datetime(mine["booked_on"]))  # `derive` takes text too
    return part_months(mine, read_as_of(wealth.generated_at)).get(currency, frozenset())


def _by_month(rows: pd.DataFrame) -> dict[tuple[int, int], int]:
    return sums_by_month(zip(rows["booked_on"].tolist(), rows["amount_minor"].abs().tolist(), strict=True))
