"""Many customers judged together: each as alone, and what is clear only when it is asked for."""

from __future__ import annotations

import dataclasses
import datetime as dt
from decimal import Decimal
from typing import Any

import pandas as pd
import pytest
from tests.frames.evidence_maker import IDENTITY, RECORD, RESULTS, STATUS, EvidenceMaker
from tests.triage.invented_customers import evidence
from tests.triage.result_shapes import telling, troubled

import kycpack as kp
from kycpack.synthetic import generate
from kycpack.triage import Triage, load_policy
from kycpack.triage.case_file import CaseFile, Observation, SessionFile
from kycpack.triage.judge.judgement import judge_case, recommend

AS_OF = dt.date(2026, 6, 1)
CUSTOMERS = 24
LOW = {"country": "gb", "product": "savings_account", "channel": "branch", "purpose": "salary"}
MADE = ("recommendations", "findings", "consistency", "supersessions")


def judged(some: list[kp.Evidence]) -> Triage:
    frames, policy = kp.flatten(some), load_policy()
    wealth = kp.derive(frames.transactions, thresholds=policy.thresholds, as_of=AS_OF)
    return kp.evaluate(frames, policy, wealth=wealth, as_of=AS_OF)


@pytest.fixture(scope="module")
def population() -> list[kp.Evidence]:
    return [
        evidence(plan, with_expired=True)
        for plan in generate(CUSTOMERS, 5, AS_OF, history_days=120).customers
    ]


def one_session(number: int, results: Any, status: str = "complete", *, known: bool = True) -> kp.Evidence:
    """A customer like many others but for the results, the status of the session or what the register knows."""
    session_id = f"session-{number}"
    made = EvidenceMaker(f"customer-{number}")
    made.answer("customers.get", {**RECORD, "id": made.customer_id})
    made.answer("onboarding.get", {**STATUS, "id": session_id, "status": status}, session_id=session_id)
    if results is None:
        made.refuse("onboarding.results", session_id=session_id)
    else:
        made.answer("onboarding.results", results, session_id=session_id)
    made.answer("bank_accounts.list", {"items": []})
    ordered = {
        "sessionId": session_id,
        "learnedFrom": "created",
        "ordered": {"identity": IDENTITY, "ais": None},
    }
    if known:
        made.known({"customerId": made.customer_id, "sessions": [ordered], "payments": []})
    return made.make()


@pytest.fixture(scope="module")
def much_alike() -> list[kp.Evidence]:
    shapes = [results for _, results in (*troubled(3, 30), *telling(3, 10))]
    shapes += [RESULTS, {name: RESULTS[name] for name in ("document", "screening")}, {}, None]
    last = len(shapes)
    return [
        *(one_session(number, results) for number, results in enumerate(shapes)),
        *(one_session(last + number, RESULTS) for number in range(3)),
        one_session(last + 3, None, "expired"),
        one_session(last + 4, RESULTS, "in_progress"),
        one_session(last + 5, RESULTS, known=False),
        one_session(last + 6, {"document": RESULTS["document"]}, known=False),
    ]


@pytest.mark.parametrize("which", ["population", "much_alike"])
def test_customers_judged_together_are_judged_as_each_alone(
    which: str, request: pytest.FixtureRequest
) -> None:
    some: list[kp.Evidence] = request.getfixturevalue(which)
    together = judged(some)
    alone = [judged([one]) for one in some]
    assert together.recommendations["level"].nunique() > 2
    for name in MADE:
        parts: list[Any] = [getattr(one, name) for one in alone]
        # No customer of some populations has a session that a later one replaces.
        expected = pd.concat([part for part in parts if len(part)] or parts[:1], ignore_index=True)
        pd.testing.assert_frame_equal(getattr(together, name), expected)


def test_what_is_clear_adds_findings_and_changes_nothing(population: list[kp.Evidence]) -> None:
    made = judged(population)
    for case in made.cases:
        short, whole = (judge_case(made.policy, case, AS_OF, with_clear=every) for every in (False, True))
        assert short.recommendation == whole.recommendation
        assert short.supersessions == whole.supersessions
        assert short.findings == tuple(one for one in whole.findings if one.outcome != "CLEAR")
        assert len(whole.findings) > len(short.findings)
    assert {str(name) for name in made.findings["customer_id"]} == {one.customer_id for one in population}


def test_what_one_customer_is_recommended_is_no_object_of_another() -> None:
    made = judged([one_session(number, RESULTS) for number in range(2)]).recommendations
    one, other = made["required_checks"]
    assert one == other
    one.append("changed")
    assert "changed" not in other


def test_equal_values_of_other_kinds_are_not_taken_for_one_another() -> None:
    cases = []
    for number, value in enumerate((True, Decimal(1), "1", True)):
        session = SessionFile("s", "E-02", sections={"screening"})
        session.seen.append(Observation("screening.matchCount", value, ("E-02",), of_results=True))
        cases.append(CaseFile(f"customer-{number}", "E-01", sessions=[session]))
    together, _ = recommend(load_policy(), cases, AS_OF)
    alone = [recommend(load_policy(), [case], AS_OF)[0][0] for case in cases]
    assert together == alone
    assert len({str(one["reasons"]) for one in alone}) > 1


@pytest.mark.parametrize(
    ("kind", "made"),
    [
        (CaseFile, {"evidence_id": "E-09", "risk": {"pep": "foreign"}, "because": {"bank": "The bank is closed."}}),
        (
            SessionFile,
            {
                "id": None, "evidence_id": "E-09", "sections": {"document"}, "ordered": frozenset({"document"}),
                "no_results": "The results were lost.",
            },
        ),
    ],
)  # fmt: skip
def test_customers_who_differ_in_one_thing_get_each_their_own(kind: type, made: dict[str, Any]) -> None:
    told_apart = {"customer_id", "seen", "sessions"}
    of_supersession = {"created_at", "finished_at", "status", "holder", "attempts"}
    names = {field.name for field in dataclasses.fields(kind)}
    assert names - told_apart - of_supersession - {"id"} == made.keys() - {"id"}
    for name, value in made.items():
        cases = [
            CaseFile(customer, "E-01", sessions=[SessionFile("s", "E-02")], risk=LOW)
            for customer in ("one", "other")
        ]
        setattr(cases[1] if kind is CaseFile else cases[1].sessions[0], name, value)
        together, _ = recommend(load_policy(), cases, AS_OF)
        assert together == [recommend(load_policy(), [case], AS_OF)[0][0] for case in cases]
        assert {**together[0], "customer_id": ""} != {**together[1], "customer_id": ""}, name
