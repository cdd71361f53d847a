"""What requests and answers have in common: names on the wire, unknown members, masking of personal data, and frames of lists."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any, Self, get_args, get_origin
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    StringConstraints,
    ValidationError,
)
from pydantic.alias_generators import to_camel, to_snake

from kycpack.errors import InputError
from kycpack.models.cards import MASK, card

if TYPE_CHECKING:
    import pandas as pd

_MAX_TEXT = 1_000
_NEVER_IN_TEXT = re.compile(r"[\x00\ud800-\udfff]")
_NEVER_IN_URL = re.compile(r"[\x00-\x20\x7f-\x9f\\\ud800-\udfff]")
_OPEN = frozenset(
    [
        "id",
        "orgId",
        "tenantId",
        "customerId",
        "sessionId",
        "bankId",
        "Id",
        "Event",
        "Status",
        "status",
        "outcome",
        "type",
        "frequency",
        "currency",
        "currencies",
        "country",
        "countryCode",
        "issuingCountry",
        "documentType",
        "checkType",
        "scopes",
        "events",
        "contentType",
        "bankName",
        "creditDebitIndicator",
        "purposeCode",
        "bankTransactionCode",
        "merchantCategoryCode",
        "error",
        "missingFields",
        "accountId",
        "paymentId",
        "level1",
        "level2",
        "addressMatchOutcome",
        "firstNameMatch",
        "lastNameMatch",
        "dataIntegrity",
        "documentAgeOutcome",
        "expirationDateCheck",
        "facialSimilarity",
        "faceDetection",
        "livenessCheck",
        "ipInAddressCountry",
        "ipProximityToAddress",
        "sanctionsLists",
        "terror",
        "environmentProduction",
        "socialLabour",
    ]
)
"""Members whose text is not personal: ids of the service, states, codes, outcomes of checks."""
_PERSONAL = frozenset({"dateOfBirth", "expirationDate"})
"""Members that look harmless but are personal."""
_STAMP = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:.]+(Z|[+-][0-9:]+)?)?")


class _Wire(BaseModel):
    model_config = ConfigDict(
        alias_generator=to_camel,
        validate_by_alias=True,
        validate_by_name=True,
        frozen=True,
        hide_input_in_errors=True,
    )

    def __repr__(self) -> str:
        identity = getattr(self, "id", None) or getattr(self, "session_id", None)
        return f"{type(self).__name__}({f'id={identity!r}' if identity else ''})"

    __str__ = __repr__

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:  # what rich and pytest would print
        identity = getattr(self, "id", None)
        if identity:
            yield "id", identity

    def _repr_html_(self) -> str:
        """Return the fields as a table for a notebook, with personal values masked: a notebook saves what it shows."""
        rows = list(shown_members(self))
        masked = any(MASK in row for row in rows)
        return card(
            repr(self),
            ("attribute", "on the wire", "value"),
            rows,
            notes=["Personal values are masked; read them as attributes."] if masked else [],
        )

    def __getattr__(self, name: str) -> Any:
        try:
            return super().__getattr__(name)  # type: ignore[misc]
        except AttributeError as error:
            python_name = to_snake(name)
            if python_name == name or python_name not in type(self).model_fields:
                raise
            reason = f"{error}; {name} is its name on the wire, the attribute is {python_name}"
        raise AttributeError(reason)

    @classmethod
    def read(cls, document: Any) -> Self:
        """Return the record for a parsed JSON document.

        Raises:
            InputError: The document does not fit; `place` is the first member that does not. Its value is not quoted.
        """
        try:
            return cls.model_validate(document)
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False, include_input=False)[0]
            place = ".".join(str(part) for part in first["loc"])
            raise InputError(first["msg"].removeprefix("Value error, "), place=place) from None

    def wire(self) -> dict[str, Any]:
        """Return the members that are set, under their names on the wire, ready for `dump_json`."""
        document: dict[str, Any] = _revealed(self.model_dump(by_alias=True, exclude_unset=True))
        return document


class Record(_Wire):
    """A record of an answer: unknown members are kept, unknown enum values stay raw."""

    model_config = ConfigDict(extra="allow")

    @property
    def request_id(self) -> str:
        """The `X-Request-Id` of the answer that this record came in; empty if it was not read from an answer."""
        return str(self.__dict__.get("_request_id", ""))

    def note_request(self, request_id: str) -> None:
        """Keep the id of the request that this record answers; it is not a member and is ignored when records are compared."""
        self.__dict__["_request_id"] = request_id


class Request(_Wire):
    """The body of a request: unknown members are refused, and values are not converted to other types."""

    model_config = ConfigDict(extra="forbid", strict=True)


def shown_members(record: BaseModel) -> Iterator[tuple[str, str, str]]:
    """Yield the members of a record that are set: attribute, name on the wire, and the value or a mask.

    Shown are numbers, flags, dates, states and codes; any other text may be personal.
    """
    document = record.model_dump(by_alias=True, exclude_unset=True)
    for path, value in leaves("", document):
        name = re.sub(r"\[[0-9]+\]$", "", path.rpartition(".")[2])
        open_text = name in _OPEN or name in getattr(record, "open_members", ())
        harmless = (
            not isinstance(value, str | SecretStr) or open_text or _STAMP.fullmatch(str(value)) is not None
        )
        personal = value not in {None, ""} and (name in _PERSONAL or not harmless)
        attribute = ".".join(map(to_snake, path.split(".")))
        yield attribute, path, MASK if personal else "" if value is None else str(value)


def leaves(path: str, value: Any, *, into_lists: bool = True) -> Iterator[tuple[str, Any]]:
    """Yield the values in a document with their paths, as in `address.city` and `items[0].id`.

    Args:
        path: The path of the document itself; empty for a whole one.
        value: The document.
        into_lists: Whether the items of a list are values of their own; otherwise the list is one value.
    """
    if isinstance(value, dict):
        for name, member in value.items():
            yield from leaves(f"{path}.{name}" if path else str(name), member, into_lists=into_lists)
    elif into_lists and isinstance(value, list | tuple):
        for index, member in enumerate(value):
            yield from leaves(f"{path}[{index}]", member)
    else:
        yield path, value


def _revealed(value: Any) -> Any:
    if isinstance(value, SecretStr):
        return value.get_secret_value()
    if isinstance(value, dict):
        return {name: _revealed(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [_revealed(member) for member in value]
    return value


def _plain_text(text: str) -> str:
    if _NEVER_IN_TEXT.search(text):
        raise ValueError("text has a NUL or half a surrogate pair")
    return text


def iso_date(text: str) -> str:
    """Return a date if it exists and has the form YYYY-MM-DD; Python also reads other forms, such as 20260501.

    Raises:
        ValueError: It does not.
    """
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        raise ValueError("expected a date as YYYY-MM-DD")
    try:
        date.fromisoformat(text)
    except ValueError:
        raise ValueError("this date does not exist") from None
    return text


def _email_address(text: str) -> str:
    if not re.fullmatch(r"[^@\s]{1,64}@[^@\s.]+(\.[^@\s.]+)+", text):
        raise ValueError("expected an e-mail address")
    return text


def _web_url(text: str, schemes: tuple[str, ...]) -> str:
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise ValueError("expected an absolute URL") from None
    if _NEVER_IN_URL.search(text) or parts.scheme not in schemes or not host:
        raise ValueError(f"expected an absolute URL with {' or '.join(schemes)}")
    if parts.username is not None or parts.password is not None:
        raise ValueError("a URL must not carry credentials")
    return text


Text = Annotated[str, StringConstraints(max_length=_MAX_TEXT), AfterValidator(_plain_text)]
"""Text of a request: at most 1,000 characters, no NUL, no lone surrogates."""

Id = Annotated[str, StringConstraints(min_length=1)]
"""An id in an answer; it must not be empty."""

NamedText = Annotated[Text, StringConstraints(min_length=1)]
"""Text that must not be empty."""

IsoDate = Annotated[str, AfterValidator(iso_date), Field(json_schema_extra={"format": "date"})]
"""A date that exists, as YYYY-MM-DD."""

CountryCode = Annotated[str, StringConstraints(pattern=r"^[A-Z]{2}$")]
"""The form of an ISO 3166-1 alpha-2 code."""

EmailAddress = Annotated[Text, AfterValidator(_email_address), Field(json_schema_extra={"format": "email"})]
"""Text in the form of an e-mail address."""

HttpsUrl = Annotated[Text, AfterValidator(lambda text: _web_url(text, ("https",)))]
"""An absolute https URL."""

WebUrl = Annotated[Text, AfterValidator(lambda text: _web_url(text, ("http", "https")))]
"""An absolute http or https URL."""


def to_frame(records: Sequence[Record], model: type[Record]) -> pd.DataFrame:
    """Return records as a frame.

    Args:
        records: The records.
        model: Their class; its members are columns even if no record has them.

    Returns:
        One row per record; columns have the names of the attributes. Names of nested members are joined by a point, as in
        `address.city`, and unknown members keep their names on the wire. Amounts stay Decimal.
    """
    import pandas as pd  # noqa: PLC0415 - a client that lists nothing as a frame does not wait for it

    rows = [dict(leaves("", record.model_dump(), into_lists=False)) for record in records]
    names = dict.fromkeys((*_columns(model), *(name for row in rows for name in row)))
    return pd.DataFrame(
        [[row.get(name) for name in names] for row in rows], columns=list(names), dtype=object
    )


def _columns(model: type[Record], above: str = "") -> Iterator[str]:
    for name, field in model.model_fields.items():
        nested = [
            kind
            for kind in (field.annotation, *get_args(field.annotation))
            if isinstance(kind, type)
            and issubclass(kind, Record)
            and get_origin(field.annotation) is not list
        ]
        if nested:
            yield from _columns(nested[0], f"{above}{name}.")
        else:
            yield f"{above}{name}"
