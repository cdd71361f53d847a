"""The trades of payers, what each pays, and the words for it, from `data/lexicon/trades.yaml`; and estates of the dead as payers.

A lawyer's words say what was sold: a client account pays out the price of a home, and of machinery, ships and patents too. An estate has a name such as "M HALL DECD", or a text says that
somebody's estate pays out a share of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kycpack.assets import asset_yaml
from kycpack.wealth.prepare.parties import (
    GIVEN_NAME,
    IN_PHRASE,
    LEGAL_FORM,
    MARKS_FIRM,
    NOISE,
    STATE_WORD,
    TITLE,
)
from kycpack.wealth.prepare.phrases import (
    FIRM,
    LOOSE,
    STRONG,
    Hit,
    Meaning,
    PhraseBook,
    ShortForms,
    crossed_phrases,
)
from kycpack.wealth.prepare.plain_text import keeps_its_words

_COMPANIES = frozenset({"plc"})  # and short for a place
_LONGEST_ADDRESS = 5  # words
INHERITANCE = "inheritance"
_LONGEST_NAME = 4  # words


@dataclass(frozen=True, eq=False)
class Sales:
    """How the sale of a home is told from any other.

    Args:
        trades: Trades that pay out the price of anything.
        offices: Trades that hold the money of others.
        accounts: Words for accounts on which such an office holds them.
        dealers: Words in the names of firms that are no such office.
        projects: Words for a deal whose name hides what is sold.
        notaries: Words in the names of notaries, who record sales of homes and land, and of little else.
        things: Words for what else such an office sells.
        words: Words that say that something was sold, and not what.
        homes: Words for homes, land and streets, and for their conveyance.
        endings: Endings of the names of streets.
    """

    trades: frozenset[str]
    offices: frozenset[str]
    accounts: frozenset[str]
    dealers: frozenset[str]
    projects: frozenset[str]
    notaries: frozenset[str]
    things: frozenset[str]
    words: frozenset[str]
    homes: frozenset[str]
    endings: tuple[str, ...]

    def are_of_something_else(
        self, trade: str, said: Sequence[str], rest: Sequence[str], words: Sequence[str], payer: Sequence[str]
    ) -> bool:
        """Return whether words for a sale do not say that a home or land was sold.

        Args:
            trade: The trade of the payer in which the words mean the sale of property.
            said: The words for the sale.
            rest: The other words that are said of the payment.
            words: All words of the text.
            payer: The words that name the payer, perhaps among others.
        """
        if trade not in self.trades:
            return False
        if not self.projects.isdisjoint(words):
            return not any(map(self._is_home, rest))
        if not self.words.issuperset(said):
            return False
        things = [word for word in rest if word not in self.words]
        if not self.notaries.isdisjoint(payer):
            return not self.things.isdisjoint(things) or (len(said) == 1 and not things)
        return not any(map(self._is_home, things)) and (bool(things) or len(said) == 1)

    def are_an_address(self, rest: Sequence[str]) -> bool:
        """Return whether some words are an address: a name, and a word for a street or a home after it."""
        return 1 < len(rest) <= _LONGEST_ADDRESS and any(map(self._is_home, rest[1:]))

    def _is_home(self, word: str) -> bool:
        return word in self.homes or word.endswith(self.endings)


def read_sales(document: Mapping[str, Any]) -> Sales:
    """Return how sales of homes are told from others, as `data/lexicon/trades.yaml` and the words of addresses list it."""
    told, of_addresses = document["sales"], asset_yaml("addresses/words.yaml")
    streets = frozenset(of_addresses["streets"])
    short = {one for street in streets for one in of_addresses["shortened"].get(street, ())} - _COMPANIES
    homes = " ".join(told["homes"]).split()
    return Sales(
        frozenset(told["trades"]),
        frozenset(told["offices"]),
        frozenset(told["accounts"]),
        frozenset(told["dealers"]),
        frozenset(told["projects"]),
        frozenset(told["notaries"]),
        frozenset(told["things"]),
        frozenset(told["words"]),
        frozenset((*homes, *streets, *short, *of_addresses["houses"])),
        tuple(told["endings"]),
    )


@dataclass(frozen=True, eq=False)
class Trades:
    """Trades, the words that show them, and what they pay.

    Args:
        of_kind: Kind of a known payer -> its trade.
        marks: Words that show a trade, which is their meaning.
        weak_marks: Words that show a trade unless another word shows that it is some other firm.
        pays: Words for what is paid; their meaning is the trade and the type or mark, as in `insurer:settlement`.
        types: Trade -> the types of wealth and marks that it pays.
        employers: Trades whose unexplained regular payments are wages.
        public: Trades of public bodies, in which no company works.
        sales: How the sale of a home is told from any other.
    """

    of_kind: Mapping[str, str]
    marks: PhraseBook
    weak_marks: Mapping[str, str]
    pays: PhraseBook
    types: Mapping[str, frozenset[str]]
    employers: frozenset[str]
    public: frozenset[str]
    sales: Sales


def marks_of(trade: Mapping[str, Any]) -> Iterator[str]:
    """Yield the phrases that show a trade, as the file lists it."""
    yield from trade["marks"]
    yield from crossed_phrases(trade.get("crossed_marks", ()))


def words_paid_by(trade: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what firms of a trade pay and a phrase for it, as the file lists it."""
    for says, words in trade["pays"].items():
        yield from ((says, word) for word in words)
        yield from ((says, word) for word in crossed_phrases(trade.get("crossed", {}).get(says, ())))


