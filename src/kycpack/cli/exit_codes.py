"""The exit code of a command that ends with an error."""

from __future__ import annotations

from kycpack.cli.extras import extra_of
from kycpack.errors import (
    AuthenticationError,
    BatchError,
    ConfigurationError,
    EvidenceError,
    InputError,
    KycpackError,
    ObjectStoreError,
    RateLimitError,
    ServerError,
    ServiceError,
    TransportError,
    WorkspaceError,
)

INTERRUPTED = 130
TERMINATED = 143
_DEFECT = 1
_USAGE = 2
_INCOMPLETE = 3
_USAGE_ERRORS = (
    AuthenticationError,
    BatchError,
    ConfigurationError,
    EvidenceError,
    InputError,
    ObjectStoreError,
    ServiceError,
    TransportError,
    WorkspaceError,
)


def exit_code_of(error: BaseException) -> int:
    """Return the exit code for the error that ended a command.

    Args:
        error: The error; a `typer.Exit` and wrong usage have their own code.
    """
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    if isinstance(error, RateLimitError | ServerError):
        return _INCOMPLETE
    if isinstance(error, KycpackError):
        return _USAGE if isinstance(error, _USAGE_ERRORS) else _DEFECT
    if isinstance(error, ModuleNotFoundError):
        return _DEFECT if extra_of(error) is None else _USAGE
    own = getattr(error, "exit_code", None)
    return own if isinstance(own, int) else _DEFECT
