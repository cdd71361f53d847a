"""A full page one: what has no room for a line of its own is still named."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO
from typing import Any

import pandas as pd
import pytest
from pypdf import PdfReader
from tests.render.specimen_review import inputs_of
from tests.render.step_findings import NAMES, findings

from kycpack.evidence import Evidence
from kycpack.evidence.citations import CITATION
from kycpack.render import ReviewContents, build_contents, render_review_pdf
from kycpack.render.origin import value_of
from kycpack.render.pdf_pages import Sheet
from kycpack.render.review.gaps import Headline
from kycpack.render.review.pdf_reasons import _named
from kycpack.render.review.reasons import Reason, Unknown, reasons_of
from kycpack.render.review.short_names import ShortName, ShortNames
from kycpack.render.review.sums import Sums, totals_of

LONG = 113.0
"""Millimetres."""


@pytest.fixture(scope="module")
def full(specimen: Evidence) -> ReviewContents:
    return build_contents(inputs_of(specimen))


def page_one(contents: ReviewContents) -> str:
    made = PdfReader(BytesIO(render_review_pdf(contents)))
    return " ".join(made.pages[0].extract_text().split())


def red_flag(text: str, sum_: str) -> Reason:
    title = text.partition(":")[0]
    return Reason("WLT-2", text, "Analyst", "review", title=title, sum=sum_)


@pytest.mark.parametrize(("count", "is_cited"), [(14, True), (30, False)])
def test_gaps_without_a_line_of_their_own_are_named_by_title(
    full: ReviewContents,
    count: int,
    is_cited: bool,  # noqa: FBT001
) -> None:
    note = Headline("Newer evidence bears on this: F-9", is_note=True)
    gaps = [
        Headline(f"Source of {n},000.00 GBP of credits is unknown (E-{n})", area="Bank data", gaps=1)
        for n in range(10, 10 + count)
    ]
    last = Headline("3 limits of the service: it does not show if monitoring runs; unlinked accounts")
    checks = Headline("2 of 84 checks could not be evaluated: Mixed alphabets in names; Age (see “Findings”)")
    why = tuple(Reason(f"R-{n}", "Found " + "word " * 30 + "(E-03)", "MLRO", "edd") for n in range(9))
    first = page_one(replace(full, reasons=why, unknowns=(), missing=(note, *gaps, checks, last)))
    assert [line.text for line in gaps if line.text.removesuffix(line.text[-7:]) not in first] == []
    assert "further gap" not in first
    assert "credits is unknown (E-10)" in first
    assert (gaps[-1].text in first) == is_cited
    assert last.text in first
    assert checks.text in first


@pytest.mark.parametrize("count", [29, 31, 33, 45])
def test_limits_and_checks_keep_their_names_however_many_gaps_there_are(
    full: ReviewContents, count: int
) -> None:
    gaps = [
        Headline(f"Source of {n},000.00 GBP of credits is unknown (E-{n})", area="Bank data", gaps=1)
        for n in range(10, 10 + count)
    ]
    beside = (
        Headline("2 of 84 checks could not be evaluated: Mixed alphabets in names; Age (see “Findings”)"),
        Headline("3 limits of the service: it does not show if monitoring runs; unlinked accounts"),
    )
    why = tuple(Reason(f"R-{n}", "Found " + "word " * 30 + "(E-03)", "MLRO", "edd") for n in range(9))
    first = page_one(replace(full, reasons=why, unknowns=(), missing=(*gaps, *beside)))
    for line in beside:
        assert line.text in first
    named = sum(CITATION.sub("", line.text) in first for line in gaps)
    left = re.search(r"([0-9]+) further gaps? in “What this pack cannot show”: ([0-9]+) of Bank data", first)
    assert named + (int(left[1]) if left else 0) == count


def test_reasons_without_room_keep_what_they_are_their_sums_and_their_evidence() -> None:
    found = [
        red_flag("Large unexplained credit: 20,001.00 GBP on 26 Jul 2026 (E-13)", "20,001.00 GBP"),
        red_flag("Large unexplained credit: 22,801.00 GBP on 1 Aug 2026 (E-14)", "22,801.00 GBP"),
        red_flag(
            "Credits just below a limit: 5 just below 10,000.00 GBP, 48,174.00 GBP in all (E-13)",
            "48,174.00 GBP",
        ),
    ]
    assert _named(found, LONG) == (
        "WLT-2 Large unexplained credit: 20,001.00 GBP (E-13), 22,801.00 GBP (E-14); WLT-2 Credits just below a limit: 48,174.00 GBP (E-13)"
    )
    inside = Reason(
        "INT-1",
        "Consider an internal report (E-03)",
        "MLRO",
        "review",
        internal=True,
        title="Need for a report",
    )
    assert _named([inside], LONG) == "INT-1 Need for a report (E-03)"
    unlike = [replace(one, text="Something was found", sum="") for one in found[:2]]
    assert _named(unlike, LONG) == "WLT-2 Something was found: 2 findings"
    refused = "The session shows the identity as not confirmed, although the provider's outcome of the identity check is clear (E-02)"
    identity = Reason("SES-2", refused, "Analyst", "review", number="F-12", title="Identity confirmation")
    sources = Unknown(
        "No source", ("Source of wealth",), "edd", "MLRO", (), ("E-07",), number="F-7", codes=("EDD-1",)
    )
    assert _named([identity, sources], LONG) == (
        "F-12 SES-2 The session shows the identity as not confirmed (E-02); F-7 EDD-1 Source of wealth: not known (E-07)"
    )


def test_nine_red_flags_without_room_keep_their_sums_and_their_evidence() -> None:
    sums = [f"{10 + n},005.08 GBP out and {20 + n},887.21 GBP in" for n in range(9)]
    found = [
        red_flag(f"Money moved on in way {n}: {sum_} (E-0{n}, E-11 to E-15)", sum_)
        for n, sum_ in enumerate(sums)
    ]
    said = _named(found, LONG)
    assert all(f"{sum_} (E-0{n}, E-11 to E-15)" in said for n, sum_ in enumerate(sums))


def test_the_sum_of_a_reason_is_that_of_its_payments_and_no_other_number_of_its_sentence() -> None:
    """A sentence also names limits and incomes, some of them first."""
    just_below = "Credits just below a limit: 5 credits just below 10,000.00 GBP, 48,174.00 GBP in all"
    gambling = "Gambling: 2 payments out (300.00 GBP) and 1 credit in (200.00 GBP)"
    asked = "51 payments of wages came in, which allows 204.00 GBP a week"
    flags = pd.DataFrame(
        {
            "message": [just_below, f"{gambling}."],
            "currency": ["GBP", "GBP"],
            "facts": [
                {"credits_minor": 48_174_00, "debits_minor": 0},
                {"credits_minor": 200_00, "debits_minor": 300_00, "twice_minor": 50_00},
            ],
        }
    )
    short = ShortNames(tuple(ShortName(f"A{n}", f"acc-{n}", "", value_of("accounts")) for n in (1, 2)))
    twice = "acc-1 and acc-2 may be one account: 2 credits, 90.00 GBP in all, may be counted twice"
    open_ = "The source of 418.00 to 478.00 GBP of credits is not established"
    limits = pd.DataFrame(
        {
            "code": ["pay_beside_benefit", "may_be_one_account", "nature_not_known"],
            "message": [
                f"{asked} (E-07).",
                f"{twice}; 10.00 GBP of it is own transfers (E-07).",
                f"{open_}.",
            ],
            "amount_minor": [62_262_60, 90_00, 478_00],
            "currency": ["GBP"] * 3,
            "least_minor": pd.array([None, None, 418_00], dtype="Int64"),
        }
    )
    sums = Sums(totals=totals_of(flags, limits, short))
    twice = twice.replace("acc-1", "A1").replace("acc-2", "A2")
    assert sums.total_of(f"Bank data: {twice}; the same in both: bank") == ("", "90.00 GBP")
    assert sums.total_of(f"{open_}.") == ("", "418.00 to 478.00 GBP")
    assert sums.total_of(just_below) == ("Credits just below a limit", "48,174.00 GBP")
    assert sums.total_of(gambling) == ("Gambling", "300.00 GBP out and 150.00 to 200.00 GBP in")
    assert sums.total_of(f"Pay beside a benefit: {asked}") == ("", "62,262.60 GBP")
    assert sums.total_of("The session is not complete") == ("", "")
    flag = {"path": "wealth.flags.a", "rule_id": "WLT-1", "sentence": f"{just_below} (E-17)"}
    (reason,) = reasons_of(findings(flag), NAMES, sums=sums)
    assert (reason.title, reason.sum) == ("Credits just below a limit", "48,174.00 GBP")


def test_a_question_of_a_report_is_set_in_full_where_not_all_reasons_have_room(full: ReviewContents) -> None:
    long = "Found " + "word " * 60 + "(E-03)"
    why = [Reason(f"R-{n}", long, "MLRO", "edd") for n in range(12)]
    said = "Consider an internal report to the nominated officer: money moved on (E-03, E-07 to E-15)"
    inside = Reason("INT-1", said, "MLRO", "review", internal=True, title="Need for an internal report")
    first = page_one(replace(full, reasons=(*why, inside), unknowns=()))
    assert re.search(r"[0-9]+ more reasons \(Enhanced due diligence\): page 2", first)
    assert f"Decision on a report to the NCA (INT-1) · Manual review: {said}" in first
    assert first.index("R-0 · ") < first.index("(INT-1) · ")


def test_both_headings_of_page_one_have_one_size(
    full: ReviewContents, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: dict[str, set[float]] = {}
    whole = Sheet.put

    def noted(sheet: Sheet, x: float, baseline: float, text: Any, **how: Any) -> float:
        if text in {"Why", "What is not known"}:
            sizes.setdefault(text, set()).add(how["size"])
        return whole(sheet, x, baseline, text, **how)

    monkeypatch.setattr(Sheet, "put", noted)
    long = tuple(Reason(f"R-{n}", "Found " + "word " * 30 + "(E-03)", "MLRO", "edd") for n in range(9))
    first = page_one(replace(full, reasons=long, unknowns=()))
    assert sizes["Why"] == sizes["What is not known"] == {11.5}
    assert f"({full.not_known.text})" in first
