"""Turns failures into errors; messages contain nothing from a body, about a person or a card."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from kycpack.errors import (
    ApiError,
    AuthenticationError,
    BadRequestError,
    ConfigurationError,
    ConflictError,
    ContractError,
    InputError,
    KycpackError,
    NotFoundError,
    OutcomeUnknownError,
    PermissionDeniedError,
    RateLimitError,
    RequestTimeoutError,
    ServerError,
    StatusError,
    TransportError,
)
from kycpack.models.instants import parse_instant
from kycpack.models.json import parse_json

if TYPE_CHECKING:
    from kycpack.api.answers import Answer

E = TypeVar("E", bound=KycpackError)

_CODE = re.compile(r"[A-Za-z][A-Za-z_]{1,47}")
_FIELD = re.compile(r"[A-Za-z][A-Za-z.]{0,47}")
CLOCKS_DIFFER_SECONDS = 60
CLOCKS_DIFFER = "the service's clock differs from ours by"
"""How the note of a refusal begins, if the clocks may be the reason."""
_CLASSES: dict[int, type[StatusError]] = {
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    429: RateLimitError,
}
_ADVICE = {
    401: (
        "the service refused the key: check two things, the key id (key_id, KYCPACK_KEY_ID) and its secret (secret, "
        "KYCPACK_SECRET or the keyring)"
    ),
    403: "the key lacks the permission, or this belongs to another organisation",
    404: "it does not exist, or it belongs to another organisation",
    429: "too many requests; wait, then try again",
}


@dataclass(frozen=True, slots=True)
class Lost:
    """No answer.

    Attributes:
        kind: timeout, connection (a network failure), tls (the handshake was refused), foreign (the answer belongs to
            another request), unreadable (the answer is too large, or its redirect is invalid), closed (the client is
            closed), or unsendable (the request cannot be sent).
        sent: Whether the request may have reached the service.
        reason: The cause in a few words, or the class of the library's exception, for the message.
    """

    kind: Literal["timeout", "connection", "tls", "foreign", "unreadable", "closed", "unsendable"]
    sent: bool
    reason: str

    @property
    def may_pass(self) -> bool:
        """Whether sending the request again can help."""
        return self.kind in {"timeout", "connection", "foreign"}


@dataclass(frozen=True, slots=True)
class Doubt:
    """What is known about a request whose answer does not show its outcome.

    Attributes:
        may_have_happened: Whether the service may have carried out the request.
        once: Whether carrying it out twice would do harm.
        key: The idempotency key of an attempt; empty for everything else.
        about_payment: Whether a payment shows what happened.
    """

    may_have_happened: bool = False
    once: bool = False
    key: str = ""
    about_payment: bool = False

    @property
    def advice(self) -> str:
        """What to do; empty if nothing is in doubt."""
        if not (self.may_have_happened and self.once):
            return ""
        if not self.about_payment:
            return "it may have happened; check before you repeat it"
        again = (
            f"to try again, use idempotency_key {self.key}: it gives the same attempt as long as the service remembers the key, "
            "which is not known; "
            if self.key
            else ""
        )
        return (
            "it may have happened: read the payment first (payments.get); "
            f"{again}if the payment's state remains unclear, a person has to decide"
        )

    def mark(self, error: E) -> E:
        """Add what is known to an error, and return it."""
        error.may_have_happened = self.may_have_happened
        error.idempotency_key = self.key
        return error


def lost_error(lost: Lost, *, operation: str, target: str, request_id: str, doubt: Doubt) -> KycpackError:
    """Return the error for an answer that never came.

    Args:
        lost: The last failure.
        operation: The operation's name.
        target: Method and path.
        request_id: The `X-Request-Id` that was sent.
        doubt: What is known about this request and its earlier attempts.
    """
    about = {"operation": operation, "request_id": request_id}
    if doubt.may_have_happened and doubt.once:
        return doubt.mark(
            OutcomeUnknownError(f"{target}: the answer was lost ({lost.reason}); {doubt.advice}", **about)
        )
    said: KycpackError
    match lost.kind:
        case "unsendable":
            said = ConfigurationError(f"{target} cannot be sent: {lost.reason}")
        case "foreign" | "unreadable":
            what = "about what was asked" if lost.kind == "foreign" else "that can be read"
            said = ContractError(f"{target}: {lost.reason}", expected=f"an answer {what}", **about)
        case "timeout":
            said = RequestTimeoutError(f"{target}: no answer in time ({lost.reason})", **about)
        case "tls":
            said = TransportError(f"{target}: no secure connection, TLS failed: {lost.reason}", **about)
        case _:
            said = TransportError(f"{target}: no answer, the connection failed ({lost.reason})", **about)
    return doubt.mark(said)


def status_error(answer: Answer[Any]) -> StatusError:
    """Return the error for an answer with an error status.

    Args:
        answer: The answer, with a status of 400 or above; its body need not be JSON.

    Returns:
        The class for the status, with the body's code and missing fields if they have the right form.
    """
    status, headers = answer.status, answer.headers
    document = _document(answer.content)
    code = _word(document.get("error"), _CODE) or _word(document.get("code"), _CODE)
    missing = document.get("missingFields")
    fields = (
        tuple(filter(None, (_word(name, _FIELD) for name in missing))) if isinstance(missing, list) else ()
    )
    kind = _CLASSES.get(status, ServerError if status >= 500 else BadRequestError)
    said = " ".join(filter(None, (str(status), code)))
    advice = _advice(answer)
    skew = clock_advice(answer)
    target = f"{answer.operation.method} {answer.path}"
    missed = f"missing {', '.join(fields)}" if fields else ""
    found = f"{answer.subject} not found (404)" if status == 404 and answer.subject else ""
    parts = (found, f"{target}: {said}", missed, advice, skew, answer.doubt.advice)
    return answer.doubt.mark(
        kind(
            "; ".join(filter(None, parts)),
            status=status,
            code=code,
            missing_fields=fields,
            retry_after=retry_after(headers),
            operation=answer.operation.name,
            request_id=answer.request_id,
        )
    )


def _advice(answer: Answer[Any]) -> str:
    status, of_statement = answer.status, answer.operation.name.startswith("source_of_wealth")
    if of_statement and status == 404:
        return "the customer is unknown, or has given no access to bank data"
    if of_statement and status == 401:
        return f"{_ADVICE[status]}; here the key may also lack the permission read_customer"
    return _ADVICE.get(status) or ("the service failed" if status >= 500 else "")


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds of `Retry-After`, given as a number or as a date beside the answer's own `Date`."""
    value = headers.get("retry-after", "").strip()
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,6})?", value):
        return float(value)
    until, told_at = _http_date(value), _http_date(headers.get("date", ""))
    if until is None or told_at is None:
        return None
    return max(0.0, (until - told_at).total_seconds())


