"""A move from one home to the next: a lawyer pays out the price of the old home, and is paid that of the new one, on one day or nearly.

A lawyer's client account is also used to wash money, so the lawyer's name is not enough: a mortgage that ends or begins, or stamp duty, has to bear it out. Source:
Solicitors Regulation Authority, Warning notice: improper use of a client account (2018).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from kycpack.wealth.judge.red_flags.life import FEWEST_REGULAR, Life, is_habit, within
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.payment_words import topics_in

_NEIGHBOURING_DAYS = 4  # a long weekend
_SMALL_PART = 10  # a deposit, fees and a balance come to at most one part in this many
_LENDERS = ("bank", "lender")
_LEAST_INSTALMENT = 1_000  # of the price, in parts
_INSTALMENT_DAYS, _FIRST_INSTALMENT_DAYS = 45, 75
_TAXED_DAYS = 30  # stamp duty is due within 14 days of completion (Finance Act 2003, section 76)
_FUNDED_DAYS = 90


def is_conveyed(life: Life, both: Sequence[tuple[Movement, Movement]]) -> bool:
    """Return whether a lawyer paid out the price of a home and received that of the next: what came through a lawyer is reviewed as a large credit.

    Many a firm is an LLP: what it paid in has to read like the price of a home, or all else has to look like a move.

    Args:
        life: The payments.
        both: What one party paid in and received, in nearly equal amounts.
    """
    rows = [one for pair in both for one in pair]
    if all(one.type == "property_sale" if one.is_credit else one.property for one in rows):
        return True
    return len(both) == 1 and _is_a_move(life, *sorted(rows, key=lambda one: not one.is_credit))


def _is_a_move(life: Life, came: Movement, went: Movement) -> bool:
    """Return whether a lawyer's only large payment, and the only one to the lawyer, are the prices of two homes."""
    others = [one for one in life.every_credit if one.party == came.party and one is not came]
    more = [one for one in life.payments_to[came.party] if one is not went]
    return (
        "lawyer" in topics_in(came.party)
        and abs(came.day - went.day) <= _NEIGHBOURING_DAYS
        and all(_SMALL_PART * sum(one.amount for one in rows) <= came.amount for rows in (others, more))
        and not _is_funded_by_strangers(life, came)
        and (_is_stamped(life, went) or _has_another_mortgage(life, came))
    )


def _is_funded_by_strangers(life: Life, came: Movement) -> bool:
    """Return whether other money of unknown nature had come in that is more than a small part of the price."""
    before = within(life.open_credits, came.day - _FUNDED_DAYS, _FUNDED_DAYS)
    other = sum(one.amount for one in before if one.party != came.party and not one.related)
    return _SMALL_PART * other > came.amount


def _is_stamped(life: Life, went: Movement) -> bool:
    """Return whether the tax on buying a home was paid to the tax office soon after."""
    return any(one.property for one in within(life.taxes, went.day, _TAXED_DAYS))


def _has_another_mortgage(life: Life, came: Movement) -> bool:
    """Return whether equal instalments to a lender ended with the sale, or began with the purchase."""
    first, last = life.movements[0].day, life.movements[-1].day
    by_sum: dict[tuple[str, int], list[Movement]] = defaultdict(list)
    for one in life.debits:
        if one.kind in _LENDERS and _LEAST_INSTALMENT * one.amount >= came.amount:
            by_sum[one.party, one.amount].append(one)
    return any(
        (came.day - _INSTALMENT_DAYS <= rows[-1].day <= came.day and last >= came.day + _INSTALMENT_DAYS)
        or (
            came.day <= rows[0].day <= came.day + _FIRST_INSTALMENT_DAYS
            and first <= came.day - _INSTALMENT_DAYS
        )
        for rows in by_sum.values()
        if len(rows) >= FEWEST_REGULAR and is_habit(rows)
    )
