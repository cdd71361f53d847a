"""Where calendar and sums of a known payer show another nature than it usually pays."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from kycpack.wealth.judge.hinted import like_pay_days
from kycpack.wealth.prepare.clues import REFUND
from kycpack.wealth.prepare.coded import Codes, Mask, pick
from kycpack.wealth.prepare.evidence_levels import ENTITY, KEYWORD, NONE, PATTERN
from kycpack.wealth.prepare.lexicon import NO_TYPE, Lexicon, matches
from kycpack.wealth.prepare.signals import Signals
from kycpack.wealth.streams.cadence import CADENCES
from kycpack.wealth.streams.grouping import Grouping
from kycpack.wealth.streams.streams import AMOUNT_CLASSES

_LIKE_BENEFIT = "a tax office pays it weekly, as benefits are paid"
_LIKE_PAY = "a tax office pays it by the week, fortnight or month, and the text says PAY, as to its staff"
LEFT_OVER = "a lender pays an odd sum and no word names a loan: it may be left over or paid back"
_LIKE_STAFF = (
    "a bookmaker or a casino pays similar uneven sums on a calendar, as it pays its staff, and nobody wins so"
)
_LIKE_TRADE = "a marketplace pays more than 2,000 a year in six or more payments, as it pays traders"
_ROUND_WIN = 50  # pounds: prizes paid by the month are round
_BENEFIT_CADENCES = tuple(CADENCES.index(name) for name in ("weekly", "fortnightly", "four_weekly"))
# Directive (EU) 2021/514 (DAC7), annex V, section I B(4)(d), and the OECD's model rules, which the United Kingdom follows: up to 2,000 euros
# a year in fewer than 30 sales, a platform need not report who sells things on it. A bank shows payments and not sales, so that their number
# is a firm's standard: a seller's clear-out takes few.
_MOST_OF_OWN_THINGS, _FEWEST_OF_TRADE = 2_000, 6
_DAYS_A_YEAR = 365


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
    # Taxes are paid back once a year or quarter: what an office pays each month it pays for somebody, as wages, and its name says no more.
    by_office = most(
        [
            one.nature.by_firm
            and one.kind != "tax_office"
            and sum(clue.says in ("tax_refund", REFUND) for clue in one.nature.clues) == 1
            for one in signals.readings
        ]
    )
    monthly = grouping.regular & (cadence == CADENCES.index("monthly"))
    yield by_office & monthly & refunded, NO_TYPE, NONE, ""
    groups = grouping.groups
    # Where no word says WINNINGS or WITHDRAWAL, the name alone makes it a win.
    house = most([one.nature.by_firm for one in signals.readings])
    house &= (grouping.type_code == lexicon.code("gambling")) & grouping.regular & like_pay_days(grouping)
    alike = groups.amount_class != AMOUNT_CLASSES.index("erratic")
    yield house & alike & (groups.median % (_ROUND_WIN * major) != 0), NO_TYPE, NONE, _LIKE_STAFF
    marketplace = most([one.kind == "marketplace" for one in signals.readings])
    years = np.maximum(groups.last - groups.first, _DAYS_A_YEAR) / _DAYS_A_YEAR
    trade = marketplace & (grouping.type_code == lexicon.code("asset_sale"))
    trade &= (groups.count >= _FEWEST_OF_TRADE) & (groups.total > _MOST_OF_OWN_THINGS * major * years)
    yield trade, lexicon.code("business_income"), PATTERN, _LIKE_TRADE


def _says_pay(signals: Signals, lexicon: Lexicon) -> Mask:
    """Return the credits whose text has the word PAY, as in "NSSO PAY REV", and no word for a refund."""
    words = signals.description.read(lexicon.words_of)
    refunds = matches(words.distinct.tolist(), lexicon.refund_pattern)
    says = [
        "pay" in text.split() and not refund
        for text, refund in zip(words.distinct.tolist(), refunds.tolist(), strict=True)
    ]
    return pick(np.array(says, dtype=np.bool_), words.codes, missing=False)


def odd_sums_of_lenders(signals: Signals, amount: Codes, major: Codes) -> Mask:
    """Return credits by lenders that name no loan, in odd sums: loans are paid out in whole pounds, what is left over or paid back is not.

    Args:
        signals: What the credits' codes, payers and words show.
        amount: Amounts of the credits, minor units.
        major: Minor units of one pound, for each credit.
    """
    by_name = signals.where(
        lambda one: one.kind == "lender" and one.nature.type == "loan" and one.nature.by_firm
    )
    return np.asarray(by_name & (amount % major != 0), dtype=np.bool_)
