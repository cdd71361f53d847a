"""The peer of bench_service: a bare Starlette route that does the same two inserts, and checks nothing."""

from __future__ import annotations

import json
import socket
import sys
from datetime import UTC, datetime
from uuid import uuid4

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kycpack.service.database import Database
from kycpack.service.schema import customers, nonces, tenants

_TENANT = "00000000-0000-4000-8000-000000000000"


def main() -> None:
    """Serve on a free port and print it."""
    database = Database(sys.argv[1])
    with database.write() as connection:
        tenant = {"id": _TENANT, "name": "", "currency": "GBP", "merchant_onboarded": True, "created_at": ""}
        connection.execute(tenants.insert(), tenant)

    def insert(record: dict[str, str], nonce: str) -> dict[str, str]:
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        row = {
            "id": str(uuid4()),
            "tenant_id": _TENANT,
            "first_name": record["firstName"],
            "last_name": record["lastName"],
            "email_address": record["emailAddress"],
            "created_at": now,
            "updated_at": now,
        }
        with database.write() as connection:
            connection.execute(nonces.insert(), {"key_id": "key", "nonce": nonce, "seen_at": 0})
            connection.execute(customers.insert(), row)
        return row

    async def create(request: Request) -> Response:
        record = json.loads(await request.body())
        row = await run_in_threadpool(insert, record, request.headers["x-nonce"])
        return Response(json.dumps(row), media_type="application/json")

    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    sys.stdout.write(json.dumps({"base_url": f"http://127.0.0.1:{listener.getsockname()[1]}"}) + "\n")
    sys.stdout.flush()
    app = Starlette(routes=[Route("/v1/customers", create, methods=["POST"])])
    uvicorn.Server(uvicorn.Config(app, http="h11", log_config=None, access_log=False)).run(sockets=[listener])


if __name__ == "__main__":
    main()
