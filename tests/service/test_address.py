"""Listening to other machines: only with TLS or behind a named proxy, and with a control API only behind a token."""

from __future__ import annotations

import json
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Self

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from tests.ports import free_port
from tests.service.running import database_url
from tests.service.signed import Caller, Credentials, ok, refused

from kycpack.errors import ConfigurationError, ServiceError
from kycpack.service.address import ListenAddress, is_loopback, listen, require_safe

PORT = free_port()
TOKEN = "a-token-of-thirty-two-characters"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("tls")
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    cert_path, key_path = folder / "cert.pem", folder / "key.pem"
    cert_path.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    key_path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return cert_path, key_path


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "kyc.example.org", ""])  # noqa: S104 - is refused
def test_beyond_this_machine_tls_is_required(host: str) -> None:
    with pytest.raises(ConfigurationError, match="--tls-cert"):
        require_safe(ListenAddress(host))
    require_safe(ListenAddress(host, proxy="kyc.example.org"))


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost"])
def test_on_this_machine_it_is_not(host: str) -> None:
    require_safe(ListenAddress(host))
    assert is_loopback(host)


@pytest.mark.parametrize("name", ["a b", "https://kyc.example.org", "kyc/..", "x\r\ny", "-"])
def test_a_proxy_is_named_by_a_host_name(name: str) -> None:
    with pytest.raises(ConfigurationError):
        require_safe(ListenAddress(proxy=name))


def test_a_certificate_that_cannot_be_used_is_named(tmp_path: Path, certificate: tuple[Path, Path]) -> None:
    with pytest.raises(ConfigurationError, match="together"):
        require_safe(ListenAddress(tls_cert=certificate[0]))
    with pytest.raises(ServiceError, match=r"gone\.pem"):
        require_safe(ListenAddress(tls_cert=tmp_path / "gone.pem", tls_key=certificate[1]))
    with pytest.raises(ServiceError, match="not PEM"):
        require_safe(ListenAddress(tls_cert=certificate[1], tls_key=certificate[0]))


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(ServiceError, match=r"192\.0\.2\.1"):
        listen(ListenAddress("192.0.2.1"))


def test_behind_a_proxy_there_is_no_console_and_control_needs_the_token(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text(TOKEN + "\n")
    name = "kyc.example.org"
    options = ["--behind-proxy", name, "--control-token-file", str(token)]
    with _served(tmp_path, *options) as announced, _Proxy(name) as proxy:
        assert announced["base_url"] == f"https://{name}"
        right = {"Authorization": f"Bearer {TOKEN}"}
        wrong: tuple[dict[str, str], ...] = (
            {},
            {"Authorization": "Bearer wrong"},
            {"Authorization": TOKEN},
            {"Authorization": "Bearer \xe9"},
        )
        for headers in wrong:
            refused(proxy.get("/_control/clock", headers), 403, "control_forbidden")
        assert proxy.get("/_control/clock", right).status_code == 200
        refused(proxy.get("/_control/clock", {**right, "Origin": "https://x"}), 403, "control_forbidden")
        assert proxy.get("/", {}).status_code == 404
        assert proxy.get("/docs/control", {}).status_code == 404
        refused(proxy.get("/v1/banks", {"Host": "10.0.0.1"}), 421, "misdirected_request")
        refused(proxy.get("/_control/clock", {**right, "Host": "x"}), 421, "misdirected_request")
        assert proxy.get("/readyz", {"Host": "10.0.0.1"}).status_code == 200


class _Proxy:
    """A proxy in front, as small as can be: it asks the service under the name that its own callers use."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._http = httpx.Client(base_url=f"http://127.0.0.1:{PORT}", timeout=30)

    def get(self, path: str, headers: dict[str, str]) -> httpx.Response:
        sent = {"Host": self._name, **headers}
        return self._http.get(path, headers={name: value.encode("latin-1") for name, value in sent.items()})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()


def test_a_request_that_a_proxy_passed_on_reaches_neither_console_nor_control(call: Caller) -> None:
    for header in ("X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"):
        answer = call.plain("GET", "/_control/clock", headers={header: "192.0.2.1"})
        refused(answer, 403, "control_forbidden")
        assert call.plain("GET", "/", headers={header: "192.0.2.1"}).status_code == 403


@contextmanager
def _served(tmp_path: Path, *options: str) -> Iterator[dict[str, str]]:
    command = [sys.executable, "-m", "kycpack", "serve", "--json", "--log", "failures"]
    command += ["--port", str(PORT), "--db", database_url(tmp_path), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603 - ourselves
    assert process.stdout is not None
    try:
        yield json.loads(process.stdout.readline())
    finally:
        process.terminate()
        process.wait(timeout=20)
        process.stdout.close()


def test_signed_requests_links_and_the_console_work_over_tls(
    tmp_path: Path, certificate: tuple[Path, Path]
) -> None:
    options = ["--tls-cert", str(certificate[0]), "--tls-key", str(certificate[1])]
    with _served(tmp_path, *options) as announced:
        _use_over_tls(announced, certificate[0])


def _use_over_tls(announced: dict[str, str], authority: Path) -> None:
    base_url = announced["base_url"]
    assert base_url.startswith("https://127.0.0.1:")
    trust = ssl.create_default_context(cafile=authority)
    call = Caller(base_url, Credentials(announced["key_id"], announced["secret"]), lambda: datetime.now(UTC))
    call.close()
    with httpx.Client(base_url=base_url, verify=trust) as http:
        body = b'{"amount": 1, "reference": "r"}'
        signed = {**call.headers("POST", "/v1/payments", body), "content-type": "application/json"}
        made = ok(http.post("/v1/payments", content=body, headers=signed))
        assert made["payLink"].startswith(base_url)
        page = http.get(made["payLink"])
        assert page.status_code == 200
        assert "Secure" in page.headers["set-cookie"]
        assert http.get("/").status_code == 200
        assert http.get("/_control/clock").status_code == 200
    host, port = base_url.removeprefix("https://").split(":")
    with socket.create_connection((host, int(port)), timeout=10) as plain:
        plain.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert not plain.recv(100).startswith(b"HTTP/1.1 200")
