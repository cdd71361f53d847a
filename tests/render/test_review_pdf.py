"""The review says what was found and what was not, in words, on every page as one document."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import pandas as pd
import pikepdf
import pytest
from pypdf import PdfReader

from kycpack.assets import asset_path
from kycpack.evidence import Evidence, load_evidence
from kycpack.frames import flatten
from kycpack.models.json import canonical_json, parse_json
from kycpack.pack import build_review
from kycpack.pack.printed_values import squeezed
from kycpack.render import (
    Case,
    Results,
    ReviewContents,
    build_contents,
    render_review_pdf,
    render_summary_html,
    section_markup,
)
from kycpack.render.document_parts import REFERENCE, Cell, Column, Section, Subheading, Table, table
from kycpack.render.pdf_pages import MARGIN, TEXT_WIDTH, Sheet, Stamp
from kycpack.render.pdf_sections import set_block
from kycpack.render.review.bank_limits import limits_of
from kycpack.render.review.credit_sources import sections
from kycpack.render.review.gaps import limits_section
from kycpack.render.review.reasons import Reason, Unknown, headline_of, reasons_of
from kycpack.render.review.short_names import ShortNames
from kycpack.render.wording import disposition_words
from kycpack.triage import evaluate, load_policy
from kycpack.wealth import derive
from kycpack.wealth.judge.coverage import DISPOSITIONS

AS_OF = datetime(2026, 6, 30, 12, tzinfo=UTC)


def contents_of(evidence: Evidence, as_of: datetime = AS_OF, **case: str) -> ReviewContents:
    frames, policy = flatten(evidence), load_policy()
    wealth = derive(
        frames.transactions,
        frames.customers,
        frames.accounts,
        frames.balances,
        thresholds=policy.thresholds,
        as_of=as_of,
    )
    triage = evaluate(frames, policy, wealth=wealth, as_of=as_of)
    return build_contents(Results(evidence, frames, wealth, triage, policy, as_of, Case("case-1", **case)))


@pytest.fixture(scope="module")
def specimen() -> Evidence:
    return load_evidence(asset_path("samples/evidence/index.json").parent)


@pytest.fixture(scope="module")
def contents(specimen: Evidence) -> ReviewContents:
    return contents_of(specimen, prepared_by="A. Analyst")


@pytest.fixture(scope="module")
def pages(contents: ReviewContents) -> list[str]:
    reader = PdfReader(BytesIO(render_review_pdf(contents)))
    return [" ".join(page.extract_text().split()) for page in reader.pages]


def with_body(evidence: Evidence, operation: str, change: dict) -> Evidence:
    """Return evidence in which an answer says something else."""
    entry = evidence.select(operation)[0]
    body = canonical_json(parse_json(evidence.body(entry.id)) | change)
    return Evidence(evidence.customer_id, evidence.entries, {**evidence.bodies, entry.id: body})


def only(evidence: Evidence, *operations: str) -> Evidence:
    """Return evidence in which nothing else was asked."""
    entries = tuple(entry for entry in evidence.entries if entry.operation in operations)
    return Evidence(evidence.customer_id, entries, {e.id: evidence.bodies[e.id] for e in entries if e.file})


def test_page_one_answers_what_why_what_is_missing_and_who(
    pages: list[str], contents: ReviewContents
) -> None:
    for said in (
        "Enhanced due diligence",
        contents.headline,
        "No decision recorded",
        "A. Analyst",
        "Nobody named",
        "30 Jun 2026, 12:00 UTC",
        "default-uk",
        "What is not known",
        "of known nature",
        "Zofia Kowalczyk-Łaska",
    ):
        assert said in pages[0]


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


def test_what_cannot_be_shown_has_a_section_with_refusals_and_timeouts(pages: list[str]) -> None:
    text = " ".join(pages)
    assert "What this pack cannot show" in text
    assert "refused with status 403" in text
    assert "was not answered in time" in text
    assert "Accounts that the customer did not link cannot be seen." in text


def test_a_session_without_results_stands_in_the_outcomes_as_missing(contents: ReviewContents) -> None:
    for key in ("results", "screening"):
        rows = [row for block in contents.section(key).blocks for row in getattr(block, "rows", ())]
        assert any(row[0].text == "S2" and row[1].text == "Missing" for row in rows)


def test_every_entry_of_the_evidence_is_in_the_index_with_its_hash(
    pages: list[str], specimen: Evidence
) -> None:
    text = "".join(" ".join(pages).split())
    for entry in specimen.entries:
        assert entry.id in text
        assert entry.sha256 is None or entry.sha256 in text


def test_each_figure_of_the_ledger_is_printed_to_the_penny(
    pages: list[str], contents: ReviewContents
) -> None:
    text = " ".join(pages)
    share = contents.shares[0]
    assert share.total_minor == sum(share.natures.values())
    assert share.natures["known"] == sum(share.evidence.values())
    for minor in (share.total_minor, share.own_transfer_minor):
        assert f"{minor // 100:,}.{minor % 100:02d} GBP" in text
    for percent, (words, _, _) in zip(share.percents.values(), share.parts, strict=True):
        assert f"{percent} {words}" in text


def test_what_is_unknown_for_one_cause_is_one_sentence_with_the_count_of_the_recommendation(
    pages: list[str], contents: ReviewContents, specimen: Evidence
) -> None:
    """The index of a run prints the review's sentence, and the queue the recommendation's."""
    (unknown,) = [one for one in contents.unknowns if len(one.titles) > 20]
    assert "S2" in unknown.sessions
    assert f"{len(unknown.titles)} checks could not be evaluated" in unknown.text
    assert "(E-" in unknown.text
    assert unknown.text in " ".join(pages[0].split())
    frames = flatten(specimen)
    wealth = derive(frames.transactions, frames.customers, frames.accounts, frames.balances, as_of=AS_OF)
    reasons = evaluate(frames, wealth=wealth, as_of=AS_OF).recommendations["reasons"].iloc[0]
    together = [re.search(r": (\d+) checks could not be evaluated", reason) for reason in reasons]
    counts = sorted(int(one.group(1)) for one in together if one)
    assert counts == sorted(len(one.titles) for one in contents.unknowns if len(one.titles) > 1)


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
    assert "cannot be shown" in hostile.missing[0].text


def test_a_customer_of_whom_nothing_was_answered_still_gets_a_review(specimen: Evidence) -> None:
    empty = contents_of(only(specimen, "register.known", "onboarding.download"))
    text = " ".join(page.extract_text() for page in PdfReader(BytesIO(render_review_pdf(empty))).pages)
    assert empty.level != "approve"
    assert "Name not known" in text
    assert "nothing is known" in " ".join(text.split())
    assert empty.shares == ()


def test_limits_of_the_bank_data_are_told_as_of_the_date(specimen: Evidence) -> None:
    late = contents_of(specimen, as_of=datetime(2026, 12, 1, tzinfo=UTC))
    text = " ".join(
        cell.text for b in late.section("limits").blocks for row in getattr(b, "rows", ()) for cell in row
    )
    assert "Access to account **-**-27 ****4471 expired on 18 Sep 2026." in text
    assert "No transactions of account **-**-27 ****4471 were seen after 23 Jun 2026" in text


def limits_without(specimen: Evidence, account: str, months: set[str]) -> list[str]:
    """Return what the limits say when an account has no transactions in some months."""
    frames = flatten(specimen)
    booked = frames.transactions["booked_on"].dt.strftime("%Y-%m")
    gone = booked.isin(months) & (frames.transactions["account_id"].astype("string") == account)
    left = replace(frames, transactions=frames.transactions[~gone])
    credits_ = derive(left.transactions, as_of=AS_OF).credits
    return list(limits_of(left, credits_, AS_OF)["message"])


def test_months_without_transactions_are_named_with_the_account(specimen: Evidence) -> None:
    said = "No transactions of account **-**-27 ****4471 in 2 months between the first and the last: Jul 2025 to Aug 2025."
    assert said in limits_without(specimen, "acc_main", {"2025-07", "2025-08"})


def test_all_missing_months_of_a_quarterly_account_are_one_sentence(specimen: Evidence) -> None:
    quarters = {"2025-01", "2025-04", "2025-07", "2025-10", "2026-01", "2026-04", "2026-06"}
    every = {f"{year}-{month:02d}" for year in (2025, 2026) for month in range(1, 13)}
    about = [line for line in limits_without(specimen, "acc_save", every - quarters) if "****9020" in line]
    (sentence,) = (line for line in about if "between the first and the last" in line)
    assert sentence.startswith("No transactions of account **-**-27 ****9020 in 11 months")
    assert sentence.endswith(
        "Feb 2025 to Mar 2025, May 2025 to Jun 2025, Aug 2025 to Sep 2025, Nov 2025 to Dec 2025, Feb 2026 to Mar 2026, "
        "May 2026."
    )


def test_of_very_many_gaps_the_first_are_printed_and_all_are_counted(specimen: Evidence) -> None:
    gaps = pd.DataFrame(
        {
            "area": ["bank"] * 500,
            "code": ["transaction_misfit"] * 500,
            "message": [f"transaction {number} of page E-11: it has no currency" for number in range(500)],
            "subject": ["acc_main"] * 500,
            "evidence_id": ["E-11"] * 500,
        }
    )
    section = limits_section(gaps, ShortNames(()))
    rows = [row for block in section.blocks for row in getattr(block, "rows", ())]
    said = " ".join(block.text for block in section.blocks if hasattr(block, "text"))
    assert 0 < len(rows) < 500
    assert "the others are in the frame" in said
    assert "500 transaction misfit" in said


def test_page_one_names_the_person_and_how_each_kind_of_check_stands(pages: list[str]) -> None:
    for said in ("Born", "14 Mar 1986", "Nationality", "PL", "Document", "Passport"):
        assert said in pages[0]
    for label in ("Document", "Address", "Identity", "Screening", "Bank", "Payment"):
        assert label in pages[0]


def test_each_reason_is_a_sentence_with_its_evidence(contents: ReviewContents) -> None:
    assert contents.reasons
    for reason in contents.reasons:
        assert REFERENCE.search(reason.text)


def test_a_rejection_does_not_hide_what_has_to_be_escalated(specimen: Evidence) -> None:
    results = specimen.select("onboarding.results")[0]
    body = parse_json(specimen.body(results.id))
    body["document"]["outcome"] = "rejected"
    body["screening"]["summary"]["watchlist"]["sanctionsLists"] = "match_confirmed"
    changed = with_body(specimen, "onboarding.results", body)
    contents = contents_of(changed)
    assert contents.level == "reject"
    page = " ".join(PdfReader(BytesIO(render_review_pdf(contents))).pages[0].extract_text().split())
    assert "Also escalate to MLRO" in page
    assert "anction" in contents.headline
    assert dict(contents.strip)["Screening"].text == "Match confirmed"


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
        assert all(pdf.pages.index(pikepdf.Page(link.Dest[0])) >= last - 3 for link in links)
    html = section_markup(contents.section("findings")) + section_markup(contents.section("evidence"))
    assert '<a href="#E-03">E-03</a>' in html
    assert 'id="E-03"' in html


def test_a_name_of_three_thousand_characters_stands_whole_and_no_page_one_is_lost(specimen: Evidence) -> None:
    name = " ".join(f"Name{number:04d}" for number in range(330))
    contents = contents_of(with_body(specimen, "customers.get", {"firstName": name}))
    pages = [page.extract_text() for page in PdfReader(BytesIO(render_review_pdf(contents))).pages]
    assert "…" in pages[0]
    assert "Recommended level".upper() in pages[0]
    assert all(f"Name{number:04d}" in " ".join(pages[1:]) for number in range(330))


def test_the_matrix_shows_the_compared_values(contents: ReviewContents) -> None:
    (matrix,) = [block for block in contents.section("consistency").blocks if hasattr(block, "rows")]
    texts = {cell.text for row in matrix.rows for cell in row}
    assert "Record: Zofia Kowalczyk-Łaska" in texts
    assert "Record: 14 Mar 1986" in texts


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


def test_no_word_of_common_length_is_broken(specimen: Evidence) -> None:
    titles = ["Unknown", "Confirmed", "Enhanced", "Verification", "Not processed"]
    shown = table([Column(title, 0.2) for title in titles] + [Column("Text", 9.0)], [[*titles, "word " * 60]])
    sheet = Sheet(Stamp("t", "c", (), AS_OF))
    set_block(sheet, shown)
    words = PdfReader(BytesIO(sheet.finish())).pages[0].extract_text().split()
    for title in titles:
        assert set(title.split()) <= set(words)


def test_page_one_names_who_else_is_meant_and_what_leaves_the_pack_does_not() -> None:
    finding = {
        "outcome": "HIT",
        "level": "reject",
        "rule_id": "CON-1",
        "owner": "Analyst",
        "action": "ask",
        "sentence": "The name on the document differs from the customer record (E-01, E-03)",
        "evidence_ids": ["E-01", "E-03"],
        "path": "consistency.name.record.document",
    }
    hidden = {**finding, "level": "escalate", "rule_id": "CON-2", "owner": "MLRO"}
    compared = {
        "field": "name",
        "left": "record",
        "right": "document",
        "verdict": "different",
        "right_value": "MAREK UNDERHILL",
    }
    found = pd.DataFrame([finding, hidden])
    for name in ("session_id", "title", "cause"):
        found[name] = ""
    reasons = reasons_of(found, ShortNames(()), pd.DataFrame([compared]))
    assert [reason.text for reason in reasons] == [
        "The name on the document differs from the customer record: MAREK UNDERHILL (E-01, E-03)"
    ] * 2
    headline = headline_of(reasons, (), "")
    assert headline == (
        "The name on the document differs from the customer record (E-01, E-03). "
        "Also escalate to MLRO: The name on the document differs from the customer record (E-01, E-03)"
    )


def test_what_is_not_known_stands_first_where_it_alone_raises_the_level() -> None:
    unknown = Unknown("The session has no results", ("A", "B"), ("R",), "edd", ("MLRO",), ("S1",), ("E-02",))
    reason = Reason("SES-3", "The identity step was not finished (E-02)", "Analyst", "review")
    assert headline_of((reason,), (unknown,), "") == unknown.text
    assert headline_of((replace(reason, level="edd"),), (unknown,), "") == reason.text
    assert headline_of((), (), "Nothing stands against approval.") == "Nothing stands against approval."


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
    assert [text for text in told if path.search(text)] == []


@pytest.mark.parametrize("rows", [44, 51])
def test_no_row_of_a_table_stands_alone_on_its_last_page(rows: int) -> None:
    columns = (Column("Id"), Column("Words"))
    shown = table(columns, [(Cell(f"E-{row:02d}"), Cell("two lines " * 12)) for row in range(rows)], "")
    for before in (0, 9, 18, 27):
        sheet = Sheet(Stamp("t", "c", (), AS_OF))
        sheet.y += before
        set_block(sheet, shown)
        last = PdfReader(BytesIO(sheet.finish())).pages[-1].extract_text()
        assert len(re.findall(r"E-\d\d", last)) >= 3


def test_page_one_calls_no_part_of_the_credits_by_a_word_of_the_ledger(contents: ReviewContents) -> None:
    """The ledger says how each credit is counted, page one whether its nature is known: two things, two words."""
    parts = {words for words, _, _ in contents.shares[0].parts}
    assert not parts & {disposition_words(name).lower() for name in DISPOSITIONS}


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
    assert sum("nature not known" in said for said in ends) == 2


def words_of(section: Section) -> str:
    cells = (cell.text for block in section.blocks for row in getattr(block, "rows", ()) for cell in row)
    return " ".join([*cells, *(block.text for block in section.blocks if hasattr(block, "text"))])


def seen_beside(contents: ReviewContents, check: str) -> str:
    """Return what the annex of clear checks says beside a check."""
    rows = [
        [cell.text for cell in row]
        for block in contents.section("clear").blocks
        for row in getattr(block, "rows", ())
    ]
    pairs = [(row[place], row[place + 1]) for row in rows for place in (0, 2)]
    return dict(pairs)[check]


def test_the_annex_says_of_every_check_what_was_seen(contents: ReviewContents) -> None:
    assert seen_beside(contents, "Other watchlists") == "no match reported"
    assert seen_beside(contents, "PEP in the firm's file") == "none recorded"
    assert seen_beside(contents, "Forged or stolen document") == "no word of it in the results"
    assert "–" not in words_of(contents.section("clear"))


def test_single_credits_are_named_with_payer_day_and_evidence(specimen: Evidence) -> None:
    frames = flatten(specimen)
    booked = frames.transactions
    sale = booked.head(1).assign(
        txn_id="sale", amount_minor=18_354_900, description_raw="DENHOLM CONVEYANCING HOUSE SALE",
        counterparty_name="Denholm Conveyancing", counterparty_account=None, merchant_name=None, bank_code=None, purpose=None, booked_on=pd.Timestamp("2026-05-19"),
    )  # fmt: skip
    wealth = derive(pd.concat([booked, sale], ignore_index=True), as_of=AS_OF)
    customer = str(booked["customer_id"].iloc[0])
    streams, *_ = sections(wealth, customer, frozenset())
    assert "Denholm Conveyancing Sale of property (keyword) 183,549.00 GBP 19 May 2026" in words_of(streams)


def test_where_no_bank_data_was_seen_no_pattern_was_looked_for(
    contents: ReviewContents, specimen: Evidence
) -> None:
    nothing = derive(flatten(specimen).transactions.head(0), as_of=AS_OF)
    flags = next(one for one in sections(nothing, "C1", frozenset()) if one.key == "flags")
    assert words_of(flags) == "No bank transactions were seen, so nothing was looked at for patterns."
    assert "nothing was looked at" not in words_of(contents.section("flags"))


def test_a_reason_too_long_for_page_one_keeps_the_evidence_it_rests_on(contents: ReviewContents) -> None:
    long = "Money moved on: " + "4 credits in and 4 payments out, " * 12 + "in all (E-07, E-09 to E-15)"
    reason = Reason("WLT-1", long, "MLRO", "edd")
    reader = PdfReader(BytesIO(render_review_pdf(replace(contents, reasons=(reason,), unknowns=()))))
    first = " ".join(reader.pages[0].extract_text().split())
    assert re.search(r"…\s*\(E-07, E-09 to E-15\)", first)


@pytest.mark.parametrize("reasons", [1, 3, 5, 7, 9])
@pytest.mark.parametrize("long", [1, 8])
def test_page_one_leaves_nothing_out_without_saying_so(
    contents: ReviewContents, reasons: int, long: int
) -> None:
    why = tuple(
        Reason(f"R-{n}", f"Found {n} " + "and more of it " * long, "MLRO", "edd") for n in range(reasons)
    )
    made = render_review_pdf(replace(contents, reasons=why, unknowns=()))
    first = " ".join(PdfReader(BytesIO(made)).pages[0].extract_text().split())
    shown = sum(f"R-{n} " in first for n in range(reasons))
    assert shown == reasons or "Further reasons are in" in first
    assert (
        all(squeezed(line.text)[:30] in squeezed(first) for line in contents.missing)
        or "Further gaps" in first
    )
    assert "Credits by month" in first or "The chart of credits by month is in" in first
