"""Writes the answers of a collection to disk as they come, so that an interrupted one continues where it stopped.

An unfinished collection is beside its target as `.<name>.collecting`; the next collection to that target continues or removes
it. Only one collection at a time writes there.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from uuid import uuid4

from kycpack.errors import EvidenceError, InputError
from kycpack.evidence.record import Entry, Evidence, entry_document
from kycpack.evidence.store import (
    check_place,
    disk_errors,
    file_digest,
    load_evidence,
    parse_entry,
    write_index,
)
from kycpack.folders import add_file, clear_leftovers, new_folder
from kycpack.locks import locked_folder
from kycpack.models.json import canonical_json, parse_json

_ANSWERS = "answers.jsonl"

Key = tuple[str, str, str, str, str]
"""What was asked: operation, method, path, query and adapter."""


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer on disk.

    Attributes:
        entry: Its entry, without id and file as yet.
        path: File of its body.
    """

    entry: Entry
    path: Path


@dataclass(slots=True)
class Journal:
    """A collection that is being written; made by `open_journal`."""

    target: Path
    folder: Path
    customer_id: str
    earlier: Mapping[Key, Kept] = field(default_factory=dict)

    def keep(self, entry: Entry, body: bytes, extension: str) -> Path:
        """Write an answer, and return the path of its body.

        Args:
            entry: The entry; its id and file are set at the end.
            body: The body.
            extension: File extension of the body.
        """
        path = self.folder / f"{uuid4().hex}.{extension}"
        add_file(path, body)
        self._note(path, entry)
        return path

    def take(self, entry: Entry, received: Path, extension: str) -> Path:
        """Add an answer whose body is a file in `folder` already, and return the path of its body.

        Args:
            entry: The entry; its id and file are set at the end.
            received: File of the body.
            extension: File extension of the body.
        """
        path = received.with_suffix(f".{extension}")
        received.rename(path)
        self._note(path, entry)
        return path

    def _note(self, path: Path, entry: Entry) -> None:
        line = canonical_json({"body": path.name, "entry": entry_document(entry)})
        with (self.folder / _ANSWERS).open("ab") as file:
            file.write(line + b"\n")

    def discard(self) -> None:
        """Remove everything that was written."""
        shutil.rmtree(self.folder)

    def finish(self, entries: Sequence[Entry], bodies: Mapping[str, Path]) -> Evidence:
        """Move the collection to its target, and return it.

        Args:
            entries: Every entry, in order of the plan, with ids and files.
            bodies: Path of each entry's body, by the entry's id.

        Returns:
            The evidence; its bodies stay on disk until they are read.
        """
        with new_folder(self.target) as scratch:
            for entry in entries:
                if entry.file is not None:
                    _place(bodies[entry.id], scratch / entry.file)
            write_index(scratch, self.customer_id, entries)
        evidence = load_evidence(self.target)  # before the next collection to this target may begin
        shutil.rmtree(self.folder)
        return evidence


@contextmanager
def open_journal(target: Path, customer_id: str) -> Iterator[Journal]:
    """Start to write evidence to a folder, or continue where an earlier collection stopped.

    Args:
        target: The folder to make; older evidence of the same customer is replaced when the new evidence is complete.
        customer_id: Customer id.

    Yields:
        The journal; its content is kept if the block ends early.

    Raises:
        EvidenceError: The target is something else, another collection is writing there, or the disk cannot be written.
    """
    check_place(target, customer_id)
    with disk_errors(target, "written"):
        target.parent.mkdir(parents=True, exist_ok=True)
        clear_leftovers(target.parent, target.name)
        folder = target.parent / f".{target.name}.collecting"
        with _locked(folder):
            yield Journal(target, folder, customer_id, _read(folder, customer_id))


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    try:
        while True:
            folder.mkdir(mode=0o700, exist_ok=True)
            with locked_folder(folder, wait=False) as descriptor:
                # The process that held the lock may have finished and moved the folder.
                beside = not hasattr(os, "O_DIRECTORY")
                if folder.exists() and (beside or folder.stat().st_ino == os.fstat(descriptor).st_ino):
                    yield
                    return
    except BlockingIOError:
        raise EvidenceError(f"{folder} is in use: another collection is writing there") from None


def _read(folder: Path, customer_id: str) -> dict[Key, Kept]:
    """Return the answers that an earlier collection kept, without those that are incomplete, altered or another customer's."""
    found: dict[Key, Kept] = {}
    path = folder / _ANSWERS
    for line in path.read_bytes().splitlines() if path.is_file() else ():
        try:
            document = parse_json(line)
            entry = parse_entry({**document["entry"], "id": "E-00", "file": None}, str(path))
            body = folder / Path(document["body"]).name
        except (InputError, EvidenceError, KeyError, TypeError):
            continue
        whole = body.is_file() and (body.stat().st_size, file_digest(body)) == (entry.bytes, entry.sha256)
        if whole and entry.subject.get("customer_id") == customer_id:
            key = (entry.operation, entry.method, entry.path, entry.query, entry.adapter)
            found[key] = Kept(replace(entry, id=""), body)
    return found


def _place(body: Path, path: Path) -> None:
    try:
        os.link(body, path)
    except OSError:  # a file system without links
        shutil.copyfile(body, path)
        path.chmod(0o600)
