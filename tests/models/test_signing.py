from __future__ import annotations

import base64

import pytest

from kycpack.errors import ConfigurationError, InputError
from kycpack.models.signing import (
    CanonicalRequest,
    authorization,
    content_sha256,
    decode_secret,
    parse_authorization,
    sign,
    string_to_sign,
)

SECRET = b"0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize(
    ("method", "target", "body", "signature"),
    [
        ("POST", "/v1/customers", b'{"firstName":"Ann"}', "k7q79s0hpjer6H84xiSKc+wqBO1irtl2lqCf2S8Sq+M="),
        ("GET", "/v1/banks?countryCode=GB", b"", "7/+IUYAbPp/OZSKwaOKARdTfpeRiBZZnWhoU/03pT+M="),
    ],
)
def test_the_published_vectors(method: str, target: str, body: bytes, signature: str) -> None:
    request = CanonicalRequest(
        method=method,
        target=target,
        host="api.local:8443",
        date="Tue, 20 Apr 2021 02:07:55 GMT",
        content_sha256=content_sha256(body),
        nonce="00000000-0000-4000-8000-000000000001",
    )
    assert sign(SECRET, string_to_sign(request)) == signature
    assert parse_authorization(authorization("key-1", signature)) == ("key-1", signature)


@pytest.mark.parametrize("secret", ["", "not base64!", base64.b64encode(b"short").decode()])
def test_a_secret_that_cannot_be_one_is_refused_without_a_quote(secret: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        decode_secret(secret)
    assert not secret or secret not in str(caught.value)


@pytest.mark.parametrize(
    "header", ["", "Bearer abc", "HMAC-SHA256 Credential=a", "HMAC-SHA256 Credential=a, Signature=short"]
)
def test_a_header_of_another_form_is_refused(header: str) -> None:
    with pytest.raises(InputError):
        parse_authorization(header)
