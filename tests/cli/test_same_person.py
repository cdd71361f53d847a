"""What the register adds to evidence: a document that two customers show, and the firm's own file of risk, from collecting to the finding."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import select
from tests.cli.conftest import Town

from kycpack.batch.finished_run import open_run
from kycpack.cli.service.wire_target import WireTarget
from kycpack.evidence import load_evidence
from kycpack.frames import flatten
from kycpack.service.embedded import EmbeddedService
from kycpack.service.loader import load_customer
from kycpack.synthetic import generate
from kycpack.synthetic.records import CustomerPlan
from kycpack.triage import evaluate, load_policy
from kycpack.workspace import Decision, Disposition, Register, Workspace, open_workspace, schema

AS_OF = date(2026, 6, 1)


@pytest.fixture
def again(tmp_path: Path) -> Iterator[tuple[Town, CustomerPlan]]:
    """A customer, and the plan of another who is the same person: Robert, and Bob born on the same day."""
    place = tmp_path / "kycpack.db"
    plans = generate(2, 1, AS_OF, history_days=200).customers
    for plan, name in zip(plans, ("Robert", "Bob"), strict=True):
        plan.customer_body.update(firstName=name, lastName="Ashdown", dateOfBirth="1984-05-06")
    with EmbeddedService() as service, Workspace.open(place) as workspace:
        given = {"key_id": service.key_id, "secret": service.secret, "recorder": Register(workspace)}
        with WireTarget(service.base_url, service.control_url, **given) as target:
            yield Town(service, place, (load_customer(plans[0], target).customer_id,), target), plans[1]


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
        marks = connection.execute(select(schema.identity_marks)).all()
    shared = [row for row in marks if row.kind == "document"]
    assert len({row.mark for row in shared}) == 1
    assert {row.customer_id for row in shared} == set(twins.customers)
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


def test_a_batch_has_who_shares_a_document_in_the_packs_and_cases_of_the_same_run(
    twins: Town, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    command = ("batch", *twins.customers, "--out", str(run), "--workers", "1", "--json")
    first = twins.run(*command)
    assert first.exit_code == 0, first.stderr
    entries = json.loads(first.stdout)["entries"]
    frames = open_run(run)
    names = set(frames.frames["customers"]["last_name"])
    for entry, other in zip(entries, reversed(twins.customers), strict=True):
        assert load_evidence(run / entry["pack"] / "data" / "evidence").select("register.shared_documents")
        findings = frames.triage["findings"]
        (hit,) = findings[
            findings["customer_id"].eq(entry["customer_id"])
            & findings["rule_id"].eq("OTH-2")
            & findings["outcome"].eq("HIT")
        ].to_dict("records")
        assert other in hit["sentence"]
        assert not any(name in hit["sentence"] for name in names)
    with open_workspace(twins.workspace) as work:
        cases = {case.customer_id: case for case in work.cases.list()}
    assert all("OTH-2" in {finding.rule_id for finding in cases[one].findings} for one in twins.customers)
    second = json.loads(twins.run(*command).stdout)["entries"]
    assert [entry["outcome"] for entry in second] == ["unchanged", "unchanged"]
    assert [entry["pack"] for entry in second] == [entry["pack"] for entry in entries]


def test_a_person_who_was_rejected_and_comes_back_is_named_in_the_pack_of_the_same_run(
    again: tuple[Town, CustomerPlan], tmp_path: Path
) -> None:
    """The same person twice, by date of birth and a short form of the name, with other documents."""
    town, plan = again
    (first,) = town.customers
    assert town.run("batch", first, "--out", str(tmp_path / "earlier"), "--workers", "1").exit_code == 0
    with open_workspace(town.workspace, actor="Anna Example") as work:
        (case,) = work.cases.of_customer(first)
        ids = [finding.finding_id for finding in case.findings]
        disposed = {one: Disposition("inconclusive") for one in ids}
        text = f"{', '.join(ids)}: the customer did not answer and cannot be verified."
        work.cases.decide(
            case.case_id, Decision("reject", "NOT-VERIFIED", text, disposed), version=case.version
        )
    second = load_customer(plan, town.target).customer_id
    run = tmp_path / "run"
    command = ("batch", first, second, "--out", str(run), "--workers", "1", "--json")
    answer = town.run(*command)
    assert answer.exit_code == 0, answer.stderr
    findings = open_run(run).triage["findings"]
    hits = findings[findings["outcome"].eq("HIT") & findings["customer_id"].eq(second)].set_index("rule_id")
    assert first in hits.loc["OTH-3", "sentence"]
    assert "a short form of a name" in hits.loc["OTH-3", "sentence"]
    assert "was rejected by decision on" in hits.loc["OTH-5", "sentence"]
    assert "before this customer's record was made" in hits.loc["OTH-5", "sentence"]
    # The first case is open again, since its pack says something new. That the person was rejected stays true.
    with open_workspace(town.workspace) as work:
        assert {case.state for case in work.cases.of_customer(first)} == {"open"}
    later = json.loads(town.run(*command).stdout)["entries"]
    assert [entry["outcome"] for entry in later] == ["unchanged", "unchanged"]
