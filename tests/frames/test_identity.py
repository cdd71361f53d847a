"""Answers without an id: what is provably somebody else's is left out and named, and what may be the customer's stays."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.frames.evidence_maker import RECORD, RESULTS, EvidenceMaker

from kycpack.frames import Frames, flatten

ACCOUNT = {
    "id": "a1",
    "bankName": "First",
    "accountHolderName": "Ada Byron",
    "accountNumber": "****4321",
    "sortCode": "**-**-56",
    "currency": "GBP",
}
TRANSACTION = {
    "id": "t1",
    "amount": "10.00",
    "creditDebitIndicator": "Credit",
    "currency": "GBP",
    "bookingDate": "2026-05-01",
    "description": "PAY",
}
STATEMENT = {
    "customer": {"firstName": "Ada", "lastName": "Byron", "city": "Leeds"},
    "accounts": [{"account": {key: value for key, value in ACCOUNT.items() if key != "id"}}],
    "primarySource": {"description": "Pay", "amount": "10.00", "frequency": 1, "totalValue": "10.00", "type": "employment"},
    "additionalSources": [],
    "generatedAt": "2026-06-01T00:00:00.000Z",
}  # fmt: skip


def results_of(first: str | None, last: str | None, born: str | None) -> dict[str, Any]:
    results = copy.deepcopy(RESULTS)
    results["document"]["holder"] |= {"firstName": first, "lastName": last, "dateOfBirth": born}
    return results


def read(
    *answers: tuple[str, Any, dict[str, str]], record: Any = RECORD, accounts: Any = (ACCOUNT,)
) -> Frames:
    made = EvidenceMaker()
    made.answer("customers.get", record)
    made.answer("bank_accounts.list", {"items": list(accounts)})
    for operation, body, subject in answers:
        made.answer(operation, body, **subject)
    return flatten(made.make())


def session(results: Any, record: Any = RECORD) -> Frames:
    made = EvidenceMaker()
    made.answer("customers.get", record)
    made.session(results)
    return flatten(made.make())


def wrong(frames: Frames) -> list[str]:
    return frames.gaps.loc[frames.gaps["code"] == "wrong_subject", "message"].tolist()


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


@pytest.mark.parametrize(
    ("changed", "stays"),
    [
        ({}, True),
        ({"currency": "EUR"}, False),
        ({"accountNumber": "12344321"}, True),
        ({"accountNumber": "XXXX8765"}, False),
        ({"account": {"accountNumber": "****8765"}}, False),
        ({"accountNumber": "1234****"}, True),
        ({"sortCode": "20-00-57"}, False),
    ],
)
def test_a_balance_of_another_account(changed: dict[str, Any], *, stays: bool) -> None:
    body = {"current": "5.00", "currency": "GBP", **changed}
    frames = read(("bank_accounts.balance", body, {"account_id": "a1"}))
    assert len(frames.balances) == stays
    assert len(wrong(frames)) == (not stays)


@pytest.mark.parametrize(
    ("page", "stays"),
    [
        ({"items": [TRANSACTION]}, True),
        ({"items": [{**TRANSACTION, "currency": "EUR"}]}, False),
        ({"items": [{**TRANSACTION, "currency": "EUR"}, {**TRANSACTION, "id": "t2"}]}, True),
        ({"accountNumber": "****8765", "items": [TRANSACTION]}, False),
        ({"accountNumber": "****4321", "items": [TRANSACTION]}, True),
        ({"items": []}, True),
    ],
)
def test_a_page_of_another_accounts_transactions(page: dict[str, Any], *, stays: bool) -> None:
    frames = read(("bank_accounts.transactions", page, {"account_id": "a1"}))
    assert len(frames.transactions) == (len(page["items"]) if stays else 0)
    assert len(wrong(frames)) == (not stays)


def test_a_berlin_group_page_names_its_account_by_iban() -> None:
    page = {
        "account": {"iban": "DE02120300000000202051"},
        "transactions": {
            "booked": [
                {
                    "transactionId": "t1",
                    "bookingDate": "2026-05-01",
                    "transactionAmount": {"amount": "10.00", "currency": "EUR"},
                    "remittanceInformationUnstructured": "PAY",
                }
            ]
        },
    }
    for iban, count in (("DE**************2051", 1), ("DE89370400440532013000", 0)):
        made = EvidenceMaker()
        made.answer("bank_accounts.list", {"items": [{"id": "a1", "currency": "EUR", "iban": iban}]})
        made.answer("bank_accounts.transactions", page, account_id="a1")
        made.entries[-1] = replace(made.entries[-1], adapter="berlin-group")
        frames = flatten(made.make())
        assert len(frames.transactions) == count
        assert len(wrong(frames)) == 1 - count


OTHERS = {"firstName": "Kwame", "lastName": "Nkosi", "city": "Accra"}
OTHER_ACCOUNT = [{"account": {**ACCOUNT, "accountNumber": "****8765", "sortCode": "**-**-99"}}]


@pytest.mark.parametrize(
    ("changed", "stays"),
    [
        ({}, True),
        ({"customer": OTHERS}, True),
        ({"accounts": OTHER_ACCOUNT}, True),
        ({"customer": OTHERS, "accounts": OTHER_ACCOUNT}, False),
        ({"customer": OTHERS, "accounts": [*OTHER_ACCOUNT, *STATEMENT["accounts"]]}, True),  # type: ignore[misc]
        ({"customer": OTHERS, "accounts": []}, True),
    ],
)
def test_a_statement_of_another_person(changed: dict[str, Any], *, stays: bool) -> None:
    frames = read(("source_of_wealth.get", {**STATEMENT, **changed}, {"format": "json"}))
    assert len(frames.statements) == len(frames.sources) == stays
    assert len(wrong(frames)) == (not stays)


@pytest.mark.parametrize(("said", "stays"), [("50.00", True), ("50", True), ("60.00", False), (None, True)])
def test_a_statement_of_another_payment(said: str | None, *, stays: bool) -> None:
    subject = {"payment_id": "p1"}
    frames = read(
        ("payments.get", {"id": "p1", "amount": "50.00", "currency": "GBP"}, subject),
        ("source_of_wealth.get", {**STATEMENT, "paymentAmount": said}, {"format": "json", **subject}),
    )
    assert len(frames.statements) == stays
    assert len(wrong(frames)) == (not stays)
