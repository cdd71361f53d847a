"""Bytes of a request that no traceback, log or debugger shows by printing a variable."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn


class Sealed:
    """The body of a request; only `reveal` returns it.

    It is not a subclass of `bytes`: programs that print tracebacks would slice it and show the slice.

    Args:
        content: The bytes.
    """

    __slots__ = ("_reveal",)

    def __init__(self, content: bytes = b"") -> None:
        # A closure, because such programs look into slots and attributes, but not into functions.
        self._reveal: Callable[[], bytes] = lambda: content

    def reveal(self) -> bytes:
        """Return the bytes."""
        return self._reveal()

    def __bool__(self) -> bool:
        return bool(self._reveal())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sealed) and other._reveal() == self._reveal()

    def __hash__(self) -> int:
        return hash(self._reveal())

    def __repr__(self) -> str:
        return f"Sealed({len(self._reveal())} bytes)"

    def __getstate__(self) -> NoReturn:
        raise TypeError("the body of a request cannot be pickled")
