"""The addresses of all pages and of their stylesheet."""

from __future__ import annotations

import asyncio
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kycpack.service.pages import bank, pay, portal
from kycpack.service.pages.page import make_endpoint
from kycpack.service.state import Service

STYLESHEET = "/pages.css"

_FORMS_AT_A_TIME = 4
"""Maximum number of forms read at a time: each may be 24 MB, and needs several times that while it is parsed."""


def page_routes(service: Service) -> list[Route]:
    """Return the routes of the portal, the pay page, the bank's page and the stylesheet."""
    reading = asyncio.Semaphore(_FORMS_AT_A_TIME)
    routes = [
        Route(
            page.path,
            make_endpoint(service, page, reading),
            methods=["GET", "POST"] if page.submit else ["GET"],
            include_in_schema=False,
        )
        for page in (*portal.PAGES, *pay.PAGES, *bank.PAGES)
    ]
    return [*routes, Route(STYLESHEET, _stylesheet, methods=["GET"], include_in_schema=False)]


async def _stylesheet(_request: Request) -> Response:
    css = files("kycpack.service.pages").joinpath("pages.css").read_bytes()
    headers = {"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}
    return Response(css, media_type="text/css", headers=headers)
