"""The control API's document is enough to use it: every answer has a model that fits, and every example is one."""

from __future__ import annotations

import argparse
import copy
import json
import shlex
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest
from tests.service.receiver import receiving
from tests.service.signed import Caller, grant, new_customer, new_session, ok, refused

from kycpack.assets import asset_yaml
from kycpack.service.control.routes import CONTROLS

BODIES, ANSWERS = (
    asset_yaml("service/examples.yaml")[kind] for kind in ("control_requests", "control_answers")
)


class Described:
    """A client that knows nothing but the document: operations by their id, bodies by their example, answers by their schema."""

    def __init__(self, call: Caller) -> None:
        self._http = httpx.Client(base_url=call.base_url, timeout=30)
        self.document = self._http.get("/_control/openapi.json").json()
        self._strict = _closed(self.document["components"])
        self.asked: set[str] = set()

    def close(self) -> None:
        self._http.close()

    def __call__(self, operation: str, body: Any = None, **path: Any) -> Any:
        method, template, item = self._find(operation)
        target = template.format(**path)
        assert {part["name"] for part in item["parameters"]} == set(path)
        answer = self._http.request(method.upper(), target, json=body)
        assert answer.status_code == 200, answer.text
        document = answer.json()
        self.require(item, document)
        self.asked.add(operation)
        return document

    def example(self, operation: str) -> Any:
        """Return a copy of the example of a body."""
        item = self._find(operation)[2]
        return copy.deepcopy(item["requestBody"]["content"]["application/json"]["example"])

    def require(self, item: Any, document: Any, where: str = "200") -> None:
        """Require that a document fits the schema of an answer, with no member that the schema lacks."""
        schema = item["responses"][where]["content"]["application/json"]["schema"]
        jsonschema.validate(document, {**schema, "components": self._strict})

    def _find(self, operation: str) -> tuple[str, str, Any]:
        for path, methods in self.document["paths"].items():
            for method, item in methods.items():
                if item["operationId"] == operation:
                    return method, path, item
        raise AssertionError(operation)


def _closed(node: Any) -> Any:
    """Return schemas in which an object has the members that it names and no others."""
    if isinstance(node, list):
        return [_closed(part) for part in node]
    if not isinstance(node, dict):
        return node
    closed = {name: _closed(part) for name, part in node.items()}
    if "properties" in node and node.get("type") == "object":
        closed["additionalProperties"] = False
    return closed


@pytest.fixture
def described(call: Caller) -> Any:
    client = Described(call)
    yield client
    client.close()


def test_every_operation_has_a_model_and_an_example_of_its_answer(described: Described) -> None:
    for methods in described.document["paths"].values():
        for item in methods.values():
            answer = item["responses"]["200"]["content"]["application/json"]
            schema = described.document["components"]["schemas"][answer["schema"]["$ref"].rpartition("/")[2]]
            assert schema["properties"], item["operationId"]
            assert schema["description"], item["operationId"]
            if item["operationId"] != "get_openapi_json":
                described.require(item, answer["example"])
            for parameter in item["parameters"]:
                assert parameter["description"]
            if "requestBody" in item:
                assert "example" in item["requestBody"]["content"]["application/json"]


def test_examples_are_for_operations_that_exist() -> None:
    known = {f"{control.method} {control.path}" for control in CONTROLS}
    assert set(BODIES) <= known
    assert set(ANSWERS) <= known


def test_a_refusal_is_as_the_document_says(described: Described, call: Caller) -> None:
    item = described.document["paths"]["/_control/clock"]["post"]
    for body, status in ((b"{", 400), (b'{"now": "soon"}', 400)):
        answer = call.plain("POST", "/_control/clock", content=body)
        assert answer.status_code == status
        described.require(item, answer.json(), str(status))


def _clocks(control: Described, call: Caller) -> None:
    tenant = control("post_tenants", control.example("post_tenants"))["tenant_id"]
    assert tenant in [item["id"] for item in control("get_tenants")["items"]]
    key = control("post_keys", {"tenant_id": tenant})
    assert key["key_id"] in [item["key_id"] for item in control("get_keys")["items"]]
    own = control("post_tenants_id_clock", control.example("post_tenants_id_clock"), id=tenant)
    assert own["own"]
    assert control("get_tenants_id_clock", id=tenant)["now"].startswith("2030-01-01")
    before = control("get_clock")
    assert list(before["tenants"]) == [tenant]
    assert control("post_clock", {"advance_seconds": 86_400})["now"] > before["now"]
    assert not control("delete_tenants_id_clock", id=tenant)["own"]


def _access(control: Described, call: Caller) -> None:
    customer = new_customer(call)
    loaded = control(
        "post_customers_id_bank_access", control.example("post_customers_id_bank_access"), id=customer
    )
    assert control("get_customers_id_bank_access", id=customer) == loaded
    later = control(
        "post_customers_id_transactions", control.example("post_customers_id_transactions"), id=customer
    )
    assert later["added"] == 0
    assert [item["number"] for item in control("get_scheduled")["items"]] == [later["scheduled"]]
    path = f"/v1/customers/{customer}/bank-accounts/{loaded['items'][0]['id']}"
    control("post_clock", {"advance_seconds": 2 * 86_400})
    assert len(ok(call("GET", f"{path}/transactions"))["items"]) == 2
    assert control("get_scheduled")["items"][0]["state"] == "done"
    slow = control("post_banks_bank_id", control.example("post_banks_bank_id"), bank_id="test-bank")
    assert control("get_banks") == slow
    control("post_banks_bank_id", {"state": "down"}, bank_id="test-bank")
    refused(call("GET", f"{path}/balance"), 503, "bank_unavailable")
    control("post_banks_bank_id", {"state": "up"}, bank_id="test-bank")
    assert control("post_customers_id_expire_access", id=customer)["accounts"] == 1
    refused(call("GET", f"{path}/balance"), 403, "ais_access_expired")


