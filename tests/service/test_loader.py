from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pandas as pd
import pytest
from tests.evaluate.population_frames import to_transactions_frame

from kycpack.assets import asset_path
from kycpack.frames.adapters import read_export
from kycpack.service.app import create_app
from kycpack.service.bank_reading import list_accounts, masked_records, stored_transactions
from kycpack.service.loader import ServiceTarget, load, write_truth
from kycpack.service.sessions import find_session, results_of, status_of, tenant_of
from kycpack.service.state import Service
from kycpack.synthetic import Population, generate
from kycpack.synthetic.scenarios import demo_scenarios, other_scenarios
from kycpack.synthetic.truth_frames import CustomerIds


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("service")
    running: Service = create_app(str(folder / "service.db")).state.service
    yield running
    running.database.close()


@pytest.fixture(scope="module")
def population() -> Population:
    return generate(16, seed=4, as_of=date(2026, 6, 30))


@pytest.fixture(scope="module")
def ids(population: Population, service: Service) -> dict[str, CustomerIds]:
    return load(population, ServiceTarget(service))


def test_sessions_end_as_planned(
    population: Population, ids: dict[str, CustomerIds], service: Service
) -> None:
    now = service.clock.now()
    with service.database.read() as connection:
        for plan in population.customers:
            for session, session_id in zip(plan.sessions, ids[plan.key].session_ids, strict=True):
                row = find_session(connection, session_id)
                assert status_of(row, now)["status"] == session.ending
                if session.ending != "complete":
                    continue
                results = results_of(row, now)
                for section, given in session.results.items():
                    if given is None:
                        assert section not in results
                    else:
                        assert results[section]["outcome"] == given["outcome"]


def test_every_posting_is_held_under_the_id_that_the_truth_names(
    population: Population, ids: dict[str, CustomerIds], service: Service
) -> None:
    frame = to_transactions_frame(population, ids).set_index(["account_id", "txn_id"])
    with service.database.read() as connection:
        tenant = tenant_of(connection, service.first.tenant_id)
        for plan in population.customers:
            known = ids[plan.key]
            held = list_accounts(connection, tenant, known.customer_id, service.clock.now())["items"]
            assert {account["id"] for account in held} == set(known.accounts.values())
            for account_id in known.accounts.values():
                records = masked_records(
                    stored_transactions(connection, tenant.id, known.customer_id, account_id)
                )
                loaded = (
                    frame.loc[account_id] if account_id in frame.index.get_level_values(0) else frame.iloc[:0]
                )
                assert len(records) == len(loaded)
                for record in records[:5]:
                    sign = 1 if record["creditDebitIndicator"] == "Credit" else -1
                    row = frame.loc[(account_id, record["id"])]
                    assert sign * int(str(record["amount"]).replace(".", "")) == row["amount_minor"]


def test_the_truth_is_written_for_its_owner_only(
    population: Population, ids: dict[str, CustomerIds], tmp_path: Path
) -> None:
    folder = write_truth(population, ids, tmp_path / "truth")
    told = json.loads((folder / "customers.json").read_text(encoding="utf-8"))
    assert [one["customer_id"] for one in told["customers"]] == [one.customer_id for one in ids.values()]
    assert {one["level"] for one in told["customers"]} >= {"approve", "review", "edd", "escalate", "reject"}
    streams = pd.read_parquet(folder / "streams.parquet")
    credits_ = pd.read_parquet(folder / "credits.parquet")
    assert set(credits_["stream_id"].dropna()) == set(streams["stream_id"])
    known = pd.read_csv(folder / "register.csv", dtype="string")
    assert set(known["session_id"].dropna()) == {each for one in ids.values() for each in one.session_ids}
    assert set(known["payment_id"].dropna()) == {each for one in ids.values() for each in one.payment_ids}
    assert folder.stat().st_mode & 0o077 == 0
    assert all(path.stat().st_mode & 0o077 == 0 for path in folder.iterdir())


def test_progress_is_told(service: Service) -> None:
    told: list[tuple[int, int]] = []
    load(
        generate(2, seed=9, as_of=date(2026, 6, 30)), ServiceTarget(service), lambda *step: told.append(step)
    )
    assert told == [(1, 2), (2, 2)]


def test_every_scenario_can_be_loaded(service: Service) -> None:
    target = ServiceTarget(service)
    for scenario in (*demo_scenarios(), *other_scenarios()):
        one = generate(1, seed=3, as_of=date(2026, 6, 30), history_days=60, scenario=scenario.name)
        assert one.customers[0].scenario == scenario.name
        load(one, target)


def test_a_banks_own_export_becomes_a_history(service: Service) -> None:
    target = ServiceTarget(service)
    customer_id = target.create_customer({"firstName": "Ada", "lastName": "Byron"})
    statement = read_export(asset_path("samples/uk_statement.csv"), "uk-csv")
    (account_id,) = target.grant_bank_access(
        customer_id, statement.to_bank_access_body(account_holder_name="Ada Byron")
    )
    with service.database.read() as connection:
        tenant = tenant_of(connection, service.first.tenant_id)
        assert len(stored_transactions(connection, tenant.id, customer_id, account_id)) == len(statement.rows)
