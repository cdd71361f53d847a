"""Faults on demand, to test how a client handles them: requests fail according to the rules in force.

Rules are kept in memory and removed by a restart.
"""

from __future__ import annotations

import asyncio
import base64
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from random import Random
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kycpack.service.clock import Clock, http_date
from kycpack.service.request_log import Trace, send_problem, trace_of

Kind = Literal["latency", "status", "drop_before", "drop_after", "half_body", "wrong_json", "raw_body"]
_ROUTE = re.compile(r"(GET|POST|PUT|DELETE|\*) (/[!-~]{0,300}|\*)")


class FaultRule(BaseModel):
    """What happens to the next requests of a route.

    Args:
        route: Method and path as in `GET /v1/banks`; `{id}` matches any segment, `*` any method, and at the end of the
            path any rest.
        tenant_id: Only requests with a key of this organisation.
        headers: Only requests with these headers; `*` in a value matches any text.
        kind: What happens.
        times: Number of requests.
        status: HTTP status, for `status`.
        seconds: Delay in seconds, for `latency`.
        retry_after: `Retry-After` in seconds, for `status`.
        probability: Share of the route's requests that it applies to; the others are not counted.
        seed: Selects these requests; the same seed selects the same requests.
        body: Bytes of the answer in base64, for `raw_body`: anything that a real provider might send by mistake.
    """

    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)

    route: str = Field(max_length=400)
    kind: Kind
    tenant_id: str | None = Field(default=None, max_length=36)
    headers: dict[
        Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{1,60}$")], Annotated[str, Field(max_length=300)]
    ] = Field(default_factory=dict, max_length=20)
    times: int = Field(default=1, ge=1, le=1_000_000)
    status: int = Field(default=503, ge=400, le=599)
    seconds: Decimal = Field(default=Decimal(1), ge=0, le=600, strict=False)
    retry_after: int | None = Field(default=None, ge=0, le=86_400)
    probability: Decimal = Field(default=Decimal(1), gt=0, le=1, strict=False)
    seed: int = 0
    body: str | None = Field(default=None, max_length=1 << 20)

    @field_validator("route")
    @classmethod
    def _has_the_form(cls, route: str) -> str:
        if _ROUTE.fullmatch(route) is None:
            raise ValueError("a route must be a method and a path, as in GET /v1/banks")
        return route

    @field_validator("body")
    @classmethod
    def _is_base64(cls, body: str | None) -> str | None:
        try:
            base64.b64decode(body or "", validate=True)
        except ValueError:
            raise ValueError("the body of a raw_body must be base64") from None
        return body


@dataclass(eq=False)
class _Armed:
    rule: FaultRule
    method: str
    path: re.Pattern[str]
    headers: Mapping[str, re.Pattern[str]]
    left: int
    chance: Random


@dataclass
class Faults:
    """The rules in force.

    Attributes:
        tenant_of: Returns the organisation of the key in an `Authorization` header, None if there is none.
    """

    tenant_of: Callable[[str], str | None]
    _armed: list[_Armed] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, rule: FaultRule) -> None:
        """Add a rule after the existing ones."""
        method, _, path = rule.route.partition(" ")
        rest = ".*" if path.endswith("*") else ""
        parts = re.split(r"(\{[^/{}]*\})", path.removesuffix("*"))
        pattern = "".join("[^/]+" if part.startswith("{") else re.escape(part) for part in parts) + rest
        headers = {name.lower(): _wildcard(value) for name, value in rule.headers.items()}
        chance = Random(rule.seed)  # noqa: S311 - no secret
        with self._lock:
            self._armed.append(_Armed(rule, method, re.compile(pattern), headers, rule.times, chance))

    def clear(self) -> None:
        """Remove all rules."""
        with self._lock:
            self._armed.clear()

    def listed(self) -> list[dict[str, Any]]:
        """Return the rules in force, each with the number of requests left."""
        return [rule.model_dump(exclude_none=True) for rule in self.rules()]

    def rules(self) -> list[FaultRule]:
        """Return the rules in force, in a form that can be added again."""
        with self._lock:
            return [armed.rule.model_copy(update={"times": armed.left}) for armed in self._armed]

    def take(self, method: str, path: str, headers: Mapping[str, str]) -> FaultRule | None:
        """Return the rule for a request and count the request; None if there is none.

        Args:
            method: HTTP method.
            path: Its path, without a query.
            headers: Headers, with names in lower case.
        """
        with self._lock:
            armed = list(self._armed)
        fitting = [one for one in armed if self._fits(one, method, path, headers)]
        with self._lock:
            for one in fitting:
                if one not in self._armed or one.chance.random() >= one.rule.probability:
                    continue
                one.left -= 1
                if one.left == 0:
                    self._armed.remove(one)
                return one.rule
        return None

    def _fits(self, one: _Armed, method: str, path: str, headers: Mapping[str, str]) -> bool:
        if one.method not in {"*", method} or one.path.fullmatch(path) is None:
            return False
        given = ((headers.get(name), pattern) for name, pattern in one.headers.items())
        if not all(value is not None and pattern.fullmatch(value) for value, pattern in given):
            return False
        tenant_id = one.rule.tenant_id
        return tenant_id is None or tenant_id == self.tenant_of(headers.get("authorization", ""))

    def __bool__(self) -> bool:
        return bool(self._armed)


