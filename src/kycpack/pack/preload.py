"""What every pack needs once: done by the server that packs are forked from, so that none of them repeats it.

The specimen that comes with the package is reviewed from evidence to documents. That reads the lexicons, lists and
policy of the package, compiles patterns, loads typefaces and calendars, and lets the libraries build their tables.
What only some customers need is read after it. Nothing here starts a thread: a thread does not come through a fork.
"""

from __future__ import annotations

import gc
import tempfile
from contextlib import suppress
from pathlib import Path

from kycpack.api.connections import usual_certificates
from kycpack.assets import asset_path
from kycpack.errors import KycpackError
from kycpack.evidence import load_evidence
from kycpack.frames.adapters.csv_layout import load_layouts
from kycpack.frames.identity import first_pages
from kycpack.pack.notebooks.cells import prepare_shell
from kycpack.pack.notebooks.engine import IN_PLACE
from kycpack.pack.notebooks.review_notebook import read_review_notebook
from kycpack.pack.order import read_order
from kycpack.pack.redact.disclosure import commitments
from kycpack.pack.seal.write import assemble
from kycpack.triage import load_policy
from kycpack.triage.addresses.address_likeness import PostalAddress, compare_addresses
from kycpack.triage.details.contradictions import read_extents
from kycpack.triage.names.person_names import compare_names
from kycpack.wealth.match.own_names import OwnName, find_own_name

_NAMES = (
    ("陳大文", "Chan Tai Man"),
    ("Chan Tai Man", "Chen Dawen"),
    ("김민수", "Kim Min-su"),
)
_ADDRESSES = (
    PostalAddress("Flat 2, 1 Example Street", "Exampleton", "EX1 1AA", "GB"),
    PostalAddress("1 Example St", "Exampleton", None, "GB"),
)


def review_specimen() -> None:
    """Make the specimen's pack in this process, and drop it."""
    order = read_order(asset_path("samples/order.json"))
    evidence = load_evidence(asset_path("samples/evidence/index.json").parent)
    with tempfile.TemporaryDirectory(prefix="kycpack-preload-") as folder:
        bag = Path(folder)
        policy, notebook = load_policy(None), read_review_notebook()
        assemble(
            evidence,
            policy,
            order,
            notebook,
            bag,
            quarantine=bag / "quarantine",
            engine=IN_PLACE,
            commit=lambda data: commitments(data, b"of the specimen", evidence.customer_id, order.as_of),
        )
        # The specimen has no statement as PDF, and customers may have one.
        list(first_pages((bag / "data" / "report" / "review.pdf").read_bytes()))
    prepare_shell()


def read_tables() -> None:
    """Read the tables for what the specimen has none of, as names in other scripts: each takes up to 65 ms."""
    load_layouts()
    read_extents()
    for left, right in _NAMES:
        compare_names(left, right)
    compare_addresses(*_ADDRESSES)
    find_own_name(("bob", "example"), OwnName(("robert",), ("example",)), ())


# The certificates by which each pack's client knows the service take 30 ms.
# Where the specimen cannot be reviewed or a table be read, each customer's own review says why.
for prepare in (review_specimen, read_tables, usual_certificates):
    with suppress(KycpackError, OSError):
        prepare()
# What is there now stays to the end: the collector of a fork need not look at it, and copies none of its pages.
gc.collect()
gc.freeze()
# A fork makes one pack and ends: looking for cycles often would cost more than it frees.
gc.set_threshold(100_000, 20, 50)
