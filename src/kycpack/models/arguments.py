"""Type checks for the arguments of public functions: the error names the argument and the expected type."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def require(name: str, value: object, kinds: type | tuple[type, ...], wanted: str) -> None:
    """Refuse an argument of the wrong type.

    Args:
        name: Name of the argument.
        value: Its value.
        kinds: The allowed types.
        wanted: The allowed types in words, as in "a path".

    Raises:
        TypeError: The value has the wrong type.
    """
    if not isinstance(value, kinds):
        raise TypeError(f"{name} must be {wanted}, not {type(value).__name__}")


def require_path(name: str, value: object) -> Path:
    """Return a path that was given as text or as a `Path`.

    Args:
        name: Name of the argument.
        value: Its value.

    Raises:
        TypeError: The value is neither.
    """
    if not isinstance(value, str | Path):
        raise TypeError(f"{name} must be a path, as text or as a Path, not {type(value).__name__}")
    return Path(value)


def require_text(name: str, value: object, *, optional: bool = False) -> None:
    """Refuse an argument that is not text.

    Args:
        name: Name of the argument.
        value: Its value.
        optional: Whether None is allowed.

    Raises:
        TypeError: The value is not text.
    """
    if not (isinstance(value, str) or (optional and value is None)):
        raise TypeError(f"{name} must be text, not {type(value).__name__}")


def require_each(name: str, values: object, kinds: type | tuple[type, ...], wanted: str) -> None:
    """Refuse an argument that is not a list, or has an item of the wrong type.

    Args:
        name: Name of the argument.
        values: Its value.
        kinds: The allowed types of each item.
        wanted: The expected argument in words.

    Raises:
        TypeError: The value is not a list, or an item has the wrong type.
    """
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise TypeError(f"{name} must be {wanted}, not {type(values).__name__}")
    for value in values:
        require(f"each of {name}", value, kinds, wanted)
