"""The thresholds for losses of a customer who is deceived or exploited."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class LossThresholds:
    """Thresholds for savings sent away, cash suddenly withdrawn and growing payments, a part of `Thresholds`.

    Args:
        drained_days: Savings or a loan that go to others within this many days were withdrawn for them.
        drained_share: Share of the money withdrawn.
        drained_count: Fewest times that it was withdrawn.
        drained_payees: Most parties that received it.
        drained_total: Smallest sum.
        rushed_days: Savings or a loan that go to new payees within this many days were rushed away.
        rushed_count: Fewest payments to them.
        rushed_total: Smallest sum of savings or a loan.
        rushed_share: Share of it that goes.
        drawn_more_days: Fewest days before and after the day from which more cash is withdrawn.
        drawn_more_factor: Cash per day from then on, as a multiple of the cash per day before.
        drawn_more_share: The same cash as a share of established income.
        drawn_more_total: Smallest sum from then on.
        card_days: Days in which many gift cards are bought.
        card_least: Smallest payment for a gift card.
        card_count: Fewest of them.
        card_total: Their smallest sum.
        growing_parties: Fewest strangers abroad.
        growing_total: Smallest sum that goes to them.
        growing_share: This sum must also be at least this share of a year's established income; payments to one stranger that rise from each to the next count from this share and from `drained_total` on.
        growing_factor: The later half of the payments is this multiple of the earlier half.
        taken_count: Fewest payments to the party that takes from a pensioner.
        taken_share: These payments as a share of the pensioner's income over that time.
        beyond_payments: Fewest payments to strangers who were never paid before.
        beyond_payees: Most such strangers.
        beyond_share: Sum of these payments as a share of a year's established income.
    """

    drained_days: int = 5
    drained_share: Decimal = Decimal("0.5")
    drained_count: int = 3
    drained_payees: int = 4
    drained_total: Decimal = Decimal(5_000)
    rushed_days: int = 2
    rushed_count: int = 4
    rushed_total: Decimal = Decimal(3_000)
    rushed_share: Decimal = Decimal("0.7")
    drawn_more_days: int = 60
    drawn_more_factor: Decimal = Decimal(4)
    drawn_more_share: Decimal = Decimal("0.25")
    drawn_more_total: Decimal = Decimal(3_000)
    card_days: int = 14
    card_least: Decimal = Decimal(50)
    card_count: int = 5
    card_total: Decimal = Decimal(1_000)
    growing_parties: int = 5
    growing_total: Decimal = Decimal(10_000)
    growing_share: Decimal = Decimal("0.25")
    growing_factor: Decimal = Decimal(2)
    taken_count: int = 10
    taken_share: Decimal = Decimal("0.4")
    beyond_payments: int = 6
    beyond_payees: int = 8
    beyond_share: Decimal = Decimal("0.6")
