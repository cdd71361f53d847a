"""What a client reports to a register: an intent before each create, and its outcome."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol

Subject = Literal["customer", "session", "payment"]


class Recorder(Protocol):
    """Records what a client creates, because the interface cannot list sessions and payments.

    It is called in the thread of the create (for the async client in its event loop), so its methods must be quick.
    """

    def intend(self, operation: str, summary: Mapping[str, Any]) -> str:
        """Record durably, before anything is sent, that something is about to be created.

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
        """Record the id that the service returned.

        Args:
            intent_id: The id returned by `intend`.
            kind: What was created.
            subject_id: Its id.
            customer_id: Customer id; None if the request had none.
            org_id: The caller's branch, if the request had one.
            created_at: The service's time of creation, otherwise the client's; ISO 8601 UTC.
            ordered: For a session, `{"identity": {...8 booleans}, "ais": {...} | None}` as ordered, with the
                defaults of the interface.
        """

    def failed(self, intent_id: str, reason: str, *, unknown: bool = False) -> None:
        """Record that there is no id.

        Args:
            intent_id: The id returned by `intend`.
            reason: The error's class and code; no personal data.
            unknown: True if it may have been created all the same (the answer was lost, or had a status of 5xx).
        """
