"""The frames of a run as a data set: one folder per frame, with Parquet files over all customers.

During a run, its parts are in the batch's own folder. Each part holds the frames of some packs, and is complete once its file
in `packs/` exists. When the run ends, the parts are reduced or extended to exactly the packs of its report, and moved to
`frames/`. Leftovers of a killed process never count, and no customer is in two parts.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from functools import partial
from itertools import chain
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from kycpack.batch.frame_columns import as_lists, as_schema, joined, united, valued
from kycpack.batch.report import RunEntry
from kycpack.evidence.store import file_digest
from kycpack.folders import clear_leftovers, write_file
from kycpack.frames.catalogue import SCHEMAS
from kycpack.locks import lock_file
from kycpack.pack.compute.parquet import parquet_pieces, table_bytes
from kycpack.storage.scratch import Scratch

FRAMES = "frames"
PACKS = "packs"
WEALTH = ("streams", "credits", "coverage", "flags")
TRIAGE = ("recommendations", "findings", "consistency")
NAMES = (*SCHEMAS, *WEALTH, *TRIAGE)
"""The frames of every pack."""

_PACKS = pa.schema([("customer_id", pa.string()), ("pack", pa.string()), ("manifest", pa.string())])
_PATTERN = "part-*.parquet"
_AS_THEY_LAND = 100
_LARGE = 500
_LARGEST = 1000


@dataclass(frozen=True, slots=True)
class PackFrames:
    """A pack whose rows a part holds.

    Attributes:
        customer_id: The customer.
        pack: The pack's folder, relative to the output.
        manifest: SHA-256 of its `data/manifest.json`.
    """

    customer_id: str
    pack: str
    manifest: str


class FrameParts:
    """Collects the frames of packs as they are finished.

    Args:
        out: The output folder of the run.
        own: The folder of the batch's own files inside it.
        as_they_land: How many packs make up a part during the run.
    """

    def __init__(self, out: Path, own: Path, *, as_they_land: int = _AS_THEY_LAND) -> None:
        self._out = out
        self._own = own
        self._place = own / FRAMES
        self._as_they_land = as_they_land
        self._waiting: list[PackFrames] = []

    def take_back(self) -> None:
        """Withdraw the data set that an earlier run published; parts whose packs stay are used again."""
        published = self._out / FRAMES
        if not published.is_dir() or published.is_symlink():
            return
        if self._place.exists():
            shutil.rmtree(published)
        else:
            published.rename(self._place)

    def add(self, entry: RunEntry) -> None:
        """Add the pack of a customer who is done; unchanged packs are added at the end, if they are missing."""
        if entry.outcome != "produced":
            return
        found = _pack_of(self._out, entry)
        if found is None:
            return
        self._waiting.append(found)
        if len(self._waiting) >= self._as_they_land:
            self._write_waiting()

    def publish(self, entries: Iterable[RunEntry]) -> None:
        """Make the parts hold exactly the packs of these entries, and move them to the folder `frames`.

        A pack whose frames cannot be read has no rows; `kycpack verify` names it.

        Args:
            entries: The outcome of every customer of the run.
        """
        descriptor = os.open(self._own / "frames.lock", os.O_CREAT | os.O_RDWR, 0o600)
        try:
            lock_file(descriptor)
            self._write_waiting()
            self.take_back()
            self._settle(
                _Wanted(found for entry in entries if (found := _pack_of(self._out, entry)) is not None)
            )
            if self._place.is_dir():
                self._place.rename(self._out / FRAMES)
        finally:
            os.close(descriptor)

    def _write_waiting(self) -> str | None:
        waiting, self._waiting = self._waiting, []
        readable = [(pack, frames) for pack in waiting if (frames := frames_of(self._out, pack)) is not None]
        if not readable:
            return None
        frames = stacked([frames for _, frames in readable])
        content = ((name, table_bytes(table)) for name, table in frames.items())
        return write_part(self._place, [pack for pack, _ in readable], content)

    def _settle(self, wanted: _Wanted) -> None:
        _drop_unfinished(self._place)
        small: list[tuple[str, int]] = []
        for part in parts_in(self._place):
            held = packs_in(self._place, part)
            kept = wanted.take(held, part)
            if kept < len(held) or len(held) < _LARGE:
                small.append((part, kept))
        for some in wanted.missing(self._as_they_land):
            self._waiting = some
            if (written := self._write_waiting()) is not None:
                small.append((written, wanted.take(packs_in(self._place, written), written)))
        for group in _grouped(small):
            _join(self._place, [(part, wanted.kept(packs_in(self._place, part), part)) for part in group])
        _level_columns(self._place)


class _Wanted:
    """The packs that a data set is to hold, and the part that holds each, in a temporary file.

    Args:
        packs: The packs; each once.
    """

    def __init__(self, packs: Iterable[PackFrames]) -> None:
        self._packs = Scratch(
            "CREATE TABLE packs (place INTEGER PRIMARY KEY, customer_id, pack, manifest, part, UNIQUE (customer_id, pack, manifest))"
        )
        insert = "INSERT OR IGNORE INTO packs (customer_id, pack, manifest) VALUES (?, ?, ?)"
        self._packs.write(insert, map(astuple, packs))

    def take(self, held: Sequence[PackFrames], part: str) -> int:
        """Let a part hold those of its packs that are wanted and in no part yet; return their number."""
        update = (
            "UPDATE packs SET part = ? WHERE customer_id = ? AND pack = ? AND manifest = ? AND part IS NULL"
        )
        self._packs.write(update, ((part, *astuple(pack)) for pack in held))
        return len(self.kept(held, part))

    def kept(self, held: Sequence[PackFrames], part: str) -> list[PackFrames]:
        """Return those packs in a part that it is to hold, in their order."""
        query = "SELECT 1 FROM packs WHERE customer_id = ? AND pack = ? AND manifest = ? AND part = ?"
        return [pack for pack in held if self._packs.value(query, (*astuple(pack), part))]

    def missing(self, most: int) -> Iterator[list[PackFrames]]:
        """Yield the packs that no part holds, some at a time."""
        query = "SELECT place, customer_id, pack, manifest FROM packs WHERE part IS NULL AND place > ? ORDER BY place LIMIT ?"
        last = 0
        while rows := list(self._packs.rows(query, (last, most))):
            last = rows[-1][0]
            yield [PackFrames(*row[1:]) for row in rows]


def frames_of(out: Path, pack: PackFrames) -> dict[str, pa.Table] | None:
    """Return the frames of a pack as a part holds them, with the customer in each row; None if they cannot be read.

    Args:
        out: The output folder of the run.
        pack: The pack.
    """
    folder = out / pack.pack / "data" / FRAMES
    try:
        read = {name: as_lists(name, read_parquet(folder / f"{name}.parquet")) for name in _names(folder)}
    except (OSError, pa.ArrowException):
        return None
    return {name: _with_customer(table, pack.customer_id) for name, table in read.items()}


def read_parquet(path: Path, columns: Collection[str] | None = None) -> pa.Table:
    """Return a Parquet file as a table.

    Args:
        path: The file.
        columns: Names of the columns to read; None for all. Columns that the file does not have are left out.
    """
    with pq.ParquetFile(path) as file:
        names = None if columns is None else [name for name in file.schema_arrow.names if name in columns]
        return file.read(columns=names, use_threads=False)


def parts_in(place: Path) -> tuple[str, ...]:
    """Return the names of the complete parts of a data set."""
    return tuple(sorted(path.name for path in (place / PACKS).glob(_PATTERN)))


def packs_in(place: Path, part: str) -> list[PackFrames]:
    """Return the packs whose rows a part holds, in the order of the rows."""
    return [PackFrames(**row) for row in read_parquet(place / PACKS / part).to_pylist()]


def drop_customers(place: Path, customer_ids: Collection[str]) -> None:
    """Remove every part with rows of the customers; `FrameParts.publish` restores the rows of others from their packs.

    Args:
        place: A data set, or the parts of a run in progress.
        customer_ids: The customers.
    """
    for part in parts_in(place):
        if any(pack.customer_id in customer_ids for pack in packs_in(place, part)):
            _drop(place, part)
    _drop_unfinished(place)


def write_part(
    place: Path, packs: Sequence[PackFrames], frames: Iterable[tuple[str, bytes | Iterable[bytes]]]
) -> str:
    """Write a part; it counts from the moment at which its file in `packs/` exists.

    Args:
        place: The data set.
        packs: The packs that the rows come from.
        frames: For each frame, its name and its rows as Parquet, at once or piece by piece.

    Returns:
        The part's name, which depends only on its packs.
    """
    listed = "\n".join(f"{pack.customer_id} {pack.pack} {pack.manifest}" for pack in packs)
    part = f"part-{hashlib.sha256(listed.encode()).hexdigest()[:16]}.parquet"
    rows = [asdict(pack) for pack in packs]
    for name, content in chain(frames, [(PACKS, table_bytes(pa.Table.from_pylist(rows, schema=_PACKS)))]):
        folder = place / name
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_file(folder / part, content)
    return part


def _pack_of(out: Path, entry: RunEntry) -> PackFrames | None:
    if not entry.pack:
        return None
    try:
        manifest = file_digest(out / entry.pack / "data" / "manifest.json")
    except OSError:
        return None
    return PackFrames(entry.customer_id, entry.pack, manifest)


def _names(folder: Path) -> Sequence[str]:
    return sorted({*NAMES, *(path.stem for path in folder.glob("*.parquet"))} - {PACKS})


def _with_customer(table: pa.Table, customer_id: str) -> pa.Table:
    if "customer_id" in table.column_names:
        return table
    return table.add_column(0, "customer_id", pa.array([customer_id] * table.num_rows, pa.string()))


def stacked(packs: Sequence[Mapping[str, pa.Table]]) -> dict[str, pa.Table]:
    """Return the rows of several packs by frame, in the order of the packs."""
    names = dict.fromkeys(name for frames in packs for name in frames)
    return {name: joined([frames[name] for frames in packs if name in frames]) for name in names}


def _drop_unfinished(place: Path) -> None:
    """Remove files of parts that a killed process did not finish."""
    whole = set(parts_in(place))
    for folder in place.iterdir() if place.is_dir() else ():
        clear_leftovers(folder)
        for path in folder.glob(_PATTERN):
            if path.name not in whole:
                path.unlink()


def _drop(place: Path, part: str) -> None:
    (place / PACKS / part).unlink(missing_ok=True)
    for path in place.glob(f"*/{part}"):
        path.unlink()


def _join(place: Path, group: Sequence[tuple[str, list[PackFrames]]]) -> None:
    """Put the rows that are still wanted from several parts into one part."""
    packs = [pack for _, kept in group for pack in kept]
    if len(group) == 1 and packs == packs_in(place, group[0][0]):
        return
    for part, _ in group:
        (
            place / PACKS / part
        ).unlink()  # from now on none of the old parts is complete, so that no customer is in two parts
    written = write_part(place, packs, _rows_of(place, group)) if packs else None
    for part, _ in group:
        if part != written:
            _drop(place, part)


def _rows_of(
    place: Path, group: Sequence[tuple[str, list[PackFrames]]]
) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield each frame with the rows that are still wanted from several parts, as Parquet."""
    wanted = [(part, pa.array([pack.customer_id for pack in kept], pa.string())) for part, kept in group]
    for folder in sorted(path for path in place.iterdir() if path.name != PACKS):
        tables = partial(_kept_rows, folder, wanted)
        found = [(table.schema, valued(table), table.num_rows) for table in tables()]
        if found:
            schema = united([(schema, names) for schema, names, _ in found])
            rows = sum(rows for _, _, rows in found)
            yield folder.name, parquet_pieces((as_schema(t, schema) for t in tables()), schema, rows, folder)


