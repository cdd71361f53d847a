"""Checks that the tables of the workspace agree with the ledger: cases, policies, and the columns by which payloads are found."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, select

from kycpack.errors import PolicyError
from kycpack.triage.policy import Policy
from kycpack.triage.policy_file import read_policy
from kycpack.workspace import schema
from kycpack.workspace.case_records import Case, case_of_row, ledger_rules
from kycpack.workspace.kept_policies import SEEN, STATE_BY_KIND
from kycpack.workspace.rows import read_json
from kycpack.workspace.verify_ledger import list_digest, rules_faults, sample_digest

_JUDGED = ("level", "run_id", "evidence_root")
_NOT_AT_FIRST = ("outcome", "decision_id", "effect", "reopens_on", "assignee", "snoozed_until")
_ANEW = frozenset({"case.opened", "case.reopened", "case.returned"})


@dataclass(slots=True)
class _LedgerCase:
    """A case according to its ledger entries.

    Attributes:
        members: The expected content of its row.
        findings: Findings that need a disposition: by id, their subject.
        dispositions: Dispositions of the findings since they last had to be reviewed.
        is_erased: Whether one of its entries was erased, so that it cannot be compared.
        is_gone: Whether it was erased and nothing was recorded of it since.
    """

    members: dict[str, Any] = field(default_factory=dict)
    findings: dict[str, str] = field(default_factory=dict)
    dispositions: dict[str, str] = field(default_factory=dict)
    is_erased: bool = False
    is_gone: bool = False


def table_problems(connection: Connection, entries: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the differences between the tables of the workspace and the ledger.

    Args:
        connection: The workspace.
        entries: All entries, in order.
    """
    try:
        yield from _found_by_problems(connection)
        yield from _cleared_problems(connection, entries)
        yield from _sampled_problems(connection, entries)
        yield from _rules_problems(connection, entries)
        yield from _state_problems(connection, entries)
    except (KeyError, TypeError, ValueError, AttributeError):
        yield "the tables of the workspace cannot be compared with the ledger: an entry is not of the form that kycpack writes"


