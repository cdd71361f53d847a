from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from kycpack.api import AsyncClient, Client, CollectJob, collect, collect_async, collect_many
from kycpack.errors import NotFoundError
from kycpack.evidence import Evidence, load_evidence
from kycpack.frames import flatten
from kycpack.frames.demonstration import is_demonstration
from kycpack.workspace import Register, Workspace

FIRST = date(2024, 1, 1)
DAYS = 450


def access() -> dict[str, Any]:
    transactions = [
        {
            "id": f"t{number}",
            "bookingDate": (FIRST + timedelta(days=number)).isoformat(),
            "amount": f"{number}.{number % 100:02d}",
            "creditDebitIndicator": "Credit" if number % 3 else "Debit",
            "currency": "GBP",
            "description": f"LINE {number}",
        }
        for number in range(1, DAYS + 1)
    ]
    account = {
        "bankName": "Test Bank",
        "accountHolderName": "Ada Byron",
        "accountNumber": "12345678",
        "sortCode": "112233",
        "currency": "GBP",
        "type": "current",
    }
    balance = {"current": "10.00", "currency": "GBP"}
    return {
        "scopes": ["accounts", "balances", "transactions"],
        "accounts": [{**account, "balance": balance, "transactions": transactions}],
    }


def gather(bench: Any, customer_id: str, **wanted: Any) -> Evidence:
    terms = {"key_id": bench.service.key_id, "secret": bench.service.secret, "now": bench.now}
    terms |= {name: wanted.pop(name) for name in ("key_id", "secret") if name in wanted}
    if bench.kind == "sync":
        with Client(bench.service.base_url, **terms) as client:
            return collect(client, customer_id, **wanted)

    async def run() -> Evidence:
        async with AsyncClient(bench.service.base_url, **terms) as client:
            return await collect_async(client, customer_id, **wanted)

    return asyncio.run(run())


def test_the_evidence_of_a_customer_without_any_result_keeps_that_the_service_invents_its_data(
    bench: Any, tmp_path: Path
) -> None:
    with Client(bench.service.base_url, key_id=bench.service.key_id, secret=bench.service.secret) as client:
        person = client.customers.create(first_name="Ada", last_name="Byron", email_address="a@mail.example")
    evidence = gather(bench, person.id)
    assert is_demonstration(load_evidence(evidence.save(tmp_path / "evidence")))
    again = gather(bench, person.id, previous=evidence, max_age=timedelta(days=1))
    assert is_demonstration(again)


def test_a_whole_customer_from_the_register_to_frames(bench: Any, tmp_path: Path) -> None:
    with Workspace.open(str(tmp_path / "register.db")) as workspace:
        register = Register(workspace)
        terms = {"key_id": bench.service.key_id, "secret": bench.service.secret, "recorder": register}
        with Client(bench.service.base_url, **terms) as client:
            person = client.customers.create(
                first_name="Ada", last_name="Byron", email_address="a@mail.example"
            )
            session = client.onboarding.create(
                person.id, options={"identity": {"aml_extensive_monitoring": True}}
            )
            payment = client.payments.create(amount="250.00", reference="deposit", customer_id=person.id)
        bench.control(f"/customers/{person.id}/bank-access", access())
        bench.control(f"/sessions/{session.session_id}/finish", {})
        evidence = gather(bench, person.id, known=register.known(person.id))

    assert {entry.outcome for entry in evidence.entries} == {"answered"}
    assert [entry.subject["payment_id"] for entry in evidence.select("payments.get")] == [payment.id]
    assert len(evidence.select("bank_accounts.transactions")) > 1
    (ordered,) = evidence.json("R-01")["sessions"]
    assert ordered["sessionId"] == session.session_id
    assert ordered["ordered"]["identity"]["amlExtensiveMonitoring"] is True

    again = load_evidence(evidence.save(tmp_path / "evidence"))
    assert again == evidence
    frames = flatten(again)
    assert len(frames.transactions) == DAYS
    signed = sum((1 if number % 3 else -1) * (number * 100 + number % 100) for number in range(1, DAYS + 1))
    assert frames.transactions["amount_minor"].sum() == signed
    assert len(frames.media) == len(evidence.select("onboarding.download"))
    assert set(frames.transactions["evidence_id"]) <= {entry.id for entry in evidence.entries}


