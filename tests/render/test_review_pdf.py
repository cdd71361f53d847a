"""The review says what was found and what was not, in words, on every page as one document."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO

import pandas as pd
import pikepdf
import pytest
from pypdf import PdfReader

from kycpack.assets import asset_path
from kycpack.evidence import Evidence, load_evidence
from kycpack.frames import flatten
from kycpack.models.json import canonical_json, parse_json
from kycpack.render import Case, Dossier, Results, build_dossier, render_review_pdf, render_summary_html
from kycpack.render.review.gaps import limits_section
from kycpack.render.review.history import limits_of
from kycpack.triage import evaluate, load_policy
from kycpack.wealth import derive

AS_OF = datetime(2026, 6, 30, 12, tzinfo=UTC)


def dossier_of(evidence: Evidence, as_of: datetime = AS_OF, **case: str) -> Dossier:
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
    return build_dossier(Results(evidence, frames, wealth, triage, policy, as_of, Case("case-1", **case)))


@pytest.fixture(scope="module")
def specimen() -> Evidence:
    return load_evidence(asset_path("samples/evidence/index.json").parent)


@pytest.fixture(scope="module")
def dossier(specimen: Evidence) -> Dossier:
    return dossier_of(specimen, prepared_by="A. Analyst")


@pytest.fixture(scope="module")
def pages(dossier: Dossier) -> list[str]:
    reader = PdfReader(BytesIO(render_review_pdf(dossier)))
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


def test_page_one_answers_what_why_what_is_missing_and_who(pages: list[str], dossier: Dossier) -> None:
    for said in (
        "Enhanced due diligence",
        dossier.top_reason,
        "No decision recorded",
        "A. Analyst",
        "Nobody named",
        "30 Jun 2026, 12:00 UTC",
        "default-uk",
        "What is missing",
        f"of {103_637.62:,} GBP explained",
        "Zofia Kowalczyk-Łaska",
    ):
        assert said in pages[0]


def test_every_page_has_classification_case_date_policy_root_and_number(
    pages: list[str], dossier: Dossier
) -> None:
    for number, page in enumerate(pages, start=1):
        assert page.count("CONFIDENTIAL: CUSTOMER DUE DILIGENCE") == 2
        for said in (
            "Case case-1",
            "As of 30 Jun 2026, 12:00 UTC",
            dossier.evidence_root,
            f"Page {number} of {len(pages)}",
        ):
            assert said in page


def test_what_cannot_be_shown_has_a_section_with_refusals_and_timeouts(pages: list[str]) -> None:
    text = " ".join(pages)
    assert "What this pack cannot show" in text
    assert "refused with status 403" in text
    assert "was not answered in time" in text
    assert "Accounts that the customer did not link cannot be seen." in text


def test_a_session_without_results_stands_in_the_outcomes_as_missing(dossier: Dossier) -> None:
    for key in ("results", "screening"):
        rows = [row for block in dossier.section(key).blocks for row in getattr(block, "rows", ())]
        assert any(row[0].text == "ses_77AB10" and row[1].text == "Missing" for row in rows)


def test_every_entry_of_the_evidence_is_in_the_index_with_its_hash(
    pages: list[str], specimen: Evidence
) -> None:
    text = "".join(" ".join(pages).split())
    for entry in specimen.entries:
        assert entry.id in text
        assert entry.sha256 is None or entry.sha256 in text


def test_each_figure_of_the_ledger_is_printed_to_the_penny(pages: list[str], dossier: Dossier) -> None:
    text = " ".join(pages)
    share = dossier.shares[0]
    assert share.total_minor == share.explained_minor + share.small_minor + share.unexplained_minor
    for minor in (share.total_minor, share.unexplained_minor):
        assert f"{minor // 100:,}.{minor % 100:02d} GBP" in text


def test_page_one_and_the_notebook_say_what_could_not_be_told(pages: list[str], dossier: Dossier) -> None:
    (line,) = dossier.untold
    assert "could not be told for session ses_77AB10" in line
    assert line in pages[0]
    assert line in render_summary_html(dossier)


def test_the_pdf_carries_its_figures(dossier: Dossier) -> None:
    with pikepdf.open(BytesIO(render_review_pdf(dossier))) as pdf:
        attached = pdf.attachments["figures.json"].get_file().read_bytes()
    assert parse_json(attached) == dossier.figures()


def test_the_same_dossier_gives_the_same_bytes(dossier: Dossier) -> None:
    assert render_review_pdf(dossier) == render_review_pdf(dossier)


def test_hostile_names_are_text_in_pdf_and_html(specimen: Evidence) -> None:
    names = {"firstName": "{nb}<script>alert(1)</script>", "lastName": "=1+1 \u202egnp.exe ꦲ"}
    hostile = dossier_of(with_body(specimen, "customers.get", names))
    text = " ".join(PdfReader(BytesIO(render_review_pdf(hostile))).pages[0].extract_text().split())
    assert "{nb}<script>alert(1)</script> =1+1 <U+202E>gnp.exe <U+A9B2>" in text
    page = render_summary_html(hostile)
    assert "<script" not in page
    assert "\u202e" not in page
    assert any("U+A9B2" in block.text for block in hostile.section("limits").blocks if hasattr(block, "text"))
    assert "cannot be shown" in hostile.missing[0]


def test_a_customer_of_whom_nothing_was_answered_still_gets_a_review(specimen: Evidence) -> None:
    empty = dossier_of(only(specimen, "register.known", "onboarding.download"))
    text = " ".join(page.extract_text() for page in PdfReader(BytesIO(render_review_pdf(empty))).pages)
    assert empty.level != "approve"
    assert "Name not known" in text
    assert "nothing is explained" in " ".join(text.split())
    assert empty.shares == ()


def test_limits_of_the_bank_data_are_told_as_of_the_date(specimen: Evidence) -> None:
    late = dossier_of(specimen, as_of=datetime(2026, 12, 1, tzinfo=UTC))
    text = " ".join(
        cell.text for b in late.section("limits").blocks for row in getattr(b, "rows", ()) for cell in row
    )
    assert "Access to this account expired on 18 Sep 2026." in text
    assert "No transactions were seen after 23 Jun 2026" in text


def test_months_without_transactions_are_named(specimen: Evidence) -> None:
    frames = flatten(specimen)
    booked = frames.transactions["booked_on"]
    gone = (booked >= pd.Timestamp("2025-07-01")) & (booked < pd.Timestamp("2025-09-01"))
    messages = limits_of(replace(frames, transactions=frames.transactions[~gone]), AS_OF)["message"]
    assert "No transactions in Jul 2025, Aug 2025." in set(messages)


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
    section = limits_section(gaps, ())
    rows = [row for block in section.blocks for row in getattr(block, "rows", ())]
    said = " ".join(block.text for block in section.blocks if hasattr(block, "text"))
    assert 0 < len(rows) < 500
    assert f"{500 - len(rows)} more are in the frame" in said
    assert "500 transaction_misfit" in said
