"""What codes, payers and words say about each credit or debit, each distinct combination of them weighed once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from kycpack.wealth.prepare.entities import Entity, load_entities
from kycpack.wealth.prepare.intake import Book, Coded, Codes, Mask
from kycpack.wealth.prepare.lexicon import NO_TYPE, Lexicon, type_of_code
from kycpack.wealth.prepare.natures import (
    BANK_CODE,
    BONUS,
    CONTRADICTS,
    DECIDES,
    OWN_ACCOUNT,
    OWN_TRANSFER,
    REFUND,
    SUPPORTS,
    Clue,
    Nature,
    nature_of,
    trade_of,
)
from kycpack.wealth.prepare.parties import FIRM, OWN, PARTIES, PERSON, STATE, UNKNOWN
from kycpack.wealth.prepare.text_reading import NAME, SILENT, TextReading, read_name, read_text

EVIDENCE_LEVELS = ("none", "pattern", "keyword", "purpose", "entity", "code")
"""How a nature is known, the weakest first. `purpose` and `keyword` are the sender's own words."""

NONE, PATTERN, KEYWORD, PURPOSE, ENTITY, CODE = range(len(EVIDENCE_LEVELS))

_CODES = ("bank_code", "mcc", "purpose")

# What entities of a kind also pay, beside the type that their list gives: a word for it is borne out by who pays.
_ALSO_PAY = {
    "bank": frozenset({"interest", "loan", "savings", "investment_income", "inheritance"}),
    "broker": frozenset({"investment_income", "interest", "asset_sale", "savings", "pension"}),
    "registrar": frozenset({"investment_income", "asset_sale"}),
    "insurer": frozenset({"settlement", "pension", "savings", "investment_income", "inheritance"}),
    "lender": frozenset({"loan", "savings"}),
    "tax_office": frozenset({"tax_refund", "state_benefit"}),
    "state_benefits": frozenset({"state_benefit"}),
    "government": frozenset({"state_benefit", "tax_refund", "pension", "rental_income"}),
    "pension_provider": frozenset({"pension"}),
    "payment_processor": frozenset({"business_income"}),
    "marketplace": frozenset({"business_income", "asset_sale"}),
    "letting_platform": frozenset({"rental_income"}),
    "letting_agent": frozenset({"rental_income"}),
    "car_buyer": frozenset({"asset_sale"}),
    "staffing": frozenset({"self_employment"}),
    "gig_platform": frozenset({"self_employment", "gift"}),
    "public_employer": frozenset({"pension"}),
    "employer": frozenset({"investment_income", "pension"}),
    "retailer": frozenset({"investment_income", "pension"}),
    "student_finance": frozenset({"loan", "state_benefit"}),
}
# A word cannot make these payers pay anything else, wages excepted.
_OWN_TRADE = frozenset({"gambling", "crypto"})
_PUBLIC_KINDS = frozenset({"state_benefits", "tax_office", "government", "public_employer"})


@dataclass(frozen=True)
class Reading:
    """All that is said of a payment before anything is known of its stream.

    Args:
        nature: What texts, payer and codes come to.
        level: Index into `EVIDENCE_LEVELS`.
        entity: Id of the known payer; empty where it is not known.
        kind: Kind of the known payer.
        trade: Its trade, where the kind or words show one.
    """

    nature: Nature
    level: int
    entity: str = ""
    kind: str = ""
    trade: str = ""


@dataclass(frozen=True, eq=False)
class Signals:
    """Signals of some rows, an element a row.

    Args:
        type_code: Type, `NO_TYPE` where nothing says it.
        evidence: Index into `EVIDENCE_LEVELS`.
        refund: A code or word says that it is a refund, a reversal or a returned payment.
        own_transfer: Likewise that it is between accounts, perhaps own ones.
        own_account: The code for a transfer between accounts of one owner.
        bonus: Likewise that it is a bonus, commission or back pay.
        family: A word says that a relative pays.
        doubtful: Something speaks against the type.
        party: Who the payer reads like, an index into `PARTIES`.
        reading: Index into `readings`.
        readings: The distinct combinations of texts and codes, as they were read.
        merchant: A merchant or a merchant category is named.
        description: Description of the rows.
        names: Counterparty, else merchant.
    """

    type_code: Codes
    evidence: Codes
    refund: Mask
    own_transfer: Mask
    own_account: Mask
    bonus: Mask
    family: Mask
    doubtful: Mask
    party: Codes
    reading: Codes
    readings: tuple[Reading, ...]
    merchant: Mask
    description: Coded
    names: Coded

    def of(self, rows: Codes) -> Signals:
        """Return the signals of some of the rows, in their order."""
        return replace(
            self,
            **{name: getattr(self, name)[rows] for name in _BY_ROW},
            description=self.description.of_rows(rows),
            names=self.names.of_rows(rows),
        )


