"""What a known payer and codes add to the words of one payment: they confirm the words, add to them, or contradict them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from kycpack.wealth.prepare.bank_codes import BankCode, bank_code_of
from kycpack.wealth.prepare.clues import (
    BANK_CODE,
    BONUS,
    CODE,
    CONTRADICTS,
    DECIDES,
    ENTITY,
    HINTS,
    IGNORED,
    KEYWORD,
    MARKS,
    NONE,
    PURPOSE,
    REFUND,
    SUPPORTS,
    Clue,
    Nature,
    overruled,
)
from kycpack.wealth.prepare.known_payers import (
    OWN_TRADE,
    PAY_BONUSES,
    PUBLIC_KINDS,
    judged_by_payer,
    may_be_named_for,
    may_pay,
    pays,
)
from kycpack.wealth.prepare.lexicon import Lexicon
from kycpack.wealth.prepare.listed_entities import Entity
from kycpack.wealth.prepare.natures import nature_of, trade_of, unless_no_income
from kycpack.wealth.prepare.parties import FIRM, PERSON, STATE, UNKNOWN
from kycpack.wealth.prepare.phrase_meanings import NAME
from kycpack.wealth.prepare.text_reading import TextReading

_KEPT_READINGS = 4_096
# What is never paid by a service that passes on other people's money, by anybody through a service for payments between people, or by a
# trade whose customers pay at a till: a word for it is only the sender's own.
_NEVER_CARRIED = frozenset({"state_benefit", "tax_refund", "pension", "inheritance"})
_NEVER_BETWEEN_PEOPLE = _NEVER_CARRIED | {
    *("employment", "settlement", "interest", "investment_income", "savings"),
    *("property_sale", "business_sale", "gambling", "crypto"),
}
_NEVER_FROM_TILLS = _NEVER_CARRIED | {
    "settlement",
    "interest",
    "savings",
    "property_sale",
    "gambling",
    "crypto",
}

# What only some trades pay: if another field names a firm, the name has to show the trade. The text may complete another name, as in
# "VANE HOLT LAW COMPLETION", but no office or insurer is called after somebody else, and PROBATE does not confirm itself.
_NOT_BY_TEXT = frozenset({"settlement", "state_benefit", "tax_refund", "inheritance"})
_BY_ITS_NAME = _NOT_BY_TEXT | {"pension", "loan", "property_sale"}

# What private persons also pay each other through platforms.
_BETWEEN_PERSONS = frozenset({"", "asset_sale", "person_transfer", "gift"})

# Types that a code for another one also stands for: offices that pay state pensions, which are benefits, call them pensions, and pensions are
# paid by payrolls.
_SAME_CODE = {"pension": ("state_benefit",), "employment": ("pension",)}


@dataclass(frozen=True)
class Reading:
    """Everything that is said about a payment before its stream is known.

    Args:
        nature: What the texts, the payer and the codes show together.
        level: Index into `EVIDENCE_LEVELS`.
        entity: Id of the known payer; empty if the payer is not known.
        kind: Kind of the known payer.
        trade: The payer's trade; empty if neither its kind nor words show one.
        shown: Whether the payer itself shows the trade, and not only the sender's reference.
        fits: Whether the payer is known to pay such things, or its name says so.
        abroad: Whether a code says that the money came from another country.
        apart: Whether a payer is named and the text does not repeat the name, so that all of the text is the sender's reference.
        unread: Whether its reference has words without a known meaning.
        period: Whether its text gives the number of a week or month of pay, and says nothing else besides a firm's name.
        between: Whether it came through a service by which people pay each other.
        by_scheme: Whether it came through a scheme that only firms and public bodies admitted by a bank can use.
        staffed: Whether the payer's name shows a trade that pays private persons nothing but wages.
        like_firm: Whether words show that the payer is a firm, and not only a code.
    """

    nature: Nature
    level: int
    entity: str = ""
    kind: str = ""
    trade: str = ""
    shown: bool = False
    fits: bool = False
    abroad: bool = False
    apart: bool = False
    unread: bool = False
    period: bool = False
    between: bool = False
    by_scheme: bool = False
    staffed: bool = False
    like_firm: bool = False


@lru_cache(maxsize=_KEPT_READINGS)
def weigh(
    own: TextReading,
    reference: TextReading,
    entity: Entity | None,
    coded: tuple[tuple[str, str], ...],
    lexicon: Lexicon,
    *,
    named: bool,
    apart: bool,
    claimed: bool,
) -> Reading:
    """Return what the texts of a payment, its payer and its codes show together.

    Args:
        own: What the counterparty's or merchant's name says.
        reference: What the description says.
        entity: The payer, if a list has it.
        coded: Codes of the payment by name: `bank_code`, `mcc` and `purpose`; an absent code is empty.
        lexicon: Words, trades and codes.
        named: Whether the data names a counterparty or merchant.
        apart: Whether the payer is named and is not a person, and the text does not repeat the name, so that all of it is the
            sender's reference.
        claimed: Whether only such a text names the known payer.
    """
    codes = dict(coded)
    by_bank = bank_code_of(codes.get("bank_code", ""), lexicon.bank_codes)
    of_bank = by_bank.type == "interest" and named and not _pays_interest(own, entity, lexicon)
    if of_bank:
        by_bank = replace(by_bank, type="")
    own, reference = _without_trades_of_dealers(own, reference, listed=entity is not None and not claimed)
    trade = trade_of("" if entity is None else entity.kind, own, reference, lexicon)
    known = _party(entity)
    if known == FIRM and own.party == STATE:
        known = STATE  # "BAFOEG" from a state's cash office
    if entity is None and own.party == reference.party == UNKNOWN:
        known = by_bank.payer or UNKNOWN
    if entity is not None and own.party == PERSON:
        own = replace(own, party=UNKNOWN)  # the letters of "ADYEN N.V." are not initials
    if entity is not None and not claimed:
        # RETIREMENT in the name of a lender is nothing that it pays.
        paid = tuple(one for one in own.counted if one.says in MARKS or may_pay(entity, one.says))
        own = replace(own, counted=paid)
    nature = nature_of(own, reference, lexicon, known, trade, named=named)
    nature = unless_no_income(nature, own, reference)
    by_bank = _of_a_card(by_bank, entity, nature.type)
    if of_bank:
        # A bank gives this code to what it pays itself, and the data names somebody else.
        clue = Clue(f"{BANK_CODE} {codes['bank_code']}", "interest", IGNORED, BANK_CODE)
        nature = replace(nature, clues=(*nature.clues, clue))
    if apart and entity is None and nature.party != STATE and _of_a_benefit(reference):
        # "DWP UNIVERSAL CREDIT REFUND" from another payer is neither a benefit nor a shop's refund.
        nature = replace(nature, marks=nature.marks - {REFUND})
    read = _with_entity(nature, entity)
    if entity is not None and (claimed or entity.by_payment):
        party = own.party if claimed else read.nature.party
        marks = read.nature.marks - ({REFUND} if claimed else set())
        read = Reading(replace(read.nature, party=party, marks=marks), min(read.level, KEYWORD))
    whole = _with_codes(_with_bonus(read, entity), codes, by_bank, lexicon)
    by = own if named else reference
    # "BAKERY WORKERS PENSION FUND" is a fund, and no bakery: the trade that pays such a thing decides.
    pays_it = any(whole.nature.type in lexicon.trades.types[one] for one in by.trades)
    whole = _without_never_paid(whole, entity, till=by.till and not pays_it)
    type_ = whole.nature.type
    # INSURANCE in "LUCKY TOWING INSURANCE SETTLEMENT" is what is paid, if another field names the payer without it.
    of_name = _BY_ITS_NAME if own.party == FIRM else _NOT_BY_TEXT if own.party != PERSON else ()
    by_name = apart or (named and entity is None and type_ in of_name)
    speaks_of_payer = (own,) if by_name else (own, reference)
    # Words that decide do not confirm themselves by also naming a lender: "loan from a friend".
    decide = {one.words for text in (own, reference) for one in text.counted}
    does = {one.says for text in speaks_of_payer for one in text.of_firm if one.words not in decide}
    trades = (set(own.trades) if by_name else {trade}) - {""}
    pays = does.union(*(lexicon.trades.types.get(one, ()) for one in trades))
    carried = whole.kind == "payment_processor"  # the word PAYROLL does not make it a payroll bureau
    does_pay = entity is not None and entity.by_payment and not claimed and may_be_named_for(entity, type_)
    fits = whole.level >= ENTITY or does_pay or (type_ in pays and not carried)
    return replace(
        whole,
        trade=trade,
        shown=bool(trades),
        fits=fits,
        abroad=by_bank.abroad,
        apart=apart,
        unread=reference.unread,
        between=reference.between,
        period=reference.period and whole.nature.party == FIRM,
        by_scheme=bool(by_bank.payer),
        staffed=by.staffed,
        like_firm=by.party == FIRM,
    )


def _of_a_card(by_bank: BankCode, entity: Entity | None, type_: str) -> BankCode:
    """Return a bank's code with what a known payer books on a card: a shop gives money back, a bookmaker pays out, even if the bank calls it a refund."""
    if entity is None or not by_bank.by_card:
        return by_bank
    if entity.kind in OWN_TRADE:
        return replace(by_bank, mark="")
    return replace(by_bank, mark=REFUND) if entity.kind in PAY_BONUSES and not type_ else by_bank


