"""What a tester sets: the clocks, faults of requests, banks that are slow or down, and snapshots; with the scheduled work."""

from __future__ import annotations

from decimal import Decimal

from sqlalchemy import Connection, select

from kycpack.models.instants import format_instant
from kycpack.service import snapshots
from kycpack.service.banks import all_banks, list_conditions
from kycpack.service.bodies import check
from kycpack.service.console.board import Action, Board, BoardCell, BoardTable, Choice, Field, Tone
from kycpack.service.console.page import Done, Visited, moment, organisations, whole_number
from kycpack.service.control import records as control
from kycpack.service.control.models import BankState, ClockSetting, ControlCall
from kycpack.service.control.organisations import follow, set_clock, set_own
from kycpack.service.faults import FaultRule
from kycpack.service.problems import invalid_request
from kycpack.service.routes import OPERATIONS
from kycpack.service.schedule import list_scheduled
from kycpack.service.schema import bank_accounts
from kycpack.service.state import reading, writing

_STEPS = (
    ("7200", "2 hours", "Download links expire."),
    ("86400", "1 day", "Everything is one day older."),
    ("604800", "7 days", "Open sessions expire."),
    ("7776000", "90 days", "Bank access expires."),
)
_CLOCK = "/console/clock"


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
            _CLOCK,
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
            _CLOCK,
            "Set",
            (Field("tenant", "Organisation", choices=choices), at),
            "It no longer follows the service's clock. Requests with its keys must be signed with this time.",
        ),
        Action(
            "Follow the service's clock",
            _CLOCK,
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
            Action("Set the clock", _CLOCK, "Set", (at,)),
            Action(
                "Back to real time",
                _CLOCK,
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
        shown = follow(ControlCall(service, path))["now"]
    else:
        moved = (
            {"now": form.text("now")}
            if form.text("now")
            else {"advance_seconds": whole_number(visited, "advance")}
        )
        call = ControlCall(service, path, check(ClockSetting, moved))
        shown = (set_own if tenant_id else set_clock)(call)["now"]
    whose = "The organisation's clock" if tenant_id else "The clock"
    return Done(_CLOCK, f"{whose} now shows {moment(shown)}.")


_TONES: dict[str, Tone] = {"waiting": "watch", "done": "good", "failed": "alarm"}


def _subject(kind: str, subject_id: str) -> BoardCell:
    page = "sessions" if kind == "session" else "customers"
    return BoardCell(subject_id[:8], href=f"/console/{page}/{subject_id}", mono=True)


_KINDS = (
    Choice("status", "Answer with a status"),
    Choice("latency", "Answer late"),
    Choice("drop_before", "Drop the connection before the request is carried out"),
    Choice("drop_after", "Drop the connection after the request is carried out"),
    Choice("half_body", "Send half of the answer"),
    Choice("wrong_json", "Send JSON that does not parse"),
)
_STATES = (Choice("down", "Down"), Choice("slow", "Slow"), Choice("up", "Up again"))
_PATH = "/console/faults"


@reading
def show_faults(visited: Visited, connection: Connection) -> Board:
    """Show the rules in force and the banks that are slow or down, and forms for more."""
    rules = visited.service.faults.listed()
    names = organisations(connection)
    linked = connection.execute(
        select(bank_accounts.c.bank_id, bank_accounts.c.bank_name).distinct().limit(200)
    ).all()
    conditions = list_conditions(connection)
    banks = {**{row.bank_id: row.bank_name for row in linked}, **{bank.id: bank.name for bank in all_banks()}}
    routes = tuple(
        Choice(f"{operation.method} {operation.path}", f"{operation.method} {operation.path}")
        for operation in OPERATIONS
    )
    fields = (
        Field("route", "Operation", choices=(Choice("* *", "Every operation"), *routes)),
        Field("kind", "What happens", choices=_KINDS),
        Field(
            "tenant_id",
            "Whose requests",
            choices=(Choice("", "All organisations"), *(Choice(one, name) for one, name in names.items())),
        ),
        Field("times", "Number of requests", "number", "1"),
        Field("percent", "Percentage of requests", "number", "100"),
        Field("status", "Status, for an answer with a status", "number", "503"),
        Field("seconds", "Seconds, for a late answer", "number", "1"),
        Field("header", "Only with this header, as in User-Agent: test*"),
    )
    return Board(
        title="Faults",
        section="Faults",
        lead="Rules that make the next requests of a route fail, and banks that are slow or down, to see how a client copes. "
        "A restart removes the rules; banks keep their state.",
        actions=(
            Action("Add a rule", _PATH, "Add", fields),
            Action("Remove all rules", f"{_PATH}/clear", "Remove all", grave=True),
            Action(
                "A bank",
                "/console/banks",
                "Set",
                (
                    Field(
                        "bank",
                        "Bank",
                        choices=tuple(
                            Choice(one, name) for one, name in sorted(banks.items(), key=lambda pair: pair[1])
                        ),
                    ),
                    Field("state", "State", choices=_STATES),
                    Field("seconds", "Seconds, if it is slow", "number", "5"),
                ),
                "Its pages, balances and transactions answer late or with 503. Payment attempts at a bank that is down fail.",
            ),
        ),
        tables=(
            BoardTable(
                "Rules in force",
                (
                    "Route",
                    "What happens",
                    "Whose requests",
                    "Only with",
                    "Share",
                    "Requests left",
                    "Status",
                    "Seconds",
                ),
                tuple(
                    (
                        BoardCell(str(rule["route"]), mono=True),
                        BoardCell(str(rule["kind"]), mono=True),
                        BoardCell(names.get(rule.get("tenant_id", ""), "all")),
                        BoardCell(
                            ", ".join(f"{name}: {value}" for name, value in rule["headers"].items()),
                            mono=True,
                        ),
                        BoardCell(f"{Decimal(rule['probability']) * 100:.0f}%", number=True),
                        BoardCell(str(rule["times"]), number=True),
                        BoardCell(str(rule["status"]) if rule["kind"] == "status" else "", number=True),
                        BoardCell(str(rule["seconds"]) if rule["kind"] == "latency" else "", number=True),
                    )
                    for rule in rules
                ),
                "No rule is in force; all requests are answered normally.",
            ),
            BoardTable(
                "Banks",
                ("Bank", "State", "Seconds"),
                tuple(
                    (
                        BoardCell(banks.get(bank_id, bank_id)),
                        BoardCell(condition.state, tone="alarm" if condition.state == "down" else "watch"),
                        BoardCell(str(condition.seconds) if condition.state == "slow" else "", number=True),
                    )
                    for bank_id, condition in conditions.items()
                ),
                "All banks are up.",
            ),
        ),
    )


def add_fault(visited: Visited) -> Done:
    """Add a rule."""
    form = visited.form
    document = {
        "route": form.text("route"),
        "kind": form.text("kind"),
        "probability": Decimal(whole_number(visited, "percent")) / 100,
        "headers": _headers(form.text("header")),
        **{name: whole_number(visited, name) for name in ("times", "status", "seconds")},
        **({"tenant_id": form.text("tenant_id")} if form.text("tenant_id") else {}),
    }
    visited.service.faults.add(check(FaultRule, document))
    return Done(_PATH, "The rule is in force.")


def clear_faults(visited: Visited) -> Done:
    """Remove all rules."""
    visited.service.faults.clear()
    return Done(_PATH, "All rules were removed.")


def set_bank(visited: Visited) -> Done:
    """Set a bank to slow, down, or up again."""
    form = visited.form
    wanted = check(BankState, {"state": form.text("state"), "seconds": whole_number(visited, "seconds")})
    if not form.text("bank"):
        raise invalid_request("bank: is required")
    control.set_bank(ControlCall(visited.service, {"bank_id": form.text("bank")}, wanted))
    return Done(_PATH, f"The bank is {wanted.state}.")


def _headers(text: str) -> dict[str, str]:
    if not text.strip():
        return {}
    name, colon, value = text.partition(":")
    if not colon:
        raise invalid_request("header: expected a name and a value, as in User-Agent: test*")
    return {name.strip(): value.strip()}


_SNAPSHOTS = "/console/snapshots"


@reading
def show_snapshots(_visited: Visited, connection: Connection) -> Board:
    """Show the snapshots, and forms to take and restore one."""
    held = snapshots.list_snapshots(connection)
    names = Field("name", "Snapshot", choices=tuple(Choice(one["name"], one["name"]) for one in held))
    return Board(
        title="Snapshots",
        section="Snapshots",
        lead="All data of the service, stored under a name: records, keys, clocks, fault rules and banks.",
        actions=(
            Action("Take a snapshot", _SNAPSHOTS, "Take", (Field("name", "Name", required=True),)),
            *(
                (
                    Action(
                        "Restore a snapshot",
                        f"{_SNAPSHOTS}/restore",
                        "Restore",
                        (names,),
                        "Everything done since then is lost.",
                        grave=True,
                    ),
                    Action("Delete a snapshot", f"{_SNAPSHOTS}/delete", "Delete", (names,), grave=True),
                )
                if held
                else ()
            ),
        ),
        tables=(
            BoardTable(
                "Snapshots",
                ("Name", "Taken", "Records"),
                tuple(
                    (
                        BoardCell(one["name"], mono=True),
                        BoardCell(moment(one["created"])),
                        BoardCell(str(one["rows"]), number=True),
                    )
                    for one in held
                ),
                "No snapshots yet.",
            ),
        ),
    )


def take(visited: Visited) -> Done:
    """Take a snapshot."""
    taken = snapshots.take_snapshot(visited.service, visited.form.text("name"))
    return Done(_SNAPSHOTS, f"{taken['rows']} records were saved as {taken['name']}.")


def restore(visited: Visited) -> Done:
    """Restore a snapshot."""
    restored = snapshots.restore_snapshot(visited.service, visited.form.text("name"))
    return Done(_SNAPSHOTS, f"Everything was restored from {restored['name']}.")


@writing
def delete(visited: Visited, connection: Connection) -> Done:
    """Delete a snapshot."""
    snapshots.delete_snapshot(connection, visited.form.text("name"))
    return Done(_SNAPSHOTS, "The snapshot was deleted.")
