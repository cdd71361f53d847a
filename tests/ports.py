"""Ports for servers that tests start as programs of their own."""

from __future__ import annotations

import secrets
import socket
from contextlib import suppress

# Below the ports that systems give to outgoing connections: no other test's connection can take it until the server listens.
_PORTS = range(20_000, 32_000)


def free_port() -> int:
    """Return a port of 127.0.0.1 at which nothing listens."""
    for _ in range(100):
        port = secrets.choice(_PORTS)
        with suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port
    raise RuntimeError("no port is free")
