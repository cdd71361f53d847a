"""What the phrases of a text mean by their position: something about the payment, about the firm, nothing that counts, or a hint.

The words of a text also show the payer's trade, and may mean something else if a firm of such a trade pays.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kycpack.wealth.prepare.coded import Words
from kycpack.wealth.prepare.lexicon import Lexicon
from kycpack.wealth.prepare.parties import FAR_FORM, FIRM_WORD, LEGAL_FORM, NOISE
from kycpack.wealth.prepare.phrases import FIRM, HINT, LOOSE, STRONG, TRAP, WHOLE, Hit

REFERENCE, NAME, TEXT = "reference", "payer's name", "text"
REFERENCE_BEGINS = frozenset({"motif", "rnf", "libelle"})  # French banks write "/DE payer /MOTIF reference"

OF_THE_STATE = frozenset({"state_benefit", "tax_refund"})
_CALLS_ACCOUNTS = frozenset({"employment", "pension", "rental_income", "self_employment", "business_income"})
_OF_ALL_STAFF = frozenset({"staff", "employee", "employees", "personnel"})
# What stands before a word that the text denies. "NO" alone is left out: it stands for "number". So is "PAS", a French tax on pay.
_DENIALS = frozenset(
    tuple(words.split())
    for words in (
        *("not", "not a", "not an", "not my", "not for", "no longer", "nicht", "kein", "keine", "keinen"),
        *("pas de", "pas un", "pas une", "pas le"),
    )
)
_ACCOUNTS = (["account"], ["acct"], ["acc"], ["ac"], ["konto"], ["kto"])
_ACCOUNT_IN_SHORT = ["a", "c"]
_SENT_BACK = frozenset(
    {
        *(
            "returned",
            "retd",
            "retn",
            "rtnd",
            "rtd",
            "rtn",
            "bounced",
            "unpaid",
            "unpd",
            "unp",
            "rejected",
            "rejctd",
        ),
        *("recall", "recalled", "reversal", "reversed", "rvsd", "refused", "failed", "indemnity"),
        *(
            "rejet",
            "rejete",
            "impaye",
            "retourne",
            "ruecklastschrift",
            "rucklastschrift",
            "ruecklast",
            "ruckbuchung",
            "rueckbuchung",
        ),
    }
)
_REFERENCE_MARKS = REFERENCE_BEGINS | {"ref", "reference", "re", "rf", "verwendungszweck", "svwz"}


@dataclass(frozen=True)
class Said:
    """A meaning, how strongly it is said, and the words.

    Args:
        says: A type of wealth or a mark.
        strong: Whether the words mean it wherever they stand.
        words: The words.
        place: The field they are in.
    """

    says: str
    strong: bool
    words: str
    place: str


@dataclass(frozen=True)
class TextPlaces:
    """Where the words of a text stand.

    Args:
        words: The words.
        inside: Indices of those that repeat the payer's name.
        first: Index of the first word that counts.
        last: Index of the last one.
        counting: Indices of the words that count.
        end: Index after the firm's name; -1 if there is none.
        after_person: Index after a person's name at the beginning.
        named: Whether the payer is named in another field.
        place: Name of the field.
        company: Whether it contains a legal form or a word for a club, which no public body has.
        by_person: Whether the payer named in the other field is a person.
        of_name: Indices of the first words of phrases that are part of a company's name.
        closed: Index after the legal form that ends its name; the text's length if there is none.
    """

    words: Sequence[str]
    inside: Container[int]
    first: int
    last: int
    counting: Container[int]
    end: int
    after_person: int
    named: bool
    place: str
    company: bool
    by_person: bool
    of_name: Container[int]
    closed: int


def sort_meanings(
    hits: Sequence[Hit], of: TextPlaces
) -> tuple[list[Said], list[Said], list[Said], list[Said], set[int]]:
    """Return the meanings for the payment, for the firm, those that do not count and those that only hint, and the indices of the words that count."""
    counted: list[Said] = []
    of_firm: list[Said] = []
    ignored: list[Said] = []
    hints: list[Said] = []
    covered: set[int] = set()
    post = -1  # index after the last job title: a word for pay after it is not part of a firm's name
    for hit in hits:
        phrase = " ".join(of.words[hit.start : hit.end])
        first = hit.start <= of.first < len(of.words)
        last = hit.end > of.last
        strong = any(meaning.force == STRONG for meaning in hit.meanings)
        marked = hit.start == post or (hit.start > 0 and of.words[hit.start - 1] in _REFERENCE_MARKS)
        # If a text ends with the payer's name, as in "HMRC CHILD BENEFIT", a strong last word is still what is paid.
        repeated = of.named and not of.by_person and strong and hit.end == len(of.words)
        # EMPL in the name of "DEPT EMPL AFFRS" is no word for its staff.
        of_payer = of.named and hit.start in of.inside and hit.end - 1 in of.inside
        called = hit.start in of.of_name
        # LOAN in "KARST CAPITAL LLP LOAN" is what is paid; it does not make the payer a lender.
        follows = hit.start >= of.closed and any(meaning.force == LOOSE for meaning in hit.meanings)
        in_name = (hit.start in of.inside and hit.end - 1 in of.inside and not repeated) or (
            hit.end <= of.end and (called or not (first and strong and hit.end < of.end)) and not marked
        )
        free = last or (first and of.end < 0) or of.named or hit.start >= of.after_person or marked
        free = (
            free or hit.start == of.closed
        )  # RENT in "HARBOUR CRAFTS LTD RENT UNIT 4" follows a complete name
        denied = _is_denied(of.words, hit.start)
        for meaning in hit.meanings:
            force = meaning.force
            if hints and force != HINT and meaning.says != "employment":
                # "STAFF PENSION" is a pension, "PENSIONS OFFICER" is not.
                hints = [replace(one, strong=False) for one in hints]
            if (
                (denied and force != TRAP)
                or _names_account(meaning.says, of, hit.end)
                or (force == HINT and (of_payer or _says_whose(phrase, of, hit.end)))
            ):
                ignored.append(Said(meaning.says, strong=False, words=phrase, place=of.place))
            elif force == FIRM and ((not of.named and hit.start in of.inside) or called or follows):
                ignored.append(Said(meaning.says, strong=False, words=phrase, place=NAME))
            elif force == FIRM and not (of.company and meaning.says in OF_THE_STATE):
                of_firm.append(Said(meaning.says, strong=False, words=phrase, place=NAME))
            elif force == HINT or (force == LOOSE and not (free or in_name)):
                post = hit.end if force == HINT else post
                hints.append(Said(meaning.says, strong=force == HINT, words=phrase, place=of.place))
            elif not in_name and _counts(force, free=free, whole=first and last):
                counted.append(Said(meaning.says, strong=force == STRONG, words=phrase, place=of.place))
                covered.update(range(hit.start, hit.end))
            elif force != TRAP:
                ignored.append(Said(meaning.says, strong=False, words=phrase, place=NAME))
    return counted, of_firm, ignored, hints, covered


def _is_denied(words: Sequence[str], start: int) -> bool:
    """Return whether the words before a phrase deny it: "NOT SALARY", "KEINE MIETE"."""
    return any(tuple(words[at:start]) in _DENIALS for at in (start - 1, start - 2) if at >= 0)


def _says_whose(phrase: str, of: TextPlaces, end: int) -> bool:
    """Return whether a word for all who work somewhere stands before another one, which says what is paid: "STAFF S'ANN"."""
    return phrase in _OF_ALL_STAFF and (end in of.counting or end in of.inside)


def without_sent_back(party: Words) -> Words:
    """Return names in plain words without the words for a payment that came back, which are not part of a party's name; a name of such words alone stays."""
    bare = [
        " ".join(word for word in text.split() if word not in _SENT_BACK) or text
        for text in party.distinct.tolist()
    ]
    return Words(party.codes, np.array(bare, dtype=object))


def only_ignored(ignored: Sequence[Said], counted: Sequence[Said]) -> list[Said]:
    """Return each meaning that does not count once, without those that the same words have elsewhere and that count there."""
    count = {(one.says, one.words) for one in counted}
    return [one for one in dict.fromkeys(ignored) if (one.says, one.words) not in count]


def is_sent_back(words: str) -> bool:
    """Return whether words for a refund mean a payment that could not be made, as RETURNED DD does, rather than one that was too much."""
    return not _SENT_BACK.isdisjoint(words.split())


def _names_account(says: str, of: TextPlaces, end: int) -> bool:
    """Return whether a word for income is the name of an account, in a text that names no firm: "SALARY A/C 93-20-11 TFR"."""
    return (
        says in _CALLS_ACCOUNTS
        and not of.named
        and of.end < 0
        and (of.words[end : end + 1] in _ACCOUNTS or of.words[end : end + 2] == _ACCOUNT_IN_SHORT)
    )


def _counts(force: str, *, free: bool, whole: bool) -> bool:
    return force == STRONG or (force == LOOSE and free) or (force == WHOLE and whole)


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
