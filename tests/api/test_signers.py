from __future__ import annotations

import base64
import hashlib
import hmac
import pickle
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

import httpx
import pytest

from kycpack.api import Client, HmacSigner, UnsignedRequest
from kycpack.errors import ConfigurationError

SECRET = base64.b64encode(b"0123456789abcdef0123456789abcdef").decode()
NONCE = "00000000-0000-4000-8000-000000000001"
DATE = datetime(2021, 4, 20, 2, 7, 55, tzinfo=UTC)


def unsigned(method: str, target: str, body: bytes = b"") -> UnsignedRequest:
    return UnsignedRequest(
        method=method,
        url=f"https://api.local:8443{target}",
        target=target,
        host="api.local:8443",
        headers={},
        body=body,
        now=DATE,
        nonce=NONCE,
    )


@pytest.mark.parametrize(
    ("request_", "signature"),
    [
        (
            unsigned("POST", "/v1/customers", b'{"firstName":"Ann"}'),
            "k7q79s0hpjer6H84xiSKc+wqBO1irtl2lqCf2S8Sq+M=",
        ),
        (unsigned("GET", "/v1/banks?countryCode=GB"), "7/+IUYAbPp/OZSKwaOKARdTfpeRiBZZnWhoU/03pT+M="),
    ],
)
def test_the_published_vectors(request_: UnsignedRequest, signature: str) -> None:
    headers = HmacSigner("key-1", SECRET)(request_)
    assert headers["Authorization"] == f"HMAC-SHA256 Credential=key-1, Signature={signature}"
    assert headers["x-date"] == "Tue, 20 Apr 2021 02:07:55 GMT"
    assert headers["x-nonce"] == NONCE


def test_the_secret_is_never_shown_nor_pickled() -> None:
    signer = HmacSigner("key-1", SECRET)
    assert SECRET not in repr(signer)
    with pytest.raises(TypeError, match="secret"):
        pickle.dumps(signer)


@pytest.mark.parametrize(
    ("key_id", "secret"), [("key-1", "short"), ("key-1", "AAAA"), ("key 1\r\nX: y", SECRET), ("ключ", SECRET)]
)
def test_a_key_that_cannot_be_used_is_told_at_the_first_call(
    key_id: str, secret: str, make_client: Callable[..., Client]
) -> None:
    client = make_client(lambda _: httpx.Response(200), key_id=key_id, secret=secret)
    with pytest.raises(ConfigurationError) as caught:
        client.customers.get("c-1")
    assert secret not in str(caught.value)


def test_a_plain_callable_signs(make_client: Callable[..., Client]) -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json={"id": "c-1"})

    make_client(answer, signer=lambda request: {"Authorization": f"Plain {request.target}"}).customers.get(
        "c-1"
    )
    assert seen[0].headers["authorization"] == "Plain /v1/customers/c-1"


def azure_signer(credential: str, secret: bytes) -> Callable[[UnsignedRequest], Mapping[str, str]]:
    def sign(request: UnsignedRequest) -> Mapping[str, str]:
        digest = base64.b64encode(hashlib.sha256(request.body).digest()).decode()
        date = request.now.strftime("%a, %d %b %Y %H:%M:%S GMT")
        text = f"{request.method}\n{request.target}\n{date};{request.host};{digest}"
        signature = base64.b64encode(hmac.digest(secret, text.encode(), "sha256")).decode()
        authorization = f"HMAC-SHA256 Credential={credential}&SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature={signature}"
        return {"x-ms-date": date, "x-ms-content-sha256": digest, "Authorization": authorization}

    return sign


def test_the_form_of_azure_app_configuration_fits_the_seam(make_client: Callable[..., Client]) -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json=[])

    client = make_client(answer, signer=azure_signer("id", b"k" * 32), base_url="https://a.example")
    client.banks.list(country_code="GB")
    headers = seen[0].headers
    text = f"GET\n/v1/banks?countryCode=GB\n{headers['x-ms-date']};{headers['host']};{headers['x-ms-content-sha256']}"
    expected = base64.b64encode(hmac.digest(b"k" * 32, text.encode(), "sha256")).decode()
    assert headers["authorization"].endswith(f"&Signature={expected}")


