"""What was seen in the texts of a payment: each piece of evidence, how strong it is, and what they say together.

Of the words for a payment, strong ones come before loose ones, the last of equals decides, and none counts that such a payer never means.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from kycpack.wealth.prepare.named_in_text import NOT_FROM_PERSONS
from kycpack.wealth.prepare.parties import FIRM, PERSON, STATE, UNKNOWN
from kycpack.wealth.prepare.phrase_meanings import NAME, TEXT, Said

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
_UNUSUAL_FROM_PERSONS = frozenset({"employment", "loan"})
# Money that relatives pass on to each other, as in "MY SHARE OF HOUSE SALE".
_OF_FAMILIES = frozenset({"property_sale", "business_sale", "investment_income"})
# Persons transfer crypto to each other, and sell it to each other.
_SOLD_BY_PERSONS = frozenset({"crypto"})
# Of two types, the first is what was paid: "ZINSEN TAGESGELD" is the interest on an account, not savings; the completion of a share sale is
# about a firm, not a house; what a platform pays a restaurant is not a rider's pay; money from one's own savings is not a gift; heirs who agree on a share
# still inherit it.
SAYS_MORE = (
    ("interest", "savings"),
    ("business_sale", "property_sale"),
    ("business_sale", "asset_sale"),
    ("business_income", "self_employment"),
    ("savings", "gift"),
    ("inheritance", "settlement"),
)
# What every payroll writes, for wages, pensions and drivers' fees alike: "PENSIONER NET PAY", "TRUSTEES PAYROLL ANNUITY", "DRIVER PAY WK 04".
OF_ANY_RUN = frozenset({"pay", "net", "nett", "payroll", "payrun"})
_HOW_IT_CAME = frozenset({"direct dep", "dir dep", "direct deposit", "dir deposit"})
_BILLS = frozenset(
    {
        *("invoice", "invoices", "invoice payment", "invoice no", "inv payment", "inv no", "rechnung"),
        *("facture", "factures", "factura", "fattura", "factuur", "faktura"),
    }
)
_NOT_FROM_FIRMS = frozenset({"gift", "person_transfer"})
# What no public body pays: DWP BEREAVEMENT SUPPORT is a benefit and not an inheritance.
NOT_FROM_STATE = frozenset({"gift", "inheritance", "business_sale", "crypto"})
_BETWEEN_FRIENDS = frozenset({"loan", "gift"})
# Of two such types only one can be true of a payment: nobody bills a gift, or lends what is owed for work. A gift may be for the rent.
_EXCLUDE_EACH_OTHER = tuple(
    frozenset(pair)
    for pair in (
        *(("gift", "loan"), ("gift", "employment"), ("gift", "self_employment"), ("gift", "business_income")),
        *(
            ("loan", "employment"),
            ("loan", "self_employment"),
            ("loan", "business_income"),
            ("employment", "rental_income"),
        ),
    )
)


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


def says_only_run(one: Said) -> bool:
    """Return whether words for pay only say that a payroll paid, as PAY WK does, and not that it is a salary."""
    return one.says == "employment" and not OF_ANY_RUN.isdisjoint(one.words.split())


def weigh_words(said: list[Said], party: str, *, unread: bool) -> Nature:
    """Return the nature from the words for the payment: strong before loose, and the last of equals."""
    said = _without_wider(said)
    if against := _of_which_one_is_true(said, party):
        return Nature(doubtful=True, clues=tuple(clue_of(one, CONTRADICTS) for one in against))
    if party == FIRM:
        said = [one for one in said if one.says != "person_transfer"] or said
    strong = [one for one in said if one.strong] or said
    plain = [one for one in strong if one.says != "person_transfer"]
    chosen = (plain or strong)[-1]
    others = [one for one in said if one.says != chosen.says]
    between = [one for one in others if one.strong and one.says == "person_transfer"]
    if between and chosen.says in (NOT_FROM_PERSONS | _UNUSUAL_FROM_PERSONS) - _OF_FAMILIES:
        # "WAGES REPAID U OWE ME NOTHING": only one can be true, and employers do not joke.
        return Nature(doubtful=True, clues=tuple(clue_of(one, CONTRADICTS) for one in (*between, chosen)))
    if party == PERSON and between and chosen.says == "self_employment":
        # "MY HALF OF VACATION": what friends share is nobody's work, although a French nurse is paid for a `vacation`.
        clues = (clue_of(between[-1], DECIDES), clue_of(chosen, CONTRADICTS))
        return Nature("person_transfer", doubtful=True, clues=clues)
    rest = tuple(clue_of(one, CONTRADICTS if one.strong else IGNORED) for one in others)
    if party == PERSON and (chosen.says in NOT_FROM_PERSONS or not chosen.strong):
        found = _said_by_person(chosen, said, rest, unread=unread)
        if found is not None:
            return found
    elif party in (FIRM, STATE) and _not_paid_by(party, chosen):
        by = Clue(f"a {PARTY_WORDS[party]} pays it", "other", DECIDES, NAME)
        return Nature(doubtful=True, clues=(by, clue_of(chosen, CONTRADICTS), *rest))
    doubtful = any(one.strong and one.says != "person_transfer" for one in others)
    # "INVOICE 123" without a payer, or from a person, does not show work.
    bare = party in (UNKNOWN, PERSON) and not unread and {one.words for one in said} <= _BILLS
    if party == PERSON and chosen.says in _UNUSUAL_FROM_PERSONS:
        doubtful = True
        rest = (*rest, Clue("a private person pays it", "person_transfer", CONTRADICTS, NAME))
    return Nature(
        chosen.says,
        doubtful=doubtful,
        loose=bare or not chosen.strong,
        by_run=says_only_run(chosen),
        by_way=chosen.words in _HOW_IT_CAME,
        clues=(clue_of(chosen, DECIDES), *rest),
    )


def _of_which_one_is_true(said: list[Said], party: str) -> list[Said]:
    """Return words of which only one can be true: "LOAN GIFT INV 22", or "LOAN FROM A FRIEND" from a company."""
    may_be_name = said[0].place == TEXT and not said[0].strong  # LOAN in "LOAN DEPOT PAYROLL"
    meant = said[1:] if may_be_name else said
    types = {one.says for one in meant}
    against = [one for one in meant if any(one.says in pair <= types for pair in _EXCLUDE_EACH_OTHER)]
    friends = [one for one in said if party == FIRM and one.strong and one.says == "person_transfer"]
    last = ([one for one in said if one.says != "person_transfer"] or said)[-1]
    return against or ([*friends, last] if friends and last.says in _BETWEEN_FRIENDS else [])


def _without_wider(said: list[Said]) -> list[Said]:
    """Return meanings without those that another one makes more specific."""
    if any(one.strong and one.says == "employment" for one in said):
        said = [
            one for one in said if one.says != "gambling"
        ]  # "GEHALT LOTTO ANNAHMESTELLE" is for work there
    if any(one.strong and one.says == "pension" for one in said):
        said = [one for one in said if not says_only_run(one)]
    # Words for how a payment was made mean less than any other word: "CIGNA CLAIM DIRECT DEPOSIT".
    said = [one for one in said if one.strong or one.words not in _HOW_IT_CAME] or said
    for closer, wider in SAYS_MORE:
        if any(one.says == closer for one in said):
            said = [one for one in said if one.says != wider]
    return said


def _said_by_person(chosen: Said, said: list[Said], rest: tuple[Clue, ...], *, unread: bool) -> Nature | None:
    """Return the nature from a person's words that no person pays for, or that are ordinary; None if the words are taken literally."""
    if chosen.says in _SOLD_BY_PERSONS and chosen.strong:
        return Nature(doubtful=True, clues=(clue_of(chosen, CONTRADICTS), *rest))
    if chosen.says in NOT_FROM_PERSONS and chosen.strong:
        # "PI SETTLEMENT" from SLATER GORDON: either the payer is not a person, or the words are a joke.
        return Nature(doubtful=True, unclear=True, clues=(clue_of(chosen, HINTS), *rest))
    if chosen.says in NOT_FROM_PERSONS:
        by = Clue("a private person pays it", "person_transfer", DECIDES, NAME)
        return Nature("person_transfer", doubtful=True, clues=(by, clue_of(chosen, CONTRADICTS), *rest))
    paid = next((one for one in said if one.says == "person_transfer"), None)
    if chosen.says in _UNUSUAL_FROM_PERSONS and paid is not None:
        # "lunch at pret": friends write this, and `pret` means loan in French.
        return Nature(paid.says, doubtful=True, clues=(clue_of(paid, DECIDES), clue_of(chosen, IGNORED)))
    if unread and chosen.says in ("person_transfer", "self_employment"):
        # "PHOTOS OF NEWBORN THANKS" may be work, "MOORING FEES" are nobody's income.
        return Nature(clues=tuple(clue_of(one, IGNORED) for one in said))
    return None


def _not_paid_by(party: str, chosen: Said) -> bool:
    """Return whether a firm or a public body never pays such a thing."""
    if party == FIRM:
        return chosen.says in _NOT_FROM_FIRMS
    # "FEES" from a council can be anything, "RENT" from a tax office is not a tenant's.
    loose = not chosen.strong and chosen.says in ("self_employment", "rental_income")
    return loose or chosen.says in NOT_FROM_STATE


def nature_of_firm(one: Said, party: str) -> Nature:
    """Return the nature from a word for the payer's trade; none if a person pays, who may only be called like a trade."""
    if party == PERSON:
        return Nature(clues=(clue_of(one, IGNORED),))
    return Nature(one.says, by_firm=True, clues=(clue_of(one, DECIDES),))
