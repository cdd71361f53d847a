"""A run in an object store, read from a local copy: each part is copied once, when it is first needed."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kycpack.batch.lock import FOLDER
from kycpack.errors import ObjectStoreError
from kycpack.folders import folder_name
from kycpack.storage.object_folder import ObjectFolder


class RemoteRun:
    """The local copy of a run; it is removed together with this object.

    Args:
        url: The run's place in an object store.
    """

    def __init__(self, url: str) -> None:
        self._source = ObjectFolder(url)
        self._fetched: set[str] = set()
        self.folder = Path(tempfile.mkdtemp(prefix="kycpack-run-"))
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)

    def fetch(self, prefix: str) -> None:
        """Copy the files whose names begin with a prefix, unless they are here already.

        Raises:
            ObjectStoreError: The store refused or did not answer.
        """
        if prefix not in self._fetched:
            self._source.fetch(prefix, self.folder)
            self._fetched.add(prefix)


@contextmanager
def local_copy(url: str) -> Iterator[Path]:
    """Copy a whole pack or run from an object store to a folder that is removed at the end.

    Args:
        url: The place of the pack or run.

    Yields:
        The folder.

    Raises:
        ObjectStoreError: The place is empty, or the store refused or did not answer.
    """
    with tempfile.TemporaryDirectory(prefix="kycpack-copy-") as scratch:
        folder = Path(scratch) / folder_name(url.rstrip("/").rpartition("/")[2])
        folder.mkdir(mode=0o700)
        if not ObjectFolder(url).fetch("", folder):
            raise ObjectStoreError(f"{url}: nothing is stored there")
        (folder / FOLDER / "lock").unlink(missing_ok=True)
        yield folder


def work_folder(url: str, reports: Path) -> Path:
    """Return the folder on this machine in which packs for a place in an object store are made.

    Args:
        url: The place.
        reports: The folder of reports of the settings.
    """
    return reports / "uploads" / folder_name(url)
