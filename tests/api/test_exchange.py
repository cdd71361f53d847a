"""The protocol through every kind of fault: each outcome is a success, a typed error, or outcome-unknown."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from kycpack.api import AsyncClient, Client
from kycpack.api.exchange import LONGEST_WAIT
from kycpack.errors import (
    ApiError,
    AuthenticationError,
    BadRequestError,
    ConflictError,
    ContractError,
    NotFoundError,
    OutcomeUnknownError,
    PermissionDeniedError,
    RateLimitError,
    RequestTimeoutError,
    ServerError,
    StatusError,
    TransportError,
)

CUSTOMER = {"id": "c-1"}


class BrokenStream(httpx.SyncByteStream, httpx.AsyncByteStream):
    """Half a body, then the connection is gone."""

    def __iter__(self) -> Iterator[bytes]:
        yield b'{"id":'
        raise httpx.RemoteProtocolError("peer closed connection without sending complete message body")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b'{"id":'
        raise httpx.RemoteProtocolError("peer closed connection without sending complete message body")


class NoGzip(httpx.SyncByteStream, httpx.AsyncByteStream):
    """Calls itself gzip and is none."""

    def __iter__(self) -> Iterator[bytes]:
        yield b"this is no gzip"

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b"this is no gzip"


@dataclass(frozen=True)
class Fault:
    """A kind of fault, and what it means for something safe and for something that must not be repeated."""

    name: str
    make: Callable[[], httpx.Response]
    safe: type[ApiError]
    safe_sent: int
    once: type[ApiError]
    once_sent: int


def raising(error: type[Exception]) -> Callable[[], httpx.Response]:
    def make() -> httpx.Response:
        raise error("fault")

    return make


def status(code: int, **given: Any) -> Callable[[], httpx.Response]:
    return lambda: httpx.Response(code, **given)


FAULTS = [
    Fault("refused connection", raising(httpx.ConnectError), TransportError, 4, TransportError, 4),
    Fault("connect timeout", raising(httpx.ConnectTimeout), RequestTimeoutError, 4, RequestTimeoutError, 4),
    Fault("pool timeout", raising(httpx.PoolTimeout), RequestTimeoutError, 4, RequestTimeoutError, 4),
    Fault("read timeout", raising(httpx.ReadTimeout), RequestTimeoutError, 4, OutcomeUnknownError, 1),
    Fault("write timeout", raising(httpx.WriteTimeout), RequestTimeoutError, 4, OutcomeUnknownError, 1),
    Fault("reset while reading", raising(httpx.ReadError), TransportError, 4, OutcomeUnknownError, 1),
    Fault("reset while writing", raising(httpx.WriteError), TransportError, 4, OutcomeUnknownError, 1),
    Fault("no answer", raising(httpx.RemoteProtocolError), TransportError, 4, OutcomeUnknownError, 1),
    Fault("half a body", status(200, stream=BrokenStream()), TransportError, 4, OutcomeUnknownError, 1),
    Fault("broken encoding", status(200, stream=NoGzip(), headers={"content-encoding": "gzip"}), TransportError, 4, OutcomeUnknownError, 1),
    Fault("event loop gone", raising(RuntimeError), TransportError, 4, OutcomeUnknownError, 1),
    Fault("request timeout 408", status(408), BadRequestError, 4, BadRequestError, 1),
    Fault("rate limit 429", status(429), RateLimitError, 4, RateLimitError, 4),
    Fault("server error 500", status(500), ServerError, 4, ServerError, 1),
    Fault("bad gateway 502 html", status(502, html="<h1>Ann</h1>"), ServerError, 4, ServerError, 1),
    Fault("unavailable 503", status(503), ServerError, 4, ServerError, 1),
    Fault("bad request 400", status(400, json={"error": "invalid_request"}), BadRequestError, 1, BadRequestError, 1),
    Fault("unauthenticated 401", status(401), AuthenticationError, 1, AuthenticationError, 1),
    Fault("forbidden 403", status(403), PermissionDeniedError, 1, PermissionDeniedError, 1),
    Fault("not found 404", status(404), NotFoundError, 1, NotFoundError, 1),
    Fault("conflict 409", status(409), ConflictError, 1, ConflictError, 1),
    Fault("teapot 418", status(418), BadRequestError, 1, BadRequestError, 1),
    Fault("redirect 302", status(302, headers={"location": "https://x.example"}), ContractError, 1, ContractError, 1),
    Fault("wrong json", status(200, content=b"{nope"), ContractError, 1, ContractError, 1),
    Fault("html instead of json", status(200, html="<html>"), ContractError, 1, ContractError, 1),
    Fault("wrong shape", status(200, json={"id": 7}), ContractError, 1, ContractError, 1),
    Fault("array instead of object", status(200, json=[]), ContractError, 1, ContractError, 1),
    Fault("empty success", status(204), ContractError, 1, ContractError, 1),
]  # fmt: skip


OPEN = {
    "request timeout 408", "server error 500", "bad gateway 502 html", "unavailable 503", "redirect 302",
    "wrong json", "html instead of json", "wrong shape", "array instead of object", "empty success",
}  # fmt: skip
"""Answers that do not say whether what was asked has happened."""


def get(client: Any) -> Any:
    return client.customers.get("c-1")


def create(client: Any) -> Any:
    return client.customers.create(first_name="Ann")


def attempt(client: Any) -> Any:
    return client.payments.attempts.create("p-1", bank={"bank_id": "b"})


def meet(
    fault: Fault, call: Callable[[Any], Any], make: Callable[..., Any], **terms: Any
) -> tuple[ApiError, int]:
    sent = 0

    def answer(_: httpx.Request) -> httpx.Response:
        nonlocal sent
        sent += 1
        return fault.make()

    client = make(answer, **terms)

    async def awaited() -> None:
        await call(client)

    run = (lambda: asyncio.run(awaited())) if isinstance(client, AsyncClient) else (lambda: call(client))
    with pytest.raises(ApiError) as caught:
        run()
    return caught.value, sent


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
@pytest.mark.parametrize("kind", ["sync", "async"])
def test_every_fault_is_a_typed_error_after_the_right_number_of_sends(
    fault: Fault,
    kind: str,
    make_client: Callable[..., Client],
    make_async_client: Callable[..., AsyncClient],
    naps: list[float],
) -> None:
    make = make_client if kind == "sync" else make_async_client
    for call, expected, sends in ((get, fault.safe, fault.safe_sent), (create, fault.once, fault.once_sent)):
        error, sent = meet(fault, call, make)
        assert type(error) is expected
        assert sent == sends
        assert error.request_id
        assert "Ann" not in str(error)
        assert error.__context__ is None
        assert error.__cause__ is None


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_an_attempt_is_repeated_with_its_key(
    fault: Fault, make_client: Callable[..., Client], naps: list[float]
) -> None:
    keys: list[bytes] = []

    def answer(request: httpx.Request) -> httpx.Response:
        keys.append(request.read())
        return fault.make()

    with pytest.raises(ApiError) as caught:
        attempt(make_client(answer))
    error = caught.value
    lost = fault.once is OutcomeUnknownError
    assert type(error) is (OutcomeUnknownError if lost else fault.safe)
    assert len(keys) == fault.safe_sent
    assert len(set(keys)) == 1
    assert error.request_id
    assert error.idempotency_key.encode() in keys[0]
    assert error.may_have_happened is (lost or fault.name in OPEN)
    assert ("read the payment first" in str(error)) is error.may_have_happened
    assert (error.idempotency_key in str(error)) is error.may_have_happened


@pytest.mark.parametrize(
    "fault", [fault for fault in FAULTS if fault.safe_sent > 1], ids=lambda fault: fault.name
)
def test_a_fault_that_passes_is_a_success(
    fault: Fault, make_client: Callable[..., Client], naps: list[float]
) -> None:
    answers = iter([fault.make, fault.make, status(200, json=CUSTOMER)])
    assert get(make_client(lambda _: next(answers)())).id == "c-1"
    assert len(naps) == 2


def test_a_lost_attempt_says_how_to_find_out_and_how_to_try_again(
    make_client: Callable[..., Client], naps: list[float]
) -> None:
    def answer(_: httpx.Request) -> httpx.Response:
        raise httpx.ReadTimeout("fault")

    with pytest.raises(OutcomeUnknownError) as caught:
        make_client(answer).payments.attempts.create("p", bank={"bank_id": "b"}, idempotency_key="key-77")
    assert caught.value.idempotency_key == "key-77"
    for said in (
        "read the payment first",
        "idempotency_key key-77",
        "is not known",
        "a person has to decide",
    ):
        assert said in str(caught.value)
    again = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - our own bytes
    assert (again.idempotency_key, again.may_have_happened, again.request_id) == (
        "key-77", True, caught.value.request_id,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("last", "expected"),
    [
        (raising(httpx.ConnectError), OutcomeUnknownError),
        (status(401), AuthenticationError),
        (status(429, headers={"retry-after": "9999"}), RateLimitError),
        (status(404), NotFoundError),
    ],
)
def test_what_was_lost_before_stays_in_doubt_whatever_comes_last(
    last: Callable[[], httpx.Response],
    expected: type[ApiError],
    make_client: Callable[..., Client],
    naps: list[float],
) -> None:
    answers = iter([raising(httpx.ReadError), *[last] * 9])
    with pytest.raises(expected) as caught:
        attempt(make_client(lambda _: next(answers)()))
    assert caught.value.may_have_happened
    assert caught.value.idempotency_key


@pytest.mark.parametrize("code", [408, 500, 503])
def test_a_create_that_timed_out_over_there_is_uncertain(
    code: int, make_client: Callable[..., Client]
) -> None:
    with pytest.raises(StatusError, match="it may have happened") as caught:
        create(make_client(lambda _: httpx.Response(code)))
    assert caught.value.may_have_happened
    with pytest.raises(StatusError) as refused:
        create(make_client(lambda _: httpx.Response(400)))
    assert not refused.value.may_have_happened


@pytest.mark.parametrize(
    ("headers", "naps_made"),
    [
        ({"retry-after": "7"}, [7.0]),
        ({"retry-after": "60"}, [60.0]),
        ({"retry-after": "Mon, 01 Jun 2026 12:00:09 GMT", "date": "Mon, 01 Jun 2026 12:00:00 GMT"}, [9.0]),
        ({"retry-after": "Mon, 01 Jun 2026 11:00:00 GMT", "date": "Mon, 01 Jun 2026 12:00:00 GMT"}, [0.0]),
    ],
)
def test_retry_after_is_honoured(
    headers: dict[str, str], naps_made: list[float], make_client: Callable[..., Client], naps: list[float]
) -> None:
    answers = iter([httpx.Response(429, headers=headers), httpx.Response(200, json=CUSTOMER)])
    get(make_client(lambda _: next(answers)))
    assert naps == naps_made


def test_a_longer_retry_after_is_the_callers_to_wait(
    make_client: Callable[..., Client], naps: list[float]
) -> None:
    with pytest.raises(RateLimitError) as caught:
        get(make_client(lambda _: httpx.Response(429, headers={"retry-after": "61"})))
    assert caught.value.retry_after == 61
    assert naps == []


@pytest.mark.parametrize("value", ["soon", "-1", "1e9", "9" * 400, "Mon, 99 Foo", ""])
def test_a_retry_after_that_says_nothing_is_ignored(
    value: str, make_client: Callable[..., Client], naps: list[float]
) -> None:
    answers = iter([httpx.Response(503, headers={"retry-after": value}), httpx.Response(200, json=CUSTOMER)])
    get(make_client(lambda _: next(answers)))
    assert len(naps) == 1
    assert naps[0] <= LONGEST_WAIT


# --- the protocol without a wire
