"""What the texts of a payment say about its nature: each piece of evidence, its place, and the result.

Words count by their place. A firm's name says little about what it pays for; the word for the payment comes after the payer,
or is in the reference. Words that a sender can write freely are never proof on their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from kycpack.wealth.prepare.called_after import INHERITANCE, ORDINARY_REFUNDS
from kycpack.wealth.prepare.lexicon import FAMILY, Lexicon
from kycpack.wealth.prepare.named_in_text import NOT_FROM_PERSONS
from kycpack.wealth.prepare.parties import FIRM, PARTIES, PERSON, STATE, UNKNOWN
from kycpack.wealth.prepare.phrase_meanings import NAME, TEXT, Said, is_sent_back, only_ignored
from kycpack.wealth.prepare.text_reading import TextReading

DECIDES, SUPPORTS, CONTRADICTS, IGNORED, HINTS = "decides", "supports", "contradicts", "not counted", "hints"
BANK_CODE = "bank code"

REFUND, OWN_TRANSFER, OWN_ACCOUNT, BONUS = "refund", "own_transfer", "own_account", "bonus"
MARKS = (REFUND, OWN_TRANSFER, OWN_ACCOUNT, BONUS)

_UNUSUAL_FROM_PERSONS = frozenset({"employment", "loan"})
# Money that relatives pass on to each other, as in "MY SHARE OF HOUSE SALE".
_OF_FAMILIES = frozenset({"property_sale", "business_sale", "investment_income"})
# Persons transfer crypto to each other, and sell it to each other.
_SOLD_BY_PERSONS = frozenset({"crypto"})
_OF_THE_STATE = frozenset({"state_benefit", "tax_refund"})
# Of two types, the first is what was paid: "ZINSEN TAGESGELD" is the interest on an account, not savings; the completion of a share sale is
# about a firm, not a house; what a platform pays a restaurant is not a rider's pay; money from one's own savings is not a gift.
_SAYS_MORE = (
    ("interest", "savings"),
    ("business_sale", "property_sale"),
    ("business_sale", "asset_sale"),
    ("business_income", "self_employment"),
    ("savings", "gift"),
)
_HOW_IT_CAME = frozenset({"direct dep", "dir dep", "direct deposit", "dir deposit"})
_BILLS = frozenset(
    {
        *("invoice", "invoices", "invoice payment", "invoice no", "inv payment", "inv no", "rechnung"),
        *("facture", "factures", "factura", "fattura", "factuur", "faktura"),
    }
)
_PRIVATE_PERSON = "private person"  # the trade in `trades.yaml` that lists what persons pay each other for
_NOT_FROM_FIRMS = frozenset({"gift", "person_transfer"})
# Words so ordinary that what is known about the firm outranks them: INT in "FIVERR INT WD".
_ORDINARY = frozenset({"interest", "cash_deposit"})
# What a firm pays its customers; if a job title is named as well, as in "COMPENSATION MANAGER", the nature stays open.
_NOT_TO_STAFF = frozenset({"gambling", "pension", "settlement"})
# What no public body pays: DWP BEREAVEMENT SUPPORT is a benefit and not an inheritance.
_NOT_FROM_STATE = frozenset({"gift", "inheritance", "business_sale", "crypto"})
_STAFF_TOO = frozenset({"payroll"})  # words that pension funds use for pensions, and every company for wages
_BETWEEN_FRIENDS = frozenset({"loan", "gift"})


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
        sent_back: Whether it is a payment of the customer's own that could not be made and came back.
        far: Whether the payer has the legal form of a company in a distant register.
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
    sent_back: bool = False
    far: bool = False
    hint: str = ""
    post: bool = False
    unclear: bool = False
    clues: tuple[Clue, ...] = ()


def nature_of(
    own: TextReading,
    reference: TextReading,
    lexicon: Lexicon,
    known: str = UNKNOWN,
    trade: str = "",
    *,
    named: bool,
) -> Nature:
    """Return what a payer's name and a description say about a payment.

    Args:
        own: What the counterparty's or merchant's name says.
        reference: What the description says.
        lexicon: Names of types.
        known: The payer, if listed.
        trade: The payer's trade; empty if not known.
        named: Whether the data names a counterparty or merchant.
    """
    party = own.party if own.party != UNKNOWN else reference.party
    if named and own.party == UNKNOWN and reference.between:
        party = PERSON
    elif named and own.party == UNKNOWN and party == PERSON:
        party = UNKNOWN  # the named party pays, and not a party mentioned in the reference
    party = party if known == UNKNOWN else known
    where = NAME if named else TEXT
    said = _counted(own, reference, party)
    plies = _PRIVATE_PERSON if party == PERSON else trade
    far = own.far or reference.far
    by_trade = [one for of, one in reference.by_trade if plies and of == plies]
    if (
        by_trade
        and (own.company or reference.company)
        and {one.words for one in (*by_trade, *said)} <= _STAFF_TOO
    ):
        # PAYROLL from "HARBOUR PENSIONS LTD" is for its pensioners or its staff.
        both = tuple(_clue(one, HINTS) for one in (*by_trade, *said))
        return Nature(party=party, far=far, doubtful=True, post=True, clues=both)
    said = _with_trade(said, by_trade)
    family = party in (UNKNOWN, PERSON) and any(one.says == FAMILY for one in said)
    unread = reference.unread and party == PERSON and not family  # relatives do not buy from each other
    if not (said or own.of_firm or reference.of_firm or own.ignored or reference.ignored or reference.hints):
        silent = _SILENT[party, where]
        return replace(silent, far=far, unclear=unread) if far or unread else silent
    in_name = set(own.counted)
    last = reference.counted[-1:]
    if any(one.strong and one.says in lexicon.corroboration for one in last):
        said = tuple(
            one for one in said if one.says != REFUND or one not in in_name
        )  # "REFUND LTD" pays wages
    by_payment = [one for one in said if one.says in lexicon.corroboration and one not in in_name] or [
        one for one in said if one.says in lexicon.corroboration
    ]
    by_firm = [one for one in _of_firms(own, reference) if one.says in lexicon.corroboration]
    marks = frozenset(one.says for one in said if one.says in MARKS)
    ignored = tuple(_clue(one, IGNORED) for one in only_ignored((*reference.ignored, *own.ignored), said))
    clues = [*_party_clue(party, where)]
    sent_back = any(one.strong and one.says == REFUND and is_sent_back(one.words) for one in said)
    taxed = not sent_back and any(one.says == "tax_refund" for one in (*by_payment, *by_firm))
    # "REMBOURSEMENT RESTO" and "ZWROT ZA PALIWO" from a friend are shared costs.
    shared = any(one.says == "person_transfer" for one in said)
    ordinary = ORDINARY_REFUNDS if reference.unread else ()
    loosely = shared or not any(
        one.strong and one.words not in ordinary for one in said if one.says == REFUND
    )
    if REFUND in marks and not taxed and party == PERSON and loosely:
        clues += [_clue(one, IGNORED) for one in said if one.says == REFUND]
        paid = Clue("a private person pays it", "person_transfer", DECIDES, NAME)
        return Nature("person_transfer", frozenset(), family, party, far=far, clues=(paid, *clues, *ignored))
    if REFUND in marks and not taxed:
        clues += [_clue(one, DECIDES) for one in said if one.says == REFUND]
        clues += [*(_clue(one, IGNORED) for one in by_payment), *ignored]
        return Nature("", marks, family, party, sent_back=sent_back, far=far, clues=tuple(clues))
    hints = () if party == PERSON else reference.hints
    if any(one.says == "employment" for one in hints):
        # "LETTINGS NEGOTIATOR COMM": the job title shows the purpose.
        by_payment = [one for one in by_payment if one.says == "employment"] or by_payment
    marks -= {REFUND}
    clues += [_clue(one, SUPPORTS) for one in said if one.says in marks or (taxed and one.says == REFUND)]
    nature = _by_words_and_firm(by_payment, by_firm, hints, PERSON if family else party, unread=unread)
    nature = _without_work_on_loan(nature, reference, party)
    if nature.type == "interest":
        marks -= {OWN_TRANSFER}
    hinted = {one.says for one in hints if one.says in lexicon.corroboration}
    return replace(
        nature,
        marks=marks,
        family=family,
        party=party,
        far=far,
        hint=hinted.pop() if len(hinted) == 1 else "",
        post=any(one.strong for one in hints),
        unclear=unread or nature.unclear,
        clues=(*clues, *nature.clues, *(_clue(one, IGNORED) for one in hints), *ignored),
    )


def _counted(own: TextReading, reference: TextReading, party: str) -> tuple[Said, ...]:
    """Return the meanings that count.

    Of what a public body says, words that friends write do not, since maintenance that it collects is part of its trade. The plain word for rent beside
    the name of a benefit is what the benefit is for, as in BUERGERGELD MIETE; AL TIERS PAYANT BAILLEUR is paid to a landlord.
    """
    said = (*reference.counted, *own.counted)
    if party != STATE:
        return said
    benefit = any(one.strong and one.says == "state_benefit" for one in said)
    return tuple(
        one
        for one in said
        if one.says != "person_transfer"
        and not (benefit and one.says == "rental_income" and " " not in one.words)
    )


def _without_work_on_loan(nature: Nature, reference: TextReading, party: str) -> Nature:
    """Return no nature if a person pays for work and also mentions a loan: "TUITION LOAN HELP"."""
    lent = any(one.says == "loan" for one in (*reference.counted, *reference.hints))
    if party != PERSON or nature.type != "self_employment" or not lent:
        return nature
    return Nature(doubtful=True, clues=tuple(replace(one, force=CONTRADICTS) for one in nature.clues))


def _of_firms(own: TextReading, reference: TextReading) -> Iterable[Said]:
    """Yield what texts say about the payer's trade; rent in an estate's name, as in "EST OF J PIKE LETTINGS", is not the customer's."""
    estate = any(one.says == INHERITANCE for one in (*own.ignored, *reference.ignored))
    for one in (*own.of_firm, *reference.of_firm):
        if not (estate and one.says == "rental_income"):
            yield one


