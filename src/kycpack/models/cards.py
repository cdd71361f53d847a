"""What a notebook shows of an object: a title, a table, and what can be done next. Everything in it is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

MASK = "•••"
"""Stands for a value that is personal: a card is stored with the notebook, and must not carry it there."""


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
        title: What the object is, in a line.
        columns: Headings of the table; an empty heading is allowed.
        rows: Cells; None is an empty cell, numbers stand on the right.
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


def _cell(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return f'<td style="text-align:right">{value:,}</td>'
    return f'<td style="text-align:left">{"" if value is None else escape(str(value))}</td>'
