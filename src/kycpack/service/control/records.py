"""All data of the service: journal, scenarios, snapshots, scheduled work, and a reset."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection

from kycpack.models.instants import format_instant
from kycpack.service.control.models import (
    Requests,
    ScenarioAdded,
    Scheduled,
    Snapshot,
    SnapshotName,
    Snapshots,
    Time,
)
from kycpack.service.control.operation import Control, ControlCall
from kycpack.service.scenario import Scenario, apply_scenario
from kycpack.service.schedule import list_scheduled
from kycpack.service.snapshots import delete_snapshot, list_snapshots, restore_snapshot, take_snapshot
from kycpack.service.state import reading, reset, writing


def _requests(call: ControlCall) -> dict[str, Any]:
    return {"items": [asdict(entry) for entry in call.service.requests.entries()]}


@reading
def _scheduled(_call: ControlCall, connection: Connection) -> dict[str, Any]:
    return {"items": list_scheduled(connection)}


def _scenario(call: ControlCall) -> dict[str, Any]:
    return apply_scenario(call.service, call.body)


@reading
def _list_snapshots(_call: ControlCall, connection: Connection) -> dict[str, Any]:
    return {"items": list_snapshots(connection)}


def _take(call: ControlCall) -> dict[str, Any]:
    return take_snapshot(call.service, call.body.name)


def _restore(call: ControlCall) -> dict[str, Any]:
    return restore_snapshot(call.service, call.path["name"])


@writing
def _delete(call: ControlCall, connection: Connection) -> dict[str, Any]:
    delete_snapshot(connection, call.path["name"])
    return {"items": list_snapshots(connection)}


def _reset(call: ControlCall) -> dict[str, Any]:
    reset(call.service)
    return {"now": format_instant(call.service.clock.now())}


CONTROLS = (
    Control("GET", "/requests", _requests, "List the last requests, newest first", answer=Requests),
    Control(
        "GET",
        "/scheduled",
        _scheduled,
        "List scheduled work and its outcomes",
        answer=Scheduled,
    ),
    Control(
        "POST",
        "/scenario",
        _scenario,
        "Add a scenario",
        Scenario,
        answer=ScenarioAdded,
        about="Like a file for `kycpack serve --seed FILE`, in JSON. Either all of it is added, or nothing. The answer gives the ids by name.",
    ),
    Control("GET", "/snapshots", _list_snapshots, "List snapshots", answer=Snapshots),
    Control(
        "POST",
        "/snapshots",
        _take,
        "Take a snapshot",
        SnapshotName,
        answer=Snapshot,
        about="Records, keys, clocks, fault rules and banks; not the journal of requests.",
    ),
    Control("POST", "/snapshots/{name}/restore", _restore, "Restore a snapshot", answer=Snapshot),
    Control("DELETE", "/snapshots/{name}", _delete, "Delete a snapshot", answer=Snapshots),
    Control(
        "POST", "/reset", _reset, "Delete everything but the first key, including snapshots", answer=Time
    ),
)
