"""Where webhooks may point. The addresses that `is_global` calls global are here by name."""

from __future__ import annotations

import ipaddress
import socket
import threading
import time
from typing import Any

import pytest
from tests.service.signed import Caller, ok, refused

from kycpack.service.webhooks.delivery import deliver
from kycpack.service.webhooks.targets import TargetError, is_allowed, require_registrable, resolve_target

FORBIDDEN = [
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",  # noqa: S104 - an address to be refused
    "224.0.0.1",
    "239.255.255.250",
    "255.255.255.255",
    "240.0.0.1",
    "198.18.0.1",
    "192.0.2.1",
    "::",
    "fe80::1",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::7f00:1",
    "2002:7f00:1::",
    "2002:a9fe:a9fe::",
    "2001:0:7f00:1::",
    "::ffff:10.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:0:7f00:1",
    "::7f00:1",
    "2001:db8::1",
    "192.0.0.192",
    "192.0.0.8",
    "192.88.99.1",
    "168.63.129.16",
    "100.100.100.200",
    "fec0::1",
    "3fff::1",
    "3ffe::1",
    "100::1",
    "5f00::1",
    "::ffff:93.184.216.34",
]


@pytest.mark.parametrize("loopback", [True, False])
@pytest.mark.parametrize("address", FORBIDDEN)
def test_an_address_that_is_not_for_webhooks(address: str, *, loopback: bool) -> None:
    assert not is_allowed(ipaddress.ip_address(address), loopback=loopback)


@pytest.mark.parametrize("address", ["64:ff9b::7f00:1", "2002:7f00:1::", "224.0.0.1"])
def test_is_global_alone_would_let_it_through(address: str) -> None:
    assert ipaddress.ip_address(address).is_global
    assert not is_allowed(ipaddress.ip_address(address), loopback=True)


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.8.8", "::1"])
def test_plain_loopback_is_allowed_only_on_loopback(address: str) -> None:
    assert is_allowed(ipaddress.ip_address(address), loopback=True)
    assert not is_allowed(ipaddress.ip_address(address), loopback=False)


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1::1"])
def test_a_public_address_is_allowed(address: str) -> None:
    assert is_allowed(ipaddress.ip_address(address), loopback=False)


@pytest.mark.parametrize(
    "url",
    [
        "http://10.0.0.1/",
        "http://192.168.0.1./",
        "http://169.254.169.254./",
        "http://[64:ff9b::7f00:1]/",
        "http://[2002:7f00:1::]/",
        "http://224.0.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://127.1/",
        "http://localhost:1/",
        "ftp://93.184.216.34/",
        "file:///etc/passwd",
        "gopher://93.184.216.34/",
        "http:///nowhere",
        "http://user:pass@93.184.216.34/",
        "http://93.184.216.34\\@10.0.0.1/",
        "http://93.184.216.34 /",
        "http://[::1",
        "http://93.184.216.34:99999/",
    ],
)
def test_a_url_that_may_not_be_registered(url: str) -> None:
    with pytest.raises(TargetError):
        require_registrable(url, loopback=False)


def test_a_name_that_does_not_resolve_yet_is_registered_and_fails_at_the_send() -> None:
    require_registrable("https://hooks.invalid/kyc", loopback=False)
    with pytest.raises(TargetError, match="does not resolve"):
        resolve_target("https://hooks.invalid/kyc", loopback=False)


def test_registration_asks_no_name_server(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    real = socket.getaddrinfo

    def resolve(host: str, *more: Any, flags: int = 0, **rest: Any) -> Any:
        if not flags & socket.AI_NUMERICHOST:
            asked.append(host)
        return real(host, *more, flags=flags | socket.AI_NUMERICHOST, **rest)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    require_registrable("https://slow.example/hook", loopback=False)
    assert asked == []


def test_a_name_server_that_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    silent = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_more: [silent.wait(20)][1:])
    began = time.monotonic()
    outcome = deliver("https://slow.example/hook", b"{}", loopback=False, deadline=0.3)
    silent.set()
    assert time.monotonic() - began < 10
    assert (outcome.status, outcome.reason) == (None, "the name was not resolved in time")


def test_the_checked_address_is_the_one_that_is_used() -> None:
    target = resolve_target("http://localhost:8080/a?b=c", loopback=True)
    assert target.address in {"127.0.0.1", "::1"}
    assert (target.host, target.port, target.path) == ("localhost", 8080, "/a?b=c")


def test_registration_over_the_wire_refuses_what_is_not_for_webhooks(call: Caller) -> None:
    for address in ("10.0.0.1", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "224.0.0.1", "169.254.169.254"):
        answer = call("POST", "/v1/webhooks", {"url": f"http://{address}/"})
        refused(answer, 400, "invalid_request")
        assert address not in answer.text
    ok(call("POST", "/v1/webhooks", {"url": "http://127.0.0.1:9/"}))
