"""A threshold is a sum in the policy's currency: what it comes to in another one, which way it is rounded, and what is said of it."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.wealth.covers import covers
from tests.wealth.flag_parts import AS_OF, SEED, Ledger, Stories, codes, derived
from tests.wealth.handled import handled
from tests.wealth.money_patterns import patterns
from tests.wealth.schemes import schemes
from tests.wealth.trusted import trusted

from kycpack.errors import PolicyError
from kycpack.models.dates import day_words
from kycpack.models.money import exponent, format_minor
from kycpack.wealth import derive
from kycpack.wealth.judge.red_flags.flag import to_date
from kycpack.wealth.match.exchange_rates import ABOVE_ALL, rate_words, round_unit, threshold_bounds

_POUND_IN = {
    "JPY": "200",
    "HUF": "400",
    "CZK": "30",
    "IDR": "20000",
    "KWD": "0.4",
    "USD": "1",
    "EUR": "1.2",
    "PLN": "5",
}
_NUMBERS = re.compile(r"\d[\d,]*(?:\.\d+)? [A-Z]{3}\b|\d{1,2} [A-Z][a-z]{2} \d{4}|\d+%|\d+")


def changed(rows: pd.DataFrame, currency: str) -> pd.DataFrame:
    """Return pounds as the same sums in another currency, at a rate within the bounds, by which round sums stay round (but for euros)."""
    factor = Decimal(_POUND_IN[currency]).scaleb(exponent(currency) - 2)
    return rows.assign(
        currency=currency, amount_minor=[int(Decimal(one) * factor) for one in rows["amount_minor"].tolist()]
    )


def paid(minor: int, currency: str, text: str = "ACME LTD SALARY") -> list[tuple[Any, ...]]:
    return [(f"2025-{month:02d}-27", minor, text, {"currency": currency}) for month in range(1, 13)]


@pytest.mark.parametrize(
    ("currency", "pay", "small", "large"),
    [
        ("JPY", 300_000, 950_000, 2_800_000),
        ("IDR", 1_500_000_000, 9_000_000_00, 240_000_000_00),
        ("KWD", 800_000, 2_600_000, 7_200_000),
        ("CZK", 4_000_000, 23_000_000, 44_000_000),
    ],
)
def test_a_single_credit_is_large_where_it_is_worth_ten_thousand_pounds(
    ledger: Ledger, currency: str, pay: int, small: int, large: int
) -> None:
    for minor, expected in ((small, set()), (large, {"large_unexplained"})):
        rows = ledger(*paid(pay, currency), ("2025-07-08", minor, "SOMEBODY", {"currency": currency}))
        found = derive(rows, as_of=AS_OF)
        assert set(codes(found)) & {"large_unexplained", "unexplained_beyond_income"} == expected


def test_the_sentence_names_the_rate_and_the_date_of_the_list_and_none_in_the_policys_own_currency(
    ledger: Ledger,
) -> None:
    rows = [*paid(300_000, "JPY"), ("2025-07-08", 2_800_000, "SOMEBODY", {"currency": "JPY"})]
    (message,) = derive(ledger(*rows), as_of=AS_OF).flags["message"]
    assert message.endswith(
        "; thresholds in GBP are applied at the average exchange rate of 2025 (1 GBP as 197.1995332556 JPY, the result rounded down; list of 30 Nov 2026)"
    )
    own = derive(ledger(*rows), as_of=AS_OF, thresholds={"currency": "JPY", "large_credit": 1_000_000})
    assert ["exchange rate" in one for one in own.flags["message"]] == [False]


def test_a_currency_without_a_rate_is_held_as_above_every_threshold_and_says_so(ledger: Ledger) -> None:
    rows = [*paid(90_000_00, "NGN"), ("2025-07-08", 40_000_00, "SOMEBODY", {"currency": "NGN"})]
    found = derive(ledger(*rows), as_of=AS_OF).flags
    assert set(found["code"]) == {"large_unexplained"}
    assert (
        "no exchange rate between GBP and NGN is known, so sums in NGN are treated as above every"
        in (found["message"].iloc[0])
    )


@pytest.mark.parametrize(("currency", "each"), [("EUR", 1_100_000), ("USD", 1_250_000), ("KWD", 4_000_000)])
def test_credits_just_below_the_limit_are_found_in_other_currencies(
    ledger: Ledger, currency: str, each: int
) -> None:
    near = [(f"2025-06-{day:02d}", each, name, {"currency": currency}) for day, name in ((3, "IVO ABE"), (9, "LENA ROE"), (17, "KOFI LUX"))]  # fmt: skip
    found = derive(ledger(*paid(300_000, currency), *near), as_of=AS_OF).flags
    mine = found[found["code"] == "near_threshold"].iloc[0]
    assert mine["facts"]["limit_minor"] == threshold_bounds(Decimal(10_000), "GBP", currency)[1]
    assert f"just below {format_minor(mine['facts']['limit_minor'], currency)}, " in mine["message"]


@pytest.mark.parametrize(("currency", "limit"), [("EUR", 1_000_000), ("USD", 1_000_000), ("SEK", 10_000_000)])
def test_credits_just_below_the_round_sum_of_another_currency_are_found(
    ledger: Ledger, currency: str, limit: int
) -> None:
    """Whoever stays below a limit in euros counts in euros."""
    near = [(f"2025-06-{day:02d}", limit - short, name, {"currency": currency}) for day, short, name in ((3, 10_000, "IVO ABE"), (9, 25_000, "LENA ROE"), (17, 5_000, "KOFI LUX"))]  # fmt: skip
    found = derive(ledger(*paid(limit // 3, currency), *near), as_of=AS_OF).flags
    mine = found[found["code"] == "near_threshold"].iloc[0]
    assert mine["facts"]["limit_minor"] == limit
    assert f"just below {format_minor(limit, currency)}, " in mine["message"]


def test_words_are_doubted_from_the_sum_that_is_as_much_elsewhere(ledger: Ledger) -> None:
    """Wages of 50,000 yen are a few days' pay, and 5,000,000 from a firm that nobody knows are not."""
    for minor, expected in ((50_000, "employment"), (5_000_000, "other")):
        rows = ledger(("2025-03-05", minor, "KESTREL LTD WAGES", {"currency": "JPY"}))
        assert set(derive(rows, as_of=AS_OF).credits["type"]) == {expected}


