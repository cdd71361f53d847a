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


def invalid_request(detail: str) -> RefusedError:
    """400: the body or a parameter is invalid; `detail` names fields, not values."""
    return RefusedError(400, "invalid_request", f"Invalid request: {detail}")


def invalid_customer_id() -> RefusedError:
    """400: the customer id is not valid (payments), or invalid or unknown (onboard)."""
    return RefusedError(400, "invalid_customer_id", "Invalid customer id")


def customer_required_for_ais() -> RefusedError:
    """400: AIS requirements need a customer."""
    return RefusedError(400, "customer_required_for_ais", "aisRequirements needs a customerId")


def no_merchant() -> RefusedError:
    """400: AIS was requested before merchant onboarding is complete."""
    return RefusedError(
        400, "no_merchant", "AIS needs a merchant account that has completed merchant onboarding"
    )


def missing_person_data(fields: Sequence[str]) -> RefusedError:
    """400: an onboard session lacks personal data that its checks need."""
    message = f"Missing person data: {', '.join(fields)}"
    return RefusedError(400, "missing_person_data", message, missing_fields=fields)


def verified_bank_required() -> RefusedError:
    """400: the payment must come from a bank account verified through AIS."""
    return RefusedError(
        400, "verified_bank_required", "This payment must be made from a verified bank account"
    )


def ais_required() -> RefusedError:
    """400: the customer has not granted the bank access that the payment requires."""
    return RefusedError(400, "ais_required", "The customer has to grant bank access before this payment")


def invalid_api_key(detail: str, hint: str = "") -> RefusedError:
    """401: key missing, invalid or without account context."""
    return RefusedError(401, "invalid_api_key", f"Invalid API key: {detail}", headers=_CHALLENGE, hint=hint)


def invalid_token() -> RefusedError:
    """401: source of wealth, for a missing, invalid or insufficiently permissioned key."""
    message = "Missing, invalid or insufficiently permissioned key"
    return RefusedError(401, "invalid_token", message, headers=_CHALLENGE)


def insufficient_permissions(detail: str) -> RefusedError:
    """403: the key lacks the permission or the area."""
    return RefusedError(403, "insufficient_permissions", f"Insufficient permissions: {detail}")


def session_forbidden() -> RefusedError:
    """403: the session belongs to another organisation."""
    return RefusedError(403, "session_forbidden", "Session belongs to a different organisation")


def ais_access_expired() -> RefusedError:
    """403: bank access was granted and has expired."""
    return RefusedError(403, "ais_access_expired", "Bank access has expired")


def ais_scope_missing(scope: str) -> RefusedError:
    """403: bank access was granted without the scope."""
    return RefusedError(403, "ais_scope_missing", f"Bank access does not include {scope}")


def statement_not_found(hint: str) -> RefusedError:
    """404: source of wealth, for an unknown customer, payment or merchant, or no AIS data; the hint says which."""
    return RefusedError(404, "not_found", "Customer unknown or no AIS data", hint=hint)


def not_found(what: str) -> RefusedError:
    """404 for records without an error code in the interface; `what` is a noun in lower case, as in `payment`."""
    return RefusedError(404, f"{what.replace(' ', '_')}_not_found", f"{what.capitalize()} not found")


def database_unavailable() -> RefusedError:
    """503: the database is locked, stopped or full; nothing was changed, and trying again may help."""
    message = "The database cannot be used at the moment; nothing was changed"
    return RefusedError(503, "database_unavailable", message, headers={"Retry-After": "1"})


def conflict(code: str, message: str) -> RefusedError:
    """409: the state of a record does not allow it."""
    return RefusedError(409, code, message)


_CHALLENGE = {"WWW-Authenticate": "HMAC-SHA256"}
