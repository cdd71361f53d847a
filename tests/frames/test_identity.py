"""Answers without an id: what is provably somebody else's is left out and named, and what may be the customer's stays."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from typing import Any

import pytest
from fpdf import FPDF
from hypothesis import given
from hypothesis import strategies as st
from tests.frames.evidence_maker import RECORD, RESULTS, EvidenceMaker

from kycpack.errors import EvidenceError
from kycpack.evidence import Evidence
from kycpack.frames import Frames, flatten
from kycpack.frames.flatten import _flattened

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
        ({"currency": "EUR"}, True),
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
        ({"items": [{**TRANSACTION, "currency": "EUR"}]}, True),
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


@pytest.mark.parametrize("odd", [{}, {"bookingDate": None, "valueDate": "2026-05-01"}, {"accountId": "a1"}])
def test_money_in_another_currency_than_the_accounts_is_kept_in_its_own_and_the_conflict_is_a_gap(
    odd: dict[str, Any],
) -> None:
    euro = {**TRANSACTION, **odd, "currency": "EUR"}
    page = {"items": [TRANSACTION, {**euro, "id": "t2"}, {**euro, "id": "t3"}]}
    balance = {"current": "5.00", "currency": "EUR"}
    frames = read(
        ("bank_accounts.balance", balance, {"account_id": "a1"}),
        ("bank_accounts.transactions", page, {"account_id": "a1"}),
    )
    assert frames.transactions.groupby("currency", observed=True)["amount_minor"].sum().to_dict() == {
        "GBP": 1000,
        "EUR": 2000,
    }
    assert frames.balances[["currency", "current_minor"]].to_numpy().tolist() == [["EUR", 500]]
    gaps = frames.gaps.loc[frames.gaps["code"] == "other_currency"]
    assert gaps[["area", "subject", "evidence_id"]].to_numpy().tolist() == [
        ["bank", "a1", "E-03"],
        ["bank", "a1", "E-04"],
    ]
    assert gaps["message"].tolist() == [
        "the balance is in EUR, but the list of accounts gives GBP; kept in EUR",
        "2 transactions are in EUR, but the list of accounts gives GBP; kept in EUR",
    ]


@pytest.mark.parametrize("asked_first", ["a1", "b9"])
def test_one_page_for_two_accounts_belongs_to_the_one_with_its_currency(asked_first: str) -> None:
    page = {"items": [{**TRANSACTION, "currency": "EUR"}]}
    asked = sorted(("a1", "b9"), key=lambda account_id: account_id != asked_first)
    frames = read(
        *(("bank_accounts.transactions", page, {"account_id": account_id}) for account_id in asked),
        accounts=[ACCOUNT, {**ACCOUNT, "id": "b9", "currency": "EUR"}],
    )
    assert frames.transactions["account_id"].tolist() == ["b9"]
    assert len(wrong(frames)) == 1


@pytest.mark.parametrize("currency", ["GBP ", "gbp", "Pounds", "ZZZ", "XXX", "826", ""])
def test_a_currency_that_nobody_knows_is_no_proof_of_another_account(currency: str) -> None:
    page = {"items": [TRANSACTION]}
    frames = read(
        ("bank_accounts.transactions", page, {"account_id": "a1"}),
        accounts=[{**ACCOUNT, "currency": currency}],
    )
    assert len(frames.transactions) == 1
    assert not wrong(frames)


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


LISTED = [{"account": {key: value for key, value in ACCOUNT.items() if key != "id"}}]
FOREIGN = {**ACCOUNT, "id": "b9", "accountHolderName": "Kwame Nkosi", "accountNumber": "****8765", "sortCode": "**-**-99"}  # fmt: skip


@pytest.mark.parametrize(
    ("account", "stays"),
    [
        (FOREIGN, False),
        ({**FOREIGN, "accountHolderName": "K Nkosi & A Byron"}, True),  # a joint account
        ({**FOREIGN, "accountHolderName": "Nkosi Imports Ltd", "accountNumber": "****4321", "sortCode": "**-**-56"}, True),
        ({**FOREIGN, "accountHolderName": None}, True),
    ],
)  # fmt: skip
def test_a_list_of_another_customers_accounts(account: dict[str, Any], *, stays: bool) -> None:
    frames = read(
        ("bank_accounts.balance", {"current": "5.00", "currency": "GBP"}, {"account_id": "b9"}),
        ("bank_accounts.transactions", {"items": [TRANSACTION]}, {"account_id": "b9"}),
        ("source_of_wealth.get", {**STATEMENT, "accounts": LISTED}, {"format": "json"}),
        accounts=[account],
    )
    assert len(frames.accounts) == len(frames.balances) == len(frames.transactions) == stays
    assert len(frames.statements) == 1
    assert len(wrong(frames)) == (0 if stays else 3)


def test_an_account_that_is_not_on_the_list_is_a_gap() -> None:
    frames = read(("bank_accounts.transactions", {"items": [TRANSACTION]}, {"account_id": "b9"}))
    assert frames.gaps.loc[frames.gaps["code"] == "account_not_listed", "subject"].tolist() == ["b9"]


def test_one_page_for_two_accounts_counts_once() -> None:
    other = {**ACCOUNT, "id": "a2", "accountNumber": "****9999"}
    page = {"items": [TRANSACTION]}
    frames = read(
        ("bank_accounts.transactions", page, {"account_id": "a1"}),
        ("bank_accounts.transactions", page, {"account_id": "a2"}),
        accounts=[ACCOUNT, other],
    )
    assert frames.transactions["account_id"].tolist() == ["a1"]
    (message,) = wrong(frames)
    assert "for another account" in message


def test_an_account_that_was_linked_twice_keeps_its_pages() -> None:
    page = {"items": [TRANSACTION]}
    frames = read(
        ("bank_accounts.transactions", page, {"account_id": "a1"}),
        ("bank_accounts.transactions", page, {"account_id": "a2"}),
        accounts=[ACCOUNT, {**ACCOUNT, "id": "a2"}],
    )
    assert frames.transactions["account_id"].tolist() == ["a1", "a2"]
    assert wrong(frames) == []


@pytest.mark.parametrize("with_ids", [True, False])
def test_a_page_that_repeats_another_is_a_gap_and_counts_once(*, with_ids: bool) -> None:
    items = [{**TRANSACTION, "id": f"t{n}", "amount": f"{n}.00"} for n in (1, 2, 3)]
    if not with_ids:
        items = [{name: value for name, value in item.items() if name != "id"} for item in items]
    frames = read(
        ("bank_accounts.transactions", {"items": items, "nextCursor": "2"}, {"account_id": "a1"}),
        ("bank_accounts.transactions", {"items": items}, {"account_id": "a1"}),
    )
    assert len(frames.transactions) == 3
    assert frames.gaps["code"].tolist().count("page_repeated") == 1


def test_a_list_of_accounts_that_repeats_itself_is_a_gap_and_counts_once() -> None:
    frames = read(("bank_accounts.list", {"items": [ACCOUNT]}, {}))
    assert frames.accounts["account_id"].tolist() == ["a1"]
    assert frames.gaps["code"].tolist().count("page_repeated") == 1


@pytest.mark.parametrize(
    ("statement", "payment", "stays"),
    [("m-1", "m-1", True), ("m-2", "m-1", False), (None, "m-1", True), ("m-2", None, True)],
)
def test_a_payments_statement_names_the_payments_merchant(
    statement: str | None, payment: str | None, *, stays: bool
) -> None:
    frames = read(
        ("payments.get", {"id": "p1", "amount": "10.00", "merchantId": payment}, {"payment_id": "p1"}),
        (
            "source_of_wealth.get",
            {**STATEMENT, "merchantId": statement},
            {"format": "json", "payment_id": "p1"},
        ),
    )
    assert len(frames.statements) == stays
    assert len(wrong(frames)) == (not stays)


def pdf_of(*lines: str) -> bytes:
    document = FPDF()
    document.add_page()
    document.set_font("helvetica", size=12)
    for line in lines:
        document.cell(text=line, new_x="LMARGIN", new_y="NEXT")
    return bytes(document.output())


@pytest.mark.parametrize(
    ("pdf", "stays"),
    [
        (pdf_of("Source of wealth", "Kwame Nkosi", "Rent 1,250.00 GBP"), False),
        (pdf_of("Source of wealth", "Ada Byron", "Rent 1,250.00 GBP"), True),  # one fact alone
        (pdf_of("Source of wealth", "Kwame Nkosi", "Pay 10.00 GBP"), True),
        (pdf_of("Source of wealth"), True),
        (b"%PDF-1.7 nothing that can be read", True),
    ],
)
def test_a_pdf_of_another_persons_statement(pdf: bytes, *, stays: bool) -> None:
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.answer("source_of_wealth.get", STATEMENT, format="json")
    made.answer("source_of_wealth.get", pdf, content_type="application/pdf", format="pdf")
    frames = flatten(made.make())
    assert frames.statements["format"].tolist() == (["json", "pdf"] if stays else ["json"])
    assert len(wrong(frames)) == (not stays)
