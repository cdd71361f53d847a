"""Internal reports of suspicion: a separate file that only the MLRO can read, with its own access log.

The workspace, the ledger, cases, the queue, runs and packs contain nothing about it, not even a count, so that nobody who
sees those learns whether a report was considered, made or read (tipping off: Proceeds of Crime Act 2002, s. 333A; from memory,
not checked). Who reported what about which customer is encrypted for the MLRO's key (HPKE, RFC 9180); without the key, only the
number of lines and the times of reading are visible.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from kycpack.errors import InputError, WorkspaceError
from kycpack.folders import write_new
from kycpack.locks import lock_file
from kycpack.models.instants import format_seconds
from kycpack.models.json import canonical_json, parse_json
from kycpack.workspace.entries.ledger_writer import check_name
from kycpack.workspace.entries.rationale import check_text
from kycpack.workspace.entries.signing import key_library, read_private_key, write_private_key
from kycpack.workspace.rows import check_choice, check_id

KINDS = ("considered", "made", "not_made")
"""The kinds of reports: that a disclosure is being considered, that it was made to the authority, or why it was not."""

_EXTRA = "internal reports need the extra `signing`: pip install 'kycpack[signing]'"
_INFO = b"kycpack-internal-report-1"
_START = "0" * 64
_BLOCK = 4_096  # encrypted reports are padded, so that their size shows nothing about the content


@dataclass(frozen=True, slots=True)
class InternalReport:
    """A report, as the MLRO reads it.

    Attributes:
        number: Its line in the file.
        at: When, ISO 8601 UTC.
        reported_by: The person who reports.
        customer_id: The customer it is about.
        kind: One of `KINDS`.
        text: What is suspected and why; never shown in a repr.
    """

    number: int
    at: str
    reported_by: str
    customer_id: str
    kind: str
    text: str

    def __repr__(self) -> str:
        return f"InternalReport({self.number})"


class InternalReports:
    """The file of internal reports.

    Args:
        path: The file; only its owner can read it.
        now: The clock; the system clock by default.
    """

    def __init__(self, path: Path, *, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._path = path
        self._now = now

    def set_up(self, public_key: str, actor: str) -> None:
        """Create the file, whether or not there will ever be a report.

        Args:
            public_key: The MLRO's public key, hex, from `make_report_key`.
            actor: The person who sets it up.

        Raises:
            InputError: The file exists already, or the key cannot be read.
        """
        _public(public_key)
        check_name(actor)
        try:
            write_new(self._path)
        except FileExistsError:
            raise InputError(
                "a file already exists there; it is never replaced", place=str(self._path)
            ) from None
        except OSError as error:
            raise WorkspaceError(f"{self._path}: cannot be written ({error.strerror})") from None
        with self._locked() as (file, lines):
            self._append(file, lines, {"kind": "set_up", "actor": actor, "public_key": public_key})

    def report(self, customer_id: str, kind: str, text: str, actor: str) -> None:
        """Encrypt a report for the MLRO's key and add it.

        Args:
            customer_id: The customer it is about.
            kind: One of `KINDS`.
            text: What is suspected and why.
            actor: The person who reports.

        Raises:
            InputError: An argument cannot be used.
            WorkspaceError: The file is not set up or is damaged, or cannot be written; nothing was added.
        """
        check_id(customer_id)
        check_text(text)
        check_choice(kind, KINDS, "kind")
        said = {
            "at": self._stamp(),
            "reported_by": check_name(actor),
            "customer_id": customer_id,
            "kind": kind,
            "text": text,
        }
        plain = canonical_json(said)
        padded = plain + b" " * (-len(plain) % _BLOCK)
        with self._locked() as (file, lines):
            sealed = _suite().encrypt(padded, _public(_key_of(lines)), info=_INFO)
            self._append(file, lines, {"kind": "report", "sealed": base64.b64encode(sealed).decode()})

    def read(self, key: Path, actor: str, passphrase: str = "") -> tuple[InternalReport, ...]:
        """Return the reports; the access log records who reads them, and when, before anything is shown.

        Args:
            key: File of the MLRO's key.
            actor: The person who reads.
            passphrase: The passphrase of the key's file.

        Raises:
            InputError: The key cannot be read, or is not the one that the reports are encrypted for.
            WorkspaceError: The file is damaged.
        """
        check_name(actor)
        private = _read_private(key, passphrase)
        with self._locked() as (file, lines):
            known = _raw(private.public_key()) == _key_of(lines)
            self._append(file, lines, {"kind": "read" if known else "refused", "actor": actor})
        if not known:
            raise InputError("is not the key that the reports are encrypted for", place=str(key))
        return tuple(
            InternalReport(line["number"], **_opened(line["sealed"], private))
            for line in lines
            if line["kind"] == "report"
        )

    def access_log(self) -> tuple[dict[str, Any], ...]:
        """Return who set up, read, or tried to read the file, and when; it does not show who reported.

        Raises:
            WorkspaceError: The file is damaged: a line was changed, removed or added.
        """
        with self._locked() as (_, lines):
            return tuple(
                {name: line[name] for name in ("number", "at", "kind", "actor")}
                for line in lines
                if line["kind"] != "report"
            )

    @contextmanager
    def _locked(self) -> Iterator[tuple[IO[bytes], list[dict[str, Any]]]]:
        try:
            with self._path.open("r+b") as file:
                lock_file(file.fileno())
                yield file, _checked(file.read())
        except FileNotFoundError:
            raise WorkspaceError(
                f"{self._path}: there are no internal reports; `kycpack internal-report setup` makes the file"
            ) from None
        except OSError as error:
            raise WorkspaceError(f"{self._path}: cannot be written ({error.strerror})") from None

    def _append(self, file: IO[bytes], lines: list[dict[str, Any]], said: Mapping[str, Any]) -> None:
        prev = lines[-1]["hash"] if lines else _START
        line: dict[str, Any] = {"number": len(lines) + 1, "prev": prev, **said}
        if said["kind"] != "report":
            line["at"] = self._stamp()
        line["hash"] = _hash(line)
        end = file.seek(0, os.SEEK_END)
        try:
            file.write(canonical_json(line) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        except OSError:
            file.truncate(end)
            raise
        lines.append(line)

    def _stamp(self) -> str:
        return format_seconds(self._now())

    def __repr__(self) -> str:
        return "InternalReports()"


def make_report_key(path: Path, passphrase: str = "") -> str:
    """Make the MLRO's key for internal reports, and return its public key, hex.

    Args:
        path: A file that does not exist yet; PEM (PKCS 8).
        passphrase: The passphrase to encrypt the file with; empty for no encryption.

    Raises:
        InputError: The file exists already, or it cannot be written.
    """
    private = key_library("x25519", _EXTRA).X25519PrivateKey.generate()
    write_private_key(private, path, passphrase)
    return _raw(private.public_key())


def _checked(content: bytes) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = []
    for number, text in enumerate(content.splitlines(), 1):
        try:
            line = parse_json(text)
            whole = line["number"] == number and line["hash"] == _hash(line)
            follows = line["prev"] == (lines[-1]["hash"] if lines else _START)
        except (InputError, KeyError, TypeError):
            whole = follows = False
        if not (whole and follows):
            raise WorkspaceError(
                f"internal reports, line {number}: it was changed, or an earlier line was removed"
            )
        lines.append(line)
    return lines


def _hash(line: Mapping[str, Any]) -> str:
    covered = {name: value for name, value in line.items() if name != "hash"}
    return hashlib.sha256(canonical_json(covered)).hexdigest()


def _key_of(lines: list[dict[str, Any]]) -> str:
    if not lines or lines[0]["kind"] != "set_up":
        raise WorkspaceError("internal reports: the file is not set up")
    return str(lines[0]["public_key"])


def _opened(sealed: str, private: Any) -> dict[str, str]:
    from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - an extra

    try:
        plain = _suite().decrypt(base64.b64decode(sealed), private, info=_INFO)
    except (InvalidTag, ValueError):
        raise WorkspaceError("internal reports: a report cannot be opened with this key") from None
    opened: dict[str, str] = json.loads(plain)
    return opened


def _read_private(path: Path, passphrase: str) -> Any:
    x25519 = key_library("x25519", _EXTRA)
    private = read_private_key(path, passphrase)
    if not isinstance(private, x25519.X25519PrivateKey):
        raise InputError("is not a key for internal reports", place=str(path))
    return private


def _public(public_key: str) -> Any:
    x25519 = key_library("x25519", _EXTRA)
    try:
        return x25519.X25519PublicKey.from_public_bytes(bytes.fromhex(public_key))
    except ValueError:
        raise InputError("expected a public key of 64 hex digits", place="public key") from None


def _raw(public: Any) -> str:
    return str(public.public_bytes_raw().hex())


def _suite() -> Any:
    key_library("x25519", _EXTRA)
    from cryptography.hazmat.primitives import hpke  # noqa: PLC0415 - an extra

    return hpke.Suite(hpke.KEM.X25519, hpke.KDF.HKDF_SHA256, hpke.AEAD.CHACHA20_POLY1305)
