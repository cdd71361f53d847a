"""Erasing in folders of an object store: they are copied here, and changes to the copy are repeated there, in old versions too."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from kycpack.batch.customer_files import find_customer_files, runs_in
from kycpack.batch.frame_parts import FRAMES
from kycpack.batch.lock import FOLDER
from kycpack.batch.run_manifest import INDEX, INDEX_PAGES, REPORT, RUN_MANIFEST, RUN_SIGNATURE, SUMMARY
from kycpack.errors import OutputLockedError
from kycpack.evidence.store import file_digest
from kycpack.folders import folder_name
from kycpack.pack.redact.redaction import FIELDS
from kycpack.render.decisions_page import DECISIONS
from kycpack.storage.object_folder import ObjectFolder, StoredVersion, is_url

_LOCK = f"{FOLDER}/lock"
_OF_RUN = frozenset(
    {
        REPORT,
        INDEX,
        INDEX_PAGES,
        SUMMARY,
        DECISIONS,
        RUN_MANIFEST,
        RUN_SIGNATURE,
        FRAMES,
        FOLDER,
        ".quarantine",
    }
)
_SAYS_WHOSE = ("data/manifest.json", f"data/{FIELDS}", "data/evidence/index.json", "index.json")
_LOCAL = re.compile(r"(.*/)?\.kycpack/[^/]*lock")
_NUMBERED = re.compile(
    r"\.?(?P<base>.+?)(?:\+[0-9]+|\+latest|\.[0-9]{1,10}\.[a-z0-9_]{8}\.(?:partial|retired))"
)


@dataclass(frozen=True, slots=True)
class SentBack:
    """The changes of an erasure in an object store.

    Attributes:
        url: The folder.
        removed: How many files were removed.
        written: How many files were written again.
        versions: How many older versions were removed; None if the store cannot list them.
    """

    url: str
    removed: int
    written: int
    versions: int | None


@dataclass(frozen=True)
class StoredFolder:
    """A folder of an object store and its copy on this machine.

    Args:
        url: The folder; see `ObjectFolder`.
        local: Folder for its copy; must be empty.
    """

    url: str
    local: Path
    _before: dict[str, str] = field(default_factory=dict)
    _owners: dict[str, str] = field(default_factory=dict)

    @property
    def now(self) -> Path:
        """The copy of the current files."""
        return self.local / "now"

    @property
    def versions(self) -> Path:
        """The copy of the files that show the customers of folders that exist only in older versions."""
        return self.local / "versions"

    def fetch(self) -> None:
        """Copy the folder.

        Raises:
            OutputLockedError: A run is writing to the folder.
            ObjectStoreError: The store refused or did not answer.
        """
        remote = ObjectFolder(self.url)
        self.now.mkdir(mode=0o700)
        self.versions.mkdir(mode=0o700)
        names = remote.fetch("", self.now)
        if any(name == _LOCK or name.endswith(f"/{_LOCK}") for name in names):
            raise OutputLockedError(f"{self.url}: a run is writing there; wait until it has ended")
        self._before.update((name, file_digest(self.now / name)) for name in names)
        for one in _lost(remote.versions() or (), set(names)):
            if one.name.endswith(_SAYS_WHOSE):
                target = self.versions / one.name
                if ".." not in PurePosixPath(one.name).parts and not target.exists():
                    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                    target.write_bytes(remote.read_version(one))
        self._owners.update(
            (found.path.relative_to(self.versions).as_posix(), found.customer_id)
            for found in find_customer_files(self.versions)
        )

    def send_back(self, customer_ids: Collection[str], number: int) -> SentBack:
        """Change the store as its copy was changed, and remove older versions that hold erased data.

        Versions of other customers' packs stay. For a run that an erasure changed, all older versions of its report, index, frames and
        own records are removed, since each held rows of all customers.

        Args:
            customer_ids: The customers who were erased.
            number: Number of the disposition.

        Raises:
            ObjectStoreError: The store refused or did not answer; calling again continues.
        """
        remote = ObjectFolder(self.url)
        here = {
            path.relative_to(self.now).as_posix(): path
            for path in sorted(self.now.rglob("*"))
            if path.is_file() and not _LOCAL.fullmatch(path.relative_to(self.now).as_posix())
        }
        gone = sorted(self._before.keys() - here.keys())
        for name in gone:
            remote.remove(name)
        changed = [name for name, path in here.items() if self._before.get(name) != file_digest(path)]
        for name in changed:
            remote.write(name, here[name].read_bytes())
        kept = remote.versions()
        if kept is None:
            return SentBack(self.url, len(gone), len(changed), None)
        runs = tuple(self._runs_of(number))
        doomed = [
            one
            for one in kept
            if not one.is_current and (one.name in gone or self._is_erased(one.name, customer_ids, runs))
        ]
        for one in doomed:
            remote.remove_version(one)
        return SentBack(self.url, len(gone), len(changed), sum(not one.is_mark for one in doomed))

    def _is_erased(self, name: str, customer_ids: Collection[str], runs: Sequence[str]) -> bool:
        parts = PurePosixPath(name).parts
        folders = {folder_name(each) for each in customer_ids}
        if any(_base(part) in folders for part in parts):
            return True
        if any(self._owners.get("/".join(parts[:depth])) in customer_ids for depth in range(1, len(parts))):
            return True
        return any(name.startswith(run) and name[len(run) :].partition("/")[0] in _OF_RUN for run in runs)

    def _runs_of(self, number: int) -> Iterator[str]:
        """Yield the runs from which a disposition erased data, as prefixes of file names."""
        for out in runs_in(self.now):
            report = out / REPORT
            said = json.loads(report.read_bytes()) if report.is_file() else {}
            if any(one["disposition"] == number for one in said.get("erasures", ())):
                place = out.relative_to(self.now).as_posix()
                yield "" if place == "." else f"{place}/"


@contextmanager
def local_folders(places: Sequence[str]) -> Iterator[tuple[list[Path], list[StoredFolder]]]:
    """Yield folders as local ones; folders of an object store are copied to a folder that is deleted at the end.

    Args:
        places: Paths and URLs.

    Yields:
        The folders, and those among them that are copies.
    """
    with ExitStack() as scratch:
        folders: list[Path] = []
        stored: list[StoredFolder] = []
        for place in places:
            if not is_url(place):
                folders.append(Path(place))
                continue
            one = StoredFolder(
                place, Path(scratch.enter_context(TemporaryDirectory(prefix="kycpack-store-")))
            )
            one.fetch()
            stored.append(one)
            folders += [one.now, one.versions]
        yield folders, stored


def _lost(kept: Sequence[StoredVersion], names: Collection[str]) -> Iterator[StoredVersion]:
    """Yield the versions of files that no longer exist; a store lists the newest first."""
    return (one for one in kept if not one.is_mark and one.name not in names)


def _base(part: str) -> str:
    found = _NUMBERED.fullmatch(part)
    return found["base"] if found else part
