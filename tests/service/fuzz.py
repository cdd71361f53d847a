"""`make fuzz`: generated requests, signed, against every operation of the OpenAPI document; none may be answered 5xx or untruly.

`python -m tests.service.fuzz [CASES]` makes about so many, 25,000 by default, and prints what came of them.
"""

from __future__ import annotations

import itertools
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
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
from tests.service.running import running
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


@dataclass
class Tally:
    """What came of the cases."""

    cases: int = 0
    statuses: Counter[int] = field(default_factory=Counter)


def fuzz(call: Caller, cases: int) -> Tally:
    """Send about so many generated requests.

    Raises:
        BaseExceptionGroup: An answer was 5xx, not documented, or not in its documented shape.
    """
    document = json.loads(dump_json(openapi_document(OPERATIONS)))
    operations = [found.ok() for found in schemathesis.openapi.from_dict(document).get_all_operations()]
    modes = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
    each = max(1, cases // (len(operations) * len(modes)))
    tally = Tally()
    with requests.Session() as session:
        session.trust_env = False
        for operation, mode in itertools.product(operations, modes):
            try:
                strategy = operation.as_strategy(generation_mode=mode)
                _send_all(call, session, strategy, each, tally)
            except schemathesis.errors.SchemathesisError as error:
                # An operation without parameters and body cannot be asked wrongly.
                if mode is GenerationMode.POSITIVE:
                    raise
                sys.stderr.write(f"{operation.label}: nothing to get wrong ({type(error).__name__})\n")
    return tally


def _send_all(call: Caller, session: requests.Session, strategy: Any, each: int, tally: Tally) -> None:
    own = _records(call)
    use_own = itertools.cycle((True, True, False))

    @seed(_SEED)
    @settings(
        max_examples=each,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(strategy)
    def send(case: Any) -> None:
        if next(use_own):
            case.path_parameters = {name: own[name] for name in case.path_parameters or {}}
        answer = _send(call, session, case)
        tally.cases += 1
        tally.statuses[answer.status_code] += 1
        case.validate_response(answer, checks=_CHECKS)
        if answer.status_code >= 400:
            assert answer.json().keys() >= {"error", "message"}, answer.text

    send()


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


def _lines(tally: Tally) -> Iterator[str]:
    yield f"{tally.cases} cases, none answered 5xx, all as documented"
    for status, count in sorted(tally.statuses.items()):
        yield f"  {status}: {count}"


def main() -> None:
    """Fuzz a service of its own."""
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else 25_000
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as (_, call):
        sys.stdout.write("\n".join(_lines(fuzz(call, cases))) + "\n")


if __name__ == "__main__":
    main()
