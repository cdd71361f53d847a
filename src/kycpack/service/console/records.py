"""Customers, sessions and payments: lists, newest first, and one record with everything that belongs to it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, func, or_, select

from kycpack.models.enums import ENDED_SESSIONS
from kycpack.models.instants import format_instant
from kycpack.models.json import dump_json
from kycpack.models.money import from_minor
from kycpack.service.bank_reading import account_record, account_rows
from kycpack.service.console.board import Action, Board, BoardCell, BoardPassage, BoardTable, Choice, Field
from kycpack.service.console.page import Visited, badge, links_base, moment, newest, page, short_id
from kycpack.service.customers import address_of, find_any_customer, full_name
from kycpack.service.links import ONBOARD, PAY
from kycpack.service.payments import find_any_payment
from kycpack.service.schema import attempts, customers, deliveries, payments, sessions, tenants
from kycpack.service.sessions import (
    find_session,
    is_in_review,
    ordered_sections,
    state_of,
    status_of,
    tenant_of,
)
from kycpack.service.state import reading

OUTCOMES = (
    Choice("clear", "Everything is clear"),
    Choice("consider", "Consider: a person should look at it"),
    Choice("warning", "Warning: issues, not blocking"),
    Choice("rejected", "Rejected: a critical check failed"),
)


@reading
def show_customers(visited: Visited, connection: Connection) -> Board:
    """Show all customers, or those found by a search."""
    wanted = visited.query.get("q", "").strip()
    chosen = select(customers, tenants.c.name.label("tenant_name")).join(tenants)
    if wanted:
        names = (customers.c.first_name, customers.c.last_name, customers.c.email_address)
        chosen = chosen.where(
            or_(
                customers.c.id == wanted.lower(),
                customers.c.org_id == wanted,
                *(func.lower(name).startswith(wanted.lower(), autoescape=True) for name in names),
            )
        )
    rows, older = page(visited, connection, chosen, customers, "/console/customers", wanted)
    table = BoardTable(
        "Customers",
        ("Customer", "Name", "Email", "Branch", "Organisation", "Created"),
        tuple(
            (
                short_id(row.id, "customers"),
                BoardCell(full_name(row)),
                BoardCell(row.email_address or ""),
                BoardCell(row.org_id or ""),
                BoardCell(row.tenant_name),
                BoardCell(moment(row.created_at)),
            )
            for row in rows
        ),
        "No customers yet. POST /v1/customers creates one.",
        older,
    )
    return Board(
        title="Customers",
        section="Customers",
        search=(Field("q", "Id, branch, or start of a name or address", value=wanted),),
        tables=(table,),
    )


@reading
def show_customer(visited: Visited, connection: Connection) -> Board:
    """Show one customer with sessions, payments and bank access."""
    row = find_any_customer(connection, visited.path["customer_id"])
    tenant = tenant_of(connection, row.tenant_id)
    now = visited.now_of(tenant.id)
    accounts = [account_record(item, now) for item in account_rows(connection, tenant, row.id)]
    held = connection.execute(newest(sessions, sessions.c.customer_id == row.id)).all()
    paid = connection.execute(newest(payments, payments.c.customer_id == row.id)).all()
    path = f"/console/customers/{row.id}"
    return Board(
        title=full_name(row) or "Customer",
        section="Customers",
        crumbs=(BoardCell("Customers", href="/console/customers"),),
        facts=(
            ("Customer id", BoardCell(row.id, mono=True)),
            ("Email", BoardCell(row.email_address or "")),
            ("Date of birth", BoardCell(row.date_of_birth or "")),
            ("Address", BoardCell(", ".join(str(value) for value in address_of(row).values() if value))),
            ("Branch (orgId)", BoardCell(row.org_id or "")),
            ("Organisation", BoardCell(row.tenant_id, mono=True)),
            ("Created", BoardCell(moment(row.created_at))),
            ("Next results", BoardCell("set for the next session" if row.next_results_json else "")),
        ),
        actions=_customer_actions(path, linked=bool(accounts)),
        tables=(
            BoardTable(
                "Bank access",
                ("Bank", "Account", "Currency", "Scopes", "Ends"),
                tuple(
                    (
                        BoardCell(item["bankName"]),
                        BoardCell(item.get("accountNumber", ""), mono=True),
                        BoardCell(item["currency"]),
                        BoardCell(", ".join(item["scopes"])),
                        _ends(item["tokenExpiry"], now),
                    )
                    for item in accounts
                ),
                "No accounts are linked.",
            ),
            _session_table(held, visited),
            payment_table(paid),
        ),
    )


@reading
def show_sessions(visited: Visited, connection: Connection) -> Board:
    """Show sessions."""
    rows, older = page(visited, connection, select(sessions), sessions, "/console/sessions")
    return Board(title="Sessions", section="Sessions", tables=(_session_table(rows, visited, older),))


@reading
def show_session(visited: Visited, connection: Connection) -> Board:
    """Show one session with its progress, results and actions."""
    row = find_session(connection, visited.path["session_id"])
    sent = connection.execute(
        select(deliveries).where(deliveries.c.session_id == row.id).order_by(deliveries.c.number.desc())
    ).all()
    now = visited.now_of(row.tenant_id)
    state = state_of(row, now).value
    path = f"/console/sessions/{row.id}"
    over = state in ENDED_SESSIONS
    actions = (
        Action(
            "Complete it",
            f"{path}/finish",
            "Finish",
            (Field("outcome", "Outcome of every ordered section", choices=OUTCOMES),),
            "Results, media, bank access and webhooks follow as if a person had completed it.",
        ),
        Action(
            "Send it to review",
            f"{path}/review",
            "Review",
            (
                Field("outcome", "Final outcome", choices=OUTCOMES),
                Field("minutes", "Minutes of review; 0 until somebody completes it", "number", "0"),
            ),
            "The customer has finished, and the results are still to come.",
        ),
        Action(
            "Expire it",
            f"{path}/expire",
            "Expire",
            note="The link expires now, as it would after 7 days.",
            grave=True,
        ),
    )
    portal = visited.service.links.page(links_base(visited), ONBOARD, row.id)
    shown = json.dumps(json.loads(dump_json(status_of(row, now))), indent=2)
    passages = [BoardPassage("Status, as returned by GET", shown)]
    if row.results_json and state == "complete":
        passages.append(
            BoardPassage("Results", json.dumps(json.loads(row.results_json), indent=2, ensure_ascii=False))
        )
    return Board(
        title="Session",
        section="Sessions",
        crumbs=(BoardCell("Sessions", href="/console/sessions"),),
        facts=(
            ("Status", badge("in review" if is_in_review(row) and not over else state)),
            ("Session id", BoardCell(row.id, mono=True)),
            ("Customer", short_id(row.customer_id, "customers")),
            (
                "Ordered",
                BoardCell(", ".join((*ordered_sections(row), *(("bank access",) if row.ais_json else ())))),
            ),
            ("Portal", BoardCell("Open the portal", href=portal, new_tab=True)),
            ("Openings", BoardCell(str(row.attempt_count))),
            ("Created", BoardCell(moment(row.created_at))),
            ("Expires", BoardCell(moment(row.expires_at))),
        ),
        actions=()
        if over
        else tuple(one for one in actions if one.button != "Review" or not is_in_review(row)),
        tables=(
            BoardTable(
                "Deliveries",
                ("Number", "Address", "State", "Reason"),
                tuple(
                    (
                        BoardCell(str(item.number), href=f"/console/deliveries/{item.number}"),
                        BoardCell(item.url),
                        badge(item.state),
                        BoardCell(item.reason or ""),
                    )
                    for item in sent
                ),
                "No webhooks were sent for it.",
            ),
        ),
        passages=tuple(passages),
    )


def _customer_actions(path: str, *, linked: bool) -> tuple[Action, ...]:
    load = Action(
        "Renew bank access" if linked else "Link invented accounts",
        f"{path}/grant",
        "Renew" if linked else "Link",
        note="Access to accounts, balances and transactions for 90 days from now."
        if linked
        else "A current and a savings account with six months of ordinary history, for 90 days.",
    )
    end = Action(
        "Expire bank access",
        f"{path}/expire-access",
        "Expire",
        note="Accounts remain listed; balances and transactions answer 403 from now on.",
        grave=True,
    )
    results = Action(
        "Results of the next session",
        f"{path}/next-results",
        "Keep",
        (Field("outcome", "Outcome of every section", choices=OUTCOMES),),
        "Used for the next session of this customer that is completed, whoever completes it.",
    )
    return (load, *((end,) if linked else ()), results)


def _session_table(rows: Sequence[Row[Any]], visited: Visited, older: str = "") -> BoardTable:
    return BoardTable(
        "Sessions",
        ("Session", "Status", "Customer", "Created", "Updated"),
        tuple(
            (
                short_id(row.id, "sessions"),
                badge(state_of(row, visited.now_of(row.tenant_id)).value),
                short_id(row.customer_id, "customers"),
                BoardCell(moment(row.created_at)),
                BoardCell(moment(row.updated_at)),
            )
            for row in rows
        ),
        "No sessions yet. POST /v1/onboard/sessions creates one.",
        older,
    )


def _ends(instant: str, now: datetime) -> BoardCell:
    over = instant <= format_instant(now)
    return BoardCell(moment(instant), tone="alarm" if over else "good")


@reading
def show_payments(visited: Visited, connection: Connection) -> Board:
    """Show payments."""
    rows, older = page(visited, connection, select(payments), payments, "/console/payments")
    return Board(title="Payments", section="Payments", tables=(payment_table(rows, older),))


@reading
def show_payment(visited: Visited, connection: Connection) -> Board:
    """Show one payment with its attempts."""
    row = find_any_payment(connection, visited.path["payment_id"])
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
