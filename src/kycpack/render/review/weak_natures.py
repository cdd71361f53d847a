"""What a nature is that is named and not known: cash, contradicted, supported only by the sender, or a refund of no payment that was seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from kycpack.models.listed import listed
from kycpack.render.document_parts import Cell
from kycpack.render.origin import calculated
from kycpack.render.wording import range_words
from kycpack.wealth.judge.coverage import CASH_OR_NAMED, DISPOSITIONS
from kycpack.wealth.judge.support import CLAIMED_BY, PURPOSE, WORDS
from kycpack.wealth.judge.unexplained import CASH

Row = Mapping[str, Any]
_ONLY = "supported only by "
CONTRADICTED, REFUND = "contradicted", "refund"
WEAK_WORDS = {
    CASH: "cash",
    CONTRADICTED: "contradicted",
    WORDS: CLAIMED_BY[WORDS],
    PURPOSE: CLAIMED_BY[PURPOSE],
    REFUND: "refunds without a payment",
}
"""What such a credit is, in words, in the order in which they are named."""


def weak_kind(credit: Row) -> str:
    """Return which key of `WEAK_WORDS` a credit is, if its nature is `CASH_OR_NAMED`.

    Args:
        credit: A row of frame `credits` with type, disposition, evidence_level and doubtful.
    """
    if credit["type"] == CASH:
        return CASH
    if credit["disposition"] == "refund":
        return REFUND
    if credit["doubtful"]:
        return CONTRADICTED
    return PURPOSE if credit["evidence_level"] == PURPOSE else WORDS


def weak_words(kinds: Iterable[str]) -> str:
    """Return in words what credits are whose nature is `CASH_OR_NAMED`; empty for none.

    Args:
        kinds: What they are, as `weak_kind` returns it.
    """
    of = set(kinds)
    found = [words for kind, words in WEAK_WORDS.items() if kind in of]
    said = " or ".join(filter(None, (", ".join(found[:-1]), *found[-1:])))
    return said.replace(f"{CLAIMED_BY[WORDS]} or {_ONLY}", f"{CLAIMED_BY[WORDS]} or ")


def weak_sums(credits_: Iterable[Row], currency: str) -> Cell | None:
    """Return the sum of each kind of credits that are named and not known, in a sentence; None if there are none.

    Args:
        credits_: The customer's rows of frame `credits` in one currency, with their nature.
        currency: ISO 4217.
    """
    sums: Counter[str] = Counter()
    least: Counter[str] = Counter()
    types, levels = set(), set()
    for row in credits_:
        if row.get("nature") == CASH_OR_NAMED and row["disposition"] != "own_transfer":
            sums[weak_kind(row)] += int(row["most_minor"])
            least[weak_kind(row)] += int(row["least_minor"])
            types.add(str(row["type"]))
            levels.add(str(row["evidence_level"]))
    said = [
        f"{range_words(least[kind], sums[kind], currency)} is {words}"
        for kind, words in WEAK_WORDS.items()
        if sums[kind]
    ]
    if not said:
        return None
    rows = {"currency": currency, "nature": CASH_OR_NAMED}
    other = {**rows, "type": sorted(types - {CASH})}
    named = {**other, "disposition": [one for one in DISPOSITIONS if one != REFUND]}
    by_kind: dict[str, dict[str, Any]] = {
        CASH: {**rows, "type": CASH},
        REFUND: {**other, "disposition": REFUND},
        CONTRADICTED: {**named, "doubtful": True},
        WORDS: {**named, "doubtful": False, "evidence_level": sorted(levels - {PURPOSE})},
        PURPOSE: {**named, "doubtful": False, "evidence_level": PURPOSE},
    }
    origins = tuple(
        calculated("sum", "credits", f"{end}_minor", **by_kind[kind])
        for kind in WEAK_WORDS
        if sums[kind]
        for end in ("least", "most")
    )
    return Cell(
        f"A nature is stated for these credits, but page one counts them as not known: {listed(said)}.",
        origins=origins,
    )
