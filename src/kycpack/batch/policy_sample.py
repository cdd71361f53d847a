"""A sample of the customers below the line of a policy, that is, those for whom it opens no case."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from kycpack.errors import InputError
from kycpack.workspace.entries.verify_ledger import VERDICTS_OF_SAMPLES
from kycpack.workspace.samples.samples import draw_customers, sample_result

FALLS, STAYS = "case before, none now", "no case before or now"
"""The strata: customers with a case under the first policy only, and customers without a case under either policy."""

_MOST_NAMED = 5


def sample_below_line(
    customers: pd.DataFrame, size: int, seed: str, verdicts: Mapping[str, str], confidence: float
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Draw customers for whom the second policy opens no case, and calculate the result of people's verdicts on them.

    Args:
        customers: As in `Backtest.customers`.
        size: How many customers to draw.
        seed: Seed of the sample.
        verdicts: People's verdicts, by customer id.
        confidence: Confidence level of the intervals, between 0 and 1.

    Returns:
        The sample (stratum, customer_id, verdict), and its result in the columns of `Samples.result`.

    Raises:
        InputError: A verdict is not known, or is about a customer who is not in the sample.
    """
    below = customers[~customers["case_now"]]
    population: dict[str, list[str]] = {}
    for customer_id, had_case in zip(below["customer_id"], below["case_before"], strict=True):
        population.setdefault(FALLS if had_case else STAYS, []).append(str(customer_id))
    drawn = draw_customers(population, size, seed) if population else {}
    members = [(stratum, each) for stratum, ids in drawn.items() for each in ids]
    _check_verdicts(verdicts, {each for _, each in members})
    rows = [(stratum, each, verdicts.get(each)) for stratum, each in members]
    counts = {
        stratum: (
            len(ids),
            len(drawn[stratum]),
            sum(each in verdicts for each in drawn[stratum]),
            sum(verdicts.get(each) == "disagrees" for each in drawn[stratum]),
        )
        for stratum, ids in sorted(population.items())
    }
    sample = pd.DataFrame(rows, columns=["stratum", "customer_id", "verdict"])
    return sample, sample_result(counts, confidence)


def _check_verdicts(verdicts: Mapping[str, str], drawn: set[str]) -> None:
    for customer_id, verdict in verdicts.items():
        if verdict not in VERDICTS_OF_SAMPLES:
            raise InputError(
                f"expected one of {', '.join(VERDICTS_OF_SAMPLES)}", place=f"verdict on {customer_id}"
            )
    # A customer whom somebody picked by hand would bias the interval.
    others = sorted(verdicts.keys() - drawn)
    if others:
        raise InputError(
            f"not in the sample that this seed draws: {', '.join(others[:_MOST_NAMED])}"
            + (f" and {len(others) - _MOST_NAMED} more" if len(others) > _MOST_NAMED else ""),
            place="verdicts",
        )
