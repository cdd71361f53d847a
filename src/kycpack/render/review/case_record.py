"""The case of a review: what speaks against approval, and the record with what came since its decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from kycpack.frames.rows import plain_rows, records, values_of
from kycpack.models.dates import day_words
from kycpack.render.document_parts import Paragraph, Section
from kycpack.render.palette import Tone
from kycpack.render.review import (
    changes,
    decision_section,
    decision_support,
    newer_findings,
    reopened,
    settled,
)
from kycpack.render.review.account_names import linked_by_others
from kycpack.render.review.after_decision import ToDo, to_do_of
from kycpack.render.review.approval import Terms
from kycpack.render.review.bank_limits import COLUMNS, with_more
from kycpack.render.review.gap_duties import NOBODY, askers_of, questions_of, tasks_of_gaps
from kycpack.render.review.inputs import CasePeople, ReviewInputs
from kycpack.render.review.left_open import is_done, is_open, open_ids, with_about
from kycpack.render.review.matters import why_of
from kycpack.render.review.open_credits import credit_questions
from kycpack.render.review.pack_limits import unmonitored_sessions
from kycpack.render.review.payment_keys import key_of
from kycpack.render.review.pieces import SENIOR, needs_senior
from kycpack.render.review.reasons import Reason, Unknown, reasons_of, unknowns_of
from kycpack.render.review.report_grounds import checks_without_need, considered, with_grounds, with_unnamed
from kycpack.render.review.risk_file import needed_of_file
from kycpack.render.review.sums import sums_of, totals_of
from kycpack.render.review.tasks import sessions_without_results
from kycpack.render.wording import DEMONSTRATION, sentence_case, text_of
from kycpack.triage.customers.changes import Change, changes_between, state_of
from kycpack.triage.judge.findings import standing
from kycpack.triage.policies.policy import PEP, SANCTIONS
from kycpack.wealth.judge.pay_beside_benefits import pay_beside

DEMONSTRATED = "Times of a demonstration, not of a real review."
"""What is said of a decision about an invented person."""
_OF_SCREENING = "What the verdicts on the screening rest on is in “Screening”."
_NOT_NAMED = "Nobody is named as having prepared this pack: the setting “analyst” (KYCPACK_ANALYST) was empty when it was made."


@dataclass(frozen=True, slots=True)
class ReviewedCase:
    """The case of a review.

    Attributes:
        people: Whose work it is, and the record with what came since its decision.
        reasons: All rules that were hit, the highest level first.
        unknowns: What could not be evaluated, the highest level first.
        newer: The findings of a later run that reopened the case, the highest level first.
        considered: As returned by `report_grounds.considered` for the evidence of the pack; what is newer is in the steps.
        changed: What differs from the earlier pack.
        to_do: What is to be done, and what a decision settled.
        askers: As returned by `gap_duties.askers_of`.
    """

    people: CasePeople
    reasons: tuple[Reason, ...]
    unknowns: tuple[Unknown, ...]
    newer: tuple[Reason | Unknown, ...]
    considered: tuple[Reason, ...]
    changed: tuple[Change, ...]
    to_do: ToDo
    askers: Mapping[str, str]

    @property
    def closed_by(self) -> str:
        """The outcome of the decision that closed the case and stands, as in `reject`; empty while somebody has to decide."""
        record = self.people.record
        done = is_done(record, (*self.reasons, *self.unknowns))
        return record.decision.outcome if done and record and record.decision else ""

    @property
    def matches(self) -> str:
        """Who has to settle the matches of the screening that were found, also by a later run: nobody if a decision closed the case and settled them; empty if there are none."""
        screened = _of_screening((*self.newer, *self.reasons))
        decision = self.people.record.decision if self.people.record else None
        if not screened or not self.closed_by or decision is None:
            return next((one.owner for one in screened), "")
        left = open_ids(decision, (*self.reasons, *self.unknowns))
        return next((one.owner for one in screened if is_open(one, left)), NOBODY)

    @property
    def newer_matches(self) -> tuple[Reason, ...]:
        """The findings of a later run about matches of the screening, if the evidence of this pack has none."""
        return () if _of_screening(self.reasons) else _of_screening(self.newer)

    @property
    def run(self) -> reopened.Reopening | None:
        """What a later run found that reopened the case; None if none did."""
        return self.people.record.newer if self.people.record else None


def _of_screening(found: Sequence[Reason | Unknown]) -> tuple[Reason, ...]:
    return tuple(
        one for one in found if isinstance(one, Reason) and one.subjects == {"screening"} and not one.internal
    )


def reviewed_case(inputs: ReviewInputs) -> ReviewedCase:
    """Return the case of a review.

    Args:
        inputs: What the review is made from.
    """
    people, names, frames, root = inputs.case, inputs.names, inputs.frames, inputs.evidence.root
    known = with_about(people.record, inputs.policy)
    people = replace(people, record=newer_findings.with_words(known, inputs.policy))
    found, changed = standing(inputs.triage.findings), _changes(inputs)
    decided = people.record and people.record.decision
    disposed, reopening = (decided.findings, decided.reopening) if decided else ((), None)
    absent = sessions_without_results(frames)
    answered = frozenset(map(str, values_of(frames.results["session_id"].array)))
    sums = replace(
        sums_of(inputs.flags, inputs.credits, frames.payments, names),
        named=answered - inputs.open_matches.keys(),
        totals=totals_of(inputs.flags, inputs.limits, names),
        beside=frozenset(
            key_of(row)
            for one in pay_beside(inputs.credits)
            for row in records(one.pay, "account_id", "txn_id")
        ),
    )
    reasons = reasons_of(found, names, inputs.triage.consistency, disposed, absent, sums)
    record = decision_support.with_support(
        people.record,
        root,
        decision_support.support_of(people.record, root, people.earlier, changed),
        reopened.new_evidence(
            inputs.evidence,
            people.earlier,
            names,
            [id_ for one in reasons if not one.number for id_ in one.evidence],
        ),
        [*map(str, inputs.recommendation["routes"])],
        {rule: inputs.policy.owner_of(rule) for rule in reopening.rules} if reopening else {},
        day=inputs.as_of.date(),
    )
    shown = (people.classification, *([DEMONSTRATION] if inputs.is_demonstration else ()))
    unknowns = unknowns_of(found, names, frames.gaps, disposed, absent, sums)
    newer = newer_findings.newer_reasons(record.newer if record else None, inputs.policy, names)
    if record and record.deciders and needs_senior(newer if record.newer else reasons):
        record = replace(record, deciders=(*record.deciders, SENIOR))
    reasons = with_grounds(reasons)
    why, terms = why_of(reasons, unknowns), terms_of(inputs)
    need = _without_need(inputs)
    of_report = with_unnamed(why, reasons)
    reported = considered((*newer, *of_report), need)
    return ReviewedCase(
        replace(people, classification=" · ".join(shown), record=record),
        reasons,
        unknowns,
        newer,
        considered(of_report, need),
        changed,
        to_do_of(record, newer, (*reasons, *reported), unknowns, terms),
        askers_of(why, terms.of_credits),
    )


def terms_of(inputs: ReviewInputs) -> Terms:
    """Return what the steps of the case depend on besides its findings.

    Args:
        inputs: What the review is made from.
    """
    rules = inputs.policy.decisions
    due = day_words(date.fromisoformat(str(inputs.recommendation["next_review_on"])))
    found = {
        (str(row["rule_id"]), rules.subject(str(row["rule_id"]), text_of(row["path"], "")))
        for row in records(inputs.triage.findings, "rule_id", "path")
    }
    return Terms(
        needed_of_file=needed_of_file(inputs.frames.customers),
        unmonitored=_unmonitored(inputs),
        alone_up_to=rules.alone_up_to,
        of_lists=frozenset({*rules.sanctions, *(rule for rule, about in found if about == SANCTIONS)}),
        of_pep=frozenset({*rules.pep, *(rule for rule, about in found if about == PEP)}),
        next_review=f"the next review on {due}",
        linked=tuple(linked_by_others(inputs.triage.consistency, inputs.names)),
        questions=questions_of(inputs.limits, inputs.names),
        of_credits=credit_questions(
            inputs.limits, inputs.credits, inputs.wealth.streams, inputs.wealth.thresholds
        ),
        gaps=tasks_of_gaps(
            with_more(inputs.limits, list(plain_rows(inputs.frames.gaps, *COLUMNS))),
            inputs.triage.findings,
            inputs.names,
        ),
    )


def _without_need(inputs: ReviewInputs) -> Reason | None:
    """Return the rule on the need for an internal report that found none by itself, as `considered` takes it; None where there is none."""
    clear = {str(row["rule_id"]) for row in checks_without_need(inputs.triage.findings)}
    asked = (
        Reason("", "", rule.owner, rule.raise_to, rule.action, internal=True, title=sentence_case(rule.title))
        for rule in inputs.policy.rules
        if rule.id in clear
    )
    return next(asked, None)


def _unmonitored(inputs: ReviewInputs) -> tuple[str, ...]:
    """Return the sessions for which monitoring was not ordered and that no later one replaces, in words."""
    sessions = unmonitored_sessions(inputs.frames.gaps, inputs.triage.findings)
    return tuple(f"session {inputs.names.of(session)}" for session in sessions)


def case_sections(inputs: ReviewInputs, case: ReviewedCase) -> tuple[Section, Section]:
    """Return the sections on the decision and on what changed since an earlier pack.

    Args:
        inputs: What the review is made from.
        case: Its case.
    """
    people = case.people
    earlier, record = people.earlier, people.record
    section = decision_section.decision_section(
        record,
        inputs.evidence.root,
        people.run_head,
        "" if earlier is None else str(earlier["root"]),
        case.to_do.blocks,
        newer=newer_findings.newer_blocks(case.run, case.newer),
        kept_apart=any(one.internal for one in case.reasons),
    )
    times = (
        (Paragraph(DEMONSTRATED, Tone.WATCH),)
        if inputs.is_demonstration and record and record.decision
        else ()
    )
    said = newer_findings.otherwise_in("changes", case.run, inputs.policy)
    is_screened = settled.screening_decision(record, (*case.reasons, *case.unknowns)) is not None
    compared = (Paragraph(_OF_SCREENING, Tone.WATCH),) if is_screened else ()
    not_named = () if people.prepared_by else (Paragraph(_NOT_NAMED, Tone.QUIET),)
    return (
        replace(section, blocks=(*times, *compared, *section.blocks, *not_named)),
        changes.changes_section(
            earlier,
            case.changed,
            record.support if record else "",
            (Paragraph(f"{said}.", Tone.WATCH),) if said else (),
        ),
    )


def _changes(inputs: ReviewInputs) -> tuple[Change, ...]:
    """Return what differs from the earlier pack; the decision that rests on that pack's evidence is compared as well."""
    earlier = inputs.case.earlier
    if earlier is None:
        return ()
    frames = {
        **dict(inputs.frames.items()),
        "streams": inputs.wealth.streams,
        "flags": inputs.wealth.flags,
        "recommendations": inputs.triage.recommendations,
        "findings": inputs.triage.findings,
    }
    before = dict(earlier["state"])
    rested = decision_support.earlier_decision(inputs.case.record, inputs.evidence.root)
    if rested is not None and rested.evidence_root == earlier["evidence_root"]:
        before["decision"] = {
            "decision_id": rested.decision_id,
            "outcome": rested.outcome,
            "level": rested.level,
        }
    return changes_between(before, state_of(frames))
