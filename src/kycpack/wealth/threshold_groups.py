"""The thresholds for single credits and cash, and for losses of a customer who is deceived or exploited."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class CashThresholds:
    """Thresholds for single credits and for cash, a part of `Thresholds`.

    Args:
        small_credit: A credit below this that is in no stream is `small_other`.
        small_gift: A single gift below this is `small_other`.
        refund_days: Days after a debit in which its refund may come.
        refund_by_word: A credit below this that the sender calls a refund counts as one; a larger one needs a matching earlier debit.
        smallest_flow: Debits below this do not count as moving money on.
        large_credit: An unexplained credit of at least this is examined by itself, and so is one whose nature is supported only by what the sender wrote or chose, unless its payer pays regularly.
        large_credit_share: It is a red flag if it is at least this share of all credits, or at least twice `large_credit`.
        payment_shortfall: A payment is a finding if at least this much of it is not supported by what was observed.
        unknown_total: Where most credits are of no known nature, that is a question to the customer if they come to at least this.
        large_payer: Unexplained credits from one payer within a year are a red flag if they total at least this, however regular they are and whatever the income.
        beyond_income_credit: An unexplained credit, or the unexplained credits of one regular stranger within a year, are beyond income if they are at least this and at least a year of established income; from a firm or family, regular credits are if they are at least twice this.
        reporting_limit: The firm's reporting limit, below which structuring stays.
        near_limit_share: A credit of at least this share of the limit, and below the limit, is near it.
        near_limit_count: This many such credits within `near_limit_days` are a red flag.
        near_limit_days: Days for `near_limit_count`.
        structuring_days: Days over which similar deposits of cash are added up.
        structuring_count: Fewest similar deposits.
        structuring_total: Smallest sum of them.
        structuring_spread: How far similar deposits may differ, as a share of the largest.
        structuring_share: Share of all cash deposits that must be similar.
        structuring_year_count: Fewest similar deposits over the whole time observed.
        structuring_year_total: Their smallest sum.
        untraded_cash: Smallest total of cash that a trade or a way of life has to explain.
        untraded_income: The cash must also be this many times the established income.
        untraded_costs: Purchases below this share of the cash count as few.
        untraded_wage: With a wage of at least this share of the cash, only purchases for a trade count.
        swept_days: Cash that goes to strangers within this many days was sent on.
        swept_share: Share of all cash that is sent on.
        sent_on_cash: Smallest total of cash that is followed to see where it went.
        sent_on_share: Share of all cash and card takings that goes to strangers.
        pieces_a_day: Fewest cash deposits on one day.
        pieces_days: Fewest such days.
        rents_moved_share: Share of all rents that leaves at once, or goes to one party.
        rents_one_share: Share of all rents, including those paid in cash, that is paid to one party.
        spread_days: Days between cash into one account and cash into another.
        spread_accounts: Fewest accounts within these days; over the whole time observed there must be more.
        spread_count: Fewest deposits.
        spread_total: Their smallest sum.
        cover_count: Fewest cash deposits of a trade, and of each of two kinds of deposit.
        cover_total: Smallest sum of cash that the trade does not explain.
        cover_share: Share of the trade's cash that the trade does not explain.
        cover_season: A trade is seasonal if its busiest months are this many times its quietest.
        cover_stock: A shop's takings as a multiple of what it pays for goods that it resells unchanged.
        cover_margin: Share of a trade's takings, mostly cash, that is not paid out for anything.
        cover_kept: Smallest such sum.
        cover_takings: Smallest uneven deposit that counts as takings; smaller ones are coins.
        cash_share: Share of cash in all credits.
        cash_amount: Smallest total of cash that is examined.
    """

    small_credit: Decimal = Decimal(100)
    small_gift: Decimal = Decimal(1_000)
    refund_days: int = 60
    refund_by_word: Decimal = Decimal(1_000)
    smallest_flow: Decimal = Decimal(200)
    large_credit: Decimal = Decimal(10_000)
    large_credit_share: Decimal = Decimal("0.2")
    payment_shortfall: Decimal = Decimal(10_000)
    unknown_total: Decimal = Decimal(1_000)
    large_payer: Decimal = Decimal(100_000)
    beyond_income_credit: Decimal = Decimal(25_000)
    reporting_limit: Decimal = Decimal(10_000)
    near_limit_share: Decimal = Decimal("0.9")
    near_limit_count: int = 3
    near_limit_days: int = 30
    structuring_days: int = 30
    structuring_count: int = 6
    structuring_total: Decimal = Decimal(5_000)
    structuring_spread: Decimal = Decimal("0.25")
    structuring_share: Decimal = Decimal("0.6")
    structuring_year_count: int = 12
    structuring_year_total: Decimal = Decimal(15_000)
    untraded_cash: Decimal = Decimal(20_000)
    untraded_income: Decimal = Decimal(1)
    untraded_costs: Decimal = Decimal("0.4")
    untraded_wage: Decimal = Decimal("0.6")
    swept_days: int = 35
    swept_share: Decimal = Decimal("0.5")
    sent_on_cash: Decimal = Decimal(10_000)
    sent_on_share: Decimal = Decimal("0.6")
    pieces_a_day: int = 3
    pieces_days: int = 6
    rents_moved_share: Decimal = Decimal("0.8")
    rents_one_share: Decimal = Decimal("0.7")
    spread_days: int = 3
    spread_accounts: int = 2
    spread_count: int = 6
    spread_total: Decimal = Decimal(4_000)
    cover_count: int = 12
    cover_total: Decimal = Decimal(10_000)
    cover_share: Decimal = Decimal("0.25")
    cover_season: Decimal = Decimal(2)
    cover_stock: Decimal = Decimal("1.5")
    cover_margin: Decimal = Decimal("0.5")
    cover_kept: Decimal = Decimal(100_000)
    cover_takings: Decimal = Decimal(100)
    cash_share: Decimal = Decimal("0.3")
    cash_amount: Decimal = Decimal(2_000)


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
