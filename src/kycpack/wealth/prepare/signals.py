"""What codes, payers and words say about each credit or debit; each distinct combination is evaluated once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import pairwise

import numpy as np

from kycpack.wealth.prepare.clues import BONUS, KEYWORD, NONE, OWN_ACCOUNT, OWN_TRANSFER, PURPOSE, REFUND
from kycpack.wealth.prepare.coded import Coded, Codes, Mask, joint_code
from kycpack.wealth.prepare.entities import EntityIndex
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.known_payers import PUBLIC_KINDS, carried
from kycpack.wealth.prepare.lexicon import NO_TYPE, Lexicon
from kycpack.wealth.prepare.listed_entities import Entity
from kycpack.wealth.prepare.parties import (
    FIRM,
    LEADING_FORM,
    LEGAL_FORM,
    NOISE,
    OWN,
    PARTIES,
    PERSON,
    UNKNOWN,
)
from kycpack.wealth.prepare.plain_text import to_plain_words
from kycpack.wealth.prepare.readings import Reading, weigh, without_mentioned
from kycpack.wealth.prepare.text_reading import SILENT, TextReading, of_cash_alone, read_name, read_text

_CODES = ("bank_code", "mcc", "purpose")
_KEPT_READINGS = 4_096


@dataclass(frozen=True, eq=False)
class Signals:
    """Signals of some rows, one element per row.

    Args:
        type_code: Type; `NO_TYPE` if nothing indicates one.
        evidence: Index into `EVIDENCE_LEVELS`.
        refund: Whether a code or word indicates a refund, a reversal or a returned payment.
        own_transfer: Whether one indicates a transfer between accounts, perhaps the customer's own.
        own_account: Whether it has the code for a transfer between accounts of one owner.
        bonus: Whether a code or word indicates a bonus, commission or back pay.
        family: Whether a word says that a relative pays.
        doubtful: Whether something contradicts the type.
        party: What kind of payer the name looks like, an index into `PARTIES`.
        reading: Index into `readings`.
        readings: The readings of the distinct combinations of texts and codes.
        merchant: Whether a merchant or a merchant category is named.
        description: Description of the rows.
        names: Counterparty, otherwise merchant.
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

    def is_type(self, lexicon: Lexicon, *names: str) -> Mask:
        """Return which rows have one of the given types."""
        wanted = np.zeros(len(lexicon.types) + 1, dtype=np.bool_)  # the last one is for rows without a type
        wanted[[lexicon.code(name) for name in names]] = True
        return wanted[self.type_code]

    def where(self, holds: Callable[[Reading], bool]) -> Mask:
        """Return of which rows' readings something holds."""
        held = np.array([holds(one) for one in self.readings], dtype=np.bool_)
        return np.asarray(held[self.reading], dtype=np.bool_)

    def of(self, rows: Codes) -> Signals:
        """Return the signals of some rows, in the given order."""
        return replace(
            self,
            **{name: getattr(self, name)[rows] for name in _BY_ROW},
            description=self.description.of_rows(rows),
            names=self.names.of_rows(rows),
        )


_BY_ROW = tuple(
    name for name in Signals.__dataclass_fields__ if name not in ("readings", "description", "names")
)


def read_signals(book: Book, lexicon: Lexicon, entities: EntityIndex, rows: Codes | None = None) -> Signals:
    """Return what codes, known payers and words say about rows; about all of them if none are given."""
    columns, names = book.columns, book.names
    if rows is not None:
        columns, names = {name: column.of_rows(rows) for name, column in columns.items()}, names.of_rows(rows)
    texts = columns["description_raw"]
    named_as = names.read(partial(lexicon.words_of, are_names=True))
    described_as = texts.read(lexicon.words_of)
    name_words, name_of = list(named_as.distinct), named_as.codes
    text_words, text_of = list(described_as.distinct), described_as.codes
    # Known payers are searched in the texts as the bank wrote them: "TRADING 212" is not one without its number.
    named, described = names.read(entities.in_names), texts.read(entities.in_texts)
    coded = [columns[name] for name in _CODES if name in columns]
    keys = [name_of, text_of, named.codes, described.codes, *(column.codes for column in coded)]
    reading = joint_code(*keys)
    first = np.empty(int(reading.max(initial=-1)) + 1, dtype=np.int64)
    first[reading] = np.arange(len(reading))
    codes_of = [[str(text) for text in (*column.distinct, "")] for column in coded]
    code_names = [name for name in _CODES if name in columns]
    # Many distinct texts have few distinct readings.
    readings: list[Reading] = []
    place: dict[int, int] = {}
    number = np.empty(len(first), dtype=np.int64)
    for index, row in enumerate(first.tolist()):
        name_code, text_code = int(name_of[row]), int(text_of[row])
        name = name_words[name_code] if name_code >= 0 else ""
        payer, reference, apart = _read(name, text_words[text_code] if text_code >= 0 else "", lexicon)
        entity: Entity | None = named.distinct[named.codes[row]] if named.codes[row] >= 0 else None
        other: Entity | None = described.distinct[described.codes[row]] if described.codes[row] >= 0 else None
        platform = None if entity is None or other is None else carried(entity, other)
        if platform is not None:
            entity, claimed = platform, platform.kind != "bank"
        elif entity is None and other is not None and payer.party != PERSON and not payer.trades:
            # A person's own wording does not name the payer.
            entity = other
            # "DWP UC HELP" from "DWP HELPERS LTD": a company uses the name of a public body.
            apart = claimed = (apart and not _shortens(name, entity.name)) or (
                payer.company and entity.kind in PUBLIC_KINDS
            )
        else:
            claimed = False
        codes = tuple(values[int(column.codes[row])] for column, values in zip(coded, codes_of, strict=True))
        said = weigh(
            payer,
            reference,
            entity,
            tuple(zip(code_names, codes, strict=True)),
            lexicon,
            named=bool(name),
            apart=apart,
            claimed=claimed,
        )
        if payer.party == PERSON and entity is None:
            text = text_words[text_code] if text_code >= 0 else ""
            company = reference.company and not _shares_a_word(name, text)
            firm = None if other is None or _shares_a_word(name, other.name) else other
            said = without_mentioned(said, firm, company=company)
        number[index] = place.setdefault(id(said), len(readings))
        if number[index] == len(readings):
            readings.append(said)
    return _as_columns(tuple(readings), number[reading], columns, names, lexicon)


