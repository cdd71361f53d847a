"""A customer's usual payments: rent, wages and other bills, which are paid whatever comes in and do not move money on; and the card takings of a trade."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from statistics import median

from kycpack.wealth.judge.red_flags.life import Life, is_habit, once_a_life
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.payment_words import topics_in
from kycpack.wealth.prepare.lexicon import load_lexicon, party_of_name
from kycpack.wealth.prepare.parties import PERSON

DEAL_IN_MONEY = frozenset({"bank", "lender", "broker", "insurer", "tax_office"})
"""Kinds of parties that sell nothing: a card bill, a loan or tax is paid whatever comes in."""

_STEADY = 0.8  # rent and care cost the same each time
# Whatever a payment is called, a party that receives more of all that comes in is not a landlord, and not a school.
_HOME_SHARE = 0.6
_FEW_SUMS = 3
_ROUND = 10  # invoices are seldom round
_FEWEST_INVOICES = 6
_LONG_SHARE = 0.5
_BILL_PARTS = 3  # and are at most one part in this many of what comes in
_TRADE_SHARE, _FEWEST_PURCHASES = 0.03, 3
_LIKE_WAGE, _MOST_WAGES = 0.2, 0.6  # overtime and a bonus are paid on top
_FEWEST_INSTALMENTS, _INSTALMENT = 3, 0.05
_SAVED_TIMES = 4
_LEAST_TAX = 0.05  # of a gain: after allowances and losses the tax is less than the rate
_FEWEST_WAGES, _FEWEST_TAXES, _TAX_ON_WAGES = 6, 3, 0.03  # a quarter's tax may fall outside the time observed
_HOME, _WAGES = (
    "rental_income",
    "employment",
)  # what the words of a debit describe, by the type that a credit with these words has
TRADE_INCOME = frozenset({"self_employment", "business_income"})


@once_a_life
def paid_bills(life: Life) -> frozenset[str]:
    """Return the parties that are paid rent or the like: shown by most of the words, or by one habitual amount that is not a large part of all income."""
    bills = {
        party
        for party in rent_payees(life) | homes_by_name(life)
        if _paid(life, party) <= _HOME_SHARE * life.all_credits_minor
    }
    return (
        staff(life)
        | bills
        | {party for party in steady_payees(life) if _paid(life, party) * _BILL_PARTS <= life.income_minor}
    )


@once_a_life
def staff(life: Life) -> frozenset[str]:
    """Return the individuals who are repeatedly paid wages, by the words, by a customer who also pays the tax or contributions on them."""
    worded = Counter(one.party for one in life.debits if one.party and one.type == _WAGES and not one.cash)
    found = frozenset(
        party
        for party, count in worded.items()
        if count >= _FEWEST_WAGES and 2 * count >= len(life.payments_to[party])
    )
    taxes = sum(one.amount for one in life.taxes)
    wages = sum(_paid(life, party) for party in found)
    return found if len(life.taxes) >= _FEWEST_TAXES and taxes >= _TAX_ON_WAGES * wages else frozenset()


@once_a_life
def kept_up(life: Life) -> frozenset[str]:
    """Return the care homes, schools and dioceses, by their names, that receive no more of all that comes in than people can spend on one of them."""
    named = {one.party for one in life.debits if one.upkeep}
    return frozenset(party for party in named if _paid(life, party) <= _HOME_SHARE * life.all_credits_minor)


@once_a_life
def homes_by_name(life: Life) -> frozenset[str]:
    """Return the parties whose name shows that they lend on homes or let them and that get the same sums time after time; several loans have one name."""
    return frozenset(
        party
        for party, rows in life.payments_to.items()
        if len(rows) >= _FEWEST_WAGES and "home_costs" in topics_in(party) and _like_rent(rows)
    )


@once_a_life
def rent_payees(life: Life) -> frozenset[str]:
    """Return the parties whose payments are mostly called rent or the like and usually have one amount: rent changes about once a year."""
    worded = Counter(one.party for one in life.debits if one.party and one.type == _HOME)
    return frozenset(
        party
        for party, count in worded.items()
        if 2 * count >= len(rows := life.payments_to[party]) and _like_rent(rows)
    )


def _like_rent(rows: Sequence[Movement]) -> bool:
    """Return whether payments have only a few different amounts; a few payments alone are not enough to judge."""
    return len({one.amount for one in rows}) <= max(_FEW_SUMS, len(rows) // 2)


@once_a_life
def steady_payees(life: Life) -> frozenset[str]:
    """Return the parties that are paid one amount as a habit; a money carrier is not the final recipient."""
    return frozenset(party for party in life.regular_payees if _are_steady(life.payments_to[party]))


def _are_steady(rows: Sequence[Movement]) -> bool:
    usual = Counter(one.amount for one in rows).most_common(1)[0][1]
    return usual >= _STEADY * len(rows) and not any(one.kind and one.abroad for one in rows)


@once_a_life
def usual_payees(life: Life) -> frozenset[str]:
    """Return the parties of `steady_payees` and `paid_bills`: who is paid whatever else comes in or goes out."""
    return steady_payees(life) | paid_bills(life)


@once_a_life
def trade_bills(life: Life) -> frozenset[str]:
    """Return the parties that a trade habitually pays for its premises and its work: none of them gets a large part of what comes in."""
    if not is_trader(life):
        return frozenset()
    worded = {one.party for one in life.debits if one.type in (_HOME, _WAGES)}
    return frozenset(
        party
        for party in worded & life.regular_payees
        if _paid(life, party) * _BILL_PARTS <= life.all_credits_minor
    )


@once_a_life
def suppliers(life: Life) -> frozenset[str]:
    """Return the parties that a trade buys from, by the words of most payments to them, because a single word is easily inserted.

    A customer who takes cards or pays tax also buys from parties whose invoices are paid in uneven sums all the time.
    """
    invoiced = life.payments_to.items() if card_takings(life) or life.taxes else ()
    return named_suppliers(life) | {party for party, rows in invoiced if _are_invoices(life, rows)}


@once_a_life
def named_suppliers(life: Life) -> frozenset[str]:
    """Return the parties that are suppliers by the words of most payments to them, or that collect their payments."""
    worded = Counter(one.party for one in life.debits if one.party and (one.trade or one.collected))
    return frozenset(party for party, count in worded.items() if 2 * count >= len(life.payments_to[party]))


def _are_invoices(life: Life, rows: Sequence[Movement]) -> bool:
    """Return whether a party's invoices are paid in uneven sums for most of the time observed."""
    invoiced = sum(one.type in TRADE_INCOME for one in rows)
    uneven = sum(one.amount % life.round_sum(_ROUND) != 0 for one in rows)
    long = rows[-1].day - rows[0].day >= _LONG_SHARE * life.span_days
    return len(rows) >= _FEWEST_INVOICES and 2 * min(invoiced, uneven) >= len(rows) and long