def _without_trades_of_dealers(
    own: TextReading, reference: TextReading, *, listed: bool
) -> tuple[TextReading, TextReading]:
    """Return what texts say without the trades that only a listed payer plies: any dealer can call itself "VICTIM COMPENSATION HOLDINGS"."""
    claimed = own.of_dealer | reference.of_dealer
    if listed or not claimed:
        return own, reference
    kept = [tuple(trade for trade in one.trades if trade not in claimed) for one in (own, reference)]
    return replace(own, trades=kept[0]), replace(reference, trades=kept[1])


def _pays_interest(own: TextReading, entity: Entity | None, lexicon: Lexicon) -> bool:
    """Return whether a named payer may be a bank: it is listed with what banks pay, or its name shows no person and such a trade."""
    if entity is not None:
        return pays(entity, "interest")
    return own.party == UNKNOWN or any("interest" in lexicon.trades.types[one] for one in own.trades)


def _of_a_benefit(text: TextReading) -> bool:
    return any(one.says == "state_benefit" for one in (*text.counted, *text.of_firm))


def _with_bonus(read: Reading, entity: Entity | None) -> Reading:
    """Return a reading in which a bonus from a firm that employs people is pay; a bonus from a bank or a bookmaker is not."""
    nature = read.nature
    employs = nature.party == FIRM if entity is None else entity.kind in PAY_BONUSES
    if nature.type or REFUND in nature.marks or BONUS not in nature.marks or not employs:
        return read
    clue = Clue("a firm pays a bonus", "employment", DECIDES, NAME)
    return replace(
        read,
        nature=replace(nature, type="employment", clues=(clue, *nature.clues)),
        level=KEYWORD if entity is None else ENTITY,
    )


