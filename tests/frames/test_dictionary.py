"""The dictionary of frames, and the page that is made from it."""

from __future__ import annotations

from pathlib import Path

import pytest

import kycpack as kp
from kycpack.errors import FrameError
from kycpack.frames.catalogue import SCHEMAS
from kycpack.frames.dictionary import dictionary_page

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_is_what_the_schemas_say() -> None:
    assert (DOCS / "frames.md").read_text() == dictionary_page()


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_column_has_a_meaning(name: str) -> None:
    described = kp.describe(name).set_index("column")["meaning"]
    assert list(described[described.str.strip() == ""].index) == []


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_column_is_described_in_its_order(name: str) -> None:
    assert tuple(kp.describe(name)["column"]) == SCHEMAS[name].names


def test_an_amount_says_its_unit_and_its_type() -> None:
    amount = kp.describe("transactions").set_index("column").loc["amount_minor"]
    assert amount["dtype"] == "int64"
    assert "minor units" in amount["unit"]
    assert amount["required"]


def test_a_frame_that_does_not_exist_is_an_error_with_the_names_of_those_that_do() -> None:
    with pytest.raises(FrameError, match="transactions"):
        kp.describe("transaction")
