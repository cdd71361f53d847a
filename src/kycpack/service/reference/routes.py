"""The addresses of the reference."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kycpack.service.pages.screen import page_headers, templates_in
from kycpack.service.reference.contents import groups_of, shapes_of
from kycpack.service.request_log import trace_of

STYLESHEET = "/console.css"
"""The stylesheet of the reference and the console."""


def reference_route(path: str, document: Callable[[], Mapping[str, Any]], source: str) -> Route:
    """Return the route of a reference.

    Args:
        path: Path of the reference.
        document: Returns the OpenAPI document.
        source: Address of the document itself.
    """

    async def reference(request: Request) -> Response:
        trace_of(request.scope).unlisted = True
        shown = document()
        html = (
            templates_in("kycpack.service.reference")
            .get_template("reference.html")
            .render(info=shown["info"], groups=groups_of(shown), shapes=shapes_of(shown), source=source)
        )
        return Response(html, 200, page_headers(()), "text/html; charset=utf-8")

    return Route(path, reference, methods=["GET"], include_in_schema=False)


def stylesheet_route() -> Route:
    """Return the route of the stylesheet."""

    async def stylesheet(request: Request) -> Response:
        trace_of(request.scope).unlisted = True
        css = files("kycpack.service.reference").joinpath("console.css").read_bytes()
        return Response(css, media_type="text/css", headers={"Cache-Control": "no-cache"})

    return Route(STYLESHEET, stylesheet, methods=["GET"], include_in_schema=False)
