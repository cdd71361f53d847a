"""What a client tells a register: an intent before each create, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol

Subject = Literal["customer", "session", "payment"]


class Recorder(Protocol):
    """Keeps what a client creates, because the interface cannot list sessions and payments.

    The calls come in the thread of the create (for the async client: in its event loop), so they must be short.
    """

    def intend(self, operation: str, summary: Mapping[str, Any]) -> str:
        """Keep, durably and before anything is sent, that something is about to be created.

        Args:
            operation: `customers.create`, `payments.create` or `onboarding.create`.
            summary: Ids and options of the request; no personal data.

        Returns:
            The intent's id.
        """

    def learned(
        self,
        intent_id: str,
        kind: Subject,
        subject_id: str,
        *,
        customer_id: str | None = None,
        org_id: str | None = None,
        created_at: str | None = None,
        ordered: Mapping[str, Any] | None = None,
    ) -> None:
        """Keep the id that the service gave.

        Args:
            intent_id: What `intend` returned.
            kind: What was created.
            subject_id: Its id.
            customer_id: Whose it is; None where the request named nobody.
            org_id: The caller's branch, where the request named one.
            created_at: The service's time of creation, else the client's; ISO 8601 UTC.
            ordered: For a session, `{"identity": {...8 booleans}, "ais": {...} | None}` as it was asked for,
                defaults of the interface filled in.
        """

    def failed(self, intent_id: str, reason: str, *, unknown: bool = False) -> None:
        """Keep that there is no id.

        Args:
            intent_id: What `intend` returned.
            reason: The error's class and code; no personal data.
            unknown: True where it may have happened all the same (the answer was lost, or said 5xx).
        """
