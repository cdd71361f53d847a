"""A red flag that needs a number of payments or of parties, or a sum, is found at exactly that, and not at one fewer or a penny less."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from functools import partial
from typing import Any

import pandas as pd
import pytest
from tests.wealth.covers import covers
from tests.wealth.flag_parts import SEED
from tests.wealth.handled import handled
from tests.wealth.landlords import landlords
from tests.wealth.losses import losses
from tests.wealth.money_patterns import Diary, patterns
from tests.wealth.schemes import schemes
from tests.wealth.test_flags_lent_cash import lends_and_collects_in_cash, lends_cash_and_collects_by_transfer
from tests.wealth.tills import tills
from tests.wealth.trusted import trusted

from kycpack.wealth import derive

Story = tuple[pd.DataFrame, pd.DataFrame]
# A story, the limit that it is held against, how its flag begins, and which of its facts is the number that counts.
CASES = (
    ("friend_met_online", "drained_count", "Savings sent to others at once", "credits"),
    (
        "nephew_before_the_home",
        "drained_count",
        "Bills that come back unpaid while one party is pai",
        "credits",
    ),
    ("cards_for_a_caller", "card_count", "Many gift cards", "debits"),
    ("friend_never_met", "growing_parties", "Growing sums to strangers abroad", "payees"),
    ("nephew_who_helps", "taken_count", "Much of a pension going to one party", "debits"),
    ("friend_in_need", "beyond_payments", "Growing payments to strangers, beyond what comes i", "debits"),
    ("below_limit", "near_limit_count", "Credits just below a limit", "credits"),
    ("like_cash", "structuring_count", "Cash in many similar deposits", "credits"),
    ("no_costs_at_all", "structuring_year_count", "Cash in many similar deposits", "credits"),
    ("cars_nobody_bought", "cover_count", "Cash of a trade that is diverted", "credits"),
    ("out_after_days", "pass_through_count", "Money moved on", "credits"),
    ("pay_back_to_firm", "pass_through_count", "Pay that goes back", "credits"),
    ("pay_drawn_in_cash", "pass_through_count", "Like sums in and out", "credits"),
    ("pay_drawn_in_cash", "drawn_count", "Pay withdrawn in cash", "credits"),
    ("benefits_of_others", "benefit_count", "Money moved on", "credits"),
    ("refunds_of_others", "benefit_count", "Tax refunds shared with others", "credits"),
    ("advances_of_others", "benefit_count", "Like sums in and out", "credits"),
    ("thanks_of_contractors", "beside_count", "Sums from firms alongside a salary", "credits"),
    ("officer_who_is_thanked", "beside_count", "Sums from persons alongside a salary", "credits"),
    ("ever_new_tenants", "very_many_parties", "Sums from very many strangers", "payers"),
    ("gifts_to_exchange", "exchange_count", "Money sent on to an exchange", "credits"),
    ("fan_in", "fan_in_parties", "Money from many strangers", "payers"),
    ("fan_in_and_out", "fan_in_parties_moved", "Money from many strangers", "payers"),
    ("guests_without_a_house", "collected_parties", "Money from many strangers sent abroad", "payers"),
    ("guests_without_a_house", "gathered_parties", "Small sums from many people taken out at once", "payers"),
    ("home_paid_by_strangers", "home_parties", "Property paid for with other people's money", "payers"),
    ("fan_out", "fan_out_parties", "Money paid out to many strangers", "payees"),
    ("own_money_comes_back_as_rent", "round_trip_count", "Money to and from one party", "credits"),
    ("own_money_comes_back_as_rent", "round_trip_often", "Money to and from one party", "credits"),
    ("refunds", "refund_count", "Refunds without a purchase", "credits"),
    ("cycle", "cycle_count", "Money sent to one party that came back from anothe", "credits"),
    ("salary_that_passes", "answer_count", "Matching sums in and out", "credits"),
    ("club_of_returns", "investor_count", "Returns paid out of what others paid in", "payers"),
    ("weekly_instalments", "borrower_count", "Instalments from many people", "payers"),
    ("weekly_instalments", "borrower_lent", "Instalments from many people", "debits"),
    ("loans_of_a_builder", "kept_loan_count", "Loans that are never repaid", "credits"),
    ("goods_on_paper", "round_abroad_count", "Round sums to firms abroad without any goods", "debits"),
    ("round_wallets", "wallet_count", "Round sums from several payment services", "payers"),
    ("staff_of_one_account", "one_account_names", "Several names and one account", "payees"),
    ("clerk_who_supplies", "supplied_count", "An employer that also pays another account", "credits"),
    ("invoices_to_friends", "kept_count", "Kept by firms", "credits"),
    ("many_counters_one_day", "places_deposits", "Cash paid in at many places", "credits"),
    ("orders_called_off", "cancelled_count", "Large payments given back", "credits"),
    ("lends_and_collects_in_cash", "lent_cash_count", "Cash that goes out and comes back", "debits"),
    (
        "lends_cash_and_collects_by_transfer",
        "lent_cash_count",
        "Instalments from many people, and cash",
        "payers",
    ),
    ("weekly_instalments", "priced_loans", "Loans to many people at a price", "debits"),
)

# The same for sums of money.
SUMS = (
    ("friend_met_online", "drained_total", "Savings sent to others at once", "debits_minor"),
    ("borrows_for_a_friend", "drained_total", "Loans sent to others", "debits_minor"),
    (
        "nephew_before_the_home",
        "drained_total",
        "Bills that come back unpaid while one party is paid a lot",
        "debits_minor",
    ),
    ("cash_of_an_old_person", "drawn_more_total", "Much more cash withdrawn than before", "debits_minor"),
    ("nephew_who_helps", "drawn_more_total", "Much of a pension going to one party", "debits_minor"),
    ("cards_for_a_caller", "card_total", "Many gift cards", "debits_minor"),
    ("friend_never_met", "growing_total", "Growing sums to strangers abroad", "debits_minor"),
    (
        "friend_in_need",
        "growing_total",
        "Growing payments to strangers, beyond what comes in",
        "debits_minor",
    ),
    ("single_pass", "large_credit", "Large unexplained credit", "credits_minor"),
    ("loan_back", "large_credit", "Large credit that only the sender explains", "credits_minor"),
    ("like_cash", "structuring_total", "Cash in many similar deposits", "credits_minor"),
    ("no_costs_at_all", "structuring_year_total", "Cash in many similar deposits", "credits_minor"),
    ("cover", "untraded_cash", "Cash without a trade", "credits_minor"),
    ("loan_back", "sent_on_cash", "Cash sent on to others", "credits_minor"),
    ("many_counters_one_day", "spread_total", "Cash in several deposits a day", "credits_minor"),
    ("cash_in_and_away", "cover_total", "Two kinds of cash in one trade", "credits_minor"),
    ("cars_nobody_bought", "cover_total", "Cash of a trade that is diverted", "debits_minor"),
    ("cover", "cash_amount", "A large share of cash", "credits_minor"),
    ("fan_out", "pass_through_amount", "Money paid out to many strangers", "credits_minor"),
    ("out_after_days", "pass_through_total", "Money moved on", "credits_minor"),
    ("pay_drawn_in_cash", "pass_through_total", "Pay withdrawn in cash", "credits_minor"),
    ("advances_of_others", "pass_through_total", "Like sums in and out", "credits_minor"),
    ("single_pass", "pass_through_single", "Money moved on", "credits_minor"),
    ("thanks_of_contractors", "beside_total", "Sums from firms alongside a salary", "credits_minor"),
    ("officer_who_is_thanked", "beside_total", "Sums from persons alongside a salary", "credits_minor"),
    ("ever_new_tenants", "very_many_total", "Sums from very many strangers", "credits_minor"),
    ("gifts_to_exchange", "exchange_total", "Money sent on to an exchange", "credits_minor"),
    ("stack", "layering_amount", "Money moved through own accounts one after another", "credits_minor"),
    ("loan_back", "loan_amount", "Loan repaid at once", "credits_minor"),
    ("own_money_lent", "loan_amount", "Own money lent back", "credits_minor"),
    (
        "guests_without_a_house",
        "fan_in_total_moved",
        "Money from many strangers sent abroad",
        "credits_minor",
    ),
    ("home_paid_by_strangers", "home_total", "Property paid for with other people's money", "debits_minor"),
    ("fan_out", "fan_out_total", "Money paid out to many strangers", "debits_minor"),
    ("round_trip", "round_trip_single", "Money to and from one party", "credits_minor"),
    ("refunds", "refund_total", "Refunds without a purchase", "credits_minor"),
    ("cycle", "cycle_total", "Money sent to one party that came back from another", "credits_minor"),
    ("gifts_to_exchange", "flow_amount", "Crypto assets", "debits_minor"),
    ("bookmaker", "flow_amount", "Gambling", "debits_minor"),
    ("awakened", "dormant_amount", "Dormant account reactivated", "credits_minor"),
    ("new_account", "spike_amount", "Large sums in a new account", "credits_minor"),
    (
        "treasurer_who_keeps",
        "gifts_total",
        "Money given to a cause that goes to individuals",
        "credits_minor",
    ),
    ("phones_for_top_ups", "goods_total", "Goods bought with other people's money", "credits_minor"),
    (
        "invoices_to_friends",
        "shared_out_total",
        "Firms' payments shared out among individuals",
        "credits_minor",
    ),
    (
        "tenants_of_one_month",
        "taker_total",
        "Small sums from many strangers going to one party",
        "credits_minor",
    ),
    ("fees_for_one", "taker_total", "Sums from very many strangers going to a few parties", "credits_minor"),
    ("club_of_returns", "investor_total", "Returns paid out of what others paid in", "credits_minor"),
    ("loans_of_a_builder", "kept_loan_total", "Loans that are never repaid", "credits_minor"),
    ("beds_that_use_no_power", "handed_total", "Takings passed on to others", "credits_minor"),
    ("shop_that_leaps", "leap_total", "Card takings that jump and go to new parties", "credits_minor"),
    ("goods_on_paper", "round_abroad_total", "Round sums to firms abroad without any goods", "debits_minor"),
    ("round_wallets", "wallet_total", "Round sums from several payment services", "credits_minor"),
    ("staff_of_one_account", "one_account_total", "Several names and one account", "debits_minor"),
    ("invoices_to_friends", "kept_total", "Kept by firms", "credits_minor"),
    ("many_counters_one_day", "places_total", "Cash paid in at many places", "credits_minor"),
    ("orders_called_off", "cancelled_total", "Large payments given back", "credits_minor"),
    (
        "agent_who_keeps_rents",
        "client_money_total",
        "Money held for others that is not passed on in full",
        "credits_minor",
    ),
)


@pytest.fixture(scope="module")
def stories() -> Mapping[str, Story]:
    """Transactions and accounts of one guilty story of each kind."""
    makers = (
        partial(patterns, SEED, per_kind=1), partial(tills, SEED), partial(landlords, SEED), partial(schemes, SEED),
        partial(losses, SEED, per_kind=1), partial(handled, SEED, per_kind=1), partial(covers, SEED), partial(trusted, SEED),
    )  # fmt: skip
    found: dict[str, Story] = {}
    for make in makers:
        for kind, is_guilty, rows, accounts in make():
            if is_guilty:
                found.setdefault(kind, (rows, accounts))
    for tell in (lends_and_collects_in_cash, lends_cash_and_collects_by_transfer):
        diary = Diary(tell.__name__)
        diary.salary()
        diary.live()
        tell(diary)
        found[tell.__name__] = diary.frames()
    return found


def facts_of(story: Story, title: str, limits: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the facts of the first red flag that begins like this; None if there is none."""
    rows, accounts = story
    flags = derive(rows, accounts=accounts, thresholds=dict(limits), as_of="2026-06-27").flags
    return next((row.facts for row in flags.itertuples() if str(row.message).startswith(title)), None)


@pytest.mark.parametrize(("kind", "limit", "title", "fact"), CASES)
def test_a_number_that_just_meets_a_limit_is_found_and_one_fewer_is_not(
    stories: Mapping[str, Story], kind: str, limit: str, title: str, fact: str
) -> None:
    whole = facts_of(stories[kind], title, {})
    assert whole is not None
    number = whole[fact]
    # With a higher limit a flag may rest on other payments than without.
    while facts_of(stories[kind], title, {limit: number + 1}) is not None:
        number += 1
    while (found := facts_of(stories[kind], title, {limit: number})) is None:
        number -= 1
    assert found[fact] == number


@pytest.mark.parametrize(("kind", "limit", "title", "fact"), SUMS)
def test_a_sum_that_just_meets_a_limit_is_found_and_a_penny_less_is_not(
    stories: Mapping[str, Story], kind: str, limit: str, title: str, fact: str
) -> None:
    whole = facts_of(stories[kind], title, {})
    assert whole is not None
    just, above = (Decimal(whole[fact] + more) / 100 for more in (0, 1))
    assert facts_of(stories[kind], title, {limit: just}) is not None
    assert facts_of(stories[kind], title, {limit: above}) is None
