"""Checks that the tables of the workspace agree with the ledger: cases, policies, texts, lists of customers, and the stored form of payloads."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, select

from kycpack.errors import PolicyError
from kycpack.triage.levels import UNKNOWN
from kycpack.triage.policies.policy import Policy
from kycpack.triage.policy_file import read_policy
from kycpack.workspace import schema
from kycpack.workspace.cases.case_records import Case, CaseFinding, case_of_row, ledger_rules
from kycpack.workspace.cases.policies import SEEN, STATE_BY_KIND
from kycpack.workspace.entries.verify_ledger import (
    SAMPLE_RULE,
    TEXTS_COUNTED,
    canonical,
    case_ids_of,
    list_digest,
    rationale_digest,
    rules_faults,
    sample_digest,
)
from kycpack.workspace.rows import read_json
from kycpack.workspace.schema import (
    cleared_customers,
    ledger_entries,
    ledger_payloads,
    rationales,
    sampled_customers,
    samples,
)

_JUDGED = ("level", "run_id", "evidence_root")
_OF_FINDING = {"rule": "rule_id", "outcome": "outcome", "level": "level", "subject": "subject"}
_SHOWN = ("sentence", "evidence")
_NOT_AT_FIRST = ("outcome", "decision_id", "effect", "reopens_on", "assignee", "snoozed_until")
_VERDICT = ("verdict", "reviewed_by", "reviewed_at")
_ANEW = frozenset({"case.opened", "case.reopened", "case.returned"})

Recorded = Sequence[tuple[int, Mapping[str, Any]]]
"""The entries that were not erased, in order: number and payload."""


@dataclass(slots=True)
class _LedgerCase:
    """A case according to its ledger entries.

    Attributes:
        members: The expected content of its row.
        findings: Findings that need a disposition: by id, what a run recorded of them.
        shown: Sentence and evidence of findings, by id, as the last decision on them gave them.
        dispositions: Dispositions of the findings since they last had to be reviewed.
        is_erased: Whether one of its entries was erased, so that it cannot be compared.
        is_gone: Whether it was erased and nothing was recorded of it since.
    """

    members: dict[str, Any] = field(default_factory=dict)
    findings: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    shown: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    dispositions: dict[str, str] = field(default_factory=dict)
    is_erased: bool = False
    is_gone: bool = False


def table_problems(connection: Connection, entries: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the differences between the tables of the workspace and the ledger.

    Args:
        connection: The workspace.
        entries: All entries, in order.
    """
    recorded = [(entry["seq"], entry["payload"]) for entry in entries if entry["payload"]]
    try:
        yield from _found_by_problems(connection)
        for problems in (_sample_problems, _text_problems, _rules_problems, _state_problems):
            yield from problems(connection, recorded)
    except (KeyError, TypeError, ValueError, AttributeError):
        yield "the tables of the workspace cannot be compared with the ledger: an entry is not of the form that kycpack writes"


def _state_problems(connection: Connection, recorded: Recorded) -> Iterator[str]:
    """Yield cases that differ from the ledger."""
    cases: dict[str, _LedgerCase] = {}
    for _, payload in recorded:
        if payload.get("case_id"):
            _take_in(cases.setdefault(payload["case_id"], _LedgerCase()), payload)
    held: dict[str, Case] = {}
    for row in connection.execute(select(schema.cases)).mappings():
        held[row["case_id"]] = case = case_of_row(row)
        if not _is_counted(row, case):
            yield f"case {case.case_id}: its row counts other findings than it has"
    for case_id in sorted(cases.keys() | held.keys()):
        one = cases.get(case_id, _LedgerCase())
        if not one.is_erased and not _agrees(held.get(case_id), one):
            yield f"case {case_id}: its row in the workspace differs from the ledger"
        elif one.is_gone and case_id in held and held[case_id].state != "closed":
            yield f"case {case_id}: it was erased, but is not closed in the workspace"


