"""A scenario fills a service: all of it or nothing, once, and with the place of what does not fit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.service.running import database_url
from tests.service.signed import Caller, Credentials, ok, refused

from kycpack.errors import ServiceError
from kycpack.service.embedded import EmbeddedService
from kycpack.service.scenario import apply_scenario, holds_scenario, read_scenario


def _file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "scenario.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_example_makes_what_it_says(checkout: Path, tmp_path: Path) -> None:
    scenario, digest = read_scenario(checkout / "data" / "service" / "scenario.yaml")
    with EmbeddedService(database_url(tmp_path)) as service:
        given = apply_scenario(service.service, scenario, digest)
        assert holds_scenario(service.service, digest)
        key = Credentials(service.key_id, service.secret)
        call = Caller(service.base_url, key, service.service.clock.now)
        people = given["customers"]
        assert call("GET", "/v1/banks").status_code == 503  # three times, as its fault rule says
        nora = people["clear"]
        assert ok(call("GET", f"/v1/customers/{nora['id']}"))["firstName"] == "Nora"
        assert ok(call("GET", f"/v1/onboard/sessions/{nora['sessions'][0]}"))["status"] == "complete"
        assert str(ok(call("GET", f"/v1/payments/{nora['payments'][0]}"))["amount"]) == "250.00"
        ok(call("GET", f"/v1/customers/{nora['id']}/source-of-wealth"))
        pavel = people["politically exposed"]["sessions"][0]
        assert ok(call("GET", f"/v1/onboard/sessions/{pavel}/results"))["screening"]["outcome"] == "consider"
        ines = people["in review"]["sessions"][0]
        assert ok(call("GET", f"/v1/onboard/sessions/{ines}"))["status"] == "inprogress"
        call.advance(days=3)
        assert ok(call("GET", f"/v1/onboard/sessions/{ines}"))["status"] == "complete"
        olaf = people["access ended"]["id"]
        account = ok(call("GET", f"/v1/customers/{olaf}/bank-accounts"))["items"][0]["id"]
        path = f"/v1/customers/{olaf}/bank-accounts/{account}/transactions"
        refused(call("GET", path), 403, "ais_access_expired")
        other = given["organisations"]["Harbour Payments"]
        abroad = Credentials(other["key_id"], other["secret"])
        aoife = people["abroad"]
        assert ok(call("GET", f"/v1/customers/{aoife['id']}", key=abroad))["firstName"] == "Aoife"
        assert len(ok(call("GET", "/v1/webhooks"))["items"]) == 1
        call.close()


def test_numbers_are_exact_and_days_are_text(call: Caller) -> None:
    body = {
        "customers": [
            {
                "name": "a",
                "record": {"dateOfBirth": "1990-01-01"},
                "payments": [{"amount": "0.10", "reference": "r"}],
                "sessions": [],
            }
        ]
    }
    given = call.control("/scenario", body)
    payment = given["customers"]["a"]["payments"][0]
    assert str(ok(call("GET", f"/v1/payments/{payment}"))["amount"]) == "0.10"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("customers: [", "line 1"),
        ("customers:\n  - name: a\n    name: b\n", "line 3: a name appears twice"),
        ("customers:\n  - nam: a\n", "customers.0.name: is required"),
        ("surprise: 1\n", "unknown field"),
        ("- a\n", "expected an object"),
        (
            "customers:\n  - name: a\n    record: {dateOfBirth: 1990-02-30}\n",
            "customers.0.record.dateOfBirth",
        ),
        ("banks: {b: {state: .nan}}\n", "not a number"),
        ("x: !!python/object/apply:os.system ['true']\n", "line 1"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ServiceError) as raised:
        read_scenario(_file(tmp_path, text))
    assert str(raised.value).startswith("scenario.yaml")
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("part", "place"),
    [
        ({"name": "b", "record": {"address": {"country": "XX"}}}, "customers.1: address.country"),
        ({"name": "b", "organisation": "nobody"}, "customers.1: organisation"),
        ({"name": "b", "payments": [{"amount": 1}]}, "customers.1: payments.0: reference"),
        ({"name": "b", "sessions": [{"order": {"options": {"ais": {"accountLimit": 0}}}}]}, "sessions.0"),
        ({"name": "a"}, "customers.1.name: appears twice"),
    ],
)
def test_all_of_it_is_added_or_nothing(call: Caller, part: dict[str, Any], place: str) -> None:
    before = call.control("/clock", method="GET")["now"]
    body = {"clock": "2040-01-01T00:00:00Z", "customers": [{"name": "a"}, part]}
    answer = call.plain("POST", "/_control/scenario", json=body)
    assert place in refused(answer, 400, "invalid_request")["message"]
    assert ok(call("GET", "/v1/customers"))["items"] == []
    assert call.control("/clock", method="GET")["now"][:13] == before[:13]
