"""The rules for decisions: what a decision must contain, its effect, and whether a second person is needed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kycpack.errors import InputError
from kycpack.triage.levels import HIT, UNKNOWN, highest, rank
from kycpack.triage.policies.policy import OUTCOMES, DecisionRules, is_among
from kycpack.workspace.cases.case_records import Case, CaseFinding
from kycpack.workspace.cases.same_facts import check_same_facts
from kycpack.workspace.entries.rationale import check_rationale, check_text
from kycpack.workspace.entries.verify_ledger import (
    MLRO,
    OUTSIDE,
    SANCTIONS,
    SUBJECTS,
    Finding,
    effect_after,
    evidence_faults,
    is_softer,
    roles_needed,
    second_person_reasons,
    verdicts_of,
)
from kycpack.workspace.rows import check_choice

OUTSIDE_WORDS = dict(
    zip(OUTSIDE, ("entry of the list", "date of the list", "SHA-256 of the file"), strict=True)
)
"""The members of external evidence, each in words."""
_END = "end of the decision"
_STANDS = ("accepted", "true_match")
_OPEN = ("inconclusive", "escalated")
"""The verdicts that leave open whether a match is the customer."""
_GROUNDS = {
    "approve": ("false_positive",),
    "hold": (*_STANDS, "escalated"),
    "escalate": (*_STANDS, "escalated"),
    "reject": _STANDS,
}
"""The verdicts on which a decision rests, by outcome."""


@dataclass(frozen=True, slots=True)
class Disposition:
    """A person's verdict on a finding.

    Attributes:
        verdict: One of `verify_ledger.verdicts_of`.
        evidence: External evidence: list_entry, list_date (ISO 8601) and file_sha256; a false positive on sanctions,
            terrorism or a PEP level needs it, since the service does not show its matches.
    """

    verdict: str
    evidence: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision that a person wants to make.

    Attributes:
        outcome: One of `OUTCOMES`.
        reason_code: A code of the policy.
        text: Why, in words; it names every finding with a new disposition.
        dispositions: By id of the finding; findings with an earlier disposition can be left out.
        until: End of a decision softer than the recommendation; None for as long as the policy allows.
    """

    outcome: str
    reason_code: str
    text: str
    dispositions: Mapping[str, Disposition] = field(default_factory=dict)
    until: dt.date | None = None


@dataclass(frozen=True, slots=True)
class Ruling:
    """The effect of a decision.

    Attributes:
        findings: The findings of the case with their dispositions.
        second_person: Why a second person is needed; empty if none is.
        roles: Roles, each of which one of the two people must have.
        state: The new state of the case.
        effect: A hold or escalation that takes effect at once; None if there is none.
        reopens_on: Date on which the case reopens; None if it does not.
    """

    findings: tuple[CaseFinding, ...]
    second_person: tuple[str, ...]
    roles: tuple[str, ...]
    state: str
    effect: str | None
    reopens_on: str | None


def rule_on(
    case: Case, decision: Decision, rules: DecisionRules, *, checked: Collection[str], day: dt.date
) -> Ruling:
    """Return the effect of a decision.

    Args:
        case: The case.
        decision: The decision.
        rules: The policy's rules for decisions.
        checked: Items done on the checklist of enhanced due diligence.
        day: The day of the decision.

    Raises:
        InputError: The decision lacks something, or names something that the case or the policy does not have.
    """
    _check_code(decision, rules)
    known = {finding.finding_id: finding for finding in case.findings}
    for finding_id, disposition in decision.dispositions.items():
        if finding_id not in known:
            raise InputError(f"the case has no finding {finding_id}", place="verdicts")
        _check_disposition(known[finding_id], disposition, day)
    check_rationale(decision.text, decision.dispositions.keys(), known.keys())
    findings = tuple(_disposed(finding, decision.dispositions) for finding in case.findings)
    if fault := check_same_facts(findings, decision.dispositions, decision.text):
        raise InputError(fault, place="verdicts")
    _check_ground(decision, rules, findings)
    is_complete = all(finding.disposition for finding in findings)
    if decision.outcome in {"approve", "reject"} and not is_complete:
        missing = ", ".join(finding.finding_id for finding in findings if not finding.disposition)
        raise InputError(f"{missing} has no verdict yet", place="verdicts")
    seen = tuple(
        Finding(
            each.finding_id,
            each.outcome == HIT,
            each.subject,
            each.rule_id in rules.senior_approval,
            each.disposition,
        )
        for each in findings
    )
    roles = roles_needed(decision.outcome, seen)
    if case.effect and decision.outcome in {"approve", "reject"}:
        _check_settled(case.effect, decision.outcome, findings, roles)
    if decision.outcome == "approve":
        _check_approval(rules, findings, checked)
    reopens_on = _end_of(case, decision, rules, day)
    why = second_person_reasons(decision.outcome, case.level, rules.alone_up_to, case.effect or "", seen)
    if decision.outcome == "hold" or not is_complete:
        state = "in_review"
    else:
        state = "second_review" if why else "closed"
    effect = effect_after(decision.outcome, case.effect or "") or None
    return Ruling(findings, why, roles, state, effect, reopens_on)


