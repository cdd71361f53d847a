"""Erases what the ledger says about a case; the chain can still be verified."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import select, update

from kycpack.errors import WorkspaceError
from kycpack.workspace.case_changes import find_case
from kycpack.workspace.ledger_writer import Writer
from kycpack.workspace.schema import cases, ledger_payloads
from kycpack.workspace.signing import Actor


def erase_case(writer: Writer, case_id: str, reason: str, actor: Actor) -> int:
    """Erase the payloads of a closed case, within a transaction; see `Cases.erase`.

    Raises:
        WorkspaceError: The case is not closed.
    """
    case = find_case(writer.connection, case_id)
    if case.state != "closed":
        raise WorkspaceError(f"case {case_id} is not closed; it is {case.state}")
    is_case = (ledger_payloads.c.case_id == case_id) & (ledger_payloads.c.kind != "payload.erased")
    numbers = list(
        writer.connection.scalars(
            select(ledger_payloads.c.seq).where(is_case).order_by(ledger_payloads.c.seq)
        )
    )
    for place, seq in enumerate(numbers, 1):
        writer.erase(seq, reason, actor, case.entries + place)
    after = replace(
        case,
        findings=(),
        top_reason="",
        entries=case.entries + len(numbers),
        version=case.version + 1,
    )
    writer.connection.execute(update(cases).where(cases.c.case_id == case_id).values(after.to_row()))
    return len(numbers)