# Without references, the same few readings recur for every customer.
@lru_cache(maxsize=_KEPT_READINGS)
def _read(name: str, text: str, lexicon: Lexicon) -> tuple[TextReading, TextReading, bool]:
    """Return the reading of a payer's name, the reading of the text, and whether the name is not a person's and the text repeats none of it."""
    names = name.split()
    words = _as_named(text.split(), names, lexicon)
    payer = read_name(names, lexicon) if names else SILENT
    apart = bool(names) and payer.party in (FIRM, UNKNOWN) and not _repeats(names, words, lexicon)
    reference = read_text(words, names, lexicon, payer.party)
    if not payer.company and any(one.strong and one.says == "cash_deposit" for one in payer.counted):
        reference = of_cash_alone(reference)  # "CAR SALE" from "CASH PAID IN AT MOORGATE"
    return payer, reference, apart


def _as_named(text: list[str], name: Sequence[str], lexicon: Lexicon) -> list[str]:
    """Return the words of a text in which two words of the payer's name that were joined are apart again."""
    pairs = {"".join(pair): pair for pair in pairwise(name)}
    joined = {word for word in pairs.keys() & set(text) if lexicon.mended.mend(" ".join(pairs[word])) == word}
    return (
        [part for word in text for part in (pairs[word] if word in joined else (word,))] if joined else text
    )


def _repeats(name: Sequence[str], text: Sequence[str], lexicon: Lexicon) -> bool:
    """Return whether a text names the payer: it contains the first distinctive word of the name, its letters, as in `C.P.A.M.`, or half of its words, or the name is its initials."""
    own = [
        word
        for word, bits in zip(name, lexicon.classes.of(name), strict=True)
        if not bits & (NOISE | LEGAL_FORM | LEADING_FORM)
    ]
    own = own or list(name)
    shared = set(own) & set(text)
    letters = "".join(word for word in name if len(word) == 1)
    if own[0] in shared or (len(letters) > 1 and letters in text) or 2 * len(shared) >= len(set(own)):
        return True
    initials = "".join(word[0] for word in text)
    return any(len(word) > 1 and word in initials for word in name)


def _shares_a_word(name: str, other: str) -> bool:
    """Return whether a payer's name has a word of another name or text, which may then name the same payer: "ROSS S" of ROSS STORES."""
    return any(len(word) > 1 for word in set(name.split()) & set(to_plain_words([other])[0].split()))


def _shortens(name: str, whole: str) -> bool:
    """Return whether a payer's name is made of the initials of a longer name, or of part of it, such as VA for the Department of Veterans Affairs."""
    return len(name) > 1 and name in "".join(word[0] for word in whole.lower().split())


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


def is_party(signals: Signals, party: str) -> Mask:
    """Return which rows have a payer of a kind in `PARTIES`."""
    return np.asarray(signals.party == PARTIES.index(party), dtype=np.bool_)


def with_own_payer(signals: Signals, mine: Mask, lexicon: Lexicon) -> Signals:
    """Return signals in which the customer is the payer of some rows: words that the payer can write freely give these no nature but savings."""
    worded = np.isin(signals.evidence, (PURPOSE, KEYWORD)) & (signals.type_code != lexicon.code("savings"))
    unsaid = mine & (worded | (signals.type_code == lexicon.code("person_transfer")))
    return replace(
        signals,
        party=np.where(mine, PARTIES.index(OWN), signals.party),
        type_code=np.where(unsaid, NO_TYPE, signals.type_code),
        evidence=np.where(unsaid, NONE, signals.evidence),
    )


def is_person(signals: Signals) -> Mask:
    """Return which rows have a payer whose name looks like a person's."""
    return is_party(signals, PERSON)


def _named_merchant(columns: dict[str, Coded], size: int) -> Mask:
    named = np.zeros(size, dtype=np.bool_)
    for name in ("merchant_name", "mcc"):
        if name in columns:
            named |= columns[name].codes >= 0
    return named