def _check_code(decision: Decision, rules: DecisionRules) -> None:
    check_choice(decision.outcome, OUTCOMES, "outcome")
    if decision.reason_code not in rules.reason_codes:
        codes = ", ".join(sorted(rules.reason_codes)) or "none: it cannot be decided under this policy"
        raise InputError(f"the policy has no such code; its codes are {codes}", place="reason code")
    if decision.outcome not in rules.reason_codes[decision.reason_code][1]:
        stands = ", ".join(rules.reason_codes[decision.reason_code][1])
        raise InputError(
            f"{decision.reason_code} is a reason for {stands}, not for {decision.outcome}",
            place="reason code",
        )


def _check_ground(decision: Decision, rules: DecisionRules, findings: Sequence[CaseFinding]) -> None:
    """Raise an error if a reason code is about other findings than those that the decision rests on."""
    about = rules.grounds.get(decision.reason_code, ())
    verdicts = _GROUNDS[decision.outcome]
    rests_on = [each for each in findings if each.disposition in verdicts]
    if not about or not rests_on or any(_is_about(each, about) for each in rests_on):
        return
    fitting = [
        code
        for code, (_, outcomes) in rules.reason_codes.items()
        if decision.outcome in outcomes
        and any(_is_about(each, rules.grounds.get(code, ("*",))) for each in rests_on)
    ]
    if not fitting and decision.outcome != "approve":
        return  # a policy that lacks a code keeps nobody from holding or rejecting
    named = ", ".join(f"{each.finding_id} {each.rule_id}" for each in rests_on)
    words = " or ".join(verdict.replace("_", " ") for verdict in verdicts)
    raise InputError(
        f"{decision.reason_code} ({rules.reason_codes[decision.reason_code][0]}) is a reason about {', '.join(about)}, and the decision "
        f"rests on {named} ({words}); codes that fit these are {', '.join(fitting) or 'none'}",
        place="reason code",
    )


def _is_about(finding: CaseFinding, about: Sequence[str]) -> bool:
    return is_among(finding.rule_id, about) or (finding.outcome == UNKNOWN and UNKNOWN in about)


def _check_disposition(finding: CaseFinding, disposition: Disposition, day: dt.date) -> None:
    place = finding.finding_id
    is_hit = finding.outcome == HIT
    possible = verdicts_of(is_hit=is_hit)
    if disposition.verdict not in possible:
        what = "a hit" if is_hit else "an unknown result"
        raise InputError(f"the finding is {what}; expected one of {', '.join(possible)}", place=place)
    if unknown := sorted(set(disposition.evidence) - set(OUTSIDE)):
        members = ", ".join(f"{words} ({name})" for name, words in OUTSIDE_WORDS.items())
        raise InputError(f"external evidence has {members}, but no {', '.join(unknown)}", place=place)
    needs = finding.subject and disposition.verdict == "false_positive"
    if not disposition.evidence and not needs:
        return
    if missing := [words for name, words in OUTSIDE_WORDS.items() if not disposition.evidence.get(name)]:
        raise InputError(
            f"a false positive on {SUBJECTS.get(finding.subject, 'a list')} needs external evidence; "
            f"missing: {', '.join(missing)}",
            place=place,
        )
    check_text(disposition.evidence["list_entry"], f"{place}, {OUTSIDE_WORDS['list_entry']}")
    for name, why in evidence_faults(disposition.evidence, day.isoformat()).items():
        raise InputError(why, place=f"{place}, {OUTSIDE_WORDS[name]}")


