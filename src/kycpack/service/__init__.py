"""The service: a complete implementation of the interface, on SQLite or PostgreSQL.

From the inside out: `schema` and `database`; the domain (`customers`, `payments`, `attempts`, `banks`, `bank_access`, `sessions`,
`results`, `completion`, `media`, `statements`, `webhooks`); `operation` and `routes`, which define every operation once; `auth`
and `bodies`, which process each request; `control`, `faults` and `clock`, which control it in tests and training;
`app`, `server` and `embedded`, which run it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kycpack.service.app import create_app

__all__ = ["create_app"]


def __getattr__(name: str) -> Any:
    # Programs that only use the database, such as key management, do not need the web framework.
    if name != "create_app":
        raise AttributeError(f"module 'kycpack.service' has no attribute {name!r}")
    from kycpack.service.app import create_app  # noqa: PLC0415

    return create_app
