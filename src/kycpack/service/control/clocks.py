"""The clock of the service, and the clocks of single organisations."""

from __future__ import annotations

from typing import Any

from kycpack.models.instants import format_instant, parse_instant
from kycpack.service.control.answers import Clocks, TenantTime
from kycpack.service.control.bodies import ClockSetting
from kycpack.service.control.operation import Control, ControlCall
from kycpack.service.rows import find_by_id
from kycpack.service.schema import tenants


def _read(call: ControlCall) -> dict[str, Any]:
    clock = call.service.clock
    return {
        "now": format_instant(clock.now()),
        "tenants": {tenant_id: format_instant(clock.now(tenant_id)) for tenant_id in clock.own()},
    }


def _set(call: ControlCall) -> dict[str, Any]:
    _move(call, None)
    return _read(call)


def _read_own(call: ControlCall) -> dict[str, Any]:
    clock, tenant_id = call.service.clock, _tenant(call)
    return {"now": format_instant(clock.now(tenant_id)), "own": tenant_id in clock.own()}


def _set_own(call: ControlCall) -> dict[str, Any]:
    _move(call, _tenant(call))
    return _read_own(call)


def _follow(call: ControlCall) -> dict[str, Any]:
    call.service.clock.follow(_tenant(call))
    call.service.scheduler.run_due()
    return _read_own(call)


def _move(call: ControlCall, tenant_id: str | None) -> None:
    setting: ClockSetting = call.body
    if setting.now is not None:
        call.service.clock.set(parse_instant(setting.now), tenant_id)
    else:
        call.service.clock.advance(float(setting.advance_seconds or 0), tenant_id)
    call.service.scheduler.run_due()


def _tenant(call: ControlCall) -> str:
    with call.service.database.read() as connection:
        return str(find_by_id(connection, tenants, call.path("id"), "organisation").id)


CONTROLS = (
    Control("GET", "/clock", _read, "Read the clocks", answer=Clocks),
    Control(
        "POST",
        "/clock",
        _set,
        "Move or set the service's clock",
        ClockSetting,
        answer=Clocks,
        about="Work that becomes due is carried out before the answer. Organisations with a clock of their own are not affected.",
    ),
    Control("GET", "/tenants/{id}/clock", _read_own, "Read an organisation's clock", answer=TenantTime),
    Control(
        "POST",
        "/tenants/{id}/clock",
        _set_own,
        "Give an organisation a clock of its own, and move or set it",
        ClockSetting,
        answer=TenantTime,
        about="Requests signed with its keys must have a date within 300 seconds of it.",
    ),
    Control(
        "DELETE",
        "/tenants/{id}/clock",
        _follow,
        "Make an organisation follow the service's clock again",
        answer=TenantTime,
    ),
)
