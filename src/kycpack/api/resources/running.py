"""What resources have in common: something that runs a call, and how arguments are written."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, Protocol, TypeVar

from kycpack.api.steps import Call

T = TypeVar("T")
D = TypeVar("D")

Members = Mapping[str, Any]
"""Members of a nested object, under their Python names or those of the wire."""


class Run(Protocol):
    """Runs a call to its record."""

    def __call__(self, call: Call[T], /) -> T:
        """Return what the operation gives."""


class RunAsync(Protocol):
    """Runs a call to its record, awaited."""

    async def __call__(self, call: Call[T], /) -> T:
        """Return what the operation gives."""


def iso_day(day: D | date) -> D | str:
    """Return a date as YYYY-MM-DD, and anything else as it is."""
    return day.isoformat() if isinstance(day, date) else day