def _found_by_problems(connection: Connection) -> Iterator[str]:
    """Yield payloads stored under a different kind or case than they name, in another form, or for no entry.

    People, roles and histories are read from the table of payloads alone.
    """
    query = select(ledger_payloads, ledger_entries.c.hash).select_from(
        ledger_payloads.outerjoin(ledger_entries, ledger_entries.c.seq == ledger_payloads.c.seq)
    )
    for row in connection.execute(query.order_by(ledger_payloads.c.seq)):
        payload = read_json(row.payload, "payload")
        if row.hash is None:
            yield f"entry {row.seq}: the workspace keeps a payload for it, and the ledger has no such entry"
        if (payload.get("kind"), payload.get("case_id")) != (row.kind, row.case_id):
            yield f"entry {row.seq}: the workspace keeps it under a different kind or case than it names"
        if row.payload.encode() != canonical(payload):
            yield f"entry {row.seq}: the workspace keeps its payload in another form than the one that was hashed"


def _text_problems(connection: Connection, recorded: Recorded) -> Iterator[str]:
    """Yield decisions whose text would not be recognised if it were used again."""
    held = {row.decision_id: row.digest for row in connection.execute(select(rationales))}
    for seq, payload in recorded:
        data = payload.get("data", {})
        if TEXTS_COUNTED.get(payload.get("kind", "")) not in data:
            continue  # no decision or approval, or one of an early version
        name = data["decision_id"] + ("-A" if payload["kind"] == "case.approved" else "")
        if held.get(name) != rationale_digest(data["text"]):
            yield f"entry {seq}: the workspace does not keep its text among those used before"


def _rules_problems(connection: Connection, recorded: Recorded) -> Iterator[str]:
    """Yield policies that were changed in the workspace, and runs and cases recorded with rules for decisions that differ from their policy's."""
    table = schema.policies
    policies: dict[str, Policy] = {}
    held: set[str] = set()
    states = _states(recorded)
    for row in connection.execute(select(table).order_by(table.c.digest)):
        held.add(row.digest)
        if row.state != (state := states.get(row.digest, SEEN)):
            yield f"policy {row.digest[:12]}: the workspace has it as {row.state}, but the ledger has it as {state}"
        if hashlib.sha256(row.source).hexdigest() != row.digest:
            yield f"policy {row.digest[:12]}: the text that the workspace keeps does not have this digest"
            continue
        with suppress(PolicyError):  # a policy of an early version, under which no case can be decided either
            policies[row.digest] = policy = read_policy(bytes(row.source))
            if (policy.id, policy.version) != (row.policy_id, row.version):
                yield f"policy {row.digest[:12]}: the workspace has it under another id or version than its text has"
    missing: set[str] = set()
    for seq, payload in recorded:
        judged = payload.get("data", {})
        is_run = payload.get("kind") == "run.recorded" and "rules" in judged
        if not is_run and (not payload.get("case_id") or "alone_up_to" not in judged.get("policy", {})):
            continue
        digest = judged["policy"]["digest"]
        rules = ledger_rules(policies[digest].decisions) if digest in policies else None
        if is_run and digest not in held | missing:
            missing.add(digest)
            yield f"policy {digest[:12]}: entry {seq} judged by it, and the workspace does not have it"
        elif rules and (judged["rules"] != rules if is_run else any(rules_faults(rules, judged))):
            yield f"entry {seq}: it records other rules about decisions than the policy has"


def _states(recorded: Recorded) -> dict[str, str]:
    """Return the state of each policy after the last entry about it, by digest."""
    return {
        str(payload["data"].get("digest")): STATE_BY_KIND[payload["kind"]]
        for _, payload in recorded
        if payload.get("kind") in STATE_BY_KIND
    }


