"""Email notifications: an outbox to be read, sent by SMTP where a server is set."""

from __future__ import annotations

import socketserver
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import select
from tests.service.running import running
from tests.service.signed import PERSON, Caller, finish, new_customer, ok

from kycpack.errors import ServiceError
from kycpack.service.embedded import EmbeddedService
from kycpack.service.mail import MailServer
from kycpack.service.schema import mails


@contextmanager
def smtp_server() -> Iterator[tuple[int, list[str]]]:
    """A mail server that takes everything; its port, and what came."""
    came: list[str] = []

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.wfile.write(b"220 test\r\n")
            while line := self.rfile.readline():
                word = line[:4].upper()
                if word == b"DATA":
                    self.wfile.write(b"354 go on\r\n")
                    lines = []
                    while (part := self.rfile.readline()) != b".\r\n":
                        lines.append(part.decode())
                    came.append("".join(lines))
                self.wfile.write(b"221 bye\r\n" if word == b"QUIT" else b"250 ok\r\n")
                if word == b"QUIT":
                    return

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        yield server.server_address[1], came
        server.shutdown()
        thread.join()


def test_a_session_invites_and_thanks_the_person(call: Caller, embedded: EmbeddedService) -> None:
    made = ok(call("POST", "/v1/onboard/sessions", {"customerId": new_customer(call)}))
    finish(call, made["sessionId"])
    items = call.control("/mail", method="GET")["items"]
    assert [(item["kind"], item["to"], item["state"]) for item in items] == [
        ("invitation", PERSON["emailAddress"], "queued"),
        ("completed", PERSON["emailAddress"], "queued"),
    ]
    assert made["onboardUrl"] in items[0]["text"]
    assert made["onboardUrl"] not in items[1]["text"]
    with embedded.service.database.read() as connection:
        stored = repr(connection.execute(select(mails)).all())
    assert made["onboardUrl"].rpartition(".")[2] not in stored


def test_without_an_address_there_is_no_mail(call: Caller) -> None:
    customer = ok(call("POST", "/v1/customers", {}))["id"]
    no_checks = dict.fromkeys(
        ("identityCheck", "documentCheck", "proofOfAddressCheck", "amlExtensiveScreening"), False
    )
    ok(call("POST", "/v1/onboard/sessions", {"customerId": customer, "options": {"identity": no_checks}}))
    assert call.control("/mail", method="GET")["items"] == []


def test_a_mail_server_sends_each_once(tmp_path: Path) -> None:
    with smtp_server() as (port, came):
        server = MailServer.read(f"smtp://127.0.0.1:{port}", "kyc@shop.example")
        with running(tmp_path, mail_server=server) as (_, call):
            made = ok(call("POST", "/v1/onboard/sessions", {"customerId": new_customer(call)}))
            limit = time.monotonic() + 15
            states: set[str] = set()
            while time.monotonic() < limit and states != {"sent"}:
                states = {item["state"] for item in call.control("/mail", method="GET")["items"]}
                time.sleep(0.05)
        assert states == {"sent"}
        assert len(came) == 1
        assert "To: ada@example.com" in came[0]
        assert made["sessionId"] in came[0].replace("=\r\n", "")


@pytest.mark.parametrize("url", ["mail.example", "smtp://", "http://mail.example", "smtp://mail.example:x"])
def test_a_mail_server_that_is_none_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(ServiceError, match="smtp://USER"):
        MailServer.read(url, "kyc@shop.example")
    assert "hunter2" not in repr(MailServer.read("smtp://a:hunter2@mail.example", "kyc@shop.example"))
