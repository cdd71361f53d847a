"""Records creates: an intent before, and the outcome after."""

from __future__ import annotations

from typing import TypeVar

from kycpack.api.addresses import BaseUrl
from kycpack.api.answers import Answer
from kycpack.api.exchange import exchange
from kycpack.api.failures import describe
from kycpack.api.operations import CREATE_CUSTOMER, CREATE_PAYMENT, CREATE_SESSION
from kycpack.api.protocol import Ambient, Call, Patience, Steps
from kycpack.api.recorder import Recorder, Subject
from kycpack.api.signers import Signer
from kycpack.errors import ApiError, KycpackError
from kycpack.models.customers import Customer
from kycpack.models.onboarding import SessionCreated
from kycpack.models.payments import PaymentCreated

T = TypeVar("T")

_KINDS: dict[str, Subject] = {
    CREATE_CUSTOMER.name: "customer",
    CREATE_PAYMENT.name: "payment",
    CREATE_SESSION.name: "session",
}


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
    if recorder is None or call.operation.name not in _KINDS:
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
    subject_id, customer_id, created = _made(made, call)
    try:
        recorder.learned(
            intent,
            _KINDS[call.operation.name],
            subject_id,
            customer_id=customer_id,
            org_id=call.about.get("orgId"),
            created_at=created or answer.requested_at,
            ordered=call.about.get("ordered"),
        )
    except KycpackError as error:
        error.add_note(f"the service has created it: {_KINDS[call.operation.name]} {subject_id}")
        raise


def _made(made: object, call: Call[T]) -> tuple[str, str | None, str | None]:
    if isinstance(made, Customer):
        return made.id, made.id, made.created
    if isinstance(made, SessionCreated):
        return made.session_id, call.about.get("customerId"), None
    if isinstance(made, PaymentCreated):
        return made.id, call.about.get("customerId"), None
    raise TypeError(f"{call.operation.name} does not create anything that is kept in a register")
