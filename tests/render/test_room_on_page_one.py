"""Reasons and gaps of which not all have room on page one: none is left out without a word."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from pypdf import PageObject, PdfReader
from tests.render.test_decision import DECISION

from kycpack.pack.check.printed_values import squeezed
from kycpack.render import ReviewContents, render_review_pdf
from kycpack.render.pdf_pages import BOTTOM, FOOT, PAGE_HEIGHT, Sheet
from kycpack.render.review import pdf_reasons
from kycpack.render.review.after_decision import to_do_of
from kycpack.render.review.approval import Terms
from kycpack.render.review.decision import CaseRecord
from kycpack.render.review.gaps import Headline
from kycpack.render.review.reasons import Reason
from kycpack.render.review.task_kinds import Task
from kycpack.render.text_runs import width_of
from kycpack.render.typefaces import Face
from kycpack.render.wording import level_cell


def test_a_reason_too_long_for_page_one_keeps_the_evidence_it_rests_on(contents: ReviewContents) -> None:
    long = "Money moved on: " + "4 credits in and 4 payments out, " * 40 + "in all (E-07, E-09 to E-15)"
    reason = Reason("WLT-1", long, "MLRO", "edd")
    reader = PdfReader(BytesIO(render_review_pdf(replace(contents, reasons=(reason,), unknowns=()))))
    first = " ".join(reader.pages[0].extract_text().split())
    assert re.search(r"…\s*\(E-07, E-09 to E-15\)", first)


def test_a_rule_that_fired_many_times_leaves_room_for_the_others(contents: ReviewContents) -> None:
    many = tuple(Reason("SCR-2", f"Match {n} of the screening (E-03)", "MLRO", "escalate") for n in range(90))
    why = (
        *many,
        Reason("PEP-2", "Politically exposed (E-03)", "MLRO", "edd"),
        Reason("DOC-2", "Data integrity (E-03)", "Analyst", "review"),
    )
    made = PdfReader(BytesIO(render_review_pdf(replace(contents, reasons=why, unknowns=()))))
    first = made.pages[0].extract_text()
    assert "Match 0 of the screening" in first
    assert "Politically exposed (E-03)" in first
    left = re.search(r"([0-9]+) more reasons \(Escalate\): page 2", first)
    assert left is not None
    assert int(left[1]) == 90 - first.count("of the screening (E-03)")


def test_all_reasons_stand_on_page_one_in_the_order_of_their_severity(contents: ReviewContents) -> None:
    """Where they need the room, they are set smaller, and the chart is lower."""
    levels = ["reject", "escalate", *["edd"] * 4, *["review"] * 6]
    why = [
        Reason(f"R-{n}", f"Found {n}: 4 credits in, and more of it {'on a day ' * 12}(E-03)", "MLRO", level)
        for n, level in enumerate(levels)
    ]
    few = replace(contents, reasons=tuple(why[:2]), unknowns=(), incomplete="", missing=contents.missing[:3])
    sizes = []
    for made in (few, replace(few, reasons=tuple(why))):
        page = PdfReader(BytesIO(render_review_pdf(made))).pages[0]
        first = " ".join(page.extract_text().split())
        places = [first.index(f"{one.label} · {level_cell(one.level).text}") for one in made.reasons]
        assert places == sorted(places)
        assert all(squeezed(one.text) in squeezed(first) for one in made.reasons)
        assert "more reason" not in first
        assert "Credits by month" in first
        sizes.append(_size_of(page, "R-0 · Reject"))
    assert sizes[0] > sizes[1]


def _size_of(page: PageObject, words: str) -> float:
    """Return the type size of a text on a page."""
    found: list[float] = []

    def noted(text: str, _: Any, __: Any, ___: Any, size: float) -> None:
        if words in text:
            found.append(size)

    page.extract_text(visitor_text=noted)
    return found[0]


def test_gaps_without_room_are_counted_by_area_and_the_limits_of_every_pack_stay(
    contents: ReviewContents,
) -> None:
    lines_ = [
        Headline(f"Something is not known of account {n}, and why (E-07)", area="Bank data", gaps=1)
        for n in range(80)
    ]
    last = Headline("5 limits of the service that apply to every pack")
    made = replace(contents, missing=(*lines_, last))
    first = " ".join(PdfReader(BytesIO(render_review_pdf(made))).pages[0].extract_text().split())
    shown = first.count("Something is not known of account")
    assert 5 < shown < 80
    assert f"{80 - shown} further gaps in “What this pack cannot show”: {80 - shown} of Bank data" in first
    assert last.text in first


def test_a_comparison_that_stays_inside_the_firm_is_named_by_what_was_found() -> None:
    found = "Consider a report: the names on the record and the document do not match"
    inside = Reason("INT-1", f"{found} (E-03)", "MLRO", "review", internal=True, title="Need for a report")
    assert pdf_reasons._named([inside], 113.0) == "INT-1 Need for a report (E-03)"
    compared = replace(inside, path="consistency.name.record.document", impersonal=inside.text)
    assert pdf_reasons._named([compared], 113.0) == f"INT-1 {found.partition(': ')[2]} (E-03)"


@pytest.mark.parametrize("reasons", [1, 3, 5, 7, 9])
@pytest.mark.parametrize("long", [1, 8])
def test_page_one_leaves_nothing_out_without_saying_so(
    contents: ReviewContents, reasons: int, long: int
) -> None:
    why = tuple(
        Reason(f"R-{n}", f"Found {n}: " + "and more of it " * long, "MLRO", "edd") for n in range(reasons)
    )
    made = render_review_pdf(replace(contents, reasons=why, unknowns=()))
    first = " ".join(PdfReader(BytesIO(made)).pages[0].extract_text().split())
    shown = [one for one in why if f"{one.label} · Enhanced" in first]
    assert shown
    assert all(squeezed(one.text) in squeezed(first) for one in shown)
    left = reasons - len(shown)
    reason = "reason" if left == 1 else "reasons"
    assert (f"{left} more {reason} (Enhanced due diligence): page 2" in first) == bool(left)
    assert all(squeezed(line.text)[:30] in squeezed(first) for line in contents.missing) or re.search(
        "[0-9]+ further gaps? in “What this pack", first
    )
    assert "Credits by month" in first


def test_each_further_reason_on_page_one_is_a_sentence_with_its_value_and_evidence(
    contents: ReviewContents,
) -> None:
    """Codes of rules say nothing to a reader."""
    long = "and a name of a reason that is as long as in the policy: 1,234.56 GBP"
    asked = (Task("look at it"),)
    why = tuple(Reason(f"R-{n}", f"Found {n} {long} (E-0{n})", "MLRO", "edd", tasks=asked) for n in range(9))
    made = render_review_pdf(
        replace(
            contents,
            reasons=why,
            unknowns=(),
            to_do=to_do_of(
                None,
                (),
                why,
                (),
                Terms(needed_of_file="get the customer's risk file from the department that keeps it"),
            ),
            shares=contents.shares[:1],
            incomplete="",
        )
    )
    first = " ".join(PdfReader(BytesIO(made)).pages[0].extract_text().split())
    for one in why:
        assert re.search(rf"{one.rule_id} (· )?Enhanced due diligence", first)
        assert one.text in first
    assert " more reason" not in first


def test_nothing_is_set_below_the_foot_of_page_one_however_much_there_is_to_say(
    contents: ReviewContents, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = "word " * 200
    decided = replace(DECISION, text=long, second_text=long, standing=long)
    why = [Reason(f"R-{n}", f"Found {n}: {long} (E-03)", "MLRO", "edd", "hold") for n in range(9)]
    full = replace(
        contents,
        headline=long,
        case=replace(contents.case, record=CaseRecord(decided)),
        shares=tuple(replace(contents.shares[0], currency=code) for code in ("GBP", "EUR", "USD")),
        reasons=tuple(why),
    )
    set_at: list[float] = []
    put = Sheet.put

    def _noted(sheet: Sheet, x: float, baseline: float, text: Any, **more: Any) -> float:
        set_at.append(baseline)
        return put(sheet, x, baseline, text, **more)

    def _unnoted(sheet: Sheet, setting: Callable[[], object]) -> float:
        count = len(set_at)
        taken = taken_by(sheet, setting)
        del set_at[count:]
        return taken

    taken_by = Sheet.taken_by
    monkeypatch.setattr(Sheet, "put", _noted)
    monkeypatch.setattr(Sheet, "taken_by", _unnoted)
    monkeypatch.setattr(Sheet, "finish", lambda _: b"")
    render_review_pdf(full)
    # What the codes mean stands in the room between the content and the foot.
    below = [place for place in set_at if place > PAGE_HEIGHT - BOTTOM]
    assert len(set(below)) == 2  # the codes, and what explains words
    assert all(PAGE_HEIGHT - BOTTOM + 2.0 < place < FOOT for place in below)


@pytest.mark.parametrize("count", [1, 5, 40])
def test_of_a_text_that_is_cut_the_evidence_stays_however_many_ids_there_are(count: int) -> None:
    cited = ", ".join(f"E-{2 * number:02d}" for number in range(1, count + 1))
    line = pdf_reasons._cut(f"{'word ' * 60}({cited})", Face.SANS, 8.0, 300.0)
    said = "".join(run.text for run in line)
    assert width_of(line, 8.0) <= 300.0
    assert said.endswith("…" if count == 40 else f"… ({cited})")
