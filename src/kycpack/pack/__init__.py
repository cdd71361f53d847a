"""Packs: the review of one customer as a bag of evidence, frames and documents.

`order` is what a pack is ordered with, `review` computes it, `runner` and `engine` run the notebook, `bag` and `write` put
everything together, `verify` and `replay` check it later.
"""

from kycpack.pack.decided import write_decided_pack as write_decided_pack
from kycpack.pack.earlier import latest_pack as latest_pack
from kycpack.pack.order import Order as Order
from kycpack.pack.order import read_order as read_order
from kycpack.pack.replay import Replay as Replay
from kycpack.pack.replay import replay_pack as replay_pack
from kycpack.pack.review import Review as Review
from kycpack.pack.review import build_review as build_review
from kycpack.pack.review import order_review as order_review
from kycpack.pack.verify import Verification as Verification
from kycpack.pack.verify import verify_pack as verify_pack
from kycpack.pack.write import PackResult as PackResult
from kycpack.pack.write import write_pack as write_pack
