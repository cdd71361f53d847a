"""What a review says, before it becomes PDF, HTML or a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

import pandas as pd

from kycpack.evidence import Evidence
from kycpack.frames import Frames
from kycpack.frames.demonstration import is_demonstration
from kycpack.frames.rows import records, rows
from kycpack.models.dates import instant_words
from kycpack.models.listed import counted
from kycpack.render.document_parts import Block, Cell, Facts, Paragraph, Section, Subheading, Table, facts
from kycpack.render.drawing import Drawing
from kycpack.render.origin import Given, count_of
from kycpack.render.palette import Tone
from kycpack.render.review import (
    account_names,
    accounts,
    bank_requests,
    changes,
    clear_checks,
    consistency,
    counts,
    credit_sources,
    decision,
    decision_section,
    evidence_index,
    findings,
    gaps,
    latin_names,
    movements,
    newer_findings,
    payments,
    person,
    reopened,
    screening,
    statements,
)
from kycpack.render.review.bank_limits import limits_of, with_more
from kycpack.render.review.check_strip import check_strip, session_states
from kycpack.render.review.left_open import left_open
from kycpack.render.review.matters import matters_of
from kycpack.render.review.reasons import (
    Reason,
    Unknown,
    headline_of,
    reasons_of,
    unknowns_of,
)
from kycpack.render.review.risk_file import is_risk_given, lacks_file, risk_cell, risk_limits
from kycpack.render.review.shares import Shares, shares_of
from kycpack.render.review.short_names import short_names
from kycpack.render.review.steps import steps_of
from kycpack.render.review.sums import sums_of
from kycpack.render.review.tasks import sessions_without_results
from kycpack.render.text_runs import unprintable
from kycpack.render.wording import DEMONSTRATION, joined, level_cell, text_of
from kycpack.triage import Policy, Triage
from kycpack.triage.customers.changes import Change, changes_between, state_of
from kycpack.triage.judge.findings import standing
from kycpack.triage.levels import rank
from kycpack.wealth import Wealth

_NOT_NAMED = "Nobody is named as having prepared this pack: the setting “analyst” (KYCPACK_ANALYST) was empty when it was made."
_DEFAULT_CLASSIFICATION = "Confidential: customer due diligence"
_MISSING_ON_PAGE_ONE = 8
_CHART_HEIGHTS = (26.0, 21.0, 16.0)
_UNANSWERED = ("failed", "timeout")


@dataclass(frozen=True, slots=True)
class CasePeople:
    """Whose work it is.

    Attributes:
        case_id: Id of the case.
        prepared_by: Who prepared it; empty when nobody was named.
        reviewed_by: The second person; empty when nobody was named.
        classification: Words at top and bottom of each page.
        record: What the ledger says about the case; None if the pack is made without it.
        run_head: The ledger's head when the run was created, in words; empty where there was no ledger.
        policy_approval: Whether the policy was approved when the run was created; None where no workspace was asked.
        earlier: What is kept of the earlier pack that this one follows; None where it follows none.
    """

    case_id: str
    prepared_by: str = ""
    reviewed_by: str = ""
    classification: str = _DEFAULT_CLASSIFICATION
    record: decision.CaseRecord | None = None
    run_head: str = ""
    policy_approval: Mapping[str, Any] | None = None
    earlier: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class ReviewInputs:
    """What a review is made from.

    Attributes:
        evidence: What was asked and answered.
        frames: The evidence as frames.
        wealth: What the credits are made of.
        triage: What the policy recommends.
        policy: The policy.
        as_of: The instant everything is measured against.
        case: Whose work it is.
    """

    evidence: Evidence
    frames: Frames
    wealth: Wealth
    triage: Triage
    policy: Policy
    as_of: datetime
    case: CasePeople

    @cached_property
    def limits(self) -> pd.DataFrame:
        """What the bank data does not reach as of the date, and what the firm's file leaves open, in the columns of frame `gaps`."""
        credits_ = self.wealth.of(self.wealth.credits, self.evidence.customer_id)
        of_file = risk_limits(self.frames.customers, self.evidence)
        return with_more(limits_of(self.frames, credits_, self.as_of), tuple(of_file))


