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
MANY_NAMES = "many_names"
DECEASED = "deceased"
SECOND_PERSON = "second_person"
ALIAS = "alias"
NOT_A_NAME = "not_a_name"
STREET_WORD = "street_word"
DENIED = "denied"
MAIL_DROP = "mail_drop"

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
    MANY_NAMES,
    DECEASED,
    SECOND_PERSON,
    ALIAS,
    NOT_A_NAME,
    STREET_WORD,
    DENIED,
    MAIL_DROP,
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
    MANY_NAMES: "one has three or more further names",
    DECEASED: "one says that the person has died",
    SECOND_PERSON: "one names another person beside this one or in place of this one",
    ALIAS: "one gives another name that the person is known by",
    NOT_A_NAME: "one has a word that is no name",
    STREET_WORD: "only one has a further word of the street, which may be another street",
    DENIED: "one says that the address is not, or no longer, the person's",
    MAIL_DROP: "only one is an address where nobody lives",
}


def words_of(kind: str, reason: str) -> str:
    """Return a kind of difference in words, with the name of the number or part that only one value has where the reason of the pair gives it.

    Args:
        kind: From `KINDS`.
        reason: As in `Likeness`.
    """
    said = [
        one for one in reason.split("; ") if one.startswith("only one has a ") and one not in WORDS.values()
    ]
    return (
        said[0]
        if said and kind in {MISSING_PART, NUMBER_MISSING}
        else WORDS.get(kind, kind.replace("_", " "))
    )


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
