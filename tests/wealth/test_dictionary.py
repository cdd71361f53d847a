"""The dictionary of frames, and the page that is made from it."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from tests.wealth.money_patterns import patterns

import kycpack as kp
from kycpack.assets import asset_path
from kycpack.errors import FrameError
from kycpack.frames.catalogue import SCHEMAS
from kycpack.pack.compute.review import Review
from kycpack.wealth import Wealth
from kycpack.wealth.columns import DERIVED
from kycpack.wealth.dictionary import FURTHER, dictionary_page

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def derived() -> Wealth:
    frames = [(rows, accounts) for _, _, rows, accounts in patterns(3, per_kind=1)]
    rows = pd.concat([one for one, _ in frames], ignore_index=True)
    accounts = pd.concat([one for _, one in frames], ignore_index=True)
    return kp.derive(rows, accounts=accounts, as_of="2026-06-27")


@pytest.fixture(scope="module")
def review() -> Review:
    return kp.build_review(asset_path("samples/evidence/index.json").parent, as_of="2026-06-30")


def public_frames(review: Review) -> dict[str, pd.DataFrame]:
    """Return every frame that a result holds or makes, found by looking, so that a new one is missed by the dictionary and not by this test."""
    customer = review.evidence.customer_id
    found = {name: frame for name, frame in review.tables.items() if name != "credits"}
    for result in (review.wealth, review.triage):
        names = [name for name in dir(result) if not name.startswith("_")]
        held = {name: getattr(result, name) for name in names}
        found |= {name: value for name, value in held.items() if isinstance(value, pd.DataFrame)}
    wealth = review.wealth
    return found | {
        "own_sources": wealth.sources(customer),
        "nature": wealth.nature(customer),
        "joint_accounts": wealth.joint_accounts(customer),
    }


def test_each_public_frame_and_each_of_its_columns_is_described(review: Review) -> None:
    frames = public_frames(review)
    assert {"rejects", "balance_breaks", "findings", "recommendations", "consistency", "limits"} <= set(
        frames
    )
    for name, frame in frames.items():
        described = kp.describe(name)
        assert list(frame.columns) == described["column"].tolist(), name
        types = ["string" if dtype == "str" else str(dtype) for dtype in frame.dtypes]
        assert types == described["dtype"].tolist(), name
        required = described.loc[described["required"], "column"].tolist()
        assert frame[required].notna().all(axis=None), name
    assert set(SCHEMAS) | set(DERIVED) | set(FURTHER) == set(frames)


def test_the_two_columns_that_a_pack_adds_to_credits_are_on_the_page(review: Review) -> None:
    added = set(review.tables["credits"]) - set(review.wealth.credits)
    assert added == {"nature", "known_by"}
    assert all(f"`{name}`" in dictionary_page().split("## ")[0] for name in added)


def test_what_is_not_used_and_where_a_balance_breaks_are_as_described() -> None:
    rows = pd.DataFrame(
        {
            "customer_id": "c",
            "account_id": "a",
            "txn_id": ["1", "2", "3", "4"],
            "booked_on": pd.to_datetime(["2026-01-01", "2026-01-02", "2026-01-03", "2027-01-01"]),
            "amount_minor": [100, 100, 100, 100],
            "currency": "GBP",
            "description_raw": "x",
            "balance_after_minor": [100, 200, 900, 1000],
        }
    )
    derived = kp.derive(rows, as_of="2026-06-27")
    assert derived.rejects[["txn_id", "code", "reason"]].to_numpy().tolist() == [
        ["4", "future", "booked after the date the review looks from"]
    ]
    assert derived.balance_breaks[["txn_id", "opens_minor"]].to_numpy().tolist() == [["3", 800]]
    for name in ("rejects", "balance_breaks"):
        assert list(map(str, getattr(derived, name).dtypes)) == kp.describe(name)["dtype"].tolist()


def test_the_page_is_what_the_schemas_say() -> None:
    assert (DOCS / "frames.md").read_text() == dictionary_page()


@pytest.mark.parametrize("name", [*SCHEMAS, *DERIVED, *FURTHER])
def test_each_column_has_a_meaning(name: str) -> None:
    described = kp.describe(name).set_index("column")["meaning"]
    assert list(described[described.str.strip() == ""].index) == []


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_column_is_described_in_its_order(name: str) -> None:
    assert tuple(kp.describe(name)["column"]) == SCHEMAS[name].names


@pytest.mark.parametrize("name", DERIVED)
def test_what_is_derived_is_as_described(name: str, derived: Wealth) -> None:
    frame, described = getattr(derived, name), kp.describe(name)
    assert list(frame.columns) == described["column"].tolist()
    assert [str(dtype) for dtype in frame.dtypes] == described["dtype"].tolist()
    required = described.loc[described["required"], "column"]
    assert frame[required.tolist()].notna().all(axis=None)


def test_an_amount_says_its_unit_and_its_type() -> None:
    amount = kp.describe("transactions").set_index("column").loc["amount_minor"]
    assert amount["dtype"] == "int64"
    assert "minor units" in amount["unit"]
    assert amount["required"]


def test_a_frame_that_does_not_exist_is_an_error_with_the_names_of_those_that_do() -> None:
    with pytest.raises(FrameError, match=r"streams.*transactions"):
        kp.describe("transaction")
