"""What a signed pack was made from and with, as an in-toto statement with SLSA provenance.

Source: in-toto attestation framework, Statement v1; SLSA v1.0, provenance.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError
from pathlib import Path
from typing import Any

import kycpack
from kycpack.evidence.store import file_digest
from kycpack.pack.bag import MANIFEST

STATEMENT = "https://in-toto.io/Statement/v1"
PROVENANCE = "https://slsa.dev/provenance/v1"
BUILD_TYPE = "urn:kycpack:review-pack"
_SUBJECTS = (MANIFEST, "data/manifest.json")
_INPUTS = ("evidence/index.json", "notebook.ipynb", "order.json", "policy.yaml")


def statement_of(folder: Path, manifest: Mapping[str, Any], code: Mapping[str, Any]) -> dict[str, Any]:
    """Return the statement about a pack.

    Args:
        folder: The pack; its payload must be final.
        manifest: The content of its `data/manifest.json`.
        code: The code that signs it, as returned by `installed_code`.
    """
    return {
        "_type": STATEMENT,
        "subject": [{"name": name, "digest": {"sha256": file_digest(folder / name)}} for name in _SUBJECTS],
        "predicateType": PROVENANCE,
        "predicate": {
            "buildDefinition": {
                "buildType": BUILD_TYPE,
                "externalParameters": {name: manifest[name] for name in ("as_of", "country")},
                "resolvedDependencies": list(_dependencies(folder, manifest)),
            },
            "runDetails": {
                "builder": {
                    "id": BUILD_TYPE,
                    "version": {manifest["code"]["name"]: manifest["code"]["version"]},
                },
                "byproducts": [{"name": "signed-with", "annotations": dict(code)}],
            },
        },
    }


def provenance_problems(
    folder: Path, manifest: Mapping[str, Any], statement: Mapping[str, Any]
) -> Iterator[str]:
    """Yield each place where a statement differs from the pack it lies in.

    Args:
        folder: The pack.
        manifest: The content of its `data/manifest.json`.
        statement: The statement.
    """
    signed_with = statement["predicate"]["runDetails"]["byproducts"][0]["annotations"]
    expected = statement_of(folder, manifest, signed_with)
    if statement["subject"] != expected["subject"]:
        yield "it is about another pack"
    for part in ("buildDefinition", "runDetails"):
        if statement["predicate"][part] != expected["predicate"][part]:
            yield f"its {part} differs from the pack's manifest"
    if {**statement, "subject": None, "predicate": None} != {**expected, "subject": None, "predicate": None}:
        yield "it is not an in-toto statement of the kind that kycpack writes"


def installed_code() -> dict[str, str]:
    """Return the version of the running kycpack, and hashes of its code.

    Returns:
        `version`; `wheel_sha256`, if pip recorded the wheel that it was installed from; `record_sha256`, of the list of all
        installed files with their hashes; `source_sha256`, over the modules of the running package.
    """
    found = {"version": kycpack.__version__, "source_sha256": _source_digest()}
    try:
        distribution = Distribution.from_name("kycpack")
    except PackageNotFoundError:
        return found
    record, origin = distribution.read_text("RECORD"), distribution.read_text("direct_url.json")
    if record:
        found["record_sha256"] = hashlib.sha256(record.encode()).hexdigest()
    hashes = json.loads(origin).get("archive_info", {}).get("hashes", {}) if origin else {}
    if "sha256" in hashes:
        found["wheel_sha256"] = str(hashes["sha256"])
    return found


def _dependencies(folder: Path, manifest: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for name in _INPUTS:
        yield {"name": f"data/{name}", "digest": {"sha256": file_digest(folder / "data" / name)}}
    packages = {
        manifest["code"]["name"]: manifest["code"]["version"],
        **manifest["libraries"],
        **manifest["fonts"],
    }
    for name, version in sorted(packages.items()):
        if version is not None:
            yield {"uri": f"pkg:pypi/{name.lower()}@{version}"}


@cache
def _source_digest() -> str:
    digest = hashlib.sha256()
    package = Path(kycpack.__file__).parent
    for path in sorted(package.rglob("*.py")):
        digest.update(f"{path.relative_to(package).as_posix()}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()
