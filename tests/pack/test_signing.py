"""A signed pack is verified by us, by openssl and by poppler; whatever is wrong with a signature is said in a sentence."""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
import subprocess
from collections.abc import Callable
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    pkcs12,
)
from tests.pack.trial_keys import NAME, NOW, PASSPHRASE, make_key

from kycpack import __version__
from kycpack.errors import ConfigurationError, PackError
from kycpack.models.json import parse_json
from kycpack.pack import PackResult, replay_pack, verify_pack
from kycpack.pack.bag import ATTESTATION, MANIFEST, SIGNATURE, TAG_MANIFEST, close_bag
from kycpack.pack.seal.manifest import bag_info
from kycpack.pack.sign import trial_key
from kycpack.pack.sign.attestation import envelope, signed_part
from kycpack.pack.sign.signing import CertifiedKey, load_key, run_apart, sign_bytes, sign_pack, sign_pdf


@pytest.fixture(scope="module")
def firm(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return make_key(tmp_path_factory.mktemp("firm"))


@pytest.fixture(scope="module")
def sealed(made: PackResult, firm: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    pack = Path(shutil.copytree(made.path, tmp_path_factory.mktemp("sealed") / made.path.name))
    sign_pack(pack, load_key(firm[0], PASSPHRASE))
    return pack


@pytest.fixture
def signed(sealed: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sealed, tmp_path / sealed.name))


def problems(pack: Path, trust: Path, **more: object) -> str:
    return "\n".join(verify_pack(pack, trust=trust, require_signature=True, **more).problems)  # type: ignore[arg-type]


def test_a_signed_pack_verifies_and_replays(sealed: Path, firm: tuple[Path, Path]) -> None:
    answer = verify_pack(sealed, trust=firm[1], require_signature=True, signer=NAME)
    assert (answer.ok, answer.problems) == (True, ())
    assert [one["signer"] for one in answer.signatures] == [NAME] * 3
    assert replay_pack(sealed).identical


def test_openssl_verifies_the_tag_manifest(sealed: Path, firm: tuple[Path, Path]) -> None:
    command = ["openssl", "cms", "-verify", "-binary", "-inform", "DER", "-in", SIGNATURE]
    command += ["-content", TAG_MANIFEST, "-CAfile", str(firm[1]), "-purpose", "any", "-out", "/dev/null"]
    done = subprocess.run(command, cwd=sealed, check=False, capture_output=True, text=True)  # noqa: S603 - the stock tool
    assert done.returncode == 0, done.stderr


def _statement(pack: Path) -> dict[str, Any]:
    envelope = json.loads((pack / ATTESTATION).read_bytes())
    return dict(json.loads(base64.b64decode(envelope["payload"])))


def test_the_signer_states_with_what_code_and_from_what_the_pack_was_made(sealed: Path) -> None:
    statement = _statement(sealed)
    manifest = parse_json((sealed / "data/manifest.json").read_bytes())
    assert statement["_type"] == "https://in-toto.io/Statement/v1"
    assert statement["predicateType"] == "https://slsa.dev/provenance/v1"
    inputs = statement["predicate"]["buildDefinition"]["resolvedDependencies"]
    named = {one["name"]: one["digest"]["sha256"] for one in inputs if "name" in one}
    assert named["data/evidence/index.json"] == manifest["evidence_root"]
    assert named["data/policy.yaml"] == manifest["policy"]["digest"]
    assert {f"pkg:pypi/numpy@{manifest['libraries']['numpy']}", f"pkg:pypi/kycpack@{__version__}"} <= {
        one.get("uri") for one in inputs
    }
    signed_with = statement["predicate"]["runDetails"]["byproducts"][0]["annotations"]
    assert signed_with["version"] == __version__
    assert len(signed_with["source_sha256"]) == 64
    assert f"{hashlib.sha256((sealed / MANIFEST).read_bytes()).hexdigest()}" in str(statement["subject"])


def test_openssl_verifies_the_statement(sealed: Path, tmp_path: Path) -> None:
    """Nothing but openssl and base64, by the rules of DSSE."""
    envelope = json.loads((sealed / ATTESTATION).read_bytes())
    payload, kind = base64.b64decode(envelope["payload"]), envelope["payloadType"].encode()
    signed = tmp_path / "signed"
    signed.write_bytes(b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload))
    (tmp_path / "sig").write_bytes(base64.b64decode(envelope["signatures"][0]["sig"]))
    commands = (
        f"openssl pkcs7 -inform DER -in {sealed / SIGNATURE} -print_certs -out certificates.pem",
        "openssl x509 -in certificates.pem -noout -pubkey -out key.pem",
        f"openssl dgst -sha256 -verify key.pem -signature sig {signed}",
    )
    for command in commands:
        done = subprocess.run(command.split(), cwd=tmp_path, check=False, capture_output=True, text=True)  # noqa: S603 - the stock tool
    assert "Verified OK" in done.stdout, done.stderr


