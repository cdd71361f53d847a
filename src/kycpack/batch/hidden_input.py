"""Asking a person for text that is not shown, in a terminal or a notebook."""

from __future__ import annotations

import getpass
import warnings


def ask_hidden(prompt: str) -> str | None:
    """Ask for text and do not show it.

    Args:
        prompt: What is asked for.

    Returns:
        The text; None if nobody can answer without it being shown: a script, a scheduled job, or a notebook that papermill runs.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter(
                "error", getpass.GetPassWarning
            )  # without a terminal the text would be shown
            return getpass.getpass(prompt)  # by its module: a notebook's kernel puts its own function there
    except (EOFError, getpass.GetPassWarning, NotImplementedError):
        return None
