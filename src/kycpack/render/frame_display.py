"""A frame in a form for reading in a notebook: text left-aligned, amounts in major units, shares in percent."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from typing import Any

import numpy as np
import pandas as pd

from kycpack.errors import InputError
from kycpack.models.arguments import require
from kycpack.models.cards import has_hyphens
from kycpack.models.dates import instant_words
from kycpack.models.money import format_minor, known_currency
from kycpack.render.wording import is_absent

_MINOR = "_minor"
_SHARE = "_share"
_LONG = (
    40  # characters: from this length on, a text gets a wide column, so that ids beside it do not squeeze it
)
_CELL = "text-align:{side};vertical-align:top;white-space:{wrap};min-width:{least};max-width:40em"


@dataclass(frozen=True, slots=True, repr=False)
class FrameDisplay:
    """A table for a notebook; the frame itself is not changed.

    Attributes:
        columns: Headings.
        rows: Cells as text, in the order of the columns.
        numbers: Headings of the right-aligned columns.
        left_out: Number of rows that are not shown.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[str]
    left_out: int = 0

    def __repr__(self) -> str:
        shown = pd.DataFrame(list(self.rows), columns=list(self.columns)).to_string(index=False)
        return "\n".join(part for part in (shown if self.rows else "No rows.", self._more()) if part)

    def _repr_html_(self) -> str:
        if not self.rows:
            return "<p>No rows.</p>"
        head = "".join(
            f'<th style="text-align:{self._side(name)}">{escape(name)}</th>' for name in self.columns
        )
        body = "".join(
            "<tr>"
            + "".join(self._cell(name, text) for name, text in zip(self.columns, row, strict=True))
            + "</tr>"
            for row in self.rows
        )
        more = f"<p>{escape(self._more())}</p>" if self.left_out else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"

    def _side(self, name: str) -> str:
        return "right" if name in self.numbers else "left"

    def _cell(self, name: str, text: str) -> str:
        style = _CELL.format(
            side=self._side(name),
            wrap="nowrap" if has_hyphens(text) else "normal",
            least="16em" if len(text) > _LONG else "0",
        )
        return f'<td style="{style}">{escape(text)}</td>'

    def _more(self) -> str:
        return f"{self.left_out:,} more rows are not shown." if self.left_out else ""


def show(frame: pd.DataFrame, columns: Sequence[str] | None = None, rows: int | None = None) -> FrameDisplay:
    """Show a frame for reading: amounts in major units, shares in percent, unknown values as a dash.

    The output stays in the notebook, including names. For calculations, use the frame itself.

    Args:
        frame: Any frame of kycpack. Amounts (`..._minor`) are whole minor units; with a column `currency` they are shown
            in major units, and without it unchanged.
        columns: The columns to show, in this order; None for all.
        rows: Maximum number of rows to show; None for all.

    Returns:
        A table for a notebook.

    Raises:
        InputError: The frame does not have one of the columns.
        TypeError: The argument is not a DataFrame.
    """
    require("frame", frame, pd.DataFrame, "a DataFrame")
    names = list(frame.columns) if columns is None else list(columns)
    if missing := [name for name in names if name not in frame.columns]:
        raise InputError(
            f"the frame has no column {', '.join(map(repr, missing))}; it has: {', '.join(map(str, frame.columns))}",
            place="columns",
        )
    part = frame if rows is None else frame.head(rows)
    currencies = part["currency"].astype("string") if "currency" in part.columns else None
    records = part.to_dict("records")
    short = [_heading(str(name), in_major=currencies is not None) for name in names]
    headings = tuple(
        one if short.count(one) == 1 else str(name) for one, name in zip(short, names, strict=True)
    )
    cells = tuple(tuple(_text(str(name), record, record[name]) for name in names) for record in records)
    numbers = frozenset(
        heading
        for name, heading in zip(names, headings, strict=True)
        if pd.api.types.is_numeric_dtype(frame[name]) and not pd.api.types.is_bool_dtype(frame[name])
    )
    return FrameDisplay(headings, cells, numbers, len(frame) - len(part))


def _heading(name: str, *, in_major: bool) -> str:
    return (name.removesuffix(_MINOR) if in_major else name).removesuffix(_SHARE if name != "share" else "")


def _text(name: str, record: Mapping[Hashable, Any], value: Any) -> str:
    if isinstance(value, list | tuple | set | frozenset | np.ndarray):
        return ", ".join(map(str, value))
    if is_absent(value):
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return _number(name, record, value)
    return _when(pd.Timestamp(value)) if isinstance(value, datetime) else str(value)


def _number(name: str, record: Mapping[Hashable, Any], value: float) -> str:
    if name == "share" or name.endswith(_SHARE):
        return f"{value:.1%}"
    if name.endswith(_MINOR):
        return _amount(int(value), record["currency"]) if "currency" in record else f"{int(value):,}"
    return f"{value:,}" if isinstance(value, int) else f"{value:.3g}"


def _amount(minor: int, currency: Any) -> str:
    code = "" if is_absent(currency) else str(currency)
    if known_currency(code):
        return format_minor(minor, code)
    return f"{minor:,} minor units of {code or 'an unknown currency'}"


def _when(value: pd.Timestamp) -> str:
    return value.date().isoformat() if value.tzinfo is None else instant_words(value.to_pydatetime())
