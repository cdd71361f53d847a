"""The manifest of a run, to be signed: every customer in scope with the outcome, and the root of every pack.

Source: RFC 8785 for the form of the JSON, so that equal manifests have equal bytes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kycpack.batch.frame_parts import FRAMES
from kycpack.batch.lock import FOLDER
from kycpack.batch.report import OUTCOMES
from kycpack.errors import PackError
from kycpack.evidence.store import file_digest
from kycpack.folders import write_file
from kycpack.models.json import canonical_json
from kycpack.ordering import in_order
from kycpack.pack.bag import TAG_MANIFEST
from kycpack.pack.earlier_packs import pack_root
from kycpack.storage.scratch import Scratch

SCHEMA = "kycpack-run-manifest-1"
REPORT = "run.json"
INDEX = "index.html"
INDEX_PAGES = "index"
SUMMARY = "summary.pdf"
RUN_MANIFEST = "run-manifest.json"
RUN_SIGNATURE = "run-manifest.json.p7s"
EARLIER_RUNS = "earlier-runs"
_AFTER_RUN_ID = 2048
"""More than the bytes from the member `run_id` of a manifest to its end."""
_RUN = ("run_id", "state", "as_of", "started_at", "finished_at", "code_version", "ledger_head", "in_scope")
_CUSTOMER = ("customer_id", "outcome", "level", "top_reason", "pack", "evidence", "evidence_root")


def write_run_manifest(out: Path, report: Mapping[str, Any]) -> None:
    """Write the manifest of a run beside its packs; the signature of an earlier manifest is removed.

    Args:
        out: The run's output, with its report, its index and its packs.
        report: The content of `run.json`.
    """
    write_file(out / RUN_MANIFEST, _unsigned(out, _manifest(out, report)))


def _unsigned(out: Path, content: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the content of a manifest; the earlier signature is removed after all of it was made, before it replaces the old one."""
    yield from content
    (out / RUN_SIGNATURE).unlink(missing_ok=True)


def _manifest(out: Path, report: Mapping[str, Any]) -> Iterator[bytes]:
    """Yield the manifest customer by customer, so that the whole is never in memory."""
    named = Scratch("CREATE TABLE packs (name TEXT PRIMARY KEY) WITHOUT ROWID")
    named.write("INSERT OR IGNORE INTO packs VALUES (?)", ((str(one["pack"]),) for one in report["entries"]))
    is_named = "SELECT 1 FROM packs WHERE name = ?"
    with os.scandir(out) as inside:
        other = [
            one.name for one in inside if not named.value(is_named, (one.name,)) and _is_pack(out / one.name)
        ]
    rest = {
        "schema": SCHEMA,
        **run_facts(report),
        "population": report.get("population"),
        "customers": [],
        "files": {name: file_digest(out / name) for name in results_in(out)},
        "other_packs": {name: roots_of(out / name) for name in other},
        "earlier_run": _earlier_run(out),
        "erasures": list(report.get("erasures", ())),
    }
    # No text before it contains a bare quotation mark.
    head, member, foot = canonical_json(rest).partition(b'"customers":[')
    yield head + member
    for number, one in enumerate(customers_of(report)):
        pack = out / str(one["pack"])
        is_there = pack.parent == out and _is_pack(pack)
        roots = roots_of(pack) if is_there else {"root": "", "manifest": ""}
        yield b"," * (number > 0) + canonical_json({**one, **roots})
    yield foot


def results_in(out: Path) -> tuple[str, ...]:
    """Return the files of a run except its packs and its manifest, relative to the output, sorted by name."""
    beside = (path for folder in (FRAMES, INDEX_PAGES) for path in (out / folder).rglob("*"))
    found = [*(out / name for name in (REPORT, INDEX, SUMMARY)), *beside]
    return tuple(
        sorted(path.relative_to(out).as_posix() for path in found if path.is_file() or path.is_symlink())
    )


def run_facts(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts that a manifest copies from the report: the run, and the number of customers with each outcome."""
    return {name: report[name] for name in (*_RUN, *OUTCOMES)}


def customers_of(report: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the facts that a manifest copies from the entries of the report, sorted by customer id."""
    for entry in in_order(report["entries"], lambda one: str(one["customer_id"])):
        yield {
            **{name: entry[name] for name in _CUSTOMER},
            # An unchanged pack has its own date; this is the date on which it was found to be still valid.
            "checked_as_of": report["as_of"] if entry["outcome"] == "unchanged" else None,
            # The evidence of that check is kept; runs of earlier versions did not keep it.
            **{name: entry[name] for name in ("checked_root", "disposition") if entry.get(name)},
        }


def roots_of(pack: Path) -> dict[str, str]:
    """Return the two roots of a pack.

    `root` is the SHA-256 of the tag manifest and covers every byte. `manifest` is the SHA-256 of `data/manifest.json`, which
    covers the inputs and results of the review, and does not change when the pack is signed.

    Raises:
        PackError: A root cannot be read.
    """
    try:
        return {"root": pack_root(pack), "manifest": file_digest(pack / "data" / "manifest.json")}
    except OSError:
        raise PackError(f"{pack.name} has no data/manifest.json") from None


def pack_folders(out: Path) -> Iterator[Path]:
    """Yield the packs in an output folder, sorted by name."""
    yield from sorted(path for path in out.iterdir() if _is_pack(path))


def _is_pack(path: Path) -> bool:
    return (
        not path.is_symlink() and (path / TAG_MANIFEST).is_file() and (path / "data/manifest.json").is_file()
    )


def is_run(folder: Path) -> bool:
    """Return whether a folder is the output of a run, even if a part of it is missing."""
    return any((folder / name).exists() for name in (REPORT, RUN_MANIFEST, RUN_SIGNATURE, FOLDER))


def put_away(out: Path) -> None:
    """Move the manifest of the previous run, with its signature, to the folder of earlier runs."""
    source = out / RUN_MANIFEST
    if not source.exists():
        (out / RUN_SIGNATURE).unlink(missing_ok=True)
        return
    place = out / FOLDER / EARLIER_RUNS / file_digest(source)
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    # First, since it needs space on the disk: a manifest that was moved and is not named would drop out of the sequence.
    write_file(out / FOLDER / EARLIER_RUNS / "latest", f"{place.name}\n".encode())
    for name in (RUN_SIGNATURE, RUN_MANIFEST):
        if (out / name).exists():
            (out / name).replace(place / name)


def _earlier_run(out: Path) -> dict[str, str] | None:
    """Return the id and hash of the manifest of the previous run, so that no run can be dropped from the sequence."""
    places = out / FOLDER / EARLIER_RUNS
    try:
        path = places / (places / "latest").read_text().strip() / RUN_MANIFEST
        with path.open("rb") as file:
            file.seek(-min(_AFTER_RUN_ID, file.seek(0, os.SEEK_END)), os.SEEK_END)
            tail = file.read()
        digest = file_digest(path)
    except OSError:
        return None
    # The names are sorted, and only short members follow the id: a manifest of 100,000 customers need not be parsed.
    run_id, found, _ = tail.rpartition(b'"run_id":"')[2].partition(b'"')
    return {"run_id": run_id.decode("utf-8", "replace"), "sha256": digest} if found else None
