"""Addresses: the service's base URL, the URL of a path, and where a redirect may lead."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import httpx

from kycpack.errors import ConfigurationError, ContractError


class Location(NamedTuple):
    """An address as it is signed and sent: absolute URL, raw path with query, Host header."""

    url: str
    target: str
    host: str


class ConnectionTarget(NamedTuple):
    """Where a connection leads: address without a path, and its parts as sent; the port only if it is not the default."""

    text: str
    scheme: bytes
    host: bytes
    port: int
    unusual_port: int | None
    netloc: bytes


_LAST_PORT = 65535
_PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"[\w.-]+|[0-9a-fA-F:.]+")


@dataclass(frozen=True, slots=True)
class BaseUrl:
    """The service's address; it is checked when it is first used.

    Attributes:
        text: Absolute URL, https, or http for loopback only; it may have a path.
    """

    text: str

    @property
    def is_loopback(self) -> bool:
        """Whether the address is this machine, for which proxies of the environment are not used."""
        try:
            return is_loopback(httpx.URL(self.text).host)
        except (httpx.InvalidURL, TypeError, ValueError):
            return False

    def join(self, path: str, query: str) -> Location:
        """Return the location of a path below this address.

        Args:
            path: Percent-encoded path, beginning with a slash.
            query: Raw query; may be empty.

        Raises:
            ConfigurationError: The address is not a URL, or is plain http and not loopback.
        """
        base = _check(self.text)
        raw = base.raw_path.decode("ascii").rstrip("/") + path + (f"?{query}" if query else "")
        host = base.netloc.decode("ascii")
        return Location(url=f"{base.scheme}://{host}{raw}", target=raw, host=host)


def split_address(url: str) -> tuple[ConnectionTarget, bytes]:
    """Return the connection target of an absolute URL, and the raw path with query.

    Args:
        url: Absolute http(s) URL with a path.

    Raises:
        httpx.InvalidURL: It is not a URL.
        ValueError: It is not a URL.
    """
    end = url.index("/", url.index("://") + 3)
    return _origin(url[:end]), url[end:].encode("ascii")


@lru_cache(maxsize=64)
def _origin(text: str) -> ConnectionTarget:
    url = httpx.URL(text)
    port = url.port or _PORTS.get(url.scheme)
    if port is None:
        raise ValueError("neither http nor https")
    return ConnectionTarget(text, url.raw_scheme, url.raw_host, port, url.port, url.netloc)


def _is_fetchable(url: httpx.URL) -> bool:
    return url.scheme in {"http", "https"} and _HOST.fullmatch(url.host) is not None and not url.userinfo


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine, by its name or address alone."""
    if host.rstrip(".").lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def resolve_redirect(origin: str, location: str, *, operation: str, request_id: str) -> str:
    """Return where a redirect leads.

    Args:
        origin: The URL that answered with the redirect.
        location: Its `Location` header.
        operation: The operation's name, for the error.
        request_id: The `X-Request-Id` that was sent, for the error.

    Raises:
        ContractError: The link is invalid, or leads to plain http on another machine. It is not quoted.
    """
    about = {"expected": "an https link in Location", "operation": operation, "request_id": request_id}
    try:
        source = httpx.URL(origin)
        target = source.join(location) if location else None
    except (httpx.InvalidURL, ValueError, UnicodeError):
        target = None
    if target is None or target == source or not _is_fetchable(target):
        raise ContractError(
            "the redirect is not a valid link", expected="an https link in Location", operation=operation
        )
    if target.scheme == "http" and not (is_loopback(target.host) and is_loopback(source.host)):
        raise ContractError("the redirect leads to plain http", **about)
    return str(target.copy_with(fragment=None))


@lru_cache(maxsize=32)
def _check(text: str) -> httpx.URL:
    try:
        url = httpx.URL(text)
        url.netloc.decode("ascii")
    except (httpx.InvalidURL, TypeError, ValueError, UnicodeError):
        url = None
    if url is not None and url.port is not None and not 0 < url.port <= _LAST_PORT:
        url = None
    if url is None or url.scheme not in {"http", "https"} or not _HOST.fullmatch(url.host):
        raise ConfigurationError("the base URL is not an absolute http(s) URL")
    if url.userinfo or url.query or url.fragment:
        raise ConfigurationError("the base URL must not contain credentials or a query")
    if url.scheme == "http" and not is_loopback(url.host):
        raise ConfigurationError(f"plain http is allowed for loopback only, not for {url.host}; use https")
    return url
