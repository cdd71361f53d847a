"""Payments whose nature is supported only by the sender's words.

Anyone can write SALARY, LOAN or GIFT. For a few payments in round sums from a firm on no known list, or for any payment from a company registered
far from the customer's bank, the sender's description is the only evidence, so their nature is not known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter

import numpy as np
import numpy.typing as npt

from kycpack.wealth.judge.usual_sums import BORNE_OUT, BY_THE_WEEK, most_a_year, rents_at_once, sums_a_year
from kycpack.wealth.judge.weak_words import (
    Standing,
    erratic,
    is_listed,
    lumps_of_nobody,
    much_among_friends,
    ordinary_words_alone,
)
from kycpack.wealth.match.exchange_rates import round_unit
from kycpack.wealth.prepare.clues import KEYWORD, PURPOSE
from kycpack.wealth.prepare.coded import Codes, Mask, pick
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.known_payers import OWN_TRADE
from kycpack.wealth.prepare.lexicon import NO_TYPE, Lexicon, without_words
from kycpack.wealth.prepare.parties import (
    FIRM,
    FIRM_WORD,
    LEGAL_FORM,
    NOISE,
    OF_TRADE,
    PERSON,
    STATE,
    UNKNOWN,
)
from kycpack.wealth.prepare.plain_text import to_plain_text
from kycpack.wealth.prepare.signals import Signals, is_party
from kycpack.wealth.streams.cadence import IRREGULAR
from kycpack.wealth.streams.grouping import Grouping

ONLY_THE_SENDER = "only the sender says what it is: a few payments, and nothing is known about the payer"

_FEW = 3
_ROUND = 100  # pounds, as `major_units` has them elsewhere; pay, pensions and claims are hardly ever multiples of it
_LEAST = 1_000
_LEAST_INVOICE = 5_000  # invoices are often round
_FEW_BY_PERSONS = 3
_ROUND_BY_PERSONS = 50  # a private employer pays for hours worked, less tax
_SHORTEST_PAY_DAYS = 5  # a week, less the holidays before which pay comes early
_ROUND_BY_THE_WEEK = 10  # nor is what is paid for the hours of a week, net of tax
_OFTEN_ROUND = ("self_employment", "business_income", "rental_income")
# Payments that only some trades make: an unknown firm of another trade does not make them, whatever the reference says.
_OF_A_TRADE = ("loan", "interest", "property_sale", "inheritance", "settlement", "pension")
# Firms pay wages, pensions and claims by the scheme of the banks for many payments; it bears out no payment that only lawyers and estates make.
_OF_LAWYERS = ("property_sale", "inheritance")
_OF_PUBLIC_BODIES = ("state_benefit", "tax_refund", "gambling")
# A firm that pays a bill gives its number.
_UNNUMBERED = frozenset(
    {"the words INVOICE", "the words INVOICES", "the words FACTURE", "the words RECHNUNG"}
)
_VERY_LARGE = 9_000  # sums kept just below a reporting threshold are as doubtful as those above it
_SOLD_ONCE = 5_000
_LEAST_RENT, _MOST_RENT = 250, 5_000
_MOST_NOW_AND_THEN = 7_500  # strangers hardly ever pay more several times without a calendar
# Payments for something that a person sells, lends or passes on once; if they are repeated, only the word supports them.
_ONCE_FROM_A_PERSON = ("asset_sale", "inheritance", "loan")
# Payments that somebody has to make, so a text that names nobody is too little evidence for a single payment in a round sum.
_OF_SOMEBODY = ("employment", "pension", "state_benefit", "property_sale", "business_sale")
_ROUND_OF_NOBODY = 50
_SAYS_NO_SOURCE = (
    *("cash_deposit", "person_transfer", "savings", "tax_refund"),
    *("gambling", "crypto", "state_benefit"),
)


@dataclass(frozen=True, eq=False)
class Unsupported:
    """Credits that are supported only by the sender's words.

    Args:
        groups: Groups of credits.
        groups_of_persons: Groups of credits from a person who describes them as something that firms pay.
        credits: Single credits.
        persons: Single credits from a person who does so.
    """

    groups: Mask
    groups_of_persons: Mask
    credits: Mask
    persons: Mask


def unsupported_words(
    book: Book, rows: Codes, signals: Signals, grouping: Grouping, lexicon: Lexicon
) -> Unsupported:
    """Return the credits that are supported only by the sender's words.

    Args:
        book: Transactions.
        rows: Rows of the credits.
        signals: What the credits' codes, payers and words show.
        grouping: Groups by payer.
        lexicon: Names of types.
    """
    said = np.isin(signals.evidence, (KEYWORD, PURPOSE)) & (signals.type_code != NO_TYPE)
    words = said & ~np.isin(signals.type_code, [lexicon.code(name) for name in _SAYS_NO_SOURCE])
    count = np.maximum(pick(grouping.groups.count, grouping.group, 1), 1)
    major = major_units(book, book.currency.codes[rows])
    amount = book.amount[rows]
    known = is_listed(signals)
    far, shell, loose = (signals.where(attrgetter(f"nature.{name}")) for name in ("far", "shell", "loose"))
    of_trade, fits, by_scheme, apart, abroad, between = (
        signals.where(attrgetter(name))
        for name in ("shown", "fits", "by_scheme", "apart", "abroad", "between")
    )
    unknown_firm = is_party(signals, FIRM) & ~known & ~by_scheme
    named = signals.names.codes >= 0
    stranger = unknown_firm | (is_party(signals, UNKNOWN) & named & ~(known | by_scheme))

    def is_type(*names: str) -> Mask:
        return signals.is_type(lexicon, *names)

    cadence = pick(grouping.cadences.code, grouping.group, IRREGULAR)
    irregular = (count < _FEW_BY_PERSONS) | (cadence == IRREGULAR)
    a_year = pick(sums_a_year(grouping), grouping.group, 0)
    standing = Standing(
        amount, a_year, major, count, cadence, irregular, erratic(grouping), known, of_trade, fits, by_scheme
    )
    round_ = _round_sums(signals, amount, major, loose, lexicon)
    large = amount >= _LEAST * major
    not_theirs = stranger & ~fits & (large | apart)
    unlikely = (unknown_firm | (stranger & is_type("employment"))) & ~of_trade & round_
    # Pay for the end of a job is net of tax, so it is hardly ever a whole number of pounds; persons make large gifts.
    net = is_type("employment") & (count == 1) & (amount % major != 0)
    unlikely |= stranger & irregular & is_type("employment") & large & _within_days(grouping)
    unlikely |= (~known & (far | (abroad & ~is_party(signals, PERSON))) & large) | (
        (not_theirs & is_type(*_OF_A_TRADE))
        | (is_party(signals, FIRM) & ~(known | of_trade | fits) & large & is_type(*_OF_LAWYERS))
        | (
            stranger
            & ~(fits | net | (is_type("gift") & ~(unknown_firm | apart)))
            & (amount >= _VERY_LARGE * major)
        )
    )
    doubted = words & (
        (unlikely & ((count <= _FEW) | irregular))
        | (unknown_firm & ~of_trade & is_type("gift"))
        | (signals.doubtful & ~known & (is_party(signals, FIRM) | is_party(signals, UNKNOWN)))
    )
    public = unknown_firm | not_theirs | (is_party(signals, FIRM) & apart & ~known)
    public |= _of_somebody_unknown(signals, said & loose & ~known & is_type("state_benefit"), lexicon)
    # Savings come from a bank or an own account, not from a firm in another trade.
    doubted |= (said & ~fits) & (
        (public & is_type(*_OF_PUBLIC_BODIES))
        | (is_type("savings") & (unknown_firm & (apart | large) | (stranger & large & ~signals.own_transfer)))
    )
    nobody = is_party(signals, UNKNOWN) & ~(named | known | of_trade | by_scheme)
    doubted |= said & nobody & irregular & is_type(*_OF_SOMEBODY) & (amount % (_ROUND_OF_NOBODY * major) == 0)
    # Takings are paid in, or paid out by a firm that collects them; a stranger's firm does neither.
    takings = (unknown_firm & apart & is_type("business_income")) | (~known & ~of_trade & is_type("crypto"))
    claims = (stranger & ~(of_trade | fits) & _in_round_sums(signals, amount, major, lexicon)) | (
        (named | ((count > 1) & loose)) & ~(known | fits | by_scheme) & is_type("settlement")
    )
    doubted |= (
        (said & large & takings & ~fits)
        | (words & claims)
        | _sold_to_nobody(signals, words & irregular & is_type("business_sale"), lexicon)
    )
    lump = (words | (said & is_type("gambling"))) & lumps_of_nobody(signals, standing)
    # A company has no need of a service by which persons pay each other.
    doubted |= words & (
        (unknown_firm & irregular & between & is_type("employment"))
        | _dear_now_and_then(signals, standing, lexicon)
    )
    doubted |= (
        (lump & ~signals.family)
        | (said & ordinary_words_alone(signals, standing, lexicon))
        | much_among_friends(signals, standing, lexicon)
    )
    doubted[_of_known_employers(doubted & is_type("employment"), book, rows, signals, grouping, lexicon)] = (
        False
    )
    doubted |= (words | (said & is_type("savings"))) & shell & ~(known | by_scheme)
    most = most_a_year(book, book.currency.codes[rows], lexicon, signals.type_code, cadence)
    # Pay for the hours of a week or two is hardly ever a large round sum.
    worked = words & ~known & ~by_scheme & is_type("employment", "self_employment")
    even = round_ | (is_type("employment") & large & (amount % (_ROUND_BY_THE_WEEK * major) == 0))
    doubted |= (worked & (_too_much(standing) | (even & np.isin(cadence, BY_THE_WEEK)))) | (
        said & (standing.a_year > np.where(fits & ~is_party(signals, PERSON), BORNE_OUT, 1) * most)
    )
    from_person = words & is_party(signals, PERSON) & ~is_type("gift", "employment")
    from_person &= named | ~is_type("inheritance")  # "ESTATE OF J HALL" names no payer
    doubted |= from_person & (
        (amount >= _VERY_LARGE * major) | ((count > 1) & large & is_type(*_ONCE_FROM_A_PERSON))
    )
    persons = (words & _between_persons(signals, standing, between, round_, lexicon)) | (
        lump & signals.family
    )
    doubted |= words & ~known & is_type("rental_income") & rents_at_once(signals, grouping)
    claimed = irregular & is_type("employment") & _claims_of_pay(signals)
    doubted |= claimed
    by_words = np.isin(grouping.evidence, (KEYWORD, PURPOSE)) | (_in_each_group(claimed, grouping) > 0)
    return Unsupported(
        _in_most(doubted, grouping) & by_words,
        _in_most(persons, grouping) & by_words,
        np.asarray(doubted, dtype=np.bool_),
        np.asarray(persons, dtype=np.bool_),
    )


def _within_days(grouping: Grouping) -> Mask:
    """Return the credits of groups that come more often than anybody is paid."""
    groups = grouping.groups
    often = (groups.count >= _FEW) & (groups.last - groups.first < _SHORTEST_PAY_DAYS * (groups.count - 1))
    return pick(np.asarray(often, dtype=np.bool_), grouping.group, missing=False)


def _in_each_group(holds: Mask, grouping: Grouping) -> Codes:
    """Return for how many credits of each group something holds."""
    return np.bincount(grouping.group[holds & (grouping.group >= 0)], minlength=len(grouping.type_code))


def _in_most(holds: Mask, grouping: Grouping) -> Mask:
    """Return the groups for most of whose credits something holds."""
    return np.asarray(2 * _in_each_group(holds, grouping) > grouping.groups.count, dtype=np.bool_)


def major_units(book: Book, currency: Codes) -> Codes:
    """Return, for each currency, what corresponds to a pound in everyday prices, in minor units: one major unit, or a power of ten of it.

    Args:
        book: Transactions.
        currency: Codes of the book's currencies.
    """
    return pick(np.array([round_unit(code) for code in book.currency.distinct], dtype=np.int64), currency, 1)


def _round_sums(signals: Signals, amount: Codes, major: Codes, loose: Mask, lexicon: Lexicon) -> Mask:
    """Return credits in round sums of types that hardly come in them."""
    least = np.where(signals.is_type(lexicon, *_OFTEN_ROUND), _LEAST_INVOICE, _LEAST) * major
    often_round = signals.is_type(lexicon, "investment_income", *_OF_A_TRADE)
    often_round &= ~(signals.is_type(lexicon, "loan") & loose)
    return np.asarray((amount % (_ROUND * major) == 0) & (amount >= least) & ~often_round, dtype=np.bool_)


def _in_round_sums(signals: Signals, amount: Codes, major: Codes, lexicon: Lexicon) -> Mask:
    """Return credits described as a bill or interest that come in large round sums: from a stranger, such a description is no evidence, however often they come."""
    bare = signals.where(lambda one: one.apart or any(clue.what in _UNNUMBERED for clue in one.nature.clues))
    billed = signals.is_type(lexicon, "self_employment", "business_income") & bare
    billed &= amount >= _LEAST_INVOICE * major
    worked_out = signals.is_type(lexicon, "interest") & (amount >= _LEAST * major)
    return np.asarray((billed | worked_out) & (amount % (_ROUND * major) == 0), dtype=np.bool_)


def _between_persons(signals: Signals, of: Standing, between: Mask, round_: Mask, lexicon: Lexicon) -> Mask:
    """Return credits by persons who call what is between them by a firm's word: "HUUR WEEKENDHUISJE" of TIKKIE is a friend's share of it."""

    def is_type(name: str) -> Mask:
        return signals.is_type(lexicon, name)

    hired = of.irregular | of.erratic | (of.amount % (_ROUND_BY_PERSONS * of.major) == 0)
    shared = of.irregular & (of.count < _FEW_BY_PERSONS) & (of.amount < _LEAST_RENT * of.major)
    shared &= between & (signals.names.codes >= 0)
    found = (
        (is_type("employment") & hired)
        | (is_type("loan") & of.of_trade)
        | (is_type("rental_income") & shared)
    )
    found |= is_type("self_employment") & of.irregular & round_ & ~of.of_trade
    # Persons pay for work in large round sums once, and hardly ever week after week.
    even = (of.amount >= _LEAST * of.major) & (of.amount % (_ROUND_BY_PERSONS * of.major) == 0)
    found |= is_type("self_employment") & even & (of.count >= _FEW_BY_PERSONS)
    return np.asarray(is_party(signals, PERSON) & found, dtype=np.bool_)


def _sold_to_nobody(signals: Signals, sold: Mask, lexicon: Lexicon) -> Mask:
    """Return which of some credits name nobody beside words that many firms have: "ESCROW ASSET PURCHASE"."""
    rows = np.flatnonzero(sold)
    ordinary = NOISE | LEGAL_FORM | FIRM_WORD | OF_TRADE
    left = [name.split() for name in _names_in(signals, rows, lexicon)]
    nobody = [bool(words) and all(bits & ordinary for bits in lexicon.classes.of(words)) for words in left]
    found = np.zeros(len(sold), dtype=np.bool_)
    found[rows[np.array(nobody, dtype=np.bool_)]] = True
    return found


def _of_somebody_unknown(signals: Signals, called: Mask, lexicon: Lexicon) -> Mask:
    """Return which of some credits name a payer that is not known to be anything: BENEFIT beside a name is one ordinary word, beside numbers it is a reference."""
    rows = np.flatnonzero(called & is_party(signals, UNKNOWN))
    found = np.zeros(len(called), dtype=np.bool_)
    found[rows[np.array([bool(name) for name in _names_in(signals, rows, lexicon)], dtype=np.bool_)]] = True
    return found


def _names_in(signals: Signals, rows: Codes, lexicon: Lexicon) -> list[str]:
    """Return what names the payer in some rows, from `payer_names`."""
    texts = np.where(
        signals.names.codes[rows] >= 0, signals.names.texts(rows), signals.description.texts(rows)
    )
    return payer_names(texts.tolist(), lexicon)


def _claims_of_pay(signals: Signals) -> Mask:
    """Return credits whose word for pay needs a calendar: of those who deal in coins, bets or others' money, and an ordinary word of a public body beside unread ones."""
    kinds, state = OWN_TRADE | {"payment_processor"}, is_party(signals, STATE)
    vague = signals.where(lambda one: one.nature.loose and one.unread)
    return signals.where(lambda one: one.kind in kinds) | (state & vague)


