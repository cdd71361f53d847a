"""Makes methods from descriptions: each call is described once, and sent by both clients.

A description is a plain function from arguments to a `Call`; its signature and docstring are those of the method. `asked`
and `paged` make the methods of `Client`, `awaited` and `paged_async` those of `AsyncClient`.
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from datetime import date
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, overload

from kycpack.api.answers import Answer, Listing
from kycpack.api.calls import described, next_call, or_raise
from kycpack.api.protocol import Call
from kycpack.models.bank_data import Transaction, TransactionPage
from kycpack.models.cards import MethodsCard
from kycpack.models.record import Record

P = ParamSpec("P")
T = TypeVar("T")
M = TypeVar("M", bound=Callable[..., Any])
D = TypeVar("D")
R = TypeVar("R", bound=Record)

Members = Mapping[str, Any]
"""Members of a nested object, under their Python names or their names on the wire."""


class CallSender(Protocol):
    """Sends a call, and returns its answer."""

    def __call__(self, call: Call[T], /) -> Answer[T]:
        """Return the answer as received."""


class AskAsync(Protocol):
    """Sends a call, and returns its answer asynchronously."""

    async def __call__(self, call: Call[T], /) -> Answer[T]:
        """Return the answer as received."""


class Resource(MethodsCard):
    """A part of the interface for `Client`."""

    def __init__(self, ask: CallSender) -> None:
        self._ask = ask


class AsyncResource(MethodsCard):
    """A part of the interface for `AsyncClient`."""

    def __init__(self, ask: AskAsync) -> None:
        self._ask = ask


def asked(describe: Callable[P, Call[T]]) -> Callable[Concatenate[Resource, P], T]:
    """Return the method that sends the call of a description and returns the record."""

    def method(self: Resource, /, *args: P.args, **kwargs: P.kwargs) -> T:
        call = described(describe, args, kwargs)
        del args, kwargs  # they may contain card data, and tracebacks show local variables
        return self._ask(or_raise(call)).record()

    return _named(method, describe, "", "")


def awaited(
    describe: Callable[P, Call[T]],
) -> Callable[Concatenate[AsyncResource, P], Coroutine[Any, Any, T]]:
    """Return the same method as `asked`, for `AsyncClient`."""

    async def method(self: AsyncResource, /, *args: P.args, **kwargs: P.kwargs) -> T:
        call = described(describe, args, kwargs)
        del args, kwargs
        return (await self._ask(or_raise(call))).record()

    return _named(method, describe, "", "")


@overload
def paged(describe: Callable[P, Call[Listing[R]]]) -> Callable[Concatenate[Resource, P], Iterator[R]]: ...
@overload
def paged(
    describe: Callable[P, Call[TransactionPage]],
) -> Callable[Concatenate[Resource, P], Iterator[Transaction]]: ...
def paged(describe: Callable[P, Call[Any]]) -> Callable[Concatenate[Resource, P], Iterator[Any]]:
    """Return the method that yields the items of a list, and requests its pages when they are needed."""

    def method(self: Resource, /, *args: P.args, **kwargs: P.kwargs) -> Iterator[Any]:
        return _items(self._ask, or_raise(described(describe, args, kwargs)))

    return _named(method, describe, "Iterator", _PAGED)


@overload
def paged_async(
    describe: Callable[P, Call[Listing[R]]],
) -> Callable[Concatenate[AsyncResource, P], AsyncIterator[R]]: ...
@overload
def paged_async(
    describe: Callable[P, Call[TransactionPage]],
) -> Callable[Concatenate[AsyncResource, P], AsyncIterator[Transaction]]: ...
def paged_async(
    describe: Callable[P, Call[Any]],
) -> Callable[Concatenate[AsyncResource, P], AsyncIterator[Any]]:
    """Return the same method as `paged`, for `async for`."""

    def method(self: AsyncResource, /, *args: P.args, **kwargs: P.kwargs) -> AsyncIterator[Any]:
        return _items_async(self._ask, or_raise(described(describe, args, kwargs)))

    return _named(method, describe, "AsyncIterator", _PAGED)


def iso_day(day: D | date) -> D | str:
    """Return a date as YYYY-MM-DD, and anything else as it is."""
    return day.isoformat() if isinstance(day, date) else day


_PAGED = """Yield the items one by one; each page is requested when it is needed.

{}

Yields:
    The items, in the order of the service.

Raises:
    InputError: An argument does not fit.
    ContractError: There are more pages, but it is not clear how to request them; items are never left out silently.
    ApiError: The service refused or could not be reached.
"""


def _items(ask: CallSender, first: Call[Any]) -> Iterator[Any]:
    call: Call[Any] | None = first
    asked_for: list[str] = []
    while call is not None:
        answer = ask(call)
        yield from answer.record().items
        call = next_call(answer, call, asked_for)


async def _items_async(ask: AskAsync, first: Call[Any]) -> AsyncIterator[Any]:
    call: Call[Any] | None = first
    asked_for: list[str] = []
    while call is not None:
        answer = await ask(call)
        for item in answer.record().items:
            yield item
        call = next_call(answer, call, asked_for)


def _named(method: M, describe: Callable[..., Any], container: str, doc: str) -> M:
    """Give a method the name, signature and docstring of its description, for `help()` and completion."""
    signature = inspect.signature(describe)
    words = inspect.getdoc(describe) or ""
    returned = str(signature.return_annotation).removeprefix("Call[").removesuffix("]")
    if doc:
        words = doc.format(
            "Args:" + words.partition("Args:")[2].partition("\n\n")[0] if "Args:" in words else ""
        )
        returned = f"{container}[{_ITEMS.get(returned, returned.removeprefix('Listing[').removesuffix(']'))}]"
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    parameters = [own, *signature.parameters.values()]
    facts: dict[str, Any] = {
        "__signature__": signature.replace(parameters=parameters, return_annotation=returned),
        "__name__": describe.__name__.rstrip("_"),
        "__qualname__": describe.__qualname__.rstrip("_"),
        "__module__": describe.__module__,
        "__doc__": words,
    }
    for name, value in facts.items():
        setattr(method, name, value)
    return method


_ITEMS = {"TransactionPage": "Transaction"}