def _wildcard(text: str) -> re.Pattern[str]:
    return re.compile(".*".join(re.escape(part) for part in text.split("*")), re.DOTALL)


_TURN = 0.01
_SPARED = ("/console", "/_control/")  # where rules are removed


class FaultMiddleware:
    """Applies the rules, outside all other layers, so that no other layer repairs a faulty answer.

    Args:
        app: The wrapped application.
        faults: The rules.
        clock: The service's clock, for the date of answers.
    """

    def __init__(self, app: ASGIApp, faults: Faults, clock: Clock) -> None:
        self._app = app
        self._clock = clock
        self._faults = faults

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, with a fault if a rule says so."""
        spared = scope["type"] != "http" or scope["path"].startswith(_SPARED)
        rule = None if spared else await self._rule_for(scope)
        if rule is None:
            await self._app(scope, receive, send)
        elif rule.kind == "latency":
            await asyncio.sleep(float(rule.seconds))
            await self._app(scope, receive, send)
        elif rule.kind == "status":
            await _refuse(rule, http_date(self._clock.now()), trace_of(scope), send)
        elif rule.kind == "drop_before":
            await _drop(trace_of(scope))
        else:
            start, body = await self._collect(scope, receive)
            await _spoil(rule, start, body, trace_of(scope), send)

    async def _rule_for(self, scope: Scope) -> FaultRule | None:
        if not self._faults:
            return None
        asked = (scope["method"], scope["path"], dict(Headers(scope=scope)))
        # In a thread: a rule for one organisation looks up the key in the database.
        return await run_in_threadpool(self._faults.take, *asked)

    async def _collect(self, scope: Scope, receive: Receive) -> tuple[Message, bytes]:
        start: Message = {}
        parts: list[bytes] = []

        async def keep(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
            else:
                parts.append(message.get("body", b""))

        await self._app(scope, receive, keep)
        return start, b"".join(parts)


async def _refuse(rule: FaultRule, date: str, trace: Trace, send: Send) -> None:
    headers = [(b"date", date.encode())]
    if rule.retry_after is not None:
        headers.append((b"retry-after", str(rule.retry_after).encode()))
    await send_problem(trace, send, rule.status, "fault", "A fault rule asked for this answer", *headers)


async def _spoil(rule: FaultRule, start: Message, body: bytes, trace: Trace, send: Send) -> None:
    if rule.kind == "drop_after":
        await _drop(trace)
        return
    if rule.kind in {"wrong_json", "raw_body"}:
        raw = base64.b64decode(rule.body or "")
        body = raw if rule.kind == "raw_body" else b'{"unexpected": [1, 2'
        kept = [(name, value) for name, value in start["headers"] if name.lower() != b"content-length"]
        start["headers"] = [*kept, (b"content-length", str(len(body)).encode())]
        await send(start)
        await send({"type": "http.response.body", "body": body})
        return
    await send(start)  # its Content-Length is that of the whole answer
    await send({"type": "http.response.body", "body": body[: len(body) // 2], "more_body": True})
    await _drop(trace, flush=True)


async def _drop(trace: Trace, *, flush: bool = False) -> None:
    """Close the connection during an answer. ASGI cannot do that, so it is done on uvicorn's transport."""
    transport = trace.transport
    trace.detail = "the connection was dropped by a fault rule"
    if transport is None:
        raise ConnectionResetError("dropped by a fault rule")
    if flush:
        transport.close()
    else:
        transport.abort()
    # uvicorn notices the closed connection in its next iteration; before that it would answer 500 by itself.
    await asyncio.sleep(_TURN)
