"""A proxy between client and service that spoils connections on the level of TCP."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Self

Spoil = Callable[[socket.socket, Callable[[], bytes]], None]
"""What happens to a request that was read: gets the client's connection, and what would fetch the service's answer."""


def reset(client: socket.socket) -> None:
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def wait_for_the_client_to_go(client: socket.socket) -> None:
    client.settimeout(20)
    with suppress(OSError):
        client.recv(1)


def spoil_answer(change: Callable[[bytes], bytes]) -> Spoil:
    """Forward the request, and change the answer."""
    return lambda client, fetch: client.sendall(change(fetch()))


def instead(data: bytes) -> Spoil:
    """Answer on the service's behalf, which never hears of it."""
    return lambda client, _: client.sendall(data)


def forward_then(end: Callable[[socket.socket], None]) -> Spoil:
    """Forward the request, and keep the answer back."""

    def spoil(client: socket.socket, fetch: Callable[[], bytes]) -> None:
        fetch()
        end(client)

    return spoil


class Proxy:
    """Spoils the first connections and lets the others through.

    Args:
        port: The service's port on loopback.
        spoil: What happens to a spoilt request; None when the connection is gone before one is read.
        times: How many connections are spoilt.
    """

    def __init__(self, port: int, spoil: Spoil | None, times: int) -> None:
        self._port = port
        self._spoil = spoil
        self._left = times
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.base_url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._workers: list[threading.Thread] = []

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(timeout=10)
        for worker in self._workers:
            worker.join(timeout=30)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            spoilt = self._left > 0
            self._left -= spoilt
            worker = threading.Thread(target=self._serve, args=(client, spoilt), daemon=True)
            worker.start()
            self._workers.append(worker)

    def _serve(self, client: socket.socket, spoilt: bool) -> None:  # noqa: FBT001 - one of two ways
        with client, suppress(OSError):
            if spoilt and self._spoil is None:
                reset(client)
                return
            request = read_message(client)
            if spoilt and self._spoil is not None:
                self._spoil(client, lambda: self._fetch(request))
            else:
                client.sendall(self._fetch(request))

    def _fetch(self, request: bytes) -> bytes:
        with socket.create_connection(("127.0.0.1", self._port), timeout=30) as service:
            service.sendall(request)
            head, _, body = read_message(service).partition(b"\r\n\r\n")
        return head + b"\r\nconnection: close\r\n\r\n" + body


def read_message(connection: socket.socket) -> bytes:
    """Read one HTTP message whose body has a length."""
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