def _take_in(case: _LedgerCase, payload: Mapping[str, Any]) -> None:
    """Apply the next entry to a case."""
    kind, data = payload["kind"], payload["data"]
    case.is_gone = kind == "payload.erased"
    if case.is_gone:
        case.is_erased = True
        return
    members = case.members
    was = members.get("state")
    if kind == "case.opened":
        occasion = case_ids_of(data["customer_id"]).get(payload["case_id"])
        members |= {"version": 0, "customer_id": data["customer_id"], "occasion": occasion}
    members |= {"entries": payload["case_entry"], "state": data.get("state"), "changed_at": payload["at"]}
    members["version"] = members.get("version", 0) + 1
    if "findings" in data and kind != "case.decided":
        _judge(case, data)
    if kind in _ANEW or (was == "second_review" and members["state"] == "in_review"):
        case.dispositions = {}
        members["reopens_on"] = None
    members |= _dates(payload, was)
    if kind == "case.decided":
        case.shown = {each["id"]: each for each in data["looked_at"]["findings"]}
        case.dispositions = {name: each["disposition"] for name, each in case.shown.items()}
        members |= {name: data[name] or None for name in ("outcome", "decision_id", "effect", "reopens_on")}
    elif kind == "case.approved" and members.get("outcome") != "escalate":
        members["effect"] = None
    elif kind == "case.assigned":
        members["assignee"] = data["to"]


def _dates(payload: Mapping[str, Any], was: str | None) -> dict[str, str | None]:
    """Return the dates of a case that an entry sets."""
    kind, data, state = payload["kind"], payload["data"], payload["data"].get("state")
    dates = {}
    if kind in {"case.opened", "case.reopened"}:
        dates["opened_at"] = payload["at"]
    if state != was:
        dates["closed_at"] = payload["at"] if state == "closed" else None
    if kind == "case.snoozed":
        dates["snoozed_until"] = data["until"]
    elif state != "snoozed":
        dates["snoozed_until"] = None
    return dates


def _judge(case: _LedgerCase, data: Mapping[str, Any]) -> None:
    """Take in what a run says of a case."""
    found = {each["id"]: each for each in data["findings"]}
    same = {
        name
        for name, each in case.findings.items()
        if name in found and found[name].get("subject", "") == each.get("subject", "")
    }
    case.dispositions = {name: case.dispositions[name] for name in case.dispositions.keys() & same}
    case.findings, case.shown = found, {}
    case.members |= {name: data[name] for name in _JUDGED} | {"policy_digest": data["policy"]["digest"]}


def _agrees(row: Case | None, case: _LedgerCase) -> bool:
    if row is None or not case.members:
        return False
    found = {each.finding_id: each for each in row.findings}
    return (
        all(getattr(row, name) == value for name, value in case.members.items())
        and case.findings.keys() <= found.keys()
        and all(_is_same(each, case) for each in row.findings)
        and all(getattr(row, name) is None for name in _NOT_AT_FIRST if name not in case.members)
    )


def _is_same(finding: CaseFinding, case: _LedgerCase) -> bool:
    """Return whether a finding of a row is as the ledger has it; one that a person added in a sample is only in the row."""
    name = finding.finding_id
    recorded, shown = case.findings.get(name), case.shown.get(name)
    if recorded is None and finding.rule_id != SAMPLE_RULE:
        return False
    return (
        finding.disposition == case.dispositions.get(name, "")
        and all(
            getattr(finding, _OF_FINDING[each])
            == (recorded or {}).get(each, getattr(finding, _OF_FINDING[each]))
            for each in _OF_FINDING
        )
        and (
            shown is None
            or (finding.sentence, list(finding.evidence_ids)) == tuple(shown.get(each) for each in _SHOWN)
        )
    )


def _is_counted(row: Mapping[Any, Any], case: Case) -> bool:
    counted = case.to_row()
    # A workspace of an early version counted an unknown that concerns several sessions once for each.
    most = sum(each.outcome == UNKNOWN for each in case.findings)
    return (
        all(row[name] == counted[name] for name in ("finding_count", "open_count"))
        and counted["unknown_count"] <= row["unknown_count"] <= most
    )


def _sample_problems(connection: Connection, recorded: Recorded) -> Iterator[str]:
    """Yield the differences between the ledger and the lists of customers: who was cleared, who was sampled, and what was said of them.

    Of customers whose records were erased since, only the number is known.
    """
    of_kind: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for _, payload in recorded:
        of_kind[payload.get("kind", "")].append(payload)
    started = (payload["data"]["customers"] for payload in of_kind["retention.started"])
    erased = len({each["customer_id"] for customers in started for each in customers})
    yield from _cleared_problems(connection, of_kind["run.recorded"], erased)
    yield from _drawn_problems(connection, of_kind["sample.drawn"], erased)
    yield from _reviewed_problems(connection, of_kind["sample.reviewed"])


