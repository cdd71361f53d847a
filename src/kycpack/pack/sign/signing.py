"""Signing a pack: PAdES on both PDFs, then CMS over the tag manifest of the bag.

Needs the extra `signing`. Signatures cannot be reproduced byte for byte, so they come last.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any, TypeVar

import httpx
from asn1crypto import tsp
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.misc import PdfError
from pyhanko.sign.fields import SigSeedSubFilter
from pyhanko.sign.general import SigningError
from pyhanko.sign.signers import PdfSignatureMetadata, PdfSigner, SimpleSigner
from pyhanko.sign.timestamps import TimeStamper, TimestampRequestError

from kycpack.errors import ConfigurationError, PackError
from kycpack.folders import new_folder
from kycpack.models.json import parse_json
from kycpack.pack.bag import ATTESTATION, SIGNATURE, TAG_MANIFEST, close_bag
from kycpack.pack.check.parts import PDFS
from kycpack.pack.check.verify import verify_pack
from kycpack.pack.seal.manifest import bag_info
from kycpack.pack.sign.attestation import envelope, payload_bytes, signed_part

_DIGEST = "sha256"
_TIMEOUT_S = 20.0
_TOKEN_BYTES = 1024 * 1024

# Its messages name signers and addresses.
logging.getLogger("pyhanko").addHandler(logging.NullHandler())

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class CertifiedKey:
    """A key with its certificate, and the source of timestamps.

    Attributes:
        signer: What pyHanko signs with: a key of a PKCS#12 file, or one in a PKCS#11 token.
        timestamp_url: Address of an RFC 3161 authority; empty for signatures without timestamps.
    """

    signer: Any = field(repr=False)
    timestamp_url: str = ""

    @property
    def timestamper(self) -> TimeStamper | None:
        """The client of the timestamp authority; None without an authority."""
        return _Authority(self.timestamp_url) if self.timestamp_url else None


def load_key(path: Path | str, passphrase: str, *, timestamp_url: str = "") -> CertifiedKey:
    """Read a key from a PKCS#12 file.

    Args:
        path: The file, with the key, its certificate and the issuing certificates.
        passphrase: Passphrase of the file.
        timestamp_url: Address of an RFC 3161 authority; empty for none.

    Raises:
        ConfigurationError: The file cannot be read or opened, or the address is plain http to another machine.
    """
    _check_timestamp_url(timestamp_url)
    signer = SimpleSigner.load_pkcs12(str(path), passphrase=passphrase.encode())  # type: ignore[no-untyped-call]
    if signer is None:
        raise ConfigurationError(f"{path} is not a PKCS#12 file that this passphrase opens")
    return CertifiedKey(signer, timestamp_url)


def load_token_key(
    library: Path | str, token: str, label: str, pin: str, *, timestamp_url: str = ""
) -> CertifiedKey:
    """Find a key in a PKCS#11 token; the key never leaves the token.

    Args:
        library: The PKCS#11 module of the token's manufacturer.
        token: Label of the token.
        label: Label of the key and of its certificate.
        pin: PIN of the token; never shown.
        timestamp_url: Address of an RFC 3161 authority; empty for none.

    Raises:
        ConfigurationError: The extra `pkcs11` is not installed, the token or the key is not found, or the PIN is wrong.
    """
    try:
        from pkcs11.exceptions import PKCS11Error  # noqa: PLC0415 - an extra
        from pyhanko.config.pkcs11 import TokenCriteria  # noqa: PLC0415
        from pyhanko.sign.pkcs11 import PKCS11Signer, open_pkcs11_session  # noqa: PLC0415
    except ImportError as error:
        raise ConfigurationError(
            "a key in a token needs the extra `pkcs11`: pip install 'kycpack[pkcs11]'"
        ) from error
    _check_timestamp_url(timestamp_url)
    try:
        session = open_pkcs11_session(str(library), token_criteria=TokenCriteria(label=token), user_pin=pin)
        signer = PKCS11Signer(session, cert_label=label, key_label=label)
        # Not every token can hash for ECDSA, but all can sign a hash. A wrong label is an error here.
        signer.use_raw_mechanism = signer.signing_cert.public_key.algorithm == "ec"
    except (PKCS11Error, PdfError, SigningError, OSError, RuntimeError) as error:
        # Not `from error`: its text may quote the PIN or other input.
        raise ConfigurationError(
            f"no key {label!r} in the token {token!r} of {library}, or the PIN does not open it ({type(error).__name__})"
        ) from None
    return CertifiedKey(signer, timestamp_url)


def _check_timestamp_url(url: str) -> None:
    address = httpx.URL(url)
    if url and address.scheme != "https" and address.host not in {"127.0.0.1", "localhost", "::1"}:
        raise ConfigurationError("a timestamp authority on another machine needs an https address")


def sign_pack(path: Path | str, key: CertifiedKey) -> None:
    """Sign a pack in place; it is replaced completely or left as it was.

    Args:
        path: The pack's folder.
        key: The key to sign with.

    Raises:
        PackError: The pack has a defect or is already signed, or the timestamp authority did not answer.
    """
    folder = Path(path)
    if (folder / SIGNATURE).exists():
        raise PackError(f"{folder} is already signed")
    answer = verify_pack(folder)
    if not answer.ok:
        raise PackError(f"{folder} has a defect and was not signed: {answer.problems[0]}")
    with new_folder(folder) as scratch:
        shutil.copytree(folder, scratch, dirs_exist_ok=True)
        for name in PDFS:
            document = scratch / "data" / name
            document.write_bytes(sign_pdf(document.read_bytes(), key))
        manifest = parse_json((scratch / "data" / "manifest.json").read_bytes())
        # The statement names the manifest, which lists the signed documents.
        close_bag(scratch, bag_info(manifest))
        attestation = scratch / ATTESTATION
        attestation.write_bytes(_attestation(scratch, manifest, key))
        attestation.chmod(0o600)
        close_bag(scratch, bag_info(manifest))
        signature = scratch / SIGNATURE
        signature.write_bytes(sign_bytes((scratch / TAG_MANIFEST).read_bytes(), key))
        signature.chmod(0o600)


def sign_pdf(content: bytes, key: CertifiedKey) -> bytes:
    """Return a PDF with a signature appended; the result begins with the bytes of the unsigned file."""
    details = PdfSignatureMetadata(
        field_name="Pack", md_algorithm=_DIGEST, subfilter=SigSeedSubFilter.PADES, signer_key_usage=set()
    )
    signer = PdfSigner(details, key.signer, timestamper=key.timestamper)
    target = BytesIO()
    _signed(signer.async_sign_pdf(_Appended(BytesIO(content)), output=target))
    return target.getvalue()


def sign_bytes(content: bytes, key: CertifiedKey) -> bytes:
    """Return a detached CMS signature of some bytes, in DER."""
    made = _signed(
        key.signer.async_sign_general_data(content, _DIGEST, detached=True, timestamper=key.timestamper)
    )
    return bytes(made.dump())


def _attestation(folder: Path, manifest: dict[str, Any], key: CertifiedKey) -> bytes:
    payload = payload_bytes(folder, manifest)
    made = _signed(key.signer.async_sign_raw(signed_part(payload), _DIGEST))
    return envelope(payload, made, key.signer.signing_cert.sha256.hex())


def run_apart(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a pyHanko coroutine to its end, even where an event loop is already running, as in a notebook."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def _signed(work: Coroutine[Any, Any, Any]) -> Any:
    try:
        return run_apart(work)
    except (TimestampRequestError, httpx.HTTPError) as error:
        raise PackError("the timestamp authority gave no timestamp; the pack was not signed") from error


class _Appended(IncrementalPdfFileWriter):
    """Appends a signature and keeps the PDF version of the document: PDF/A-3 requires PDF 1.7."""

    def ensure_output_version(self, version: Any) -> None:
        """Keep the version."""

    def register_extension(self, ext: Any) -> None:
        """Keep the catalogue."""

    def _update_meta(self) -> None:
        """Keep the metadata, which PDF/A compares with the rest of the document."""


class _Authority(TimeStamper):
    """Gets timestamps from an RFC 3161 authority."""

    def __init__(self, url: str) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._url = url

    async def async_request_tsa_response(self, req: tsp.TimeStampReq) -> tsp.TimeStampResp:
        async with httpx.AsyncClient(timeout=_TIMEOUT_S, trust_env=False) as client:
            answer = await client.post(
                self._url, content=req.dump(), headers={"Content-Type": "application/timestamp-query"}
            )
        answer.raise_for_status()
        if len(answer.content) > _TOKEN_BYTES:
            raise TimestampRequestError("the answer is too long for a timestamp")
        return tsp.TimeStampResp.load(answer.content)
