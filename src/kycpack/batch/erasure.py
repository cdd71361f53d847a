"""Erasing customers from folders of packs and runs; the rest of a run names the disposition by which they were erased."""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kycpack.batch.customer_files import CustomerFile, files_naming, find_customer_files, runs_in
from kycpack.batch.frame_parts import FRAMES, FrameParts, drop_customers
from kycpack.batch.ledger_exports import is_export
from kycpack.batch.lock import FOLDER, locked_output
from kycpack.batch.record import OWN_RECORD
from kycpack.batch.report import RunEntry, dump, to_entry
from kycpack.batch.run_manifest import (
    EARLIER_RUNS,
    INDEX,
    INDEX_PAGES,
    REPORT,
    RUN_MANIFEST,
    RUN_SIGNATURE,
    SUMMARY,
    customers_of,
    results_in,
)
from kycpack.batch.run_results import write_index
from kycpack.errors import PackError
from kycpack.evidence.store import file_digest
from kycpack.folders import folder_name, write_file
from kycpack.models.json import canonical_json
from kycpack.pack.decide.decisions_page import write_decisions_page
from kycpack.pack.limits import read_limited
from kycpack.render import render_index_pages
from kycpack.render.decisions_page import DECISIONS
from kycpack.workspace import Workspace
from kycpack.workspace.retention.customer_rows import erase_register

RECORDS = "dispositions"
"""Folder, among a run's own files, with the record of each erasure."""

_EARLIER_REPORT = "earlier-run.json"
_SHOWN = frozenset({REPORT, INDEX, SUMMARY, RUN_MANIFEST})


def customers_in(folders: Collection[Path]) -> dict[str, list[CustomerFile]]:
    """Return the files about customers, by customer id; files that only a folder's name assigns are left out.

    Args:
        folders: Folders of packs and runs.
    """
    found: dict[str, list[CustomerFile]] = {}
    for folder in folders:
        for one in find_customer_files(folder):
            if one.customer_id:
                found.setdefault(one.customer_id, []).append(one)
    return found


def erase_files(folders: Collection[Path], customer_ids: Collection[str]) -> int:
    """Delete packs, copies, kept evidence, failed notebooks and pointers of customers.

    Args:
        folders: Folders of packs and runs.
        customer_ids: The customers.

    Returns:
        How many files and folders were deleted.
    """
    names = {folder_name(each) for each in customer_ids}
    count = 0
    for folder in folders:
        for one in list(find_customer_files(folder)):
            if one.customer_id not in customer_ids and (one.customer_id or one.name not in names):
                continue
            if one.path.is_dir():
                shutil.rmtree(one.path)
            else:
                one.path.unlink()
            count += 1
    return count


def erase_from_runs(folders: Collection[Path], customer_ids: Collection[str], number: int) -> None:
    """Remove what runs say about customers from their reports, indexes, manifests and own records.

    A customer's id and outcome stay, with the number of the disposition. The signature over a changed manifest is
    removed; `kycpack sign` makes a new one.

    Args:
        folders: Folders of packs and runs.
        customer_ids: The customers.
        number: Number of the disposition.

    Raises:
        OutputLockedError: A run is writing to one of the folders.
    """
    for folder in folders:
        for out in runs_in(folder):
            with locked_output(out) as own:
                drop_customers(out / FRAMES, customer_ids)
                drop_customers(own / FRAMES, customer_ids)
                _blank_run(out, customer_ids, number)
                _blank_earlier(own, customer_ids, number)
                _erase_own_record(own, customer_ids)
                if (out / DECISIONS).is_file():
                    write_decisions_page(out)


def write_records(folders: Collection[Path], record: Mapping[str, Any], number: int) -> None:
    """Put the record of an erasure into every run from which it erased data.

    Args:
        folders: Folders of packs and runs.
        record: An excerpt of the ledger.
        number: Number of the disposition.
    """
    for folder in folders:
        for out in runs_in(folder):
            report = _document(out / REPORT)
            if report is None or all(one["disposition"] != number for one in report.get("erasures", ())):
                continue
            place = out / FOLDER / RECORDS
            place.mkdir(mode=0o700, exist_ok=True)
            write_file(place / f"{number}.json", json.dumps(record, sort_keys=True).encode() + b"\n")


def files_left(folders: Collection[Path], customer_ids: Collection[str]) -> tuple[Path, ...]:
    """Return the files that still name a customer and that kycpack did not write; a person must check them.

    Args:
        folders: Folders of packs and runs.
        customer_ids: The customers.
    """
    return tuple(
        path
        for folder in folders
        for path in files_naming(folder, customer_ids)
        if path.name not in {*_SHOWN, _EARLIER_REPORT}
        and path.parent.name not in {RECORDS, INDEX_PAGES}
        and not is_export(path)
    )


