"""A receiver of webhooks on loopback, which answers as it is told."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from kycpack.models.json import parse_json


class Receiver:
    """What came, and what is answered."""

    def __init__(self) -> None:
        self.status = 204
        self.headers: dict[str, str] = {}
        self.hold = threading.Event()
        self.hold.set()
        self.came: list[dict[str, Any]] = []
        self.url = ""

    def wait(self, count: int, seconds: float = 10) -> list[dict[str, Any]]:
        """Return what came once it is this many."""
        limit = time.monotonic() + seconds
        while len(self.came) < count and time.monotonic() < limit:
            time.sleep(0.01)
        assert len(self.came) >= count, f"{len(self.came)} of {count} deliveries came"
        return self.came


@contextmanager
def receiving() -> Iterator[Receiver]:
    """Run a receiver."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            receiver.came.append({"path": self.path, "headers": dict(self.headers), "body": parse_json(body)})
            receiver.hold.wait(20)
            self.send_response(receiver.status)
            for name, value in receiver.headers.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    receiver.url = f"http://127.0.0.1:{server.server_address[1]}/hook"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.hold.set()
        server.shutdown()
        server.server_close()
        thread.join()
