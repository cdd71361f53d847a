"""Answers as received, and how they are read: as a record, a list, a file, or any JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, overload

from kycpack.api.bodies import FileBody, check_media
from kycpack.api.failures import Doubt, status_error
from kycpack.errors import ContractError, InputError
from kycpack.models.bank_data import TransactionPage
from kycpack.models.cards import card
from kycpack.models.json import parse_json
from kycpack.models.paging import read_page_end
from kycpack.models.payments import Attempt
from kycpack.models.record import Record, shown_members, to_frame

if TYPE_CHECKING:
    import pandas as pd

    from kycpack.api.operations import Operation

T = TypeVar("T")
R = TypeVar("R", bound=Record)

_ENVELOPE_NAMES = ("items", "data", "results")


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """An answer of any status, as received.

    Attributes:
        operation: The operation that was called.
        path: Path below the base URL.
        query: Raw query; may be empty.
        status: HTTP status.
        headers: Headers with names in lower case; redirects and cookies are left out.
        content: The body's bytes.
        request_id: The `X-Request-Id` that was sent.
        requested_at: When the request was sent, ISO 8601 UTC, by the client's clock.
        attempts: How many times the request was sent.
        subject: What the request was about, in words, as in `customer c-1`; empty if it had no ids.
        doubt: What is known about the outcome, if the status does not show it.
        file: The body, if the call wanted it in a file; `content` is empty then.
    """

    operation: Operation[T]
    path: str
    query: str
    status: int
    headers: Mapping[str, str] = field(repr=False)
    content: bytes = field(repr=False)
    request_id: str
    requested_at: str
    attempts: int
    subject: str = ""
    doubt: Doubt = field(default_factory=Doubt, repr=False)
    file: FileBody | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        size = self.file.size if self.file else len(self.content)
        return f"Answer({self.operation.name}, status {self.status}, {size} bytes)"

    @property
    def is_success(self) -> bool:
        """Whether the status is 2xx."""
        return 200 <= self.status < 300

    @property
    def content_type(self) -> str:
        """The media type without parameters, in lower case."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    def json(self) -> Any:
        """Return the body as JSON; numbers with a point are Decimal.

        Raises:
            ContractError: The body is not JSON.
        """
        try:
            return parse_json(self.content)
        except InputError as error:
            problem = str(error)
        raise self.contract_error(problem, expected="a JSON document")

    def raise_for_status(self) -> Self:
        """Return the answer itself if its status is 2xx.

        Raises:
            StatusError: The class for its status.
            ContractError: The status is neither success nor error.
        """
        if self.is_success:
            return self
        if self.status < 400:
            raise self.contract_error(f"status {self.status}", expected="2xx, 4xx or 5xx")
        raise status_error(self)

    def record(self) -> T:
        """Return the body as the operation's record; records and listings have the `request_id` of their request.

        Raises:
            StatusError: The status is not 2xx.
            ContractError: The body is not in the specified shape.
        """
        found = self.operation.read(self.raise_for_status())
        if isinstance(found, Record | Listing):
            found.note_request(self.request_id)
        return found

    def contract_error(self, problem: str, *, expected: str, place: str = "") -> ContractError:
        """Return the error for an answer that is not in the specified shape."""
        where = f" at {place}" if place else ""
        said = f"{self.operation.method} {self.path} answered {self.status} in an unexpected shape{where}: {problem}"
        advice = f"; {self.doubt.advice}" if self.doubt.advice else ""
        return self.doubt.mark(
            ContractError(
                f"{said}; expected {expected}{advice}",
                expected=expected,
                place=place,
                operation=self.operation.name,
                request_id=self.request_id,
            )
        )


