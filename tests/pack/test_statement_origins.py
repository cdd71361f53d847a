"""Each sum that a statement names follows from rows of the pack."""

from __future__ import annotations

import pandas as pd

from kycpack.pack.statement_origins import with_origins
from kycpack.render.document_parts import Paragraph, Section
from kycpack.render.origin import Origin
from kycpack.wealth import derive


def _sum(credits_: pd.DataFrame, origin: Origin) -> int:
    chosen = pd.Series(data=True, index=credits_.index)
    for column, wanted in origin.rows.items():
        values = credits_[column].astype("object").where(credits_[column].notna(), None)
        chosen &= values.isin([one for one in wanted if one]) | (values.isna() & (None in wanted))
    return int(credits_.loc[chosen, "amount_minor"].sum())


def test_credits_whose_nature_is_not_established_are_those_of_such_streams_and_the_unexplained_ones() -> None:
    made = [(f"2025-{month:02d}-27", 100_000, "TESCO STORES SALARY") for month in range(1, 13)]
    made += [(f"2025-{month:02d}-03", 900_017, "KX HOLDINGS LTD") for month in range(1, 13)]
    made += [("2025-05-19", 2_300_000, "SOMEBODY")]
    frame = pd.DataFrame(made, columns=["booked_on", "amount_minor", "description_raw"])
    frame = frame.assign(
        customer_id="C", account_id="A", currency="GBP", txn_id=[f"T{n}" for n in range(len(frame))]
    )
    wealth = derive(frame, as_of="2025-12-31")
    sources = wealth.streams.rename(columns={"stream_id": "source_id"})
    primary = int(sources["payer"].astype("string").str.contains("TESCO").to_numpy().argmax())
    section = Section("primary", "Main source", (Paragraph("13,100,204"),))
    (shown,) = with_origins([section], sources, primary, [])
    (words,) = shown.blocks
    assert isinstance(words, Paragraph)
    sums = [
        _sum(wealth.credits, one)
        for one in words.origins
        if isinstance(one, Origin) and one.frame == "credits"
    ]
    assert sums == [12 * 900_017 + 2_300_000]
