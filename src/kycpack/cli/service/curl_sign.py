"""`kycpack curl-sign`: calling the service with curl, to see the bytes of a request."""

from __future__ import annotations

import shlex
import sys
import uuid
from datetime import UTC, datetime
from typing import Annotated
from urllib.parse import urlsplit

import typer

from kycpack.cli.options import BaseUrl, KeyId, settings


def curl_sign(
    method: Annotated[str, typer.Argument(metavar="METHOD", help="GET, POST, PUT, PATCH or DELETE.")],
    path: Annotated[
        str,
        typer.Argument(
            metavar="PATH_AND_QUERY", help="Path below the address, such as /v1/banks?countryCode=GB"
        ),
    ],
    data: Annotated[
        str, typer.Option("--data", metavar="JSON", help="The JSON body; - reads it from standard input.")
    ] = "",
    base_url: BaseUrl = None,
    key_id: KeyId = None,
) -> None:
    """Print a signed curl command.

    It is valid once, for five minutes. Run it with:  sh -c "$(kycpack curl-sign GET /v1/banks?countryCode=GB)"
    """
    from kycpack.api import HmacSigner, UnsignedRequest

    chosen = settings(base_url=base_url, key_id=key_id)
    chosen.require_credentials()
    if not path.startswith("/"):
        raise typer.BadParameter("a path must begin with /", param_hint="PATH")
    body = sys.stdin.buffer.read() if data == "-" else data.encode()
    url = chosen.base_url.rstrip("/") + path
    parts = urlsplit(url)
    request = UnsignedRequest(
        method=method.upper(),
        url=url,
        target=parts.path + (f"?{parts.query}" if parts.query else ""),
        host=parts.netloc,
        headers={},
        body=body,
        now=datetime.now(UTC),
        nonce=str(uuid.uuid4()),
    )
    headers = dict(HmacSigner(chosen.key_id, chosen.secret)(request))
    words = ["curl", "-sS", "-X", method.upper(), url]
    if body:
        headers["Content-Type"] = "application/json"
        words += ["--data-binary", body.decode()]
    for name, value in headers.items():
        words += ["-H", f"{name}: {value}"]
    sys.stdout.write(" ".join(shlex.quote(word) for word in words) + "\n")
