"""BagIt bags: a payload under `data/`, and manifests that standard tools can check it with.

Source: RFC 8493.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from kycpack.evidence.store import file_digest

TAG_MANIFEST = "tagmanifest-sha256.txt"
SIGNATURE = "tagmanifest-sha256.txt.p7s"
MANIFEST = "manifest-sha256.txt"
ATTESTATION = "attestation.dsse.json"
"""The tag file that states what a signed pack was made from, and by which code."""

_DECLARATION = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
_TAGGED = ("bagit.txt", "bag-info.txt", MANIFEST)
_LINE = re.compile(r"([0-9a-f]{64})  ([A-Za-z0-9][A-Za-z0-9._-]*(?:/[A-Za-z0-9][A-Za-z0-9._-]*)*)")
_MOST_FILES = 100_000
_MOST_TAG_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class BagCheck:
    """The result of checking the hashes and the structure of a bag.

    Attributes:
        problems: What is wrong; each problem names its file.
        checked: How many files were hashed.
        info: The fields of `bag-info.txt`; empty if it cannot be read.
    """

    problems: tuple[str, ...]
    checked: int
    info: Mapping[str, str]


def close_bag(folder: Path, info: Mapping[str, str], known: Mapping[str, str] = MappingProxyType({})) -> None:
    """Write the tag files of a bag for the payload in `folder/data`; earlier tag files are replaced.

    Args:
        folder: The bag.
        info: Fields of `bag-info.txt`, ids and instants only.
        known: SHA-256 of files that were hashed just now, by their path within the bag; the others are hashed here.
    """
    payload = list(_payload(folder))
    fields = {**info, "Payload-Oxum": _oxum(payload)}
    _write(folder / "bagit.txt", _DECLARATION)
    _write(folder / "bag-info.txt", "".join(f"{name}: {value}\n" for name, value in fields.items()))
    _write(folder / MANIFEST, _manifest(folder, payload, known))
    tags = [*_TAGGED, *([ATTESTATION] if (folder / ATTESTATION).is_file() else [])]
    _write(folder / TAG_MANIFEST, _manifest(folder, [folder / name for name in tags], {}))


def make_private(folder: Path) -> None:
    """Let only the owner read what is in a folder."""
    for place, folders, files in os.walk(folder):
        for names, mode in ((folders, 0o700), (files, 0o600)):
            for name in names:
                Path(place, name).chmod(mode)


def check_bag(folder: Path) -> BagCheck:
    """Check every hash of a bag, and that no file is missing and none was added."""
    problems: list[str] = []
    there = _inventory(folder, problems)
    tags = _read_manifest(folder, TAG_MANIFEST, there, problems)
    payload = _read_manifest(folder, MANIFEST, there, problems)
    if tags and tags.keys() - {ATTESTATION} != set(_TAGGED):
        problems.append(f"{TAG_MANIFEST} does not name exactly {', '.join(_TAGGED)}")
    problems += [
        f"{MANIFEST} names {name}, which is not under data/" for name in payload if not _is_data(name)
    ]
    expected = {**payload, **tags}
    checked = 0
    for name, digest in sorted(expected.items()):
        if name not in there:
            problems.append(f"{name} is missing")
            continue
        checked += 1
        if file_digest(folder / name) != digest:
            problems.append(f"{name} does not match its hash")
    allowed = {*expected, TAG_MANIFEST, SIGNATURE}
    problems += [f"{name} should not be there" for name in sorted(there) if name not in allowed]
    if "bagit.txt" in there and _read_text(folder / "bagit.txt") != _DECLARATION:
        problems.append("bagit.txt does not declare a BagIt 1.0 bag")
    info = _info(folder, there, problems)
    return BagCheck(tuple(problems), checked, info)


def _inventory(folder: Path, problems: list[str]) -> set[str]:
    """Return the ordinary files of a folder; links, devices and empty folders are problems, and links are not followed."""
    found: set[str] = set()
    for place, folders, files in os.walk(folder, followlinks=False):
        here = Path(place)
        shown = here.relative_to(folder).as_posix()
        if not folders and not files:
            problems.append(f"{shown}/ is an empty folder and should not be there")
        for name in sorted((*folders, *files)):
            path = here / name
            relative = path.relative_to(folder).as_posix()
            if path.is_symlink():
                problems.append(f"{relative} is a link and should not be there")
            elif name in files and path.is_file():
                found.add(relative)
            elif name in files:
                problems.append(f"{relative} is not an ordinary file and should not be there")
        if len(found) > _MOST_FILES:
            problems.append(f"the pack has more than {_MOST_FILES:,} files; the others were not checked")
            break
    return found


def _info(folder: Path, there: set[str], problems: list[str]) -> dict[str, str]:
    text = _read_text(folder / "bag-info.txt") if "bag-info.txt" in there else None
    if text is None:
        return {}
    lines = [line.partition(": ") for line in text.split("\n")[:-1]]
    fields = {name: value for name, _, value in lines}
    if not text.endswith("\n") or len(fields) != len(lines) or not all(gap for _, gap, _ in lines):
        problems.append("bag-info.txt does not have one field with one value on each line")
    payload = [folder / name for name in there if _is_data(name)]
    if fields.get("Payload-Oxum") != _oxum(payload):
        problems.append(
            "bag-info.txt states a size or number of files (Payload-Oxum) that data/ does not have"
        )
    return fields


def _is_data(name: str) -> bool:
    return name.startswith("data/")


def _oxum(payload: list[Path]) -> str:
    return f"{sum(path.stat().st_size for path in payload)}.{len(payload)}"


def _payload(folder: Path) -> Iterator[Path]:
    return (path for path in sorted((folder / "data").rglob("*")) if path.is_file())


def _manifest(folder: Path, paths: list[Path], known: Mapping[str, str]) -> str:
    named = [(path, path.relative_to(folder).as_posix()) for path in paths]
    return "".join(f"{known.get(name) or file_digest(path)}  {name}\n" for path, name in named)


def _read_manifest(folder: Path, name: str, there: set[str], problems: list[str]) -> dict[str, str]:
    if name not in there:
        problems.append(f"{name} is missing")
        return {}
    text = _read_text(folder / name)
    if text is None:
        problems.append(f"{name} is too large, or not text")
        return {}
    found: dict[str, str] = {}
    # Only a line feed ends a line: a reader that also breaks at other characters would see other names than sha256sum.
    for number, line in enumerate(text.removesuffix("\n").split("\n"), start=1):
        # A name that leads out of the bag would make the check read, and vouch for, files that are not part of it.
        match = _LINE.fullmatch(line)
        if match is None:
            problems.append(f"{name}, line {number} is not a hash and a path inside the bag")
        elif match[2] in found:
            problems.append(f"{name}, line {number} names {match[2]} again")
        else:
            found[match[2]] = match[1]
    return found


def _read_text(path: Path) -> str | None:
    if path.stat().st_size > _MOST_TAG_BYTES:
        return None
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return None


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
    path.chmod(0o600)
