"""Webhook registration, the active flag, and the event."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from tests.service.receiver import Receiver, receiving
from tests.service.signed import Caller, finish, new_customer, new_session, ok, refused

from kycpack.models.instants import parse_instant
from kycpack.models.webhooks import SessionCompleted, Webhook

row = pytest.mark.row
EVENT = "onboard.session.completed"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as one:
        yield one


def register(call: Caller, url: str, **more: Any) -> Any:
    return ok(call("POST", "/v1/webhooks", {"url": url, **more}))


def settled(call: Caller, count: int) -> list[dict[str, Any]]:
    limit = time.monotonic() + 20
    while time.monotonic() < limit:
        items: list[dict[str, Any]] = call.control("/deliveries", method="GET")["items"]
        if len(items) == count and all(item["finished"] for item in items):
            return items
        time.sleep(0.02)
    raise AssertionError(f"the journal did not settle at {count} deliveries")


def complete(call: Caller, **options: Any) -> str:
    session = new_session(call, new_customer(call), **options)
    finish(call, session)
    return session


@row("Webhook registration > url")
@pytest.mark.parametrize(
    "url",
    [None, "", "/hook", "ftp://hooks.example/", "hooks.example", "http://", "https://u:p@hooks.example/"],
)
def test_a_url_is_required_and_absolute(call: Caller, url: str | None) -> None:
    refused(call("POST", "/v1/webhooks", {} if url is None else {"url": url}), 400, "invalid_request")
    register(call, "https://hooks.example/kyc")
    register(call, "http://hooks.example/kyc")


@row("Webhook registration > name")
def test_a_name_is_an_optional_label(call: Caller) -> None:
    assert register(call, "https://hooks.example/", name="Ours")["name"] == "Ours"
    assert "name" not in register(call, "https://hooks.example/")


@row("Webhook registration > events", "Limits > events array")
def test_events_default_and_are_not_empty(call: Caller) -> None:
    assert register(call, "https://hooks.example/")["events"] == [EVENT]
    assert register(call, "https://hooks.example/", events=[EVENT])["events"] == [EVENT]
    for events in ([], ["unknown.event"], EVENT, [None]):
        body = {"url": "https://hooks.example/", "events": events}
        refused(call("POST", "/v1/webhooks", body), 400, "invalid_request")


@row("Webhook registration > paragraph 1", "Webhooks > POST /v1/webhooks")
@row("Webhook active flag > active = true POST /v1/webhooks")
def test_a_registration_is_active_and_has_no_attempts(call: Caller) -> None:
    record = register(call, "https://hooks.example/", name="Ours")
    assert Webhook.read(record).wire() == record
    assert record.keys() == {
        "id",
        "url",
        "name",
        "events",
        "active",
        "created",
        "updated",
        "lastDelivered",
        "deliveryAttempts",
    }
    assert (record["active"], record["lastDelivered"], record["deliveryAttempts"]) == (True, None, 0)
    parse_instant(record["created"])


@row("Webhooks > GET /v1/webhooks")
def test_webhooks_are_listed(call: Caller) -> None:
    mine = register(call, "https://hooks.example/")
    assert ok(call("GET", "/v1/webhooks"))["items"] == [mine]
    assert ok(call("GET", "/v1/webhooks", key=call.new_tenant()))["items"] == []


@row("Webhooks > DELETE /v1/webhooks/{webhookId}", "Events > Payload rules > rule 4")
@row("Webhook active flag > active = true DELETE /v1/webhooks/{webhookId}")
def test_a_deleted_webhook_is_kept_inactive_and_receives_nothing(call: Caller, receiver: Receiver) -> None:
    record = register(call, receiver.url)
    refused(call("DELETE", f"/v1/webhooks/{record['id']}", key=call.new_tenant()), 404, "webhook_not_found")
    assert ok(call("DELETE", f"/v1/webhooks/{record['id']}"))["active"] is False
    assert [item["active"] for item in ok(call("GET", "/v1/webhooks"))["items"]] == [False]
    refused(call("DELETE", "/v1/webhooks/unknown"), 404, "webhook_not_found")
    complete(call)
    assert settled(call, 0) == []


@row("Webhooks > paragraph 1", "Versioning > rule 2")
@pytest.mark.parametrize("path", ["/v1/tenant/webhooks", "/v1/onboard/webhooks"])
def test_registration_on_an_alternative_path(call: Caller, path: str) -> None:
    record = ok(call("POST", path, {"url": "https://hooks.example/"}))
    assert ok(call("GET", "/v1/webhooks"))["items"] == [record]


PROGRESS = "Session.Progress"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        pytest.param(name, kind, marks=row(f"Events > Payload > {name}"), id=name)
        for name, kind in {
            "Event": "event",
            "Timestamp": "instant",
            "Session.Id": "id",
            "Session.Status": "status",
            f"{PROGRESS}.Identity.Completed": "boolean",
            f"{PROGRESS}.Identity.Confirmed": "boolean",
            f"{PROGRESS}.Identity.CompletedAt": "instant",
            f"{PROGRESS}.Ais.Completed": "boolean",
            f"{PROGRESS}.Ais.Confirmed": "boolean",
            f"{PROGRESS}.Ais.CompletedAt": "instant",
            "Session.Created": "instant",
            "Session.Updated": "instant",
        }.items()
    ],
)
def test_a_property_of_the_payload(call: Caller, receiver: Receiver, name: str, kind: str) -> None:
    register(call, receiver.url)
    session = complete(call, options={"ais": {"accounts": True}})
    payload = receiver.wait(1)[0]["body"]
    assert SessionCompleted.read(payload).wire() == payload
    value = payload
    for part in name.split("."):
        value = value[part]
    match kind:
        case "event":
            assert value == EVENT
        case "id":
            assert value == session
        case "status":
            assert value == "Complete"
        case "boolean":
            assert value is True
        case _:
            parse_instant(value)


@row(
    "Events > Payload > Session.Progress.Ais.Confirmed", "Events > Payload > Session.Progress.Ais.CompletedAt"
)
def test_what_was_not_ordered_is_null_in_the_payload(call: Caller, receiver: Receiver) -> None:
    register(call, receiver.url)
    complete(call)
    progress = receiver.wait(1)[0]["body"]["Session"]["Progress"]
    assert progress["Ais"] == {"Completed": False, "Confirmed": None, "CompletedAt": None}


@row("Events > paragraph 1", "What the service does > rule 7", "Versioning > rule 3")
@row("Events > onboard.session.completed")
@row("Events > onboard.session.completed", "Onboard session status > paragraph 2", "Authentication > rule 7")
def test_the_event_is_posted_when_a_session_completes(call: Caller, receiver: Receiver) -> None:
    register(call, receiver.url)
    session = new_session(call, new_customer(call))
    assert receiver.came == []
    finish(call, session)
    (delivery,) = receiver.wait(1)
    assert delivery["body"]["Session"]["Status"] == "Complete"
    assert ok(call("GET", f"/v1/onboard/sessions/{session}"))["status"] == "complete"
    assert delivery["headers"]["Content-Type"] == "application/json"
    assert not {name.lower() for name in delivery["headers"]} & {"authorization", "signature", "x-signature"}
    settled(call, 1)
    told = ok(call("GET", "/v1/webhooks"))["items"][0]
    assert told["deliveryAttempts"] == 0
    parse_instant(told["lastDelivered"])


@row("Events > Payload rules > rule 1", "Events > Payload rules > rule 2", "Limits > Webhook delivery")
def test_delivery_is_once_and_a_failure_counts(call: Caller, receiver: Receiver) -> None:
    receiver.status = 500
    webhook = register(call, receiver.url)
    for number in range(1, 4):
        complete(call)
        items = settled(call, number)
        assert (items[-1]["state"], items[-1]["status"]) == ("failed", 500)
        (told,) = ok(call("GET", "/v1/webhooks"))["items"]
        assert (told["id"], told["active"], told["deliveryAttempts"]) == (webhook["id"], True, number)
        assert told["lastDelivered"] is None
    assert len(receiver.came) == 3
    receiver.status = 200
    complete(call)
    settled(call, 4)
    (told,) = ok(call("GET", "/v1/webhooks"))["items"]
    assert told["deliveryAttempts"] == 3
    assert told["lastDelivered"]


@row("Events > Payload rules > rule 1")
def test_each_active_endpoint_gets_the_event_once(call: Caller, receiver: Receiver) -> None:
    for name in "ab":
        register(call, f"{receiver.url}/{name}")
    other = call.new_tenant()
    ok(call("POST", "/v1/webhooks", {"url": f"{receiver.url}/other"}, key=other))
    complete(call)
    settled(call, 2)
    assert sorted(item["path"] for item in receiver.came) == ["/hook/a", "/hook/b"]


@row("Events > Payload rules > rule 3", "Events > Payload rules > rule 5")
def test_any_2xx_is_a_success_and_a_redirect_is_not_followed(call: Caller, receiver: Receiver) -> None:
    register(call, receiver.url)
    for number, status in enumerate((200, 204, 302, 404), 1):
        receiver.status = status
        receiver.headers = {"Location": receiver.url + "/elsewhere"} if status == 302 else {}
        complete(call)
        assert settled(call, number)[-1]["state"] == ("delivered" if status < 300 else "failed")
    assert {item["path"] for item in receiver.came} == {"/hook"}


@row("Webhook registration > url")
def test_a_payment_sends_no_event(call: Caller, receiver: Receiver) -> None:
    register(call, receiver.url)
    ok(call("POST", "/v1/payments", {"amount": 1, "reference": "r"}))
    assert settled(call, 0) == []
