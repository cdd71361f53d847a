"""Controls of a notebook: text fields with suggestions, and buttons that act on what stands in the fields.

Tab reaches each of them, and Space presses a button. JupyterLab takes the arrow keys and letters of a drop-down list for its own
shortcuts, so there is none. A field sends what was typed when it is left.
They need ipywidgets, which comes with the extra `lab`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from kycpack.errors import ConfigurationError


def load_widgets() -> Any:
    """Return ipywidgets.

    Raises:
        ConfigurationError: It is not installed.
    """
    try:
        return import_module("ipywidgets")
    except ImportError:
        raise ConfigurationError("the controls need ipywidgets: pip install 'kycpack[lab]'") from None


def make_choice(label: str, options: Sequence[str], value: str = "", hint: str = "") -> Any:
    """Return a text field that suggests something; other text may be typed, so whoever reads it has to check it.

    Args:
        label: What stands beside it.
        options: What is suggested.
        value: What it holds at first.
        hint: What an empty field shows; the options when empty.
    """
    return load_widgets().Combobox(
        options=list(options),
        value=value,
        placeholder=hint or ", ".join(options),
        continuous_update=False,
        **_labelled(label),
    )


def make_text(label: str, hint: str = "") -> Any:
    """Return a text field of one line.

    Args:
        label: What stands beside it.
        hint: What an empty field shows.
    """
    return load_widgets().Text(placeholder=hint, continuous_update=False, **_labelled(label))


def make_textarea(label: str, hint: str = "") -> Any:
    """Return a text field of five lines.

    Args:
        label: What stands beside it.
        hint: What an empty field shows.
    """
    return load_widgets().Textarea(placeholder=hint, rows=5, continuous_update=False, **_labelled(label))


def on_press(button: Any, act: Callable[[], None]) -> None:
    """Act at a press of a button, when all that was typed before it has arrived.

    A browser keeps back what is typed into a field while the kernel is busy with an earlier text of that field, but it sends a press at
    once. So a number goes to the browser and back, and what was kept back is on its way before it. It goes twice, because a kernel
    with subshells may handle two messages that arrive together in either order.

    Args:
        button: The button.
        act: What a press does; presses while one is on its way count as one.
    """
    widgets = load_widgets()
    there, back = widgets.IntText(), widgets.IntText()
    widgets.jsdlink((there, "value"), (back, "value"))

    def _ask(_button: Any) -> None:
        there.value = there.value // 2 * 2 + 1

    def _answered(change: Any) -> None:
        if change["new"] % 2:
            there.value = change["new"] + 1
        else:
            act()

    button.on_click(_ask)
    back.observe(_answered, names="value")


def _labelled(label: str) -> dict[str, Any]:
    return {"description": label, "style": {"description_width": "14em"}, "layout": {"width": "95%"}}
