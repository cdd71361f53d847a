"""What a plot says in words is what the frames hold, in major units, and names nobody."""

from __future__ import annotations

import re
from base64 import b64decode
from dataclasses import replace
from html import escape
from pathlib import Path

import pandas as pd
import pytest

import kycpack as kp
from kycpack.assets import asset_path
from kycpack.batch.portfolio_plots import plot_ages, plot_explained, plot_levels, plot_reasons
from kycpack.errors import InputError
from kycpack.models.money import format_minor
from kycpack.pack import Review
from kycpack.render.drawing import render_svg
from kycpack.render.plots import Plot
from kycpack.wealth.judge.stream_calendar import stream_calendar


@pytest.fixture(scope="module")
def review() -> Review:
    return kp.build_review(asset_path("samples/evidence/index.json").parent, as_of="2026-06-30")


def shown_by(plot: Plot) -> str:
    """Return the HTML of a plot with its images unfolded."""
    page = plot._repr_html_()
    images = re.findall(r"data:image/svg\+xml;base64,([^\"]+)", page)
    return page + "".join(b64decode(image).decode() for image in images)


@pytest.fixture(scope="module")
def plots(review: Review) -> list[Plot]:
    return [
        review.plot_credits(),
        review.plot_streams(),
        review.plot_balance(),
        review.plot_own_transfers(),
        review.plot_timeline(),
    ]


def test_no_plot_is_empty_or_names_a_person_or_a_payer(review: Review, plots: list[Plot]) -> None:
    person = review.frames.customers.iloc[0]
    names = {*review.wealth.credits["payer"].dropna(), person["first_name"], person["last_name"]}
    for plot in plots:
        assert plot.drawings
        shown = shown_by(plot) + repr(plot)
        assert not [name for name in names if re.search(rf"\b{re.escape(str(name))}\b", shown)]


def test_a_plot_is_on_white_ground_and_runs_nothing(plots: list[Plot]) -> None:
    for plot in plots:
        assert "background:#fff" in plot._repr_html_()
        assert "<script" not in shown_by(plot)


def test_a_plot_is_an_image_that_a_notebook_from_elsewhere_shows_as_well(plots: list[Plot]) -> None:
    for plot in plots:
        page = plot._repr_html_()
        assert "<svg" not in page  # JupyterLab would leave only its words
        assert page.count("<img") == len(plot.drawings)
        assert escape(plot.drawings[0].words) in page


def test_no_block_of_a_plot_is_inside_a_paragraph(plots: list[Plot]) -> None:
    """A browser would end the paragraph there, and leave an empty one behind."""
    for plot in plots:
        for paragraph in re.findall(r"<p\b[^>]*>(.*?)</p>", plot._repr_html_(), re.DOTALL):
            assert "<div" not in paragraph


def test_the_calendar_shows_each_expected_payment_once(review: Review) -> None:
    kinds = pd.concat(
        [stream_calendar(review.wealth, stream)["kind"] for stream in review.wealth.streams["stream_id"]]
    )
    words = repr(review.plot_streams())
    assert f"{(kinds == 'paid').sum()} expected payments seen" in words
    assert f"{(kinds == 'missing').sum()} missing" in words


