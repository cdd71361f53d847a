"""Signers: turn a request into the headers that sign it.

The interface does not document what is signed, so a signer is any callable from `UnsignedRequest` to headers. `HmacSigner` is
the default; a provider's own signer is passed to `Client(signer=...)`.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import format_datetime
from typing import NoReturn, Protocol

from kycpack.errors import ConfigurationError, KycpackError
from kycpack.models.signing import (
    CanonicalRequest,
    authorization,
    content_sha256,
    decode_secret,
    sign,
    string_to_sign,
)

_KEY_ID = re.compile(r"[A-Za-z0-9_.-]{1,128}")


@dataclass(frozen=True, slots=True)
class UnsignedRequest:
    """A request as it will be sent once it is signed.

    Attributes:
        method: HTTP method.
        url: Absolute URL.
        target: Raw path, with `?` and the raw query if there is one.
        host: Value of the Host header.
        headers: The headers set so far.
        body: The bytes that are sent.
        now: The client's time, UTC.
        nonce: A new UUID; every attempt has its own.
    """

    method: str
    url: str
    target: str
    host: str
    headers: Mapping[str, str]
    body: bytes = field(repr=False)
    now: datetime
    nonce: str


class Signer(Protocol):
    """Anything that can be called with a request and returns the headers that sign it."""

    def __call__(self, request: UnsignedRequest, /) -> Mapping[str, str]:
        """Return the headers to add.

        Args:
            request: The request; the signer is called for every attempt.
        """


def load_signer(path: str, *, key_id: str, secret: str) -> Signer:
    """Return the signer named in a setting.

    Args:
        path: `package.module:name`. A class is instantiated with `key_id` and `secret`; anything else is the signer itself.
        key_id: Id of the API key; may be empty.
        secret: The key's secret; may be empty.

    Raises:
        ConfigurationError: The module or name does not exist, or cannot be called.
    """
    module, _, name = path.partition(":")
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigurationError(
            f"signer: {path!r} cannot be loaded ({type(error).__name__}); expected package.module:name, "
            "and the module must be where Python finds it (PYTHONPATH)"
        ) from error
    signer = found(key_id, secret) if isinstance(found, type) else found
    if not callable(signer):
        raise ConfigurationError(f"signer: {path!r} cannot be called")
    made: Signer = signer
    return made


def signed_headers(signer: Signer, request: UnsignedRequest) -> dict[str, str]:
    """Return the headers from a signer.

    Args:
        signer: The provider's own signer or ours.
        request: The request to sign.

    Raises:
        ConfigurationError: The signer failed or returned no headers. Only the class of its error is in the message, because
            its text may contain a secret.
    """
    try:
        return dict(signer(request))
    except KycpackError:
        raise
    except Exception as error:
        raise ConfigurationError(
            f"signer: it failed with {type(error).__name__}; expected a dict of headers; `kycpack --debug ...` shows where"
        ) from error


class HmacSigner:
    """The default signer, `kyc-hmac-v1`.

    A key or secret that cannot be used is reported only with the first request.

    Args:
        key_id: Id of the API key.
        secret: The key's secret, base64; it is never shown.
    """

    __slots__ = ("_secret", "key_id")

    def __init__(self, key_id: str, secret: str) -> None:
        self.key_id = key_id
        self._secret = secret

    def __call__(self, request: UnsignedRequest, /) -> Mapping[str, str]:
        """Return `Authorization`, `x-date`, `x-content-sha256` and `x-nonce`.

        Raises:
            ConfigurationError: The key id or the secret cannot be used.
        """
        if not _KEY_ID.fullmatch(self.key_id):
            raise ConfigurationError(
                "the key id may only contain letters, digits, dots, dashes and underscores, at most 128"
            )
        canonical = CanonicalRequest(
            method=request.method,
            target=request.target,
            host=request.host,
            date=format_datetime(request.now, usegmt=True),
            content_sha256=content_sha256(request.body),
            nonce=request.nonce,
        )
        signature = sign(decode_secret(self._secret), string_to_sign(canonical))
        return {
            "Authorization": authorization(self.key_id, signature),
            "x-date": canonical.date,
            "x-content-sha256": canonical.content_sha256,
            "x-nonce": canonical.nonce,
        }

    def __repr__(self) -> str:
        return f"HmacSigner(key_id={self.key_id!r})"

    def __getstate__(self) -> NoReturn:
        raise TypeError("a signer cannot be pickled: it contains a secret")
