"""Why a stream is one, as text that a notebook shows in paragraphs."""

from __future__ import annotations

from html import escape


class Explanation(str):
    """Sentences, one on each line; a notebook shows each as a paragraph, which does not break within an amount."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return "".join(
            f'<p style="margin:0 0 .4em;max-width:60em">{escape(line)}</p>' for line in self.splitlines()
        )