def _attest(pack: Path, payload: bytes, key: CertifiedKey) -> None:
    """Put another statement into a signed pack, and sign the pack anew."""
    made = run_apart(key.signer.async_sign_raw(signed_part(payload), "sha256"))
    (pack / ATTESTATION).write_bytes(envelope(payload, made, key.signer.signing_cert.sha256.hex()))
    close_bag(pack, bag_info(parse_json((pack / "data/manifest.json").read_bytes())))


def _other_inputs(statement: dict[str, Any]) -> None:
    statement["predicate"]["buildDefinition"]["resolvedDependencies"][0]["digest"]["sha256"] = "0" * 64


def _other_subject(statement: dict[str, Any]) -> None:
    statement["subject"][0]["digest"]["sha256"] = "0" * 64


def _other_version(statement: dict[str, Any]) -> None:
    statement["predicate"]["runDetails"]["builder"]["version"]["kycpack"] = "9.9.9"


def _other_kind(statement: dict[str, Any]) -> None:
    statement["_type"] = "https://in-toto.io/Statement/v0.1"


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (_other_inputs, "its buildDefinition differs from the pack's manifest"),
        (_other_subject, "it is about another pack"),
        (_other_version, "its runDetails differs from the pack's manifest"),
        (_other_kind, "it is not an in-toto statement"),
    ],
)
def test_a_statement_that_does_not_fit_the_pack_is_found_although_it_is_signed(
    signed: Path, firm: tuple[Path, Path], change: Callable[[dict[str, Any]], None], found: str
) -> None:
    key = load_key(firm[0], PASSPHRASE)
    statement = _statement(signed)
    change(statement)
    _attest(signed, json.dumps(statement).encode(), key)
    (signed / SIGNATURE).write_bytes(sign_bytes((signed / TAG_MANIFEST).read_bytes(), key))
    assert found in problems(signed, firm[1], hashes_only=True)


def test_a_statement_by_another_key_or_without_a_signature_is_found(
    signed: Path, firm: tuple[Path, Path], tmp_path: Path
) -> None:
    other = load_key(make_key(tmp_path / "other")[0], PASSPHRASE)
    _attest(signed, json.dumps(_statement(signed)).encode(), other)
    key = load_key(firm[0], PASSPHRASE)
    (signed / SIGNATURE).write_bytes(sign_bytes((signed / TAG_MANIFEST).read_bytes(), key))
    assert "it was not signed with the key that signed the pack" in problems(
        signed, firm[1], hashes_only=True
    )
    envelope_ = json.loads((signed / ATTESTATION).read_bytes())
    envelope_["signatures"][0]["keyid"] = key.signer.signing_cert.sha256.hex()
    (signed / ATTESTATION).write_text(json.dumps(envelope_))
    close_bag(signed, bag_info(parse_json((signed / "data/manifest.json").read_bytes())))
    (signed / SIGNATURE).write_bytes(sign_bytes((signed / TAG_MANIFEST).read_bytes(), key))
    assert "its signature is not valid" in problems(signed, firm[1], hashes_only=True)


def test_a_statement_that_was_taken_away_is_missed(signed: Path, firm: tuple[Path, Path]) -> None:
    (signed / ATTESTATION).unlink()
    assert f"{ATTESTATION} is missing" in problems(signed, firm[1], hashes_only=True)
    close_bag(signed, bag_info(parse_json((signed / "data/manifest.json").read_bytes())))
    (signed / SIGNATURE).write_bytes(
        sign_bytes((signed / TAG_MANIFEST).read_bytes(), load_key(firm[0], PASSPHRASE))
    )
    answer = verify_pack(signed, hashes_only=True, trust=firm[1], require_signature=True)
    assert any("the signer made no statement of it" in each for each in answer.not_shown)


