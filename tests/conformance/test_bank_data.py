"""Customer bank data and source of wealth."""

from __future__ import annotations

from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from tests.conformance.rows import fields
from tests.service.signed import BANK_ACCESS, Caller, grant, new_customer, new_payment, ok, refused

from kycpack.models.bank_data import Balance, BankAccount, TransactionPage
from kycpack.models.wealth import SourceOfWealth

row = pytest.mark.row


@row("Customer bank data > GET /v1/customers/{customerId}/bank-accounts")
@row("Customer bank account (AIS data) > paragraph 1", "Customer bank data > paragraph 1")
def test_bank_accounts_are_listed_with_token_expiry(call: Caller) -> None:
    customer = new_customer(call)
    assert ok(call("GET", f"/v1/customers/{customer}/bank-accounts"))["items"] == []
    grant(call, customer)
    (item,) = ok(call("GET", f"/v1/customers/{customer}/bank-accounts"))["items"]
    assert BankAccount.read(item).wire() == item
    assert item["tokenExpiry"].endswith("Z")
    assert (item["accountNumber"], item["sortCode"]) == ("****5678", "**-**-33")


@row("Customer bank data > GET /v1/customers/{customerId}/bank-accounts/{accountId}/balance")
def test_a_balance_is_read(call: Caller) -> None:
    customer = new_customer(call)
    account = grant(call, customer)[0]["id"]
    balance = ok(call("GET", f"/v1/customers/{customer}/bank-accounts/{account}/balance"))
    assert Balance.read(balance).wire().keys() == balance.keys()
    assert (balance["current"], balance["currency"]) == ("1650.00", "GBP")
    refused(
        call("GET", f"/v1/customers/{customer}/bank-accounts/unknown/balance"), 404, "bank_account_not_found"
    )


@row("Customer bank data > GET /v1/customers/{customerId}/bank-accounts/{accountId}/transactions")
@row("Customer bank data > paragraph 1")
def test_transactions_are_paged_and_lose_nothing(call: Caller) -> None:
    customer = new_customer(call)
    account = grant(call, customer)[0]["id"]
    path = f"/v1/customers/{customer}/bank-accounts/{account}/transactions"
    loaded = BANK_ACCESS["accounts"][0]["transactions"]
    assert ok(call("GET", path)) == {"items": loaded}
    gathered: list[Any] = []
    cursor = ""
    while True:
        page = ok(call("GET", f"{path}?limit=4{cursor}"))
        TransactionPage.read(page)
        gathered += page["items"]
        if "nextCursor" not in page:
            break
        cursor = f"&cursor={page['nextCursor']}"
    assert gathered == loaded
    window = ok(call("GET", f"{path}?from=2026-02-25&to=2026-03-25"))["items"]
    assert [item["id"] for item in window] == ["t2", "t3"]
    for wrong in (
        "limit=0",
        "limit=501",
        "limit=x",
        "from=2026-02-30",
        "cursor=x",
        "page=2",
        "limit=1&limit=2",
    ):
        refused(call("GET", f"{path}?{wrong}"), 400, "invalid_request")


@row("Limits > AIS token validity")
def test_a_token_is_valid_for_90_days(call: Caller) -> None:
    customer = new_customer(call)
    account = grant(call, customer)[0]["id"]
    base = f"/v1/customers/{customer}/bank-accounts"
    call.advance(days=89, hours=23)
    ok(call("GET", f"{base}/{account}/balance"))
    call.advance(hours=1, seconds=1)
    refused(call("GET", f"{base}/{account}/balance"), 403, "ais_access_expired")
    refused(call("GET", f"{base}/{account}/transactions"), 403, "ais_access_expired")
    assert len(ok(call("GET", base))["items"]) == 1
    refused(call("GET", f"/v1/customers/{customer}/source-of-wealth"), 404, "not_found")


@row("Customer bank account (AIS data) > paragraph 1")
def test_a_scope_that_was_not_granted_is_refused(call: Caller) -> None:
    customer = new_customer(call)
    account = grant(call, customer, scopes=["balances"])[0]["id"]
    base = f"/v1/customers/{customer}/bank-accounts/{account}"
    ok(call("GET", f"{base}/balance"))
    refused(call("GET", f"{base}/transactions"), 403, "ais_scope_missing")


