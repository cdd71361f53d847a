"""Turns the recommendations of a run into cases: opens, updates and reopens them, and records the customers without one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from sqlalchemy import Connection, delete, insert, select

from kycpack.errors import InputError, WorkspaceError
from kycpack.frames.rows import records
from kycpack.models.instants import read_as_of
from kycpack.models.json import parse_json
from kycpack.triage.observations.due_dates import NEEDED, DueDate, due_dates
from kycpack.triage.policies.decision_rules import SANCTIONS
from kycpack.triage.policies.policy import Policy
from kycpack.triage.policy_file import load_policy
from kycpack.workspace import schema
from kycpack.workspace.cases.case_changes import cases_of_ids, change, reopened, undisposed
from kycpack.workspace.cases.case_history import erased_entries, history_of
from kycpack.workspace.cases.case_records import (
    Case,
    CaseFinding,
    findings_of,
    ledger_rules,
    looked_at,
    renumbered,
)
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
    list_digest,
    record_refusal,
    take_in_run,
)
from kycpack.workspace.rows import check_choice, check_id, portions
from kycpack.workspace.schema import cases, cleared_customers, ledger_payloads

_RECOMMENDED = ("customer_id", "level", "top_reason", "diligence")
_RUN = "run.recorded"
_ANEW = "run the batch again"


@dataclass(frozen=True, slots=True)
class Opened:
    """The effect of a run on cases.

    Attributes:
        opened: Ids of new cases.
        updated: Ids of open cases with new evidence or another policy.
        reopened: Ids of closed cases that were reopened.
        unchanged: Ids of cases with nothing new.
        cleared: Customers without a case: recommended approve, without a person's decision.
    """

    opened: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    reopened: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    cleared: tuple[str, ...] = ()

    def __add__(self, other: Opened) -> Opened:
        return Opened(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))


@dataclass(frozen=True, slots=True)
class RunPart:
    """The customers of a run that one policy judged.

    Attributes:
        run_id: Id of the run in the ledger.
        policy: The policy.
        evidence_roots: The root of the evidence, by customer.
        recommendations: Rows of the frame of recommendations.
        findings: By customer, the findings that need a disposition, as from `findings_of`.
        dates: By customer, the dates by which something is due.
        prepared_by: Who prepared the run, as its packs name them; empty where they name nobody.
    """

    run_id: str
    policy: Policy
    evidence_roots: Mapping[str, str]
    recommendations: Sequence[Mapping[Any, Any]]
    findings: Mapping[str, Sequence[CaseFinding]]
    dates: Mapping[str, Sequence[DueDate]] = field(default_factory=dict)
    prepared_by: str = ""


def open_cases(writer: Writer, part: RunPart, *, occasion: str, imported_by: str = "") -> Opened:
    """Open, update and reopen cases, within a transaction; see `Cases.open_from`.

    Args:
        writer: The transaction.
        part: What a policy recommends for the customers.
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
    said: dict[str, list[str]] = defaultdict(list)
    for some in portions(part.recommendations):
        for effect, name in _open_some(writer, part, some, occasion, recorded):
            said[effect].append(name)
    _keep_dates(writer.connection, part.dates)
    cleared = _keep_cleared(writer, said["cleared"], part)
    writer.append(_RUN, _run_data(said, cleared, part, occasion))
    return Opened(**{name: tuple(said[name]) for name in Opened.__slots__})