@pytest.mark.parametrize("name", ["review.pdf", "statement.pdf"])
def test_poppler_finds_the_signature_of_a_pdf_valid(sealed: Path, name: str) -> None:
    if shutil.which("pdfsig") is None:
        pytest.skip("needs pdfsig of poppler")
    command = ["pdfsig", "-nocert", str(sealed / "data/report" / name)]
    said = subprocess.run(command, check=False, capture_output=True, text=True).stdout  # noqa: S603 - the stock tool
    assert "Signature is Valid" in said
    assert "Total document signed" in said


@pytest.mark.parametrize("name", ["review.pdf", "statement.pdf"])
def test_a_signature_leaves_the_document_as_it_was(sealed: Path, made: PackResult, name: str) -> None:
    before, after = ((pack / "data/report" / name).read_bytes() for pack in (made.path, sealed))
    assert after.startswith(before)
    with pikepdf.open(BytesIO(after)) as document:
        assert "/Version" not in document.Root
        assert "/Extensions" not in document.Root


def test_without_a_trust_file_a_signature_shows_nothing(sealed: Path) -> None:
    answer = verify_pack(sealed)
    assert answer.ok
    assert any("anybody can sign" in sentence for sentence in answer.not_shown)


def test_a_required_signature_needs_a_trust_file(sealed: Path) -> None:
    with pytest.raises(ConfigurationError, match="trust file"):
        verify_pack(sealed, require_signature=True)


def test_a_signature_that_was_taken_away_is_missed(signed: Path, firm: tuple[Path, Path]) -> None:
    (signed / SIGNATURE).unlink()
    assert "its signature was removed" in problems(signed, firm[1])
    assert any("although a PDF is signed" in problem for problem in verify_pack(signed).problems)


def test_an_unsigned_pack_is_a_defect_where_a_signature_is_required(
    copy: Path, firm: tuple[Path, Path]
) -> None:
    assert f"{SIGNATURE} is missing" in problems(copy, firm[1])


def test_a_pack_made_anew_under_its_old_signature_is_found(signed: Path, firm: tuple[Path, Path]) -> None:
    (signed / "data/policy.yaml").write_bytes((signed / "data/policy.yaml").read_bytes() + b"\n# softer\n")
    old = (signed / SIGNATURE).read_bytes()
    close_bag(signed, bag_info(parse_json((signed / "data/manifest.json").read_bytes())))
    (signed / SIGNATURE).write_bytes(old)
    assert f"{TAG_MANIFEST}: it was changed after {NAME} signed it" in problems(signed, firm[1])


@pytest.mark.parametrize("content", [b"", b"not a signature", b"0" * 5000])
def test_a_bogus_signature_is_found(copy: Path, content: bytes) -> None:
    (copy / SIGNATURE).write_bytes(content)
    assert any("its signature cannot be read" in problem for problem in verify_pack(copy).problems)


def test_a_valid_signature_by_somebody_else_is_a_defect(
    copy: Path, firm: tuple[Path, Path], tmp_path: Path
) -> None:
    other, _ = make_key(tmp_path / "other")  # the same name, another authority
    sign_pack(copy, load_key(other, PASSPHRASE))
    assert "for whom no certificate in the trust file vouches" in problems(copy, firm[1])


def test_the_wrong_person_is_named(sealed: Path, firm: tuple[Path, Path]) -> None:
    assert f"signed by {NAME}, not by B. Boss" in problems(sealed, firm[1], signer="B. Boss")


def test_an_expired_certificate_is_named_with_its_date(copy: Path, tmp_path: Path) -> None:
    key, trust = make_key(tmp_path / "old", now=NOW - timedelta(days=2), days=3)
    sign_pack(copy, load_key(key, PASSPHRASE))
    later = NOW + timedelta(days=30)
    assert f"the certificate of {NAME} expired on" in problems(copy, trust, at=later)
    assert verify_pack(copy, trust=trust, require_signature=True).ok


