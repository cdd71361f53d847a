"""The checks of a run's data set: it must have every pack of the run once, with the pack's own rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from kycpack.batch.frame_columns import as_schema
from kycpack.batch.frame_parts import (
    FRAMES,
    PACKS,
    PackFrames,
    frames_of,
    packs_in,
    parts_in,
    read_parquet,
    stacked,
)

_MOST_BYTES = 2**31
_UNREADABLE = (OSError, pa.ArrowException, TypeError, ValueError)


def frame_problems(folder: Path, listed: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield each difference between the data set of a run and its packs.

    Args:
        folder: The run's output.
        listed: The packs in the manifest of the run, by the name of the pack's folder.
    """
    place = folder / FRAMES
    seen: Counter[str] = Counter()
    for part in parts_in(place):
        try:
            packs = packs_in(place, part)
            seen.update(pack.pack for pack in packs)
            foreign = [pack for pack in packs if not _is_listed(pack, listed)]
            if foreign:
                yield from (
                    f"{FRAMES} has rows of a pack that does not belong to the run: {pack.pack}"
                    for pack in foreign
                )
            else:
                yield from _differences(folder, part, packs)
        except _UNREADABLE as error:
            yield f"{FRAMES}/{PACKS}/{part} cannot be read ({type(error).__name__})"
    yield from (f"{FRAMES} has no rows of {name}" for name in sorted(listed.keys() - seen.keys()))
    yield from (f"{FRAMES} has the rows of {name} {count} times" for name, count in seen.items() if count > 1)


def _is_listed(pack: PackFrames, listed: Mapping[str, Mapping[str, Any]]) -> bool:
    one = listed.get(pack.pack)
    return one is not None and (one["customer_id"], one["manifest"]) == (pack.customer_id, pack.manifest)


def _differences(folder: Path, part: str, packs: list[PackFrames]) -> Iterator[str]:
    frames = [frames_of(folder, pack) for pack in packs]
    unread = [pack.pack for pack, found in zip(packs, frames, strict=True) if found is None]
    if unread:
        yield from (f"the frames of {name} cannot be read" for name in unread)
        return
    expected = stacked([found for found in frames if found is not None])
    there = {path.parent.name for path in (folder / FRAMES).glob(f"*/{part}")} - {PACKS}
    for name in sorted(expected.keys() | there):
        shown = f"{FRAMES}/{name}/{part}"
        path = folder / FRAMES / name / part
        if name not in expected or not path.is_file():
            yield f"{shown} {'is missing' if name in expected else 'is not a part of the run'}"
        elif path.stat().st_size > _MOST_BYTES:
            yield f"{shown} is larger than a part may be and was not opened"
        elif not _is_same(read_parquet(path), expected[name]):
            yield f"{shown} differs from the rows in the packs of the run"


def _is_same(found: pa.Table, expected: pa.Table) -> bool:
    """Return whether two tables are the same; columns that only later packs have are empty for earlier packs."""
    if not set(expected.column_names) <= set(found.column_names):
        return False
    return bool(found.equals(as_schema(expected, found.schema)))
