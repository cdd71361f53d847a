"""The lexicon: the codes and words that say what a credit is, read from `data/lexicon/wealth.yaml`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from kycpack.assets import asset_yaml
from kycpack.wealth.prepare.bank_codes import BANK_CODES, BankCode, read_bank_codes
from kycpack.wealth.prepare.parties import (
    FAR_FORM,
    FIRM_WORD,
    GIVEN_NAME,
    IN_PHRASE,
    LEADING_FORM,
    LEGAL_FORM,
    NOISE,
    OF_TRADE,
    PAID_BY_TRADE,
    PERSON,
    PRACTICE,
    QUALIFIER,
    SHELL_FORM,
    STAFFED,
    STATE_WORD,
    TITLE,
    TRADE_WORD,
    WordClasses,
    party_of,
)
from kycpack.wealth.prepare.phrases import (
    FIRM,
    HINT,
    LOOSE,
    STRONG,
    TRAP,
    WHOLE,
    Meaning,
    MendedWords,
    PhraseBook,
    ShortForms,
    crossed_phrases,
)
from kycpack.wealth.prepare.plain_text import (
    fragment_pattern_of,
    invoice_pattern_of,
    keeps_its_words,
    plain_words,
    to_words,
    words_pattern,
)
from kycpack.wealth.prepare.trades import (
    EstateWords,
    Trades,
    marks_of,
    read_estate_words,
    read_trades,
    words_paid_by,
)

Codes = npt.NDArray[np.int64]

NO_TYPE = -1
_FEW_TEXTS = 500  # with fewer texts, Arrow would take longer to compile a pattern than to match it
_KEPT_TEXTS, _KEPT_PATTERNS = 8_192, 256
OTHER, FAMILY, STUDY_GRANT = "other", "family", "study_grant"
PASSED_ON = "passed_on"  # the sender asks for the money to be sent on
_WORDS_BY_THEMSELVES = (
    *("titles", "channel_words", "months", "qualifiers", "legal_suffixes", "far_legal_forms"),
    *("leading_legal_forms", "firm_words", "state_words", "given_names"),
)
_FORCES = {"words": STRONG, "loose": LOOSE, "firms": FIRM, "brands": FIRM, "whole": WHOLE, "hints": HINT}
_OF_NO_TYPE = {
    "family_words": Meaning(FAMILY, STRONG),
    "passed_on": Meaning(PASSED_ON, STRONG),
    "study_grants": Meaning(STUDY_GRANT, LOOSE),
    "traps": Meaning("", TRAP),
}


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Signals by type and by mark.

    Args:
        version: Version of the data file.
        types: Names of types in order of precedence; a type's index is its code.
        says: What a type means in words, by name.
        corroboration: What an auditor would ask for, by name.
        purposes: ISO 20022 purpose -> type.
        bank_codes: Bank code, or its beginning -> what it means.
        merchant_categories: ISO 18245 code -> type.
        phrases: Words of types and marks, and traps.
        anywhere: Text in scripts without spaces -> type.
        anywhere_words: Type -> the word that stands for such a text.
        trades: What firms of a trade pay, by which words.
        mark_purposes: Mark -> purposes.
        nature_pattern: The words of all types.
        payment_words: Single words that say what a payment is for, whatever their position.
        refund_pattern: The words for a refund and for why a payment was returned.
        bonus_pattern: The words for a bonus.
        scheme_pattern: Schemes that keep the deposits of tenants.
        security_pattern: Words for money left as a security.
        paid_as_deposit_pattern: Phrases in which such a word says how money was paid.
        invoice_pattern: An invoice with its number, in a text as the bank wrote it; the number is the group `number`.
        instalment_pattern: Words for a part of an invoice, in such a text.
        titles: How people are addressed.
        given_names: First names.
        mended: Mends words that were joined or split.
        classes: Legal forms, titles, first names, words of firms and public bodies, and words that say how money travelled, or when.
        dropped_pattern: Words that do not name a payer.
        suffix_pattern: Legal forms.
        fragment_pattern: A last word that a narrow field cut to the beginning of a month or to one letter.
        dropped_words: The words of `dropped_pattern`.
        legal_suffixes: The words of `suffix_pattern`.
        between_people: Services by which people pay each other.
        till_words: Words for trades whose customers pay at a till.
        card_words: Words with which a bank begins the text of a payment by card.
        club_words: Words for clubs; no public body is called a club.
        paid_in: Words with which a paying-in slip of the customer begins.
        brands: Names of firms; "KRAKEN TRAWLERS LTD" is another one.
        not_kept_by_banks: Words for what a bank is paid, or pays out, that does not stay in an account there.
        estates: Words of texts in which an estate pays.
    """

    version: str
    types: tuple[str, ...]
    says: dict[str, str]
    corroboration: dict[str, str]
    purposes: dict[str, str]
    bank_codes: dict[str, BankCode]
    merchant_categories: dict[str, str]
    phrases: PhraseBook
    anywhere: dict[str, str]
    anywhere_words: dict[str, str]
    trades: Trades
    mark_purposes: dict[str, frozenset[str]]
    nature_pattern: str
    payment_words: frozenset[str]
    refund_pattern: str
    bonus_pattern: str
    scheme_pattern: str
    security_pattern: str
    paid_as_deposit_pattern: str
    invoice_pattern: str
    instalment_pattern: str
    titles: frozenset[str]
    given_names: frozenset[str]
    mended: MendedWords
    classes: WordClasses
    dropped_pattern: str
    suffix_pattern: str
    fragment_pattern: str
    dropped_words: frozenset[str]
    legal_suffixes: frozenset[str]
    between_people: frozenset[str]
    till_words: frozenset[str]
    card_words: frozenset[str]
    club_words: frozenset[str]
    paid_in: frozenset[tuple[str, ...]]
    not_kept_by_banks: frozenset[str]
    estates: EstateWords
    brands: frozenset[str]

    @property
    def words(self) -> frozenset[str]:
        """All words with a meaning: those of phrases, of trades, and of classes."""
        books = (self.phrases, self.trades.marks, self.trades.pays)
        return frozenset(self.classes).union(*(book.words for book in books))

    def code(self, name: str) -> int:
        """Return the code of a type."""
        return self.types.index(name)

    def words_of(
        self, texts: Sequence[str] | npt.NDArray[np.object_], *, are_names: bool = False
    ) -> list[str]:
        """Return texts as words, as from `to_words`, with joined and split words mended; a type named in a script without spaces is added as its word."""
        words = [self.mended.mend(text, is_name=are_names) for text in to_words(texts)]
        for index, text in enumerate(texts):
            for mark, type_ in () if text.isascii() else self.anywhere.items():
                if mark in text:
                    words[index] = f"{words[index]} {self.anywhere_words[type_]}".strip()
        return words

    def payer_names(self, plain: npt.NDArray[np.object_]) -> list[str]:
        """Return the words that name the payer in each text from `to_plain_text`; empty if a text only says how the money travelled."""
        kept = without_words(without_words(plain.tolist(), self.dropped_pattern), self.fragment_pattern)
        bare = without_words(kept, self.suffix_pattern)
        return [short or long for short, long in zip(bare, kept, strict=True)]


