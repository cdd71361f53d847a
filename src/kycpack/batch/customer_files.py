"""Finding the files about a customer in folders of packs and runs."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kycpack.batch.fence import SEALED
from kycpack.batch.lock import FOLDER
from kycpack.errors import InputError, PackError
from kycpack.evidence.store import file_digest
from kycpack.models.json import parse_json
from kycpack.pack.bag import TAG_MANIFEST
from kycpack.pack.limits import read_limited
from kycpack.pack.redact.redaction import FIELDS
from kycpack.pack.seal.write import QUARANTINE

_NAMED_AFTER_CUSTOMERS = frozenset({QUARANTINE, "evidence"})
_POINTER = "+latest"
_NUMBERED = re.compile(r"(?P<base>.+)\+[0-9]+")
_LEFTOVER = re.compile(r"\.(?P<name>.+)\.[0-9]{1,10}\.[a-z0-9_]{8}\.(?:partial|retired)")
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class CustomerFile:
    """A file or folder that is about one customer.

    Attributes:
        path: Its path.
        customer_id: The customer; empty if only the folder's name shows which customer it may belong to.
        name: The name of the customer's folder, as returned by `folder_name`.
        root: SHA-256 of its tag manifest; empty if it is not a pack.
    """

    path: Path
    customer_id: str
    name: str
    root: str = ""


def find_customer_files(folder: Path) -> Iterator[CustomerFile]:
    """Search a folder for packs, copies, kept evidence, failed notebooks, pointers and leftovers of killed processes.

    Links are not followed.

    Args:
        folder: A folder of packs, or a folder of folders of packs.
    """
    for place, folders, files in os.walk(folder):
        here = Path(place)
        for name in sorted(folders):
            found = None if (here / name).is_symlink() else _folder(here / name)
            if found is not None:
                yield found
                folders.remove(name)
        folders.sort()
        for name in sorted(files):
            left = _LEFTOVER.fullmatch(name)
            if here.name == SEALED and here.parent.name == FOLDER:
                yield CustomerFile(here / name, "", (left["name"] if left else name).removesuffix(".json"))
            elif name.endswith(_POINTER) or left:
                own = left["name"] if left else name
                yield CustomerFile(here / name, "", own.removesuffix(_POINTER))


def runs_in(folder: Path) -> Iterator[Path]:
    """Search a folder for outputs of runs; links are not followed."""
    for place, folders, _ in os.walk(folder):
        if FOLDER in folders:
            yield Path(place)
        folders[:] = sorted(name for name in folders if name != FOLDER and not _is_bag(Path(place) / name))


def files_naming(folder: Path, customer_ids: Collection[str]) -> Iterator[Path]:
    """Search the files outside packs for those that name a customer.

    Args:
        folder: The folder.
        customer_ids: The customers.
    """
    wanted = [each.encode() for each in customer_ids]
    for place, folders, files in os.walk(folder):
        here = Path(place)
        folders[:] = sorted(name for name in folders if not _is_bag(here / name))
        for name in sorted(files):
            if not (here / name).is_symlink() and _holds(here / name, wanted):
                yield here / name


def _folder(path: Path) -> CustomerFile | None:
    left = _LEFTOVER.fullmatch(path.name)
    customer_id = _customer_of(path)
    # The content of a damaged or half-written folder does not show which customer it belongs to, but its name does.
    if not (customer_id or left or _is_bag(path) or path.parent.name in _NAMED_AFTER_CUSTOMERS):
        return None
    root = file_digest(path / TAG_MANIFEST) if (path / TAG_MANIFEST).is_file() else ""
    return CustomerFile(path, customer_id, _base(left["name"] if left else path.name), root)


def _base(name: str) -> str:
    numbered = _NUMBERED.fullmatch(name)
    return numbered["base"] if numbered else name


def _is_bag(path: Path) -> bool:
    return any((path / name).is_file() for name in ("bagit.txt", TAG_MANIFEST, "data/manifest.json"))


def _customer_of(folder: Path) -> str:
    """Return the customer that a folder belongs to, according to its content; empty if the content does not show it."""
    for name, member in (
        ("data/manifest.json", "customer_id"),
        (f"data/{FIELDS}", "customer_id"),
        ("index.json", "customerId"),
        ("data/evidence/index.json", "customerId"),
    ):
        try:
            document: Any = parse_json(read_limited(folder / name, name))
        except (OSError, InputError, PackError):
            continue
        if isinstance(document, dict) and isinstance(document.get(member), str):
            return str(document[member])
    return ""


def _holds(path: Path, wanted: Collection[bytes]) -> bool:
    longest = max((len(each) for each in wanted), default=0)
    tail = b""
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            held = tail + block
            if any(each in held for each in wanted):
                return True
            tail = held[-longest:]
    return False
