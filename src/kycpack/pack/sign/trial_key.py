"""A key for trial signatures, issued by an authority that signs one certificate and whose own key is not kept."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, pkcs12
from cryptography.x509.oid import NameOID

from kycpack.errors import ConfigurationError
from kycpack.folders import write_file

_DAYS = 365


def new_trial_key(
    target: Path, trust: Path, *, name: str, passphrase: str, now: datetime, days: int = _DAYS
) -> None:
    """Make a key for signing packs, and the certificate to trust it by.

    Args:
        target: PKCS#12 file to make.
        trust: PEM file to make: the certificate of the authority; its key is not kept.
        name: Common name of the signer.
        passphrase: Passphrase for the PKCS#12 file.
        now: Start of the certificates' validity.
        days: Validity of the signer's certificate, in days.

    Raises:
        ConfigurationError: One of the files already exists, or the passphrase is empty.
    """
    if not passphrase:
        raise ConfigurationError("a signing key for packs needs a passphrase: set KYCPACK_SIGNING_PASSPHRASE")
    for path in (target, trust):
        if path.exists():
            raise ConfigurationError(f"{path} already exists; keys are not replaced")
    authority_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    authority = _certificate(f"{name}: trial authority", authority_key, None, authority_key, now, _DAYS * 10)
    certificate = _certificate(name, key, authority, authority_key, now, days)
    bundle = pkcs12.serialize_key_and_certificates(
        name.encode(), key, certificate, [authority], BestAvailableEncryption(passphrase.encode())
    )
    write_file(target, bundle)
    write_file(trust, authority.public_bytes(Encoding.PEM))


def _certificate(
    name: str,
    key: ec.EllipticCurvePrivateKey,
    issuer: x509.Certificate | None,
    issuer_key: ec.EllipticCurvePrivateKey,
    now: datetime,
    days: int,
) -> x509.Certificate:
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    is_authority = issuer is None
    usage = x509.KeyUsage(
        digital_signature=not is_authority,
        content_commitment=not is_authority,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=is_authority,
        crl_sign=is_authority,
        encipher_only=False,
        decipher_only=False,
    )
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject if issuer is None else issuer.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(minutes=5))
        .not_valid_after(now + timedelta(days=days))
        .add_extension(
            x509.BasicConstraints(ca=is_authority, path_length=0 if is_authority else None), critical=True
        )
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()), critical=False
        )
    )
    return builder.sign(issuer_key, hashes.SHA256())
