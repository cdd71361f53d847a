"""Estimating whether the packs of a run will fit on the disk."""

from __future__ import annotations

import os
import shutil
from itertools import islice
from pathlib import Path

_BLOCK_BYTES = 4096  # a file takes up whole blocks
_MOST_MEASURED = 100
_USUAL = (1_500_000, "1.5 MB per pack, since there is no earlier pack")


def disk_warning(out: Path, customers: int) -> str:
    """Return a warning if the free disk space is less than the packs of a run are expected to need; empty if they fit.

    The expected size is the mean size of earlier packs in the output folder times the number of customers. Without an earlier
    pack, it is based on a pack with two years of two accounts.

    Args:
        out: The output folder.
        customers: Maximum number of packs to be made.
    """
    try:
        with os.scandir(out) as inside:
            packs = (out / one.name for one in inside if (out / one.name / "bagit.txt").exists())
            sizes = [_size(pack) for pack in islice(packs, _MOST_MEASURED)]
        free = shutil.disk_usage(out).free
    except OSError:
        return ""  # the run itself reports what is wrong with the folder
    each, of = (sum(sizes) // len(sizes), f"the mean of {len(sizes)} earlier packs") if sizes else _USUAL
    expected = each * customers
    if free >= expected:
        return ""
    return (
        f"warning: {customers} {'pack is' if customers == 1 else 'packs are'} expected to need {_amount(expected)} ({of}), "
        f"but only {_amount(free)} is free in {out}"
    )


def _amount(size: int) -> str:
    return f"{size / 10**9:.1f} GB" if size >= 10**9 else f"{size / 10**6:.0f} MB"


def _size(pack: Path) -> int:
    files = (path.lstat().st_size for path in pack.rglob("*") if path.is_file())
    return sum(-(-size // _BLOCK_BYTES) * _BLOCK_BYTES for size in files)
