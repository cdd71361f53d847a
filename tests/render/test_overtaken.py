"""The pack of a decision that newer evidence has overtaken shows what was found since, wherever it touches."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO

import pytest
from pypdf import PdfReader
from tests.frames.evidence_maker import clear_customer
from tests.render.annex_rows import seen_beside
from tests.render.reopened_cases import reopened
from tests.render.specimen_review import inputs_of, words_of
from tests.render.test_references import followed
from tests.workspace.case_material import Office

from kycpack.render import CasePeople, ReviewContents, build_contents, cover_lines, render_review_pdf
from kycpack.render.document_parts import Cell, Table
from kycpack.render.palette import INK, Tone
from kycpack.render.review import pdf
from kycpack.render.review.cover import codes_words
from kycpack.render.review.decision import CaseRecord, news_lines
from kycpack.render.review.html import render_summary_html
from kycpack.render.review.newer_findings import with_newer
from kycpack.render.review.reasons import Reason
from kycpack.render.review.reopened import NewerFinding
from kycpack.render.typefaces import Face
from kycpack.render.wording import level_cell
from kycpack.triage.customers.changes import state_of

SECTIONS = (
    "customer",
    "decision",
    "findings",
    "changes",
    "results",
    "screening",
    "consistency",
    "limits",
    "clear",
    "evidence",
)


@pytest.fixture
def overtaken(office: Office) -> ReviewContents:
    """A pack whose decision was overtaken by a sanctions match that a later run found."""
    record = reopened(office)
    assert record.decision is not None
    evidence = clear_customer()
    record = replace(record, decision=replace(record.decision, evidence_root=evidence.root))
    results = inputs_of(evidence)
    earlier = {
        "root": "4" * 64,
        "as_of": "2026-06-01T00:00:00Z",
        "case_id": "c-1",
        "policy": {"id": "default-uk", "version": "1"},
        "evidence_root": evidence.root,
        "state": state_of(
            {
                **dict(results.frames.items()),
                "streams": results.wealth.streams,
                "flags": results.wealth.flags,
                "recommendations": results.triage.recommendations,
                "findings": results.triage.findings,
            }
        ),
    }
    return build_contents(replace(results, case=CasePeople("case-1", "anna", record=record, earlier=earlier)))


def test_the_box_has_the_level_and_the_finding_of_newer_evidence(overtaken: ReviewContents) -> None:
    level, (newer, own) = overtaken.verdict
    assert (level.text, level.tone) == ("Escalate (new evidence)", level_cell("escalate").tone)
    assert newer == "F-2 SAN-1: Sanctions screening reports 'attention' (run-2-E-06)"
    assert own == f"{level_cell(overtaken.level).text} by the evidence of this pack: {overtaken.headline}"
    cover = dict(cover_lines(overtaken))
    assert cover["Recommended level now"] == "Escalate (new evidence)"
    assert cover["Since the decision"].startswith(
        "The case was reopened after this decision (new evidence): it must be decided again. Who decides now: MLRO and Analyst."
    )
    html = render_summary_html(overtaken)
    assert "Escalate (new evidence)" in html
    assert 'href="#E-06"' not in html


def test_page_one_sends_nobody_to_page_one_for_newer_evidence(overtaken: ReviewContents) -> None:
    assert "Decision" in followed(overtaken)


def test_a_softer_level_of_newer_evidence_does_not_stand_in_the_box(overtaken: ReviewContents) -> None:
    harder = replace(overtaken, level="reject")
    assert harder.verdict == (level_cell("reject"), (harder.headline,))


def test_the_steps_begin_with_who_acts_on_newer_evidence(overtaken: ReviewContents) -> None:
    first, *_ = overtaken.steps
    assert first.removeprefix("1. ").startswith(
        "MLRO: hold the case; check with the provider whether any match"
    )
    assert "(SAN-1)" in first
    assert "the customer is contacted only if the MLRO agrees" in first
    assert overtaken.to_do.first.startswith(first)
    assert first in words_of(overtaken.section("decision"))


def test_the_tile_of_a_part_with_newer_evidence_is_not_clear(overtaken: ReviewContents) -> None:
    strip = dict(overtaken.strip)
    assert (strip["Screening"].text, strip["Screening"].tone) == (
        "Newer evidence, this pack: clear by provider",
        Tone.ALARM,
    )
    assert strip["Address"].text == "Clear by provider, date of proof not shown"


def test_the_number_of_clear_checks_says_how_many_more_there_are_without_the_newer_evidence(
    overtaken: ReviewContents,
) -> None:
    before = build_contents(inputs_of(clear_customer()))
    said = [words_of(each.section("findings")) for each in (before, overtaken)]
    own, now = (int(re.findall("([0-9]+) are clear", words)[0]) for words in said)
    more = f"By the evidence of this pack alone, {own - now} more are clear; newer evidence bears on them."
    assert [more in words for words in said] == [False, True]


@pytest.mark.parametrize("before", [Tone.UNKNOWN, Tone.WATCH])
def test_a_newer_finding_never_makes_a_tile_better_than_what_it_was(
    overtaken: ReviewContents, before: Tone
) -> None:
    record = overtaken.case.record
    assert record is not None
    softer = [
        Reason("SCR-9", "A note", "Analyst", level, subjects=frozenset({"screening"}))
        for level in ("review", "approve")
    ]
    for found, least in ((softer[1:], before), (softer, Tone.WATCH)):
        shown = with_newer({"Screening": Cell("Not known", before)}, record.newer, found)["Screening"]
        assert shown == Cell("Newer evidence, this pack: not known", least)


@pytest.mark.parametrize(
    ("own", "said"),
    [
        ("Name does not match", "this pack: name differs"),
        ("1 match", "this pack: 1 match"),
        ("Clear, see findings", "this pack: clear, see findings"),
    ],
)
def test_the_tile_of_a_part_with_newer_evidence_shows_what_this_pack_found(
    overtaken: ReviewContents, own: str, said: str
) -> None:
    record = overtaken.case.record
    assert record is not None
    for tone in (Tone.WATCH, Tone.ALARM):
        shown = with_newer({"Screening": Cell(own, tone)}, record.newer, overtaken.newer)["Screening"]
        first = said if tone == Tone.WATCH or "match" not in said else ""
        assert first in shown.text
        assert "ewer evidence" in shown.text
        assert shown.tone == Tone.ALARM


def test_a_tile_in_alarm_keeps_its_word(overtaken: ReviewContents) -> None:
    record = overtaken.case.record
    assert record is not None
    tiles = {"Screening": Cell("Attention, see findings", Tone.ALARM)}
    assert with_newer(tiles, record.newer, overtaken.newer)["Screening"] == Cell(
        "Attention, newer evidence", Tone.ALARM
    )


def test_everything_that_was_found_since_is_listed_under_the_decision(overtaken: ReviewContents) -> None:
    said = words_of(overtaken.section("decision"))
    assert "Who decides now: MLRO and Analyst." in said
    assert "F-2 SAN-1 Sanctions screening reports 'attention' (run-2-E-06) Escalate MLRO: hold" in said
    assert f"in the pack of run run-2, evidence {'2' * 64}" in said
    assert "New evidence, received by 1 Jun 2026, 12:00 UTC, reopened the case." in said
    assert "Ids that begin with run-2 are of the evidence of that run's pack, and not of this one." in said


def test_a_section_says_so_where_and_only_where_a_newer_finding_touches_its_matter(
    overtaken: ReviewContents,
) -> None:
    otherwise = "Newer evidence bears on this: F-2 (run run-2)."
    touched = {key for key in SECTIONS if otherwise in words_of(overtaken.section(key))}
    # A match of the screening has gaps of its own; in “Decision” is the list itself.
    assert touched == {"findings", "changes", "results", "screening", "limits"}


def test_a_check_that_newer_evidence_belies_is_not_among_the_clear_ones(overtaken: ReviewContents) -> None:
    clear, beside, skipped = (
        [
            (title, row[place + 1].text)
            for row in block.rows
            for place in range(0, len(row), 2)
            for title in row[place].text.split("; ")
        ]
        for block in overtaken.section("clear").blocks
        if isinstance(block, Table)
    )
    assert ("Sanctions lists", "clear, but newer evidence bears on this: F-2 (run run-2)") in beside
    assert not any("newer evidence" in seen or title == "Sanctions lists" for title, seen in clear)
    (said,) = [seen for title, seen in skipped if title == "Source of wealth for enhanced due diligence"]
    assert "no finding calls for enhanced due diligence" in said
    assert said.endswith("; newer evidence bears on this: F-2 (run run-2)")
    assert sum("newer evidence" in seen for _, seen in skipped) == 1


def test_page_one_says_that_a_newer_finding_touches_what_is_not_known(overtaken: ReviewContents) -> None:
    assert overtaken.missing[0].text == "Newer evidence bears on what is listed here: F-2 (run run-2)"
    record = overtaken.case.record
    assert record is not None
    assert record.decision is not None
    assert record.decision.reopening is not None
    for outcome, rule, is_touched in (
        ("UNKNOWN", "CON-1", True),
        ("HIT", "GONE-1", True),
        ("HIT", "CON-1", False),
    ):
        later = replace(record.decision.reopening, found=(NewerFinding("F-2", rule, outcome, "review"),))
        again = replace(record.decision, reopening=later)
        made = build_contents(
            replace(inputs_of(clear_customer()), case=CasePeople("c-1", record=CaseRecord(again)))
        )
        said = [line.text for line in made.missing if "Newer evidence" in line.text]
        assert said == ["Newer evidence bears on what is listed here: F-2 (run run-2)"] * is_touched
        assert ("Newer evidence" in words_of(made.section("limits"))) is is_touched
        assert ("Newer evidence" in words_of(made.section("consistency"))) is True


def test_why_and_the_ledger_say_what_they_are_in_a_case_that_was_opened_again(
    overtaken: ReviewContents,
) -> None:
    assert "newer evidence is in “Decision”" in render_summary_html(overtaken)  # there is no other reason
    assert any("“Sanctions screening reports 'attention'” (SAN-1)" in step for step in overtaken.steps)
    (reason,) = [one for one in overtaken.newer if isinstance(one, Reason)]
    again = replace(overtaken, reasons=(reason,))
    assert again.why_title == "Why (the newer findings are in “Decision”)"
    assert "Ledger when this pack was made" in str(overtaken.section("decision"))


def test_page_one_prints_in_full_who_decides_now_and_what_came_since(overtaken: ReviewContents) -> None:
    page = " ".join(PdfReader(BytesIO(render_review_pdf(overtaken))).pages[0].extract_text().split())
    assert "Who decides now: MLRO and Analyst." in page
    assert "Escalate (new evidence)" in page
    assert "The recommended level is now" not in page
    assert "F-2 SAN-1: Sanctions screening reports 'attention' (run-2-E-06)" in page


def test_what_has_to_be_decided_again_is_printed_in_strong_letters_and_what_was_found_beside_it(
    overtaken: ReviewContents, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_ = []
    whole = pdf.set_lines
    monkeypatch.setattr(
        pdf,
        "set_lines",
        lambda sheet, said, *at, **how: (set_.append((said, how)), whole(sheet, said, *at, **how)),
    )
    render_review_pdf(overtaken)
    lines = news_lines(overtaken.case.record)
    assert len(lines) == 3
    for part, face in ((" ".join(lines[:2]), Face.STRONG), (" ".join(lines[2:]), Face.SANS)):
        news = [how for said, how in set_ if said == part]
        assert news
        assert all(how["face"] == face and how["colour"] == INK for how in news)


def test_page_one_explains_the_word_of_the_provider_on_which_a_newer_finding_rests(
    overtaken: ReviewContents,
) -> None:
    assert codes_words(overtaken).endswith(
        "'attention' is a word of the provider that its interface does not define; it is treated as a possible match."
    )


def test_a_check_of_details_that_the_results_repeat_is_not_clear_where_newer_evidence_is_about_details(
    overtaken: ReviewContents,
) -> None:
    record = overtaken.case.record
    assert record is not None
    assert record.decision is not None
    assert record.decision.reopening is not None
    for rule, is_touched in (("RES-8", True), ("CON-1", True), ("CON-3", False), ("SAN-1", False)):
        later = replace(record.decision.reopening, found=(NewerFinding("F-2", rule, "HIT", "review"),))
        again = replace(record.decision, reopening=later)
        made = build_contents(
            replace(inputs_of(clear_customer()), case=CasePeople("c-1", record=CaseRecord(again)))
        )
        said = seen_beside(made, "Consistency of details within the results")
        assert ("newer evidence bears on this: F-2 (run run-2)" in said) is is_touched


def test_the_gap_on_matches_that_a_later_run_found_cites_the_evidence_in_which_they_are(
    overtaken: ReviewContents,
) -> None:
    (line,) = [each.text for each in overtaken.missing if "who was matched, and on which list" in each.text]
    assert "(run-2-E-06)" in line
    assert "(E-" not in line
    (table,) = [block for block in overtaken.section("limits").blocks if isinstance(block, Table)]
    found = [row[4].text for row in table.rows if "for each possible match" in row[2].text]
    assert found == ["run-2-E-06", "run-2-E-06"]
    gaps, limits = (int(number) for number in re.findall(r"(\d+) (?:gap|limit)s", overtaken.not_known.text))
    assert gaps + limits == len(table.rows)
