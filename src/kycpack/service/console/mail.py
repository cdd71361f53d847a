"""The outbox: emails to customers."""

from __future__ import annotations

from sqlalchemy import select

from kycpack.service.console.board import Board, BoardCell, BoardTable
from kycpack.service.console.page import Visited, moment
from kycpack.service.mail import subject_of, text_of
from kycpack.service.schema import mails, tenants

_SHOWN = 100


def show_mail(visited: Visited) -> Board:
    """Show the latest emails, newest first."""
    with visited.service.database.read() as connection:
        chosen = select(mails, tenants.c.name.label("tenant")).join(tenants)
        newest = chosen.order_by(mails.c.created_at.desc(), mails.c.id.desc()).limit(_SHOWN)
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