@lru_cache(maxsize=1)
def load_lexicon() -> Lexicon:
    """Return the lexicon that comes with the package."""
    document = asset_yaml("lexicon/wealth.yaml")
    types = document["types"]
    names = (*(entry["type"] for entry in types), OTHER)
    marks = document["marks"]
    listed = list(_phrases(document))
    of_trades = asset_yaml("lexicon/trades.yaml")
    short_forms = _short_forms(document, listed, of_trades)
    phrases = PhraseBook(listed, short_forms)
    trades = read_trades(of_trades, to_words, short_forms)
    classes = _classes(document, phrases, trades, short_forms)
    return Lexicon(
        version=document["lexicon"]["version"],
        types=names,
        says={entry["type"]: entry["says"] for entry in types} | {OTHER: "nature not established"},
        corroboration={entry["type"]: entry["corroboration"] for entry in types}
        | {OTHER: "what it was for, and proof of it"},
        purposes=document["purposes"],
        bank_codes=read_bank_codes(asset_yaml(BANK_CODES), frozenset(names)),
        merchant_categories=document["merchant_categories"],
        phrases=phrases,
        anywhere={word: entry["type"] for entry in types for word in entry.get("anywhere", ())},
        anywhere_words={entry["type"]: entry["words"][0] for entry in types if entry.get("anywhere")},
        trades=trades,
        mark_purposes={name: frozenset(mark.get("purposes", ())) for name, mark in marks.items()},
        nature_pattern=words_pattern(
            [word for entry in types for force in ("words", "loose") for word in entry.get(force, ())]
        ),
        payment_words=frozenset(
            word
            for word in plain_words([word for entry in types for word in entry.get("words", ())])
            if " " not in word
        ),
        refund_pattern=words_pattern([*marks["refund"]["words"], *marks["refund"]["reasons"]]),
        bonus_pattern=words_pattern(marks["bonus"]["words"]),
        scheme_pattern=words_pattern(document["deposit_schemes"]),
        security_pattern=words_pattern(document["securities"]),
        paid_as_deposit_pattern=words_pattern(document["paid_as_deposits"]),
        invoice_pattern=invoice_pattern_of(document["invoices"]),
        instalment_pattern=rf"(?<![^\W_])(?:{'|'.join(document['instalments'])})(?![^\W_])",
        titles=frozenset(document["titles"]),
        given_names=frozenset(plain_words(document["given_names"])),
        mended=MendedWords(
            listed, names, [classes, trades.marks.words, trades.pays.words], plain_words(document["months"])
        ),
        classes=classes,
        dropped_pattern=words_pattern([*document["channel_words"], *document["months"]]),
        suffix_pattern=words_pattern(document["legal_suffixes"]),
        fragment_pattern=fragment_pattern_of(document["months"]),
        dropped_words=frozenset([*document["channel_words"], *document["months"]]),
        legal_suffixes=frozenset(document["legal_suffixes"]),
        between_people=frozenset(document["between_people"]),
        till_words=frozenset(plain_words(document["till_words"])),
        card_words=frozenset(plain_words(document["card_words"])),
        club_words=frozenset(plain_words(document["club_words"])),
        paid_in=frozenset(tuple(words.split()) for words in plain_words(document["paid_in"])),
        brands=frozenset(plain_words(word for entry in types for word in entry.get("brands", ()))),
        not_kept_by_banks=frozenset(plain_words(document["not_kept_by_banks"])),
        estates=read_estate_words(document["estates"]),
    )


