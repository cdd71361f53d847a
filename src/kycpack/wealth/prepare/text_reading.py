"""What one text says about a payment: which of its words count, and which belong to a firm's name.

Words count by their position. A firm's name says little about what the firm pays for; the word that names the payment comes
after the payer, or is in the reference.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from kycpack.wealth.prepare.lexicon import FAMILY, Lexicon
from kycpack.wealth.prepare.named_in_text import (
    NOWHERE,
    begins_between_people,
    called_after,
    end_of_firm,
    index_after_person,
    indices_of_friend,
    indices_of_name,
    indices_of_person,
    indices_of_reordered,
)
from kycpack.wealth.prepare.parties import (
    FAR_FORM,
    FIRM_WORD,
    GIVEN_NAME,
    IN_PHRASE,
    LEADING_FORM,
    LEGAL_FORM,
    MARKS_FIRM,
    NOISE,
    OF_TRADE,
    PAID_BY_TRADE,
    PARTIES,
    PERSON,
    QUALIFIER,
    SHELL_FORM,
    STAFFED,
    UNKNOWN,
    party_by_classes,
)
from kycpack.wealth.prepare.phrase_meanings import (
    NAME,
    REFERENCE,
    REFERENCE_BEGINS,
    TEXT,
    Said,
    TextPlaces,
    address_from_office,
    meanings_by_trade,
    sort_meanings,
    trades_shown,
)
from kycpack.wealth.prepare.phrases import STRONG, Hit, Meaning
from kycpack.wealth.prepare.trades import INHERITANCE, names_the_dead, words_of_estate

_LONGEST_LETTERS = 2  # of a code at the end, as in "CLAIM 55-XX"
_OF_CASH = ("cash_deposit", "refund", "own_account")
_PAY_PERIODS = frozenset((word, "no") for word in ("wk", "week", "kw", "mth", "mnth", "prd", "period"))


@dataclass(frozen=True)
class TextReading:
    """What one text says.

    Args:
        counted: What its words say about the payment, from left to right.
        of_firm: What they say about the payer's trade.
        ignored: What is said by words that belong to a name and so do not count.
        party: What the payer appears to be, one of `PARTIES`.
        trades: Trades that its words show.
        by_trade: What its words say about the payment if the payer is in a certain trade: pairs of trade and meaning, from left to right.
        far: Whether it contains a legal form or a place in `far_legal_forms` of the lexicon, as shell companies have; BT before a name is no Hungarian one.
        shell: Whether it contains one of `shell_forms` of the lexicon, not as its first word.
        hints: What its words hint at, which counts if the payments also have its pattern; strong if they name a job title, such
            as OFFICER in "PENSIONS OFFICER".
        unread: Whether it has words without a known meaning, besides the payer's name and how the money travelled.
        period: Whether it gives the number of a week or month of pay, and says nothing else besides a firm's name.
        between: Whether it begins with a service by which people pay each other and with who paid, or the payer is such a service.
        company: Whether it contains a company's legal form, which no public body has.
        till: Whether its words show a trade whose customers pay at a till, such as KEBAB.
        of_dealer: Those of its trades that only a listed payer plies, as the name is also that of a dealer in anything.
        staffed: Whether its words show a trade that pays private persons nothing but wages, such as NURSERY.
    """

    counted: tuple[Said, ...] = ()
    of_firm: tuple[Said, ...] = ()
    ignored: tuple[Said, ...] = ()
    party: str = UNKNOWN
    trades: tuple[str, ...] = ()
    by_trade: tuple[tuple[str, Said], ...] = ()
    far: bool = False
    shell: bool = False
    hints: tuple[Said, ...] = ()
    unread: bool = False
    period: bool = False
    between: bool = False
    company: bool = False
    till: bool = False
    of_dealer: frozenset[str] = frozenset()
    staffed: bool = False


SILENT = TextReading()
_SAYS_NOTHING = {
    (party, unread): TextReading(party=party, unread=unread) for party in PARTIES for unread in (False, True)
}


def read_name(words: Sequence[str], lexicon: Lexicon) -> TextReading:
    """Return what a payer's name says; a person may be called Cash or Loan, so no word of a person's name counts.

    Args:
        words: Plain words of the name.
        lexicon: Phrases, and classes of words.
    """
    classes = lexicon.classes.of(words)
    party = party_by_classes(words, classes)
    estate = words_of_estate(words, classes, lexicon.phrases)
    estate = estate or lexicon.estates.share_in(words, classes, is_name=True)
    if estate:
        return TextReading(of_firm=(Said(INHERITANCE, strong=False, words=estate, place=NAME),))
    if party == PERSON:
        return _SAYS_NOTHING[PERSON, False]
    reading, firm = read_text(words, (), lexicon), any(bits & MARKS_FIRM for bits in classes)
    own = " ".join(word for word, bits in zip(words, classes, strict=True) if not bits & LEGAL_FORM)
    # "DIVIDEND BUILDING CONTRACTORS" is a builder and pays no dividend.
    counted = tuple(
        one
        for one in reading.counted
        if one.words == own or (one.strong and not (firm and own.startswith(f"{one.words} ")))
    )
    company = any(bits & LEGAL_FORM for bits in classes)
    other = company or not lexicon.club_words.isdisjoint(words)
    till = not lexicon.till_words.isdisjoint(words)
    trades = tuple(one for one in reading.trades if not (other and one in lexicon.trades.public))
    return replace(
        reading,
        counted=counted,
        party=party,
        trades=trades,
        hints=(),
        unread=False,
        company=company,
        till=till,
    )


def of_cash_alone(reading: TextReading) -> TextReading:
    """Return a reading of which only words for cash count: the rest of a slip is written by the customer who pays in."""
    counted = tuple(one for one in reading.counted if one.says in _OF_CASH)
    slip = tuple(one for one in (*reading.counted, *reading.hints) if one.says not in _OF_CASH)
    return replace(
        reading, counted=counted, ignored=(*reading.ignored, *slip), of_firm=(), by_trade=(), hints=()
    )


def read_text(
    words: Sequence[str], name: Sequence[str], lexicon: Lexicon, party: str = UNKNOWN
) -> TextReading:
    """Return what counts in one text.

    Args:
        words: Plain words of a description, or of a payer's name.
        name: Plain words of the payer's name if another field gives it; empty if none does.
        lexicon: Phrases, and classes of words.
        party: What that name appears to be, one of `PARTIES`.
    """
    share = "" if name else lexicon.estates.share_in(words, lexicon.classes.of(words), is_name=False)
    if share:
        return TextReading((Said(INHERITANCE, strong=True, words=share, place=TEXT),), party=PERSON)
    return _read_places(words, name, lexicon, party)


def _read_places(words: Sequence[str], name: Sequence[str], lexicon: Lexicon, party: str) -> TextReading:
    """Return what counts in a text by the places of its words; arguments as for `read_text`."""
    classes = lexicon.classes.of(words)
    every = 0
    for bits in classes:
        every |= bits
    inside = _indices_of_payer(words, classes, name, party)
    core = [index for index, bits in enumerate(classes) if not bits & NOISE and index not in inside]
    period = any(pair in _PAY_PERIODS for pair in pairwise(words))
    if not (period or every & (IN_PHRASE | OF_TRADE | PAID_BY_TRADE | FAR_FORM | STAFFED)):
        return _SAYS_NOTHING[
            _party_of(words, classes, name, lexicon), bool(name) and _has_words(core, words, name)
        ]
    hits = [
        hit
        for hit in lexicon.phrases.find(words)
        if not (
            lexicon.phrases.may_be_a_name(hit, words) and _stands_alone(hit, words, classes, named=bool(name))
        )
    ]
    friend = NOWHERE if name else indices_of_friend(words, classes, hits)
    if friend:
        inside = friend
        core = [index for index in core if index not in friend]
    first_core, last_core = _ends_of_core(core, words, classes) if core else (len(words), -1)
    # A firm in a person's reference is not the payer: "RENT FLAT ABOVE THE BAKERS".
    end = end_of_firm(words, classes, hits, inside) if every & MARKS_FIRM and party != PERSON else -1
    after_person = index_after_person(words, classes) if end < 0 and not name else len(words)
    place = REFERENCE if name else TEXT
    frame = TextPlaces(
        words,
        inside,
        first_core,
        last_core,
        frozenset(core),
        end,
        after_person,
        bool(name),
        place,
        bool(every & LEGAL_FORM) or not lexicon.club_words.isdisjoint(words),
        party == PERSON,
        called_after(hits, words, classes, end, lexicon.brands),
        end if end > 0 and classes[end - 1] & LEGAL_FORM else len(words),
    )
    counted, of_firm, ignored, hints, covered = sort_meanings(hits, frame)
    by_bank = not (name or every & LEGAL_FORM) and _is_booked_as_cash(hits, first_core)
    by_bank = by_bank and any(one.says == "cash_deposit" for one in counted)
    if by_bank or (not (name or every & MARKS_FIRM) and _begins_with(words, lexicon.paid_in)):
        # The bank says that it was paid in; the rest was written on the slip: "CASH IN BRANCH WAGES".
        ignored += [one for one in (*counted, *hints) if one.says not in (*_OF_CASH, FAMILY)]
        counted = [one for one in counted if one.says in (*_OF_CASH, FAMILY)]
        of_firm, hints = [], []
    begins = " ".join(words[hits[0].start : hits[0].end]) if hits and hits[0].end < end else ""
    counted = _without_firms(counted, of_firm, begins)
    if counted and any(one.says == counted[-1].says == "employment" for one in hints):
        counted = [replace(one, strong=one.says == "employment") for one in counted]  # "PENSION ADMIN SAL"
    unread = bool(name or friend) and _has_words(
        [index for index in core if index not in covered], words, name
    )
    until = len(words) if end < 0 else min(end + 1, len(words))
    begins_at = next((at for at in core[1:] if words[at - 1] in REFERENCE_BEGINS), until)
    rest = [index for index in range(min(until, begins_at)) if index not in covered]
    reads_like = party_by_classes([words[index] for index in rest], [classes[index] for index in rest])
    if friend and (end < 0 or end - 1 in friend):
        reads_like = PERSON
    if reads_like == UNKNOWN and not (name or every & MARKS_FIRM) and names_the_dead(hits, words, classes):
        reads_like = PERSON
    if (
        reads_like == PERSON
        and not name
        and (words[0] in lexicon.card_words or _is_booked_as_cash(hits, first_core))
    ):
        reads_like = UNKNOWN  # "ATM CASH DEPOSIT 2210 W CERMAK RD": the bank says where it was paid in
    # What follows the legal form is said of the payment: "ORCHID GROUP LLC INSURANCE PAYOUT" is not paid by an insurer.
    marks = [
        hit
        for hit in (lexicon.trades.marks.find(words) if every & OF_TRADE else ())
        if name or hit.start < frame.closed
    ]
    # CHURCH in "HARMER LEGAL LLP SALE OF 3 CHURCH LANE" is no firm of another trade.
    closes = next((at + 1 for at, bits in enumerate(classes) if at and bits & LEGAL_FORM), len(words))
    trades, of_dealer = (
        trades_shown(marks, hits, words, classes[:closes], lexicon)
        if every & OF_TRADE
        else ((), frozenset[str]())
    )
    # Before the words for a sale, what the text says may still be the payer's name.
    begins_after = 0 if name else max((hit.end for hit in marks), default=len(words))
    of_payment = [at for at in core if at >= begins_after]
    paid = every & PAID_BY_TRADE
    by_trade = meanings_by_trade(marks, frame, classes, of_payment, name or words, lexicon) if paid else ()
    home = address_from_office(marks, of_payment, words, lexicon)
    if home and not (by_trade or counted):
        of_firm.append(Said("property_sale", strong=False, words=home, place=place))
    return TextReading(
        tuple(counted),
        tuple(of_firm),
        tuple(ignored),
        reads_like,
        trades,
        by_trade,
        any(bits & FAR_FORM and (at or bits & LEADING_FORM) for at, bits in enumerate(classes)),
        any(bits & SHELL_FORM for bits in classes[1:]),
        tuple(hints),
        unread,
        period and not (counted or hints or by_trade or _more_is_said(core, classes, end, named=bool(name))),
        begins_between_people(words, classes, hits, lexicon.between_people)
        or not lexicon.between_people.isdisjoint(name),
        bool(every & LEGAL_FORM),
        not lexicon.till_words.isdisjoint(words),
        of_dealer,
        bool(every & STAFFED),
    )


def _indices_of_payer(
    words: Sequence[str], classes: Sequence[int], name: Sequence[str], party: str
) -> range | set[int]:
    """Return the indices of the words that repeat the payer's name, and of a legal form that follows it.

    Args:
        words: Plain words of a text.
        classes: Classes of each word.
        name: Plain words of the payer's name; empty if it is not given.
        party: What that name appears to be, one of `PARTIES`.
    """
    if party == PERSON:
        return indices_of_person(words, classes, name)
    inside = indices_of_name(words, name) if name else NOWHERE
    if not inside and len(name) > 1:  # "ESSELUNGA S P A", when written with full stops
        inside = indices_of_name(words, [word for word in name if len(word) > 1] or name)
    if name and party == UNKNOWN:
        inside = max(inside, indices_of_reordered(words, name), key=len)
    if isinstance(inside, range) and 0 < inside.stop < len(words) and classes[inside.stop] & LEGAL_FORM:
        return range(inside.start, inside.stop + 1)  # "EMOLUMENTI ESSELUNGA SPA" of "ESSELUNGA S.P.A."
    return inside


def _stands_alone(hit: Hit, words: Sequence[str], classes: Sequence[int], *, named: bool) -> bool:
    """Return whether a legal form follows a word, or nothing beside it says anything: "COMPN LTD" and "ERST BANK" are names. A payer's name in another field is enough."""
    if hit.end < len(words) and classes[hit.end] & LEGAL_FORM:
        return True
    beside = (
        at
        for at, bits in enumerate(classes)
        if at != hit.start and not bits & (NOISE | LEGAL_FORM) and not (at == hit.end and bits & FIRM_WORD)
    )
    return not (named or any(len(words[at]) > 1 and words[at].isalpha() for at in beside))