_BY_ROW = tuple(
    name for name in Signals.__dataclass_fields__ if name not in ("readings", "description", "names")
)


def read_signals(book: Book, rows: Codes, lexicon: Lexicon) -> Signals:
    """Return what codes, payers and words say about rows."""
    columns = {name: column.of_rows(rows) for name, column in book.columns.items()}
    names, texts = book.names.of_rows(rows), columns["description_raw"]
    named_as, described_as = names.read(lexicon.words_of), texts.read(lexicon.words_of)
    name_words, name_of = list(named_as.distinct), named_as.codes
    text_words, text_of = list(described_as.distinct), described_as.codes
    # Known payers are looked for in the texts as the bank wrote them: "TRADING 212" is none without its number.
    named, described = names.read(_payers_in_names), texts.read(_payers_in_texts)
    coded = [columns[name] for name in _CODES if name in columns]
    keys = [name_of, text_of, named.codes, described.codes, *(column.codes for column in coded)]
    first, reading = _distinct(keys)
    codes_of = [[str(text) for text in (*column.distinct, "")] for column in coded]
    code_names = [name for name in _CODES if name in columns]
    split = [words.split() for words in name_words]
    own = [read_name(words, lexicon) for words in split]
    # Few distinct things are said in many distinct texts.
    known: dict[tuple[TextReading, TextReading, bool, Entity | None, tuple[str, ...]], int] = {}
    readings: list[Reading] = []
    number = np.empty(len(first), dtype=np.int64)
    for index, row in enumerate(first.tolist()):
        name_code, text_code = int(name_of[row]), int(text_of[row])
        name = split[name_code] if name_code >= 0 else []
        text = text_words[text_code].split() if text_code >= 0 else []
        payer = own[name_code] if name else SILENT
        entity: Entity | None = named.distinct[named.codes[row]] if named.codes[row] >= 0 else None
        if (
            entity is None and described.codes[row] >= 0 and payer.party != PERSON
        ):  # what a person writes names no payer
            entity = described.distinct[described.codes[row]]
        codes = tuple(values[int(column.codes[row])] for column, values in zip(coded, codes_of, strict=True))
        said = (payer, read_text(text, name, lexicon, payer.party), bool(name), entity, codes)
        if said not in known:
            known[said] = len(readings)
            trade = trade_of("" if entity is None else entity.kind, payer, said[1], lexicon)
            nature = nature_of(payer, said[1], lexicon, _party(entity), trade, named=bool(name))
            by_code = dict(zip(code_names, codes, strict=True))
            whole = _with_codes(_with_entity(nature, entity), by_code, lexicon)
            readings.append(replace(whole, trade=trade))
        number[index] = known[said]
    return _as_columns(tuple(readings), number[reading], columns, names, lexicon)


def _payers_in_names(texts: npt.NDArray[np.object_]) -> list[Entity | None]:
    return load_entities().find_all([str(text) for text in texts], is_name=True)


def _payers_in_texts(texts: npt.NDArray[np.object_]) -> list[Entity | None]:
    return load_entities().find_all([str(text) for text in texts], is_name=False)