def _blank_run(out: Path, customer_ids: Collection[str], number: int) -> None:
    report, manifest = _document(out / REPORT), _document(out / RUN_MANIFEST)
    if report is None:
        return
    before = {
        name: file_digest(out / name) for name in (*results_in(out), RUN_MANIFEST) if (out / name).is_file()
    }
    after = _blank_report(report, customer_ids, number, before)
    if after is None:
        # An interrupted erasure may already have changed the report.
        erased = [one for one in report.get("erasures", ()) if one["disposition"] == number]
        if not erased or manifest is None or manifest.get("erasures", ()) == report["erasures"]:
            return
        after, before = report, erased[-1]["before"]
    FrameParts(out, out / FOLDER).publish(to_entry(entry) for entry in after["entries"])
    write_file(out / REPORT, dump(after))
    if INDEX in before:
        write_index(out, after, render_index_pages)
    if manifest is not None:
        # A file that already differed from the manifest stays a defect; the frames were made again from the packs.
        spoilt = {
            name: recorded
            for name, recorded in manifest["files"].items()
            if before.get(name) != recorded and not name.startswith(f"{FRAMES}/")
        }
        files = {name: file_digest(out / name) for name in results_in(out)} | spoilt
        blank = _blank_manifest(manifest, after, customer_ids, number)
        _write_manifest(out, {**blank, "files": files, "erasures": after["erasures"]})


def _blank_earlier(own: Path, customer_ids: Collection[str], number: int) -> None:
    earlier = _document(own / _EARLIER_REPORT)
    if earlier is not None:
        after = _blank_report(earlier, customer_ids, number, {})
        if after is not None:
            write_file(own / _EARLIER_REPORT, dump(after))
    for place in sorted(own.glob(f"{EARLIER_RUNS}/*/{RUN_MANIFEST}")):
        manifest = _document(place)
        if manifest is not None and any(
            one["customer_id"] in customer_ids and not one.get("disposition") for one in manifest["customers"]
        ):
            erased = {"disposition": number, "before": {RUN_MANIFEST: file_digest(place)}}
            blank = _blank_manifest(manifest, None, customer_ids, number)
            _write_manifest(place.parent, {**blank, "erasures": [*manifest.get("erasures", ()), erased]})


def _blank_report(
    report: Mapping[str, Any], customer_ids: Collection[str], number: int, before: Mapping[str, str]
) -> dict[str, Any] | None:
    """Return a report without the data of the customers; None if it no longer has any."""
    entries = [
        _blank_entry(one, number)
        if one["customer_id"] in customer_ids and not one.get("disposition")
        else one
        for one in report["entries"]
    ]
    if entries == report["entries"]:
        return None
    erased = {"disposition": number, "before": dict(before)}
    return {**report, "entries": entries, "erasures": [*report.get("erasures", ()), erased]}


def _blank_entry(entry: Mapping[str, Any], number: int) -> dict[str, Any]:
    note = f"erased, disposition {number}"
    blank = asdict(RunEntry(entry["customer_id"], entry["outcome"], note=note, disposition=number))
    return {**blank, **({"before": None} if "before" in entry else {})}


def _blank_manifest(
    manifest: Mapping[str, Any],
    report: Mapping[str, Any] | None,
    customer_ids: Collection[str],
    number: int,
) -> dict[str, Any]:
    names = {folder_name(each) for each in customer_ids}
    said = {} if report is None else {one["customer_id"]: one for one in customers_of(report)}
    customers = []
    for one in manifest["customers"]:
        if one["customer_id"] in customer_ids and not one.get("disposition"):
            blank = said.get(one["customer_id"]) or {
                **{name: None if name == "checked_as_of" else "" for name in one},
                "customer_id": one["customer_id"],
                "outcome": one["outcome"],
                "disposition": number,
            }
            customers.append({**blank, "root": "", "manifest": ""})
        else:
            customers.append(one)
    others = {
        name: found
        for name, found in manifest["other_packs"].items()
        if name not in names and name.rpartition("+")[0] not in names
    }
    return {**manifest, "customers": customers, "other_packs": others}


def _write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    (folder / RUN_SIGNATURE).unlink(missing_ok=True)
    write_file(folder / RUN_MANIFEST, canonical_json(manifest))


def _erase_own_record(own: Path, customer_ids: Collection[str]) -> None:
    """Erase customers from the record of runs that is kept beside the packs when there is no workspace."""
    for damaged in own.glob(f"damaged-{OWN_RECORD}*"):
        damaged.unlink()
    if (own / OWN_RECORD).is_file():
        with Workspace.open(own / OWN_RECORD) as workspace:
            with workspace.transaction() as connection:
                erase_register(connection, customer_ids)
            workspace.scrub()


def _document(path: Path) -> dict[str, Any] | None:
    try:
        # Not with `parse_json`: its decimals cannot be written back unchanged.
        document = json.loads(read_limited(path, path.name))
    except (ValueError, RecursionError, PackError):
        return None
    return document if isinstance(document, dict) else None
