"""What moves when a threshold changes: dispositions, streams and red flags, before and after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import pandas as pd

from kycpack.errors import PolicyError
from kycpack.wealth.derivation import derive
from kycpack.wealth.result import Wealth
from kycpack.wealth.thresholds import Thresholds


def with_thresholds(wealth: Wealth, changes: Mapping[str, Any]) -> Wealth:
    """Return the derivation that other thresholds give for the same rows.

    Args:
        wealth: A derivation.
        changes: New values by the threshold's name; those not named stay.

    Raises:
        PolicyError: A threshold is not known, or its value makes no sense.
    """
    now = asdict(wealth.thresholds)
    unknown = sorted(set(changes) - set(now))
    if unknown:
        raise PolicyError("no such threshold", place=f"thresholds.{unknown[0]}")
    return derive(
        wealth.transactions,
        customers=wealth.customers,
        accounts=wealth.accounts,
        balances=wealth.balances,
        country=wealth.country,
        thresholds={**now, **changes},
        as_of=wealth.generated_at,
    )


def what_moves(before: Wealth, after: Wealth) -> pd.DataFrame:
    """Return what differs between two derivations of the same rows.

    Args:
        before: With the thresholds that are in force.
        after: With others.

    Returns:
        customer_id, kind (`flag` or `disposition`), name, before, after: of a flag its severity, empty where it is not
        raised; of a disposition the number of credits that have it.
    """
    moved = [
        (customer, kind, name, old.get(key, nothing), new.get(key, nothing))
        for kind, old, new, nothing in (
            ("flag", _flags(before), _flags(after), ""),
            ("disposition", _dispositions(before), _dispositions(after), "0"),
        )
        for key in sorted({*old, *new})
        for customer, name in [key]
        if old.get(key, nothing) != new.get(key, nothing)
    ]
    return pd.DataFrame(moved, columns=["customer_id", "kind", "name", "before", "after"]).astype("string")


def threshold_names() -> tuple[str, ...]:
    """Return the names of the thresholds that are a number."""
    return tuple(name for name in asdict(Thresholds()) if name not in ("levels", "payers"))


def _flags(wealth: Wealth) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], list[str]] = {}
    for customer, code, severity in wealth.flags[["customer_id", "code", "severity"]].astype(str).to_numpy():
        found.setdefault((customer, code), []).append(severity)
    return {key: ", ".join(sorted(each)) for key, each in found.items()}


def _dispositions(wealth: Wealth) -> dict[tuple[str, str], str]:
    counts = wealth.credits.astype({"customer_id": str, "disposition": str})
    sizes = counts.groupby(["customer_id", "disposition"]).size()
    return {
        (str(customer), str(name)): str(size)
        for (customer, name), size in zip(sizes.index.tolist(), sizes.tolist(), strict=True)
    }