def _dear_now_and_then(signals: Signals, of: Standing, lexicon: Lexicon) -> Mask:
    """Return credits without a calendar for what no stranger pays in parts, or for more rent than tenants pay."""
    sold = signals.is_type(lexicon, "asset_sale", "business_sale") & (of.count > 1)
    sold &= (of.amount >= _SOLD_ONCE * of.major) & ~is_party(signals, PERSON)
    let = signals.is_type(lexicon, "rental_income")
    let &= of.amount >= np.where(of.fits, BORNE_OUT, 1) * _MOST_RENT * of.major
    return np.asarray((sold | let) & of.irregular & ~(of.known | of.by_scheme), dtype=np.bool_)


def _too_much(of: Standing) -> Mask:
    """Return credits of more than strangers pay several times without a calendar."""
    several = of.irregular & (of.count > 1)
    return np.asarray(several & (of.amount >= _MOST_NOW_AND_THEN * of.major), dtype=np.bool_)


def _of_known_employers(
    doubted: Mask, book: Book, rows: Codes, signals: Signals, grouping: Grouping, lexicon: Lexicon
) -> Codes:
    """Return doubted credits that are pay from a payer who pays the customer regularly under another word, as with a thirteenth salary."""
    single = np.flatnonzero(doubted)
    jobs = np.flatnonzero(
        (grouping.type_code == lexicon.code("employment"))
        & (grouping.groups.count > _FEW)
        & grouping.regular
        & np.isin(grouping.customer, book.customer.codes[rows[single]])
    )
    if not single.size or not jobs.size:
        return single[:0]
    payers = _names_in(signals, single, lexicon) + payer_names(grouping.payer[jobs].tolist(), lexicon)
    known = {
        (int(grouping.customer[job]), payer)
        for job, payer in zip(jobs.tolist(), payers[len(single) :], strict=True)
        if payer
    }
    return np.array(
        [
            index
            for index, payer in zip(single.tolist(), payers, strict=False)
            if (int(book.customer.codes[rows[index]]), payer) in known
        ],
        dtype=np.int64,
    )