def _by_words_and_firm(
    by_payment: list[Said], by_firm: list[Said], hints: Sequence[Said], party: str, *, unread: bool
) -> Nature:
    """Return the nature from the words for the payment, the payer's trade, and hints."""
    of_state = bool(by_firm) and by_firm[-1].says in _OF_THE_STATE
    if by_firm and all(not one.strong and one.says in _ORDINARY for one in by_payment):
        by_payment = []
    # "Rente" from the state insurer is what that insurer pays.
    payers_own = of_state and not any(one.strong and one.says not in _NOT_FROM_STATE for one in by_payment)
    if by_payment and not payers_own:
        nature = _weighed(by_payment, party, unread=unread)
    elif by_firm and (by_payment or not (of_state and hints)):
        nature = _from_firm(by_firm[-1], party)
    else:
        nature = Nature()
    if nature.type in _NOT_TO_STAFF and _other_than(hints, nature.type):
        return replace(nature, type="", doubtful=True)
    return nature


def _other_than(hints: Sequence[Said], type_: str) -> bool:
    """Return whether job titles are named for which another type is paid."""
    return any(one.strong and one.says != type_ for one in hints)


def _with_trade(said: tuple[Said, ...], paid: list[Said]) -> tuple[Said, ...]:
    """Return meanings with the last one that the payer's trade gives to a word, which outranks loose meanings and those of the same words."""
    if not paid:
        return said
    wider = {one for closer, one in _SAYS_MORE if any(closer == other.says for other in paid)}
    fits = [one for one in reversed(paid) if one.says not in wider] or paid
    chosen = max(fits, key=lambda one: len(one.words.split()))
    words = {word for one in paid if one.says == chosen.says for word in one.words.split()}
    others = tuple(
        one
        for one in said
        if one.strong
        and not words.issuperset(one.words.split())
        and (chosen.says, one.says) not in _SAYS_MORE
    )
    if any(one.says not in (*MARKS, FAMILY, chosen.says) for one in others) or (
        chosen.says in MARKS and others
    ):
        return said
    return (*others, replace(chosen, strong=True))