def _short_forms(
    document: dict[str, Any], listed: Iterable[tuple[str, Meaning]], of_trades: dict[str, Any]
) -> ShortForms:
    """Return the short forms and compounds of words for what is paid; a word that is listed anywhere is not a short form."""
    phrases = [(words.split(), meaning) for words, meaning in listed]
    paid = {word for words, one in phrases if one.force in (STRONG, LOOSE) for word in words}
    known = {word for words, _ in phrases for word in words}
    for trade in of_trades["trades"]:
        of_trade = [word for _, phrase in words_paid_by(trade) for word in phrase.split()]
        paid.update(of_trade)
        known.update(of_trade, (word for mark in marks_of(trade) for word in mark.split()))
    for name in _WORDS_BY_THEMSELVES:
        known.update(plain_words(document[name]))
    forms = {short: word for word, forms in document["short_forms"].items() for short in forms}
    says: dict[str, frozenset[str]] = {}
    for words, one in phrases:
        if len(words) == 1:
            says[words[0]] = says.get(words[0], frozenset()) | {one.says}
    return ShortForms(forms, paid, frozenset(known), document["compounds"], says)


def _classes(
    document: dict[str, Any], phrases: PhraseBook, trades: Trades, short_forms: ShortForms
) -> WordClasses:
    noise = frozenset(plain_words([*document["channel_words"], *document["months"]]))
    return WordClasses(
        {
            NOISE: noise - {"bank", "credit"},  # these also mark a name as a firm's
            LEGAL_FORM: frozenset(plain_words(document["legal_suffixes"]))
            - frozenset(document["not_legal_forms"]),
            FIRM_WORD: plain_words(document["firm_words"]),
            TRADE_WORD: frozenset(plain_words(document["firm_words"]))
            - frozenset(document["firm_words_of_any_trade"]),
            STATE_WORD: plain_words(document["state_words"]),
            TITLE: document["titles"],
            GIVEN_NAME: plain_words(document["given_names"]),
            IN_PHRASE: phrases.first_words,
            FAR_FORM: document["far_legal_forms"],
            LEADING_FORM: document["leading_legal_forms"],
            SHELL_FORM: document["shell_forms"],
            PRACTICE: plain_words(document["practice_words"]),
            STAFFED: plain_words(document["staffed_words"]),
            QUALIFIER: document["qualifiers"],
            OF_TRADE: trades.marks.first_words | set(trades.weak_marks),
            PAID_BY_TRADE: trades.pays.first_words,
        },
        short_forms,
    )