def _as_columns(
    readings: tuple[Reading, ...], reading: Codes, columns: dict[str, Coded], names: Coded, lexicon: Lexicon
) -> Signals:
    natures = [one.nature for one in readings]

    def mask(values: Iterable[bool]) -> Mask:
        return np.array(list(values), dtype=np.bool_)[reading]

    def codes(values: Iterable[int]) -> Codes:
        return np.array(list(values), dtype=np.int64)[reading]

    return Signals(
        type_code=codes(lexicon.code(one.type) if one.type else NO_TYPE for one in natures),
        evidence=codes(one.level for one in readings),
        refund=mask(REFUND in one.marks for one in natures),
        own_transfer=mask(bool(one.marks & {OWN_TRANSFER, OWN_ACCOUNT}) for one in natures),
        own_account=mask(OWN_ACCOUNT in one.marks for one in natures),
        bonus=mask(BONUS in one.marks for one in natures),
        family=mask(one.family for one in natures),
        doubtful=mask(one.doubtful for one in natures),
        party=codes(PARTIES.index(one.party) for one in natures),
        reading=reading,
        readings=readings,
        merchant=_named_merchant(columns, len(reading)),
        description=columns["description_raw"],
        names=names,
    )


def _distinct(keys: Sequence[Codes]) -> tuple[Codes, Codes]:
    """Return a row of each distinct combination of codes, and the number of each row's combination."""
    joined = np.zeros(len(keys[0]), dtype=np.int64)
    for key in keys:
        joined = joined * (int(key.max(initial=-1)) + 2) + key + 1
        joined = np.unique(joined, return_inverse=True)[1].astype(np.int64)
    _, first, combination = np.unique(joined, return_index=True, return_inverse=True)
    return first.astype(np.int64), combination.astype(np.int64)


def _party(entity: Entity | None) -> str:
    """Return who a known payer is; whose money a payment service passes on is not known."""
    if entity is None or entity.kind == "payment_processor":
        return UNKNOWN
    return STATE if entity.kind in _PUBLIC_KINDS else FIRM


def _with_entity(nature: Nature, entity: Entity | None) -> Reading:
    """Return what a known payer adds to the words: it bears them out, says more than they do, or contradicts them."""
    if entity is None:
        return Reading(nature, KEYWORD if nature.type else NONE)
    party = STATE if entity.kind in _PUBLIC_KINDS else FIRM
    nature = replace(nature, family=False)
    known = Clue(
        f"{entity.name}, known as {entity.kind.replace('_', ' ')}", entity.type or party, SUPPORTS, NAME
    )
    if REFUND in nature.marks:
        nature, level = _refunded(nature, entity, known)
    elif not nature.type or nature.by_firm or nature.type == "person_transfer":
        nature, level = _by_payer(nature, entity, known)
    else:
        nature, level = _by_both(nature, entity, known)
    return Reading(nature, level, entity.id, entity.kind)


def _refunded(nature: Nature, entity: Entity, known: Clue) -> tuple[Nature, int]:
    if entity.kind != "tax_office":
        return nature, NONE
    clue = replace(known, says="tax_refund", force=DECIDES)
    marks = nature.marks - {REFUND}
    return replace(nature, type="tax_refund", marks=marks, clues=(clue, *nature.clues)), ENTITY


def _by_payer(nature: Nature, entity: Entity, known: Clue) -> tuple[Nature, int]:
    if entity.type is not None and not (
        nature.type == "person_transfer" and entity.kind == "payment_processor"
    ):
        clues = (replace(known, force=DECIDES), *nature.clues)
        return replace(nature, type=entity.type, by_firm=True, doubtful=False, clues=clues), ENTITY
    nature = replace(nature, clues=(known, *nature.clues))
    if nature.type == "person_transfer" and entity.kind != "payment_processor":
        return replace(nature, type="", doubtful=True), NONE
    return nature, KEYWORD if nature.type else NONE


def _by_both(nature: Nature, entity: Entity, known: Clue) -> tuple[Nature, int]:
    # A known firm or public body is an employer too; the word for pay says what for, unless its trade is to pay for work.
    employs = nature.type == "employment" and not (nature.loose and entity.type == "self_employment")
    if employs or nature.type == entity.type or nature.type in _ALSO_PAY.get(entity.kind, ()):
        return replace(nature, clues=(*nature.clues, replace(known, says=nature.type))), ENTITY
    if entity.type in _OWN_TRADE or (entity.type is not None and nature.loose):
        against = tuple(
            replace(one, force=CONTRADICTS) if one.force == DECIDES else one for one in nature.clues
        )
        clues = (replace(known, force=DECIDES), *against)
        return replace(nature, type=entity.type, doubtful=True, clues=clues), ENTITY
    clue = known if entity.type is None else replace(known, force=CONTRADICTS)
    doubtful = nature.doubtful or entity.type is not None
    return replace(nature, doubtful=doubtful, clues=(*nature.clues, clue)), KEYWORD