def test_a_payment_that_did_not_come_is_a_ring(review: Review) -> None:
    salary = review.wealth.streams.sort_values("count").iloc[-1]["stream_id"]
    credits_ = review.wealth.credits[review.wealth.credits["stream_id"] == salary]
    gone = credits_.sort_values("booked_on")["txn_id"].iloc[len(credits_) // 2]
    rows = review.frames.transactions
    wealth = kp.derive(rows[rows["txn_id"] != gone], as_of="2026-06-30")
    assert "1 missing" in repr(kp.plot_streams(wealth))
    assert 'fill="none"' in shown_by(kp.plot_streams(wealth))


def test_cash_in_and_out_are_those_of_the_bookings_in_major_units(review: Review) -> None:
    booked = review.frames.transactions
    booked = booked[booked["status"] == "booked"]["amount_minor"]
    words = repr(review.plot_balance())
    assert f"{format_minor(int(booked[booked > 0].sum()), 'GBP')} in" in words
    assert f"{format_minor(-int(booked[booked < 0].sum()), 'GBP')} out" in words


def test_long_ids_are_cut_to_what_tells_them_apart(review: Review) -> None:
    accounts = {"A": "34dcb8cf-3a29-4088-beb3-d11d068ef53b", "B": "34dcb8cf-7777-4088-beb3-d11d068ef53b"}
    rows = review.frames.transactions
    half = len(rows) // 2
    named = [accounts["A"]] * half + [accounts["B"]] * (len(rows) - half)
    rows = rows.assign(account_id=pd.Categorical(named), balance_after_minor=100)
    shown = shown_by(kp.plot_balance(rows))
    assert "34dcb8cf-3<" in shown
    assert "34dcb8cf-7<" in shown


def test_several_customers_need_a_name_of_one(review: Review) -> None:
    rows = review.frames.transactions
    two = pd.concat([rows, rows.assign(customer_id="cus_other")]).astype({"customer_id": "category"})
    with pytest.raises(InputError, match="2 customers"):
        kp.plot_balance(two)
    assert kp.plot_balance(two, "cus_other").drawings


def test_every_customer_of_a_run_is_counted_once() -> None:
    overview = pd.DataFrame(
        {"level": ["edd", "approve", None, "approve"], "explained_share": [0.2, 1.0, None, 0.99]}
    )
    levels = repr(plot_levels(overview, ("reject", "escalate", "edd", "review", "approve")))
    assert "edd 1, approve 2, no pack 1" in levels
    shares = repr(plot_explained(overview))
    assert "20% to under 40% 1" in shares
    assert "80% to 100% 2, not known 1" in shares


def test_ages_turn_on_the_birthday_and_the_unknown_is_said() -> None:
    born = pd.Series(pd.to_datetime(["2001-06-30", "2001-07-01", None])).astype("datetime64[s]")
    words = repr(plot_ages(pd.DataFrame({"date_of_birth_on": born}), pd.Timestamp("2026-06-30").date()))
    assert "18 to 24 1" in words
    assert "25 to 34 1" in words
    assert "not known 1" in words


def test_a_rule_counts_customers_and_not_sessions() -> None:
    findings = pd.DataFrame(
        [
            ("a", "PEP-1", "PEP", "HIT", None),
            ("a", "PEP-1", "PEP", "HIT", None),
            ("b", "PEP-1", "PEP", "HIT", None),
            ("b", "X", "x", "CLEAR", None),
            ("b", "Y", "y", "HIT", "a later session"),
        ],
        columns=["customer_id", "rule_id", "title", "outcome", "superseded_by"],
    )
    assert repr(plot_reasons(findings)).endswith("PEP-1: PEP 2")


def test_one_type_of_credits_is_plotted_by_itself(review: Review) -> None:
    rows = review.wealth.credits
    pay = rows[rows["type"] == "employment"]
    assert 0 < len(pay) < len(rows)
    plot = review.plot_credits(of_type="employment")
    assert plot.title.endswith("employment, GBP")
    assert plot.drawings == kp.plot_credits(replace(review.wealth, credits=pay)).drawings
    with pytest.raises(InputError, match=r"of_type: no credits of this type; there are .*employment"):
        review.plot_credits(of_type="salary")


def test_a_plot_is_saved_as_a_picture_for_each_drawing(review: Review, tmp_path: Path) -> None:
    plot = review.plot_balance()
    files = plot.save(tmp_path / "balance.svg")
    assert [file.name for file in files] == ["balance.svg", "balance-2.svg"][: len(plot.drawings)]
    for file, drawing in zip(files, plot.drawings, strict=True):
        assert file.read_text("utf-8") == render_svg(drawing)
    with pytest.raises(InputError, match="nothing to show"):
        Plot("Empty", ()).save(tmp_path / "empty.svg")


def test_without_a_currency_the_one_with_the_most_credits_is_plotted_and_not_the_largest_number(
    review: Review,
) -> None:
    credits_ = review.wealth.credits
    yen = credits_.head(1).assign(currency="JPY", amount_minor=10**12, most_minor=10**12, txn_id="yen")
    wealth = replace(review.wealth, credits=pd.concat([credits_, yen], ignore_index=True))
    assert kp.plot_credits(wealth).title.endswith(", GBP")


def test_one_stream_is_counted_as_one(review: Review) -> None:
    one = replace(review.wealth, streams=review.wealth.streams.head(1))
    assert "1 stream from" in repr(kp.plot_streams(one))