def trade_of(kind: str, own: TextReading, reference: TextReading, lexicon: Lexicon) -> str:
    """Return the trade of a payer, by its kind, its name or the text: the first trade that pays what the text says; empty if nothing shows one.

    Args:
        kind: Kind of the known payer; empty if not known.
        own: What the counterparty's or merchant's name says.
        reference: What the description says.
        lexicon: Trades.
    """
    shown = [lexicon.trades.of_kind.get(kind, ""), *own.trades]
    # "DWP UC" from "DWP HELPERS LTD" does not show a public body.
    shown += [one for one in reference.trades if not (own.company and one in lexicon.trades.public)]
    plied = [one for one in shown if one]
    paid = {of for of, _ in reference.by_trade}
    return next((one for one in plied if one in paid), plied[0] if plied else "")


def _weighed(said: list[Said], party: str, *, unread: bool) -> Nature:
    """Return the nature from the words for the payment: strong before loose, and the last of equals."""
    said = _without_wider(said)
    if party == FIRM:
        friends = [one for one in said if one.strong and one.says == "person_transfer"]
        said = [one for one in said if one.says != "person_transfer"] or said
        if friends and said[-1].says in _BETWEEN_FRIENDS:
            # "LOAN FROM A FRIEND" from a company: only one can be true.
            return Nature(doubtful=True, clues=tuple(_clue(one, CONTRADICTS) for one in (*friends, said[-1])))
    strong = [one for one in said if one.strong] or said
    plain = [one for one in strong if one.says != "person_transfer"]
    chosen = (plain or strong)[-1]
    others = [one for one in said if one.says != chosen.says]
    between = [one for one in others if one.strong and one.says == "person_transfer"]
    if between and chosen.says in (NOT_FROM_PERSONS | _UNUSUAL_FROM_PERSONS) - _OF_FAMILIES:
        # "WAGES REPAID U OWE ME NOTHING": only one can be true, and employers do not joke.
        return Nature(doubtful=True, clues=tuple(_clue(one, CONTRADICTS) for one in (*between, chosen)))
    if party == PERSON and between and chosen.says == "self_employment":
        # "MY HALF OF VACATION": what friends share is nobody's work, although a French nurse is paid for a `vacation`.
        clues = (_clue(between[-1], DECIDES), _clue(chosen, CONTRADICTS))
        return Nature("person_transfer", doubtful=True, clues=clues)
    rest = tuple(_clue(one, CONTRADICTS if one.strong else IGNORED) for one in others)
    if party == PERSON and (chosen.says in NOT_FROM_PERSONS or not chosen.strong):
        found = _said_by_person(chosen, said, rest, unread=unread)
        if found is not None:
            return found
    elif party in (FIRM, STATE) and _not_paid_by(party, chosen):
        by = Clue(f"a {_PARTY_WORDS[party]} pays it", "other", DECIDES, NAME)
        return Nature(doubtful=True, clues=(by, _clue(chosen, CONTRADICTS), *rest))
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
        clues=(_clue(chosen, DECIDES), *rest),
    )


