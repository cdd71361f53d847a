"""The history of a case, and whether it has changed since somebody reviewed it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from kycpack.errors import CaseChangedError
from kycpack.models.listed import counted
from kycpack.workspace.cases.case_changes import find_case
from kycpack.workspace.cases.case_records import Case
from kycpack.workspace.entries.ledger_writer import Writer, payloads
from kycpack.workspace.entries.verify_ledger import SYSTEM, TEXTS_COUNTED
from kycpack.workspace.schema import ledger_payloads


def open_case(writer: Writer, case_id: str, version: int | None = None) -> Case:
    """Return a case that is not closed and, if a version is given, still has that version.

    Raises:
        CaseChangedError: The case is closed, or has another version.
    """
    case = find_case(writer.connection, case_id)
    if case.state == "closed":
        raise CaseChangedError(f"{last_change(writer.connection, case)}; `reopen` it to decide again")
    if version is not None and version != case.version:
        raise CaseChangedError(
            f"{last_change(writer.connection, case)}; you reviewed version {version}, and it is now at version "
            f"{case.version}: review it again"
        )
    return case


def erased_entries(connection: Connection, case_ids: Sequence[str]) -> dict[str, int]:
    """Return the number of ledger entries of erased cases, by id; the case of a returning customer continues from there."""
    is_erasure = ledger_payloads.c.case_id.in_(case_ids), ledger_payloads.c.kind == "payload.erased"
    # The last one of a case has its highest number.
    return {str(each["case_id"]): int(each["case_entry"]) for each in payloads(connection, *is_erasure)}


def last_change(connection: Connection, case: Case) -> str:
    """Describe the last change to a case: its state, what was done, by whom and when."""
    history = list(history_of(connection, case.case_id))
    if not history:
        return f"case {case.case_id} is {case.state_words}"
    last = history[-1]
    by = "a run" if last["actor"] == SYSTEM else last["actor"]
    what = str(last["kind"]).removeprefix("case.")
    return f"case {case.case_id} is {case.state_words}: {what} by {by} at {last['at']}"


def history_of(connection: Connection, case_id: str) -> Iterator[dict[str, Any]]:
    """Yield the payloads of a case in order, without erased ones."""
    return payloads(connection, ledger_payloads.c.case_id == case_id)


def words_of(payload: Mapping[str, Any]) -> str:
    """Describe a step and its reason, in the words of the person who took it; a text that was used before is marked."""
    data = payload["data"]
    said = str(data.get("text") or data.get("reason") or data.get("evidence") or "")
    match payload["kind"]:
        case "case.assigned":
            said = f"To {data['to']}. {said}".strip()
        case "case.checked":
            said = f"{data['item']}: {said}"
        case "case.snoozed":
            said = f"Until {data['until']}. {said}"
        case "case.decided":
            outcome = str(data["outcome"]).capitalize()
            code = f"Reason code {data['reason_code']}: {data['reason']}"
            said = " ".join((f"{outcome}. {code}. {said}", *_more_of_decision(data)))
        case "case.updated" | "case.reopened" if "level_before" in data:
            said = _judged_again(data)
    return f"{said} [{marked}]" if (marked := repetition_of(payload)) else said


def _more_of_decision(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the second person also has to know: which decision it replaces, external evidence, why two people are needed, and when it ends."""
    if earlier := data["corrects"]:
        yield f"Replaces the earlier decision {earlier}."
    for finding_id, given in data["dispositions"].items():
        if seen := given["evidence"]:
            yield (
                f"{finding_id} rests on the list entry {seen['list_entry']}, list of {seen['list_date']}, "
                f"file SHA-256 {seen['file_sha256']}."
            )
    if data["second_person"]:
        yield second_person_words(data)
    if data["reopens_on"]:
        yield f"Ends on {data['reopens_on']}."


def second_person_words(data: Mapping[str, Any]) -> str:
    """Describe why a decision needs a second person, and in which role.

    Args:
        data: Data of a `case.decided` entry that needs one.
    """
    role = f" (role: {', '.join(role_words(each) for each in data['roles'])})" if data["roles"] else ""
    return f"Needs a second person{role}: {'; '.join(data['second_person'])}."


def role_words(role: str) -> str:
    """Return the name of a role for readers, such as `senior manager`."""
    return role.replace("_", " ")


def _judged_again(data: Mapping[str, Any]) -> str:
    """Describe why a run changed a case: the level before and now, and which findings are new or gone."""
    level = data["level"]
    moved = level if level == data["level_before"] else f"{data['level_before']}, now {level}"
    parts = [f"{str(data['reason']).capitalize()}. Recommended: {moved}."]
    rules = {each["id"]: each["rule"] for each in data["findings"]}
    if new := data["new"]:
        parts.append(f"New: {', '.join(f'{each} {rules[each]}' for each in new)}.")
    if gone := data["gone"]:
        parts.append(f"No longer found: {', '.join(gone)}.")
    return " ".join(parts)


def repetition_of(payload: Mapping[str, Any]) -> str:
    """Say that the text of a decision or an approval was used in earlier ones; empty if it was not."""
    used = payload["data"].get(TEXTS_COUNTED.get(payload["kind"], ""), 0)
    return f"the same text was used in {counted(used, 'earlier decision')}" if used else ""
