"""Memory that Python objects take while something is done."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


def with_peak(work: Callable[[], Result]) -> tuple[Result, int]:
    """Return what a function returns, and the peak of the memory that it took, in bytes."""
    tracemalloc.start()
    try:
        result = work()
        return result, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
