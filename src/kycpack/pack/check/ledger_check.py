"""Whether a pack agrees with the ledger about a decision: the excerpt, its proofs, and the heads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kycpack.pack.check.parts import Parts
from kycpack.pack.order import EXCERPT_FILE
from kycpack.triage import load_policy
from kycpack.triage.policies.policy import DecisionRules


def check_ledger(parts: Parts) -> Iterator[str]:
    """Yield each reason why the excerpt of the ledger is not valid, or is not about this pack."""
    order, manifest = parts.order, parts.manifest
    yield from _run_head_problems(order.ledger_head, parts.anchors)
    if order.excerpt is None:
        return
    # Slow to import (the database), and only packs with a decision need it.
    from kycpack.workspace.cases.case_records import ledger_rules  # noqa: PLC0415
    from kycpack.workspace.entries.signing import verify_fast  # noqa: PLC0415
    from kycpack.workspace.entries.verify_ledger import check_excerpt  # noqa: PLC0415

    name = f"data/{EXCERPT_FILE}"
    policy = load_policy(parts.data / "policy.yaml")
    report = check_excerpt(
        order.excerpt,
        anchors=parts.anchors,
        trusted=parts.ledger_keys,
        policies={policy.digest: ledger_rules(policy.decisions)},
        verify=verify_fast,
    )
    yield from (f"{name}: {problem}" for problem in report.problems)
    if order.excerpt.get("case_id") != order.case_id:
        yield f"{name} is about another case than the pack"
    customers = {
        payload["data"].get("customer_id")
        for payload in _payloads_of_case(order.excerpt)
        if payload["kind"] != "payload.erased"
    }
    if customers - {manifest["customer_id"]}:
        yield f"{name} is about another customer than the pack"
    yield from (f"{name}: {problem}" for problem in _judged_problems(parts, order.excerpt, policy.decisions))
    head, run_head = order.excerpt["head"], order.ledger_head
    if run_head is not None and run_head["ledger"] == head["ledger"]:
        if run_head["size"] > head["size"]:
            yield f"{name} is older than the ledger's head of the run in data/order.json"
        elif run_head["size"] == head["size"] and run_head != head:
            yield f"{name} and the ledger's head of the run in data/order.json contradict each other"


def _judged_problems(parts: Parts, excerpt: Mapping[str, Any], rules: DecisionRules) -> Iterator[str]:
    """Yield each entry on this evidence and policy whose level or findings differ from the pack's, or that names the policy otherwise.

    A run's entries are not signed by a person, yet they decide whether a second person is needed.
    """
    from kycpack.workspace.cases.case_records import findings_of  # noqa: PLC0415 - slow to import, as above
    from kycpack.workspace.entries.verify_ledger import SAMPLE_RULE  # noqa: PLC0415 - as above

    manifest = parts.manifest
    level = parts.frames["recommendations"]["level"].iloc[0]
    found = findings_of(parts.frames["findings"].to_dict("records"), rules)
    kept = Counter((each.rule_id, each.outcome, each.level, each.subject) for each in found)
    # Sentences about other things may depend on the day, and another pack can rest on the same evidence.
    shown = {
        (each.rule_id, each.outcome, each.level, each.sentence, each.evidence_ids)
        for each in found
        if each.subject
    }
    about = {each[0] for each in shown}
    for payload in _payloads_of_case(excerpt):
        judged = payload["data"].get("looked_at", payload["data"])
        policy = judged.get("policy", {})
        if policy.get("digest") != manifest["policy"]["digest"]:
            continue
        label = f"entry {payload['case_entry']} of the case"
        if {name: policy.get(name) for name in ("id", "version")} != {
            name: manifest["policy"][name] for name in ("id", "version")
        }:
            yield f"{label} gives the pack's policy another id or version"
        if judged["evidence_root"] != manifest["evidence_root"] or "sample_id" in judged:
            continue
        listed = [each for each in judged["findings"] if each["rule"] != SAMPLE_RULE]
        if payload["kind"] != "case.decided":
            recorded = Counter(
                tuple(each[name] for name in ("rule", "outcome", "level", "subject")) for each in listed
            )
            if (judged["level"], recorded) != (level, kept):
                yield f"{label} differs from the pack in the level or the findings"
        elif any(
            (each["rule"], each["outcome"], each["level"], each["sentence"], tuple(each["evidence"]))
            not in shown
            for each in listed
            if each["rule"] in about
        ):
            yield f"{label} words a finding about sanctions, terrorism or a PEP otherwise than the pack"


def _run_head_problems(head: Mapping[str, Any] | None, anchors: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for anchor in anchors:
        if head is None or (anchor.get("ledger"), anchor.get("size")) != (head["ledger"], head["size"]):
            continue
        if (anchor.get("hash"), anchor.get("root")) != (head["hash"], head["root"]):
            yield f"data/order.json: the ledger's head of the run differs from the anchor of {head['size']} entries"


def _payloads_of_case(excerpt: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for entry in excerpt["entries"]:
        payload = entry["payload"]
        if payload is not None and payload.get("case_id") == excerpt["case_id"]:
            yield payload
