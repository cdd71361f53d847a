"""What every pack needs once: done by the server that packs are forked from, so that none of them repeats it.

The specimen that comes with the package is reviewed from evidence to documents. That reads the lexicons, lists and
policy of the package, compiles patterns, loads typefaces and calendars, and lets the libraries build their tables.
Nothing here starts a thread: a thread does not come through a fork.
"""

from __future__ import annotations

import gc
import shutil
import tempfile
from contextlib import chdir, suppress
from pathlib import Path

import pypdfium2  # noqa: F401 - the specimen has no statement as PDF, and customers may have one

from kycpack.assets import asset_path
from kycpack.errors import KycpackError
from kycpack.evidence import load_evidence
from kycpack.models.json import parse_json
from kycpack.pack.cells import prepare_shell, run_cells
from kycpack.pack.order import read_order
from kycpack.pack.review_notebook import read_review_notebook
from kycpack.pack.write import assemble
from kycpack.triage import load_policy


def review_specimen() -> None:
    """Make the specimen's pack, run its notebook once more in this process, and drop both."""
    order = read_order(asset_path("samples/order.json"))
    evidence = load_evidence(asset_path("samples/evidence/index.json").parent)
    with tempfile.TemporaryDirectory(prefix="kycpack-preload-") as folder:
        bag = Path(folder)
        assemble(
            evidence, load_policy(None), order, read_review_notebook(), bag, quarantine=bag / "quarantine"
        )
        data = bag / "data"
        executed = parse_json((data / "report" / "review.ipynb").read_bytes())
        for name in ("frames", "report"):
            shutil.rmtree(data / name)
        with chdir(data):
            run_cells(executed, data)
    prepare_shell()


# Where the specimen cannot be reviewed, each customer's own review says why.
with suppress(KycpackError):
    review_specimen()
# What is there now stays to the end: the collector of a fork need not look at it, and copies none of its pages.
gc.collect()
gc.freeze()
# A fork makes one pack and ends: looking for cycles often would cost more than it frees.
gc.set_threshold(100_000, 20, 50)
