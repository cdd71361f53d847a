"""What page one lists as not known, what an approval waits for because of it, and what page one says beside that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from kycpack.evidence import Evidence
from kycpack.models.listed import counted, listed
from kycpack.render.document_parts import Cell
from kycpack.render.origin import Given, value_of
from kycpack.render.palette import Tone
from kycpack.render.review import newer_findings
from kycpack.render.review.accepted_differences import alike
from kycpack.render.review.after_decision import ToDo
from kycpack.render.review.case_record import ReviewedCase
from kycpack.render.review.compared_values import compared_values, difference_words, values_of, with_values
from kycpack.render.review.decision import CaseRecord
from kycpack.render.review.decision_section import FROM_RECORD
from kycpack.render.review.findings import replaced_sessions
from kycpack.render.review.gap_duties import NEEDS
from kycpack.render.review.gaps import Headline, headlines, limits_line
from kycpack.render.review.inputs import ReviewInputs
from kycpack.render.review.pieces import action_of
from kycpack.render.review.reasons import Reason, Unknown, with_evidence
from kycpack.render.review.risk_file import is_risk_given
from kycpack.render.wording import joined
from kycpack.triage.levels import CLEAR
from kycpack.triage.likeness import SIMILAR

_NO_LEVEL = "not known without the customer risk file"
BEFORE = "Before an approval"
"""What stands before each point that has to be settled before an approval."""
_CONDITION = f"the condition “{BEFORE}” is met"
_CONDITIONS = f"all {{}} conditions “{BEFORE}” are met"
_HELD_FIRST = "First hold the case: until the hold is lifted, nothing is approved, paid or rejected."
_STEPS = "the steps that come before an approval are done"


def not_known(
    inputs: ReviewInputs, case: ReviewedCase, gaps: pd.DataFrame, limits: pd.DataFrame, unevaluated: Cell
) -> tuple[Headline, ...]:
    """Return the lines: what says how to read the others, each kind of gap, the checks that could not be evaluated, and the limits of the service.

    Args:
        inputs: What the review is made from.
        case: The case of the review.
        gaps: The gaps, as returned by `gaps.of_customer`.
        limits: The limits of the service, as returned by `gaps.of_service`.
        unevaluated: How many of all checks could not be evaluated, as returned by `check_counts.unevaluated_cell`.
    """
    otherwise = newer_findings.otherwise_in("limits", case.run, inputs.policy, "what is listed here")
    replaced = replaced_sessions(inputs.triage.findings)
    level = inputs.recommendation["diligence"] if is_risk_given(inputs.frames.customers) else _NO_LEVEL
    needs = NEEDS.replace(" needs", f" ({level}) needs")
    return (
        *([Headline(otherwise, (Given(FROM_RECORD),), is_note=True)] if otherwise else ()),
        *(
            replace(line, duty=line.duty.replace(NEEDS, needs))
            for line in headlines(gaps, inputs.names, replaced, case.closed_by, case.matches, case.askers)
        ),
        *([Headline(unevaluated.text, unevaluated.origins)] if unevaluated.text else ()),
        *limits_line(limits),
    )


def differences_shown(inputs: ReviewInputs) -> tuple[Cell, ...]:
    """Return what differs although the check is clear, because the policy accepts it, a sentence each.

    Args:
        inputs: What the review is made from.
    """
    compared = compared_values(inputs.triage.consistency, inputs.names)
    said: dict[str, str] = {}
    for row in alike(inputs.triage.findings):
        about = {"path": row.path, "value": row.value, "internal": False}
        words = with_values(
            difference_words(inputs.triage.consistency, str(row.path), str(row.value)),
            values_of(about, compared),
        )
        text = f"A difference that the policy accepts ({row.rule_id}): {words}"
        said.setdefault(with_evidence(text, row.evidence_ids), str(row.rule_id))
    similar = value_of("consistency", verdict=SIMILAR)
    return tuple(
        Cell(text, Tone.QUIET, origins=(value_of("findings", outcome=CLEAR, rule_id=(rule,)), similar))
        for text, rule in said.items()
    )


def before_approval(missing: Sequence[Headline], to_do: ToDo) -> tuple[Cell, ...]:
    """Return what is not shown or not done and has to be before an approval, with who does what, a sentence or two each; nothing once a decision closed the case.

    Args:
        missing: As returned by `not_known`.
        to_do: What is to be done.
    """
    waits = to_do.conditions or to_do.questions_before
    return tuple(
        Cell(f"{BEFORE}: {line.text}. {line.duty}.", origins=line.origins)
        for line in missing
        if waits and line.duty
    )


def until_words(conditions: Sequence[Cell], to_do: ToDo) -> str:
    """Return what an approval waits for, as page one says it below the level; empty if it waits for nothing.

    Args:
        conditions: As returned by `before_approval`.
        to_do: What is to be done.
    """
    if conditions:
        met = _CONDITION if len(conditions) == 1 else _CONDITIONS.format(len(conditions))
        return f"Not before {met}."
    if to_do.conditions or to_do.questions_before:
        return f"Not before {listed(to_do.conditions or (_STEPS,))}."
    return ""


def held_words(why: Sequence[Reason | Unknown], to_do: ToDo, record: CaseRecord | None) -> str:
    """Return that a case is held before anything else, as page one says it below the level; empty where nothing asks for it or a decision was made.

    Args:
        why: Everything against approval.
        to_do: What is to be done.
        record: What the ledger says about the case.
    """
    is_open = bool(to_do.people) and (record is None or record.decision is None)
    return _HELD_FIRST if is_open and any(action_of(one) == "hold" for one in why) else ""


def incomplete(evidence: Evidence) -> str:
    """Return what page one says where requests failed or timed out; empty where none did."""
    ids = [entry.id for entry in evidence.incomplete]
    if not ids:
        return ""
    sent = "it has" if len(ids) == 1 else "they have"
    return (
        f"This pack is incomplete: {counted(len(ids), 'request')} failed or timed out ({joined(ids)}). "
        f"Do not decide before {sent} been sent again."
    )
