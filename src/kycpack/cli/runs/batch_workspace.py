"""What a batch reads from the workspace before it starts, and writes to it when it ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from kycpack.cli.connection import has_workspace, register_of
from kycpack.cli.terminal import program, say
from kycpack.errors import KycpackError, WorkspaceError
from kycpack.settings import Settings

if TYPE_CHECKING:
    from kycpack.batch.jobs import Job, KnownCase
    from kycpack.workspace import OpenWorkspace, Workspace


def ledger_head_of(workspace: Workspace | None) -> dict[str, Any] | None:
    """Return the head of the workspace's ledger; None without a workspace, or without an entry."""
    from kycpack.workspace import Ledger

    head = None if workspace is None else Ledger(workspace).head()
    return None if head is None else asdict(head)


def policy_approval_of(workspace: Workspace | None, policy: Path | None) -> dict[str, Any] | None:
    """Return whether the policy of a run is approved in the workspace; None without a workspace."""
    from kycpack.triage import load_policy
    from kycpack.workspace import Ledger
    from kycpack.workspace.cases.policies import Policies

    return None if workspace is None else Policies(Ledger(workspace)).approval(load_policy(policy))


def open_run_cases(chosen: Settings, out: Path, *, occasion: str, quiet: bool) -> None:
    """Open the cases of a run if there is a workspace; the packs stay valid even if this fails."""
    from kycpack.workspace.opened import open_chosen

    if not has_workspace(chosen):
        return
    try:
        with open_chosen(chosen) as work:
            opened = work.cases.from_run(out, occasion=occasion, imported_by=chosen.analyst)
            work.cases.reopen_due()
            work.anchor("run")
    except KycpackError as error:
        say(
            f"no case was opened ({error}); try again with: {program()} case import {quote(str(out))} --occasion {occasion}"
        )
        return
    if not quiet:
        say(
            f"cases: {len(opened.opened)} opened, {len(opened.updated)} updated, {len(opened.reopened)} reopened, "
            f"{len(opened.cleared)} recommended for approval without a person's decision"
        )


def jobs_of(
    chosen: Settings,
    ids: Sequence[str],
    occasion: str,
    occasions: Mapping[str, str],
    listed: Mapping[str, bytes],
) -> Iterator[Job]:
    """Yield the jobs of a run, with what the workspace knows of the customers, reading some at a time.

    Args:
        chosen: The settings.
        ids: The customers.
        occasion: The occasion that cases are opened for.
        occasions: Why each customer is due, by customer id.
        listed: The digest of each customer's record as the service lists it.
    """
    from kycpack.batch import Job

    with register_of(chosen) as register:
        for some, cases in known_cases_of(chosen, ids, occasion):
            known = {} if register is None else register.known_of(some)
            for name in some:
                due, digest = occasions.get(name, ""), listed.get(name, b"")
                yield Job(name, known.get(name), due, case=cases.get(name), listed=digest)


def known_cases_of(
    chosen: Settings, ids: Sequence[str], occasion: str
) -> Iterator[tuple[Sequence[str], dict[str, KnownCase]]]:
    """Yield some customers at a time, with the workspace's data about their cases for an occasion, by customer.

    There is no such data without a workspace.
    """
    from kycpack.batch.jobs import KnownCase
    from kycpack.pack.compute.decision import decided_evidence, last_decided
    from kycpack.workspace.opened import open_chosen
    from kycpack.workspace.rows import portions

    if not has_workspace(chosen):
        yield from ((some, {}) for some in portions(ids))
        return
    folders: dict[str, tuple[Path, ...]] = {}
    with open_chosen(chosen) as work, work.ledger.reading_excerpts() as excerpts_of:
        for some in portions(ids):
            found: dict[str, KnownCase] = {}
            cases = work.cases.of_customers(some, occasion)
            excerpts = excerpts_of([case.case_id for case in cases if case.decision_id])
            for case in cases:
                run_id, rests_on, excerpt = case.run_id, (case.evidence_root, case.policy_digest), None
                if case.case_id in excerpts and (last := last_decided(excerpts[case.case_id])):
                    excerpt = excerpts[case.case_id]
                    run_id, rests_on = (
                        last["looked_at"]["run_id"],
                        decided_evidence(excerpt, last["decision_id"]),
                    )
                if run_id not in folders:
                    folders[run_id] = run_folders(work, run_id)
                found[case.customer_id] = KnownCase(folders[run_id], *rests_on, excerpt)
            yield some, found


def run_folders(work: OpenWorkspace, run_id: str) -> tuple[Path, ...]:
    """Return the folder that a run wrote its packs to; empty if the workspace does not have the run."""
    try:
        return (Path(work.runs.get(run_id).output),)
    except WorkspaceError:
        return ()
