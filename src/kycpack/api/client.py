"""The client and the async client: one driver of the protocol in `exchange`, which blocks a thread or waits in the event loop."""

from __future__ import annotations

import random
import uuid
from abc import abstractmethod
from asyncio import sleep as sleep_async
from asyncio import to_thread
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from time import monotonic, sleep
from types import TracebackType
from typing import Any, ClassVar, Generic, NoReturn, ParamSpec, Self, TypeVar

import httpx

from kycpack.api import resources, wire
from kycpack.api.addresses import BaseUrl
from kycpack.api.answers import Answer
from kycpack.api.calls import call_by_name, described, or_raise
from kycpack.api.connections import AsyncConnections, Connections, SyncConnections
from kycpack.api.failures import Lost
from kycpack.api.pace import Pace
from kycpack.api.protocol import Ambient, Call, Patience, Pause, Received, Send, Steps
from kycpack.api.recording import Recorder, perform
from kycpack.api.signers import HmacSigner, Signer, load_signer
from kycpack.models.arguments import require_text
from kycpack.models.cards import parts_card
from kycpack.settings import Settings

T = TypeVar("T")
P = ParamSpec("P")
H = TypeVar("H", httpx.Client, httpx.AsyncClient)


class _Terms(Generic[H]):
    """The arguments of both clients, and how they are read."""

    _kind: ClassVar[type[Connections[Any, Any, Any]]]

    def __init__(  # noqa: PLR0913 - the options of a client, all but the address by keyword
        self,
        base_url: str | None = None,
        *,
        key_id: str | None = None,
        secret: str | None = None,
        signer: Signer | str | None = None,
        timeout: float = 30.0,
        max_retries: int = 3,
        deadline: float = 120.0,
        recorder: Recorder | None = None,
        now: Callable[[], datetime] | None = None,
        http_client: H | None = None,
        pace: Pace | None = None,
    ) -> None:
        for name, value in (("base_url", base_url), ("key_id", key_id), ("secret", secret)):
            require_text(name, value, optional=True)
        named = signer if isinstance(signer, str) else None
        self._settings = Settings.load(base_url=base_url, key_id=key_id, secret=secret, signer=named)
        self._place = BaseUrl(self._settings.base_url)
        self._signer = None if isinstance(signer, str) else signer
        if self._signer is None and self._settings.signer:
            self._signer = load_signer(
                self._settings.signer, key_id=self._settings.key_id, secret=self._settings.secret
            )
        self._patience = Patience(timeout=timeout, max_retries=max_retries, deadline=deadline).checked()
        self._recorder = recorder
        self._pace = pace
        self._ambient = Ambient(
            now=now or (lambda: datetime.now(UTC)),
            monotonic=monotonic,
            jitter=lambda most: random.uniform(0, most),  # noqa: S311 - it spreads load, it keeps no secret
            new_id=lambda: str(uuid.uuid4()),
            family=uuid.uuid4().hex[:8],
        )
        self._connections: Connections[Any, Any, Any] = self._kind(
            http_client, trust_env=not self._place.is_loopback
        )
        wire.install()
        self._add_resources()

    @property
    def base_url(self) -> str:
        """The service's address."""
        return self._settings.base_url

    def now(self) -> datetime:
        """Return the time of the client's clock, UTC."""
        return self._ambient.now()

    def with_options(
        self, *, timeout: float | None = None, max_retries: int | None = None, deadline: float | None = None
    ) -> Self:
        """Return a client with other timeouts and retries that shares this one's connections; closing either closes them.

        Args:
            timeout: Seconds without any data from the service.
            max_retries: How many times a request is sent again.
            deadline: Seconds for a call as a whole.
        """
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._patience = Patience(
            timeout=self._patience.timeout if timeout is None else timeout,
            max_retries=self._patience.max_retries if max_retries is None else max_retries,
            deadline=self._patience.deadline if deadline is None else deadline,
        ).checked()
        other._add_resources()
        return other

    def _steps(self, call: Call[T]) -> Steps[Answer[T]]:
        if self._signer is None:
            self._settings.require_credentials()
        signer = self._signer or HmacSigner(self._settings.key_id, self._settings.secret)
        return perform(call, self._place, signer, self._patience, self._ambient, self._recorder)

    async def _drive(self, steps: Steps[Answer[T]]) -> Answer[T]:
        try:
            step = next(steps)
            while True:
                try:
                    came = await self._take(step)
                except BaseException as error:
                    # The protocol must see what interrupts it, so that it can be recorded in the register.
                    steps.throw(error)
                    raise
                step = steps.send(came)
        except StopIteration as done:
            answer: Answer[T] = done.value
            return answer

    async def _take(self, step: Send | Pause) -> Received | Lost | None:
        if isinstance(step, Pause):
            await self._pause(step.seconds)
            return None
        if self._pace is None:
            return await wire.send(self._connections, step)
        until = monotonic() + step.deadline
        turn = await self._aside(self._pace.enter, step.deadline)
        if turn is None:
            return wire.NO_TURN
        try:
            in_turn = replace(step, deadline=max(until - monotonic(), 0.001))
            came = await wire.send(self._connections, in_turn)
        finally:
            self._pace.leave(turn)
        await self._aside(self._pace.heard, came)
        return came

    @abstractmethod
    async def _pause(self, seconds: float) -> None: ...

    @abstractmethod
    async def _aside(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call what blocks its thread."""

    def __getstate__(self) -> NoReturn:
        raise TypeError(
            f"a {type(self).__name__} cannot be pickled: it contains a secret and open connections; make one in each process, "
            "from the settings or the environment"
        )

    @abstractmethod
    def _add_resources(self) -> None: ...

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_url!r}, key_id={self._settings.key_id!r})"

    def _repr_html_(self) -> str:
        return parts_card(f"{type(self).__name__} of {self.base_url}", self)


def _run(steps: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that never waits for an event loop, as those of the synchronous client do not."""
    try:
        steps.send(None)
    except StopIteration as done:
        answer: T = done.value
        return answer
    raise RuntimeError("the synchronous client waited for an event loop")


class Client(_Terms[httpx.Client]):
    """The service's complete interface, synchronous; safe to use from several threads.

    Nothing is sent or checked before the first call. Address, key and secret come from the arguments, otherwise from the
    environment (`KYCPACK_BASE_URL`, `KYCPACK_KEY_ID`, `KYCPACK_SECRET`); the secret may also come from the keyring.

    Args:
        base_url: The service's address; plain http for loopback only.
        key_id: Id of the API key.
        secret: The key's secret, base64.
        signer: Any callable from `UnsignedRequest` to headers, instead of the default `HmacSigner`; or its location as
            `package.module:name` (`KYCPACK_SIGNER`).
        timeout: Seconds without any data from the service before a request counts as lost.
        max_retries: How many times a request that may be repeated is sent again.
        deadline: Seconds for a call as a whole, including waits.
        recorder: Records what the client creates; see `Recorder`.
        now: Returns the time to sign with; by default the machine's clock.
        http_client: An `httpx.Client` to send with; the caller has to close it. It cannot be used after a fork.
        pace: A rate limit that several clients share; see `SharedPace`.

    Raises:
        ConfigurationError: `timeout`, `max_retries` or `deadline` is out of range, or the signer cannot be
            loaded.
    """

    _kind = SyncConnections

    def raw(self, operation: str, *, body: Mapping[str, Any] | None = None, **arguments: Any) -> Answer[Any]:
        """Return the answer of an operation as received, whatever its status.

        Args:
            operation: Name of the operation, as in `customers.get`.
            body: Members of the body.
            **arguments: Ids of the path and arguments of the query, as in `customer_id=...`.

        Raises:
            InputError: The operation does not exist, or an argument does not fit.
            ApiError: There was no answer; an error status is not an error here.
        """
        call = described(call_by_name, (operation, arguments, body), {})
        del body  # it may contain card data, and tracebacks show local variables
        return self.ask(or_raise(call))

    def ask(self, call: Call[T], /) -> Answer[T]:
        """Return the answer to a call as received, whatever its status; `raw` makes the call by name.

        Args:
            call: The call.

        Raises:
            ConfigurationError: The address, key or secret cannot be used.
            ApiError: There was no answer; an error status is not an error here.
        """
        return _run(self._drive(self._steps(call)))

    def close(self) -> None:
        """Close the connections, unless they belong to the caller's own HTTP client."""
        _run(self._connections.aclose())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _add_resources(self) -> None:
        self.customers = resources.Customers(self.ask)
        self.payments = resources.Payments(self.ask)
        self.banks = resources.Banks(self.ask)
        self.bank_accounts = resources.BankAccounts(self.ask)
        self.source_of_wealth = resources.SourceOfWealthStatements(self.ask)
        self.onboarding = resources.Onboarding(self.ask)
        self.webhooks = resources.Webhooks(self.ask)

    async def _pause(self, seconds: float) -> None:
        sleep(seconds)  # noqa: ASYNC251 - it blocks its thread, as the synchronous client does

    async def _aside(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return call(*args, **kwargs)


class AsyncClient(_Terms[httpx.AsyncClient]):
    """The service's complete interface, asynchronous; arguments as for `Client`.

    It can be made without a running event loop, and belongs to the loop of its first call.

    Args:
        base_url: The service's address; plain http for loopback only.
        http_client: An `httpx.AsyncClient` to send with; the caller has to close it. The others as for `Client`.
    """

    _kind = AsyncConnections

    async def raw(
        self, operation: str, *, body: Mapping[str, Any] | None = None, **arguments: Any
    ) -> Answer[Any]:
        """Return the answer of an operation as received, whatever its status.

        Args:
            operation: Name of the operation, as in `customers.get`.
            body: Members of the body.
            **arguments: Ids of the path and arguments of the query, as in `customer_id=...`.

        Raises:
            InputError: The operation does not exist, or an argument does not fit.
            ApiError: There was no answer; an error status is not an error here.
        """
        call = described(call_by_name, (operation, arguments, body), {})
        del body
        return await self.ask(or_raise(call))

    async def ask(self, call: Call[T], /) -> Answer[T]:
        """Return the answer to a call as received, whatever its status; `raw` makes the call by name.

        Args:
            call: The call.

        Raises:
            ConfigurationError: The address, key or secret cannot be used.
            ApiError: There was no answer; an error status is not an error here.
        """
        return await self._drive(self._steps(call))

    async def close(self) -> None:
        """Close the connections, unless they belong to the caller's own HTTP client."""
        await self._connections.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def _add_resources(self) -> None:
        self.customers = resources.AsyncCustomers(self.ask)
        self.payments = resources.AsyncPayments(self.ask)
        self.banks = resources.AsyncBanks(self.ask)
        self.bank_accounts = resources.AsyncBankAccounts(self.ask)
        self.source_of_wealth = resources.AsyncSourceOfWealthStatements(self.ask)
        self.onboarding = resources.AsyncOnboarding(self.ask)
        self.webhooks = resources.AsyncWebhooks(self.ask)

    async def _pause(self, seconds: float) -> None:
        await sleep_async(seconds)

    async def _aside(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await to_thread(call, *args, **kwargs)
