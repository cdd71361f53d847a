"""Checking against the ledger's record that a customer marked as erased from a run was erased by two people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from kycpack.batch.erasure import RECORDS
from kycpack.batch.lock import FOLDER
from kycpack.errors import InputError, PackError
from kycpack.models.json import parse_json
from kycpack.pack.limits import read_limited
from kycpack.workspace.entries.signing import verify_fast
from kycpack.workspace.entries.verify_ledger import check_excerpt


def erasure_problems(
    folder: Path,
    customers: Sequence[Mapping[str, Any]],
    *,
    anchors: Sequence[Mapping[str, Any]] = (),
    trusted: Sequence[str] = (),
) -> Iterator[str]:
    """Yield each reason why the records beside the packs do not show the erasure of customers marked as erased.

    Args:
        folder: The run's output.
        customers: The customers in the manifest of the run.
        anchors: Heads of the ledger that were kept elsewhere.
        trusted: Fingerprints, one of which must be that of the key that the ledger was founded with.
    """
    for number in sorted({int(one["disposition"]) for one in customers if one.get("disposition")}):
        name = f"{FOLDER}/{RECORDS}/{number}.json"
        try:
            record = parse_json(read_limited(folder / name, name))
        except (InputError, PackError) as error:
            yield f"disposition {number}: its record cannot be read: {error}"
            continue
        if not isinstance(record, dict) or record.get("case_id") is not None:
            yield f"disposition {number}: {name} is not the record of an erasure"
            continue
        found = check_excerpt(record, anchors=anchors, trusted=trusted, verify=verify_fast)
        yield from (f"disposition {number}: {problem}" for problem in found.problems)
        erased = _erased(record, number)
        yield from (
            f"customer {one['customer_id']} is marked as erased by disposition {number}, whose record does not name them"
            for one in customers
            if one.get("disposition") == number and one["customer_id"] not in erased
        )


def erasure_notes(customers: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield a sentence for each customer who was erased."""
    yield from (
        f"customer {one['customer_id']}: erased, disposition {one['disposition']}"
        for one in customers
        if one.get("disposition")
    )


def _erased(record: Mapping[str, Any], number: int) -> set[str]:
    """Return the customers whose erasure a record shows to have been started and ended."""
    said = [
        entry["payload"]
        for entry in record["entries"]
        if entry["payload"] is not None and entry["payload"]["data"].get("number") == number
    ]
    ended = any(payload["kind"] == "retention.executed" for payload in said)
    return {
        str(one["customer_id"])
        for payload in said
        if ended and payload["kind"] == "retention.started"
        for one in payload["data"]["customers"]
    }
