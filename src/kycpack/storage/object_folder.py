"""A folder of an object store, given by a URL: lists, reads, creates and removes its files.

Every store that fsspec supports can be used. On S3 a file is created by one request that fails if the name is taken
(`If-None-Match: *`); for other stores the name is checked first and the file written afterwards, unless fsspec has a
better way.

Source: RFC 9110, 13.1.2 (If-None-Match); Amazon S3, "Conditional writes".
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from kycpack.errors import ConfigurationError, ObjectStoreError

_NEEDS = "a URL needs kycpack's extra `s3`: pip install 'kycpack[s3]'"
_PARTS = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*(?:/[A-Za-z0-9.][A-Za-z0-9._+-]*)*")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+://")


def is_url(place: str) -> bool:
    """Return whether a place is given as a URL."""
    return _SCHEME.match(place) is not None


@dataclass(frozen=True, slots=True)
class StoredVersion:
    """A stored version of a file, or a delete marker.

    Attributes:
        name: The file, relative to the folder.
        version: The store's id of the version.
        is_current: Whether it is read when no version is given.
        is_mark: Whether it is a delete marker, without content.
    """

    name: str
    version: str
    is_current: bool
    is_mark: bool


class ObjectFolder:
    """A folder of an object store.

    Args:
        url: As in `s3://bucket/packs`. Keys, endpoints and regions come from the store's own configuration
            (`AWS_ACCESS_KEY_ID`, `AWS_PROFILE`, `AWS_ENDPOINT_URL`, ...), and never from the URL.

    Raises:
        ConfigurationError: The URL contains more than a place, or the store is not supported here.
    """

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        if "@" in parts.netloc or parts.query or parts.fragment:
            raise ConfigurationError(
                "a URL of packs must have a store, a bucket and a path, and no keys or options"
            )
        path = f"{parts.netloc}{parts.path}".strip("/")
        if (
            parts.scheme == "file"
            or not parts.netloc
            or not _PARTS.fullmatch(path)
            or ".." in PurePosixPath(path).parts
        ):
            raise ConfigurationError(f"{parts.scheme}://{path} does not name a folder of an object store")
        self.url = f"{parts.scheme}://{path}"
        self._scheme = parts.scheme
        self._root = path

    def __repr__(self) -> str:
        return f"ObjectFolder({self.url})"

    def names(self, prefix: str = "") -> tuple[str, ...]:
        """Return the names of all files whose name begins with a prefix, relative to the folder."""
        folder, _, beginning = f"{self._root}/{prefix}".rpartition("/")
        with self._errors(prefix):
            self._store.invalidate_cache()
            listed = self._store.find(folder, prefix=beginning) if beginning else self._store.find(folder)
        names = (str(found).strip("/").removeprefix(f"{self._root}/") for found in listed)
        return tuple(sorted(name for name in names if name.startswith(prefix)))

    def read(self, name: str) -> bytes | None:
        """Return the content of a file; None if it does not exist."""
        try:
            with self._errors(name):
                return bytes(self._store.cat_file(f"{self._root}/{name}"))
        except _AbsentError:
            return None

    def write(self, name: str, content: bytes) -> None:
        """Write a file; an existing one is replaced."""
        with self._writing(name):
            self._store.pipe_file(f"{self._root}/{name}", content)

    def create(self, name: str, content: bytes) -> bool:
        """Create a file; return False if it exists already."""
        path = f"{self._root}/{name}"
        with self._writing(name):
            try:
                self._store.pipe_file(path, content, mode="create")
            except FileExistsError:
                return False
            except OSError:
                if self._store.exists(path):
                    return False
                raise
        return True

    def remove(self, name: str) -> None:
        """Remove a file, if it exists."""
        with suppress(_AbsentError), self._errors(name):
            self._store.rm_file(f"{self._root}/{name}")

    def versions(self) -> tuple[StoredVersion, ...] | None:
        """Return every stored version; None if kycpack cannot list the versions of this store.

        Source: Amazon S3, "ListObjectVersions".
        """
        if self._scheme not in {"s3", "s3a"}:
            return None
        bucket, _, root = self._root.partition("/")
        found: list[StoredVersion] = []
        more: dict[str, str] = {}
        with self._errors(""):
            while True:
                page = self._store.call_s3(
                    "list_object_versions", Bucket=bucket, Prefix=f"{root}/" if root else "", **more
                )
                for kind in ("Versions", "DeleteMarkers"):
                    found += (
                        StoredVersion(
                            str(one["Key"]).removeprefix(f"{root}/"),
                            str(one["VersionId"]),
                            bool(one["IsLatest"]) and kind == "Versions",
                            kind == "DeleteMarkers",
                        )
                        for one in page.get(kind, ())
                    )
                if not page.get("IsTruncated"):
                    return tuple(found)
                more = {
                    name: page[f"Next{name}"]
                    for name in ("KeyMarker", "VersionIdMarker")
                    if page.get(f"Next{name}")
                }

    def read_version(self, one: StoredVersion) -> bytes:
        """Return the content of a version."""
        path = f"{self._root}/{one.name}"
        with self._errors(one.name):
            # In one piece: for pieces, s3fs asks for the size of the current file, which may have been removed.
            return bytes(self._store.cat_file(path, version_id=one.version, max_concurrency=1))

    def remove_version(self, one: StoredVersion) -> None:
        """Remove a version permanently.

        Raises:
            ObjectStoreError: The store refused, for example because versions are locked for a time.
        """
        with self._errors(one.name):
            bucket, _, key = f"{self._root}/{one.name}".partition("/")
            self._store.call_s3("delete_object", Bucket=bucket, Key=key, VersionId=one.version)

    def fetch(self, prefix: str, folder: Path) -> tuple[str, ...]:
        """Copy all files whose name begins with a prefix into a local folder, readable by their owner only.

        Args:
            prefix: The beginning of the names.
            folder: The local folder; files are written below it under their names.

        Returns:
            The names.

        Raises:
            ObjectStoreError: A name leads out of the folder, or the store did not answer.
        """
        names = self.names(prefix)
        for name in names:
            target = folder / name
            if not _PARTS.fullmatch(name.removeprefix(".")) or ".." in PurePosixPath(name).parts:
                raise ObjectStoreError(f"{self.url}: the name of a file is not valid for a pack or run")
            content = self.read(name)
            if content is None:
                raise ObjectStoreError(f"{self.url}/{name} was removed while it was being read")
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with os.fdopen(os.open(target, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb") as file:
                file.write(content)
        return names

    @cached_property
    def _store(self) -> Any:
        try:
            import fsspec  # noqa: PLC0415 - an extra

            return fsspec.filesystem(self._scheme)
        except ImportError:
            raise ConfigurationError(_NEEDS) from None
        except ValueError:
            raise ConfigurationError(f"{self._scheme}:// is not a supported object store") from None

    @contextmanager
    def _writing(self, name: str) -> Iterator[None]:
        """Turn the errors of writing a file into one error, as `_errors`; what is absent then can only be the bucket."""
        try:
            with self._errors(name):
                yield
        except _AbsentError:
            raise ObjectStoreError(
                f"{self.url}: there is no such bucket, or these keys cannot see it"
            ) from None

    @contextmanager
    def _errors(self, name: str) -> Iterator[None]:
        """Turn the errors of the store's library into one error that names the place and does not quote answers."""
        try:
            yield
        except (FileNotFoundError, KeyError):
            raise _AbsentError(f"{self.url}/{name} does not exist") from None
        except (ConfigurationError, FileExistsError):
            raise
        except Exception as error:  # noqa: BLE001 - the libraries of the stores have no error class in common
            raise ObjectStoreError(
                f"{self.url}/{name}: the object store refused or did not answer ({type(error).__name__})"
            ) from None


class _AbsentError(ObjectStoreError):
    """The file does not exist."""