def _without_never_paid(read: Reading, entity: Entity | None, *, till: bool) -> Reading:
    """Return a reading without a type that a payer of this kind never pays, unless the bank's code says so."""
    if entity is not None and entity.kind == "payment_processor":
        between = entity.type == "person_transfer"
        never = _NEVER_BETWEEN_PEOPLE if between else _NEVER_CARRIED
        by = "a service that passes on other people's money pays it"
    elif entity is None and till:
        never, by = _NEVER_FROM_TILLS, "a shop or a restaurant pays it"
    else:
        return read
    if read.nature.type not in never or read.level >= CODE:
        return read
    clues = (Clue(by, "other", SUPPORTS, NAME), *overruled(read.nature.clues, CONTRADICTS))
    nature = replace(read.nature, type="", doubtful=True, hint="", clues=clues)
    return replace(read, nature=nature, level=NONE)


@lru_cache(maxsize=_KEPT_READINGS)
def without_mentioned(read: Reading, mentioned: Entity | None, *, company: bool) -> Reading:
    """Return what is said about a payment by a private person, without a type that the person calls by the name of a firm that would pay it: "TESCO WAGES" from "J HALE".

    What persons sell each other through marketplaces, they pay each other too.

    Args:
        read: What is said about the payment.
        mentioned: A listed firm or public body that the text names.
        company: Whether the text contains a company's legal form.
    """
    type_ = read.nature.type
    from_firm = type_ == "employment" and (company or mentioned is not None)
    by_other = mentioned is not None and type_ not in _BETWEEN_PERSONS and pays(mentioned, type_)
    if read.level >= CODE or not (from_firm or by_other):
        return read
    named = "a firm" if mentioned is None else mentioned.name
    clue = Clue(f"a private person pays it, and the text names {named}", "person_transfer", DECIDES, NAME)
    clues = (clue, *overruled(read.nature.clues, CONTRADICTS))
    return replace(
        read, nature=replace(read.nature, type="", doubtful=True, hint="", clues=clues), level=NONE
    )


