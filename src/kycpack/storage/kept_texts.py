"""Texts in a temporary file, so that the ids of very many customers are never in memory together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kycpack.storage.paged import Paged
from kycpack.storage.scratch import Scratch


class KeptTexts(Paged[str]):
    """Texts, each once, in the order in which they were added.

    Args:
        texts: The first texts; they are taken once.

    Raises:
        ConfigurationError: There is no space for temporary files.
    """

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._kept = Scratch("CREATE TABLE texts (place INTEGER PRIMARY KEY, text TEXT UNIQUE)")
        super().__init__(0, self._page)
        self.add(texts)

    def add(self, texts: Iterable[str]) -> None:
        """Add those texts that are not there yet."""
        self._kept.write("INSERT OR IGNORE INTO texts (text) VALUES (?)", ((text,) for text in texts))
        self._count = self._kept.value("SELECT coalesce(max(place), 0) FROM texts")

    def sorted(self) -> Iterator[str]:
        """Yield the texts in the order of their characters."""
        yield from (text for (text,) in self._kept.rows("SELECT text FROM texts ORDER BY text"))

    def __repr__(self) -> str:
        return f"<{len(self):,} texts>"

    def _page(self, first: int, end: int) -> list[str]:
        rows = self._kept.rows(
            "SELECT text FROM texts WHERE place > ? AND place <= ? ORDER BY place", (first, end)
        )
        return [text for (text,) in rows]
