"""Routes without a signature that return JSON or a file: health checks for monitoring, and signed downloads of media."""

from __future__ import annotations

from typing import Any

from sqlalchemy import func, select
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kycpack.models.json import dump_json
from kycpack.service.media import read_media, tenant_of_media
from kycpack.service.problems import RefusedError
from kycpack.service.request_log import trace_of
from kycpack.service.schema import deliveries
from kycpack.service.state import Service
from kycpack.service.webhooks.records import QUEUED

LIVE, READY = "/healthz", "/readyz"


def health_routes(service: Service) -> list[Route]:
    """Return both routes."""

    async def healthz(request: Request) -> Response:
        trace_of(request.scope).unlisted = True
        return Response(dump_json({"status": "ok"}), media_type="application/json")

    def readyz(request: Request) -> Response:
        trace_of(request.scope).unlisted = True
        state = readiness(service)
        status = 200 if state["status"] == "ready" else 503
        return Response(dump_json(state), status, media_type="application/json")

    return [
        Route(LIVE, healthz, methods=["GET"], include_in_schema=False),
        Route(READY, readyz, methods=["GET"], include_in_schema=False),
    ]


def readiness(service: Service) -> dict[str, Any]:
    """Return whether requests and webhooks can be served: `status`, `database`, `webhook_workers`, `queued`."""
    workers = service.sender.health().alive
    try:
        with service.database.read() as connection:
            waiting = select(func.count()).select_from(deliveries).where(deliveries.c.state == QUEUED)
            queued = connection.scalar(waiting)
    except RefusedError:
        return {"status": "unavailable", "database": "unavailable", "webhook_workers": workers}
    return {
        "status": "ready" if workers else "unavailable",
        "database": "ok",
        "webhook_workers": workers,
        "queued": queued,
    }


def downloads_route(service: Service) -> Route:
    """Return the route of the signed links."""

    def download(request: Request) -> Response:
        query, media_id = request.query_params, request.path_params["mediaId"]
        with service.database.read() as connection:
            now = service.clock.now(tenant_of_media(connection, media_id))
            expires, signature = query.get("expires", ""), query.get("signature", "")
            service.links.require_download(media_id, expires, signature, now)
            content, content_type, file_name = read_media(connection, media_id)
        headers = {
            "Content-Disposition": f'attachment; filename="{file_name}"',
            "Content-Security-Policy": "default-src 'none'; sandbox",
        }
        return Response(content, 200, headers, content_type)

    return Route("/downloads/{mediaId}", download, methods=["GET"], include_in_schema=False)