def _reviews(control: Described, call: Caller) -> None:
    customer = new_customer(call)
    control("post_customers_id_next_results", control.example("post_customers_id_next_results"), id=customer)
    late, held, gone = (new_session(call, customer) for _ in range(3))
    assert control("post_sessions_id_finish", {}, id=late)["status"] == "inprogress"
    body = control.example("post_sessions_id_finish")
    assert control("post_sessions_id_finish", body, id=held)["status"] == "inprogress"
    control("post_clock", {"advance_seconds": 601})
    told = ok(call("GET", f"/v1/onboard/sessions/{late}/results"))
    assert told["screening"]["outcome"] == "consider"
    assert control("post_sessions_id_finish", {}, id=held)["status"] == "complete"
    told = ok(call("GET", f"/v1/onboard/sessions/{held}/results"))
    assert told["document"]["outcome"] == "rejected"
    assert "address" not in told
    assert control("post_sessions_id_expire", id=gone)["status"] == "expired"


def _notifications(control: Described, call: Caller) -> None:
    with receiving() as receiver:
        webhook = ok(call("POST", "/v1/webhooks", {"url": receiver.url}))["id"]
        assert control("post_webhooks_id_test", id=webhook) == {"status": 204, "reason": None}
        session = new_session(call, new_customer(call))
        control("post_sessions_id_finish", {}, id=session)
        receiver.wait(2)
        first = control("get_deliveries")["items"][0]
        again = control("post_deliveries_number_redeliver", number=first["id"])["id"]
        assert [part["body"] for part in receiver.wait(3)[1:]] == [first["payload"]] * 2
        assert [item["id"] for item in control("get_deliveries")["items"]] == [first["id"], again]
    assert {mail["kind"] for mail in control("get_mail")["items"]} == {"invitation", "completed"}


def _faults(control: Described, call: Caller) -> None:
    rule = control.example("post_faults")
    added = control("post_faults", rule)
    assert control("get_faults") == added
    asked = {"User-Agent": "nightly-1"}
    spoilt = [call("GET", "/v1/banks", headers=asked).status_code for _ in range(40)]
    assert 0 < spoilt.count(503) < 40
    assert {call("GET", "/v1/banks").status_code for _ in range(10)} == {200}
    assert control("delete_faults")["items"] == []
    asked_last = control("get_requests")["items"][1]
    assert (asked_last["route"], asked_last["status"]) == ("/v1/banks", 200)


def _snapshots(control: Described, call: Caller) -> None:
    added = control("post_scenario", control.example("post_scenario"))
    customer = added["customers"]["in review"]["id"]
    kept = control("post_snapshots", control.example("post_snapshots"))
    assert control("get_snapshots")["items"] == [kept]
    control("post_customers_id_expire_access", id=customer)
    control("post_snapshots_name_restore", name="before")
    assert (
        control("get_customers_id_bank_access", id=customer)["items"][0]["tokenExpiry"]
        > control("get_clock")["now"]
    )
    assert control("delete_snapshots_name", name="before")["items"] == []
    control("post_reset")
    assert [item["name"] for item in control("get_tenants")["items"]] == ["First organisation"]
    assert control("get_openapi_json")["openapi"] == "3.1.0"


_ABILITIES = (_clocks, _access, _reviews, _notifications, _faults, _snapshots)


def test_every_operation_works_for_a_client_that_reads_the_document_alone(
    described: Described, call: Caller
) -> None:
    for ability in _ABILITIES:
        call.control("/reset")
        ability(described, call)
    paths = described.document["paths"].values()
    assert described.asked == {item["operationId"] for methods in paths for item in methods.values()}


def test_every_curl_of_the_page_about_the_service_is_answered(described: Described, call: Caller) -> None:
    page = (Path(__file__).parents[3] / "docs" / "service.md").read_text("utf-8")
    lines = [
        shlex.split(line) for line in page.splitlines() if "/_control/" in line and line.startswith("curl")
    ]
    assert len(lines) > 10
    tenant = described("post_tenants", described.example("post_tenants"))["tenant_id"]
    for words in lines:
        asked = _Curl().parse_args(words[1:])
        customer = new_customer(call)
        grant(call, customer)
        ids = {"TENANT_ID": tenant, "CUSTOMER_ID": customer, "SESSION_ID": new_session(call, customer)}
        path = "/" + asked.url.partition("/")[2]
        for name, value in ids.items():
            path = path.replace(name, value)
        body, kind = (
            (asked.data, "application/x-www-form-urlencoded")
            if asked.data
            else (asked.json, "application/json")
        )
        if body and body.startswith("@"):
            operation = {
                "@transactions.json": "post_customers_id_transactions",
                "@scenario.json": "post_scenario",
            }[body]
            body = json.dumps(described.example(operation))
        answer = httpx.request(
            asked.method or ("POST" if body else "GET"),
            call.base_url + path,
            content=body,
            headers={"content-type": kind} if body else {},
        )
        assert answer.status_code == 200, (words, answer.text)
    rules = [line for line in page.splitlines() if line.startswith('{"route"')]
    assert len(rules) == 3
    for rule in rules:
        call.control("/faults", json.loads(rule.replace("TENANT_ID", tenant)))


class _Curl(argparse.ArgumentParser):
    """What curl makes of its arguments, as far as the page uses them."""

    def __init__(self) -> None:
        super().__init__()
        self.add_argument("url")
        self.add_argument("-X", dest="method")
        self.add_argument("-d", dest="data")
        self.add_argument("--json")
