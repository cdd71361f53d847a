"""What payments of each type add up to in a year, and which of them come on the days and in the sums of pay or rent.

A word that the sender chose is believed as far as sum and rhythm fit it: nobody is paid a pension of 3,000 pounds a week, and no estate
is paid out month after month. However often the word is repeated, it stays one piece of evidence.

Words that are only a hint give a type only to payments that also follow its pattern: STAFF or PENS in the middle of a text may be part of a name; an amount that
a person can live on, month after month, is hardly chance.

Sums and calendar may also show another nature than a known payer usually pays, or wages from a firm that says nothing of what it pays for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import numpy.typing as npt

from kycpack.wealth.match.exchange_rates import ABOVE_ALL, threshold_bounds
from kycpack.wealth.match.sides import OwnParties
from kycpack.wealth.prepare.clues import ENTITY, KEYWORD, NONE, PATTERN, REFUND
from kycpack.wealth.prepare.coded import Codes, Mask, joint_code, pick
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.known_payers import PUBLIC_KINDS
from kycpack.wealth.prepare.lexicon import NO_TYPE, Lexicon, matches
from kycpack.wealth.prepare.parties import FIRM, PERSON
from kycpack.wealth.prepare.plain_text import to_words
from kycpack.wealth.prepare.readings import Reading
from kycpack.wealth.prepare.signals import Signals, is_party
from kycpack.wealth.streams.cadence import CADENCES, PAYMENTS_A_YEAR
from kycpack.wealth.streams.grouping import Grouping
from kycpack.wealth.streams.streams import AMOUNT_CLASSES

_LEAST_RENT, _MOST_RENT = 250, 5_000  # pounds, as `major_units` has them elsewhere
_FEWEST_RENTS = 6
_RENT_DAYS = (1, 2, 3, 4, 5)
_RENT_ON_TIME = 0.8
_FEWEST_AT_ONCE = 3
_SHORTEST_RENT_DAYS = 5  # a week, less the holidays before which a tenant pays early
_LIKE_BENEFIT = "a tax office pays it weekly, as benefits are paid"
_LIKE_PAY = "a tax office pays it by the week, fortnight or month, and the text says PAY, as to its staff"
_LEFT_OVER = "a lender pays an odd sum and no word names a loan: it may be left over or paid back"
_TOO_LITTLE = "only the payer's name or an address suggests it, and a home is sold for more: fees may have been paid back"
_SOLD_OR_PAID = "a registrar pays a large sum and no word says what for: a dividend, or shares that were sold"
_PAID_ONCE = "only the payer's name suggests it, and this payment is not one of several, as such payers pay by the month"
_LIKE_STAFF = (
    "a bookmaker, a casino or an exchange pays on a calendar and not in round sums, as it pays its staff, "
    "and no word names winnings or a sale"
)
_LIKE_TRADE = "a marketplace pays more than 2,000 a year in six or more payments, as it pays traders"
_LEAST_A_WEEK, _LEAST_A_MONTH = 100, 400  # pounds: pay for a working day a week
_ROUND_WIN = 50  # pounds: prizes and savings plans paid by the month are round
_MOST_DIVIDEND = (
    2_000  # pounds: few people hold more of one company, and a registrar also pays for shares that are sold
)
_LEAST_HOME = 2_000  # pounds: what is left of the price of a home, and more than a lawyer's fees
_BY_THE_MONTH = ("pension", "rental_income")
# Directive (EU) 2021/514 (DAC7), annex V, section I B(4)(d), and the OECD's model rules, which the United Kingdom follows: up to 2,000 euros
# a year in fewer than 30 sales, a platform need not report who sells things on it. A bank shows payments and not sales, so that their number
# is a firm's standard: a seller's clear-out takes few.
_MOST_OF_OWN_THINGS, _FEWEST_OF_TRADE = 2_000, 6
_DAYS_A_YEAR = 365
LIKE_WAGES = "only the payer's name and the pattern of the payments speak for pay"
"""What shows payments that are `ONLY_POSSIBLE`: a firm pays uneven amounts on a calendar, as it pays its staff, and says nothing of them; whoever sends money chooses its name."""

BORNE_OUT = 3
"""How many times as much a word supports if the payer's own name says that it pays such things."""

