"""Page one says what was found, why, and what is missing, and leaves nothing out without a word."""

from __future__ import annotations

import copy
import re
from dataclasses import replace
from datetime import UTC, datetime, time
from html import unescape
from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader
from tests.frames.evidence_maker import RECORD, RESULTS
from tests.render.specimen_review import contents_of, inputs_of, with_body, words_of
from tests.render.test_decision import DECISION
from tests.triage.test_evaluate import AS_OF as EVALUATED_AS_OF
from tests.triage.test_evaluate import changed, clear_customer
from tests.triage.test_supersession import two_sessions

from kycpack.evidence import Evidence
from kycpack.render import CasePeople, ReviewContents, build_contents, render_review_pdf
from kycpack.render.document_parts import Cell
from kycpack.render.drawing import POINT
from kycpack.render.palette import Tone
from kycpack.render.pdf_pages import MARGIN, TEXT_WIDTH, Sheet
from kycpack.render.review.cover import codes_words
from kycpack.render.review.decision import CaseRecord
from kycpack.render.review.html import render_summary_html
from kycpack.render.review.reasons import Reason
from kycpack.render.text_runs import runs, width_of
from kycpack.render.typefaces import Face
from kycpack.triage.judge.findings import LACKS_FILE


def test_page_one_answers_what_why_what_is_missing_and_who(
    pages: list[str], contents: ReviewContents
) -> None:
    for said in (
        "Enhanced due diligence",
        contents.headline,
        "No decision recorded",
        "A. Analyst",
        "No second reviewer",
        "30 Jun 2026, 12:00 UTC",
        "default-uk",
        "What is not known",
        "Share of credits whose nature is known",
        "Zofia Kowalczyk-Łaska",
    ):
        assert said in pages[0]


def test_a_pack_that_nobody_prepared_says_what_that_means(
    contents: ReviewContents, specimen: Evidence
) -> None:
    said = "Nobody is named as having prepared this pack: the setting “analyst” (KYCPACK_ANALYST) was empty"
    for made, is_said in ((contents_of(specimen), True), (contents, False)):
        assert ("Nobody named" in render_summary_html(made)) == is_said
        assert (said in words_of(made.section("decision"))) == is_said


def test_page_one_names_the_person_and_how_each_kind_of_check_stands(pages: list[str]) -> None:
    for said in ("Born", "14 Mar 1986", "Nationality", "Poland (PL)", "Document", "Passport, Poland (PL)"):
        assert said in pages[0]
    for label in ("Document", "Address", "Identity", "Screening", "Bank", "Payment"):
        assert label in pages[0]


def test_the_strip_of_checks_is_not_cut(contents: ReviewContents) -> None:
    tone, words = Tone.WATCH, ("Clear", "No red flag", "Supported", "Clear", "No red flag", "Clear")
    strip = tuple(
        (label, Cell(f"{said}, see findings", tone))
        for (label, _), said in zip(contents.strip, words, strict=True)
    )
    page = PdfReader(BytesIO(render_review_pdf(replace(contents, strip=strip)))).pages[0].extract_text()
    assert page.count("see findings") == len(strip)
    assert page.count("No red flag") == 2


@pytest.mark.parametrize(
    "said",
    [
        "Name does not match",
        "Date of birth does not match",
        "1 red flag, name does not match",
        "Name in part different",
        "No red flag, name in part different",
    ],
)
def test_a_detail_that_does_not_match_is_not_cut_in_the_strip(contents: ReviewContents, said: str) -> None:
    strip = tuple((label, Cell(said, Tone.WATCH)) for label, _ in contents.strip)
    page = PdfReader(BytesIO(render_review_pdf(replace(contents, strip=strip)))).pages[0].extract_text()
    whole = " ".join(page.split())
    assert "…" not in whole[whole.index("Payment") : whole.index("As of")]
    assert page.count(said.rsplit(maxsplit=1)[-1]) >= len(strip)


def test_a_name_of_three_thousand_characters_stands_whole_and_no_page_one_is_lost(specimen: Evidence) -> None:
    name = " ".join(f"Name{number:04d}" for number in range(330))
    contents = contents_of(with_body(specimen, "customers.get", {"firstName": name}))
    pages = [page.extract_text() for page in PdfReader(BytesIO(render_review_pdf(contents))).pages]
    assert "…" in pages[0]
    assert "Recommendation".upper() in pages[0]
    assert all(f"Name{number:04d}" in " ".join(pages[1:]) for number in range(330))


def test_the_steps_have_numbers_and_no_bullets_beside_them(contents: ReviewContents) -> None:
    page = render_summary_html(contents)
    assert len(contents.steps) > 1
    for step in contents.steps:
        assert f"<li>{step[:3]}" not in page


