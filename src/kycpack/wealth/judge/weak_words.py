"""Words that establish nothing by themselves: an ordinary word, a large sum that names nobody, a friend's word for a large amount.

A second piece of evidence has to support them: the payer, what such payers pay, a calculated amount, or a calendar. An invoice is paid once: where one is paid again
and again, its number is only what the sender wrote.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kycpack.wealth.prepare.clues import BANK_CODE, KEYWORD, PURPOSE
from kycpack.wealth.prepare.coded import Codes, Mask, joint_code, pick
from kycpack.wealth.prepare.lexicon import Lexicon
from kycpack.wealth.prepare.parties import FIRM, PERSON, STATE, UNKNOWN
from kycpack.wealth.prepare.readings import Reading
from kycpack.wealth.prepare.signals import Signals, is_party
from kycpack.wealth.streams.cadence import CADENCES
from kycpack.wealth.streams.grouping import Grouping
from kycpack.wealth.streams.streams import AMOUNT_CLASSES

# Payers who support an ordinary word by what they are: firms pay wages and bills, families make gifts.
_NOT_FROM_FIRMS = ("cash_deposit", "gift", "rental_income")
_FROM_THE_STATE = ("employment", "pension", "state_benefit", "tax_refund")
_FROM_PERSONS = ("asset_sale", "gift", "loan", "rental_income")
_FEWEST_OFTEN = 3
_LARGE = 10_000  # pounds, as `major_units` has them elsewhere
_MOST_SHARED = 200  # friends hardly pay more for each other's meals and tickets; child support or a share of the rent comes monthly
# What firms of a trade pay: the name of any other payer does not support a word for it, nor does a calendar.
_OF_A_TRADE = (
    *("asset_sale", "business_sale", "crypto", "gambling", "inheritance", "interest", "investment_income"),
    *("loan", "property_sale", "savings", "settlement", "state_benefit", "tax_refund"),
)
# What nobody is paid again and again, and what hardly anybody is paid again and again in round sums, whatever the payer's trade.
_PAID_ONCE = ("business_sale", "inheritance", "property_sale")
_HARDLY_ROUND = ("asset_sale", "employment", "loan", "settlement")
# In pounds: pay above what is free of tax (12,570 a year in Great Britain) is net of it and hardly ever round; smaller interest and dividends are
# worked out, and no wealth.
_ROUND, _LEAST_LARGE = 10, 1_050
_MONTHS = 12
ROUND_SUMS = "only words speak for it, of a payer on no list, and the sums are round, as amounts after tax hardly ever are"
ANYBODY = "only words speak for it, of a payer on no list whose name does not show that such things are paid"
"""What is against words that nothing else supports."""
_BY_THE_MONTH = tuple(
    CADENCES.index(name) for name in ("fortnightly", "four_weekly", "semi_monthly", "monthly")
)
_FEWEST_OF_AN_INVOICE = 3
_INVOICED = ("self_employment", "business_income")


@dataclass(frozen=True, eq=False)
class Standing:
    """What is known about each credit besides its words.

    Args:
        amount: Amount in minor units.
        a_year: What the payments of its group add up to in a year, minor units; 0 without a calendar.
        major: The value from `major_units`, for each credit.
        count: Number of payments in its group.
        cadence: Index into `CADENCES`.
        irregular: Whether no calendar fits.
        erratic: Whether the amounts of its group have nothing in common.
        known: Whether the payer is listed.
        of_trade: Whether the payer's name shows a trade.
        fits: Whether payers of this kind make payments of this kind.
        by_scheme: Whether it came through a scheme that only firms and public bodies use.
    """

    amount: Codes
    a_year: Codes
    major: Codes
    count: Codes
    cadence: Codes
    irregular: Mask
    erratic: Mask
    known: Mask
    of_trade: Mask
    fits: Mask
    by_scheme: Mask


def erratic(grouping: Grouping) -> Mask:
    """Return the credits of groups whose amounts have nothing in common."""
    found = grouping.groups.amount_class == AMOUNT_CLASSES.index("erratic")
    return pick(np.asarray(found, dtype=np.bool_), grouping.group, missing=False)


def is_listed(signals: Signals) -> Mask:
    """Return credits whose payer is on a list; who pays through a service that passes on other people's money is not known."""
    return signals.where(lambda one: one.kind not in ("", "payment_processor"))


def ordinary_words_alone(signals: Signals, standing: Standing, lexicon: Lexicon) -> Mask:
    """Return credits that are described by one ordinary word and supported by nothing else: no more than two from one payer, or with other words that are not understood, from a payer who may be anybody."""
    loose = signals.where(lambda one: one.nature.loose)
    few = standing.irregular & (standing.count < _FEWEST_OFTEN)
    few |= is_party(signals, UNKNOWN) & signals.where(lambda one: one.unread and not (one.kind or one.trade))
    firm = is_party(signals, FIRM) & ~signals.is_type(lexicon, *_NOT_FROM_FIRMS)
    state = is_party(signals, STATE) & signals.is_type(lexicon, *_FROM_THE_STATE)
    person = is_party(signals, PERSON) & signals.is_type(lexicon, *_FROM_PERSONS)
    # "RENT MARQUEE" of a person once is anything that people hire.
    person &= ~(signals.is_type(lexicon, "rental_income") & signals.where(lambda one: one.unread))
    worked_out = signals.is_type(lexicon, "interest") & (standing.amount % standing.major != 0)
    by_bank = is_party(signals, UNKNOWN) & signals.is_type(lexicon, "cash_deposit")  # "COUNTER CREDIT"
    borne_out = standing.fits | firm | state | person
    # A credit with a name beside the word is judged by that name: `Est Of Late M Hall` is not a person.
    borne_out |= signals.is_type(lexicon, "inheritance") & (signals.names.codes >= 0)
    borne_out |= worked_out | by_bank | signals.is_type(lexicon, "person_transfer")
    return np.asarray(loose & few & ~borne_out, dtype=np.bool_)


