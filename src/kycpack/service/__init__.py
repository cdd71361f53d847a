"""The service: the whole interface, implemented, on SQLite or PostgreSQL.

From the table outwards: `schema` and `database`; the domain (`customers`, `payments`, `attempts`, `banks`, `bank_access`, `sessions`,
`results`, `completion`, `media`, `statements`, `webhooks`); `operation` and `routes`, which name every operation once; `auth`, `bodies`
and `endpoint`, through which each request goes; `control`, `faults` and `clock`, with which tests and trainings steer it; `app`,
`server` and `embedded`, which run it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kycpack.service.app import create_app

__all__ = ["create_app"]


def __getattr__(name: str) -> Any:
    # Programs that only work on the database, as key management does, do without the web framework.
    if name != "create_app":
        raise AttributeError(f"module 'kycpack.service' has no attribute {name!r}")
    from kycpack.service.app import create_app  # noqa: PLC0415

    return create_app