def free_words(
    signals: Signals,
    grouping: Grouping,
    most: Callable[[list[bool] | npt.NDArray[np.bool_]], Mask],
    lexicon: Lexicon,
) -> Mask:
    """Return the groups that one ordinary word of an unnamed sender describes, such as RENT, or a person's word for work.

    Args:
        signals: What the credits' codes, payers and words show.
        grouping: Groups by payer.
        most: Returns the groups for which something holds for most credits.
        lexicon: Names of types.
    """
    worded = grouping.evidence == KEYWORD
    ordinary = worded & most([one.nature.loose for one in signals.readings])
    asked = np.flatnonzero(ordinary & ~most(np.asarray(signals.names.codes >= 0, dtype=np.bool_)))
    nameless = [not name for name in payer_names(grouping.payer[asked].tolist(), lexicon)]
    free = worded & most(is_party(signals, PERSON))
    free &= grouping.type_code == lexicon.code("self_employment")
    free[asked[nameless]] = True
    return np.asarray(free, dtype=np.bool_)


def payer_names(texts: list[object], lexicon: Lexicon) -> list[str]:
    """Return the words of texts that name the payer, without the words for what was paid.

    Args:
        texts: Payers' names, or payment descriptions.
        lexicon: Words that name nobody.
    """
    plain = to_plain_text([str(text) for text in texts])
    bare = lexicon.payer_names(np.array(plain, dtype=object))
    return without_words(without_words(bare, lexicon.nature_pattern), lexicon.bonus_pattern)
