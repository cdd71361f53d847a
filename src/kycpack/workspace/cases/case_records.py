"""A case and its findings in their current state."""

from __future__ import annotations

import datetime as dt
import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from sys import intern
from typing import Any

from kycpack.frames.answer_members import SECTIONS
from kycpack.models.cards import card
from kycpack.models.dates import day_words
from kycpack.triage.customers.changes import finding_key, is_money, without_evidence
from kycpack.triage.judge.sentences import named_value
from kycpack.triage.levels import HIT, UNKNOWN, rank
from kycpack.triage.observations.due_dates import NAMES
from kycpack.triage.policies.policy import DecisionRules, Policy
from kycpack.workspace.rows import read_json

STATES = ("open", "in_review", "waiting_for_customer", "snoozed", "second_review", "closed")


@dataclass(frozen=True, slots=True)
class CaseFinding:
    """A hit or an unknown in a case.

    Attributes:
        finding_id: Its id in this case, as in `F-1`; it stays the same when evidence is collected again.
        key: The key by which it is recognised again.
        rule_id: The rule.
        outcome: HIT or UNKNOWN.
        level: The level that it raises the recommendation to.
        owner: Who works on it.
        subject: `sanctions`, `pep` or empty.
        title: What was checked.
        sentence: The finding in a sentence.
        evidence_ids: The entries that show it.
        disposition: The last verdict of a person; empty if there is none.
        fact: The value that it rests on, with its name, as in `data integrity 'attention'`; empty if it rests on no single value.
        is_money: Whether it is about money, so that its sentence has a sum that may grow.
    """

    finding_id: str
    key: str
    rule_id: str
    outcome: str
    level: str
    owner: str
    subject: str
    title: str
    sentence: str
    evidence_ids: tuple[str, ...] = ()
    disposition: str = ""
    fact: str = ""
    is_money: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class Case:
    """A case: one customer and one occasion.

    Attributes:
        case_id: Its id.
        customer_id: The customer.
        occasion: onboarding, periodic_review or event.
        state: One of `STATES`.
        version: Increases with each change; a decision made on an earlier version is refused.
        entries: Number of its ledger entries.
        level: What the policy recommends.
        top_reason: Why.
        run_id: The last run that included it.
        evidence_root: Root of the evidence it is based on.
        policy_digest: Digest of the policy it is based on.
        opened_at: When it was opened or reopened.
        changed_at: When it last changed.
        due_on: The next date on which something ends, such as a session or access to an account; None if nothing does.
        due_kind: The kind of that date, as in `bank_access`.
        assignee: Who works on it.
        snoozed_until: The date until which it is snoozed.
        effect: `hold` or `escalate` while one is in force.
        outcome: The last decision.
        decision_id: Id of that decision.
        reopens_on: When an approval against a recommendation ends.
        closed_at: When it was closed.
        findings: The findings that need a disposition.
    """

    case_id: str
    customer_id: str
    occasion: str
    state: str
    version: int
    entries: int
    level: str
    top_reason: str
    run_id: str
    evidence_root: str
    policy_digest: str
    opened_at: str
    changed_at: str
    due_on: str | None = None
    due_kind: str | None = None
    assignee: str | None = None
    snoozed_until: str | None = None
    effect: str | None = None
    outcome: str | None = None
    decision_id: str | None = None
    reopens_on: str | None = None
    closed_at: str | None = None
    findings: tuple[CaseFinding, ...] = ()

    def __repr__(self) -> str:
        return f"Case({self.case_id}: {self.state_words}, {self.level}, version {self.version})"

    def _repr_html_(self) -> str:
        rows = [
            (each.finding_id, each.level, each.disposition or "not yet", each.sentence)
            for each in self.findings
        ]
        title = f"{self!r}; {self.top_reason}"
        return card(
            title, ("finding", "level", "verdict", "what"), rows, following=(".open_findings", ".due_on")
        )

    @property
    def state_words(self) -> str:
        """The state in words, as in `waiting for customer`."""
        return self.state.replace("_", " ")

    @property
    def due_words(self) -> str:
        """The date on which something ends next, with its kind, as in `3 Jun 2026 (bank access)`; empty if there is none."""
        if self.due_on is None:
            return ""
        day = day_words(dt.date.fromisoformat(self.due_on))
        return f"{day} ({NAMES[self.due_kind]})" if self.due_kind else day

    @property
    def open_findings(self) -> tuple[CaseFinding, ...]:
        """The findings without a disposition."""
        return tuple(finding for finding in self.findings if not finding.disposition)

    def to_row(self) -> dict[str, Any]:
        """Return the case as a row of its table."""
        row = {name: getattr(self, name) for name in self.__slots__}
        row["findings"] = json.dumps([asdict(finding) for finding in self.findings], ensure_ascii=False)
        row["finding_count"] = len(self.findings)
        row["open_count"] = len(self.open_findings)
        # An unknown that concerns several sessions is one finding, as in the reasons of a recommendation.
        row["unknown_count"] = len({each.title for each in self.findings if each.outcome == UNKNOWN})
        return row


def case_of_row(row: Mapping[Any, Any]) -> Case:
    """Return the case in a row of its table."""
    held = read_json(row["findings"], "findings")
    findings = tuple(CaseFinding(**{**each, "evidence_ids": tuple(each["evidence_ids"])}) for each in held)
    return Case(**{name: row[name] for name in Case.__slots__ if name != "findings"}, findings=findings)


