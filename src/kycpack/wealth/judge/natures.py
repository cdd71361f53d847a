"""The nature of streams and single credits, from all the evidence: codes, payer, words, and the pattern of payments.

A nature shown only by amounts and dates has evidence level `pattern`. Text that a sender can write freely never gives high
confidence, and what only a minority of a payer's texts says is not applied to all of them.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from kycpack.wealth.judge.unsupported import (
    ONLY_THE_SENDER,
    free_words,
    major_units,
    unsupported_words,
)
from kycpack.wealth.judge.usual_sums import (
    LIKE_WAGES,
    corrected_types,
    hinted_types,
    like_pay_days,
    like_rent,
    may_pay_for_more,
    same_surname,
    silent_firms,
    sums_a_year,
    unlike_their_payers,
    usual_rents,
)
from kycpack.wealth.judge.weak_words import pay_one_invoice, words_of_strangers
from kycpack.wealth.match.sides import OwnParties
from kycpack.wealth.prepare.clues import CODE, ENTITY, KEYWORD, NONE, PATTERN, PURPOSE, REFUND
from kycpack.wealth.prepare.coded import Codes, Mask, joint_code, pick
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.known_payers import EMPLOYERS, PAY_BONUSES, PAY_EVERYBODY
from kycpack.wealth.prepare.lexicon import NO_TYPE, Lexicon
from kycpack.wealth.prepare.parties import FIRM, PERSON, STATE
from kycpack.wealth.prepare.payers import Payers, party_keys
from kycpack.wealth.prepare.signals import Signals, is_party
from kycpack.wealth.streams.cadence import CADENCES, IRREGULAR
from kycpack.wealth.streams.grouping import Grouping
from kycpack.wealth.streams.streams import AMOUNT_CLASSES, CONFIDENCES

LIKE_RENT = "a person pays one round amount at the beginning of each month, as rent is paid"
OWN_NAME = "the payer has the customer's own name, as on a transfer from another account of theirs"
"""What shows payments that are `ONLY_POSSIBLE`: rent, and own money."""

_EMPLOYER = "a known employer pays it regularly"
_PUBLIC_BODY = (
    "a payer whose name looks like that of a public body, a hospital or a university pays it regularly"
)
_NUMBERED = "a firm pays uneven amounts numbered by the week or month, as pay is"
_SHOP_STAFF = "a shop pays uneven amounts every four weeks, or similar ones every month, as it pays its staff"
_HINTED = "a word hints at it, and it follows the pattern of this type"
_LOW, _MEDIUM, _HIGH = range(len(CONFIDENCES))
_LEAST_PAY = 150  # pounds, as `major_units` has them elsewhere; below it, a regular credit from a shop is more often a rebate
_MOST_PAY = 15_000
# Pay for the hours of a week or month is hardly ever a multiple of the first, or more than the others.
_ROUND_PAY, _MOST_BY_THE_WEEK, _MOST_BY_THE_MONTH = 50, 1_500, 6_000
_SMALL_BY_PERSONS = 50  # below it, a payment between two people is a private matter, whatever they write
_LEAST_LOAN = 500
_FEWEST_REPAYMENTS = 3
_LARGEST_REPAYMENT = 0.5
_MOST_REPAID = 2.0
_FIRST_REPAYMENT_DAYS = 100
_FEWEST_FOR_WORDS = 6
_FEWEST_BY_SCHEME = 4  # through a scheme for firms, by which shops pay their staff, and refund nobody
_SHORTEST_FOR_WORDS_DAYS = 28  # the same words again and again within days are one story
_MAJORITY = 0.8
_SURE_SCORE = 0.8


@dataclass(frozen=True, eq=False)
class _Found:
    """Types as they are found, changed in place: the code of each, its evidence level, and what shows it, in words."""

    type_code: Codes
    evidence: Codes
    shown: npt.NDArray[np.object_]

    def put(self, where: Mask | Codes, code: int, level: int, shown: str | list[str] | None = None) -> None:
        self.type_code[where], self.evidence[where] = code, level
        if shown is not None:
            self.shown[where] = shown


@dataclass(frozen=True, eq=False)
class Natures:
    """The natures of credits and of their groups.

    Args:
        signals: Signals, including the types added from parties and patterns.
        grouping: Groups, including the types added from parties and patterns.
        confidence: Confidence of each group, an index into `CONFIDENCES`.
        type_confidence: Confidence in the type alone.
        cadence_confidence: Confidence in the calendar alone.
        doubtful: Whether evidence contradicts the type of a group.
        pattern: What the pattern of a group shows, in words; empty if it shows nothing.
        of_credit: The same for single credits.
    """

    signals: Signals
    grouping: Grouping
    confidence: Codes
    type_confidence: Codes
    cadence_confidence: Codes
    doubtful: Mask
    pattern: npt.NDArray[np.object_]
    of_credit: npt.NDArray[np.object_]


def judge_natures(
    book: Book,
    rows: Codes,
    signals: Signals,
    payers: Payers,
    grouping: Grouping,
    spent: Mask,
    parties: OwnParties,
    lexicon: Lexicon,
) -> Natures:
    """Return the nature of credits and groups.

    Args:
        book: Transactions.
        rows: Rows of the credits.
        signals: What the credits' codes, payers and words show.
        payers: Who paid them.
        grouping: Groups by payer.
        spent: Rows of the book that are debits and count.
        parties: Names of customers: a payer with the same last name is taken for family.
        lexicon: Names of types.
    """
    of_group = _Found(
        grouping.type_code.copy(),
        grouping.evidence.copy(),
        np.full(len(grouping.type_code), "", dtype=object),
    )
    type_code = of_group.type_code
    votes = _Votes(signals, grouping)
    major = major_units(book, grouping.currency)
    for code, known_by, fits, shows in _regular_types(book, signals, grouping, votes, major, lexicon):
        of_group.put(fits & (type_code == NO_TYPE), code, known_by, shows)
    judged = replace(
        grouping, type_code=type_code, evidence=of_group.evidence
    )  # with what is found at the time
    for groups, code, known_by, shows in corrected_types(signals, judged, votes.most, major, lexicon):
        of_group.put(groups, code, known_by, shows)
    person = votes.most(is_party(signals, PERSON)) & ~votes.most(signals.family)
    rent_like = like_rent(book, rows, grouping, major)
    rent = (type_code == NO_TYPE) & person & rent_like & ~same_surname(book, grouping, parties)
    rental = lexicon.code("rental_income")
    called = rent & votes.most([one.nature.hint == "rental_income" for one in signals.readings])
    of_group.put(called, rental, KEYWORD, _HINTED)
    of_group.put(usual_rents(book, grouping, rent & ~called, lexicon), rental, PATTERN, LIKE_RENT)
    private = votes.most(is_party(signals, PERSON) | signals.family)
    private &= ~votes.most(signals.own_transfer)  # it is not known whether the person is the customer
    unclear = signals.where(lambda one: one.nature.unclear)
    private &= ~votes.most(unclear) | (  # nor what the words mean, unless the amount is small
        grouping.groups.median < _SMALL_BY_PERSONS * major
    )
    of_group.put((type_code == NO_TYPE) & private, lexicon.code("person_transfer"), KEYWORD)
    lent, repaid = _repaid_loans(book, rows, signals, payers, grouping, spent, lexicon)
    of_credit = _Found(
        signals.type_code.copy(), signals.evidence.copy(), np.full(len(rows), "", dtype=object)
    )
    of_credit.put(lent, lexicon.code("loan"), PATTERN, repaid)
    unnamed = (of_credit.type_code == NO_TYPE) & (is_party(signals, PERSON) | signals.family)
    unnamed &= ~(signals.refund | signals.own_transfer)
    # A return that no debit confirms is still not a private payment by a person.
    unnamed &= ~signals.where(lambda one: REFUND in one.nature.marks)
    of_rows = major_units(book, book.currency.codes[rows])
    count = pick(grouping.groups.count, grouping.group, 1)
    for mine, name, shows in unlike_their_payers(signals, book.amount[rows], count, of_rows, lexicon):
        of_group.put((type_code == lexicon.code(name)) & votes.most(mine), NO_TYPE, NONE, shows)
        of_credit.put(mine, NO_TYPE, NONE, shows)
    unnamed &= ~unclear | (book.amount[rows] < _SMALL_BY_PERSONS * of_rows)
    of_credit.put(unnamed, lexicon.code("person_transfer"), KEYWORD)
    doubted = unsupported_words(book, rows, signals, judged, lexicon)
    of_group.put(doubted.groups, NO_TYPE, NONE, ONLY_THE_SENDER)
    of_group.put(doubted.groups_of_persons, lexicon.code("person_transfer"), KEYWORD)
    of_credit.put(doubted.credits, NO_TYPE, NONE, ONLY_THE_SENDER)
    of_credit.put(doubted.persons, lexicon.code("person_transfer"), KEYWORD)
    by_type = _confidence_of_types(
        signals, book.amount[rows], judged, votes, of_group.shown, of_rows, rent_like, lexicon
    )
    by_cadence = _cadence_confidence(judged)
    both = np.where(by_cadence == _LOW, np.maximum(by_type - 1, _LOW), by_type)
    both = np.where((by_cadence == _MEDIUM) & (both == _HIGH), _MEDIUM, both)
    return Natures(
        signals=replace(signals, type_code=of_credit.type_code, evidence=of_credit.evidence),
        grouping=judged,
        confidence=both,
        type_confidence=by_type,
        cadence_confidence=by_cadence,
        doubtful=_doubtful(signals, judged, votes),
        pattern=of_group.shown,
        of_credit=of_credit.shown,
    )


def _confidence_of_types(
    signals: Signals,
    amount: Codes,
    judged: Grouping,
    votes: _Votes,
    pattern: npt.NDArray[np.object_],
    major: Codes,
    rent_like: Mask,
    lexicon: Lexicon,
) -> Codes:
    """Return the confidence in the type of each group; low for words that anybody can write, which is added to what the pattern shows."""
    confidence = _type_confidence(signals, judged, votes, pattern, lexicon)
    confidence[free_words(signals, judged, votes.most, lexicon) & ~rent_like] = _LOW
    worded = np.isin(judged.evidence, (KEYWORD, PURPOSE))
    a_year = pick(sums_a_year(judged), judged.group, 0)
    for strange, shows in words_of_strangers(signals, amount, a_year, major, votes.most, lexicon):
        confidence[worded & strange] = _LOW
        pattern[worded & strange & (pattern == "")] = shows
    confidence[pay_one_invoice(signals, amount, judged, lexicon)] = _LOW
    return confidence


def _regular_types(
    book: Book, signals: Signals, grouping: Grouping, votes: _Votes, major: Codes, lexicon: Lexicon
) -> Iterator[tuple[int, int, Mask, str]]:
    """Yield types supported by a payer or a hint together with a calendar: code, evidence level, the groups, and what shows it."""
    paid = (grouping.groups.median >= _LEAST_PAY * major) & (grouping.groups.median <= _MOST_PAY * major)
    paid &= grouping.regular & like_pay_days(grouping)
    pay = lexicon.code("employment")
    employer = votes.most(
        [
            one.kind in EMPLOYERS and not (one.nature.doubtful or may_pay_for_more(one, lexicon))
            for one in signals.readings
        ]
    )
    yield pay, ENTITY, paid & employer, _EMPLOYER
    public = votes.most(
        [one.trade in lexicon.trades.employers and not one.nature.doubtful for one in signals.readings]
    )
    yield pay, KEYWORD, paid & public, _PUBLIC_BODY
    uneven = grouping.groups.median % (_ROUND_PAY * major) != 0
    by_month = np.isin(grouping.cadences.code, [CADENCES.index(name) for name in ("four_weekly", "monthly")])
    most = np.where(by_month, _MOST_BY_THE_MONTH, _MOST_BY_THE_WEEK) * major
    numbered = votes.most(
        [one.period and (not one.trade or one.kind in PAY_BONUSES) for one in signals.readings]
    )
    yield pay, PATTERN, paid & uneven & (grouping.groups.median < most) & numbered, _NUMBERED
    # Shops pay suppliers by the week or month too, but not in sums that differ a little every month, as hours do, nor every four weeks, nor in equal ones by their payroll's scheme.
    shop = votes.most(
        [one.kind == "retailer" and not (one.nature.doubtful or one.unread) for one in signals.readings]
    )
    by_hours = grouping.groups.amount_class == AMOUNT_CLASSES.index("stable")
    by_hours |= grouping.cadences.code == CADENCES.index("four_weekly")
    by_scheme = votes.most([one.by_scheme for one in signals.readings])
    by_hours |= by_scheme & (grouping.groups.amount_class == AMOUNT_CLASSES.index("fixed"))
    staff = paid & uneven & shop & (grouping.groups.median < most) & by_month & by_hours
    often = grouping.groups.count >= np.where(by_scheme, _FEWEST_BY_SCHEME, _FEWEST_FOR_WORDS)
    staff &= (_cadence_confidence(grouping) == _HIGH) & often
    yield pay, PATTERN, staff, _SHOP_STAFF
    wages = paid & uneven & (grouping.groups.median < most) & (_cadence_confidence(grouping) == _HIGH)
    wages &= (grouping.groups.count >= _FEWEST_FOR_WORDS) & silent_firms(signals, by_month, votes.most)
    yield pay, NONE, wages, LIKE_WAGES
    for code, fits in hinted_types(book, signals, grouping, votes.most, major, lexicon):
        yield code, KEYWORD, fits, _HINTED


class _Votes:
    """The share of a group's credits for which something holds."""

    def __init__(self, signals: Signals, grouping: Grouping) -> None:
        self._in = grouping.group >= 0
        self._group = grouping.group[self._in]
        self._reading = signals.reading
        self._count = np.maximum(grouping.groups.count, 1)

    def share(self, holds: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        """Return the share of each group's credits for which it holds."""
        return np.bincount(self._group[holds[self._in]], minlength=len(self._count)) / self._count

    def most(self, holds: list[bool] | npt.NDArray[np.bool_]) -> Mask:
        """Return the groups in which it holds for more than half of the credits; a list has one value per reading, an array one per credit."""
        if isinstance(holds, list):
            holds = np.array(holds, dtype=np.bool_)[self._reading] if holds else np.zeros(0, dtype=np.bool_)
        return np.asarray(self.share(holds) > 0.5, dtype=np.bool_)


def _repaid_loans(
    book: Book,
    rows: Codes,
    signals: Signals,
    payers: Payers,
    grouping: Grouping,
    spent: Mask,
    lexicon: Lexicon,
) -> tuple[Codes, list[str]]:
    """Return single credits that were paid back to their payer in equal amounts, and what shows it."""
    major = major_units(book, book.currency.codes[rows])
    count = pick(grouping.groups.count, grouping.group, 0)
    alone = (grouping.group >= 0) & (count < _FEWEST_REPAYMENTS) & (signals.type_code == NO_TYPE)
    candidates = np.flatnonzero(
        alone & (book.amount[rows] >= _LEAST_LOAN * major) & (payers.keys[payers.key] != "")
    )
    if not candidates.size:
        return candidates, []
    of_candidates = np.zeros(len(book.customer.distinct), dtype=np.bool_)
    of_candidates[book.customer.codes[rows[candidates]]] = True
    debits = np.flatnonzero(spent & of_candidates[book.customer.codes])
    alike = joint_code(book.customer.codes[debits], book.currency.codes[debits], book.amount[debits])
    debits = debits[np.bincount(alike, minlength=1)[alike] >= _FEWEST_REPAYMENTS]
    party = party_keys(book, debits, lexicon)
    names = {str(name) for name in payers.keys[payers.key[candidates]]}
    paid = {text: names & _may_name(text) for text in set(party.distinct)}
    same = np.flatnonzero(party.are(*(text for text, named in paid.items() if named)))
    days: dict[tuple[int, int, str], dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for row, text in zip(debits[same].tolist(), party[same].tolist(), strict=True):
        for name in paid[text]:
            key = int(book.customer.codes[row]), int(book.currency.codes[row]), name
            days[key][-int(book.amount[row])].append(int(book.day[row]))
    lent, shown = [], []
    for index in candidates.tolist():
        row, name = int(rows[index]), str(payers.keys[payers.key[index]])
        key = int(book.customer.codes[row]), int(book.currency.codes[row]), name
        repayments = _repayments(days.get(key, {}), int(book.amount[row]), int(book.day[row]))
        if repayments:
            lent.append(index)
            shown.append(f"{repayments} equal debits paid it back to the same party")
    return np.array(lent, dtype=np.int64), shown


def _may_name(text: str) -> set[str]:
    """Return the parties that the text of a debit may name: itself, or several words of it, since it may also say that it repays a loan."""
    words = text.split()
    parts = itertools.combinations(range(len(words) + 1), 2)
    return {text} | {" ".join(words[start:end]) for start, end in parts if end - start > 1}


def _repayments(days: Mapping[int, Sequence[int]], amount: int, day: int) -> int:
    """Return the number of equal debits, given by amount, that repay an amount; 0 if they do not look like repayments."""
    for size in sorted(days):
        count, first = len(days[size]), min(days[size])
        if (
            count >= _FEWEST_REPAYMENTS
            and 0 < first - day <= _FIRST_REPAYMENT_DAYS
            and size <= _LARGEST_REPAYMENT * amount
            and size * count <= _MOST_REPAID * amount
        ):
            return count
    return 0


def _doubtful(signals: Signals, grouping: Grouping, votes: _Votes) -> Mask:
    """Return the groups in which a fifth or more of the credits are contradicted or point to another type."""
    inside = pick(grouping.type_code, grouping.group, NO_TYPE)
    other = (signals.type_code != inside) & (signals.type_code != NO_TYPE)
    return np.asarray(votes.share(signals.doubtful | other) > 1 - _MAJORITY, dtype=np.bool_)


def _type_confidence(
    signals: Signals, grouping: Grouping, votes: _Votes, pattern: npt.NDArray[np.object_], lexicon: Lexicon
) -> Codes:
    """Return the confidence in the type: high by the bank's code or a known payer, medium by many words that agree, otherwise low.

    Only the words tell the wages of an office from what it pays everybody.
    """
    agreed = votes.share(signals.type_code == pick(grouping.type_code, grouping.group, NO_TYPE)) >= _MAJORITY
    clear = ~_doubtful(signals, grouping, votes) & (agreed | (pattern != ""))
    firm = votes.share(is_party(signals, FIRM) | is_party(signals, STATE))
    person = votes.share(is_party(signals, PERSON))
    strong = (
        (grouping.evidence >= ENTITY) & clear & ((firm > 0) | (grouping.evidence == CODE) | (person == 0))
    )
    strong &= pattern == ""
    wages = (grouping.type_code == lexicon.code("employment")) & (grouping.evidence < CODE)
    strong &= ~(wages & votes.most([one.kind in PAY_EVERYBODY for one in signals.readings]))
    often = grouping.groups.count >= _FEWEST_FOR_WORDS
    often &= grouping.groups.last - grouping.groups.first >= _SHORTEST_FOR_WORDS_DAYS
    by_words = (grouping.evidence >= KEYWORD) & clear & often
    return np.select(
        [grouping.type_code == NO_TYPE, grouping.evidence == NONE, strong, by_words],
        [_LOW, _LOW, _HIGH, _MEDIUM],
        _LOW,
    )


def _cadence_confidence(grouping: Grouping) -> Codes:
    cadences = grouping.cadences
    sure = ~cadences.ambiguous & (cadences.score >= _SURE_SCORE)
    return np.select([cadences.code == IRREGULAR, sure], [_LOW, _HIGH], _MEDIUM)
