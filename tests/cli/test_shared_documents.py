"""What the register adds to evidence: a document that two customers show, and the firm's own file of risk, from collecting to the finding."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import select
from tests.cli.conftest import Town

from kycpack.cli.wire_target import WireTarget
from kycpack.evidence import load_evidence
from kycpack.frames import flatten
from kycpack.service.embedded import EmbeddedService
from kycpack.service.loader import load_customer
from kycpack.synthetic import generate
from kycpack.triage import evaluate, load_policy
from kycpack.workspace import Register, Workspace, schema

AS_OF = date(2026, 6, 1)


@pytest.fixture
def twins(tmp_path: Path) -> Iterator[Town]:
    """Two customers of whom the results show one and the same passport."""
    place = tmp_path / "kycpack.db"
    first, second = generate(2, 1, AS_OF, history_days=200).customers
    passport = first.sessions[0].results["document"]["document"]
    second.sessions[0].results["document"]["document"].update(
        documentNumber=passport["documentNumber"], issuingCountry=passport["issuingCountry"]
    )
    with EmbeddedService() as service, Workspace.open(place) as workspace:
        given = {"key_id": service.key_id, "secret": service.secret, "recorder": Register(workspace)}
        with WireTarget(service.base_url, service.control_url, **given) as target:
            ids = tuple(load_customer(plan, target).customer_id for plan in (first, second))
            yield Town(service, place, ids, target)


def test_two_customers_with_one_document_are_found_when_they_are_collected(
    twins: Town, tmp_path: Path
) -> None:
    answer = twins.run("collect", *twins.customers, "--out", str(tmp_path / "evidence"), "--json")
    assert answer.exit_code == 0, answer.stderr
    folders = [item["folder"] for item in json.loads(answer.stdout)["items"]]
    for folder, other in zip(folders, reversed(twins.customers), strict=True):
        evidence = load_evidence(folder)
        (entry,) = evidence.select("register.shared_documents")
        assert entry.id.startswith("R-")
        triage = evaluate(flatten(evidence), load_policy(), as_of=AS_OF)
        shared = triage.findings[
            triage.findings["outcome"].eq("HIT") & triage.findings["sentence"].str.contains(other)
        ]
        assert list(shared["evidence_ids"].map(list)) == [[entry.id]]


def test_the_register_keeps_no_number_of_a_document(twins: Town, tmp_path: Path) -> None:
    twins.run("collect", *twins.customers, "--out", str(tmp_path / "evidence"))
    frames = flatten(load_evidence(tmp_path / "evidence" / twins.customers[0]))
    numbers = [str(one) for one in frames.documents["document_number"].dropna()]
    with Workspace.open(twins.workspace) as workspace, workspace.reading() as connection:
        marks = connection.execute(select(schema.document_marks)).all()
    assert len({row.mark for row in marks}) == 1
    assert {row.customer_id for row in marks} == set(twins.customers)
    assert numbers
    content = b"".join(path.read_bytes() for path in tmp_path.glob("kycpack.db*"))
    assert not any(number.encode() in content for number in numbers)


def test_the_firms_file_of_risk_reaches_the_evidence_and_a_wrong_row_changes_nothing(
    twins: Town, tmp_path: Path
) -> None:
    file = tmp_path / "risk.csv"
    file.write_text(f"customer_id,country,product,pep\n{twins.customers[0]},GB,private banking,foreign\n")
    assert twins.run("register", "risk", str(file)).exit_code == 0
    file.write_text(f"customer_id,pep\n{twins.customers[0]},none\n{twins.customers[1]},perhaps\n")
    wrong = twins.run("register", "risk", str(file))
    assert wrong.exit_code == 2
    assert "row 3" in wrong.stderr
    twins.run("collect", *twins.customers, "--out", str(tmp_path / "evidence"))
    first, second = (load_evidence(tmp_path / "evidence" / one) for one in twins.customers)
    assert not second.select("register.risk_profile")
    row = flatten(first).customers.iloc[0]
    assert (row["risk_country"], row["risk_product"], row["risk_pep"]) == ("GB", "private banking", "foreign")


def test_a_batch_says_who_shares_a_document_and_the_next_run_has_it_in_the_packs(
    twins: Town, tmp_path: Path
) -> None:
    command = ("batch", *twins.customers, "--out", str(tmp_path / "run"), "--workers", "1", "--json")
    first = twins.run(*command)
    assert first.exit_code == 0, first.stderr
    assert all(one in first.stderr for one in twins.customers)
    second = twins.run(*command)
    assert second.exit_code == 0, second.stderr
    assert "another customer shows too" not in second.stderr
    packs = [tmp_path / "run" / entry["pack"] for entry in json.loads(second.stdout)["entries"]]
    assert all(
        load_evidence(pack / "data" / "evidence").select("register.shared_documents") for pack in packs
    )
