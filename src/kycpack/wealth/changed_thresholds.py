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
    """Return the derivation of the same rows with other thresholds.

    Args:
        wealth: A derivation.
        changes: New values by threshold name; thresholds not named keep their values.

    Raises:
        PolicyError: A threshold is not known, or its value is not valid.
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
        before: With the thresholds in force.
        after: With other thresholds.

    Returns:
        customer_id, kind (`flag` or `disposition`), name, before, after. For a flag: its severity, empty if it is not
        raised. For a disposition: the number of credits that have it.
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
    """Return the names of the thresholds that are numbers."""
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
