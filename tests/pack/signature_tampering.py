"""Kinds of tampering with the signature of a pack, by an author who had not read the checks."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from asn1crypto import cms, core
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, pkcs12
from pyhanko.sign.signers.pdf_cms import PdfCMSSignedAttributes
from tests.pack.tampering import append

from kycpack.models.json import parse_json
from kycpack.pack.bag import SIGNATURE, TAG_MANIFEST, close_bag
from kycpack.pack.check.parts import PDFS
from kycpack.pack.seal.manifest import bag_info
from kycpack.pack.sign import trial_key
from kycpack.pack.sign.signing import CertifiedKey, load_key, run_apart, sign_bytes, sign_pdf

NAME = "Head of Compliance"
PASSPHRASE = "correct horse"
NOW = datetime.now(UTC)
FOUND, TRUST, NOBODY = "found", "trust", "nobody"
"""By whom a tampering is found: everybody who runs `kycpack verify`, a reader with a trust file, or nobody."""


class Vault:
    """The firm's key with its trust file, and a forger who makes keys of the same name.

    Args:
        folder: Where the files go.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.key, self.trust = self.new_key("firm")
        self.own_key, _ = self.new_key("forger")

    def new_key(self, label: str, *, now: datetime = NOW, days: int = 365) -> tuple[CertifiedKey, Path]:
        """Make a key by an authority of its own, and the file to trust it by."""
        place, trust = self._folder / f"{label}.p12", self._folder / f"{label}.pem"
        trial_key.new_trial_key(place, trust, name=NAME, passphrase=PASSPHRASE, now=now, days=days)
        return load_key(place, PASSPHRASE), trust

    def chained_key(self) -> CertifiedKey:
        """Return a forger's key whose authority copies the name of the firm's, and is embedded in the signature."""
        root_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
        root = trial_key._certificate(f"{NAME}: trial authority", root_key, None, root_key, NOW, 3650)
        leaf = trial_key._certificate(NAME, key, root, root_key, NOW, 365)
        return self._bundle("chained", key, leaf, root)

    def revoked_key(self) -> CertifiedKey:
        """Return a key of an authority that the reader trusts, who revoked it; the list is put into the trust file."""
        root_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
        root = trial_key._certificate("Authority with a list", root_key, None, root_key, NOW, 3650)
        leaf = trial_key._certificate(NAME, key, root, root_key, NOW, 365)
        gone = x509.RevokedCertificateBuilder().serial_number(leaf.serial_number)
        listed = (
            x509.CertificateRevocationListBuilder()
            .issuer_name(root.subject)
            .last_update(NOW - timedelta(minutes=1))
            .next_update(NOW + timedelta(days=1))
            .add_revoked_certificate(gone.revocation_date(NOW - timedelta(minutes=1)).build())
            .sign(root_key, hashes.SHA256())
        )
        self.trust = self._folder / "with-list.pem"
        self.trust.write_bytes(root.public_bytes(Encoding.PEM) + listed.public_bytes(Encoding.PEM))
        return self._bundle("revoked", key, leaf, root)

    def _bundle(self, label: str, key: Any, leaf: x509.Certificate, root: x509.Certificate) -> CertifiedKey:
        place = self._folder / f"{label}.p12"
        locked = BestAvailableEncryption(PASSPHRASE.encode())
        place.write_bytes(pkcs12.serialize_key_and_certificates(b"k", key, leaf, [root], locked))
        return load_key(place, PASSPHRASE)


@dataclass(frozen=True)
class SignatureKind:
    """One kind.

    Attributes:
        name: What is done, in words.
        act: Does it to a signed pack.
        found: By whom it is found.
        words: What the answer says.
    """

    name: str
    act: Callable[[Path, Vault], Any]
    found: str
    words: str


def _close(pack: Path) -> None:
    """Make the hashes anew and keep the signature."""
    old = (pack / SIGNATURE).read_bytes() if (pack / SIGNATURE).exists() else None
    close_bag(pack, bag_info(parse_json((pack / "data/manifest.json").read_bytes())))
    if old is not None:
        (pack / SIGNATURE).write_bytes(old)


def _unsigned_pdfs(pack: Path) -> None:
    files = parse_json((pack / "data/manifest.json").read_bytes())["files"]
    for name in PDFS:
        path = pack / "data" / name
        path.write_bytes(path.read_bytes()[: files[name]["bytes"]])


