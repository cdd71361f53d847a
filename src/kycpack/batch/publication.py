"""A run in an object store: packs are made in a local folder, verified, and copied to the store complete.

A pack in the store is complete once its tag manifest is there: that file comes last, and never replaces another. The leftover
of a killed upload is not a pack, and the next upload continues it. During a run, nothing in the store looks like its result.
"""

from __future__ import annotations

import json
import os
import socket
import tempfile
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from kycpack.batch.executor import Task
from kycpack.batch.frame_parts import FRAMES
from kycpack.batch.jobs import Job
from kycpack.batch.lock import EVIDENCE, FOLDER, output_id
from kycpack.batch.report import RunEntry
from kycpack.batch.run_manifest import INDEX, INDEX_PAGES, REPORT, RUN_MANIFEST, RUN_SIGNATURE, SUMMARY
from kycpack.errors import KycpackError, OutputLockedError, PackError
from kycpack.folders import folder_name, is_pack_of
from kycpack.pack.bag import TAG_MANIFEST, check_bag
from kycpack.pack.earlier_packs import POINTER, latest_pack
from kycpack.render.decisions_page import DECISIONS
from kycpack.storage.object_folder import ObjectFolder

_LOCK = f"{FOLDER}/lock"
_MARKER = f"{FOLDER}/output-id"
_RESULTS = (RUN_SIGNATURE, RUN_MANIFEST, REPORT, INDEX, SUMMARY, DECISIONS)