def test_page_one_says_of_a_session_that_a_later_one_replaces_that_it_no_longer_counts() -> None:
    made = contents_of(two_sessions(), datetime.combine(EVALUATED_AS_OF, time(12), UTC))
    assert (made.level, made.headline) == ("approve", LACKS_FILE)
    assert (made.reasons, made.unknowns, made.routes) == ((), (), ())
    assert {label: cell.text for label, cell in made.strip[:4]} == {
        "Document": "Clear",
        "Address": "Clear by provider, date of proof not shown",
        "Identity": "Clear",
        "Screening": "Clear by provider, 6 categories not seen",
    }
    assert "Sessions: 5 gaps of S1, which S2 replaces" in [line.text for line in made.missing]
    said = words_of(made.section("findings"))
    assert said.startswith("0 findings. ")
    assert "Session S1 is expired and was followed by the complete session S2 of 10 May 2026" in said


def test_the_longest_words_of_page_one_stay_inside_the_margin(
    contents: ReviewContents, monkeypatch: pytest.MonkeyPatch
) -> None:
    share = replace(
        contents.shares[0],
        natures=dict.fromkeys(contents.shares[0].natures, 1_111_111_11),
        evidence=dict.fromkeys(contents.shares[0].evidence, 222_222_22),
        own_transfer_minor=123_456_789_01,
    )
    ends, put = {}, Sheet.put

    def noted(sheet: Sheet, x: float, baseline: float, text: Any, **more: Any) -> float:
        width = put(sheet, x, baseline, text, **more)
        if more.get("align", "left") == "left":
            said = text if isinstance(text, str) else "".join(run.text for run in text)
            ends[said] = x + width
        return width

    monkeypatch.setattr(Sheet, "put", noted)
    render_review_pdf(replace(contents, shares=(share,)))
    assert [said for said, end in ends.items() if end > MARGIN + TEXT_WIDTH + 0.01] == []
    assert sum("% " in said and "regular, nature not established" in said for said in ends) == 2


