"""Another provider, as docs/provider.md connects one: its own signature, its own shape of bank data, and three pages."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

import kycpack as kp
from kycpack.assets import asset_path
from kycpack.frames.adapters import ADAPTERS
from kycpack.frames.adapters.catalogue import Adapter
from kycpack.models import paging

EVIDENCE = asset_path("samples/evidence/index.json").parent
CUSTOMER, SESSION, PAYMENT = "cus_7Q2M4X", "ses_91KD02", "pay_3301"
SECRET = b"what the provider and we know"
PAGES = 3


def signature(method: str, target: str, date: str, body: bytes) -> str:
    text = "\n".join([method, target, date, hashlib.sha256(body).hexdigest()])
    return hmac.new(SECRET, text.encode(), "sha256").hexdigest()


def examples() -> dict[str, Any]:
    """Return what the examples of docs/provider.md define: `sign`, `list_records` and `read_record`."""
    page = (Path(__file__).parents[2] / "docs" / "provider.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {"load_secret": lambda: SECRET}
    for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(block, names)  # noqa: S102 - the page's own examples
    return names


EXAMPLES = examples()


def of_the_provider(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record of the sample as this provider writes it."""
    sign_of = "-" if record["creditDebitIndicator"] == "Credit" else ""
    return {
        "reference": record["id"],
        "day": record["bookingDate"],
        "money": {"out": sign_of + record["amount"], "unit": record["currency"]},
        "words": record["description"],
        "party": record.get("counterpartyName"),
    }


def answers() -> dict[str, Any]:
    """Return what the sample's evidence has, by path; all transactions of an account under one path."""
    found: dict[str, Any] = {}
    for entry in json.loads((EVIDENCE / "index.json").read_text())["entries"]:
        if entry["outcome"] != "answered" or not entry["path"]:
            continue
        document = json.loads((EVIDENCE / entry["file"]).read_text())
        if entry["operation"] == "bank_accounts.transactions":
            found.setdefault(entry["path"], []).extend(of_the_provider(each) for each in document["items"])
        else:
            found[entry["path"]] = document
    return found


class Provider(ThreadingHTTPServer):
    """The provider on loopback; `by_number` is the way of paging that names no next page."""

    def __init__(self, *, by_number: bool) -> None:
        self.by_number = by_number
        self.answers = answers()
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def page(self, path: str, number: int) -> dict[str, Any]:
        records = self.answers[path]
        size = -(-len(records) // PAGES)
        document: dict[str, Any] = {"entries": records[(number - 1) * size : number * size]}
        if self.by_number:
            return {**document, "page": number, "totalPages": PAGES}
        return {**document, "links": {"next": f"{path}?page={number + 1}" if number < PAGES else None}}


class _Handler(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers["content-length"])))

    def _answer(self, body: bytes) -> None:
        date = self.headers.get("x-provider-date", "")
        given = self.headers.get("x-provider-signature", "")
        target = urlsplit(self.path)
        if not hmac.compare_digest(given, signature(self.command, self.path, date, body)):
            self._send(401, {"error": "bad_signature"})
        elif target.path not in self.server.answers:
            self._send(404, {"error": "not_found"})
        elif target.path.endswith("/transactions"):
            self._send(200, self.server.page(target.path, int(parse_qs(target.query).get("page", ["1"])[0])))
        else:
            self._send(200, self.server.answers[target.path])

    def _send(self, status: int, document: Any) -> None:
        body = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it
        """Keep quiet."""


@pytest.fixture(params=[False, True], ids=["by address", "by number"])
def provider(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    ours = Adapter(EXAMPLES["list_records"], EXAMPLES["read_record"], "plus is out", "its manual")
    monkeypatch.setitem(ADAPTERS, "ours", ours)  # type: ignore[arg-type]
    monkeypatch.setitem(paging.PAGING, "ours", "`links.next` is the address of the next page.")  # type: ignore[arg-type]
    with Provider(by_number=request.param) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_another_provider_gives_a_pack(provider: Provider, tmp_path: Path) -> None:
    with kp.Client(provider.url, signer=EXAMPLES["sign"]) as client:
        evidence = kp.collect(
            client, CUSTOMER, sessions=[SESSION], payments=[PAYMENT], media=False, bank_adapter="ours"
        )
    frames = kp.flatten(evidence)
    same = kp.flatten(kp.load_evidence(EVIDENCE)).transactions.set_index("txn_id")
    mine = frames.transactions.set_index("txn_id")
    gaps = frames.gaps[frames.gaps["area"] == "bank"]["message"].astype(str)
    if provider.by_number:
        assert len(mine) < len(same)
        assert gaps.str.contains("the number of pages").any()
    else:
        assert sorted(mine.index) == sorted(same.index)
        assert not gaps.str.contains("page").any()
    assert mine["amount_minor"].to_dict() == same.loc[mine.index, "amount_minor"].to_dict()
    pack = kp.write_pack(evidence, tmp_path, as_of="2026-06-30")
    assert kp.verify_pack(pack.path).ok


def test_a_wrong_signature_is_named(provider: Provider) -> None:
    with (
        kp.Client(provider.url, signer=lambda _: {"x-provider-signature": "wrong"}) as client,
        pytest.raises(kp.errors.AuthenticationError, match="check"),
    ):
        kp.collect(client, CUSTOMER, sessions=[SESSION], bank_adapter="ours")
