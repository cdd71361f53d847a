"""A browser's visit: a cookie with a random id, and the form token that belongs to it.

A form is accepted only with the token of the visit in which it was shown, so that no other site can send it in a person's name.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from kycpack.service.links import Links
from kycpack.service.problems import RefusedError

FORM_TOKEN = "form_token"  # noqa: S105 - the name of a form's field
_COOKIE = "kycpack_visit"
_FORM = "form"
_ID = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Visit:
    """One browser's visit.

    Attributes:
        id: Random id.
        new: Whether the cookie has to be set.
    """

    id: str
    new: bool


def visit_of(request: Request) -> Visit:
    """Return the visit in a request's cookie, or a new one."""
    given = request.cookies.get(_COOKIE, "")
    return Visit(given, new=False) if _ID.fullmatch(given) else Visit(secrets.token_hex(16), new=True)


def remember(visit: Visit, response: Response, *, secure: bool) -> None:
    """Set the cookie of a new visit; it ends with the browser's session."""
    if visit.new:
        response.set_cookie(_COOKIE, visit.id, httponly=True, samesite="lax", secure=secure)


def form_token(visit: Visit, links: Links, form: str = _FORM) -> str:
    """Return the form token of a visit; the forms of the console have one of their own."""
    return links.token(form, visit.id)


def require_form_token(visit: Visit, links: Links, given: str, form: str = _FORM) -> None:
    """Refuse a form that was not shown in this visit.

    Raises:
        RefusedError: 403.
    """
    if visit.new or links.open(form, given) != visit.id:
        raise RefusedError(403, "form_token_invalid", "The form was not sent from this page; open it again")
