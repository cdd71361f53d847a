"""The section on the decision and its record."""

from __future__ import annotations

from collections.abc import Sequence

from kycpack.evidence.citations import cited_in
from kycpack.models.dates import instant_words
from kycpack.models.listed import counted
from kycpack.render.document_parts import (
    Block,
    Cell,
    Paragraph,
    Section,
    Subheading,
    TableColumn,
    facts,
    table,
)
from kycpack.render.palette import Tone
from kycpack.render.review.decision import (
    NO_DECISION,
    CaseDecision,
    CaseRecord,
    DisposedFinding,
    LedgerStep,
    decision_lines,
    verdict_words,
)
from kycpack.render.wording import DASH, level_cell
from kycpack.triage.judge.sentences import evidence_words

FROM_RECORD = "record of the decision, in data/ledger-excerpt.json, and in data/newer-pack.json if a later run reopened the case"
"""What the numbers are that are printed of a decision."""

_CHECK = (
    "On paper, the evidence root is what ties this review to its evidence: it is calculated from all that is stored, and any change there would change it. "
    "A reader who has only the paper asks the firm that made the pack to confirm the root and to check the files. "
    "The command kycpack verify, with the folder of this pack, compares every file with its hash, and the evidence, the figures, the documents and "
    "the record of a decision with each other. The readme of the pack has it in full, and further checks with standard tools."
)
_LEDGER = "Only the entries of this case are shown above."
_OTHERS = (
    "are about other cases, runs, policies, and people with their keys and roles, and are not in this review."
)
_OF_PACK = "The evidence of this pack"
_THIS_PACK, _OTHER_PACK = "of this pack", "of the evidence decided on"
_SHORT = 12  # characters of a hash that stands in full elsewhere
_AND_OUTSIDE = ", and the external evidence that is named with the verdicts"
_REPORT = "Whether to make an internal report is decided outside this case and is not recorded here. "
_KEPT_APART = (
    "The finding that calls for an internal report stays inside the firm. Do not show this review to the customer: that could be "
    "tipping off."
)


def decision_section(
    record: CaseRecord | None,
    evidence_root: str,
    run_head: str,
    earlier: str,
    to_do: Sequence[Block] = (),
    *,
    newer: Sequence[Block] = (),
    kept_apart: bool = False,
) -> Section:
    """Return the section on the decision and its record.

    Args:
        record: What the ledger says about the case; None if the pack was made without it.
        evidence_root: The evidence of this pack.
        run_head: The head of the ledger when the run was created; empty where there was no ledger.
        earlier: The root of the earlier pack that this one follows; empty where there is none.
        to_do: What is to be done, as in `ToDo.blocks`.
        newer: What a later run found, as returned by `newer_blocks`.
        kept_apart: Whether there is a finding that stays inside the firm and is therefore none of the case's.
    """
    decision = None if record is None else record.decision
    blocks: list[Block] = []
    if record is None or decision is None:
        blocks.append(Paragraph(f"{NO_DECISION}. {decision_lines(record)[0]}"))
    else:
        blocks += _decision_blocks(record, decision, evidence_root, newer)
        is_said = decision.outcome == "reject"  # with the MLRO, among the remarks
        blocks += [Paragraph(f"{'' if is_said else _REPORT}{_KEPT_APART}")] if kept_apart else []
    blocks += to_do
    if record is not None:
        blocks += [Subheading("Steps recorded in the ledger"), _steps(record.steps)]
    places = [
        ("Ledger when the run was created", run_head or "No ledger"),
        *([("Earlier pack that this one follows", earlier)] if earlier else []),
    ]
    if record is not None:
        places.insert(1, ("Ledger when this pack was made", f"{record.head} ({record.size:,} entries)"))
    blocks += [Subheading("How to check this"), Paragraph(_CHECK), facts(*places, across=1)]
    if record is not None and (others := record.size - len(record.steps)) > 0:
        blocks.append(
            Paragraph(f"{_LEDGER} The other {counted(others, 'entry', 'entries')} {_OTHERS}", Tone.QUIET)
        )
    return Section("decision", "Decision", tuple(blocks), FROM_RECORD)


def _decision_blocks(
    record: CaseRecord, decision: CaseDecision, evidence_root: str, newer: Sequence[Block]
) -> list[Block]:
    same = decision.evidence_root == evidence_root
    blocks: list[Block] = [
        Paragraph(decision.sentence, decision.title.tone if decision.is_in_force else Tone.WATCH),
        *(
            Paragraph(said, Tone.WATCH)
            for said in (
                decision.standing,
                record.support,
                record.who_decides,
                *decision.warnings,
                *decision.remarks,
            )
            if said
        ),
        *newer,
        facts(
            ("Decision", decision.decision_id),
            ("Reason", decision.coded_reason),
            ("Recommended then", level_cell(decision.level)),
            ("Policy then", decision.policy),
            ("Earlier decision that this one replaces", record.replaces or DASH),
            (
                "Evidence looked at",
                Cell(f"{_OF_PACK}{_AND_OUTSIDE * bool(decision.outside)}")
                if same
                else Cell(f"{decision.evidence_root}{_AND_OUTSIDE * bool(decision.outside)}", Tone.ALARM),
            ),
            across=3,
        ),
        Subheading(f"Why, in the words of {decision.decided_by}"),
        *(Paragraph(part) for part in _paragraphs(decision.text)),
    ]
    if decision.second_text:
        blocks += [
            Subheading(f"Why, in the words of {decision.second_by}"),
            *(Paragraph(part) for part in _paragraphs(decision.second_text)),
        ]
    rows: list[tuple[Cell | str, ...]] = [
        (
            Cell(each.finding_id, strong=True),
            each.rule_id,
            each.sentence,
            verdict_words(each.verdict),
            _looked_at(each, _THIS_PACK if same else _OTHER_PACK),
        )
        for each in decision.findings
    ]
    columns = (
        TableColumn("Finding", 0.7),
        TableColumn("Rule", 0.8),
        TableColumn("What was found", 3.2),
        TableColumn("Verdict", 1.4),
        TableColumn("Evidence looked at", 1.6),
    )
    return [
        *blocks,
        Subheading("Verdict on each finding"),
        table(columns, rows, "The case had no finding."),
    ]


def _looked_at(each: DisposedFinding, of: str) -> str:
    """Return which evidence a verdict is on: that of the finding, in whose pack its ids are, and what came from outside."""
    cited = evidence_words(cited_in(each.sentence))
    outside = f"{each.outside} (file {each.file_sha256[:_SHORT]}..., in full in “Evidence index”)"
    return "; ".join([*([f"{cited} {of}"] if cited else []), *([outside] if each.outside else [])]) or DASH


def _steps(steps: tuple[LedgerStep, ...]) -> Block:
    columns = (
        TableColumn("Entry", 0.5, right=True),
        TableColumn("When", 1.5),
        TableColumn("What", 1.3),
        TableColumn("By", 1.2),
        TableColumn("Why", 3.2),
        TableColumn("Signed", 0.6),
    )
    rows = [
        (
            str(step.seq),
            instant_words(step.at),
            step.what,
            step.actor,
            step.text or DASH,
            "Yes" if step.signed else "No",
        )
        for step in steps
    ]
    return table(columns, rows, "No entry.")


def _paragraphs(text: str) -> list[str]:
    return [part.strip() for part in text.split("\n") if part.strip()]
