from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import numpy as np
import pandas as pd
import pytest

from kycpack.errors import FrameError, InputError, PolicyError
from kycpack.wealth import derive
from kycpack.wealth.blocks import ROWS_OF_A_BLOCK
from kycpack.wealth.prepare.intake import _marks

Ledger = Callable[..., pd.DataFrame]
AS_OF = "2025-12-31"
REQUIRED = ["customer_id", "account_id", "txn_id", "booked_on", "amount_minor", "currency", "description_raw"]


@pytest.mark.parametrize("column", REQUIRED)
def test_a_missing_column_is_named(ledger: Ledger, column: str) -> None:
    with pytest.raises(FrameError, match=f"transactions.{column}"):
        derive(ledger(("2025-01-31", 1, "A")).drop(columns=[column]), as_of=AS_OF)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("amount_minor", "12.5"),
        ("amount_minor", 12.5),
        ("amount_minor", None),
        ("amount_minor", float("inf")),
        ("amount_minor", "ten"),
        ("amount_minor", True),
        ("booked_on", "31/01/2025"),
        ("booked_on", None),
        ("currency", None),
        ("currency", " "),
        ("customer_id", None),
        ("account_id", None),
        ("txn_id", None),
    ],
)
def test_a_value_that_cannot_be_read_is_named_by_column_and_row(
    ledger: Ledger, column: str, value: Any
) -> None:
    frame = ledger(("2025-01-31", 100, "A"), ("2025-02-28", 100, "A")).astype({column: object})
    frame.loc[1, column] = value
    with pytest.raises(FrameError, match=rf"transactions\.{column}, row 1"):
        derive(frame, as_of=AS_OF)


@pytest.mark.parametrize("dtype", ["string", "str", object, "category"])
@pytest.mark.parametrize("row", [1, 2])
def test_a_missing_id_is_refused_in_a_column_of_any_type_of_text(
    ledger: Ledger, dtype: Any, row: int
) -> None:
    frame = ledger(*((f"2025-0{month}-28", 100 * (-1) ** month, "A") for month in range(1, 5)))
    ids = [None if place == row else f"x{place}" for place in range(4)]
    with pytest.raises(FrameError, match=rf"transactions\.txn_id, row {row}: a value is missing"):
        derive(frame.assign(txn_id=pd.Series(ids, dtype=dtype)), as_of=AS_OF)


@pytest.mark.parametrize(
    ("column", "values", "said"),
    [
        ("booked_on", [20_250_131, 20_250_228], "row 0: numbers are not dates"),
        ("booked_on", ["2025-01-31T10:00:00+01", "2025-02-28"], "dates cannot be read"),
        ("amount_minor", [True, False], "row 0: expected whole minor units"),
    ],
)
def test_a_column_of_the_wrong_kind_is_refused_as_a_whole(
    ledger: Ledger, column: str, values: list[Any], said: str
) -> None:
    frame = ledger(("2025-01-31", 1, "A"), ("2025-02-28", 2, "A")).assign(**{column: values})
    with pytest.raises(FrameError, match=said):
        derive(frame, as_of=AS_OF)


def test_amounts_whose_sum_would_not_be_exact_are_refused(ledger: Ledger) -> None:
    frame = ledger(("2025-01-31", 100, "A"), ("2025-02-28", 2**62, "A"), ("2025-03-31", 2**62 - 1, "A"))
    with pytest.raises(FrameError, match=r"transactions\.amount_minor, row 1"):
        derive(frame, as_of=AS_OF)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"booked_on": "2026-01-01"}, "future"),
        ({"status": "future"}, "future"),
        ({"status": "info"}, "info"),
        ({"status": "rejected"}, "rejected"),
        ({"status": "held"}, "status"),
        ({"amount_minor": 0}, "zero"),
        ({"booked_on": "1969-12-31"}, "before_1970"),
        ({"currency": "ZZZ"}, "currency"),
    ],
)
def test_a_row_that_does_not_count_is_listed_with_its_reason(
    ledger: Ledger, change: dict[str, Any], code: str
) -> None:
    frame = ledger(
        ("2025-01-31", 100, "A", {"status": "booked"}),
        ("2025-02-28", 100, "B", {"status": "booked"} | change),
    )
    rejects = derive(frame, as_of=AS_OF).rejects
    assert rejects["code"].tolist() == [code]
    assert rejects["row"].tolist() == [1]
    assert rejects["reason"].str.len().min() > 0


def test_strings_objects_and_categories_are_read_like_typed_columns(ledger: Ledger) -> None:
    rows = [(f"2025-{month:02d}-28", 100_000 + month, "ACME LTD SALARY") for month in range(1, 7)]
    typed = ledger(*rows).astype(
        {"amount_minor": "int64", "booked_on": "datetime64[s]", "customer_id": "category"}
    )
    plain = ledger(*rows).astype(object)
    plain["amount_minor"] = plain["amount_minor"].astype(str)
    plain["booked_on"] = [date(2025, month, 28) for month in range(1, 7)]
    one, other = derive(typed, as_of=AS_OF), derive(plain, as_of=AS_OF)
    pd.testing.assert_frame_equal(one.streams, other.streams)
    pd.testing.assert_frame_equal(one.credits, other.credits)


def test_a_missing_booking_date_falls_back_to_the_value_date(ledger: Ledger) -> None:
    wealth = derive(ledger((None, 100, "A", {"value_on": "2025-03-04"})), as_of=AS_OF)
    assert wealth.credits["booked_on"].dt.date.tolist() == [date(2025, 3, 4)]


