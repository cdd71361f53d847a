"""Payments and their attempts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, select

from kycpack.models.money import from_minor
from kycpack.service.console.board import Board, BoardCell, BoardTable
from kycpack.service.console.lists import badge, links_base, page, short_id
from kycpack.service.console.page import Visited, moment
from kycpack.service.links import PAY
from kycpack.service.payments import PAYMENT_ID
from kycpack.service.rows import find_by_id
from kycpack.service.schema import attempts, payments


def show_payments(visited: Visited) -> Board:
    """Show payments."""
    rows, older = page(visited, select(payments), payments, "/console/payments")
    return Board(title="Payments", section="Payments", tables=(payment_table(rows, older),))


def show_payment(visited: Visited) -> Board:
    """Show one payment with its attempts."""
    with visited.service.database.read() as connection:
        row = find_by_id(connection, payments, visited.path["payment_id"], "payment", form=PAYMENT_ID)
        tried = connection.execute(
            select(attempts).where(attempts.c.payment_id == row.id).order_by(attempts.c.created_at)
        ).all()
    link = visited.service.links.page(links_base(visited), PAY, row.id)
    asked = json.loads(row.ais_json) if row.ais_json else {}
    return Board(
        title=f"{from_minor(row.amount_minor, row.currency)} {row.currency}",
        section="Payments",
        crumbs=(BoardCell("Payments", href="/console/payments"),),
        facts=(
            ("Status", badge(row.status)),
            ("Payment id", BoardCell(row.id, mono=True)),
            ("Reference", BoardCell(row.reference)),
            ("Description", BoardCell(row.description or "")),
            ("Customer", short_id(row.customer_id, "customers") if row.customer_id else BoardCell("")),
            ("Requires", BoardCell(", ".join(name for name, value in asked.items() if value))),
            ("Return address", BoardCell(row.return_url or "")),
            ("Pay page", BoardCell("Open the pay page", href=link, new_tab=True)),
            ("Created", BoardCell(moment(row.created_at))),
        ),
        tables=(
            BoardTable(
                "Attempts",
                ("Attempt", "By", "Bank", "Status", "Created", "Updated"),
                tuple(
                    (
                        BoardCell(item.id, mono=True),
                        BoardCell(item.kind),
                        BoardCell(item.bank_id or "", mono=True),
                        badge(item.status),
                        BoardCell(moment(item.created_at)),
                        BoardCell(moment(item.updated_at)),
                    )
                    for item in tried
                ),
                "No attempts yet.",
            ),
        ),
    )


def payment_table(rows: Sequence[Row[Any]], older: str = "") -> BoardTable:
    """Return payments as a table."""
    return BoardTable(
        "Payments",
        ("Payment", "Status", "Amount", "Reference", "Created"),
        tuple(
            (
                BoardCell(f"{row.id[:12]}\u2026", href=f"/console/payments/{row.id}", mono=True),
                badge(row.status),
                BoardCell(f"{from_minor(row.amount_minor, row.currency)} {row.currency}", number=True),
                BoardCell(row.reference),
                BoardCell(moment(row.created_at)),
            )
            for row in rows
        ),
        "No payments yet. POST /v1/payments creates one.",
        older,
    )
