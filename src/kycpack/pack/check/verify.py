"""Checking a pack: that nothing was altered, removed or added, that the figures agree everywhere, and who signed it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kycpack.errors import ConfigurationError, KycpackError, PackError
from kycpack.models.arguments import require_path
from kycpack.pack.bag import ATTESTATION, SIGNATURE, check_bag
from kycpack.pack.check.agreement import CHECKS, Check
from kycpack.pack.check.parts import NEEDED, PDFS, Parts
from kycpack.pack.order import EXCERPT_FILE
from kycpack.pack.redact.redaction import copy_doubts, copy_problems, is_copy
from kycpack.pack.signing_extra import signing_module

_UNSIGNED = (
    "Who made the pack is not shown: it has no signature. A whole pack made again from altered evidence, order, policy or "
    "versions can only be detected by a signature, or by comparing the evidence root with a record kept elsewhere."
)
_UNTRUSTED = (
    "Who made the pack is not shown: it is signed, but no trust file was given, and anybody can sign. "
    "Give the firm's certificate with --trust."
)
_UNTIMED = (
    "When the pack was signed is not shown: its signature has no trusted timestamp. "
    "Anyone who holds the key can give an earlier date, even after the key was revoked."
)
_UNATTESTED = (
    "With which code and from what the pack was made is what its manifest says: the signer made no statement of it "
    f"({ATTESTATION})."
)
_LATER_ENTRIES = "Whether the case has later entries, such as another decision, is not shown by this pack: check the whole ledger."
_UNANCHORED = (
    "Whether the decision is in the firm's ledger is not shown: no anchor and no key of the ledger was given. "
    "Give them with --ledger-anchor and --ledger-key."
)
_NOT_REPLAYED = "Whether the findings follow from the evidence is not shown: `kycpack replay` makes the pack again and compares the two."
_HASHES_ONLY = "Whether the parts of the pack agree is not shown: only hashes and structure were checked."


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of checking a pack.

    Attributes:
        ok: True if no problem was found.
        problems: What is wrong; each problem names its file.
        checked: How many files were hashed.
        not_shown: What these checks cannot show of this pack, in sentences.
        signatures: For each signature: file, signer, fingerprint of the certificate, time of a trusted timestamp, problem.
    """

    ok: bool
    problems: tuple[str, ...]
    checked: int
    not_shown: tuple[str, ...] = ()
    signatures: tuple[dict[str, Any], ...] = ()

    @property
    def extent(self) -> str:
        """How much was checked, in a sentence."""
        return f"{self.checked} files were hashed."


def verify_pack(  # noqa: PLR0913 - keyword arguments for what a reader may have
    path: Path | str,
    *,
    hashes_only: bool = False,
    trust: Path | str | None = None,
    require_signature: bool = False,
    signer: str | None = None,
    at: datetime | None = None,
    anchors: Sequence[Mapping[str, Any]] = (),
    ledger_keys: Sequence[str] = (),
    full: Path | str | None = None,
) -> Verification:
    """Check a pack.

    Args:
        path: The pack's folder.
        hashes_only: Whether to check only hashes and structure, and open no files except signatures.
        trust: PEM file of the certificates that the reader trusts, and of revocation lists; never a file from the pack.
        require_signature: Whether a missing signature is a defect; needs `trust`.
        signer: Common name that every signer's certificate must have.
        at: When certificates must be valid if no trusted timestamp dates the signature, with an offset; None for now.
        full: The pack that a redacted copy is said to be made from; None if the reader does not have it.
        anchors: Heads of the ledger that were kept outside the pack (ledger, size, hash, root).
        ledger_keys: Fingerprints, one of which must be that of the key that the ledger was founded with.

    Returns:
        The result with every problem. A part that cannot be read is one problem; the other parts are still checked.

    Raises:
        PackError: `path` is not a folder.
        ConfigurationError: The trust file cannot be read, or a signature is required without one.
    """
    folder = require_path("path", path)
    if not folder.is_dir():
        raise PackError(f"{folder} is not a folder")
    if require_signature and trust is None:
        raise ConfigurationError(
            "a required signature needs a trust file: without one, anybody's signature would pass"
        )
    bag = check_bag(folder)
    problems = list(bag.problems)
    copied = is_copy(folder)
    whole = None if full is None else Path(full)
    parts = Parts(folder / "data", bag.info, anchors, ledger_keys)
    if copied and not hashes_only:
        problems += _outcome("data/redacted.json", lambda _: copy_problems(folder, whole), parts)
    elif not hashes_only:
        problems += [f"data/{name} is missing" for name in NEEDED if not (folder / "data" / name).is_file()]
        for name, check in CHECKS.items():
            problems += _outcome(name, check, parts)
    checked = _signatures(folder, trust, at or datetime.now(UTC))
    problems += _signature_problems(folder, checked, required=require_signature, signer=signer)
    problems += _attestation_problems(folder, is_signed=bool(checked))
    unique = tuple(dict.fromkeys(problems))
    doubts = [_HASHES_ONLY] if hashes_only else []
    doubts += _signature_doubts(checked, is_trusted=trust is not None)
    doubts += [_UNATTESTED] if checked and not (folder / ATTESTATION).exists() else []
    if (folder / "data" / EXCERPT_FILE).is_file():
        doubts += [_LATER_ENTRIES] if anchors or ledger_keys else [_LATER_ENTRIES, _UNANCHORED]
    if copied:
        doubts += _outcome("data/redacted.json", lambda _: copy_doubts(folder, whole), parts)
    else:
        doubts.append(_NOT_REPLAYED)
    return Verification(not unique, unique, bag.checked, tuple(doubts), checked)