def _open_some(
    writer: Writer,
    part: RunPart,
    rows: Sequence[Mapping[Any, Any]],
    occasion: str,
    recorded: Mapping[str, RecordedRun],
) -> Iterator[tuple[str, str]]:
    """Open, update and reopen the cases of some customers; yield each effect, with the case or the cleared customer."""
    ids = [case_id_of(check_id(str(row["customer_id"])), occasion) for row in rows]
    held, erased = cases_of_ids(writer.connection, ids), erased_entries(writer.connection, ids)
    new: list[Case] = []
    for case_id, row in zip(ids, rows, strict=True):
        customer_id, level = str(row["customer_id"]), str(row["level"])
        found = part.findings.get(customer_id, ())
        root = part.evidence_roots.get(customer_id)
        if root is None:
            raise InputError("the root of its evidence is missing", place=customer_id)
        due = case_due(part.dates.get(customer_id, ()))
        seen = Case(
            case_id=case_id,
            customer_id=customer_id,
            occasion=occasion,
            state="open",
            version=1,
            entries=erased.get(case_id, 0) + 1,
            level=level,
            top_reason=str(row["top_reason"]),
            run_id=part.run_id,
            evidence_root=root,
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


def read_run(folder: Path | str) -> list[RunPart]:
    """Return the recommendations in the packs of a finished run, by policy.

    Args:
        folder: The run's output.

    Raises:
        InputError: There is no finished run, a pack cannot be read, or the packs name two people who prepared the run.
    """
    top = Path(folder)
    run = _document(top / "run.json")
    if not isinstance(run.get("run_id"), str) or not isinstance(run.get("entries"), list):
        raise InputError("is not the report of a run", place=str(top / "run.json"))
    parts: dict[str, tuple[Policy, dict[str, str], list[Any], dict[str, Any], dict[str, Any]]] = {}
    prepared_by: set[str] = set()
    for entry in run["entries"]:
        if not entry.get("pack"):
            continue
        data = top / str(entry["pack"]) / "data"
        manifest = _document(data / "manifest.json")
        if manifest.get("customer_id") != entry["customer_id"]:
            raise InputError("belongs to a different customer than the run says", place=str(data))
        frames = _frames(data)
        policy = load_policy(data / "policy.yaml")
        if any((frame["customer_id"] != entry["customer_id"]).any() for frame in frames.values()):
            raise InputError("its frames belong to another customer", place=str(data))
        _, roots, recommendations, findings, dates = parts.setdefault(policy.digest, (policy, {}, [], {}, {}))
        prepared_by.add(str(manifest["case"]["prepared_by"] or ""))
        roots[entry["customer_id"]] = str(manifest["evidence_root"])
        recommended = frames["recommendations"]
        recommendations += records(recommended, *(name for name in _RECOMMENDED if name in recommended))
        # Of 100,000 customers, the rows themselves would fill the memory.
        if found := findings_of(records(frames["findings"]), policy.decisions):
            findings[entry["customer_id"]] = found
        dates |= due_dates(frames, read_as_of(str(manifest["as_of"])))
    if len(prepared_by) > 1:
        raise InputError("its packs name different people who prepared it", place=str(top))
    return [RunPart(run["run_id"], *part, prepared_by="".join(prepared_by)) for part in parts.values()]


def _frames(data: Path) -> dict[str, pd.DataFrame]:
    """Return the frames of a pack that cases are opened from, by name."""
    needed = {**NEEDED, "recommendations": None, "findings": None}
    try:
        return {
            name: pq.ParquetFile(data / "frames" / f"{name}.parquet")
            .read(columns=columns, use_threads=False)
            .to_pandas()
            for name, columns in needed.items()
        }
    except (OSError, pa.ArrowException):
        raise InputError("its frames cannot be read; `kycpack verify` says why", place=str(data)) from None


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
    keys = {finding.key for finding in before.findings}
    is_worse = bool({finding.key for finding in findings} - keys)
    is_other = is_worse or before.level != seen.level or len(findings) != len(keys)
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
    changed = {
        "level_before": before.level,
        "new": [finding.finding_id for finding in findings if finding.key not in keys],
        "gone": sorted({f.finding_id for f in before.findings} - {f.finding_id for f in findings}),
        "reason": NEW_EVIDENCE if before.policy_digest == seen.policy_digest else ANOTHER_POLICY,
    }
    data = {**looked_at(after, part.policy, part.prepared_by), **changed}
    if seen.run_id in recorded and (
        refusal := judged_again_refusal(
            last_judged(history_of(writer.connection, before.case_id)), data, recorded
        )
    ):
        raise WorkspaceError(f"case {before.case_id}: {refusal}; {_ANEW}")
    change(writer, after, kind, data)
    return became


def _run_data(
    said: Mapping[str, Sequence[str]], cleared: Sequence[str], part: RunPart, occasion: str
) -> dict[str, Any]:
    policy = part.policy
    return {
        "run_id": part.run_id,
        "occasion": occasion,
        "policy": {"id": policy.id, "version": policy.version, "digest": policy.digest},
        "counts": {name: len(said[name]) for name in Opened.__slots__} | {"cleared": len(cleared)},
        # The list of cleared customers stays in the workspace; the digest shows later that it is unchanged.
        "cleared_digest": list_digest(cleared),
        "prepared_by": part.prepared_by,
        "rules": ledger_rules(policy.decisions),
    }


def _keep_cleared(writer: Writer, customers: Sequence[str], part: RunPart) -> list[str]:
    """Store the cleared customers of a run, and return all of them; a continued run replaces what it said about its customers."""
    strata = {str(row["customer_id"]): row.get("diligence") for row in part.recommendations}
    for some in portions(list(strata)):
        is_seen = cleared_customers.c.customer_id.in_(some)
        writer.connection.execute(
            delete(cleared_customers).where(cleared_customers.c.run_id == part.run_id, is_seen)
        )
    rows = [
        {
            "run_id": part.run_id,
            "customer_id": each,
            "evidence_root": part.evidence_roots[each],
            "policy_digest": part.policy.digest,
            "stratum": str(strata[each] or "not known"),
        }
        for each in customers
    ]
    for part_of_rows in portions(rows):
        writer.connection.execute(insert(cleared_customers), part_of_rows)
    kept = (cleared_customers.c.run_id == part.run_id) & (
        cleared_customers.c.policy_digest == part.policy.digest
    )
    return list(writer.connection.scalars(select(cleared_customers.c.customer_id).where(kept)))


def _keep_dates(connection: Connection, dates: Mapping[str, Sequence[DueDate]]) -> None:
    table = schema.due_dates
    for some in portions(sorted(dates)):
        connection.execute(delete(table).where(table.c.customer_id.in_(some)))
        rows = [{"customer_id": name, **asdict(each)} for name in some for each in dates[name]]
        if rows:
            connection.execute(insert(table), rows)


def _document(path: Path) -> dict[str, Any]:
    try:
        document = parse_json(path.read_bytes())
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", place=str(path)) from None
    except InputError as error:
        raise InputError(str(error), place=str(path)) from None
    if not isinstance(document, dict):
        raise InputError("is not an object", place=str(path))
    return document
