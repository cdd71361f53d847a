"""What a client reports to a register: an intent before each create, and its outcome after it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol, TypeVar

from kycpack.api.addresses import BaseUrl
from kycpack.api.answers import Answer
from kycpack.api.exchange import exchange
from kycpack.api.failures import describe
from kycpack.api.operations import CREATE_CUSTOMER, CREATE_PAYMENT, CREATE_SESSION
from kycpack.api.protocol import Ambient, Call, Patience, Steps
from kycpack.api.signers import Signer
from kycpack.errors import ApiError, KycpackError

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


T = TypeVar("T")

_CREATED: dict[str, tuple[Subject, str]] = {
    CREATE_CUSTOMER.name: ("customer", "id"),
    CREATE_PAYMENT.name: ("payment", "id"),
    CREATE_SESSION.name: ("session", "session_id"),
}
"""What each create makes, and the attribute of its answer that is the id."""


def perform(
    call: Call[T],
    place: BaseUrl,
    signer: Signer,
    patience: Patience,
    ambient: Ambient,
    recorder: Recorder | None,
) -> Steps[Answer[T]]:
    """Run a call until its answer, as `exchange` does, and report creates to the recorder.

    Args:
        call: The call.
        place: Address of the service.
        signer: Signs every attempt anew.
        patience: Timeouts and retries.
        ambient: Clock, randomness and ids.
        recorder: Records creates; may be None.

    Returns:
        The last answer, whatever its status.

    Raises:
        ApiError: As `exchange`.
    """
    flow = exchange(call, place, signer, patience, ambient)
    if recorder is None or call.operation.name not in _CREATED:
        try:
            return (yield from flow)
        except KycpackError as error:
            error.idempotency_key = call.key
            raise
        except BaseException as error:
            if call.key:
                error.add_note(f"the attempt may exist; its idempotency_key is {call.key}")
            raise
    intent = recorder.intend(call.operation.name, call.about)
    try:
        answer = yield from flow
    except KycpackError as error:
        reason = describe(error) if isinstance(error, ApiError) else type(error).__name__
        recorder.failed(intent, reason, unknown=error.may_have_happened)
        raise
    except BaseException as error:  # cancelled or interrupted: it may have been sent
        recorder.failed(intent, type(error).__name__, unknown=True)
        raise
    _settle(recorder, intent, call, answer)
    return answer


def _settle(recorder: Recorder, intent: str, call: Call[T], answer: Answer[T]) -> None:
    problem: ApiError | None = None
    try:
        made = answer.record()
    except ApiError as error:
        problem = error
    if problem is not None:
        recorder.failed(intent, describe(problem), unknown=problem.may_have_happened)
        return
    kind, member = _CREATED[call.operation.name]
    subject_id: str = getattr(made, member)
    try:
        recorder.learned(
            intent,
            kind,
            subject_id,
            customer_id=subject_id if kind == "customer" else call.about.get("customerId"),
            org_id=call.about.get("orgId"),
            created_at=getattr(made, "created", None) or answer.requested_at,
            ordered=call.about.get("ordered"),
        )
    except KycpackError as error:
        error.add_note(f"the service has created it: {kind} {subject_id}")
        raise
