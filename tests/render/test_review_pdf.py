"""The review is one document: the same bytes, with links and a foot on every page, and outside text as text."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from io import BytesIO
from typing import Any

import pikepdf
import pytest
from pypdf import PdfReader
from tests.render.specimen_review import AS_OF, contents_of, only, with_body, words_of

from kycpack.evidence import Evidence
from kycpack.models.json import parse_json
from kycpack.pack import build_review
from kycpack.render import (
    ReviewContents,
    embedded_fonts,
    render_review_pdf,
    render_summary_html,
    section_markup,
)
from kycpack.render.document_parts import (
    Cell,
    Figure,
    Paragraph,
    Section,
    Subheading,
    Table,
    TableColumn,
    facts,
    table,
)
from kycpack.render.drawing import Drawing, Label
from kycpack.render.html_sections import linked
from kycpack.render.palette import Tone
from kycpack.render.pdf_pages import BOTTOM, PAGE_HEIGHT, Sheet, Stamp
from kycpack.render.pdf_sections import set_block, set_paragraph, set_section
from kycpack.render.review.pdf_reasons import set_further
from kycpack.render.text_runs import lines
from kycpack.render.typefaces import Face
from kycpack.wealth.judge.support import SHOWN_BY, SHOWN_BY_SENDER


def test_every_page_has_classification_case_date_policy_root_and_number(
    pages: list[str], contents: ReviewContents
) -> None:
    for number, page in enumerate(pages, start=1):
        assert page.count("CONFIDENTIAL: CUSTOMER DUE DILIGENCE") == 2
        for said in (
            "Case case-1",
            "As of 30 Jun 2026, 12:00 UTC",
            contents.evidence_root,
            f"Page {number} of {len(pages)}",
        ):
            assert said in page


def test_the_pdf_carries_its_figures(contents: ReviewContents) -> None:
    with pikepdf.open(BytesIO(render_review_pdf(contents))) as pdf:
        attached = pdf.attachments["figures.json"].get_file().read_bytes()
    assert parse_json(attached) == contents.figures()


def test_the_same_contents_give_the_same_bytes(contents: ReviewContents) -> None:
    assert render_review_pdf(contents) == render_review_pdf(contents)


def test_hostile_names_are_text_in_pdf_and_html(specimen: Evidence) -> None:
    names = {"firstName": "{nb}<script>alert(1)</script>", "lastName": "=1+1 \u202egnp.exe ꦲ"}
    hostile = contents_of(with_body(specimen, "customers.get", names))
    text = " ".join(PdfReader(BytesIO(render_review_pdf(hostile))).pages[0].extract_text().split())
    assert "{nb}<script>alert(1)</script> =1+1 <U+202E>gnp.exe <U+A9B2>" in text
    page = render_summary_html(hostile)
    assert "<script" not in page
    assert "\u202e" not in page
    (table,) = (block for block in hostile.section("limits").blocks if isinstance(block, Table))
    assert any("U+A9B2" in row[1].text for row in table.rows)
    assert hostile.missing[0].text == "Character that no font has, shown as a mark"


def test_a_customer_of_whom_nothing_was_answered_still_gets_a_review(specimen: Evidence) -> None:
    empty = contents_of(only(specimen, "register.known", "onboarding.download"))
    text = " ".join(page.extract_text() for page in PdfReader(BytesIO(render_review_pdf(empty))).pages)
    assert empty.level != "approve"
    assert "Name not known" in text
    assert "no nature is known" in " ".join(text.split())
    assert empty.shares == ()


def test_every_id_of_evidence_that_is_named_is_a_link_to_its_row(contents: ReviewContents) -> None:
    with pikepdf.open(BytesIO(render_review_pdf(contents))) as pdf:
        links = [
            annotation
            for page in pdf.pages
            for annotation in page.get("/Annots", [])
            if annotation.Subtype == "/Link"
        ]
        last = len(pdf.pages) - 1
        assert len(links) > len(contents.reasons)
        assert {annotation.F for annotation in links} == {4}  # printed, as PDF/A asks
        leads_to = [pdf.pages.index(pikepdf.Page(link.Dest[0])) for link in links]
        assert sum(page < last - 3 for page in leads_to) == 1  # from page one to all steps
    html = section_markup(contents.section("findings")) + section_markup(contents.section("evidence"))
    assert '<a href="#E-03">E-03</a>' in html
    assert 'id="E-03"' in html


def test_sessions_and_accounts_have_short_names_with_one_legend(pages: list[str], specimen: Evidence) -> None:
    text = " ".join(pages)
    sessions = {entry.subject["session_id"] for entry in specimen.entries if "session_id" in entry.subject}
    for session in sessions:
        assert text.count(session) == 1


def test_no_heading_stands_alone_at_the_foot_of_a_page(contents: ReviewContents) -> None:
    pages = [page.extract_text() for page in PdfReader(BytesIO(render_review_pdf(contents))).pages]
    headings = {
        block.text
        for section in contents.sections
        for block in section.blocks
        if isinstance(block, Subheading)
    } | {section.title for section in contents.sections}
    for page in pages:
        body = page[: page.rindex("CONFIDENTIAL")].strip().splitlines()
        assert body[-1].strip() not in headings


@pytest.mark.parametrize("rows", [2, 60])
def test_a_heading_stays_with_the_table_after_the_state_of_its_part(rows: int) -> None:
    """The flags and the payments begin with their state in the words of page one, and their table follows."""
    shown = table([TableColumn("What was seen")], [["word " * 90] for _ in range(rows)])
    section = Section("flags", "Red flags", (facts(("Bank data", Cell("2 red flags"))), shown))
    for left in range(24, 90, 3):
        sheet = Sheet(Stamp("t", "c", (), AS_OF))
        sheet.y = PAGE_HEIGHT - BOTTOM - left
        set_section(sheet, section)
        pages = [page.extract_text() for page in PdfReader(BytesIO(sheet.finish())).pages]
        (page,) = [page for page in pages if "Red flags" in page]
        assert "What was seen" in page
        assert "word word" in page.partition("What was seen")[2]


def test_a_heading_with_a_long_text_stays_with_the_table_that_it_introduces() -> None:
    """The average months begin with how they are counted, in a text of several lines."""
    shown = table([TableColumn("What was seen")], [["word " * 20] for _ in range(9)])
    text = Paragraph("What came in during an average month up to the last day of the data. " * 12)
    for left in range(24, 90, 3):
        sheet = Sheet(Stamp("t", "c", (), AS_OF))
        sheet.y = PAGE_HEIGHT - BOTTOM - left
        set_section(sheet, Section("streams", "Monthly amounts", (text, shown)))
        pages = [page.extract_text() for page in PdfReader(BytesIO(sheet.finish())).pages]
        (page,) = [page for page in pages if "Monthly amounts" in page]
        assert "word word" in page.partition("What was seen")[2]


@pytest.mark.parametrize("rows", [2, 60])
def test_a_heading_with_two_short_texts_stays_with_the_table_that_they_introduce(rows: int) -> None:
    """The evidence index begins with what it counts and with what its ids mean."""
    shown = table([TableColumn("What was seen")], [["word " * 20] for _ in range(rows)])
    texts = (Paragraph("24 entries. " * 12), Paragraph("Ids that begin with E are answers."))
    for left in range(24, 90, 3):
        sheet = Sheet(Stamp("t", "c", (), AS_OF))
        sheet.y = PAGE_HEIGHT - BOTTOM - left
        set_section(sheet, Section("evidence", "Evidence index", (*texts, shown)))
        pages = [page.extract_text() for page in PdfReader(BytesIO(sheet.finish())).pages]
        (page,) = [page for page in pages if "Evidence index" in page]
        assert "word word" in page.partition("What was seen")[2]


def test_a_section_begins_where_the_chart_that_its_first_sentence_introduces_fits() -> None:
    """A heading with one sentence is not left at the foot of a page while its chart begins on the next."""
    drawing = Drawing(160.0, 50.0, (Label(0.0, 20.0, "the chart", 6.0),), "")
    blocks = (Paragraph("What is shown."), Subheading("Credits by month"), Figure(drawing, "How to read it."))
    for left in range(24, 100, 4):
        sheet = Sheet(Stamp("t", "c", (), AS_OF))
        sheet.y = PAGE_HEIGHT - BOTTOM - left
        set_section(sheet, Section("streams", "Sources of credits", blocks))
        pages = [page.extract_text() for page in PdfReader(BytesIO(sheet.finish())).pages]
        (page,) = [page for page in pages if "Sources of credits" in page]
        assert "the chart" in page


@pytest.mark.parametrize("rows", [3, 4, 5, 7, 9, 40])
@pytest.mark.parametrize("words", [1, 30, 90])
def test_a_table_begins_where_its_first_rows_fit_and_leaves_no_row_alone(rows: int, words: int) -> None:
    shown = table([TableColumn("Seen")], [[f"row {'word ' * words}"] for _ in range(rows)])
    for left in range(20, 76, 5):
        sheet = Sheet(Stamp("t", "c", (), AS_OF))
        sheet.y = PAGE_HEIGHT - BOTTOM - left
        set_block(sheet, shown)
        pages = [page.extract_text() for page in PdfReader(BytesIO(sheet.finish())).pages]
        counts = [page.count("row ") for page in pages]
        assert sum(counts) == rows
        assert [page.count("Seen") for page in pages] == [int(count > 0) for count in counts]
        if words == 1:
            assert 1 not in counts
            assert counts[0] or rows < 7 or left < 30
        assert counts[-1] >= 2


def test_a_section_of_facts_begins_where_these_fit_also_if_the_table_after_them_does_not() -> None:
    """The section on the customer begins on the page of the decision, and its table of short names may follow on the next one."""
    known = [facts((f"Label {number}", Cell(f"Value {number}")), across=2) for number in range(4)]
    shown = table([TableColumn("Short name")], [["word " * 20] for _ in range(9)])
    sheet = Sheet(Stamp("t", "c", (), AS_OF))
    sheet.y = PAGE_HEIGHT - BOTTOM - 72.0
    set_section(sheet, Section("customer", "The customer", (*known, Subheading("Short names"), shown)))
    first, second = [page.extract_text() for page in PdfReader(BytesIO(sheet.finish())).pages]
    assert "The customer" in first
    assert "Value 3" in first
    assert "Short names" in second


def test_a_section_of_short_texts_begins_where_the_first_of_them_fits() -> None:
    texts = [Paragraph("word " * 30) for _ in range(8)]
    section = Section("decision", "Decision", (*texts, Subheading("How to check this"), *texts))
    sheet = Sheet(Stamp("t", "c", (), AS_OF))
    sheet.y = PAGE_HEIGHT - BOTTOM - 60.0
    set_section(sheet, section)
    pages = [page.extract_text() for page in PdfReader(BytesIO(sheet.finish())).pages]
    assert "Decision" in pages[0]
    assert pages[0].count("word") >= 60


def test_the_number_of_an_account_is_not_broken_over_lines() -> None:
    for number in ("**-**-02 ****1403", "20-00-00 12345678"):
        for before in range(40):
            text = f"{'of ' * before}account {number}, which is quiet"
            said = ["".join(run.text for run in line) for line in lines(text, Face.SANS, 8.0, 150.0)]
            assert sum(number in line for line in said) == 1
        shown = table([TableColumn("Account", 0.2), TableColumn("Text", 9.0)], [[number, "word " * 60]])
        sheet = Sheet(Stamp("t", "c", (), AS_OF))
        set_block(sheet, shown)
        assert number in PdfReader(BytesIO(sheet.finish())).pages[0].extract_text()
        assert f'<span class="kp-id">{number}</span>' in linked(f"Account {number} (A1)")


def test_reasons_that_are_continued_name_the_page_on_which_they_begin(contents: ReviewContents) -> None:
    for began_on in (1, 2):
        sheet = Sheet(Stamp("t", "c", (), AS_OF))
        set_further(sheet, contents.why[:1], began_on)
        text = PdfReader(BytesIO(sheet.finish())).pages[0].extract_text()
        assert f"Why, continued from page {began_on}" in text


def test_the_statement_says_whether_no_account_is_linked_or_nothing_came_in(specimen: Evidence) -> None:
    listed = only(specimen, "register.known", "onboarding.download", "bank_accounts.list")
    text = statement_text(with_body(listed, "bank_accounts.list", {"items": []}))
    assert "No bank account is linked, so no payment could be looked at" in text
    assert "No incoming payments" not in text
    unanswered = only(specimen, "register.known", "onboarding.download")
    assert "No incoming payments were available" in statement_text(unanswered)


def test_what_lessens_the_shares_is_not_cut_off_on_page_one(contents: ReviewContents) -> None:
    (share, *_) = contents.shares
    evidence = {level: 2_000_123 * place for place, level in enumerate(SHOWN_BY, start=1)}
    long = replace(
        share,
        evidence=evidence,
        refunds=(15_273, 15_273),
        own_transfer_minor=690_300,
        questioned=("A (WLT-3)",),
        wages=(100, 100),
    )
    made = replace(contents, shares=(long,))
    page = " ".join(PdfReader(BytesIO(render_review_pdf(made))).pages[0].extract_text().split())
    assert long.caveats.count(".") > 1
    words = f"{long.known_by[SHOWN_BY_SENDER]} of what is known rests on {SHOWN_BY_SENDER}, where regular dates bear it out."
    assert long.on_page_one == f"{words} {long.caveats}"
    for shown in (page, unescape(re.sub("<[^>]*>", "", render_summary_html(made)))):
        assert long.on_page_one in shown


def test_what_the_known_nature_rests_on_and_what_is_left_out_stands_with_the_sources(
    contents: ReviewContents,
) -> None:
    (share, *_) = contents.shares
    assert share.sentence.startswith("What is known rests on")
    assert f"{share.currency}: {share.sentence}" in words_of(contents.section("streams"))


def statement_text(evidence: Evidence) -> str:
    pages = PdfReader(BytesIO(build_review(evidence, as_of=AS_OF).statement_pdf())).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


def test_no_word_of_common_length_is_broken(specimen: Evidence) -> None:
    titles = ["Unknown", "Confirmed", "Enhanced", "Verification", "Not processed"]
    shown = table(
        [TableColumn(title, 0.2) for title in titles] + [TableColumn("Text", 9.0)], [[*titles, "word " * 60]]
    )
    sheet = Sheet(Stamp("t", "c", (), AS_OF))
    set_block(sheet, shown)
    words = PdfReader(BytesIO(sheet.finish())).pages[0].extract_text().split()
    for title in titles:
        assert set(title.split()) <= set(words)


def test_the_statement_for_the_customer_says_nothing_of_findings_and_flags(specimen: Evidence) -> None:
    review = build_review(specimen, as_of=AS_OF)
    text = " ".join(page.extract_text() for page in PdfReader(BytesIO(review.statement_pdf())).pages)
    for row in review.triage.findings.to_dict("records"):
        assert row["rule_id"] not in text
        assert str(row["sentence"]) not in text
    for word in ("MLRO", "internal report", "sanction", "screening", "red flag", "escalate"):
        assert word.casefold() not in text.casefold()


def test_no_path_or_code_of_a_machine_stands_in_what_a_person_reads(contents: ReviewContents) -> None:
    told = [
        *(reason.text for reason in contents.reasons),
        *(unknown.text for unknown in contents.unknowns),
        *(line.text for line in contents.missing),
        *(
            cell.text
            for key in ("findings", "consistency", "results", "screening", "limits", "clear")
            for block in contents.section(key).blocks
            for row in getattr(block, "rows", ())
            for cell in row
        ),
    ]
    path = re.compile(r"\b[a-z]+[A-Z][a-z]+\b|\b[a-z]+_[a-z]+\b|\b[a-z]+\.[a-z]+[.A-Z]")
    assert [text for text in told if path.search(text.replace("legislation.gov.uk", ""))] == []


@pytest.mark.parametrize("rows", [44, 51])
def test_no_row_of_a_table_stands_alone_on_its_last_page(rows: int) -> None:
    columns = (TableColumn("Id"), TableColumn("Words"))
    shown = table(columns, [(Cell(f"E-{row:02d}"), Cell("two lines " * 12)) for row in range(rows)], "")
    for before in (0, 9, 18, 27):
        sheet = Sheet(Stamp("t", "c", (), AS_OF))
        sheet.y += before
        set_block(sheet, shown)
        last = PdfReader(BytesIO(sheet.finish())).pages[-1].extract_text()
        assert len(re.findall(r"E-\d\d", last)) >= 3


def test_a_short_table_a_short_text_and_a_row_that_fits_on_a_page_are_not_split() -> None:
    columns = (TableColumn("Id"), TableColumn("Words"))
    short = table(columns, [(Cell(f"E-{row:02d}"), Cell("one line")) for row in range(6)], "")
    tall = table(columns, [(Cell("E-00"), Cell("word " * 450))], "")
    text = Paragraph("word " * 90)
    for block, room, said in ((short, 30.0, r"E-\d\d"), (tall, 60.0, "word"), (text, 12.0, "word")):
        sheet = Sheet(Stamp("t", "c", (), AS_OF))
        sheet.y = PAGE_HEIGHT - BOTTOM - room
        set_block(sheet, block)
        first, second = (page.extract_text() for page in PdfReader(BytesIO(sheet.finish())).pages)
        assert re.findall(said, first) == []
        assert re.findall(said, second)


def test_only_a_name_needs_other_characters_than_the_basic_ones(
    contents: ReviewContents, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut: list[Any] = []
    embed = embedded_fonts._embed
    monkeypatch.setattr(embedded_fonts, "_embed", lambda *face: cut.append(embed(*face)) or cut[-1])
    render_review_pdf(contents)
    assert [font for font in cut if font.codes.are_basic]
    others = {chr(code) for font in cut for code in font.codes} - set(map(chr, embedded_fonts._BASIC))
    assert others == set(contents.name) - set(map(chr, embedded_fonts._BASIC)) == {"\u0141"}


def test_a_note_is_not_split_over_two_pages() -> None:
    sheet = Sheet(Stamp("Title", "Confidential", (), AS_OF))
    sheet.y = PAGE_HEIGHT - BOTTOM - 9.0
    set_paragraph(sheet, Paragraph("word " * 120, Tone.UNKNOWN))
    first, second = (page.extract_text() for page in PdfReader(BytesIO(sheet.finish())).pages)
    assert "word" not in first
    assert second.count("word") == 120
