"""What is named and not known is said by what it is, with its sums, and a share of a range is a range."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.frames.rows import records
from kycpack.render.origin import Origin
from kycpack.render.review.share_sums import shares_of
from kycpack.render.review.shares import NATURE_WORDS, Shares
from kycpack.render.review.weak_natures import CONTRADICTED, REFUND, weak_sums, weak_words
from kycpack.wealth import derive
from kycpack.wealth.judge.coverage import CASH_OR_NAMED, KNOWN, NATURES
from kycpack.wealth.judge.support import CLAIMED_BY, PURPOSE, WORDS, support_of
from kycpack.wealth.judge.unexplained import CASH

Ledger = Callable[..., pd.DataFrame]
MONTHS = [f"2025-{month:02d}-25" for month in range(1, 13)]


@pytest.mark.parametrize(
    ("texts", "legend", "sums"),
    [
        (("CASH DEPOSIT",), "cash", "2,400.00 GBP is cash."),
        (
            ("CASH DEPOSIT", "KITTERINGHAM RENT"),
            f"cash or {CLAIMED_BY[WORDS]}",
            f"2,400.00 GBP is cash and 2,400.00 GBP is {CLAIMED_BY[WORDS]}.",
        ),
    ],
)
def test_the_parts_of_what_is_named_and_not_known_are_given_with_their_sums(
    ledger: Ledger, texts: tuple[str, ...], legend: str, sums: str
) -> None:
    rows = [(day, 20_000, text) for day in MONTHS for text in texts]
    wealth = derive(ledger(*rows), as_of="2025-12-31")
    (shares,) = shares_of(wealth.nature("C1"), wealth.coverage, wealth.credits, None, wealth.streams)
    assert [said for said, _ in shares.legend] == [f"100.0% not counted as known: {legend}"]
    (bare,) = shares_of(wealth.nature("C1"), wealth.coverage)
    assert [said for said, _ in bare.legend] == [
        f"100.0% not counted as known: {NATURE_WORDS[CASH_OR_NAMED]}"
    ]
    assert bare.figures() == shares.figures()
    cell = weak_sums([row | {"nature": CASH_OR_NAMED} for row in records(wealth.credits)], "GBP")
    assert cell is not None
    assert cell.text == f"A nature is stated for these credits, but page one counts them as not known: {sums}"
    assert len(cell.origins) == 2 * len(texts)  # the least and the most of each
    assert weak_sums(records(wealth.credits.head(0)), "GBP") is None


def test_a_code_that_the_sender_chose_is_not_called_words() -> None:
    """Each kind of evidence is named as what it is in the sums of a review."""
    ways = [support_of("loan", level, sure=True, regular=False) for level in ("keyword", "purpose")]
    assert ways == [WORDS, PURPOSE]
    of = {"type": "loan", "doubtful": False}
    credits_ = [
        of
        | {
            "evidence_level": level,
            "disposition": "one_off",
            "nature": CASH_OR_NAMED,
            "least_minor": minor,
            "most_minor": minor,
        }
        for level, minor in (("purpose", 300_00), ("keyword", 200_00))
    ]
    cell = weak_sums(credits_, "GBP")
    assert cell is not None
    assert (
        "200.00 GBP is supported only by the sender's words and 300.00 GBP is supported only by the purpose code that the sender chose."
        in cell.text
    )
    rows = {tuple(one.rows["evidence_level"]) for one in cell.origins if isinstance(one, Origin)}
    assert rows == {("keyword",), ("purpose",)}


def test_only_what_is_there_is_named() -> None:
    assert weak_words(()) == ""
    assert weak_words([CONTRADICTED]) == "contradicted"
    assert weak_words(iter([WORDS, CASH])) == f"cash or {CLAIMED_BY[WORDS]}"
    assert weak_words(iter([WORDS])) == CLAIMED_BY[WORDS]
    both = "cash, supported only by the sender's words or the purpose code that the sender chose"
    assert weak_words([PURPOSE, WORDS, CASH]) == both
    assert weak_words([REFUND, CASH, CONTRADICTED, CASH]) == "cash, contradicted or refunds without a payment"


def test_the_headline_share_of_a_range_of_totals_gives_both_ends() -> None:
    natures = dict.fromkeys(NATURES, 0) | {KNOWN: 78_00, CASH_OR_NAMED: 22_00}
    shares = Shares("GBP", natures, {"code": 78_00}, 0, 30_00)
    assert shares.known_percent == "78.0%"
    ranged = Shares("GBP", natures, {"code": 78_00}, 0, 30_00, least=natures | {KNOWN: 48_00})
    assert (ranged.total_words, ranged.known_percent) == ("70.00 to 100.00 GBP", "68.6% to 78.0%")
    assert (
        ranged.twice_words
        == "The total is a range: 30.00 GBP of it may be counted twice. The other shares are of the larger total."
    )
    assert "68.6% to 78.0%" in [cell.text for cell in ranged.cells]
    assert Shares("GBP", natures, {"code": 78_00}, 0, least=natures).known_percent == "78.0%"


def test_the_lower_end_is_nothing_if_all_of_the_total_may_have_been_taken_back() -> None:
    none = dict.fromkeys(NATURES, 0)
    for nature, said in ((CASH_OR_NAMED, "0.0%"), (KNOWN, "0.0% to 100.0%")):
        shares = Shares("GBP", none | {nature: 500_00}, {}, 0, may_be_returned_minor=500_00, least=none)
        assert shares.known_percent == said
        assert shares.cells
