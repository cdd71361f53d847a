"""What a service would answer about invented customers, made without one."""

from __future__ import annotations

import json

from tests.frames.evidence_maker import IDENTITY, STATUS, EvidenceMaker

from kycpack.evidence import Evidence
from kycpack.synthetic.records import CustomerPlan, SessionPlan

UNFINISHED = SessionPlan(None, {}, "expired")


def evidence(plan: CustomerPlan, *, with_expired: bool = False, with_statement: bool = False) -> Evidence:
    """What a service would answer about an invented customer, who may have let a first session expire, and whose source of wealth it may state in the name on record."""
    sessions = [UNFINISHED, *plan.sessions] if with_expired else plan.sessions
    made = EvidenceMaker(plan.key)
    made.answer("customers.get", {"id": plan.key, **plan.customer_body})
    for number, session in enumerate(sessions):
        name = f"{plan.key}-s{number}"
        created = f"2026-05-{number + 1:02d}T10:00:00.000Z"
        status = {**STATUS, "id": name, "status": session.ending, "created": created}
        made.answer("onboarding.get", status, session_id=name)
        if session.ending == "complete":
            results = json.dumps(session.results, default=float).encode()
            made.answer("onboarding.results", results, session_id=name)
    accounts = [
        {"id": one.key, "currency": one.currency, "accountHolderName": one.holder} for one in plan.accounts
    ]
    made.answer("bank_accounts.list", {"items": accounts})
    for account in plan.accounts:
        items = account.to_body()["transactions"][-200:]
        made.answer("bank_accounts.transactions", {"items": items}, account_id=account.key)
    if with_statement:
        body = plan.customer_body
        named = {
            "firstName": body["firstName"],
            "lastName": body["lastName"],
            "city": body["address"]["city"],
        }
        made.answer("source_of_wealth.get", {"customerId": plan.key, "customer": named})
    known = [
        {
            "sessionId": f"{plan.key}-s{number}",
            "learnedFrom": "created",
            "ordered": {"identity": IDENTITY, "ais": None},
        }
        for number in range(len(sessions))
    ]
    made.known({"customerId": plan.key, "sessions": known, "payments": []})
    return made.make()