def _with_codes(reading: Reading, codes: dict[str, str], lexicon: Lexicon) -> Reading:
    """Return a reading with what codes say: those of the bank over everything, a purpose over the sender's other words."""
    if not any(codes.values()):
        return reading
    nature = _with_marks(reading.nature, codes, lexicon)
    said = [
        (name, level, type_of_code(codes[name], table))
        for name, table, level in (
            ("bank_code", lexicon.bank_codes, CODE),
            ("mcc", lexicon.merchant_categories, CODE),
            ("purpose", lexicon.purposes, PURPOSE),
        )
        if codes.get(name)
    ]
    for name, level, type_ in said:
        if type_ is None:
            continue
        clue = Clue(f"{_CODE_WORDS[name]} {codes[name]}", type_, DECIDES, _CODE_WORDS[name])
        if nature.type == type_:
            nature = replace(nature, clues=(replace(clue, force=SUPPORTS), *nature.clues))
            reading = replace(reading, level=max(level, reading.level))
        elif reading.level >= level:
            nature = replace(nature, doubtful=True, clues=(*nature.clues, replace(clue, force=CONTRADICTS)))
        else:
            against = tuple(
                replace(one, force=CONTRADICTS) if one.force == DECIDES else one for one in nature.clues
            )
            doubtful = bool(nature.type) and not nature.by_firm and level < CODE
            nature = replace(nature, type=type_, doubtful=doubtful, by_firm=False, clues=(clue, *against))
            reading = replace(reading, level=level)
    if REFUND not in nature.marks:
        return replace(reading, nature=nature)
    if nature.type == "tax_refund":
        return replace(reading, nature=replace(nature, marks=nature.marks - {REFUND}))
    return replace(reading, nature=replace(nature, type=""), level=NONE)


def _with_marks(nature: Nature, codes: dict[str, str], lexicon: Lexicon) -> Nature:
    """Return a nature with the marks that codes set."""
    purpose, bank_code = (codes.get(name, "").strip().upper() for name in ("purpose", "bank_code"))
    for mark in lexicon.mark_purposes:
        by_bank = lexicon.mark_bank_codes[mark]
        if purpose in lexicon.mark_purposes[mark]:
            clue = Clue(f"purpose {purpose}", mark, SUPPORTS, "purpose")
        elif by_bank and bank_code.startswith(by_bank):
            clue = Clue(f"bank code {bank_code}", mark, SUPPORTS, BANK_CODE)
        else:
            continue
        nature = replace(nature, marks=nature.marks | {mark}, clues=(clue, *nature.clues))
    return nature


_CODE_WORDS = {"bank_code": BANK_CODE, "mcc": "merchant category", "purpose": "purpose"}


def is_party(signals: Signals, party: str) -> Mask:
    """Return which rows have a payer that reads like a party of `PARTIES`."""
    return np.asarray(signals.party == PARTIES.index(party), dtype=np.bool_)


def with_own_payer(signals: Signals, mine: Mask, lexicon: Lexicon) -> Signals:
    """Return signals in which the payer of some rows is the customer, who makes no transfer of a person to another."""
    between_people = mine & (signals.type_code == lexicon.code("person_transfer"))
    return replace(
        signals,
        party=np.where(mine, PARTIES.index(OWN), signals.party),
        type_code=np.where(between_people, NO_TYPE, signals.type_code),
        evidence=np.where(between_people, NONE, signals.evidence),
    )


def is_person(signals: Signals) -> Mask:
    """Return which rows have a payer that reads like a person."""
    return is_party(signals, PERSON)


def _named_merchant(columns: dict[str, Coded], size: int) -> Mask:
    named = np.zeros(size, dtype=np.bool_)
    for name in ("merchant_name", "mcc"):
        if name in columns:
            named |= columns[name].codes >= 0
    return named
