"""What a review says, before it becomes PDF, HTML or a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

import pandas as pd

from kycpack.frames.rows import plain_rows
from kycpack.models.dates import instant_words
from kycpack.render.document_parts import Block, Cell, Facts, Paragraph, Section, Subheading, Table
from kycpack.render.drawing import Drawing
from kycpack.render.origin import Given, count_of
from kycpack.render.review import (
    check_counts,
    clear_annex,
    clear_checks,
    counts,
    evidence_index,
    findings,
    gaps,
    latin_names,
    newer_findings,
    not_known,
    payments,
    person,
    settled,
)
from kycpack.render.review.after_decision import ToDo
from kycpack.render.review.bank_limits import COLUMNS, with_more
from kycpack.render.review.case_record import case_sections, reviewed_case
from kycpack.render.review.check_strip import check_strip, is_source_open
from kycpack.render.review.checks import as_it_was, check_sections, checks_of
from kycpack.render.review.decision_section import FROM_RECORD
from kycpack.render.review.inputs import CasePeople, ReviewInputs
from kycpack.render.review.left_open import decided_cells, left_open
from kycpack.render.review.matters import also_words, headline_of, values_once, why_of
from kycpack.render.review.money import money_of, money_sections
from kycpack.render.review.pack_limits import is_waiting, level_of_pack, reason_of_pack
from kycpack.render.review.reasons import Reason, Unknown, unevaluated
from kycpack.render.review.risk_file import is_risk_given, risk_cell
from kycpack.render.review.share_sums import with_doubted
from kycpack.render.review.shares import Shares
from kycpack.render.review.steps import with_consent
from kycpack.render.text_runs import unprintable
from kycpack.render.wording import level_cell, text_of
from kycpack.triage.levels import LEVELS


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
        headline: What stands beside the level: the first reason, and under a rejection the first that has to be escalated.
        waits: Whether something has to be explained, done or settled before an approval that no finding says.
        routes: The owners of all fired rules.
        reasons: All rules that were hit, the highest level first.
        incomplete: What page one says where requests failed or timed out; empty where none did.
        unknowns: What could not be evaluated, the highest level first.
        to_do: What is to be done, and what a decision settled.
        latin_name: The Latin form of a name in another script; None for a name in Latin letters.
        person: Date of birth, nationality, address and document, as labels with values.
        strip: How each kind of check stands, in a word.
        looked_at: What the review is based on, as labels with values.
        risk: What the firm's file says about the customer's risk, and the level of due diligence; otherwise empty.
        late: When the evidence was requested, and what the as-of time means, if that was later; otherwise empty.
        missing: What page one names as not known, in the order of `not_known.not_known`.
        gap_count: How many open gaps of the customer there are.
        not_known: How many gaps, checks without a result and limits of the service there are, in words.
        unevaluated: How many of all checks could not be evaluated, in a sentence; empty where every one could.
        accepted: What differs and is clear all the same, a sentence each.
        rests_on: What supports an approval, and what the other checks are, in two sentences.
        whose_money: In whose name the accounts are held, where that is not the name of the record and of the document.
        newer: The findings of a later run that reopened the case, the highest level first.
        considered: The decision on a report that no finding asks for, as returned by `report_grounds.considered`.
        shares: How much of the credits is of known nature, one entry a currency.
        months: Credits by month, small enough for page one; None without credits.
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
    waits: bool
    routes: tuple[str, ...]
    reasons: tuple[Reason, ...]
    incomplete: str
    unknowns: tuple[Unknown, ...]
    to_do: ToDo
    latin_name: Cell | None
    person: tuple[tuple[str, Cell], ...]
    strip: tuple[tuple[str, Cell], ...]
    looked_at: tuple[tuple[str, Cell], ...]
    risk: Cell
    late: Cell
    missing: tuple[gaps.Headline, ...]
    gap_count: int
    not_known: Cell
    unevaluated: Cell
    accepted: tuple[Cell, ...]
    rests_on: Cell
    whose_money: tuple[Cell, ...]
    shares: tuple[Shares, ...]
    months: Drawing | None
    sections: tuple[Section, ...]
    tables: Mapping[str, pd.DataFrame]
    newer: tuple[Reason | Unknown, ...] = ()
    considered: tuple[Reason, ...] = ()
    is_demonstration: bool = False

    @property
    def own_level(self) -> Cell:
        """The level by the evidence of this pack, in words; no plain approval while it waits for something."""
        return level_of_pack(self.level, waits=self.waits)

    @property
    def _box(self) -> tuple[str, ...]:
        """What stands below the level by the evidence of this pack: the first reason, what else decides who must act, and what an approval waits for."""
        if self.level == LEVELS[0] and (until := not_known.until_words(self.before_approval, self.to_do)):
            return (self.headline, until)
        said = ". ".join(filter(None, (self.headline, also_words(self.why, self.headline))))
        return tuple(filter(None, (said, not_known.held_words(self.why, self.to_do, self.case.record))))

    @property
    def verdict(self) -> tuple[Cell, tuple[str, ...]]:
        """The level in words, and what stands beside it; that of newer evidence comes first where it is not softer."""
        own, record = self.own_level, self.case.record
        run = record.newer if record else None
        level = newer_findings.newer_level(run, self.level) if run else None
        if run is None or level is None:
            return own, self._box
        then = f"{level_cell(self.level).text} by the evidence of this pack: {self.headline}"
        return level, (newer_findings.newer_headline(run), then)

    @property
    def latin_line(self) -> Cell | None:
        """The Latin form with its label, as it stands below the name; None for a name in Latin letters."""
        return latin_names.with_label(self.latin_name)

    @cached_property
    def why(self) -> tuple[Reason | Unknown, ...]:
        """Everything against approval, as page one lists it: the highest level first."""
        return with_consent(
            values_once(why_of((*self.reasons, *self.considered), self.unknowns)), self.to_do.waits
        )

    @property
    def why_title(self) -> str:
        """The heading of the reasons, which says where the findings are that reopened the case."""
        again = self.case.record is not None and self.case.record.newer is not None
        return "Why (the newer findings are in “Decision”)" if again and self.why else "Why"

    @property
    def before_approval(self) -> tuple[Cell, ...]:
        """What is not shown or not done and has to be before an approval, with who does what; nothing once a decision closed the case."""
        return not_known.before_approval(self.missing, self.to_do)

    @property
    def without_reasons(self) -> tuple[str, ...]:
        """What page one says where the evidence of the pack gives no reason: what supports an approval, what has to be settled before it, a sentence each, and what stands against it all the same."""
        record = self.case.record
        said = [self.rests_on.text, *(cell.text for cell in self.before_approval)]
        if self.newer:
            said.append("That is by the evidence of this pack alone: the newer evidence is in “Decision”.")
        if record and record.decision and record.decision.effect == "hold":
            said.append("The case is on hold by a decision.")
        return tuple(said)

    @property
    def steps(self) -> tuple[str, ...]:
        """What has to be done, in order."""
        return self.to_do.steps

    @cached_property
    def left_open(self) -> tuple[Cell, ...]:
        """What the decision leaves open, a line each; nothing without a decision."""
        return left_open(self.case.record, (*self.reasons, *self.considered), self.unknowns)

    @cached_property
    def decided(self) -> tuple[Cell, ...]:
        """What page one says of the decision, a line each."""
        why: tuple[Reason | Unknown, ...] = (*self.reasons, *self.considered, *self.unknowns)
        return decided_cells(self.case.record, self.left_open, why, self.to_do.beside_decision)

    @property
    def summary(self) -> tuple[Cell, ...]:
        """The texts of page one that hold numbers, with where these come from."""
        why: tuple[Reason | Unknown, ...] = (*self.reasons, *self.considered, *self.unknowns)
        findings = tuple(origin for one in why for origin in one.origins)
        return (
            Cell(self.headline, origins=findings),
            *(Cell(said, origins=(*findings, Given("points listed below"))) for said in self._box),
            *(
                Cell(said, origins=(Given(FROM_RECORD),))
                for said in self.verdict[1][:-1]
                if said not in self._box
            ),
            *(Cell(one.text, origins=one.origins) for one in why),
            Cell(self.incomplete, origins=(count_of("evidence", outcome=("failed", "timeout")),)),
            Cell(self.to_do.settled, origins=(Given(FROM_RECORD),)),
            *(Cell(step, origins=(Given("place of a step in the order"),)) for step in self.steps),
            *((self.latin_name,) if self.latin_name else ()),
            *(cell for _, cell in (*self.person, *self.strip, *self.looked_at)),
            self.risk,
            self.late,
            *(Cell(line.text, origins=line.origins) for line in self.missing),
            self.not_known,
            self.unevaluated,
            self.rests_on,
            *self.before_approval,
            *self.accepted,
            *self.whose_money,
            *(cell for share in self.shares for cell in share.cells),
            *self.decided,
            Cell(self.policy, origins=(Given("version of the policy"),)),
            Cell(instant_words(self.as_of), origins=(Given("date of the review"),)),
        )

    def section(self, key: str) -> Section:
        """Return a section by its key.

        Raises:
            KeyError: There is no such section.
        """
        return {one.key: one for one in self.sections}[key]

    def figures(self) -> dict[str, Any]:
        """Return the figures that the documents print, as data; amounts are minor units."""
        return {
            "customer_id": self.customer_id,
            "case_id": self.case.case_id,
            "level": self.level,
            "level_words": self.own_level.text,
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
    frames, names = results.frames, results.names
    case, money = reviewed_case(results), money_of(results)
    checks = checks_of(results, case)
    latin = latin_names.latin_name(person.name_of(frames.customers), frames, names)
    why: tuple[Reason | Unknown, ...] = (*case.reasons, *case.unknowns)
    strip = newer_findings.with_newer(
        dict(
            check_strip(
                frames,
                results.flags,
                (one.answer for one in money.supported),
                results.triage.findings,
                results.states,
                is_source_open=is_source_open(money.shares, results.limits),
            )
        ),
        case.run,
        case.newer,
    )
    record = case.people.record
    strip = settled.with_settled(strip, record, why)
    decided, changed = case_sections(results, case)
    sections = (
        decided,
        person.person_section(frames, results.customer_id, names, latin),
        changed,
        *check_sections(results, case, checks),
        *money_sections(results, money, strip),
    )
    limits = payments.with_unsupported(results.limits, money.supported)
    limits = with_doubted(limits, money.shares, results.credits, results.customer_id)
    limits = gaps.with_values_missing(limits, results.customer_id, case.run)
    limits = gaps.with_unprintable(limits, results.customer_id, unprintable(_texts(sections)))
    shown = gaps.in_order(with_more(frames.gaps, plain_rows(limits, *COLUMNS)), case.newer_matches)
    own, standing = gaps.of_customer(shown, case.matches), gaps.of_service(shown, case.matches)
    missed = check_counts.unevaluated_cell(
        case.unknowns, results.triage.findings, gaps.checks_beside(own, names, why)
    )
    top_reason = text_of(results.recommendation["top_reason"], "No rule was hit")
    waits = is_waiting(limits, frames.gaps, results.triage.findings, results.triage.consistency)
    disposed = record.decision.findings if record and record.decision else ()
    return ReviewContents(
        customer_id=results.customer_id,
        name=person.name_of(frames.customers),
        case=case.people,
        as_of=results.as_of,
        policy=f"{results.policy.id} {results.policy.version}",
        policy_digest=results.policy.digest,
        evidence_root=results.evidence.root,
        level=str(results.recommendation["level"]),
        top_reason=top_reason,
        headline=headline_of(case.reasons, case.unknowns, reason_of_pack(top_reason, waits=waits)),
        waits=waits,
        routes=tuple(map(str, results.recommendation["routes"])),
        incomplete=not_known.incomplete(results.evidence),
        reasons=case.reasons,
        newer=case.newer,
        considered=case.considered,
        is_demonstration=results.is_demonstration,
        unknowns=case.unknowns,
        to_do=case.to_do,
        latin_name=latin,
        person=person.person_with_evidence(frames),
        strip=tuple(strip.items()),
        looked_at=counts.looked_at(results.evidence, frames),
        risk=risk_cell(frames.customers, results.recommendation),
        late=counts.late_evidence(results.evidence, results.as_of),
        missing=not_known.not_known(results, case, own, standing, missed),
        gap_count=len(own),
        not_known=gaps.count_cell(own, standing, len(unevaluated(case.unknowns))),
        unevaluated=missed,
        accepted=not_known.differences_shown(results),
        rests_on=check_counts.approval_cell(
            checks,
            unevaluated(case.unknowns),
            results.triage.findings,
            money.shares,
            str(results.recommendation["diligence"]) if is_risk_given(frames.customers) else "",
            [entry.id for entry in results.evidence.select("register.known")],
        ),
        whose_money=money.whose,
        shares=money.shares,
        months=money.months,
        sections=(
            *sections,
            as_it_was(
                gaps.limits_section(
                    shown, names, case.to_do.waits, case.matches, case.closed_by, case.askers
                ),
                results,
                case,
                clear_checks.not_searched(checks),
            ),
            clear_annex.clear_section(
                checks,
                check_counts.checks_cell(checks, unevaluated(case.unknowns), results.triage.findings),
            ),
            findings.legal_section(results.policy.legal_sources),
            evidence_index.evidence_section(results.evidence, names, frames.media, disposed),
        ),
        tables={
            "limits": limits,
            "sufficiency": payments.sufficiency_frame(money.supported),
            "reconciliation": money.reconciliation,
            "own_sources": money.sources,
        },
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
