"""What a public function takes: an argument of another type is refused by name, with what is wanted."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def require(name: str, value: object, kinds: type | tuple[type, ...], wanted: str) -> None:
    """Refuse an argument of another type.

    Args:
        name: The argument.
        value: What was given for it.
        kinds: What it may be.
        wanted: The same in words, as in "a path".

    Raises:
        TypeError: It is of another type.
    """
    if not isinstance(value, kinds):
        raise TypeError(f"{name} must be {wanted}, not {type(value).__name__}")


def require_path(name: str, value: object) -> Path:
    """Return a path that was given as text or as a path.

    Args:
        name: The argument.
        value: What was given for it.

    Raises:
        TypeError: It is neither.
    """
    if not isinstance(value, str | Path):
        raise TypeError(f"{name} must be a path, as text or as a Path, not {type(value).__name__}")
    return Path(value)


def require_text(name: str, value: object, *, optional: bool = False) -> None:
    """Refuse an argument that is not text.

    Args:
        name: The argument.
        value: What was given for it.
        optional: Whether None is allowed.

    Raises:
        TypeError: It is not text.
    """
    if not (isinstance(value, str) or (optional and value is None)):
        raise TypeError(f"{name} must be text, not {type(value).__name__}")


def require_each(name: str, values: object, kinds: type | tuple[type, ...], wanted: str) -> None:
    """Refuse an argument that is not a list, or has a member of another type.

    Args:
        name: The argument.
        values: What was given for it.
        kinds: What each member may be.
        wanted: What the argument has to be, in words.

    Raises:
        TypeError: It is another thing.
    """
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise TypeError(f"{name} must be {wanted}, not {type(values).__name__}")
    for value in values:
        require(f"each of {name}", value, kinds, wanted)
