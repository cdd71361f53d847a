"""Every exception that kycpack raises.

::

    KycpackError
    ├── ConfigurationError          a setting is missing or makes no sense
    ├── InputError                  the input cannot be read; `place` says where
    │   ├── FrameError              a frame does not fit its schema (frame, column, row)
    │   ├── PolicyError             a triage policy does not parse (file, line)
    │   └── StatementFileError      a bank's export does not parse (file, line)
    ├── ApiError                    a request failed
    │   ├── StatusError             the service answered with an error status
    │   │   ├── BadRequestError         400 and other 4xx without a class of their own
    │   │   ├── AuthenticationError     401
    │   │   ├── PermissionDeniedError   403
    │   │   ├── NotFoundError           404
    │   │   ├── ConflictError           409
    │   │   ├── RateLimitError          429
    │   │   └── ServerError             5xx
    │   ├── TransportError          no answer: the connection failed
    │   │   └── RequestTimeoutError     no answer in time
    │   ├── ContractError           2xx, but not in the specified shape, or about something else
    │   └── OutcomeUnknownError     the answer was lost: it may have happened
    ├── EvidenceError               stored evidence is missing, altered or incomplete
    ├── RenderError                 a document could not be made
    ├── WorkspaceError              the register, inbox or ledger refused
    │   └── CaseChangedError            somebody else acted first, or the evidence has changed
    ├── PackError                   a pack could not be made or does not verify
    │   └── NotebookFailedError     the review notebook stopped; `quarantine` is where it was put
    ├── BatchError                  a batch could not start or go on
    │   ├── OutputLockedError       another run writes to the same folder
    │   └── BatchStoppedError       every further customer would have failed in the same way
    ├── ObjectStoreError            an object store refused or did not answer
    └── ServiceError                the embedded service could not start or go on

Messages contain ids, field names and places, never a person's name, a body, a card number or a secret.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any


class KycpackError(Exception):
    """The root of the tree: catch it to catch everything that kycpack raises on purpose.

    Attributes:
        request_id: The id that was sent as `X-Request-Id`; empty if no request was sent.
        idempotency_key: The key that was sent with the payment attempt; empty for everything else.
        may_have_happened: Whether the service may have carried out the request although this error was raised.
    """

    request_id: str = ""
    idempotency_key: str = ""
    may_have_happened: bool = False

    def __reduce__(self) -> tuple[Any, ...]:
        # Keyword-only constructors do not survive pickling by default, and worker processes send errors to their parent.
        return (_rebuild, (type(self), self.args, self.__dict__))


def _rebuild(kind: type[KycpackError], args: tuple[Any, ...], state: dict[str, Any]) -> KycpackError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    return error


class ConfigurationError(KycpackError):
    """A setting is missing or makes no sense."""


class InputError(KycpackError):
    """The input cannot be read.

    Attributes:
        place: Where the fault is: a field path, a file and line, or a frame, column and row; empty when unknown.
        reason: The message without the place.
    """

    def __init__(self, message: str, *, place: str = "") -> None:
        super().__init__(f"{place}: {message}" if place else message)
        self.reason = message
        self.place = place


class FrameError(InputError):
    """A frame does not fit its schema; `place` names frame, column and row."""


class PolicyError(InputError):
    """A triage policy does not parse; `place` names file and line."""


class StatementFileError(InputError):
    """A bank's export does not parse; `place` names file and line."""


class ApiError(KycpackError):
    """A request failed.

    Attributes:
        operation: The operation's name, as in `customers.get`.
    """

    def __init__(self, message: str, *, operation: str = "", request_id: str = "") -> None:
        details = ", ".join(
            part for part in (operation, f"request {request_id}" if request_id else "") if part
        )
        super().__init__(f"{message} ({details})" if details else message)
        self.operation = operation
        self.request_id = request_id


class StatusError(ApiError):
    """The service answered with an error status.

    Attributes:
        status: The HTTP status.
        code: The `error` member of the body; `""` if there is none.
        missing_fields: The `missingFields` member of the body.
        retry_after: Seconds that the service asked us to wait; None if it did not say.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: str = "",
        missing_fields: tuple[str, ...] = (),
        retry_after: float | None = None,
        operation: str = "",
        request_id: str = "",
    ) -> None:
        super().__init__(message, operation=operation, request_id=request_id)
        self.status = status
        self.code = code
        self.missing_fields = missing_fields
        self.retry_after = retry_after


class BadRequestError(StatusError):
    """400, and other 4xx without a class of their own."""


class AuthenticationError(StatusError):
    """401: key missing, invalid or without account context; for source of wealth also without permission."""


class PermissionDeniedError(StatusError):
    """403: the key lacks the permission, or the session belongs to another organisation."""


class NotFoundError(StatusError):
    """404: unknown, or belongs to another organisation."""


class ConflictError(StatusError):
    """409."""


class RateLimitError(StatusError):
    """429: too many requests; `retry_after` is how long to wait, if the service said so."""


class ServerError(StatusError):
    """5xx."""


class TransportError(ApiError):
    """No answer: the connection failed."""


class RequestTimeoutError(TransportError):
    """No answer in time."""


class ContractError(ApiError):
    """A 2xx answer that is not in the specified shape, or is about something else than the request.

    Attributes:
        expected: What was expected.
        place: Where in the body.
    """

    def __init__(
        self,
        message: str,
        *,
        expected: str = "",
        place: str = "",
        operation: str = "",
        request_id: str = "",
    ) -> None:
        super().__init__(message, operation=operation, request_id=request_id)
        self.expected = expected
        self.place = place


class OutcomeUnknownError(ApiError):
    """The request was sent and the answer was lost: it may or may not have happened, and must not be repeated blindly."""


class EvidenceError(KycpackError):
    """Stored evidence is missing, altered or incomplete."""


class RenderError(KycpackError):
    """A document could not be made."""


class WorkspaceError(KycpackError):
    """The register, the inbox or the ledger refused.

    Attributes:
        may_pass: Whether the reason is outside the database, such as a full disk or a lock, so that its content may be whole.
    """

    may_pass: bool = False


class CaseChangedError(WorkspaceError):
    """A case has changed since it was read; the message says how. Nothing was written."""


class PackError(KycpackError):
    """A pack could not be made or does not verify."""


class NotebookFailedError(PackError):
    """The review notebook stopped.

    Attributes:
        quarantine: Path of the failed notebook, outside any pack.
    """

    def __init__(self, message: str, *, quarantine: Path | None = None) -> None:
        super().__init__(message)
        self.quarantine = quarantine


class BatchError(KycpackError):
    """A batch could not start or go on."""


class OutputLockedError(BatchError):
    """Another run writes to the same folder."""


class BatchStoppedError(BatchError):
    """A batch was stopped because every further customer would have failed in the same way.

    Attributes:
        report: What had been done by then, a `kycpack.batch.RunReport`.
    """

    def __init__(self, message: str, *, report: Any = None) -> None:
        super().__init__(message)
        self.report = report


class ObjectStoreError(KycpackError):
    """An object store refused or did not answer."""


class ServiceError(KycpackError):
    """The embedded service could not start or go on."""