def _state_problems(connection: Connection, entries: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield cases and policies that differ from the ledger."""
    cases: dict[str, _LedgerCase] = {}
    states: dict[str, str] = {}
    for entry in entries:
        payload = entry["payload"] or {}
        if payload.get("case_id"):
            _take_in(cases.setdefault(payload["case_id"], _LedgerCase()), payload)
        elif payload.get("kind") in STATE_BY_KIND:
            states[str(payload["data"].get("digest"))] = STATE_BY_KIND[payload["kind"]]
    held = {row["case_id"]: case_of_row(row) for row in connection.execute(select(schema.cases)).mappings()}
    for case_id in sorted(cases.keys() | held.keys()):
        one = cases.get(case_id, _LedgerCase())
        if not one.is_erased and not _agrees(held.get(case_id), one):
            yield f"case {case_id}: its row in the workspace is not what the ledger says of it"
        elif one.is_gone and case_id in held and held[case_id].state != "closed":
            yield f"case {case_id}: it was erased, and is not closed in the workspace"
    table = schema.policies
    for digest, state in connection.execute(select(table.c.digest, table.c.state).order_by(table.c.digest)):
        if state != states.get(digest, SEEN):
            yield f"policy {digest[:12]}: the workspace has it as {state}, and the ledger as {states.get(digest, 'seen')}"


def _found_by_problems(connection: Connection) -> Iterator[str]:
    """Yield payloads stored under a different kind or case than they name, which would not be found."""
    table = schema.ledger_payloads
    for seq, kind, case_id, text in connection.execute(
        select(table.c.seq, table.c.kind, table.c.case_id, table.c.payload).order_by(table.c.seq)
    ):
        payload = read_json(text, "payload")
        if (payload.get("kind"), payload.get("case_id")) != (kind, case_id):
            yield f"entry {seq}: the workspace keeps it under another kind or case than it names"


def _cleared_problems(connection: Connection, entries: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield runs whose customers without a case differ from the count and digest in the ledger.

    Of customers whose records were erased since, only the number is known.
    """
    table = schema.cleared_customers
    held: dict[tuple[str, str], list[str]] = {}
    for row in connection.execute(select(table.c.run_id, table.c.policy_digest, table.c.customer_id)):
        held.setdefault((row.run_id, row.policy_digest), []).append(row.customer_id)
    recorded: dict[tuple[str, str], Mapping[str, Any]] = {}  # the last statement about each run
    erased: set[str] = set()
    for entry in entries:
        payload = entry["payload"] or {}
        if payload.get("kind") == "run.recorded":
            data = payload["data"]
            recorded[data["run_id"], data["policy"]["digest"]] = data
        elif payload.get("kind") == "retention.started":
            erased |= {each["customer_id"] for each in payload["data"]["customers"]}
    for run in sorted(recorded.keys() | held.keys()):
        if run not in recorded or not _is_cleared(recorded[run], held.get(run, []), len(erased)):
            yield f"run {run[0]}: its cleared customers in the workspace are not those that the ledger recorded"


def _is_cleared(data: Mapping[str, Any], cleared: Sequence[str], erased: int) -> bool:
    gone: int = data["counts"]["cleared"] - len(cleared)
    return data["cleared_digest"] == list_digest(cleared) if gone == 0 else 0 < gone <= erased


def _sampled_problems(connection: Connection, entries: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield samples whose customers are not those of whom the ledger took the digest; erased ones are left out of the table."""
    table = schema.sampled_customers
    held: dict[str, list[str]] = {}
    for row in connection.execute(select(table.c.sample_id, table.c.customer_id)):
        held.setdefault(row.sample_id, []).append(row.customer_id)
    drawn: dict[str, Mapping[str, Any]] = {}
    for entry in entries:
        payload = entry["payload"] or {}
        if payload.get("kind") == "sample.drawn":
            drawn[payload["data"]["sample_id"]] = payload["data"]
    for sample in sorted(drawn.keys() | held.keys()):
        data, customers = drawn.get(sample, {}), held.get(sample, [])
        gone = sum(part for part, _ in data.get("sizes", {}).values()) - len(customers)
        digest = sample_digest(customers, is_early="size" not in data)
        if gone < 0 or (gone == 0 and digest != data.get("customers_digest")):
            yield f"{sample}: its customers in the workspace are not those that the ledger recorded"


def _rules_problems(connection: Connection, entries: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield policies that were changed in the workspace, and cases recorded with rules for decisions that differ from their policy's."""
    table = schema.policies
    policies: dict[str, Policy] = {}
    for digest, source in connection.execute(select(table.c.digest, table.c.source).order_by(table.c.digest)):
        if hashlib.sha256(source).hexdigest() != digest:
            yield f"policy {digest[:12]}: the workspace keeps another text than the one of this digest"
            continue
        with suppress(PolicyError):  # a policy of an early version, under which no case can be decided either
            policies[digest] = read_policy(bytes(source))
    for entry in entries:
        payload = entry["payload"] or {}
        judged = payload.get("data", {})
        if not payload.get("case_id") or "alone_up_to" not in judged.get("policy", {}):
            continue
        policy = policies.get(judged["policy"]["digest"])
        if policy is not None and rules_faults(ledger_rules(policy.decisions), judged):
            yield f"entry {entry['seq']}: it records other rules about decisions than the policy has"


def _take_in(case: _LedgerCase, payload: Mapping[str, Any]) -> None:
    """Apply the next entry to a case."""
    kind, data = payload["kind"], payload["data"]
    case.is_gone = kind == "payload.erased"
    if case.is_gone:
        case.is_erased = True
        return
    members = case.members
    waited = members.get("state") == "second_review"
    members |= {"entries": payload["case_entry"], "state": data.get("state")}
    if "findings" in data and kind != "case.decided":
        about = {each["id"]: each.get("subject", "") for each in data["findings"]}
        same = {name for name, what in case.findings.items() if about.get(name) == what}
        case.dispositions = {name: case.dispositions[name] for name in case.dispositions.keys() & same}
        case.findings = about
        members |= {name: data[name] for name in _JUDGED} | {"policy_digest": data["policy"]["digest"]}
    if kind in _ANEW or (waited and members["state"] == "in_review"):
        case.dispositions = {}
        members["reopens_on"] = None
    if kind == "case.decided":
        case.dispositions = {each["id"]: each["disposition"] for each in data["looked_at"]["findings"]}
        members |= {name: data[name] or None for name in ("outcome", "decision_id", "effect", "reopens_on")}
    elif kind == "case.approved" and members.get("outcome") != "escalate":
        members["effect"] = None
    elif kind == "case.assigned":
        members["assignee"] = data["to"]
    if kind == "case.snoozed":
        members["snoozed_until"] = data["until"]
    elif members["state"] != "snoozed":
        members["snoozed_until"] = None


def _agrees(row: Case | None, case: _LedgerCase) -> bool:
    if row is None or not case.members:
        return False
    # A finding that a person added in a sample is only in the row.
    return (
        all(getattr(row, name) == value for name, value in case.members.items())
        and case.findings.keys() <= {each.finding_id for each in row.findings}
        and all(each.disposition == case.dispositions.get(each.finding_id, "") for each in row.findings)
        and all(getattr(row, name) is None for name in _NOT_AT_FIRST if name not in case.members)
    )
