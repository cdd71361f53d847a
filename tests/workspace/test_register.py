from __future__ import annotations

import pytest

from kycpack.api.recording import Recorder
from kycpack.errors import InputError, WorkspaceError
from kycpack.workspace import Register

ORDERED = {"identity": {"identityCheck": True}, "ais": None}


def test_what_a_client_created_is_known_with_what_was_ordered(register: Register) -> None:
    recorder: Recorder = register
    intent = recorder.intend("onboarding.create", {"customerId": "c-1"})
    recorder.learned(
        intent,
        "session",
        "s-1",
        customer_id="c-1",
        created_at="2026-05-01T00:00:00.000000Z",
        ordered=ORDERED,
    )
    payment = recorder.intend("payments.create", {"customerId": "c-1"})
    recorder.learned(payment, "payment", "p-1", customer_id="c-1")
    assert register.known("c-1") == {
        "customerId": "c-1",
        "sessions": [
            {
                "sessionId": "s-1",
                "learnedFrom": "created",
                "createdAt": "2026-05-01T00:00:00.000000Z",
                "ordered": ORDERED,
            }
        ],
        "payments": [{"paymentId": "p-1", "learnedFrom": "created", "createdAt": None}],
    }
    assert [row.customer_id for row in register.customers()] == ["c-1"]


def test_many_customers_are_read_at_once_and_say_the_same(register: Register) -> None:
    for number in range(6):
        register.add_session(f"s-{number}", learned_from="import", customer_id=f"c-{number % 3}")
        register.add_payment(f"p-{number}", learned_from="import", customer_id=f"c-{number % 2}")
    register.add_session("s-9", learned_from="webhook")
    names = ["c-0", "c-1", "c-2", "c-9"]
    assert register.known_of(names) == {name: register.known(name) for name in names}


def test_a_customer_nobody_heard_of_has_nothing(register: Register) -> None:
    assert register.known("c-9") == {"customerId": "c-9", "sessions": [], "payments": []}


def test_an_intent_stands_before_its_answer(register: Register) -> None:
    intent = register.intend("customers.create", {"orgId": "north"})
    assert [(row.intent_id, row.state) for row in register.intents(unsettled=True)] == [(intent, "open")]
    register.learned(intent, "customer", "c-1", org_id="north")
    assert register.intents(unsettled=True) == ()
    assert register.customers()[0].org_id == "north"


def test_a_lost_answer_waits_to_be_resolved(register: Register) -> None:
    lost = register.intend("onboarding.create", {"customerId": "c-1", "ordered": ORDERED})
    register.failed(lost, "OutcomeUnknownError", unknown=True)
    refused = register.intend("customers.create", {})
    register.failed(refused, "BadRequestError invalid_request")
    assert [row.intent_id for row in register.intents(unsettled=True)] == [lost]

    row = register.resolve(lost, "s-7", note="seen in the provider's console")
    assert (row.state, row.subject_id) == ("resolved", "s-7")
    assert register.known("c-1")["sessions"][0]["ordered"] == ORDERED
    with pytest.raises(WorkspaceError, match="already settled"):
        register.resolve(lost, None)


def test_an_intent_that_made_nothing_is_resolved_without_an_id(register: Register) -> None:
    lost = register.intend("payments.create", {"customerId": "c-1"})
    assert register.resolve(lost, None).subject_id is None
    assert register.payments() == ()


def test_an_unknown_intent_is_an_error(register: Register) -> None:
    with pytest.raises(WorkspaceError, match="no intent"):
        register.resolve("nope", None)
    with pytest.raises(WorkspaceError, match="no intent"):
        register.failed("nope", "x")


def test_a_webhook_names_no_customer_and_an_import_may_add_one(register: Register) -> None:
    register.add_session("s-1", learned_from="webhook", status="Complete")
    assert register.known("c-1")["sessions"] == []
    register.add_session("s-1", learned_from="import", customer_id="c-1")
    (session,) = register.sessions("c-1")
    assert (session.learned_from, session.status) == ("import", "Complete")


def test_what_is_known_is_not_overwritten(register: Register) -> None:
    register.add_session("s-1", learned_from="control", customer_id="c-1", ordered=ORDERED)
    register.add_session("s-1", learned_from="import", customer_id="c-1", ordered={"identity": {}})
    (session,) = register.sessions("c-1")
    assert (session.learned_from, session.ordered) == ("control", ORDERED)


def test_two_owners_of_one_session_are_an_error(register: Register) -> None:
    register.add_session("s-1", learned_from="import", customer_id="c-1")
    with pytest.raises(WorkspaceError, match="another customer's"):
        register.add_session("s-1", learned_from="import", customer_id="c-2")
    assert register.sessions("c-2") == ()


@pytest.mark.parametrize("value", ["", " ", "a b", "x" * 201, "a\nb", "a\x00", ".", ".."])
def test_what_is_no_id_is_refused(register: Register, value: str) -> None:
    with pytest.raises(InputError):
        register.add_customer(value, learned_from="import")


def test_an_unknown_source_is_refused(register: Register) -> None:
    with pytest.raises(InputError, match="expected one of created"):
        register.add_customer("c-1", learned_from="hearsay")