def _all_taken_away(pack: Path, _: Vault) -> None:
    (pack / SIGNATURE).unlink()
    _unsigned_pdfs(pack)
    _close(pack)


def _signed_anew(pack: Path, key: CertifiedKey) -> None:
    _unsigned_pdfs(pack)
    for name in PDFS:
        path = pack / "data" / name
        path.write_bytes(sign_pdf(path.read_bytes(), key))
    _close(pack)
    (pack / SIGNATURE).write_bytes(sign_bytes((pack / TAG_MANIFEST).read_bytes(), key))


def _policy(pack: Path) -> None:
    append("bag-info.txt", b"Contact-Name: somebody\n")(pack)
    tags = "".join(
        f"{hashlib.sha256((pack / name).read_bytes()).hexdigest()}  {name}\n"
        for name in ("bag-info.txt", "bagit.txt", "manifest-sha256.txt")
    )
    (pack / TAG_MANIFEST).write_text(tags)


def _load(pack: Path) -> cms.ContentInfo:
    return cms.ContentInfo.load((pack / SIGNATURE).read_bytes())


def _attached(pack: Path, _: Vault) -> None:
    """Put what was signed into the signature, and another list of hashes beside it."""
    info = _load(pack)
    info["content"]["encap_content_info"]["content"] = core.OctetString((pack / TAG_MANIFEST).read_bytes())
    (pack / SIGNATURE).write_bytes(info.dump(force=True))
    _policy(pack)


def _attached_alone(pack: Path, _: Vault) -> None:
    info = _load(pack)
    info["content"]["encap_content_info"]["content"] = core.OctetString((pack / TAG_MANIFEST).read_bytes())
    (pack / SIGNATURE).write_bytes(info.dump(force=True))


def _second_signer(pack: Path, vault: Vault) -> None:
    """Add a signer whose signature fits an altered list, beside the one that does not."""
    info = _load(pack)
    _policy(pack)
    other = cms.ContentInfo.load(sign_bytes((pack / TAG_MANIFEST).read_bytes(), vault.own_key))
    info["content"]["signer_infos"].append(other["content"]["signer_infos"][0])
    for certificate in other["content"]["certificates"]:
        info["content"]["certificates"].append(certificate)
    (pack / SIGNATURE).write_bytes(info.dump(force=True))


def _other_digest(pack: Path, _: Vault) -> None:
    """Let the signed attribute name the hash of an altered list."""
    _policy(pack)
    info = _load(pack)
    for attribute in info["content"]["signer_infos"][0]["signed_attrs"]:
        if attribute["type"].native == "message_digest":
            attribute["values"] = [hashlib.sha256((pack / TAG_MANIFEST).read_bytes()).digest()]
    (pack / SIGNATURE).write_bytes(info.dump(force=True))


def _weak(name: str) -> Callable[[Path, Vault], None]:
    def act(pack: Path, vault: Vault) -> None:
        made = run_apart(
            vault.key.signer.async_sign_general_data((pack / TAG_MANIFEST).read_bytes(), name, detached=True)
        )
        (pack / SIGNATURE).write_bytes(made.dump())

    return act


def _backdated(pack: Path, vault: Vault) -> None:
    settings = PdfCMSSignedAttributes(signing_time=NOW - timedelta(days=300))
    content = (pack / TAG_MANIFEST).read_bytes()
    made = run_apart(
        vault.key.signer.async_sign_general_data(
            content, "sha256", detached=True, signed_attr_settings=settings
        )
    )
    (pack / SIGNATURE).write_bytes(made.dump())


def _of_another_pack(pack: Path, vault: Vault) -> None:
    (pack / SIGNATURE).write_bytes(sign_bytes(b"another list of hashes", vault.key))


def _content(content: bytes) -> Callable[[Path, Vault], None]:
    return lambda pack, _: (pack / SIGNATURE).write_bytes(content) and None


def _cut(pack: Path, _: Vault) -> None:
    (pack / SIGNATURE).write_bytes((pack / SIGNATURE).read_bytes()[:-40])


def _renamed(pack: Path, _: Vault) -> None:
    (pack / SIGNATURE).rename(pack / "tagmanifest-sha512.txt.p7s")


def _second_list(pack: Path, _: Vault) -> None:
    (pack / "tagmanifest-sha512.txt").write_text(f"{'0' * 128}  bag-info.txt\n")


