"""How well names and addresses are compared: F1, precision and recall of people, firms and addresses, by kind and script.

The pairs were written by an author who had not read the code; see `data/evaluation/README.md`. Rows of the split `dev` may be
used to develop. Rows of `test` may not: they are scored once, when the code is frozen, by `python -m tests.evaluate.names test`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from math import sqrt

import pandas as pd
from tests.evaluate.blind.load import table

from kycpack.triage.addresses.address_likeness import PostalAddress, compare_addresses
from kycpack.triage.likeness import Likeness
from kycpack.triage.names.company_names import compare_companies
from kycpack.triage.names.person_names import compare_names

_Z = 1.96
_VERDICTS = {"equal": "same"}


def name_figures(splits: tuple[str, ...] = ("dev",)) -> Iterator[tuple[str, str]]:
    """Yield the figures of people, firms and addresses.

    Args:
        splits: Which rows: dev, test or both, one after the other.
    """
    for split in splits:
        people = _judged("names_people", compare_names, split)
        yield f"people, {split}", _figure(people)
        for script, rows in people.groupby("script"):
            yield f"people, {split}, {script}", _figure(rows)
        for kind, rows in people.groupby("kind"):
            yield f"people, {split}, {kind}: right", _right(rows)
        firms = _judged("names_companies", compare_companies, split)
        yield f"firms, {split}", _figure(firms)
        for kind, rows in firms.groupby("kind"):
            yield f"firms, {split}, {kind}: right", _right(rows)
        places = _judged_addresses(split)
        yield f"addresses, {split}: right", _right(places)
        for kind, rows in places.groupby("kind"):
            yield f"addresses, {split}, {kind}: right", _right(rows)


def _judged(name: str, compare: Callable[[str, str], Likeness], split: str) -> pd.DataFrame:
    pairs = table(name)
    pairs = pairs[pairs["split"] == split].copy()
    pairs["said"] = [
        compare(left, right).verdict != "different"
        for left, right in zip(pairs["a"], pairs["b"], strict=True)
    ]
    pairs["true"] = pairs["same"] == "1"
    return pairs


def _judged_addresses(split: str) -> pd.DataFrame:
    pairs = table("addresses")
    pairs = pairs[pairs["split"] == split].copy()
    verdicts = [
        compare_addresses(
            PostalAddress(left, None, None, None), PostalAddress(right, None, None, None)
        ).verdict
        for left, right in zip(pairs["a"], pairs["b"], strict=True)
    ]
    pairs["said"] = [_VERDICTS.get(verdict, verdict) for verdict in verdicts]
    pairs["true"] = pairs["truth"]
    return pairs


def _figure(pairs: pd.DataFrame) -> str:
    both = int((pairs["said"] & pairs["true"]).sum())
    said, true = int(pairs["said"].sum()), int(pairs["true"].sum())
    precision = f"{both / said:.3f} ({_interval(both, said)})" if said else "none said"
    recall = f"{both / true:.3f} ({_interval(both, true)})" if true else "none true"
    f1 = f"{2 * both / (said + true):.3f}" if said + true else "nothing to find"
    return f"F1 {f1}, precision {precision}, recall {recall}, {len(pairs)} pairs"


def _right(pairs: pd.DataFrame) -> str:
    return f"{int((pairs['said'] == pairs['true']).sum())} of {len(pairs)}"


def _interval(part: int, whole: int) -> str:
    """Return the 95% interval of a share (Wilson 1927)."""
    share = part / whole
    middle = share + _Z**2 / (2 * whole)
    spread = _Z * sqrt(share * (1 - share) / whole + _Z**2 / (4 * whole**2))
    total = 1 + _Z**2 / whole
    return f"{(middle - spread) / total:.2f} to {(middle + spread) / total:.2f}"


if __name__ == "__main__":
    for name, figure in name_figures(tuple(sys.argv[1:]) or ("dev",)):
        print(f"| {name} | {figure} |")
