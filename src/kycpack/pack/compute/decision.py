"""The decision that a pack carries, read from the pack's excerpt of the ledger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from kycpack.errors import InputError
from kycpack.pack.order import EXCERPT_FILE
from kycpack.render.review.decision import (
    CaseDecision,
    CaseRecord,
    DisposedFinding,
    LedgerStep,
    outcome_title,
)
from kycpack.render.review.reopened import NewerFinding, Reopening
from kycpack.render.wording import dated_words
from kycpack.workspace.entries.verify_ledger import SYSTEM

_STANDING = {
    "case.returned": "The decision was sent back by {actor}: it has no effect.",
    "case.reopened": "The case was reopened after this decision ({reason}){anew}.",
}
_NOT_CLOSED = "The case is not closed: what is in force is the effect of this decision, not its end."
_OPEN = {
    "closed": "",
    "second_review": "The decision waits for its second person: the case is not closed.",
}
_POLICY_STATES = {"seen": "not approved in the workspace"}
_ROLES = {"MLRO": "MLRO", "senior_manager": "senior manager"}
_GRANTS = {"role.granted": True, "role.revoked": False}
_WORDS = {
    "case.opened": "Case opened",
    "case.updated": "New evidence or policy",
    "case.reopened": "Reopened",
    "case.assigned": "Assigned",
    "case.snoozed": "Snoozed",
    "case.waiting": "Waiting for the customer",
    "case.resumed": "Resumed",
    "case.checked": "Due diligence item done",
    "case.decided": "Decided",
    "case.approved": "Agreed by the second person",
    "case.returned": "Sent back",
    "payload.erased": "Entry erased",
}


def record_of(excerpt: Mapping[str, Any] | None, newer: Mapping[str, Any] | None = None) -> CaseRecord | None:
    """Return the record of a case from an excerpt of the ledger.

    Args:
        excerpt: As returned by `Ledger.excerpt`; None gives None.
        newer: The pack of the run that reopened the case, as returned by `newer_pack`; None for none.

    Raises:
        InputError: It is not an excerpt.
    """
    if excerpt is None:
        return None
    try:
        case_id = excerpt["case_id"]
        entries = [
            each
            for each in excerpt["entries"]
            if each["payload"] is not None and each["payload"].get("case_id") == case_id
        ]
        payloads = [each["payload"] for each in entries]
        decided = [each for each in payloads if each["kind"] == "case.decided"]
        return CaseRecord(
            decision=_decision(payloads, len(decided) - 1, excerpt["entries"], newer) if decided else None,
            corrected=_decision(payloads, len(decided) - 2, excerpt["entries"]) if decided[1:] else None,
            steps=tuple(_step(each) for each in entries),
            head=str(excerpt["head"]["hash"]),
            size=int(excerpt["head"]["size"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(
            f"is not an excerpt of a ledger ({type(error).__name__})", place=EXCERPT_FILE
        ) from None


def decided_evidence(excerpt: Mapping[str, Any], decision_id: str) -> tuple[str, str]:
    """Return the evidence root and the policy digest that a decision of an excerpt rests on."""
    looked_at = next(each["looked_at"] for each in _decided(excerpt) if each["decision_id"] == decision_id)
    return looked_at["evidence_root"], looked_at["policy"]["digest"]


def reopened_by(excerpt: Mapping[str, Any], run_id: str) -> str:
    """Return the digest of the policy by which a run of an excerpt reopened the case."""
    payloads = (entry["payload"] for entry in excerpt["entries"])
    return str(
        next(
            each["data"]["policy"]["digest"]
            for each in payloads
            if each is not None and "new" in each["data"] and each["data"].get("run_id") == run_id
        )
    )


def last_decided(excerpt: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what the ledger records of the last decision in an excerpt; empty if nothing was decided, or it was erased."""
    return next(reversed(_decided(excerpt)), {})