def _cleared_problems(
    connection: Connection, runs: Sequence[Mapping[str, Any]], erased: int
) -> Iterator[str]:
    """Yield runs whose customers without a case differ from the count and digest in the ledger."""
    held: dict[tuple[str, str], list[str]] = {}
    for row in connection.execute(
        select(cleared_customers.c.run_id, cleared_customers.c.policy_digest, cleared_customers.c.customer_id)
    ):
        held.setdefault((row.run_id, row.policy_digest), []).append(row.customer_id)
    # The last statement about each run.
    recorded = {
        (payload["data"]["run_id"], payload["data"]["policy"]["digest"]): payload["data"] for payload in runs
    }
    for run in sorted(recorded.keys() | held.keys()):
        if run not in recorded or not _is_cleared(recorded[run], held.get(run, []), erased):
            yield f"run {run[0]}: its cleared customers in the workspace are not those that the ledger recorded"


def _is_cleared(data: Mapping[str, Any], cleared: Sequence[str], erased: int) -> bool:
    gone: int = data["counts"]["cleared"] - len(cleared)
    return data["cleared_digest"] == list_digest(cleared) if gone == 0 else 0 < gone <= erased


def _drawn_problems(connection: Connection, drawn: Sequence[Mapping[str, Any]], erased: int) -> Iterator[str]:
    """Yield samples that are not those of the ledger, by their seed, their run or their customers."""
    held = {
        row.sample_id: (row.run_id, row.seed, row.drawn_at) for row in connection.execute(select(samples))
    }
    customers: dict[str, dict[str, str]] = defaultdict(dict)
    for row in connection.execute(
        select(sampled_customers.c.sample_id, sampled_customers.c.customer_id, sampled_customers.c.stratum)
    ):
        customers[row.sample_id][row.customer_id] = row.stratum
    recorded = {payload["data"]["sample_id"]: payload for payload in drawn}
    for sample in sorted(recorded.keys() | held.keys() | customers.keys()):
        payload = recorded.get(sample, {"data": {}, "at": ""})
        data = payload["data"]
        if held.get(sample) != (data.get("run_id"), data.get("seed"), payload["at"]):
            yield f"{sample}: the workspace has it of another run, seed or time than the ledger, or only one of them has it"
        if not _is_drawn(data, customers[sample], erased):
            yield f"{sample}: its customers in the workspace are not those that the ledger recorded"


def _is_drawn(data: Mapping[str, Any], customers: Mapping[str, str], erased: int) -> bool:
    sizes = {stratum: drawn for stratum, (drawn, _) in data.get("sizes", {}).items() if drawn}
    counted = Counter(customers.values())
    gone = sum(sizes.values()) - len(customers)
    if gone == 0:
        digest = sample_digest(customers, is_early="size" not in data)
        return dict(counted) == sizes and digest == data.get("customers_digest")
    return 0 < gone <= erased and all(count <= sizes.get(stratum, 0) for stratum, count in counted.items())


def _reviewed_problems(connection: Connection, reviewed: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield what the workspace has people say of customers in samples otherwise than the ledger."""
    held = {
        (row["sample_id"], row["customer_id"]): row
        for row in connection.execute(select(sampled_customers)).mappings()
    }
    said = {
        (payload["data"]["sample_id"], payload["data"]["customer_id"]): (
            payload["data"]["verdict"],
            payload["actor"],
            payload["at"],
        )
        for payload in reviewed
    }
    for about in sorted(held.keys() | said.keys()):
        row = held.get(about)
        kept = (None, None, None) if row is None else tuple(row[name] for name in _VERDICT)
        if kept != said.get(about, (None, None, None)):
            yield f"{about[0]}: what was said of customer {about[1]} is in the workspace otherwise than in the ledger"
