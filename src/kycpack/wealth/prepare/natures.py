"""What the texts of one payment say of its nature: each piece of evidence, where it stands, and what it comes to.

Words count by their place. What a firm is called says little of what it pays for; the word that names the payment follows
the payer, or stands in the reference. What a sender can write freely is never proof by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from kycpack.wealth.prepare.called_after import INHERITANCE, ORDINARY_REFUNDS
from kycpack.wealth.prepare.lexicon import FAMILY, Lexicon
from kycpack.wealth.prepare.named_in_text import NOT_FROM_PERSONS
from kycpack.wealth.prepare.parties import FIRM, PARTIES, PERSON, STATE, UNKNOWN
from kycpack.wealth.prepare.phrase_meanings import NAME, TEXT, Said
from kycpack.wealth.prepare.text_reading import TextReading

DECIDES, SUPPORTS, CONTRADICTS, IGNORED, HINTS = "decides", "supports", "contradicts", "not counted", "hints"
BANK_CODE = "bank code"

REFUND, OWN_TRANSFER, OWN_ACCOUNT, BONUS = "refund", "own_transfer", "own_account", "bonus"
MARKS = (REFUND, OWN_TRANSFER, OWN_ACCOUNT, BONUS)

_UNUSUAL_FROM_PERSONS = frozenset({"employment", "loan"})
# What families hand on among themselves, as "MY SHARE OF HOUSE SALE".
_OF_FAMILIES = frozenset({"property_sale", "business_sale", "investment_income"})
# Coins change hands between persons, and are sold to them.
_SOLD_BY_PERSONS = frozenset({"crypto"})
_OF_THE_STATE = frozenset({"state_benefit", "tax_refund"})
# Of two types, the first is what was paid: "ZINSEN TAGESGELD" is what the account earned, and not the account's money; what is completed by
# a sale of shares is a firm, and no house; what a platform pays a restaurant is no rider's; what comes from one's own savings is no gift.
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
_PRIVATE_PERSON = "private person"  # the trade of `trades.yaml` that lists what persons pay each other for
_NOT_FROM_FIRMS = frozenset({"gift", "person_transfer"})
# Words so ordinary that what is known of the firm outranks them: INT of "FIVERR INT WD".
_ORDINARY = frozenset({"interest", "cash_deposit"})
# What a firm pays its customers: where a post is named as well, as in "COMPENSATION MANAGER", which of both it is stays open.
_NOT_TO_STAFF = frozenset({"gambling", "pension", "settlement"})
# What no public body pays: DWP BEREAVEMENT SUPPORT is a benefit, and no estate's.
_NOT_FROM_STATE = frozenset({"gift", "inheritance", "business_sale", "crypto"})
_STAFF_TOO = frozenset({"payroll"})  # by which pension bodies pay pensions, and every company its staff
_BETWEEN_FRIENDS = frozenset({"loan", "gift"})


@dataclass(frozen=True)
class Clue:
    """A piece of evidence.

    Args:
        what: What was seen, as in `the words NET PAY`.
        says: The type or mark it speaks for, or who the payer reads like.
        force: `decides`, `supports`, `contradicts`, `hints` or `not counted`.
        place: Where it was seen.
    """

    what: str
    says: str
    force: str
    place: str


@dataclass(frozen=True)
class Nature:
    """What texts say of a payment.

    Args:
        type: A type of wealth; empty where nothing is said, or too much.
        marks: Marks that decide a disposition.
        family: A relative is named.
        party: Who the payer reads like.
        doubtful: Something speaks against the type.
        by_firm: The type rests on what the payer does, not on what the payment is for.
        loose: The type rests on an ordinary word.
        far: The payer bears the legal form of a company of a far register.
        hint: A type of which its words speak, and which it has if it also comes as such payments do.
        post: They name a post, as CASHIER.
        unclear: A person pays it, and some of their words say nothing here, or what no person pays for.
        clues: All evidence, in the order in which it was weighed.
    """

    type: str = ""
    marks: frozenset[str] = frozenset()
    family: bool = False
    party: str = UNKNOWN
    doubtful: bool = False
    by_firm: bool = False
    loose: bool = False
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
    """Return what a payer's name and a description say of a payment.

    Args:
        own: What the counterparty's or merchant's name says.
        reference: What the description says.
        lexicon: Names of types.
        known: Who the payer is, where a list says so.
        trade: The payer's trade; empty where none is known.
        named: Whether the data names a counterparty or merchant.
    """
    party = own.party if own.party != UNKNOWN else reference.party
    if named and own.party == UNKNOWN and reference.between:
        party = PERSON
    elif named and own.party == UNKNOWN and party == PERSON:
        party = UNKNOWN  # who is named pays, and whom the reference speaks of does not
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
        # PAYROLL of "HARBOUR PENSIONS LTD" is for its pensioners or for its staff.
        both = tuple(_clue(one, HINTS) for one in (*by_trade, *said))
        return Nature(party=party, far=far, doubtful=True, post=True, clues=both)
    said = _with_trade(said, by_trade)
    family = party in (UNKNOWN, PERSON) and any(one.says == FAMILY for one in said)
    unread = reference.unread and party == PERSON and not family  # relatives buy nothing of each other
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
    ignored = tuple(_clue(one, IGNORED) for one in (*reference.ignored, *own.ignored))
    clues = [*_party_clue(party, where)]
    taxed = any(one.says == "tax_refund" for one in (*by_payment, *by_firm))
    # "REMBOURSEMENT RESTO" and "ZWROT ZA PALIWO" of a friend are shared.
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
        clues += [_clue(one, IGNORED) for one in by_payment]
        return Nature(marks=marks, family=family, party=party, far=far, clues=(*clues, *ignored))
    hints = () if party == PERSON else reference.hints
    if any(one.says == "employment" for one in hints):
        # "LETTINGS NEGOTIATOR COMM": the post says for what it is.
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
    """Return what counts; of an office not what friends write, for what it collects from the other parent is its trade's."""
    said = (*reference.counted, *own.counted)
    return tuple(one for one in said if one.says != "person_transfer") if party == STATE else said


