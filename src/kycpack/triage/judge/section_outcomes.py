"""Rulings on the outcome of each section of the results, never softer than what the service itself recommends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kycpack.frames.answer_members import SECTIONS
from kycpack.frames.labels import spoken
from kycpack.triage.case_file import CaseFile, Observation, SessionFile
from kycpack.triage.judge.findings import Finding, Ruling
from kycpack.triage.judge.sentences import label_of, raw_value, value_words
from kycpack.triage.levels import CLEAR, HIT, LEVELS, NOT_APPLICABLE, OF_SECTION, UNKNOWN, rank
from kycpack.triage.policies.policy import Policy
from kycpack.triage.results.leaf_details import kind_of

BASIS = "The service's recommended action for the outcome (interface, outcome meanings)"
_TITLES = {
    "document": "Document check",
    "address": "Address check",
    "identity": "Identity check",
    "screening": "Screening",
}
_SHORT = {
    "document": "Document",
    "address": "Proof of address",
    "identity": "Identity",
    "screening": "Screening",
}
_SAID = {
    "rejected": "rejected by the provider",
    "consider": "needs a manual review",
    "warning": "has a warning",
}
_ACTIONS = {"rejected": "decline", "consider": "ask", "warning": "ask"}
_MOST_NAMED = 3


def section_rulings(
    policy: Policy, case: CaseFile, session: SessionFile, required: frozenset[str], *, with_clear: bool
) -> Iterator[Ruling]:
    """Yield the rulings on the sections of a session; an unfamiliar section counts as soon as it has an outcome.

    Args:
        policy: The policy.
        case: The customer.
        session: The session.
        required: The checks that the customer's level of due diligence requires.
        with_clear: Whether to return rulings for clear sections as well.
    """
    said = [seen for seen in session.seen if is_outcome(seen)]
    for section in _sections(session):
        path = f"{section}.outcome"
        outcomes = [seen for seen in said if f"{seen.path}.".startswith(f"{path}.")]
        if outcomes:
            worst = max(outcomes, key=lambda seen: _level(policy, section, seen)[0])
            if with_clear or _level(policy, section, worst)[0]:
                yield _ruling(policy, case, session, section, worst)
        elif section in SECTIONS:
            yield _absent(policy, case, session, section, optional=is_optional(session, section, required))


def is_optional(session: SessionFile, section: str, required: frozenset[str]) -> bool:
    """Return whether a section was not checked, and neither the order nor the policy asks for it."""
    not_ordered = session.ordered is not None and section not in session.ordered
    return not_ordered and section not in session.sections and section not in required


def is_outcome(seen: Observation) -> bool:
    """Return whether an observation may be the outcome of a section."""
    return seen.of_results and ".outcome" in seen.path


def _sections(session: SessionFile) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*SECTIONS, *sorted(session.sections))))


def _level(policy: Policy, section: str, seen: Observation) -> tuple[int, bool]:
    """Return the level of an outcome, and whether it was understood."""
    word = _word(seen.value)
    if word in policy.floor and word not in {"missing", "*"}:
        level, exact = rank(policy.floor[word]), seen.path == f"{section}.outcome"
        return (level, True) if exact else (max(level, rank(policy.floor["*"])), level > 0)
    return rank(policy.floor["missing" if seen.value is None else "*"]), False


def _word(value: Any) -> str:
    """Return an outcome in lower case, empty if it is not text; it is not case-folded, so that look-alike letters of other scripts stay different."""
    return value.strip().lower() if isinstance(value, str) else ""


@dataclass(frozen=True, slots=True)
class _Said:
    """What a ruling says about a section."""

    outcome: str
    level: str
    title: str
    text: str
    cause: str = ""
    action: str = ""


def _ruling(policy: Policy, case: CaseFile, session: SessionFile, section: str, seen: Observation) -> Ruling:
    rank_, understood = _level(policy, section, seen)
    level = LEVELS[rank_]
    title = _TITLES.get(section, f"Section “{spoken(section)}”")
    shown = f" ({', '.join(seen.evidence_ids)})"
    if rank_ == 0:
        said = _Said(CLEAR, level, title, f"{title}: clear")
    elif understood:
        words = _SAID.get(_word(seen.value), value_words(seen.value))
        text = f"{_SHORT.get(section, title)} {words}{_named(policy, session, section)}{shown}"
        said = _Said(HIT, level, title, text, action=_ACTIONS.get(_word(seen.value), "ask"))
    else:
        label = label_of(f"{section}.outcome")
        known = (
            " has no value."
            if seen.value is None
            else " has further fields where one value was expected."
            if seen.path != f"{section}.outcome"
            else f" is {value_words(seen.value)}, which this policy does not know."
        )
        text = f"{title}: the outcome is not known. The {label}{known.removesuffix('.')}{shown}"
        said = _Said(UNKNOWN, level, title, text, f"The {label}{known}", "ask")
    absent = seen.value is None or (isinstance(seen.value, str) and seen.value in policy.not_processed)
    finding = _finding(policy, case, session, section, said)
    told = finding._replace(value=raw_value(seen.value), evidence_ids=seen.evidence_ids)
    return Ruling(told, absent=absent and said.outcome == UNKNOWN, seen=seen)


def _named(policy: Policy, session: SessionFile, section: str) -> str:
    """Name the checks of a section that are not fine, as the end of a sentence."""
    named = [
        f"{label_of(seen.path)} {value_words(seen.value)}"
        for seen in session.seen
        if seen.path.startswith(f"{section}.") and is_not_fine(policy, seen)
    ]
    if not named:
        return ""
    rest = len(named) - _MOST_NAMED
    return ": " + ", ".join(named[:_MOST_NAMED]) + (f" and {rest} more" if rest > 0 else "")


def is_not_fine(policy: Policy, seen: Observation) -> bool:
    """Return whether an observation is a check that a section's finding names as a reason."""
    kind = kind_of(seen.path, policy.vocabulary) if seen.of_results else ""
    return (
        bool(kind)
        and isinstance(seen.value, str | bool)
        and policy.vocabulary.judge(kind, seen.value)[0] != CLEAR
    )


def _absent(policy: Policy, case: CaseFile, session: SessionFile, section: str, *, optional: bool) -> Ruling:
    title = _TITLES[section]
    if optional:
        text = f"{title}: not looked at; neither the order nor the policy asks for it"
        return Ruling(_finding(policy, case, session, section, _Said(NOT_APPLICABLE, LEVELS[0], title, text)))
    if section in session.sections:
        cause = f"The {label_of(f'{section}.outcome')} is not in the results."
    elif session.id is None:
        cause = "No session is known for this customer."
    elif not session.sections:
        cause = session.no_results or "The session has no results."
    else:
        cause = f"The {title[0].lower()}{title[1:]} is not in the results."
    text = f"{title}: not known. {cause.removesuffix('.')} ({session.evidence_id})"
    said = _Said(UNKNOWN, policy.floor["missing"], title, text, cause, "ask")
    return Ruling(_finding(policy, case, session, section, said), absent=True)


def _finding(policy: Policy, case: CaseFile, session: SessionFile, section: str, said: _Said) -> Finding:
    return Finding(
        customer_id=case.customer_id,
        session_id=session.id,
        rule_id=OF_SECTION + section,
        outcome=said.outcome,
        level=said.level,
        owner=policy.owner_of(OF_SECTION + section),
        action=said.action,
        internal=False,
        title=said.title,
        reason=said.text,
        sentence=said.text,
        cause=said.cause,
        basis=BASIS,
        path=f"{section}.outcome",
        value=None,
        evidence_ids=(session.evidence_id,),
    )
