"""The changes for each customer between two runs, and the decisions that the evidence no longer supports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from kycpack.models.json import parse_json
from kycpack.pack.earlier_packs import earlier_pack, packs_of
from kycpack.triage.customers.changes import changes_between

if TYPE_CHECKING:
    from kycpack.batch.finished_run import FinishedRun

COLUMNS = ("customer_id", "kind", "subject", "before", "now", "worse", "pack_before", "pack_now")
"""The columns of the frame."""


def run_changes(now: FinishedRun, earlier: FinishedRun) -> pd.DataFrame:
    """Return the differences between the packs of two runs, one row per change.

    A decision made on a pack of the earlier run is included: if the evidence no longer supports it, the kind is `decision`.

    Args:
        now: The later run.
        earlier: The run to compare with.

    Returns:
        The columns of `COLUMNS`, by customer and then in the order of `triage.changes.KINDS`. Customers with a pack in only
        one of the runs are left out; `compare` names them.
    """
    rows = [
        (customer_id, each.kind, each.subject, each.before, each.now, each.worse, str(old), str(new))
        for customer_id, old, new in _pairs(now, earlier)
        if old != new
        for each in changes_between(_state(old), _state(new))
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype({"worse": "bool"})


def _pairs(now: FinishedRun, earlier: FinishedRun) -> Iterator[tuple[str, Path, Path]]:
    for customer_id in sorted(now.entries.keys() & earlier.entries.keys()):
        new, old = now.entries[customer_id], earlier.entries[customer_id]
        if new.pack and old.pack:
            now.fetch(customer_id)
            earlier.fetch(customer_id)
            place = _decided(earlier.path, earlier.path / old.pack, customer_id)
            yield customer_id, place, now.path / new.pack


def _decided(folder: Path, pack: Path, customer_id: str) -> Path:
    """Return the newest pack of the same review: the pack that carries the decision, if one was made."""
    wanted = _about(pack)
    return next((each for each in reversed(packs_of(folder, customer_id)) if _about(each) == wanted), pack)


def _about(pack: Path) -> tuple[Any, ...]:
    manifest = parse_json((pack / "data" / "manifest.json").read_bytes())
    return (manifest["evidence_root"], manifest["as_of"], manifest["policy"]["digest"])


def _state(pack: Path) -> Mapping[str, Any]:
    state: Mapping[str, Any] = earlier_pack(pack)["state"]
    return state
