"""Laws of an exchange, whatever happens on the wire: waits, deadlines, and what is never sent twice."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kycpack.api.addresses import BaseUrl
from kycpack.api.exchange import LONGEST_WAIT, exchange
from kycpack.api.failures import Lost
from kycpack.api.operations import CREATE_CUSTOMER, GET_CUSTOMER, OPERATIONS, Operation
from kycpack.api.protocol import Ambient, Call, Patience, Pause, Received, Send
from kycpack.errors import (
    ApiError,
    OutcomeUnknownError,
    RequestTimeoutError,
    StatusError,
)


@dataclass
class World:
    """A clock that moves only when the protocol waits, and chance that always takes the most."""

    seconds: float = 0.0
    ids: int = 0

    def ambient(self) -> Ambient:
        return Ambient(
            now=lambda: datetime(2026, 6, 1, tzinfo=UTC),
            monotonic=lambda: self.seconds,
            jitter=lambda most: most,
            new_id=self.new_id,
        )

    def new_id(self) -> str:
        self.ids += 1
        return f"id-{self.ids}"


def drive(
    operation: Operation[Any], events: list[Received | Lost], patience: Patience, took: float = 0.0
) -> tuple[Any, list[Send], list[float]]:
    """Run the protocol against a script; returns the answer or error, what was sent, and the waits."""
    world = World()
    call = Call(operation, "/v1/customers")
    steps = exchange(call, BaseUrl("http://127.0.0.1"), lambda _: {}, patience, world.ambient())
    script, sent, waits = iter(events), [], []
    step = next(steps)
    try:
        while True:
            if isinstance(step, Pause):
                waits.append(step.seconds)
                world.seconds += step.seconds
                step = steps.send(None)
            else:
                sent.append(step)
                world.seconds += took
                step = steps.send(next(script))
    except StopIteration as done:
        return done.value, sent, waits
    except ApiError as error:
        return error, sent, waits


def test_waits_double_up_to_a_cap() -> None:
    lost = Lost("connection", sent=False, reason="x")
    _, sent, waits = drive(GET_CUSTOMER, [lost] * 9, Patience(max_retries=7, deadline=1e9))
    assert waits == [0.5, 1, 2, 4, 8, 8, 8]
    assert len(sent) == 8


def test_the_deadline_ends_it_before_a_wait_that_would_pass_it() -> None:
    lost = Lost("timeout", sent=True, reason="ReadTimeout")
    error, sent, _ = drive(
        GET_CUSTOMER, [lost] * 50, Patience(max_retries=50, deadline=100, timeout=30), took=30
    )
    assert isinstance(error, RequestTimeoutError)
    assert len(sent) == 4
    assert [round(send.timeout) for send in sent] == [30, 30, 30, 6]


EVENTS = st.one_of(
    st.sampled_from([200, 204, 301, 400, 401, 403, 404, 408, 409, 418, 429, 500, 502, 503, 504]).map(
        lambda code: Received(code, {}, b"{}")
    ),
    st.builds(
        Lost,
        st.sampled_from(["timeout", "connection", "unreadable", "closed"]),
        sent=st.booleans(),
        reason=st.just("x"),
    ),
)


@given(st.lists(EVENTS, min_size=20, max_size=20), st.sampled_from(sorted(OPERATIONS)), st.integers(0, 6))
def test_something_that_must_not_be_repeated_is_not(
    events: list[Received | Lost], name: str, max_retries: int
) -> None:
    operation = OPERATIONS[name]
    outcome, sent, waits = drive(operation, events, Patience(max_retries=max_retries, deadline=1e6))
    if not operation.follow:
        assert len(sent) <= max_retries + 1
        assert len(waits) == len(sent) - 1
    assert all(0 <= wait <= LONGEST_WAIT for wait in waits)
    if operation.repeat == "once":
        may_have_happened = [
            (isinstance(event, Lost) and event.sent) or (isinstance(event, Received) and event.status != 429)
            for event in events[: len(sent)]
        ]
        assert not any(may_have_happened[:-1])
        last = events[len(sent) - 1]
        if isinstance(last, Lost) and last.sent:
            assert isinstance(outcome, OutcomeUnknownError)


@given(st.binary(max_size=80), st.sampled_from([400, 401, 403, 404, 429, 500, 503]))
def test_no_error_quotes_a_body(content: bytes, code: int) -> None:
    received = Received(
        code, {}, b'{"error":"' + content.hex().encode() + b'","message":"Ann 4111111111111111"}'
    )
    answer, _, _ = drive(CREATE_CUSTOMER, [received] * 9, Patience(max_retries=0))
    with pytest.raises(StatusError) as caught:
        answer.raise_for_status()
    assert "Ann" not in str(caught.value)
    assert "4111" not in str(caught.value)
