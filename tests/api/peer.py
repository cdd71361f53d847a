"""A peer on a socket of loopback that answers as a test says, byte by byte."""

from __future__ import annotations

import json
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

Serve = Callable[["Visit"], None]


def answer(document: Any, *, status: str = "200 OK", headers: str = "") -> bytes:
    """Return an answer with a length, as bytes."""
    body = json.dumps(document).encode()
    head = (
        f"HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n{headers}\r\n"
    )
    return head.encode() + body


def certificate(folder: Path, name: str, *more: str) -> ssl.SSLContext:
    """Make `cert.pem`, a certificate for a name that nobody but itself vouches for, and its key in a folder."""
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}"]
    made += [*more, "-keyout", "key.pem", "-out", "cert.pem"]
    subprocess.run(made, cwd=folder, check=True, capture_output=True)  # noqa: S603 - our own words
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return context


class Visit:
    """One connection: reads requests, and says which they are."""

    def __init__(self, connection: socket.socket, number: int) -> None:
        self.connection = connection
        self.number = number
        self.left = b""

    def next(self) -> tuple[str, dict[str, str], bytes]:
        """Return the target, the headers and the body of the next request."""
        while b"\r\n\r\n" not in self.left:
            self._receive()
        head, _, self.left = self.left.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        headers = {
            name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])
        }
        length = int(headers.get("content-length", 0))
        while len(self.left) < length:
            self._receive()
        body, self.left = self.left[:length], self.left[length:]
        return lines[0].split(" ")[1], headers, body

    def send(self, data: bytes) -> None:
        self.connection.sendall(data)

    def _receive(self) -> None:
        data = self.connection.recv(65_536)
        if not data:
            raise ConnectionError("the client is gone")
        self.left += data


class Peer:
    """Serves each connection in a thread of its own.

    Args:
        serve: What happens on a connection; called again until it raises or the client goes.
        tls: Certificate and key, for TLS.
    """

    def __init__(self, serve: Serve, tls: ssl.SSLContext | None = None) -> None:
        self._serve = serve
        self._tls = tls
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port = self._listener.getsockname()[1]
        self.base_url = f"http{'s' if tls else ''}://127.0.0.1:{self.port}"
        self.visits = 0
        self._open: list[socket.socket] = []
        self._thread = threading.Thread(target=self._accept, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in self._open:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()
        self._thread.join(timeout=5)

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._open.append(connection)
            self.visits += 1
            threading.Thread(target=self._run, args=(connection, self.visits), daemon=True).start()

    def _run(self, connection: socket.socket, number: int) -> None:
        with suppress(OSError, ValueError):
            if self._tls is not None:
                connection = self._tls.wrap_socket(connection, server_side=True)
                self._open.append(connection)
            visit = Visit(connection, number)
            with connection:
                while True:
                    self._serve(visit)
