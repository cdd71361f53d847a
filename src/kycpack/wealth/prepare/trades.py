"""The trades of payers, what each pays, and the words for it, from `data/lexicon/trades.yaml`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kycpack.wealth.prepare.phrases import FIRM, LOOSE, Meaning, PhraseBook, crossed_phrases
from kycpack.wealth.prepare.plain_text import keeps_its_words
from kycpack.wealth.prepare.short_forms import ShortForms
from kycpack.wealth.prepare.sold_homes import Sales, read_sales


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
