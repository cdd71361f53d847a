"""Redacted copies: a second bag that shows some fields of a pack, and proves that it is the pack without the masked parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kycpack import __version__
from kycpack.errors import PackError
from kycpack.evidence.store import file_digest
from kycpack.folders import new_folder
from kycpack.models.instants import read_as_of
from kycpack.models.json import canonical_json
from kycpack.pack.bag import TAG_MANIFEST, check_bag, close_bag, make_private
from kycpack.pack.limits import read_document, read_limited
from kycpack.pack.redact.disclosure import (
    COMMITMENTS,
    DisclosedFrame,
    DisclosedRow,
    disclosed,
    plain_frames,
    profile_of,
    root_of,
    shown_columns,
)
from kycpack.pack.redact.redacted_pdf import render_copy_pdf

SCHEMA = "kycpack-redacted-1"
FIELDS = "redacted.json"
_PDF = "report/copy.pdf"
_FILES = {FIELDS, _PDF, "README.txt"}
_README = """\
{title}, as of {as_of}

  data/redacted.json      what this copy shows, with the salts that prove it
  data/report/copy.pdf    the same as a document; it was made from these fields alone, so no masked text lies under it

{proof}
"""
_PROVED = """\
It can be proved that this copy is a sealed pack without the masked parts. Anyone who has that pack can check it with
  kycpack verify --full PACK .
Without that pack, kycpack verify . shows only that nothing in this copy was changed since it was made."""
_UNPROVED = """\
The pack that this copy was made from was sealed without a commitment to its fields. It cannot be proved that this copy is that
pack without the masked parts."""

NOT_COMPARED = (
    "Whether this copy is a sealed pack without the masked parts is not shown: give that pack with --full."
)
UNPROVABLE = (
    "Whether this copy is a sealed pack without the masked parts cannot be shown: that pack was sealed without a commitment "
    "to its fields, by an older version of kycpack or without a redaction key."
)


def redact_pack(pack: Path | str, to: Path | str, profile: str, key: bytes) -> Path:
    """Make a redacted copy of a pack.

    Args:
        pack: The pack's folder.
        to: The copy's folder, which must not exist yet.
        profile: `auditor` or `customer`.
        key: The workspace's redaction key.

    Returns:
        The copy's folder.

    Raises:
        PackError: The pack is damaged, was sealed with another key, or `to` already exists.
    """
    source, target = Path(pack), Path(to)
    title = profile_of(profile)["title"]
    if target.exists():
        raise PackError(f"{target} already exists; a copy never replaces anything")
    if problems := check_bag(source).problems:
        raise PackError(f"{source} is damaged ({problems[0]}); no copy was made of it")
    data = source / "data"
    manifest = read_document(data, "manifest.json")
    about = (manifest["customer_id"], manifest["as_of"])
    frames = tuple(disclosed(plain_frames(data), profile, key, about))
    root = None
    if (data / COMMITMENTS).is_file():
        root = root_of(frames)
        if root != read_document(data, COMMITMENTS)["roots"][profile]:
            raise PackError(
                f"{source} was sealed with another redaction key, or with other rules of redaction"
            )
    document = {
        "schema": SCHEMA,
        "profile": profile,
        "customer_id": manifest["customer_id"],
        "as_of": manifest["as_of"],
        "made_by": f"kycpack {__version__}",
        "root": root,
        # From a hash of the original, a customer could see whether two copies come from one pack.
        "pack": file_digest(source / TAG_MANIFEST) if profile == "auditor" else None,
        "frames": {frame.name: _written(frame) for frame in frames},
    }
    target.parent.mkdir(parents=True, exist_ok=True)
    with new_folder(target) as bag:
        (bag / "data" / "report").mkdir(mode=0o700, parents=True)
        (bag / "data" / FIELDS).write_bytes(canonical_json(document) + b"\n")
        (bag / "data" / _PDF).write_bytes(_pdf(document, frames))
        readme = _README.format(title=title, as_of=about[1], proof=_UNPROVED if root is None else _PROVED)
        (bag / "data" / "README.txt").write_text(readme, encoding="utf-8", newline="\n")
        make_private(bag)
        close_bag(bag, {"Bagging-Date": about[1][:10], "Internal-Sender-Identifier": about[0]})
    return target


def is_copy(folder: Path) -> bool:
    """Return whether a folder is a redacted copy rather than a pack."""
    return (folder / "data" / FIELDS).is_file() and not (folder / "data" / "manifest.json").exists()


def copy_problems(folder: Path, full: Path | None) -> Iterator[str]:
    """Yield what is wrong with a redacted copy.

    Args:
        folder: The copy.
        full: The pack that the copy is said to be made from; None if the reader does not have it.
    """
    data = folder / "data"
    yield from (
        f"data/{name} does not belong in a redacted copy"
        for name in sorted(path.relative_to(data).as_posix() for path in data.rglob("*") if path.is_file())
        if name not in _FILES
    )
    document = read_document(data, FIELDS)
    if document["schema"] != SCHEMA:
        yield f"data/{FIELDS} does not have the schema {SCHEMA}"
        return
    profile = document["profile"]
    frames = tuple(_read(name, frame) for name, frame in sorted(document["frames"].items()))
    for frame in frames:
        if frame.columns != shown_columns(profile, frame.name, frame.columns):
            yield f"data/{FIELDS}: frame {frame.name} shows columns that the profile {profile} does not show"
    if document["root"] is not None and root_of(frames) != document["root"]:
        yield f"data/{FIELDS}: the fields shown are not those that the pack was sealed with"
    if document["made_by"] == f"kycpack {__version__}" and _pdf(document, frames) != read_limited(
        data / _PDF, f"data/{_PDF}"
    ):
        yield f"data/{_PDF} is not the document that kycpack makes from data/{FIELDS}"
    if full is not None:
        yield from _differences(document, full)


def copy_doubts(folder: Path, full: Path | None) -> Iterator[str]:
    """Yield a sentence for each thing that checking a redacted copy does not show."""
    if read_document(folder / "data", FIELDS)["root"] is None:
        yield UNPROVABLE
    elif full is None:
        yield NOT_COMPARED


def _differences(document: Mapping[str, Any], full: Path) -> Iterator[str]:
    yield from (f"the full pack: {problem}" for problem in check_bag(full).problems)
    if not (full / "data" / COMMITMENTS).is_file():
        yield "the full pack was sealed without a commitment to its fields"
        return
    if read_document(full / "data", COMMITMENTS)["roots"][document["profile"]] != document["root"]:
        yield f"data/{FIELDS}: the copy was not made from the full pack that was given"
    if document["pack"] is not None and document["pack"] != file_digest(full / TAG_MANIFEST):
        yield f"data/{FIELDS} does not name the full pack that was given"


def _written(frame: DisclosedFrame) -> dict[str, Any]:
    return {
        "columns": list(frame.columns),
        "rows": [{"cells": list(row.cells), "salt": row.salt, "masked": row.masked} for row in frame.rows],
    }


def _read(name: str, frame: Mapping[str, Any]) -> DisclosedFrame:
    rows = tuple(DisclosedRow(tuple(row["cells"]), row["salt"], row["masked"]) for row in frame["rows"])
    return DisclosedFrame(name, tuple(frame["columns"]), rows)


def _pdf(document: Mapping[str, Any], frames: tuple[DisclosedFrame, ...]) -> bytes:
    as_of: datetime = read_as_of(document["as_of"]).astimezone(UTC)
    return render_copy_pdf(profile_of(document["profile"])["title"], document["customer_id"], as_of, frames)