_MOST_TENANTS = 2
_OF_A_WORD = 0.5  # amounts and dates alone support half of what a word for rent supports
_THOUSAND = Decimal(1_000)
BY_THE_WEEK = tuple(CADENCES.index(name) for name in ("weekly", "fortnightly"))
"""Indices into `CADENCES`."""

_PAY_CADENCES = ("weekly", "fortnightly", "four_weekly", "semi_monthly", "monthly")
# The usual pattern of payments whose words only hint at a type: cadences, and the smallest sum in a year, in pounds.
_HINTED = (
    ("employment", _PAY_CADENCES, 1_000),
    ("pension", _PAY_CADENCES, 100),
    ("state_benefit", _PAY_CADENCES, 100),
    ("rental_income", ("weekly", "four_weekly", "monthly", "quarterly", "semi_annual"), 300),
    ("investment_income", ("monthly", "quarterly", "semi_annual"), 1),
)
_BENEFIT_CADENCES = tuple(CADENCES.index(name) for name in ("weekly", "fortnightly", "four_weekly"))


def like_rent(book: Book, rows: Codes, grouping: Grouping, major: Codes) -> Mask:
    """Return the monthly groups of one round amount that are paid around the first of the month."""
    groups = grouping.groups
    fixed = groups.amount_class == AMOUNT_CLASSES.index("fixed")
    sized = (groups.median >= _LEAST_RENT * major) & (groups.median <= _MOST_RENT * major)
    round_ = groups.median % (5 * major) == 0
    monthly = grouping.cadences.code == CADENCES.index("monthly")
    often = groups.count >= _FEWEST_RENTS
    candidate = np.asarray(fixed & sized & round_ & monthly & often, dtype=np.bool_)
    if not candidate.any():
        return candidate
    mine = np.flatnonzero((grouping.group >= 0) & pick(candidate, grouping.group, missing=False))
    days = book.day[rows[mine]].astype("datetime64[D]")
    of_month = (days - days.astype("datetime64[M]")).astype(np.int64) + 1
    on_time = np.bincount(grouping.group[mine], weights=np.isin(of_month, _RENT_DAYS), minlength=len(groups))
    return np.asarray(candidate & (on_time >= _RENT_ON_TIME * groups.count), dtype=np.bool_)


def same_surname(book: Book, grouping: Grouping, parties: OwnParties) -> Mask:
    """Return the groups whose payer has the last name of the customer, or of a holder of the customer's accounts."""
    same = np.zeros(len(grouping.type_code), dtype=np.bool_)
    people = np.flatnonzero(grouping.person & (grouping.groups.count >= _FEWEST_RENTS))
    texts = to_words([str(grouping.payer[index]) for index in people.tolist()])
    for index, text in zip(people.tolist(), texts, strict=True):
        names = parties.names.get(str(book.customer.distinct[grouping.customer[index]]), ())
        same[index] = any(not last.isdisjoint(text.split()) for _, last in names)
    return same


def rents_at_once(signals: Signals, grouping: Grouping) -> Mask:
    """Return the credits of groups of one text, three times or more and more often than by the week: a home is let once for a time, so RENT FLAT 2 is a word.

    Args:
        signals: Texts of the credits.
        grouping: Groups by payer.
    """
    groups = grouping.groups
    often = groups.last - groups.first < _SHORTEST_RENT_DAYS * (groups.count - 1)
    often &= groups.count >= _FEWEST_AT_ONCE
    mine = np.flatnonzero((grouping.group >= 0) & pick(often, grouping.group, missing=False))
    group = grouping.group[mine]
    same = joint_code(group, signals.description.codes[mine])
    most = np.zeros(len(groups), dtype=np.int64)
    np.maximum.at(most, group, np.bincount(same, minlength=1)[same])
    return pick(np.asarray(often & (2 * most > groups.count), dtype=np.bool_), grouping.group, missing=False)


