"""What is not of one organisation or customer: deliveries and mail, faults and banks, the journal, scenarios, snapshots, and a reset."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection

from kycpack.models.instants import format_instant
from kycpack.service.banks import list_conditions, set_condition
from kycpack.service.control.models import (
    BankOutages,
    BankState,
    Control,
    ControlCall,
    Deliveries,
    DeliveryQueued,
    FaultRules,
    Mails,
    Requests,
    ScenarioAdded,
    Scheduled,
    Snapshot,
    SnapshotName,
    Snapshots,
    Time,
    TrialOutcome,
)
from kycpack.service.faults import FaultRule
from kycpack.service.mail import list_mails
from kycpack.service.problems import invalid_request
from kycpack.service.scenario import Scenario, apply_scenario
from kycpack.service.schedule import list_scheduled
from kycpack.service.snapshots import delete_snapshot, list_snapshots, restore_snapshot, take_snapshot
from kycpack.service.state import reading, reset, writing
from kycpack.service.webhooks.records import (
    find_delivery,
    find_webhook,
    list_deliveries,
    redeliver,
    try_webhook,
)

_LONGEST_BANK_ID = 1_000


@writing
def redeliver_one(call: ControlCall, connection: Connection) -> dict[str, Any]:
    """Queue the delivery with the path's number again; return the new delivery's number."""
    row = find_delivery(connection, call.path["number"])
    return {"id": redeliver(connection, row, call.service.clock.now)}


def _try_webhook(call: ControlCall) -> dict[str, Any]:
    with call.service.database.read() as connection:
        row = find_webhook(connection, call.path["id"])
    outcome = try_webhook(row.url, call.service.clock.now(row.tenant_id), loopback=call.service.loopback)
    return {"status": outcome.status, "reason": outcome.reason or None}


def _list_faults(call: ControlCall) -> dict[str, Any]:
    return {"items": call.service.faults.listed()}


def _add_fault(call: ControlCall) -> dict[str, Any]:
    call.service.faults.add(call.body)
    return _list_faults(call)


def _clear_faults(call: ControlCall) -> dict[str, Any]:
    call.service.faults.clear()
    return _list_faults(call)


def _outages(connection: Connection) -> dict[str, Any]:
    return {
        "items": [
            {"bank_id": bank_id, "state": condition.state, "seconds": condition.seconds}
            for bank_id, condition in list_conditions(connection).items()
        ]
    }


@writing
def set_bank(call: ControlCall, connection: Connection) -> dict[str, Any]:
    """Set the bank with the path's id to slow, down, or up again; return those that are slow or down."""
    wanted: BankState = call.body
    bank_id = call.path["bank_id"]
    if len(bank_id) > _LONGEST_BANK_ID or "\0" in bank_id:
        raise invalid_request("bank_id: unknown bank")
    set_condition(connection, bank_id, wanted.state, wanted.seconds)
    return _outages(connection)


@writing
def _delete(call: ControlCall, connection: Connection) -> dict[str, Any]:
    delete_snapshot(connection, call.path["name"])
    return {"items": list_snapshots(connection)}


def _reset(call: ControlCall) -> dict[str, Any]:
    reset(call.service)
    return {"now": format_instant(call.service.clock.now())}


CONTROLS = (
    Control(
        "GET",
        "/deliveries",
        reading(lambda _, connection: {"items": list_deliveries(connection)}),
        "List webhook deliveries",
        answer=Deliveries,
    ),
    Control(
        "POST",
        "/deliveries/{number}/redeliver",
        redeliver_one,
        "Queue a delivery again",
        answer=DeliveryQueued,
    ),
    Control(
        "POST",
        "/webhooks/{id}/test",
        _try_webhook,
        "Send an invented completion to an endpoint",
        answer=TrialOutcome,
    ),
    Control(
        "GET",
        "/mail",
        reading(lambda call, connection: {"items": list_mails(connection, call.service.links)}),
        "List email notifications",
        answer=Mails,
    ),
    Control("GET", "/faults", _list_faults, "List the fault rules in force", answer=FaultRules),
    Control(
        "POST",
        "/faults",
        _add_fault,
        "Add a fault rule",
        FaultRule,
        answer=FaultRules,
        about="It applies to requests with its route, organisation and headers. The first rule that matches is applied.",
    ),
    Control("DELETE", "/faults", _clear_faults, "Remove all fault rules", answer=FaultRules),
    Control(
        "GET",
        "/banks",
        reading(lambda _, connection: _outages(connection)),
        "List the banks that are slow or down",
        answer=BankOutages,
    ),
    Control(
        "POST",
        "/banks/{bank_id}",
        set_bank,
        "Set a bank to slow, down, or up again",
        BankState,
        answer=BankOutages,
        about="Its pages, balances and transactions answer late, or with 503 bank_unavailable. A payment attempt at a "
        "bank that is down fails. Lists of accounts and statements come from stored data, and are not affected.",
    ),
    Control(
        "GET",
        "/requests",
        lambda call: {"items": [asdict(entry) for entry in call.service.requests.entries()]},
        "List the last requests, newest first",
        answer=Requests,
    ),
    Control(
        "GET",
        "/scheduled",
        reading(lambda _, connection: {"items": list_scheduled(connection)}),
        "List scheduled work and its outcomes",
        answer=Scheduled,
    ),
    Control(
        "POST",
        "/scenario",
        lambda call: apply_scenario(call.service, call.body),
        "Add a scenario",
        Scenario,
        answer=ScenarioAdded,
        about="Like a file for `kycpack serve --seed FILE`, in JSON. Either all of it is added, or nothing. The answer gives the ids by name.",
    ),
    Control(
        "GET",
        "/snapshots",
        reading(lambda _, connection: {"items": list_snapshots(connection)}),
        "List snapshots",
        answer=Snapshots,
    ),
    Control(
        "POST",
        "/snapshots",
        lambda call: take_snapshot(call.service, call.body.name),
        "Take a snapshot",
        SnapshotName,
        answer=Snapshot,
        about="Records, keys, clocks, fault rules and banks; not the journal of requests.",
    ),
    Control(
        "POST",
        "/snapshots/{name}/restore",
        lambda call: restore_snapshot(call.service, call.path["name"]),
        "Restore a snapshot",
        answer=Snapshot,
    ),
    Control("DELETE", "/snapshots/{name}", _delete, "Delete a snapshot", answer=Snapshots),
    Control(
        "POST", "/reset", _reset, "Delete everything but the first key, including snapshots", answer=Time
    ),
)
