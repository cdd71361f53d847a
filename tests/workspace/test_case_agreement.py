"""Each edit of the workspace's tables with SQL is found, whatever the ledger says beside them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from tests.workspace.case_material import (
    MEDIA,
    OUTSIDE,
    SANCTIONS,
    Office,
    decision,
    open_cases,
    open_office,
    said,
)

from kycpack.workspace import schema
from kycpack.workspace.cases import case_opening
from kycpack.workspace.samples.samples import Samples

WHY = "Read the pack from the first page to the last"


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    for office in open_office(tmp_path / "kycpack.db", tmp_path):
        cleared = {f"c-{number:02}": ("approve", []) for number in range(12)}
        open_cases(office, {**cleared, "san": ("escalate", [SANCTIONS]), "med": ("review", [MEDIA])})
        anna, ben = office.people["anna"], office.people["ben"]
        (one,), (other,) = office.cases.of_customer("san"), office.cases.of_customer("med")
        match = decision("approve", "FALSE-POSITIVE", F_1=said("false_positive", **OUTSIDE))
        office.cases.decide(one.case_id, match, version=one.version, actor=anna)
        checked = decision("approve", "REVIEWED", F_1="accepted")
        office.cases.decide(other.case_id, checked, version=other.version, actor=anna)
        samples = Samples(office.ledger, ben)
        sample = samples.draw("run-1", 4, "7")
        first, second, *_ = samples.members(sample.sample_id)["customer_id"]
        samples.review(sample.sample_id, first, "disagrees", WHY)
        samples.review(sample.sample_id, second, "agrees", WHY)
        assert office.ledger.verify().problems == []
        yield office


@pytest.mark.parametrize(
    "statement",
    [
        'UPDATE cases SET findings = replace(findings, \'"subject": "sanctions"\', \'"subject": ""\') WHERE customer_id = \'san\'',
        "UPDATE cases SET findings = replace(findings, 'SAN-1', 'SCR-1') WHERE customer_id = 'san'",
        'UPDATE cases SET findings = replace(findings, \'"level": "escalate"\', \'"level": "review"\') WHERE customer_id = \'san\'',
        'UPDATE cases SET findings = replace(findings, \'"outcome": "HIT"\', \'"outcome": "UNKNOWN"\') WHERE customer_id = \'san\'',
        "UPDATE cases SET findings = replace(findings, '\"sentence\": \"', '\"sentence\": \"Not ') WHERE customer_id = 'san'",
        "UPDATE cases SET findings = replace(findings, 'E-03', 'E-09') WHERE customer_id = 'san'",
        "UPDATE cases SET customer_id = 'c-01' WHERE customer_id = 'med'",
        "UPDATE cases SET occasion = 'event' WHERE customer_id = 'med'",
        "UPDATE cases SET opened_at = '2020-01-01T00:00:00.000000Z' WHERE customer_id = 'med'",
        "UPDATE cases SET changed_at = '2020-01-01T00:00:00.000000Z' WHERE customer_id = 'med'",
        "UPDATE cases SET closed_at = NULL WHERE customer_id = 'med'",
        "UPDATE cases SET closed_at = '2020-01-01T00:00:00.000000Z' WHERE customer_id = 'san'",
        "UPDATE cases SET version = 9 WHERE customer_id = 'med'",
        "UPDATE cases SET open_count = 3 WHERE customer_id = 'med'",
        "UPDATE cases SET finding_count = 0 WHERE customer_id = 'med'",
        "UPDATE cases SET unknown_count = 4 WHERE customer_id = 'med'",
        "UPDATE samples SET seed = '8'",
        "UPDATE samples SET run_id = 'run-2'",
        "UPDATE samples SET drawn_at = '2020-01-01T00:00:00.000000Z'",
        "DELETE FROM samples",
        "UPDATE sampled_customers SET verdict = 'agrees' WHERE verdict = 'disagrees'",
        "UPDATE sampled_customers SET reviewed_by = 'mia' WHERE verdict = 'agrees'",
        "UPDATE sampled_customers SET verdict = NULL, reviewed_by = NULL, reviewed_at = NULL",
        "UPDATE sampled_customers SET verdict = 'agrees', reviewed_by = 'mia' WHERE verdict IS NULL",
        "UPDATE sampled_customers SET stratum = 'enhanced'",
        "DELETE FROM sampled_customers WHERE verdict IS NULL",
        "UPDATE policies SET version = '9.9.9'",
        "UPDATE policies SET policy_id = 'another'",
        "UPDATE policies SET state = 'withdrawn'",
        "DELETE FROM policies",
        "DELETE FROM rationales",
        "UPDATE rationales SET digest = 'ab'",
        "INSERT INTO ledger_payloads SELECT 999, kind, case_id, salt, payload FROM ledger_payloads WHERE kind = 'role.granted' LIMIT 1",
        "UPDATE ledger_payloads SET payload = ' ' || payload WHERE kind = 'case.decided'",
        "UPDATE ledger_payloads SET payload = '{\"kind\":\"case.waiting\",' || substr(payload, 2) WHERE kind = 'case.decided'",
    ],
)
def test_what_is_changed_in_a_table_is_found(office: Office, statement: str) -> None:
    before = _tables(office)
    with office.workspace.transaction() as connection:
        connection.exec_driver_sql(statement)
    assert _tables(office) != before
    assert office.ledger.verify().problems


def _tables(office: Office) -> list[Any]:
    with office.workspace.reading() as connection:
        return [connection.execute(select(table)).all() for table in schema.metadata.sorted_tables]


def test_a_payload_of_no_entry_gives_nobody_a_role_unseen(office: Office) -> None:
    with office.workspace.transaction() as connection:
        connection.exec_driver_sql(
            "INSERT INTO ledger_payloads SELECT 999, kind, case_id, salt, replace(payload, 'mia', 'anna') "
            "FROM ledger_payloads WHERE kind = 'role.granted' AND payload LIKE '%MLRO%'"
        )
    assert "MLRO" in office.ledger.people().persons["anna"].roles
    (problem,) = office.ledger.verify().problems
    assert problem == "entry 999: the workspace keeps a payload for it, and the ledger has no such entry"


def test_rules_of_a_run_that_are_not_those_of_its_policy_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = case_opening.ledger_rules
    monkeypatch.setattr(case_opening, "ledger_rules", lambda rules: own(rules) | {"sanctions": []})
    for office in open_office(tmp_path / "kycpack.db", tmp_path):
        open_cases(office, {"med": ("review", [MEDIA])})
        (problem,) = office.ledger.verify().problems
        assert "it records other rules about decisions than the policy has" in problem
