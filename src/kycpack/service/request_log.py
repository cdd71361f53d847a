"""Logs requests: each has an id, one line in the log, and an entry in a journal that is kept in memory.

Neither contains personal data: of a path only its template and the service's own ids are kept, and nothing of queries and request
bodies. The journal keeps the JSON of answers, up to a size limit and without bearer links.
"""

from __future__ import annotations

import json
import re
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TextIO
from uuid import uuid4

from starlette.datastructures import Headers, MutableHeaders
from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kycpack.models.instants import format_instant
from kycpack.models.json import dump_json
from kycpack.service.clock import Clock

HEADER = "X-Request-Id"
LogStyle = Literal["json", "plain", "failures"]
"""`failures` writes a line only if the service itself failed."""

_KEPT = 500
_LARGEST_ANSWER = 4_096
_FAILED = 500
_MOST_WORDS = 10
_SCOPE = "kycpack_trace"
_GIVEN_ID = re.compile(r"[A-Za-z0-9._:-]{1,80}")
_OWN_ID = re.compile(r"(?:[a-z]{2,8}_)?[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}")
_OPENS = re.compile(rb'"(onboardUrl|payLink|downloadUrl|url|secret)":\s*"[^"]*"')


@dataclass
class Trace:
    """Notes that the layers of the application take about a request.

    Attributes:
        request_id: The caller's id if it is well formed, otherwise a new one.
        key_id: Id of the key whose signature was correct.
        tenant_id: Id of the key's organisation.
        error: Code of the refusal.
        message: Message of the refusal.
        hint: Key of the console's advice.
        detail: Help for an integrator to correct the request, such as the string to sign.
        failure: Where the service failed, as file and line.
        transport: The connection, for faults that drop it.
        unlisted: Whether it is left out of log and journal unless it fails: pages of the console, health checks.
        delay_seconds: Delay of the answer.
    """

    request_id: str
    key_id: str = ""
    tenant_id: str = ""
    error: str = ""
    message: str = ""
    hint: str = ""
    detail: str = ""
    failure: str = ""
    transport: Any = None
    unlisted: bool = False
    delay_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class RequestEntry:
    """One request in the log and the journal.

    Attributes:
        request_id: Request id, also in the answer's `X-Request-Id` and in the body of an error.
        at: When it arrived, by the service's clock.
        method: HTTP method.
        route: Template of the path; `(unknown path)` if there is none.
        ids: The service's own ids in the path.
        status: Status of the answer; 0 if the connection was dropped.
        error: Code of a refusal.
        message: Message of a refusal.
        hint: As in `Trace`; for the journal only.
        detail: As in `Trace`; for the journal only.
        failure: As in `Trace`.
        key_id: Id of the key whose signature was correct.
        milliseconds: Duration in milliseconds.
        answer: The answer's JSON, up to a size limit; for the journal only.
    """

    request_id: str
    at: str
    method: str
    route: str
    ids: Mapping[str, str]
    status: int
    error: str
    message: str
    hint: str
    detail: str
    failure: str
    key_id: str
    milliseconds: int
    answer: str


class RequestLog:
    """Writes a line for each request, and keeps the last 500.

    Args:
        style: Which requests are logged, and how.
        stream: Where to write; None for standard error.
    """

    def __init__(self, style: LogStyle = "failures", stream: TextIO | None = None) -> None:
        self._style = style
        self._stream = stream
        self._entries: deque[RequestEntry] = deque(maxlen=_KEPT)
        self._lock = threading.Lock()

    def add(self, entry: RequestEntry) -> None:
        """Add an entry and write its line."""
        with self._lock:
            self._entries.append(entry)
        if self._style == "failures" and entry.status < _FAILED:
            return
        stream = self._stream or sys.stderr
        try:
            stream.write(_line(entry, self._style) + "\n")
            stream.flush()
        except (OSError, ValueError):
            # The log can no longer be written; requests are still answered.
            return

    def entries(self) -> list[RequestEntry]:
        """Return the entries, newest first."""
        with self._lock:
            return list(reversed(self._entries))

    def find(self, request_id: str) -> RequestEntry | None:
        """Return the newest entry with an id, None if it is no longer kept."""
        return next((entry for entry in self.entries() if entry.request_id == request_id), None)

    def clear(self) -> None:
        """Delete all entries."""
        with self._lock:
            self._entries.clear()


def trace_of(scope: Scope) -> Trace:
    """Return the notes about a request."""
    trace = scope.get(_SCOPE)
    if not isinstance(trace, Trace):
        trace = scope[_SCOPE] = Trace(str(uuid4()))
    return trace


async def send_problem(
    trace: Trace, send: Send, status: int, code: str, message: str, *headers: tuple[bytes, bytes]
) -> None:
    """Answer a request with an error outside the application, and note the error in its trace."""
    trace.error, trace.message = code, message
    body = dump_json({"error": code, "message": message, "requestId": trace.request_id})
    length = str(len(body)).encode()
    first = [(b"content-type", b"application/json"), (b"content-length", length)]
    await send({"type": "http.response.start", "status": status, "headers": [*first, *headers]})
    await send({"type": "http.response.body", "body": body})


