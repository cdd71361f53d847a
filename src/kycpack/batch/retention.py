"""Finding records past their retention date in a workspace and in folders of packs, and erasing them from both."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

from kycpack.batch.erasure import customers_in, erase_files, erase_from_runs, files_left, write_records
from kycpack.batch.ledger_exports import erase_from_exports, exports_elsewhere
from kycpack.errors import WorkspaceError
from kycpack.workspace import OpenWorkspace
from kycpack.workspace.ledger.ledger_files import read_anchors
from kycpack.workspace.retention.copies import forget_copies, list_copies
from kycpack.workspace.retention.retention import Erasure
from kycpack.workspace.retention.retention_rules import (
    Relationship,
    RetentionPlan,
    RetentionRules,
    plan_retention,
)


@dataclass(frozen=True, slots=True)
class Erased:
    """The result of an erasure.

    Attributes:
        erasure: The erasure as the ledger records it.
        files: How many files and folders were deleted now.
        rows: How many rows of the workspace were deleted now.
        left: Files that still name a customer and that kycpack did not write.
        exports: How many exports of the ledger were written again.
    """

    erasure: Erasure
    files: int
    rows: int
    left: tuple[Path, ...]
    exports: int = 0


def find_due(
    work: OpenWorkspace,
    folders: Collection[Path],
    relationships: Mapping[str, Relationship],
    rules: RetentionRules,
    as_of: date,
) -> RetentionPlan:
    """Return, for every customer of a workspace and of folders, the records past their retention date.

    Args:
        work: The workspace.
        folders: Folders of packs and runs.
        relationships: The firm's own data about its customer relationships.
        rules: The classes of record.
        as_of: The day on which the dates are checked.
    """
    known = work.retention.known()
    for customer_id in customers_in(folders):
        known.setdefault(customer_id, set()).add("packs")
    return plan_retention(known, relationships, rules, as_of, work.retention.open_cases())


def execute(
    work: OpenWorkspace,
    folders: Collection[Path],
    relationships: Mapping[str, Relationship],
    rules: RetentionRules,
) -> Erased:
    """Erase the records that another person proposed. The next call continues an interrupted erasure.

    The ledger first records what will be erased. Then files are erased, then rows, then every free page of the database.

    Args:
        work: The workspace.
        folders: The folders that the proposal was made with.
        relationships: The firm's current data about its customer relationships.
        rules: The classes of record.

    Raises:
        WorkspaceError: Nobody proposed an erasure, the list has changed since, or the person may not do this.
        OutputLockedError: A run is writing to one of the folders.
    """
    proposed = work.retention.erasures()
    if not proposed:
        raise WorkspaceError("nobody has proposed an erasure; another person must do so with --propose")
    erasure = proposed[-1]
    if not erasure.number:
        plan = find_due(work, folders, relationships, rules, erasure.as_of)
        if plan.digest != erasure.proposal:
            raise WorkspaceError(
                "the list of records past their date has changed since it was proposed (files, rules or folders); propose it again"
            )
        due = {one["customer_id"] for one in plan.customers() if "packs" in one["stores"]}
        packs = [
            {"customer_id": customer_id, "name": one.path.name, "root": one.root}
            for customer_id, found in sorted(customers_in(folders).items())
            for one in found
            if customer_id in due and one.root
        ]
        erasure = work.retention.start(plan, packs, _not_reached(work, folders, plan, due))
    gone = erasure.of_store("packs")
    files = erase_files(folders, gone)
    erase_from_runs(folders, gone, erasure.number)
    rows = work.retention.finish(erasure)
    exports = erase_from_exports(folders, work.ledger)
    forget_copies(work.folder, {str(one["customer_id"]) for one in erasure.customers})
    work.anchor(f"disposition {erasure.number}")
    write_records(folders, work.retention.record(erasure), erasure.number)
    return Erased(erasure, files, rows, files_left(folders, gone), exports)


def _not_reached(
    work: OpenWorkspace, folders: Collection[Path], plan: RetentionPlan, due: Collection[str]
) -> list[dict[str, str | int]]:
    """Return the known redacted copies and exports that are in none of the folders."""
    here = {one.root for found in customers_in(folders).values() for one in found if one.root}
    copies = [
        {"what": "redacted copy", **asdict(one)}
        for one in list_copies(work.folder, due)
        if one.root not in here
    ]
    head = work.ledger.head()
    if head is None or not any("decisions" in one["stores"] for one in plan.customers()):
        return copies
    return [*copies, *exports_elsewhere(read_anchors(work.anchor_path), folders, head.ledger)]
