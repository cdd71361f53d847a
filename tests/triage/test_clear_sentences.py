"""A clear sentence says which of several things holds, with its value, and what was not looked at."""

from __future__ import annotations

import re

import pytest
from tests.triage.test_evaluate import POLICY, finding, triage
from tests.triage.test_wealth_sources import PAY, SALE, WORDS, judged


def test_a_proven_source_is_named_with_its_value_and_its_evidence() -> None:
    said = finding(judged(PAY), "EDD-1")["sentence"]
    assert re.search(
        r": the largest source is employment from .*TESCO.*, 32,500\.00 GBP, shown by .+ \(E-\d\d\)", said
    ), said
    assert "361 days of bank data" in said
    assert " or " not in said


def test_each_currency_has_its_own_source() -> None:
    said = finding(judged(PAY, PAY, currencies=("GBP", "EUR")), "EDD-1")["sentence"]
    assert "32,500.00 GBP" in said
    assert "32,500.00 EUR" in said


def test_where_none_is_needed_the_level_is_given() -> None:
    said = finding(judged(WORDS, pep="clear"), "EDD-1")["sentence"]
    assert (
        said
        == "Source of wealth for enhanced due diligence: none is needed, because the recommended level is approve"
    )


@pytest.mark.parametrize(("paid", "looked"), [((PAY,), True), ((), False)])
def test_an_internal_report_that_is_not_called_for_says_what_was_looked_for_and_what_could_not_be(
    paid: tuple[tuple[str, str], ...], *, looked: bool
) -> None:
    made = judged(*paid, pep="clear") if paid else triage()
    said = finding(made, "INT-1")["sentence"]
    for sought in ("red flag", "forgery", "terrorism"):
        assert sought in said
    looked_at, _, not_looked_at = said.partition("not looked at: ")
    assert ("bank data" in looked_at.partition("looked at: ")[2]) == looked
    assert ("bank data" in not_looked_at) != looked
    for check in ("document check", "identity check", "screening"):
        assert check in looked_at
    assert "what staff saw or heard" in not_looked_at


def test_no_clear_sentence_leaves_open_which_of_two_things_holds() -> None:
    assert not [rule.id for rule in POLICY.rules if re.search(r", or (?:none|no|not)\b", rule.texts.clear)]


def test_a_sale_alone_is_a_source_of_one_payment() -> None:
    said = finding(judged(SALE), "EDD-1")
    assert said["outcome"] != "CLEAR" or "183,549.00 GBP" in said["sentence"]