def describe(error: ApiError) -> str:
    """Return an error in a few words, as stored in a register or an index of evidence."""
    if isinstance(error, StatusError):
        return " ".join(filter(None, (str(error.status), error.code)))
    return type(error).__name__


def clock_difference(headers: Mapping[str, str], requested_at: str) -> int | None:
    """Return by how many seconds the service's clock is ahead of ours; None if the answer has no usable `Date`.

    Args:
        headers: The answer's headers, with names in lower case.
        requested_at: When the request was sent, by our clock, ISO 8601 UTC.
    """
    theirs = _http_date(headers.get("date", ""))
    return None if theirs is None else round((theirs - parse_instant(requested_at)).total_seconds())


def clock_advice(answer: Answer[Any]) -> str:
    """Return by how much the two clocks differ if that may be why the key was refused; empty if not."""
    if answer.status != 401:
        return ""
    seconds = clock_difference(answer.headers, answer.requested_at)
    if seconds is None or abs(seconds) <= CLOCKS_DIFFER_SECONDS:
        return ""
    return f"{CLOCKS_DIFFER} {seconds} s"


def _http_date(value: str) -> datetime | None:
    try:
        instant = parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError):
        return None
    return instant if instant.tzinfo else instant.replace(tzinfo=UTC)


def _document(content: bytes) -> dict[str, Any]:
    try:
        document = parse_json(content)
    except InputError:
        return {}
    return document if isinstance(document, dict) else {}


def _word(value: Any, form: re.Pattern[str]) -> str:
    return value if isinstance(value, str) and form.fullmatch(value) else ""
