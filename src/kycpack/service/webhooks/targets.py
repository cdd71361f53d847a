"""Where a webhook may point: the guard against requests into networks that are not the caller's business.

`ipaddress.is_global` alone is not enough: it is True for NAT64 and 6to4 forms of private addresses and for multicast.
"""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

from kycpack.errors import ServiceError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_PORTS = {"http": 80, "https": 443}
_LONGEST_URL = 1000
_TRANSLATED = (
    ipaddress.ip_network("64:ff9b::/96"),  # NAT64, RFC 6052
    ipaddress.ip_network("64:ff9b:1::/48"),  # NAT64 for local use, RFC 8215
    ipaddress.ip_network("2002::/16"),  # 6to4, RFC 3056
    ipaddress.ip_network("2001::/32"),  # Teredo, RFC 4380
    ipaddress.ip_network("::/96"),  # IPv4-compatible, RFC 4291; ::1 is let through before
    ipaddress.ip_network("::ffff:0:0:0/96"),  # IPv4-translated, RFC 2765
)


class TargetError(ServiceError):
    """A webhook may not point there; the message names the reason and no address."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a delivery goes: what the URL says, and the address that was checked.

    Attributes:
        scheme: http or https.
        host: Name or address as the URL says it, for the Host header and the certificate.
        port: Port.
        path: Path and query.
        address: The checked address to connect to.
    """

    scheme: str
    host: str
    port: int
    path: str
    address: str


def check_url(url: str) -> tuple[str, str, int, str]:
    """Return scheme, host, port and path of a URL that may be registered as far as the URL itself tells.

    Raises:
        TargetError: The scheme, the form or a literal address is forbidden.
    """
    if (
        len(url) > _LONGEST_URL
        or any(character <= " " or character == "\x7f" for character in url)
        or "\\" in url
    ):
        raise TargetError("the URL is too long or has characters that do not belong in one")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise TargetError("the URL does not parse") from None
    if parts.scheme not in _PORTS or not parts.hostname:
        raise TargetError("the URL has to be absolute, with http or https")
    if parts.username is not None or parts.password is not None:
        raise TargetError("the URL must not carry credentials")
    # A dot at the end makes no other name of it, but would keep an address from being told as one.
    name = parts.hostname.removesuffix(".")
    try:
        host = name if name.isascii() else name.encode("idna").decode("ascii")
    except UnicodeError:
        raise TargetError("the host's name does not parse") from None
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return parts.scheme, host, _PORTS[parts.scheme] if port is None else port, path


def require_registrable(url: str, *, loopback: bool) -> None:
    """Refuse a URL that points where webhooks may not go; a name that does not resolve yet is accepted.

    Raises:
        TargetError: Scheme, form or address is forbidden.
    """
    _, host, port, _ = check_url(url)
    for address in _resolve(host, port):
        _require_allowed(address, loopback=loopback)


def resolve_target(url: str, *, loopback: bool) -> Target:
    """Return where a delivery goes now: the name is resolved, every address checked, and the first one used.

    Raises:
        TargetError: It does not resolve, or an address is forbidden.
    """
    scheme, host, port, path = check_url(url)
    addresses = _resolve(host, port)
    if not addresses:
        raise TargetError("the name does not resolve")
    for address in addresses:
        _require_allowed(address, loopback=loopback)
    return Target(scheme, host, port, path, str(addresses[0]))


def is_allowed(address: Address, *, loopback: bool) -> bool:
    """Tell whether webhooks may go to an address; plain loopback only where the service is on loopback itself."""
    plain = address
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        plain = address.ipv4_mapped
    if plain.is_loopback:
        return loopback and plain is address
    if isinstance(plain, ipaddress.IPv6Address) and any(plain in network for network in _TRANSLATED):
        return False
    if (
        plain.is_multicast
        or plain.is_link_local
        or plain.is_private
        or plain.is_reserved
        or plain.is_unspecified
    ):
        return False
    return plain.is_global


def _require_allowed(address: Address, *, loopback: bool) -> None:
    if not is_allowed(address, loopback=loopback):
        raise TargetError("the address is private, local, multicast or otherwise not for webhooks")


def _resolve(host: str, port: int) -> list[Address]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    texts = dict.fromkeys(str(entry[4][0]).partition("%")[0] for entry in found)
    return [ipaddress.ip_address(text) for text in texts]