@dataclass(frozen=True)
class ReviewContents:
    """A review in words and numbers.

    Attributes:
        customer_id: Whose review it is.
        name: The customer's name as recorded; empty when it is not known.
        case: Whose work it is.
        as_of: The instant everything is measured against.
        policy: Id and version of the policy, as in `default-uk 1.0.0`.
        policy_digest: SHA-256 of the policy.
        evidence_root: SHA-256 of the evidence's index.
        level: The recommended level, as the policy names it.
        top_reason: Its first reason, as triage gives it.
        headline: What stands beside the level: the first reason with its evidence and, under a rejection, the first that
            has to be escalated.
        routes: The owners of all fired rules.
        reasons: All rules that were hit, the highest level first.
        incomplete: What page one says where requests failed or timed out; empty where none did.
        unknowns: What could not be evaluated, the highest level first.
        latin_name: The Latin form of a name in another script; None for a name in Latin letters.
        person: Date of birth, nationality, address and document, as labels with values.
        strip: How each kind of check stands, in a word.
        looked_at: What the review is based on, as labels with values.
        risk: What the firm's file says about the customer's risk, and the level of due diligence; otherwise empty.
        late: When the evidence was requested, and what the as-of time means, if that was later; otherwise empty.
        missing: The open gaps that page one names.
        gap_count: How many open gaps there are.
        not_known: How many gaps there are and, apart, how many checks stand beside them, in words.
        whose_money: In whose name the accounts are held, where that is not the name of the record and of the document.
        newer: The findings of a later run that opened the case again, the highest level first.
        shares: How much of the credits is of known nature, one entry a currency.
        months: Credits by month, small enough for page one, the tallest drawing first; none without credits.
        sections: What stands behind page one.
        is_demonstration: Whether it is about an invented person.
        tables: Frames that only the review computes: `limits`, `sufficiency`, `reconciliation`, `own_sources`.
    """

    customer_id: str
    name: str
    case: CasePeople
    as_of: datetime
    policy: str
    policy_digest: str
    evidence_root: str
    level: str
    top_reason: str
    headline: str
    routes: tuple[str, ...]
    reasons: tuple[Reason, ...]
    incomplete: str
    unknowns: tuple[Unknown, ...]
    latin_name: Cell | None
    person: tuple[tuple[str, Cell], ...]
    strip: tuple[tuple[str, Cell], ...]
    looked_at: tuple[tuple[str, Cell], ...]
    risk: Cell
    late: Cell
    missing: tuple[gaps.Headline, ...]
    gap_count: int
    not_known: Cell
    whose_money: tuple[Cell, ...]
    shares: tuple[Shares, ...]
    months: tuple[Drawing, ...]
    sections: tuple[Section, ...]
    tables: Mapping[str, pd.DataFrame]
    newer: tuple[Reason | Unknown, ...] = ()
    is_demonstration: bool = False

    @property
    def verdict(self) -> tuple[Cell, tuple[str, ...]]:
        """The level in words, and what stands beside it; that of newer evidence comes first where it is not softer."""
        own, record = level_cell(self.level), self.case.record
        run = record.newer if record else None
        level = newer_findings.newer_level(run, self.level) if run else None
        if run is None or level is None:
            return own, (self.headline,)
        then = f"{own.text} by the evidence of this pack: {self.headline}"
        return level, (newer_findings.newer_headline(run), then)

    @property
    def latin_line(self) -> Cell | None:
        """The Latin form with its label, as it stands below the name; None for a name in Latin letters."""
        found = self.latin_name
        if found is None or found.tone == Tone.UNKNOWN:
            return found
        return replace(found, text=f"Latin form: {found.text}")

    @cached_property
    def why(self) -> tuple[Reason | Unknown, ...]:
        """Everything against approval, as page one lists it: the highest level first."""
        return _why(self.reasons, self.unknowns)

    @cached_property
    def open_points(self) -> tuple[Reason | Unknown, ...]:
        """Everything that calls for a step: what came since the decision, and everything against approval."""
        return (*self.newer, *self.why)

    @cached_property
    def steps(self) -> tuple[str, ...]:
        """What has to be done, in order; nothing if a decision stands."""
        if decision.is_settled(self.case.record):
            return ()
        return steps_of(self.open_points, lacks_file=lacks_file(self.tables["limits"]))

    @cached_property
    def left_open(self) -> tuple[Cell, ...]:
        """What the decision leaves open, a line each; nothing without a decision."""
        return left_open(self.case.record, self.reasons, self.unknowns)

    @property
    def summary(self) -> tuple[Cell, ...]:
        """The texts of page one that hold numbers, with where these come from."""
        why: tuple[Reason | Unknown, ...] = (*self.reasons, *self.unknowns)
        findings = tuple(origin for one in why for origin in one.origins)
        return (
            Cell(self.headline, origins=findings),
            *(Cell(said, origins=(Given(decision_section.FROM_RECORD),)) for said in self.verdict[1][:-1]),
            *(Cell(one.text, origins=one.origins) for one in why),
            Cell(self.incomplete, origins=(count_of("evidence", outcome=_UNANSWERED),)),
            *(Cell(step, origins=(Given("place of a step in the order"),)) for step in self.steps),
            *((self.latin_name,) if self.latin_name else ()),
            *(cell for _, cell in (*self.person, *self.strip, *self.looked_at)),
            self.risk,
            self.late,
            *(Cell(line.text, origins=line.origins) for line in self.missing),
            self.not_known,
            *self.whose_money,
            *(cell for share in self.shares for cell in share.cells),
            *(
                Cell(line, origins=(Given(decision_section.FROM_RECORD),))
                for line in decision.decision_lines(self.case.record)
            ),
            *self.left_open,
            Cell(self.policy, origins=(Given("version of the policy"),)),
            Cell(instant_words(self.as_of), origins=(Given("date of the review"),)),
        )

    def section(self, key: str) -> Section:
        """Return a section by its key.

        Raises:
            KeyError: There is no such section.
        """
        for section in self.sections:
            if section.key == key:
                return section
        raise KeyError(key)

    def figures(self) -> dict[str, Any]:
        """Return the figures that the documents print, as data; amounts are minor units."""
        return {
            "customer_id": self.customer_id,
            "case_id": self.case.case_id,
            "level": self.level,
            "top_reason": self.top_reason,
            "headline": self.headline,
            "rules_fired": list(dict.fromkeys(reason.rule_id for reason in self.reasons)),
            "looked_at": {label: cell.text for label, cell in self.looked_at},
            "gap_count": self.gap_count,
            **({"demonstration": True} if self.is_demonstration else {}),
            "credits": [share.figures() for share in self.shares],
        }