class Publication:
    """The place of a run's packs in an object store.

    Args:
        url: The place; see `ObjectFolder`.
        out: The local folder in which packs are made.
    """

    def __init__(self, url: str, out: Path) -> None:
        self._remote = ObjectFolder(url)
        self._out = out

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the place for one run, and mark it with the id of the run's output.

        Raises:
            OutputLockedError: A run on another machine or in another local folder holds it.
            ObjectStoreError: The store refused or did not answer.
        """
        own = self._out / FOLDER
        own.mkdir(mode=0o700, parents=True, exist_ok=True)
        marker = self._remote.read(_MARKER)
        if marker is not None and not (own / "output-id").exists():
            (own / "output-id").write_bytes(marker)
        mine = output_id(own).encode()
        if not self._remote.create(_MARKER, mine) and self._remote.read(_MARKER) != mine:
            raise OutputLockedError(
                f"{self._remote.url}: {self._out} is the local folder of a different place; give another --out"
            )
        claim = json.dumps({"host": socket.gethostname(), "folder": _folder_id(own)}).encode()
        # The local folder is locked too, so a process that left a claim from this folder is gone.
        if not self._remote.create(_LOCK, claim) and self._remote.read(_LOCK) not in {claim, None}:
            raise OutputLockedError(
                f"{self._remote.url}: a run on another machine, or in another folder, is writing there; if it is gone for good, "
                f"remove {self._remote.url}/{_LOCK}"
            )
        try:
            yield
        finally:
            self._remote.remove(_LOCK)

    def try_out(self) -> bool:
        """Create, read and remove an empty file in the place, and list it, as a run does.

        Returns:
            Whether the store kept the file when it was asked to create another one in its place.

        Raises:
            ConfigurationError: The store's library is not installed.
            ObjectStoreError: The store refused or did not answer.
        """
        name = f"{FOLDER}/try-{uuid.uuid4()}"
        is_new = self._remote.create(name, b"")  # its error says whether there is a bucket
        try:
            self._remote.names(f"{FOLDER}/")
            return is_new and self._remote.read(name) == b"" and not self._remote.create(name, b"")
        finally:
            self._remote.remove(name)

    def fetch_packs(self, customer_id: str) -> None:
        """Copy the latest pack of a customer to this machine if the machine has none.

        Raises:
            ObjectStoreError: The store refused or did not answer.
        """
        name = folder_name(customer_id)
        if latest_pack(self._out, customer_id) is not None:
            return
        held = self._remote.names(name)
        packs = {
            found.partition("/")[0]
            for found in held
            if found.endswith(f"/{TAG_MANIFEST}") and is_pack_of(found.partition("/")[0], name)
        }
        for pack in packs:
            self.fetch_pack(pack)
        if packs and (pointer := self._remote.read(f"{name}{POINTER}")) is not None:
            (self._out / f"{name}{POINTER}").write_bytes(pointer)

    def fetch_pack(self, pack: str) -> None:
        """Copy a pack to this machine if it is not here yet, for example because a worker elsewhere made it.

        Args:
            pack: The pack's folder, relative to the output.

        Raises:
            ObjectStoreError: The store refused or did not answer.
        """
        if (self._out / pack).exists():
            return
        with tempfile.TemporaryDirectory(prefix=".fetched-", dir=self._out) as scratch:
            self._remote.fetch(f"{pack}/", Path(scratch))
            if (Path(scratch) / pack).exists():
                (Path(scratch) / pack).rename(self._out / pack)

    def publish_pack(self, pack: str) -> None:
        """Copy a pack to its place in the store; a pack that is already there with the same content stays.

        Args:
            pack: The pack's folder, relative to the output.

        Raises:
            PackError: The pack is damaged, or another pack is in its place.
            ObjectStoreError: The store refused or did not answer.
        """
        folder = self._out / pack
        sealed = (folder / TAG_MANIFEST).read_bytes()
        if self._is_there(pack, sealed):
            return
        if problems := check_bag(folder).problems:
            raise PackError(f"{pack} was not uploaded: {problems[0]}")
        files = {
            f"{pack}/{path.relative_to(folder).as_posix()}": path
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
        last = f"{pack}/{TAG_MANIFEST}"
        for name, path in files.items():
            if name != last:
                self._remote.write(name, path.read_bytes())
        for left in set(self._remote.names(f"{pack}/")) - files.keys():
            self._remote.remove(left)
        if not self._remote.create(last, sealed) and not self._is_there(pack, sealed):
            raise PackError(f"another pack is at {self._remote.url}/{pack}; it is never replaced")
        pointer = self._out / f"{pack.partition('+')[0]}{POINTER}"
        if pointer.is_file():
            self._remote.write(pointer.name, pointer.read_bytes())

    def take_back(self) -> None:
        """Remove what would look like the result of this run during the run."""
        for name in (*_RESULTS, *self._remote.names(f"{INDEX_PAGES}/")):
            self._remote.remove(name)

    def publish_run(self, entries: Sequence[RunEntry]) -> None:
        """Copy the run's data set, kept evidence, pages and report; the manifest of the run comes last.

        Args:
            entries: The outcome of every customer.
        """
        kept = [entry.evidence for entry in entries if entry.evidence]
        wanted = {
            path.relative_to(self._out).as_posix(): path
            for place in (FRAMES, INDEX_PAGES, *kept)
            for path in sorted((self._out / place).rglob("*"))
            if path.is_file()
        }
        own = {f"{EVIDENCE}/{folder_name(entry.customer_id)}" for entry in entries}
        there = {
            *self._remote.names(f"{FRAMES}/"),
            *(name for name in self._remote.names(f"{EVIDENCE}/") if "/".join(name.split("/")[:3]) in own),
        }
        for name in there - wanted.keys():
            self._remote.remove(name)
        for name, path in wanted.items():
            # The name of a part depends on its packs, but its columns may have been changed since.
            content = path.read_bytes()
            if name not in there or self._remote.read(name) != content:
                self._remote.write(name, content)
        for name in reversed(_RESULTS):
            if (self._out / name).is_file():
                self._remote.write(name, (self._out / name).read_bytes())

    def _is_there(self, pack: str, sealed: bytes) -> bool:
        found = self._remote.read(f"{pack}/{TAG_MANIFEST}")
        if found is not None and found != sealed:
            raise PackError(f"another pack is at {self._remote.url}/{pack}; it is never replaced")
        return found is not None


@dataclass(frozen=True, slots=True)
class PublishingTask:
    """A task that copies each pack to an object store as soon as it is made.

    Attributes:
        task: The task that makes the packs.
        url: The place of the packs in the object store.
    """

    task: Task
    url: str

    @property
    def preload(self) -> Sequence[str]:
        """The modules that the task needs; the store's library starts threads, so it is not imported before a fork."""
        return self.task.preload

    def __call__(self, job: Job, *, out: Path, as_of: datetime, previous: RunEntry | None) -> RunEntry:
        """Make the pack and copy it; a pack that could not be copied does not count, and its customer is tried again."""
        place = Publication(self.url, out)
        place.fetch_packs(job.customer_id)
        entry = self.task(job, out=out, as_of=as_of, previous=previous)
        if not entry.pack:
            return entry
        try:
            place.publish_pack(entry.pack)
        except KycpackError as error:
            note = f"the pack was made, but not uploaded: {error}"
            return replace(entry, outcome="failed", pack="", fingerprint="", note=note)
        return entry


def _folder_id(own: Path) -> str:
    """Return an id that distinguishes this local folder from all others, even from a copy of it on another machine."""
    found = os.stat(own)  # noqa: PTH116 - the raw numbers are needed
    return f"{found.st_dev}-{found.st_ino}"
