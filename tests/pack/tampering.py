"""What tampering with a pack is made of: a kind of it, edits of its files, new hashes over them, and the check that finds it."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pikepdf

from kycpack.evidence import sha256_hex
from kycpack.frames.plain_table import plain_table
from kycpack.models.json import canonical_json, parse_json
from kycpack.pack import replay_pack, verify_pack
from kycpack.pack.bag import close_bag
from kycpack.pack.compute.parquet import table_bytes
from kycpack.pack.seal.guide import crate_bytes, readme_bytes
from kycpack.pack.seal.manifest import bag_info, made_files

HASH, FIGURES, REPLAY, SIGNATURE = "hash", "figures", "replay", "signature"
"""By which check a tampering is found: hashes and structure; the parts compared; made again; a signature or an outside record."""


@dataclass(frozen=True)
class Kind:
    """One kind of tampering.

    Attributes:
        name: What is done, in words.
        act: Does it to a pack.
        naive: What finds it as it is.
        resealed: What finds it after every hash, root and index that needs no key was made anew.
        reseal: How these are made anew; None for all of them.
    """

    name: str
    act: Callable[[Path], None]
    naive: str
    resealed: str
    reseal: Callable[[Path], None] | None = None


def reseal(pack: Path) -> None:
    """Make every hash, index and root anew, as somebody who knows the format but has no key would."""
    data = pack / "data"
    _reseal_evidence(data)
    try:
        manifest = parse_json((data / "manifest.json").read_bytes())
        manifest["evidence_root"] = sha256_hex((data / "evidence/index.json").read_bytes())
        manifest["policy"]["digest"] = sha256_hex((data / "policy.yaml").read_bytes())
        manifest["files"] = made_files(data)
        (data / "manifest.json").write_bytes(canonical_json(manifest) + b"\n")
        (data / "README.txt").write_bytes(readme_bytes(manifest))
        (data / "ro-crate-metadata.json").write_bytes(crate_bytes(manifest))
        info = bag_info(manifest)
    except (OSError, ValueError, KeyError, TypeError):
        info = {}
    for name in ("bagit.txt", "bag-info.txt", "manifest-sha256.txt", "tagmanifest-sha256.txt"):
        (pack / name).unlink(missing_ok=True)
    close_bag(pack, info)


def _reseal_evidence(data: Path) -> None:
    folder = data / "evidence"
    try:
        index = parse_json((folder / "index.json").read_bytes())
        for entry in index["entries"]:
            if entry.get("file"):
                body = (folder / entry["file"]).read_bytes()
                entry["sha256"], entry["bytes"] = sha256_hex(body), len(body)
        content = canonical_json(index)
        original = (folder / "index.json").read_bytes()
        (folder / "index.json").write_bytes(content + (b"\n" if original.endswith(b"\n") else b""))
    except (OSError, ValueError, KeyError, TypeError):
        return
    (folder / "index.sha256").write_text(f"{sha256_hex((folder / 'index.json').read_bytes())}  index.json\n")


def _tags_anew(pack: Path) -> None:
    names = ("bagit.txt", "bag-info.txt", "manifest-sha256.txt")
    (pack / "tagmanifest-sha256.txt").write_text(
        "".join(f"{hashlib.sha256((pack / name).read_bytes()).hexdigest()}  {name}\n" for name in names)
    )


def _bag_anew(pack: Path) -> None:
    manifest = parse_json((pack / "data/manifest.json").read_bytes())
    close_bag(pack, bag_info(manifest))


def found_by(pack: Path, *, replayed: bool = True) -> str:
    """Return the first check that finds a tampering, in the order of their cost.

    Args:
        pack: The pack that was tampered with.
        replayed: Whether to make it again where nothing else finds it.
    """
    if not verify_pack(pack, hashes_only=True).ok:
        return HASH
    if not verify_pack(pack).ok:
        return FIGURES
    return REPLAY if replayed and not replay_pack(pack).identical else SIGNATURE


def edit_json(name: str, change: Callable[[Any], Any]) -> Callable[[Path], None]:
    """Return what changes a JSON file of a pack."""

    def act(pack: Path) -> None:
        path = pack / "data" / name
        document = parse_json(path.read_bytes())
        change(document)
        path.write_bytes(canonical_json(document) + b"\n")

    return act


def replace(name: str, old: bytes, new: bytes) -> Callable[[Path], None]:
    """Return what replaces bytes in a file of a pack; that they are there is asserted."""

    def act(pack: Path) -> None:
        path = pack / name
        content = path.read_bytes()
        assert old in content
        path.write_bytes(content.replace(old, new))

    return act


def add(name: str, content: bytes = b"x") -> Callable[[Path], None]:
    """Return what adds a file."""

    def act(pack: Path) -> None:
        (pack / name).parent.mkdir(parents=True, exist_ok=True)
        (pack / name).write_bytes(content)

    return act


def append(name: str, content: bytes) -> Callable[[Path], None]:
    """Return what appends bytes to a file."""
    return lambda pack: (pack / name).write_bytes((pack / name).read_bytes() + content) and None


def edit_frame(name: str, change: Callable[[pd.DataFrame], Any]) -> Callable[[Path], None]:
    """Return what changes a frame."""

    def act(pack: Path) -> None:
        path = pack / f"data/frames/{name}.parquet"
        frame = pd.read_parquet(path)
        for column in frame.columns:
            frame[column] = [
                cell.tolist() if isinstance(cell, np.ndarray) else cell for cell in frame[column]
            ]
        change(frame)
        path.write_bytes(table_bytes(plain_table(frame).arrow))

    return act


def edit_pdf(name: str, change: Callable[[pikepdf.Pdf], Any]) -> Callable[[Path], None]:
    """Return what opens a PDF, changes it and writes it anew."""

    def act(pack: Path) -> None:
        path = pack / f"data/report/{name}.pdf"
        with pikepdf.open(BytesIO(path.read_bytes())) as document:
            change(document)
            target = BytesIO()
            document.save(
                target,
                static_id=True,
                fix_metadata_version=False,
                object_stream_mode=pikepdf.ObjectStreamMode.disable,
            )
        path.write_bytes(target.getvalue())

    return act


def _edit_workbook(old: bytes, new: bytes) -> Callable[[Path], None]:
    def act(pack: Path) -> None:
        path = pack / "data/workbook.xlsx"
        with zipfile.ZipFile(path) as book:
            members = {info: book.read(info) for info in book.infolist()}
        assert any(old in content for content in members.values())
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
            for info, content in members.items():
                book.writestr(info, content.replace(old, new))

    return act


def _set(**values: Any) -> Callable[[Any], Any]:
    return lambda document: document.update(values)
