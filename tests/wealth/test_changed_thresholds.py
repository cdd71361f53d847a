"""What moves when a threshold changes, and the controls that ask for it."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

import kycpack as kp
from kycpack.assets import asset_path
from kycpack.errors import PolicyError
from kycpack.wealth import Wealth
from kycpack.wealth.changed_thresholds import threshold_names, what_moves, with_thresholds


@pytest.fixture(scope="module")
def wealth() -> Wealth:
    rows = pd.read_csv(asset_path("samples/transactions.csv"), dtype={"txn_id": str, "mcc": str})
    return kp.derive(rows, as_of="2026-06-30")


def test_the_same_thresholds_move_nothing(wealth: Wealth) -> None:
    assert what_moves(wealth, with_thresholds(wealth, {})).empty


def test_a_credit_that_becomes_small_leaves_one_disposition_and_joins_another(wealth: Wealth) -> None:
    after = with_thresholds(wealth, {"small_credit": "1000000"})
    moved = what_moves(wealth, after)
    of_credits = moved[moved["kind"] == "disposition"]
    assert len(of_credits) >= 2
    gained = of_credits["after"].astype(int) - of_credits["before"].astype(int)
    assert gained.sum() == 0  # every credit keeps exactly one disposition
    assert (gained != 0).all()
    assert len(after.credits) == len(wealth.credits)


def test_a_threshold_that_is_not_known_is_refused(wealth: Wealth) -> None:
    with pytest.raises(PolicyError):
        with_thresholds(wealth, {"small": 1})
    assert "levels" not in threshold_names()


def test_the_editor_shows_what_moves_and_refuses_nonsense(wealth: Wealth) -> None:
    pytest.importorskip("ipywidgets")
    from kycpack.render.explorer import edit_thresholds  # noqa: PLC0415 - it needs an extra

    name, value, button, out = edit_thresholds(wealth).children
    name.value = "small_credit"
    assert value.value == format(wealth.thresholds.small_credit, "f")
    button.click()
    assert out.value.endswith("</p>Nothing moves.")
    value.value = "1000000"
    button.click()
    assert "disposition" in out.value
    value.value = "<b>much</b>"
    button.click()
    assert "expected a number" in out.value
    name.value = "small"
    assert "no such threshold" in out.value


def test_the_picker_follows_the_customer(wealth: Wealth) -> None:
    pytest.importorskip("ipywidgets")
    from kycpack.render.explorer import pick_stream  # noqa: PLC0415 - it needs an extra

    seen: list[Any] = []
    customer, stream, message, _ = pick_stream(wealth, seen.append).children
    assert len(seen) == 1
    assert seen[0] in stream.value
    stream.value = stream.options[-1]
    assert seen[-1] in stream.options[-1]
    customer.value = "nobody"
    assert "no such customer" in message.value
    assert seen[-1] == seen[1 if len(seen) > 1 else 0]


def test_every_control_is_a_text_field_or_a_button(wealth: Wealth) -> None:
    # JupyterLab takes the arrow keys and letters of a drop-down list for its shortcuts.
    pytest.importorskip("ipywidgets")
    from kycpack.render.explorer import edit_thresholds, pick_stream  # noqa: PLC0415 - they need an extra

    controls = [*pick_stream(wealth, str).children, *edit_thresholds(wealth).children]
    assert {type(each).__name__ for each in controls} == {"Combobox", "Text", "Button", "HTML", "Output"}
