"""How a notebook shows an object: a title, a table, and what can be done next. All text is escaped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from inspect import signature
from typing import Any

MASK = "•••"
"""Replaces a personal value: a card is saved with the notebook, and must not contain one."""

_ONE_LINE = 48


def card(
    title: str,
    columns: Sequence[str] = (),
    rows: Iterable[Sequence[object]] = (),
    *,
    notes: Sequence[str] = (),
    following: Sequence[str] = (),
) -> str:
    """Return the HTML of a card.

    Args:
        title: What the object is, in one line.
        columns: Headings of the table; an empty heading is allowed.
        rows: Cells; None is an empty cell, numbers are right-aligned.
        notes: Sentences under the table.
        following: Code for the next step, such as `.streams`.
    """
    parts = [f"<div><strong>{escape(title)}</strong>"]
    body = "".join(f"<tr>{''.join(_cell(value) for value in row)}</tr>" for row in rows)
    if body:
        head = "".join(f'<th style="text-align:left">{escape(name)}</th>' for name in columns)
        parts.append(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")
    parts += [f"<p>{escape(note)}</p>" for note in notes]
    if following:
        parts.append(
            f"<small>Next: {', '.join(f'<code>{escape(code)}</code>' for code in following)}</small>"
        )
    return "".join(parts) + "</div>"


class MethodsCard:
    """An object whose card in a notebook lists its methods, with the arguments and first sentence of each."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(name for name, _ in self._methods())})"

    def _repr_html_(self) -> str:
        rows = [
            (
                f".{name}({', '.join(list(signature(method).parameters)[1:])})",
                _first_sentence(method),
            )
            for name, method in self._methods()
        ]
        return card(type(self).__name__, ("method", ""), rows)

    def _methods(self) -> list[tuple[str, Callable[..., Any]]]:
        found = {name: getattr(type(self), name) for name in dir(type(self)) if not name.startswith("_")}
        return [(name, method) for name, method in found.items() if callable(method)]


def parts_card(title: str, whole: object) -> str:
    """Return the card of an object whose attributes are `MethodsCard`s: the name of each, and what it is.

    Args:
        title: What the object is, in one line.
        whole: The object.
    """
    parts = {name: one for name, one in vars(whole).items() if isinstance(one, MethodsCard)}
    return card(title, ("", ""), [(f".{name}", _first_sentence(one)) for name, one in parts.items()])


def _first_sentence(documented: object) -> str:
    return (documented.__doc__ or "").partition("\n")[0]


def has_hyphens(text: str) -> bool:
    """Return whether a text is one word with hyphens, such as an id or a date, which a browser would break at the hyphens."""
    return len(text) <= _ONE_LINE and "-" in text and " " not in text


def _cell(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return f'<td style="text-align:right">{value:,}</td>'
    text = "" if value is None else str(value)
    wrap = ";white-space:nowrap" if has_hyphens(text) else ""
    return f'<td style="text-align:left{wrap}">{escape(text)}</td>'
