"""Where the service listens, and what has to hold before it listens to other machines.

Beyond loopback bearer links and people's data would cross the network, so the service itself speaks TLS there, or stands behind a
named proxy that does.
"""

from __future__ import annotations

import re
import socket
import ssl
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from kycpack.errors import ConfigurationError, ServiceError

LOOPBACK_HOST = "127.0.0.1"
_BACKLOG = 512
_NAME = re.compile(r"(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]{0,62}\.)*[A-Za-z0-9-]{1,63}(:[0-9]{1,5})?")
_ANY = {"0.0.0.0", "::"}  # noqa: S104 - compared with


@dataclass(frozen=True, slots=True)
class ListenAddress:
    """Where the service listens.

    Attributes:
        host: An address of this machine, or a name of it.
        port: The port; 0 for a free one.
        tls_cert: Certificate chain, PEM; None without TLS.
        tls_key: Its private key, PEM.
        proxy: The name by which a TLS proxy in front is reached, with a port where it is not 443; empty for none.
    """

    host: str = LOOPBACK_HOST
    port: int = 0
    tls_cert: Path | None = None
    tls_key: Path | None = None
    proxy: str = ""

    @property
    def is_loopback(self) -> bool:
        """Whether only programs on this machine are answered; a proxy in front answers others for it."""
        return not self.proxy and is_loopback(self.host)

    @property
    def public_url(self) -> str:
        """What links begin with; empty for the address that the caller used."""
        return f"https://{self.proxy}" if self.proxy else ""

    def url(self, port: int) -> str:
        """Return the address of the service that listens on a port."""
        if self.proxy:
            return self.public_url
        host = socket.gethostname() if self.host in _ANY else self.host
        scheme = "http" if self.tls_cert is None else "https"
        return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"

    def tls_options(self) -> dict[str, Any]:
        """Return what uvicorn needs to speak TLS; nothing without it."""
        if self.tls_cert is None or self.tls_key is None:
            return {}
        return {"ssl_certfile": str(self.tls_cert), "ssl_keyfile": str(self.tls_key)}


def require_safe(address: ListenAddress) -> None:
    """Refuse an address at which people's data would cross a network in the clear.

    Raises:
        ConfigurationError: TLS is missing or half given, or a name does not have the form of one.
        ServiceError: Certificate or key cannot be read, or do not fit together.
    """
    if (address.tls_cert is None) != (address.tls_key is None):
        raise ConfigurationError("--tls-cert and --tls-key are given together")
    if address.proxy and _NAME.fullmatch(address.proxy) is None:
        raise ConfigurationError(
            "--behind-proxy takes the name by which the proxy is reached, as in kyc.example.org"
        )
    if not is_loopback(address.host) and not address.proxy and address.tls_cert is None:
        raise ConfigurationError(
            f"{address.host} is reached from other machines: give --tls-cert and --tls-key, or --behind-proxy NAME "
            "where a proxy speaks TLS"
        )
    if address.tls_cert is not None and address.tls_key is not None:
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(address.tls_cert, address.tls_key)
        except OSError as error:
            mismatch = "not PEM, or the key is another certificate's"
            reason = mismatch if isinstance(error, ssl.SSLError) else error.strerror
            raise ServiceError(
                f"certificate {address.tls_cert} and key {address.tls_key} cannot be used: {reason}"
            ) from None


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine alone."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def listen(address: ListenAddress) -> socket.socket:
    """Return a listening socket.

    Raises:
        ServiceError: The host is not one of this machine, or the port is taken or not allowed.
    """
    host = LOOPBACK_HOST if address.host == "localhost" else address.host
    try:
        found = socket.getaddrinfo(host, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, OverflowError, UnicodeError):
        raise ServiceError(f"{address.host} is not an address of this machine") from None
    family, _, _, _, place = found[0]
    # asyncio switches Nagle's algorithm off only where the protocol is named; with it each answer waits 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(place)
        listener.listen(_BACKLOG)
    except (OSError, OverflowError) as error:
        listener.close()
        raise ServiceError(f"port {address.port} of {address.host} cannot be used: {error}") from error
    return listener
