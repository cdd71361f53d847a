"""Checking the signatures of a pack: who signed, when, and whether a trusted authority vouches for the key.

Needs the extra `signing`. The trusted certificates come from the reader's own file, never from the pack.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

from asn1crypto import cms, crl, pem, x509
from pyhanko.pdf_utils.misc import PdfError
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import (
    async_validate_detached_cms,
    async_validate_pdf_signature,
)
from pyhanko.sign.validation.errors import SignatureValidationError
from pyhanko.sign.validation.settings import KeyUsageConstraints
from pyhanko_certvalidator import ValidationContext

from kycpack.errors import ConfigurationError
from kycpack.models.dates import instant_words
from kycpack.models.instants import format_seconds
from kycpack.pack.bag import SIGNATURE, TAG_MANIFEST
from kycpack.pack.check.parts import PDFS
from kycpack.pack.limits import read_limited
from kycpack.pack.sign.signing import run_apart
from kycpack.render.text_runs import visible

_USAGE = KeyUsageConstraints(key_usage={"digital_signature", "non_repudiation"})
_DIGESTS = frozenset({"sha256", "sha384", "sha512", "sha3_256", "sha3_384", "sha3_512"})
# Their messages name signers; the sentences below say what matters.
for _library in ("pyhanko", "pyhanko_certvalidator"):
    logging.getLogger(_library).addHandler(logging.NullHandler())
_BAD = (SignatureValidationError, PdfError, ValueError, TypeError, KeyError, IndexError, AttributeError)


@dataclass(frozen=True)
class Trust:
    """The certificates that a reader trusts.

    Attributes:
        roots: Certificates of authorities, or of signers themselves.
        revoked: Certificate revocation lists; if there is any, each certificate must be covered by a current list.
    """

    roots: tuple[x509.Certificate, ...]
    revoked: tuple[crl.CertificateList, ...] = ()


@dataclass(frozen=True, slots=True)
class Signature:
    """One signature of a pack.

    Attributes:
        file: The file that is signed.
        signer: The common name in the signer's certificate.
        fingerprint: SHA-256 of the certificate.
        timestamped_at: When a trusted timestamp authority saw it, UTC; None without a trusted timestamp.
        problem: What is wrong with it, in a sentence; empty if nothing is.
    """

    file: str
    signer: str
    fingerprint: str
    timestamped_at: str | None
    problem: str


def load_trust(path: Path | str) -> Trust:
    """Read certificates and certificate revocation lists from a PEM file.

    Raises:
        ConfigurationError: It cannot be read or holds no certificate.
    """
    roots, revoked = [], []
    try:
        for kind, _, content in pem.unarmor(Path(path).read_bytes(), multiple=True):
            if kind == "CERTIFICATE":
                roots.append(x509.Certificate.load(content, strict=True))
            elif kind == "X509 CRL":
                revoked.append(crl.CertificateList.load(content, strict=True))
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{path} is not a readable PEM file of certificates") from error
    if not roots:
        raise ConfigurationError(f"{path} holds no certificate")
    return Trust(tuple(roots), tuple(revoked))


def check_signatures(folder: Path, trust: Trust | None, moment: datetime) -> Iterator[Signature]:
    """Check the signature of the tag manifest and those of both PDFs.

    Args:
        folder: The pack, which must have a signature.
        trust: The reader's trusted certificates; None to check the signatures without checking who made them.
        moment: When certificates must be valid if no trusted timestamp dates the signature; an instant with an offset.
    """
    checks = _Checks(trust, moment.astimezone(UTC))
    yield checks.of_file(folder / TAG_MANIFEST, folder / SIGNATURE)
    for name in PDFS:
        yield checks.of_pdf(folder / "data" / name, f"data/{name}")


def check_file_signature(file: Path, signature: Path, trust: Trust | None, moment: datetime) -> Signature:
    """Check the signature of one file; the signature lies beside the file.

    Args:
        file: The file that is signed.
        signature: The detached CMS signature, DER.
        trust: The reader's trusted certificates; None to check the signature without checking who made it.
        moment: When certificates must be valid if no trusted timestamp dates the signature; an instant with an offset.
    """
    return _Checks(trust, moment.astimezone(UTC)).of_file(file, signature)


class _Checks:
    def __init__(self, trust: Trust | None, moment: datetime) -> None:
        self._trust = trust
        self._moment = moment

    def of_file(self, file: Path, signature: Path) -> Signature:
        content = read_limited(file, file.name)
        try:
            info = cms.ContentInfo.load(read_limited(signature, signature.name), strict=True)
            if info["content_type"].native != "signed_data":
                return _unreadable(file.name)
            # Another reader might check the content inside the signature, and not the file beside it.
            if info["content"]["encap_content_info"]["content"].native is not None:
                problem = f"{file.name}: its signature holds its own content instead of signing the file"
                return Signature(file.name, "", "", None, problem)
            return self._signature(file.name, partial(async_validate_detached_cms, content, info["content"]))
        except _BAD:
            return _unreadable(file.name)

    def of_pdf(self, path: Path, name: str) -> Signature:
        try:
            reader = PdfFileReader(BytesIO(read_limited(path, name)))
            signed = reader.embedded_regular_signatures
            if len(signed) != 1:
                return Signature(
                    name, "", "", None, f"{name} has {len(signed)} signatures; the pack is signed once"
                )
            return self._signature(name, partial(async_validate_pdf_signature, signed[0]))
        except _BAD:
            return _unreadable(name)

    def _context(self, moment: datetime, *, lists: bool = True) -> ValidationContext:
        # Nothing is fetched: a pack is checked without a network. Without trust, no certificate path is found or needed.
        revoked = self._trust.revoked if self._trust and lists else ()
        return ValidationContext(
            trust_roots=list(self._trust.roots) if self._trust else [],
            crls=list(revoked),
            revocation_mode="require" if revoked else "soft-fail",
            retroactive_revinfo=True,
            moment=moment,
            allow_fetching=False,
        )

    def _signature(self, name: str, check: Callable[..., Coroutine[Any, Any, Any]]) -> Signature:
        def validate(moment: datetime) -> Any:
            return run_apart(
                check(
                    signer_validation_context=self._context(moment),
                    ts_validation_context=self._context(self._moment, lists=False),
                    key_usage_settings=_USAGE,
                )
            )

        status = validate(self._moment)
        stamp = status.timestamp_validity
        dated = stamp is not None and stamp.valid and stamp.intact and stamp.trusted
        if dated:
            status = validate(stamp.timestamp)
        certificate = status.signing_cert
        signer = visible(str(certificate.subject.native.get("common_name", "somebody without a name")))
        problem = self._problem(name, signer, status, dated=dated)
        if not problem and stamp is not None and not (stamp.valid and stamp.intact):
            problem = f"{name}: the timestamp of its signature is not valid"
        return Signature(
            name,
            signer,
            certificate.sha256_fingerprint.replace(" ", "").lower(),
            format_seconds(stamp.timestamp) if dated else None,
            problem,
        )

    def _problem(self, name: str, signer: str, status: Any, *, dated: bool) -> str:
        if not status.intact:
            return f"{name}: it was changed after {signer} signed it"
        if status.md_algorithm not in _DIGESTS:
            return f"{name}: the signature of {signer} uses {status.md_algorithm}, a hash for which another file can be made to fit the same signature"
        if not status.valid:
            return f"{name}: the signature of {signer} does not match the key of its certificate"
        if self._trust is None or (status.trusted and not status.revoked):
            return ""
        return f"{name}: {self._why_untrusted(signer, status, dated=dated)}"

    def _why_untrusted(self, signer: str, status: Any, *, dated: bool) -> str:
        until, since = status.signing_cert.not_valid_after, status.signing_cert.not_valid_before
        if status.revoked:
            reason = f"the certificate of {signer} was revoked, and no trusted timestamp shows that the signature is older"
        elif not dated and until < self._moment:
            reason = (
                f"the certificate of {signer} expired on {instant_words(until)}, "
                "and no trusted timestamp shows that the signature is older"
            )
        elif since > self._moment:
            reason = f"the certificate of {signer} is not valid before {instant_words(since)}"
        elif self._trust is not None and self._trust.revoked:
            reason = (
                f"no certificate in the trust file vouches for {signer}, "
                "or its revocation lists do not cover the certificate or are out of date"
            )
        else:
            reason = f"it was signed by {signer}, for whom no certificate in the trust file vouches"
        return reason


def _unreadable(name: str) -> Signature:
    return Signature(name, "", "", None, f"{name}: its signature cannot be read")
