"""Checking a run: every customer and every pack that its manifest names, and that nothing was added."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kycpack.batch.erasure_record import erasure_notes, erasure_problems
from kycpack.batch.population import population_sentence
from kycpack.batch.report import SCHEMA as REPORT_SCHEMA
from kycpack.batch.run_checks import RunChecks
from kycpack.batch.run_manifest import REPORT, RUN_MANIFEST, RUN_SIGNATURE, SCHEMA
from kycpack.errors import ConfigurationError, InputError, KycpackError, PackError
from kycpack.models.json import parse_json
from kycpack.pack.check.verify import Verification
from kycpack.pack.limits import read_limited
from kycpack.pack.signing_extra import signing_module

_UNSIGNED = (
    "Who made the run is not shown: its manifest has no signature, even if its packs do. Anyone who can write to the folder "
    "can leave out customers and make a new manifest. Sign it with `kycpack sign`."
)
_UNTRUSTED = (
    "Who made the run is not shown: its manifest is signed, but no trust file was given, and anybody can sign. "
    "Give the firm's certificate with --trust."
)
_POPULATION = (
    "Whether these are all the customers who should have been in scope is not shown: "
    "give the firm's own list of them with --customers."
)
_DECIDED = (
    "The manifest of the run does not cover the packs that were made after it for decisions ({count}); "
    "each of them is checked on its own."
)
_MOST_BYTES = 2**30
"""Size limit in bytes; the report of a run of a million customers has half of this."""
_MALFORMED = (KeyError, TypeError, ValueError, AttributeError, IndexError, OSError)


@dataclass(frozen=True, slots=True)
class RunVerification(Verification):
    """The result of checking a run, without the content of its packs.

    Attributes:
        in_scope: How many customers the manifest names.
    """

    in_scope: int = 0

    @property
    def extent(self) -> str:
        """How much was checked, in a sentence."""
        return f"{self.in_scope} customers were in scope, and {self.checked} have a pack."


def verify_run(
    folder: Path,
    *,
    trust: Path | str | None = None,
    require_signature: bool = False,
    signer: str | None = None,
    at: datetime | None = None,
    population: Iterable[str] | None = None,
    anchors: Sequence[Mapping[str, Any]] = (),
    ledger_keys: Sequence[str] = (),
) -> RunVerification:
    """Check that a run is complete: manifest, report, index, folder names, and which pack belongs to which customer.

    The content of each pack is checked by `verify_pack`.

    Args:
        folder: The run's output.
        trust: PEM file of the certificates that the reader trusts; never a file from the run.
        require_signature: Whether a manifest without a signature is a defect; needs `trust`.
        signer: Common name that the signer's certificate must have.
        at: When certificates must be valid if no trusted timestamp dates the signature, with an offset; None for now.
        population: The customers who should have been in scope, from the firm's own records; None without such a list.
        anchors: Heads of the ledger that were kept elsewhere, for the records of erasures.
        ledger_keys: Fingerprints, one of which must be that of the key that the ledger was founded with.

    Raises:
        ConfigurationError: The trust file cannot be read, or a signature is required without one.
    """
    if require_signature and trust is None:
        raise ConfigurationError(
            "a required signature needs a trust file: without one, anybody's signature would pass"
        )
    problems = [f"{name} is missing" for name in (RUN_MANIFEST, REPORT) if not (folder / name).is_file()]
    manifest = _document(folder, RUN_MANIFEST, SCHEMA, problems)
    report = _document(folder, REPORT, REPORT_SCHEMA, problems)
    notes: list[str] = []
    if manifest is not None:
        try:
            checks = RunChecks(folder, manifest, report)
            problems += checks.problems()
            if checks.decided:
                notes.append(_DECIDED.format(count=checks.decided))
            problems += _population(manifest, population)
            if said := population_sentence(manifest):
                notes.append(said)
            problems += erasure_problems(folder, manifest["customers"], anchors=anchors, trusted=ledger_keys)
            notes += erasure_notes(manifest["customers"])
        except (*_MALFORMED, KycpackError) as error:
            problems.append(
                f"{RUN_MANIFEST} does not have the form that kycpack writes ({type(error).__name__})"
            )
    signatures = _signature(folder, trust, at or datetime.now(UTC))
    problems += _signature_problems(signatures, required=require_signature, signer=signer)
    if not signatures:
        notes.append(_UNSIGNED)
    elif trust is None:
        notes.append(_UNTRUSTED)
    if population is None:
        notes.append(_POPULATION)
    unique = tuple(dict.fromkeys(problems))
    customers = manifest.get("customers") if manifest else None
    entries = [one for one in customers if isinstance(one, dict)] if isinstance(customers, list) else []
    packs = sum(bool(one.get("pack")) for one in entries)
    return RunVerification(not unique, unique, packs, tuple(notes), signatures, len(entries))


def _document(folder: Path, name: str, schema: str, problems: list[str]) -> dict[str, Any] | None:
    if not (folder / name).is_file():
        return None
    try:
        document = parse_json(read_limited(folder / name, name, most=_MOST_BYTES))
    except (InputError, PackError) as error:
        problems.append(f"{name} cannot be read: {error}")
        return None
    if not isinstance(document, dict) or document.get("schema") != schema:
        problems.append(f"{name} does not have the schema {schema}")
        return None
    return document


def _population(manifest: Mapping[str, Any], population: Iterable[str] | None) -> Iterator[str]:
    if population is None:
        return
    expected, named = set(population), {str(one["customer_id"]) for one in manifest["customers"]}
    yield from (
        f"customer {name} was not in scope of the run, but should have been"
        for name in sorted(expected - named)
    )
    yield from (
        f"customer {name} is not in the list of customers who should be in scope"
        for name in sorted(named - expected)
    )


def _signature(folder: Path, trust: Path | str | None, at: datetime) -> tuple[dict[str, Any], ...]:
    if not (folder / RUN_SIGNATURE).exists():
        return ()
    unread = {"file": RUN_MANIFEST, "signer": "", "fingerprint": "", "timestamped_at": None}
    try:
        module = signing_module("signature_check")
        trusted = None if trust is None else module.load_trust(trust)
        found = module.check_file_signature(folder / RUN_MANIFEST, folder / RUN_SIGNATURE, trusted, at)
    except PackError as error:
        return ({**unread, "problem": str(error)},)
    return (asdict(found),)


def _signature_problems(
    found: tuple[dict[str, Any], ...], *, required: bool, signer: str | None
) -> Iterator[str]:
    if not found and required:
        yield f"{RUN_SIGNATURE} is missing: the run was never signed, or its signature was removed"
    for one in found:
        if one["problem"]:
            yield one["problem"]
        if signer is not None and one["signer"] and one["signer"] != signer:
            yield f"{RUN_MANIFEST}: it was signed by {one['signer']}, not by {signer}"
