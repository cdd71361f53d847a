"""Controls for a notebook: a picker of customer and stream, and an editor of thresholds that shows what moves.

They need ipywidgets, which comes with the extra `lab`.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from html import escape
from importlib import import_module
from typing import Any

import pandas as pd

from kycpack.errors import ConfigurationError, PolicyError
from kycpack.wealth import Wealth
from kycpack.wealth.changed_thresholds import threshold_names, what_moves, with_thresholds


def pick_stream(wealth: Wealth, show: Callable[[str], Any], stream_id: str = "") -> Any:
    """Return a picker of customer and stream, with what is shown of the stream under it.

    Args:
        wealth: From `derive`.
        show: Called with the id of the stream that was picked; what it displays or returns is shown.
        stream_id: The stream that is picked at first; the largest of the first customer when empty.

    Raises:
        ConfigurationError: ipywidgets is not installed.
    """
    widgets = _widgets()
    streams = wealth.streams.sort_values("total_minor", ascending=False, kind="stable")
    ids = sorted(streams["customer_id"].astype(str).unique())
    if not ids:
        return widgets.HTML("There are no streams.")
    chosen = streams[streams["stream_id"] == stream_id]
    first = str(chosen["customer_id"].iloc[0]) if len(chosen) else ids[0]
    customer = widgets.Dropdown(options=ids, value=first, description="Customer")
    stream = widgets.Dropdown(options=_streams(streams, first), description="Stream")
    if len(chosen):
        stream.value = stream_id
    out = widgets.Output()

    def _show(_change: Any = None) -> None:
        out.clear_output(wait=True)
        with out:
            found = show(stream.value)
            if found is not None:
                _display(found)

    def _of_customer(change: Any) -> None:
        stream.options = _streams(streams, change["new"])

    customer.observe(_of_customer, names="value")
    stream.observe(_show, names="value")
    _show()
    return widgets.VBox([customer, stream, out])


def edit_thresholds(wealth: Wealth) -> Any:
    """Return an editor of one threshold at a time, with what would move under it. No policy is changed by it.

    Args:
        wealth: From `derive`.

    Raises:
        ConfigurationError: ipywidgets is not installed.
    """
    widgets = _widgets()
    name = widgets.Dropdown(options=threshold_names(), description="Threshold")
    value = widgets.Text(description="Value")
    button = widgets.Button(description="Show what moves")
    out = widgets.HTML()

    def _current(_change: Any = None) -> None:
        now = getattr(wealth.thresholds, name.value)
        value.value = format(now, "f") if isinstance(now, Decimal) else str(now)

    def _show(_button: Any) -> None:
        try:
            moved = what_moves(wealth, with_thresholds(wealth, {name.value: value.value}))
        except PolicyError as error:
            out.value = escape(str(error))
            return
        out.value = _table(moved) if len(moved) else "Nothing moves."

    name.observe(_current, names="value")
    button.on_click(_show)
    _current()
    return widgets.VBox([widgets.HBox([name, value, button]), out])


def _display(shown: Any) -> None:
    display: Any = import_module("IPython.display").display
    display(shown)


def _widgets() -> Any:
    try:
        return import_module("ipywidgets")
    except ImportError:
        raise ConfigurationError("the controls need ipywidgets: pip install 'kycpack[lab]'") from None


def _streams(streams: pd.DataFrame, customer_id: str) -> list[tuple[str, str]]:
    mine = streams[streams["customer_id"] == customer_id]
    return [
        (
            f"{str(row['type']).replace('_', ' ')}, {row['cadence']} ({row['stream_id']})",
            str(row["stream_id"]),
        )
        for row in mine.to_dict("records")
    ]


def _table(frame: pd.DataFrame) -> str:
    return frame.to_html(index=False, escape=True)
