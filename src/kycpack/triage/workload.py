"""How much work cases are: the minutes that a firm plans for a case of each level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from heapq import heapreplace
from pathlib import Path

from kycpack.assets import asset_path
from kycpack.errors import PolicyError
from kycpack.triage.levels import LEVELS
from kycpack.triage.located_yaml import read_nodes

_DEFAULT = "policies/workload.yaml"


@dataclass(frozen=True, slots=True)
class Workload:
    """What a firm plans for its cases.

    Attributes:
        minutes: Minutes of work a case takes, by recommended level.
        source: Where the numbers come from.
    """

    minutes: Mapping[str, int]
    source: str


@dataclass(frozen=True, slots=True)
class WaitingTimes:
    """How long cases wait that arrive on one day.

    Attributes:
        days: Working days until the last one is decided.
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
    source = asset_path(_DEFAULT) if path is None else path
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
    """Return how long cases wait when all arrive on one day and nothing else does.

    The most severe come first, as in the queue; whoever is free takes the next.

    Args:
        cases: How many there are of each level.
        workload: The minutes that each takes.
        analysts: How many people decide.
        hours_a_day: Hours in which each of them decides cases in a working day.

    Raises:
        ValueError: A number is negative, or nobody decides anything.
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