def _decided(excerpt: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    payloads = (entry["payload"] for entry in excerpt["entries"])
    return [each["data"] for each in payloads if each is not None and each["kind"] == "case.decided"]


def decision_document(record: CaseRecord | None) -> dict[str, Any] | None:
    """Return the decision as `manifest.json` records it; None if nothing was decided."""
    decision = None if record is None else record.decision
    if decision is None:
        return None
    return {
        "decision_id": decision.decision_id,
        "outcome": decision.outcome,
        "sentence": decision.sentence,
        "decided_by": decision.decided_by,
        "second_person": decision.second_by or None,
        "authenticated": decision.authenticated,
        "standing": decision.standing or None,
        "reopens_on": decision.reopens_on or None,
        "level": decision.level,
        "evidence_root": decision.evidence_root,
    }


def _role_at(entries: Sequence[Mapping[str, Any]], payload: Mapping[str, Any]) -> str:
    """Return, in words, the roles relevant to a decision that the actor held when an entry was made."""
    held: dict[str, bool] = {}
    for entry in entries[: [each["payload"] for each in entries].index(payload)]:
        given = entry["payload"] or {}
        if given.get("kind") in _GRANTS and given["data"]["name"] == payload["actor"]:
            held[given["data"]["role"]] = _GRANTS[given["kind"]]
    return " and ".join(words for role, words in _ROLES.items() if held.get(role))


def _decision(
    payloads: Sequence[Mapping[str, Any]],
    number: int,
    entries: Sequence[Mapping[str, Any]],
    newer: Mapping[str, Any] | None = None,
) -> CaseDecision:
    """Return one decision of a case, counted from 0, with the entries that follow it up to the next decision."""
    places = [place for place, payload in enumerate(payloads) if payload["kind"] == "case.decided"]
    following = places[number + 1] if number + 1 < len(places) else len(payloads)
    decided, later = payloads[places[number]], payloads[places[number] + 1 : following]
    data = decided["data"]
    looked_at = data["looked_at"]
    approved = next((each for each in later if each["kind"] == "case.approved"), None)
    policy = looked_at["policy"]
    return CaseDecision(
        decision_id=data["decision_id"],
        outcome=data["outcome"],
        reason=data["reason"],
        reason_code=data["reason_code"],
        text=data["text"],
        decided_by=decided["actor"],
        decided_at=_instant(decided["at"]),
        second_by="" if approved is None else approved["actor"],
        second_at=None if approved is None else _instant(approved["at"]),
        second_text="" if approved is None else approved["data"]["text"],
        authenticated=approved is not None and approved["data"]["authenticated"] is True,
        second_needed=tuple(data["second_person"]),
        standing=_standing(data, later, is_last=number + 1 == len(places)),
        reopens_on=data["reopens_on"],
        text_used_before=data["text_used_before"],
        corrects=data["corrects"],
        level=looked_at["level"],
        policy=f"{policy['id']} {policy['version']} ({_POLICY_STATES.get(policy['state'], policy['state'])})",
        evidence_root=looked_at["evidence_root"],
        findings=tuple(_finding(each, data["dispositions"]) for each in looked_at["findings"]),
        decider_role=_role_at(entries, decided),
        second_role="" if approved is None else _role_at(entries, approved),
        effect=data["effect"],
        reopening=next((_reopening(each, later, newer) for each in later if _overtakes(each, data)), None),
    )


def _standing(data: Mapping[str, Any], later: Sequence[Mapping[str, Any]], *, is_last: bool) -> str:
    # An earlier decision was followed by another one.
    anew = ": it must be decided again" if is_last else ""
    for payload in reversed(later):
        if payload["kind"] in _STANDING:
            return _STANDING[payload["kind"]].format(
                actor=payload["actor"], reason=payload["data"].get("reason", ""), anew=anew
            )
        if _overtakes(payload, data):
            return f"Something else was found after this decision{anew}."
        if payload["kind"] == "case.approved":
            return ""
    return _OPEN.get(data["state"], _NOT_CLOSED) if is_last else ""


def _overtakes(payload: Mapping[str, Any], decided: Mapping[str, Any]) -> bool:
    """Return whether an entry reopened the case after a decision, or took back one that waited for its second person."""
    if payload["kind"] == "case.updated":
        return bool(payload["data"].get("state") != decided["state"] == "second_review")
    return bool(payload["kind"] == "case.reopened")


def _reopening(
    payload: Mapping[str, Any], later: Sequence[Mapping[str, Any]], newer: Mapping[str, Any] | None
) -> Reopening:
    data = payload["data"]
    if "new" not in data:
        return Reopening(at=_instant(payload["at"]))  # a person or a date did
    found = [each for each in data["findings"] if each["id"] in data["new"]]
    # A run after the one that reopened the case may have found more.
    last = [each["data"] for each in later if each["data"].get("new") is not None][-1]
    is_its_pack = newer is not None and newer["evidence_root"] == data["evidence_root"]
    values = newer["sentences"] if newer and is_its_pack else {}
    return Reopening(
        at=_instant(payload["at"]),
        run_id=data["run_id"],
        evidence_root=data["evidence_root"],
        level=last["level"],
        found=tuple(
            NewerFinding(
                each["id"],
                each["rule"],
                each["outcome"],
                each["level"],
                "; ".join(values.get(said, said) for said in each.get("sentence", "").split("; ")),
                each["subject"],
            )
            for each in found
        ),
        rules=tuple(dict.fromkeys(each["rule"] for each in (*data["findings"], *last["findings"]))),
        reason=data["reason"],
        pack_root=newer["root"] if newer and is_its_pack else "",
    )


def _finding(each: Mapping[str, Any], dispositions: Mapping[str, Any]) -> DisposedFinding:
    outside = dispositions.get(each["id"], {}).get("evidence", {})
    return DisposedFinding(
        each["id"],
        each["rule"],
        each["sentence"],
        each["disposition"],
        f"{outside['list_entry']}, list of {dated_words(outside['list_date'])}" if outside else "",
        each.get("key", ""),
        outside.get("file_sha256", ""),
    )


def _step(entry: Mapping[str, Any]) -> LedgerStep:
    payload = entry["payload"]
    data = payload["data"]
    said = data.get("text") or data.get("reason") or data.get("evidence") or ""
    if payload["kind"] == "case.assigned":
        said = f"To {data['to']}. {said}".strip()
    elif payload["kind"] == "case.checked":
        said = f"{data['item']}: {said}"
    what = _WORDS.get(payload["kind"], payload["kind"])
    if payload["kind"] == "case.decided":
        what = f"{what}: {outcome_title(data['outcome']).text.lower()}"
    return LedgerStep(
        seq=entry["seq"],
        at=_instant(payload["at"]),
        what=what,
        actor=_by_whom(payload),
        text=said,
        signed=entry["signature"] is not None,
    )


def _by_whom(payload: Mapping[str, Any]) -> str:
    """Return who made an entry; what no person does, a run did, or kycpack on a date that was set."""
    if payload["actor"] != SYSTEM:
        return str(payload["actor"])
    run_id = str(payload["data"].get("run_id", ""))
    return f"Batch run {run_id[:8]}" if run_id else "kycpack, without a person"


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text)
