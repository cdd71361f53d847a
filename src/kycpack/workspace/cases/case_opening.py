"""Turns the recommendations of a run into cases: opens, updates and reopens them, and records the customers without one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from kycpack.errors import InputError, WorkspaceError
from kycpack.storage.kept_texts import KeptTexts
from kycpack.triage.policies.policy import SANCTIONS
from kycpack.workspace import schema
from kycpack.workspace.cases.case_changes import cases_of_ids, change, reopened, undisposed
from kycpack.workspace.cases.case_history import erased_entries, history_of
from kycpack.workspace.cases.case_records import Case, ledger_rules, looked_at, renumbered
from kycpack.workspace.cases.judged_run import JudgedCustomer, RunPart
from kycpack.workspace.cases.policies import keep_policy
from kycpack.workspace.cases.queue import case_due
from kycpack.workspace.entries.ledger_writer import Writer, payloads
from kycpack.workspace.entries.verify_ledger import (
    ANOTHER_POLICY,
    NEW_EVIDENCE,
    OCCASIONS,
    SAMPLE_RULE,
    RecordedRun,
    case_id_of,
    judged_again_refusal,
    last_judged,
    record_refusal,
    sorted_list_digest,
    take_in_run,
)
from kycpack.workspace.rows import check_choice, check_id, portions
from kycpack.workspace.schema import cases, cleared_customers, ledger_payloads

_AT_ONCE = 1000
_RUN = "run.recorded"
_ANEW = "run the batch again"


@dataclass(frozen=True, slots=True)
class Opened:
    """The effect of a run on cases; the ids of many are kept in temporary files.

    Attributes:
        opened: Ids of new cases.
        updated: Ids of open cases with new evidence or another policy.
        reopened: Ids of closed cases that were reopened.
        unchanged: Ids of cases with nothing new.
        cleared: Customers without a case: recommended approve, without a person's decision.
    """

    opened: KeptTexts = field(default_factory=KeptTexts)
    updated: KeptTexts = field(default_factory=KeptTexts)
    reopened: KeptTexts = field(default_factory=KeptTexts)
    unchanged: KeptTexts = field(default_factory=KeptTexts)
    cleared: KeptTexts = field(default_factory=KeptTexts)


def open_cases(
    writer: Writer, part: RunPart, opened: Opened, *, occasion: str, imported_by: str = ""
) -> None:
    """Open, update and reopen cases, within a transaction; see `Cases.open_from`.

    Args:
        writer: The transaction.
        part: What a policy recommends for the customers.
        opened: The effect is added to it.
        occasion: One of `OCCASIONS`.
        imported_by: Who counts as having prepared a run that names nobody, unless an entry named somebody before.

    Raises:
        InputError: There is no such occasion, or evidence has no root.
        WorkspaceError: The run was recorded before with different facts, or a case is based on a later one.
    """
    check_choice(occasion, OCCASIONS, "occasion")
    recorded = _recorded(writer)
    earlier = recorded[part.run_id].prepared_by if part.run_id in recorded else None
    part = replace(part, prepared_by=part.prepared_by or (imported_by if earlier is None else earlier))
    data = {"run_id": part.run_id, "occasion": occasion, "policy": {"digest": part.policy.digest}}
    data |= {"prepared_by": part.prepared_by}
    if refusal := record_refusal({"data": data, "at": writer.at}, recorded):
        raise WorkspaceError(f"{refusal}; {_ANEW}")
    keep_policy(writer.connection, part.policy)
    counts: Counter[str] = Counter()
    for some in portions(part.customers):
        effects: dict[str, list[str]] = defaultdict(list)
        for effect, name in _open_some(writer, part, some, occasion, recorded):
            effects[effect].append(name)
        for effect, names in effects.items():
            counts[effect] += len(names)
            getattr(opened, effect).add(names)
        _keep_dates(writer.connection, some)
        _keep_cleared(writer, part, some, set(effects["cleared"]))
    writer.append(_RUN, _run_data(counts, _all_cleared(writer, part), part, occasion))


def _open_some(
    writer: Writer,
    part: RunPart,
    customers: Sequence[JudgedCustomer],
    occasion: str,
    recorded: Mapping[str, RecordedRun],
) -> Iterator[tuple[str, str]]:
    """Open, update and reopen the cases of some customers; yield each effect, with the case or the cleared customer."""
    ids = [case_id_of(check_id(one.customer_id), occasion) for one in customers]
    held, erased = cases_of_ids(writer.connection, ids), erased_entries(writer.connection, ids)
    new: list[Case] = []
    for case_id, one in zip(ids, customers, strict=True):
        customer_id, level, found = one.customer_id, one.level, one.findings
        if one.evidence_root is None:
            raise InputError("the root of its evidence is missing", place=customer_id)
        due = case_due(one.dates or ())
        seen = Case(
            case_id=case_id,
            customer_id=customer_id,
            occasion=occasion,
            state="open",
            version=1,
            entries=erased.get(case_id, 0) + 1,
            level=level,
            top_reason=one.top_reason,
            run_id=part.run_id,
            evidence_root=one.evidence_root,
            policy_digest=part.policy.digest,
            opened_at=writer.at,
            changed_at=writer.at,
            due_on=due.due_at[:10] if due else None,
            due_kind=due.kind if due else None,
            findings=renumbered(found, ()),
        )
        before = held.get(case_id)
        if before is not None:
            yield _seen_again(writer, before, seen, part, recorded), case_id
        elif level == "approve" and not found:
            yield "cleared", customer_id
        else:
            data = {
                "customer_id": customer_id,
                **looked_at(seen, part.policy, part.prepared_by),
                "state": "open",
            }
            writer.append("case.opened", data, case_id=case_id, case_entry=seen.entries)
            new.append(seen)
            yield "opened", case_id
    if new:
        writer.connection.execute(insert(cases), [case.to_row() for case in new])


def _recorded(writer: Writer) -> dict[str, RecordedRun]:
    """Return the runs that the ledger has, by id."""
    recorded: dict[str, RecordedRun] = {}
    for payload in payloads(writer.connection, ledger_payloads.c.kind == _RUN):
        take_in_run(payload, recorded)
    return recorded


def _seen_again(
    writer: Writer,
    before: Case,
    seen: Case,
    part: RunPart,
    recorded: Mapping[str, RecordedRun],
) -> str:
    """Apply what a run says about a customer who has a case; return the effect on the case.

    Raises:
        WorkspaceError: A later run has updated it, or the same run said something different.
    """
    # A finding from a sample stays, whatever a run says, until somebody has given a disposition.
    asked = tuple(each for each in before.findings if each.rule_id == SAMPLE_RULE and not each.disposition)
    findings = renumbered((*seen.findings, *asked), before.findings)
    is_same = (before.evidence_root, before.policy_digest) == (seen.evidence_root, seen.policy_digest)
    known = {finding.finding_id for finding in before.findings}
    new = [finding.finding_id for finding in findings if finding.finding_id not in known]
    is_worse = bool(new)
    is_other = is_worse or before.level != seen.level or len(findings) != len(known)
    if before.state == "closed":
        # An approved customer with fewer findings than before needs no new decision, unless a changed policy is the reason.
        supports = before.outcome == "approve" and not is_worse and before.level == seen.level
        supports &= before.policy_digest == seen.policy_digest
        if not is_other or supports:
            return "unchanged"
        after = reopened(replace(before, findings=findings), writer.at)
        kind, became = "case.reopened", "reopened"
    elif is_same and not is_worse:
        return "unchanged"
    else:
        after, kind, became = replace(before, findings=findings), "case.updated", "updated"
        # A different policy may require other people or other reasons, even with the same findings.
        is_judged_otherwise = is_other or before.policy_digest != seen.policy_digest
        may_not_rest = any(finding.subject == SANCTIONS for finding in findings)
        if before.state == "second_review" and is_judged_otherwise:
            after = replace(undisposed(after), state="in_review", reopens_on=None)
        elif (before.state in {"snoozed", "waiting_for_customer"} and is_worse) or (
            before.state == "snoozed" and may_not_rest
        ):
            after = replace(after, state="in_review", snoozed_until=None)
    after = replace(
        after,
        level=seen.level,
        top_reason=seen.top_reason,
        run_id=seen.run_id,
        evidence_root=seen.evidence_root,
        policy_digest=seen.policy_digest,
        due_on=seen.due_on,
        due_kind=seen.due_kind,
    )
    changed: dict[str, Any] = {
        "level_before": before.level,
        "new": new,
        "gone": sorted({f.finding_id for f in before.findings} - {f.finding_id for f in findings}),
        "reason": NEW_EVIDENCE if before.policy_digest == seen.policy_digest else ANOTHER_POLICY,
    }
    overtakes = kind == "case.reopened" or before.state == "second_review" != after.state
    shown = changed["new"] if overtakes else ()
    data = {**looked_at(after, part.policy, part.prepared_by, shown), **changed}
    if seen.run_id in recorded and (
        refusal := judged_again_refusal(
            last_judged(history_of(writer.connection, before.case_id)), data, recorded
        )
    ):
        raise WorkspaceError(f"case {before.case_id}: {refusal}; {_ANEW}")
    change(writer, after, kind, data)
    return became


def _run_data(counts: Mapping[str, int], cleared: KeptTexts, part: RunPart, occasion: str) -> dict[str, Any]:
    policy = part.policy
    return {
        "run_id": part.run_id,
        "occasion": occasion,
        "policy": {"id": policy.id, "version": policy.version, "digest": policy.digest},
        "counts": {name: counts[name] for name in Opened.__slots__} | {"cleared": len(cleared)},
        # The list of cleared customers stays in the workspace; the digest shows later that it is unchanged.
        "cleared_digest": sorted_list_digest(cleared.sorted()),
        "prepared_by": part.prepared_by,
        "rules": ledger_rules(policy.decisions),
    }


def _keep_cleared(
    writer: Writer, part: RunPart, seen: Sequence[JudgedCustomer], cleared: Collection[str]
) -> None:
    """Store the cleared ones of some customers of a run; a continued run replaces what it said about its customers."""
    is_seen = cleared_customers.c.customer_id.in_([one.customer_id for one in seen])
    writer.connection.execute(
        delete(cleared_customers).where(cleared_customers.c.run_id == part.run_id, is_seen)
    )
    rows = [
        {
            "run_id": part.run_id,
            "customer_id": one.customer_id,
            "evidence_root": one.evidence_root,
            "policy_digest": part.policy.digest,
            "stratum": one.diligence or "not known",
        }
        for one in seen
        if one.customer_id in cleared
    ]
    if rows:
        writer.connection.execute(insert(cleared_customers), rows)


def _all_cleared(writer: Writer, part: RunPart) -> KeptTexts:
    """Return all cleared customers of a run, those of its earlier parts under the same policy included."""
    kept = (cleared_customers.c.run_id == part.run_id) & (
        cleared_customers.c.policy_digest == part.policy.digest
    )
    query = select(cleared_customers.c.customer_id).where(kept).execution_options(yield_per=_AT_ONCE)
    return KeptTexts(writer.connection.scalars(query))


def _keep_dates(connection: Connection, seen: Sequence[JudgedCustomer]) -> None:
    dates = {one.customer_id: one.dates for one in seen if one.dates is not None}
    table = schema.due_dates
    connection.execute(delete(table).where(table.c.customer_id.in_(list(dates))))
    rows = [{"customer_id": name, **asdict(each)} for name, theirs in dates.items() for each in theirs]
    if rows:
        connection.execute(insert(table), rows)