def rfc9421_hmac_signer(key: bytes, created: int) -> Callable[[UnsignedRequest], Mapping[str, str]]:
    """RFC 9421, B.2.5: HMAC-SHA256 over date, @authority and content-type."""
    parameters = f'("date" "@authority" "content-type");created={created};keyid="test-shared-secret"'

    def sign(request: UnsignedRequest) -> Mapping[str, str]:
        date = request.now.strftime("%a, %d %b %Y %H:%M:%S GMT")
        lines = [
            f'"date": {date}',
            f'"@authority": {request.host.lower()}',
            f'"content-type": {request.headers["Content-Type"]}',
            f'"@signature-params": {parameters}',
        ]
        signature = base64.b64encode(hmac.digest(key, "\n".join(lines).encode(), "sha256")).decode()
        return {
            "Date": date,
            "Signature-Input": f"sig-b25={parameters}",
            "Signature": f"sig-b25=:{signature}:",
        }

    return sign


def test_the_published_example_of_rfc_9421_fits_the_seam() -> None:
    key = base64.b64decode(
        "uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ=="
    )
    request = UnsignedRequest(
        method="POST",
        url="https://example.com/foo",
        target="/foo",
        host="example.com",
        headers={"Content-Type": "application/json"},
        body=b'{"hello": "world"}',
        now=datetime(2021, 4, 20, 2, 7, 55, tzinfo=UTC),
        nonce=NONCE,
    )
    headers = rfc9421_hmac_signer(key, 1618884473)(request)
    assert headers["Signature"] == "sig-b25=:pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=:"


def test_every_attempt_is_signed_anew(make_client: Callable[..., Client], naps: list[float]) -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(503 if len(seen) < 3 else 200, json={"id": "c-1"})

    make_client(answer).customers.get("c-1")
    assert len({request.headers["x-nonce"] for request in seen}) == 3
    assert len({request.headers["authorization"] for request in seen}) == 3
    assert len({request.headers["x-request-id"] for request in seen}) == 1
    assert len(naps) == 2


class Provider:
    """A provider's scheme that needs the key: a class, made with key id and secret."""

    def __init__(self, key_id: str, secret: str) -> None:
        self.key_id, self.secret = key_id, secret

    def __call__(self, request: UnsignedRequest) -> Mapping[str, str]:
        return {"x-signed": f"{self.key_id} {self.secret} {request.method}"}


def provider(request: UnsignedRequest) -> Mapping[str, str]:
    return {"x-signed": request.target}


NOTHING = "a signer that cannot be called"


@pytest.mark.parametrize(
    ("name", "signed"),
    [("provider", "/v1/customers/c-1"), ("Provider", "key-1 c2VjcmV0 GET")],
)
@pytest.mark.parametrize("where", ["environment", "argument"])
def test_a_signer_is_loaded_by_its_name(
    name: str, signed: str, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"{__name__}:{name}"
    if where == "environment":
        monkeypatch.setenv("KYCPACK_SIGNER", path)
    seen: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request.headers["x-signed"])
        assert "authorization" not in request.headers
        return httpx.Response(200, json={"id": "c-1"})

    with httpx.Client(transport=httpx.MockTransport(answer)) as http:
        client = Client(
            "https://api.example",
            key_id="key-1",
            secret="c2VjcmV0",
            signer=path if where == "argument" else None,
            http_client=http,
        )
        client.customers.get("c-1")
    assert seen == [signed]


def test_a_signer_function_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KYCPACK_SIGNER", f"{__name__}:provider")
    transport = httpx.MockTransport(lambda _: httpx.Response(200, json={"id": "c-1"}))
    with httpx.Client(transport=transport) as http:
        assert Client("https://api.example", http_client=http).customers.get("c-1").id == "c-1"


@pytest.mark.parametrize("path", ["no.such.module:sign", f"{__name__}:absent", "nonsense", f"{__name__}:NOTHING", ":x"])  # fmt: skip
def test_a_signer_that_cannot_be_loaded_says_so(path: str) -> None:
    with pytest.raises(ConfigurationError, match="signer: "):
        Client("https://api.example", signer=path)


def broken(_request: UnsignedRequest) -> Mapping[str, str]:
    raise KeyError("the-secret-itself")


def without_headers(_request: UnsignedRequest) -> Mapping[str, str]:
    return None  # type: ignore[return-value]


@pytest.mark.parametrize(("signer", "kind"), [(broken, "KeyError"), (without_headers, "TypeError")])
def test_a_signer_that_fails_is_a_matter_of_configuration(
    signer: Callable[[UnsignedRequest], Mapping[str, str]], kind: str
) -> None:
    transport = httpx.MockTransport(lambda _: pytest.fail("nothing may be sent"))
    with httpx.Client(transport=transport) as http:
        client = Client("https://api.example", signer=signer, http_client=http)
        with pytest.raises(ConfigurationError, match=f"signer: it failed with {kind}; expected") as caught:
            client.customers.get("c-1")
    assert "the-secret-itself" not in str(caught.value)
