"""An operation of the control API as data, and the input of its handler."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from pydantic import BaseModel

from kycpack.service.state import Service


@dataclass(frozen=True, slots=True)
class ControlCall:
    """The input of a handler.

    Attributes:
        service: The service.
        path: Parameters of the path.
        body: The body as the operation's model; None if it takes none.
    """

    service: Service
    path: Mapping[str, str] = field(default_factory=dict)
    body: Any = None


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
    handler: Callable[[ControlCall], Any]
    summary: str
    body: type[BaseModel] | None = None
    _: KW_ONLY
    answer: type[BaseModel]
    about: str = ""
