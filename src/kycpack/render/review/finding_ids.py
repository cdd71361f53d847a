"""Ids of findings in a case, as a reader sees them: in order, those in a row as a range."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import inf

_IDS = re.compile(r"F-[0-9]+(?:, F-[0-9]+)+")
_NUMBER = re.compile(r"[0-9]+")
_FEW = 2  # ids in a row that are written one by one


def number_of(finding_id: str) -> int:
    """Return the number in the id of a finding, as in 1 for `F-1`."""
    return int(finding_id.partition("-")[2])


def place_of(number: str) -> float:
    """Return the place of a finding by its ids in the decision, as in 2 for `F-2, F-4 to F-9`; what has none comes last."""
    first = _NUMBER.search(number)
    return int(first[0]) if first else inf


def id_ranges(finding_ids: Iterable[str]) -> str:
    """Return ids of findings in order, those in a row as a range, as in `F-2, F-4 to F-9`."""
    return ranges(sorted(map(number_of, finding_ids)))


def with_ranges(text: str) -> str:
    """Return a text whose lists of ids are written as ranges."""
    return _IDS.sub(lambda row: ranges([int(number) for number in _NUMBER.findall(row[0])]), text)


def ranges(numbers: Iterable[int]) -> str:
    """Return numbers of findings in their order, those in a row as a range, as in `F-2, F-4 to F-9`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(
        f"F-{run[0]} to F-{run[-1]}" if len(run) > _FEW else ", ".join(f"F-{number}" for number in run)
        for run in runs
    )
