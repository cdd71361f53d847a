"""The customers of a run as plots: levels, reasons, ages, explained shares."""

from __future__ import annotations

from datetime import date

import pandas as pd

from kycpack.render.plots import Plot, plot_counts
from kycpack.triage.judge.findings import standing

_NONE = "no pack"
_AGES = ((0, 17), (18, 24), (25, 34), (35, 44), (45, 54), (55, 64), (65, 74), (75, 200))
_REASONS = 12
_FIFTH = 0.2


def plot_levels(overview: pd.DataFrame, levels: tuple[str, ...]) -> Plot:
    """Plot how many customers have each recommended level.

    Args:
        overview: Overview of a run, one row per customer.
        levels: The levels, in the order in which they are shown.
    """
    counts = overview["level"].where(overview["level"].isin(levels), _NONE).value_counts()
    rows = [(level, int(counts[level])) for level in (*levels, _NONE) if level in counts]
    return plot_counts("Customers by recommended level", rows, "What the policy recommends; people decide.")


def plot_reasons(findings: pd.DataFrame) -> Plot:
    """Plot the number of customers for whom each rule was hit.

    Args:
        findings: Frame `findings` of a run.
    """
    hits = standing(findings[findings["outcome"] == "HIT"]).drop_duplicates(["customer_id", "rule_id"])
    counts = (
        hits.groupby(["rule_id", "title"], observed=True).size().sort_values(ascending=False, kind="stable")
    )
    table = counts.head(_REASONS).rename("count").reset_index()
    names = table["rule_id"].astype(str) + ": " + table["title"].astype(str)
    rows = list(zip(names, table["count"].tolist(), strict=True))
    more = len(counts) - len(rows)
    return plot_counts("Customers by rule that was hit", rows, f"{more} more rules were hit." if more else "")


def plot_ages(customers: pd.DataFrame, as_of: date) -> Plot:
    """Plot the customers by age.

    Args:
        customers: Frame `customers`.
        as_of: The day on which the age is taken.
    """
    born = customers["date_of_birth_on"]
    birthday_passed = (born.dt.month < as_of.month) | (
        (born.dt.month == as_of.month) & (born.dt.day <= as_of.day)
    )
    ages = as_of.year - born.dt.year - (~birthday_passed).astype(int)
    rows = []
    for low, high in _AGES:
        count = int(ages.between(low, high).sum())
        rows.append((f"{low} and over" if high >= _AGES[-1][1] else f"{low} to {high}", count))
    unknown = int(born.isna().sum())
    return plot_counts("Customers by age", [*rows, ("not known", unknown)] if unknown else rows)


def plot_explained(overview: pd.DataFrame) -> Plot:
    """Plot the customers by the share of their credits whose nature is known.

    Args:
        overview: Overview of a run, one row per customer.
    """
    share = overview["explained_share"].astype("Float64")
    rows = []
    for fifth in range(5):
        low, high = fifth * _FIFTH, (fifth + 1) * _FIFTH
        inside = (share >= low) & ((share < high) if fifth < 4 else (share <= 1))
        rows.append(
            (
                f"{low:.0%} to {'100%' if fifth == 4 else f'under {high:.0%}'}",
                int(inside.fillna(value=False).sum()),
            )
        )
    rows.append(("not known", int(share.isna().sum())))
    caption = "Share of credits whose nature is known, without own transfers."
    return plot_counts("Customers by explained share of credits", rows, caption)
