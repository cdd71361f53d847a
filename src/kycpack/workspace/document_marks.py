"""Which customers show the same identity document: compared over a workspace by a keyed digest, never by the number itself."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, delete, select

from kycpack.evidence import Evidence
from kycpack.frames import flatten
from kycpack.triage.shared_documents import Document, document_keys, shared_documents
from kycpack.workspace import schema
from kycpack.workspace.database import Workspace
from kycpack.workspace.learning import upsert

_SECRET = "document_secret"  # noqa: S105 - the name of a row


def learn_documents(workspace: Workspace, evidence: Evidence) -> bool:
    """Remember the identity documents of a customer, each as a digest that only this workspace can make.

    Args:
        workspace: The open workspace.
        evidence: The customer's evidence; what an earlier one showed of the same sessions is replaced.

    Returns:
        Whether another customer shows one of them.
    """
    customer_id = evidence.customer_id
    shown = document_keys(flatten(evidence)).get(customer_id, [])
    table = schema.document_marks
    with workspace.transaction() as connection:
        secret = _secret(connection)
        sessions = {session_id for _, session_id in shown}
        connection.execute(
            delete(table).where(table.c.customer_id == customer_id, table.c.session_id.in_(sessions))
        )
        for document, session_id in shown:
            row = {"mark": _mark(secret, document), "customer_id": customer_id, "session_id": session_id}
            connection.execute(upsert(connection, table).values(row).on_conflict_do_nothing())
        return customer_id in shared_by(connection, [customer_id])


def shared_by(connection: Connection, customer_ids: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the register's entry of shared documents, as of `shared_documents`, for those of some customers who share one."""
    table = schema.document_marks
    wanted = set(customer_ids)
    mine = select(table.c.mark).where(table.c.customer_id.in_(wanted))
    rows = connection.execute(select(table).where(table.c.mark.in_(mine))).mappings()
    known: dict[str, list[tuple[Document, str]]] = {}
    for row in rows:
        known.setdefault(str(row["customer_id"]), []).append((("", str(row["mark"])), str(row["session_id"])))
    return {one: entry for one, entry in shared_documents([known]).items() if one in wanted}


def _secret(connection: Connection) -> bytes:
    table = schema.meta
    made = upsert(connection, table).values(name=_SECRET, value=secrets.token_hex(32))
    connection.execute(made.on_conflict_do_nothing())
    return bytes.fromhex(str(connection.scalar(select(table.c.value).where(table.c.name == _SECRET))))


def _mark(secret: bytes, document: Document) -> str:
    return hmac.new(secret, json.dumps(document).encode(), hashlib.sha256).hexdigest()
