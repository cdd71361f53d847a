"""The onboard portal: welcome and consent, one page for each ordered step, review, and the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any

from sqlalchemy import Row

from kycpack.service.completion import finish_session
from kycpack.service.links import ONBOARD
from kycpack.service.pages.bank_choice import offered_banks
from kycpack.service.pages.capture import CAPTURES, Capture
from kycpack.service.pages.page import Page, PageCall, bank_page, organisation_of, require_room, session_of
from kycpack.service.pages.screen import Redirect, Screen, origin_of, with_ids
from kycpack.service.problems import conflict, not_found
from kycpack.service.sessions import (
    ADDRESS,
    BANK,
    CONSENT,
    DOCUMENT,
    IDENTITY,
    ais_options,
    is_over_for_person,
    link_has_ended,
    next_step,
    require_open,
    start_portal,
    steps_done,
    steps_of,
    subject_of,
    take_step,
    tenant_of,
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


_LINK = f"/{ONBOARD}/{{token}}"


def _for_session(
    page: Callable[[PageCall, Row[Any]], Screen | Redirect],
) -> Callable[[PageCall], Screen | Redirect]:
    """Give a page the session of its link; if the person has finished, the final page is shown instead."""

    @wraps(page)
    def handler(call: PageCall) -> Screen | Redirect:
        row = session_of(call)
        return _completion(call, row) if is_over_for_person(row, call.now) else page(call, row)

    return handler


@_for_session
def show_welcome(call: PageCall, row: Row[Any]) -> Screen | Redirect:
    """Show what to expect, or continue where the person stopped. Nothing is changed, because mail scanners open links too."""
    require_open(row, call.now)
    if CONSENT in steps_done(row) and call.query.isdisjoint({"again"}):
        return _onward(call, row)
    return _screen(call, row, "onboard/welcome.html", CONSENT)


@_for_session
def submit_consent(call: PageCall, row: Row[Any]) -> Screen | Redirect:
    """Start the session with the person's consent."""
    require_open(row, call.now)
    if not call.form.text("agree"):
        errors = {"agree": "Tick the box to continue, or close this page if you do not agree."}
        return _screen(call, row, "onboard/welcome.html", CONSENT, errors=errors)
    start_portal(call.connection, row.id, call.now)
    return _onward(call, take_step(call.connection, row.id, CONSENT, call.now))


@_for_session
def show_capture(call: PageCall, row: Row[Any]) -> Screen | Redirect:
    """Show a step for a photo, document or proof of address."""
    capture = _capture_of(call, row)
    entered = steps_done(row).get(capture.step, {})
    return _earlier_step(call, row, capture.step) or _capture_screen(call, row, capture, entered)


@_for_session
def submit_capture(call: PageCall, row: Row[Any]) -> Screen | Redirect:
    """Store the files and details of a step."""
    capture = _capture_of(call, row)
    if (earlier := _earlier_step(call, row, capture.step)) is not None:
        return earlier
    reading = capture.read(row, call.form, call.now.date())
    if reading.errors:
        return _capture_screen(call, row, capture, reading.entered, reading.errors)
    require_room(call.connection, row, len(reading.shots))
    for wanted, upload in reading.shots:
        wanted.store(call.connection, row, upload)
    return _onward(call, take_step(call.connection, row.id, capture.step, call.now, reading.entered))


@_for_session
def show_banks(call: PageCall, row: Row[Any]) -> Screen | Redirect:
    """Ask for the bank."""
    return _earlier_step(call, row, BANK) or _bank_screen(call, row)


@_for_session
def submit_bank(call: PageCall, row: Row[Any]) -> Screen | Redirect:
    """Go to the bank's own page."""
    return (
        _earlier_step(call, row, BANK)
        or bank_page(call, row, "session")
        or _bank_screen(call, row, {"bank": "Choose your bank."})
    )


@_for_session
def show_review(call: PageCall, row: Row[Any]) -> Screen | Redirect:
    """Show a summary before it is sent."""
    if (earlier := _earlier_step(call, row, REVIEW)) is not None:
        return earlier
    done = steps_done(row)
    entries = [
        (
            point,
            CAPTURES[point.name].summary(done[point.name]) if point.name in CAPTURES else _bank_summary(done),
        )
        for point in waypoints(row, REVIEW)
        if point.name in done and point.name != CONSENT
    ]
    return _screen(call, row, "onboard/review.html", REVIEW, entries=entries)


