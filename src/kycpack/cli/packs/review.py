"""`kycpack review`: one pack from stored evidence."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

import kycpack as kp
from kycpack.cli.options import AsJson, AsOf, Country, NotebookFile, PolicyFile, read_as_of, settings
from kycpack.cli.terminal import answer


def review(
    evidence: Annotated[
        Path,
        typer.Argument(
            metavar="EVIDENCE", help="A folder that `kycpack collect` wrote.", exists=True, file_okay=False
        ),
    ],
    out: Annotated[
        Path,
        typer.Option("--out", metavar="FOLDER", help="Folder for the pack; the pack is a new folder in it."),
    ] = Path("reports"),
    as_of: AsOf = None,
    policy: PolicyFile = None,
    country: Country = "GB",
    notebook: NotebookFile = None,
    case_id: Annotated[
        str | None, typer.Option("--case", metavar="CASE", help="Id of the case to show in the pack.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make one review pack from stored evidence.

    Sends no request. The same evidence, policy, code and --as-of give the same pack, byte for byte.
    """
    from kycpack.workspace.redaction_key import folder_of, redaction_key

    moment, chosen = read_as_of(as_of), settings()
    result = kp.write_pack(
        kp.load_evidence(evidence),
        out,
        policy=kp.load_policy(policy),
        as_of=moment,
        case_id=case_id,
        prepared_by=chosen.analyst or None,
        reviewed_by=chosen.reviewer or None,
        country=country,
        notebook=notebook,
        redaction_key=redaction_key(folder_of(chosen)),
    )
    answer(
        asdict(result),
        f"{result.customer_id}: {result.level} - {result.top_reason}",
        f"the pack: {result.path}",
        as_json=as_json,
    )
