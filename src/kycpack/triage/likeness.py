"""How alike two values are: a verdict, a score, and the kinds of likeness that a policy can name."""

from __future__ import annotations

from typing import NamedTuple

EQUAL, SIMILAR, DIFFERENT = "equal", "similar", "different"

FORMAT = "format"
ORDER = "order"
PARTICLE = "particle"
TRANSLITERATION = "transliteration"
NICKNAME = "nickname"
INITIAL = "initial"
SLIP = "slip"
EXTRA_NAME = "extra_name"
GENERATION = "generation"
ONE_OF_SEVERAL = "one_of_several"
LEGAL_FORM = "legal_form"
TRADING_NAME = "trading_name"
ABBREVIATION = "abbreviation"
MISSING_PART = "missing_part"
NUMBER_MISSING = "number_missing"
PLACE_ONLY = "place_only"
NUMBER_ROLE = "number_role"

KINDS = (
    FORMAT,
    ORDER,
    PARTICLE,
    TRANSLITERATION,
    NICKNAME,
    INITIAL,
    SLIP,
    EXTRA_NAME,
    GENERATION,
    ONE_OF_SEVERAL,
    LEGAL_FORM,
    TRADING_NAME,
    ABBREVIATION,
    MISSING_PART,
    NUMBER_MISSING,
    PLACE_ONLY,
    NUMBER_ROLE,
)
"""The kinds of likeness, in the order in which they are listed."""

ORDER_ALONE = "order_alone"
"""The kinds given to a policy if only the order differs: a family name may have been mistaken for a given name."""

WORDS = {
    FORMAT: "written in a different form",
    ORDER: "the words in a different order",
    PARTICLE: "particles differ",
    TRANSLITERATION: "another spelling of the same sounds",
    NICKNAME: "a short form of a name",
    INITIAL: "an initial stands for a name",
    SLIP: "a slip of the pen",
    EXTRA_NAME: "one has a further name",
    GENERATION: "only one has a generational suffix",
    ONE_OF_SEVERAL: "one of several holders",
    LEGAL_FORM: "the legal form differs or is missing",
    TRADING_NAME: "one gives the name that the firm trades under",
    ABBREVIATION: "a word is shortened",
    MISSING_PART: "a part is missing",
    NUMBER_MISSING: "only one has the number of a flat, floor or house",
    PLACE_ONLY: "one names a place without street or number",
    NUMBER_ROLE: "a number is with a different part",
}


class Likeness(NamedTuple):
    """How alike two values are.

    Attributes:
        verdict: equal, similar or different.
        score: 0..1; 1 for equal values.
        reason: The reason in words, without the values themselves.
        kinds: The kinds of difference, from `KINDS`; empty if the texts are identical, or the values different.
    """

    verdict: str
    score: float
    reason: str
    kinds: tuple[str, ...] = ()


def similar(score: float, kinds: set[str]) -> Likeness:
    """Return the likeness of two similar values, with a reason for each kind of likeness."""
    ordered = tuple(kind for kind in KINDS if kind in kinds)
    return Likeness(SIMILAR, score, "; ".join(WORDS[kind] for kind in ordered), ordered)


def different(reason: str, score: float = 0.0, kinds: tuple[str, ...] = ()) -> Likeness:
    """Return the likeness of two different values, with the reason."""
    return Likeness(DIFFERENT, score, reason, kinds)
