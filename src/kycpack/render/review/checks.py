"""The person and the checks of a review, section by section."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from kycpack.render.document_parts import Cell, Paragraph, Section, Table
from kycpack.render.origin import Given
from kycpack.render.palette import Tone
from kycpack.render.review import (
    accepted_differences,
    check_counts,
    clear_checks,
    consistency,
    data_needed,
    findings,
    law_read,
    movements,
    newer_findings,
    screening,
    settled,
)
from kycpack.render.review.case_record import ReviewedCase
from kycpack.render.review.cover import CONSIDER, shows_consider
from kycpack.render.review.decision_section import FROM_RECORD
from kycpack.render.review.inputs import ReviewInputs
from kycpack.render.review.open_matches import NUMBERS
from kycpack.render.review.reasons import unevaluated
from kycpack.render.review.risk_file import is_risk_given
from kycpack.render.review.same_matter import Opposition, is_of_screening, questions_of_rules
from kycpack.render.review.tasks import sessions_without_results
from kycpack.render.wording import sentence_case
from kycpack.triage.levels import rank
from kycpack.triage.paths import LEVEL
from kycpack.triage.policies.rules import leaves_of


def checks_of(
    inputs: ReviewInputs, case: ReviewedCase, *, with_newer: bool = True
) -> clear_checks.WithoutObjection:
    """Return the checks without an objection.

    Args:
        inputs: What the review is made from.
        case: Its case.
        with_newer: Whether newer evidence that bears on a check makes it less than clear.
    """
    record = case.people.record
    checks = clear_checks.without_objection(
        inputs.triage.findings,
        inputs.names,
        inputs.triage.consistency,
        inputs.states,
        Opposition(
            questions=questions_of_rules(inputs.policy.rules),
            decision=record.decision if record else None,
            newer=partial(newer_findings.otherwise, case.run if with_newer else None, inputs.policy),
        ),
        open_matches=settled.with_verdict(inputs.open_matches, record, case.reasons),
        level_given=is_risk_given(inputs.frames.customers),
        document_seen=bool(inputs.frames.documents["document_number"].notna().any()),
    )
    absent = {*sessions_without_results(inputs.frames)}
    checks = data_needed.with_missing_results(checks, inputs.triage.findings, inputs.names, absent)
    raised = _raised(inputs, case)
    return checks._replace(
        skipped=[
            (title, replace(seen, text=f"{seen.text}; {said}") if (said := raised.get(title.text)) else seen)
            for title, seen in checks.skipped
        ]
    )


def _raised(inputs: ReviewInputs, case: ReviewedCase) -> dict[str, str]:
    """Return what newer evidence says of the checks that only a higher level calls for, by their title."""
    asked = {
        inputs.names.within(sentence_case(rule.title)): [
            str(leaf.argument) for leaf in leaves_of(rule.when) if leaf.path == LEVEL
        ]
        for rule in inputs.policy.rules
    }
    said = {
        title: newer_findings.otherwise(case.run, inputs.policy, _calls_for(min(levels, key=rank)))
        for title, levels in asked.items()
        if levels
    }
    return {title: words for title, words in said.items() if words}


def _calls_for(level: str) -> newer_findings.Touch:
    return lambda one, _: rank(one.level) >= rank(level)


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
        check_counts.count_cell(
            checks,
            unevaluated(case.unknowns),
            inputs.triage.findings,
            checks_of(inputs, case, with_newer=False) if case.run else None,
        ),
        findings.replacement_lines(inputs.triage.supersessions, frames, names),
        clear_checks.skipped_paragraph(checks),
        case.considered,
        law_read.law_blocks(
            inputs.triage.findings,
            inputs.policy.legal_sources,
            inputs.as_of.date(),
            {
                *(one.rule_id for one in case.reasons if not one.above),
                *(code for one in case.unknowns for code in one.codes),
            },
        ),
    )
    accepted = accepted_differences.accepted_differences(inputs.triage.findings, inputs.triage.consistency)
    verdicts = settled.verdicts_by_path(case.people.record, (*case.reasons, *case.unknowns))
    results = screening.results_section(frames, names, states, accepted, verdicts)
    results = replace(
        results, blocks=(*results.blocks, *movements.timeline_blocks(frames, names, inputs.as_of))
    )
    return (
        as_it_was(found, inputs, case, (findings.ASKED_BEFORE,) if case.closed_by else ()),
        as_it_was(consistency.consistency_section(inputs.triage.consistency, names), inputs, case),
        _explained(as_it_was(results, inputs, case)),
        _explained(
            as_it_was(
                screening.screening_section(frames, names, states, _not_clear(inputs, case), verdicts),
                inputs,
                case,
                (
                    *settled.screening_paragraphs(
                        case.people.record, (*case.reasons, *case.unknowns), frames
                    ),
                    *(() if frames.results.empty else consistency.name_searched(inputs.triage.consistency)),
                    *clear_checks.not_searched(checks),
                ),
            )
        ),
    )


def _not_clear(inputs: ReviewInputs, case: ReviewedCase) -> dict[str, Cell]:
    """Return why no category of a screening is clear that the provider calls so, by session: a match that may be in any of them, or newer evidence."""
    record = case.people.record
    said = settled.with_verdict(inputs.open_matches, record, case.reasons)
    newer = newer_findings.otherwise(case.run, inputs.policy, is_of_screening)
    origins = (*NUMBERS, *((Given(FROM_RECORD),) if record else ()))
    words = {id_: "; ".join(filter(None, (said.get(id_), newer))) for id_ in inputs.states}
    return {id_: Cell(why, origins=origins) for id_, why in words.items() if why}


def _explained(section: Section) -> Section:
    """Return a section with what an outcome of the provider that it shows means."""
    tables = (block for block in section.blocks if isinstance(block, Table))
    is_shown = shows_consider(cell for table in tables for row in table.rows for cell in row)
    note = (Paragraph(CONSIDER, Tone.QUIET),) if is_shown else ()
    return replace(section, blocks=(*section.blocks, *note))


def as_it_was(
    section: Section, inputs: ReviewInputs, case: ReviewedCase, first: tuple[Paragraph, ...] = ()
) -> Section:
    """Return a section that says which newer findings touch its matter, and what else has to be said first.

    Args:
        section: The section.
        inputs: What the review is made from.
        case: Its case.
        first: What else has to be said first.
    """
    said = newer_findings.otherwise_in(section.key, case.run, inputs.policy)
    newer = (Paragraph(f"{said}.", Tone.WATCH),) if said else ()
    return replace(section, blocks=(*newer, *first, *section.blocks))
