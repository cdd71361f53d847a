"""Comparing the customers of a run with each other and with the workspace, once all of them are collected.

The coordinator does this, because a forked process must not open the database.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kycpack.cli.connection import register_of
from kycpack.settings import Settings

if TYPE_CHECKING:
    import pandas as pd

    from kycpack.batch import Job
    from kycpack.batch.run import Compare

_PARTS = ("register.shared_documents", "register.same_person")


def comparison(chosen: Settings, out: Path) -> Compare:
    """Return the function that compares the customers of a run; see `run_batch`.

    Args:
        chosen: The settings; nothing is compared without a workspace.
        out: The output of the run.
    """

    def compare(made: Sequence[tuple[Job, str]]) -> Iterator[tuple[Job, Mapping[str, Any]]]:
        from kycpack.workspace import learn_identities
        from kycpack.workspace.rows import portions

        with register_of(chosen) as register:
            if register is None:
                return
            learn_identities(register.workspace, _frames_of(made, out))
            for some in portions(made):
                known = register.known_of(job.customer_id for job, pack in some if pack)
                for job, pack in some:
                    if not pack:
                        continue
                    now = known[job.customer_id]
                    if (_says(now) or _says(job.known or {})) and _says(now) != _shown(out / pack):
                        yield job, now

    return compare


def _frames_of(made: Sequence[tuple[Job, str]], out: Path) -> Iterator[Mapping[str, pd.DataFrame]]:
    """Yield the frames that identities are learned from, of some customers at a time."""
    from kycpack.batch.run_frames import RunFrames
    from kycpack.workspace.register.identity_marks import NEEDED
    from kycpack.workspace.rows import portions

    for some in portions(made):
        frames = RunFrames(NEEDED, {job.customer_id: out / pack for job, pack in some if pack})
        yield {name: frames.read(name, columns) for name, columns in NEEDED.items()}


def _says(known: Mapping[str, Any]) -> list[Any]:
    """Return the register's data about other customers who may be the same as this one."""
    from kycpack.api.collection_plan import REGISTER_PARTS

    return [known[REGISTER_PARTS[part]] for part in _PARTS if REGISTER_PARTS[part] in known]


def _shown(pack: Path) -> list[Any]:
    """Return the same data from the evidence of a pack."""
    from kycpack.evidence import load_evidence
    from kycpack.models.json import parse_json

    evidence = load_evidence(pack / "data" / "evidence")
    return [
        parse_json(evidence.body(entry.id))
        for part in _PARTS
        for entry in evidence.select(part)
        if entry.outcome == "answered"
    ]
