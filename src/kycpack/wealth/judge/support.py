"""What supports the nature of money: one criterion for the bar on page one, for the means for a payment and for the main source of wealth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kycpack.frames.rows import rows
from kycpack.wealth.judge.unexplained import CASH
from kycpack.wealth.prepare.lexicon import OTHER

if TYPE_CHECKING:
    import pandas as pd

PROVEN, WORDS, PURPOSE, PATTERN, WEAK = "proven", "words", "purpose", "pattern", "weak"
BY_SENDER = frozenset({WORDS, PURPOSE})
"""What supports a nature that only the sender says."""
CLAIMED_BY = {
    WORDS: "supported only by the sender's words",
    PURPOSE: "supported only by the purpose code that the sender chose",
    PATTERN: "supported only by the pattern of payments",
    WEAK: "shown by the bank's code or a known payer, but contradicted or not sure",
}
"""What supports a nature that is not proven, in words."""

NO_KIND, NOT_SHOWN = "not eligible as the main source", "not established from the data"
"""Why a source is not the main one: by its kind, or because the review does not count it as known. The customer may read a statement, so it never says why."""

SENDER_RULE = (
    "The sender's words, or the sender's purpose code, are enough only for pay, a pension or a state benefit, and only if the payments are regular, "
    "such as every week or every month, and not large round sums, as pay after tax hardly ever is."
)
"""For what the sender's words are enough, in the same words wherever it is said."""

MAIN_SOURCE_RULE = (
    "A main source has to be of a kind that shows where the money comes from, shown by the bank's code or the payer's identity. "
    f"{SENDER_RULE} Cash, gifts, winnings, crypto-assets, loans, tax refunds, savings and transfers from persons "
    "are never the main source."
)
"""What the criterion of the main source is, in words."""

MAIN_SOURCE_CHOICE = (
    "If several sources in one currency meet this, one that goes on comes before one that has ceased, and then the one with the largest total, "
    "without what may be counted twice or taken back."
)
"""How the main source is chosen among those that may be, in words; see `primary_source`."""

SHOWN_BY = {
    "code": "the bank's code",
    "entity": "who the payer is",
    # The sender's word alone is not enough: it counts only for pay, a pension or a benefit that comes by the calendar of one.
    "purpose": "the sender's purpose code in regular pay, pensions or benefits",
    "keyword": "the sender's words in regular pay, pensions or benefits",
    "pattern": "a pattern of payments",
}
"""How a nature that is proven is known, in words."""

SHOWN_BY_SENDER = "the sender's words or purpose code in regular pay, pensions or benefits"
"""How a nature is known by `keyword` in some payments and by `purpose` in others, in words."""

SUPPORT_COLUMNS = ("type", "evidence_level", "type_confidence", "cadence", "doubtful")
"""The columns of frame `streams` that `support_of_stream` reads."""

OWN_OR_OWED = frozenset({"savings", "tax_refund", "loan"})
"""Types of credits that make nobody wealthier: the customer's own money coming back, and debt."""

NOT_EVIDENCED = frozenset(
    {"loan", "tax_refund", CASH, "person_transfer", OTHER, "gift", "gambling", "crypto"}
)
"""Types that do not show where the money comes from, however well they are known."""

NO_SOURCE = NOT_EVIDENCED | OWN_OR_OWED
"""Types that are never the main source."""

_BY_BANK_OR_PAYER = ("code", "entity")
_BY_CALENDAR = ("employment", "pension", "state_benefit")


def support_of(type_: str, evidence_level: str, *, sure: bool, regular: bool) -> str:
    """Return what supports a nature: `PROVEN`, or a key of `CLAIMED_BY`.

    A sender can write anything, however often, so words alone prove nothing. Words for pay, a pension or a benefit are supported by the
    calendar of one as well, as wages from an employer that is on no list are.

    Args:
        type_: The type of the stream or single credit.
        evidence_level: How the type is known, from strongest to weakest: code, entity, purpose, keyword or pattern.
        sure: Whether nothing contradicts it, and the confidence in it is enough: see `is_sure`.
        regular: Whether the payments come by a calendar.
    """
    if evidence_level in _BY_BANK_OR_PAYER:
        return PROVEN if sure else WEAK
    if evidence_level == "pattern":
        return PATTERN
    if type_ in _BY_CALENDAR and sure and regular:
        return PROVEN
    return PURPOSE if evidence_level == PURPOSE else WORDS


def support_of_single(credit: Any) -> str:
    """Return what supports the nature of a single credit, as `support_of` does.

    Args:
        credit: A row of frame `credits` with type, evidence_level and doubtful.
    """
    return support_of(credit.type, credit.evidence_level, sure=not credit.doubtful, regular=False)


def may_be_main(type_: str, support: str) -> bool:
    """Return whether a stream or single credit may be the main source: its type shows where the money comes from, and its nature is proven.

    Args:
        type_: The type of the stream or single credit.
        support: From `support_of`.
    """
    return type_ not in NO_SOURCE and support == PROVEN


def why_not_main(type_: str, support: str, *, doubtful: bool, held_by: str) -> str:
    """Return why a source is not eligible as the main one, in words; empty if it is.

    Args:
        type_: Its type.
        support: What supports it, from `support_of`.
        doubtful: Whether other evidence contradicts it, or a check questions it.
        held_by: In whose name other accounts are into which it is paid; empty if all are in the customer's.
    """
    if type_ in NO_SOURCE:
        return NO_KIND
    return NOT_SHOWN if doubtful or held_by or support != PROVEN else ""


def marks_of(sources: pd.DataFrame, primary: int | None) -> tuple[str, ...]:
    """Return what is said of each further source of a statement whose nature is not known; empty where it is known or its type says so.

    Args:
        sources: As returned by `sources_of`.
        primary: Index of the primary source; None without one.
    """
    further = sources if primary is None else sources.drop(index=primary)
    whys = (
        why_not_main(row.type, row.support, doubtful=row.doubtful, held_by=row.held_by)
        for row in rows(further, "type", "support", "doubtful", "held_by")
    )
    return tuple(why if why == NOT_SHOWN else "" for why in whys)


def is_sure(type_confidence: str, *, doubtful: bool, regular: bool) -> bool:
    """Return whether the type of a stream is sure enough to prove its nature: high confidence, or medium in regular payments.

    Args:
        type_confidence: high, medium or low.
        doubtful: Whether other evidence contradicts it.
        regular: Whether the payments come by a calendar.
    """
    return not doubtful and type_confidence in ({"medium", "high"} if regular else {"high"})


def support_of_stream(stream: Any) -> str:
    """Return what supports the nature of a stream, as `support_of` does.

    Args:
        stream: A row of frame `streams` with `SUPPORT_COLUMNS`.
    """
    regular = stream.cadence != "irregular"
    sure = is_sure(stream.type_confidence, doubtful=stream.doubtful, regular=regular)
    return support_of(stream.type, stream.evidence_level, sure=sure, regular=regular)