def trade_costs(life: Life) -> int:
    """Return what was paid for a trade's stock, premises and work, minor units."""
    return sum(one.amount for one in life.debits if one.trade or one.party in trade_bills(life))


@once_a_life
def is_trader(life: Life) -> bool:
    """Return whether a customer takes cards, pays staff and the tax on their wages, or buys what a trade buys, at least as often as a trade does."""
    return bool(card_takings(life) or staff(life)) or buys_for_trade(life)


def buys_for_trade(life: Life) -> bool:
    """Return whether a customer buys what a trade buys, often and for more than a few repairs at home cost."""
    bought = sum(one.amount for one in life.trade_purchases)
    often = len(life.trade_purchases) >= _FEWEST_PURCHASES
    return often and bought >= _TRADE_SHARE * life.all_credits_minor > 0


def takings_minor(life: Life) -> int:
    """Return cash and card takings, minor units."""
    return sum(one.amount for one in (*card_takings(life), *life.cash_paid_in))


def is_person(party: str) -> bool:
    """Return whether a party's name appears to be a person's."""
    return party_of_name(party, load_lexicon()) == PERSON


@lru_cache(maxsize=4_096)
def sells_by_name(party: str) -> bool:
    """Return whether a party's name shows what is bought from it; the customer's description of a payment does not."""
    return "purchases" in topics_in(party)


