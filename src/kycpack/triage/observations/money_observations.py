"""Observations about questions that the money leaves open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kycpack.triage.case_file import CaseFile
from kycpack.triage.paths import QUESTIONS_OF_MONEY
from kycpack.wealth.judge.open_questions import pay_beside_benefit
from kycpack.wealth.judge.pay_beside_benefits import limited_benefits


def observe_money(histories: Iterable[str], cases: Mapping[str, CaseFile], wealth: Any) -> None:
    """Add pay of each customer, or what may be pay, that came in beside a benefit that limits it.

    Args:
        histories: Customers with transactions.
        cases: The customers.
        wealth: What the credits are made of; None if the bank data was not analysed.
    """
    if wealth is None:
        return
    limited = set(wealth.credits["customer_id"].to_numpy(object)[limited_benefits(wealth.credits) != ""])
    for customer_id in (one for one in histories if one in cases and one in limited):
        for asked in pay_beside_benefit(wealth.of(wealth.credits, customer_id)):
            path = f"{QUESTIONS_OF_MONEY}{asked.code}"
            cases[customer_id].add(path, "open", *asked.evidence_ids, note=asked.message.rstrip("."))