def _phrases(document: dict[str, Any]) -> Iterable[tuple[str, Meaning]]:
    entries = [*((entry["type"], entry) for entry in document["types"]), *document["marks"].items()]
    listed = [
        (word, Meaning(name, force))
        for name, entry in entries
        for key, force in _FORCES.items()
        for word in entry.get(key, ())
    ]
    listed += [
        (phrase, Meaning(name, STRONG))
        for name, entry in entries
        for phrase in crossed_phrases(entry.get("crossed", ()))
    ]
    listed += [(word, meaning) for key, meaning in _OF_NO_TYPE.items() for word in document[key]]
    for (word, meaning), words in zip(listed, to_words([word for word, _ in listed]), strict=True):
        if keeps_its_words(word, words):
            yield words, meaning


def matches(texts: Sequence[str], pattern: str) -> npt.NDArray[np.bool_]:
    """Return for each plain text whether a pattern of this lexicon matches it."""
    if not pattern or not len(texts):
        return np.zeros(len(texts), dtype=np.bool_)
    if len(texts) < _FEW_TEXTS:
        ready = compiled(pattern)
        return np.array([ready.search(text) is not None for text in texts], dtype=np.bool_)
    found = pc.match_substring_regex(pa.array(texts, type=pa.string()), pattern)
    return cast("npt.NDArray[np.bool_]", found.to_numpy(zero_copy_only=False))


def name_a_security(texts: Sequence[str], lexicon: Lexicon) -> npt.NDArray[np.bool_]:
    """Return for each plain text whether it speaks of money left as a security, such as the deposit of a tenant."""
    return matches(without_words(texts, lexicon.paid_as_deposit_pattern), lexicon.security_pattern)


def without_words(texts: Sequence[str], pattern: str) -> list[str]:
    """Return plain texts without the words that a pattern matches; neighbouring words share a space, so it is applied twice."""
    kept = _kept(pattern)
    found = {text: kept.get(text) for text in texts}
    new = [text for text, bare in found.items() if bare is None]
    if new:
        made = dict(zip(new, _without_words(new, pattern), strict=True))
        if len(kept) + len(made) > _KEPT_TEXTS:
            kept.clear()
        if len(made) <= _KEPT_TEXTS:
            kept.update(made)
        found.update(made)
    return cast("list[str]", [found[text] for text in texts])


# Many customers have the same payers, whose names give the same result each time.
@lru_cache(maxsize=_KEPT_PATTERNS)
def _kept(_pattern: str) -> dict[str, str]:
    return {}


def _without_words(texts: Sequence[str], pattern: str) -> list[str]:
    if len(texts) < _FEW_TEXTS:
        ready = compiled(pattern)
        return [" ".join(ready.sub(" ", ready.sub(" ", text)).split()) for text in texts]
    values = pa.array(texts, type=pa.string())
    for _ in range(2):
        values = pc.replace_substring_regex(values, pattern, " ")
    values = pc.replace_substring_regex(values, r" +", " ")
    return cast("list[str]", pc.utf8_trim_whitespace(values).to_pylist())


@lru_cache(maxsize=_KEPT_PATTERNS)
def compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern ready for use, kept apart from the many that Python forgets: the long ones take a fifth of a second."""
    return re.compile(pattern)


def name_people(keys: Sequence[str], lexicon: Lexicon) -> npt.NDArray[np.bool_]:
    """Return for each payer's key whether it appears to name a person: a title, an initial and a surname, or a first name and a surname."""
    return np.array([party_of_name(key, lexicon) == PERSON for key in keys], dtype=np.bool_)


@lru_cache(maxsize=_KEPT_TEXTS)
def party_of_name(name: str, lexicon: Lexicon) -> str:
    """Return what a name in plain words appears to belong to; see `party_of`."""
    return party_of(name.split(), lexicon)
