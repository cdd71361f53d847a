"""The sections of a review: what each says, and what stands where."""

from __future__ import annotations

import re

import pandas as pd
from tests.render.annex_rows import seen_beside
from tests.render.specimen_review import AS_OF, contents_of, only, words_of

from kycpack.evidence import Evidence
from kycpack.frames import flatten
from kycpack.pack.check.printed_values import html_text
from kycpack.render import ReviewContents
from kycpack.render.document_parts import Paragraph, Table
from kycpack.render.html_sections import linked
from kycpack.render.review.consistency import consistency_section
from kycpack.render.review.credit_sources import sections
from kycpack.render.review.seen_words import skipped_words
from kycpack.render.review.short_names import ShortNames
from kycpack.render.style import NOTEBOOK_STYLE
from kycpack.render.wording import DASH
from kycpack.triage.levels import CLEAR
from kycpack.triage.names.official_romanisation import OF_SEVERAL_NAMES
from kycpack.wealth import derive


def test_a_session_without_results_stands_in_the_outcomes(contents: ReviewContents) -> None:
    for key in ("results", "screening"):
        rows = [row for block in contents.section(key).blocks for row in getattr(block, "rows", ())]
        assert any(row[0].text == "S2" and row[1].text == "No result" for row in rows)


def test_every_entry_of_the_evidence_is_in_the_index_with_its_hash(
    pages: list[str], specimen: Evidence
) -> None:
    text = "".join(" ".join(pages).split())
    for entry in specimen.entries:
        assert entry.id in text
        assert entry.sha256 is None or entry.sha256 in text


def test_the_matrix_shows_the_compared_values(contents: ReviewContents) -> None:
    (matrix,) = [block for block in contents.section("consistency").blocks if hasattr(block, "rows")]
    texts = {cell.text for row in matrix.rows for cell in row}
    assert "Record: Zofia Kowalczyk-Łaska" in texts
    assert "Record: 14 Mar 1986" in texts


def test_a_comparison_says_of_which_paper_a_value_is_or_is_missing() -> None:
    row = {
        "field": "address", "left": "record", "right": "address", "verdict": "missing", "score": None,
        "reason": "nothing to compare: not given by address", "evidence_ids": ["E-01"],
        "left_value": "1 High Street", "right_value": None,
    }  # fmt: skip
    other = {**row, "left_value": None, "verdict": "similar", "right": "document"}
    section = consistency_section(pd.DataFrame([row, other]), ShortNames(()))
    (matrix,) = [block for block in section.blocks if isinstance(block, Table)]
    one, both = ([cell.text for cell in cells] for cells in matrix.rows)
    assert one[1:3] == ["Record: 1 High Street", "Proof of address: not known"]
    assert one[5] == "nothing to compare: not given by the proof of address"
    assert both[5] == "nothing to compare: not given by the record and the document"


def test_an_equality_that_fits_several_names_has_no_score_and_what_was_looked_at_of_a_benefit_is_said() -> (
    None
):
    row = {
        "field": "name", "left": "record", "right": "document", "verdict": "equal", "score": 1.0,
        "reason": OF_SEVERAL_NAMES, "evidence_ids": ["E-01"], "left_value": "志强 黄", "right_value": "ZHIQIANG HUANG",
    }  # fmt: skip
    section = consistency_section(pd.DataFrame([row, {**row, "reason": "identical"}]), ShortNames(()))
    (matrix,) = [block for block in section.blocks if isinstance(block, Table)]
    assert [cells[4].text for cells in matrix.rows] == [DASH, "1.00"]
    beside = skipped_words("wealth.questions.pay_beside_benefit", None, "", CLEAR, level_given=True)
    assert beside == "no pay beyond the limit of such a benefit seen; Universal Credit has no such limit"


