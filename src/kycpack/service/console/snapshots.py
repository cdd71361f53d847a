"""Snapshots: take, restore and delete them."""

from __future__ import annotations

from sqlalchemy import Connection

from kycpack.service import snapshots
from kycpack.service.console.board import Action, Board, BoardCell, BoardTable, Choice, Field
from kycpack.service.console.page import Done, Visited, moment
from kycpack.service.state import reading, writing

_PATH = "/console/snapshots"


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
            Action("Take a snapshot", _PATH, "Take", (Field("name", "Name", required=True),)),
            *(
                (
                    Action(
                        "Restore a snapshot",
                        f"{_PATH}/restore",
                        "Restore",
                        (names,),
                        "Everything done since then is lost.",
                        grave=True,
                    ),
                    Action("Delete a snapshot", f"{_PATH}/delete", "Delete", (names,), grave=True),
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
    return Done(_PATH, f"{taken['rows']} records were saved as {taken['name']}.")


def restore(visited: Visited) -> Done:
    """Restore a snapshot."""
    restored = snapshots.restore_snapshot(visited.service, visited.form.text("name"))
    return Done(_PATH, f"Everything was restored from {restored['name']}.")


@writing
def delete(visited: Visited, connection: Connection) -> Done:
    """Delete a snapshot."""
    snapshots.delete_snapshot(connection, visited.form.text("name"))
    return Done(_PATH, "The snapshot was deleted.")
