"""The sections of a decided case say what the decision settled and ended."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.frames.evidence_maker import RESULTS, clear_customer
from tests.render.specimen_review import inputs_of, words_of
from tests.render.test_changes import EARLIER
from tests.render.test_decision import DECISION
from tests.render.test_demonstration import said_to_be_invented

from kycpack.evidence import Evidence
from kycpack.frames.rows import records
from kycpack.pack.check.pdf import read_pdf
from kycpack.pack.check.printed_values import squeezed
from kycpack.render import CasePeople, ReviewContents, build_contents, render_review_pdf
from kycpack.render.document_parts import Facts, Paragraph, Table
from kycpack.render.origin import Given
from kycpack.render.palette import Tone
from kycpack.render.review.changes import changes_section
from kycpack.render.review.decision import CaseRecord, DisposedFinding
from kycpack.render.review.decision_section import FROM_RECORD, decision_section
from kycpack.render.review.finding_ids import place_of
from kycpack.render.review.gap_duties import duty_of
from kycpack.render.review.html import render_summary_html
from kycpack.render.review.matters import why_of
from kycpack.render.review.reasons import Reason
from kycpack.render.review.seen_words import NOT_SEARCHED
from kycpack.triage.customers.changes import finding_key
from kycpack.triage.paths import UNNAMED_MATCHES

LISTED_AS = "UN list, entry QDi.001, list of 2026-06-29"
LISTED = {
    **RESULTS,
    "screening": {
        **RESULTS["screening"],
        "outcome": "warning",
        "matchCount": 1,
        "summary": {**RESULTS["screening"]["summary"], "watchlist": {"terrorLists": "attention"}},
    },
}


def decided(evidence: Evidence, outcome: str, verdict: str = "accepted", **other: Any) -> ReviewContents:
    """Return the review of a decided case; a finding about the screening has its verdict, and every other one is accepted."""
    inputs = inputs_of(evidence)
    rows = [
        row
        for row in records(inputs.triage.findings)
        if row["outcome"] in {"HIT", "UNKNOWN"} and not row["internal"]
    ]
    found = []
    for number, row in enumerate(rows, 1):
        said = verdict if str(row["path"]).startswith(("screening.", UNNAMED_MATCHES)) else "accepted"
        outside = f"{LISTED_AS}, file {'a' * 64}" if said == "false_positive" else ""
        found.append(
            DisposedFinding(
                f"F-{number}", str(row["rule_id"]), str(row["sentence"]), said, outside, finding_key(row)
            )
        )
    given = {
        "outcome": outcome,
        "second_role": "MLRO",
        "findings": tuple(found),
        "evidence_root": evidence.root,
        **other,
    }
    record = CaseRecord(replace(DECISION, **given))
    return build_contents(replace(inputs, case=CasePeople("case-1", record=record)))


def duties(made: ReviewContents) -> str:
    rows = [row for block in made.section("limits").blocks if isinstance(block, Table) for row in block.rows]
    return " ".join(row[2].text for row in rows)


def test_the_screening_says_what_its_false_positive_settled_and_the_tile_names_who_settled_it_without_alarm() -> (
    None
):
    evidence = clear_customer(LISTED)
    before = build_contents(inputs_of(evidence))
    made = decided(evidence, "reject", "false_positive")
    (first, *_) = made.section("screening").blocks
    assert isinstance(first, Paragraph)
    assert "Decision c-1-D1 says of this screening: False positive: F-" in first.text
    assert f": {LISTED_AS}" in first.text
    assert (
        ". No other information about a listed person is kept, so the verdict rests on this alone. It did"
        in first.text
    )
    others = [each for each in made.section("decision").blocks if isinstance(each, Paragraph)]
    assert first not in others  # the results that it calls below are not there
    assert "What the verdicts on the screening rest on is in “Screening”." in [each.text for each in others]
    tile, was = dict(made.strip)["Screening"], dict(before.strip)["Screening"]
    assert tile.text == f"False positive, by {DECISION.decided_by} and {DECISION.second_by}"
    assert (was.tone, tile.tone) == (Tone.ALARM, Tone.WATCH)
    alone = decided(evidence, "reject", "false_positive", second_by="", second_at=None)
    assert dict(alone.strip)["Screening"].text == "False positive, by Anna Example"
    listed = dict(decided(evidence, "reject", "true_match").strip)["Screening"]
    assert (listed.text.partition(",")[0], listed.tone) == ("True match", Tone.ALARM)


def test_the_screening_names_what_a_listed_person_can_be_compared_with_and_that_no_place_of_birth_is_known() -> (
    None
):
    made = decided(clear_customer(LISTED), "reject", "false_positive")
    (first, *_) = made.section("screening").blocks
    assert isinstance(first, Paragraph)
    assert f"the name “{made.name}”, born {made.person[0][1].text}, nationality " in first.text
    assert first.text.endswith("No place of birth is read from the record or the document.")


def test_the_tile_of_a_false_positive_names_both_people_on_paper_without_a_cut() -> None:
    people = {"decided_by": "Demo Analyst", "second_by": "Demo Officer"}
    made = decided(clear_customer(LISTED), "reject", "false_positive", **people)
    (page, *_) = read_pdf(render_review_pdf(made), "review.pdf").pages
    assert squeezed("by Demo Analyst and Demo Officer") in squeezed(page)


@pytest.mark.parametrize(
    ("verdict", "other", "settled"),
    [
        ("false_positive", {}, "; false positive by the verdict of 1 Jun 2026 ("),
        ("true_match", {}, "; true match by the verdict of 1 Jun 2026 ("),
        ("inconclusive", {}, ""),
        ("false_positive", {"standing": "The decision waits for its second person"}, ""),
    ],
)
def test_a_category_that_is_not_clear_for_a_match_names_the_verdict_that_settled_it(
    verdict: str, other: dict[str, Any], settled: str
) -> None:
    several = {**LISTED, "screening": {**LISTED["screening"], "matchCount": 3}}
    made = decided(clear_customer(several), "reject", verdict, **other)
    (by_rule,) = [one.number for one in made.reasons if one.rule_id == "SCR-6"]
    words = "ot clear: the provider does not name the kind of list of 2 of 3 matches"
    tables = [
        block
        for key in ("screening", "clear")
        for block in made.section(key).blocks
        if isinstance(block, Table)
    ]
    said = [cell for block in tables for row in block.rows for cell in row if words in cell.text]
    assert len(said) > 3
    for cell in said:
        # What the provider says comes before what a person decided.
        assert "the provider says" not in cell.text.partition("by the verdict")[2]
        text = cell.text.replace(" (the provider says “clear”)", "")
        assert Given(FROM_RECORD) in cell.origins
        # A match can be a false positive, and a category that was perhaps not searched cannot.
        here = "" if text.startswith(NOT_SEARCHED) else settled
        assert ("by the verdict" in text) is bool(here), text
        assert f"{words}{here}" in text
        assert not here or f"({by_rule}" in text
    assert any(cell.text.startswith(NOT_SEARCHED) for cell in said)


@pytest.mark.parametrize("verdict", ["false_positive", "true_match", "inconclusive"])
def test_every_row_of_the_screening_that_a_verdict_settled_names_it(verdict: str) -> None:
    several = {**LISTED, "screening": {**LISTED["screening"], "matchCount": 3}}
    evidence = clear_customer(several)
    made, before = decided(evidence, "reject", verdict), build_contents(inputs_of(evidence))
    words = f"; {verdict.replace('_', ' ')} by the verdict of 1 Jun 2026 (F-"
    for key, count in (("screening", 2), ("results", 4)):
        tables = [
            [
                cell
                for block in each.section(key).blocks
                if isinstance(block, Table)
                for row in block.rows
                for cell in row
            ]
            for each in (made, before)
        ]
        alarmed = [
            (now, was)
            for now, was in zip(*tables, strict=True)
            if was.text.startswith(("Attention", "Warning", "3")) and was.tone in {Tone.WATCH, Tone.ALARM}
        ]
        said = [now for now, was in alarmed if words in now.text and now.tone == was.tone]
        assert len(said) >= count if verdict in {"false_positive", "true_match"} else not said
        assert all(Given(FROM_RECORD) in cell.origins for cell in said)


@pytest.mark.parametrize(
    "other", [{"standing": "The decision waits for its second person"}, {"evidence_root": "2" * 64}]
)
def test_a_decision_that_does_not_stand_settles_no_screening(other: dict[str, Any]) -> None:
    evidence = clear_customer(LISTED)
    made = decided(evidence, "reject", "false_positive", **other)
    assert dict(made.strip)["Screening"] == dict(build_contents(inputs_of(evidence)).strip)["Screening"]
    assert "says of this screening" not in words_of(made.section("screening"))


def test_a_screening_that_the_decision_left_open_keeps_its_tile() -> None:
    made = decided(clear_customer(LISTED), "reject", "inconclusive")
    assert "found" not in dict(made.strip)["Screening"].text
    assert "says of this screening: Inconclusive: F-" in words_of(made.section("screening"))


def test_a_rejected_customer_is_asked_nothing_and_nothing_is_got_that_only_an_approval_needs(
    specimen: Evidence,
) -> None:
    said = duties(decided(specimen, "reject"))
    assert "ask the customer" not in said
    assert "get it from the department that keeps it" not in said
    assert "decide whether to order it" not in said
    assert "No action: the customer is rejected" in said
    undecided = duties(build_contents(inputs_of(specimen)))
    assert "get it from the department that keeps it" in undecided
    assert "rejected" not in undecided


def test_what_a_rejected_customer_may_be_listed_for_and_what_is_about_others_is_still_to_be_done() -> None:
    for code in ("matches_not_listed", "wrong_subject", "document_shared", "decided_otherwise", "failed"):
        assert duty_of(code, closed_by="reject").text == duty_of(code).text
    assert (
        duty_of("silent", closed_by="approve").text
        == "Analyst: at the next review, ask the customer, or the bank, for statements"
    )
    assert duty_of("silent", "when the MLRO agrees", closed_by="approve").text.startswith(
        "Analyst: at the next review, and when the MLRO agrees, ask the customer"
    )
    assert duty_of("payment_not_supported", closed_by="approve").text == duty_of("payment_not_supported").text
    assert duty_of("risk_not_given", closed_by="approve").text == duty_of("risk_not_given").text


def test_a_decision_on_evidence_from_outside_says_so_where_its_evidence_is_named() -> None:
    def looked_at(made: ReviewContents) -> str:
        blocks = [block for block in made.section("decision").blocks if isinstance(block, Facts)]
        return next(
            cell.text for block in blocks for label, cell in block.pairs if label == "Evidence looked at"
        )

    evidence = clear_customer(LISTED)
    assert looked_at(decided(evidence, "reject", "false_positive")) == (
        "The evidence of this pack, and the external evidence that is named with the verdicts"
    )
    assert looked_at(decided(evidence, "reject", "true_match")) == "The evidence of this pack"


@pytest.mark.parametrize(
    ("verdict", "whose"),
    [
        ("false_positive", "No action: the decision settled the matches"),
        ("inconclusive", "MLRO: get it from the provider"),
    ],
)
def test_matches_that_a_decision_settled_are_nobodys_to_get(verdict: str, whose: str) -> None:
    made = decided(clear_customer(LISTED), "reject", verdict)
    assert whose in duties(made)
    (line,) = [one.text for one in made.missing if one.text.startswith("Not shown for")]
    assert line.endswith("; the decision settled the matches (how: “Screening”)") == ("No action" in whose)


def test_the_reason_of_a_decision_makes_no_check_less_than_clear_that_the_provider_cleared() -> None:
    def clear(made: ReviewContents) -> dict[str, str]:
        found, *_ = [block for block in made.section("clear").blocks if isinstance(block, Table)]
        return {row[at].text: row[at + 1].text for row in found.rows for at in range(0, len(row), 2)}

    before, evidence = clear(build_contents(inputs_of(clear_customer(LISTED)))), clear_customer(LISTED)
    made = decided(evidence, "reject", "false_positive", reason_code="NOT-VERIFIED", reason="Not verified")
    assert clear(made).keys() == before.keys()
    assert dict(made.strip)["Address"] == dict(build_contents(inputs_of(evidence)).strip)["Address"]
    assert clear(made)["Identity check"] == (
        f"{before['Identity check']} (the reason given for the decision is “Not verified”, NOT-VERIFIED)"
    )


def test_a_verdict_on_several_sentences_names_each_entry_of_the_evidence_once() -> None:
    said = "Large credit: one (E-13); Large credit: another (E-14); Much from one payer (E-13, E-14)"
    longer = "One (E-99 to E-100, R-01); another (E-98, E-99)"
    found = tuple(
        DisposedFinding(f"F-{number}", "WLT-2", words, "inconclusive")
        for number, words in enumerate((said, longer), 1)
    )
    section = decision_section(CaseRecord(replace(DECISION, findings=found)), "1" * 64, "", "")
    verdicts = next(block for block in section.blocks if isinstance(block, Table))
    assert [row[4].text for row in verdicts.rows] == [
        "E-13, E-14 of this pack",
        "E-98 to E-100, R-01 of this pack",
    ]


def test_each_verdict_says_which_evidence_it_is_on() -> None:
    def looked_at(made: ReviewContents) -> list[str]:
        found = next(
            block
            for block in made.section("decision").blocks
            if isinstance(block, Table) and block.columns[0].title == "Finding"
        )
        return [row[4].text for row in found.rows]

    evidence = clear_customer(LISTED)
    assert any(words == "E-03 of this pack" for words in looked_at(decided(evidence, "reject", "accepted")))
    assert any(
        words.startswith(f"E-03 of this pack; {LISTED_AS}")
        for words in looked_at(decided(evidence, "reject", "false_positive"))
    )
    before = looked_at(decided(evidence, "reject", "accepted", evidence_root="2" * 64))
    assert "E-03 of the evidence decided on" in before


def test_a_check_of_earlier_decisions_describes_the_time_before_this_one(specimen: Evidence) -> None:
    def seen(made: ReviewContents) -> str:
        tables = [block for block in made.section("clear").blocks if isinstance(block, Table)]
        cells = [cell.text for block in tables for row in block.rows for cell in row]
        return cells[cells.index("Previous rejection") + 1]

    assert seen(decided(specimen, "reject")) == "none recorded; this case is not counted"


def test_the_section_on_the_decision_names_the_command_that_checks_it_and_what_the_other_entries_are() -> (
    None
):
    def said(**other: Any) -> str:
        return words_of(decision_section(CaseRecord(DECISION, **other), "1" * 64, "", ""))

    assert (
        "A reader who has only the paper asks the firm that made the pack to confirm the root and to check the files. "
        "The command kycpack verify, with the folder of this pack, compares every file" in said()
    )
    assert (
        "Only the entries of this case are shown above. The other 25 entries are about other cases"
        in said(size=25)
    )
    assert "entries of this case" not in said()


def test_a_comparison_that_leaves_out_newer_evidence_says_so_of_its_result() -> None:
    left_out = (Paragraph("This comparison does not include the newer evidence"),)
    shown = [
        next(
            block for block in changes_section(EARLIER, (), "", each).blocks if isinstance(block, Table)
        ).empty
        for each in ((), left_out)
    ]
    values = (
        "the recommended level, the outcomes of the checks, the categories of screening, the documents, the findings, the red flags "
        "and the streams of credits"
    )
    assert shown == [
        f"None of the compared values differs from the earlier pack: {values}.",
        f"By the evidence of this pack alone, none of the compared values differs from the earlier pack: {values}.",
    ]


def test_page_one_of_a_decision_lists_the_findings_in_its_order() -> None:
    made = decided(clear_customer(LISTED), "reject", "false_positive")
    for level in {one.level for one in made.why}:
        places = [place_of(one.number) for one in made.why if one.level == level]
        assert places == sorted(places)


def test_a_decision_of_a_demonstration_says_that_its_times_are_not_those_of_a_review() -> None:
    invented = said_to_be_invented(clear_customer(LISTED))
    made = decided(invented, "reject")
    words = "Times of a demonstration, not of a real review."
    (page, *_) = read_pdf(render_review_pdf(made), "review.pdf").pages
    for said in (page, render_summary_html(made), words_of(made.section("decision"))):
        assert squeezed(words) in squeezed(said)
    for other in (build_contents(inputs_of(invented)), decided(clear_customer(LISTED), "reject")):
        assert words not in render_summary_html(other)
        assert words not in words_of(other.section("decision"))


def test_the_findings_of_a_closed_case_say_that_their_actions_were_asked_for_before() -> None:
    closed, begun = (decided(clear_customer(LISTED), outcome) for outcome in ("reject", "escalate"))
    assert "what the policy asked for before the decision" in words_of(closed.section("findings"))
    assert "asked for before" not in words_of(begun.section("findings"))


def test_page_one_of_a_decision_leaves_its_room_to_the_reasons() -> None:
    """What the review is based on stands on the page after it; without a decision it stands on page one."""
    made = decided(clear_customer(LISTED), "reject")
    for contents, place in ((made, 1), (build_contents(inputs_of(clear_customer(LISTED))), 0)):
        pages = read_pdf(render_review_pdf(contents), "review.pdf").pages
        assert [number for number, page in enumerate(pages) if "Based on: 1 session" in page] == [place]
    assert not any(cell.text.startswith("Verdicts") for cell in made.decided)
    assert any(". Verdicts: " in cell.text for cell in made.decided)


def test_reasons_of_one_level_are_in_the_order_of_the_decision() -> None:
    reasons = [
        Reason("WLT-1", f"Thing {n}", "MLRO", "edd", "hold", number=n) for n in ("F-5", "F-3", "", "F-4")
    ]
    assert [one.number for one in why_of(reasons, ())] == ["F-3", "F-4", "F-5", ""]