def _without_work_on_loan(nature: Nature, reference: TextReading, party: str) -> Nature:
    """Return no nature where a person pays for work and speaks of a loan as well: "TUITION LOAN HELP"."""
    lent = any(one.says == "loan" for one in (*reference.counted, *reference.hints))
    if party != PERSON or nature.type != "self_employment" or not lent:
        return nature
    return Nature(doubtful=True, clues=tuple(replace(one, force=CONTRADICTS) for one in nature.clues))


def _of_firms(own: TextReading, reference: TextReading) -> Iterable[Said]:
    """Yield what texts say of the payer's trade; what an estate lets, as in "EST OF J PIKE LETTINGS", is not the customer's."""
    estate = any(one.says == INHERITANCE for one in (*own.ignored, *reference.ignored))
    for one in (*own.of_firm, *reference.of_firm):
        if not (estate and one.says == "rental_income"):
            yield one


def _by_words_and_firm(
    by_payment: list[Said], by_firm: list[Said], hints: Sequence[Said], party: str, *, unread: bool
) -> Nature:
    """Return the nature that words for the payment, what the payer does and hints come to."""
    of_state = bool(by_firm) and by_firm[-1].says in _OF_THE_STATE
    if by_firm and all(not one.strong and one.says in _ORDINARY for one in by_payment):
        by_payment = []
    # "Rente" from the state's insurer is what the insurer pays.
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
    """Tell whether posts are named for which another type is paid."""
    return any(one.strong and one.says != type_ for one in hints)


def _with_trade(said: tuple[Said, ...], paid: list[Said]) -> tuple[Said, ...]:
    """Return meanings with the last that the payer's trade gives to a word, which outweighs the loose ones and those of its words."""
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
    """Return the trade of a payer, of its kind or as the name or the text shows it: the first that pays what the text says; empty where nothing shows one.

    Args:
        kind: Kind of the known payer; empty where it is not known.
        own: What the counterparty's or merchant's name says.
        reference: What the description says.
        lexicon: Trades.
    """
    shown = [lexicon.trades.of_kind.get(kind, ""), *own.trades]
    # "DWP UC" of "DWP HELPERS LTD" shows no office.
    shown += [one for one in reference.trades if not (own.company and one in lexicon.trades.public)]
    plied = [one for one in shown if one]
    paid = {of for of, _ in reference.by_trade}
    return next((one for one in plied if one in paid), plied[0] if plied else "")


