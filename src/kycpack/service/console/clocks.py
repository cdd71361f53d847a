"""The clock of the service, the clocks of single organisations, and scheduled work."""

from __future__ import annotations

from sqlalchemy import Connection

from kycpack.models.instants import format_instant
from kycpack.service.bodies import check
from kycpack.service.console.board import Action, Board, BoardCell, BoardTable, Choice, Field, Tone
from kycpack.service.console.page import Done, Visited, moment, organisations, whole_number
from kycpack.service.control import organisations as control
from kycpack.service.control.models import ClockSetting
from kycpack.service.control.operation import ControlCall
from kycpack.service.schedule import list_scheduled
from kycpack.service.state import reading

_STEPS = (
    ("7200", "2 hours", "Download links expire."),
    ("86400", "1 day", "Everything is one day older."),
    ("604800", "7 days", "Open sessions expire."),
    ("7776000", "90 days", "Bank access expires."),
)
_PATH = "/console/clock"


@reading
def show_clock(visited: Visited, connection: Connection) -> Board:
    """Show the clocks, forms to move them, and scheduled work."""
    clock = visited.service.clock
    real = clock.real_now()
    names, later = organisations(connection), list_scheduled(connection)
    days, rest = divmod(round((visited.now - real).total_seconds()), 86_400)
    steps = tuple(
        Action(
            f"Forward {words}",
            _PATH,
            f"Forward {words}",
            (Field("advance", kind="hidden", value=seconds),),
            note,
        )
        for seconds, words, note in _STEPS
    )
    at = Field("now", "Instant (UTC)", value=format_instant(visited.now)[:19] + "Z", required=True)
    choices = tuple(Choice(tenant_id, name) for tenant_id, name in names.items())
    own = (
        Action(
            "One organisation's clock",
            _PATH,
            "Set",
            (Field("tenant", "Organisation", choices=choices), at),
            "It no longer follows the service's clock. Requests with its keys must be signed with this time.",
        ),
        Action(
            "Follow the service's clock",
            _PATH,
            "Follow",
            (Field("follow", "Organisation", choices=choices),),
            "The organisation will no longer have a clock of its own.",
        ),
    )
    return Board(
        title="Clock",
        section="Clock",
        lead="This clock applies to everything: links, sessions, bank access, dates of answers. Signed requests must have "
        "a date within 300 seconds of it.",
        facts=(
            ("The service's time", BoardCell(moment(format_instant(visited.now)))),
            ("This machine's time", BoardCell(moment(format_instant(real)))),
            ("Moved by", BoardCell(f"{days} days, {rest // 3600} h {rest % 3600 // 60} min")),
        ),
        actions=(
            *steps,
            Action("Set the clock", _PATH, "Set", (at,)),
            Action(
                "Back to real time",
                _PATH,
                "Reset",
                (Field("reset", kind="hidden", value="yes"),),
                "All clocks return to this machine's time.",
            ),
            *own,
        ),
        tables=(
            BoardTable(
                "Organisations with a clock of their own",
                ("Organisation", "Time"),
                tuple(
                    (BoardCell(names.get(one, one)), BoardCell(moment(format_instant(clock.now(one)))))
                    for one in clock.own()
                ),
                "All organisations follow the service's clock.",
            ),
            BoardTable(
                "Scheduled",
                ("Number", "What", "For", "Due", "State", "Why it failed"),
                tuple(
                    (
                        BoardCell(str(item["number"]), number=True),
                        BoardCell("End of a review" if item["kind"] == "session" else "Transactions"),
                        _subject(item["kind"], item["subject_id"]),
                        BoardCell(moment(item["due"] or "") or "when somebody completes it"),
                        BoardCell(item["state"], tone=_TONES[item["state"]]),
                        BoardCell(item["reason"] or ""),
                    )
                    for item in later
                ),
                "Nothing is scheduled.",
            ),
        ),
    )


def move_clock(visited: Visited) -> Done:
    """Move, set or reset a clock."""
    service, form = visited.service, visited.form
    tenant_id = form.text("tenant") or form.text("follow")
    path = {"id": tenant_id}
    if form.text("reset"):
        service.clock.reset()
        service.scheduler.run_due()
        shown = format_instant(service.clock.now())
    elif form.text("follow"):
        shown = control.follow(ControlCall(service, path))["now"]
    else:
        moved = (
            {"now": form.text("now")}
            if form.text("now")
            else {"advance_seconds": whole_number(visited, "advance")}
        )
        call = ControlCall(service, path, check(ClockSetting, moved))
        shown = (control.set_own if tenant_id else control.set_clock)(call)["now"]
    whose = "The organisation's clock" if tenant_id else "The clock"
    return Done(_PATH, f"{whose} now shows {moment(shown)}.")


_TONES: dict[str, Tone] = {"waiting": "watch", "done": "good", "failed": "alarm"}


def _subject(kind: str, subject_id: str) -> BoardCell:
    page = "sessions" if kind == "session" else "customers"
    return BoardCell(subject_id[:8], href=f"/console/{page}/{subject_id}", mono=True)
