"""The protocol of a request, written once and without I/O.

`exchange` is a generator: it yields what to send or wait for, receives what came back, and returns the answer. One driver in
`client` serves both clients, and tests can drive it without either.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from kycpack.api.addresses import BaseUrl, resolve_redirect
from kycpack.api.answers import Answer
from kycpack.api.failures import Doubt, Lost, lost_error, retry_after
from kycpack.api.operations import Repeat
from kycpack.api.protocol import Ambient, Call, Patience, Pause, Received, Sealed, Send, Steps
from kycpack.api.signers import Signer, UnsignedRequest, signed_headers
from kycpack.errors import ContractError, InputError
from kycpack.models.ids import same_id
from kycpack.models.instants import format_instant
from kycpack.models.json import parse_json

T = TypeVar("T")

_LOG = logging.getLogger("kycpack.api")

FIRST_WAIT = 0.5
LONGEST_WAIT = 8.0
LONGEST_RETRY_AFTER = 60.0
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MAX_HOPS = 3
_EXPIRED = frozenset({401, 403, 404, 410})
_KEPT_OUT = frozenset({"location", "set-cookie", "authorization"})


def exchange(
    call: Call[T], place: BaseUrl, signer: Signer, patience: Patience, ambient: Ambient
) -> Steps[Answer[T]]:
    """Run a call until its answer.

    Args:
        call: The call.
        place: Address of the service.
        signer: Signs every attempt anew.
        patience: Timeouts and retries.
        ambient: Clock, randomness and ids.

    Returns:
        The last answer, whatever its status.

    Raises:
        TransportError: There was no answer, or not in time (`RequestTimeoutError`).
        OutcomeUnknownError: The answer to a request that must not be repeated was lost.
        ContractError: The answer is too large, redirects where it must not, or is about something else.
        ConfigurationError: The address, the key or the secret cannot be used.
    """
    course = _Exchange(call, place, signer, patience, ambient, ambient.new_request_id(), ambient.monotonic())
    answer = yield from course.ask()
    if call.operation.follow and answer.status in _REDIRECTS:
        return (yield from course.follow(answer))
    return course.conclude(answer)


@dataclass(slots=True)
class _Exchange(Generic[T]):
    call: Call[T]
    place: BaseUrl
    signer: Signer
    patience: Patience
    ambient: Ambient
    request_id: str
    started: float
    requested_at: str = ""
    attempts: int = 0
    in_doubt: bool = False

    def ask(self) -> Steps[Received]:
        """Send the signed call, as many times as its operation allows."""
        return (yield from self._persist(self._signed, self.call.operation.repeat))

    def follow(self, redirect: Received) -> Steps[Answer[T]]:
        """Follow a redirect; if the link has expired, request a new one once."""
        fetched = yield from self._fetch(redirect)
        if fetched.status in _EXPIRED:
            redirect = yield from self.ask()
            if redirect.status not in _REDIRECTS:
                return self.conclude(redirect)
            fetched = yield from self._fetch(redirect)
        return self.conclude(fetched)

    def conclude(self, received: Received) -> Answer[T]:
        """Return the answer for the caller."""
        headers = {name: value for name, value in received.headers.items() if name not in _KEPT_OUT}
        return Answer(
            operation=self.call.operation,
            path=self.call.path,
            query=self.call.query,
            status=received.status,
            headers=headers,
            content=received.content,
            file=received.file,
            request_id=self.request_id,
            requested_at=self.requested_at,
            attempts=self.attempts,
            subject=self.call.subject,
            doubt=self._doubt(may_have_happened=self.in_doubt or received.status < 400),
        )

    def _doubt(self, *, may_have_happened: bool) -> Doubt:
        operation = self.call.operation
        return Doubt(
            may_have_happened=may_have_happened and operation.changes,
            once=operation.creates,
            key=self.call.key,
            about_payment="attempt" in operation.name,
        )

    def _fetch(self, redirect: Received) -> Steps[Received]:
        # A storage host must not get our request id, and a signed link needs no other authorization.
        kept = {name: value for name, value in self._headers.items() if name in {"Accept", "User-Agent"}}
        origin = self.place.join(self.call.path, self.call.query).url
        for _ in range(_MAX_HOPS):
            origin = resolve_redirect(
                origin,
                redirect.headers.get("location", ""),
                operation=self.call.operation.name,
                request_id=self.request_id,
            )
            redirect = yield from self._persist(
                partial(self._send, "GET", origin, kept, Sealed(), lambda _: ""), Repeat.SAFE
            )
            if redirect.status not in _REDIRECTS:
                return redirect
        raise ContractError(
            f"{self._target}: more than {_MAX_HOPS} redirects",
            expected="a file",
            operation=self.call.operation.name,
            request_id=self.request_id,
        )

    def _persist(self, prepare: Callable[[float], Send], repeat: Repeat) -> Steps[Received]:
        tries = 0
        while True:
            left = self.patience.deadline - (self.ambient.monotonic() - self.started)
            tries += 1
            self.attempts += 1
            came = yield prepare(max(left, 0.001))
            if came is None:
                raise TypeError("a driver answers Send with Received or Lost")
            self._log(came)
            self.in_doubt = self.in_doubt or (
                came.sent if isinstance(came, Lost) else came.status == 408 or came.status >= 500
            )
            wait = self._wait_before_retry(came, repeat, tries)
            if wait is None:
                break
            _LOG.debug("request %s is sent again in %.1f s", self.request_id, wait)
            yield Pause(wait)
        if isinstance(came, Lost):
            raise lost_error(
                came,
                operation=self.call.operation.name,
                target=self._target,
                request_id=self.request_id,
                doubt=self._doubt(may_have_happened=self.in_doubt),
            )
        return came

    def _log(self, came: Received | Lost) -> None:
        # Without path and reason: they may come from outside, and an id in a path may be a person's e-mail address.
        said = f"lost ({came.kind})" if isinstance(came, Lost) else f"answered {came.status}"
        _LOG.debug(
            "%s: sending %d %s, request %s", self.call.operation.name, self.attempts, said, self.request_id
        )

    def _wait_before_retry(self, came: Received | Lost, repeat: Repeat, tries: int) -> float | None:
        if tries > self.patience.max_retries or not _may_repeat(came, repeat):
            return None
        wait = self.ambient.jitter(min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** (tries - 1)))
        asked = retry_after(came.headers) if isinstance(came, Received) else None
        if asked is not None:
            if asked > LONGEST_RETRY_AFTER:
                return None
            wait = asked
        spent = self.ambient.monotonic() - self.started
        return wait if spent + wait < self.patience.deadline else None

    def _send(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: Sealed,
        check: Callable[[Received], str],
        left: float,
    ) -> Send:
        return Send(
            method=method,
            url=url,
            headers=headers,
            body=body,
            timeout=min(self.patience.timeout, left),
            deadline=left,
            limit=self.call.operation.limit,
            confidential=self.call.operation.follow,
            # Bytes left on a connection must not be taken for the id of something new.
            single=self.call.operation.creates,
            folder=self.call.folder,
            check=check,
        )

    def _problem(self, received: Received) -> str:
        """Return why this is not the answer to the call; empty if it is."""
        answered = received.headers.get("x-request-id", "")
        if answered != self.request_id and self.ambient.is_own(answered):
            return "the answer belongs to another request of this client"
        return _other_subject(self.call, received)

    def _signed(self, left: float) -> Send:
        location = self.place.join(self.call.path, self.call.query)
        now = self.ambient.now()
        self.requested_at = format_instant(now)
        headers = {"Host": location.host, **self._headers}
        if self.call.body:
            headers["Content-Type"] = "application/json"
        unsigned = UnsignedRequest(
            method=self.call.operation.method,
            url=location.url,
            target=location.target,
            host=location.host,
            headers=headers,
            body=self.call.body.reveal(),
            now=now,
            nonce=self.ambient.new_id(),
        )
        signed = {**headers, **signed_headers(self.signer, unsigned)}
        return self._send(unsigned.method, location.url, signed, self.call.body, self._problem, left)

    @property
    def _headers(self) -> dict[str, str]:
        return {
            "Accept": self.call.operation.accept,
            "User-Agent": "kycpack",
            "X-Request-Id": self.request_id,
        }

    @property
    def _target(self) -> str:
        return f"{self.call.operation.method} {self.call.path}"


def _other_subject(call: Call[Any], received: Received) -> str:
    echoes = [echo for echo in call.operation.echoes if f'"{echo.member}"'.encode() in received.content]
    if not echoes or not 200 <= received.status < 300:
        return ""
    try:
        document = parse_json(received.content)
    except InputError:
        return ""
    if not isinstance(document, dict):
        return ""
    for argument, member in echoes:
        asked, answered = call.ids.get(argument), document.get(member)
        if asked is not None and isinstance(answered, str) and not same_id(asked, answered):
            return f"the answer is about another {argument.removesuffix('_id').replace('_', ' ')}"
    return ""


def _may_repeat(came: Received | Lost, repeat: Repeat) -> bool:
    if isinstance(came, Lost):
        return came.may_pass and (not came.sent or repeat is not Repeat.ONCE)
    if came.status == 429:
        return True
    return repeat is not Repeat.ONCE and (came.status == 408 or came.status >= 500)
