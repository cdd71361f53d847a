"""The operations of both clients are those of the interface, and both send the same."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from kycpack.api import OPERATIONS, AsyncClient, Client, Repeat, resources
from kycpack.errors import (
    NotFoundError,
)

# The interface's list of operations, by hand from its part "Endpoints".
INTERFACE = {
    ("POST", "/v1/customers"),
    ("GET", "/v1/customers/{id}"),
    ("PUT", "/v1/customers/{id}"),
    ("GET", "/v1/customers"),
    ("POST", "/v1/payments"),
    ("GET", "/v1/payments/{id}"),
    ("GET", "/v1/banks"),
    ("POST", "/v1/payments/{id}/attempts"),
    ("POST", "/v1/payments/{id}/attempts/{id}/finalize"),
    ("GET", "/v1/customers/{id}/bank-accounts"),
    ("GET", "/v1/customers/{id}/bank-accounts/{id}/balance"),
    ("GET", "/v1/customers/{id}/bank-accounts/{id}/transactions"),
    ("GET", "/v1/customers/{id}/source-of-wealth"),
    ("GET", "/v1/customers/{id}/payments/{id}/source-of-wealth"),
    ("POST", "/v1/onboard/sessions"),
    ("GET", "/v1/onboard/sessions/{id}"),
    ("GET", "/v1/onboard/sessions/{id}/results"),
    ("POST", "/v1/onboard-sessions/{id}/media-access"),
    ("GET", "/v1/onboard-sessions/{id}/media/{id}"),
    ("POST", "/v1/webhooks"),
    ("GET", "/v1/webhooks"),
    ("DELETE", "/v1/webhooks/{id}"),
}

# One call of each method; what it sends is compared with the interface.
CALLS: list[tuple[str, Callable[[Any], Any]]] = [
    ("customers.create", lambda c: c.customers.create(first_name="Ann")),
    ("customers.get", lambda c: c.customers.get("1")),
    ("customers.update", lambda c: c.customers.update("1", last_name=None)),
    ("customers.list", lambda c: c.customers.list(org_id="o")),
    ("payments.create", lambda c: c.payments.create(amount="12.50", reference="r")),
    ("payments.get", lambda c: c.payments.get("1")),
    ("banks.list", lambda c: c.banks.list(country_code="GB")),
    ("attempts.create", lambda c: c.payments.attempts.create("1", bank={"bank_id": "b"})),
    ("attempts.finalize", lambda c: c.payments.attempts.finalize("1", "2")),
    ("bank_accounts.list", lambda c: c.bank_accounts.list("1")),
    ("bank_accounts.balance", lambda c: c.bank_accounts.balance("1", "2")),
    ("bank_accounts.transactions", lambda c: c.bank_accounts.transactions("1", "2")),
    ("source_of_wealth.get", lambda c: c.source_of_wealth.get("1")),
    ("source_of_wealth.get_for_payment", lambda c: c.source_of_wealth.get("1", "2")),
    ("source_of_wealth.get_pdf", lambda c: c.source_of_wealth.get("1", format="pdf")),
    ("source_of_wealth.get_pdf_for_payment", lambda c: c.source_of_wealth.get("1", "2", format="pdf")),
    ("onboarding.create", lambda c: c.onboarding.create("1")),
    ("onboarding.get", lambda c: c.onboarding.get("1")),
    ("onboarding.results", lambda c: c.onboarding.results("1")),
    ("onboarding.media", lambda c: c.onboarding.media("1")),
    ("onboarding.download", lambda c: c.onboarding.download("1", "2")),
    ("webhooks.create", lambda c: c.webhooks.create(url="https://hooks.example/in")),
    ("webhooks.list", lambda c: c.webhooks.list()),
    ("webhooks.delete", lambda c: c.webhooks.delete("1")),
]


def generic(path: str) -> str:
    return "/".join("{id}" if part.startswith("{") or part.isdigit() else part for part in path.split("/"))


def test_the_table_is_the_interface() -> None:
    assert {(each.method, generic(each.path)) for each in OPERATIONS.values()} == INTERFACE


def test_a_create_is_never_sent_twice() -> None:
    once = {name for name, each in OPERATIONS.items() if each.repeat is Repeat.ONCE}
    assert once == {
        "customers.create",
        "payments.create",
        "onboarding.create",
        "webhooks.create",
        "attempts.finalize",
    }


def test_every_operation_has_a_method() -> None:
    assert {name for name, _ in CALLS} == set(OPERATIONS)


@pytest.mark.parametrize(("name", "call"), CALLS, ids=[name for name, _ in CALLS])
def test_both_clients_send_the_same(
    name: str,
    call: Callable[[Any], Any],
    make_client: Callable[..., Client],
    make_async_client: Callable[..., AsyncClient],
) -> None:
    sent: list[tuple[str, str, bytes]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        body = b"" if name == "attempts.create" else request.read()
        sent.append((request.method, str(request.url), body))
        return httpx.Response(404, json={"error": "not_found"})

    async def awaited() -> None:
        await call(make_async_client(answer))

    with pytest.raises(NotFoundError) as sync_error:
        call(make_client(answer))
    with pytest.raises(NotFoundError) as async_error:
        asyncio.run(awaited())
    assert sent[0] == sent[1]
    assert sent[0][0] == OPERATIONS[name].method
    assert generic(httpx.URL(sent[0][1]).path) == generic(OPERATIONS[name].path)
    assert sync_error.value.operation == async_error.value.operation == name


def test_both_clients_have_the_same_methods_and_signatures() -> None:
    names = [name for name in resources.__all__ if not name.startswith("Async")]
    assert sorted(resources.__all__) == sorted([*names, *(f"Async{name}" for name in names)])
    for name in names:
        sync_class, async_class = getattr(resources, name), getattr(resources, f"Async{name}")
        methods = [method for method in vars(sync_class) if not method.startswith("_")]
        assert methods == [method for method in vars(async_class) if not method.startswith("_")]
        for method in methods:
            left, right = getattr(sync_class, method), getattr(async_class, method)
            one, other = inspect.signature(left), inspect.signature(right)
            assert list(one.parameters.values()) == list(other.parameters.values())
            assert left.__doc__ == right.__doc__
            if method.startswith("iter"):
                assert other.return_annotation == f"Async{one.return_annotation}"
            else:
                assert one.return_annotation == other.return_annotation
                assert inspect.iscoroutinefunction(right)
    assert inspect.signature(Client) == inspect.signature(AsyncClient)
    public = [name for name in dir(Client) if not name.startswith("_")]
    assert public == [name for name in dir(AsyncClient) if not name.startswith("_")]
