"""`make fuzz`: generated requests, signed, against every operation of the OpenAPI document; none may be answered 5xx or untruly.

`python -m tests.service.fuzz [REQUESTS]` sends about so many, 100,000 by default, to a service in a process of its own and prints
what came of them by route. On every route at least 30% have to be answered 2xx or 3xx: a fuzz that is refused tests only the door.

It goes through all routes round by round and prints the table after each, so that a run that is ended early has tried every route.
Generating a case costs more than answering it. So each case is sent in several ways: as it was generated, with ids that exist, and
with what no schema can express put right.
"""

from __future__ import annotations

import copy
import itertools
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from tests.service.processes import serving
from tests.service.signed import (
    BROWSER,
    CARD,
    Caller,
    finish,
    grant,
    new_customer,
    new_payment,
    new_session,
    ok,
)

from kycpack.models.json import dump_json
from kycpack.service.openapi import openapi_document
from kycpack.service.routes import OPERATIONS

_CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
_SEED = 20260525
_FRESH_EVERY = 200
_ROUND = 10_000
_SHARES = {GenerationMode.POSITIVE: 0.7, GenerationMode.NEGATIVE: 0.3}
_COSTLY, _COSTLY_WEIGHT = "/source-of-wealth", 0.1
"""A statement is derived from a whole history for each request, so these routes get a tenth of what others get."""

_WAYS = {
    GenerationMode.POSITIVE: ("generated", "own", "valid", "valid", "valid"),
    GenerationMode.NEGATIVE: ("generated", "own"),
}
_LEAST_DONE = 0.3
_PERSON = ("firstName", "lastName", "emailAddress")
_CHALLENGED = {**CARD, "number": "4000000000003220"}


@dataclass
class Tally:
    """What came of the requests.

    Attributes:
        generated: How many cases were generated.
        requests: How many requests were sent for them.
        statuses: How often each status was answered.
        asked: Requests by route.
        done: Those of them that were answered 2xx or 3xx.
    """

    generated: int = 0
    requests: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)

    def shares(self) -> dict[str, float]:
        """Return, for each route, the share of its requests that were answered 2xx or 3xx."""
        return {route: self.done[route] / count for route, count in self.asked.items()}


def fuzz(call: Caller, count: int, *, tally: Tally | None = None, variant: int = 0) -> Tally:
    """Send about so many generated requests.

    Args:
        call: The first key's caller.
        count: How many.
        tally: What they are added to.
        variant: Which requests are generated.

    Raises:
        BaseExceptionGroup: An answer was 5xx, not documented, or not in its documented shape.
    """
    document = json.loads(dump_json(openapi_document(OPERATIONS)))
    operations = [found.ok() for found in schemathesis.openapi.from_dict(document).get_all_operations()]
    modes = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
    weights = [_weight(operation) for operation in operations]
    tally, first = tally or Tally(), call.key
    with requests.Session() as session:
        session.trust_env = False
        for operation, mode in itertools.product(operations, modes):
            try:
                strategy = operation.as_strategy(generation_mode=mode)
                wanted = count * _SHARES[mode] * _weight(operation) / sum(weights)
                cases = max(1, round(wanted / len(_WAYS[mode])))
                _send_all(call, session, strategy, cases, tally, _WAYS[mode], variant)
            except schemathesis.errors.SchemathesisError as error:
                # An operation without parameters and body cannot be asked wrongly.
                if mode is GenerationMode.POSITIVE:
                    raise
                sys.stderr.write(f"{operation.label}: nothing to get wrong ({type(error).__name__})\n")
    call.key = first
    return tally


def _weight(operation: Any) -> float:
    return _COSTLY_WEIGHT if operation.path.endswith(_COSTLY) else 1.0


