"""The numbers that dispositions and red flags turn on; a triage policy may set each of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from decimal import Decimal, InvalidOperation
from typing import Any

from kycpack.errors import PolicyError


@dataclass(frozen=True)
class Thresholds:
    """Thresholds, in major units of the currency at hand, days, counts, and shares of 0..1.

    Args:
        small_credit: A credit below it that is in no stream is `small_other`.
        small_gift: A single gift below it is `small_other`.
        large_credit: An unexplained credit from it on is a red flag by itself.
        large_credit_share: Likewise as a share of all credits.
        reporting_limit: The amount that structuring stays below.
        near_limit_share: From this share of the limit on, a credit is near it.
        near_limit_count: So many of them, within `near_limit_days`, are a red flag.
        near_limit_days: Days for `near_limit_count`.
        pass_through_days: Money that leaves within so many days has passed through.
        pass_through_share: Share of a credit that leaves.
        pass_through_count: So many such credits are a red flag.
        pass_through_amount: Smallest credit that is looked at.
        round_trip_days: Money back to, or from, the same party within so many days.
        pass_through_amount: Decimal = Decimal(1_000)
    round_trip_amount: Smallest amount of a round trip.
        round_trip_spread: How far the two amounts of a round trip may differ, as a share.
        smallest_flow: Debits below it are not looked at for pass-through and round trips.
        cash_share: Share of cash in all credits.
        cash_amount: Smallest total of cash that is looked at.
        gambling_share: Share of gambling, in or out, in all credits.
        crypto_share: Share of crypto, in or out, in all credits.
        flow_amount: Smallest total of gambling or crypto that is looked at.
        spike_share: Share of a month in all credits of an account that is younger than `new_account_days`.
        spike_amount: Smallest total of that month.
        new_account_days: Age up to which an account is new.
        refund_days: How long after a debit its refund may come.
    """

    small_credit: Decimal = Decimal(100)
    small_gift: Decimal = Decimal(1_000)
    large_credit: Decimal = Decimal(10_000)
    large_credit_share: Decimal = Decimal("0.2")
    reporting_limit: Decimal = Decimal(10_000)
    near_limit_share: Decimal = Decimal("0.9")
    near_limit_count: int = 3
    near_limit_days: int = 30
    pass_through_days: int = 3
    pass_through_share: Decimal = Decimal("0.9")
    pass_through_count: int = 3
    round_trip_days: int = 30
    pass_through_amount: Decimal = Decimal(1_000)
    round_trip_amount: Decimal = Decimal(1_000)
    round_trip_spread: Decimal = Decimal("0.05")
    smallest_flow: Decimal = Decimal(200)
    cash_share: Decimal = Decimal("0.3")
    cash_amount: Decimal = Decimal(2_000)
    gambling_share: Decimal = Decimal("0.1")
    crypto_share: Decimal = Decimal("0.1")
    flow_amount: Decimal = Decimal(500)
    spike_share: Decimal = Decimal("0.6")
    spike_amount: Decimal = Decimal(5_000)
    new_account_days: int = 90
    refund_days: int = 60


DEFAULT_THRESHOLDS = Thresholds()


def to_thresholds(given: Thresholds | Mapping[str, Any] | None) -> Thresholds:
    """Return thresholds with those given in place of the defaults.

    Args:
        given: Thresholds, a mapping of some of their names as it stands in a policy, or None for the defaults.

    Raises:
        PolicyError: A name is not known, or a value is not a number above or at zero.
    """
    if given is None:
        return DEFAULT_THRESHOLDS
    if isinstance(given, Thresholds):
        return given
    kinds = {field.name: type(getattr(DEFAULT_THRESHOLDS, field.name)) for field in fields(Thresholds)}
    values: dict[str, Any] = {}
    for name, value in given.items():
        place = f"thresholds.{name}"
        if name not in kinds:
            raise PolicyError("no such threshold", place=place)
        try:
            number = Decimal(str(value))
        except InvalidOperation:
            raise PolicyError("expected a number", place=place) from None
        if isinstance(value, bool) or not number.is_finite() or number < 0:
            raise PolicyError("expected a number that is not below zero", place=place)
        if kinds[name] is int and number != int(number):
            raise PolicyError("expected a whole number", place=place)
        values[name] = kinds[name](number)
    return Thresholds(**values)
