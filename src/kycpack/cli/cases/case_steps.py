"""The steps of a case: who works on it, how long it is snoozed, and the decision, with the options that they share."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kycpack.cli.connection import opened
from kycpack.cli.options import AsJson, WorkspacePlace
from kycpack.cli.terminal import answer, program, say

if TYPE_CHECKING:
    from kycpack.workspace import Decision
    from kycpack.workspace.cases.case_records import Case

CaseId = Annotated[str, typer.Argument(metavar="CASE", help="The case's id, from `kycpack case list`.")]
CaseOrCustomer = Annotated[
    str, typer.Argument(metavar="CASE", help="Id of a case, or of a customer for the latest case.")
]
Reason = Annotated[str, typer.Option("--reason", metavar="REASON", help="Why, in words.")]
Text = Annotated[str, typer.Option("--text", metavar="REASONS", help="Why, in words.")]
Version = Annotated[
    int | None,
    typer.Option(
        "--version",
        metavar="NUMBER",
        help="Version of the case as `kycpack case show` showed it; refused if the case has changed since.",
    ),
]


def assign(
    case_id: CaseId,
    to: Annotated[str, typer.Argument(metavar="PERSON", help="Name of the person who takes over the case.")],
    reason: Reason = "",
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """Assign a case to a person.

    Reassigning a case needs a reason.
    """
    with opened(workspace) as work:
        _answer(work.cases.assign(case_id, to, reason), as_json=as_json)


def wait(case_id: CaseId, reason: Reason, workspace: WorkspacePlace = None, as_json: AsJson = False) -> None:
    """Record that the case waits for the customer."""
    with opened(workspace) as work:
        _answer(work.cases.wait(case_id, reason), as_json=as_json)


def resume(
    case_id: CaseId, reason: Reason, workspace: WorkspacePlace = None, as_json: AsJson = False
) -> None:
    """Resume a case that waited or was snoozed."""
    with opened(workspace) as work:
        _answer(work.cases.resume(case_id, reason), as_json=as_json)


def snooze(
    case_id: CaseId,
    until: Annotated[str, typer.Option("--until", metavar="DATE", help="A date, as in 2026-07-01.")],
    reason: Reason,
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """Snooze a case until a date.

    A case about sanctions or terrorism cannot be snoozed, nor one with a hold in force.
    """
    with opened(workspace) as work:
        _answer(work.cases.snooze(case_id, date_of(until, "--until"), reason), as_json=as_json)


def check(
    case_id: CaseId,
    item: Annotated[
        str, typer.Argument(metavar="ITEM", help="Item of the policy's checklist, as in source_of_wealth.")
    ],
    evidence: Annotated[
        str, typer.Option("--evidence", metavar="DESCRIPTION", help="Where the proof is, in words.")
    ],
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """Record that a due diligence item is done."""
    with opened(workspace) as work:
        _answer(work.cases.check(case_id, item, evidence), as_json=as_json)


def decide(
    case_id: CaseId,
    outcome: Annotated[
        str, typer.Option("--outcome", metavar="OUTCOME", help="approve, hold, escalate or reject.")
    ],
    code: Annotated[
        str, typer.Option("--code", metavar="CODE", help="Reason code of the policy, as in FALSE-POSITIVE.")
    ],
    text: Text,
    finding: Annotated[
        list[str] | None,
        typer.Option(
            "--finding",
            metavar="ID=VERDICT",
            help="Verdict on a finding: false_positive, true_match, inconclusive, accepted or escalated. May be repeated.",
        ),
    ] = None,
    evidence: Annotated[
        list[str] | None,
        typer.Option(
            "--evidence",
            metavar="ID=FILE",
            help="JSON file with list_entry, list_date and file_sha256, for a false positive. May be repeated.",
        ),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(
            "--until", metavar="DATE", help="Date on which a decision softer than the recommendation ends."
        ),
    ] = None,
    version: Version = None,
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """Decide a case.

    A decision that needs a second person waits for `kycpack case approve`. A hold or an escalation is in force at once.
    """
    from kycpack.workspace.cases.case_history import second_person_words

    wanted = decision_of(outcome, code, text, finding or [], evidence or [], until)
    with opened(workspace) as work:
        seen = work.cases.get(case_id).version if version is None else version
        made = work.cases.decide(case_id, wanted, version=seen)
        data = work.cases.history(case_id)[-1]["data"]
    _answer(made, as_json=as_json)
    if made.state == "second_review" and not as_json:
        say(second_person_words(data))


def approve(
    case_id: CaseId,
    text: Text,
    send_back: Annotated[bool, typer.Option("--send-back", help="Send the decision back instead.")] = False,
    version: Version = None,
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """Approve another person's decision, or send it back."""
    with opened(workspace) as work:
        seen = work.cases.get(case_id).version if version is None else version
        step = work.cases.send_back if send_back else work.cases.approve
        _answer(step(case_id, text, version=seen), as_json=as_json)


def reopen(
    case_id: CaseId, reason: Reason, workspace: WorkspacePlace = None, as_json: AsJson = False
) -> None:
    """Reopen a closed case.

    The earlier decision stays in the ledger.
    """
    with opened(workspace) as work:
        _answer(work.cases.reopen(case_id, reason), as_json=as_json)


def _answer(made: Case, *, as_json: bool) -> None:
    effect = f", {made.effect} in force" if made.effect else ""
    said = f"case {made.case_id} is {made.state_words}{effect} (version {made.version})"
    answer(asdict(made), said, as_json=as_json)
    if made.state == "closed" and not as_json:
        say(f"make the pack with the decision: {program()} case pack {made.case_id}")


def decision_of(
    outcome: str, code: str, text: str, findings: list[str], evidence: list[str], until: str | None
) -> Decision:
    """Return a decision from the options of `kycpack case decide`.

    Args:
        outcome: Outcome of the decision.
        code: The reason code.
        text: The reasons, in words.
        findings: A verdict for each finding, as `ID=VERDICT`.
        evidence: A file of outside evidence for a finding, as `ID=FILE`.
        until: The last day of an override, as YYYY-MM-DD; None for the policy's limit.

    Raises:
        BadParameter: An option cannot be read, or evidence belongs to a finding without a verdict.
    """
    from kycpack.workspace import Decision, Disposition

    outside = {name: _outside(Path(file)) for name, file in (_pair(each, "--evidence") for each in evidence)}
    verdicts = dict(_pair(each, "--finding") for each in findings)
    if nowhere := sorted(set(outside) - set(verdicts)):
        raise typer.BadParameter(f"no --finding for {', '.join(nowhere)}", param_hint="--evidence")
    return Decision(
        outcome,
        code,
        text,
        {name: Disposition(verdict, outside.get(name, {})) for name, verdict in verdicts.items()},
        None if until is None else date_of(until, "--until"),
    )


def _pair(text: str, option: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not (name and sign and value):
        raise typer.BadParameter(f"expected ID=..., such as F-1=..., not {text!r}", param_hint=option)
    return name, value


def _outside(path: Path) -> dict[str, str]:
    try:
        document = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        raise typer.BadParameter(f"{path} is not a JSON file", param_hint="--evidence") from None
    if not isinstance(document, dict) or not all(isinstance(value, str) for value in document.values()):
        raise typer.BadParameter(
            f"{path} is not a JSON object whose values are text", param_hint="--evidence"
        )
    return document


def date_of(text: str, option: str) -> date:
    """Return the date that an option names.

    Raises:
        BadParameter: The text is not a date.
    """
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter("expected a date, such as 2026-07-01", param_hint=option) from None
