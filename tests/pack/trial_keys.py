"""Keys of a firm for tests of signatures."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from kycpack.pack.sign.trial_key import new_trial_key

NAME = "Head of Compliance"
PASSPHRASE = "correct horse"
NOW = datetime.now(UTC)


def make_key(folder: Path, name: str = NAME, *, now: datetime = NOW, days: int = 365) -> tuple[Path, Path]:
    folder.mkdir(parents=True, exist_ok=True)
    new_trial_key(folder / "k.p12", folder / "k.pem", name=name, passphrase=PASSPHRASE, now=now, days=days)
    return folder / "k.p12", folder / "k.pem"
