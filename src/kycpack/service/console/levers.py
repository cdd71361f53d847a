"""The clock and the faults: what a tester moves."""

from __future__ import annotations

from kycpack.models.instants import format_instant, parse_instant
from kycpack.service.bodies import check
from kycpack.service.console.board import Action, Board, Cell, Choice, Field, Table
from kycpack.service.console.page import Done, Visited, moment
from kycpack.service.faults import FaultRule
from kycpack.service.problems import invalid_request
from kycpack.service.routes import OPERATIONS

_STEPS = (
    ("7200", "2 hours", "Download links expire."),
    ("86400", "1 day", "Everything is a day older."),
    ("604800", "7 days", "Open sessions expire."),
    ("7776000", "90 days", "Bank access expires."),
)
_KINDS = (
    Choice("status", "Answer with a status"),
    Choice("latency", "Answer late"),
    Choice("drop_before", "Cut the connection before anything is done"),
    Choice("drop_after", "Cut the connection after it was done"),
    Choice("half_body", "Send half of the answer"),
    Choice("wrong_json", "Send JSON that does not parse"),
)
_LONGEST_NUMBER = 9


def show_clock(visited: Visited) -> Board:
    """Show the clock and what moves it."""
    real = visited.service.clock.real_now()
    moved = visited.now - real
    days, rest = divmod(round(moved.total_seconds()), 86_400)
    steps = tuple(
        Action(
            f"Forward {words}",
            "/console/clock",
            f"Forward {words}",
            (Field("advance", kind="hidden", value=seconds),),
            note,
        )
        for seconds, words, note in _STEPS
    )
    at = Field("now", "Instant (UTC)", value=format_instant(visited.now)[:19] + "Z", required=True)
    return Board(
        title="Clock",
        section="Clock",
        lead="Everything happens by this clock: links, sessions, access, dates of answers. Signed requests must carry "
        "a date within 300 seconds of it.",
        facts=(
            ("The service's time", Cell(moment(format_instant(visited.now)))),
            ("This machine's time", Cell(moment(format_instant(real)))),
            ("Moved by", Cell(f"{days} days, {rest // 3600} h {rest % 3600 // 60} min")),
        ),
        actions=(
            *steps,
            Action("Set the clock", "/console/clock", "Set", (at,)),
            Action(
                "Back to real time",
                "/console/clock",
                "Reset",
                (Field("reset", kind="hidden", value="yes"),),
                "The clock shows this machine's time again.",
            ),
        ),
    )


def move_clock(visited: Visited) -> Done:
    """Move, set or reset the clock."""
    clock, form = visited.service.clock, visited.form
    if form.text("reset"):
        clock.reset()
    elif form.text("now"):
        clock.set(parse_instant(form.text("now")))
    else:
        clock.advance(_number(visited, "advance"))
    return Done("/console/clock", f"The clock now shows {moment(format_instant(clock.now()))}.")


def show_faults(visited: Visited) -> Board:
    """Show the rules in force, and a form for another."""
    rules = visited.service.faults.listed()
    routes = tuple(
        Choice(f"{operation.method} {operation.path}", f"{operation.method} {operation.path}")
        for operation in OPERATIONS
    )
    fields = (
        Field("route", "Operation", choices=routes),
        Field("kind", "What happens", choices=_KINDS),
        Field("times", "To how many requests", "number", "1"),
        Field("status", "Status, where it answers with one", "number", "503"),
        Field("seconds", "Seconds, where it answers late", "number", "1"),
    )
    return Board(
        title="Faults",
        section="Faults",
        lead="Rules that spoil the next requests of a route, to see how a client copes. They are lifted by a restart.",
        actions=(
            Action("Add a rule", "/console/faults", "Add", fields),
            Action("Lift all rules", "/console/faults/clear", "Lift all", grave=True),
        ),
        tables=(
            Table(
                "In force",
                ("Route", "What happens", "Requests left", "Status", "Seconds"),
                tuple(
                    (
                        Cell(str(rule["route"]), mono=True),
                        Cell(str(rule["kind"]), mono=True),
                        Cell(str(rule["times"]), number=True),
                        Cell(str(rule["status"]) if rule["kind"] == "status" else "", number=True),
                        Cell(str(rule["seconds"]) if rule["kind"] == "latency" else "", number=True),
                    )
                    for rule in rules
                ),
                "No rule is in force; every request is answered as it should be.",
            ),
        ),
    )


def add_fault(visited: Visited) -> Done:
    """Put a rule in force."""
    document = {
        "route": visited.form.text("route"),
        "kind": visited.form.text("kind"),
        **{name: _number(visited, name) for name in ("times", "status", "seconds")},
    }
    visited.service.faults.add(check(FaultRule, document))
    return Done("/console/faults", "The rule is in force.")


def clear_faults(visited: Visited) -> Done:
    """Lift all rules."""
    visited.service.faults.clear()
    return Done("/console/faults", "No rule is in force any more.")


def _number(visited: Visited, name: str) -> int:
    text = visited.form.text(name)
    if not text.lstrip("-").isdecimal() or len(text) > _LONGEST_NUMBER:
        raise invalid_request(f"{name}: not a whole number")
    return int(text)
