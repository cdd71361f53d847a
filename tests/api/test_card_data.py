"""A card's number and code, from the caller's hand to the wire: no traceback shows them, local variables and all."""

from __future__ import annotations

import asyncio
import io
import traceback
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from rich.console import Console
from rich.traceback import Traceback
from tests.api.conftest import BASE, SECRET

from kycpack.api import Answer, AsyncClient, Client
from kycpack.models.payments import CardDetails

NUMBER, CODE = "4000000000003220", "917"
CARD = {"number": NUMBER, "expiry_month": "12", "expiry_year": "2031", "cvc": CODE}
WIRE = {"number": NUMBER, "expiryMonth": "12", "expiryYear": "2031", "cvc": CODE}
BROWSER = {"browser_language": "en-GB"}


def raising(error: BaseException) -> Callable[[httpx.Request], httpx.Response]:
    def fail(request: httpx.Request) -> httpx.Response:
        content = request.read()
        assert NUMBER.encode() in content
        raise error

    return fail


ANSWERS: dict[str, Callable[[httpx.Request], httpx.Response]] = {
    "refused": lambda _: httpx.Response(400, json={"error": "invalid_request"}),
    "failed": lambda _: httpx.Response(503),
    "not json": lambda _: httpx.Response(200, content=b"{"),
    "echoed": lambda request: httpx.Response(400, content=request.read()),
    "no connection": raising(httpx.ConnectError("x")),
    "lost": raising(httpx.ReadError("x")),
    "interrupted": raising(KeyboardInterrupt()),
    "cancelled": raising(asyncio.CancelledError()),
    "out of memory": raising(MemoryError()),
    "unsendable": raising(httpx.LocalProtocolError("x")),
}
ASKS: dict[str, Callable[[Any], Any]] = {
    "a mapping": lambda c: c.payments.attempts.create("p-1", card=CARD, browser_data=BROWSER),
    "a value": lambda c: c.payments.attempts.create("p-1", card=CardDetails(**CARD), browser_data=BROWSER),
    "raw": lambda c: c.raw("attempts.create", payment_id="p-1", body={"card": WIRE, "browserData": {}}),
}
WRONG: dict[str, Callable[[Any], Any]] = {
    "an unknown member": lambda c: c.payments.attempts.create("p", card={**CARD, "extra": NUMBER}, browser_data=BROWSER),
    "too long": lambda c: c.payments.attempts.create("p", card={**CARD, "number": NUMBER * 9}, browser_data=BROWSER),
    "a list": lambda c: c.payments.attempts.create("p", card={**CARD, "cvc": [CODE]}, browser_data=BROWSER),
    "not a mapping": lambda c: c.payments.attempts.create("p", card=[NUMBER], browser_data=BROWSER),
    "no browser": lambda c: c.payments.attempts.create("p", card=CARD),
    "a bank too": lambda c: c.payments.attempts.create("p", card=CARD, bank={"bank_id": "b"}, browser_data=BROWSER),
    "raw, unknown member": lambda c: c.raw("attempts.create", payment_id="p", body={"card": {**WIRE, "x": NUMBER}, "browserData": {}}),
    "raw, unknown operation": lambda c: c.raw("attempts.make", payment_id="p", body={"card": WIRE}),
}  # fmt: skip


def shown(error: BaseException) -> str:
    """Everything that printers of tracebacks show."""
    plain = traceback.TracebackException.from_exception(error, capture_locals=True)
    page = Console(file=io.StringIO(), width=2000)
    kind = type(error)
    page.print(
        Traceback.from_exception(
            kind, error, error.__traceback__, show_locals=True, locals_max_string=None, locals_max_length=None
        )
    )
    assert isinstance(page.file, io.StringIO)
    return "".join(plain.format()) + page.file.getvalue()


def as_record(came: Any) -> Any:
    return came.record() if isinstance(came, Answer) else came


def ask(kind: str, question: Callable[[Any], Any], answer: Callable[[httpx.Request], httpx.Response]) -> str:
    transport = httpx.MockTransport(answer)

    async def run() -> Any:
        async with httpx.AsyncClient(transport=transport) as http:
            client = AsyncClient(BASE, http_client=http, key_id="key-1", secret=SECRET, max_retries=0)
            return as_record(await question(client))

    try:
        if kind == "sync":
            with httpx.Client(transport=transport) as http:
                as_record(
                    question(Client(BASE, http_client=http, key_id="key-1", secret=SECRET, max_retries=0))
                )
        else:
            asyncio.run(run())
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is shown
        return shown(error)
    raise AssertionError("it did not fail")


@pytest.mark.parametrize("kind", ["sync", "async"])
@pytest.mark.parametrize("name", ASKS)
@pytest.mark.parametrize("fault", ANSWERS)
def test_a_failing_attempt_shows_no_card(kind: str, name: str, fault: str) -> None:
    text = ask(kind, ASKS[name], ANSWERS[fault])
    assert NUMBER not in text
    assert f"'{CODE}'" not in text
    assert f'"{CODE}"' not in text
    assert SECRET not in text


@pytest.mark.parametrize("kind", ["sync", "async"])
@pytest.mark.parametrize("name", WRONG)
def test_a_card_that_does_not_fit_is_not_shown(kind: str, name: str) -> None:
    text = ask(kind, WRONG[name], lambda _: httpx.Response(500))
    assert NUMBER not in text
    assert f"'{CODE}'" not in text


def test_what_is_shown_does_show_local_variables() -> None:
    def fail() -> None:
        canary = NUMBER
        raise ValueError(len(canary))

    with pytest.raises(ValueError, match="16") as caught:
        fail()
    assert shown(caught.value).count(NUMBER) >= 2
