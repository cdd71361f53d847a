"""Payers that a firm names in its own policy."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.errors import PolicyError
from kycpack.triage import default_policy_file, read_policy
from kycpack.wealth import derive
from kycpack.wealth.given_thresholds import to_thresholds

Ledger = Callable[..., pd.DataFrame]
PAYERS = {"employer": "Tarnway Cleaning Ltd; TARNWAY FM", "pension_provider": "~Tesco"}


def types(ledger: Ledger, text: str, payers: dict[str, str]) -> list[str]:
    rows = [(f"2025-{month:02d}-28", 214_000, text) for month in range(1, 13)]
    return derive(ledger(*rows), thresholds={"payers": payers}, as_of="2025-12-31").streams["type"].tolist()


def test_a_payer_of_the_policy_is_known_and_comes_before_the_lists(ledger: Ledger) -> None:
    assert types(ledger, "TARNWAY FM 4471", {}) == ["other"]
    assert types(ledger, "TARNWAY FM 4471", PAYERS) == ["employment"]
    assert types(ledger, "ROLLS-ROYCE PLC", {}) == ["employment"]
    assert types(ledger, "ROLLS-ROYCE PLC", {"pension_provider": "~Rolls-Royce plc"}) == ["pension"]
    assert types(ledger, "TESCO", PAYERS) == ["pension"]


def test_sufficiency_reads_with_the_same_payers(ledger: Ledger) -> None:
    rows = [(f"2025-{month:02d}-28", 214_000, "TARNWAY FM") for month in range(1, 13)]
    frame = pd.concat([ledger(*rows), ledger(*rows, customer_id="C2")], ignore_index=True)
    wealth = derive(frame, thresholds={"payers": PAYERS}, as_of="2025-12-31")
    assert wealth.sufficiency("C1", None, "5000", "GBP").answer == "supported"


@pytest.mark.parametrize("given", [{"bakery": "Crust"}, {"employer": " "}, {"employer": 3}, "Tarnway"])
def test_what_names_no_payer_is_refused_with_its_place(given: object) -> None:
    with pytest.raises(PolicyError, match=r"thresholds\.payers"):
        to_thresholds({"payers": given})


def test_a_policys_file_names_payers_and_its_digest_covers_them() -> None:
    text = default_policy_file().read_text(encoding="utf-8")
    lines = "\nthresholds:\n  payers:\n    employer: |\n      Tarnway Cleaning Ltd; TARNWAY FM\n"
    changed = text.replace("\nthresholds:\n", lines, 1)
    before, after = read_policy(text.encode()), read_policy(changed.encode())
    assert after.thresholds["payers"] == {"employer": "Tarnway Cleaning Ltd; TARNWAY FM\n"}
    assert before.digest != after.digest
    wrong = changed.replace("    employer: |", "    bakery: |")
    with pytest.raises(PolicyError, match="no such kind of payer"):
        read_policy(wrong.encode())
