"""The progress of a command: done, failed, rate and time left."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

from kycpack.cli.terminal import say, visible

_SUMMARY_SECONDS = 30.0
_RECENT = 100  # pieces whose rate says when the rest will be done
_FEWEST = 5  # pieces before that is said: the first ones also load the programs

Result = Literal["done", "failed", "incomplete"]


class Tally:
    """Counts pieces of work.

    Args:
        total: The number of pieces.
        now: A monotonic clock, in seconds.
    """

    def __init__(self, total: int, now: Callable[[], float] = time.monotonic) -> None:
        self.total = total
        self.done = 0
        self._worked = 0
        self._now = now
        self._began = now()
        self._recent = deque([self._began], maxlen=_RECENT + 1)
        self._open: dict[str, Result] = {}

    def skip(self, count: int) -> None:
        """Count pieces that an earlier run finished; they do not affect the rate."""
        self.done += count

    def add(self, name: str, result: Result) -> None:
        """Count a piece; one that is repeated, after a failure or after the last piece, counts once, with its last result.

        Args:
            name: The piece.
            result: How it ended.
        """
        if self._open.pop(name, None) is None and self.done < self.total:
            self.done += 1
            self._worked += 1
            self._recent.append(self._now())
        if result != "done":
            self._open[name] = result

    def figures(self, *, ended: bool = False) -> str:
        """Return pieces done, failed and incomplete, pieces per minute and the time left, in at most 72 characters.

        Rate and time left are those of the last pieces; once the work has ended, the rate is that of all of them.

        Args:
            ended: Whether the work here has ended, so that no time left is shown; another coordinator may have done the rest.
        """
        results = list(self._open.values())
        failed, incomplete = results.count("failed"), results.count("incomplete")
        parts = [f"{self.done}/{self.total}", f"{failed} failed"]
        if incomplete:
            parts.append(f"{incomplete} incomplete")
        began, worked = (self._began, self._worked) if ended else (self._recent[0], len(self._recent) - 1)
        seconds = self._now() - began
        if worked and seconds > 0:
            rate = worked / seconds
            parts.append(f"{rate * 60:.{0 if rate * 60 >= 10 else 1}f}/min")
            if self.done < self.total and worked >= _FEWEST and not ended:
                parts.append(f"{_duration((self.total - self.done) / rate)} left")
        return ", ".join(parts)


def _duration(seconds: float) -> str:
    """Return a duration in words, in at most two units."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes} min"
    return f"{hours // 24} d {hours % 24} h"


class ProgressDisplay:
    """Receives each finished piece of work, and writes a line about it.

    Args:
        what: What is being worked on.
        tally: Counts the pieces.
    """

    def __init__(self, what: str, tally: Tally) -> None:
        self._what = what
        self._tally = tally
        self._said_at = time.monotonic()

    def skip(self, count: int) -> None:
        """Count pieces that an earlier run finished."""
        self._tally.skip(count)
        if count:
            say(f"{self._what}: {count} were finished before")

    def advance(self, name: str, line: str, result: Result = "done") -> None:
        """Count a piece.

        Args:
            name: The piece.
            line: The line about it.
            result: How it ended.
        """
        self._tally.add(name, result)
        say(f"[{self._tally.done}/{self._tally.total}] {line}")
        if time.monotonic() - self._said_at >= _SUMMARY_SECONDS:
            self._said_at = time.monotonic()
            say(f"{self._what}: {self._tally.figures()}")


@contextmanager
def progress(what: str, total: int) -> Iterator[ProgressDisplay]:
    """Show progress on standard error: a bar in a terminal; otherwise a line for each piece, with summaries in between.

    Args:
        what: What is being worked on.
        total: The number of pieces.

    Yields:
        The display that receives each piece.
    """
    tally = Tally(total)
    if sys.stderr.isatty():
        with _bar(what, tally) as bar:
            yield bar
        return
    yield ProgressDisplay(what, tally)
    say(f"{what}: {tally.figures(ended=True)}")


@contextmanager
def _bar(what: str, tally: Tally) -> Iterator[ProgressDisplay]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
    from rich.table import Column
    from rich.text import Text

    class Figures(ProgressColumn):
        def render(self, task: Task) -> Text:
            del task
            return Text(tally.figures(), no_wrap=True)

    class Shown(ProgressDisplay):
        def skip(self, count: int) -> None:
            tally.skip(count)
            bar.update(task, completed=tally.done)

        def advance(self, name: str, line: str, result: Result = "done") -> None:
            del line
            tally.add(name, result)
            bar.update(task, completed=tally.done)

    # The figures keep their width, and the bar takes what is left.
    columns = (
        TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True)),
        BarColumn(bar_width=None, table_column=Column(ratio=1)),
        Figures(table_column=Column(no_wrap=True)),
    )
    with Progress(*columns, console=Console(file=sys.stderr), transient=True, expand=True) as bar:
        task = bar.add_task(visible(what), total=tally.total)
        yield Shown(what, tally)
