"""What is requested for a customer, and which requests follow from each answer. Pure: no clock, no network."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from http import HTTPStatus
from pathlib import Path
from typing import Any, Self, TypedDict, TypeGuard

from kycpack.api import operations as op
from kycpack.api.answers import list_items
from kycpack.api.calls import make_call, next_query
from kycpack.api.protocol import Call
from kycpack.api.unchanged import (
    STATEMENT,
    are_none_linked,
    had_no_statement,
    is_as_listed,
    is_session_as_before,
)
from kycpack.errors import ConfigurationError, InputError
from kycpack.evidence import NO_PAYMENT, NO_STATEMENT, SESSION_STATE, Entry, Evidence
from kycpack.models.enums import JOINED_CODES, OPEN_SESSIONS, SessionState
from kycpack.models.paging import read_page_end

MAX_ID = 256
_NOT_COMPLETE = OPEN_SESSIONS | {SessionState.EXPIRED.value}
REGISTER = "register.known"
REGISTER_PARTS = {
    "register.risk_profile": "riskProfile",
    "register.shared_documents": "sharedDocuments",
    "register.same_person": "samePerson",
}
"""Optional parts of the register: the operation of the entry, and the member of `Register.known` that is its body."""
OWN_SHAPE = "service-v1"
"""Name of the adapter for the interface's own formats."""


Window = tuple[date | None, date | None]


class Wanted(TypedDict, total=False):
    """The keywords of `collect`: the fields of a `CollectJob` without the customer."""

    sessions: Sequence[str]
    payments: Sequence[str]
    known: Mapping[str, Any] | None
    window: Window | None
    media: bool
    previous: Evidence | None
    max_age: timedelta | None
    reuse_for: timedelta | None
    listed: bytes
    bank_adapter: str
    folder: Path | str | None
    without_record: bool


@dataclass(frozen=True, slots=True)
class CollectJob:
    """What to collect for one customer.

    Attributes:
        customer_id: Customer id.
        sessions: Ids of onboard sessions; the interface cannot list them.
        payments: Ids of payments; the interface cannot list them.
        known: Data from the register, as `Register.known` returns it; its sessions and payments are requested too.
        window: First and last booking date of bank transactions; None for all history.
        media: Whether the media of sessions are fetched.
        previous: Earlier evidence of this customer; answers in it that are recent enough are not fetched again. They keep
            the time of their request, and their note says that they are from earlier evidence.
        max_age: How old an answer may be to be reused. Media do not change and are always reused, and so is the list of
            media of a complete session that has not been updated since.
        reuse_for: How old an answer may be to be reused because the service has just shown that its subject did not change:
            the customer's record, and a statement that was not there. None for no limit. Media have none.
        listed: Digest of the customer's record as the service's list of customers shows it now; see `record_digest`. Empty if
            there is no list. If it is the record of `previous`, the record is not fetched again.
        bank_adapter: Format of the pages of bank transactions, one of `kycpack.frames.adapters.ADAPTERS`; it is stored in the
            entries of the pages, and frames are read with it.
        folder: Folder to write the evidence to as it comes; then only the answers in progress are in memory. An
            interrupted collection continues there: the record, results, sessions, accounts and what was refused are
            requested again, the rest is kept. None to keep everything in memory.
        without_record: Whether to return evidence if the service does not know the customer (404) or refuses the key
            (401). The evidence then contains the refused requests; otherwise these are an error.
    """

    customer_id: str
    sessions: Sequence[str] = ()
    payments: Sequence[str] = ()
    known: Mapping[str, Any] | None = field(default=None, repr=False)
    window: Window | None = None
    media: bool = True
    previous: Evidence | None = None
    max_age: timedelta | None = None
    reuse_for: timedelta | None = None
    listed: bytes = field(default=b"", repr=False)
    bank_adapter: str = OWN_SHAPE
    folder: Path | str | None = None
    without_record: bool = False

    def checked(self) -> Self:
        """Return the job itself if it is valid.

        Raises:
            InputError: An id is not text, a list of ids is given as one id, or `previous` is another customer's.
            ConfigurationError: The adapter does not exist.
        """
        given: object = self.customer_id
        if not isinstance(given, str):
            raise InputError(f"expected an id as text, not {type(given).__name__}", place="customer_id")
        for name in ("sessions", "payments"):
            if isinstance(getattr(self, name), str):
                raise InputError("expected a list of ids, not a single id", place=name)
        if self.previous is not None and self.previous.customer_id != self.customer_id:
            raise InputError("the earlier evidence is of another customer", place="previous")
        known_adapter(self.bank_adapter)
        return self

    def session_ids(self) -> tuple[str, ...]:
        """Return the given sessions and those in the register, each once."""
        return _once(self.sessions, _known_ids(self.known, "sessions", "sessionId"))

    def payment_ids(self) -> tuple[str, ...]:
        """Return the given payments and those in the register, each once."""
        return _once(self.payments, _known_ids(self.known, "payments", "paymentId"))


