"""How a benchmark measures: ours and a named peer in turn, in one run, medians and the ratio between them.

Machines are noisy, so the ratio is the figure to quote; the absolute one only says what order it is of.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Measurement:
    """One line of the report.

    Attributes:
        name: What was measured.
        ours: Our figure, in `unit`.
        peer: The peer's figure in the same run, in `unit`; None where the figure stands alone.
        unit: As in "packs/min".
        peer_name: What the peer is; empty where there is none.
        aim: What was promised, in words; empty where nothing was.
    """

    name: str
    ours: float
    peer: float | None
    unit: str
    peer_name: str = ""
    aim: str = ""

    @property
    def ratio(self) -> float | None:
        """Ours divided by the peer's."""
        return self.ours / self.peer if self.peer else None


def seconds(work: Callable[[], object]) -> float:
    """Return the wall seconds that some work takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def in_turn(ours: Callable[[], object], peer: Callable[[], object], rounds: int = 7) -> tuple[float, float]:
    """Return the median seconds of ours and of the peer, run in turn after one round that does not count."""
    ours()
    peer()
    pairs = [(seconds(ours), seconds(peer)) for _ in range(rounds)]
    return statistics.median(pair[0] for pair in pairs), statistics.median(pair[1] for pair in pairs)


def peak_bytes() -> int:
    """Return the most memory that this process has held, in bytes (Linux).

    Not `ru_maxrss`: that starts at what the parent held, and so hides a child of a large benchmark.
    """
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM:"))
