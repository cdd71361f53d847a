"""An operation of the control API as data, and what handlers share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Any

from pydantic import BaseModel
from starlette.requests import Request

from kycpack.service.bodies import check, read_model
from kycpack.service.state import Service

Handler = Callable[["ControlCall"], Any]


@dataclass(frozen=True, slots=True)
class ControlCall:
    """The input of a handler.

    Attributes:
        service: The service.
        request: The request, for parameters of the path.
        body: The body as the operation's model; None if it takes none.
    """

    service: Service
    request: Request
    body: Any

    def path(self, name: str) -> str:
        """Return a parameter of the path."""
        return str(self.request.path_params[name])


@dataclass(frozen=True, slots=True)
class Control:
    """One operation of the control API.

    Attributes:
        method: HTTP method.
        path: Path template below `/_control`.
        handler: Carries it out, and returns a JSON document.
        summary: One line.
        body: Model of its body; None if it takes none.
        answer: Model of its answer.
        about: Further description.
    """

    method: str
    path: str
    handler: Handler
    summary: str
    body: type[BaseModel] | None = None
    _: KW_ONLY
    answer: type[BaseModel]
    about: str = ""


def read_control_body(control: Control, body: bytes, content_type: str) -> Any:
    """Return a body as the operation's model; an absent one is an empty object.

    Raises:
        RefusedError: 400 names the field that does not fit; 415.
    """
    if control.body is None:
        return None
    if not body:
        return check(control.body, {})
    return read_model(control.body, body, content_type, required=True)