def _signatures(folder: Path, trust: Path | str | None, at: datetime) -> tuple[dict[str, Any], ...]:
    if not (folder / SIGNATURE).is_file():
        return ()
    try:
        module = signing_module("signature_check")
    except PackError as error:
        return (_unread_signature(error),)
    trusted = None if trust is None else module.load_trust(trust)
    try:
        return tuple(asdict(one) for one in module.check_signatures(folder, trusted, at))
    except KycpackError as error:
        return (_unread_signature(error),)


def _unread_signature(error: KycpackError) -> dict[str, Any]:
    return {
        "file": SIGNATURE,
        "signer": "",
        "fingerprint": "",
        "timestamped_at": None,
        "problem": str(error),
    }


def _signature_problems(
    folder: Path, found: tuple[dict[str, Any], ...], *, required: bool, signer: str | None
) -> Iterator[str]:
    if not found:
        if required:
            yield f"{SIGNATURE} is missing: the pack was never signed, or its signature was removed"
        if any(_has_signature(folder / "data" / name) for name in PDFS):
            yield f"{SIGNATURE} is missing although a PDF is signed: the signature of the pack was removed"
        return
    yield from (one["problem"] for one in found if one["problem"])
    if len({one["fingerprint"] for one in found if one["fingerprint"]}) > 1:
        yield "the pack and its PDFs were signed with different keys"
    if signer is not None:
        yield from (
            f"{one['file']}: it was signed by {one['signer']}, not by {signer}"
            for one in found
            if one["signer"] and one["signer"] != signer
        )


def _attestation_problems(folder: Path, *, is_signed: bool) -> Iterator[str]:
    if not (folder / ATTESTATION).exists():
        return
    if not is_signed:
        yield f"{ATTESTATION} is present although the pack is not signed: its signature was removed"
        return
    try:
        yield from signing_module("attestation").attestation_problems(folder)
    except PackError as error:
        yield f"{ATTESTATION}: {error}"


def _signature_doubts(found: tuple[dict[str, Any], ...], *, is_trusted: bool) -> Iterator[str]:
    if not found:
        yield _UNSIGNED
    elif not is_trusted:
        yield _UNTRUSTED
    elif not all(one["timestamped_at"] for one in found):
        yield _UNTIMED


def _has_signature(path: Path) -> bool:
    return path.is_file() and not path.is_symlink() and b"/ByteRange" in path.read_bytes()


def _outcome(name: str, check: Check, parts: Parts) -> Iterator[str]:
    try:
        yield from check(parts)
    except KycpackError as error:
        text = str(error).replace(f"{parts.data.parent}/", "")
        yield text if text.startswith("data/") else f"{name}: {text}"
    except Exception as error:  # noqa: BLE001 - any error that a forged file causes is recorded as a defect of the pack
        yield f"{name} cannot be checked: a part of the pack does not have the form that kycpack writes ({type(error).__name__})"
