"""Customer, and the endpoints under it."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID, uuid4

import pytest
from tests.conformance.rows import fields
from tests.service.signed import PERSON, Caller, new_customer, ok, refused

from kycpack.models.customers import Customer
from kycpack.service.embedded import EmbeddedService

row = pytest.mark.row
INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z")


@pytest.mark.parametrize(
    "field",
    fields("Customer", "firstName", "lastName", "emailAddress", "dateOfBirth", "address", "orgId"),
)
def test_a_field_is_optional_on_create_and_comes_back(call: Caller, field: str) -> None:
    assert ok(call("POST", "/v1/customers", {field: PERSON[field]}))[field] == PERSON[field]
    without = {name: value for name, value in PERSON.items() if name != field}
    assert field not in ok(call("POST", "/v1/customers", without))


@pytest.mark.parametrize("field", fields("Customer", "id", "tenantId", "created", "lastUpdated"))
def test_a_field_is_in_the_response_only(call: Caller, field: str) -> None:
    record = ok(call("POST", "/v1/customers", PERSON))
    assert Customer.read(record).wire() == record
    assert record[field]
    refused(call("POST", "/v1/customers", {**PERSON, field: record[field]}), 400, "invalid_request")


@row("Customer > id", "Customer > tenantId")
def test_ids_are_assigned_by_the_service(call: Caller, embedded: EmbeddedService) -> None:
    first, second = (ok(call("POST", "/v1/customers", PERSON)) for _ in range(2))
    assert first["id"] != second["id"]
    assert str(UUID(first["tenantId"])) == embedded.tenant_id


@row("Customer > created", "Customer > lastUpdated")
def test_timestamps_are_utc_and_an_update_moves_the_second(call: Caller) -> None:
    record = ok(call("POST", "/v1/customers", PERSON))
    assert INSTANT.fullmatch(record["created"])
    assert record["lastUpdated"] == record["created"]
    call.advance(seconds=5)
    changed = ok(call("PUT", f"/v1/customers/{record['id']}", {"firstName": "Grace"}))
    assert changed["created"] == record["created"]
    assert changed["lastUpdated"] > record["lastUpdated"]


@row("Customer > dateOfBirth")
@pytest.mark.parametrize("date", ["1990-02-30", "28/02/1990", "1990-2-28", "19900228", "", 19900228])
def test_a_date_of_birth_is_an_iso_date_that_exists(call: Caller, date: Any) -> None:
    refused(call("POST", "/v1/customers", {"dateOfBirth": date}), 400, "invalid_request")


@pytest.mark.parametrize(
    "member",
    fields("Customer > Address object", "addressLine1", "addressLine2", "city", "postalCode", "country"),
)
def test_a_member_of_the_address_is_kept(call: Caller, member: str) -> None:
    value = PERSON["address"][member]  # type: ignore[index]
    record = ok(call("POST", "/v1/customers", {"address": {member: value}}))
    assert record["address"] == {member: value}
    assert ok(call("GET", f"/v1/customers/{record['id']}"))["address"] == {member: value}


@row("Customer > Address object > country")
@pytest.mark.parametrize("country", ["GBR", "gb", "Great Britain", ""])
def test_a_country_is_alpha_2(call: Caller, country: str) -> None:
    refused(call("POST", "/v1/customers", {"address": {"country": country}}), 400, "invalid_request")


@row("Customer > Address object rules > rule 1")
def test_duplicates_are_not_prevented(call: Caller) -> None:
    assert new_customer(call) != new_customer(call)


@row("Customer > Address object rules > rule 2", "Errors > 404 Customer not found")
def test_a_customer_of_another_organisation_is_reported_as_not_found(call: Caller) -> None:
    mine, other = new_customer(call), call.new_tenant()
    for method, body in (("GET", None), ("PUT", {"firstName": "Eve"})):
        answer = refused(call(method, f"/v1/customers/{mine}", body, key=other), 404, "customer_not_found")
        assert answer["message"].startswith("Customer not found")
    assert ok(call("GET", f"/v1/customers/{mine}"))["firstName"] == "Ada"
    refused(call("GET", f"/v1/customers/{uuid4()}"), 404, "customer_not_found")
    refused(call("GET", "/v1/customers/not-an-id"), 404, "customer_not_found")


@row("Customer > Address object rules > rule 3")
def test_the_update_response_may_omit_tenant_and_org(call: Caller) -> None:
    customer = new_customer(call)
    record = ok(call("PUT", f"/v1/customers/{customer}", {"firstName": "Grace"}))
    assert {name: value for name, value in record.items() if name not in {"tenantId", "orgId"}}.keys() >= {
        "id",
        "firstName",
        "created",
        "lastUpdated",
    }


@row("Customers > POST /v1/customers", "What the service does > rule 1")
def test_post_customers_stores_a_customer(call: Caller) -> None:
    record = ok(call("POST", "/v1/customers", PERSON))
    assert {name: record[name] for name in PERSON} == PERSON
    assert ok(call("GET", f"/v1/customers/{record['id']}")) == record


@row("Customers > GET /v1/customers/{id}")
def test_get_customer_returns_the_record(call: Caller) -> None:
    customer = new_customer(call)
    assert ok(call("GET", f"/v1/customers/{customer}"))["id"] == customer


@row("Customers > PUT /v1/customers/{id}")
@pytest.mark.parametrize("field", ["firstName", "lastName", "emailAddress", "dateOfBirth", "address"])
def test_put_customer_changes_any_of_its_fields(call: Caller, field: str) -> None:
    values: dict[str, Any] = {
        "firstName": "Grace",
        "lastName": "Hopper",
        "emailAddress": "grace@example.com",
        "dateOfBirth": "1906-12-09",
        "address": {"city": "Arlington", "country": "US"},
    }
    customer = new_customer(call)
    changed = ok(call("PUT", f"/v1/customers/{customer}", {field: values[field]}))
    assert changed[field] == values[field]
    refused(call("PUT", f"/v1/customers/{customer}", {"orgId": "branch-8"}), 400, "invalid_request")


@row("Customers > paragraph 1")
def test_put_changes_what_is_present_and_null_clears(call: Caller) -> None:
    customer = new_customer(call)
    before = ok(call("GET", f"/v1/customers/{customer}"))
    changed = ok(call("PUT", f"/v1/customers/{customer}", {"lastName": "King", "dateOfBirth": None}))
    assert changed == {
        **{name: value for name, value in before.items() if name != "dateOfBirth"},
        "lastName": "King",
        "lastUpdated": changed["lastUpdated"],
    }
    assert "address" not in ok(call("PUT", f"/v1/customers/{customer}", {"address": None}))
    assert ok(call("PUT", f"/v1/customers/{customer}", {}))["lastName"] == "King"


@row("Customers > GET /v1/customers?orgId=<org_id>", "Customer > orgId")
def test_get_customers_filters_by_org(call: Caller) -> None:
    mine = [new_customer(call, orgId=org) for org in ("a", "b", "a")]
    other = call.new_tenant()
    listed = ok(call("GET", "/v1/customers?orgId=a"))["items"]
    assert [item["id"] for item in listed] == [mine[0], mine[2]]
    assert [item["id"] for item in ok(call("GET", "/v1/customers"))["items"]] == mine
    assert ok(call("GET", "/v1/customers?orgId=zzz"))["items"] == []
    assert ok(call("GET", "/v1/customers", key=other))["items"] == []


@row("Errors > 400 Invalid request (customers)")
@pytest.mark.parametrize(
    "raw", [b"", b"[]", b"{", b'{"firstName": 7}', b'{"surname": "Byron"}', b'{"first_name": "A"}']
)
def test_an_invalid_body_is_400(call: Caller, raw: bytes) -> None:
    answer = refused(call("POST", "/v1/customers", raw=raw), 400, "invalid_request")
    assert answer["message"].startswith("Invalid request")
