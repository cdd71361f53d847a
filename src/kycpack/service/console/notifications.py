"""Webhook endpoints with their deliveries, and emails to customers."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection, Row, select

from kycpack.service.console.board import Action, Board, BoardCell, BoardPassage, BoardTable, Tone
from kycpack.service.console.page import Done, Visited, moment
from kycpack.service.control import records as control
from kycpack.service.control.models import ControlCall
from kycpack.service.mail import subject_of, text_of
from kycpack.service.schema import deliveries, mails, tenants, webhooks
from kycpack.service.state import reading
from kycpack.service.webhooks.records import find_delivery, find_webhook, try_webhook

_SHOWN = 50
_TONES: dict[str, Tone] = {"delivered": "good", "failed": "alarm", "unknown": "watch"}


@reading
def show_deliveries(visited: Visited, connection: Connection) -> Board:
    """Show endpoints and the latest deliveries."""
    newest = select(deliveries).order_by(deliveries.c.number.desc()).limit(_SHOWN + 1)
    before = visited.query.get("before", "")
    if before.isdecimal():
        newest = newest.where(deliveries.c.number < int(before[:18]))
    endpoints = select(webhooks).order_by(webhooks.c.active.desc(), webhooks.c.created_at.desc())
    registered = connection.execute(endpoints.limit(_SHOWN)).all()
    rows = connection.execute(newest).all()
    older = f"/console/deliveries?before={rows[_SHOWN - 1].number}" if len(rows) > _SHOWN else ""
    return Board(
        title="Webhooks",
        section="Webhooks",
        lead="Each event is sent to each active endpoint once, without retries. "
        "A test sends an invented completion and is not counted.",
        tables=(
            BoardTable(
                "Endpoints",
                ("Address", "Name", "State", "Failures", "Last delivered"),
                tuple(
                    (
                        BoardCell(row.url, href=f"/console/webhooks/{row.id}"),
                        BoardCell(row.name or ""),
                        _state(row),
                        BoardCell(str(row.failures), number=True),
                        BoardCell(moment(row.last_delivered_at or "")),
                    )
                    for row in registered
                ),
                "No endpoints yet. POST /v1/webhooks registers one.",
            ),
            BoardTable(
                "Deliveries",
                ("Number", "Queued", "Event", "Session", "Address", "State", "Answer"),
                tuple(_delivery_row(row) for row in rows[:_SHOWN]),
                "No deliveries yet. A completed session queues a delivery.",
                older,
            ),
        ),
    )


@reading
def show_endpoint(visited: Visited, connection: Connection) -> Board:
    """Show one endpoint."""
    row = find_webhook(connection, visited.path["webhook_id"])
    own = select(deliveries).where(deliveries.c.webhook_id == row.id)
    rows = connection.execute(own.order_by(deliveries.c.number.desc()).limit(_SHOWN)).all()
    return _endpoint_board(row, rows)


def test_endpoint(visited: Visited) -> Board:
    """Send a test to an endpoint and show the outcome."""
    with visited.service.database.read() as connection:
        row = find_webhook(connection, visited.path["webhook_id"])
    service = visited.service
    outcome = try_webhook(row.url, visited.now_of(row.tenant_id), loopback=service.loopback)
    answered = f"The endpoint answered {outcome.status}" if outcome.status else "The endpoint did not answer"
    text = f"{answered}: {outcome.reason}." if outcome.reason else f"{answered}."
    return _endpoint_board(row, (), text, "alarm" if outcome.reason else "good")


@reading
def show_delivery(visited: Visited, connection: Connection) -> Board:
    """Show one delivery with its payload."""
    row = find_delivery(connection, visited.path["number"])
    return Board(
        title=f"Delivery {row.number}",
        section="Webhooks",
        crumbs=(BoardCell("Webhooks", href="/console/deliveries"),),
        facts=(
            ("State", BoardCell(row.state, tone=_TONES.get(row.state, "quiet"))),
            ("Answer", BoardCell(_answer(row))),
            ("Event", BoardCell(row.event, mono=True)),
            ("Address", BoardCell(row.url, href=f"/console/webhooks/{row.webhook_id}")),
            ("Session", BoardCell(row.session_id, href=f"/console/sessions/{row.session_id}", mono=True)),
            ("Queued", BoardCell(moment(row.created_at))),
            ("Sent", BoardCell(moment(row.sent_at or ""))),
            ("Finished", BoardCell(moment(row.finished_at or ""))),
        ),
        actions=(
            Action(
                "Deliver again",
                f"/console/deliveries/{row.number}/redeliver",
                "Redeliver",
                note="Queues the same payload for the same endpoint again.",
            ),
        ),
        passages=(
            BoardPassage("Payload", json.dumps(json.loads(row.payload), indent=2, ensure_ascii=False)),
        ),
    )


def redeliver_delivery(visited: Visited) -> Done:
    """Queue a delivery again."""
    number = visited.path["number"]
    queued = control.redeliver_one(ControlCall(visited.service, {"number": number}))["id"]
    return Done(f"/console/deliveries/{queued}", f"Delivery {int(number)} was queued again as {queued}.")


def _endpoint_board(row: Row[Any], rows: Any, notice: str = "", tone: Tone = "good") -> Board:
    return Board(
        title=row.name or "Endpoint",
        section="Webhooks",
        crumbs=(BoardCell("Webhooks", href="/console/deliveries"),),
        notice=notice,
        notice_tone=tone,
        facts=(
            ("Address", BoardCell(row.url)),
            ("State", _state(row)),
            ("Id", BoardCell(row.id, mono=True)),
            ("Events", BoardCell(", ".join(json.loads(row.events)), mono=True)),
            ("Failures", BoardCell(str(row.failures))),
            ("Last delivered", BoardCell(moment(row.last_delivered_at or ""))),
        ),
        actions=(
            Action(
                "Test this endpoint",
                f"/console/webhooks/{row.id}/test",
                "Send a test",
                note="Posts an invented completion of a session that does not exist, and shows the answer.",
            ),
        ),
        tables=(
            BoardTable(
                "Deliveries",
                ("Number", "Queued", "Event", "Session", "Address", "State", "Answer"),
                tuple(_delivery_row(item) for item in rows),
                "No deliveries to it yet.",
            ),
        )
        if not notice
        else (),
    )


def _delivery_row(row: Row[Any]) -> tuple[BoardCell, ...]:
    return (
        BoardCell(str(row.number), href=f"/console/deliveries/{row.number}"),
        BoardCell(moment(row.created_at)),
        BoardCell(row.event, mono=True),
        BoardCell(row.session_id[:8], href=f"/console/sessions/{row.session_id}", mono=True),
        BoardCell(row.url),
        BoardCell(row.state, tone=_TONES.get(row.state, "quiet")),
        BoardCell(_answer(row)),
    )


def _state(row: Row[Any]) -> BoardCell:
    return BoardCell("active", tone="good") if row.active else BoardCell("deleted", tone="quiet")


def _answer(row: Row[Any]) -> str:
    return " ".join(part for part in (str(row.status or ""), row.reason or "") if part)


_SHOWN_MAILS = 100


@reading
def show_mail(visited: Visited, connection: Connection) -> Board:
    """Show the latest emails, newest first."""
    chosen = select(mails, tenants.c.name.label("tenant")).join(tenants)
    newest = chosen.order_by(mails.c.created_at.desc(), mails.c.id.desc()).limit(_SHOWN_MAILS)
    items = connection.execute(newest).all()
    rows = tuple(
        (
            BoardCell(moment(item.created_at)),
            BoardCell(item.recipient),
            BoardCell(subject_of(item)),
            BoardCell(text_of(item, visited.service.links)),
            BoardCell(item.state, tone="quiet"),
        )
        for item in items
    )
    return Board(
        title="Mail",
        section="Mail",
        lead="Emails to customers. Without a mail server they stay here.",
        tables=(BoardTable("Outbox", ("Time", "To", "Subject", "Text", "State"), rows, "No emails yet."),),
    )
