"""Steps about payments and red flags: what is asked about each, by whom, and what waits for the answer."""

from __future__ import annotations

from datetime import date

import pandas as pd
from tests.render.said_steps import steps_of
from tests.render.step_findings import NAMES, findings

from kycpack.render.review.reasons import reasons_of
from kycpack.render.review.sums import Sums, sums_of


def test_a_payment_is_not_released_before_its_source_is_shown() -> None:
    sums = Sums(payments={"E-17": ("payment P1 (85,000.00 GBP)",)})
    found = findings(
        {"rule_id": "PAY-1", "path": "wealth.payment_support", "evidence_ids": ["E-17"]},
        {
            "rule_id": "PEP-2",
            "path": "screening.summary.pep.level2",
            "owner": "MLRO",
            "action": "senior_approval",
            "level": "edd",
        },
    )
    made = steps_of(reasons_of(found, NAMES, sums=sums))
    assert made[0] == (
        "1. Analyst: do not release payment P1 (85,000.00 GBP) until its source is shown, the possible matches are settled and "
        "senior management has approved (PAY-1)."
    )
    assert "where the money of payment P1 (85,000.00 GBP) comes from (PAY-1)" in made[1]
    assert made[-1].startswith(
        "5. MLRO: after an approval, monitor payments and screening results more closely"
    )
    payment = {"payment_id": "pay-1", "amount_minor": 8500000, "currency": "GBP", "amount": "85000.00"}
    one = pd.DataFrame([payment | {"evidence_id": "E-17"}])
    nothing = pd.DataFrame(
        columns=[
            *("message", "account_ids", "txn_ids", "account_id", "txn_id"),
            *("amount_minor", "currency", "payer", "booked_on"),
        ]
    )
    assert sums_of(nothing, nothing, one, NAMES).payments == {"E-17": ("payment pay-1 (85,000.00 GBP)",)}


def test_a_second_red_flag_of_the_same_payments_says_so() -> None:
    said = (
        "Money moved on: each within 10 days",
        "Matching sums: within 92 days",
        "Much money: 1 credit",
        "Crypto: 2 payments",
    )
    ids = (["T1", "T2"], ["T2", "T1"], ["T1"], ["T1", "T3"])
    none = pd.DataFrame(
        columns=[
            "account_id",
            "txn_id",
            "payer",
            "payment_id",
            "amount_minor",
            "currency",
            "booked_on",
            "amount",
            "evidence_id",
        ]
    )
    accounts, facts = [["A"] * len(one) for one in ids], [{}] * len(ids)
    flags = pd.DataFrame({"message": said, "account_ids": accounts, "txn_ids": ids, "facts": facts})
    sums = sums_of(flags, none, none, NAMES)
    levels = ("edd", "edd", "review", "edd")
    rows = (
        {
            "rule_id": "WLT-1",
            "path": "wealth.flags.x",
            "sentence": f"{one} (E-07)",
            "evidence_ids": ["E-07"],
            "level": level,
        }
        for one, level in zip(said, levels, strict=True)
    )
    assert [one.text for one in reasons_of(findings(*rows), NAMES, sums=sums)] == [
        "Money moved on: each within 10 days (E-07)",
        "Matching sums: within 92 days; these are the payments of “Money moved on” (E-07)",
        "Crypto: 2 payments (E-07)",
        "Much money: 1 credit; this payment is among those of “Money moved on” (E-07)",
    ]


def test_a_finding_about_one_payment_is_named_by_its_amount_payer_and_day() -> None:
    said = "Large unexplained credit: 24,718.00 GBP on 16 Jul 2026"
    flags = pd.DataFrame(
        {
            "message": [said, "Two credits: seen"],
            "account_ids": [["A"], ["A", "A"]],
            "txn_ids": [["T1"], ["T1", "T2"]],
            "facts": [{"payers": 1}, {"payers": 2}],
        }
    )
    credit = {"amount_minor": 2471800, "currency": "GBP", "booked_on": date(2026, 7, 16)}
    credits_ = pd.DataFrame(
        [
            {"account_id": account, "txn_id": txn, "payer": payer, **credit}
            for account, txn, payer in (
                ("A", "T1", "K Ferrant"),
                ("A", "T2", None),
                ("B", "T1", "Another With That Id"),
            )
        ]
    )
    payments = pd.DataFrame(columns=["payment_id", "amount_minor", "currency", "amount", "evidence_id"])
    sums = sums_of(flags, credits_, payments, NAMES)
    path = {"path": "wealth.flags.large_unexplained", "rule_id": "WLT-2", "evidence_ids": ["E-12"]}
    found = findings(path | {"sentence": f"{said} (E-12)"}, path | {"sentence": "Two credits: seen (E-12)"})
    reasons = reasons_of(found, NAMES, sums=sums)
    assert [one.text for one in reasons] == [
        f"{said}; payer: K Ferrant (E-12)",
        "Two credits: seen; payer: K Ferrant; 1 credit has no payer's name (E-12)",
    ]
    # A list of cases, the index of a run and the ledger name nobody.
    assert [one.impersonal for one in reasons] == [f"{said} (E-12)", "Two credits: seen (E-12)"]
    step, _ = steps_of(reasons)
    assert step == (
        "1. Analyst: establish the background and purpose of 24,718.00 GBP from K Ferrant on 16 Jul 2026 and “Two credits”, "
        "with evidence (WLT-2)."
    )
