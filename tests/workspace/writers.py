"""Processes that write to one workspace at once, some of them killed on the way.

They are forked from the server that packs are forked from too: with the imports done, which take longer than what is written.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess

from kycpack.models.onboarding import SessionStatus
from kycpack.workspace import Inbox, Ledger, Register, Workspace

_CONTEXT = multiprocessing.get_context("forkserver")


def begin(work: Callable[..., None], *arguments: object) -> ForkServerProcess:
    """Start one of the functions below in a process of its own."""
    _CONTEXT.set_forkserver_preload(["kycpack.workspace"])
    process = _CONTEXT.Process(target=work, args=arguments)
    process.start()
    return process


def begin_settling(place: str) -> ForkServerProcess:
    """Start a process that settles deliveries, and wait until it begins."""
    ours, theirs = _CONTEXT.Pipe(duplex=False)
    working = begin(settle, place, theirs)
    theirs.close()
    assert ours.recv() == "ready"
    ours.close()
    return working


def settle(place: str, ready: Connection) -> None:
    """Settle deliveries; of the sessions whose number four divides, the service says that they are not complete."""
    with Workspace.open(place) as workspace:
        ready.send("ready")
        Inbox(workspace).work(_ask)


def _ask(session_id: str) -> SessionStatus:
    time.sleep(0.002)
    number = int(session_id.removeprefix("s-"))
    return SessionStatus(
        id=session_id,
        status="inprogress" if number % 4 == 0 else "complete",
        updated="2026-05-25T09:30:00.000Z",
    )


def learn(place: str, worker: int) -> None:
    """Learn of twenty sessions that another process learns of too, and of twenty customers of one's own."""
    with Workspace.open(place) as workspace:
        register = Register(workspace)
        for number in range(20):
            register.add_session(f"s-{number}", learned_from="import", customer_id="c-1", status="seen")
            register.add_customer(f"c-{worker}-{number}", learned_from="import")


def write_entries(place: str, name: str) -> None:
    """Write forty entries of a ledger, each in a transaction of its own."""
    with Workspace.open(place) as workspace:
        ledger = Ledger(workspace)
        for number in range(40):
            with ledger.writing() as writer:
                writer.append("run.recorded", {"who": name, "number": number})
