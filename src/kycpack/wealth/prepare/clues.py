"""What was seen in the texts of a payment: each piece of evidence, what they say together, and how strong it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from kycpack.wealth.prepare.parties import FIRM, PERSON, STATE, UNKNOWN
from kycpack.wealth.prepare.phrase_meanings import Said

EVIDENCE_LEVELS = ("none", "pattern", "keyword", "purpose", "entity", "code")
"""The evidence for a nature, the weakest first. `purpose` and `keyword` are the sender's own words."""

NONE, PATTERN, KEYWORD, PURPOSE, ENTITY, CODE = range(len(EVIDENCE_LEVELS))

ONLY_POSSIBLE = (("employment", "none"), ("rental_income", "pattern"), ("savings", "pattern"))
"""Types and evidence of payments that look like rent by day, amount and person alone, like pay by the payer's name, day and amount alone, or like own money by the payer's name alone: no word or debit bears it out, so the nature is not known."""


DECIDES, SUPPORTS, CONTRADICTS, IGNORED, HINTS = "decides", "supports", "contradicts", "not counted", "hints"
BANK_CODE = "bank code"

REFUND, OWN_TRANSFER, OWN_ACCOUNT, BONUS = "refund", "own_transfer", "own_account", "bonus"
MARKS = (REFUND, OWN_TRANSFER, OWN_ACCOUNT, BONUS)

PARTY_WORDS = {PERSON: "person", FIRM: "firm", STATE: "public body"}


@dataclass(frozen=True)
class Clue:
    """A piece of evidence.

    Args:
        what: What was seen, as in `the words NET PAY`.
        says: The type or mark that it indicates, or the kind of payer.
        force: `decides`, `supports`, `contradicts`, `hints` or `not counted`.
        place: Where it was seen.
    """

    what: str
    says: str
    force: str
    place: str


@dataclass(frozen=True)
class Nature:
    """What texts say about a payment.

    Args:
        type: A type of wealth; empty if the texts indicate none, or several.
        marks: Marks that decide a disposition.
        family: Whether a relative is named.
        party: The kind of payer by the name.
        doubtful: Whether something contradicts the type.
        by_firm: Whether the type is based on what the payer does, not on the purpose of the payment.
        loose: Whether the type is based on an ordinary word.
        by_run: Whether the type is based on words that every payroll writes, such as PAY.
        by_way: Whether it is based on words for how the money came, as DIRECT DEPOSIT.
        sent_back: Whether it is a payment of the customer's own that could not be made and came back.
        far: Whether the payer has the legal form of a company in a distant register.
        shell: Whether it has one of a register whose companies trade elsewhere.
        hint: A type that the words hint at, which counts if the payments also have its pattern.
        post: Whether they name a job title, such as CASHIER.
        unclear: Whether a person pays, with some words that have no meaning here or that no person pays for.
        clues: All evidence, in the order in which it was considered.
    """

    type: str = ""
    marks: frozenset[str] = frozenset()
    family: bool = False
    party: str = UNKNOWN
    doubtful: bool = False
    by_firm: bool = False
    loose: bool = False
    by_run: bool = False
    by_way: bool = False
    sent_back: bool = False
    far: bool = False
    shell: bool = False
    hint: str = ""
    post: bool = False
    unclear: bool = False
    clues: tuple[Clue, ...] = ()


def clue_of(one: Said, force: str) -> Clue:
    """Return the evidence that some words are, with its force."""
    return Clue(f"the words {one.words.upper()}", one.says, force, one.place)


def overruled(clues: Iterable[Clue], force: str) -> tuple[Clue, ...]:
    """Return clues of which none decides: those that did have another force instead."""
    return tuple(replace(one, force=force) if one.force == DECIDES else one for one in clues)
