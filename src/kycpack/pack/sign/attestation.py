"""The envelope of a pack's provenance: signed with the key that signs the pack, and checked against the pack.

Needs the extra `signing`. Source: DSSE v1.0.2 (dead simple signing envelope).
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from asn1crypto import cms
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.serialization import load_der_public_key

from kycpack.errors import KycpackError
from kycpack.models.json import canonical_json, parse_json
from kycpack.pack.bag import ATTESTATION, SIGNATURE
from kycpack.pack.limits import read_limited
from kycpack.pack.sign.provenance import installed_code, provenance_problems, statement_of

PAYLOAD_TYPE = "application/vnd.in-toto+json"


def payload_bytes(folder: Path, manifest: Mapping[str, Any]) -> bytes:
    """Return the bytes of the statement about a pack that are signed."""
    return canonical_json(statement_of(folder, manifest, installed_code()))


def signed_part(payload: bytes) -> bytes:
    """Return the bytes that the envelope's signature covers: the pre-authentication encoding of DSSE."""
    kind = PAYLOAD_TYPE.encode()
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)


def envelope(payload: bytes, signature: bytes, fingerprint: str) -> bytes:
    """Return the envelope.

    Args:
        payload: The statement.
        signature: The signature over `signed_part`.
        fingerprint: SHA-256 of the signer's certificate.
    """
    document = {
        "payloadType": PAYLOAD_TYPE,
        "payload": base64.b64encode(payload).decode(),
        "signatures": [{"keyid": fingerprint, "sig": base64.b64encode(signature).decode()}],
    }
    return json.dumps(document, sort_keys=True, indent=1).encode() + b"\n"


def attestation_problems(folder: Path) -> Iterator[str]:
    """Yield each reason why the provenance of a signed pack is not valid.

    Args:
        folder: The pack.
    """
    try:
        document = parse_json(read_limited(folder / ATTESTATION, ATTESTATION))
        payload = base64.b64decode(document["payload"], validate=True)
        (one,) = document["signatures"]
        fingerprint, signature = one["keyid"], base64.b64decode(one["sig"], validate=True)
        key = _key_of(folder, fingerprint)
        if document["payloadType"] != PAYLOAD_TYPE:
            yield f"{ATTESTATION}: it is not an in-toto statement"
        elif key is None:
            yield f"{ATTESTATION}: it was not signed with the key that signed the pack"
        elif not _is_valid(key, signed_part(payload), signature):
            yield f"{ATTESTATION}: its signature is not valid"
        else:
            manifest = parse_json(read_limited(folder / "data/manifest.json", "data/manifest.json"))
            for problem in provenance_problems(folder, manifest, parse_json(payload)):
                yield f"{ATTESTATION}: {problem}"
    except (
        KycpackError,
        KeyError,
        TypeError,
        ValueError,
        IndexError,
        AttributeError,
        OSError,
        binascii.Error,
    ):
        yield f"{ATTESTATION}: it cannot be read"


def _key_of(folder: Path, fingerprint: str) -> Any:
    """Return the public key of the certificate that signed the pack; None if it does not have this fingerprint."""
    info = cms.ContentInfo.load(read_limited(folder / SIGNATURE, SIGNATURE), strict=True)["content"]
    serials = {
        one["sid"].chosen["serial_number"].native
        for one in info["signer_infos"]
        if one["sid"].name == "issuer_and_serial_number"
    }
    for choice in info["certificates"]:
        certificate = choice.chosen
        if certificate.serial_number in serials and certificate.sha256.hex() == fingerprint:
            return load_der_public_key(certificate.public_key.dump())
    return None


def _is_valid(key: Any, content: bytes, signature: bytes) -> bool:
    try:
        if isinstance(key, ec.EllipticCurvePublicKey):
            key.verify(signature, content, ec.ECDSA(hashes.SHA256()))
        elif isinstance(key, rsa.RSAPublicKey):
            key.verify(signature, content, padding.PKCS1v15(), hashes.SHA256())
        elif isinstance(key, ed25519.Ed25519PublicKey):
            key.verify(signature, content)
        else:
            return False
    except InvalidSignature:
        return False
    return True
