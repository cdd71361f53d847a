"""Signing a run: every pack that has no signature yet, then the manifest that names them all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kycpack.batch.run_manifest import (
    REPORT,
    RUN_MANIFEST,
    RUN_SIGNATURE,
    pack_folders,
    write_run_manifest,
)
from kycpack.batch.run_verification import verify_run
from kycpack.errors import PackError
from kycpack.folders import write_file
from kycpack.models.json import parse_json
from kycpack.pack.bag import SIGNATURE
from kycpack.pack.signing_extra import signing_module

if TYPE_CHECKING:
    from kycpack.pack.sign.signing import CertifiedKey


def sign_run(folder: Path, key: CertifiedKey) -> list[Path]:
    """Sign a run. If this is interrupted, the next call continues it.

    Args:
        folder: The run's output.
        key: The key to sign with.

    Returns:
        The packs that this call signed.

    Raises:
        PackError: The run or a pack has a defect, the run is already signed, or the timestamp authority did not answer.
    """
    if (folder / RUN_SIGNATURE).exists():
        raise PackError(f"{folder} is already signed")
    answer = verify_run(folder)
    if not answer.ok:
        raise PackError(f"{folder} has a defect and was not signed: {answer.problems[0]}")
    signing = signing_module("signing")
    signed = [pack for pack in pack_folders(folder) if not (pack / SIGNATURE).exists()]
    for pack in signed:
        signing.sign_pack(pack, key)
    write_run_manifest(folder, parse_json((folder / REPORT).read_bytes()))
    write_file(folder / RUN_SIGNATURE, signing.sign_bytes((folder / RUN_MANIFEST).read_bytes(), key))
    return signed
