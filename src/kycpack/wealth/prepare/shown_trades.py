"""The trades that the words of a text show, and what its words mean if a firm of such a trade pays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kycpack.wealth.prepare.lexicon import Lexicon
from kycpack.wealth.prepare.parties import FAR_FORM, FIRM_WORD, LEGAL_FORM, NOISE
from kycpack.wealth.prepare.phrase_meanings import Said, TextPlaces
from kycpack.wealth.prepare.phrases import Hit


def trades_shown(
    marks: Sequence[Hit],
    hits: Sequence[Hit],
    words: Sequence[str],
    classes: Sequence[int],
    lexicon: Lexicon,
) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the trades that words show, and which of them only a listed firm plies, since the payer's name is also that of a dealer.

    A weak mark shows a trade only if no other word belongs to a firm of another kind, and the mark is not part of what is paid,
    as LEGAL is in "LEGAL SETTLEMENT".

    Args:
        marks: Words that show trades.
        hits: Words that have a meaning.
        words: All words of a text.
        classes: Classes of its words up to the first legal form.
        lexicon: Trades.
    """
    weak = lexicon.trades.weak_marks
    marks = [hit for hit in marks if not _is_of_a_company(hit, classes, lexicon)]
    dealers = _dealers(hits, words, len(classes), lexicon)
    shown = tuple(hit for hit in marks if not (dealers and _trade(hit) in lexicon.trades.sales.offices))
    of_dealer = frozenset(_trade(hit) for hit in shown if dealers - {*range(hit.start, hit.end)})
    of_dealer -= {_trade(hit) for hit in shown if not dealers - {*range(hit.start, hit.end)}}
    other = any(
        bits & (FIRM_WORD | FAR_FORM) and word not in weak for word, bits in zip(words, classes, strict=False)
    )
    if not (shown or other):
        paid = {at for hit in hits if hit.end - hit.start > 1 for at in range(hit.start, hit.end)}
        found = tuple(
            weak[word] for at, word in enumerate(words[: len(classes)]) if word in weak and at not in paid
        )
        by_weak = frozenset(found) if dealers else frozenset()
        return found, by_weak - _not_for_dealers(lexicon)
    return tuple(_trade(hit) for hit in shown), of_dealer - _not_for_dealers(lexicon)


def _trade(mark: Hit) -> str:
    return mark.meanings[0].says


def _is_of_a_company(mark: Hit, classes: Sequence[int], lexicon: Lexicon) -> bool:
    """Return whether a mark of a public body begins the name of a company, as in "HM REVENUE HOLDINGS LTD"."""
    after = classes[mark.end :]
    return (
        _trade(mark) in lexicon.trades.public
        and any(bits & LEGAL_FORM for bits in after)
        and all(bits & (FIRM_WORD | LEGAL_FORM) for bits in after)
    )


def _not_for_dealers(lexicon: Lexicon) -> frozenset[str]:
    """Return the trades that no dealer plies, so that a dealer's word in a name is a part of it: ECOLE DE COMMERCE."""
    return lexicon.trades.employers | lexicon.trades.public


def _dealers(hits: Sequence[Hit], words: Sequence[str], closes: int, lexicon: Lexicon) -> set[int]:
    """Return the indices of the words of dealers in a payer's name, which goes on after its first legal form until the text says what is paid."""
    dealers = lexicon.trades.sales.dealers
    if dealers.isdisjoint(words):
        return set()
    said = (
        hit.start
        for hit in (*hits, *lexicon.trades.pays.find(words))
        if hit.start >= closes and not dealers.issuperset(words[hit.start : hit.end])
    )
    return {at for at in range(min(said, default=len(words))) if words[at] in dealers}


def meanings_by_trade(
    marks: Sequence[Hit],
    of: TextPlaces,
    classes: Sequence[int],
    of_payment: Sequence[int],
    payer: Sequence[str],
    lexicon: Lexicon,
) -> tuple[tuple[str, Said], ...]:
    """Return what the words of a text mean if a firm of a certain trade pays: pairs of trade and meaning, from left to right.

    Words that together show a trade, such as CREDIT in "CREDIT UNION", say nothing about a payment.

    Args:
        marks: Words that show trades.
        of: Where the words of the text stand.
        classes: Classes of its words.
        of_payment: Indices of the words about the payment.
        payer: The words of the payer's name, or of the text if no other field gives it.
        lexicon: Trades.
    """
    shown = {at for hit in marks if hit.end - hit.start > 1 for at in range(hit.start, hit.end)}
    words = ["" if at in shown else word for at, word in enumerate(of.words)]
    return tuple(
        (trade, Said(says, strong=False, words=what, place=of.place))
        for at, trade, says, what in _paid_by_trades(words, classes, of.last, lexicon)
        if at not in of.inside
        and not (
            says == "property_sale"
            and _sells_no_home(trade, at, what.split(), of_payment, of.words, payer, lexicon)
        )
    )


def address_from_office(
    marks: Sequence[Hit], of_payment: Sequence[int], words: Sequence[str], lexicon: Lexicon
) -> str:
    """Return the address that is all that a text says after the words for an account on which a lawyer holds money for clients; empty if it says anything else.

    Args:
        marks: Words that show trades.
        of_payment: Indices of the words about the payment.
        words: All words of the text.
        lexicon: Trades.
    """
    sales = lexicon.trades.sales
    held = any(
        hit.end - hit.start > 1
        and _trade(hit) in sales.offices
        and not sales.accounts.isdisjoint(words[hit.start : hit.end])
        for hit in marks
    )
    rest = [words[at] for at in of_payment]
    lawyer = "llp" in words or any(
        _trade(hit) in sales.offices and sales.accounts.isdisjoint(words[hit.start : hit.end])
        for hit in marks
    )
    named = held and lawyer and sales.dealers.isdisjoint(words)
    return " ".join(rest) if named and sales.are_an_address(rest) else ""


def _sells_no_home(
    trade: str,
    at: int,
    said: list[str],
    of_payment: Sequence[int],
    words: Sequence[str],
    payer: Sequence[str],
    lexicon: Lexicon,
) -> bool:
    """Return whether words from an index on do not say that it was a home that was sold."""
    after = range(at + len(said), len(words))
    rest = [words[one] for one in sorted({*of_payment, *after} - {*range(at, at + len(said))})]
    return lexicon.trades.sales.are_of_something_else(trade, said, rest, words, payer)


def _paid_by_trades(
    words: Sequence[str], classes: Sequence[int], last: int, lexicon: Lexicon
) -> Iterator[tuple[int, str, str, str]]:
    """Yield what the words of a text mean if a firm of a certain trade pays: index of the first word, trade, meaning and words."""
    for hit in lexicon.trades.pays.find(words):
        if not (hit.end <= last and all(bits & NOISE for bits in classes[hit.start : hit.end])):
            for meaning in hit.meanings:
                trade, _, says = meaning.says.partition(":")
                yield hit.start, trade, says, " ".join(words[hit.start : hit.end])
