"""A policy's own tests."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from kycpack.frames.leaves import leaves
from kycpack.triage.evaluate import apply_policy
from kycpack.triage.facts import NESTED, Facts
from kycpack.triage.paths import is_customers
from kycpack.triage.policy import Policy, PolicyTest


def check_policy(policy: Policy) -> list[str]:
    """Run the tests that a policy brings.

    Args:
        policy: From `load_policy`.

    Returns:
        What failed, one line each with its place; empty when all is as expected.
    """
    return [f"{test.place}: {failure}" for test in policy.tests for failure in _failures(policy, test)]


def _failures(policy: Policy, test: PolicyTest) -> list[str]:
    recommendations, _ = apply_policy(_facts(test.given), policy)
    row = recommendations.iloc[0]
    failures = []
    if row["level"] != test.expect:
        failures.append(f"expected {test.expect}, got {row['level']}")
    failures += [f"{rule} did not fire" for rule in test.fired if rule not in row["fired"]]
    failures += [f"{rule} fired" for rule in test.not_fired if rule in row["fired"]]
    return failures


def _facts(given: Any) -> Facts:
    facts = Facts(["customer"], [(0, "session")], ["given"])
    for path, value in leaves(dict(given)):
        kept = _kept(value)
        if is_customers(path):
            facts.about_customer(0, path, kept, "given")
        else:
            facts.about_session(0, path, kept, "given")
    return facts


def _kept(value: Any) -> Any:
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    return Decimal(value).normalize() if isinstance(value, int | Decimal) else NESTED