class RequestLogMiddleware:
    """Gives each request its id and logs its outcome; the outermost layer.

    Args:
        app: The wrapped application.
        log: The log for the entries.
        clock: The service's clock.
        routes: The routes, for a request that is answered before it reaches its route.
    """

    def __init__(self, app: ASGIApp, log: RequestLog, clock: Clock, routes: Sequence[BaseRoute]) -> None:
        self._app = app
        self._log = log
        self._clock = clock
        self._routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and log how it was answered."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get(HEADER, "")
        trace = scope[_SCOPE] = Trace(given if _GIVEN_ID.fullmatch(given) else str(uuid4()))
        trace.transport = getattr(getattr(send, "__self__", None), "transport", None)
        at, began = format_instant(self._clock.now()), time.monotonic()

        def note(answer: _Answer) -> None:
            if trace.unlisted and answer.status < _FAILED:
                return
            milliseconds = round((time.monotonic() - began) * 1000)
            self._log.add(_entry(_routed(scope, self._routes), trace, answer, at, milliseconds))

        answer = _Answer(trace, send, note)
        try:
            await self._app(scope, receive, answer.send)
        finally:
            answer.end()


@dataclass
class _Answer:
    """Passes an answer on and keeps its beginning."""

    trace: Trace
    onward: Send
    note: Callable[[_Answer], None]
    ended: bool = False
    status: int = 0
    is_json: bool = False
    kept: bytearray = field(default_factory=bytearray)

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            headers[HEADER] = self.trace.request_id
            self.is_json = headers.get("content-type", "").startswith("application/json")
        elif self.is_json and len(self.kept) < _LARGEST_ANSWER:
            self.kept += message.get("body", b"")[: _LARGEST_ANSWER - len(self.kept)]
        if message["type"] == "http.response.body" and not message.get("more_body", False):
            # Before the last byte is sent, so that the caller finds the entry after the answer.
            self.end()
        await self.onward(message)

    def end(self) -> None:
        """Log the answer once."""
        if not self.ended:
            self.ended = True
            self.note(self)


def _entry(scope: Scope, trace: Trace, answer: _Answer, at: str, milliseconds: int) -> RequestEntry:
    route, ids = _route(scope)
    shown = bytes(answer.kept)
    # Cutting within a link would leave its beginning.
    shown = _OPENS.sub(rb'"\1":"(not shown)"', shown)
    shown = re.sub(rb'"(onboardUrl|payLink|downloadUrl|url|secret)":\s*"[^"]*$', b"", shown)
    return RequestEntry(
        request_id=trace.request_id,
        at=at,
        method=scope["method"],
        route=route,
        ids=ids,
        status=answer.status,
        error=trace.error,
        message=trace.message,
        hint=trace.hint,
        detail=trace.detail,
        failure=trace.failure,
        key_id=trace.key_id,
        milliseconds=milliseconds,
        answer=shown.decode("utf-8", "replace"),
    )


def _route(scope: Scope) -> tuple[str, dict[str, str]]:
    """Return the template of a path, and the ids in it; of a link's token only the record's id is shown."""
    if "endpoint" not in scope:
        return _known_part(scope), {}
    path = scope["path"]
    ids: dict[str, str] = {}
    for name, value in scope.get("path_params", {}).items():
        path = path.replace(f"/{value}", f"/{{{name}}}", 1)
        own = _OWN_ID.match(str(value).lower())
        if own is not None:
            ids[name] = own[0]
    template = getattr(scope.get("route"), "path", None)
    return template or path, ids


def _routed(scope: Scope, routes: Sequence[BaseRoute]) -> Scope:
    """Return a request with its route, even if it was answered before it reached the route."""
    if "endpoint" in scope:
        return scope
    for route in routes:
        match, found = route.matches(scope)
        if match is Match.FULL and "endpoint" in found:
            return {**scope, **found, "route": route}
    return {**scope, "routes": routes}


def _known_part(scope: Scope) -> str:
    """Return an unknown path, in which only words known from other paths are shown."""
    known = {word for route in scope["routes"] for word in str(getattr(route, "path", "")).split("/")}
    words = [word if word in known else "?" for word in scope["path"].split("/")[:_MOST_WORDS]]
    return f"{'/'.join(words)} (unknown path)"


def _line(entry: RequestEntry, style: LogStyle) -> str:
    known = {name: value for name, value in asdict(entry).items() if value not in ("", {})}
    for name in ("answer", "detail", "hint"):
        known.pop(name, None)
    if style == "json":
        return json.dumps(known, ensure_ascii=True)
    parts = [
        entry.at,
        entry.method,
        entry.route,
        str(entry.status or "cut"),
        f"{entry.milliseconds}ms",
        entry.request_id,
        *(f"{name}={value}" for name, value in entry.ids.items()),
    ]
    if entry.error:
        parts.append(f"{entry.error}: {entry.message}")
    if entry.failure:
        parts.append(f"failed: {entry.failure}")
    return " ".join(parts)
