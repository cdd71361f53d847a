"""Addresses as a person and a utility bill write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kycpack.triage.addresses import Address, compare_addresses

HOME = Address("12 High Street", "Leeds", "LS1 1AA", "GB")


@pytest.mark.parametrize(
    ("other", "verdict"),
    [
        (Address("12 HIGH ST", "LEEDS", "ls11aa", "gb"), "equal"),
        (Address("12 Hihg Street", "Leeds", "LS1 1AA", "GB"), "similar"),
        (Address("Flat 3, 12 High Street", "Leeds", "LS1 1AA", "GB"), "similar"),
        (Address("12 High Street", "Leeds", None, "GB"), "similar"),
        (Address("14 High Street", "Leeds", "LS1 1AA", "GB"), "different"),
        (Address("12 High Street", "Leeds", "LS1 1AB", "GB"), "different"),
        (Address("12 High Street", "Leeds", "LS1 1AA", "US"), "different"),
        (Address("9 Low Road", "York", "YO1 1AA", "GB"), "different"),
    ],
)
def test_verdicts(other: Address, verdict: str) -> None:
    assert compare_addresses(HOME, other)[0] == verdict
    assert compare_addresses(other, HOME)[0] == verdict


parts = st.none() | st.text(max_size=12)


@given(st.builds(Address, parts, parts, parts, parts), st.builds(Address, parts, parts, parts, parts))
def test_any_text_gives_a_verdict(one: Address, other: Address) -> None:
    verdict, score, reason = compare_addresses(one, other)
    assert verdict in {"equal", "similar", "different"}
    assert 0 <= score <= 1
    assert reason
