"""The service's own statement: as a document, with the currencies that its JSON has no place for, and derived anew when anything changed."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from pypdf import PdfReader
from tests.service.signed import BANK_ACCESS, Caller, grant, new_customer, new_payment, ok, refused

import kycpack.wealth
from kycpack import Client
from kycpack.models.wealth import PrimarySource, SourceOfWealth, StatementCustomer
from kycpack.service.embedded import EmbeddedService
from kycpack.service.loader import ServiceTarget, load_customer
from kycpack.service.statements import DerivedStatement, DerivedStatements
from kycpack.synthetic import generate

_ACCOUNT = BANK_ACCESS["accounts"][0]
_PAY = _ACCOUNT["transactions"][0]
_OF_PAY = ("counterpartyName", "purposeCode", "bankTransactionCode")


@pytest.fixture
def derivations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The customers of each derivation, as they happen."""
    made: list[str] = []
    derive = kycpack.wealth.derive

    def counted(*frames: Any, **given: Any) -> Any:
        made.extend(given["customers"]["customer_id"])
        return derive(*frames, **given)

    monkeypatch.setattr(kycpack.wealth, "derive", counted)
    return made


def stated(call: Caller, customer: str) -> Any:
    """Return the customer's statement but for the time at which it was made."""
    return {**ok(call("GET", f"/v1/customers/{customer}/source-of-wealth")), "generatedAt": ""}


@pytest.mark.parametrize("of_payment", [False, True])
def test_the_document_names_the_currency_of_each_source(*, of_payment: bool) -> None:
    plan = generate(1, 3, date(2026, 6, 1), history_days=200, scenario="employee").customers[0]
    with EmbeddedService() as service:
        ids = load_customer(plan, ServiceTarget(service.service))
        payment = ids.payment_ids[:1] if of_payment else ()
        with Client(service.base_url, key_id=service.key_id, secret=service.secret) as client:
            stated = client.source_of_wealth.get(ids.customer_id, *payment)
            content = client.source_of_wealth.get(ids.customer_id, *payment, format="pdf")
    text = " ".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages)
    assert isinstance(stated.primary_source, PrimarySource)
    total = re.escape(f"{stated.primary_source.total_value:,.2f}")
    assert re.search(rf"{total}\s+GBP", text)
    assert "currency" not in stated.primary_source.wire()


def _credit(day: str, amount: str, text: str) -> dict[str, Any]:
    credit = {**_PAY, "id": day, "bookingDate": day, "valueDate": day, "amount": amount, "description": text}
    return {name: value for name, value in credit.items() if name not in _OF_PAY}


@pytest.mark.parametrize(
    ("of_pay", "credit", "said"),
    [
        (
            True,
            _credit("2026-03-04", "12345.00", "ZORVIK LTD"),
            "not established: 12,345.00 GBP on 4 Mar 2026.",
        ),
        (False, _credit("2026-03-04", "830.00", "CASH DEPOSIT"), "main source: cash deposits 830.00 GBP."),
    ],
)
def test_the_statement_and_its_document_name_what_is_not_in_a_source(
    call: Caller, credit: dict[str, Any], said: str, *, of_pay: bool
) -> None:
    customer = new_customer(call)
    transactions = [*(_ACCOUNT["transactions"] if of_pay else ()), credit]
    grant(call, customer, accounts=[{**_ACCOUNT, "transactions": transactions}])
    path = f"/v1/customers/{customer}/source-of-wealth"
    statement = ok(call("GET", path))
    assert (statement["primarySource"] is not None) is of_pay
    assert said in (statement["primarySource"] or statement)["context"]
    pages = PdfReader(io.BytesIO(call("GET", f"{path}?format=pdf").content)).pages
    assert said in " ".join(" ".join(page.extract_text() for page in pages).split())


def test_what_did_not_change_is_derived_once(call: Caller, derivations: list[str]) -> None:
    customer, other = new_customer(call), new_customer(call)
    grant(call, customer)
    grant(call, other)
    path = f"/v1/customers/{customer}"
    payment = new_payment(call, customerId=customer)
    first = ok(call("GET", f"{path}/source-of-wealth"))
    call.advance(seconds=2)
    pdf = call("GET", f"{path}/source-of-wealth?format=pdf")
    of_payment = ok(call("GET", f"{path}/payments/{payment}/source-of-wealth"))
    assert pdf.content.startswith(b"%PDF")
    assert derivations == [customer]
    assert str(of_payment.pop("paymentAmount")) == "12.50"
    assert of_payment.pop("generatedAt") > first.pop("generatedAt")
    assert of_payment == first
    stated(call, other)
    assert derivations == [customer, other]


def _books_a_payment(call: Caller, customer: str) -> None:
    later = {
        **_PAY,
        "id": "later",
        "amount": "99.00",
        "description": "TAX REFUND",
        "bookingDate": "2026-05-01",
    }
    call.control(f"/customers/{customer}/transactions", {"transactions": [later]})


