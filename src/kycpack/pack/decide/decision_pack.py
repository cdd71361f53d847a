"""The pack that carries a decision: made from the evidence, policy and order of the pack decided on, and put beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kycpack.errors import PackError
from kycpack.evidence import load_evidence
from kycpack.evidence.store import file_digest
from kycpack.pack.bag import check_bag
from kycpack.pack.compute.decision import decided_evidence, last_decided, record_of, reopened_by
from kycpack.pack.decide.decisions_page import write_decisions_page
from kycpack.pack.decide.newer_pack import newer_pack
from kycpack.pack.earlier_packs import latest_pack, pack_resting_on
from kycpack.pack.notebooks.review_notebook import trusted_notebook
from kycpack.pack.order import read_order
from kycpack.pack.seal.write import write_pack
from kycpack.render.review.decision import CaseRecord
from kycpack.render.run_index import FIRST_PAGE
from kycpack.triage import load_policy


def write_decided_pack(
    out: Path | str,
    excerpt: Mapping[str, Any],
    *,
    folders: Sequence[Path] = (),
    notebook: Path | str | None = None,
    redaction_key: bytes = b"",
) -> Path:
    """Make the pack that carries the decision of a case, beside the pack that was decided on.

    Args:
        out: The folder with the customer's packs, as `kycpack batch` writes it.
        excerpt: The ledger's entries about the case, as returned by `Ledger.excerpt`.
        folders: Other folders to search for the pack that a corrected decision rests on, and for that of a run that reopened the case.
        notebook: The firm's own review notebook, if the pack was made from one.
        redaction_key: Key of the workspace with which redacted copies can be proved; empty if they cannot be.

    Returns:
        The folder of the new pack, or of the latest pack if that already carries these entries.

    Raises:
        PackError: The case has no decision; or no pack in the folder has the evidence and the policy that were decided on;
            or that pack is damaged, or was made from another notebook.
        InputError: The excerpt cannot be read.
    """
    folder = Path(out)
    record = record_of(excerpt)
    case_id = str(excerpt["case_id"])
    if record is None or record.decision is None:
        raise PackError(f"case {case_id} has no decision yet; `kycpack case decide` records one")
    customer_id = last_decided(excerpt)["customer_id"]
    rests_on = decided_evidence(excerpt, record.decision.decision_id)
    latest = latest_pack(folder, customer_id)
    newer = _newer([folder, *folders], customer_id, excerpt, record)
    if latest is not None and _carries(latest, record, rests_on[0], newer):
        _link(folder)
        return latest
    decided_on = pack_resting_on([folder], customer_id, *rests_on)
    if decided_on is None:
        raise PackError(
            f"{folder} has no pack of customer {customer_id} with the evidence {rests_on[0][:12]} and the policy "
            f"{rests_on[1][:12]} that were decided on; name the folder that has this pack with --packs"
        )
    data = _whole(decided_on) / "data"
    order = read_order(data / "order.json")
    earlier: Path | None = latest or decided_on
    if record.corrected is not None:
        corrected = decided_evidence(excerpt, record.corrected.decision_id)
        earlier = pack_resting_on([folder, *folders], customer_id, *corrected)
    place = write_pack(
        load_evidence(data / "evidence", root=record.decision.evidence_root),
        folder,
        policy=load_policy(data / "policy.yaml"),
        as_of=order.as_of,
        case_id=case_id,
        prepared_by=order.prepared_by or None,
        reviewed_by=record.decision.second_by or order.reviewed_by or None,
        country=order.country,
        ledger_head=order.ledger_head,
        policy_approval=order.policy_approval,
        excerpt=excerpt,
        earlier=earlier,
        newer=newer,
        notebook=trusted_notebook(data, notebook),
        redaction_key=redaction_key,
    ).path
    _link(folder)
    return place


def _link(folder: Path) -> None:
    """Link the pack beside the run's index; a folder without one has no such page."""
    if (folder / FIRST_PAGE).is_file():
        write_decisions_page(folder)


def _newer(
    folders: Sequence[Path], customer_id: str, excerpt: Mapping[str, Any], record: CaseRecord
) -> dict[str, Any] | None:
    """Return what is kept of the pack of the run that reopened the case; None if none did, or its pack is in none of the folders."""
    reopening = record.decision.reopening if record.decision else None
    if reopening is None or not reopening.run_id:
        return None
    pack = pack_resting_on(
        folders, customer_id, reopening.evidence_root, reopened_by(excerpt, reopening.run_id)
    )
    return None if pack is None else newer_pack(_whole(pack))


def _whole(pack: Path) -> Path:
    """Return a pack if none of its files was altered."""
    if problems := check_bag(pack).problems:
        raise PackError(f"{pack} is damaged ({problems[0]}); no pack was made from it")
    return pack


def _carries(pack: Path, record: CaseRecord, evidence_root: str, newer: Mapping[str, Any] | None) -> bool:
    """Return whether a pack was made of this evidence, and carries these entries of the case and what is at hand of a newer pack."""
    order = read_order(pack / "data" / "order.json")
    carried = record_of(order.excerpt)
    return (
        carried is not None
        and (newer is None or order.newer == newer)
        and [step.seq for step in carried.steps] == [step.seq for step in record.steps]
        and file_digest(pack / "data" / "evidence" / "index.json") == evidence_root
    )