@dataclass(frozen=True)
class _Most:
    """The most that a word supports, in pounds a year.

    Args:
        by_the_month: For payments every four weeks or less often.
        by_the_week: For payments every week or two.
    """

    by_the_month: int
    by_the_week: int


_MOST = {
    "employment": _Most(150_000, 100_000),
    "self_employment": _Most(150_000, 100_000),
    "pension": _Most(100_000, 30_000),
    "state_benefit": _Most(40_000, 40_000),
    "rental_income": _Most(60_000, 40_000),
    "investment_income": _Most(100_000, 0),
    "interest": _Most(100_000, 1_000),
    "savings": _Most(100_000, 10_000),
    "settlement": _Most(100_000, 30_000),
    "loan": _Most(10_000, 10_000),
    "asset_sale": _Most(20_000, 20_000),
    "gambling": _Most(10_000, 10_000),
    "tax_refund": _Most(40_000, 0),
    "inheritance": _Most(0, 0),
    "property_sale": _Most(0, 0),
    "business_sale": _Most(0, 0),
}


def sums_a_year(grouping: Grouping) -> Codes:
    """Return what each group's median payment adds up to in a year, minor units; 0 for groups without a calendar."""
    a_year = np.array([PAYMENTS_A_YEAR.get(name, 0) for name in CADENCES], dtype=np.int64)
    return np.asarray(grouping.groups.median * a_year[grouping.cadences.code], dtype=np.int64)


def usual_rents(book: Book, grouping: Grouping, alike: Mask, lexicon: Lexicon) -> Mask:
    """Return which groups may be rents, although no word says so: those of one or two tenants, at sums that are usual for them together.

    Args:
        book: Transactions.
        grouping: Groups by payer.
        alike: Groups of persons who pay as tenants do, by amount and day.
        lexicon: Names of types.
    """
    owner = grouping.customer * len(book.currency.distinct) + grouping.currency
    _, of_owner = np.unique(owner, return_inverse=True)
    tenants = np.bincount(of_owner, weights=alike)
    a_year = np.bincount(of_owner, weights=np.where(alike, sums_a_year(grouping), 0))
    rent = np.full(len(owner), lexicon.code("rental_income"))
    most = _OF_A_WORD * most_a_year(book, grouping.currency, lexicon, rent, grouping.cadences.code)
    return np.asarray(
        alike & (tenants[of_owner] <= _MOST_TENANTS) & (a_year[of_owner] <= most), dtype=np.bool_
    )


def most_a_year(
    book: Book, currency: Codes, lexicon: Lexicon, type_code: Codes, cadence: Codes
) -> npt.NDArray[np.float64]:
    """Return the most that a word for each type supports in a year, minor units; infinite without a limit or a rate.

    Args:
        book: Transactions.
        currency: Code of the book's currencies for each payment.
        lexicon: Names of types.
        type_code: Type of each payment.
        cadence: Index into `CADENCES` for each payment.
    """
    most = np.full((2, len(lexicon.types) + 1), np.inf)
    for name, limit in _MOST.items():
        most[:, lexicon.code(name)] = limit.by_the_month, limit.by_the_week
    highest = [threshold_bounds(_THOUSAND, "GBP", code)[1] for code in book.currency.distinct]
    pound = np.array([np.inf if one == ABOVE_ALL else one / int(_THOUSAND) for one in highest])
    limits = most[np.isin(cadence, BY_THE_WEEK).astype(np.int64), type_code]
    return np.where(limits > 0, limits * pick(pound, currency, np.inf), 0)


def like_pay_days(grouping: Grouping) -> Mask:
    """Return the groups on a calendar on which people are paid."""
    return np.isin(grouping.cadences.code, [CADENCES.index(name) for name in _PAY_CADENCES])


