"""What redacted copies of a pack show, and the commitment that proves that a copy is the pack without the masked parts.

For each profile, every row is a leaf of a Merkle tree whose root is put into the pack when it is sealed. A leaf hashes what
the profile shows of the row and, for an auditor, also the hash of what it masks. Salts keep masked values from being
guessed; they come from a key of the workspace that no pack contains.

Source: RFC 6962, section 2.1, for leaves and nodes.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.parquet as pq

from kycpack.assets import asset_yaml
from kycpack.errors import PackError
from kycpack.frames.plain_table import PlainTable
from kycpack.models.json import canonical_json
from kycpack.pack.figures.figure_cells import Columns

COMMITMENTS = "field_commitments.json"
SCHEMA = "kycpack-commitments-1"
PROFILES = ("auditor", "customer")
_LEAF, _NODE = b"\x00", b"\x01"
_PLAIN = {str, int, bool, type(None)}


class DisclosedRow(NamedTuple):
    """A row as a profile shows it.

    Attributes:
        cells: What is shown, in the order of the frame's columns in the copy.
        salt: Salt of what is shown, hexadecimal.
        masked: Hash of what is masked, hexadecimal; empty for a profile that keeps no hash of what it masks.
    """

    cells: tuple[Any, ...]
    salt: str
    masked: str

    @property
    def leaf(self) -> bytes:
        """The leaf of the tree."""
        shown = part_hash(self.salt, self.cells)
        return hashlib.sha256(_LEAF + shown + bytes.fromhex(self.masked)).digest()


@dataclass(frozen=True, slots=True)
class DisclosedFrame:
    """A frame as a profile shows it."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[DisclosedRow, ...]


@cache
def profile_of(name: str) -> dict[str, Any]:
    """Return what a profile shows, as `data/redaction.yaml` defines it.

    Raises:
        PackError: There is no such profile.
    """
    profiles: dict[str, dict[str, Any]] = asset_yaml("redaction.yaml")
    if name not in profiles:
        raise PackError(f"no profile {name!r}; the profiles are {', '.join(profiles)}")
    return profiles[name]


def plain_frames(data: Path) -> dict[str, Columns]:
    """Return the frames of a pack by name, with their cells as JSON has them.

    Args:
        data: The folder `data` of the pack.
    """
    found: dict[str, Columns] = {}
    for path in sorted((data / "frames").glob("*.parquet")):
        with pq.ParquetFile(path, pre_buffer=False) as file:
            table = PlainTable(file.read(use_threads=False))
        found[path.stem] = {column: _plain_cells(cells) for column, cells in table.items()}
    return found


def disclosed(
    frames: Mapping[str, Columns], profile: str, key: bytes, about: Sequence[str]
) -> Iterator[DisclosedFrame]:
    """Yield the frames of a pack as a profile shows them.

    Args:
        frames: The frames of the pack, from `plain_frames`.
        profile: One of `PROFILES`.
        key: The workspace's key.
        about: What the salts depend on besides profile, frame and row.
    """
    chosen: Mapping[str, Sequence[str] | None] = profile_of(profile).get("frames") or dict.fromkeys(frames)
    for name, wanted in sorted(chosen.items()):
        columns = frames[name]
        shown = shown_columns(profile, name, list(columns)) if wanted is None else tuple(wanted)
        table = _rows(columns, shown)
        if wanted is None:
            rest = _rows(columns, [column for column in columns if column not in shown])
            salts = _salts(key, [*about, profile, "masked", name], len(rest))
            masked = [part_hash(salt, cells).hex() for salt, cells in zip(salts, rest, strict=True)]
        else:
            # In the customer's copy the rows are sorted by content, so that their order reveals nothing about the evidence.
            table.sort(key=canonical_json)
            masked = [""] * len(table)
        salts = _salts(key, [*about, profile, "shown", name], len(table))
        yield DisclosedFrame(name, shown, tuple(map(DisclosedRow, table, salts, masked)))


def shown_columns(profile: str, frame: str, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of a frame that a profile shows, in their order in the copy."""
    allowed = profile_of(profile)
    if "frames" in allowed:
        return tuple(allowed["frames"].get(frame, ()))
    return tuple(column for column in allowed["shown"] if column in columns)


def commitments(data: Path, key: bytes, customer_id: str, as_of: str) -> bytes:
    """Return the bytes of the file that commits a pack to what its redacted copies can show.

    Args:
        data: The folder `data` of the pack, with its frames.
        key: The workspace's key.
        customer_id: The customer of the pack.
        as_of: The pack's as-of instant.
    """
    frames = plain_frames(data)
    roots = {profile: root_of(disclosed(frames, profile, key, (customer_id, as_of))) for profile in PROFILES}
    return canonical_json({"schema": SCHEMA, "roots": roots}) + b"\n"


def root_of(frames: Iterator[DisclosedFrame] | Sequence[DisclosedFrame]) -> str:
    """Return the root of the tree over all rows and the names of their frames and columns, hexadecimal."""
    leaves = []
    for frame in frames:
        leaves.append(hashlib.sha256(_LEAF + canonical_json([frame.name, list(frame.columns)])).digest())
        leaves += [row.leaf for row in frame.rows]
    return _root(leaves).hex()


def part_hash(salt: str, cells: Sequence[Any]) -> bytes:
    """Return the hash of some cells of a row."""
    return hashlib.sha256(_LEAF + bytes.fromhex(salt) + canonical_json(list(cells))).digest()


def _root(leaves: list[bytes]) -> bytes:
    if not leaves:
        return hashlib.sha256().digest()
    level = leaves
    while len(level) > 1:
        # RFC 6962 splits at a power of two; pairing neighbours and carrying an odd last one up gives the same tree.
        pairs = [
            hashlib.sha256(_NODE + level[place] + level[place + 1]).digest()
            for place in range(0, len(level) - 1, 2)
        ]
        level = pairs + ([level[-1]] if len(level) % 2 else [])
    return level[0]


def _salts(key: bytes, about: Sequence[str], count: int) -> Iterator[str]:
    """Yield the salt of each row of a frame: the keyed hash of what it is about with the row's position, as a list in JSON.

    The hash is begun once for all rows.
    """
    begun = hmac.new(key, canonical_json(list(about)).removesuffix(b"]"), "sha256")
    for place in range(count):
        salt = begun.copy()
        salt.update(b',"%d"]' % place)
        yield salt.hexdigest()


def _rows(columns: Columns, names: Sequence[str]) -> list[tuple[Any, ...]]:
    """Return the rows of some columns, one of no cells for each row where there are no such columns."""
    if not names:
        return [()] * len(next(iter(columns.values()), ()))
    return list(zip(*(columns[name] for name in names), strict=True))


def _plain_cells(cells: Sequence[Any]) -> Sequence[Any]:
    return cells if _PLAIN.issuperset(map(type, cells)) else list(map(_plain, cells))


def _plain(value: Any) -> Any:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float):
        return repr(value)
    return [_plain(one) for one in value] if isinstance(value, list) else value
