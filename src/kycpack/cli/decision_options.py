"""The arguments and options with which a person works on a case, and reading them as a decision."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from kycpack.workspace import Decision

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
