"""Signed download links of media: anyone who has one can fetch the file, for two hours."""

from __future__ import annotations

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kycpack.service.media import read_media, tenant_of_media
from kycpack.service.state import Service


def downloads_route(service: Service) -> Route:
    """Return the route of the signed links."""

    async def download(request: Request) -> Response:
        return await run_in_threadpool(_download, service, request)

    return Route("/downloads/{mediaId}", download, methods=["GET"], include_in_schema=False)


def _download(service: Service, request: Request) -> Response:
    query = request.query_params
    media_id = request.path_params["mediaId"]
    with service.database.read() as connection:
        now = service.clock.now(tenant_of_media(connection, media_id))
        service.links.require_download(media_id, query.get("expires", ""), query.get("signature", ""), now)
        content, content_type, file_name = read_media(connection, media_id)
    headers: dict[str, Any] = {
        "Content-Disposition": f'attachment; filename="{file_name}"',
        "Content-Security-Policy": "default-src 'none'; sandbox",
    }
    return Response(content, 200, headers, content_type)