@pytest.mark.parametrize(
    ("state", "bold", "plain"),
    [
        ("Date of birth does not match", "Date of birth does not match", ""),
        ("Name does not match", "Name does not match", ""),
        ("Clear by provider, 12 categories not seen", "Clear by provider", "12 categories not seen"),
        ("12 red flags, 12 checks open", "12 red flags", "12 checks open"),
        ("12 red flags, some share payments", "12 red flags", "some share payments"),
        ("Clear by provider, date of proof not shown", "Clear by provider", "date of proof not shown"),
        ("Attention, not every list named", "Attention", "not every list named"),
        ("Supported, payee not known", "Supported", "payee not known"),
        ("In part different, date of proof not shown", "In part different", "date of proof not shown"),
        ("Newer evidence, this pack: name differs", "Newer evidence", "this pack: name differs"),
        ("Source not known, no red flag", "Source not known", "no red flag"),
    ],
)
def test_a_tile_sets_its_state_in_one_weight_and_cuts_nothing(
    contents: ReviewContents, monkeypatch: pytest.MonkeyPatch, state: str, bold: str, plain: str
) -> None:
    shown: dict[bool, list[str]] = {True: [], False: []}
    put = Sheet.put

    def noted(sheet: Sheet, x: float, baseline: float, text: Any, **more: Any) -> float:
        if isinstance(text, str) and text and text in state:
            assert width_of(runs(text, more.get("face", Face.SANS)), more["size"]) <= more["room"] / POINT
            shown[more.get("face") == Face.STRONG].append(text)
        return put(sheet, x, baseline, text, **more)

    monkeypatch.setattr(Sheet, "put", noted)
    render_review_pdf(replace(contents, strip=(("Bank", Cell(state)),) * 6))
    each = [
        " ".join(parts)
        for parts in (shown[True][: len(shown[True]) // 6], shown[False][: len(shown[False]) // 6])
    ]
    assert each == [bold, plain]


def test_what_has_no_room_on_page_one_is_named_there_with_its_page(
    contents: ReviewContents, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kycpack.render.review.pdf._LEAST_FOR_REASONS", 250.0)
    made = PdfReader(BytesIO(render_review_pdf(contents)))
    first, second = (" ".join(page.extract_text().split()) for page in made.pages[:2])
    assert "“Why”, “What is not known”, and credits with their chart: page 2" in first
    assert "Credits by month" not in first
    assert " Why " not in first
    assert "Credits by month" in second
    assert " Why " in f" {second}"


def test_page_one_says_how_many_people_decide_however_long_the_first_step_is(
    contents: ReviewContents,
) -> None:
    by_two = "An approval or a rejection takes two people, one of them the MLRO, because it ends the hold."
    long = "1. MLRO: hold the case; " + "establish the background and purpose of a payment; " * 20
    to_do = replace(contents.to_do, steps=(long, "2. MLRO: record the decision."), people=by_two)
    made = render_review_pdf(replace(contents, to_do=to_do))
    assert by_two in " ".join(PdfReader(BytesIO(made)).pages[0].extract_text().split())


@pytest.mark.parametrize("decided", [False, True])
def test_the_codes_of_page_one_are_explained_on_it_in_the_same_words_in_every_pack(
    specimen: Evidence, *, decided: bool
) -> None:
    record = CaseRecord(DECISION) if decided else None
    made = build_contents(replace(inputs_of(specimen), case=CasePeople("case-1", record=record)))
    first = " ".join(PdfReader(BytesIO(render_review_pdf(made))).pages[0].extract_text().split())
    said = (
        "Codes: E, M, R evidence (“Evidence index”); F findings, numbered by a decision, and codes such as SES-2 rules "
        "(“Findings”); S, A, P sessions, accounts, payments (“The customer”)."
    )
    assert said in first
    assert said in unescape(re.sub("<[^>]*>", "", render_summary_html(made)))
    assert {"Evidence index", "Findings", "The customer"} <= {section.title for section in made.sections}


def test_page_one_says_once_which_words_are_the_provider_s_own_and_what_a_mark_stands_for(
    contents: ReviewContents,
) -> None:
    said = "Document rejected by the provider: data integrity 'attention' (E-03)"
    results = Reason("OUT-document", said, "Analyst", "reject", "decline", path="document.outcome")
    match = Reason("SAN-1", "A match: 'attention' (E-03)", "MLRO", "escalate", path="screening.summary.x")
    unclear = replace(match, rule_id="IDN-1", path="identity.faceAnalysis")
    check = replace(results, rule_id="DOC-2", text="Data integrity: 'attention' or 'consider' (E-03)")
    names = Reason(
        "CON-1",
        "“Bishop's and smith's”, “\u202egnihton” (E-01)",
        "Analyst",
        "review",
        path="consistency.name",
    )
    explained = "'attention' is a word of the provider that its interface does not define; it is treated as "
    rejected = "a rejection, because the provider's outcome is rejected."
    mark = "<U+202E> is a control character, shown by the code point."
    for reasons, present in (((results, check), [explained]), ((names,), [mark]), ((), [])):
        made = replace(contents, reasons=reasons, unknowns=())
        first = " ".join(PdfReader(BytesIO(render_review_pdf(made))).pages[0].extract_text().split())
        for page in (first, unescape(re.sub("<[^>]*>", "", render_summary_html(made)))):
            assert [one for one in (explained, mark) if one in page] == present
            assert page.count("is a word of the provider") == present.count(explained)
    for reasons, treated in (
        ((results,), rejected),
        ((match, results), f"a possible match and as {rejected}"),
        ((unclear,), "a point to clarify."),
    ):
        assert f"{explained}{treated}" in codes_words(replace(contents, reasons=reasons, unknowns=()))


def test_the_word_consider_of_the_provider_is_explained_where_it_is_shown_and_nowhere_else() -> None:
    explained = "“Consider” is the provider's word for possible issues."
    clear = contents_of(clear_customer())
    assert explained not in codes_words(clear)
    shown = replace(clear, strip=(("Address", Cell("Consider, 1 check open")),) * 6)
    assert explained in codes_words(shown)
    first = PdfReader(BytesIO(render_review_pdf(shown))).pages[0].extract_text()
    assert explained in " ".join(first.split())
    results = copy.deepcopy(RESULTS)
    results["screening"] |= {"outcome": "consider", "matchCount": 2}
    made = contents_of(clear_customer(results))
    assert "Consider" in words_of(made.section("results"))
    assert explained in words_of(made.section("results"))
    assert explained not in words_of(clear.section("results"))
    on_page = any(cell.text.startswith("Consider") for _, cell in made.strip)
    assert (explained in codes_words(made)) == on_page


def test_the_scale_of_the_levels_stands_beside_the_recommended_one(contents: ReviewContents) -> None:
    said = "Levels: approve, manual review, enhanced due diligence, escalate, reject"
    first = " ".join(PdfReader(BytesIO(render_review_pdf(contents))).pages[0].extract_text().split())
    assert said in first
    assert said in render_summary_html(contents)


def test_each_detail_of_the_person_gives_its_evidence_and_a_licence_gives_no_nationality() -> None:
    made = contents_of(clear_customer())
    assert [label for label, _ in made.person] == [
        "Born (E-01)",
        "Nationality (E-03)",
        "Address (E-01)",
        "Document (E-03)",
    ]
    assert made.person[1][1].text == "United Kingdom (GB)"
    licence = contents_of(clear_customer(changed("document.document.documentType", "driving_licence")))
    assert licence.person[1][1].text == "United Kingdom (GB), as the provider gives it"
    page = PdfReader(BytesIO(render_review_pdf(made))).pages[0].extract_text()
    for label, _ in made.person:
        assert label in page
    set_ = " ".join(PdfReader(BytesIO(render_review_pdf(licence))).pages[0].extract_text().split())
    assert "as the provider gives it" in set_


def test_a_postcode_is_not_broken() -> None:
    for number in range(20):
        street = "1 " + "W" * number + "High Street"
        record = RECORD | {"address": RECORD["address"] | {"addressLine1": street, "postalCode": "LS11 9AU"}}
        page = PdfReader(BytesIO(render_review_pdf(contents_of(clear_customer(record=record))))).pages[0]
        assert "LS11 9AU" in page.extract_text()