def lumps_of_nobody(signals: Signals, standing: Standing) -> Mask:
    """Return large sums without a named payer who makes payments of this kind: the reference is the only evidence."""
    nobody = is_party(signals, UNKNOWN) & (signals.names.codes < 0)
    nobody &= ~(standing.known | standing.by_scheme | standing.fits)
    large = standing.amount >= _LARGE * standing.major
    return np.asarray(nobody & standing.irregular & large, dtype=np.bool_)


def much_among_friends(signals: Signals, standing: Standing, lexicon: Lexicon) -> Mask:
    """Return credits with a friend's word from a payer not known to be a person: PIZZA is a shared meal, and also a restaurant's takings."""
    shared = (signals.evidence == KEYWORD) & signals.is_type(lexicon, "person_transfer")
    shared &= is_party(signals, UNKNOWN) & ~signals.family & ~standing.known
    shared &= ~np.isin(standing.cadence, _BY_THE_MONTH)
    much = standing.amount >= _MOST_SHARED * standing.major
    return np.asarray(shared & (standing.of_trade | much), dtype=np.bool_)


def words_of_strangers(
    signals: Signals,
    amount: Codes,
    a_year: Codes,
    major: Codes,
    most: Callable[[list[bool] | npt.NDArray[np.bool_]], Mask],
    lexicon: Lexicon,
) -> Iterator[tuple[Mask, str]]:
    """Yield the groups that only words of payers on no list describe, however often they come, whether the sender wrote them as text or as a code, with what shows it.

    What supports such words is a code of the bank, a payer whose name shows that it pays such things, or, for pay and other regular income, amounts
    that are not round. Years of round pay on working days, with a rise every April, support nothing more: tax is worked out to the penny, so such sums were
    agreed, and whoever pays them chooses the days too.

    Args:
        signals: What the credits' codes, payers and words show.
        amount: Amounts of the credits, minor units.
        a_year: What the payments of each credit's group add up to in a year, minor units; 0 without a calendar.
        major: The value from `major_units`, for each credit.
        most: Returns the groups for which something holds for most credits.
        lexicon: Names of types.
    """
    fits, by_scheme = signals.where(lambda one: one.fits), signals.where(lambda one: one.by_scheme)
    office = is_party(signals, STATE) & signals.is_type(lexicon, *_FROM_THE_STATE)
    stranger = ~(is_listed(signals) | office | signals.where(_is_coded))
    let = signals.is_type(lexicon, "rental_income") & ~is_party(signals, FIRM)  # tenants' rents are round
    large = (amount >= _LEAST_LARGE * major) | (a_year >= _MONTHS * _LEAST_LARGE * major)
    round_ = large & (amount % (_ROUND * major) == 0) & ~let
    # A scheme for firms shows that a firm pays, and not what for.
    of_trade = large & signals.is_type(lexicon, *_OF_A_TRADE) & ~by_scheme
    by_sums = round_ & (~fits | signals.is_type(lexicon, *_HARDLY_ROUND))
    alone = by_sums | (~fits & of_trade) | signals.is_type(lexicon, *_PAID_ONCE)
    yield most(np.asarray(stranger & by_sums, dtype=np.bool_)), ROUND_SUMS
    yield most(np.asarray(stranger & alone, dtype=np.bool_)), ANYBODY


def _is_coded(one: Reading) -> bool:
    """Return whether a code of the bank supports the type."""
    return any(clue.place == BANK_CODE and clue.says == one.nature.type for clue in one.nature.clues)


def pay_one_invoice(signals: Signals, amount: Codes, grouping: Grouping, lexicon: Lexicon) -> Mask:
    """Return the groups of a trade's income in which most payments are one amount for one invoice, three times or more; an instalment says that it is one.

    Args:
        signals: Texts of the credits.
        amount: Amounts of the credits, minor units.
        grouping: Groups by payer.
        lexicon: Names of types, words for invoices and for instalments.
    """
    trade = np.isin(grouping.type_code, [lexicon.code(name) for name in _INVOICED])
    trade &= np.isin(grouping.evidence, (KEYWORD, PURPOSE)) & (grouping.groups.count >= _FEWEST_OF_AN_INVOICE)
    found = np.zeros(len(trade), dtype=np.bool_)
    mine = np.flatnonzero((grouping.group >= 0) & pick(trade, grouping.group, missing=False))
    if not mine.size:
        return found
    texts = signals.description.of_rows(mine)
    numbers = [_invoice_number(str(text), lexicon) for text in texts.distinct]
    _, of_text = np.unique(np.array([*numbers, ""]), return_inverse=True)
    invoice = of_text[texts.codes]
    group = grouping.group[mine]
    same = joint_code(group, invoice, amount[mine])
    again = (np.bincount(same)[same] >= _FEWEST_OF_AN_INVOICE) & (invoice != of_text[-1])
    repeated = np.bincount(group[again], minlength=len(found))
    return np.asarray(2 * repeated > grouping.groups.count, dtype=np.bool_)


def _invoice_number(text: str, lexicon: Lexicon) -> str:
    """Return the number of the invoice that a text names; empty without one, and for an instalment of one."""
    found = re.search(lexicon.invoice_pattern, text, re.IGNORECASE)
    if found is None or re.search(lexicon.instalment_pattern, text, re.IGNORECASE):
        return ""
    return found["number"].lower()
