"""The dictionary of frames, and the page that is made from it."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from tests.wealth.money_patterns import patterns

import kycpack as kp
from kycpack.errors import FrameError
from kycpack.frames.catalogue import SCHEMAS
from kycpack.wealth import Wealth
from kycpack.wealth.columns import DERIVED
from kycpack.wealth.dictionary import dictionary_page

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def derived() -> Wealth:
    frames = [(rows, accounts) for _, _, rows, accounts in patterns(3, per_kind=1)]
    rows = pd.concat([one for one, _ in frames], ignore_index=True)
    accounts = pd.concat([one for _, one in frames], ignore_index=True)
    return kp.derive(rows, accounts=accounts, as_of="2026-06-27")


def test_the_page_is_what_the_schemas_say() -> None:
    assert (DOCS / "frames.md").read_text() == dictionary_page()


@pytest.mark.parametrize("name", [*SCHEMAS, *DERIVED])
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
