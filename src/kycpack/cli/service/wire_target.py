"""Filling an embedded service through its own interface, as a provider's clients would.

Everything that the interface offers goes through the signed client, so that the register records it as in real work. Steps
that only a person or a bank could do (finishing a session, granting access), and moving the clock, go through the control API.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from types import TracebackType
from typing import Any, Self

import httpx

from kycpack.api import Client, Recorder
from kycpack.errors import ServiceError
from kycpack.models.customers import CustomerCreate
from kycpack.models.json import dump_json
from kycpack.models.onboarding import SessionCreate
from kycpack.models.payments import PaymentCreate

_SECONDS = 60.0
_JSON = {"Content-Type": "application/json"}


class WireTarget:
    """A service that is filled with customers over HTTP.

    Args:
        base_url: Address of the service.
        control_url: Address of its control API.
        key_id: Id of a key with all permissions.
        secret: The key's secret.
        recorder: Records what is created.
    """

    def __init__(
        self, base_url: str, control_url: str, *, key_id: str, secret: str, recorder: Recorder
    ) -> None:
        self._skew = timedelta()
        self._client = Client(
            base_url,
            key_id=key_id,
            secret=secret,
            recorder=recorder,
            now=lambda: datetime.now(UTC) + self._skew,
        )
        self._control = httpx.Client(base_url=control_url, timeout=_SECONDS, trust_env=False, headers=_JSON)

    def create_customer(self, body: Mapping[str, Any]) -> str:
        """Create a customer and return the id."""
        return self._client.customers.create(**_arguments(CustomerCreate, body)).id

    def grant_bank_access(self, customer_id: str, body: Mapping[str, Any]) -> tuple[str, ...]:
        """Load bank accounts and return their ids in the order of the body."""
        held = self._post(f"/customers/{customer_id}/bank-access", body)
        items = held["items"] if isinstance(held, dict) else held
        return tuple(str(account["id"]) for account in items[-len(body["accounts"]) :])

    def create_payment(self, body: Mapping[str, Any]) -> str:
        """Create a payment and return the id."""
        return self._client.payments.create(**_arguments(PaymentCreate, body)).id

    def create_session(self, body: Mapping[str, Any], age: timedelta) -> str:
        """Order a session dated back by an age, and return the id."""
        if not age:
            return self._order(body)
        self._post("/clock", {"advance_seconds": -int(age.total_seconds())})
        self._skew = -age
        try:
            return self._order(body)
        finally:
            self._skew = timedelta()
            self._post("/clock", {"advance_seconds": int(age.total_seconds())})

    def finish_session(self, session_id: str, results: Mapping[str, Any]) -> None:
        """Complete a session with partial results."""
        self._post(f"/sessions/{session_id}/finish", {"results": results} if results else {})

    def close(self) -> None:
        """Close both connections."""
        self._client.close()
        self._control.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _order(self, body: Mapping[str, Any]) -> str:
        return self._client.onboarding.create(**_arguments(SessionCreate, body)).session_id

    def _post(self, path: str, body: Mapping[str, Any]) -> Any:
        try:
            answer = self._control.post(path, content=dump_json(body))
        except httpx.HTTPError as error:
            raise ServiceError(f"the embedded service did not answer ({type(error).__name__})") from None
        if answer.status_code != httpx.codes.OK:
            # The path contains only ids; the body would contain personal data.
            raise ServiceError(f"the embedded service refused POST {path} ({answer.status_code})")
        return answer.json()


def _arguments(
    model: type[CustomerCreate | PaymentCreate | SessionCreate], body: Mapping[str, Any]
) -> dict[str, Any]:
    # Bodies use the interface's names, the client's keywords use Python's.
    read = model.read(body)
    return {name: getattr(read, name) for name in read.model_fields_set}