def test_a_signature_over_a_changed_page_is_not_a_signature_alone(
    copy: Path, firm: tuple[Path, Path]
) -> None:
    """Somebody with a key changes the page in the update that signs it."""
    key = load_key(firm[0], PASSPHRASE)
    path = copy / "data/report/review.pdf"
    content = path.read_bytes()
    with pikepdf.open(BytesIO(content)) as document:
        page, size = document.Root.Pages.Kids[0].objgen[0], int(document.trailer.Size)
        root = document.Root.objgen[0]
    start = content.rindex(b"startxref") + 10
    previous = int(content[start:].split(b"\n")[0])
    body = b"%d 0 obj\n<< /Type /Page /Parent 1 0 R /MediaBox [0 0 99 99] >>\nendobj\n" % page
    table = (
        b"xref\n%d 1\n%010d 00000 n \ntrailer\n<< /Size %d /Root %d 0 R /Prev %d >>\nstartxref\n%d\n%%%%EOF\n"
    )
    update = body + table % (page, len(content), size, root, previous, len(content) + len(body))
    path.write_bytes(sign_pdf(content + update, key))
    close_bag(copy, bag_info(parse_json((copy / "data/manifest.json").read_bytes())))
    (copy / SIGNATURE).write_bytes(sign_bytes((copy / TAG_MANIFEST).read_bytes(), key))
    assert "the update is more than a signature" in problems(copy, firm[1])
    assert not replay_pack(copy).identical


def test_a_pack_with_a_defect_is_not_signed(copy: Path, firm: tuple[Path, Path]) -> None:
    (copy / "data/figures.json").write_bytes(b"{}")
    with pytest.raises(PackError, match="was not signed"):
        sign_pack(copy, load_key(firm[0], PASSPHRASE))
    assert not (copy / SIGNATURE).exists()


def test_a_pack_is_signed_once(sealed: Path, firm: tuple[Path, Path]) -> None:
    with pytest.raises(PackError, match="already signed"):
        sign_pack(sealed, load_key(firm[0], PASSPHRASE))


def test_a_wrong_passphrase_is_an_error(firm: tuple[Path, Path]) -> None:
    with pytest.raises(ConfigurationError, match="passphrase"):
        load_key(firm[0], "wrong")


def test_a_key_is_not_replaced_and_not_shown(firm: tuple[Path, Path]) -> None:
    with pytest.raises(ConfigurationError, match="already exists"):
        make_key(firm[0].parent)
    assert PASSPHRASE not in repr(load_key(firm[0], PASSPHRASE))


def test_a_revoked_certificate_is_a_defect(copy: Path, tmp_path: Path) -> None:
    authority_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    authority = trial_key._certificate("Authority", authority_key, None, authority_key, NOW, 30)
    leaf = trial_key._certificate(NAME, key, authority, authority_key, NOW, 30)
    locked = BestAvailableEncryption(PASSPHRASE.encode())
    bundle = pkcs12.serialize_key_and_certificates(b"k", key, leaf, [authority], locked)
    (tmp_path / "k.p12").write_bytes(bundle)
    sign_pack(copy, load_key(tmp_path / "k.p12", PASSPHRASE))
    revoked = (
        x509.RevokedCertificateBuilder()
        .serial_number(leaf.serial_number)
        .revocation_date(NOW - timedelta(minutes=1))
    )
    lists = [
        x509.CertificateRevocationListBuilder()
        .issuer_name(authority.subject)
        .last_update(NOW - timedelta(minutes=1))
        .next_update(NOW + timedelta(days=1))
        for _ in range(2)
    ]
    lists[1] = lists[1].add_revoked_certificate(revoked.build())
    trusts = []
    for place, one in enumerate(lists):
        trusts.append(tmp_path / f"{place}.pem")
        pem = one.sign(authority_key, hashes.SHA256()).public_bytes(Encoding.PEM)
        trusts[-1].write_bytes(authority.public_bytes(Encoding.PEM) + pem)
    assert problems(copy, trusts[0]) == ""
    assert f"the certificate of {NAME} was revoked" in problems(copy, trusts[1])
