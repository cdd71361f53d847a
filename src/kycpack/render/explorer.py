"""Controls for a notebook: a picker of customer and stream, and an editor of thresholds that shows what moves.

All of them are text fields, with suggestions where there is a choice, and buttons: Tab reaches each, and Space presses a button.
JupyterLab takes the arrow keys and letters of a drop-down list for its own shortcuts, so there is none.
They need ipywidgets, which comes with the extra `lab`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from html import escape
from importlib import import_module
from typing import Any

import pandas as pd

from kycpack.errors import ConfigurationError, PolicyError
from kycpack.render.frame_display import show as show_frame
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
    customer = _choice("Customer", ids, first)
    stream = _choice("Stream", (), "")
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
    """Return an editor of one threshold at a time, with what would move under it. No policy is changed by it.

    Args:
        wealth: From `derive`.

    Raises:
        ConfigurationError: ipywidgets is not installed.
    """
    widgets = _widgets()
    names = threshold_names()
    name = _choice("Threshold", names, names[0])
    value = widgets.Text(**_labelled("Value"))
    button = widgets.Button(description="Show what moves", layout={"width": "auto"})
    out = widgets.HTML()

    def _current(_change: Any = None) -> None:
        out.value = ""
        if name.value.strip() not in names:
            out.value = escape(f"There is no such threshold. Thresholds: {', '.join(names)}")
            return
        now = getattr(wealth.thresholds, name.value.strip())
        value.value = format(now, "f") if isinstance(now, Decimal) else str(now)

    def _show(_button: Any) -> None:
        threshold, tried = name.value.strip(), value.value.strip()
        try:
            moved = what_moves(wealth, with_thresholds(wealth, {threshold: tried}))
        except PolicyError as error:
            out.value = escape(str(error))
            return
        rows = show_frame(moved)._repr_html_() if len(moved) else "Nothing moves."
        out.value = f"<p>With {escape(threshold)} at {escape(tried)}:</p>{rows}"

    name.observe(_current, names="value")
    button.on_click(_show)
    _current()
    return widgets.VBox([name, value, button, out])


def _display(shown: Any) -> None:
    display: Any = import_module("IPython.display").display
    display(shown)


def _widgets() -> Any:
    try:
        return import_module("ipywidgets")
    except ImportError:
        raise ConfigurationError("the controls need ipywidgets: pip install 'kycpack[lab]'") from None


def _streams(streams: pd.DataFrame, customer_id: str) -> list[tuple[str, str]]:
    """Return id and words of each stream of a customer, the largest first."""
    mine = streams[streams["customer_id"] == customer_id]
    return [
        (
            str(row["stream_id"]),
            f"{str(row['type']).replace('_', ' ')}, {row['cadence']} ({row['stream_id']})",
        )
        for row in mine.to_dict("records")
    ]


def _choice(label: str, options: Sequence[str], value: str) -> Any:
    return _widgets().Combobox(
        options=list(options),
        value=value,
        placeholder=", ".join(options),
        continuous_update=False,
        **_labelled(label),
    )


def _labelled(label: str) -> dict[str, Any]:
    return {"description": label, "style": {"description_width": "8em"}, "layout": {"width": "60%"}}
