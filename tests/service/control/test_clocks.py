"""Clocks: one for everybody, and one of its own for an organisation that is to live at another time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.service.running import database_url
from tests.service.signed import (
    Caller,
    Credentials,
    finish,
    grant,
    new_customer,
    new_session,
    ok,
    refused,
)

from kycpack.models.instants import parse_instant
from kycpack.service.embedded import EmbeddedService

NOW = datetime(2026, 5, 25, 9, tzinfo=UTC)


@pytest.fixture
def other(call: Caller, embedded: EmbeddedService) -> Iterator[Caller]:
    """A caller of a second organisation, who signs with that organisation's time."""
    tenant_id = call.control("/tenants", {"name": "Elsewhere"})["tenant_id"]
    key = call.new_key(tenant_id)
    caller = Caller(call.base_url, key, lambda: embedded.service.clock.now(tenant_id))
    caller.tenant_id = tenant_id
    yield caller
    caller.close()


def test_an_organisation_lives_at_its_own_time_and_others_do_not(call: Caller, other: Caller) -> None:
    mine, theirs = new_session(call, new_customer(call)), new_session(other, new_customer(other))
    call.control(f"/tenants/{other.tenant_id}/clock", {"advance_seconds": 8 * 86_400})
    assert ok(other("GET", f"/v1/onboard/sessions/{theirs}"))["status"] == "expired"
    assert ok(call("GET", f"/v1/onboard/sessions/{mine}"))["status"] == "pending"
    read = call.control("/clock", method="GET")
    apart = parse_instant(read["tenants"][other.tenant_id]) - parse_instant(read["now"])
    assert abs(apart - timedelta(days=8)) < timedelta(seconds=5)
    assert other("GET", "/v1/banks").headers["date"] != call("GET", "/v1/banks").headers["date"]


def test_a_date_is_judged_by_the_clock_of_the_key(call: Caller, other: Caller) -> None:
    call.control(f"/tenants/{other.tenant_id}/clock", {"now": "2030-01-01T00:00:00Z"})
    ok(other("GET", "/v1/banks"))
    refused(call("GET", "/v1/banks", key=other.key), 401, "invalid_api_key")
    found = call.control("/requests", method="GET")["items"][0]["detail"]
    assert "seconds from the organisation's time" in found


def test_pages_and_downloads_follow_the_organisations_clock(call: Caller, other: Caller) -> None:
    session = new_session(other, new_customer(other))
    link = ok(other("POST", "/v1/onboard/sessions", {"customerId": new_customer(other)}))["onboardUrl"]
    finish(call, session)
    media = ok(other("POST", f"/v1/onboard-sessions/{session}/media-access"))["media"][0]["downloadUrl"]
    path = media.removeprefix(call.base_url)
    assert call.plain("GET", path).status_code == 200
    call.control(f"/tenants/{other.tenant_id}/clock", {"advance_seconds": 8 * 86_400})
    refused(call.plain("GET", path), 403, "link_expired")
    assert call.plain("GET", link.removeprefix(call.base_url)).status_code == 410


def test_following_again_ends_the_difference(call: Caller, other: Caller) -> None:
    path = f"/tenants/{other.tenant_id}/clock"
    assert call.control(path, {"advance_seconds": 1e6})["own"]
    call.control("/clock", {"advance_seconds": 60})
    assert call.control(path, method="GET")["own"]
    assert not call.control(path, method="DELETE")["own"]
    assert call.control("/clock", method="GET")["tenants"] == {}
    refused(call.plain("GET", "/_control/tenants/nobody/clock"), 404, "organisation_not_found")


def test_a_replayed_request_is_refused_whatever_another_clock_does(call: Caller, other: Caller) -> None:
    signed = call.headers("GET", "/v1/banks")
    assert call.plain("GET", "/v1/banks", headers=signed).status_code == 200
    call.control(f"/tenants/{other.tenant_id}/clock", {"advance_seconds": 86_400})
    ok(other("GET", "/v1/banks"))
    refused(call.plain("GET", "/v1/banks", headers=signed), 401, "invalid_api_key")


def test_own_clocks_outlive_a_restart_and_a_reset_ends_them(tmp_path: Path) -> None:
    url = database_url(tmp_path)
    with EmbeddedService(url, clock=lambda: NOW) as first:
        first.service.clock.advance(3600, "some-tenant")
    with EmbeddedService(url, clock=lambda: NOW) as second:
        assert second.service.clock.now("some-tenant") == NOW + timedelta(hours=1)
        assert second.service.clock.now() == NOW
        second.service.clock.reset()
    with EmbeddedService(url, clock=lambda: NOW) as third:
        assert third.service.clock.own() == ()


def test_access_ends_by_the_organisations_clock(call: Caller, other: Caller) -> None:
    customer = new_customer(other)
    account = grant(call, customer)[0]["id"]
    call.control(f"/tenants/{other.tenant_id}/clock", {"advance_seconds": 91 * 86_400})
    path = f"/v1/customers/{customer}/bank-accounts/{account}/balance"
    refused(other("GET", path), 403, "ais_access_expired")


def test_a_key_that_names_nobody_is_judged_by_the_services_clock(call: Caller) -> None:
    unknown = Credentials("key_unknown", call.key.secret)
    refused(call("GET", "/v1/banks", key=unknown), 401, "invalid_api_key")
