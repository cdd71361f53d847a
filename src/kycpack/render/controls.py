"""Controls of a notebook: text fields with suggestions, and buttons that act on the fields.

Tab reaches each control, and Space presses a button. There is no drop-down list, because JupyterLab takes its arrow keys and
letters as shortcuts. A field sends its text when it loses focus.
The controls need ipywidgets, which comes with the extra `lab`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from kycpack.errors import ConfigurationError


def load_widgets() -> Any:
    """Return ipywidgets.

    Raises:
        ConfigurationError: ipywidgets is not installed.
    """
    try:
        return import_module("ipywidgets")
    except ImportError:
        raise ConfigurationError("the controls need ipywidgets: pip install 'kycpack[lab]'") from None


def make_choice(label: str, options: Sequence[str], value: str = "", hint: str = "") -> Any:
    """Return a text field with suggestions; other text may be typed, so its value has to be checked.

    Args:
        label: Label beside the field.
        options: The suggestions.
        value: Initial text.
        hint: Text shown in an empty field; the options if empty.
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
        label: Label beside the field.
        hint: Text shown in an empty field.
    """
    return load_widgets().Text(placeholder=hint, continuous_update=False, **_labelled(label))


def make_textarea(label: str, hint: str = "") -> Any:
    """Return a text field of five lines.

    Args:
        label: Label beside the field.
        hint: Text shown in an empty field.
    """
    return load_widgets().Textarea(placeholder=hint, rows=5, continuous_update=False, **_labelled(label))


def on_press(button: Any, act: Callable[[], None]) -> None:
    """Act when a button is pressed, once all text typed before has arrived.

    A browser holds back text typed into a field while the kernel is busy with an earlier text of that field, but it sends a press at
    once. So a number is sent to the browser and back, and the text held back is sent before the number returns. This is done twice,
    because a kernel with subshells may handle two messages that arrive together in either order.

    Args:
        button: The button.
        act: Called when the button is pressed; presses during a pending one count as one.
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