def build_contents(results: ReviewInputs) -> ReviewContents:
    """Put into words what a review found.

    Args:
        results: Evidence of one customer and everything that was computed from it.

    Returns:
        The contents; its last section lists characters that no face has, where there are any.
    """
    customer_id = results.evidence.customer_id
    changed = _changes(results)
    support = decision.support_of(results.case.record, results.evidence.root, results.case.earlier, changed)
    frames, wealth, found = results.frames, results.wealth, results.triage.findings
    recommendation = _first(results.triage.recommendations, customer_id)
    credits_ = wealth.of(wealth.credits, customer_id)
    repeated = {str(one.currency) for one in rows(credits_, "currency", "may_be_twice_minor") if one[1] > 0}
    base = wealth.base_currency(customer_id)
    names = short_names(frames)
    whose_money = account_names.account_names(results.triage.consistency, found, names)
    shares = tuple(
        replace(one, is_of_customer=not whose_money)
        for one in shares_of(
            wealth.nature(customer_id), wealth.of(wealth.coverage, customer_id), credits_, base
        )
    )
    flags = wealth.of(wealth.flags, customer_id)
    partial = movements.part_months(frames.transactions, results.as_of)
    stands = standing(found)
    decided = results.case.record and results.case.record.decision
    disposed, reopening = (decided.findings, decided.reopening) if decided else ((), None)
    absent, sums = sessions_without_results(frames), sums_of(flags, credits_, frames.payments, names)
    reasons = reasons_of(stands, names, results.triage.consistency, disposed, absent, sums)
    cited = [id_ for one in reasons if not one.number for id_ in one.evidence]
    demonstration = is_demonstration(frames)
    results = replace(
        results,
        case=replace(
            results.case,
            classification=f"{results.case.classification} · {DEMONSTRATION}"
            if demonstration
            else results.case.classification,
            record=decision.with_support(
                results.case.record,
                results.evidence.root,
                support,
                reopened.new_evidence(results.evidence, results.case.earlier, names, cited),
                [*map(str, recommendation["routes"])],
                {rule: results.policy.owner_of(rule) for rule in reopening.rules} if reopening else {},
            ),
        ),
    )
    newer = results.case.record.newer if results.case.record else None
    since = newer_findings.newer_reasons(newer, results.policy, names)
    unknowns = unknowns_of(stands, names, frames.gaps, disposed, absent, sums)
    replaced = findings.replaced_sessions(found)
    payments_ = payments.supported_payments(frames, wealth, customer_id)
    reconciliation = statements.reconciliation_of(results.evidence, wealth, customer_id)
    sources = wealth.sources(customer_id)
    latin = latin_names.latin_name(person.name_of(frames.customers), frames, names)
    states = session_states(frames, found)
    checks = clear_checks.without_objection(
        found, names, results.triage.consistency, states, level_given=is_risk_given(frames.customers)
    )
    strip = newer_findings.with_newer(
        dict(check_strip(frames, flags, (one.answer for one in payments_), found, states)), newer, since
    )
    sections = (
        person.person_section(frames, customer_id, names, latin),
        _decision_section(results, _why(reasons, unknowns), since),
        changes.changes_section(
            results.case.earlier,
            changed,
            support,
            newer_findings.not_included(newer, "This comparison does"),
        ),
        _after(
            newer_findings.not_included(newer, "These findings do"),
            findings.findings_section(
                found,
                reasons,
                unknowns,
                findings.replacement_lines(results.triage.supersessions, frames, names),
                clear_checks.skipped_paragraph(checks),
                clear_checks.count_cell(checks),
            ),
        ),
        consistency.consistency_section(results.triage.consistency, names),
        _with(
            screening.results_section(frames, names, states),
            movements.timeline_blocks(frames, names, results.as_of),
        ),
        screening.screening_section(frames, names, states),
        *(
            _stating(section, "Bank data", strip["Bank"]) if section.key == "flags" else section
            for section in credit_sources.sections(wealth, customer_id, partial, names)
        ),
        _with(
            accounts.accounts_section(
                frames,
                names,
                (
                    *bank_requests.request_blocks(results.evidence, frames, names),
                    *counts.transaction_blocks(frames, wealth, customer_id),
                ),
            ),
            movements.movement_blocks(frames, names, results.as_of, repeated, base),
        ),
        _stating(payments.payments_section(payments_, names), "Payments", strip["Payment"]),
        statements.statement_section(results.evidence, reconciliation, names, sources),
    )
    limits = payments.with_unsupported(results.limits, payments_)
    limits = gaps.with_unprintable(limits, customer_id, unprintable(_texts(sections)))
    shown = gaps.in_order(pd.concat([frames.gaps.astype("string"), limits], ignore_index=True))
    closing = (
        gaps.limits_section(shown, names),
        clear_checks.clear_section(checks),
        findings.legal_section(results.policy.legal_sources),
        evidence_index.evidence_section(results.evidence, names, frames.media),
    )
    return ReviewContents(
        customer_id=customer_id,
        name=person.name_of(frames.customers),
        case=results.case,
        as_of=results.as_of,
        policy=f"{results.policy.id} {results.policy.version}",
        policy_digest=results.policy.digest,
        evidence_root=results.evidence.root,
        level=str(recommendation["level"]),
        top_reason=text_of(recommendation["top_reason"], "No rule was hit"),
        headline=headline_of(reasons, unknowns, text_of(recommendation["top_reason"], "No rule was hit")),
        routes=tuple(map(str, recommendation["routes"])),
        incomplete=_incomplete(results.evidence),
        reasons=reasons,
        newer=since,
        is_demonstration=demonstration,
        unknowns=unknowns,
        latin_name=latin,
        person=person.person_facts(frames),
        strip=tuple(strip.items()),
        looked_at=counts.looked_at(results.evidence, frames),
        risk=risk_cell(frames.customers, recommendation),
        late=counts.late_evidence(results.evidence, results.as_of),
        missing=gaps.headlines(shown, names, _MISSING_ON_PAGE_ONE, replaced, (*reasons, *unknowns)),
        gap_count=len(shown),
        not_known=gaps.count_cell(shown, names, (*reasons, *unknowns)),
        whose_money=whose_money,
        shares=shares,
        months=credit_sources.months_drawings(wealth, customer_id, partial, _CHART_HEIGHTS),
        sections=sections + closing,
        tables={
            "limits": limits,
            "sufficiency": payments.sufficiency_frame(payments_),
            "reconciliation": reconciliation,
            "own_sources": sources,
        },
    )


