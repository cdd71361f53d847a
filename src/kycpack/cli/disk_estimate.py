"""Whether the packs of a run will fit on the disk."""

from __future__ import annotations

import shutil
from itertools import islice
from pathlib import Path

_BLOCK_BYTES = 4096  # a file takes whole blocks
_MOST_MEASURED = 100
_USUAL = (1_500_000, "1.5 MB a pack, since there is no earlier one")


def disk_warning(out: Path, customers: int) -> str:
    """Return a warning where less is free than the packs of a run are expected to take; empty where they fit.

    Expected is the mean size of earlier packs in the output folder times the customers; without an earlier pack, that of a pack
    with two years of two accounts.

    Args:
        out: The output folder.
        customers: How many packs will be made at most.
    """
    try:
        sizes = [_size(mark.parent) for mark in islice(out.glob("*/bagit.txt"), _MOST_MEASURED)]
        free = shutil.disk_usage(out).free
    except OSError:
        return ""  # the run itself says what is wrong with the folder
    each, of = (sum(sizes) // len(sizes), f"the mean of {len(sizes)} earlier packs") if sizes else _USUAL
    expected = each * customers
    if free >= expected:
        return ""
    return (
        f"warning: {customers} packs are expected to take {expected / 10**9:.1f} GB ({of}), "
        f"and {free / 10**9:.1f} GB is free in {out}"
    )


def _size(pack: Path) -> int:
    files = (path.lstat().st_size for path in pack.rglob("*") if path.is_file())
    return sum(-(-size // _BLOCK_BYTES) * _BLOCK_BYTES for size in files)
