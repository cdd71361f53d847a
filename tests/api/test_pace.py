"""One pace for many processes: never more at once, never more a second, and slower for all when the service says so."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import struct
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from kycpack.api import AsyncClient, Client, SharedPace
from kycpack.api.protocol import Received
from kycpack.errors import ConfigurationError, RequestTimeoutError

_FORK = multiprocessing.get_context("fork")


def take_turns(pace: SharedPace, number: int, hold: float, all_there: Any, spans: Any) -> None:
    all_there.wait(60)
    spans.put((time.monotonic(), None))
    for _ in range(number):
        turn = pace.enter(30)
        assert turn is not None
        began = time.monotonic()
        time.sleep(hold)
        ended = time.monotonic()
        pace.leave(turn)
        spans.put((began, ended))


def spans_of(
    pace: SharedPace, processes: int, number: int, hold: float
) -> tuple[float, list[tuple[float, float]]]:
    """Let several processes take turns; return when the first of them asked, and when each turn began and ended."""
    spans, all_there = _FORK.Queue(), _FORK.Barrier(processes)
    given = (pace, number, hold, all_there, spans)
    working = [_FORK.Process(target=take_turns, args=given) for _ in range(processes)]
    for process in working:
        process.start()
    found = [spans.get(timeout=60) for _ in range(processes * (number + 1))]
    for process in working:
        process.join()
    asked = min(began for began, ended in found if ended is None)
    return asked, sorted(each for each in found if each[1] is not None)


def test_no_more_at_once_than_the_pace_of_all_processes(tmp_path: Path) -> None:
    _, spans = spans_of(SharedPace(tmp_path / "pace", at_once=2), 4, 5, 0.02)
    most = max(sum(began <= moment < ended for began, ended in spans) for moment, _ in spans)
    assert most == 2


def test_no_more_a_second_than_the_pace_of_all_processes(tmp_path: Path) -> None:
    asked, spans = spans_of(SharedPace(tmp_path / "pace", per_second=50), 3, 7, 0.0)
    # A busy machine may note the first turn late, but never have asked for it too late.
    assert spans[-1][0] - asked >= 20 / 50


def test_a_process_that_was_killed_gives_its_turn_back(tmp_path: Path) -> None:
    pace = SharedPace(tmp_path / "pace", at_once=1)
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        pace.enter(5)
        os.write(theirs, b".")
        time.sleep(60)
    os.read(ours, 1)
    assert pace.enter(0.1) is None
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    turn = pace.enter(5)
    assert turn is not None
    pace.leave(turn)


def test_a_service_that_is_overloaded_slows_every_client(
    make_client: Callable[..., Client], tmp_path: Path
) -> None:
    answers = [httpx.Response(429, headers={"retry-after": "0.4"})]
    sent: list[float] = []

    def answer(_: httpx.Request) -> httpx.Response:
        sent.append(time.monotonic())
        return answers.pop() if answers else httpx.Response(200, json={"id": "c-1"})

    clients = [make_client(answer, pace=SharedPace(tmp_path / "pace")) for _ in range(3)]
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda client: client.customers.get("c-1"), clients[:1]))
        list(pool.map(lambda client: client.customers.get("c-1"), clients))
    first, *rest = sent
    # And from then on one after the other. A busy machine may send late, and so nearer to the next; never early.
    assert all(later - first >= 0.4 + 0.09 * turn for turn, later in enumerate(rest))


def test_complaints_of_requests_that_were_together_count_once(tmp_path: Path) -> None:
    pace = SharedPace(tmp_path / "pace")
    for _ in range(8):
        pace.heard(Received(429, {"retry-after": "0"}, b""))
        pace.heard(Received(429, {}, b""))
    factor = struct.unpack("<4d", (tmp_path / "pace" / "state").read_bytes())[1]
    assert factor <= 8


def test_without_room_until_the_deadline_nothing_is_sent(
    make_client: Callable[..., Client], make_async_client: Callable[..., AsyncClient], tmp_path: Path
) -> None:
    pace = SharedPace(tmp_path / "pace", at_once=1)
    turn = pace.enter(1)
    assert turn is not None
    sent: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(200, json={"id": "c-1"})

    with pytest.raises(RequestTimeoutError):
        make_client(answer, pace=pace, deadline=0.2).customers.get("c-1")
    with pytest.raises(RequestTimeoutError):
        asyncio.run(make_async_client(answer, pace=pace, deadline=0.2).customers.get("c-1"))
    assert sent == []
    pace.leave(turn)
    asyncio.run(make_async_client(answer, pace=pace).customers.get("c-1"))
    assert len(sent) == 1


def test_what_was_written_before_the_machine_started_anew_is_forgotten(tmp_path: Path) -> None:
    pace = SharedPace(tmp_path, per_second=10)
    later = time.monotonic() + 10**6
    (tmp_path / "state").write_bytes(struct.pack("<4d", later, 64.0, later, later))
    turn = pace.enter(1)
    assert turn is not None
    pace.leave(turn)


@pytest.mark.parametrize("given", [{"at_once": 0}, {"per_second": 0.0}, {"per_second": -1.0}])
def test_a_pace_that_makes_no_sense_is_refused(given: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError):
        SharedPace(tmp_path, **given)