def _why(reasons: Sequence[Reason], unknowns: Sequence[Unknown]) -> tuple[Reason | Unknown, ...]:
    return tuple(sorted((*matters_of(reasons), *unknowns), key=lambda one: -rank(one.level)))


def _decision_section(
    results: ReviewInputs, why: Sequence[Reason | Unknown], since: Sequence[Reason | Unknown]
) -> Section:
    case = results.case
    earlier = "" if case.earlier is None else str(case.earlier["root"])
    findings_ = standing(results.triage.findings)
    internal = bool((findings_["internal"].astype(bool) & (findings_["outcome"] == "HIT")).any())
    section = decision_section.decision_section(
        case.record,
        results.evidence.root,
        case.run_head,
        earlier,
        ()
        if decision.is_settled(case.record)
        else steps_of((*since, *why), lacks_file=lacks_file(results.limits)),
        newer=newer_findings.newer_blocks(case.record.newer if case.record else None, since),
        kept_apart=internal,
    )
    return section if case.prepared_by else _with(section, (Paragraph(_NOT_NAMED, Tone.QUIET),))


def _changes(results: ReviewInputs) -> tuple[Change, ...]:
    """Return what differs from the earlier pack; the decision that rests on that pack's evidence is compared as well."""
    earlier = results.case.earlier
    if earlier is None:
        return ()
    frames = {
        **dict(results.frames.items()),
        "streams": results.wealth.streams,
        "flags": results.wealth.flags,
        "recommendations": results.triage.recommendations,
        "findings": results.triage.findings,
    }
    before = dict(earlier["state"])
    rested = decision.earlier_decision(results.case.record, results.evidence.root)
    if rested is not None and rested.evidence_root == earlier["evidence_root"]:
        before["decision"] = {
            "decision_id": rested.decision_id,
            "outcome": rested.outcome,
            "level": rested.level,
        }
    return changes_between(before, state_of(frames))


