"""The person and the checks of a review, section by section."""

from __future__ import annotations

from dataclasses import replace

from kycpack.render.document_parts import Paragraph, Section
from kycpack.render.review import (
    check_counts,
    check_strip,
    clear_checks,
    consistency,
    findings,
    movements,
    newer_findings,
    screening,
    settled,
)
from kycpack.render.review.case_record import ReviewedCase
from kycpack.render.review.inputs import ReviewInputs
from kycpack.render.review.reasons import unevaluated
from kycpack.render.review.risk_file import is_risk_given
from kycpack.render.review.same_matter import Opposition, questions_of_rules


def checks_of(inputs: ReviewInputs, case: ReviewedCase) -> clear_checks.WithoutObjection:
    """Return the checks without an objection.

    Args:
        inputs: What the review is made from.
        case: Its case.
    """
    record = case.people.record
    return clear_checks.without_objection(
        inputs.triage.findings,
        inputs.names,
        inputs.triage.consistency,
        inputs.states,
        Opposition(
            questions=questions_of_rules(inputs.policy.rules),
            decision=record.decision if record else None,
        ),
        open_matches=inputs.open_matches,
        level_given=is_risk_given(inputs.frames.customers),
        document_seen=bool(inputs.frames.documents["document_number"].notna().any()),
    )


def check_sections(
    inputs: ReviewInputs, case: ReviewedCase, checks: clear_checks.WithoutObjection
) -> tuple[Section, Section, Section, Section]:
    """Return the sections of the findings, the consistency, the results of the sessions and the screening.

    Args:
        inputs: What the review is made from.
        case: Its case.
        checks: The checks without an objection.
    """
    frames, names, states = inputs.frames, inputs.names, inputs.states
    found = findings.findings_section(
        inputs.triage.findings,
        case.reasons,
        case.unknowns,
        check_counts.count_cell(checks, unevaluated(case.unknowns), inputs.triage.findings),
        findings.replacement_lines(inputs.triage.supersessions, frames, names),
        clear_checks.skipped_paragraph(checks),
    )
    accepted = check_strip.accepted_differences(inputs.triage.findings)
    results = screening.results_section(frames, names, states, accepted)
    results = replace(
        results, blocks=(*results.blocks, *movements.timeline_blocks(frames, names, inputs.as_of))
    )
    return (
        as_it_was(found, case, "These findings do"),
        as_it_was(
            consistency.consistency_section(inputs.triage.consistency, names), case, "This comparison does"
        ),
        as_it_was(results, case, "These results do"),
        as_it_was(
            screening.screening_section(frames, names, states, inputs.open_matches),
            case,
            "This screening does",
            (
                *settled.screening_paragraphs(case.people.record, (*case.reasons, *case.unknowns), frames),
                *(() if frames.results.empty else consistency.name_searched(inputs.triage.consistency)),
                *clear_checks.not_searched(checks),
            ),
        ),
    )


def as_it_was(section: Section, case: ReviewedCase, what: str, first: tuple[Paragraph, ...] = ()) -> Section:
    """Return a section that says where newer evidence is, if a later run found any, and what else has to be said first.

    Args:
        section: The section.
        case: The case of the review.
        what: What does not include it, with its verb, as in `These findings do`.
        first: What else has to be said first.
    """
    newer = newer_findings.not_included(case.run, what)
    return replace(section, blocks=(*newer, *first, *section.blocks))
