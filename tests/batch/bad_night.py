"""A run against a provider that answers some requests with 500, resets some and lets some hang."""

from __future__ import annotations

import random
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Self

from kycpack.api import Client, collect
from kycpack.batch import Job, RunEntry, run_batch
from kycpack.batch.customer_record import cause_of, may_come_later, record_problem
from kycpack.folders import folder_name
from kycpack.workspace import Runs, Workspace

HANG_SECONDS = 1.0
_RESET = struct.pack("ii", 1, 0)
_ANSWER = b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"


@dataclass(frozen=True)
class CollectTask:
    """Collects for real and writes the evidence, without the documents of a pack."""

    base_url: str
    key_id: str
    secret: str = field(repr=False)
    retries: int = 1
    preload: tuple[str, ...] = ("kycpack.api", "kycpack.batch", "bad_night")

    def __call__(self, job: Job, *, out: Path, as_of: datetime, previous: RunEntry | None) -> RunEntry:
        del as_of, previous
        with Client(
            self.base_url,
            key_id=self.key_id,
            secret=self.secret,
            timeout=HANG_SECONDS / 2,
            max_retries=self.retries,
        ) as client:
            evidence = collect(client, job.customer_id, concurrency=2)
        if problem := record_problem(evidence):
            outcome = "incomplete" if may_come_later(evidence) else "failed"
            return RunEntry(job.customer_id, outcome, note=problem, cause=cause_of(evidence))  # type: ignore[arg-type]
        name = folder_name(job.customer_id)
        evidence.save(out / name, replace=True)
        outcome = "incomplete" if evidence.incomplete else "produced"
        return RunEntry(job.customer_id, outcome, pack=name, evidence_root=evidence.root)  # type: ignore[arg-type]


class BadProvider:
    """Stands before a service on loopback and spoils requests at random.

    Args:
        port: The service's port.
        seed: Which requests are spoilt.
        shares: How many of them, by kind: `500`, `reset`, `hang`.
    """

    def __init__(self, port: int, *, seed: int, shares: dict[str, float]) -> None:
        self._port = port
        self._chance = random.Random(seed)  # noqa: S311 - a replay has to be the same each time
        self._shares = shares
        self.counts: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.base_url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _fate(self) -> str:
        with self._lock:
            drawn = self._chance.random()
            for kind, share in self._shares.items():
                if drawn < share:
                    self.counts[kind] += 1
                    return kind
                drawn -= share
            self.counts["answered"] += 1
        return "answered"

    def _serve(self, client: socket.socket) -> None:
        with client, suppress(OSError):
            request = _read_message(client)
            fate = self._fate()
            if fate == "reset":
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
            elif fate == "hang":
                time.sleep(HANG_SECONDS)
            elif fate == "500":
                client.sendall(_ANSWER)
            else:
                client.sendall(self._fetch(request))

    def _fetch(self, request: bytes) -> bytes:
        with socket.create_connection(("127.0.0.1", self._port), timeout=30) as service:
            service.sendall(request)
            head, _, body = _read_message(service).partition(b"\r\n\r\n")
        return head + b"\r\nconnection: close\r\n\r\n" + body


def _read_message(connection: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        data += _receive(connection)
    head, _, body = data.partition(b"\r\n\r\n")
    fields = dict(line.lower().split(b":", 1) for line in head.split(b"\r\n")[1:])
    length = int(fields.get(b"content-length", b"0"))
    while len(body) < length:
        body += _receive(connection)
    return head + b"\r\n\r\n" + body


def _receive(connection: socket.socket) -> bytes:
    chunk = connection.recv(65_536)
    if not chunk:
        raise ConnectionResetError("the other side is gone")
    return chunk


def coordinate(
    pipe: Connection, out: Path, task: CollectTask, customers: Sequence[str], workspace: str
) -> None:
    """Be the coordinator that is killed; says each customer that is settled."""
    with Workspace.open(workspace) as opened:
        run_batch(
            [Job(customer_id) for customer_id in customers],
            out,
            task=task,
            as_of=datetime(2026, 6, 1, tzinfo=UTC),
            runs=Runs(opened),
            workers=2,
            limit_seconds=60,
            on_entry=lambda entry: pipe.send(entry.customer_id),
        )