@once_a_life
def wage_payers(life: Life) -> frozenset[str]:
    """Return the firms that pay a wage or what looks like one: habitually, and in similar sums."""
    return frozenset(party for party in life.regular_payers if _are_wages(life.payments_of[party]))


def _are_wages(rows: Sequence[Movement]) -> bool:
    usual = median(one.amount for one in rows)
    like = [
        one
        for one in rows
        if abs(one.amount - usual) <= _LIKE_WAGE * usual
        and (
            one.type == _WAGES or (one.is_open and not (one.stranger or one.kind or one.cash or one.related))
        )
    ]
    return len(like) > _MOST_WAGES * len(rows)


def wages_minor(life: Life) -> int:
    """Return what `wage_payers` paid, minor units."""
    return sum(one.amount for party in wage_payers(life) for one in life.payments_of[party])


def is_taxed(life: Life, gain: int, day: int) -> bool:
    """Return whether the tax due on a gain may have been paid to the tax office from a given day on: a person who hides a gain pays no tax on it.

    Args:
        life: The payments.
        gain: The gain in minor units.
        day: First day, in days since 1970-01-01.
    """
    return gain > 0 and sum(one.amount for one in life.taxes if one.day >= day) >= _LEAST_TAX * gain


@once_a_life
def savers(life: Life) -> frozenset[str]:
    """Return the parties that often pay in, and are paid at most twice as much: the members of a savings club get back what they have put in."""
    return frozenset(
        party
        for party, rows in life.payments_of.items()
        if len(rows) >= _SAVED_TIMES and 2 * sum(one.amount for one in rows) >= _paid(life, party) > 0
    )


@once_a_life
def lenders(life: Life) -> frozenset[str]:
    """Return the parties that paid in and then habitually collect similar sums that are small compared with it: the instalments of a loan."""
    return frozenset(
        party for party, rows in life.payments_of.items() if _is_paid_off(rows, life.payments_to[party])
    )


def _is_paid_off(lent: Sequence[Movement], paid: Sequence[Movement]) -> bool:
    """Return whether what is paid to a party after it first paid in looks like the instalments of a loan."""
    after = [one for one in paid if one.day > lent[0].day]
    return (
        len(after) >= _FEWEST_INSTALMENTS
        and max(one.amount for one in after) <= _INSTALMENT * sum(one.amount for one in lent)
        and (
            all(one.collected for one in after)
            or (is_habit(after) and len({one.amount for one in after}) == 1)
        )
    )


def is_lent_by_unlisted(life: Life, one: Movement) -> bool:
    """Return whether a credit is a large loan of a lender on no list, which any firm becomes by calling itself one."""
    least = life.minor(life.limits.beyond_income_credit)
    return one.loan and one.unproven and not one.kind and one.amount >= least


def _paid(life: Life, party: str) -> int:
    return sum(one.amount for one in life.payments_to[party])


@once_a_life
def card_takings(life: Life) -> list[Movement]:
    """Return what card machines, platforms and firms pay out to a trade; gifts to a cause, and what a stranger or a namesake calls an invoice, do not make a trader."""
    return [
        one
        for one in life.credits
        if not one.cash
        and (
            (one.kind == "payment_processor" and not (one.given or "between_people" in topics_in(one.party)))
            or (one.type in TRADE_INCOME and not (one.unproven and (one.stranger or one.related)))
        )
    ]
