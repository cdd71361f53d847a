"""Who may see the console: a browser on this machine, and no other page in it.

A page elsewhere could point a name of its own at this machine, or send a form here. The first is refused by the `Host`, which has
to be the service's own; the second by the `Origin`, and by a form token that belongs to the browser's visit.
"""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.requests import Request

from kycpack.service.links import Links
from kycpack.service.pages.visits import Visit
from kycpack.service.problems import RefusedError

FORM_TOKEN = "form_token"  # noqa: S105 - the name of a form's field
_FORM = "console"
_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")  # a proxy asks for somebody else
_LOOPBACK_NAMES = {"127.0.0.1", "localhost", "::1"}


def has_own_host(request: Request) -> bool:
    """Return whether a request names the service by an address of this machine."""
    server = request.scope.get("server") or ("", None)
    try:
        host = urlsplit(f"//{request.headers.get('host', '')}")
        own = host.hostname in {*_LOOPBACK_NAMES, server[0]}
        usual = 443 if request.url.scheme == "https" else 80
        passed_on = any(name in request.headers for name in _FORWARDED)
        return own and not passed_on and (host.port or usual) == (server[1] or usual)
    except ValueError:
        return False


def require_own_browser(request: Request) -> None:
    """Refuse a request that does not come from a browser on this machine, or that another site caused.

    Raises:
        RefusedError: 403.
    """
    caller = request.client.host if request.client else ""
    origin = request.headers.get("origin")
    own_origin = origin is None or origin == f"{request.url.scheme}://{request.headers.get('host', '')}"
    site = request.headers.get("sec-fetch-site", "none")
    sent_here = request.method in {"GET", "HEAD"} or site in {"none", "same-origin"}
    if not (_is_loopback(caller) and has_own_host(request) and own_origin and sent_here):
        raise RefusedError(
            403, "console_forbidden", "The console can only be opened in a browser on this machine"
        )


def console_token(visit: Visit, links: Links) -> str:
    """Return what every form of the console carries for a visit."""
    return links.token(_FORM, visit.id)


def require_console_token(visit: Visit, links: Links, given: str) -> None:
    """Refuse a form that was not shown to this visit.

    Raises:
        RefusedError: 403.
    """
    if visit.new or links.open(_FORM, given) != visit.id:
        raise RefusedError(403, "form_token_invalid", "The form was not sent from this page; open it again")


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
