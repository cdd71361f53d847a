"""What a run that was killed in mid-write left in its output folder."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

# A pack is written to `.<name>.<random>.partial`, and the one it replaces is set aside as `.<name>.<random>.retired`.
_LEFTOVER = re.compile(r"\.(?P<name>.+)\.[a-z0-9_]{8}\.(?P<kind>partial|retired)")


def clear_leftovers(out: Path) -> None:
    """Remove half-written packs, and put back one that was set aside when its successor never arrived.

    Args:
        out: The output folder, locked by the caller.
    """
    for path in sorted(out.iterdir()):
        found = _LEFTOVER.fullmatch(path.name)
        if found is None or path.is_symlink() or not path.is_dir():
            continue
        if found["kind"] == "retired" and not (out / found["name"]).exists():
            path.rename(out / found["name"])
        else:
            shutil.rmtree(path)
