"""Modules that need the extra `signing`; they are imported only when something is signed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from kycpack.errors import PackError


def signing_module(name: str) -> Any:
    """Return a module of `sign` that needs pyHanko.

    Args:
        name: Its name, as in `signed_pdf`.

    Raises:
        PackError: The extra is not installed.
    """
    try:
        return import_module(f"kycpack.pack.sign.{name}")
    except ModuleNotFoundError:
        raise PackError("signatures need kycpack's extra `signing`: pip install 'kycpack[signing]'") from None