def test_a_narrow_key_gives_refusals_not_silence(bench: Any) -> None:
    person = bench.person()
    session = bench(lambda client: client.onboarding.create(person.id))
    bench.control(f"/sessions/{session.session_id}/finish", {})
    narrow = bench.key(permissions=["read_customers", "read_onboard_session"])
    evidence = gather(bench, person.id, sessions=[session.session_id], **narrow)
    outcomes = {entry.operation: (entry.outcome, entry.status) for entry in evidence.entries}
    assert outcomes["customers.get"] == ("answered", 200)
    assert outcomes["onboarding.get"] == ("answered", 200)
    assert outcomes["onboarding.results"] == ("refused", 403)
    assert outcomes["onboarding.media"] == ("refused", 403)
    assert outcomes["bank_accounts.list"] == ("refused", 403)
    assert outcomes["source_of_wealth.get"] == ("refused", 401)
    notes = {entry.note for entry in evidence.select("source_of_wealth.get")}
    assert notes == {"invalid_token"}


def test_an_unknown_customer_is_an_error_or_where_wanted_evidence_of_that(bench: Any) -> None:
    nobody = "00000000-0000-4000-8000-000000000000"
    with pytest.raises(NotFoundError, match=rf"^customer {nobody} not found \(404\)"):
        gather(bench, nobody, sessions=["nobodys"])
    evidence = gather(bench, nobody, sessions=["nobodys"], without_record=True)
    refused = {(entry.operation, entry.status) for entry in evidence.entries if entry.outcome == "refused"}
    assert ("customers.get", 404) in refused
    assert ("onboarding.get", 404) in refused
    assert not any(entry.outcome == "answered" for entry in evidence.entries)


def test_faults_on_the_way_are_outlived(bench: Any) -> None:
    person = bench.person()
    bench.control(f"/customers/{person.id}/bank-access", access())
    for kind in ("drop_before", "drop_after", "half_body", "status"):
        bench.control("/faults", {"route": "GET /v1/customers/{id}/bank-accounts", "kind": kind, "times": 1})
        evidence = gather(bench, person.id)
        assert evidence.select("bank_accounts.list")[0].outcome == "answered"


def test_spoilt_answers_are_entries(bench: Any) -> None:
    person = bench.person()
    bench.control("/faults", {"route": "GET /v1/customers/{id}", "kind": "wrong_json", "times": 1})
    (entry,) = gather(bench, person.id).select("customers.get")
    assert (entry.outcome, entry.status, entry.file) == ("failed", 200, None)
    assert entry.received_sha256


def test_after_ninety_days_accounts_stay_and_the_rest_is_refused(time_machine: Any) -> None:
    bench = time_machine
    person = bench.person()
    bench.control(f"/customers/{person.id}/bank-access", access())
    bench.control("/clock", {"advance_seconds": 91 * 86_400})
    bench.skew = timedelta(days=91)
    evidence = gather(bench, person.id)
    outcomes = {entry.operation: (entry.outcome, entry.note) for entry in evidence.entries}
    assert outcomes["bank_accounts.list"] == ("answered", "")
    assert outcomes["bank_accounts.balance"] == ("refused", "ais_access_expired")
    assert outcomes["bank_accounts.transactions"] == ("refused", "page 1; ais_access_expired")
    as_json, as_pdf = evidence.select("source_of_wealth.get")
    assert (as_json.outcome, as_json.note) == ("refused", "not_found")
    assert (as_pdf.outcome, as_pdf.status) == ("not_asked", None)
    assert datetime.fromisoformat(str(evidence.entries[0].requested_at)) > datetime.now(UTC) + timedelta(
        days=90
    )


@pytest.mark.parametrize("bench", ["sync"], indirect=True)
def test_many_customers_with_one_unknown(bench: Any) -> None:
    people = [bench.person().id for _ in range(5)]
    jobs = [CollectJob(customer_id) for customer_id in [*people, ".."]]
    terms = {"key_id": bench.service.key_id, "secret": bench.service.secret}
    with Client(bench.service.base_url, **terms) as client:
        results = list(collect_many(client, jobs, concurrency=3))
    assert sorted(result.job.customer_id for result in results) == sorted([*people, ".."])
    assert [result.job.customer_id for result in results if result.error] == [".."]
