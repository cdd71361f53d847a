"""The first page: the service's addresses, its health, and recently refused requests."""

from __future__ import annotations

from sqlalchemy import func, select

from kycpack.service.console.board import Board, BoardCell
from kycpack.service.console.journal import request_table
from kycpack.service.console.page import Visited
from kycpack.service.health import readiness
from kycpack.service.schema import customers, deliveries, payments, sessions

_REFUSED = 400
_SHOWN = 10
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
                "Recently refused or failed", refused[:_SHOWN], "No requests were refused recently."
            ),
            request_table("Latest requests", entries[:_SHOWN], "No requests yet."),
        ),
    )
