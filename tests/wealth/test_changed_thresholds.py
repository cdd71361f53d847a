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


@pytest.fixture
def editor(wealth: Wealth, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, ...]:
    """Return the editor's controls; a press comes back at once, as it does from a browser that keeps nothing back."""
    widgets = pytest.importorskip("ipywidgets")
    from kycpack.render.explorer import edit_thresholds  # noqa: PLC0415 - it needs an extra

    monkeypatch.setattr(widgets, "jsdlink", widgets.dlink)
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


def test_another_name_keeps_what_was_typed_and_hints_at_the_value_in_force(editor: tuple[Any, ...]) -> None:
    name, value, _, _ = editor
    value.value = "7"
    name.value = "refund_days"
    assert (value.value, value.placeholder) == ("7", "60 now")


def test_an_answer_goes_when_its_threshold_or_value_is_changed(editor: tuple[Any, ...]) -> None:
    name, value, button, out = editor
    for field, text in ((value, "200"), (name, "refund_days")):
        value.value = "100"
        button.click()
        assert "Nothing moves" in out.value
        field.value = text
        assert not out.value


def test_a_press_waits_for_what_was_typed_before_it(wealth: Wealth, monkeypatch: pytest.MonkeyPatch) -> None:
    widgets = pytest.importorskip("ipywidgets")
    from kycpack.render.explorer import edit_thresholds  # noqa: PLC0415 - it needs an extra

    links: list[tuple[Any, Any]] = []
    monkeypatch.setattr(widgets, "jsdlink", lambda source, target: links.append((source[0], target[0])))
    name, value, button, out = edit_thresholds(wealth).children
    button.click()
    name.value, value.value = (
        "small_credit",
        "1000000",
    )  # kept back by the browser, which sends presses at once
    assert not out.value
    [(there, back)] = links
    back.value = there.value
    assert "With small_credit at 1000000" in out.value


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
