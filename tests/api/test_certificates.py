"""Certificates, and what an environment says of them and of the way to the service."""

from __future__ import annotations

import asyncio
import errno
import re
import ssl
from pathlib import Path
from typing import Any

import certifi
import httpx
import pytest
from tests.api.asking import KINDS, ask
from tests.api.conftest import SECRET
from tests.api.peer import Peer, Visit, answer, certificate

from kycpack.api import AsyncClient, Client
from kycpack.api.connections import usual_certificates
from kycpack.errors import ConfigurationError, TransportError


@pytest.fixture(scope="module")
def self_signed(tmp_path_factory: pytest.TempPathFactory) -> ssl.SSLContext:
    return certificate(tmp_path_factory.mktemp("tls"), "127.0.0.1")


@pytest.mark.parametrize("kind", KINDS)
def test_a_certificate_nobody_vouches_for_is_said_and_not_tried_again(
    kind: str, self_signed: ssl.SSLContext
) -> None:
    with Peer(lambda _: None, self_signed) as peer:
        with pytest.raises(TransportError, match="self-signed certificate") as caught:
            ask(kind, peer, lambda c: c.customers.create(org_id="x"), max_retries=3)
        assert not caught.value.may_have_happened
        assert peer.visits == 1


@pytest.mark.parametrize("kind", KINDS)
def test_plain_http_behind_https_is_said(kind: str) -> None:
    def serve(visit: Visit) -> None:
        visit.connection.recv(10)
        visit.send(answer({}, status="400 Bad Request"))
        raise ConnectionError

    with Peer(serve) as peer:
        peer.base_url = peer.base_url.replace("http:", "https:")
        with pytest.raises(TransportError, match="TLS failed"):
            ask(kind, peer, lambda c: c.banks.list(), max_retries=3)
        assert peer.visits == 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("HTTPS_PROXY", "nonsense://user:hush@proxy.example", "proxy"),
        ("HTTPS_PROXY", "http://[::1", "proxy"),
        ("HTTPS_PROXY", "socks5://user:hush@proxy.example", "SOCKS"),
        ("SSL_CERT_FILE", "no-such-file.pem", "SSL_CERT_FILE"),
        ("SSL_CERT_FILE", "empty.pem", "SSL_CERT_FILE"),
    ],
)
def test_an_environment_that_cannot_be_used_is_a_matter_of_configuration(
    kind: str, name: str, value: str, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.pem").write_text("nothing")
    monkeypatch.setenv(name, value)
    client = {"sync": Client, "async": AsyncClient}[kind]("https://far.example", key_id="k", secret=SECRET)
    with pytest.raises(ConfigurationError, match=said) as caught:
        client.banks.list() if kind == "sync" else asyncio.run(client.banks.list())
    assert "hush" not in str(caught.value)


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOMEM, "Cannot allocate memory"),
        OSError(errno.EMFILE, "Too many open files"),
        ssl.SSLError(786688, "[CRYPTO] malloc failure (_ssl.c:3098)"),
    ],
    ids=["memory", "files", "memory of OpenSSL"],
)
def test_what_the_machine_lacks_is_no_matter_of_configuration(
    error: OSError, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_given: Any) -> ssl.SSLContext:
        raise error

    usual_certificates.cache_clear()
    monkeypatch.setattr(httpx, "create_ssl_context", fail)
    with pytest.raises(OSError, match=re.escape(str(error))):
        Client("https://far.example", key_id="k", secret=SECRET).banks.list()


def test_certificates_are_read_once_for_all_clients_and_anew_where_the_environment_names_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    read: list[bool] = []
    create = httpx.create_ssl_context

    def counted(**given: Any) -> ssl.SSLContext:
        read.append(True)
        return create(**given)

    usual_certificates.cache_clear()
    monkeypatch.setattr(httpx, "create_ssl_context", counted)
    for _ in range(3):
        with pytest.raises(TransportError):
            Client("http://127.0.0.1:9", key_id="k", secret=SECRET, max_retries=0).banks.list()
    assert len(read) == 1
    (tmp_path / "own.pem").write_bytes(Path(certifi.where()).read_bytes())
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "own.pem"))
    for _ in range(2):
        with pytest.raises(TransportError):
            Client("https://far.invalid", key_id="k", secret=SECRET, max_retries=0).banks.list()
    assert len(read) == 3
