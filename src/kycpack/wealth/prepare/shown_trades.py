"""The trades that the words of a text show, and what its words mean if a firm of such a trade pays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kycpack.wealth.prepare.lexicon import Lexicon
from kycpack.wealth.prepare.parties import FAR_FORM, FIRM_WORD, NOISE
from kycpack.wealth.prepare.phrases import Hit


def trades_shown(
    marks: Sequence[Hit],
    hits: Sequence[Hit],
    words: Sequence[str],
    classes: Sequence[int],
    lexicon: Lexicon,
) -> tuple[str, ...]:
    """Return the trades that words show.

    A weak mark shows a trade only if no other word belongs to a firm of another kind, and the mark is not part of what is paid,
    as LEGAL is in "LEGAL SETTLEMENT".
    """
    weak = lexicon.trades.weak_marks
    sales = lexicon.trades.sales
    dealer = not sales.dealers.isdisjoint(words[: len(classes)])
    shown = tuple(
        one for one in (hit.meanings[0].says for hit in marks) if not (dealer and one in sales.offices)
    )
    other = any(
        bits & (FIRM_WORD | FAR_FORM) and word not in weak for word, bits in zip(words, classes, strict=False)
    )
    if shown or other:
        return shown
    paid = {at for hit in hits if hit.end - hit.start > 1 for at in range(hit.start, hit.end)}
    return tuple(
        weak[word] for at, word in enumerate(words[: len(classes)]) if word in weak and at not in paid
    )


def paid_by_trades(
    words: Sequence[str], classes: Sequence[int], last: int, lexicon: Lexicon
) -> Iterator[tuple[int, str, str, str]]:
    """Yield what the words of a text mean if a firm of a certain trade pays: index of the first word, trade, meaning and words."""
    for hit in lexicon.trades.pays.find(words):
        if not (hit.end <= last and all(bits & NOISE for bits in classes[hit.start : hit.end])):
            for meaning in hit.meanings:
                trade, _, says = meaning.says.partition(":")
                yield hit.start, trade, says, " ".join(words[hit.start : hit.end])


def sells_no_home(
    trade: str, at: int, said: list[str], of_payment: Sequence[int], words: Sequence[str], lexicon: Lexicon
) -> bool:
    """Return whether words from an index on do not say that it was a home that was sold."""
    after = range(at + len(said), len(words))
    rest = [words[one] for one in sorted({*of_payment, *after} - {*range(at, at + len(said))})]
    return lexicon.trades.sales.are_of_something_else(trade, said, rest)
