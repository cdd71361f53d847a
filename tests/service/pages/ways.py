"""Ways through the pages that several tests take."""

from __future__ import annotations

from typing import Any

from tests.service.pages.person import Person
from tests.service.signed import Caller, new_customer, ok


def new_portal(call: Caller, options: dict[str, Any] | None = None, **more: Any) -> tuple[str, str, str]:
    """Return customer id, session id and onboardUrl of a new session."""
    person = {
        name: more.pop(name) for name in ("firstName", "lastName", "emailAddress", "address") if name in more
    }
    customer_id = more.pop("customerId", None) or new_customer(call, **person)
    body = {"customerId": customer_id, **more, **({"options": options} if options else {})}
    made = ok(call("POST", "/v1/onboard/sessions", body))
    return customer_id, made["sessionId"], made["onboardUrl"]


def new_pay_link(call: Caller, **changes: Any) -> tuple[str, str]:
    """Return id and payLink of a new payment."""
    body = {"amount": "12.50", "reference": "order-1", "returnUrl": "https://shop.example/back", **changes}
    made = ok(
        call("POST", "/v1/payments", {name: value for name, value in body.items() if value is not None})
    )
    return made["id"], made["payLink"]


DOCUMENT = {"type": "passport", "country": "GB", "number": "AB 123-456", "expiry": "2090-01-31"}


def walk(person: Person, url: str, *, bank: str = "harbour-bank", accounts: tuple[str, ...] = ("0",)) -> None:
    """Take every step that is asked, with specimens, up to the review."""
    person.open(url)
    person.send(agree="yes")
    for _ in range(6):
        step = person.path.rpartition("/")[2]
        if step == "identity":
            person.send(specimen_photo="yes", specimen_video="yes")
        elif step == "document":
            person.send(**DOCUMENT, specimen_front="yes")
        elif step == "address":
            person.send(type="utility_bill", specimen_proof="yes")
        elif step == "bank":
            person.send(bank=bank)
            person.send(account=list(accounts), decision="approve")
    assert person.path.endswith("/review"), (person.path, person.text)
