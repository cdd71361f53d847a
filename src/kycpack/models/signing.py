r"""The default signature, `kyc-hmac-v1`: one pure function for both ends.

The interface documents the `Authorization` header but not what is signed. This follows the form of the closest public
scheme, with a nonce added::

    StringToSign = METHOD "\n" raw-path["?"raw-query] "\n" x-date ";" host ";" x-content-sha256 ";" x-nonce
    Signature    = base64(HMAC-SHA256(base64decode(secret), utf8(StringToSign)))

The provider's own computation is unknown: pass its signer to `Client(signer=...)`.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
from dataclasses import dataclass

from kycpack.errors import ConfigurationError, InputError

SCHEME = "HMAC-SHA256"
NONCE = re.compile(r"[A-Za-z0-9-]{16,64}")
_AUTHORIZATION = re.compile(
    r"HMAC-SHA256 Credential=([A-Za-z0-9_.-]{1,128}), ?Signature=([A-Za-z0-9+/]{43}=)"
)
_SHORTEST_SECRET = 16


@dataclass(frozen=True, slots=True)
class CanonicalRequest:
    """The parts of a request that a signature covers.

    Attributes:
        method: HTTP method.
        target: Raw path, with `?` and the raw query if there is one, as on the wire.
        host: Host header, with the port unless it is the default of the scheme.
        date: `x-date`, an IMF-fixdate.
        content_sha256: `x-content-sha256`, base64 of the SHA-256 of the body's bytes.
        nonce: `x-nonce`, `[A-Za-z0-9-]{16,64}`.
    """

    method: str
    target: str
    host: str
    date: str
    content_sha256: str
    nonce: str


def content_sha256(body: bytes) -> str:
    """Return the SHA-256 of a body, which may be empty, as base64."""
    return base64.b64encode(hashlib.sha256(body).digest()).decode("ascii")


def string_to_sign(request: CanonicalRequest) -> str:
    """Return the text whose HMAC is the signature."""
    return (
        f"{request.method.upper()}\n{request.target}\n"
        f"{request.date};{request.host};{request.content_sha256};{request.nonce}"
    )


def decode_secret(secret: str) -> bytes:
    """Return the bytes of a base64 secret.

    Raises:
        ConfigurationError: The secret is not base64 or is shorter than 16 bytes; the message does not quote it.
    """
    try:
        decoded = base64.b64decode(secret, validate=True)
    except (binascii.Error, ValueError):
        raise ConfigurationError("the secret is not base64") from None
    if len(decoded) < _SHORTEST_SECRET:
        raise ConfigurationError(f"the secret has fewer than {_SHORTEST_SECRET} bytes")
    return decoded


def sign(secret: bytes, text: str) -> str:
    """Return the base64 signature of a text under a decoded secret."""
    return base64.b64encode(hmac.digest(secret, text.encode("utf-8"), "sha256")).decode("ascii")


def authorization(key_id: str, signature: str) -> str:
    """Return the value of the `Authorization` header."""
    return f"{SCHEME} Credential={key_id}, Signature={signature}"


def parse_authorization(header: str) -> tuple[str, str]:
    """Return the key id and the signature of an `Authorization` header.

    Raises:
        InputError: The header does not have the interface's form.
    """
    match = _AUTHORIZATION.fullmatch(header)
    if match is None:
        raise InputError("the Authorization header does not have the form of the interface")
    return match[1], match[2]
