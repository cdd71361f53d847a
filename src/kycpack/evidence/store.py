"""Evidence on disk: a folder with `index.json` and one file per body, written completely or not at all."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from kycpack.errors import EvidenceError, InputError
from kycpack.evidence.citations import ENTRY_ID
from kycpack.evidence.record import (
    FORMAT,
    INDEX_FILE,
    OUTCOMES,
    ROOT_FILE,
    Entry,
    Evidence,
    index_bytes,
    sha256_hex,
)
from kycpack.folders import add_file, clear_leftovers, held, new_folder
from kycpack.models.arguments import require_path
from kycpack.models.json import parse_json

_ROOT = re.compile(rf"([0-9a-f]{{64}})  {re.escape(INDEX_FILE)}\n")
_EXTENSION = re.compile(r"[a-z0-9]{1,8}")
_TEXT = ("operation", "method", "path", "query", "note", "adapter")
_TEXT_OR_NONE = ("requested_at", "request_id", "content_type", "sha256", "file", "received_sha256")


def save_evidence(evidence: Evidence, path: Path | str, *, replace: bool = False) -> Path:
    """Write evidence to a folder that only its owner can read.

    The folder is written under another name beside the target and then renamed.

    Args:
        evidence: The evidence to write.
        path: The folder to make; its parent is made when absent.
        replace: Whether older evidence in that place is replaced.

    Returns:
        The folder.

    Raises:
        EvidenceError: Something else is there already, or the disk cannot be written.
    """
    target = Path(path)
    with disk_errors(target, "written"):
        if target.exists() and not replace:
            if (target / INDEX_FILE).is_file() and load_evidence(target).root == evidence.root:
                return target
            raise EvidenceError(f"{target} already exists with other content")
        check_place(target, evidence.customer_id)
        target.parent.mkdir(parents=True, exist_ok=True)
        clear_leftovers(target.parent, target.name)
        with new_folder(target) as scratch:
            write_files(evidence, scratch)
    return target


def to_evidence(value: Evidence | Path | str) -> Evidence:
    """Return evidence that is given as an object or as its folder.

    Args:
        value: Evidence, or a folder that `save_evidence` wrote.

    Raises:
        EvidenceError: The folder does not contain evidence, or was altered.
        TypeError: The value is neither.
    """
    given: object = value
    if isinstance(given, Evidence):
        return given
    if isinstance(given, str | Path):
        return load_evidence(given)
    raise TypeError(
        f"evidence must be an Evidence, as `collect` returns it, or the path of its folder, not {type(given).__name__}"
    )


def load_evidence(path: Path | str, *, root: str | None = None) -> Evidence:
    """Read evidence from a folder and check it against its index, and the index against its root.

    Args:
        path: A folder that `save_evidence` wrote.
        root: The evidence root, if the caller has it from elsewhere; None to read it from the file beside the index.

    Returns:
        The evidence. Every body was checked, and is checked again when it is read; it stays on disk until then.

    Raises:
        EvidenceError: Names the file that is missing, altered, not listed in the index, or cannot be read.
    """
    source = require_path("path", path)
    with disk_errors(source, "read"):
        return _load(source, root)


@contextmanager
def disk_errors(place: Path, what: str) -> Iterator[None]:
    """Turn an error of the disk into one that names the place.

    Args:
        place: The file or folder.
        what: What cannot be done with it, as in `written`.

    Raises:
        EvidenceError: The disk refused.
    """
    try:
        yield
    except OSError as error:
        named = error.filename if what == "read" and error.filename else place
        raise EvidenceError(f"{named} cannot be {what}: {error.strerror}") from error


@dataclass(frozen=True, slots=True, eq=False)
class StoredBodies(Mapping[str, bytes]):
    """Bodies on disk, read one at a time; a body that has changed since it was checked is an error."""

    folder: Path
    entries: Mapping[str, Entry]

    def __getitem__(self, entry_id: str) -> bytes:
        entry = self.entries[entry_id]
        path = self.folder / str(entry.file)
        with disk_errors(path, "read"):
            body = path.read_bytes()
        if sha256_hex(body) != entry.sha256:
            raise EvidenceError(
                f"{path} was altered since it was read, or replaced by newer evidence: it does not match {INDEX_FILE}"
            )
        return body

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __eq__(self, other: object) -> bool:
        # Compares hashes instead of bodies, which are checked against them whenever they are read: the folder may be gone by now.
        return isinstance(other, Mapping) and _hashes(self) == _hashes(other)

    __hash__ = None  # type: ignore[assignment]


def _hashes(bodies: Mapping[str, bytes]) -> dict[str, str | None]:
    if isinstance(bodies, StoredBodies):
        return {entry_id: entry.sha256 for entry_id, entry in bodies.entries.items()}
    return {entry_id: sha256_hex(body) for entry_id, body in bodies.items()}


def check_place(target: Path, customer_id: str) -> None:
    """Check that evidence of a customer may be written to a folder.

    Raises:
        EvidenceError: Something else is there, or another customer's evidence.
    """
    with held(target.parent):  # while another collection replaces it, it is briefly missing
        is_free = not target.exists() or _may_give_way(target, customer_id)
    if not is_free:
        raise EvidenceError(
            f"{target} contains something else, or another customer's evidence; it is not replaced"
        )


def write_index(folder: Path, customer_id: str, entries: Sequence[Entry]) -> None:
    """Write `index.json`, and beside it the evidence root in the format of `sha256sum --check`."""
    index = index_bytes(customer_id, entries)
    add_file(folder / INDEX_FILE, index)
    add_file(folder / ROOT_FILE, f"{sha256_hex(index)}  {INDEX_FILE}\n".encode())


def write_files(evidence: Evidence, folder: Path) -> None:
    """Write evidence into an empty folder; the caller moves it to its target and flushes it to disk.

    Args:
        evidence: The evidence to write.
        folder: The folder.
    """
    write_index(folder, evidence.customer_id, evidence.entries)
    for entry in evidence.entries:
        if entry.file is not None:
            add_file(folder / entry.file, evidence.body(entry.id))


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file, hexadecimal, without holding it in memory."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _may_give_way(target: Path, customer_id: str) -> bool:
    if not target.is_dir():
        return False
    if not (target / INDEX_FILE).is_file():
        return not any(target.iterdir())
    try:
        index = parse_json((target / INDEX_FILE).read_bytes())
    except InputError:
        return True  # damaged evidence is replaced by complete evidence
    return not isinstance(index, dict) or index.get("customerId", customer_id) == customer_id


def _load(source: Path, root: str | None) -> Evidence:
    index = _require_file(source / INDEX_FILE).read_bytes()
    known = root if root is not None else _read_root(source / ROOT_FILE)
    if sha256_hex(index) != known:
        raise EvidenceError(f"{source / INDEX_FILE} was altered: it does not match its evidence root")
    customer_id, entries = _parse_index(index, source)
    stored = {entry.id: entry for entry in entries if entry.file is not None}
    for entry in stored.values():
        _check_body(source, entry)
    named = {INDEX_FILE, ROOT_FILE, *(entry.file for entry in stored.values())}
    extra = sorted(path.name for path in source.iterdir() if path.name not in named)
    if extra:
        raise EvidenceError(f"{source / extra[0]} is not listed in {INDEX_FILE}")
    evidence = Evidence(customer_id=customer_id, entries=entries, bodies=StoredBodies(source, stored))
    if evidence.root != sha256_hex(index):
        raise EvidenceError(f"{source / INDEX_FILE} is not in its canonical form")
    return evidence


def _read_root(path: Path) -> str:
    said = _ROOT.fullmatch(_require_file(path).read_bytes().decode("ascii", "replace"))
    if said is None:
        raise EvidenceError(f"{path} was altered: it does not contain an evidence root")
    return said[1]


def _require_file(path: Path) -> Path:
    if path.is_symlink() or not path.is_file():
        raise EvidenceError(f"{path} is missing")
    return path


def _check_body(source: Path, entry: Entry) -> None:
    path = _require_file(source / str(entry.file))
    if path.stat().st_size != entry.bytes or file_digest(path) != entry.sha256:
        raise EvidenceError(f"{path} was altered: it does not match {INDEX_FILE}")


def _parse_index(index: bytes, source: Path) -> tuple[str, tuple[Entry, ...]]:
    place = source / INDEX_FILE
    try:
        document = parse_json(index)
    except InputError as error:
        raise EvidenceError(f"{place} cannot be read: {error}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise EvidenceError(f"{place} is not in the format {FORMAT}")
    customer_id, entries = document.get("customerId"), document.get("entries")
    if set(document) != {"format", "customerId", "entries"} or not isinstance(entries, list):
        raise EvidenceError(f"{place} does not have the members of {FORMAT}")
    if not isinstance(customer_id, str):
        raise EvidenceError(f"{place} does not contain a customer id")
    return customer_id, tuple(parse_entry(entry, f"{place} entry {n}") for n, entry in enumerate(entries, 1))


def parse_entry(document: Any, place: str) -> Entry:
    """Return the entry for a document of an index.

    Args:
        document: The parsed document.
        place: Where it is, for the error.

    Raises:
        EvidenceError: The document is not an entry.
    """
    names = [field.name for field in fields(Entry)]
    if not isinstance(document, dict) or set(document) != set(names):
        raise EvidenceError(f"{place}: does not have the members of an entry")
    if not _is_well_typed(document):
        raise EvidenceError(f"{place}: a member has the wrong type")
    if not re.fullmatch(ENTRY_ID, document["id"]) or document["outcome"] not in OUTCOMES:
        raise EvidenceError(f"{place}: the id or the outcome is not valid")
    if document["file"] is not None:
        stem, _, extension = document["file"].partition(".")
        if stem != document["id"] or not _EXTENSION.fullmatch(extension):
            raise EvidenceError(f"{place}: the file name does not match the id")
    return Entry(**{**document, "redacted": tuple(document["redacted"])})


def _is_well_typed(document: Mapping[str, Any]) -> bool:
    texts = all(isinstance(document[name], str) for name in ("id", "outcome", *_TEXT))
    optional = all(document[name] is None or isinstance(document[name], str) for name in _TEXT_OR_NONE)
    numbers = isinstance(document["bytes"], int) and isinstance(document["status"], int | None)
    subject, redacted = document["subject"], document["redacted"]
    return (
        texts
        and optional
        and numbers
        and isinstance(subject, dict)
        and all(isinstance(value, str) for value in subject.values())
        and isinstance(redacted, list)
        and all(isinstance(path, str) for path in redacted)
    )