@dataclass(frozen=True, slots=True)
class Ask:
    """One request to make, or to skip deliberately.

    Attributes:
        operation: The operation's name, as in the evidence.
        subject: The ids that it is about.
        call: The call to send; None if it is skipped.
        note: What a reader should know; if nothing is sent, the reason.
        page: Number of the page, for paged lists.
        queries: The queries of the earlier pages, for paged lists.
        adapter: Format of the answer.
        unchanged: Whether an earlier answer is still valid because its subject has not changed.
        waits: Whether it is decided only when the list of bank accounts is answered; see `after_accounts`.
    """

    operation: str
    subject: Mapping[str, str]
    call: Call[Any] | None = None
    note: str = ""
    page: int = 1
    queries: tuple[str, ...] = ()
    adapter: str = OWN_SHAPE
    unchanged: bool = False
    waits: bool = False


def known_adapter(name: str) -> str:
    """Return the name of an adapter for pages of bank transactions.

    Raises:
        ConfigurationError: There is no adapter with this name.
    """
    if name != OWN_SHAPE:
        from kycpack.frames.adapters import ADAPTERS  # noqa: PLC0415 - few need it, and pandas is slow to import

        if name not in ADAPTERS:
            known = ", ".join(sorted(ADAPTERS))
            raise ConfigurationError(f"bank_adapter: no adapter {name!r} for pages; the adapters are {known}")
    return name


def first_asks(job: CollectJob) -> tuple[Ask, ...]:
    """Return the first requests, in the order of the evidence."""
    customer = {"customer_id": job.customer_id}
    asks = [
        Ask(
            op.GET_CUSTOMER.name,
            customer,
            make_call(op.GET_CUSTOMER, customer),
            waits=is_as_listed(_remembered(job), job.listed),
        )
    ]
    asks.append(Ask(REGISTER, customer, note="" if job.known is not None else "no register was given"))
    asks.extend(
        Ask(name, customer) for name, part in REGISTER_PARTS.items() if job.known and part in job.known
    )
    asks.extend(_each(op.GET_SESSION, "session", job.session_ids(), customer))
    asks.append(Ask(op.LIST_ACCOUNTS.name, customer, make_call(op.LIST_ACCOUNTS, customer)))
    for ask in _each(op.GET_PAYMENT, "payment", job.payment_ids(), customer):
        asks += [ask, _statement(job, ask.subject)] if ask.call else [ask]
    return (*asks, _statement(job, customer))


def after_accounts(job: CollectJob, ask: Ask, answered: Entry, document: Any) -> Ask:
    """Return a request that waited, now that the list of bank accounts is answered.

    The record is not fetched again if the service's list shows the same one. The service must have answered for this customer
    in this collection, so that an unreachable service, a refused key or a customer who was deleted since the list was read
    still counts as the customer's failure. A statement that was not there (404) is not there now if no bank account is linked,
    as before: without bank data there is no statement.

    Args:
        job: The job.
        ask: The request that waited.
        answered: The entry of the list of bank accounts.
        document: Its parsed answer; None if there is none.
    """
    if ask.operation == op.GET_CUSTOMER.name:
        has_answer = answered.outcome in {"answered", "refused"} and answered.status not in {
            HTTPStatus.UNAUTHORIZED,
            HTTPStatus.NOT_FOUND,
        }
        note = "the service's list of customers shows the same record" if has_answer else ""
        return replace(ask, waits=False, unchanged=has_answer, note=note)
    return replace(ask, waits=False, unchanged=are_none_linked(job.previous, answered, document))


def _remembered(job: CollectJob) -> Evidence | None:
    """Return the earlier evidence whose answers are compared one by one; with `max_age`, their age decides."""
    return job.previous if job.max_age is None else None


def next_asks(job: CollectJob, ask: Ask, document: Any, status: int | None) -> tuple[Ask, ...]:
    """Return the requests that follow from an answer.

    Args:
        job: The job.
        ask: The request that was answered.
        document: The parsed answer; None if there is none.
        status: The answer's HTTP status; None if there was no answer.
    """
    match ask.operation:
        case op.GET_STATEMENT.name:
            return _statement_as_pdf(ask, status)
        case op.GET_SESSION.name:
            return _of_session(job, ask, document)
        case op.ACCESS_MEDIA.name:
            return _of_media(ask, document)
        case op.LIST_ACCOUNTS.name:
            return _of_accounts(job, ask, document)
        case op.LIST_TRANSACTIONS.name:
            return _following(job, ask, document)
        case _:
            return ()


def _each(
    operation: op.Operation[Any], thing: str, ids: Sequence[str], customer: Mapping[str, str]
) -> Iterable[Ask]:
    """Yield the request for each session or payment of a customer; what is not known is noted."""
    if not ids:
        yield Ask(
            operation.name,
            customer,
            note=NO_PAYMENT if thing == "payment" else f"no {thing} of this customer is known",
        )
    for one in ids:
        named = {f"{thing}_id": one}
        yield Ask(operation.name, {**customer, **named}, make_call(operation, named))


def _statement(job: CollectJob, subject: Mapping[str, str]) -> Ask:
    operation = op.GET_PAYMENT_STATEMENT if "payment_id" in subject else op.GET_STATEMENT
    as_json = {**subject, "format": "json"}
    return Ask(
        STATEMENT, as_json, make_call(operation, subject), waits=had_no_statement(_remembered(job), as_json)
    )


