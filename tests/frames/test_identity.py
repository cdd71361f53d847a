"""Results without an id: what is provably somebody else's is left out and named, and what may be the customer's stays."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.frames.evidence_maker import RECORD, RESULTS, EvidenceMaker
from tests.frames.identity_answers import results_of, session, wrong

from kycpack.errors import EvidenceError
from kycpack.evidence import Evidence
from kycpack.frames import flatten
from kycpack.frames.flatten import _flattened


def test_results_of_another_person_are_a_gap_and_nothing_of_them_is_used() -> None:
    frames = session(results_of("Kwame", "Nkosi", "1961-03-04"))
    assert frames.results.empty
    assert frames.checks.empty
    assert frames.documents.empty
    assert frames.screening.empty
    (message,) = wrong(frames)
    assert message.startswith("the results are about somebody else and were left out")
    assert not any(name in message for name in ("Kwame", "Nkosi", "Ada", "Byron", "1961"))


@pytest.mark.parametrize(
    ("first", "last", "born"),
    [
        ("Ada", "Lovelace", "1961-03-04"),  # a maiden name
        ("Kwame", "Nkosi", "1985-12-10"),  # another name altogether, and the same birth date
        ("Kwame", "Nkosi", None),  # one fact alone
        ("Ада", "Байрон", "1961-03-04"),  # another script
        ("Kwame", "Nkosi", "1985-10-12"),  # day and month the other way round
        ("Kwame", "Nkosi", "1985-12-11"),  # a slip
        ("Kwame", "Nkosi", "1985-01-01"),  # only the year is known
        ("Kwame", "Nkosi", "1900-01-01"),  # what systems write where it is not known
        (None, None, "1961-03-04"),
        ("A.", "B.", "1961-03-04"),
        ("Adah", "Biron", "1961-03-04"),
    ],
)
def test_results_that_may_be_the_customers_stay(
    first: str | None, last: str | None, born: str | None
) -> None:
    frames = session(results_of(first, last, born))
    assert len(frames.results) == 1
    assert wrong(frames) == []


def test_without_a_record_nothing_is_left_out() -> None:
    made = EvidenceMaker()
    made.session(results_of("Kwame", "Nkosi", "1961-03-04"))
    assert len(flatten(made.make()).results) == 1


words = st.text(st.characters(categories=("Lu", "Ll")), min_size=1, max_size=8)


@given(first=words, last=words, other=words)
def test_who_keeps_one_name_is_never_left_out(first: str, last: str, other: str) -> None:
    record = {**RECORD, "firstName": first, "lastName": last}
    frames = session(results_of(first, other, "1961-03-04"), record)
    assert len(frames.results) == 1


ELSEWHERE = {"addressLine1": "5 Ring Road", "city": "Accra", "postalCode": "GA-184", "country": "GH"}


@pytest.mark.parametrize(
    ("holder", "address", "stays"),
    [
        (("Kwame", "Nkosi", None), ELSEWHERE, False),
        (("Kwame", "Nkosi", None), {**ELSEWHERE, "city": "Leeds"}, True),
        (("Kwame", "Nkosi", None), {**ELSEWHERE, "postalCode": None}, True),
        (("Kwame", "Nkosi", "1985-12-10"), ELSEWHERE, True),  # the birth date is the customer's
        (("Ada", "Nkosi", None), ELSEWHERE, True),  # married, and moved
    ],
)
def test_results_without_a_birth_date(
    holder: tuple[str, str, str | None], address: dict[str, Any], *, stays: bool
) -> None:
    results = results_of(*holder)
    results["address"]["extractedAddress"] = address
    frames = session(results)
    assert len(frames.results) == stays
    assert len(wrong(frames)) == (not stays)


@pytest.mark.parametrize(
    ("extra", "stays"),
    [
        ({"sessionId": "other"}, False),
        ({"customer": {"id": "other"}}, False),
        ({"customer": {"customerId": "other"}}, False),
        ({"session": {"id": "other"}}, False),
        ({"customer": {"firstName": "Ada"}}, True),
        ({"customer": {"id": RECORD["id"]}}, True),
    ],
)
def test_results_that_name_an_id_of_their_own(extra: dict[str, Any], *, stays: bool) -> None:
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.session({**RESULTS, **extra} if stays else RESULTS)
    if not stays:  # evidence refuses to be made of it, so the frames have to see it by themselves
        evidence = made.make()
        last = evidence.entries[-1]
        object.__setattr__(
            evidence, "bodies", {**evidence.bodies, last.id: json.dumps({**RESULTS, **extra}).encode()}
        )
        with pytest.raises(EvidenceError, match="is about another"):
            Evidence(evidence.customer_id, evidence.entries, evidence.bodies)
        frames = _flattened([evidence])
    else:
        frames = flatten(made.make())
    assert len(frames.results) == stays
    assert len(wrong(frames)) == (not stays)