def _after(blocks: Iterable[Block], section: Section) -> Section:
    return replace(section, blocks=(*blocks, *section.blocks))


def _with(section: Section, blocks: Iterable[Block]) -> Section:
    return replace(section, blocks=(*section.blocks, *blocks))


def _stating(section: Section, label: str, state: Cell) -> Section:
    """Return a section that begins with the state of its part of the strip, in the words of page one."""
    return replace(section, blocks=(facts((label, state)), *section.blocks))


def _first(recommendations: pd.DataFrame, customer_id: str) -> dict[str, Any]:
    return next(row for row in records(recommendations) if str(row["customer_id"]) == customer_id)


def _incomplete(evidence: Evidence) -> str:
    ids = [entry.id for entry in evidence.incomplete]
    if not ids:
        return ""
    sent = "it has" if len(ids) == 1 else "they have"
    return (
        f"This pack is incomplete: {counted(len(ids), 'request')} failed or timed out ({joined(ids)}). "
        f"Do not decide before {sent} been sent again."
    )


def _texts(sections: Iterable[Section]) -> Iterable[str]:
    for section in sections:
        for block in section.blocks:
            yield from _block_texts(block)


def _block_texts(block: Block) -> Iterable[str]:
    match block:
        case Table():
            yield from (cell.text for row in block.rows for cell in row)
        case Facts():
            yield from (cell.text for _, cell in block.pairs)
        case Paragraph() | Subheading():
            yield block.text
