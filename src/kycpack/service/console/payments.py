"""Payments and their attempts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, select

from kycpack.models.money import from_minor
from kycpack.service.console.board import Board, Cell, Table
from kycpack.service.console.lists import badge, links_base, page, short_id
from kycpack.service.console.page import Visited, moment
from kycpack.service.links import PAY
from kycpack.service.problems import not_found
from kycpack.service.schema import attempts, payments


def show_payments(visited: Visited) -> Board:
    """Show payments."""
    rows, older = page(visited, select(payments), payments, "/console/payments")
    return Board(title="Payments", section="Payments", tables=(payment_table(rows, older),))


def show_payment(visited: Visited) -> Board:
    """Show one payment with its attempts."""
    with visited.service.database.read() as connection:
        wanted = select(payments).where(payments.c.id == visited.path["payment_id"])
        row = connection.execute(wanted).one_or_none()
        if row is None:
            raise not_found("payment")
        tried = connection.execute(
            select(attempts).where(attempts.c.payment_id == row.id).order_by(attempts.c.created_at)
        ).all()
    link = visited.service.links.page(links_base(visited), PAY, row.id)
    asked = json.loads(row.ais_json) if row.ais_json else {}
    return Board(
        title=f"{from_minor(row.amount_minor, row.currency)} {row.currency}",
        section="Payments",
        crumbs=(Cell("Payments", href="/console/payments"),),
        facts=(
            ("Status", badge(row.status)),
            ("Payment id", Cell(row.id, mono=True)),
            ("Reference", Cell(row.reference)),
            ("Description", Cell(row.description or "")),
            ("Customer", short_id(row.customer_id, "customers") if row.customer_id else Cell("")),
            ("Asks for", Cell(", ".join(name for name, value in asked.items() if value))),
            ("Return address", Cell(row.return_url or "")),
            ("Pay page", Cell("Open the pay page", href=link, new_tab=True)),
            ("Created", Cell(moment(row.created_at))),
        ),
        tables=(
            Table(
                "Attempts",
                ("Attempt", "By", "Bank", "Status", "Created", "Updated"),
                tuple(
                    (
                        Cell(item.id, mono=True),
                        Cell(item.kind),
                        Cell(item.bank_id or "", mono=True),
                        badge(item.status),
                        Cell(moment(item.created_at)),
                        Cell(moment(item.updated_at)),
                    )
                    for item in tried
                ),
                "Nobody has tried to pay it yet.",
            ),
        ),
    )


def payment_table(rows: Sequence[Row[Any]], older: str = "") -> Table:
    """Return payments as a table."""
    return Table(
        "Payments",
        ("Payment", "Status", "Amount", "Reference", "Created"),
        tuple(
            (
                Cell(f"{row.id[:12]}\u2026", href=f"/console/payments/{row.id}", mono=True),
                badge(row.status),
                Cell(f"{from_minor(row.amount_minor, row.currency)} {row.currency}", number=True),
                Cell(row.reference),
                Cell(moment(row.created_at)),
            )
            for row in rows
        ),
        "No payment is there. POST /v1/payments creates one.",
        older,
    )
