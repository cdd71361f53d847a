"""The steps of the portal, as shown to the person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row

from kycpack.service.session_reading import (
    ADDRESS,
    BANK,
    CONSENT,
    DOCUMENT,
    IDENTITY,
    next_step,
    steps_done,
    steps_of,
)

REVIEW = "review"
DONE = "done"

_TITLES = {
    CONSENT: "Before you start",
    IDENTITY: "Your photo",
    DOCUMENT: "Identity document",
    ADDRESS: "Proof of address",
    BANK: "Your bank",
    REVIEW: "Check and send",
}


@dataclass(frozen=True, slots=True)
class Waypoint:
    """One step in the progress list.

    Attributes:
        name: Its name in addresses.
        title: Its name for people.
        state: `done`, `current` or `todo`.
    """

    name: str
    title: str
    state: str


def waypoints(row: Row[Any], current: str) -> list[Waypoint]:
    """Return the ordered steps of a session, with the current one marked."""
    done = steps_done(row)
    names = [*steps_of(row), REVIEW]
    return [Waypoint(name, _TITLES[name], _state(name, current, done)) for name in names]


def may_show(row: Row[Any], step: str) -> bool:
    """Return whether a step may be shown: it has been done, or all steps before it have."""
    return step in steps_done(row) or step == (next_step(row) or REVIEW)


def _state(name: str, current: str, done: dict[str, Any]) -> str:
    if name == current:
        return "current"
    return "done" if name in done else "todo"
