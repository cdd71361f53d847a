"""Packs: the review of one customer as a bag of evidence, frames and documents."""

from kycpack.pack.order import Order as Order
from kycpack.pack.order import read_order as read_order
from kycpack.pack.review import Review as Review
from kycpack.pack.review import build_review as build_review
from kycpack.pack.review import order_review as order_review
from kycpack.pack.write import PackResult as PackResult
from kycpack.pack.write import write_pack as write_pack
