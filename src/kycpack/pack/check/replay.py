"""Making a pack again, offline, only from what is in it."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from kycpack.errors import PackError
from kycpack.evidence import load_evidence
from kycpack.evidence.store import file_digest
from kycpack.models.arguments import require_path
from kycpack.models.json import parse_json
from kycpack.pack.check.parts import PDFS
from kycpack.pack.notebooks.review_notebook import trusted_notebook
from kycpack.pack.order import read_order
from kycpack.pack.redact.disclosure import COMMITMENTS
from kycpack.pack.seal.write import assemble
from kycpack.pack.signing_extra import signing_module
from kycpack.triage import load_policy


@dataclass(frozen=True, slots=True)
class Replay:
    """The result of making a pack again.

    Attributes:
        identical: Whether every file is the same, byte for byte.
        differences: The figures that differ first, then the files.
    """

    identical: bool
    differences: tuple[str, ...]


def replay_pack(path: Path | str, *, notebook: Path | str | None = None) -> Replay:
    """Make a pack again from its evidence, policy and order, and compare.

    Code from a pack is never run: the notebook comes from the installed package or from the reader.

    Args:
        path: The pack's folder.
        notebook: The reader's copy of the firm's own review notebook; needed if the pack was not made from the
            notebook of this version of kycpack.

    Returns:
        Whether it is identical, and what differs. A signed PDF is compared without its signature.

    Raises:
        PackError: The folder does not hold a pack, or the pack was made from neither of the two notebooks.
        ConfigurationError: The reader's notebook is needed and cannot be read.
        EvidenceError: Its evidence is altered.
        NotebookFailedError: The notebook stopped with an error.
    """
    folder = require_path("path", path)
    if not (folder / "data" / "order.json").is_file():
        raise PackError(f"{folder} is not a pack")
    data = folder / "data"
    trusted = trusted_notebook(data, notebook)
    with tempfile.TemporaryDirectory(prefix="kycpack-replay-") as scratch:
        again = Path(scratch) / "bag"
        again.mkdir()
        assemble(
            load_evidence(data / "evidence", root=file_digest(data / "evidence" / "index.json")),
            load_policy(data / "policy.yaml"),
            read_order(data / "order.json"),
            trusted,
            again,
            quarantine=Path(scratch) / "quarantine",
            # The salts are not in the pack, so its commitment cannot be computed again and is copied.
            commit=lambda _: (data / COMMITMENTS).read_bytes() if (data / COMMITMENTS).is_file() else b"",
        )
        differences = (*_figures(data, again / "data"), *_files(data, again / "data"))
    return Replay(not differences, differences)


def _figures(before: Path, after: Path) -> list[str]:
    found = []
    for name in ("figures.json", "manifest.json"):
        old, new = (_leaves("", parse_json((place / name).read_bytes())) for place in (before, after))
        found += [
            f"data/{name} {key}: {old.get(key, 'absent')} in the pack, {new.get(key, 'absent')} now"
            for key in sorted(old.keys() | new.keys())
            if old.get(key) != new.get(key)
        ]
    for path in sorted((after / "frames").glob("*.parquet")):
        frames = [place / "frames" / path.name for place in (before, after)]
        if frames[0].is_file() and file_digest(frames[0]) != file_digest(frames[1]):
            rows = [len(pd.read_parquet(frame)) for frame in frames]
            found.append(f"frame {path.stem}: {rows[0]} rows in the pack, {rows[1]} now")
    return found


def _files(before: Path, after: Path) -> list[str]:
    found = []
    names = {
        path.relative_to(place).as_posix()
        for place in (before, after)
        for path in place.rglob("*")
        if path.is_file()
    }
    for name in sorted(names):
        old, new = before / name, after / name
        if not old.is_file() or not new.is_file():
            found.append(f"data/{name} is {'not in the pack' if new.is_file() else 'only in the pack'}")
        elif not _same(name, old, new):
            found.append(f"data/{name} differs")
    return found


def _same(name: str, old: Path, new: Path) -> bool:
    stored, made = old.read_bytes(), new.read_bytes()
    if stored == made:
        return True
    # A signature is appended to a PDF and cannot be made again. Anything else that was appended is compared.
    return (
        name in PDFS
        and stored.startswith(made)
        and signing_module("signed_pdf").only_signed(stored, len(made))
    )


def _leaves(path: str, value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        members = ((f"{path}.{name}" if path else name, member) for name, member in value.items())
    elif isinstance(value, list):
        members = ((f"{path}[{place}]", member) for place, member in enumerate(value))
    else:
        return {path: value}
    return {key: leaf for name, member in members for key, leaf in _leaves(name, member).items()}
