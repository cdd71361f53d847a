"""The rows of the workspace's tables: the records of the register, the values that rows may have, and reading and writing them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import Connection, Table, select

from kycpack.errors import InputError, WorkspaceError
from kycpack.storage.transactions import upsert
from kycpack.workspace.schema import meta

LEARNED_FROM = ("created", "webhook", "import", "control", "list")
_MAX_ID = 200
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CustomerRow:
    """A customer of the register."""

    customer_id: str
    org_id: str | None
    learned_from: str
    learned_at: str


@dataclass(frozen=True, slots=True)
class SessionRow:
    """An onboard session of the register; `ordered` is None if the order is not known."""

    session_id: str
    customer_id: str | None
    learned_from: str
    learned_at: str
    created_at: str | None
    ordered: Mapping[str, Any] | None
    status: str | None


@dataclass(frozen=True, slots=True)
class PaymentRow:
    """A payment of the register."""

    payment_id: str
    customer_id: str | None
    learned_from: str
    learned_at: str
    created_at: str | None


@dataclass(frozen=True, slots=True)
class IntentRow:
    """An intent to create something; `state` is open, learned, failed, unknown or resolved."""

    intent_id: str
    operation: str
    summary: Mapping[str, Any]
    state: str
    subject_id: str | None
    note: str
    made_at: str
    settled_at: str | None


def portions(values: Iterable[T], most: int = 500) -> Iterator[Sequence[T]]:
    """Yield many values in parts, since a query can have only so many."""
    rest = iter(values)
    while some := list(islice(rest, most)):
        yield some


def read_json(text: str, what: str) -> Any:
    """Return the content of a JSON column.

    Args:
        text: The stored text.
        what: The column, for the error.

    Raises:
        WorkspaceError: The text is not JSON.
    """
    try:
        return json.loads(text)
    except ValueError:
        raise WorkspaceError(
            f"the workspace is damaged: a value of `{what}` cannot be read; restore a backup"
        ) from None


def check_id(value: str) -> str:
    """Return an id, checked so that it can be part of a URL, a file name and a table; ids come from the service, not from people.

    Raises:
        InputError: The id is empty, too long, has spaces or control characters, or is a step in a path (`.` or `..`).
    """
    if not value or len(value) > _MAX_ID or not value.isprintable() or any(c.isspace() for c in value):
        raise InputError(f"an id has 1 to {_MAX_ID} printable characters and no spaces")
    if value in {".", ".."}:
        raise InputError(f"{value} is not an id: in a URL it would mean another address")
    return value


def check_choice(value: str, choices: Collection[str], place: str = "") -> str:
    """Return a value, checked to be one of a few.

    Args:
        value: The value.
        choices: Those that are allowed.
        place: Where it stands, for the error.

    Raises:
        InputError: It is another one.
    """
    if value not in choices:
        raise InputError(f"expected one of {', '.join(choices)}", place=place)
    return value


def put_row(connection: Connection, table: Table, row: Mapping[str, Any]) -> None:
    """Write a row; it replaces one with the same key."""
    keys = [column.name for column in table.primary_key]
    changes = {name: value for name, value in row.items() if name not in keys}
    made = upsert(connection, table).values(row)
    connection.execute(made.on_conflict_do_update(index_elements=keys, set_=changes))


def stored_secret(connection: Connection, name: str, fresh: str) -> str:
    """Return a secret of the workspace; a fresh one is stored if it has none of this name."""
    connection.execute(upsert(connection, meta).values(name=name, value=fresh).on_conflict_do_nothing())
    return str(connection.scalar(select(meta.c.value).where(meta.c.name == name)))
