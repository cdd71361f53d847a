"""Controls for a notebook: a picker of customer and stream, and an editor of thresholds that shows their effect."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from html import escape
from importlib import import_module
from typing import Any

import pandas as pd

from kycpack.errors import PolicyError
from kycpack.render.controls import load_widgets, make_choice, make_text, on_press
from kycpack.render.frame_display import show as show_frame
from kycpack.wealth import Wealth
from kycpack.wealth.changed_thresholds import threshold_names, what_moves, with_thresholds
from kycpack.wealth.streams.streams import largest_first


def pick_stream(wealth: Wealth, show: Callable[[str], Any], stream_id: str = "") -> Any:
    """Return a picker of customer and stream, with a display of the stream under it.

    Args:
        wealth: From `derive`.
        show: Called with the id of the picked stream; its displays and its result are shown.
        stream_id: The stream that is picked at first; empty for the first stream of the first customer.

    Raises:
        ConfigurationError: ipywidgets is not installed.
    """
    widgets = load_widgets()
    streams = largest_first(wealth.streams)
    ids = sorted(streams["customer_id"].astype(str).unique())
    if not ids:
        return widgets.HTML("There are no streams.")
    chosen = streams[streams["stream_id"] == stream_id]
    first = str(chosen["customer_id"].iloc[0]) if len(chosen) else ids[0]
    customer = make_choice("Customer", ids, first)
    stream = make_choice("Stream", ())
    message, out = widgets.HTML(), widgets.Output()

    def _show(_change: Any = None) -> None:
        named = {words: one for one, words in _streams(streams, customer.value.strip())}
        picked = named.get(stream.value.strip())
        out.clear_output(wait=True)
        message.value = "" if picked else escape(_not_there(customer.value.strip(), ids, list(named)))
        if picked is None:
            return
        with out:
            found = show(picked)
            if found is not None:
                _display(found)

    def _of_customer(_change: Any = None) -> None:
        words = [words for _, words in _streams(streams, customer.value.strip())]
        stream.options = words
        stream.value = words[0] if words else ""

    _of_customer()
    stream.value = dict(_streams(streams, first)).get(stream_id, stream.value)
    _show()
    customer.observe(_of_customer, names="value")
    stream.observe(_show, names="value")
    return widgets.VBox([customer, stream, message, out])


def _not_there(customer_id: str, customers: list[str], streams: list[str]) -> str:
    if customer_id not in customers:
        return f"There is no such customer. Customers: {', '.join(customers)}"
    return f"There is no such stream of this customer. Streams: {'; '.join(streams)}"


def edit_thresholds(wealth: Wealth) -> Any:
    """Return an editor of one threshold at a time, which shows the rows that would change. It does not change any policy.

    Args:
        wealth: From `derive`.

    Raises:
        ConfigurationError: ipywidgets is not installed.
    """
    widgets = load_widgets()
    names = threshold_names()
    name = make_choice("Threshold", names, names[0])
    value = make_text("Value")
    button = widgets.Button(description="Show what moves", layout={"width": "auto"})
    out = widgets.HTML()

    def _changed(_change: Any = None) -> None:
        threshold = name.value.strip()
        # Nothing is sent to a field: a browser would drop the text that is being typed there.
        if threshold in names:
            out.value = f"{threshold} is {_in_force(wealth, threshold)} now."
        else:
            out.value = escape(f"There is no such threshold. Thresholds: {', '.join(names)}")

    def _show() -> None:
        threshold, tried = name.value.strip(), value.value.strip()
        try:
            moved = what_moves(wealth, with_thresholds(wealth, {threshold: tried}))
        except PolicyError as error:
            out.value = escape(str(error))
            return
        rows = show_frame(moved)._repr_html_() if len(moved) else "Nothing moves."
        out.value = f"<p>With {escape(threshold)} at {escape(tried)}:</p>{rows}"

    name.observe(_changed, names="value")
    value.observe(_changed, names="value")
    on_press(button, _show)
    _changed()
    return widgets.VBox([name, value, button, out])


def _in_force(wealth: Wealth, threshold: str) -> str:
    now = getattr(wealth.thresholds, threshold)
    return format(now, "f") if isinstance(now, Decimal) else str(now)


def _display(shown: Any) -> None:
    display: Any = import_module("IPython.display").display
    display(shown)


def _streams(streams: pd.DataFrame, customer_id: str) -> list[tuple[str, str]]:
    """Return the id and the description of each stream of a customer, in the order given."""
    mine = streams[streams["customer_id"] == customer_id]
    return [
        (
            str(row["stream_id"]),
            f"{str(row['type']).replace('_', ' ')}, {row['cadence']} ({row['stream_id']})",
        )
        for row in mine.to_dict("records")
    ]
