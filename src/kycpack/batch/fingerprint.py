"""Fingerprints that show when two reviews would be the same: same frames, policy, code, country, people and occasion.

The time of a request, and the time at which the service generated a document, do not count.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import kycpack
from kycpack import assets
from kycpack.frames import Frames
from kycpack.frames.rows import arrays_of, values_of

_MOMENTS_OF_RETRIEVAL = {"balances": {"balance_at"}, "statements": {"generated_at"}}


def fingerprint(
    frames: Frames,
    *,
    policy_digest: str,
    code_digest: str,
    country: str,
    people: Sequence[str],
    occasion: str,
) -> str:
    """Return a SHA-256 that is equal if two reviews would be the same.

    Args:
        frames: The customer's frames.
        policy_digest: The policy's digest.
        code_digest: The code's digest.
        country: The country whose calendar and words apply.
        people: Who prepares and who reviews, as a pack names them.
        occasion: The occasion of the case that the pack names.
    """
    head = "\n".join((code_digest, policy_digest, country, *(repr(name) for name in people), occasion, ""))
    digest = hashlib.sha256(head.encode())
    for name, frame in frames.items():
        left_out = _MOMENTS_OF_RETRIEVAL.get(name, set())
        digest.update(f"{name}\n".encode())
        titles = [title for title in values_of(frame.columns.array) if title not in left_out]
        for title, array in zip(titles, arrays_of(frame, titles), strict=True):
            # Instants are hashed as numbers, which saves formatting each as text.
            values = array.view("int64").tolist() if array.dtype.kind == "M" else values_of(array)
            digest.update(f"{title} {values!r}\n".encode())
    return digest.hexdigest()


def code_digest() -> str:
    """Return the SHA-256 over the code and the data files that make a pack."""
    digest = hashlib.sha256(kycpack.__version__.encode())
    for path in _sources():
        digest.update(f"{path.name}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _sources() -> Iterator[Path]:
    package = Path(kycpack.__file__).parent
    for path in sorted(package.rglob("*.py")):
        if path.relative_to(package).parts[0] not in {"cli", "service", "workspace"}:
            yield path
    yield from sorted(
        path for path in assets.asset_path("policies/default-uk.yaml").parents[1].rglob("*.yaml")
    )
