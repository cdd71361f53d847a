"""Who may approve a version of a policy, and what a run is told of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.workspace.case_material import Office, open_office

from kycpack.errors import InputError, WorkspaceError
from kycpack.triage import load_policy, read_policy
from kycpack.workspace.cases.policies import Policies

WHY = "Read and tested by the committee"


@pytest.fixture(params=[True, False], ids=["keys", "no keys"])
def office(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Office]:
    yield from open_office(tmp_path / "office.db", tmp_path, keys=request.param, is_honest=True)


def test_a_senior_manager_approves_one_version_and_no_other(office: Office) -> None:
    policy, policies = load_policy(), Policies(office.ledger)
    assert policies.approval(policy)["state"] == "not approved"
    policies.approve(policy, WHY, actor=office.people["sam"])
    approval = policies.approval(policy)
    assert (approval["state"], approval["by"]) == ("approved", "sam")
    entry = list(office.ledger.entries())[approval["seq"] - 1]
    assert entry["payload"]["data"]["digest"] == policy.digest
    assert {"monitoring_not_visible", "list_date_not_visible"} <= set(
        entry["payload"]["data"]["accepted_gaps"]
    )
    assert approval["signed"] == bool(entry["signature"])
    other = read_policy(policy.source + b"\n# another edition\n")
    assert policies.approval(other)["state"] == "not approved"


@pytest.mark.parametrize("name", ["anna", "ada", "mia"])
def test_nobody_without_the_role_approves(office: Office, name: str) -> None:
    policies = Policies(office.ledger)
    with pytest.raises(WorkspaceError, match="senior_manager"):
        policies.approve(load_policy(), WHY, actor=office.people[name])
    assert policies.approval(load_policy())["state"] == "not approved"
    assert policies.rows() == []


def test_the_last_word_counts(office: Office) -> None:
    policy, policies = load_policy(), Policies(office.ledger, office.people["sam"])
    policies.approve(policy, WHY)
    policies.withdraw(policy, "A list of it was wrong", actor=office.people["mia"])
    assert policies.approval(policy)["state"] == "withdrawn"
    policies.approve(policy, "The list was mended elsewhere")
    assert [row["state"] for row in policies.rows()] == ["approved"]
    assert office.ledger.verify([], []).ok


def test_a_reason_and_a_person_are_needed(office: Office) -> None:
    with pytest.raises(InputError):
        Policies(office.ledger, office.people["sam"]).approve(load_policy(), " ")
    with pytest.raises(InputError, match="no analyst is named"):
        Policies(office.ledger).approve(load_policy(), WHY)


def test_the_verifier_finds_an_approval_by_somebody_without_the_role(office: Office) -> None:
    policy = load_policy()
    people = office.ledger.people()
    payload = {"kind": "policy.approved", "actor": "anna", "data": {"digest": policy.digest}}
    assert "does not hold it" in people.policy_refusal(payload)
    assert people.policy_refusal({**payload, "actor": "sam"}) == ""
