"""The level that each kind of red flag suggests."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from kycpack.errors import PolicyError

DEFAULT_LEVELS: Mapping[str, str] = MappingProxyType(
    {
        "pass_through": "edd",
        "sent_to_exchange": "edd",
        "own_account_layering": "edd",
        "loan_repaid": "edd",
        "pay_returned": "edd",
        "pay_drawn": "edd",
        "loan_met_by_others": "edd",
        "own_money_lent": "edd",
        "collected_abroad": "edd",
        "fan_in": "edd",
        "fan_out": "edd",
        "round_trip": "edd",
        "cycle": "edd",
        "answering_sums": "edd",
        "tax_refunds_shared": "edd",
        "claims_of_many": "edd",
        "firms_beside_salary": "edd",
        "gifts_taken": "edd",
        "gifts_rising": "edd",
        "goods_for_others": "edd",
        "invoices_shared_out": "edd",
        "collected_for_one": "edd",
        "paid_several_times": "edd",
        "persons_beside_salary": "edd",
        "returns_out_of_deposits": "edd",
        "loans_to_many": "edd",
        "loans_never_repaid": "edd",
        "takings_to_persons": "edd",
        "takings_leap": "edd",
        "round_sums_abroad": "edd",
        "wallets_drawn": "edd",
        "names_of_one_account": "edd",
        "employer_as_customer": "edd",
        "kept_by_firms": "edd",
        "cash_many_places": "edd",
        "purchases_cancelled": "edd",
        "sent_beyond_means": "edd",
        "growing_abroad": "edd",
        "pension_taken": "edd",
        "bills_unpaid": "edd",
        "client_money_kept": "edd",
        "savings_sent_away": "edd",
        "cash_drawn_more": "edd",
        "gift_cards": "edd",
        "refunds_without_purchase": "edd",
        "cash_structuring": "edd",
        "cash_without_trade": "edd",
        "cash_sent_on": "edd",
        "cash_in_pieces": "edd",
        "cash_over_accounts": "edd",
        "cash_beyond_takings": "edd",
        "home_from_strangers": "edd",
        "near_threshold": "edd",
        "gambling_beyond_income": "edd",
        "crypto_beyond_income": "edd",
        "gambling_washed": "edd",
        "unexplained_beyond_income": "edd",
        "dormant_account": "edd",
        "new_account_passage": "edd",
        "income_beyond_declared": "edd",
        "cash_intensive": "review",
        "gambling": "review",
        "crypto": "review",
        "large_unexplained": "review",
        "kept_from_many": "review",
        "activity_spike": "review",
    }
)
"""The level that each kind of red flag suggests if the policy does not set one."""

LEVELS = ("review", "edd", "escalate")
"""The levels that a policy may give a red flag; none of them lets a flag pass without review."""


def to_levels(given: Any) -> Mapping[str, str]:
    """Return the level of each kind of flag: the policy's where it sets one, otherwise the default.

    Args:
        given: Kind -> one of `LEVELS`, as written in a policy.

    Raises:
        PolicyError: A kind is not known, or its level is not one that a red flag may have.
    """
    if not isinstance(given, Mapping):
        raise PolicyError("expected a level for each kind of red flag", place="thresholds.levels")
    for name, level in given.items():
        if name not in DEFAULT_LEVELS:
            raise PolicyError("no such red flag", place=f"thresholds.levels.{name}")
        if level not in LEVELS:
            raise PolicyError(f"expected one of {', '.join(LEVELS)}", place=f"thresholds.levels.{name}")
    return {**DEFAULT_LEVELS, **given}
