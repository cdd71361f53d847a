"""`make evaluate`: how near source of wealth comes to the truth, in tables of Markdown.

An argument sets the number of invented customers for each seed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path

from tests.evaluate.cases import case_figures
from tests.evaluate.levels import level_figures
from tests.evaluate.measures import Score
from tests.evaluate.names import name_figures
from tests.evaluate.patterns import pattern_figures
from tests.evaluate.published import czech_accounts, payment_dates
from tests.evaluate.synthetic import CUSTOMERS, scores
from tests.evaluate.texts import payer_figures, text_figures

_HEADINGS = {
    "precision": "precision",
    "recall": "recall",
    "cadence": "cadence",
    "cadence_decidable": "cadence, not ambiguous",
    "ambiguous": "ambiguous",
    "type_right": "type right",
    "type_wrong": "type wrong",
    "value_error": "value error",
    "false_income": "false income per customer",
    "own_transfer_f1": "own transfers F1",
    "streams": "true streams",
}


def main() -> None:
    """Print the tables, a line as it comes."""
    customers = int(sys.argv[1]) if len(sys.argv) > 1 else CUSTOMERS
    print(f"Invented customers, {customers} for each seed; nothing was tuned on these seeds.\n")
    print("| method | setting | " + " | ".join(_HEADINGS.values()) + " |")
    print("|---" * (len(_HEADINGS) + 2) + "|")
    for method, setting, score in scores(customers):
        print(f"| {method} | {setting} | " + " | ".join(_cells(score)) + " |", flush=True)
    _print_table("texts, payers and look-alikes that nobody planted", (*text_figures(), *payer_figures()))
    _print_table("small whole statements", case_figures())
    _print_table("red flags on patterns that nobody tuned on", pattern_figures())
    _print_table("levels of invented customers, meant and recommended", level_figures())
    _print_table("names and addresses", name_figures())
    folder = _shared_data()
    if folder is None:
        print("\nPublished data is not on this machine; nothing was measured on it.")
        return
    _print_table("published data", (*payment_dates(folder), *czech_accounts(folder)))


def _print_table(title: str, figures: Iterable[tuple[str, str]]) -> None:
    print(f"\n| {title} | figure |\n|---|---|")
    for name, figure in figures:
        print(f"| {name} | {figure} |", flush=True)


def _cells(score: Score) -> list[str]:
    values = [getattr(score, field.name) for field in fields(score)]
    return [
        "" if value is None else f"{value:.4f}" if isinstance(value, float) else str(value)
        for value in values
    ]


def _shared_data() -> Path | None:
    given = os.environ.get("KYCPACK_SHARED_DATA")
    folder = Path(given) if given else Path(__file__).resolve().parents[3] / "shared" / "data"
    return folder if folder.is_dir() else None


if __name__ == "__main__":
    main()