def submit_review(call: PageCall) -> Screen | Redirect:
    """Finish the session, in the same way as the control API."""
    row = session_of(call)
    if is_over_for_person(row, call.now):  # sent twice: only the first one counts
        return call.to(ONBOARD, call.path["token"], DONE)
    require_open(row, call.now)
    if next_step(row) is not None:
        return _onward(call, row)
    finish_session(call.connection, row.id, call.now, by_person=True)
    return call.to(ONBOARD, call.path["token"], DONE)


def show_done(call: PageCall) -> Screen | Redirect:
    """Send the person back to where they came from, or show the final page."""
    row = session_of(call)
    if not is_over_for_person(row, call.now):
        require_open(row, call.now)
        return _onward(call, row)
    if (
        row.return_url is not None
        and origin_of(row.return_url) is not None
        and not link_has_ended(row, call.now)
    ):
        return Redirect(with_ids(row.return_url, sessionId=row.id))
    return _completion(call, row)


def _capture_of(call: PageCall, row: Row[Any]) -> Capture:
    capture = CAPTURES.get(call.path["step"])
    if capture is None or capture.step not in steps_of(row):
        raise not_found("step")
    return capture


def _earlier_step(call: PageCall, row: Row[Any], step: str) -> Redirect | None:
    """Return the step that comes before this one, None if this one can be done."""
    require_open(row, call.now)
    if step != REVIEW and step not in steps_of(row):
        raise not_found("step")
    return None if may_show(row, step) else _onward(call, row)


def _onward(call: PageCall, row: Row[Any]) -> Redirect:
    step = next_step(row) or REVIEW
    token = call.path["token"]
    return call.to(ONBOARD, token) if step == CONSENT else call.to(ONBOARD, token, step)


def _capture_screen(
    call: PageCall,
    row: Row[Any],
    capture: Capture,
    entered: Mapping[str, Any],
    errors: Mapping[str, str] | None = None,
) -> Screen:
    values = capture.values(row, subject_of(call.connection, row))
    return _screen(call, row, capture.template, capture.step, errors=errors, entered=entered, **values)


def _bank_screen(call: PageCall, row: Row[Any], errors: Mapping[str, str] | None = None) -> Screen:
    tenant = tenant_of(call.connection, row.tenant_id)
    banks = offered_banks(call.connection, tenant, row.customer_id)
    return _screen(
        call,
        row,
        "onboard/bank.html",
        BANK,
        errors=errors,
        banks=banks,
        ais=ais_options(row),
        declined="declined" in call.query,
    )


def _bank_summary(done: Mapping[str, Any]) -> str:
    bank = done[BANK]
    count = len(bank.get("accounts", ()))
    return f"{bank.get('bankName', 'Your bank')}, {count} account{'' if count == 1 else 's'} shared"


def _completion(call: PageCall, row: Row[Any]) -> Screen:
    if link_has_ended(row, call.now):
        raise conflict("session_expired", "The link has expired")
    back = with_ids(row.return_url, sessionId=row.id) if row.return_url else None
    organisation = organisation_of(call.connection, row.tenant_id)
    return Screen("onboard/done.html", {"organisation": organisation, "back": back})


def _screen(
    call: PageCall,
    row: Row[Any],
    template: str,
    step: str,
    *,
    errors: Mapping[str, str] | None = None,
    **values: Any,
) -> Screen:
    frame = {
        "organisation": organisation_of(call.connection, row.tenant_id),
        "home": f"{call.prefix}/{ONBOARD}/{call.path['token']}",
        "waypoints": waypoints(row, step),
        "first_name": row.first_name or "",
        "expires_at": row.expires_at,
        "errors": errors or {},
    }
    leads_to = (row.return_url,) if row.return_url else ()
    return Screen(template, {**frame, **values}, status=400 if errors else 200, leads_to=leads_to)


PAGES = (
    Page(_LINK, show_welcome, submit_consent),
    Page(f"{_LINK}/{BANK}", show_banks, submit_bank),
    Page(f"{_LINK}/{REVIEW}", show_review, submit_review),
    Page(f"{_LINK}/{DONE}", show_done),
    Page(f"{_LINK}/{{step}}", show_capture, submit_capture),
)
"""The portal's pages."""
