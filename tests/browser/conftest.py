"""A running service, Chromium without JavaScript and without a network, and a shop on loopback."""

from __future__ import annotations

import queue
import shutil
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Self

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

import kycpack as kp
from kycpack.service.embedded import EmbeddedService

PHONE = {"width": 390, "height": 844}
_NAMES = ("chromium", "chromium-browser", "google-chrome")
_ARGUMENTS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]


class Shop:
    """A merchant's server: takes webhooks, and welcomes payers back."""

    def __init__(self) -> None:
        self.webhooks: queue.Queue[bytes] = queue.Queue()
        shop = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                self._answer(b"taken")
                shop.webhooks.put(body)

            def do_GET(self) -> None:
                self._answer(b"<title>Shop</title><h1>Welcome back</h1>")

            def _answer(self, body: bytes) -> None:
                self.send_response(200)
                self.send_header("content-type", "text/html")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it
                """Keep quiet."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    path = next((found for name in _NAMES if (found := shutil.which(name))), None)
    if path is None:
        pytest.skip("Chromium is not on this machine")
    # Playwright keeps an event loop of this thread busy; it has to be gone before tests of other modules begin.
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=_ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedService]:
    folder: Path = tmp_path_factory.mktemp("browser")
    with EmbeddedService(str(folder / "service.db")) as running:
        yield running


@pytest.fixture(scope="module")
def client(service: EmbeddedService) -> Iterator[kp.Client]:
    with kp.Client(service.base_url, key_id=service.key_id, secret=service.secret) as made:
        yield made


@pytest.fixture
def shop() -> Iterator[Shop]:
    with Shop() as made:
        yield made


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Page]:
    """A page of a phone on which JavaScript is switched off."""
    context = chromium.new_context(viewport=PHONE, has_touch=True, is_mobile=True, java_script_enabled=False)
    yield context.new_page()
    context.close()


@pytest.fixture
def desk(chromium: Browser) -> Iterator[Page]:
    """A page into which a test may look with scripts of its own; the pages' own policy still forbids theirs."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800}, bypass_csp=False)
    yield context.new_page()
    context.close()


def press(page: Page, name: str) -> None:
    """Press a button or follow a link by the words on it, and wait for the page it leads to."""
    target = page.get_by_role("button", name=name).or_(page.get_by_role("link", name=name))
    with page.expect_navigation():
        target.first.click()
