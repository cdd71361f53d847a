"""BagIt bags: a payload under `data/`, and manifests by which stock tools check it.

Source: RFC 8493.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path

_DECLARATION = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
_TAGGED = ("bagit.txt", "bag-info.txt", "manifest-sha256.txt")
_TAG_MANIFEST = "tagmanifest-sha256.txt"
_SIGNATURE = "tagmanifest-sha256.txt.p7s"


def close_bag(folder: Path, info: Mapping[str, str]) -> None:
    """Write the tag files of a bag around the payload that lies in `folder/data`.

    Args:
        folder: The bag; nothing but `data/` lies in it.
        info: Fields of `bag-info.txt`, ids and instants only.
    """
    payload = list(_payload(folder))
    octets = sum(path.stat().st_size for path in payload)
    fields = {**info, "Payload-Oxum": f"{octets}.{len(payload)}"}
    _write(folder / "bagit.txt", _DECLARATION)
    _write(folder / "bag-info.txt", "".join(f"{name}: {value}\n" for name, value in fields.items()))
    _write(folder / "manifest-sha256.txt", _manifest(folder, payload))
    _write(folder / _TAG_MANIFEST, _manifest(folder, [folder / name for name in _TAGGED]))


def check_bag(folder: Path) -> tuple[list[str], int]:
    """Check every hash of a bag, and that nothing is missing and nothing is there that should not be.

    Returns:
        The problems, each naming its file, and how many files were hashed.
    """
    problems: list[str] = []
    expected: dict[str, str] = {}
    for manifest in (_TAG_MANIFEST, "manifest-sha256.txt"):
        path = folder / manifest
        if not path.is_file():
            problems.append(f"{manifest} is missing")
            continue
        expected |= _read_manifest(path, problems)
    checked = 0
    for name, digest in sorted(expected.items()):
        path = folder / name
        if not path.is_file() or path.is_symlink():
            problems.append(f"{name} is missing")
            continue
        checked += 1
        if file_sha256(path) != digest:
            problems.append(f"{name} is not what its hash says")
    allowed = {*expected, _TAG_MANIFEST, _SIGNATURE}
    there = (path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*")) if not path.is_dir())
    problems += [f"{name} should not be there" for name in there if name not in allowed]
    if (folder / "bagit.txt").is_file() and (folder / "bagit.txt").read_text(
        encoding="utf-8"
    ) != _DECLARATION:
        problems.append("bagit.txt is not that of a BagIt 1.0 bag")
    return problems, checked


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file, hexadecimal."""
    with path.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()


def _payload(folder: Path) -> Iterator[Path]:
    return (path for path in sorted((folder / "data").rglob("*")) if path.is_file())


def _manifest(folder: Path, paths: list[Path]) -> str:
    return "".join(f"{file_sha256(path)}  {path.relative_to(folder).as_posix()}\n" for path in paths)


def _read_manifest(path: Path, problems: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
        digest, gap, name = line.partition("  ")
        # A name that leaves the bag would make the check read, and vouch for, files that are no part of it.
        if not gap or len(digest) != 64 or name.startswith("/") or ".." in Path(name).parts:
            problems.append(f"{path.name}, line {number} is not a hash and a path inside the bag")
        elif name in found:
            problems.append(f"{path.name}, line {number} names {name} again")
        else:
            found[name] = digest
    return found


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
    path.chmod(0o600)