def test_a_name_that_cannot_be_read_has_no_score_against_any_other_name() -> None:
    row = {
        "field": "name", "left": "record", "right": "document", "verdict": "different", "score": None,
        "reason": "the texts differ, and one cannot be read as a name: record", "evidence_ids": ["E-01"],
        "left_value": "=1+1", "right_value": "ADA BYRON",
    }  # fmt: skip
    section = consistency_section(pd.DataFrame([row]), ShortNames(()))
    (matrix,) = [block for block in section.blocks if isinstance(block, Table)]
    assert [cell.text for cell in matrix.rows[0]][3:5] == ["Different", "–"]
    (words,) = [block.text for block in section.blocks if isinstance(block, Paragraph)]
    assert words == "Compared: name of the customer record and the document."


def test_a_review_without_results_says_that_no_document_was_seen(specimen: Evidence) -> None:
    made = contents_of(only(specimen, "customers.get", "onboarding.get", "register.known"))
    shown = seen_beside(made, "Identity document also used by another customer")
    assert shown == "no identity document was seen"


def test_where_no_bank_data_was_seen_no_pattern_was_looked_for(
    contents: ReviewContents, specimen: Evidence
) -> None:
    nothing = derive(flatten(specimen).transactions.head(0), as_of=AS_OF)
    flags = next(one for one in sections(nothing, "C1", {}, ShortNames(())) if one.key == "flags")
    assert words_of(flags) == "No bank transactions were seen, so red flags could not be looked for."
    assert "no patterns could be checked" not in words_of(contents.section("flags"))


def test_identical_values_are_not_said_to_be_the_same_apart_from_something(contents: ReviewContents) -> None:
    rows = [row for block in contents.section("consistency").blocks for row in getattr(block, "rows", ())]
    alike = [
        [cell.text for cell in row]
        for row in rows
        if row[1].text.partition(": ")[2] == row[2].text.partition(": ")[2]
    ]
    assert alike
    assert {row[5] for row in alike} == {"identical"}


def test_red_flags_have_one_name(contents: ReviewContents) -> None:
    assert contents.section("flags").title == "Red flags"
    assert "pattern" not in words_of(contents.section("flags")).casefold()


def test_the_id_of_a_finding_is_not_broken_at_its_hyphen_in_html() -> None:
    assert linked("F-12 and E-03") == '<span class="kp-id">F-12</span> and <a href="#E-03">E-03</a>'
    assert (
        linked("OUT-screening, WLT-2")
        == '<span class="kp-id">OUT-screening</span>, <span class="kp-id">WLT-2</span>'
    )
    for other in ("PMNT-RCDT, well-known", "2026-INV-0117", "INV-0117-B"):
        assert linked(other) == other
    assert ".kp .kp-id{white-space:nowrap}" in NOTEBOOK_STYLE


def test_the_evidence_section_says_what_each_letter_and_each_media_file_is(
    contents: ReviewContents, specimen: Evidence
) -> None:
    section = contents.section("evidence")
    said = words_of(section)
    assert "M is a media file of a session" in said
    media = flatten(specimen).media
    tables = [block for block in section.blocks if isinstance(block, Table)]
    legend = {row[0].text: row[1].text for row in tables[-1].rows}
    assert legend == dict(zip(media["file_evidence_id"].dropna(), media["description"], strict=False))
    assert all(
        re.search(r"[0-9]{2}:[0-9]{2}:[0-9]{2} UTC", row[3].text)
        for row in tables[0].rows
        if row[3].text != "–"
    )


def test_a_page_breaks_a_long_id_only_at_its_separators_and_a_hash_between_groups() -> None:
    assert linked("a 6d2e7045-e484-4909-8e77-936318a14d20") == (
        "a 6d2e7045-<wbr>e484-<wbr>4909-<wbr>8e77-<wbr>936318a14d20"
    )
    assert linked("0123456789abcdef" * 4) == "<wbr>".join(["01234567", "89abcdef"] * 4)
    assert (
        html_text(f"<p>{linked('6d2e7045-e484-4909-8e77-936318a14d20')}</p>")
        == "6d2e7045-e484-4909-8e77-936318a14d20"
    )
