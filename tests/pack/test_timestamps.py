"""The time of a signature, as an authority on loopback gives it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from asn1crypto import keys, tsp
from asn1crypto import x509 as asn1_x509
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from pyhanko.sign.timestamps import DummyTimeStamper
from tests.pack.trial_keys import NOW, PASSPHRASE, make_key

from kycpack.errors import ConfigurationError, PackError
from kycpack.pack import verify_pack
from kycpack.pack.bag import SIGNATURE
from kycpack.pack.sign.signing import load_key, sign_pack


@pytest.fixture(scope="module")
def firm(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return make_key(tmp_path_factory.mktemp("firm"))


@pytest.fixture
def authority(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """A timestamp authority on loopback, and the certificate to trust it by."""
    key = rsa.generate_private_key(65537, 2048)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Trial clock")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(7)
        .not_valid_before(NOW - timedelta(days=1))
        .not_valid_after(NOW + timedelta(days=1))
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING]), critical=True)
        .sign(key, hashes.SHA256())
    )
    trust = tmp_path / "clock.pem"
    trust.write_bytes(certificate.public_bytes(Encoding.PEM))
    plain = key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    clock = DummyTimeStamper(
        asn1_x509.Certificate.load(certificate.public_bytes(Encoding.DER)), keys.PrivateKeyInfo.load(plain)
    )

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = tsp.TimeStampReq.load(self.rfile.read(int(self.headers["Content-Length"])))
            answer = clock.request_tsa_response(asked).dump()
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            """Stay silent."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/", trust
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_timestamp_is_asked_for_and_checked(
    copy: Path, firm: tuple[Path, Path], authority: tuple[str, Path], tmp_path: Path
) -> None:
    url, clock = authority
    sign_pack(copy, load_key(firm[0], PASSPHRASE, timestamp_url=url))
    both = tmp_path / "both.pem"
    both.write_bytes(firm[1].read_bytes() + clock.read_bytes())
    stamped = verify_pack(copy, trust=both, require_signature=True)
    assert stamped.ok, stamped.problems
    assert all(one["timestamped_at"] for one in stamped.signatures)
    alone = verify_pack(copy, trust=firm[1], require_signature=True)
    assert not any(one["timestamped_at"] for one in alone.signatures)


def test_an_authority_that_does_not_answer_leaves_the_pack_unsigned(
    copy: Path, firm: tuple[Path, Path]
) -> None:
    with pytest.raises(PackError, match="no timestamp"):
        sign_pack(copy, load_key(firm[0], PASSPHRASE, timestamp_url="http://127.0.0.1:9/"))
    assert not (copy / SIGNATURE).exists()
    assert verify_pack(copy).ok


def test_a_remote_authority_is_asked_over_https_only(firm: tuple[Path, Path]) -> None:
    with pytest.raises(ConfigurationError, match="https"):
        load_key(firm[0], PASSPHRASE, timestamp_url="http://tsa.example/")
