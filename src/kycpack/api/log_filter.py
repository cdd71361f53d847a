"""Keeps links that open without a sign-in out of the logs of the HTTP library.

httpx writes full URLs at INFO, and httpcore writes response headers, `Location` too, at DEBUG.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_confidential: ContextVar[bool] = ContextVar("kycpack_confidential", default=False)
_LOGGERS = (
    "httpx",
    "httpcore.connection",
    "httpcore.http11",
    "httpcore.http2",
    "httpcore.proxy",
    "httpcore.socks",
)


class _ConfidentialFilter(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:  # noqa: ARG002 - whatever it says, it may hold a link
        return not _confidential.get()


_FILTER = _ConfidentialFilter()


def install() -> None:
    """Add the filter to the HTTP library's loggers; calling it again has no effect."""
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(_FILTER)


@contextmanager
def confidential(*, wanted: bool) -> Iterator[None]:
    """Within this block the HTTP library logs nothing, if `wanted`."""
    token = _confidential.set(wanted)
    try:
        yield
    finally:
        _confidential.reset(token)
