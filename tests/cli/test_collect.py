from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

from kycpack.evidence import load_evidence

if TYPE_CHECKING:
    from tests.cli.conftest import Town

UNKNOWN = "00000000-0000-4000-8000-000000000000"


def test_evidence_of_customers_is_kept(town: Town, tmp_path: Path) -> None:
    answer = town.run("collect", *town.customers, "--out", str(tmp_path), "--json")
    assert answer.exit_code == 0, answer.stderr
    items = json.loads(answer.stdout)["items"]
    assert [item["customer_id"] for item in items] == list(town.customers)
    for item in items:
        evidence = load_evidence(item["folder"])
        assert len(evidence.select("onboarding.get")) == 1
        assert len(evidence.select("register.known")) == 1


def test_an_unknown_customer_fails_alone_and_is_kept_as_evidence(town: Town, tmp_path: Path) -> None:
    answer = town.run("collect", UNKNOWN, town.customers[1], "--out", str(tmp_path), "--json")
    assert answer.exit_code == 1
    unknown, known = json.loads(answer.stdout)["items"]
    assert "not found (404)" in unknown["error"]
    assert load_evidence(unknown["folder"]).select("customers.get")[0].status == 404
    assert known["error"] is None


def test_what_is_fresh_enough_is_not_fetched_again(town: Town, tmp_path: Path) -> None:
    customer = town.customers[1]
    folder = tmp_path / customer

    def requests() -> set[str | None]:
        entries = load_evidence(folder).entries
        return {entry.request_id for entry in entries if entry.outcome == "answered"}

    town.run("collect", customer, "--out", str(tmp_path))
    first = requests()
    town.run("collect", customer, "--out", str(tmp_path), "--since", "1h")
    assert requests() == first
    town.run("collect", customer, "--out", str(tmp_path))
    assert len(requests() & first) < len(first) / 2


def test_a_wrong_secret_is_one_line(town: Town, tmp_path: Path) -> None:
    wrong = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
    answer = town.run("collect", town.customers[0], "--out", str(tmp_path), KYCPACK_SECRET=wrong)
    assert answer.exit_code == 1
    assert "401" in answer.stderr
    assert wrong not in answer.output
    assert "Traceback" not in answer.output


def test_wrong_usage_is_told_before_anything_is_asked(town: Town, tmp_path: Path) -> None:
    for since in ("yesterday", "2999-01-01", "2026-01-01T00:00:00"):
        assert town.run("collect", "c", "--out", str(tmp_path), "--since", since).exit_code == 2
    assert town.run("collect", "c", KYCPACK_BASE_URL="", KYCPACK_KEY_ID="").exit_code == 2
    assert town.run("collect").exit_code == 2


@contextmanager
def pairing_service() -> Iterator[str]:
    """Serve customers only two by two: one who is alone waits for a second."""
    meeting = threading.Barrier(2, timeout=20)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            # These customers have no bank data, so there is no statement.
            status = 404 if "source-of-wealth" in self.path else 200
            if self.path.startswith("/v1/customers/") and self.path.count("/") == 3:
                try:
                    meeting.wait()
                except threading.BrokenBarrierError:
                    status = 404
            body = json.dumps({"id": self.path.rpartition("/")[2], "items": []}).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_customers_are_fetched_side_by_side_and_told_in_the_order_they_were_asked(
    town: Town, tmp_path: Path
) -> None:
    wanted = ("c-1", "c-2", "c-3", "c-4")
    with pairing_service() as address:
        answer = town.run(
            "collect",
            *wanted,
            "--out",
            str(tmp_path),
            KYCPACK_BASE_URL=address,
            KYCPACK_WORKSPACE=str(tmp_path / "none.db"),
        )
    assert answer.exit_code == 0, answer.output
    assert answer.stderr.count("/4] c-") == 4
    assert [line.split()[0] for line in answer.stdout.splitlines() if "c-" in line] == list(wanted)


def test_an_altered_folder_fails_its_customer_alone(town: Town, tmp_path: Path) -> None:
    first, second = town.customers[:2]
    town.run("collect", first, second, "--out", str(tmp_path))
    with (tmp_path / first / "E-01.json").open("ab") as file:
        file.write(b" ")
    answer = town.run("collect", first, second, "--out", str(tmp_path), "--since", "1h", "--json")
    assert answer.exit_code == 1
    altered, fine = json.loads(answer.stdout)["items"]
    assert "E-01.json" in altered["error"]
    assert fine["error"] is None