def _kept_rows(folder: Path, wanted: Sequence[tuple[str, pa.Array]]) -> Iterator[pa.Table]:
    for part, ids in wanted:
        if (folder / part).is_file():
            table = read_parquet(folder / part)
            yield table.filter(pc.is_in(table["customer_id"].cast(pa.string()), value_set=ids))


def _level_columns(place: Path) -> None:
    """Give all files of a frame the same columns, so that readers find them whichever file they open first."""
    for folder in sorted(place.iterdir()) if place.is_dir() else ():
        schemas = {path: pq.read_schema(path) for path in sorted(folder.glob(_PATTERN))}
        if len(set(map(str, schemas.values()))) <= 1:
            continue
        whole = united([(schema, _valued(path)) for path, schema in schemas.items()])
        for path, schema in schemas.items():
            if not schema.equals(whole):
                with pq.ParquetFile(path) as file:
                    groups = (file.read_row_group(each) for each in range(file.num_row_groups))
                    tables = (as_schema(table, whole) for table in groups)
                    write_file(path, parquet_pieces(tables, whole, file.metadata.num_rows, folder))


def _valued(path: Path) -> set[str]:
    """Return the columns of a file that have values, reading one row group at a time."""
    with pq.ParquetFile(path) as file:
        groups = range(file.num_row_groups)
        return {name for each in groups for name in valued(file.read_row_group(each))}


def _grouped(parts: Sequence[tuple[str, int]]) -> Iterator[list[str]]:
    """Yield the parts to be joined: as many as have no more packs together than a part may have."""
    group: list[str] = []
    packs = 0
    for part, count in parts:
        if group and packs + count > _LARGEST:
            yield group
            group, packs = [], 0
        group.append(part)
        packs += count
    if group:
        yield group
