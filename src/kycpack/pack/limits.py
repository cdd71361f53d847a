"""Limits on reading files: a compressed file from outside may expand to a thousand times its size."""

from __future__ import annotations

import zipfile
import zlib
from io import BytesIO
from pathlib import Path
from typing import Any

from kycpack.errors import InputError, PackError
from kycpack.models.json import parse_json

MOST_BYTES = 64 * 1024 * 1024
"""Largest file of a pack that is opened, and the largest size that one of its parts may expand to."""

_MOST_IN_ALL = 256 * 1024 * 1024
_MOST_PARTS = 2_000


def read_limited(path: Path, name: str, *, most: int = MOST_BYTES) -> bytes:
    """Return the bytes of a file.

    Args:
        path: The file.
        name: What errors call it.
        most: How large it may be, in bytes.

    Raises:
        PackError: It is missing, a link, or too large.
    """
    if path.is_symlink() or not path.is_file():
        raise PackError(f"{name} is missing")
    if path.stat().st_size > most:
        raise PackError(f"{name} is larger than {most // 1024**2} MB and was not opened")
    return path.read_bytes()


def read_document(data: Path, name: str) -> dict[str, Any]:
    """Return a JSON object from the folder `data/` of a pack.

    Args:
        data: The folder.
        name: The file's path in it.

    Raises:
        PackError: It is missing, a link, too large, or not a JSON object.
    """
    try:
        document = parse_json(read_limited(data / name, f"data/{name}"))
    except InputError as error:
        raise PackError(f"data/{name} cannot be read: {error}") from None
    if not isinstance(document, dict):
        raise PackError(f"data/{name} is not an object")
    return document


class Allowance:
    """How many more bytes the parts of one file may expand to.

    Args:
        name: What errors call the file.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._left = _MOST_IN_ALL

    def inflate(self, packed: bytes) -> bytes:
        """Return the decompressed content of a zlib stream.

        Raises:
            PackError: It is damaged, has bytes after its end, or expands to more than is allowed.
        """
        reader = zlib.decompressobj()
        try:
            content = reader.decompress(packed, MOST_BYTES + 1)
        except zlib.error as error:
            raise PackError(f"{self._name} has a damaged compressed part") from error
        self.spend(len(content))
        if not reader.eof:
            raise PackError(f"{self._name} has a compressed part that ends too early")
        if reader.unused_data.strip(b"\r\n"):
            raise PackError(f"{self._name} has bytes after the end of a compressed part")
        return content

    def spend(self, size: int) -> None:
        """Count the size of a part, in bytes.

        Raises:
            PackError: The part, or all parts together, are larger than is allowed.
        """
        self._left -= size
        if size > MOST_BYTES or self._left < 0:
            raise PackError(f"{self._name} expands to more than a pack may hold and was not opened")


def check_zip(content: bytes, name: str) -> None:
    """Read every member of a zip file to its end, so that it is safe to open.

    Args:
        content: The file.
        name: What errors call it.

    Raises:
        PackError: It is damaged, has a name twice or too many members, or expands to more than is allowed.
    """
    allowance = Allowance(name)
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            members = archive.infolist()
            if len(members) > _MOST_PARTS or len({one.filename for one in members}) != len(members):
                raise PackError(f"{name} has a part twice, or more than {_MOST_PARTS:,} parts")
            for member in members:
                with archive.open(member) as part:
                    allowance.spend(len(part.read(MOST_BYTES + 1)))
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise PackError(f"{name} is not a zip file that can be read") from error
