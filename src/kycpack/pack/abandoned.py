"""What a process that was killed while it wrote a pack has left in the folder of packs.

A pack is written to `.<name>.<process>.<random>.partial`, and the one that it replaces is set aside as
`.<name>.<process>.<random>.retired` for a moment.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

_LEFT = re.compile(r"\.(?P<name>.+)\.(?P<process>[0-9]{1,10})\.[a-z0-9_]{8}\.(?P<kind>partial|retired)")


def clear_abandoned(folder: Path, name: str | None = None) -> None:
    """Remove half-written packs, and put back one that was set aside when its successor never arrived.

    Args:
        folder: The folder of packs.
        name: Only what belongs to the pack of this name; to any pack when None.
    """
    for path in sorted(folder.iterdir()):
        left = _LEFT.fullmatch(path.name)
        if left is None or path.is_symlink() or not path.is_dir() or _is_running(int(left["process"])):
            continue
        if name is not None and left["name"] != name:
            continue
        if left["kind"] == "retired" and not (folder / left["name"]).exists():
            path.rename(folder / left["name"])
        else:
            shutil.rmtree(path, ignore_errors=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
