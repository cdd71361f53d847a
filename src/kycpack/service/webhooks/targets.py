"""Where a webhook may point: protection against requests into internal networks.

`ipaddress.is_global` is not used: it is True for NAT64 and 6to4 forms of private addresses and for multicast, and its results change
with the version of Python. The forbidden networks are data.
"""

from __future__ import annotations

import ipaddress
import socket
import threading
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlsplit

from kycpack.assets import asset_yaml
from kycpack.errors import ServiceError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_PORTS = {"http": 80, "https": 443}
_LONGEST_URL = 1000
RESOLVE_SECONDS = 5.0
"""Seconds that a name server may take."""


class TargetError(ServiceError):
    """A webhook may not point there; the message gives the reason, but no address."""


@dataclass(frozen=True, slots=True)
class Target:
    """The target of a delivery: the parts of the URL, and the checked address.

    Attributes:
        scheme: http or https.
        host: Name or address as in the URL, for the Host header and the certificate.
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
    """Return the scheme, host, port and path of a URL, if the URL itself is allowed.

    Raises:
        TargetError: The scheme, the form or a literal address is forbidden.
    """
    if (
        len(url) > _LONGEST_URL
        or any(character <= " " or character == "\x7f" for character in url)
        or "\\" in url
    ):
        raise TargetError("the URL is too long or has invalid characters")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise TargetError("the URL cannot be parsed") from None
    if parts.scheme not in _PORTS or not parts.hostname:
        raise TargetError("the URL must be absolute, with http or https")
    if parts.username is not None or parts.password is not None:
        raise TargetError("the URL must not contain credentials")
    # A trailing dot does not change the name, but would keep an address from being recognised as one.
    name = parts.hostname.removesuffix(".")
    try:
        host = name if name.isascii() else name.encode("idna").decode("ascii")
    except UnicodeError:
        raise TargetError("the host name cannot be parsed") from None
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return parts.scheme, host, _PORTS[parts.scheme] if port is None else port, path


def require_registrable(url: str, *, loopback: bool) -> None:
    """Refuse a URL that itself shows that webhooks may not go there.

    No name is resolved here: a name server that does not answer would block the caller, and the resolved address is
    checked at each delivery.

    Raises:
        TargetError: The scheme, form or address is forbidden.
    """
    _, host, port, _ = check_url(url)
    if host.lower() == "localhost" or host.lower().endswith(".localhost"):
        _require_allowed(ipaddress.IPv4Address("127.0.0.1"), loopback=loopback)
    # Every spelling of an address that a resolver accepts, such as 0x7f.1, without a name server.
    for address in _resolve(host, port, socket.AI_NUMERICHOST):
        _require_allowed(address, loopback=loopback)


def resolve_target(url: str, *, loopback: bool, seconds: float = RESOLVE_SECONDS) -> Target:
    """Return the current target of a delivery: the name is resolved, all addresses are checked, and the first one is used.

    Args:
        url: The endpoint.
        loopback: Whether plain loopback addresses are allowed.
        seconds: How long a name server may take.

    Raises:
        TargetError: The name does not resolve, or not in time, or an address is forbidden.
    """
    scheme, host, port, path = check_url(url)
    addresses = _resolve_within(host, port, seconds)
    if not addresses:
        raise TargetError("the name does not resolve")
    for address in addresses:
        _require_allowed(address, loopback=loopback)
    return Target(scheme, host, port, path, str(addresses[0]))


def is_allowed(address: Address, *, loopback: bool) -> bool:
    """Return whether webhooks may go to an address; plain loopback only if the service itself is on loopback."""
    if address.is_loopback and getattr(address, "ipv4_mapped", None) is None:
        return loopback
    is_open = address.version == 4 or address in _networks("ipv6_open")[0]
    return is_open and not any(address in network for network in _networks(f"ipv{address.version}"))


@cache
def _networks(part: str) -> tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]:
    """Return the networks of a part of `closed_networks.yaml`."""
    held = asset_yaml("service/closed_networks.yaml")[part]
    entries = [held] if isinstance(held, str) else [entry["network"] for entry in held]
    return tuple(map(ipaddress.ip_network, entries))


def _require_allowed(address: Address, *, loopback: bool) -> None:
    if not is_allowed(address, loopback=loopback):
        raise TargetError("the address is private, local, multicast or otherwise not allowed for webhooks")


def _resolve_within(host: str, port: int, seconds: float) -> list[Address]:
    """Resolve a name in a separate thread, because the system's resolver cannot be interrupted."""
    found: list[list[Address]] = []
    thread = threading.Thread(target=lambda: found.append(_resolve(host, port)), daemon=True)
    thread.start()
    thread.join(seconds)
    if not found:
        raise TargetError("the name was not resolved in time")
    return found[0]


def _resolve(host: str, port: int, flags: int = 0) -> list[Address]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags)
    except (OSError, UnicodeError):
        return []
    texts = dict.fromkeys(str(entry[4][0]).partition("%")[0] for entry in found)
    return [ipaddress.ip_address(text) for text in texts]
