"""The explanation of a stream, as text that a notebook shows in paragraphs."""

from __future__ import annotations

from html import escape


class Explanation(str):
    """One sentence per line; a notebook shows each line as a paragraph that does not break within an amount."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return "".join(
            f'<p style="margin:0 0 .4em;max-width:60em">{escape(line)}</p>' for line in self.splitlines()
        )
