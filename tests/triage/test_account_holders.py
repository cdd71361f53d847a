"""Holders of accounts: one person, several, and several who share a family name."""

from __future__ import annotations

import pytest

from kycpack.triage.names.account_holders import compare_holder


@pytest.mark.parametrize(
    ("holder", "verdict"),
    [
        ("A BYRON & B KING", "similar"),
        ("Ada Byron and Bea King", "similar"),
        ("B KING & C LOVELACE", "different"),
        ("ADA BYRON", "equal"),
    ],
)
def test_one_of_several_holders(holder: str, verdict: str) -> None:
    assert compare_holder("Ada Byron", holder).verdict == verdict


@pytest.mark.parametrize(
    ("holder", "kinds"),
    [
        ("Ada and Bea Byron", ("one_of_several",)),
        ("MR C & MRS A BYRON", ("initial", "one_of_several")),
        ("Ada Byron or Carl King", ("one_of_several",)),
        ("Ada Byron (deceased) and Bea King", ("one_of_several", "deceased")),
        ("Executors of Ada Byron", ("deceased",)),
    ],
)
def test_holders_who_share_a_family_name_or_of_whom_one_has_died(holder: str, kinds: tuple[str, ...]) -> None:
    assert compare_holder("Ada Byron", holder).kinds == kinds


def test_a_shared_family_name_makes_nobody_a_holder() -> None:
    assert compare_holder("Ada Byron", "Bea and Carl Byron").verdict == "different"
