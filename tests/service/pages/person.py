"""A person with a browser that knows no JavaScript: opens links, fills in the forms that are shown, follows redirects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

import httpx
from tests.render.html_validity import shape_errors

PNG = b"\x89PNG\r\n\x1a\n" + bytes(64)
PDF = b"%PDF-1.7\n" + bytes(64)


@dataclass
class ShownForm:
    action: str
    enctype: str
    fields: dict[str, str] = field(default_factory=dict)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[ShownForm] = []
        self.names: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append(ShownForm(given.get("action", ""), given.get("enctype", "")))
        elif tag == "a":
            self.links.append(given.get("href", ""))
        elif tag in {"input", "select"} and "name" in given:
            self.names.append(given["name"])
            if given.get("type") == "hidden":
                self.forms[-1].fields[given["name"]] = given["value"]


class Person:
    """Holds one browser; `answer` is the page it is at, `seen` all of them, `left_for` where it was sent outside the service."""

    def __init__(self, base_url: str) -> None:
        self.base_url = base_url
        self.http = httpx.Client(base_url=base_url, timeout=30)
        self.answer = httpx.Response(204)
        self.left_for = ""
        self.seen: list[str] = []

    @property
    def text(self) -> str:
        return self.answer.text

    @property
    def path(self) -> str:
        return self.answer.url.path

    @property
    def asked(self) -> set[str]:
        return set(self._read().names) - {"form_token", "once"}

    @property
    def links(self) -> list[str]:
        return self._read().links

    def open(self, url: str) -> httpx.Response:
        return self._arrive(self.http.get(url))

    def send(
        self, action: str = "", files: Mapping[str, bytes] | None = None, **fields: Any
    ) -> httpx.Response:
        """Fill in the form whose address ends like this, or the first one, and send it."""
        form = next(form for form in self._read().forms if form.action.endswith(action))
        data = {**form.fields, **fields}
        target = form.action or self.path
        if form.enctype:
            sent = {name: ("C:\\my private name.exe", content) for name, content in (files or {}).items()}
            return self._arrive(self.http.post(target, data=data, files=sent or {"none": ("", b"")}))
        return self._arrive(self.http.post(target, data=data))

    def _arrive(self, answer: httpx.Response) -> httpx.Response:
        self.left_for = ""
        while answer.is_redirect:
            assert answer.status_code == 303
            where = answer.headers["location"]
            if where.startswith("http") and not where.startswith(self.base_url):
                self.left_for = where
                break
            answer = self.http.get(where)
        self.answer = answer
        if answer.headers.get("content-type", "").startswith("text/html"):
            self.seen.append(answer.text)
            assert shape_errors(answer.text) == []
        return answer

    def _read(self) -> _Reader:
        reader = _Reader()
        reader.feed(self.text)
        return reader
