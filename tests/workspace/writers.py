"""What writes to one workspace at once in several processes, some of them killed on the way."""

from __future__ import annotations

import time
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess

from tests.forks import begin_with_pipe

from kycpack.models.onboarding import SessionStatus
from kycpack.workspace import Inbox, Ledger, Register, Workspace
from kycpack.workspace.entries.verify_ledger import list_digest


def begin_settling(place: str) -> ForkServerProcess:
    """Start a process that settles deliveries, and wait until it begins."""
    working, pipe = begin_with_pipe(settle, place)
    with pipe:
        assert pipe.recv() == "ready"
    return working


def settle(ready: Connection, place: str) -> None:
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
            said = {"run_id": f"{name}-{number}", "occasion": "event", "cleared_digest": list_digest(())}
            with ledger.writing() as writer:
                writer.append("run.recorded", said)
