"""From what went wrong to the error that says so; nothing of a body, a person or a card gets into a message."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Literal

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

_CODE = re.compile(r"[A-Za-z][A-Za-z_]{1,47}")
_FIELD = re.compile(r"[A-Za-z][A-Za-z.]{0,47}")
_CLOCKS_DIFFER = 60
_CLASSES: dict[int, type[StatusError]] = {
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    429: RateLimitError,
}
_ADVICE = {
    401: "the key is missing, invalid, or without account context (for source of wealth also: without the permission)",
    403: "the key lacks the permission, or this belongs to another organisation",
    404: "unknown here, or of another organisation",
    429: "asked too often; wait and ask again",
}


@dataclass(frozen=True, slots=True)
class Lost:
    """No answer.

    Attributes:
        kind: timeout, connection (a network failure), unreadable (the answer: too large, or led nowhere), closed (the client), or unsendable
            (the request itself).
        sent: Whether the request may have reached the service.
        reason: The foreign exception's class, for the message.
    """

    kind: Literal["timeout", "connection", "unreadable", "closed", "unsendable"]
    sent: bool
    reason: str

    @property
    def may_pass(self) -> bool:
        """Whether asking again can help."""
        return self.kind in {"timeout", "connection"}


def lost_error(lost: Lost, *, operation: str, target: str, request_id: str, once: bool) -> KycpackError:
    """Return the error for an answer that never came.

    Args:
        lost: What happened.
        operation: The operation's name.
        target: Method and path.
        request_id: The id that was sent.
        once: Whether the request must not be sent twice.
    """
    about = {"operation": operation, "request_id": request_id}
    if lost.kind == "unsendable":
        return ConfigurationError(f"{target} cannot be sent: {lost.reason}")
    if lost.sent and once:
        return OutcomeUnknownError(
            f"{target}: the answer was lost ({lost.reason}); it may have happened, look before you repeat it",
            **about,
        )
    if lost.kind == "unreadable":
        return ContractError(f"{target}: {lost.reason}", expected="an answer that can be read", **about)
    if lost.kind == "timeout":
        return RequestTimeoutError(f"{target}: no answer in time ({lost.reason})", **about)
    return TransportError(f"{target}: no answer, the connection failed ({lost.reason})", **about)


def status_error(
    operation: str,
    method: str,
    path: str,
    status: int,
    headers: Mapping[str, str],
    content: bytes,
    request_id: str,
    requested_at: str,
) -> StatusError:
    """Return the error for an answer with an error status.

    Args:
        operation: The operation's name.
        method: HTTP method.
        path: Path below the base URL; it carries ids only.
        status: HTTP status, 400 or above.
        headers: Headers with names in lower case.
        content: The body; need not be JSON.
        request_id: The id that was sent.
        requested_at: When it was asked, by our clock, ISO 8601.

    Returns:
        The class for the status, with the body's code and missing fields where they have the form of such.
    """
    document = _document(content)
    code = _word(document.get("error"), _CODE) or _word(document.get("code"), _CODE)
    missing = document.get("missingFields")
    fields = (
        tuple(filter(None, (_word(name, _FIELD) for name in missing))) if isinstance(missing, list) else ()
    )
    kind = _CLASSES.get(status, ServerError if status >= 500 else BadRequestError)
    said = " ".join(filter(None, (str(status), code)))
    advice = _ADVICE.get(status) or (
        "the service failed; what was asked may have happened" if status >= 500 else ""
    )
    skew = _clock_advice(headers, requested_at) if status == 401 else ""
    parts = (f"{method} {path}: {said}", f"missing {', '.join(fields)}" if fields else "", advice, skew)
    return kind(
        "; ".join(filter(None, parts)),
        status=status,
        code=code,
        missing_fields=fields,
        retry_after=retry_after(headers),
        operation=operation,
        request_id=request_id,
    )


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
    """Return an error in the few words that a register or an index of evidence keeps."""
    if isinstance(error, StatusError):
        return " ".join(filter(None, (str(error.status), error.code)))
    return type(error).__name__


def _clock_advice(headers: Mapping[str, str], requested_at: str) -> str:
    theirs = _http_date(headers.get("date", ""))
    if theirs is None:
        return ""
    seconds = round((theirs - parse_instant(requested_at)).total_seconds())
    return f"the service's clock differs from ours by {seconds} s" if abs(seconds) > _CLOCKS_DIFFER else ""


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
