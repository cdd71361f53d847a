"""Pages of bank transactions in another provider's shape: collected under its name, and read by it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from tests.api.scripted_service import Service, gather, reply

from kycpack.api import Client, CollectJob, collect, collect_many
from kycpack.batch.review_task import ReviewTask
from kycpack.errors import ConfigurationError
from kycpack.frames import flatten
from kycpack.settings import Settings

PAGE: dict[str, Any] = {
    "account": {"iban": "DE2310010010123456788"},
    "transactions": {
        "booked": [
            {
                "transactionId": "b1",
                "creditorName": "John Miles",
                "transactionAmount": {"currency": "EUR", "amount": "-256.67"},
                "bookingDate": "2017-10-25",
                "valueDate": "2017-10-26",
                "remittanceInformationUnstructured": "Example 1",
            }
        ],
        "pending": [
            {"transactionAmount": {"currency": "EUR", "amount": "100.03"}, "valueDate": "2017-10-26"}
        ],
    },
}


def provider() -> Service:
    return Service({"/transactions$": lambda _: reply(PAGE)})


@pytest.mark.parametrize("kind", ["make_client", "make_async_client"])
def test_pages_are_read_by_the_adapter_they_were_collected_under(
    kind: str, request: pytest.FixtureRequest
) -> None:
    evidence = gather(provider(), request.getfixturevalue(kind), bank_adapter="berlin-group")
    named = {entry.operation: entry.adapter for entry in evidence.entries}
    assert named.pop("bank_accounts.transactions") == "berlin-group"
    assert named.pop("register.known") == "register-v1"
    assert set(named.values()) == {"service-v1"}
    read = flatten(evidence).transactions
    assert read["account_id"].tolist() == ["a-1", "a-1", "a-2", "a-2"]
    assert read["amount_minor"].tolist() == [-25667, 10003] * 2
    assert read["status"].tolist() == ["booked", "pending"] * 2
    pages = [entry.id for entry in evidence.select("bank_accounts.transactions")]
    assert read["evidence_id"].tolist() == [page for page in pages for _ in range(2)]


def test_without_its_adapter_a_page_is_a_gap_and_no_transaction(make_client: Callable[..., Client]) -> None:
    frames = flatten(gather(provider(), make_client))
    assert frames.transactions.empty
    assert "wrong_type" in frames.gaps.loc[frames.gaps["area"] == "bank", "code"].tolist()


@pytest.mark.parametrize("kind", ["make_client", "make_async_client"])
def test_an_adapter_nobody_knows_is_refused_before_anything_is_asked(
    kind: str, request: pytest.FixtureRequest
) -> None:
    service = provider()
    with pytest.raises(ConfigurationError, match=r"no adapter 'berlin'.*berlin-group"):
        gather(service, request.getfixturevalue(kind), bank_adapter="berlin")
    assert service.asked == []


def test_one_unknown_adapter_stops_a_collection_of_many(make_client: Callable[..., Client]) -> None:
    service = provider()
    with pytest.raises(ConfigurationError, match="no adapter"):
        list(collect_many(make_client(service), [CollectJob("c-1", bank_adapter="uk-csv")]))
    assert service.asked == []


def test_one_unknown_adapter_stops_a_batch_before_it_starts() -> None:
    with pytest.raises(ConfigurationError, match="no adapter"):
        ReviewTask(base_url="http://127.0.0.1:1", key_id="k", secret="s", bank_adapter="uk-csv")


def test_pages_collected_under_another_adapter_are_fetched_again(make_client: Callable[..., Client]) -> None:
    previous = gather(provider(), make_client)
    service = provider()
    evidence = collect(
        make_client(service),
        "c-1",
        sessions=["s-1", "s-2"],
        payments=["p-1"],
        previous=previous,
        max_age=timedelta(days=1),
        bank_adapter="berlin-group",
    )
    assert [asked.partition("?")[0].rpartition("/")[2] for asked in service.asked] == ["transactions"] * 2
    assert len(flatten(evidence).transactions) == 4


def test_the_setting_comes_from_the_environment_and_is_the_service_s_own_otherwise() -> None:
    assert Settings.load({}).bank_adapter == "service-v1"
    assert Settings.load({"KYCPACK_BANK_ADAPTER": "plaid"}).bank_adapter == "plaid"
