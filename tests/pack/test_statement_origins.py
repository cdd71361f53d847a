"""Each sum that a statement names follows from rows of the pack."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import pytest

from kycpack.assets import asset_path
from kycpack.evidence import load_evidence
from kycpack.pack.check.agreement import _sure_totals
from kycpack.pack.figures.figure_map import STATEMENT, FigureMapBuilder, block_texts, tables_of
from kycpack.pack.figures.statement_origins import with_origins
from kycpack.render.statement_pdf import statement_sections
from kycpack.wealth import Wealth, derive
from kycpack.wealth.judge.statement import primary_source

Credit = tuple[str, int, str, str]
_PAY = [(f"2025-{month:02d}-27", 100_000, "TESCO STORES SALARY", "GBP") for month in range(1, 13)]
_EARLIER_PAY = [(f"2024-{month:02d}-27", 300_000, "SAINSBURYS SALARY", "GBP") for month in range(6, 13)]
_UNKNOWN = [(f"2025-{month:02d}-03", 900_017, "KX HOLDINGS LTD", "GBP") for month in range(1, 13)]
_STRANGER = ("2025-05-19", 2_300_000, "SOMEBODY", "GBP")
_SMALL = ("2025-05-09", 2_200, "TRF 8812", "GBP")
_OWN = ("2025-02-03", 6_000, "FIONA PICKERSGILL", "GBP")
_PEOPLE = pd.DataFrame({"customer_id": ["C"], "first_name": ["Fiona"], "last_name": ["Pickersgill"]})
_OTHERS = [
    (f"2025-0{n}-11", 400_000 + n, f"{name} LTD", "GBP")
    for n, name in enumerate(("QUORNE", "HALBIX", "TREFANT", "MOLDEC"), 3)
]
_CASH = [("2025-06-19", 1_700_000, "CASH PAID IN", "GBP"), ("2025-09-19", 12_300, "CASH PAID IN", "GBP")]
_EUROS = [("2025-07-19", 3_300_000, "NOBODY KNOWS", "EUR"), ("2025-07-29", 400_000, "CASH PAID IN", "EUR")]


def _plain(frame: pd.DataFrame) -> dict[str, list[Any]]:
    return {
        name: [None if pd.isna(value) is True else value for value in frame[name].tolist()] for name in frame
    }


def _wealth(credits_: Sequence[Credit]) -> Wealth:
    frame = pd.DataFrame(credits_, columns=["booked_on", "amount_minor", "description_raw", "currency"])
    frame = frame.assign(
        customer_id="C", account_id=frame["currency"], txn_id=[f"T{n}" for n in range(len(frame))]
    )
    return derive(frame, customers=_PEOPLE, as_of="2025-12-31")


def _builder(credits_: Sequence[Credit], unlisted: str = "") -> FigureMapBuilder:
    wealth = _wealth(credits_)
    sources = wealth.sources("C")
    shown = statement_sections(wealth.statement("C"), wealth.statement_currencies("C"), unlisted=unlisted)
    primary = primary_source(sources, wealth.base_currency("C"))
    frames = {"own_sources": _plain(sources), "credits": _plain(wealth.credits)}
    evidence = load_evidence(asset_path("samples/evidence/index.json").parent)
    builder = FigureMapBuilder(tables_of(frames, evidence))
    for section in with_origins(shown, sources, wealth.credits, primary, []):
        for block in section.blocks:
            for text, label, origins in block_texts(block):
                builder.add(section.key, label, STATEMENT, text, origins)
    return builder


@pytest.mark.parametrize(
    ("credits_", "said"),
    [
        ([*_PAY, *_UNKNOWN, _STRANGER, _SMALL], "nature is not established 131,024.04 GBP"),
        ([*_PAY, _STRANGER, _SMALL], "19 May 2025, beside a small one of 22.00 GBP."),
        ([*_PAY, *_UNKNOWN, _STRANGER, _SMALL, _OWN], "nature is not established 131,084.04 GBP"),
        ([*_PAY, _STRANGER, _SMALL, _OWN], "19 May 2025, beside small ones of 82.00 GBP in all."),
        ([*_PAY, *_UNKNOWN, _STRANGER], "nature is not established 131,002.04 GBP"),
        ([*_PAY, *_UNKNOWN, _STRANGER, *_CASH], "cash deposits 17,123.00 GBP, credits whose nature is not"),
        ([*_PAY, *_EUROS], "cash deposits 4,000.00 EUR, credits whose nature is not established 33,000.00"),
        ([*_EARLIER_PAY, *_PAY], "Larger in total, but ceased: employment 21,000.00 GBP"),
        (
            [*_PAY, _STRANGER],
            "Single credit outside the listed sources whose nature is not established: 23,000.00 GBP on 19 May 2025",
        ),
        ([*_PAY, _STRANGER, *_OTHERS], "the largest of 5 are 23,000.00 GBP on 19 May 2025"),
        ([*_CASH, *_EUROS, _STRANGER], "not eligible as the main source: cash deposits 17,123.00 GBP"),
        ([*_CASH, *_UNKNOWN, *_OTHERS], "not eligible as the main source: cash deposits 17,123.00 GBP"),
    ],
)
def test_each_sum_in_the_context_of_the_main_source_has_an_origin(credits_: list[Credit], said: str) -> None:
    builder = _builder(credits_)
    assert any(said in figure["printed"] for figure in builder.figures)
    assert not builder.unmapped


@pytest.mark.parametrize("sources", [[], _PAY])
def test_the_sum_of_what_is_in_no_source_has_an_origin(sources: list[Credit]) -> None:
    """The statement said how much cash there was at its top, and only that there was some below its list."""
    said = "In none of the listed sources: cash deposits 123.00 GBP; credits whose nature is not established 22.00 GBP."
    builder = _builder([*sources, *_EUROS, _CASH[1], _SMALL], said)
    (figure,) = (one for one in builder.figures if one["printed"] == said)
    assert [origin["value"] for origin in figure["origins"]] == [12_300, 2_200]
    assert not builder.unmapped


def test_the_check_of_a_pack_knows_the_sum_of_what_is_in_no_source() -> None:
    credits_ = _wealth([*_PAY, _CASH[0], *_UNKNOWN[:1], _SMALL]).credits
    assert {"17,000.00", "9,022.17"} <= _sure_totals({"credits": credits_})
