"""The thresholds for dispositions and red flags; a triage policy may set each of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from kycpack.wealth.flag_levels import DEFAULT_LEVELS
from kycpack.wealth.threshold_groups import CashThresholds, LossThresholds


@dataclass(frozen=True)
class Thresholds(CashThresholds, LossThresholds):
    """Thresholds, in major units of `currency`, days, counts, and shares of 0..1. Their sources are given in the default policy.

    The thresholds for single credits and for cash are in `CashThresholds`, those for losses of the customer in `LossThresholds`.

    Args:
        pass_through_days: Money that leaves within this many days has passed through.
        pass_through_share: Share of a credit that leaves.
        pass_through_count: This many such credits are a red flag.
        pass_through_amount: Smallest credit that is examined.
        pass_through_total: Smallest sum of several such credits.
        pass_through_single: Smallest sum of one or two; it must also be a quarter of a year's established income.
        pay_amount: Smallest pay that is examined, in one payment or, if one payer's are all smaller, in those of a month.
        pay_passed_days: As `pass_through_days`, for pay.
        pay_passed_share: As `pass_through_share`, for pay.
        pay_unknown_share: The same for a payer that is not a known firm, if the money goes to a few parties.
        returned_days: Pay that goes back within this many days was returned.
        returned_share: Share of the pay that goes back to the payer.
        returned_beside: The same if other people are paid as well as the payer.
        returned_part: In that case, the share of the pay that the payer itself gets back.
        drawn_count: Fewest payments of pay that are withdrawn in cash.
        drawn_share: Share of the pay that is withdrawn.
        drawn_beside: Other income on which the customer lives, as a share of that pay.
        benefit_days: Benefits that leave within this many days were passed on.
        benefit_share: Share of a benefit that leaves.
        benefit_count: Fewest such benefits.
        tax_shared: Share of a tax refund that goes to others within `pay_passed_days`; as many refunds as `benefit_count` are a red flag.
        claim_days: Benefits within this many days are of one time; less than four weeks, so that each is paid once or in one sum.
        claim_sums: Fewest different sums of benefits at a time that are more than a household is due.
        claim_sums_drawn: The same if most of them leave in cash.
        claim_refunds: Fewest tax refunds in a year that are more than one person is due.
        beside_count: Fewest round sums from firms alongside a salary.
        beside_total: Their smallest sum.
        beside_share: The same, as a share of established income.
        bought_count: Fewest sums from firms that each pay one purchase from the same seller.
        bought_share: Share of such a sum that the purchase takes within `pass_through_days`.
        bought_most: Share of all that firms pay that such sums make up, and of the seller's payments that they meet.
        slow_days: As `pass_through_days`, for sums from strangers that go to other strangers, and for a large credit that goes to an exchange in parts.
        slow_amount: Smallest of these sums.
        slow_parties: Fewest such strangers.
        goods_days: A stranger's sum is spent on one purchase, or on a bill, within this many days.
        very_many_parties: Fewest strangers from whom money without a trade is a red flag even if it stays.
        very_many_total: Smallest sum of it.
        exchange_days: Money that goes to an exchange within this many days was sent on.
        exchange_share: Share of a credit that goes there.
        exchange_count: Fewest such credits.
        exchange_total: Their smallest sum.
        layering_days: Days from one own account to the next.
        layering_amount: Smallest sum moved through own accounts.
        loan_days: A loan paid back within this many days is repaid at once.
        loan_share: Share of the loan that is paid back.
        loan_amount: Smallest loan.
        loan_met_days: Money that reaches a lender within this many days was used to repay the loan.
        loan_met_share: Share of it that reaches the lender.
        loan_met_single: Smallest sum of one or two such payments.
        own_loan_days: Days before a loan within which the lender was paid.
        own_loan_share: Sum that the lender was paid, as a share of the loan.
        fan_in_days: Days in which strangers pay in.
        fan_in_parties: Fewest strangers.
        fan_in_parties_moved: Fewest strangers where the money is moved on.
        fan_in_least: Smallest payment from a stranger.
        fan_in_median: Smallest median of their payments, unless the money is moved on.
        fan_in_total: Smallest sum.
        fan_in_total_moved: Smallest sum where the money is moved on.
        collected_days: Money that goes abroad within this many days was collected for that purpose.
        collected_parties: Fewest strangers from whom it was collected.
        collected_least: Smallest payment from one of them.
        collected_share: Share of their money that goes abroad.
        cause_payers: Fewest strangers who pay small sums that go abroad along with cash.
        cause_payees: Fewest new parties abroad.
        cause_total: Smallest sum that goes to them.
        gathered_parties: Fewest strangers whose small sums are collected by somebody who earns little.
        gathered_most: Largest of these sums.
        gathered_total: Smallest total of them, with cash paid in.
        gathered_income: The total as a share of the established income of the same time.
        changing_payees: Fewest recipients abroad, none of whom is paid more than twice.
        changing_most: Largest sum that one of them is paid at a time.
        changing_total: Smallest total of these sums.
        feast_days: Days within which a celebration is paid for, and before and after which its gifts come.
        feast_payees: Fewest parties that are paid for it.
        feast_family: Fewest family members who make gifts.
        feast_gift: If the median gift is at least this, the gifts are examined however they are explained.
        home_days: Days before a payment for a home or land within which strangers pay in.
        home_parties: Fewest strangers.
        home_least: Smallest payment from one of them.
        home_total: Smallest payment for a home or land.
        home_share: Share of it that the strangers paid in.
        fan_out_days: Days in which strangers are paid.
        fan_out_parties: Fewest of them.
        fan_out_total: Smallest sum.
        round_trip_days: Money that returns to, or from, the same party within this many days.
        round_trip_amount: Smallest amount of a round trip.
        round_trip_spread: How far the two amounts may differ, as a share.
        round_trip_single: Smallest sum that came in first and went back to a firm or to an unidentified party.
        round_trip_person: The same for a person: friends lend each other money.
        round_trip_count: This many round trips with one party are a red flag, whatever the sum.
        round_trip_often: With this many round trips, smaller ones also count, from `pass_through_amount` upwards.
        refund_factor: Refunds above this multiple of what was paid to a party have no purchase behind them.
        refund_count: Fewest of them.
        refund_total: Their smallest sum.
        cycle_days: Days from money sent to one party to money from another.
        cycle_spread: How far the two amounts may differ, as a share.
        cycle_count: Fewest such pairs.
        cycle_count_closed: The same if one of the parties is on both sides.
        cycle_total: Smallest sum.
        answer_amount: Smallest payment to a party whose sums match those from another party.
        answer_count: Fewest such payments.
        answer_spread: How far the sums may differ, as a share.
        answer_share: Share of the payments to that party that have a match.
        answer_days: Days from a payment to its match.
        answer_total: Smallest sum of these payments.
        pay_again_count: Fewest times that one employer pays more than two wages within days.
        thanks_amount: Smallest round sum from a stranger that is examined alongside a salary.
        gifts_total: Smallest sum of grants and gifts to a cause in one account.
        gifts_taken_share: Share of them that goes to own accounts, to individuals or out in cash.
        goods_total: Smallest sum of cash and strangers' money with which goods are bought.
        goods_share: Share of it that is spent on the goods; a trade keeps a larger margin.
        shared_out_total: Smallest sum of firms' payments that are shared out.
        shared_out_share: Share of them that individuals receive.
        taker_total: Smallest sum of small payments by strangers.
        taker_share: Share of them that goes to one party.
        nights_payers: Fewest strangers who pay around nights away.
        nights_count: Fewest days near which they paid and lodging was paid for.
        nights_share: Share of their payments that goes to one party.
        investor_count: Fewest individuals who get small parts back of what they paid in.
        investor_least: Smallest sum that one of them paid in.
        investor_total: Smallest sum that all of them paid in.
        borrower_count: Fewest individuals who repeatedly pay in small sums of similar size.
        borrower_lent: Fewest of them who received a larger sum.
        instalment_most: Largest of the small sums.
        kept_loan_count: Fewest loans from one firm that are never repaid.
        kept_loan_total: Their smallest sum.
        kept_loan_days: Days after the first of them without any repayment.
        handed_total: Smallest takings by card or through a platform whose recipients are examined.
        handed_share: Share of the takings that is passed on.
        repeated_share: Share of the takings in round sums, or in sums that repeat, that no till has.
        repeated_count: Fewest takings that are compared.
        leap_factor: Takings per day after the jump, as a multiple of those before.
        leap_total: Smallest takings after the jump.
        round_abroad_count: Fewest round payments to firms abroad.
        round_abroad_total: Their smallest sum.
        wallet_count: Fewest payment services from which round sums are withdrawn.
        wallet_total: Smallest sum withdrawn.
        wallet_share: The same sum as a share of the wage.
        one_account_names: Fewest names that share one account.
        one_account_total: Smallest sum that goes there.
        supplied_count: Fewest payments from an employer into an account other than the one for the wage.
        supplied_share: These payments as a share of all that the employer pays.
        kept_least: Smallest sum from a firm that keeps somebody; a client of somebody who works for several pays less at a time.
        kept_count: Fewest such sums.
        kept_total: Their smallest total; it must also be at least a year of established income.
        places_count: Fewest places where cash is paid in.
        places_deposits: Fewest deposits there.
        places_total: Their smallest sum.
        cancelled_count: Fewest large payments that were returned.
        cancelled_least: Smallest of them.
        cancelled_total: Their smallest sum.
        priced_loans: Fewest individuals who pay back more than they received.
        lent_cash_least: Smallest withdrawal, or sum to a person, that may be lent; people draw less for their shopping.
        lent_cash_count: Fewest such sums, and fewest deposits of cash or people who pay it back.
        lent_cash_total: Smallest total of such sums.
        lent_cash_back: Smallest total of the deposits, as a multiple of that total.
        lent_cash_most: Largest total of the deposits, as a multiple of that total.
        many_share: Share of the sums from very many strangers that goes to a few parties.
        beside_untaxed: What firms pay without a rhythm and without tax, as a share of the salary.
        client_money_total: Smallest sum of rents or estates that somebody holds for others.
        client_money_share: Largest share of it that the owners receive; an agent who takes only a fee leaves them more.
        deposit_days: Money that was held for at least this many days and goes back to the payer is a returned deposit.
        deposit_share: Smallest share of it that goes back; the rest is kept for damage.
        gambling_share: Gambling, in or out, as a share of all credits.
        crypto_share: Crypto, in or out, as a share of all credits.
        gambling_income_share: Gambling of at least this share of established income is beyond income.
        crypto_income_share: The same for crypto.
        washed_total: Smallest sum paid to gambling firms that comes back.
        washed_spread: How far the sum that came back may differ from it, as a share.
        washed_payout: Smallest average payout.
        flow_amount: Smallest total of gambling or crypto that is examined.
        flow_total: Smallest total that is beyond income.
        dormant_days: An account without a payment for this many days is dormant.
        dormant_amount: Smallest sum that ends the dormancy.
        burst_days: Days in which that sum arrives.
        new_account_after_days: An account that appears this many days after the others is new.
        new_account_days: Number of days for which it counts as new.
        spike_share: Its credits as a share of all credits in that time.
        spike_amount: Their smallest sum.
        spike_parties: If the money came from at least this many parties, it was collected.
        declared_factor: A year's credits of at least this multiple of the declared income are too much.
        declared_excess: Smallest difference between the two.
        currency: ISO 4217 code of the amounts; sums in another currency are compared with them at the rate in `data/lexicon/exchange_rates.yaml`, and are above all of them if it has none.
        payers: The firm's own known payers: kind -> lines of names, as in `kycpack.wealth.given_thresholds`.
        levels: The level that each kind of red flag suggests.
    """

    pass_through_days: int = 10
    pass_through_share: Decimal = Decimal("0.8")
    pass_through_count: int = 3
    pass_through_amount: Decimal = Decimal(300)
    pass_through_total: Decimal = Decimal(3_000)
    pass_through_single: Decimal = Decimal(5_000)
    pay_amount: Decimal = Decimal(1_000)
    pay_passed_days: int = 7
    pay_passed_share: Decimal = Decimal("0.85")
    pay_unknown_share: Decimal = Decimal("0.75")
    returned_days: int = 10
    returned_share: Decimal = Decimal("0.5")
    returned_beside: Decimal = Decimal("0.7")
    returned_part: Decimal = Decimal("0.2")
    drawn_count: int = 4
    drawn_share: Decimal = Decimal("0.6")
    drawn_beside: Decimal = Decimal("0.2")
    benefit_days: int = 3
    benefit_share: Decimal = Decimal("0.8")
    benefit_count: int = 4
    tax_shared: Decimal = Decimal("0.4")
    claim_days: int = 24
    claim_sums: int = 7
    claim_sums_drawn: int = 5
    claim_refunds: int = 5
    beside_count: int = 6
    beside_total: Decimal = Decimal(5_000)
    beside_share: Decimal = Decimal("0.1")
    bought_count: int = 2
    bought_share: Decimal = Decimal("0.9")
    bought_most: Decimal = Decimal("0.7")
    slow_days: int = 31
    slow_amount: Decimal = Decimal(1_000)
    slow_parties: int = 4
    goods_days: int = 5
    very_many_parties: int = 30
    very_many_total: Decimal = Decimal(10_000)
    exchange_days: int = 5
    exchange_share: Decimal = Decimal("0.7")
    exchange_count: int = 2
    exchange_total: Decimal = Decimal(1_000)
    layering_days: int = 7
    layering_amount: Decimal = Decimal(3_000)
    loan_days: int = 45
    loan_share: Decimal = Decimal("0.7")
    loan_amount: Decimal = Decimal(1_500)
    loan_met_days: int = 5
    loan_met_share: Decimal = Decimal("0.8")
    loan_met_single: Decimal = Decimal(5_000)
    own_loan_days: int = 365
    own_loan_share: Decimal = Decimal("0.5")
    fan_in_days: int = 45
    fan_in_parties: int = 10
    fan_in_parties_moved: int = 6
    fan_in_least: Decimal = Decimal(50)
    fan_in_median: Decimal = Decimal(300)
    fan_in_total: Decimal = Decimal(3_000)
    fan_in_total_moved: Decimal = Decimal(2_000)
    collected_days: int = 31
    collected_parties: int = 8
    collected_least: Decimal = Decimal(10)
    collected_share: Decimal = Decimal("0.7")
    cause_payers: int = 15
    cause_payees: int = 5
    cause_total: Decimal = Decimal(3_000)
    gathered_parties: int = 8
    gathered_most: Decimal = Decimal(500)
    gathered_total: Decimal = Decimal(1_000)
    gathered_income: Decimal = Decimal("0.3")
    changing_payees: int = 8
    changing_most: Decimal = Decimal(500)
    changing_total: Decimal = Decimal(500)
    feast_days: int = 150
    feast_payees: int = 3
    feast_family: int = 2
    feast_gift: Decimal = Decimal(1_000)
    home_days: int = 120
    home_parties: int = 3
    home_least: Decimal = Decimal(500)
    home_total: Decimal = Decimal(5_000)
    home_share: Decimal = Decimal("0.5")
    fan_out_days: int = 21
    fan_out_parties: int = 6
    fan_out_total: Decimal = Decimal(3_000)
    round_trip_days: int = 30
    round_trip_amount: Decimal = Decimal(1_000)
    round_trip_spread: Decimal = Decimal("0.1")
    round_trip_single: Decimal = Decimal(2_000)
    round_trip_person: Decimal = Decimal(5_000)
    round_trip_count: int = 3
    round_trip_often: int = 6
    refund_factor: Decimal = Decimal("1.5")
    refund_count: int = 3
    refund_total: Decimal = Decimal(1_500)
    cycle_days: int = 14
    cycle_spread: Decimal = Decimal("0.05")
    cycle_count: int = 2
    cycle_count_closed: int = 1
    cycle_total: Decimal = Decimal(3_000)
    answer_amount: Decimal = Decimal(1_000)
    answer_count: int = 4
    answer_spread: Decimal = Decimal("0.1")
    answer_share: Decimal = Decimal("0.7")
    answer_days: int = 92
    answer_total: Decimal = Decimal(10_000)
    deposit_days: int = 60
    deposit_share: Decimal = Decimal("0.5")
    gambling_share: Decimal = Decimal("0.1")
    crypto_share: Decimal = Decimal("0.1")
    gambling_income_share: Decimal = Decimal("0.5")
    crypto_income_share: Decimal = Decimal("0.5")
    washed_total: Decimal = Decimal(3_000)
    washed_spread: Decimal = Decimal("0.2")
    washed_payout: Decimal = Decimal(500)
    flow_amount: Decimal = Decimal(500)
    flow_total: Decimal = Decimal(5_000)
    dormant_days: int = 90
    dormant_amount: Decimal = Decimal(5_000)
    burst_days: int = 30
    new_account_after_days: int = 60
    new_account_days: int = 60
    spike_share: Decimal = Decimal("0.6")
    spike_amount: Decimal = Decimal(5_000)
    spike_parties: int = 3
    declared_factor: Decimal = Decimal(2)
    declared_excess: Decimal = Decimal(10_000)
    pay_again_count: int = 3
    thanks_amount: Decimal = Decimal(1_000)
    gifts_total: Decimal = Decimal(5_000)
    gifts_taken_share: Decimal = Decimal("0.35")
    goods_total: Decimal = Decimal(10_000)
    goods_share: Decimal = Decimal("0.8")
    shared_out_total: Decimal = Decimal(20_000)
    shared_out_share: Decimal = Decimal("0.5")
    taker_total: Decimal = Decimal(3_000)
    taker_share: Decimal = Decimal("0.55")
    nights_payers: int = 20
    nights_count: int = 5
    nights_share: Decimal = Decimal("0.25")
    investor_count: int = 5
    investor_least: Decimal = Decimal(500)
    investor_total: Decimal = Decimal(10_000)
    borrower_count: int = 10
    borrower_lent: int = 3
    instalment_most: Decimal = Decimal(300)
    kept_loan_count: int = 3
    kept_loan_total: Decimal = Decimal(10_000)
    kept_loan_days: int = 120
    handed_total: Decimal = Decimal(10_000)
    handed_share: Decimal = Decimal("0.6")
    repeated_share: Decimal = Decimal("0.6")
    repeated_count: int = 6
    leap_factor: Decimal = Decimal(3)
    leap_total: Decimal = Decimal(20_000)
    round_abroad_count: int = 6
    round_abroad_total: Decimal = Decimal(20_000)
    wallet_count: int = 2
    wallet_total: Decimal = Decimal(10_000)
    wallet_share: Decimal = Decimal("0.5")
    one_account_names: int = 3
    one_account_total: Decimal = Decimal(3_000)
    supplied_count: int = 6
    supplied_share: Decimal = Decimal("0.2")
    kept_least: Decimal = Decimal(3_000)
    kept_count: int = 6
    kept_total: Decimal = Decimal(25_000)
    places_count: int = 4
    places_deposits: int = 10
    places_total: Decimal = Decimal(10_000)
    cancelled_count: int = 3
    cancelled_least: Decimal = Decimal(1_000)
    cancelled_total: Decimal = Decimal(10_000)
    priced_loans: int = 5
    many_share: Decimal = Decimal("0.6")
    beside_untaxed: Decimal = Decimal("0.3")
    client_money_total: Decimal = Decimal(20_000)
    client_money_share: Decimal = Decimal("0.7")
    lent_cash_least: Decimal = Decimal(200)
    lent_cash_count: int = 8
    lent_cash_total: Decimal = Decimal(2_500)
    lent_cash_back: Decimal = Decimal("0.6")
    lent_cash_most: Decimal = Decimal(4)
    currency: str = "GBP"
    payers: Mapping[str, str] = field(default_factory=dict)
    levels: Mapping[str, str] = field(default_factory=lambda: dict(DEFAULT_LEVELS))


DEFAULT_THRESHOLDS = Thresholds()
