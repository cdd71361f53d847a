"""The pack that carries a decision: made from the evidence, policy and order of the pack that was decided on, beside it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kycpack.errors import PackError
from kycpack.evidence import load_evidence
from kycpack.models.json import parse_json
from kycpack.pack.bag import check_bag
from kycpack.pack.decision import record_of
from kycpack.pack.earlier_packs import latest_pack, packs_of
from kycpack.pack.order import read_order
from kycpack.pack.review_notebook import trusted_notebook
from kycpack.pack.write import write_pack
from kycpack.triage import load_policy


def write_decided_pack(
    out: Path | str,
    excerpt: Mapping[str, Any],
    *,
    notebook: Path | str | None = None,
    redaction_key: bytes = b"",
) -> Path:
    """Make the pack that carries the decision of a case, beside the pack that was decided on.

    Args:
        out: The folder with the customer's packs, as of `kycpack batch`.
        excerpt: What the ledger says of the case, as of `Ledger.excerpt`.
        notebook: A firm's own review notebook, where the pack was made from one.
        redaction_key: Key of the workspace, so that redacted copies can be proved; empty where none can be.

    Returns:
        The folder of the new pack, or of the latest one where that carries these entries already.

    Raises:
        PackError: The case has no decision, no pack in the folder has the evidence and the policy that were decided on, or
            that pack is damaged, or was made from another notebook.
        InputError: The excerpt cannot be read.
    """
    folder = Path(out)
    record = record_of(excerpt)
    case_id = str(excerpt["case_id"])
    if record is None or record.decision is None:
        raise PackError(f"case {case_id} has no decision yet; `kycpack case decide` records one")
    customer_id, looked_at = _looked_at(excerpt)
    latest = latest_pack(folder, customer_id)
    if latest is not None and _entries(latest) == [step.seq for step in record.steps]:
        return latest
    decided_on = _decided_on(folder, customer_id, looked_at)
    if problems := check_bag(decided_on).problems:
        raise PackError(f"{decided_on} is damaged ({problems[0]}); no pack is made from it")
    data = decided_on / "data"
    order = read_order(data / "order.json")
    return write_pack(
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
        earlier=latest or decided_on,
        notebook=trusted_notebook(data, notebook),
        redaction_key=redaction_key,
    ).path


def _looked_at(excerpt: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Return the customer, and what was looked at for the last decision."""
    for entry in reversed(excerpt["entries"]):
        payload = entry["payload"]
        if payload is not None and payload["kind"] == "case.decided":
            return payload["data"]["customer_id"], payload["data"]["looked_at"]
    raise PackError("the excerpt has no decision")


def _decided_on(folder: Path, customer_id: str, looked_at: Mapping[str, Any]) -> Path:
    """Return the newest pack of a customer that has the evidence and the policy of a decision."""
    wanted = (looked_at["evidence_root"], looked_at["policy"]["digest"])
    for pack in reversed(packs_of(folder, customer_id)):
        manifest = parse_json((pack / "data" / "manifest.json").read_bytes())
        if (manifest["evidence_root"], manifest["policy"]["digest"]) == wanted:
            return pack
    raise PackError(
        f"{folder} has no pack of customer {customer_id} with the evidence {wanted[0][:12]} and the policy {wanted[1][:12]} "
        "that were decided on; name the folder that has it with --packs"
    )


def _entries(pack: Path) -> list[int] | None:
    """Return the numbers of the ledger's entries of the case that a pack carries; None where it carries none."""
    order = read_order(pack / "data" / "order.json")
    record = record_of(order.excerpt)
    return None if record is None else [step.seq for step in record.steps]