@pytest.mark.parametrize("currency", ["EUR", "JPY", "KWD"])
def test_every_number_of_every_flag_follows_in_another_currency_as_well(currency: str) -> None:
    stories = derived(
        lambda: ((*story[:2], changed(story[2], currency), story[3]) for story in patterns(SEED, per_kind=1))
    )
    words = rate_words("GBP", currency)
    seen = set()
    for kind, _, rows, wealth in stories:
        table = rows.set_index(["account_id", "txn_id"])
        for flag in wealth.flags.to_dict("records"):
            seen.add(flag["code"])
            facts = flag["facts"]
            mine = table.loc[list(zip(flag["account_ids"], flag["txn_ids"], strict=True))]["amount_minor"]
            assert facts["credits_minor"] == int(mine[mine > 0].sum())
            assert facts["debits_minor"] == -int(mine[mine < 0].sum())
            message = flag["message"]
            assert message.endswith(words)
            said = {
                *(format_minor(value, currency) for name, value in facts.items() if name.endswith("_minor")),
                *(day_words(to_date(value)) for name, value in facts.items() if name.endswith("_on")),
                *(f"{value}%" for name, value in facts.items() if name.endswith("_percent")),
                *(str(value) for value in facts.values()),
            }
            assert set(_NUMBERS.findall(message.removesuffix(words))) <= said, (kind, message)
    assert len(seen) >= 15


@pytest.fixture(scope="module")
def in_pounds() -> tuple[list[Any], Stories]:
    """Stories, and what is derived from them; not to be changed."""
    made = [*patterns(SEED, per_kind=1), *schemes(SEED), *handled(SEED), *covers(SEED), *trusted(SEED)]
    return made, derived(lambda: made)