def _party_of(words: Sequence[str], classes: Sequence[int], name: Sequence[str], lexicon: Lexicon) -> str:
    """Return what a text without phrases appears to name; a payer by card, as in "VDC ZARA BLANCHARDSTOWN", is a shop."""
    party = party_by_classes(words, classes)
    by_card = not name and bool(words) and words[0] in lexicon.card_words
    return UNKNOWN if by_card and party == PERSON else party


def _begins_with(words: Sequence[str], phrases: Container[tuple[str, ...]]) -> bool:
    return any(tuple(words[:size]) in phrases for size in (1, 2, 3))


def _is_booked_as_cash(hits: Sequence[Hit], first_core: int) -> bool:
    """Return whether a text begins with a bank's own words for cash that was paid in."""
    return any(
        hit.start <= first_core and any(one == Meaning("cash_deposit", STRONG) for one in hit.meanings)
        for hit in hits
    )


def _ends_of_core(core: Sequence[int], words: Sequence[str], classes: Sequence[int]) -> tuple[int, int]:
    """Return the indices of the first and last word that count.

    Qualifiers at the beginning, such as FINAL, and short codes of letters at the end do not count.
    """
    first = next((at for at in core if not classes[at] & QUALIFIER), core[0])
    last = next((at for at in reversed(core) if classes[at] or len(words[at]) > _LONGEST_LETTERS), core[-1])
    return first, last


def _has_words(core: Sequence[int], words: Sequence[str], name: Sequence[str]) -> bool:
    """Return whether any word is more than an initial, and not one of the payer's name again."""
    return any(len(words[index]) > 1 and words[index] not in name for index in core)


def _more_is_said(core: Sequence[int], classes: Sequence[int], end: int, *, named: bool) -> bool:
    """Return whether there are words besides a firm's name and the first name of whom it pays; if the text itself names the firm, only words after the name count."""
    return any(not classes[at] & (MARKS_FIRM | GIVEN_NAME) for at in core if named or at >= end)


def _without_firms(counted: list[Said], of_firm: Sequence[Said], begins: str) -> list[Said]:
    """Return meanings in which words that also name a trade, or begin a firm's name, are weak if the last word is one for pay.

    Examples: "PENSIONS AUTHORITY SAL", "STUDENT LOANS CO LTD NET PAY".
    """
    if len(counted) < 2 or counted[-1].says != "employment":
        return counted
    trades = {one.words for one in of_firm} | {begins}
    return [replace(one, strong=one.strong and one.words not in trades) for one in counted]
