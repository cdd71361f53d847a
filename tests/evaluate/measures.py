"""How near a derivation comes to a known truth."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

KEY = ["customer_id", "account_id", "txn_id"]
LEAST_JACCARD = 0.5
FEWEST_PAYMENTS = 3


# Types that say nothing of what a payment is for.
NO_CLAIM = frozenset({"other", "person_transfer"})

# Money that is nobody's income, whoever calls it a stream.
NO_INCOME = frozenset({"loan", "savings", "tax_refund"})


@dataclass(frozen=True)
class Score:
    """Figures of one derivation beside the truth; shares are 0..1, None where there is nothing to measure.

    Args:
        precision: Streams found that are true ones, one to one, Jaccard of their transactions at least 0.5.
        recall: True streams of three payments or more that were found; fewer show no habit, and what pays once a year is asked for from the
            third year on.
        cadence: Of those found, the share with the exact cadence.
        cadence_decidable: The same of those not marked ambiguous.
        ambiguous: Share marked ambiguous.
        type_right: Share with the true type.
        type_wrong: Share with another type that claims a nature; `other` claims none, nor does `person_transfer`, which only says who paid.
        value_error: Sum over customers of how far their income is off, as a share of all true income.
        false_income: Income that is none, per customer, in major units of a currency with two decimals.
        own_transfer_f1: Of credits that are own transfers.
        streams: True streams that count.
    """

    precision: float | None
    recall: float | None
    cadence: float | None
    cadence_decidable: float | None
    ambiguous: float | None
    type_right: float | None
    type_wrong: float | None
    value_error: float | None
    false_income: float | None
    own_transfer_f1: float | None
    streams: int


def measure(
    credits_: pd.DataFrame, streams: pd.DataFrame, truth: pd.DataFrame, true_streams: pd.DataFrame
) -> Score:
    """Return how near credits and streams come to the truth.

    Args:
        credits_: KEY, currency, amount_minor, disposition, stream_id, type.
        streams: stream_id, cadence, type, ambiguous.
        truth: KEY, currency, amount_minor, disposition, stream_id, type.
        true_streams: stream_id, cadence, rule, type, count.
    """
    pairs = match_streams(credits_, truth)
    visible = set(true_streams.loc[true_streams["count"] >= FEWEST_PAYMENTS, "stream_id"])
    counted = pairs[pairs["true_id"].isin(visible)]
    neutral = len(pairs) - len(counted)  # true streams too short to be asked for
    found = counted.merge(true_streams, left_on="true_id", right_on="stream_id").merge(
        streams.drop(columns=["count"], errors="ignore"),
        left_on="found_id",
        right_on="stream_id",
        suffixes=("_true", ""),
    )
    right = found["cadence_true"] == found["cadence"]
    same_type = found["type_true"] == found["type"]
    income, true_income = _income(credits_), _income(truth)
    off = true_income.subtract(income, fill_value=0).abs().sum()
    false = _false_income(credits_, truth)
    return Score(
        precision=_share(len(counted), len(streams) - neutral),
        recall=_share(len(counted), len(visible)),
        cadence=_mean(right),
        cadence_decidable=_mean(right[~found["ambiguous"].astype(bool)]),
        ambiguous=_mean(found["ambiguous"]),
        type_right=_mean(same_type),
        type_wrong=_mean(~same_type & ~found["type"].isin(NO_CLAIM)),
        value_error=_share(float(off), float(true_income.sum())),
        false_income=false / 100 / max(truth["customer_id"].nunique(), 1),
        own_transfer_f1=_own_transfer_f1(credits_, truth),
        streams=len(visible),
    )


def match_streams(credits_: pd.DataFrame, truth: pd.DataFrame) -> pd.DataFrame:
    """Return pairs of found and true streams, one to one, the likest first: found_id, true_id, jaccard."""
    both = credits_[[*KEY, "stream_id"]].merge(truth[[*KEY, "stream_id"]], on=KEY, suffixes=("", "_true"))
    both = both.dropna()
    shared = both.groupby(["stream_id", "stream_id_true"]).size().rename("shared").reset_index()
    sizes, true_sizes = credits_.groupby("stream_id").size(), truth.groupby("stream_id").size()
    union = shared["stream_id"].map(sizes) + shared["stream_id_true"].map(true_sizes) - shared["shared"]
    shared["jaccard"] = shared["shared"] / union
    near = shared[shared["jaccard"] >= LEAST_JACCARD].sort_values(
        ["jaccard", "stream_id", "stream_id_true"], ascending=[False, True, True]
    )
    near = near.drop_duplicates("stream_id").drop_duplicates("stream_id_true")
    return near.rename(columns={"stream_id": "found_id", "stream_id_true": "true_id"})[
        ["found_id", "true_id", "jaccard"]
    ]


def _is_income(frame: pd.DataFrame) -> pd.Series:
    return frame["disposition"].isin(["stream", "one_off"]) & ~frame["type"].isin(NO_INCOME)


def _income(frame: pd.DataFrame) -> pd.Series:
    return frame[_is_income(frame)].groupby(["customer_id", "currency"])["amount_minor"].sum()


def _false_income(credits_: pd.DataFrame, truth: pd.DataFrame) -> int:
    none = truth[~_is_income(truth)][KEY]
    return int(credits_[_is_income(credits_)].merge(none, on=KEY)["amount_minor"].sum())


def _own_transfer_f1(credits_: pd.DataFrame, truth: pd.DataFrame) -> float | None:
    found = credits_[credits_["disposition"] == "own_transfer"][KEY]
    true = truth[truth["disposition"] == "own_transfer"][KEY]
    return _share(2 * len(found.merge(true, on=KEY)), len(found) + len(true))


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _mean(values: pd.Series) -> float | None:
    return float(values.astype(float).mean()) if len(values) else None