def _disposed(finding: CaseFinding, dispositions: Mapping[str, Disposition]) -> CaseFinding:
    given = dispositions.get(finding.finding_id)
    return finding if given is None else replace(finding, disposition=given.verdict)


def _check_settled(
    effect: str, outcome: str, findings: Sequence[CaseFinding], roles: Collection[str]
) -> None:
    """Raise an error if a decision would end a hold or an escalation while nobody has said whether a possible match is the customer, or approve a customer who is listed."""
    ends = f"the decision would end the {'hold' if effect == 'hold' else 'escalation'} that is in force"
    # The MLRO confirms a rejection with what was passed on, as for a match whose entry of a list cannot be had.
    open_ = ("inconclusive",) if outcome == "reject" and MLRO in roles else _OPEN
    if still := _named(each for each in findings if each.subject and each.disposition in open_):
        raise InputError(
            f"{ends}, and whether a possible match is the customer is still open: {still}; say of each hit whether it is a true match or a "
            "false positive, or hold or escalate the case; a rejection may leave a match escalated where the MLRO has to be one of the two people",
            place="verdicts",
        )
    if outcome == "approve" and (
        listed := _named(
            each
            for each in findings
            if each.outcome == HIT and each.subject == SANCTIONS and each.disposition in _STANDS
        )
    ):
        raise InputError(
            f"{ends} and approve a customer of whom a match on sanctions or terrorism stands: {listed}; only a false positive can be approved",
            place="verdicts",
        )


def _named(findings: Iterable[CaseFinding]) -> str:
    return ", ".join(f"{each.finding_id} {each.rule_id} ({each.disposition})" for each in findings)


def _check_approval(
    rules: DecisionRules, findings: tuple[CaseFinding, ...], checked: Collection[str]
) -> None:
    """Raise an error if an approval contradicts a disposition, or if due diligence is missing."""
    if escalated := [each.finding_id for each in findings if each.disposition == "escalated"]:
        raise InputError(
            f"{', '.join(escalated)} is escalated, so the customer cannot be approved", place="outcome"
        )
    remaining = highest(each.level for each in findings if each.disposition != "false_positive")
    missing = [item for item in rules.checklist if item not in checked]
    if missing and rank(remaining) >= rank("edd"):
        raise InputError(
            f"enhanced due diligence lacks {', '.join(missing)}; record each with `kycpack case check`",
            place="checklist",
        )


def _end_of(case: Case, decision: Decision, rules: DecisionRules, day: dt.date) -> str | None:
    """Return the end of a decision softer than the recommendation; a hold leaves its case open and has no end."""
    if decision.outcome == "hold" or not is_softer(decision.outcome, case.level):
        if decision.until is not None:
            raise InputError("only a decision softer than the recommendation has an end", place=_END)
        return None
    latest = day + dt.timedelta(days=rules.override_days)
    until = decision.until or latest
    if not day < until <= latest:
        raise InputError(f"expected a date after {day} and not after {latest}", place=_END)
    return until.isoformat()


def decision_data(decision: Decision, ruling: Ruling, rules: DecisionRules) -> dict[str, Any]:
    """Return what the ledger records about a decision."""
    return {
        "outcome": decision.outcome,
        "reason_code": decision.reason_code,
        "reason": rules.reason_codes[decision.reason_code][0],
        "text": decision.text,
        "dispositions": {
            finding_id: {"verdict": given.verdict, "evidence": dict(given.evidence)}
            for finding_id, given in sorted(decision.dispositions.items())
        },
        "second_person": list(ruling.second_person),
        "roles": list(ruling.roles),
        "state": ruling.state,
        "effect": ruling.effect or "",
        "reopens_on": ruling.reopens_on or "",
    }
