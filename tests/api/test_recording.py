from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

import httpx
import pytest

from kycpack.api import AsyncClient, Client
from kycpack.errors import (
    ApiError,
    BadRequestError,
    ConfigurationError,
    ContractError,
    OutcomeUnknownError,
    ServerError,
    WorkspaceError,
)


class Diary:
    """Keeps what a client tells a recorder."""

    def __init__(self, *, refuses: bool = False) -> None:
        self.told: list[tuple[str, ...] | tuple[Any, ...]] = []
        self.learned_facts: dict[str, Any] = {}
        self.refuses = refuses

    def intend(self, operation: str, summary: Mapping[str, Any]) -> str:
        self.told.append(("intend", operation, dict(summary)))
        return "intent-1"

    def learned(self, intent_id: str, kind: str, subject_id: str, **facts: Any) -> None:
        if self.refuses:
            raise WorkspaceError("the register is locked")
        self.told.append(("learned", intent_id, kind, subject_id))
        self.learned_facts = facts

    def failed(self, intent_id: str, reason: str, *, unknown: bool = False) -> None:
        self.told.append(("failed", intent_id, reason, unknown))


def make_session(client: Any) -> Any:
    options = {"identity": {"document_check": False}, "ais": {"balances": True}}
    return client.onboarding.create("c-1", first_name="Canary", options=options, org_id="branch")


def test_an_intent_comes_before_anything_is_sent(make_client: Callable[..., Client]) -> None:
    diary = Diary()

    def answer(_: httpx.Request) -> httpx.Response:
        assert [entry[0] for entry in diary.told] == ["intend"]
        return httpx.Response(
            200, json={"sessionId": "s-1", "onboardUrl": "https://p.example/onboard/CANARY"}
        )

    make_session(make_client(answer, recorder=diary))
    (_, operation, summary), learned = diary.told
    assert operation == "onboarding.create"
    assert learned == ("learned", "intent-1", "session", "s-1")
    assert "Canary" not in str(diary.told)
    assert "CANARY" not in str(diary.told) + str(diary.learned_facts)
    assert summary["customerId"] == diary.learned_facts["customer_id"] == "c-1"
    assert diary.learned_facts["org_id"] == "branch"
    assert diary.learned_facts["created_at"] == "2026-06-01T12:00:00.000Z"
    ordered = diary.learned_facts["ordered"]
    assert ordered["identity"] == {
        "identityCheck": True,
        "enhancedIdentityCheck": False,
        "documentCheck": False,
        "proofOfAddressCheck": True,
        "amlStandardScreening": False,
        "amlExtensiveScreening": True,
        "amlStandardMonitoring": False,
        "amlExtensiveMonitoring": False,
    }
    assert ordered["ais"] == {"accounts": True, "balances": True, "transactions": False, "accountLimit": None}


def test_absent_options_mean_the_defaults_of_the_interface(make_client: Callable[..., Client]) -> None:
    diary = Diary()
    made = httpx.Response(200, json={"sessionId": "s-1", "onboardUrl": "https://p.example/x"})
    make_client(lambda _: made, recorder=diary).onboarding.create("c-1")
    assert diary.learned_facts["ordered"]["identity"]["documentCheck"] is True
    assert diary.learned_facts["ordered"]["ais"] is None


def test_customers_and_payments_are_learned_too(make_client: Callable[..., Client]) -> None:
    diary = Diary()
    customer = {"id": "c-1", "created": "2026-01-01T00:00:00.000Z"}
    client = make_client(lambda _: httpx.Response(200, json=customer), recorder=diary)
    client.customers.create(first_name="Canary", org_id="branch")
    assert diary.told[-1] == ("learned", "intent-1", "customer", "c-1")
    assert diary.learned_facts["created_at"] == "2026-01-01T00:00:00.000Z"
    paid = httpx.Response(200, json={"id": "p-1", "payLink": "https://p.example/x"})
    make_client(lambda _: paid, recorder=diary).payments.create(amount=5, reference="r-1", customer_id="c-1")
    assert diary.told[-2] == ("intend", "payments.create", {"customerId": "c-1", "reference": "r-1"})
    assert diary.told[-1] == ("learned", "intent-1", "payment", "p-1")


def test_reading_is_not_recorded(make_client: Callable[..., Client]) -> None:
    diary = Diary()
    client = make_client(lambda _: httpx.Response(200, json={"id": "c-1"}), recorder=diary)
    client.customers.get("c-1")
    client.customers.update("c-1", first_name="Ann")
    assert diary.told == []


@pytest.mark.parametrize(
    ("answer", "error", "reason", "unknown"),
    [
        (
            lambda: httpx.Response(400, json={"error": "no_merchant"}),
            BadRequestError,
            "400 no_merchant",
            False,
        ),
        (lambda: httpx.Response(503), ServerError, "503", True),
        (lambda: httpx.Response(200, content=b"{nope"), ContractError, "ContractError", True),
    ],
)
def test_a_failed_create_is_recorded_with_what_is_known(
    answer: Callable[[], httpx.Response],
    error: type[ApiError],
    reason: str,
    unknown: bool,  # noqa: FBT001 - a case of the table
    make_client: Callable[..., Client],
) -> None:
    diary = Diary()
    with pytest.raises(error):
        make_session(make_client(lambda _: answer(), recorder=diary))
    assert diary.told[-1] == ("failed", "intent-1", reason, unknown)


def test_a_lost_answer_is_recorded_as_unknown(make_client: Callable[..., Client]) -> None:
    diary = Diary()

    def lose(_: httpx.Request) -> httpx.Response:
        raise httpx.ReadTimeout("lost")

    with pytest.raises(OutcomeUnknownError):
        make_session(make_client(lose, recorder=diary))
    assert diary.told[-1] == ("failed", "intent-1", "OutcomeUnknownError", True)


def test_what_never_left_is_recorded_as_not_done(make_client: Callable[..., Client]) -> None:
    diary = Diary()
    with pytest.raises(ConfigurationError):
        make_session(make_client(lambda _: httpx.Response(200), recorder=diary, secret="AAAA"))
    assert diary.told[-1] == ("failed", "intent-1", "ConfigurationError", False)


def test_a_register_that_fails_after_the_create_tells_the_id(make_client: Callable[..., Client]) -> None:
    made = httpx.Response(200, json={"sessionId": "s-1", "onboardUrl": "https://p.example/x"})
    with pytest.raises(WorkspaceError) as caught:
        make_session(make_client(lambda _: made, recorder=Diary(refuses=True)))
    assert caught.value.__notes__ == ["the service has created it: session s-1"]


def test_the_async_client_records_too(make_async_client: Callable[..., AsyncClient]) -> None:
    diary = Diary()
    made = httpx.Response(200, json={"sessionId": "s-1", "onboardUrl": "https://p.example/x"})

    async def run() -> None:
        await make_session(make_async_client(lambda _: made, recorder=diary))

    asyncio.run(run())
    assert [entry[0] for entry in diary.told] == ["intend", "learned"]
