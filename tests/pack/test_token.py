"""A pack is signed with a key that never leaves its token."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.hazmat.primitives.serialization.pkcs12 import load_key_and_certificates
from typer.testing import CliRunner

from kycpack.cli import app
from kycpack.errors import ConfigurationError
from kycpack.pack import replay_pack, verify_pack
from kycpack.pack.sign.signing import load_token_key
from kycpack.pack.sign.trial_key import new_trial_key

pytestmark = pytest.mark.pkcs11
LIBRARIES = ("/usr/lib/softhsm/libsofthsm2.so", "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so")
NAME, PIN = "Head of Compliance", "4711-correct"


@pytest.fixture(scope="module")
def token(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A soft token with a key and its certificate, and the file to trust it by."""
    library = next((path for path in LIBRARIES if Path(path).exists()), None)
    if library is None or shutil.which("softhsm2-util") is None:
        pytest.skip("needs SoftHSM")
    pkcs11 = pytest.importorskip("pkcs11")
    folder = tmp_path_factory.mktemp("token")
    (folder / "tokens").mkdir()
    (folder / "softhsm2.conf").write_text(f"directories.tokendir = {folder / 'tokens'}\nlog.level = ERROR\n")
    before = os.environ.get("SOFTHSM2_CONF")
    os.environ["SOFTHSM2_CONF"] = str(folder / "softhsm2.conf")
    new_trial_key(folder / "k.p12", folder / "k.pem", name=NAME, passphrase="x", now=datetime.now(UTC))
    key, certificate, _ = load_key_and_certificates((folder / "k.p12").read_bytes(), b"x")
    assert key is not None
    assert certificate is not None
    plain = folder / "k.pk8"
    plain.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    tool = ["softhsm2-util", "--pin", PIN]
    for command in (
        [*tool, "--init-token", "--free", "--label", "firm", "--so-pin", "9999-officer"],
        [*tool, "--import", str(plain), "--token", "firm", "--label", "packs", "--id", "01"],
    ):
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - the stock tool
    plain.unlink()
    (folder / "k.p12").unlink()
    with pkcs11.lib(library).get_token(token_label="firm").open(rw=True, user_pin=PIN) as session:
        session.create_object(
            {
                pkcs11.Attribute.CLASS: pkcs11.ObjectClass.CERTIFICATE,
                pkcs11.Attribute.CERTIFICATE_TYPE: pkcs11.CertificateType.X_509,
                pkcs11.Attribute.TOKEN: True,
                pkcs11.Attribute.LABEL: "packs",
                pkcs11.Attribute.ID: b"\x01",
                pkcs11.Attribute.SUBJECT: certificate.subject.public_bytes(),
                pkcs11.Attribute.VALUE: certificate.public_bytes(Encoding.DER),
            }
        )
    yield library, folder / "k.pem"
    if before is None:
        del os.environ["SOFTHSM2_CONF"]
    else:
        os.environ["SOFTHSM2_CONF"] = before


def test_a_pack_is_signed_by_a_key_in_a_token(token: tuple[str, Path], copy: Path) -> None:
    library, trust = token
    done = CliRunner().invoke(
        app,
        ["sign", str(copy), "--pkcs11", library, "--token", "firm", "--label", "packs"],
        env={"KYCPACK_SIGNING_PASSPHRASE": PIN},
    )
    assert done.exit_code == 0, done.output
    answer = verify_pack(copy, trust=trust, require_signature=True, signer=NAME)
    assert answer.problems == ()
    assert len(answer.signatures) == 3
    assert not any("the signer made no statement" in each for each in answer.not_shown)
    assert replay_pack(copy).identical


@pytest.mark.parametrize(
    ("name", "label", "pin"),
    [("firm", "packs", "0000-wrong"), ("firm", "other", PIN), ("other", "packs", PIN)],
)
def test_a_wrong_token_label_or_pin_is_one_error_without_the_pin(
    token: tuple[str, Path], name: str, label: str, pin: str
) -> None:
    with pytest.raises(ConfigurationError, match="PIN does not open it") as caught:
        load_token_key(token[0], name, label, pin)
    assert pin not in str(caught.value)
    assert caught.value.__cause__ is None
