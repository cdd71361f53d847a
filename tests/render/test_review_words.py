"""Words of the review that were false or odd to a reader in a bank."""

from __future__ import annotations

from kycpack.render.review.findings import _seen_words
from kycpack.render.review.shares import Shares
from kycpack.wealth.judge.coverage import NATURES


def test_a_part_of_nothing_is_not_listed() -> None:
    shares = Shares(
        "GBP", dict.fromkeys(NATURES, 0) | {"known": 6_490_316}, {"code": 6_490_300, "pattern": 16}, 0
    )
    assert shares.sentence == "Known by the bank's code (100.0%)."


def test_the_level_is_not_the_value_of_a_check() -> None:
    assert _seen_words("triage.level", "approve") == "not required"
    assert _seen_words("wealth.flags.large_unexplained", "review") == "flags that ask for manual review"