def _gives_a_balance(call: Caller, customer: str) -> None:
    grant(call, customer, accounts=[{**_ACCOUNT, "balance": {"current": "7.00"}, "transactions": []}])


def _links_an_account(call: Caller, customer: str) -> None:
    grant(call, customer, accounts=[{**_ACCOUNT, "accountNumber": "87654321"}])


def _has_another_name(call: Caller, customer: str) -> None:
    ok(call("PUT", f"/v1/customers/{customer}", {"lastName": "Lovelace"}))


def _has_another_town(call: Caller, customer: str) -> None:
    address = {"addressLine1": "1 Example Street", "city": "Sampleton", "country": "GB"}
    ok(call("PUT", f"/v1/customers/{customer}", {"address": address}))


def _waits_until_the_next_pay_day(call: Caller, _customer: str) -> None:
    call.advance(days=30)


@pytest.mark.parametrize(
    "change",
    [
        _books_a_payment,
        _gives_a_balance,
        _links_an_account,
        _has_another_name,
        _has_another_town,
        _waits_until_the_next_pay_day,
    ],
)
def test_a_statement_follows_every_change_at_once(
    call: Caller, embedded: EmbeddedService, change: Callable[[Caller, str], None]
) -> None:
    call.control("/clock", {"now": "2026-06-01T12:00:00Z"})
    customer = new_customer(call)
    grant(call, customer)
    before = stated(call, customer)
    change(call, customer)
    after = stated(call, customer)
    assert after != before
    embedded.service.statements.clear()
    assert stated(call, customer) == after


def test_what_the_consent_no_longer_covers_is_no_longer_stated(call: Caller) -> None:
    customer = new_customer(call)
    grant(call, customer)
    (account,) = stated(call, customer)["accounts"]
    assert account["dataAvailability"] == {"balanceAvailable": True, "transactionsAvailable": True}
    grant(call, customer, scopes=["accounts", "balances"])
    (account,) = stated(call, customer)["accounts"]
    assert account["dataAvailability"] == {"balanceAvailable": True, "transactionsAvailable": False}
    call.advance(days=91)
    refused(call("GET", f"/v1/customers/{customer}/source-of-wealth"), 404, "not_found")


def test_no_other_organisation_gets_what_was_derived(call: Caller, derivations: list[str]) -> None:
    customer = new_customer(call)
    grant(call, customer)
    stated(call, customer)
    others = Caller(call.base_url, call.new_tenant(), call._now)
    path = f"/v1/customers/{customer}/source-of-wealth"
    refused(others("GET", path), 404, "not_found")
    refused(others("GET", f"{path}?format=pdf"), 404, "not_found")
    others.close()
    assert derivations == [customer]


def test_derived_statements_are_kept_by_organisation_and_in_bounds() -> None:
    kept, made = DerivedStatements(most=2), list[str]()

    def ask(tenant_id: str, digest: bytes) -> str:
        def derive() -> DerivedStatement:
            made.append(tenant_id)
            about = StatementCustomer(first_name=tenant_id)
            return DerivedStatement(
                SourceOfWealth(customer=about, accounts=[], additional_sources=[], generated_at=""),
                (),
                (),
                (),
            )

        return str(kept.get(tenant_id, digest, derive).statement.customer.first_name)

    assert [ask("one", b"same"), ask("other", b"same"), ask("one", b"same")] == ["one", "other", "one"]
    assert made == ["one", "other"]
    ask("one", b"further")
    assert len(kept) == 2
    ask("other", b"same")  # was not asked for longest, and had to go
    assert made == ["one", "other", "one", "other"]
    kept.clear()
    assert len(kept) == 0


@pytest.mark.parametrize(
    "odd",
    [
        {"description": ""},
        {"counterpartyAccount": ""},
        {"bookingDate": "1965-01-01"},
    ],
)
def test_one_odd_transaction_changes_nothing_of_how_the_others_are_read(
    call: Caller, odd: dict[str, str]
) -> None:
    transactions = [{**_PAY, "id": None, "counterpartyAccount": "12345678"}] * 2 + _ACCOUNT["transactions"]
    plain, mixed = new_customer(call), new_customer(call)
    of_odd = {
        **_PAY,
        "id": "odd",
        "amount": "0.01",
        "currency": "EUR",
        "creditDebitIndicator": "Debit",
        **odd,
    }
    even = {**of_odd, **dict.fromkeys(odd), "id": "even", "amount": "0.01", "bookingDate": "2026-03-25"}
    for customer, further in ((plain, {**even, "description": "-"}), (mixed, of_odd)):
        grant(call, customer, accounts=[{**_ACCOUNT, "id": "A-1", "transactions": [*transactions, further]}])
    assert stated(call, mixed) == stated(call, plain)
