"""The controls of the wealth explorer: what is answered is what stands in the fields."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

import kycpack as kp
from kycpack.assets import asset_path
from kycpack.render.explorer import edit_thresholds, pick_stream
from kycpack.wealth import Wealth

widgets = pytest.importorskip("ipywidgets")


@pytest.fixture(scope="module")
def wealth() -> Wealth:
    rows = pd.read_csv(asset_path("samples/transactions.csv"), dtype={"txn_id": str, "mcc": str})
    return kp.derive(rows, as_of="2026-06-30")


@pytest.fixture
def editor(wealth: Wealth, answering_browser: None) -> tuple[Any, ...]:
    return tuple(edit_thresholds(wealth).children)


def test_the_editor_shows_what_moves_and_refuses_nonsense(editor: tuple[Any, ...]) -> None:
    name, value, button, out = editor
    name.value, value.value = "small_credit", "100"
    button.click()
    assert out.value == "<p>With small_credit at 100:</p>Nothing moves."
    value.value = "1000000"
    button.click()
    assert "disposition" in out.value
    value.value = "<b>much</b>"
    button.click()
    assert "expected a number" in out.value
    name.value = "small"
    assert "no such threshold" in out.value


def test_another_name_shows_the_value_in_force_and_sends_nothing_to_the_field_beside_it(
    editor: tuple[Any, ...],
) -> None:
    # Whatever a kernel sends to a field, a browser drops the text that is being typed there.
    name, value, _, out = editor
    value.value = "7"
    sent: list[Any] = []
    value.observe(sent.append)
    name.value = "refund_days"
    assert (value.value, sent) == ("7", [])
    assert out.value == "refund_days is 60 now."


def test_an_answer_goes_when_its_threshold_or_value_is_changed(editor: tuple[Any, ...]) -> None:
    name, value, button, out = editor
    for field, text in ((value, "200"), (name, "refund_days")):
        value.value = "100"
        button.click()
        assert "Nothing moves" in out.value
        field.value = text
        assert out.value.endswith(" now.")


def test_a_press_waits_for_what_was_typed_before_it(wealth: Wealth, monkeypatch: pytest.MonkeyPatch) -> None:
    links: list[tuple[Any, Any]] = []
    monkeypatch.setattr(widgets, "jsdlink", lambda source, target: links.append((source[0], target[0])))
    name, value, button, out = edit_thresholds(wealth).children
    button.click()
    name.value, value.value = (
        "small_credit",
        "1000000",
    )  # kept back by the browser, which sends presses at once
    [(there, back)] = links
    while back.value != there.value:
        assert out.value == "small_credit is 100 now."
        back.value = there.value
    assert "With small_credit at 1000000" in out.value


def test_the_picker_follows_the_customer(wealth: Wealth) -> None:
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
    controls = [*pick_stream(wealth, str).children, *edit_thresholds(wealth).children]
    assert {type(each).__name__ for each in controls} == {"Combobox", "Text", "Button", "HTML", "Output"}
