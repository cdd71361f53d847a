from __future__ import annotations

import pandas as pd

from kycpack.assets import asset_path
from kycpack.frames.schema import conform


def test_the_sample_of_transactions_is_in_the_normal_form() -> None:
    frame = conform("transactions", pd.read_csv(asset_path("samples/transactions.csv"), dtype="string"))
    assert len(frame) == 194
    assert (frame["amount_minor"] > 0).sum() == 26
    assert set(frame["currency"]) == {"GBP"}