def _party(entity: Entity | None) -> str:
    """Return what a known payer is, one of `PARTIES`; unknown for a payment service, which passes on other people's money."""
    if entity is None or entity.kind == "payment_processor":
        return UNKNOWN
    return STATE if entity.kind in PUBLIC_KINDS else FIRM


def _with_entity(nature: Nature, entity: Entity | None) -> Reading:
    """Return what a known payer adds to the words: it confirms them, adds to them, or contradicts them."""
    if entity is None:
        return Reading(nature, KEYWORD if nature.type else NONE)
    party = STATE if entity.kind in PUBLIC_KINDS else FIRM
    nature = replace(nature, family=False)
    known = Clue(
        f"{entity.name}, known as {entity.kind.replace('_', ' ')}", entity.type or party, SUPPORTS, NAME
    )
    nature, level = judged_by_payer(nature, entity, known)
    return Reading(nature, level, entity.id, entity.kind)


def _with_codes(reading: Reading, codes: Mapping[str, str], by_bank: BankCode, lexicon: Lexicon) -> Reading:
    """Return a reading with what codes say: the bank's own codes override everything, a purpose code the sender's other words."""
    if not any(codes.values()):
        return reading
    # Some banks show the sender's purpose in the place of their own code.
    shown = codes.get("bank_code", "").strip().upper()
    purpose = codes.get("purpose", "").strip().upper() or (shown if shown in lexicon.purposes else "")
    nature = _with_marks(reading.nature, purpose, shown, by_bank, lexicon)
    category = codes.get("mcc", "").strip()
    for name, value, level, type_ in (
        (BANK_CODE, shown, CODE, by_bank.type),
        ("merchant category", category, CODE, lexicon.merchant_categories.get(category, "")),
        ("purpose", purpose, PURPOSE, lexicon.purposes.get(purpose, "")),
    ):
        if not type_:
            continue
        clue = Clue(f"{name} {value}", type_, DECIDES, name)
        if nature.type in (type_, *_SAME_CODE.get(type_, ())):
            nature = replace(nature, clues=(replace(clue, force=SUPPORTS), *nature.clues))
            reading = replace(reading, level=max(level, reading.level))
        elif reading.level >= level:
            nature = replace(nature, doubtful=True, clues=(*nature.clues, replace(clue, force=CONTRADICTS)))
        elif level == PURPOSE and nature.type and not (nature.by_firm or nature.loose):
            # The sender's code says one thing and the sender's words another.
            nature = replace(nature, type="", doubtful=True, clues=overruled((clue, *nature.clues), HINTS))
            reading = replace(reading, level=NONE)
        else:
            against = overruled(nature.clues, CONTRADICTS)
            doubtful = nature.doubtful or (bool(nature.type) and not nature.by_firm)
            by = _by_a_person(type_, nature.party) if level == PURPOSE else ()
            doubtful, against = doubtful or bool(by), (*by, *against)
            nature = replace(nature, type=type_, doubtful=doubtful, by_firm=False, clues=(clue, *against))
            reading = replace(reading, level=level)
    if by_bank.one_of and REFUND not in nature.marks:
        nature, reading = _narrowed(nature, reading, shown, by_bank)
    if REFUND not in nature.marks:
        return replace(reading, nature=nature)
    if nature.type == "tax_refund":
        return replace(reading, nature=replace(nature, marks=nature.marks - {REFUND}))
    return replace(reading, nature=replace(nature, type=""), level=NONE)


