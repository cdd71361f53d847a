"""Bank data of an account or a customer that is provably another: left out and named, while what may be the customer's stays."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.frames.evidence_maker import EvidenceMaker
from tests.frames.identity_answers import ACCOUNT, STATEMENT, TRANSACTION, read, wrong

from kycpack.frames import flatten


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
