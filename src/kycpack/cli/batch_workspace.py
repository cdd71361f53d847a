"""What a batch takes from the workspace before it starts, and gives to it when it ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kycpack.cli.connection import register_of, require_workspace
from kycpack.cli.terminal import program, say
from kycpack.errors import ConfigurationError, KycpackError

if TYPE_CHECKING:
    from kycpack.batch import RunReport
    from kycpack.settings import Settings

_SHARED = "sharedDocuments"
_MOST_SHOWN = 50


def learn_run_documents(chosen: Settings, out: Path, report: RunReport, known: Mapping[str, Any]) -> None:
    """Compare the identity documents of a run over the workspace; it is done here, since a forked process must not open the database."""
    from kycpack.evidence import load_evidence
    from kycpack.workspace import learn_documents

    with register_of(chosen) as register:
        if register is None:
            return
        seen = [entry for entry in report.entries if entry.outcome == "produced" and entry.pack]
        for entry in seen:
            learn_documents(register.workspace, load_evidence(out / entry.pack / "data" / "evidence"))
        now = register.known_of([entry.customer_id for entry in seen])
    shared = [one for one, body in now.items() if body.get(_SHARED) != known.get(one, {}).get(_SHARED)]
    if shared:
        say(
            f"{len(shared)} customers of this run show an identity document that another customer shows too, as was seen only when all were "
            f"collected: run the batch again to have it in their packs: {', '.join(shared[:_MOST_SHOWN])}"
        )


def ledger_head_of(chosen: Settings) -> dict[str, Any] | None:
    """Return the head of the workspace's ledger; None without a workspace, or without an entry."""
    from kycpack.workspace import Ledger, Workspace

    try:
        require_workspace(chosen)
    except ConfigurationError:
        return None
    with Workspace.open(chosen.workspace) as workspace:
        head = Ledger(workspace).head()
    return None if head is None else asdict(head)


def policy_approval_of(chosen: Settings, policy: Path | None) -> dict[str, Any] | None:
    """Return whether the policy of a run is approved in the workspace; None without a workspace."""
    from kycpack.triage import load_policy
    from kycpack.workspace import Ledger, Workspace
    from kycpack.workspace.policies import Policies

    try:
        require_workspace(chosen)
    except ConfigurationError:
        return None
    with Workspace.open(chosen.workspace) as workspace:
        return Policies(Ledger(workspace)).approval(load_policy(policy))


def open_run_cases(chosen: Settings, out: Path, *, quiet: bool) -> None:
    """Open the cases of a run where there is a workspace; the packs stand whatever becomes of it."""
    from kycpack.workspace.opened import open_chosen

    try:
        require_workspace(chosen)
    except ConfigurationError:
        return
    try:
        with open_chosen(chosen) as work:
            opened = work.cases.from_run(out, prepared_by=chosen.analyst)
            work.cases.reopen_due()
            work.anchor("run")
    except KycpackError as error:
        say(f"no case was opened ({error}); try again with: {program()} case import {out}")
        return
    if not quiet:
        say(
            f"cases: {len(opened.opened)} opened, {len(opened.updated)} updated, {len(opened.reopened)} reopened, "
            f"{len(opened.cleared)} customers recommended for approval without a person's decision"
        )
