"""Access to the console: only for a browser on this machine, and not for other sites in it.

Another site could point a host name of its own at this machine, or send a form here. The first is refused because the `Host` must
be the service's own; the second by the `Origin`, and by a form token that belongs to the browser's visit.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.requests import Request

from kycpack.service.address import is_loopback
from kycpack.service.problems import RefusedError

_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")  # a proxy acts for somebody else
_LOOPBACK_NAMES = {"127.0.0.1", "localhost", "::1"}


def has_own_host(request: Request) -> bool:
    """Return whether the `Host` of a request is an address of this machine."""
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
    """Refuse a request that is not from a browser on this machine, or was caused by another site.

    Raises:
        RefusedError: 403.
    """
    caller = request.client.host if request.client else ""
    origin = request.headers.get("origin")
    own_origin = origin is None or origin == f"{request.url.scheme}://{request.headers.get('host', '')}"
    site = request.headers.get("sec-fetch-site", "none")
    sent_here = request.method in {"GET", "HEAD"} or site in {"none", "same-origin"}
    if not (is_loopback(caller) and has_own_host(request) and own_origin and sent_here):
        raise RefusedError(
            403, "console_forbidden", "The console can only be opened in a browser on this machine"
        )
