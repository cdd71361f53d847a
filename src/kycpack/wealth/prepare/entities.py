"""Known payers: who a text names, matched exactly against the lists in `data/entities/`.

A text names an entity if it consists of one of the entity's aliases and words that do not make it another firm:
a legal form, a country or branch, a reference, and in a description also words for how the payment was made.
Nothing is matched by similarity: a name that is not listed is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile

import numpy as np
import numpy.typing as npt

from kycpack.assets import asset_names, asset_text
from kycpack.wealth.prepare.known_payers import EMPLOYERS, carried, may_be_named_for, passes_on
from kycpack.wealth.prepare.lexicon import load_lexicon
from kycpack.wealth.prepare.listed_entities import (
    SHORTEST_CUT_WORD,
    Alias,
    Entity,
    EntityWords,
    Listed,
    Words,
    aliases_of,
    by_folded_words,
    fold_short_forms,
    load_entity_words,
    read_entities,
)
from kycpack.wealth.prepare.parties import (
    FIRM_WORD,
    LEGAL_FORM,
    NOISE,
    PERSON,
    TRADE_WORD,
    party_by_classes,
    without_letter_pairs,
)
from kycpack.wealth.prepare.phrases import STRONG, Hit
from kycpack.wealth.prepare.plain_text import to_plain_words
from kycpack.wealth.prepare.references import SHORTEST_REFERENCE, ReferenceFolder

FOLDER = "entities"

_KEPT_TEXTS = 8_192
_ORDINARY_NAMES = frozenset({"retailer", "employer"})  # "MONSOON RETURN FLIGHTS" is not the shop
_OF_AN_ADDRESS = frozenset({"co", "uk", "com", "de", "fr", "ie", "eu", "net"})  # "JUST EAT.CO.UK REST"
_BESIDE_A_NAME = frozenset({("p", "r"), ("w", "d"), ("w", "e")})  # payroll, withdrawal, week ending
_OF_AN_ACCOUNT = frozenset(
    {"client", "clients", "a", "c", "ac", "acc", "acct", "account"}
)  # "BELVOIR CLIENT A/C L/LORD"
_NAMES_SHARES = frozenset(
    {"registrar"}
)  # "COMPUTERSHARE DIV VERIZON": the company whose shares they are follows
_JOINS = frozenset({"and", "und", "et"})  # "PINSENT MASONS AND COLE" is another firm

# Money taken out of a wallet is not a trader's takings.
_OF_A_WALLET = frozenset(
    {
        *(
            "wallet",
            "balance",
            "withdrawal",
            "withdraw",
            "withdrawl",
            "wdl",
            "wdrl",
            "cashout",
            "topup",
            "personal",
            "friend",
            "friends",
            "refund",
        ),
        *(
            "retrait",
            "portefeuille",
            "solde",
            "cagnotte",
            "guthaben",
            "abhebung",
            "saldo",
            "retiro",
            "prelievo",
            "opname",
        ),
    }
)

# Purposes that a bank may print before the payer's name.
_OF_KNOWN_PAYERS = frozenset({"settlement", "savings", "interest", "investment_income", "loan", "pension"})


class EntityIndex:
    """Known payers by the words of their aliases.

    Args:
        listed: Entities with their aliases.
        words: Words that may surround a name.
    """

    def __init__(self, listed: Iterable[Listed], words: EntityWords) -> None:
        self.listed = tuple(listed)
        self.words = words
        self._around_name = words.in_name | words.legal
        self._around_text = words.in_description | self._around_name
        self._aliases = aliases_of(self.listed, words.not_entities)
        self._folded = frozenset(words.short_words).union(*words.short_words.values())
        self._shortened = by_folded_words(self._aliases, self._folded)
        sizes: dict[str, set[int]] = {}
        for spelling in (*self._aliases, *self._shortened):
            sizes.setdefault(spelling[0], set()).add(len(spelling))
        self._sizes = {word: sorted(lengths, reverse=True) for word, lengths in sizes.items()}
        lexicon = load_lexicon()
        self._said = lexicon.phrases
        self._purposes = lexicon.phrases.first_words | words.trades.pays.first_words
        in_aliases = (word for spelling in self._aliases for word in spelling)
        known = {word for word in (*in_aliases, *self._around_text, *lexicon.words) if _has_digit(word)}
        # Many customers have the same payers.
        self._named = lru_cache(maxsize=_KEPT_TEXTS)(self._find)
        self.references = ReferenceFolder(known, lexicon.classes.having(NOISE), lexicon.payment_words)

    @property
    def entities(self) -> tuple[Entity, ...]:
        """All entities, in the order of the files."""
        return tuple(one.entity for one in self.listed)

    def find(self, text: str, *, is_name: bool) -> Entity | None:
        """Return the known entity that a text names; None if it names none.

        Args:
            text: A counterparty's name or a description, as the bank wrote it.
            is_name: Whether the text is a party's name; otherwise a description.
        """
        return self.find_all([text], is_name=is_name)[0]

    def find_all(self, texts: Sequence[str], *, is_name: bool) -> list[Entity | None]:
        """Return the known entity that each text names; None if it names none.

        Args:
            texts: Distinct texts; each is processed once.
            is_name: Whether the texts are names of parties; otherwise descriptions.
        """
        return [self._named(text, is_name=is_name) for text in to_plain_words(texts)]

    def in_names(self, texts: npt.NDArray[np.object_]) -> list[Entity | None]:
        """Return the entity that each name of a party names."""
        return self.find_all([str(text) for text in texts], is_name=True)

    def in_texts(self, texts: npt.NDArray[np.object_]) -> list[Entity | None]:
        """Return the entity that each description names."""
        return self.find_all([str(text) for text in texts], is_name=False)

    def _find(self, text: str, *, is_name: bool) -> Entity | None:
        words = text.split()
        around = self._around_name if is_name else self._around_text
        best: Alias | None = None
        purpose = range(0) if is_name or not words or words[0] not in self._purposes else self._purpose(words)
        for start, word in enumerate(words):
            for size in self._sizes.get(word, ()):
                if best is not None and size <= len(best.words):
                    break
                if start + size > len(words):
                    continue
                alias = self._alias(tuple(words[start : start + size]))
                if alias is not None and self._covers(alias, words, start, purpose, is_name=is_name):
                    best = alias
                    break
                if alias is not None and not is_name and self._pays(alias, words[start + size :]):
                    best = replace(alias, entity=alias.entity and replace(alias.entity, by_payment=True))
                    break
            if not (word in around or start in purpose or _has_digit(word)):
                break
        entity = None if best is None else best.entity
        if is_name or (entity is not None and not passes_on(entity)):
            return entity
        return self._platform_behind(words) or entity

    def _platform_behind(self, words: list[str]) -> Entity | None:
        """Return the platform that a text names after the service that passes on its money, as in "STRIPE DEPOP"; None if it names none."""
        around = self._around_text
        at = next(
            (at for at, word in enumerate(words) if not (word in around or _has_digit(word))), len(words)
        )
        for size in self._sizes.get(words[at], ()) if at < len(words) else ():
            carrier = self._aliases.get(tuple(words[at : at + size]))
            if carrier is not None and carrier.entity is not None and passes_on(carrier.entity):
                platform = self._find(" ".join(words[at + size :]), is_name=False)
                return platform and carried(carrier.entity, platform)
        return None

    def _alias(self, words: Words) -> Alias | None:
        """Return the alias that some words spell; words may be in a short form, as in "INTERACTIVE INV SRVS"."""
        alias = self._aliases.get(words)
        if alias is not None or not self._shortened:
            return alias
        short = self.words.short_words
        fits = [
            one
            for one in self._shortened.get(fold_short_forms(words, self._folded), ())
            if all(
                word == whole or whole in short.get(word, ())
                for word, whole in zip(words, one.words, strict=True)
            )
        ]
        return fits[0] if fits and all(one.entity == fits[0].entity for one in fits) else None

    def _purpose(self, words: list[str]) -> range:
        """Return the indices of words at the beginning that give the purpose before the payer's name, as in "PPI REDRESS LLOYDS BANK"."""
        starts = {
            hit.start: hit.end
            for book in (self.words.trades.pays, self._said)
            for hit in book.find(words)
            if any(one.says.rpartition(":")[2] in _OF_KNOWN_PAYERS for one in hit.meanings)
        }
        at = 0
        while at in starts or (at and at < len(words) and _has_digit(words[at])):
            at = starts.get(at, at + 1)
        return range(at)

    def _covers(self, alias: Alias, words: list[str], start: int, purpose: range, *, is_name: bool) -> bool:
        before, after = words[purpose.stop : start], words[start + len(alias.words) :]
        after = [after[at] for at in without_letter_pairs(after, _BESIDE_A_NAME)]
        known = self.words
        kind = "" if alias.entity is None else alias.entity.kind
        legal: frozenset[str] = frozenset() if kind in known.public_kinds else known.legal
        if alias.whole_only:
            may = legal - known.in_name if is_name else (legal - known.in_name) | known.in_description
            return all(
                word in may or (_has_digit(word) and len(word) >= SHORTEST_REFERENCE)
                for word in (*before, *after)
            )
        own = known.of_kind.get(kind, frozenset())
        may = known.in_name if is_name else known.in_name | known.in_description
        if not all(word in may or word in legal or _has_digit(word) for word in before):
            return False
        if kind in known.pays_for_others and not is_name:
            return not after or (after[0] not in _JOINS and self._reads_like_a_payment(kind, after, legal))
        if kind in known.pays_traders and not is_name and len(alias.words) > 1:
            classes = known.classes.of(after)
            another = any(bits & LEGAL_FORM for bits in classes) or not _JOINS.isdisjoint(after[:1])
            return not another and _OF_A_WALLET.isdisjoint(after)
        if not is_name:
            end = next((at for at, word in enumerate(after) if word in known.reference_marks), len(after))
            after = after[: min(end, self._end_of_name(alias, after))]
        while after and _has_digit(after[-1]):
            after = after[:-1]
        after = after[:-1] if after and after[-1] in known.cut_words else after
        # "MITIE FM LTD 88120043 MITIE", "HARGREAVES LANSDOWN HL 4419302": repeating the name or its initials does not name another payer.
        own |= {*alias.words, *(["".join(word[0] for word in alias.words)] if len(alias.words) > 1 else [])}
        after = after if is_name else self._without_other_names(alias, after)
        if (
            not is_name
            and kind == "bank"
            and len(alias.words) > 1
            and party_by_classes(after, known.classes.of(after)) == PERSON
        ):
            return True  # "MARCUS BY GS JUDITH SPENCE": a bank prints whose account the money comes from
        return all(word in may or word in legal or word in own or _has_digit(word) for word in after)

    def _end_of_name(self, alias: Alias, after: list[str]) -> int:
        """Return the number of words between a name and the legal form that ends it; the rest is the reference, as in "EUI LTD ADMIRAL CLM"."""
        kind = "" if alias.entity is None else alias.entity.kind
        if kind in self.words.public_kinds:
            return len(after)
        words = [*alias.words[-1:], *after]
        classes = self.words.classes.of(words)
        at = next((at for at, bits in enumerate(classes) if bits & LEGAL_FORM), len(words))
        inside = all(word in self.words.in_name for word in words[1:at])
        rest, of_rest = words[at + 1 :], classes[at + 1 :]
        another = any(bits & (LEGAL_FORM | TRADE_WORD) for bits in of_rest)
        return len(after) if not (inside and rest) or another or rest[0] in _JOINS else at

    def _without_other_names(self, alias: Alias, after: list[str]) -> list[str]:
        """Return words after a name without other names of the same payer, as in "LENDINGSTREAM GAIN CREDIT", and without the service that passes on its money, as in "VINTED (MANGOPAY SA)"."""
        kept: list[str] = []
        at = 0
        while at < len(after):
            size = next(
                (
                    size
                    for size in self._sizes.get(after[at], ())
                    if at + size <= len(after)
                    and (other := self._aliases.get(tuple(after[at : at + size]))) is not None
                    and (other.entity == alias.entity or _carries(other, alias))
                ),
                0,
            )
            kept += [] if size else [after[at]]
            at += size or 1
        return kept

    def _pays(self, alias: Alias, after: list[str]) -> bool:
        """Return whether the words after a name begin with what such a payer pays, whatever follows."""
        trade = "" if alias.entity is None else self.words.trades.of_kind.get(alias.entity.kind, "")
        if not (trade and after) or alias.whole_only:
            return False
        skipped = _OF_AN_ADDRESS | _OF_AN_ACCOUNT | self.words.legal
        while len(after) > 1 and after[0] in skipped:
            after = after[1:]
        after = self._without_other_names(alias, after[:1]) + after[1:]  # "NS&I NSI WITHDRAWAL"
        classes = self.words.classes.of(after)
        if not after or (
            any(bits & LEGAL_FORM for bits in classes)
            or classes[-1] & FIRM_WORD
            or not _JOINS.isdisjoint(after)
        ):
            return False  # "AVIVA CLAIMS CONSULTANTS" is another firm
        while after[0] in self.words.in_name and after[0] not in self.words.between and len(after) > 1:
            after = after[1:]  # "CPAM TOULOUSE IJ"
        between = (word in self.words.between or _has_digit(word) for word in after)
        start = sum(1 for _ in takewhile(bool, between))  # "QUILTER ISA REG WITHDRAWAL"
        kind = "" if alias.entity is None else alias.entity.kind
        own = self.words.of_kind.get(kind, frozenset())
        hits = self._paid_by(trade, after) + self._said_of(alias, after)
        goes_on = {hit.start for hit in hits}  # "PETPLAN CLAIM VET FEES BISCUIT": all of it is what is paid
        return any(
            hit.start <= start
            and not (kind in _ORDINARY_NAMES and self._more(after[hit.end :]))
            and not (
                kind not in _NAMES_SHARES
                and hit.end not in goes_on
                and own.issuperset(after[hit.start : hit.end])
                and self._names_more(after[hit.end :])
            )
            for hit in hits
        )

    def _paid_by(self, trade: str, words: list[str]) -> list[Hit]:
        """Return the phrases in some words for what firms of a trade pay."""
        return [
            hit
            for hit in (self.words.trades.pays.find(words) if trade else ())
            if any(one.says.partition(":")[0] == trade for one in hit.meanings)
        ]

    def _said_of(self, alias: Alias, words: list[str]) -> list[Hit]:
        """Return the phrases of several words at the beginning of some words that say what such a payer pays, as in "BOURSORAMA VENTE TITRES"."""
        return [
            hit
            for hit in self._said.find(words)[:1]
            if alias.entity is not None
            and (hit.end - hit.start > 1 or alias.entity.kind in EMPLOYERS)
            and any(one.force == STRONG and may_be_named_for(alias.entity, one.says) for one in hit.meanings)
        ]

    def _more(self, words: list[str]) -> list[str]:
        return [word for word in words if not (word in self._around_text or _has_digit(word))]

    def _names_more(self, words: list[str]) -> bool:
        """Return whether the words after one that such firms have in their names make it another name: "RAILPEN PENSION ROVERS", but not "AVIVA ANNUITY J HOLT"."""
        more = self._more(words)
        classes = self.words.classes.of(more)
        return party_by_classes(more, classes) != PERSON and not all(
            bits or len(word) <= SHORTEST_CUT_WORD for word, bits in zip(more, classes, strict=True)
        )

    def _reads_like_a_payment(self, kind: str, after: list[str], legal: frozenset[str]) -> bool:
        """Return whether the words after a name begin or end with what is paid: "GATELEY HORNBY" is a person, "PAYCHEX OAK DINER PAYROLL" is not."""
        known = self.words
        own = known.of_kind.get(kind, frozenset())
        paid = (known.in_description | own) - legal
        rest = [word for word in after if not _has_digit(word)]
        trade = known.trades.of_kind.get(kind, "")
        named = any(not bits & (FIRM_WORD | LEGAL_FORM) for bits in known.classes.of(rest[1:]))
        if kind in _NAMES_SHARES and named and self._paid_by(trade, rest[:1]):
            return True  # "EQUINITI DIVIDEND SHELL PLC", but not "EQUINITI DIVIDEND CONSULTANTS PLC"
        while rest and (rest[0] in legal or rest[0] in own):
            rest = rest[1:]
        hits = self._paid_by(trade, rest)
        places = known.in_name | legal
        return (
            all(word in places for word in rest)
            or not paid.isdisjoint((rest[0], rest[-1]))
            or any(hit.start == 0 or hit.end == len(rest) for hit in hits)
        )


@lru_cache(maxsize=1)
def load_entities() -> EntityIndex:
    """Return the index of the entities that come with the package."""
    listed = [one for name in asset_names(FOLDER) for one in read_entities(name, asset_text(name))]
    return EntityIndex(listed, load_entity_words())


def _carries(carrier: Alias, platform: Alias) -> bool:
    return not (carrier.entity is None or platform.entity is None) and bool(
        carried(carrier.entity, platform.entity)
    )


def _has_digit(word: str) -> bool:
    return not word.isalpha()  # a plain word contains only letters and digits
