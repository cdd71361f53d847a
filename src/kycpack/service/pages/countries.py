"""The countries to choose from.

Source: ISO 3166-1 alpha-2 codes with English short names.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def countries() -> dict[str, str]:
    """Return the English name of each country by its code, sorted by name."""
    lines = files("kycpack.service.pages").joinpath("countries.txt").read_text("utf-8").splitlines()
    return {code: name for code, _, name in (line.partition(" ") for line in lines)}
