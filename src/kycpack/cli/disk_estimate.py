"""Whether the packs of a run will fit on the disk."""

from __future__ import annotations

import shutil
from itertools import islice
from pathlib import Path

_BLOCK_BYTES = 4096  # a file takes whole blocks
_MOST_MEASURED = 100


def disk_warning(out: Path, customers: int) -> str:
    """Return a warning where less is free than the packs of a run are expected to take; empty where they fit.

    Expected is the mean size of earlier packs in the output folder times the customers. Without an earlier pack nothing is
    known, and there is no warning.

    Args:
        out: The output folder.
        customers: How many packs will be made at most.
    """
    try:
        sizes = [_size(mark.parent) for mark in islice(out.glob("*/bagit.txt"), _MOST_MEASURED)]
        free = shutil.disk_usage(out).free
    except OSError:
        return ""  # the run itself says what is wrong with the folder
    if not sizes:
        return ""
    expected = sum(sizes) * customers // len(sizes)
    if free >= expected:
        return ""
    return (
        f"warning: {customers} packs are expected to take {expected / 10**9:.1f} GB (the mean of {len(sizes)} earlier packs), "
        f"and {free / 10**9:.1f} GB is free in {out}"
    )


def _size(pack: Path) -> int:
    files = (path.lstat().st_size for path in pack.rglob("*") if path.is_file())
    return sum(-(-size // _BLOCK_BYTES) * _BLOCK_BYTES for size in files)
