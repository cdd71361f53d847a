from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kycpack.errors import InputError
from kycpack.models.money import (
    divided,
    exponent,
    format_minor,
    from_minor,
    known_currency,
    read_decimal,
    to_minor,
)

_CURRENCIES = st.sampled_from(["GBP", "EUR", "JPY", "KWD", "CLF", "HUF"])


@given(st.integers(-(10**15), 10**15), _CURRENCIES)
def test_minor_units_go_to_decimals_and_back(minor: int, currency: str) -> None:
    assert to_minor(from_minor(minor, currency), currency) == minor
    assert to_minor(str(from_minor(minor, currency)), currency) == minor


@pytest.mark.parametrize(
    ("code", "decimals"), [("GBP", 2), ("JPY", 0), ("KWD", 3), ("IQD", 3), ("CLF", 4), ("ISK", 0)]
)
def test_decimals_are_those_of_iso_4217(code: str, decimals: int) -> None:
    assert exponent(code) == decimals


@pytest.mark.parametrize("code", ["", "GB", "gbp", "ZZZ", "XAU", "XTS"])
def test_a_code_without_minor_units_is_no_currency(code: str) -> None:
    assert not known_currency(code)
    with pytest.raises(InputError):
        exponent(code)


@pytest.mark.parametrize(
    ("amount", "currency"), [("0.001", "GBP"), ("1.5", "JPY"), (Decimal("0.0001"), "KWD")]
)
def test_more_decimals_than_the_currency_has_are_refused_not_rounded(amount: Any, currency: str) -> None:
    with pytest.raises(InputError, match="more decimals"):
        to_minor(amount, currency)


@pytest.mark.parametrize(
    "value", [1.5, True, None, "1,5", "1e3", " 1", "", "NaN", "0x1", Decimal("Infinity"), "\u0661"]
)
def test_what_is_no_plain_decimal_is_refused(value: Any) -> None:
    with pytest.raises(InputError):
        read_decimal(value)


def test_people_read_thousands_and_a_currency() -> None:
    assert format_minor(-123_450, "GBP") == "-1,234.50 GBP"
    assert format_minor(1_234_567, "JPY") == "1,234,567 JPY"


@pytest.mark.parametrize(
    ("minor", "by", "expected"),
    [(4_400_121, 22, 200_006), (7_015_74, 12, 58_465), (12_685_00, 8, 158_563), (10, 3, 3), (11, 3, 4)],
)
def test_half_a_minor_unit_is_rounded_up_as_a_calculator_does(minor: int, by: int, expected: int) -> None:
    assert divided(minor, by) == expected
