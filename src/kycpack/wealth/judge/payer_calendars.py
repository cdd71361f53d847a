"""What calendar and sums show about a payer: another nature than a known payer usually pays, or wages from a firm that says nothing of what it pays for."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from kycpack.wealth.judge.usual_sums import BY_THE_WEEK, like_pay_days
from kycpack.wealth.prepare.clues import ENTITY, KEYWORD, NONE, PATTERN, REFUND
from kycpack.wealth.prepare.coded import Codes, Mask, pick
from kycpack.wealth.prepare.known_payers import PUBLIC_KINDS
from kycpack.wealth.prepare.lexicon import NO_TYPE, Lexicon, matches
from kycpack.wealth.prepare.parties import FIRM
from kycpack.wealth.prepare.readings import Reading
from kycpack.wealth.prepare.signals import Signals
from kycpack.wealth.streams.cadence import CADENCES
from kycpack.wealth.streams.grouping import Grouping
from kycpack.wealth.streams.streams import AMOUNT_CLASSES

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
_BENEFIT_CADENCES = tuple(CADENCES.index(name) for name in ("weekly", "fortnightly", "four_weekly"))
# Directive (EU) 2021/514 (DAC7), annex V, section I B(4)(d), and the OECD's model rules, which the United Kingdom follows: up to 2,000 euros
# a year in fewer than 30 sales, a platform need not report who sells things on it. A bank shows payments and not sales, so that their number
# is a firm's standard: a seller's clear-out takes few.
_MOST_OF_OWN_THINGS, _FEWEST_OF_TRADE = 2_000, 6
_DAYS_A_YEAR = 365
LIKE_WAGES = "only the payer's name and the pattern of the payments speak for pay"
"""What shows payments that are `ONLY_POSSIBLE`: a firm pays uneven amounts on a calendar, as it pays its staff, and says nothing of them; whoever sends money chooses its name."""


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
