"""Names of one firm in their many forms, and of two firms that look alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.frames.evidence_maker import RECORD
from tests.triage.test_evaluate import finding, triage
from tests.triage.test_repeated_details import put

from kycpack.triage.names.company_names import compare_companies


@pytest.mark.parametrize(
    ("left", "right", "verdict", "kinds"),
    [
        ("Ashdown Bakery Ltd", "ASHDOWN BAKERY LIMITED", "equal", ("format",)),
        ("Ashdown Bakery Ltd", "Ashdown Bakery", "similar", ("legal_form",)),
        ("Ashdown Bakery Ltd", "Ashdown Bakery LLP", "different", ()),
        ("Ashdown International Ltd", "Ashdown Intl Ltd", "similar", ("abbreviation",)),
        ("A.S.H. Cleaning Ltd", "ASH Cleaning Ltd", "equal", ("format",)),
        ("P A Ashdown & Son", "Peter A. Ashdown and Son", "similar", ("initial",)),
        ("ООО Василёк", "Vasilek LLC", "similar", ("legal_form",)),
        ("Vasilek OOO", "Vasilek Limited", "similar", ("legal_form",)),
        ("Ashdown s.r.o.", "Ashdown GmbH", "different", ()),
        ("College of Ashdown", "Ashdown College", "similar", ("order",)),
        ("Ashdown Retail Ltd t/a The Corner", "Ashdown Retail Ltd", "similar", ("trading_name",)),
        ("Ashdown Agricultural Supplies Ltd", "ASHDOWN AGRICULTUR", "similar", ("abbreviation",)),
        ("Ashdown Engineering Ltd", "Ashdown Enginering Ltd", "similar", ("slip",)),
        ("Ashdown Motors Ltd", "Ashdown Motels Ltd", "different", ()),
        ("Ashdown Holdings Ltd", "Ashdown Finance Ltd", "different", ()),
        ("ABC Cleaning Ltd", "ABD Cleaning Ltd", "different", ()),
        ("Studio 54 Ltd", "Studio 45 Ltd", "different", ()),
        ("Ashdown Engineering Ltd", "Ashdown Engineering Pension Trustees Ltd", "different", ()),
        ("", "Ashdown Ltd", "different", ()),
        # A field of 18 characters that ends between two words may as well hold the whole name of another firm.
        ("Ashdown Hall School Trust", "Ashdown Hall Scho", "different", ()),
        ("Ashdown Halls School Trust", "Ashdown Halls Scho", "similar", ("abbreviation",)),
        ("Ashdowne Hs School Trust", "Ashdowne Hs School", "similar", ("missing_part",)),
        ("Ashdown Grn School Trust", "Ashdown Grn School", "similar", ("missing_part",)),
        ("Ashdown School Trust", "Ashdown School", "different", ()),
        ("Ashdown Dental Care", "Ashdown Dental Car", "similar", ("abbreviation",)),
        ("Ashdown Land Careers", "Ashdown Land Care", "different", ()),
        ("Müller Bäckerei GmbH", "Mueller Baeckerei GmbH", "similar", ("transliteration",)),
        ("Øster Handel ApS", "Oester Handel ApS", "similar", ("transliteration",)),
        ("Van der Ash BV", "Vanderash B.V.", "equal", ("format",)),
        ("Harbour Cleaning Ltd", "Harbor Cleaning Ltd", "similar", ("abbreviation",)),
        ("株式会社東雲", "東雲株式会社", "equal", ("format",)),
        ("株式会社東雲", "株式会社山本", "different", ()),
    ],
)
def test_verdicts(left: str, right: str, verdict: str, kinds: tuple[str, ...]) -> None:
    for found in (compare_companies(left, right), compare_companies(right, left)):
        assert (found.verdict, found.kinds) == (verdict, kinds)


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_text_gives_a_verdict(left: str, right: str) -> None:
    found = compare_companies(left, right)
    assert found.verdict in {"equal", "similar", "different"}
    assert 0 <= found.score <= 1
    assert found.reason


@pytest.mark.parametrize(
    ("record", "document", "outcome"),
    [
        ("Ashdown Grn School Trust Ltd", "Ashdown Grn School", "HIT"),
        ("Ashdown Halls School Trust Ltd", "Ashdown Halls Scho", "CLEAR"),
        ("Müller Bäckerei GmbH", "Mueller Baeckerei GmbH", "CLEAR"),
    ],
)
def test_only_a_cut_between_two_words_is_asked_about(record: str, document: str, outcome: str) -> None:
    results = put("document.holder", {"firstName": "", "lastName": document})
    made = triage(results=results, record={**RECORD, "firstName": "", "lastName": record})
    assert finding(made, "CON-5")["outcome"] == outcome