def _by_a_person(type_: str, party: str) -> tuple[Clue, ...]:
    """Return what contradicts a code that the sender chose: "SALA" from a person is no better than the word."""
    if party != PERSON or type_ not in _NEVER_BETWEEN_PEOPLE:
        return ()
    return (Clue("a private person pays it", "person_transfer", CONTRADICTS, NAME),)


def _narrowed(nature: Nature, reading: Reading, shown: str, by_bank: BankCode) -> tuple[Nature, Reading]:
    """Return a nature and its reading after a code that leaves a few types: it confirms one, names the only one, or contradicts."""
    agrees = nature.type in by_bank.one_of
    also = next((one for one in nature.clues if one.says in by_bank.one_of), None)
    clue = Clue(f"{BANK_CODE} {shown}, {by_bank.means}", by_bank.one_of[0], SUPPORTS, BANK_CODE)
    if agrees:
        return replace(nature, clues=(replace(clue, says=nature.type), *nature.clues)), reading
    if nature.type and also is not None and (nature.loose or reading.level <= KEYWORD):
        # "DIV LLOYDS BKG GRP INT 26": the sender's words may mean two things, and the bank says which.
        clues = (replace(clue, says=also.says, force=DECIDES), *overruled(nature.clues, IGNORED))
        return replace(nature, type=also.says, doubtful=False, loose=False, clues=clues), replace(
            reading, level=PURPOSE
        )
    if not nature.type and len(by_bank.one_of) == 1:
        only = replace(nature, type=by_bank.one_of[0], clues=(replace(clue, force=DECIDES), *nature.clues))
        return only, replace(reading, level=PURPOSE)
    if not nature.type and "employment" in by_bank.one_of and reading.kind == "retailer":
        # Of pay and pensions, a shop pays the first.
        pay = replace(clue, says="employment", force=DECIDES)
        return replace(nature, type="employment", clues=(pay, *nature.clues)), replace(reading, level=PURPOSE)
    if nature.type:
        against = replace(clue, force=CONTRADICTS)
        return replace(nature, doubtful=True, clues=(*nature.clues, against)), reading
    return nature, reading


def _with_marks(nature: Nature, purpose: str, shown: str, by_bank: BankCode, lexicon: Lexicon) -> Nature:
    """Return a nature with the marks that codes set."""
    for mark, purposes in lexicon.mark_purposes.items():
        if purpose in purposes:
            clue = Clue(f"purpose {purpose}", mark, SUPPORTS, "purpose")
        elif by_bank.mark == mark:
            clue = Clue(f"{BANK_CODE} {shown}", mark, SUPPORTS, BANK_CODE)
        else:
            continue
        nature = replace(nature, marks=nature.marks | {mark}, clues=(clue, *nature.clues))
    return nature
