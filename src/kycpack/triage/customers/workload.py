"""The amount of work in cases: the minutes that a firm plans for a case of each level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from heapq import heapreplace
from pathlib import Path

from kycpack.assets import asset_path
from kycpack.errors import PolicyError
from kycpack.triage.levels import LEVELS
from kycpack.triage.located_yaml import read_nodes


@dataclass(frozen=True, slots=True)
class Workload:
    """A firm's plan for the work on its cases.

    Attributes:
        minutes: Minutes of work a case takes, by recommended level.
        source: The source of the numbers.
    """

    minutes: Mapping[str, int]
    source: str


@dataclass(frozen=True, slots=True)
class WaitingTimes:
    """How long cases that arrive on one day wait.

    Attributes:
        days: Working days until the last case is decided.
        mean_days: The mean of the working days until a case is decided.
    """

    days: int
    mean_days: float


def read_workload(path: Path | None = None) -> Workload:
    """Read the minutes a case takes.

    Args:
        path: A YAML file with `source` and `minutes`; None for the one that comes with the package.

    Raises:
        PolicyError: The file cannot be read; the error names file and line.
    """
    source = asset_path("policies/workload.yaml") if path is None else path
    try:
        text = source.read_bytes().decode("utf-8")
    except OSError as error:
        raise PolicyError(f"cannot be read: {error.strerror}", place=source.name) from None
    except UnicodeDecodeError:
        raise PolicyError("not UTF-8", place=source.name) from None
    top = read_nodes(text, source.name).members(("source", "minutes"), ("source", "minutes"))
    minutes = {}
    for level, node in top["minutes"].members(LEVELS, LEVELS).items():
        value = node.scalar()
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise node.error("expected whole minutes")
        minutes[level] = value
    return Workload(minutes, top["source"].text())


def waiting(
    cases: Mapping[str, int], workload: Workload, *, analysts: int = 1, hours_a_day: int = 7
) -> WaitingTimes:
    """Return how long cases wait if they all arrive on one day and no others do.

    The most severe come first, as in the queue; the next free analyst takes the next case.

    Args:
        cases: Number of cases at each level.
        workload: The minutes that a case of each level takes.
        analysts: Number of people who decide cases.
        hours_a_day: Hours per working day that each of them spends on cases.

    Raises:
        ValueError: A number is negative, or there is no analyst or no working time.
    """
    if min(cases.values(), default=0) < 0 or analysts < 1 or hours_a_day < 1:
        raise ValueError("expected cases of 0 or more, and at least one analyst with one hour a day")
    free_at = [0] * analysts
    days: list[int] = []
    for level in reversed(LEVELS):
        for _ in range(cases.get(level, 0)):
            done_at = free_at[0] + workload.minutes[level]
            heapreplace(free_at, done_at)
            days.append(max(1, -(-done_at // (60 * hours_a_day))))
    return WaitingTimes(max(days, default=0), sum(days) / len(days) if days else 0.0)