def _statement_as_pdf(ask: Ask, status: int | None) -> tuple[Ask, ...]:
    """Request the same statement as a PDF, unless the service has just answered that there is none."""
    if ask.subject["format"] == "pdf":
        return ()
    subject = {**ask.subject, "format": "pdf"}
    if status == HTTPStatus.NOT_FOUND:
        return (Ask(STATEMENT, subject, note=NO_STATEMENT),)
    operation = op.GET_PAYMENT_STATEMENT_PDF if "payment_id" in subject else op.GET_STATEMENT_PDF
    return (Ask(STATEMENT, subject, make_call(operation, subject, {"format": "pdf"})),)


def _of_session(job: CollectJob, ask: Ask, document: Any) -> tuple[Ask, ...]:
    if "session_id" not in ask.subject:
        return ()
    ids = {"session_id": ask.subject["session_id"]}
    status = document.get("status") if isinstance(document, dict) else None
    why_not = ""
    if isinstance(status, str) and status.casefold() in _NOT_COMPLETE:
        state = status.casefold()
        why_not = f"{SESSION_STATE}{JOINED_CODES.get(state, state)}"
    results = make_call(op.GET_RESULTS, ids) if not why_not else None
    media = make_call(op.ACCESS_MEDIA, ids, body={}) if job.media and not why_not else None
    return (
        Ask(op.GET_RESULTS.name, ask.subject, results, note=why_not),
        Ask(
            op.ACCESS_MEDIA.name,
            ask.subject,
            media,
            note=why_not or ("" if job.media else "media were not wanted"),
            unchanged=is_session_as_before(job.previous, ask.subject["session_id"], document),
        ),
    )


def _of_media(ask: Ask, document: Any) -> tuple[Ask, ...]:
    asks = []
    items = document.get("media") if isinstance(document, dict) else None
    for number, item in enumerate(items if isinstance(items, list) else [], 1):
        media_id = item.get("id") if isinstance(item, dict) else None
        if not _is_id(media_id):
            asks.append(Ask(op.DOWNLOAD_MEDIA.name, ask.subject, note=f"item {number} has no id"))
            continue
        ids = {"session_id": ask.subject["session_id"], "media_id": media_id}
        asks.append(Ask(op.DOWNLOAD_MEDIA.name, {**ask.subject, **ids}, make_call(op.DOWNLOAD_MEDIA, ids)))
    return tuple(asks)


def _of_accounts(job: CollectJob, ask: Ask, document: Any) -> tuple[Ask, ...]:
    asks = []
    for number, item in enumerate(list_items(document, "accounts") or [], 1):
        account_id = item.get("id") if isinstance(item, dict) else None
        if not _is_id(account_id):
            note = f"account {number} has no id"
            asks.append(Ask(op.GET_BALANCE.name, ask.subject, note=note))
            asks.append(Ask(op.LIST_TRANSACTIONS.name, ask.subject, note=note))
            continue
        subject = {**ask.subject, "account_id": account_id}
        asks.append(Ask(op.GET_BALANCE.name, subject, make_call(op.GET_BALANCE, subject)))
        asks.append(
            Ask(
                op.LIST_TRANSACTIONS.name,
                subject,
                make_call(op.LIST_TRANSACTIONS, subject, _window(job)),
                note=_page_note(job, 1),
                adapter=job.bank_adapter,
            )
        )
    return (*asks, *_following(job, ask, document))


def _following(job: CollectJob, ask: Ask, document: Any) -> tuple[Ask, ...]:
    if ask.call is None:
        return ()
    query, why_not = next_query(ask.call, read_page_end(document), ask.queries)
    if why_not:
        return (Ask(ask.operation, ask.subject, note=f"page {ask.page + 1} was not requested: {why_not}"),)
    if not query:
        return ()
    page, of_account = ask.page + 1, ask.operation == op.LIST_TRANSACTIONS.name
    note = _page_note(job, page) if of_account else f"page {page}"
    call = replace(ask.call, query=query)
    return (replace(ask, call=call, note=note, page=page, queries=(*ask.queries, ask.call.query)),)


def _window(job: CollectJob) -> dict[str, str | None]:
    first, last = job.window or (None, None)
    return {
        "date_from": first.isoformat() if first else None,
        "date_to": last.isoformat() if last else None,
    }


def _page_note(job: CollectJob, page: int) -> str:
    first, last = job.window or (None, None)
    window = f", booked {first or 'any time'} to {last or 'any time'}" if first or last else ""
    return f"page {page}{window}"


def _is_id(value: Any) -> TypeGuard[str]:
    return (
        isinstance(value, str)
        and len(value) <= MAX_ID
        and value.isprintable()
        and value not in {"", ".", ".."}
    )


def _known_ids(known: Mapping[str, Any] | None, member: str, name: str) -> tuple[str, ...]:
    rows = known.get(member) if known else None
    found = (row.get(name) for row in rows or () if isinstance(row, Mapping))
    return tuple(value for value in found if _is_id(value))


def _once(*groups: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for group in groups for value in group))
