"""Where the service listens, and what is required before it accepts connections from other machines.

Beyond loopback, bearer links and personal data cross the network, so there the service needs TLS of its own or a named TLS proxy in
front of it.
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
        host: An address or name of this machine.
        port: The port; 0 for a free one.
        tls_cert: Certificate chain, PEM; None without TLS.
        tls_key: Its private key, PEM.
        proxy: Name of the TLS proxy in front, with a port unless it is 443; empty for none.
    """

    host: str = LOOPBACK_HOST
    port: int = 0
    tls_cert: Path | None = None
    tls_key: Path | None = None
    proxy: str = ""

    @property
    def is_loopback(self) -> bool:
        """Whether only programs on this machine can connect; a proxy in front may serve others."""
        return not self.proxy and is_loopback(self.host)

    @property
    def public_url(self) -> str:
        """The base URL of links; empty for the address that the caller used."""
        return f"https://{self.proxy}" if self.proxy else ""

    def url(self, port: int) -> str:
        """Return the service's address for a port."""
        if self.proxy:
            return self.public_url
        host = socket.gethostname() if self.host in _ANY else self.host
        scheme = "http" if self.tls_cert is None else "https"
        return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"

    def tls_options(self) -> dict[str, Any]:
        """Return uvicorn's options for TLS; empty without TLS."""
        if self.tls_cert is None or self.tls_key is None:
            return {}
        return {"ssl_certfile": str(self.tls_cert), "ssl_keyfile": str(self.tls_key)}


def require_safe(address: ListenAddress) -> None:
    """Refuse an address where personal data would cross a network unencrypted.

    Raises:
        ConfigurationError: TLS is missing or incomplete, or the proxy's name is malformed.
        ServiceError: The certificate or key cannot be read, or they do not match.
    """
    if (address.tls_cert is None) != (address.tls_key is None):
        raise ConfigurationError("--tls-cert and --tls-key must be given together")
    if address.proxy and _NAME.fullmatch(address.proxy) is None:
        raise ConfigurationError("--behind-proxy takes the public name of the proxy, as in kyc.example.org")
    if not is_loopback(address.host) and not address.proxy and address.tls_cert is None:
        raise ConfigurationError(
            f"{address.host} can be reached from other machines: give --tls-cert and --tls-key, or --behind-proxy NAME "
            "if a TLS proxy is in front"
        )
    if address.tls_cert is not None and address.tls_key is not None:
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(address.tls_cert, address.tls_key)
        except OSError as error:
            mismatch = "not PEM, or the key belongs to another certificate"
            reason = mismatch if isinstance(error, ssl.SSLError) else error.strerror
            raise ServiceError(
                f"certificate {address.tls_cert} and key {address.tls_key} cannot be used: {reason}"
            ) from None


def is_loopback(host: str) -> bool:
    """Return whether a host is loopback."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def listen(address: ListenAddress) -> socket.socket:
    """Return a listening socket.

    Raises:
        ServiceError: The host is not an address of this machine, or the port is taken or not allowed.
    """
    host = LOOPBACK_HOST if address.host == "localhost" else address.host
    try:
        found = socket.getaddrinfo(host, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, OverflowError, UnicodeError):
        raise ServiceError(f"{address.host} is not an address of this machine") from None
    family, _, _, _, place = found[0]
    # asyncio disables Nagle's algorithm only if the protocol is given; with Nagle each answer waits 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(place)
        listener.listen(_BACKLOG)
    except (OSError, OverflowError) as error:
        listener.close()
        raise ServiceError(f"port {address.port} of {address.host} cannot be used: {error}") from error
    return listener