def findings_of(rows: Iterable[Mapping[Any, Any]], rules: DecisionRules) -> tuple[CaseFinding, ...]:
    """Return the findings that need a disposition in a case: hits and unknowns, without those that stay inside the firm.

    What one rule says more than once about one thing, as of two sums without an explanation, is one finding with all its sentences and evidence.

    Args:
        rows: Rows of the frame of findings, for one customer.
        rules: The policy's rules for decisions.
    """
    standing = [
        row
        for row in rows
        if row["outcome"] in {HIT, UNKNOWN}
        and not row["internal"]
        and not isinstance(row["superseded_by"], str)
    ]
    found: dict[str, CaseFinding] = {}
    for row in sorted(standing, key=_weight):
        path, sentence = str(row["path"]), str(row["sentence"])
        evidence = tuple(intern(str(each)) for each in row["evidence_ids"])
        key = finding_key(row)
        if before := found.get(key):
            found[key] = replace(
                before,
                sentence=before.sentence if sentence in before.sentence else f"{before.sentence}; {sentence}",
                evidence_ids=tuple(dict.fromkeys((*before.evidence_ids, *evidence))),
            )
            continue
        found[key] = CaseFinding(
            finding_id="",
            key=key,
            # Many customers of a run share these words.
            rule_id=intern(str(row["rule_id"])),
            outcome=intern(str(row["outcome"])),
            level=intern(str(row["level"])),
            owner=intern(str(row["owner"])),
            subject=rules.subject(str(row["rule_id"]), path),
            title=intern(str(row["title"])),
            sentence=sentence,
            evidence_ids=evidence,
            fact=_fact(path, row["value"]),
            is_money=is_money(path),
        )
    return tuple(found.values())


def findings_by_customer(
    rows: Iterable[Mapping[Any, Any]], rules: DecisionRules
) -> dict[str, tuple[CaseFinding, ...]]:
    """Return the findings that need a disposition, by customer; see `findings_of`.

    Args:
        rows: Rows of the frame of findings, for any number of customers.
        rules: The policy's rules for decisions.
    """
    mine: dict[str, list[Mapping[Any, Any]]] = defaultdict(list)
    for row in rows:
        mine[str(row["customer_id"])].append(row)
    return {customer_id: findings_of(some, rules) for customer_id, some in mine.items()}


def renumbered(found: Sequence[CaseFinding], earlier: Sequence[CaseFinding]) -> tuple[CaseFinding, ...]:
    """Return findings with ids: an earlier finding keeps its id, a new one gets the next.

    An earlier finding also keeps its disposition, unless a different policy gives it another subject. A finding about money that
    does not say the same as before, apart from the ids of its evidence, is a new one.

    Args:
        found: The findings now.
        earlier: All earlier findings of the case, including those that are gone.
    """
    known = {finding.key: finding for finding in earlier}
    number = max((int(finding.finding_id.partition("-")[2]) for finding in earlier), default=0)
    made: list[CaseFinding] = []
    for finding in found:
        if (before := known.get(finding.key)) and _says_the_same(finding, before):
            said = before.disposition if before.subject == finding.subject else ""
            made.append(replace(finding, finding_id=before.finding_id, disposition=said))
        else:
            number += 1
            made.append(replace(finding, finding_id=f"F-{number}"))
    return tuple(made)


def _says_the_same(finding: CaseFinding, before: CaseFinding) -> bool:
    return not finding.is_money or without_evidence(finding.sentence) == without_evidence(before.sentence)


def _fact(path: str, value: Any) -> str:
    """Return a value of the results with its name, as a section's outcome names it; empty for an outcome and for anything else."""
    if path.partition(".")[0] not in SECTIONS or path.endswith(".outcome") or not isinstance(value, str):
        return ""
    return intern(named_value(path, value))


def _weight(row: Mapping[Any, Any]) -> tuple[int, bool, str, str]:
    return (-rank(str(row["level"])), row["outcome"] != HIT, str(row["rule_id"]), str(row["sentence"]))


def ledger_rules(rules: DecisionRules) -> dict[str, Any]:
    """Return what the ledger records with a run of what its policy says of decisions; see `verify_ledger.rules_of`."""
    return {
        "alone_up_to": rules.alone_up_to,
        "override_days": rules.override_days,
        "sanctions": list(rules.sanctions),
        "pep": list(rules.pep),
        "senior_approval": list(rules.senior_approval),
        "checklist": list(rules.checklist),
        "reason_codes": [
            [code, text, list(outcomes)] for code, (text, outcomes) in rules.reason_codes.items()
        ],
    }


def looked_at(case: Case, policy: Policy, prepared_by: str, shown: Collection[str] = ()) -> dict[str, Any]:
    """Return what the ledger records about the basis of a case, with the policy's rules for deciding it.

    Args:
        case: The case.
        policy: The policy that judged it.
        prepared_by: The person who prepared the run; empty if unknown.
        shown: Ids of the findings that are recorded with their sentence and evidence.
    """
    rules = policy.decisions
    return {
        "prepared_by": prepared_by,
        "run_id": case.run_id,
        "evidence_root": case.evidence_root,
        "policy": {
            "id": policy.id,
            "version": policy.version,
            "digest": policy.digest,
            "alone_up_to": rules.alone_up_to,
            "override_days": rules.override_days,
        },
        "level": case.level,
        "findings": [
            {
                "id": each.finding_id,
                "rule": each.rule_id,
                "outcome": each.outcome,
                "level": each.level,
                "subject": each.subject,
                "senior": each.rule_id in rules.senior_approval,
                **(
                    {"sentence": each.sentence, "evidence": list(each.evidence_ids)}
                    if each.finding_id in shown
                    else {}
                ),
            }
            for each in case.findings
        ],
    }
