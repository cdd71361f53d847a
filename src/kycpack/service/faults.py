"""Faults on demand, so that a client's handling of them can be tested.

A rule names a route and what happens to its next requests. Rules live in memory and are lifted by a restart.
"""

from __future__ import annotations

import asyncio
import base64
import re
import threading
from dataclasses import dataclass, field
from decimal import Decimal
from random import Random
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kycpack.models.json import dump_json
from kycpack.service.clock import Clock, http_date
from kycpack.service.request_log import Trace, trace_of

Kind = Literal["latency", "status", "drop_before", "drop_after", "half_body", "wrong_json", "raw_body"]
_TURN = 0.01
_SPARED = ("/console", "/_control/")  # from where rules are lifted
_ROUTE = re.compile(r"(GET|POST|PUT|DELETE|\*) (/[!-~]{0,300})")


class FaultRule(BaseModel):
    """What happens to the next requests of a route.

    Args:
        route: Method and path as in `GET /v1/banks`; `{id}` stands for any segment, `*` for any method.
        kind: What happens.
        times: To how many requests.
        status: For `status`.
        seconds: For `latency`.
        retry_after: `Retry-After` of a `status`, in seconds.
        probability: Share of the route's requests that it happens to; the others do not count.
        seed: Which of them; the same seed spoils the same requests.
        body: The answer's bytes of a `raw_body`, in base64: whatever a real provider might send by mistake.
    """

    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)

    route: str = Field(max_length=400)
    kind: Kind
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
            raise ValueError("a route is a method and a path, as in GET /v1/banks")
        return route

    @field_validator("body")
    @classmethod
    def _is_base64(cls, body: str | None) -> str | None:
        try:
            base64.b64decode(body or "", validate=True)
        except ValueError:
            raise ValueError("the body of a raw_body is base64") from None
        return body


@dataclass
class _Armed:
    rule: FaultRule
    method: str
    path: re.Pattern[str]
    left: int
    chance: Random


@dataclass
class Faults:
    """The rules in force."""

    _armed: list[_Armed] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, rule: FaultRule) -> None:
        """Put a rule in force, after those that are."""
        method, _, path = rule.route.partition(" ")
        pattern = "".join(
            "[^/]+" if part.startswith("{") else re.escape(part) for part in re.split(r"(\{[^/{}]*\})", path)
        )
        with self._lock:
            self._armed.append(_Armed(rule, method, re.compile(pattern), rule.times, Random(rule.seed)))  # noqa: S311 - no secret

    def clear(self) -> None:
        """Lift all rules."""
        with self._lock:
            self._armed.clear()

    def listed(self) -> list[dict[str, Any]]:
        """Return the rules in force, each with how many requests it is still for."""
        with self._lock:
            return [
                {**armed.rule.model_dump(exclude_none=True), "times": armed.left} for armed in self._armed
            ]

    def take(self, method: str, path: str) -> FaultRule | None:
        """Return the rule for a request and count it, None when there is none."""
        with self._lock:
            for armed in self._armed:
                if armed.method in {"*", method} and armed.path.fullmatch(path):
                    if armed.chance.random() >= armed.rule.probability:
                        continue
                    armed.left -= 1
                    if armed.left == 0:
                        self._armed.remove(armed)
                    return armed.rule
        return None


class FaultMiddleware:
    """Applies the rules, outside everything else so that a spoilt answer is spoilt for good.

    Args:
        app: What answers.
        faults: The rules.
        clock: The service's clock, by which answers are dated.
    """

    def __init__(self, app: ASGIApp, faults: Faults, clock: Clock) -> None:
        self._app = app
        self._clock = clock
        self._faults = faults

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, spoilt if a rule says so."""
        spared = scope["type"] != "http" or scope["path"].startswith(_SPARED)
        rule = None if spared else self._faults.take(scope["method"], scope["path"])
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
    trace.error, trace.message = "fault", "A fault rule asked for this answer"
    body = dump_json({"error": trace.error, "message": trace.message, "requestId": trace.request_id})
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"date", date.encode()),
    ]
    if rule.retry_after is not None:
        headers.append((b"retry-after", str(rule.retry_after).encode()))
    await send({"type": "http.response.start", "status": rule.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


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
    await send(start)  # it promises the whole length
    await send({"type": "http.response.body", "body": body[: len(body) // 2], "more_body": True})
    await _drop(trace, flush=True)


async def _drop(trace: Trace, *, flush: bool = False) -> None:
    """Close the connection under an answer. ASGI has no word for that, so it is done on uvicorn's transport."""
    transport = trace.transport
    trace.detail = "the connection was cut by a fault rule"
    if transport is None:
        raise ConnectionResetError("dropped by a fault rule")
    if flush:
        transport.close()
    else:
        transport.abort()
    # uvicorn learns of the closed connection in its next turn; before that it would answer 500 on its own.
    await asyncio.sleep(_TURN)
