"""A policy's own tests."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from kycpack.frames.json_leaves import leaves
from kycpack.triage.case_file import NESTED, CaseFile, Observation, SessionFile
from kycpack.triage.judge.judgement import judge_case
from kycpack.triage.paths import OWN_ROOTS, is_customers
from kycpack.triage.policies.policy import Policy, PolicyTest


def check_policy(policy: Policy) -> list[str]:
    """Run the tests in a policy.

    Args:
        policy: From `read_policy` or `load_policy`.

    Returns:
        One line for each failure, with its place; empty if all tests pass.
    """
    return [f"{test.place}: {failure}" for test in policy.tests for failure in _failures(policy, test)]


def _failures(policy: Policy, test: PolicyTest) -> list[str]:
    row = judge_case(policy, _case(test.given), test.day).recommendation
    fired = {*_words(row["fired"]), *_words(row["internal"])}
    failures = []
    if row["level"] != test.expect:
        failures.append(f"expected {test.expect}, got {row['level']}")
    failures += [f"{rule} did not fire" for rule in test.fired if rule not in fired]
    failures += [f"{rule} fired" for rule in test.not_fired if rule in fired]
    return failures


def _words(value: object) -> list[str]:
    return value if isinstance(value, list) else []


def _case(given: Any) -> CaseFile:
    case = CaseFile("customer", "given")
    session = SessionFile("session", "given")
    case.sessions.append(session)
    for path, value in leaves(dict(given)):
        kept = _kept(value)
        if is_customers(path):
            case.add(path, kept, "given")
            continue
        root = path.partition(".")[0]
        of_results = root not in OWN_ROOTS
        if of_results:
            session.sections.add(root)
        session.seen.append(Observation(path, kept, ("given",), of_results=of_results))
    return case


def _kept(value: Any) -> Any:
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    return Decimal(value).normalize() if isinstance(value, int | Decimal) else NESTED
