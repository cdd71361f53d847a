"""What proving costs: verifying hashes and structure of 100 packs, the full check, a signature, and what a pack weighs by part."""

from __future__ import annotations

import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from tests.bench.measure import Measurement, seconds

from kycpack.assets import asset_path
from kycpack.evidence import load_evidence
from kycpack.pack import replay_pack, verify_pack, write_pack
from kycpack.pack.sign.signing import load_key, sign_pack
from kycpack.pack.sign.trial_key import new_trial_key

_AS_OF = "2026-06-30T12:00:00Z"
_COUNT = 100
_ROUNDS = 7
_PASSPHRASE = "benchmark only"
_PARTS = ("evidence", "frames", "report/review.pdf", "report/review.html", "report/review.ipynb", "report/statement.pdf", "workbook.xlsx", "figure_map.json")  # fmt: skip


def run() -> list[Measurement]:
    """Measure on copies of one pack of the specimen, in this process, after one round that does not count."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        pack = write_pack(
            load_evidence(asset_path("samples/evidence/index.json").parent), place / "packs", as_of=_AS_OF
        ).path
        return [*_checks(pack, place), *_signing(pack, place), *_weights(pack)]


def _checks(pack: Path, place: Path) -> Iterator[Measurement]:
    copies = [Path(shutil.copytree(pack, place / "many" / str(number))) for number in range(_COUNT)]
    assert verify_pack(pack).ok
    quick = statistics.median(
        seconds(lambda: [verify_pack(each, hashes_only=True) for each in copies]) for _ in range(3)
    )
    yield Measurement(f"hashes and structure of {_COUNT} packs", quick, None, "s", aim="at most 5 s")
    full = _cpu(lambda: verify_pack(pack))
    yield Measurement("full check of a pack", full, None, "s CPU", aim="at most 0.5 s CPU")
    yield Measurement("replay of a pack", _cpu(lambda: replay_pack(pack), rounds=3), None, "s CPU")


def _signing(pack: Path, place: Path) -> Iterator[Measurement]:
    key_file = place / "key.p12"
    new_trial_key(
        key_file, place / "trust.pem", name="Benchmark", passphrase=_PASSPHRASE, now=datetime.now(UTC)
    )
    key = load_key(key_file, _PASSPHRASE)
    copies = iter([Path(shutil.copytree(pack, place / "to sign" / str(n))) for n in range(_ROUNDS + 1)])
    signed: list[Path] = []

    def sign() -> None:
        signed.append(next(copies))
        sign_pack(signed[-1], key)

    cost = _cpu(sign)
    yield Measurement("signing a pack, its full check before included", cost, None, "s CPU")
    yield Measurement("what signing adds to a pack", (_bytes(signed[0]) - _bytes(pack)) / 1000, None, "kB")
    yield Measurement(
        "full check of a signed pack", _cpu(lambda: verify_pack(signed[0], trust=place / "trust.pem", require_signature=True)), None, "s CPU"
    )  # fmt: skip


def _weights(pack: Path) -> Iterator[Measurement]:
    yield Measurement("a pack on disk", _bytes(pack) / 1000, None, "kB")
    for part in _PARTS:
        yield Measurement(f"a pack, {part}", _bytes(pack / "data" / part) / 1000, None, "kB")


def _cpu(work: Callable[[], object], rounds: int = _ROUNDS) -> float:
    """Return the median CPU seconds of this process and its children, after one round that does not count."""
    work()
    found = []
    for _ in range(rounds):
        before = _spent()
        work()
        found.append(_spent() - before)
    return statistics.median(found)


def _spent() -> float:
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def _bytes(place: Path) -> int:
    if place.is_file():
        return place.stat().st_size
    return sum(path.stat().st_size for path in place.rglob("*") if path.is_file())