@pytest.mark.parametrize(
    "member",
    fields(
        "Source of wealth statement",
        "customer",
        "accounts",
        "primarySource",
        "additionalSources",
        "generatedAt",
    ),
)
def test_a_member_of_the_statement(call: Caller, member: str) -> None:
    customer = new_customer(call)
    grant(call, customer)
    statement = ok(call("GET", f"/v1/customers/{customer}/source-of-wealth"))
    assert SourceOfWealth.read(statement)
    expected: dict[str, Any] = {
        "customer": {"firstName": "Ada", "lastName": "Byron", "city": "Exampleton"},
        "accounts": [
            {
                "account": {
                    "bankName": "Test Bank",
                    "accountHolderName": "Ada Byron",
                    "accountNumber": "****5678",
                    "sortCode": "**-**-33",
                    "currency": "GBP",
                },
                "currentBalance": Decimal("1650.00"),
                "dataAvailability": {"balanceAvailable": True, "transactionsAvailable": True},
            }
        ],
        "additionalSources": [],
    }
    if member in expected:
        assert statement[member] == expected[member]
    elif member == "generatedAt":
        assert statement[member].endswith("Z")
        assert len(statement[member]) == len("2026-05-25T09:30:00.000Z"), "all timestamps have one width"
    else:
        source = statement[member]
        assert (source["amount"], source["frequency"], source["totalValue"]) == (
            Decimal(2450),
            6,
            Decimal(14700),
        )
        assert source["type"] == "employment"
        assert source["description"]
        assert source["context"]


@row("Source of wealth > GET /v1/customers/{customerId}/source-of-wealth", "What the service does > rule 6")
@row("Source of wealth > paragraph 1")
def test_the_statement_is_json_by_default_and_pdf_on_request(call: Caller) -> None:
    customer = new_customer(call)
    grant(call, customer)
    path = f"/v1/customers/{customer}/source-of-wealth"
    assert ok(call("GET", f"{path}?format=json")).keys() == ok(call("GET", path)).keys()
    pdf = call("GET", f"{path}?format=pdf")
    assert (pdf.status_code, pdf.headers["content-type"], pdf.content[:5]) == (
        200,
        "application/pdf",
        b"%PDF-",
    )
    refused(call("GET", f"{path}?format=xml"), 400, "invalid_request")


@row("Source of wealth > GET /v1/customers/{customerId}/payments/{paymentId}/source-of-wealth")
@row("Source of wealth statement > paragraph 1")
def test_the_statement_of_a_payment_has_its_amount(call: Caller) -> None:
    customer = new_customer(call)
    grant(call, customer)
    payment = new_payment(call, amount="99.90", customerId=customer)
    base = f"/v1/customers/{customer}/payments"
    assert ok(call("GET", f"{base}/{payment}/source-of-wealth"))["paymentAmount"] == Decimal("99.90")
    assert call("GET", f"{base}/{payment}/source-of-wealth?format=pdf").content[:5] == b"%PDF-"
    anothers = new_payment(call, customerId=new_customer(call))
    refused(call("GET", f"{base}/{anothers}/source-of-wealth"), 404, "not_found")
    refused(call("GET", f"{base}/unknown/source-of-wealth"), 404, "not_found")
    assert "paymentAmount" not in ok(call("GET", f"/v1/customers/{customer}/source-of-wealth"))


@row("Source of wealth > paragraph 1", "Errors > 404 not_found")
def test_without_readable_bank_data_there_is_no_statement(call: Caller) -> None:
    customer = new_customer(call)
    path = f"/v1/customers/{customer}/source-of-wealth"
    refused(call("GET", path), 404, "not_found")
    refused(call("GET", f"/v1/customers/{uuid4()}/source-of-wealth"), 404, "not_found")
    refused(call("GET", path, key=call.new_tenant()), 404, "not_found")
    grant(call, customer, scopes=["accounts"])
    refused(call("GET", path), 404, "not_found")
    grant(call, customer, scopes=["balances"])
    statement = ok(call("GET", path))
    assert statement["primarySource"] is None
    assert statement["accounts"][0]["dataAvailability"] == {
        "balanceAvailable": True,
        "transactionsAvailable": False,
    }


@row("Source of wealth > GET /v1/customers/{customerId}/source-of-wealth")
def test_an_unknown_merchant_has_no_statement(call: Caller, embedded: Any) -> None:
    customer = new_customer(call)
    grant(call, customer)
    path = f"/v1/customers/{customer}/source-of-wealth"
    ok(call("GET", f"{path}?merchantId={embedded.tenant_id}"))
    refused(call("GET", f"{path}?merchantId=unknown"), 404, "not_found")


@row("Errors > 401 invalid_token")
def test_source_of_wealth_answers_401_for_a_key_without_the_permission(call: Caller, embedded: Any) -> None:
    customer = new_customer(call)
    grant(call, customer)
    path = f"/v1/customers/{customer}/source-of-wealth"
    lacking = call.new_key(embedded.tenant_id, permissions=["read_customers"])
    elsewhere = call.new_key(embedded.tenant_id, areas=["customers", "onboard"])
    for answer in (
        call("GET", path, key=lacking),
        call("GET", path, key=elsewhere),
        call("GET", path, without=("authorization",)),
        call("GET", path, headers={"x-nonce": "0" * 16}),
    ):
        refused(answer, 401, "invalid_token")