def _send_all(
    call: Caller,
    session: requests.Session,
    strategy: Any,
    each: int,
    tally: Tally,
    ways: tuple[str, ...],
    variant: int,
) -> None:
    own = _records(call)
    numbers = itertools.count(1)

    @seed(_SEED + variant)
    @settings(
        max_examples=each,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(strategy)
    def send(case: Any) -> None:
        tally.generated += 1
        generated = copy.deepcopy((case.path_parameters, case.query, case.body))
        for way in ways:
            case.path_parameters, case.query, case.body = copy.deepcopy(generated)
            number = next(numbers)
            if way != "generated":
                case.path_parameters = {name: own[name] for name in case.path_parameters or {}}
            if way == "valid":
                _make_valid(case, own, number)
            if number % _FRESH_EVERY == 0:
                # An organisation of its own, so that lists stay as short as those of a real one, and webhooks as few.
                call.key = call.new_tenant()
                own.update(_records(call))
            _judge(case, _send(call, session, case), tally)

    send()


def _judge(case: Any, answer: requests.Response, tally: Tally) -> None:
    tally.requests += 1
    tally.statuses[answer.status_code] += 1
    route = f"{case.operation.method.upper()} {case.operation.path}"
    tally.asked[route] += 1
    tally.done[route] += answer.status_code < 400
    case.validate_response(answer, checks=_CHECKS)
    if answer.status_code >= 400:
        assert answer.json().keys() >= {"error", "message"}, answer.text


def _make_valid(case: Any, own: dict[str, str], number: int) -> None:
    """Put ids that exist, and what no schema can say, into a generated request; the rest stays as it was generated."""
    if case.query:
        case.query = {
            name: value for name, value in case.query.items() if name not in {"cursor", "merchantId"}
        }
    body = case.body
    path = case.operation.path
    if path.endswith("/attempts"):
        kept = {"idempotencyKey": f"fuzz-{number}"} if number % 2 else {}
        case.body = {**kept, "bank": {"bankId": "test-bank"}}
        if number % 3 == 0:
            browser = body.get("browserData") if isinstance(body, dict) else None
            case.body = {**kept, "card": _CHALLENGED, "browserData": browser or BROWSER}
    if isinstance(body, dict):
        _make_body_valid(body, path, own, number)


def _make_body_valid(body: dict[str, Any], path: str, own: dict[str, str], number: int) -> None:
    address = body.get("address")
    if isinstance(address, dict) and address.get("country"):
        address["country"] = ("GB", "FR", "PL")[number % 3]
    known = {
        "customerId": own["customerId"],
        "dateOfBirth": f"19{number % 100:02}-02-28",
        "amount": f"{number % 5000 + 1}.{number % 100:02}",
        "returnUrl": f"https://shop.example/{number}",
        "cancelUrl": f"https://shop.example/{number}",
        "url": f"http://127.0.0.1:9/{number}",
        "events": ["onboard.session.completed"],
    }
    body.update({name: value for name, value in known.items() if body.get(name) is not None})
    if body.get("aisRequirements") is not None:
        body["customerId"] = own["customerId"]
    if path == "/v1/onboard/sessions" and not all(body.get(name) for name in _PERSON):
        for name in _PERSON:
            body.pop(name, None)


def _send(call: Caller, session: requests.Session, case: Any) -> requests.Response:
    arguments = case.as_transport_kwargs(base_url=call.base_url)
    known = ("method", "url", "headers", "params", "data", "json", "files", "cookies")
    prepared = requests.Request(
        **{name: arguments[name] for name in known if arguments.get(name) is not None}
    ).prepare()
    body = prepared.body.encode() if isinstance(prepared.body, str) else prepared.body or b""
    prepared.headers.update(call.headers(prepared.method or "GET", prepared.path_url, body))
    return session.send(prepared, allow_redirects=False, timeout=30)


def _records(call: Caller) -> dict[str, str]:
    """Return the ids of one of everything."""
    customer = new_customer(call)
    account = grant(call, customer)[0]["id"]
    payment = new_payment(call, customerId=customer)
    by_card = {"card": {**CARD, "number": "4000000000003220"}, "browserData": BROWSER}
    attempt = ok(call("POST", f"/v1/payments/{payment}/attempts", by_card))["id"]
    session = new_session(call, customer)
    finish(call, session)
    media = ok(call("POST", f"/v1/onboard-sessions/{session}/media-access"))["media"][0]["id"]
    webhook = ok(call("POST", "/v1/webhooks", {"url": "http://127.0.0.1:9/"}))["id"]
    return {
        "id": customer,
        "customerId": customer,
        "accountId": account,
        "paymentId": payment,
        "attemptId": attempt,
        "sessionId": session,
        "mediaId": media,
        "webhookId": webhook,
    }


def _lines(tally: Tally, seconds: float) -> Iterator[str]:
    yield (
        f"{tally.requests} requests of {tally.generated} generated cases in {seconds:.0f} s, "
        "none answered 5xx, all as documented"
    )
    for status, count in sorted(tally.statuses.items()):
        yield f"  {status}: {count}"
    for route, share in sorted(tally.shares().items(), key=lambda pair: pair[1]):
        yield f"  {share:4.0%} done of {tally.asked[route]:6}  {route}"


def main() -> None:
    """Fuzz a service of its own."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, serving(f"sqlite:///{folder}/service.db") as served:
        tally, rounds = Tally(), max(1, round(count / _ROUND))
        for variant in range(rounds):
            fuzz(served.call, count // rounds, tally=tally, variant=variant)
            sys.stdout.write("\n".join(_lines(tally, time.monotonic() - began)) + "\n")
            sys.stdout.flush()
    poor = [route for route, share in tally.shares().items() if share < _LEAST_DONE]
    sys.exit(f"too few requests came through to: {', '.join(poor)}" if poor else 0)


if __name__ == "__main__":
    main()