def _after(days: int, lasting: int) -> Callable[[Path, Vault], None]:
    """Return what signs with a key of the firm whose certificate began days ago and lasted so many."""

    def act(pack: Path, vault: Vault) -> None:
        key, vault.trust = vault.new_key(f"old-{days}", now=NOW + timedelta(days=days), days=lasting)
        _signed_anew(pack, key)

    return act


def _pdf_alone(pack: Path, vault: Vault) -> None:
    """Sign one PDF with another key, and the rest with the firm's."""
    _unsigned_pdfs(pack)
    for name, key in zip(PDFS, (vault.own_key, vault.key), strict=True):
        path = pack / "data" / name
        path.write_bytes(sign_pdf(path.read_bytes(), key))
    _close(pack)
    (pack / SIGNATURE).write_bytes(sign_bytes((pack / TAG_MANIFEST).read_bytes(), vault.key))


def _one_pdf_unsigned(pack: Path, vault: Vault) -> None:
    files = parse_json((pack / "data/manifest.json").read_bytes())["files"]
    path = pack / "data" / PDFS[0]
    path.write_bytes(path.read_bytes()[: files[PDFS[0]]["bytes"]])
    _close(pack)
    (pack / SIGNATURE).write_bytes(sign_bytes((pack / TAG_MANIFEST).read_bytes(), vault.key))


def _hashes_anew(pack: Path, _: Vault) -> None:
    append("data/policy.yaml", b"\n# softer\n")(pack)
    _close(pack)


SIGNATURE_KINDS = (
    SignatureKind("The signature is taken away", lambda pack, _: (pack / SIGNATURE).unlink(), FOUND, "the signature of the pack was removed"),
    SignatureKind("The signatures of pack and PDFs are taken away", _all_taken_away, TRUST, "the pack was never signed, or its signature was removed"),
    SignatureKind("The signature of one PDF is taken away, and the pack signed again with the firm's key", _one_pdf_unsigned, FOUND, "has 0 signatures; the pack is signed once"),
    SignatureKind("The signature is emptied", _content(b""), FOUND, "its signature cannot be read"),
    SignatureKind("The signature is cut short", _cut, FOUND, "its signature cannot be read"),
    SignatureKind("The signature is random bytes", _content(bytes(range(256)) * 8), FOUND, "its signature cannot be read"),
    SignatureKind("The signature is that of another pack", _of_another_pack, FOUND, "it was changed after"),
    SignatureKind("The pack is changed and its hashes recomputed under the old signature", _hashes_anew, FOUND, "it was changed after"),
    SignatureKind("The pack is signed again with a key of the same name", lambda pack, vault: _signed_anew(pack, vault.own_key), TRUST, "for whom no certificate in the trust file vouches"),
    SignatureKind("The signature brings an authority of its own with the firm's name", lambda pack, vault: _signed_anew(pack, vault.chained_key()), TRUST, "for whom no certificate in the trust file vouches"),
    SignatureKind("One PDF is signed with another key", _pdf_alone, FOUND, "were signed with different keys"),
    SignatureKind("The certificate had expired", _after(-40, 30), TRUST, "expired on"),
    SignatureKind("The certificate has not begun", _after(40, 30), TRUST, "is not valid before"),
    SignatureKind("The key had been revoked", lambda pack, vault: _signed_anew(pack, vault.revoked_key()), TRUST, "was revoked"),
    SignatureKind("The time of signing is moved back with the firm's key", _backdated, NOBODY, "its signature has no trusted timestamp"),
    SignatureKind("The signature holds the list of hashes itself, and another list lies beside it", _attached, FOUND, "holds its own content"),
    SignatureKind("The signature holds the list of hashes itself", _attached_alone, FOUND, "holds its own content"),
    SignatureKind("The hash in the signature is exchanged for that of another list", _other_digest, FOUND, "does not match the key"),
    SignatureKind("A second signer fits an altered list", _second_signer, FOUND, "its signature cannot be read"),
    SignatureKind("The signature rests on SHA-1", _weak("sha1"), FOUND, "uses sha1"),
    SignatureKind("The signature has another name", _renamed, FOUND, "should not be there"),
    SignatureKind("A second list of hashes is added that no signature covers", _second_list, FOUND, "should not be there"),
)  # fmt: skip
"""Each with who finds it, and what is said."""
