"""What a batch takes from the workspace before it starts, and gives to it when it ends."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kycpack.cli.connection import require_workspace
from kycpack.cli.terminal import program, say
from kycpack.errors import ConfigurationError, KycpackError

if TYPE_CHECKING:
    from kycpack.settings import Settings


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


def open_run_cases(chosen: Settings, out: Path, *, occasion: str, quiet: bool) -> None:
    """Open the cases of a run where there is a workspace; the packs stand whatever becomes of it."""
    from kycpack.workspace.opened import open_chosen

    try:
        require_workspace(chosen)
    except ConfigurationError:
        return
    try:
        with open_chosen(chosen) as work:
            opened = work.cases.from_run(out, occasion=occasion, prepared_by=chosen.analyst)
            work.cases.reopen_due()
            work.anchor("run")
    except KycpackError as error:
        say(
            f"no case was opened ({error}); try again with: {program()} case import {out} --occasion {occasion}"
        )
        return
    if not quiet:
        say(
            f"cases: {len(opened.opened)} opened, {len(opened.updated)} updated, {len(opened.reopened)} reopened, "
            f"{len(opened.cleared)} recommended for approval without a person's decision"
        )