def _without_wider(said: list[Said]) -> list[Said]:
    """Return meanings without those that another one makes more specific."""
    if any(one.strong and one.says == "employment" for one in said):
        said = [
            one for one in said if one.says != "gambling"
        ]  # "GEHALT LOTTO ANNAHMESTELLE" is for work there
    # Words for how a payment was made mean less than any other word: "CIGNA CLAIM DIRECT DEPOSIT".
    said = [one for one in said if one.strong or one.words not in _HOW_IT_CAME] or said
    for closer, wider in _SAYS_MORE:
        if any(one.says == closer for one in said):
            said = [one for one in said if one.says != wider]
    return said


def _said_by_person(chosen: Said, said: list[Said], rest: tuple[Clue, ...], *, unread: bool) -> Nature | None:
    """Return the nature from a person's words that no person pays for, or that are ordinary; None if the words are taken literally."""
    if chosen.says in _SOLD_BY_PERSONS and chosen.strong:
        return Nature(doubtful=True, clues=(_clue(chosen, CONTRADICTS), *rest))
    if chosen.says in NOT_FROM_PERSONS and chosen.strong:
        # "PI SETTLEMENT" from SLATER GORDON: either the payer is not a person, or the words are a joke.
        return Nature(doubtful=True, unclear=True, clues=(_clue(chosen, HINTS), *rest))
    if chosen.says in NOT_FROM_PERSONS:
        by = Clue("a private person pays it", "person_transfer", DECIDES, NAME)
        return Nature("person_transfer", doubtful=True, clues=(by, _clue(chosen, CONTRADICTS), *rest))
    paid = next((one for one in said if one.says == "person_transfer"), None)
    if chosen.says in _UNUSUAL_FROM_PERSONS and paid is not None:
        # "lunch at pret": friends write this, and `pret` means loan in French.
        return Nature(paid.says, doubtful=True, clues=(_clue(paid, DECIDES), _clue(chosen, IGNORED)))
    if unread and chosen.says in ("person_transfer", "self_employment"):
        # "PHOTOS OF NEWBORN THANKS" may be work, "MOORING FEES" are nobody's income.
        return Nature(clues=tuple(_clue(one, IGNORED) for one in said))
    return None


def _not_paid_by(party: str, chosen: Said) -> bool:
    """Return whether a firm or a public body never pays such a thing."""
    if party == FIRM:
        return chosen.says in _NOT_FROM_FIRMS
    # "FEES" from a council can be anything, "RENT" from a tax office is not a tenant's.
    loose = not chosen.strong and chosen.says in ("self_employment", "rental_income")
    return loose or chosen.says in _NOT_FROM_STATE


def _from_firm(one: Said, party: str) -> Nature:
    if party == PERSON:
        return Nature(clues=(_clue(one, IGNORED),))
    return Nature(one.says, by_firm=True, clues=(_clue(one, DECIDES),))


def _clue(one: Said, force: str) -> Clue:
    return Clue(f"the words {one.words.upper()}", one.says, force, one.place)


def _party_clue(party: str, where: str) -> Iterable[Clue]:
    if party in _PARTY_WORDS:
        yield Clue(f"the payer's name looks like that of a {_PARTY_WORDS[party]}", party, SUPPORTS, where)


_PARTY_WORDS = {PERSON: "person", FIRM: "firm", STATE: "public body"}
_SILENT = {
    (party, where): Nature(party=party, clues=tuple(_party_clue(party, where)))
    for party in PARTIES
    for where in (NAME, TEXT)
}
