"""Columns of a printed table: none keeps room that it does not need while another has to break its lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kycpack.render.document_parts import Table, TableColumn, table
from kycpack.render.pdf_pages import POINT, TEXT_WIDTH
from kycpack.render.pdf_sections import _PAD_X, _SMALL, _shared_widths, _widths
from kycpack.render.text_runs import lines
from kycpack.render.typefaces import Face

CAUSE = "It is not known whether 60,642.02 GBP of a payment of 85,000.00 GBP is supported: a document has to show it"


def breaks(shown: Table, row: int, place: int) -> int:
    width = (_widths(shown)[place] - 2 * _PAD_X) / POINT
    return len(lines(shown.rows[row][place].text, Face.SANS, _SMALL, width))


def test_a_long_text_gets_the_room_that_short_texts_do_not_need() -> None:
    columns = [TableColumn("Cause", 2.2), TableColumn("Not evaluated", 4.0), TableColumn("Owner", 0.9)]
    shown = table(columns, [[CAUSE, "Payments", "Analyst"]])
    assert breaks(shown, 0, 0) == 1
    assert breaks(shown, 0, 1) == breaks(shown, 0, 2) == 1


def test_two_long_texts_break_into_about_as_many_lines() -> None:
    columns = [TableColumn("Cause"), TableColumn("What"), TableColumn("Session", 3.0)]
    shown = table(columns, [[CAUSE, f"{CAUSE}, {CAUSE}"[:150], "S1"]])
    assert abs(breaks(shown, 0, 0) - breaks(shown, 0, 1)) <= 1


@pytest.mark.parametrize("share", [0.3, 1.0, 5.0])
def test_short_texts_leave_the_widths_as_they_are(share: float) -> None:
    shown = table([TableColumn("A", share), TableColumn("B", 1.0)], [["one", "two"]])
    assert _widths(shown) == pytest.approx(_shared_widths(shown))


TEXTS = st.text(alphabet="ab ", max_size=150)


@given(
    st.lists(st.tuples(TEXTS, TEXTS, TEXTS), min_size=1, max_size=3),
    st.lists(st.floats(0.2, 6), min_size=3, max_size=3),
)
def test_the_widths_always_fill_the_page_and_no_long_text_loses_room(
    rows: list[tuple[str, str, str]], shares: list[float]
) -> None:
    shown = table([TableColumn("Title", share) for share in shares], rows)
    found, shared = _widths(shown), _shared_widths(shown)
    assert sum(found) == pytest.approx(TEXT_WIDTH)
    for place, (now, before) in enumerate(zip(found, shared, strict=True)):
        if now < before - 1e-6:
            assert all(breaks(shown, row, place) <= 1 for row in range(len(rows)))
