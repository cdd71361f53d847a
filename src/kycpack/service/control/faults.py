"""Fault rules for requests, and banks that are slow or down."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from kycpack.service.banks import list_conditions, set_condition
from kycpack.service.control.models import BankOutages, BankState, FaultRules
from kycpack.service.control.operation import Control, ControlCall
from kycpack.service.faults import FaultRule
from kycpack.service.problems import invalid_request
from kycpack.service.state import reading, writing

_LONGEST_BANK_ID = 1_000


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


@reading
def _list_banks(_call: ControlCall, connection: Connection) -> dict[str, Any]:
    return _outages(connection)


@writing
def set_bank(call: ControlCall, connection: Connection) -> dict[str, Any]:
    """Set the bank with the path's id to slow, down, or up again; return those that are slow or down."""
    wanted: BankState = call.body
    bank_id = call.path["bank_id"]
    if len(bank_id) > _LONGEST_BANK_ID or "\0" in bank_id:
        raise invalid_request("bank_id: unknown bank")
    set_condition(connection, bank_id, wanted.state, wanted.seconds)
    return _outages(connection)


CONTROLS = (
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
    Control("GET", "/banks", _list_banks, "List the banks that are slow or down", answer=BankOutages),
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
)
