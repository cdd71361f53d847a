"""`manifest.json`: what a pack was made from and by what, and what was decided."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from kycpack import __version__
from kycpack.evidence import Evidence
from kycpack.pack.order import Order
from kycpack.render.typefaces import FONT_DISTRIBUTIONS
from kycpack.triage import Policy

SCHEMA = "kycpack-pack-1"
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
    evidence: Evidence, policy: Policy, order: Order, figures: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the manifest of a review that nobody has decided yet.

    Args:
        evidence: What was asked and answered.
        policy: The policy.
        order: What the pack was ordered with.
        figures: The figures that its documents print.
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
        "recommendation": {name: figures[name] for name in ("level", "top_reason", "rules_fired")},
        "decision": None,
        "ledger_head": None,
        "evidence_root": evidence.root,
        "incomplete": [entry.id for entry in evidence.incomplete],
        "code": {"name": "kycpack", "version": __version__},
        "libraries": {name: _version(name) for name in _LIBRARIES},
        "fonts": {name: _version(name) for name in FONT_DISTRIBUTIONS},
    }


def _version(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None