def hinted_types(
    book: Book,
    signals: Signals,
    grouping: Grouping,
    most: Callable[[list[bool] | npt.NDArray[np.bool_]], Mask],
    major: Codes,
    lexicon: Lexicon,
) -> Iterator[tuple[int, Mask]]:
    """Yield the code of each type that words can hint at, and the groups without a type that it fits.

    Args:
        book: Transactions.
        signals: What the credits' codes, payers and words show.
        grouping: Groups.
        most: Returns the groups for which something holds for most credits.
        major: The value from `major_units`, for each group.
        lexicon: Names of types.
    """
    open_ = grouping.regular & (grouping.type_code == NO_TYPE) & ~most(is_party(signals, PERSON))
    cadence, a_year = grouping.cadences.code, sums_a_year(grouping)
    for name, cadences, least in _HINTED:
        code = lexicon.code(name)
        hinted = open_ & most([one.nature.hint == name for one in signals.readings])
        hinted &= np.isin(cadence, [CADENCES.index(one) for one in cadences])
        largest = most_a_year(book, grouping.currency, lexicon, np.full_like(cadence, code), cadence)
        yield code, np.asarray(hinted & (a_year >= least * major) & (a_year <= largest), dtype=np.bool_)


def corrected_types(
    signals: Signals,
    grouping: Grouping,
    most: Callable[[list[bool] | npt.NDArray[np.bool_]], Mask],
    major: Codes,
    lexicon: Lexicon,
) -> Iterator[tuple[Mask, int, int, str]]:
    """Yield groups whose calendar or sums show another nature than their payer: the groups, type, evidence level, and what shows it.

    Args:
        signals: What the credits' codes, payers and words show.
        grouping: Groups by payer, with the types that these show.
        most: Returns the groups in which something holds for most credits; one value per reading.
        major: Minor units of one pound, for each group.
        lexicon: Names of types.
    """
    cadence = grouping.cadences.code
    refunded = grouping.type_code == lexicon.code("tax_refund")
    office = most([one.kind == "tax_office" and one.nature.by_firm for one in signals.readings])
    benefit = office & np.isin(cadence, _BENEFIT_CADENCES) & refunded
    yield benefit, lexicon.code("state_benefit"), ENTITY, _LIKE_BENEFIT
    staff = office & like_pay_days(grouping) & refunded & most(_says_pay(signals, lexicon))
    yield staff, lexicon.code("employment"), KEYWORD, _LIKE_PAY
    # Taxes are paid back once a year or quarter: what an office pays each week or month is a benefit or wages, and its name says no more.
    by_office = most(
        [
            one.nature.by_firm
            and one.kind != "tax_office"
            and sum(clue.says in ("tax_refund", REFUND) for clue in one.nature.clues) == 1
            for one in signals.readings
        ]
    )
    yield by_office & grouping.regular & like_pay_days(grouping) & refunded, NO_TYPE, NONE, ""
    # Companies pay dividends a few times a year: what their registrar pays like wages may be a pension that it administers.
    registrar = most([one.kind == "registrar" and one.nature.by_firm for one in signals.readings])
    yield registrar & grouping.regular & like_pay_days(grouping), NO_TYPE, NONE, ""
    groups = grouping.groups
    # Where no word says WINNINGS or WITHDRAWAL, the name alone makes it a win.
    house = most([one.nature.by_firm for one in signals.readings])
    house &= grouping.regular & like_pay_days(grouping) & (groups.median % (_ROUND_WIN * major) != 0)
    # Nobody works for so little, however few hours.
    house &= groups.median >= np.where(np.isin(cadence, BY_THE_WEEK), _LEAST_A_WEEK, _LEAST_A_MONTH) * major
    alike = groups.amount_class != AMOUNT_CLASSES.index("erratic")
    own_trade = (grouping.type_code == lexicon.code("gambling")) | most(
        [one.kind == "crypto" for one in signals.readings]
    )
    yield house & alike & own_trade, NO_TYPE, NONE, _LIKE_STAFF
    marketplace = most([one.kind == "marketplace" for one in signals.readings])
    years = np.maximum(groups.last - groups.first, _DAYS_A_YEAR) / _DAYS_A_YEAR
    trade = marketplace & (grouping.type_code == lexicon.code("asset_sale"))
    trade &= (groups.count >= _FEWEST_OF_TRADE) & (groups.total > _MOST_OF_OWN_THINGS * major * years)
    yield trade, lexicon.code("business_income"), PATTERN, _LIKE_TRADE


