"""What was done on a case so far, and whether it is still as somebody looked at it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, select

from kycpack.errors import CaseChangedError
from kycpack.workspace import schema
from kycpack.workspace.case_changes import find_case
from kycpack.workspace.case_records import Case
from kycpack.workspace.ledger_writer import Writer
from kycpack.workspace.rows import read_json
from kycpack.workspace.verify_ledger import SYSTEM


def open_case(writer: Writer, case_id: str, version: int | None = None) -> Case:
    """Return a case that is not closed and, where a version is given, is still as it was looked at.

    Raises:
        CaseChangedError: The case is closed, or has another version.
    """
    case = find_case(writer.connection, case_id)
    if case.state == "closed":
        raise CaseChangedError(f"{last_change(writer.connection, case)}; `reopen` it to decide again")
    if version is not None and version != case.version:
        raise CaseChangedError(
            f"{last_change(writer.connection, case)}; you looked at version {version}, and it is at version "
            f"{case.version} now: look again"
        )
    return case


def erased_entries(connection: Connection, case_ids: Sequence[str]) -> dict[str, int]:
    """Return how many entries the ledger has of cases that were erased, by id; a case of a customer who returns goes on from there."""
    table = schema.ledger_payloads
    query = select(table.c.case_id, table.c.payload).where(
        table.c.case_id.in_(case_ids), table.c.kind == "payload.erased"
    )
    found: dict[str, int] = {}
    for case_id, payload in connection.execute(query):
        number = int(read_json(payload, "payload")["case_entry"])
        found[str(case_id)] = max(number, found.get(str(case_id), 0))
    return found


def last_change(connection: Connection, case: Case) -> str:
    """Return what happened to a case last, in words: its state, what was done, by whom and when."""
    history = list(history_of(connection, case.case_id))
    if not history:
        return f"case {case.case_id} is {case.state}"
    last = history[-1]
    by = "a run" if last["actor"] == SYSTEM else last["actor"]
    what = str(last["kind"]).removeprefix("case.")
    return f"case {case.case_id} is {case.state}: {what} by {by} at {last['at']}"


def history_of(connection: Connection, case_id: str) -> Iterator[dict[str, Any]]:
    """Go through the payloads of a case in their order, without those that were erased."""
    table = schema.ledger_payloads
    query = select(table.c.payload).where(table.c.case_id == case_id).order_by(table.c.seq)
    for payload in connection.scalars(query):
        yield read_json(payload, "payload")


def words_of(payload: Mapping[str, Any]) -> str:
    """Return what a step was and why, in the words of who took it; a text that was used before is marked."""
    data = payload["data"]
    said = str(data.get("text") or data.get("reason") or data.get("evidence") or "")
    if payload["kind"] == "case.assigned":
        said = f"To {data['to']}. {said}".strip()
    elif payload["kind"] == "case.checked":
        said = f"{data['item']}: {said}"
    elif payload["kind"] == "case.snoozed":
        said = f"Until {data['until']}. {said}"
    return f"{said} [{marked}]" if (marked := repetition_of(payload)) else said


def repetition_of(payload: Mapping[str, Any]) -> str:
    """Return that the text of a decision or an approval was used in earlier ones, in words; empty where it was not."""
    counted = {"case.decided": "text_used_before", "case.approved": "own_text_used_before"}
    used = payload["data"].get(counted.get(payload["kind"], ""), 0)
    return f"the same text was used in {used} earlier decision{'' if used == 1 else 's'}" if used else ""
