"""Asks a peer through one of the two clients."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from tests.api.conftest import SECRET
from tests.api.peer import Peer

from kycpack.api import AsyncClient, Client

KINDS = ("sync", "async")


def ask(kind: str, peer: Peer, question: Callable[[Any], Any], **terms: Any) -> Any:
    given = {"key_id": "key-1", "secret": SECRET, "max_retries": 0, **terms}
    if kind == "sync":
        with Client(peer.base_url, **given) as client:
            return question(client)

    async def run() -> Any:
        async with AsyncClient(peer.base_url, **given) as client:
            return await question(client)

    return asyncio.run(run())