def may_pay_for_more(one: Reading, lexicon: Lexicon) -> bool:
    """Return whether a public body pays with words that are not understood: it also pays carers, suppliers, pensioners and families, so it is not always pay."""
    serves = one.kind in PUBLIC_KINDS or "state_benefit" in lexicon.trades.types.get(one.trade, ())
    return one.unread and serves


def _says_pay(signals: Signals, lexicon: Lexicon) -> Mask:
    """Return the credits whose text has the word PAY, as in "NSSO PAY REV", and no word for a refund."""
    words = signals.description.read(lexicon.words_of)
    says = np.array(["pay" in text.split() for text in words.distinct.tolist()], dtype=np.bool_)
    says[says] = ~matches(words.distinct[says].tolist(), lexicon.refund_pattern)
    return pick(says, words.codes, missing=False)


def unlike_their_payers(
    signals: Signals, amount: Codes, count: Codes, major: Codes, lexicon: Lexicon
) -> Iterator[tuple[Mask, str, str]]:
    """Yield credits to which only the payer's name gives a type that their sum or number does not bear out: the credits, the type, and what shows it.

    Loans are paid out in whole pounds, what is left over or paid back is not; a home is sold for more than a lawyer's fees; rent and pensions come again and again.

    Args:
        signals: What the credits' codes, payers and words show.
        amount: Amounts of the credits, minor units.
        count: Number of payments in each credit's group.
        major: Minor units of one pound, for each credit.
        lexicon: Names of types.
    """
    by_name = signals.where(lambda one: one.nature.by_firm)
    lender = by_name & signals.where(lambda one: one.kind == "lender") & signals.is_type(lexicon, "loan")
    yield np.asarray(lender & (amount % major != 0), dtype=np.bool_), "loan", _LEFT_OVER
    registrar = by_name & signals.where(lambda one: one.kind == "registrar")
    dividend = registrar & signals.is_type(lexicon, "investment_income") & (amount >= _MOST_DIVIDEND * major)
    yield np.asarray(dividend, dtype=np.bool_), "investment_income", _SOLD_OR_PAID
    home = by_name & signals.is_type(lexicon, "property_sale") & (amount < _LEAST_HOME * major)
    yield np.asarray(home, dtype=np.bool_), "property_sale", _TOO_LITTLE
    for name in _BY_THE_MONTH:
        once = by_name & signals.is_type(lexicon, name) & (count == 1)
        yield np.asarray(once, dtype=np.bool_), name, _PAID_ONCE


def silent_firms(
    signals: Signals,
    by_month: Mask,
    most: Callable[[list[bool] | npt.NDArray[np.bool_]], Mask],
) -> Mask:
    """Return the groups of firms that name no nature and either ply a trade that pays private persons nothing but wages, or pay by the week through a scheme for firms.

    Args:
        signals: What the credits' codes, payers and words show.
        by_month: Groups that come every four weeks or every month, as pensions and rents do too.
        most: Returns the groups for which something holds for most credits.
    """
    silent = [_is_silent(one) for one in signals.readings]
    of_trade = [said and one.staffed for said, one in zip(silent, signals.readings, strict=True)]
    by_scheme = [
        said and one.by_scheme and one.like_firm for said, one in zip(silent, signals.readings, strict=True)
    ]
    return most(of_trade) | (most(by_scheme) & ~by_month)


def _is_silent(one: Reading) -> bool:
    """Return whether a firm of no known kind, trade or far register pays, and no word says what for."""
    nature = one.nature
    known = one.kind or one.trade or one.unread or nature.doubtful or nature.far or nature.shell
    return nature.party == FIRM and not (known or any(clue.says != FIRM for clue in nature.clues))