def test_an_instant_in_utc_falls_on_the_banks_day_and_midnight_is_a_date(ledger: Ledger) -> None:
    written = [
        "2025-06-26T23:30:00Z",
        "2025-06-26T00:00:00Z",
        "2025-01-26T23:30:00Z",
        "2025-06-26T23:30:00+01:00",
    ]
    days = [date(2025, 6, 27), date(2025, 6, 26), date(2025, 1, 26), date(2025, 6, 26)]
    frame = ledger(*[(text, 100 + number, "A") for number, text in enumerate(written)])
    assert derive(frame, as_of=AS_OF).credits.sort_values("txn_id")["booked_on"].dt.date.tolist() == days
    typed = frame.iloc[:3].assign(booked_on=pd.to_datetime(frame["booked_on"].iloc[:3], utc=True))
    assert derive(typed, as_of=AS_OF).credits.sort_values("txn_id")["booked_on"].dt.date.tolist() == days[:3]


def test_the_first_day_of_1970_and_the_day_of_the_review_count(ledger: Ledger) -> None:
    wealth = derive(ledger(("1970-01-01", 100, "A"), (AS_OF, 100, "B")), as_of=AS_OF)
    assert len(wealth.credits) == 2
    assert wealth.rejects.empty


def test_large_amounts_whose_sum_is_exact_are_counted(ledger: Ledger) -> None:
    frame = ledger(("2025-01-31", 2**61, "A"), ("2025-02-28", 2**60, "B"))
    assert derive(frame, as_of=AS_OF).credits["amount_minor"].sum() == 2**61 + 2**60


def test_whole_floats_are_minor_units_as_far_as_a_float_is_exact(ledger: Ledger) -> None:
    frame = ledger(("2025-01-31", 100, "A"), ("2025-02-28", 2.0**53 - 1, "B")).astype({"amount_minor": float})
    assert sorted(derive(frame, as_of=AS_OF).credits["amount_minor"]) == [100, 2**53 - 1]
    frame.loc[1, "amount_minor"] = 2.0**53
    with pytest.raises(FrameError, match=r"transactions\.amount_minor, row 1: not whole minor units"):
        derive(frame, as_of=AS_OF)


@pytest.mark.parametrize("status", ["Booked", " booked ", None, ""])
def test_a_status_is_read_in_any_case_and_without_one_a_row_is_booked(
    ledger: Ledger, status: str | None
) -> None:
    wealth = derive(ledger(("2025-01-31", 100, "A", {"status": status})), as_of=AS_OF)
    assert len(wealth.credits) == 1


def test_an_empty_frame_gives_empty_frames_with_the_same_columns(ledger: Ledger) -> None:
    empty = derive(ledger(("2025-01-31", 1, "A")).iloc[:0], as_of=AS_OF)
    one = derive(ledger(("2025-01-31", 1, "A")), as_of=AS_OF)
    for name in ("credits", "streams", "coverage", "set_aside", "pairs", "rejects", "flags", "flows"):
        assert list(getattr(empty, name).columns) == list(getattr(one, name).columns)
        assert getattr(empty, name).empty


def test_ten_thousand_equal_rows_on_a_day_are_ten_thousand_credits(ledger: Ledger) -> None:
    frame = pd.concat(
        [ledger(("2025-01-31", 500, "A")), ledger(("2025-01-31", -500, "A", {"account_id": "A2"}))]
    )
    many = pd.concat([frame] * 5_000, ignore_index=True)
    many["txn_id"] = [f"T{number}" for number in range(len(many))]
    wealth = derive(many, as_of=AS_OF)
    assert len(wealth.credits) == 5_000
    assert wealth.coverage["total_minor"].sum() == 2_500_000


def test_ids_repeated_across_accounts_are_different_rows(ledger: Ledger) -> None:
    frame = ledger(
        ("2025-01-31", 100, "A", {"txn_id": "1"}),
        ("2025-02-03", 200, "B", {"txn_id": "1", "account_id": "A2"}),
    )
    assert len(derive(frame, as_of=AS_OF).credits) == 2


def test_hostile_texts_are_text(ledger: Ledger) -> None:
    texts = ["=1+1", "<script>alert(1)</script>", "{nb}", "\u202etxt", "\x00", "(.*)+$", "a" * 5_000]
    wealth = derive(ledger(*[("2025-01-31", 100 + n, text) for n, text in enumerate(texts)]), as_of=AS_OF)
    assert len(wealth.credits) == len(texts)


@pytest.mark.parametrize(("as_of", "error"), [("soon", InputError), ("", InputError), (None, TypeError)])
def test_an_as_of_that_cannot_be_read_is_an_error(ledger: Ledger, as_of: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="as_of"):
        derive(ledger(("2025-01-31", 1, "A")), as_of=as_of)


def test_thresholds_are_taken_from_the_policy_by_name(ledger: Ledger) -> None:
    frame = ledger(("2025-01-31", 50_00, "A"))
    assert derive(frame, as_of=AS_OF).credits["disposition"].tolist() == ["small_other"]
    strict = derive(frame, thresholds={"small_credit": 10}, as_of=AS_OF)
    assert strict.credits["disposition"].tolist() == ["unexplained"]
    for wrong in (
        {"smal_credit": 1},
        {"small_credit": "much"},
        {"small_credit": -1},
        {"near_limit_count": 1.5},
    ):
        with pytest.raises(PolicyError, match="thresholds"):
            derive(frame, thresholds=wrong, as_of=AS_OF)


def test_the_marks_of_the_rows_and_accounts_of_whole_blocks_are_made_once() -> None:
    rows, accounts = _marks(ROWS_OF_A_BLOCK), _marks(300)
    assert np.shares_memory(rows, _marks(ROWS_OF_A_BLOCK))
    assert np.shares_memory(accounts, _marks(300))