@pytest.mark.parametrize("currency", ["JPY", "KWD", "PLN"])
def test_what_is_found_in_pounds_is_found_where_the_sums_are_changed(
    currency: str, in_pounds: tuple[list[Any], Stories]
) -> None:
    """Sums that are worth as much are as much, so no guilty story hides in another currency."""
    made, plain = in_pounds
    other = derived(lambda: ((*story[:2], changed(story[2], currency), story[3]) for story in made))
    missed = {
        kind
        for (kind, guilty, _, pounds), (_, _, _, elsewhere) in zip(plain, other, strict=True)
        if guilty and "edd" in set(pounds.flags["severity"]) and "edd" not in set(elsewhere.flags["severity"])
    }
    assert sum(guilty for _, guilty, _, _ in plain) >= 60
    assert missed == set()


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["EUR", "JPY", "KWD", "IDR", "HUF", "NGN", "XXX"]),
    st.integers(1, 10**9),
    st.integers(0, 10**6),
)
def test_bounds_lie_around_the_sum_and_grow_with_it(currency: str, amount: int, more: int) -> None:
    least, most = threshold_bounds(Decimal(amount), "GBP", currency)
    assert 0 <= least <= most <= ABOVE_ALL
    further = threshold_bounds(Decimal(amount + more), "GBP", currency)
    assert least <= further[0]
    assert most <= further[1]
    assert threshold_bounds(Decimal(amount), currency, currency)[0] == threshold_bounds(Decimal(amount), currency, currency)[1] or currency == "XXX"  # fmt: skip


def test_a_round_unit_is_a_power_of_ten_of_a_major_unit() -> None:
    units = {code: round_unit(code) for code in ("GBP", "EUR", "USD", "JPY", "HUF", "IDR", "KWD", "NGN")}
    assert units == {"GBP": 100, "EUR": 100, "USD": 100, "JPY": 100, "HUF": 10_000, "IDR": 1_000_000, "KWD": 100, "NGN": 100}  # fmt: skip


def test_a_policy_names_a_currency_that_exists(ledger: Ledger) -> None:
    for wrong in ("pounds", "gbp", "XXX", 826, None):
        with pytest.raises(PolicyError, match="currency code"):
            derive(ledger(*paid(1, "GBP")), thresholds={"currency": wrong}, as_of=AS_OF)


@pytest.mark.parametrize("currency", ["TND", "XOF"])
def test_a_currency_without_a_rate_for_the_thresholds_stops_nothing(ledger: Ledger, currency: str) -> None:
    months = [f"2025-{month:02d}" for month in range(1, 13)]
    rows = [(f"{month}-01", 250_000, "ACME LTD SALARY") for month in months]
    rows += [(f"{month}-03", -90_000, "RENT TO A LANDLORD") for month in months]
    rows += [("2025-03-09", 60_000, "A PATEL LOAN"), ("2025-04-09", -60_000, "A PATEL LOAN REPAYMENT")]
    wealth = derive(ledger(*rows, currency=currency), as_of="2025-12-31")
    assert set(wealth.credits["currency"]) == {currency}
    assert len(wealth.credits) == 13


@pytest.mark.parametrize("currency", ["EUR", "JPY", "KWD", "USD", "IDR", "PLN"])
@pytest.mark.parametrize("limit", ["1", "250", "9999.99", "10000", "20000", "1000000"])
def test_a_printed_threshold_is_the_limit_times_the_printed_rate(currency: str, limit: str) -> None:
    shown = re.search(
        rf"\(1 GBP as ([\d,.]+) {currency}, the result rounded down; list of ", rate_words("GBP", currency)
    )
    assert shown
    rate = Decimal(shown[1].replace(",", ""))
    minor, _ = threshold_bounds(Decimal(limit), "GBP", currency)
    assert minor == int((Decimal(limit) * rate).scaleb(exponent(currency)))
