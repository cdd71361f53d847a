from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pandas as pd

from kycpack.wealth import derive
from kycpack.wealth.explanation import Explanation

AS_OF = dt.date(2025, 12, 31)
Ledger = Callable[..., pd.DataFrame]


def test_a_notebook_shows_each_sentence_as_a_paragraph_and_text_from_outside_as_text() -> None:
    text = "24 credits from <b>PAYER</b> & SONS.\nTotal 1,968.36 GBP."
    said = Explanation(text)
    assert said == text
    shown = said._repr_html_()
    assert shown.count("<p ") == 2
    assert "&lt;b&gt;PAYER&lt;/b&gt; &amp; SONS." in shown
    assert "<b>" not in shown


def test_a_stream_whose_every_payment_may_be_counted_twice_is_explained(ledger: Ledger) -> None:
    """Two accounts whose numbers are masked alike may be one, of which two links spell the payer otherwise."""
    months = [f"2025-{month:02d}-26" for month in range(1, 13)]
    rows = [
        (day, 132_040, text, {"account_id": account, "bank_code": "PMNT-RCDT-SALA"})
        for day in months
        for account, text in (("A1", "KINGSWOOD OPTICS LTD"), ("A2", "TARN VALLEY COUNCIL"))
    ]
    accounts = pd.DataFrame(
        {"customer_id": "C1", "account_id": ["A1", "A2"], "account_number": "****0001", "sort_code": "****10"}
    )
    wealth = derive(ledger(*rows), accounts=accounts, as_of=AS_OF)
    assert wealth.credits.groupby("stream_id")["may_be_twice_minor"].min().max() > 0
    said = [wealth.explain(stream) for stream in wealth.streams["stream_id"]]
    assert any("15,844.80 GBP of it may be counted twice" in each for each in said)
