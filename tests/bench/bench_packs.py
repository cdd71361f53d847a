"""Review packs a minute, beside papermill alone running the same notebook on the same evidence."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import papermill
from tests.bench.measure import Measurement, in_turn

from kycpack.assets import asset_path, notebook_path
from kycpack.evidence import load_evidence
from kycpack.pack import write_pack

_AS_OF = "2026-06-30T12:00:00Z"


def run() -> list[Measurement]:
    """Measure one pack at a time: ours with bag, documents, data and hashes; the peer executes the notebook."""
    samples = asset_path("samples/order.json").parent
    evidence = load_evidence(samples / "evidence")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        shutil.copytree(samples / "evidence", place / "evidence")
        shutil.copyfile(samples / "order.json", place / "order.json")

        def peer() -> None:
            papermill.execute_notebook(
                str(notebook_path("customer_review.ipynb")),
                str(place / "executed.ipynb"),
                parameters={"evidence_path": "evidence", "order_path": "order.json"},
                cwd=str(place),
                kernel_name="python3",
                progress_bar=False,
            )

        ours, theirs = in_turn(lambda: write_pack(evidence, place / "packs", as_of=_AS_OF), peer, rounds=5)
    return [
        Measurement(
            "review packs, one process", 60 / ours, 60 / theirs, "packs/min", "papermill, the notebook alone"
        )
    ]
