"""The numbers that tell what single credits and cash are."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class CashThresholds:
    """Thresholds of single credits and of cash, a part of `Thresholds`.

    Args:
        small_credit: A credit below it that is in no stream is `small_other`.
        small_gift: A single gift below it is `small_other`.
        refund_days: How long after a debit its refund may come.
        refund_by_word: A credit below it that the sender calls a refund is one; a larger one needs an earlier debit that bears it out.
        smallest_flow: Debits below it move no money on.
        large_credit: An unexplained credit from it on is looked at by itself.
        large_credit_share: It is a red flag from this share of all credits on, or from twice the amount on.
        payment_shortfall: A payment of which so much is not supported by what was observed is a finding.
        large_payer: Unexplained credits of one payer within a year are a red flag from this sum on, however regular they are.
        beyond_income_credit: From it on, and from a year of established income on, an unexplained credit is beyond income.
        reporting_limit: The firm's limit that structuring stays below.
        near_limit_share: From this share of the limit on, a credit is near it.
        near_limit_count: So many of them, within `near_limit_days`, are a red flag.
        near_limit_days: Days for `near_limit_count`.
        structuring_days: Days in which like pieces of cash are added up.
        structuring_count: Fewest pieces.
        structuring_total: Smallest sum.
        structuring_spread: How far like pieces may differ, as a share of the largest.
        structuring_share: Share of all cash deposits that must be alike.
        structuring_year_count: Fewest like pieces over all the time observed.
        structuring_year_total: Their smallest sum.
        untraded_cash: Smallest total of cash that must fit a trade or a life.
        untraded_income: It is also so many times the established income.
        untraded_costs: Purchases below this share of the cash are few.
        untraded_wage: Beside a wage of this share of the cash, only what a trade buys counts.
        swept_days: Cash that goes to strangers within so many days was sent on.
        swept_share: Share of all cash that is sent on.
        sent_on_cash: Smallest total of cash of which it is asked what became of it.
        sent_on_share: Share of all cash and card takings that goes to strangers.
        pieces_a_day: Fewest deposits of cash on one day.
        pieces_days: Fewest such days.
        rents_moved_share: Share of all rents that leaves at once, or for one party.
        rents_one_share: Share of all rents, cash beside them counted, that one party is paid.
        spread_days: Days between cash into one account and cash into another.
        spread_accounts: Fewest accounts within these days; over all the time observed there must be more.
        spread_count: Fewest deposits.
        spread_total: Their smallest sum.
        cover_count: Fewest deposits of a trade's cash, and of each of two kinds of it.
        cover_total: Smallest sum of it that the trade does not bear out.
        cover_share: Share of the trade's cash that it does not bear out.
        cover_season: The busiest months of a trade with a season are so many times its quietest.
        cover_stock: Takings of a shop as a multiple of what it pays for what it sells as it is.
        cover_takings: Smallest uneven deposit that counts as takings; coins are less.
        cash_share: Share of cash in all credits.
        cash_amount: Smallest total of cash that is looked at.
    """

    small_credit: Decimal = Decimal(100)
    small_gift: Decimal = Decimal(1_000)
    refund_days: int = 60
    refund_by_word: Decimal = Decimal(1_000)
    smallest_flow: Decimal = Decimal(200)
    large_credit: Decimal = Decimal(10_000)
    large_credit_share: Decimal = Decimal("0.2")
    payment_shortfall: Decimal = Decimal(10_000)
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
    cover_takings: Decimal = Decimal(100)
    cash_share: Decimal = Decimal("0.3")
    cash_amount: Decimal = Decimal(2_000)
