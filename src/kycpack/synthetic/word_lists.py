"""Word lists for invented customers, read from `data/population/`."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from kycpack.assets import asset_yaml


@cache
def read_material(name: str) -> Any:
    """Return one file of `data/population/`, parsed; callers must not change it."""
    return asset_yaml(f"population/{name}.yaml")


def payers(kind: str) -> Any:
    """Return one section of the payers' file."""
    return read_material("payers")[kind]


def draw_random(seed: int, *path: object) -> Random:
    """Return a source of randomness that depends only on the seed and the given names."""
    return Random(":".join(("kycpack", str(seed), *map(str, path))))  # noqa: S311 - invented data, no secret
