"""Onboard sessions: request, options, status, results."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from tests.conformance.rows import fields
from tests.service.pages.person import Person
from tests.service.signed import Caller, finish, new_customer, new_session, ok, refused

from kycpack.models.instants import parse_instant
from kycpack.models.onboarding import Results, SessionCreated, SessionStatus

row = pytest.mark.row

NOTHING = dict.fromkeys(
    ("identityCheck", "documentCheck", "proofOfAddressCheck", "amlExtensiveScreening"), False
)


def results(call: Caller, session: str) -> Any:
    return ok(call("GET", f"/v1/onboard/sessions/{session}/results"))


def status(call: Caller, session: str) -> Any:
    return ok(call("GET", f"/v1/onboard/sessions/{session}"))


@row("Onboard session create request > customerId", "Errors > 400 Invalid customer id (onboard)")
def test_a_session_is_for_an_existing_customer(call: Caller) -> None:
    new_session(call, new_customer(call))
    refused(call("POST", "/v1/onboard/sessions", {}), 400, "invalid_request")
    for customer in ("no-id", "", str(uuid4())):
        answer = call("POST", "/v1/onboard/sessions", {"customerId": customer})
        if customer:
            assert refused(answer, 400, "invalid_customer_id")["message"].startswith("Invalid customer id")
        else:
            refused(answer, 400, "invalid_request")
    others = call.new_tenant()
    answer = call("POST", "/v1/onboard/sessions", {"customerId": new_customer(call)}, key=others)
    refused(answer, 400, "invalid_customer_id")


@row("Onboard session create request > options")
@pytest.mark.parametrize("options", [None, {}, {"identity": None}, {"identity": {}}, {"ais": None}])
def test_options_are_optional_and_mean_their_defaults(call: Caller, options: Any) -> None:
    customer = new_customer(call)
    body = {"customerId": customer} if options is None else {"customerId": customer, "options": options}
    session = ok(call("POST", "/v1/onboard/sessions", body))["sessionId"]
    finish(call, session)
    assert list(results(call, session)) == ["document", "address", "identity", "screening"]


@pytest.mark.parametrize("field", fields("Onboard session create request", "orgId", "returnUrl"))
def test_a_field_of_the_request_is_optional(call: Caller, field: str) -> None:
    value = {"orgId": "branch-7", "returnUrl": "https://shop.example/done"}[field]
    customer = new_customer(call)
    new_session(call, customer)
    new_session(call, customer, **{field: value})


@row("Onboard session create request > returnUrl")
@pytest.mark.parametrize(
    "url", ["http://shop.example/done", "/done", "shop.example", "javascript:alert(1)", ""]
)
def test_a_return_url_is_absolute_https(call: Caller, url: str) -> None:
    body = {"customerId": new_customer(call), "returnUrl": url}
    refused(call("POST", "/v1/onboard/sessions", body), 400, "invalid_request")


@pytest.mark.parametrize(
    "field", fields("Onboard session create request", "firstName", "lastName", "emailAddress")
)
@row("Onboard session create request > Rules > rule 1")
def test_person_data_comes_from_the_request_or_from_the_record(call: Caller, field: str) -> None:
    lacking = new_customer(call, **{field: None})
    body = {"customerId": lacking}
    answer = refused(call("POST", "/v1/onboard/sessions", body), 400, "missing_person_data")
    assert answer["missingFields"] == [field]
    ok(call("POST", "/v1/onboard/sessions", {**body, field: "grace@example.com"}))


@row("Onboard session create request > Rules > rule 1")
def test_values_of_the_request_win(call: Caller) -> None:
    session = new_session(call, new_customer(call), firstName="Grace", lastName="Hopper")
    finish(call, session)
    holder = results(call, session)["document"]["holder"]
    assert (holder["firstName"], holder["lastName"]) == ("Grace", "Hopper")


@row(
    "Onboard session create request > Rules > rule 2",
    "Errors > 400 missing_person_data",
    "Errors > paragraph 1",
)
def test_missing_values_are_named(call: Caller) -> None:
    customer = ok(call("POST", "/v1/customers", {}))["id"]
    answer = refused(
        call("POST", "/v1/onboard/sessions", {"customerId": customer}), 400, "missing_person_data"
    )
    assert answer.keys() == {"error", "message", "missingFields", "requestId"}
    assert answer["missingFields"] == ["firstName", "lastName", "emailAddress"]
    body = {"customerId": customer, "options": {"identity": NOTHING, "ais": {"accounts": True}}}
    ok(call("POST", "/v1/onboard/sessions", body))


@pytest.mark.parametrize(
    ("option", "default", "section"),
    [
        pytest.param(
            name,
            default,
            section,
            marks=row(f"Onboard session create request > options.identity > {name}"),
            id=name,
        )
        for name, default, section in (
            ("identityCheck", True, "identity"),
            ("enhancedIdentityCheck", False, "identity"),
            ("documentCheck", True, "document"),
            ("proofOfAddressCheck", True, "address"),
            ("amlStandardScreening", False, "screening"),
            ("amlExtensiveScreening", True, "screening"),
            ("amlStandardMonitoring", False, "screening"),
            ("amlExtensiveMonitoring", False, "screening"),
        )
    ],
)
def test_an_identity_option_has_its_default_and_orders_its_section(
    call: Caller, option: str, section: str, *, default: bool
) -> None:
    customer = new_customer(call)
    alone = new_session(call, customer, options={"identity": {**NOTHING, option: True}})
    finish(call, alone)
    assert list(results(call, alone)) == [section]
    if section == "screening":
        assert results(call, alone)["screening"]["checkType"] == (
            "extensive" if "Extensive" in option else "standard"
        )
    others_off = new_session(
        call, customer, options={"identity": {name: False for name in NOTHING if name != option}}
    )
    finish(call, others_off)
    assert (section in results(call, others_off)) is default
    lacking = ok(call("POST", "/v1/customers", {}))["id"]
    body = {"customerId": lacking, "options": {"identity": {**NOTHING, option: True}}}
    refused(call("POST", "/v1/onboard/sessions", body), 400, "missing_person_data")


@pytest.mark.parametrize(
    "scope", fields("Onboard session create request > options.ais", "accounts", "balances", "transactions")
)
@row("Onboard session create request > options.ais rules > rule 1")
def test_an_ais_option_is_off_by_default_and_switches_accounts_on(call: Caller, scope: str) -> None:
    customer = new_customer(call)
    without = new_session(call, customer, options={"ais": {}})
    finish(call, without)
    assert status(call, without)["progress"]["ais"] == {"completed": False}
    assert ok(call("GET", f"/v1/customers/{customer}/bank-accounts"))["items"] == []
    with_it = new_session(call, customer, options={"ais": {scope: True}})
    finish(call, with_it)
    granted = ok(call("GET", f"/v1/customers/{customer}/bank-accounts"))["items"][0]["scopes"]
    assert granted == (["accounts"] if scope == "accounts" else ["accounts", scope])


@row("Onboard session create request > options.ais > accountLimit", "Limits > accountLimit")
@pytest.mark.parametrize(("limit", "linked"), [(None, 2), (1, 1), (5, 2)])
def test_an_account_limit_bounds_the_accounts(call: Caller, limit: int | None, linked: int) -> None:
    customer = new_customer(call)
    finish(call, new_session(call, customer, options={"ais": {"accounts": True, "accountLimit": limit}}))
    assert len(ok(call("GET", f"/v1/customers/{customer}/bank-accounts"))["items"]) == linked


@row("Limits > accountLimit")
@pytest.mark.parametrize("limit", [0, -1, "2", True])
def test_an_account_limit_is_an_integer_or_null(call: Caller, limit: Any) -> None:
    body = {"customerId": new_customer(call), "options": {"ais": {"accounts": True, "accountLimit": limit}}}
    refused(call("POST", "/v1/onboard/sessions", body), 400, "invalid_request")


@row("Onboard session create request > options.ais rules > rule 2")
def test_ais_needs_a_merchant_that_is_onboarded(call: Caller) -> None:
    other = call.new_tenant(merchant_onboarded=False)
    customer = ok(call("POST", "/v1/customers", {}, key=other))["id"]
    body = {"customerId": customer, "options": {"identity": NOTHING, "ais": {"balances": True}}}
    refused(call("POST", "/v1/onboard/sessions", body, key=other), 400, "no_merchant")


@row("Onboard session create request > options.ais rules > rule 3")
def test_ais_is_completed_for_each_session_that_orders_it(call: Caller) -> None:
    customer = new_customer(call)
    for _ in range(2):
        session = new_session(call, customer, options={"ais": {"accounts": True}})
        assert status(call, session)["progress"]["ais"]["completed"] is False
        finish(call, session)
        assert status(call, session)["progress"]["ais"]["completed"] is True
        before = ok(call("GET", f"/v1/customers/{customer}/bank-accounts"))["items"][0]["tokenExpiry"]
        call.advance(days=1)
    call.advance(days=1)
    finish(call, new_session(call, customer, options={"ais": {"accounts": True}}))
    after = ok(call("GET", f"/v1/customers/{customer}/bank-accounts"))["items"][0]["tokenExpiry"]
    assert after > before


@row("Onboard sessions > POST /v1/onboard/sessions", "Onboard session create request > paragraph 1")
@row("What the service does > rule 4")
def test_post_sessions_answers_id_and_url(call: Caller) -> None:
    answer = ok(call("POST", "/v1/onboard/sessions", {"customerId": new_customer(call)}))
    assert answer.keys() == {"sessionId", "onboardUrl"}
    assert SessionCreated.read(answer).wire() == answer
    assert answer["onboardUrl"].startswith(f"{call.base_url}/onboard/")


@pytest.mark.parametrize(
    "field",
    fields(
        "Onboard session status",
        "id",
        "status",
        "progress.identity.completed",
        "progress.identity.confirmed",
        "progress.identity.completedAt",
        "progress.ais.completed",
        "progress.ais.completedAt",
        "created",
        "updated",
        "attemptCount",
    ),
)
def test_a_field_of_the_status(call: Caller, field: str) -> None:
    session = new_session(call, new_customer(call), options={"ais": {"accounts": True}})
    before, finished = status(call, session), finish(call, session)
    after = status(call, session)
    assert after == finished
    assert SessionStatus.read(after).wire() == after

    def leaf(record: Any) -> Any:
        for name in field.split("."):
            record = record.get(name) if isinstance(record, dict) else None
        return record

    expected = {
        "id": (session, session),
        "status": ("pending", "complete"),
        "progress.identity.completed": (False, True),
        "progress.identity.confirmed": (None, True),
        "progress.ais.completed": (False, True),
        "attemptCount": (0, 0),
    }
    if field in expected:
        assert (leaf(before), leaf(after)) == expected[field]
    else:
        parse_instant(leaf(after))
        assert leaf(before) is None or field in {"created", "updated"}


@row("Onboard session status > progress.identity.confirmed")
@pytest.mark.parametrize("outcome", ["consider", "warning", "rejected"])
def test_identity_is_confirmed_only_when_every_section_is_clear(call: Caller, outcome: str) -> None:
    session = new_session(call, new_customer(call))
    assert finish(call, session, address={"outcome": outcome})["progress"]["identity"]["confirmed"] is False


@row("Onboard session status > attemptCount", "Onboard session status > inprogress")
def test_a_start_in_the_portal_starts_a_session_and_showing_it_does_not(call: Caller) -> None:
    created = ok(call("POST", "/v1/onboard/sessions", {"customerId": new_customer(call)}))
    person = Person(call.base_url)
    assert person.open(created["onboardUrl"]).status_code == 200
    told = status(call, created["sessionId"])
    assert (told["status"], told["attemptCount"]) == ("pending", 0)
    person.send(agree="yes")
    person.http.close()
    told = status(call, created["sessionId"])
    assert (told["status"], told["attemptCount"]) == ("inprogress", 1)


@row(
    "Onboard session status > pending",
    "Onboard session status > complete",
    "Onboard session status > paragraph 1",
)
def test_a_session_is_pending_until_it_is_complete(call: Caller) -> None:
    session = new_session(call, new_customer(call))
    assert status(call, session)["status"] == "pending"
    finish(call, session, document={"outcome": "rejected"})
    assert status(call, session)["status"] == "complete"
    answer = call.plain("POST", f"/_control/sessions/{session}/finish", json={})
    refused(answer, 409, "session_complete")


@row("Onboard session status > expired", "Limits > Onboard session lifetime and onboardUrl validity")
@row("Onboard session create request > paragraph 1")
def test_a_session_expires_after_7_days(call: Caller) -> None:
    created = ok(call("POST", "/v1/onboard/sessions", {"customerId": new_customer(call)}))
    session = created["sessionId"]
    call.advance(days=6, hours=23)
    assert status(call, session)["status"] == "pending"
    call.advance(hours=1, seconds=1)
    told = status(call, session)
    assert told["status"] == "expired"
    assert parse_instant(told["updated"]) - parse_instant(told["created"]) == timedelta(days=7)
    refused(call("GET", f"/v1/onboard/sessions/{session}/results"), 404, "results_not_found")
    refused(call.plain("POST", f"/_control/sessions/{session}/finish", json={}), 409, "session_expired")


@row("Onboard sessions > GET /v1/onboard/sessions/{sessionId}", "Errors > 404 Session not found")
def test_an_unknown_session_is_404(call: Caller) -> None:
    for session in (str(uuid4()), "no-id"):
        for path in (f"/v1/onboard/sessions/{session}", f"/v1/onboard/sessions/{session}/results"):
            answer = refused(call("GET", path), 404, "session_not_found")
            assert answer["message"].startswith("Session not found")


@row("Onboard sessions > paragraph 1", "Errors > 403 Session belongs to a different organisation")
def test_another_organisations_session_is_403(call: Caller) -> None:
    session, other = new_session(call, new_customer(call)), call.new_tenant()
    finish(call, session)
    media = ok(call("POST", f"/v1/onboard-sessions/{session}/media-access"))["media"][0]["id"]
    for method, path in (
        ("GET", f"/v1/onboard/sessions/{session}"),
        ("GET", f"/v1/onboard/sessions/{session}/results"),
        ("POST", f"/v1/onboard-sessions/{session}/media-access"),
        ("GET", f"/v1/onboard-sessions/{session}/media/{media}"),
    ):
        answer = refused(call(method, path, key=other), 403, "session_forbidden")
        assert answer["message"].startswith("Session belongs to a different organisation")


@row("Onboard sessions > GET /v1/onboard/sessions/{sessionId}/results", "What the service does > rule 5")
@row("Onboard sessions > paragraph 1")
def test_results_come_once_the_session_is_complete(call: Caller) -> None:
    session = new_session(call, new_customer(call))
    refused(call("GET", f"/v1/onboard/sessions/{session}/results"), 404, "results_not_found")
    finish(call, session)
    told = results(call, session)
    assert Results.read(told).wire() == told


MEMBERS: dict[str, dict[str, tuple[str, ...]]] = {
    "document": {
        "holder": ("firstName", "lastName", "dateOfBirth", "nationality"),
        "document": ("documentType", "issuingCountry", "documentNumber", "expirationDate"),
        "contentAnalysis": ("dataIntegrity", "expirationDateCheck"),
    },
    "address": {
        "contentAnalysis": ("documentAgeOutcome",),
        "clientValidation": ("firstNameMatch", "lastNameMatch", "addressMatchOutcome"),
        "geoLocationAnalysis": ("ipInAddressCountry", "ipProximityToAddress"),
        "extractedAddress": ("addressLine1", "city", "postalCode", "country"),
    },
    "identity": {
        "faceAnalysis": ("facialSimilarity", "facialSimilarityScore"),
        "authenticityAnalysis": ("livenessCheck", "livenessCheckScore"),
        "integrityAnalysis": ("faceDetection",),
    },
    "screening": {},
}


@pytest.mark.parametrize("section", fields("Onboard verification results", *MEMBERS))
def test_a_section_has_every_member(call: Caller, section: str) -> None:
    session = new_session(call, new_customer(call))
    finish(call, session)
    told = results(call, session)[section]
    for group, members in MEMBERS[section].items():
        assert tuple(told[group]) == members
    if section == "screening":
        assert (told["checkType"], told["matchCount"]) == ("extensive", 0)
        assert {group: list(kinds) for group, kinds in told["summary"].items()} == {
            "pep": ["level1", "level2"],
            "watchlist": ["sanctionsLists", "terror"],
            "adverseMedia": ["environmentProduction", "socialLabour"],
        }


@row("Onboard verification results > paragraph 1")
@pytest.mark.parametrize(
    "outcome",
    fields("Onboard verification results > Outcome meanings", "clear", "consider", "warning", "rejected"),
)
@pytest.mark.parametrize("section", list(MEMBERS))
def test_every_section_can_have_every_outcome(call: Caller, section: str, outcome: str) -> None:
    session = new_session(call, new_customer(call))
    finish(call, session, **{section: {"outcome": outcome}})
    assert {name: part["outcome"] for name, part in results(call, session).items()} == {
        **dict.fromkeys(MEMBERS, "clear"),
        section: outcome,
    }
