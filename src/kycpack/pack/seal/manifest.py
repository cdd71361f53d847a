"""`manifest.json`: what a pack was made from and with, the files it has, and what was decided."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from kycpack import __version__
from kycpack.evidence import Evidence
from kycpack.evidence.store import file_digest
from kycpack.pack.compute.decision import decision_document, record_of
from kycpack.pack.order import Order
from kycpack.render.typefaces import FONT_DISTRIBUTIONS
from kycpack.triage import Policy

SCHEMA = "kycpack-pack-3"
MADE_FILES = ("figures.json", "figure_map.json", "workbook.xlsx", "frames/*.parquet", "report/*")
"""Patterns of the files under `data/` that a review computes and its manifest records."""

_LIBRARIES = (
    "fpdf2",
    "fonttools",
    "matplotlib",
    "numpy",
    "pandas",
    "pyarrow",
    "uharfbuzz",
    "xlsxwriter",
    "holidays",
)


def manifest_of(
    evidence: Evidence,
    policy: Policy,
    order: Order,
    notebook_digest: str,
    figures: Mapping[str, Any],
    files: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any]:
    """Return the manifest of a review.

    Args:
        evidence: The requests and their answers.
        policy: The policy.
        order: What the pack was ordered with.
        notebook_digest: SHA-256 of the notebook that the review is made from.
        figures: The figures that its documents print.
        files: Size and SHA-256 of every file that was made, as returned by `made_files`.
    """
    return {
        "schema": SCHEMA,
        "customer_id": evidence.customer_id,
        "case": {
            "id": order.case_id,
            "prepared_by": order.prepared_by or None,
            "reviewed_by": order.reviewed_by or None,
        },
        "as_of": order.as_of,
        "country": order.country,
        "policy": {"id": policy.id, "version": policy.version, "digest": policy.digest},
        "notebook": {"digest": notebook_digest},
        "recommendation": {name: figures[name] for name in ("level", "top_reason", "rules_fired")},
        **({"demonstration": True} if figures.get("demonstration") else {}),
        "decision": decision_document(record_of(order.excerpt)),
        "ledger_head": None if order.ledger_head is None else dict(order.ledger_head),
        "earlier_pack": None if order.earlier is None else order.earlier["root"],
        "attached": sorted(set(order.files()) - {"order.json"}),
        "evidence_root": evidence.root,
        "incomplete": [entry.id for entry in evidence.incomplete],
        "files": dict(files),
        "code": {"name": "kycpack", "version": __version__},
        "libraries": {name: _version(name) for name in _LIBRARIES},
        "fonts": {name: _version(name) for name in FONT_DISTRIBUTIONS},
    }


def made_files(data: Path) -> dict[str, dict[str, Any]]:
    """Return the size in bytes and the SHA-256 of the files that a review computed, by their names under `data/`.

    A PDF is recorded as it is before signing; its signature is appended to these bytes.
    """
    paths = sorted(path for pattern in MADE_FILES for path in data.glob(pattern))
    return {
        path.relative_to(data).as_posix(): {"bytes": path.stat().st_size, "sha256": file_digest(path)}
        for path in paths
    }


def bag_info(manifest: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields of `bag-info.txt`, except the size of the payload."""
    return {
        "Bag-Software-Agent": f"{manifest['code']['name']} {manifest['code']['version']}",
        "Bagging-Date": manifest["as_of"][:10],
        "External-Identifier": manifest["case"]["id"],
        "Internal-Sender-Identifier": manifest["customer_id"],
    }


@cache
def _version(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None
