"""Turns arguments into calls, and a page of a list into the call for the next page."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from enum import Enum
from typing import Any, TypeVar
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from kycpack.api.answers import Answer
from kycpack.api.operations import (
    OPERATIONS,
    Operation,
)
from kycpack.api.protocol import Call, Sealed
from kycpack.errors import InputError
from kycpack.models.json import dump_json
from kycpack.models.onboarding import IdentityOptions, SessionCreate
from kycpack.models.paging import PageEnd, read_page_end
from kycpack.models.payments import AttemptCreate, PaymentCreate
from kycpack.models.record import Request

T = TypeVar("T")
Q = TypeVar("Q", bound=Request)


class Unset(Enum):
    """The value that means that an argument was not given."""

    UNSET = "unset"

    def __repr__(self) -> str:
        return "UNSET"


UNSET = Unset.UNSET
"""Not given. None has another meaning: in an update it clears a member."""


def given(**members: Any) -> dict[str, Any]:
    """Return the members that are not None."""
    return {name: value for name, value in members.items() if value is not None}


def make_call(
    operation: Operation[T],
    ids: Mapping[str, str] | None = None,
    query: Mapping[str, object] | None = None,
    body: Mapping[str, Any] | None = None,
) -> Call[T]:
    """Return a call.

    Args:
        operation: The operation.
        ids: Ids of the path.
        query: Arguments of the query; None is left out.
        body: Members of the body, under their Python names or their names on the wire.

    Raises:
        InputError: An id is empty or malformed, or a member does not fit. `place` names it; its value is not quoted.
    """
    path = operation.fill_path(ids or {})
    raw_query = operation.fill_query(query or {})
    if operation.request is None:
        sent = Sealed(dump_json(body)) if body is not None else Sealed()
        return Call(operation, path, raw_query, body=sent, ids=dict(ids or {}))
    request = read_request(operation.request, body or {})
    key = (request.idempotency_key or "") if isinstance(request, AttemptCreate) else ""
    return Call(
        operation,
        path,
        raw_query,
        body=Sealed(dump_json(request.wire())),
        ids={**(ids or {}), **({"idempotency_key": key} if key else {})},
        about=_about(request),
        key=key,
    )


def call_by_name(name: str, arguments: Mapping[str, Any], body: Mapping[str, Any] | None) -> Call[Any]:
    """Return a call of an operation by its name.

    Args:
        name: Name of the operation, as in `customers.get`.
        arguments: Ids of the path and arguments of the query, together.
        body: Members of the body.

    Raises:
        InputError: The operation does not exist, or an argument is unknown, missing or does not fit.
    """
    operation = OPERATIONS.get(name)
    if operation is None:
        raise InputError("no such operation", place=name)
    query = {key: value for key, value in arguments.items() if key in operation.query}
    ids = {key: value for key, value in arguments.items() if key not in operation.query}
    wanted = {part.strip("{}") for part in operation.path.split("/") if part.startswith("{")}
    for odd in sorted(wanted ^ set(ids)):
        raise InputError("missing argument" if odd in wanted else "unknown argument", place=f"{name} {odd}")
    return make_call(operation, ids, query, body)


def read_request(model: type[Q], members: Mapping[str, Any]) -> Q:
    """Return a request model with the given members.

    Raises:
        InputError: A member does not fit. It is raised anew, so that the traceback does not lead to the values.
    """
    try:
        return model.read(dict(members))
    except InputError as error:
        problem = _anew(error)
    raise problem


def described(
    describe: Callable[..., Call[T]], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Call[T] | Exception:
    """Return the call that a description makes from its arguments, or the error if it cannot.

    It does not raise: a traceback would show local variables, including a card number.
    """
    try:
        return describe(*args, **kwargs)
    except InputError as error:
        return _anew(error)
    except Exception as error:  # noqa: BLE001 - given to the caller, who raises it
        error.__cause__ = error.__context__ = None
        return error.with_traceback(None)


def or_raise(call: Call[T] | Exception) -> Call[T]:
    """Return a call, or raise the error that there is instead of it."""
    if isinstance(call, Exception):
        raise call
    return call


def _anew(error: InputError) -> InputError:
    again = InputError(str(error))
    again.place = error.place
    return again


def ordered_checks(request: SessionCreate) -> dict[str, Any]:
    """Return what a session orders, with the interface's defaults, as stored in a register."""
    options = request.options
    identity = (options and options.identity) or IdentityOptions()
    ais = options.ais if options else None
    return {
        "identity": identity.model_dump(by_alias=True),
        "ais": ais.model_dump(by_alias=True) if ais else None,
    }


def _about(request: Request) -> dict[str, Any]:
    if isinstance(request, SessionCreate):
        about = {"customerId": request.customer_id, "orgId": request.org_id}
        return {**about, "ordered": ordered_checks(request)}
    if isinstance(request, PaymentCreate):
        return {"customerId": request.customer_id, "reference": request.reference}
    org_id = getattr(request, "org_id", None)
    return {"orgId": org_id} if org_id is not None else {}


MAX_PAGES = 10_000
_LONGEST_CURSOR = 4096


def next_query(call: Call[T], end: PageEnd, asked: Collection[str]) -> tuple[str, str]:
    """Return the query for the next page, or why there is none.

    Args:
        call: The call for this page.
        end: What the page says about further pages.
        asked: The queries of the pages so far.

    Returns:
        The raw query, and the reason why it cannot be requested; both are empty if this page is the last.
    """
    if not end.names:
        return "", ""
    query, why_not = _query(call, end)
    if not why_not and (query == call.query or query in asked):
        why_not = "the cursor repeats"
    if not why_not and len(asked) + 1 >= MAX_PAGES:
        why_not = f"more than {MAX_PAGES} pages"
    return query, why_not


def next_call(answer: Answer[T], call: Call[T], asked: list[str]) -> Call[T] | None:
    """Return the call for the next page, None after the last.

    Args:
        answer: The page as received.
        call: The call for this page.
        asked: The queries of the pages so far; this page's query is added.

    Raises:
        ContractError: There are more pages, but it is not clear how to request them.
    """
    query, why_not = next_query(call, read_page_end(answer.json()), asked)
    asked.append(call.query)
    if why_not:
        raise answer.contract_error(
            f"there are more pages, but {why_not}", expected="a cursor for the next page"
        )
    return replace(call, query=query) if query else None


def _query(call: Call[T], end: PageEnd) -> tuple[str, str]:
    said = " and ".join(end.names)
    if end.cursor is not None:
        if len(end.cursor) <= _LONGEST_CURSOR and end.cursor.isprintable():
            kept = [pair for pair in parse_qsl(call.query, keep_blank_values=True) if pair[0] != "cursor"]
            return urlencode([*kept, ("cursor", end.cursor)], quote_via=quote), ""
        return "", f"{said} cannot be sent"
    if end.link is None:
        return "", f"the answer has {said}, and it is not clear how to request more"
    try:
        path, pairs = urlsplit(end.link).path, parse_qsl(urlsplit(end.link).query, keep_blank_values=True)
    except ValueError:
        return "", f"{said} cannot be read"
    if not pairs or (path and not path.endswith(call.path)):
        return "", f"{said} leads elsewhere"
    return urlencode(pairs, quote_via=quote), ""
