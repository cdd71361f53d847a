"""The answers of pages: a screen or a redirect, and the headers of both."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import Response

from kycpack.service.problems import RefusedError

_ORIGIN = re.compile(r"https?://[A-Za-z0-9.\-]+(:[0-9]{1,5})?|https?://\[[0-9A-Fa-f:.]+\](:[0-9]{1,5})?")

_IN_URLS = ":/%#?=@[]!$&'()*+,;~"


@dataclass(frozen=True, slots=True)
class Screen:
    """A page to show.

    Attributes:
        template: Its template.
        values: The template's values.
        status: HTTP status.
        leads_to: Addresses outside the service that a form of the page may lead to by redirects.
        delay_seconds: Delay of the page, for a slow bank.
    """

    template: str
    values: Mapping[str, Any] = field(default_factory=dict)
    status: int = 200
    leads_to: tuple[str, ...] = ()
    delay_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Redirect:
    """A redirect with 303, so that reloading the page does not repeat the action."""

    url: str


def to_page(outcome: Screen | Redirect, frame: Mapping[str, Any]) -> Response:
    """Return a screen or a redirect as an answer.

    Args:
        outcome: The screen or redirect.
        frame: Values for every template in addition to its own.
    """
    if isinstance(outcome, Redirect):
        return Response(
            status_code=303, headers={**page_headers(()), "Location": quote(outcome.url, safe=_IN_URLS)}
        )
    page = templates_in("kycpack.service.pages", day=_day).get_template(outcome.template)
    html = page.render(**frame, **outcome.values)
    return Response(html, outcome.status, page_headers(outcome.leads_to), "text/html; charset=utf-8")


def with_ids(url: str, **ids: str) -> str:
    """Return a merchant's address with ids added to its query, without any other data about the person."""
    parts = urlsplit(url)
    query = "&".join(part for part in (parts.query, urlencode(ids)) if part)
    return parts._replace(query=query).geturl()


def origin_of(url: str) -> str | None:
    """Return the origin of an address for a Content-Security-Policy, None if it cannot be written there."""
    parts = urlsplit(url)
    try:
        netloc = parts.netloc.encode("idna").decode("ascii")
    except UnicodeError:
        return None
    origin = f"{parts.scheme}://{netloc}"
    return origin if _ORIGIN.fullmatch(origin) else None


@cache
def templates_in(package: str, **filters: Callable[..., Any]) -> Environment:
    """Return the templates of a package; values are escaped, and an unknown name is an error.

    Args:
        package: The package with a folder `templates`.
        **filters: Filters for the templates, by name.
    """
    templates = Environment(
        loader=PackageLoader(package),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters.update(filters)
    return templates


def _day(instant: datetime | str) -> str:
    """Return the day of an instant as text for people, as in `3 March 2027`."""
    day = date.fromisoformat(instant[:10]) if isinstance(instant, str) else instant.date()
    return f"{day.day} {day:%B %Y}"


def page_headers(leads_to: tuple[str, ...]) -> dict[str, str]:
    """Return the headers of every page: what it may load, no caching, and no framing by other sites.

    Args:
        leads_to: Addresses outside the service that a form of the page may lead to by redirects.
    """
    # Chromium applies form-action to redirects after a form as well, so the merchant's origin has to be listed.
    targets = " ".join(["'self'", *dict.fromkeys(origin for url in leads_to if (origin := origin_of(url)))])
    policy = (
        "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; "
        f"form-action {targets}; frame-ancestors 'none'"
    )
    return {
        "Content-Security-Policy": policy,
        "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=()",
    }


_TEXTS = {
    "session_expired": (
        "This link has expired",
        "For your safety, links like this one work for 7 days. Ask the organisation that sent it for a new one.",
    ),
    "session_complete": (
        "You have already finished",
        "Everything has been sent. There is nothing left for you to do, and you can close this page.",
    ),
    "form_token_invalid": (
        "Please open the page again",
        "This form was open for too long, or your browser does not accept cookies. Continue from the link you were sent.",
    ),
    "request_too_large": (
        "That file is too large",
        "Each file can be up to 8 MB. Go back and choose a smaller one.",
    ),
    "too_many_files": (
        "Too many files",
        "You have sent more files than this check can accept. Your earlier files were kept; continue with those.",
    ),
    "session_in_review": (
        "You have already finished",
        "Everything has been sent and is being reviewed. There is nothing left for you to do, and you can close this page.",
    ),
    "bank_unavailable": (
        "Your bank cannot be reached",
        "The bank cannot be reached at the moment. Wait a few minutes, then open the link you were sent again.",
    ),
    "payment_closed": (
        "This payment is already finished",
        "No further payment was taken. Open the payment link again to see the result.",
    ),
}
_UNKNOWN = (
    "We could not find this page",
    "The link may be incomplete. Check that you copied all of it, or ask the organisation that sent it for a new one.",
)
_OTHERWISE = (
    "That did not work",
    "Go back to the link you were sent and try again. If it keeps happening, tell the organisation that sent it.",
)


def message_for(refused: RefusedError) -> Screen:
    """Return the page that explains a refusal."""
    status = 410 if refused.code == "session_expired" else refused.status
    fallback = _UNKNOWN if status == 404 else _OTHERWISE
    title, text = _TEXTS.get(refused.code, fallback)
    return Screen("message.html", {"title": title, "text": text}, status)
