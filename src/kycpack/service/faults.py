"""Faults on demand, to test how a client handles them: requests fail according to the rules in force."""

from __future__ import annotations

import asyncio
import base64

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kycpack.service.clock import Clock, http_date
from kycpack.service.fault_rules import FaultRule, Faults, RequestFacts
from kycpack.service.request_log import Trace, send_problem, trace_of

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
        asked = RequestFacts(scope["method"], scope["path"], dict(Headers(scope=scope)))
        # In a thread: a rule for one organisation looks up the key in the database.
        return await run_in_threadpool(self._faults.take, asked)

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
