"""Findings as criterion, condition and evidence, and the texts that the rules cite."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

import pandas as pd

from kycpack.frames import Frames
from kycpack.frames.rows import records
from kycpack.models.listed import counted
from kycpack.render.document_parts import (
    Block,
    Cell,
    Paragraph,
    Section,
    Subheading,
    TableColumn,
    resting_on,
    table,
)
from kycpack.render.origin import Given, count_of, value_of
from kycpack.render.palette import Tone
from kycpack.render.review.decision_section import FROM_RECORD
from kycpack.render.review.finding_ids import place_of
from kycpack.render.review.law_read import EDITION_NUMBERS
from kycpack.render.review.left_open import numbers_in
from kycpack.render.review.matters import with_rule_above
from kycpack.render.review.pieces import with_one_owner
from kycpack.render.review.reasons import Reason, Unknown, with_evidence
from kycpack.render.review.report_grounds import checks_without_need
from kycpack.render.review.short_names import ShortNames
from kycpack.render.wording import DASH, is_absent, joined, level_cell, sentence_case, text_of
from kycpack.triage.judge.findings import standing
from kycpack.triage.levels import CLEAR, UNKNOWN, rank
from kycpack.triage.policies.policy import LegalSource

_NUMBER = TableColumn("In the decision", 0.8)
_HITS = (
    TableColumn("Finding, with value and evidence", 4.6),
    TableColumn("Rule and basis", 2.4),
    TableColumn("Calls for", 1.3),
    TableColumn("Owner and action", 1.5),
)
_UNKNOWNS = (
    TableColumn("Cause", 2.1),
    TableColumn("What could not be evaluated, with its rule and basis", 4.4),
    TableColumn("Calls for", 1.1),
    TableColumn("Owner and action", 0.9),
    TableColumn("Session", 0.8),
    TableColumn("Evidence", 0.9),
)
_MOST_IN_CELL = 12  # checks of one cause; more have a table of their own
_BY_BASIS = (TableColumn("Could not be evaluated, with its rule", 4.4), TableColumn("Basis", 4.0))
_EVERY_CHECK = "Every check could be evaluated."
_ALL_EVALUATED = "Every check that had something to look at could be evaluated."
_BESIDE_RECORD = {"age.document": "age.record", "country.address": "country.record"}
"""What a check of the record looks at besides it."""
ASKED_BEFORE = Paragraph(
    "The case is closed: the owner and the action of a finding are what the policy asked for before the decision. What is still to do is in “Decision”."
)
"""What is said of the findings of a case that a decision closed."""
_SOURCES = (TableColumn("Text", 2.6), TableColumn("Edition", 2.4), TableColumn("Parts read", 3.0))


def findings_section(
    findings: pd.DataFrame,
    reasons: Sequence[Reason],
    unknowns: Sequence[Unknown],
    counts: Cell,
    replacements: Sequence[Paragraph] = (),
    skipped: Paragraph | None = None,
    considered: Sequence[Reason] = (),
    law: Sequence[Block] = (),
) -> Section:
    """Return the section of findings: what was found, checks that could not be evaluated, and findings replaced by a later session.

    Args:
        findings: Frame `findings` of one customer.
        reasons: The hits, as returned by `reasons_of`.
        unknowns: What could not be evaluated, as returned by `unknowns_of`.
        counts: How many findings and checks there are, as returned by `check_counts.count_cell`.
        replacements: Which session replaces which, as returned by `replacement_lines`.
        skipped: Which checks had nothing to look at, as returned by `skipped_paragraph`; None if every one had.
        considered: The decision on a report that no finding asks for, as returned by `report_grounds.considered`.
        law: Which editions of the law were read for the deciding rules, as returned by `law_read.law_blocks`.
    """
    basis = {str(row["rule_id"]): text_of(row["basis"], "") for row in records(findings, "rule_id", "basis")}
    titles = {
        (str(row["rule_id"]), sentence_case(text_of(row["title"])))
        for row in records(findings, "rule_id", "title", "outcome")
        if str(row["outcome"]) == UNKNOWN
    }
    numbers = _numbers((*reasons, *unknowns))
    blocks: list[Block] = [
        Paragraph(
            f"{counts.text}{numbers} What could not be evaluated is never treated as clear. "
            "The edition of each text of law is in “Annex: texts that the rules cite”.",
            origins=(*((Given(FROM_RECORD),) if numbers else ()), *counts.origins),
        ),
        Subheading("Found"),
        _numbered(
            _HITS,
            reasons,
            [_hit_row(one, basis) for one in with_one_owner(with_rule_above(reasons))],
            "Nothing was found.",
        ),
        *(_open_decision(one, findings) for one in considered),
        *law,
        Subheading("Could not be evaluated"),
        _numbered(
            _UNKNOWNS,
            unknowns,
            [_unknown_row(one, titles, basis) for one in unknowns],
            _ALL_EVALUATED if skipped else _EVERY_CHECK,
        ),
        *(
            block
            for one in unknowns
            if len(one.titles) > _MOST_IN_CELL
            for block in _checks_of(one, titles, basis)
        ),
        *_by_record(findings),
        *([skipped] if skipped else []),
    ]
    if replacements:
        blocks += [Subheading("Replaced by a later session"), *replacements]
    return Section("findings", "Findings", tuple(blocks))


def replaced_sessions(findings: pd.DataFrame) -> dict[str, str]:
    """Return the sessions whose findings no longer apply, each with the later session that replaces it."""
    return {
        str(row["session_id"]): str(row["superseded_by"])
        for row in records(findings, "session_id", "superseded_by")
        if not is_absent(row["superseded_by"])
    }


def replacement_lines(supersessions: pd.DataFrame, frames: Frames, names: ShortNames) -> list[Paragraph]:
    """Return a sentence for each session that a later one replaces, with the origins of its numbers.

    Args:
        supersessions: As in `Triage.supersessions`.
        frames: Frames of one customer.
        names: Short names of sessions.
    """
    sessions = records(frames.sessions, "session_id", "created_at")
    created = {str(row["session_id"]): row["created_at"] for row in sessions}
    lines = []
    for row in records(supersessions, "session_id", "superseded_by", "sentence", "evidence_ids"):
        earlier, later = str(row["session_id"]), str(row["superseded_by"])
        by_then = [id_ for id_, at in created.items() if not is_absent(at) and at <= created[later]]
        origins = (
            count_of("findings", session_id=earlier, superseded_by=later),
            count_of("sessions", session_id=by_then),
            value_of("sessions", session_id=later),
        )
        text = with_evidence(names.within(text_of(row["sentence"])), row["evidence_ids"])
        lines.append(Paragraph(text, origins=origins))
    return lines


def legal_section(sources: Sequence[LegalSource]) -> Section:
    """Return the annex of the texts that the rules cite, with the edition and the parts that were read."""
    rows = [(Cell(one.title), Cell(one.edition), Cell(one.checked)) for one in sources]
    blocks: list[Block] = [
        Paragraph(
            "The texts that the policy's rules cite, each with its edition and the parts that were read when the policy was written. The "
            "firm should check them against the text in force."
        ),
        table(_SOURCES, rows, "The policy does not list the texts that its rules cite."),
    ]
    title = "Annex: texts that the rules cite"
    return Section("legal", title, tuple(blocks), given=EDITION_NUMBERS.why)


def _by_record(findings: pd.DataFrame) -> Iterator[Paragraph]:
    """Yield which checks looked at the customer record, without a finding, and are not evaluated only because another source is missing."""
    rows = records(standing(findings), "rule_id", "title", "path", "outcome")
    seen = {
        (str(row["rule_id"]), text_of(row["path"], "")): str(row["title"])
        for row in rows
        if str(row["outcome"]) != CLEAR
    }
    named = {
        rule: f"{sentence_case(title)} ({rule})"
        for (rule, path), title in seen.items()
        if path in _BESIDE_RECORD and (rule, _BESIDE_RECORD[path]) not in seen
    }
    if named:
        said = f"What the customer record gives was looked at and calls for nothing: {'; '.join(named.values())}. Each is not evaluated because it also looks at the document or the proof of address, which this pack does not have."
        yield Paragraph(said, Tone.QUIET, (value_of("findings", outcome=UNKNOWN, rule_id=list(named)),))


def _open_decision(one: Reason, findings: pd.DataFrame) -> Paragraph:
    """Return the decision on a report that no finding asks for, with the law of the check that found no need by itself."""
    row = next(checks_without_need(findings))
    rule, title = str(row["rule_id"]), sentence_case(text_of(row["title"]))
    said = (
        f"{one.label}, not counted as a finding, because no rule asks for it by itself ({one.owner}): {one.text}. "
        f"Basis, as for {rule}: {text_of(row['basis'])}. The check “{title}” is in “Annex: clear checks, and those not counted as clear”."
    )
    law = value_of("findings", "basis", outcome=CLEAR, rule_id=rule)
    return Paragraph(said, level_cell(one.level).tone, (*one.origins, law))


def _numbers(found: Sequence[Reason | Unknown]) -> str:
    """Return how many numbers a decision gave, and why there are not as many as findings; empty without a decision."""
    count = len(numbers_in(one.number for one in found))
    return (
        f" The decision gave them {counted(count, 'number')}: findings of one rule that were decided together share a number, checks that could "
        "not be evaluated are numbered too, and what stays inside the firm has no number."
        if count
        else ""
    )


def _numbered(
    columns: tuple[TableColumn, ...],
    found: Sequence[Reason | Unknown],
    rows: list[tuple[Cell, ...]],
    empty: str,
) -> Block:
    """Return a table of findings; if a decision was made, with their ids in it, by which they are in order within a level."""
    if not any(one.number for one in found):
        return table(columns, rows, empty)
    pairs = sorted(
        zip(found, rows, strict=True), key=lambda pair: (-rank(pair[0].level), place_of(pair[0].number))
    )
    numbered = [(Cell(one.number or _none(one), strong=bool(one.number)), *row) for one, row in pairs]
    return table((_NUMBER, *columns), numbered, empty)


def _none(one: Reason | Unknown) -> str:
    """Return why a finding has no id in the decision."""
    return "Inside the firm" if one.internal else "Not in it"


def _hit_row(reason: Reason, basis: dict[str, str]) -> tuple[Cell, ...]:
    level = level_cell(reason.level)
    rule = f"{reason.rule_id}: {basis[reason.rule_id]}" if basis.get(reason.rule_id) else reason.rule_id
    owner = ": ".join(filter(None, reason.about))
    owner = f"Settled with {reason.above} ({owner})" if reason.above else owner
    return resting_on((reason.text, rule, level, owner or DASH), *reason.origins)


def _unknown_row(
    one: Unknown, titles: AbstractSet[tuple[str, str]], basis: Mapping[str, str]
) -> tuple[Cell, ...]:
    """Return a row, in which each check stands with its rules, and then what they rest on; titles are those of all rules that could not be evaluated."""
    rules = {title: [code for code in one.codes if (code, title) in titles] for title in one.titles}
    named = "; ".join(_with_rules(title, codes) for title, codes in rules.items())
    resting: dict[str, list[str]] = {}
    for code in one.codes:
        if basis.get(code):
            resting.setdefault(basis[code], []).append(code)
    on = [text if len(resting) == 1 else _with_rules(text, codes) for text, codes in resting.items()]
    said = named if len(one.titles) == 1 else f"{len(one.titles)} checks: {named}"
    said = f"{said}. Basis: {'; '.join(on)}" if on else said
    is_apart = len(one.titles) > _MOST_IN_CELL
    cells = (
        Cell(one.cause, Tone.UNKNOWN),
        Cell(f"{len(one.titles)} checks, in the table below" if is_apart else said),
        level_cell(one.level),
        Cell(": ".join(one.about) if one.owner else DASH),
        Cell(", ".join(one.sessions) or DASH),
        Cell(joined(list(one.evidence))),
    )
    return resting_on(cells, *one.origins)


def _with_rules(words: str, codes: Sequence[str]) -> str:
    return f"{words} ({', '.join(codes)})" if codes else words


def _checks_of(
    one: Unknown, titles: AbstractSet[tuple[str, str]], basis: Mapping[str, str]
) -> tuple[Block, ...]:
    """Return the checks that could not be evaluated for one cause, each with its rule, by what they rest on."""
    found: dict[str, list[str]] = {}
    for title in one.titles:
        rules = [code for code in one.codes if (code, title) in titles]
        for on in dict.fromkeys(basis.get(code, "") for code in rules or ("",)):
            codes = [code for code in rules if basis.get(code, "") == on]
            found.setdefault(on, []).append(_with_rules(title, codes))
    sessions = f"{', '.join(one.sessions)}: " if one.sessions else ""
    said = f"{sessions}{one.cause}. The {len(one.titles)} checks:"
    rows = [resting_on(("; ".join(checks), on or DASH), *one.origins) for on, checks in found.items()]
    return (Paragraph(said, Tone.UNKNOWN, one.origins), table(_BY_BASIS, rows))
