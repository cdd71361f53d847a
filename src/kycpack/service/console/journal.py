"""The overview, and the journal of requests: what was requested, the answer, and why a request was refused."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from importlib.resources import files

from sqlalchemy import func, select

from kycpack.service.console.board import Board, BoardCell, BoardPassage, BoardTable, Choice, Field, Tone
from kycpack.service.console.page import Visited, moment
from kycpack.service.health import readiness
from kycpack.service.problems import not_found
from kycpack.service.request_log import RequestEntry
from kycpack.service.schema import customers, deliveries, payments, sessions

_SHOWN = 100
_REFUSED, _FAILED = 400, 500
_ALL = "all"


def show_requests(visited: Visited) -> Board:
    """Show the latest requests, newest first."""
    outcome, route = visited.query.get("outcome", _ALL), visited.query.get("route", "").strip().lower()
    kept = [
        entry
        for entry in visited.service.requests.entries()
        if _has_outcome(entry, outcome) and route in f"{entry.method} {entry.route}".lower()
    ]
    choices = (
        Choice(_ALL, "All"),
        Choice("refused", "Refused (4xx)"),
        Choice("failed", "Failed (5xx) or dropped"),
    )
    return Board(
        title="Requests",
        section="Requests",
        lead="The last 500 requests, kept in memory. Names, queries and request bodies are not kept; "
        "answers are, up to 4 KiB and without bearer links.",
        search=(
            Field("outcome", "Outcome", value=outcome, choices=choices),
            Field("route", "Method or path contains", value=route),
        ),
        tables=(request_table("Requests", kept[:_SHOWN], "No requests match."),),
    )


def request_table(title: str, entries: list[RequestEntry], empty: str) -> BoardTable:
    """Return requests as a table, each with a link to its page."""
    rows = tuple(
        (
            BoardCell(moment(entry.at)),
            BoardCell(entry.method, mono=True),
            BoardCell(entry.route, href=f"/console/requests/{entry.request_id}", mono=True),
            BoardCell(str(entry.status or "cut"), tone=_tone(entry)),
            # The first line of the finding is more specific than a message that the interface uses for several causes.
            BoardCell(entry.detail.partition("\n")[0].rstrip(".") or entry.message),
            BoardCell(f"{entry.milliseconds} ms", number=True),
        )
        for entry in entries
    )
    return BoardTable(title, ("Time", "Method", "Path", "Status", "Why", "Took"), rows, empty)


def show_request(visited: Visited) -> Board:
    """Show one request with its answer, and what to do if it was refused."""
    entry = visited.service.requests.find(visited.path["request_id"])
    if entry is None:
        raise not_found("request")
    passages = (
        ("What the service found", entry.detail),
        ("Where it failed", entry.failure),
        ("Answer", _pretty(entry.answer) if entry.answer else ""),
    )
    advice = advice_on(entry.error, entry.hint)
    return Board(
        title=f"{entry.method} {entry.route}",
        section="Requests",
        crumbs=(BoardCell("Requests", href="/console/requests"),),
        notice=f"{entry.message}.\n{advice}".strip(".\n") + "." if entry.error else "",
        notice_tone="alarm",
        facts=(
            ("Status", BoardCell(str(entry.status or "cut"), tone=_tone(entry))),
            ("Error", BoardCell(entry.error, mono=True)),
            ("Time", BoardCell(moment(entry.at))),
            ("Took", BoardCell(f"{entry.milliseconds} ms")),
            ("Request id", BoardCell(entry.request_id, mono=True)),
            ("Key", BoardCell(entry.key_id or "not identified", mono=bool(entry.key_id))),
            *(
                (name, BoardCell(value, href=_leads_to(name, value), mono=True))
                for name, value in entry.ids.items()
            ),
        ),
        passages=tuple(BoardPassage(title, text) for title, text in passages if text),
    )


def advice_on(error: str, hint: str = "") -> str:
    """Return what to do about a refusal; empty if there is no advice.

    Args:
        error: The `error` member of the answer.
        hint: The cause, if the code has several.
    """
    return _advice().get(f"{error}.{hint}") or _advice().get(error, "")


def _has_outcome(entry: RequestEntry, outcome: str) -> bool:
    if outcome == "refused":
        return _REFUSED <= entry.status < _FAILED
    if outcome == "failed":
        return entry.status >= _FAILED or entry.status == 0
    return True


def _tone(entry: RequestEntry) -> Tone:
    if entry.status >= _FAILED or entry.status == 0:
        return "alarm"
    return "watch" if entry.status >= _REFUSED else "good"


def _leads_to(name: str, value: str) -> str:
    rooms = {"customerId": "customers", "sessionId": "sessions", "paymentId": "payments"}
    return f"/console/{rooms[name]}/{value}" if name in rooms else ""


def _pretty(answer: str) -> str:
    try:
        return json.dumps(json.loads(answer, parse_float=str), indent=2, ensure_ascii=False)
    except ValueError:
        return f"{answer} ..."  # cut at the size limit


@cache
def _advice() -> dict[str, str]:
    text = files("kycpack.service.console").joinpath("advice.toml").read_text("utf-8")
    return {name: str(value) for name, value in tomllib.loads(text).items()}


_RECENT = 10
_ROOMS = (
    ("Customers", customers, "customers"),
    ("Sessions", sessions, "sessions"),
    ("Payments", payments, "payments"),
    ("Deliveries", deliveries, "deliveries"),
)


def show_overview(visited: Visited) -> Board:
    """Show the overview."""
    service = visited.service
    with service.database.read() as connection:
        counts = [connection.scalar(select(func.count()).select_from(table)) for _, table, _ in _ROOMS]
    health = readiness(service)
    entries = service.requests.entries()
    refused = [entry for entry in entries if entry.status >= _REFUSED or entry.status == 0]
    ready = health["status"] == "ready"
    return Board(
        title="Overview",
        section="Overview",
        lead="A test service for customer verification and payments. Nothing here is a real check, bank or payment.",
        facts=(
            ("State", BoardCell("ready" if ready else "unavailable", tone="good" if ready else "alarm")),
            (
                "Webhook workers",
                BoardCell(f"{health['webhook_workers']} alive, {health.get('queued', 0)} queued"),
            ),
            ("Base URL", BoardCell(service.public_url or visited.base_url, mono=True)),
            ("Control API", BoardCell(f"{visited.base_url}/_control", href="/docs/control", mono=True)),
            ("First organisation", BoardCell(service.first.tenant_id, mono=True)),
            ("First key", BoardCell(service.first.key.key_id, mono=True)),
            *(
                (words, BoardCell(f"{count:,}", href=f"/console/{room}"))
                for (words, _, room), count in zip(_ROOMS, counts, strict=True)
            ),
        ),
        tables=(
            request_table(
                "Recently refused or failed", refused[:_RECENT], "No requests were refused recently."
            ),
            request_table("Latest requests", entries[:_RECENT], "No requests yet."),
        ),
    )
