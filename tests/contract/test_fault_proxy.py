"""Spoilt connections: after each, the truth on the service matches what the caller was told."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from tests.contract.proxy import (
    Proxy,
    Spoil,
    forward_then,
    instead,
    reset,
    spoil_answer,
    wait_for_the_client_to_go,
)

from kycpack.errors import ApiError, ContractError, TransportError

OK = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
NUMBERS = count()
MATRIX = "fault matrix, proxy"


def cut(share: float) -> Callable[[bytes], bytes]:
    return lambda answer: answer[: int(len(answer) * share)]


def body_of(answer: bytes) -> bytes:
    return answer.partition(b"\r\n\r\n")[2]


def close(_: Any) -> None:
    return


FAULTS: dict[str, Spoil | None] = {
    "reset before the request": None,
    "closed unanswered": lambda *_: None,
    "reset unanswered": lambda client, _: reset(client),
    "silence": lambda client, _: wait_for_the_client_to_go(client),
    "garbage": instead(b"\x00\xff\x00\xff garbage\r\n\r\n"),
    "another protocol": instead(b"SSH-2.0-OpenSSH_9.0\r\n"),
    "a status that is none": instead(b"HTTP/1.1 999999 Nope\r\n\r\n"),
    "endless headers": instead(OK + b"x: " + b"y" * 300_000),
    "closed after it was done": forward_then(close),
    "reset after it was done": forward_then(reset),
    "silence after it was done": forward_then(wait_for_the_client_to_go),
    "half of the head": spoil_answer(cut(0.2)),
    "all but the last byte": spoil_answer(lambda answer: answer[:-1]),
    "a length that is no number": spoil_answer(lambda answer: answer.replace(b"content-length: ", b"content-length: x")),
    "two lengths": spoil_answer(lambda answer: answer.replace(b"\r\n\r\n", b"\r\ncontent-length: 3\r\n\r\n", 1)),
    "a chunk without an end": spoil_answer(
        lambda answer: OK + b"transfer-encoding: chunked\r\n\r\n5\r\n" + body_of(answer)[:5] + b"\r\n"
    ),
    "an encoding that is none": spoil_answer(
        lambda answer: OK + b"content-encoding: gzip\r\nconnection: close\r\n\r\n" + body_of(answer)
    ),
    "half of the json": spoil_answer(lambda answer: OK + b"connection: close\r\n\r\n" + cut(0.5)(body_of(answer))),
    "a page instead": spoil_answer(lambda _: OK + b"connection: close\r\n\r\n<html>Welcome to the hotel</html>"),
    "nothing instead": spoil_answer(lambda _: b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n"),
}  # fmt: skip
HARMLESS: dict[str, Spoil] = {
    "an interim answer before": spoil_answer(lambda answer: b"HTTP/1.1 103 Early Hints\r\n\r\n" + answer),
    "a compressed answer": spoil_answer(
        lambda answer: (
            OK + b"content-encoding: gzip\r\nconnection: close\r\n\r\n" + gzip.compress(body_of(answer))
        )
    ),
    "a chunked answer": spoil_answer(
        lambda answer: (
            OK
            + b"transfer-encoding: chunked\r\nconnection: close\r\n\r\n"
            + f"{len(body_of(answer)):x}\r\n".encode()
            + body_of(answer)
            + b"\r\n0\r\n\r\n"
        )
    ),
}


def through(bench: Any, spoil: Spoil | None, times: int, ask: Callable[[Any], Any], **terms: Any) -> Any:
    port = int(bench.service.base_url.rpartition(":")[2])
    silent = spoil in (FAULTS["silence"], FAULTS["silence after it was done"])
    with Proxy(port, spoil, times) as proxy:
        return bench(ask, base_url=proxy.base_url, timeout=1.5 if silent else 30.0, **terms)


NEVER_HEARD = {
    "closed unanswered", "reset unanswered", "silence", "garbage", "another protocol", "a status that is none",
    "endless headers",
}  # fmt: skip
UNREADABLE = {"half of the json", "a page instead", "nothing instead"}


@pytest.mark.parametrize("name", FAULTS)
def test_a_create_is_what_the_caller_was_told(name: str, bench: Any, tally: Callable[..., None]) -> None:
    org = f"proxy-{next(NUMBERS)}"
    told = ""
    try:
        through(bench, FAULTS[name], 1, lambda client: client.customers.create(org_id=org))
    except ApiError as error:
        told = type(error).__name__
    made = len(bench(lambda client: client.customers.list(org_id=org)))
    if name == "reset before the request":  # the reset comes before or after the first byte, as it happens
        assert (told, made) in {("", 1), ("OutcomeUnknownError", 0)}
    else:
        assert told == ("ContractError" if name in UNREADABLE else "OutcomeUnknownError")
        assert made == (0 if name in NEVER_HEARD else 1)
    if bench.kind == "sync":
        tally(MATRIX, "kinds of broken connections")
    tally(MATRIX, f"creates told {told or 'done'}, and {'done' if made else 'not done'}")


@pytest.mark.parametrize("bench", ["sync"], indirect=True)
@pytest.mark.parametrize("name", [name for name in FAULTS if name not in UNREADABLE])
def test_a_read_comes_through_when_the_fault_passes(
    name: str, bench: Any, tally: Callable[..., None]
) -> None:
    person = bench.person()
    assert through(bench, FAULTS[name], 2, lambda client: client.customers.get(person.id)).id == person.id
    tally(MATRIX, "reads that came through after two faults")


@pytest.mark.parametrize("name", sorted(UNREADABLE))
def test_an_answer_that_cannot_be_read_is_told_as_that(
    name: str, bench: Any, tally: Callable[..., None]
) -> None:
    person = bench.person()
    with pytest.raises(ContractError):
        through(bench, FAULTS[name], 1, lambda client: client.customers.get(person.id))
    with pytest.raises(ContractError, match="it may have happened"):
        through(bench, FAULTS[name], 1, lambda client: client.customers.create(org_id="x"))
    tally(MATRIX, "unreadable answers told as ContractError", 2)


@pytest.mark.parametrize("name", ["closed unanswered", "reset after it was done", "half of the head"])
def test_a_fault_that_stays_is_a_typed_error(name: str, bench: Any, tally: Callable[..., None]) -> None:
    with pytest.raises(TransportError):
        through(bench, FAULTS[name], 99, lambda client: client.banks.list(country_code="GB"), max_retries=1)
    tally(MATRIX, "lasting faults told as TransportError")


@pytest.mark.parametrize("name", HARMLESS)
def test_what_is_odd_but_whole_is_read(name: str, bench: Any, tally: Callable[..., None]) -> None:
    org = f"proxy-{next(NUMBERS)}"
    made = through(bench, HARMLESS[name], 1, lambda client: client.customers.create(org_id=org))
    assert [each.id for each in bench(lambda client: client.customers.list(org_id=org))] == [made.id]
    tally(MATRIX, "odd but whole answers read")