class Listing(Sequence[R]):
    """Records of a list, or of one page of it.

    Args:
        items: The records.
        raw: The parsed body that contained them.
        model: Class of the items; None for the class of the first one.

    Attributes:
        request_id: The `X-Request-Id` of the answer; empty if it was not read from an answer.
        has_more: Whether the answer says that there are more items; the resource's `iter` fetches them.
    """

    def __init__(self, items: Sequence[R], raw: Any, model: type[R] | None = None) -> None:
        self.items = tuple(items)
        self.raw = raw
        self.request_id = ""
        self.has_more = bool(read_page_end(raw).names)
        self._model = model

    def note_request(self, request_id: str) -> None:
        """Keep the id of the request that this listing answers."""
        self.request_id = request_id

    def to_frame(self) -> pd.DataFrame:
        """Return the records as a frame, one row each; members of nested records become columns such as `address.city`."""
        model = self._model or (type(self.items[0]) if self.items else Record)
        return to_frame(self.items, model)

    @overload
    def __getitem__(self, index: int) -> R: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[R]: ...
    def __getitem__(self, index: int | slice) -> R | Sequence[R]:
        return self.items[index]

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[R]:
        return iter(self.items)

    def __eq__(self, other: object) -> bool:
        return self.items == other.items if isinstance(other, Listing) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(id(item) for item in self.items))

    def __repr__(self) -> str:
        return f"Listing({len(self)} items{', and there are more' if self.has_more else ''})"

    def _repr_html_(self) -> str:
        rows = [{name: value for name, _, value in shown_members(item)} for item in self.items]
        names = list(dict.fromkeys(name for row in rows for name in row))
        return card(repr(self), names, [[row.get(name) for name in names] for row in rows])


def as_record(model: type[R]) -> Callable[[Answer[R]], R]:
    """Return a reader of one record."""

    def read(answer: Answer[R]) -> R:
        return _fit(answer, model, answer.json(), "")

    return read


def as_listing(model: type[R], name: str) -> Callable[[Answer[Listing[R]]], Listing[R]]:
    """Return a reader of a list: an array, or an object that contains one (the interface does not document either).

    Args:
        model: Class of the items.
        name: The resource's name, which an envelope may use as the name of its member.
    """

    def read(answer: Answer[Listing[R]]) -> Listing[R]:
        document = answer.json()
        items = list_items(document, name)
        if items is None:
            raise answer.contract_error(
                "it contains no list", expected=f"an array of {model.__name__}, or an object with one"
            )
        return Listing([_fit(answer, model, item, f"[{n}]") for n, item in enumerate(items)], document, model)

    return read


def list_items(document: Any, name: str) -> list[Any] | None:
    """Return the items of a list answer, None if it contains no list.

    Args:
        document: The parsed body: an array, or an envelope.
        name: The resource's name, which an envelope may use as the name of its member.
    """
    if isinstance(document, list):
        return document
    if not isinstance(document, dict):
        return None
    for member in (*_ENVELOPE_NAMES, name):
        if isinstance(document.get(member), list):
            return list(document[member])
    lists = [value for value in document.values() if isinstance(value, list)]
    return lists[0] if len(lists) == 1 else None


def as_transactions(answer: Answer[TransactionPage]) -> TransactionPage:
    """Read a page of transactions; a bare array is the only page."""
    document = answer.json()
    page = {"items": document} if isinstance(document, list) else document
    return _fit(answer, TransactionPage, page, "")


def as_attempt(answer: Answer[Attempt]) -> Attempt:
    """Read a payment attempt; the idempotency key is set from the request if the answer does not contain it."""
    attempt = _fit(answer, Attempt, answer.json(), "")
    if attempt.idempotency_key:
        return attempt
    return attempt.model_copy(update={"idempotency_key": answer.doubt.key})


def as_whatever(model: type[R]) -> Callable[[Answer[R | Any]], R | Any]:
    """Return a reader of a body that the interface does not document.

    It returns the record if the body fits, otherwise the parsed document; None for an empty body.
    """

    def read(answer: Answer[R | Any]) -> R | Any:
        if not answer.content.strip():
            return None
        document = answer.json()
        try:
            return model.read(document)
        except InputError:
            return document

    return read


def as_pdf(answer: Answer[bytes]) -> bytes:
    """Read a PDF file.

    Raises:
        ContractError: The body is not a PDF.
    """
    if not answer.content.startswith(b"%PDF-"):
        raise answer.contract_error(f"not a PDF ({answer.content_type or 'no type'})", expected="a PDF file")
    return answer.content


def as_media(answer: Answer[bytes]) -> bytes:
    """Read a media file; its content must match its type.

    Raises:
        ContractError: The content does not match its type.
    """
    problem = check_media(answer.content, answer.content_type)
    if problem:
        raise answer.contract_error(problem, expected="an image, a PDF or a video")
    return answer.content


def _fit(answer: Answer[Any], model: type[R], document: Any, prefix: str) -> R:
    try:
        return model.read(document)
    except InputError as error:
        place, problem = error.place, str(error)
    path = f"{prefix}.{place}" if prefix and place else prefix or place
    raise answer.contract_error(problem, expected=model.__name__, place=path)
