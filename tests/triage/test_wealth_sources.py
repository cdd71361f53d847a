"""A source of wealth that only the sender's words show is not a proven one, where enhanced due diligence needs one."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pandas as pd
import pytest
from tests.frames.evidence_maker import RECORD, RESULTS, EvidenceMaker
from tests.triage.test_evaluate import AS_OF, POLICY, bank_customer, wealth

from kycpack.frames import flatten
from kycpack.triage import Triage, evaluate
from kycpack.wealth import derive

MONTHS = [dt.date(2025, 5, 3) + dt.timedelta(days=30 * number) for number in range(13)]
WORDS, PAY = ("RENT FROM TENANT ACORN ROW", "850.00"), ("TESCO STORES SALARY", "2500.00")
SALE, LOAN = ("HALE CONVEYANCING PROPERTY SALE", "183549.00"), ("BARCLAYS BANK LOAN DRAWDOWN", "183549.00")
UNCLEAR = ("QUORNDON 77/2", "183549.00")
PIECES = tuple((f"QUORNDON {number} 77/{number}", "18354.90") for number in range(40, 50))
ONCE = {SALE[0], LOAN[0], UNCLEAR[0], *(text for text, _ in PIECES)}
SMALL_PAY = ("TESCO STORES SALARY", "200.00")


def judged(*paid: tuple[str, str], pep: str = "attention", currencies: tuple[str, ...] = ("GBP",)) -> Triage:
    """A year of credits; in each currency one kind of them, or in one currency all."""
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    summary = {**RESULTS["screening"]["summary"], "pep": {"level1": pep, "level2": "clear"}}
    made.session({**RESULTS, "screening": {**RESULTS["screening"], "summary": summary}})
    items: dict[str, list[dict[str, Any]]] = {currency: [] for currency in currencies}
    for number, (text, amount) in enumerate(paid):
        currency = currencies[number % len(currencies)]
        items[currency] += [
            {"id": f"{number}-{day}", "bookingDate": day.isoformat(), "amount": amount, "creditDebitIndicator": "Credit", "currency": currency, "description": text}
            for day in (MONTHS if text not in ONCE else MONTHS[5:6])
        ]  # fmt: skip
    accounts = [
        {"id": f"a-{currency}", "currency": currency, "accountHolderName": "MS A BYRON", "tokenExpiry": "2026-08-01T00:00:00Z"}
        for currency in currencies
    ]  # fmt: skip
    made.answer("bank_accounts.list", {"items": accounts})
    for currency, listed in items.items():
        made.answer("bank_accounts.transactions", {"items": listed}, account_id=f"a-{currency}")
    made.known()
    return of_evidence(made)


def of_evidence(made: EvidenceMaker) -> Triage:
    frames = flatten(made.make())
    wealth = derive(frames.transactions, customers=frames.customers, accounts=frames.accounts, as_of=AS_OF)
    return evaluate(frames, POLICY, wealth, as_of=AS_OF)


def found(made: Triage) -> tuple[str, str, str]:
    """The outcome, owner and sentence of EDD-1."""
    row = made.findings[made.findings["rule_id"] == "EDD-1"].iloc[0]
    return str(row["outcome"]), str(row["owner"]), str(row["sentence"])


def test_the_only_source_known_by_the_senders_words_is_not_proven() -> None:
    made = judged(WORDS)
    outcome, owner, sentence = found(made)
    assert (outcome, owner, made.findings[made.findings["rule_id"] == "EDD-1"]["level"].iloc[0]) == (
        "UNKNOWN",
        "MLRO",
        "edd",
    )
    assert "supported only by the sender's words" in sentence
    assert "11,050.00 GBP" in sentence


def test_a_known_employer_proves_one() -> None:
    assert found(judged(PAY))[0] == "CLEAR"


def test_small_proven_pay_beside_large_claimed_income_proves_nothing_of_it() -> None:
    assert found(judged(WORDS, SMALL_PAY))[0] == "UNKNOWN"
    assert found(judged(WORDS, PAY))[0] == "CLEAR"


def test_a_single_credit_by_words_that_is_larger_than_proven_pay_is_the_largest_source() -> None:
    outcome, owner, sentence = found(judged(PAY, SALE))
    assert (outcome, owner) == ("UNKNOWN", "MLRO")
    assert "sale of property, 183,549.00 GBP" in sentence
    assert "supported only by the sender's words" in sentence


def test_more_money_without_a_nature_than_proven_pay_leaves_the_source_unknown() -> None:
    outcome, _, sentence = found(judged(PAY, UNCLEAR))
    assert outcome == "UNKNOWN"
    assert (
        "more money came in that shows no source of wealth (nature not established, 183,549.00 GBP) than from the largest source of wealth in GBP (employment, "
        in sentence.lower().replace("gbp", "GBP")
    )
    assert found(judged(UNCLEAR))[0] == "HIT"


def test_money_without_a_nature_counts_as_one_sum_however_it_is_split() -> None:
    outcome, _, sentence = found(judged(PAY, *PIECES))
    assert outcome == "UNKNOWN"
    assert "nature not established, 183,549.00" in sentence


def test_money_without_a_nature_in_another_currency_is_not_proven_by_pay_in_the_first() -> None:
    outcome, _, sentence = found(judged(PAY, UNCLEAR, currencies=("GBP", "EUR")))
    assert outcome == "UNKNOWN"
    assert "o source in EUR is established (nature not established, 183,549.00 EUR)" in sentence
    assert "any one source" not in sentence
    assert found(judged(UNCLEAR, UNCLEAR, currencies=("GBP", "EUR")))[0] == "HIT"


def test_what_is_not_proven_is_named_in_every_currency() -> None:
    _, _, sentence = found(judged(WORDS, UNCLEAR, currencies=("EUR", "GBP")))
    assert "11,050.00 EUR" in sentence
    assert "nature not established, 183,549.00 GBP" in sentence


@pytest.mark.parametrize("level", ["pattern", "code", "keyword"])
def test_of_two_equal_sums_the_one_that_is_not_proven_decides(level: str) -> None:
    given = wealth(("pass_through", "edd"))
    other = {"type": "rental_income", "evidence_level": level, "type_confidence": "low"}
    given.streams = pd.concat([given.streams, given.streams.assign(**other)], ignore_index=True)
    assert found(evaluate(bank_customer(), POLICY, given, as_of=AS_OF))[0] == "UNKNOWN"


def test_a_loan_larger_than_proven_pay_is_not_a_source() -> None:
    assert found(judged(PAY, LOAN))[0] == "CLEAR"


def test_income_in_another_currency_is_not_proven_by_pay_in_the_first() -> None:
    assert found(judged(PAY, WORDS, currencies=("GBP", "EUR")))[0] == "UNKNOWN"


@pytest.mark.parametrize("text", ["CRYPTO.COM", "BET365 WINNINGS"])
def test_what_is_paid_out_by_an_exchange_or_bookmaker_is_no_source_of_wealth(text: str) -> None:
    assert found(judged((text, "900.00")))[0] == "HIT"


def test_where_no_enhanced_due_diligence_is_needed_nothing_is_asked() -> None:
    asked = judged(("RENT FROM TENANT ACORN ROW", "40.00"), pep="clear")
    assert asked.recommendations["level"].iloc[0] != "edd"
    assert found(asked)[0] == "CLEAR"


SMALL_RENT = ("RENT FROM TENANT ACORN ROW", "40.00")


def in_entries(*pages: tuple[tuple[str, str], ...], pep: str = "attention") -> tuple[Triage, list[str]]:
    """A customer with one account for each page of credits, and the entries of the pages."""
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    summary = {**RESULTS["screening"]["summary"], "pep": {"level1": pep, "level2": "clear"}}
    made.session({**RESULTS, "screening": {**RESULTS["screening"], "summary": summary}})
    names = [f"a-{number}" for number in range(len(pages))]
    account = {"currency": "GBP", "accountHolderName": "MS A BYRON", "tokenExpiry": "2026-08-01T00:00:00Z"}
    made.answer("bank_accounts.list", {"items": [{**account, "id": name} for name in names]})
    entries = []
    for name, paid in zip(names, pages, strict=True):
        items = [
            {"id": f"{name}-{number}-{day}", "bookingDate": day.isoformat(), "amount": amount, "creditDebitIndicator": "Credit", "currency": "GBP", "description": text}
            for number, (text, amount) in enumerate(paid)
            for day in (MONTHS if text not in ONCE else MONTHS[5:6])
        ]  # fmt: skip
        made.answer("bank_accounts.transactions", {"items": items}, account_id=name)
        entries.append(made.entries[-1].id)
    made.known()
    return of_evidence(made), entries


@pytest.mark.parametrize(
    ("pages", "cited"),
    [
        (((PAY,), (SALE,)), [1]),
        (((SALE,), (PAY,)), [0]),
        (((SMALL_PAY,), (WORDS,)), [1]),
        (((PAY,), PIECES[:5], PIECES[5:]), [1, 2]),
        (((SMALL_RENT,), (PAY,)), [1]),
        (((UNCLEAR,), (LOAN,)), [0, 1]),
    ],
)
def test_a_source_is_shown_by_the_entries_of_its_own_credits(
    pages: tuple[tuple[tuple[str, str], ...], ...], cited: list[int]
) -> None:
    made, entries = in_entries(*pages)
    (observed,) = (one for one in made.cases[0].seen if one.path == "wealth.source_found")
    expected = tuple(entries[place] for place in cited)
    assert observed.evidence_ids == expected
    outcome, _, sentence = found(made)
    if outcome == "UNKNOWN":
        assert sentence.endswith(f"({', '.join(expected)})")


def test_that_nothing_was_found_is_shown_by_every_entry_that_was_looked_at() -> None:
    made, entries = in_entries((PAY,), (SMALL_PAY,), pep="clear")
    row = made.findings[made.findings["rule_id"] == "WLT-2"].iloc[0]
    assert (row["outcome"], row["evidence_ids"]) == ("CLEAR", entries)
    made, entries = in_entries((UNCLEAR,), (("BET365 WINNINGS", "900.00"),))
    outcome, _, sentence = found(made)
    assert outcome == "HIT"
    assert sentence.endswith(f"({', '.join(entries)})")
