"""What page one lists as not known, and what it says beside that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pandas as pd

from kycpack.render.document_parts import Cell
from kycpack.render.origin import Given, value_of
from kycpack.render.review import newer_findings
from kycpack.render.review.accepted_differences import IN_PART_DIFFERENT, accepted
from kycpack.render.review.case_record import ReviewedCase
from kycpack.render.review.compared_values import compared_values, values_of, with_values
from kycpack.render.review.decision_section import FROM_RECORD
from kycpack.render.review.findings import replaced_sessions
from kycpack.render.review.gaps import Headline, headlines
from kycpack.render.review.inputs import ReviewInputs
from kycpack.render.review.reasons import with_evidence
from kycpack.triage.levels import CLEAR
from kycpack.triage.likeness import SIMILAR, WORDS


def not_known(
    inputs: ReviewInputs, case: ReviewedCase, gaps: pd.DataFrame, strip: Mapping[str, Cell]
) -> tuple[Headline, ...]:
    """Return the lines: first what is no gap, then each kind of gap.

    Args:
        inputs: What the review is made from.
        case: The case of the review.
        gaps: The gaps, in the order of `gaps.in_order`.
        strip: The state of each kind of check, as on page one.
    """
    otherwise = newer_findings.otherwise_in("limits", case.run, inputs.policy)
    is_different = any(IN_PART_DIFFERENT in cell.text for cell in strip.values())
    return (
        *([Headline(otherwise, (Given(FROM_RECORD),), gaps=0)] if otherwise else ()),
        *(_differences(inputs) if is_different else ()),
        *headlines(
            gaps, inputs.names, replaced_sessions(inputs.triage.findings), case.closed_by, case.matches
        ),
    )


def _differences(inputs: ReviewInputs) -> Iterator[Headline]:
    """Yield what differs where page one calls a check clear and in part different."""
    compared = compared_values(inputs.triage.consistency, inputs.names)
    said: dict[str, Sequence[str]] = {}
    for row, _ in accepted(inputs.triage.findings):
        about = {"path": row.path, "value": row.value, "internal": False}
        words = with_values(WORDS[str(row.value)], values_of(about, compared))
        text = f"A difference that the policy accepts ({row.rule_id}): {words}"
        said.setdefault(with_evidence(text, row.evidence_ids), (str(row.rule_id),))
    for text, rules in said.items():
        origins = (
            value_of("findings", outcome=CLEAR, rule_id=rules),
            value_of("consistency", verdict=SIMILAR),
        )
        yield Headline(text, origins, gaps=0)
