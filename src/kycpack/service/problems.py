"""The service's refusals: status, code and message, each defined once.

Messages begin with the interface's own phrase if it has one. They contain field names and ids chosen by the caller,
never values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from kycpack.errors import ServiceError


class ErrorAnswer(BaseModel):
    """The body of an error answer; `requestId` is also in the header X-Request-Id, and finds the request in the console."""

    model_config = ConfigDict(alias_generator=to_camel)

    error: str
    message: str
    missing_fields: list[str] | None = None
    request_id: str


class RefusedError(ServiceError):
    """A refused request; it becomes the answer `{"error", "message"}`.

    Attributes:
        status: The HTTP status.
        code: The `error` member.
        message: The `message` member.
        missing_fields: The `missingFields` member; absent when empty.
        headers: Further headers of the answer.
        hint: Key of more specific advice in the console; never part of the answer.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        missing_fields: Sequence[str] = (),
        headers: Mapping[str, str] | None = None,
        hint: str = "",
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.missing_fields = tuple(missing_fields)
        self.headers = dict(headers or {})
        self.hint = hint

    def body(self) -> dict[str, object]:
        """Return the answer's body."""
        body: dict[str, object] = {"error": self.code, "message": self.message}
        if self.missing_fields:
            body["missingFields"] = list(self.missing_fields)
        return body


REFUSALS: Mapping[str, tuple[int, str]] = {
    "invalid_customer_id": (400, "Invalid customer id"),
    "customer_required_for_ais": (400, "aisRequirements needs a customerId"),
    "no_merchant": (400, "AIS needs a merchant account that has completed merchant onboarding"),
    "verified_bank_required": (400, "This payment must be made from a verified bank account"),
    "ais_required": (400, "The customer has to grant bank access before this payment"),
    "invalid_api_key": (401, "Invalid API key: {}"),
    "invalid_token": (401, "Missing, invalid or insufficiently permissioned key"),
    "insufficient_permissions": (403, "Insufficient permissions: {}"),
    "session_forbidden": (403, "Session belongs to a different organisation"),
    "ais_access_expired": (403, "Bank access has expired"),
    "ais_scope_missing": (403, "Bank access does not include {}"),
    "control_forbidden": (403, "{}"),
    "link_unknown": (404, "Link not found"),
    "not_found": (404, "Customer unknown or no AIS data"),
    "session_in_review": (409, "Everything has been sent; the session is in review"),
    "bank_unavailable": (503, "The customer's bank cannot be reached at the moment"),
    "database_unavailable": (503, "The database cannot be used at the moment; nothing was changed"),
}
"""Status and message by code, for what is refused in only one way; `{}` is the detail."""


_HEADERS = {
    "invalid_api_key": {"WWW-Authenticate": "HMAC-SHA256"},
    "invalid_token": {"WWW-Authenticate": "HMAC-SHA256"},
    "bank_unavailable": {"Retry-After": "30"},
    "database_unavailable": {"Retry-After": "1"},
}


def refusal(code: str, detail: str = "", hint: str = "") -> RefusedError:
    """The refusal with a code of `REFUSALS`; the detail completes its message."""
    status, message = REFUSALS[code]
    return RefusedError(status, code, message.format(detail), headers=_HEADERS.get(code), hint=hint)


def invalid_request(detail: str) -> RefusedError:
    """400: the body or a parameter is invalid; `detail` names fields, not values."""
    return RefusedError(400, "invalid_request", f"Invalid request: {detail}")


def missing_person_data(fields: Sequence[str]) -> RefusedError:
    """400: an onboard session lacks personal data that its checks need."""
    message = f"Missing person data: {', '.join(fields)}"
    return RefusedError(400, "missing_person_data", message, missing_fields=fields)


def not_found(what: str) -> RefusedError:
    """404 for records without an error code in the interface; `what` is a noun in lower case, as in `payment`."""
    return RefusedError(404, f"{what.replace(' ', '_')}_not_found", f"{what.capitalize()} not found")


def conflict(code: str, message: str) -> RefusedError:
    """409: the state of a record does not allow it."""
    return RefusedError(409, code, message)
