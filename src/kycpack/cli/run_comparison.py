"""Comparing the customers of a run with each other and with the workspace, once all of them are collected.

The coordinator does this, because a forked process must not open the database.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kycpack.cli.connection import register_of

if TYPE_CHECKING:
    from kycpack.batch.run import Compare
    from kycpack.settings import Settings

_PARTS = ("register.shared_documents", "register.same_person")


def comparison(chosen: Settings, out: Path, before: Mapping[str, Mapping[str, Any]]) -> Compare:
    """Return the function that compares the customers of a run; see `run_batch`.

    Args:
        chosen: The settings; nothing is compared without a workspace.
        out: The output of the run.
        before: The register's data when the run began, by customer.
    """

    def compare(made: Mapping[str, str]) -> dict[str, dict[str, Any]]:
        from kycpack.batch.run_frames import RunFrames
        from kycpack.workspace import learn_identities
        from kycpack.workspace.register.identity_marks import NEEDED
        from kycpack.workspace.rows import portions

        packs = {name: out / pack for name, pack in made.items()}
        with register_of(chosen) as register:
            if register is None or not packs:
                return {}
            frames = RunFrames(NEEDED, packs)
            learn_identities(
                register.workspace, {name: frames.read(name, columns) for name, columns in NEEDED.items()}
            )
            return {
                name: known
                for some in portions(list(packs))
                for name, known in register.known_of(some).items()
                if (_says(known) or _says(before.get(name, {}))) and _says(known) != _shown(packs[name])
            }

    return compare


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
