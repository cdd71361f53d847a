"""Beside the deciding rules a review says which edition of the law was read, and that it need not be the one in force."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from tests.render.test_clear_annex import _found

from kycpack.render.document_parts import Paragraph, Table
from kycpack.render.palette import Tone
from kycpack.render.review.law_read import law_blocks
from kycpack.triage import load_policy
from kycpack.triage.judge.findings import findings_frame
from kycpack.triage.policies.policy import LegalSource

SOURCES = load_policy().legal_sources
DAY = date(2026, 12, 1)
DECIDES = _found("wealth.flag", "1")._replace(
    outcome="HIT", rule_id="WLT-1", level="edd", basis="MLR 2017 reg. 28(11)(a), 33(1)(f)"
)
OPEN = DECIDES._replace(outcome="UNKNOWN", rule_id="EDD-1", basis="MLR 2017 reg. 33, 35(5)(b)")
REJECTS = DECIDES._replace(rule_id="OUT-document", level="reject", basis="The service's recommended action")
LESS = DECIDES._replace(rule_id="SES-2", level="review", basis="MLR 2017 reg. 31")


def test_the_editions_behind_the_deciding_rules_stand_with_the_findings_and_say_that_they_were_amended() -> (
    None
):
    _, told, shown = law_blocks(findings_frame([DECIDES, OPEN, LESS]), SOURCES, DAY)
    assert isinstance(told, Paragraph)
    assert told.tone == Tone.UNKNOWN
    assert told.text.startswith(
        "It is not shown that the law in force on 1 Dec 2026 was read for the rules that decide the level"
    )
    assert isinstance(shown, Table)
    paragraph = next(row for row in shown.rows if "regulation 33(1)" in row[1].text)
    assert paragraph[0].text == "WLT-1"
    assert "before the amendments of 2026" in paragraph[2].text
    assert paragraph[4].text == "Yes, and the text as amended was not read: check the text in force"
    assert {"WLT-1", "EDD-1"} == {row[0].text for row in shown.rows}
    assert not any("regulation 31" in row[1].text for row in shown.rows)
    assert any(row[4].text == "The policy does not say: check the text in force" for row in shown.rows)


def test_guidance_of_another_supervisor_is_the_firms_to_add_where_the_policy_cites_only_hmrc() -> None:
    found = findings_frame([DECIDES])
    words = "if another one supervises the firm, such as the FCA, its guidance and that of the JMLSG are for the firm to add"
    _, told, _ = law_blocks(found, SOURCES, DAY)
    assert isinstance(told, Paragraph)
    assert words in told.text
    own = replace(SOURCES[0], title="JMLSG guidance, part I")
    _, told, _ = law_blocks(found, (*SOURCES, own), DAY)
    assert isinstance(told, Paragraph)
    assert words not in told.text


def test_where_no_law_decides_the_level_a_sentence_says_so() -> None:
    alone = "the recommendation rests on the firm's policy alone"
    for one, said in (
        (DECIDES._replace(basis="Firm's standard: 60 of 100"), f"the level: {alone}."),
        (DECIDES._replace(level="approve"), f"so no text of law decides the level: {alone}."),
        (DECIDES._replace(outcome="CLEAR"), f"so no text of law decides the level: {alone}."),
        (DECIDES._replace(internal=True), f"so no text of law decides the level: {alone}."),
        (REJECTS, f"{alone}, and to reject is the firm's own decision."),
    ):
        _, told = law_blocks(findings_frame([one]), SOURCES, DAY)
        assert isinstance(told, Paragraph)
        assert told.text.endswith(said)
    assert law_blocks(findings_frame([DECIDES]), (), DAY) == ()


def test_an_amended_text_behind_a_lesser_rule_is_named_where_the_rule_has_a_reason_of_its_own() -> None:
    found = findings_frame([REJECTS, DECIDES, LESS])
    _, told, shown = law_blocks(found, SOURCES, DAY, {"WLT-1", "SES-2"})
    assert isinstance(told, Paragraph)
    assert isinstance(shown, Table)
    assert "Other rules cite texts that were amended after the edition read." in told.text
    assert any("regulation 33(1)" in row[1].text for row in shown.rows)
    assert all(row[4].tone == Tone.WATCH for row in shown.rows)
    assert len(law_blocks(found, SOURCES, DAY)) == 2


def test_what_was_amended_and_what_is_no_law_is_said_by_the_policy_and_not_read_from_its_words() -> None:
    by_words = LegalSource(
        "MLR 2017 reg. 28",
        "A text",
        "Before the amendments of 2026",
        "A list and not a text; no law gives it",
    )
    for one, said in (
        (by_words, "The policy does not say: check the text in force"),
        (
            replace(by_words, amended=True),
            "Yes, and the text as amended was not read: check the text in force",
        ),
    ):
        *_, shown = law_blocks(findings_frame([DECIDES]), (one,), DAY)
        assert isinstance(shown, Table)
        assert [row[4].text for row in shown.rows] == [said]
    assert len(law_blocks(findings_frame([DECIDES]), (replace(by_words, law=False),), DAY)) == 2
