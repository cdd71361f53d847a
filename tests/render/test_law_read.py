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

SOURCES = load_policy().legal_sources
DAY = date(2026, 12, 1)
DECIDES = _found("wealth.flag", "1")._replace(
    outcome="HIT", rule_id="WLT-1", level="edd", basis="MLR 2017 reg. 28(11)(a), 33(1)(f)"
)
OPEN = DECIDES._replace(outcome="UNKNOWN", rule_id="EDD-1", basis="MLR 2017 reg. 33, 35(5)(b)")
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


def test_a_number_that_the_firm_sets_and_an_approval_need_no_text_in_force() -> None:
    for one in (
        DECIDES._replace(basis="Firm's standard: 60 of 100"),
        DECIDES._replace(level="approve"),
        DECIDES._replace(outcome="CLEAR"),
        DECIDES._replace(internal=True),
    ):
        assert law_blocks(findings_frame([one]), SOURCES, DAY) == ()
