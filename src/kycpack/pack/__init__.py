"""Packs: the review of one customer as a bag of evidence, frames and documents.

`order` holds the inputs of a pack, `compute` works out the review, `notebooks` runs its notebook, `seal` fills the bag and
puts it in its place, `check` verifies and replays it later; `sign`, `decide` and `redact` make something of a finished pack.

The names below are imported when they are first used, because papermill imports its engine from this package whenever
papermill itself is imported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kycpack.lazy_names import lazy_names

if TYPE_CHECKING:
    from kycpack.pack.check.replay import Replay as Replay
    from kycpack.pack.check.replay import replay_pack as replay_pack
    from kycpack.pack.check.verify import Verification as Verification
    from kycpack.pack.check.verify import verify_pack as verify_pack
    from kycpack.pack.compute.opened_review import open_review as open_review
    from kycpack.pack.compute.review import Review as Review
    from kycpack.pack.compute.review import build_review as build_review
    from kycpack.pack.compute.review import order_review as order_review
    from kycpack.pack.decide.decision_pack import write_decided_pack as write_decided_pack
    from kycpack.pack.earlier_packs import latest_pack as latest_pack
    from kycpack.pack.order import Order as Order
    from kycpack.pack.order import read_order as read_order
    from kycpack.pack.seal.write import PackResult as PackResult
    from kycpack.pack.seal.write import write_pack as write_pack

_HOMES = {
    "Order": "order",
    "PackResult": "seal.write",
    "Replay": "check.replay",
    "Review": "compute.review",
    "Verification": "check.verify",
    "build_review": "compute.review",
    "latest_pack": "earlier_packs",
    "open_review": "compute.opened_review",
    "order_review": "compute.review",
    "read_order": "order",
    "replay_pack": "check.replay",
    "verify_pack": "check.verify",
    "write_decided_pack": "decide.decision_pack",
    "write_pack": "seal.write",
}

__all__ = [*_HOMES]  # noqa: PLE0604 - the table above is the list

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
