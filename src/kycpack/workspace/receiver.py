"""The receiver of webhooks: one path, one method, stored before it is answered.

It is made of the standard library, because the client half does without a web framework.
"""

from __future__ import annotations

from hmac import compare_digest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from kycpack.errors import ConfigurationError, InputError, WorkspaceError
from kycpack.workspace.inbox import MAX_BODY, Inbox

_SLOWEST_SECONDS = 10


class Receiver:
    """Listens for deliveries and keeps them in the inbox.

    Args:
        inbox: Where they are kept.
        host: The address to listen on; the machine's own unless something in front of it speaks TLS.
        port: The port; 0 for a free one.

    Raises:
        ConfigurationError: The address is taken or is none of this machine's.
    """

    def __init__(self, inbox: Inbox, *, host: str = "127.0.0.1", port: int = 0) -> None:
        path = f"/hooks/{inbox.token()}"

        class Handler(_Handler):
            kept_in = inbox
            accepted_path = path

        try:
            self._server = ThreadingHTTPServer((host, port), Handler)
        except OSError as error:
            raise ConfigurationError(f"cannot listen on {host}:{port} ({error.strerror})") from error
        self._server.daemon_threads = True
        self.url = f"http://{host}:{self._server.server_address[1]}{path}"

    def serve(self) -> None:
        """Answer until `close` is called from another thread, or Ctrl-C."""
        self._server.serve_forever(poll_interval=0.2)

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    kept_in: Inbox
    accepted_path: str
    timeout = _SLOWEST_SECONDS
    server_version = "kycpack"
    sys_version = ""

    def do_POST(self) -> None:
        if not compare_digest(self.path.encode(), self.accepted_path.encode()):
            self._answer(404)
            return
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal()):
            self._answer(411)
            return
        if len(length) > len(str(MAX_BODY)) or int(length) > MAX_BODY:
            self._answer(413)
            return
        try:
            body = self.rfile.read(int(length))
        except TimeoutError:
            self.close_connection = True
            return
        if len(body) != int(length):
            self._answer(400)
            return
        try:
            self.kept_in.keep(body)
        except (InputError, WorkspaceError):
            self._answer(503)
            return
        self._answer(204)

    def _answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the standard library's
        """Say nothing: the path is a secret."""