def read_trades(
    document: Mapping[str, Any],
    to_words: Callable[[Sequence[str]], list[str]],
    short_forms: ShortForms,
) -> Trades:
    """Return the trades that a document lists.

    Args:
        document: Content of the file.
        to_words: Returns the plain words of texts.
        short_forms: The word for each short form.
    """
    trades = document["trades"]

    def book(listed: Iterable[tuple[str, Meaning]]) -> PhraseBook:
        every = list(listed)
        plain = to_words([phrase for phrase, _ in every])
        kept = [
            (words, one)
            for words, (phrase, one) in zip(plain, every, strict=True)
            if keeps_its_words(phrase, words)
        ]
        return PhraseBook(kept, short_forms, cut=(FIRM,))

    return Trades(
        of_kind={kind: one["trade"] for one in trades for kind in one["kinds"]},
        marks=book((mark, Meaning(one["trade"], FIRM)) for one in trades for mark in marks_of(one)),
        weak_marks={mark: one["trade"] for one in trades for mark in one.get("weak_marks", ())},
        pays=book(
            (word, Meaning(f"{one['trade']}:{says}", LOOSE))
            for one in trades
            for says, word in words_paid_by(one)
        ),
        types={one["trade"]: frozenset(one["pays"]) for one in trades},
        employers=frozenset(one["trade"] for one in trades if one.get("employs")),
        public=frozenset(one["trade"] for one in trades if one.get("public")),
        sales=read_sales(document),
    )


@dataclass(frozen=True)
class EstateWords:
    """Words of texts in which an estate pays, as in "EST OF LATE J MURRAY INT DIST".

    Args:
        heads: Words for an estate or those who wind it up, which begin the text.
        joins: Words that join them with the name.
        dead: Words that say that somebody died.
        shares: Words for what is paid out of an estate, and no other payment.
        parts: Words that stand beside these.
    """

    heads: frozenset[str]
    joins: frozenset[str]
    dead: frozenset[str]
    shares: frozenset[str]
    parts: frozenset[str]

    def share_in(self, words: Sequence[str], classes: Sequence[int], *, is_name: bool) -> str:
        """Return the words by which a whole text says that the estate of a person pays; empty if it does not.

        The person has an initial, a first name or a title, or is said to have died: "ESTATE CARS FINAL DIST" is a firm's.

        Args:
            words: Words of the text, or of a payer's name.
            classes: Their classes.
            is_name: Whether it is a name, which need not say what is paid.
        """
        start = next((at for at, word in enumerate(words) if word in self.heads), len(words))
        before = zip(words[:start], classes[:start], strict=True)
        if any(not bits & NOISE and word not in self.joins for word, bits in before):
            return ""
        if any(bits & LEGAL_FORM for bits in classes[1:]):
            return ""
        at = start + 1
        while at < len(words) and words[at] in self.joins | self.dead:
            at += 1
        end = at
        ends = self.dead | self.shares | self.parts
        while end < len(words) and (len(words[end]) == 1 or words[end] not in ends):
            end += 1
        name, tail = range(at, end), words[end:]
        if not 0 < len(name) <= _LONGEST_NAME or not ends.issuperset(tail):
            return ""
        if any(classes[one] & (MARKS_FIRM | STATE_WORD) or not words[one].isalpha() for one in name):
            return ""
        died = not self.dead.isdisjoint((*words[start:at], *tail))
        person = any(len(words[one]) == 1 or classes[one] & (GIVEN_NAME | TITLE) for one in name)
        surname = any(len(words[one]) > 1 for one in name)
        share = not self.shares.isdisjoint(tail)
        # "LATE FEE J SMITH" is late, and nobody died.
        says = share or (words[start] not in self.dead and (is_name or died))
        plain = died or not any(
            classes[one] & IN_PHRASE and not classes[one] & (GIVEN_NAME | TITLE) and len(words[one]) > 1
            for one in name
        )
        shown = surname and (person or died) and says and plain
        return " ".join((words[start], *tail)) if shown else ""


def read_estate_words(document: Mapping[str, Sequence[str]]) -> EstateWords:
    """Return the words that `estates` in `data/lexicon/wealth.yaml` lists."""
    return EstateWords(**{key: frozenset(words) for key, words in document.items()})


def words_of_estate(words: Sequence[str], classes: Sequence[int], phrases: PhraseBook) -> str:
    """Return the words that show that a name is an estate's, as in "EXORS OF M HALL" and "M HALL DECD"; empty for other names and for firms.

    Args:
        words: Words of the name.
        classes: Their classes.
        phrases: Phrases of the lexicon.
    """
    if not any(bits & IN_PHRASE for bits in classes):
        return ""
    hits = [hit for hit in phrases.find(words) if _is_of_estate(hit)]
    covered = {at for hit in hits for at in range(hit.start, hit.end)}
    firm = any(bits & MARKS_FIRM for at, bits in enumerate(classes) if at not in covered)
    return " ".join(words[hits[0].start : hits[0].end]) if hits and not firm else ""


def names_the_dead(hits: Sequence[Hit], words: Sequence[str], classes: Sequence[int]) -> bool:
    """Return whether a text ends with a word for an estate and a name, as in "NACHLASS MUELLER".

    Args:
        hits: Phrases in the text.
        words: Its words.
        classes: Their classes.
    """
    at = next((hit.end for hit in hits if _is_of_estate(hit)), len(words))
    rest = [(word, bits) for word, bits in zip(words[at:], classes[at:], strict=True) if not bits & NOISE]
    return 0 < len(rest) <= _LONGEST_NAME and all(
        word.isalpha() and len(word) > 1 and not bits & ~(GIVEN_NAME | TITLE) for word, bits in rest
    )


def _is_of_estate(hit: Hit) -> bool:
    return any(one.says == INHERITANCE and one.force == STRONG for one in hit.meanings)