def _weighed(said: list[Said], party: str, *, unread: bool) -> Nature:
    """Return the nature that words for the payment come to: strong before loose, of equals the last."""
    said = _without_wider(said)
    if party == FIRM:
        friends = [one for one in said if one.strong and one.says == "person_transfer"]
        said = [one for one in said if one.says != "person_transfer"] or said
        if friends and said[-1].says in _BETWEEN_FRIENDS:
            # "LOAN FROM A FRIEND" of a company: both cannot be.
            return Nature(doubtful=True, clues=tuple(_clue(one, CONTRADICTS) for one in (*friends, said[-1])))
    strong = [one for one in said if one.strong] or said
    plain = [one for one in strong if one.says != "person_transfer"]
    chosen = (plain or strong)[-1]
    others = [one for one in said if one.says != chosen.says]
    between = [one for one in others if one.strong and one.says == "person_transfer"]
    if between and chosen.says in (NOT_FROM_PERSONS | _UNUSUAL_FROM_PERSONS) - _OF_FAMILIES:
        # "WAGES REPAID U OWE ME NOTHING": both cannot be, and who jokes is no employer.
        against = (*between, chosen)
        return Nature(doubtful=True, clues=tuple(_clue(one, CONTRADICTS) for one in against))
    rest = tuple(_clue(one, CONTRADICTS if one.strong else IGNORED) for one in others)
    if party == PERSON and (chosen.says in NOT_FROM_PERSONS or not chosen.strong):
        found = _said_by_person(chosen, said, rest, unread=unread)
        if found is not None:
            return found
    elif party in (FIRM, STATE) and _not_paid_by(party, chosen):
        by = Clue(f"a {_PARTY_WORDS[party]} pays it", "other", DECIDES, NAME)
        return Nature(doubtful=True, clues=(by, _clue(chosen, CONTRADICTS), *rest))
    doubtful = any(one.strong and one.says != "person_transfer" for one in others)
    # "INVOICE 123" of nobody, or of a person, says of no work.
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
    """Return meanings without those of which another one says more."""
    if any(one.strong and one.says == "employment" for one in said):
        said = [
            one for one in said if one.says != "gambling"
        ]  # "GEHALT LOTTO ANNAHMESTELLE" is for work there
    # How the money travelled says less than any other word: "CIGNA CLAIM DIRECT DEPOSIT".
    said = [one for one in said if one.strong or one.words not in _HOW_IT_CAME] or said
    for closer, wider in _SAYS_MORE:
        if any(one.says == closer for one in said):
            said = [one for one in said if one.says != wider]
    return said


def _said_by_person(chosen: Said, said: list[Said], rest: tuple[Clue, ...], *, unread: bool) -> Nature | None:
    """Return what a person's words come to that no person pays for, or that are ordinary; None where they are taken at their word."""
    if chosen.says in _SOLD_BY_PERSONS and chosen.strong:
        return Nature(doubtful=True, clues=(_clue(chosen, CONTRADICTS), *rest))
    if chosen.says in NOT_FROM_PERSONS and chosen.strong:
        # "PI SETTLEMENT" of SLATER GORDON: either the payer is no person, or the words are a joke.
        return Nature(doubtful=True, unclear=True, clues=(_clue(chosen, HINTS), *rest))
    if chosen.says in NOT_FROM_PERSONS:
        by = Clue("a private person pays it", "person_transfer", DECIDES, NAME)
        return Nature("person_transfer", doubtful=True, clues=(by, _clue(chosen, CONTRADICTS), *rest))
    paid = next((one for one in said if one.says == "person_transfer"), None)
    if chosen.says in _UNUSUAL_FROM_PERSONS and paid is not None:
        # "lunch at pret": what friends write to each other, with a word that is a loan in French.
        return Nature(paid.says, doubtful=True, clues=(_clue(paid, DECIDES), _clue(chosen, IGNORED)))
    if unread and chosen.says in ("person_transfer", "self_employment"):
        # "PHOTOS OF NEWBORN THANKS" are perhaps work, "MOORING FEES" are nobody's.
        return Nature(clues=tuple(_clue(one, IGNORED) for one in said))
    return None


def _not_paid_by(party: str, chosen: Said) -> bool:
    """Tell whether a firm or a public body pays no such thing."""
    if party == FIRM:
        return chosen.says in _NOT_FROM_FIRMS
    # "FEES" of a council are anything, "RENT" from a tax office is no tenant's.
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
        yield Clue(f"the payer reads like a {_PARTY_WORDS[party]}", party, SUPPORTS, where)


_PARTY_WORDS = {PERSON: "person", FIRM: "firm", STATE: "public body"}
_SILENT = {
    (party, where): Nature(party=party, clues=tuple(_party_clue(party, where)))
    for party in PARTIES
    for where in (NAME, TEXT)
}
