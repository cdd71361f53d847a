"""A column that a layout does not know must not change, unseen, what the lines mean."""

from __future__ import annotations

import pytest

from kycpack.errors import StatementFileError
from kycpack.frames.adapters import read_statement
from kycpack.wealth import derive

IDS = {"customer_id": "C1", "account_id": "A1"}


def file_of(title: str, *cells: str) -> bytes:
    lines = [f"25/{month:02d}/2025,TINDALL LTD SALARY,3000,{cell}" for month, cell in enumerate(cells, 1)]
    return "\n".join([f"Date,Description,Amount,{title}", *lines, ""]).encode()


@pytest.mark.parametrize("title", ["Status", "State", "Transaction Status", "payment_status"])
def test_declined_payments_are_no_income(title: str) -> None:
    rows = read_statement(file_of(title, *["Declined"] * 12), "uk-csv", **IDS).rows
    assert set(rows["status"]) == {"rejected"}
    wealth = derive(rows, as_of="2025-12-31")
    assert wealth.streams.empty
    assert wealth.credits.empty


@pytest.mark.parametrize("layout", ["uk-csv", "uk-iso-csv"])
def test_a_status_column_is_read_in_any_case(layout: str) -> None:
    words = {"Pending": "pending", "BOOKED": "booked", "reversed": "rejected", "Cancelled": "rejected"}
    data = file_of("Status", *words)
    if layout == "uk-iso-csv":
        for month in range(1, 5):
            data = data.replace(f"25/{month:02d}/2025".encode(), f"2025-{month:02d}-25".encode())
    assert read_statement(data, layout, **IDS).rows["status"].tolist() == list(words.values())


@pytest.mark.parametrize(
    ("cell", "why"), [("Approved", "the status is not in the layout"), ("", "the status is empty")]
)
def test_a_status_that_nobody_knows_is_refused_with_its_line(cell: str, why: str) -> None:
    with pytest.raises(StatementFileError, match=f"statement:3: {why}"):
        read_statement(file_of("Status", "Booked", cell), "uk-csv", **IDS)


def test_a_line_is_refused_if_another_column_says_that_it_is_not_booked() -> None:
    result = read_statement(file_of("Note", "", "Declined", "thanks"), "uk-csv", **IDS, on_misfit="reject")
    assert len(result.rows) == 2
    assert result.rejects["reason"].tolist() == ["the column 'Note' says that it is not a booked transaction"]


@pytest.mark.parametrize(
    "title",
    ["Amount Currency", "Ccy Code", "Curr", "Currency (ISO)", "Currencies", "ISO Currency Code", "ccy"],
)
def test_a_currency_column_is_read_under_its_usual_names(title: str) -> None:
    rows = read_statement(file_of(title, "JPY"), "uk-csv", **IDS).rows
    assert (rows["currency"].tolist(), rows["amount_minor"].tolist()) == (["JPY"], [3000])


@pytest.mark.parametrize(
    "title", ["Original Currency", "Local Currency", "Transaction Currency", "Unit", "Value (JPY)"]
)
def test_a_column_that_may_be_the_currency_is_refused_by_its_name(title: str) -> None:
    with pytest.raises(StatementFileError) as caught:
        read_statement(file_of(title, "JPY", "JPY"), "uk-csv", **IDS)
    assert f"the column '{title}'" in str(caught.value)
    assert "names a currency" in str(caught.value)


def test_a_second_currency_is_no_question_once_the_first_is_known() -> None:
    data = b"Date,Description,Amount,Currency,Local Currency\n25/01/2025,HOTEL,-40,GBP,EUR\n"
    assert read_statement(data, "uk-csv", **IDS).rows["currency"].tolist() == ["GBP"]
    stated = read_statement(file_of("Original Currency", "GBP", ""), "uk-csv", **IDS, currency="GBP")
    assert set(stated.rows["currency"]) == {"GBP"}
    with pytest.raises(StatementFileError, match="Original Currency"):
        read_statement(file_of("Original Currency", "GBP", "EUR"), "uk-csv", **IDS, currency="GBP")


def test_an_empty_currency_is_refused_with_its_line() -> None:
    data = file_of("Currency", "GBP", "")
    with pytest.raises(StatementFileError, match="statement:3: the line has no currency"):
        read_statement(data, "uk-csv", **IDS)
    assert set(read_statement(data, "uk-csv", **IDS, currency="GBP").rows["currency"]) == {"GBP"}


@pytest.mark.parametrize(
    ("title", "cell"),
    [("Pending?", "Y"), ("Settlement State", "open"), ("Sign indicator", "-"), ("Fee", "3.00")],
)
def test_other_columns_that_may_change_a_line_are_refused(title: str, cell: str) -> None:
    data = file_of(title, cell).replace(b"Amount", b"Value")
    with pytest.raises(StatementFileError, match="is not read by uk-csv"):
        read_statement(data, "uk-csv", **IDS)
    empty = "0.00" if title == "Fee" else ""
    assert len(read_statement(file_of(title, empty), "uk-csv", **IDS).rows) == 1


@pytest.mark.parametrize("title", ["Type", "DR/CR", "Direction", "Debit/Credit"])
def test_a_direction_that_contradicts_the_amount_is_refused(title: str) -> None:
    with pytest.raises(StatementFileError, match="statement:3: the amount has another direction"):
        read_statement(file_of(title, "Credit", "DR"), "uk-csv", **IDS)


MONZO = (
    "Transaction ID,Date,Time,Type,Name,Emoji,Category,Amount,Currency,Local amount,Local currency,Notes and #tags,"
    "Address,Receipt,Description,Category split,Money Out,Money In\n"
    "tx_1,24/02/2025,17:44:34,Faster payment,Corner,,Income,{},GBP,1.00,GBP,,,,CORNER,,{},{}\n"
)
CHASE = (
    "Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #\n{},02/24/2025,SHOP,{},X,100.00,,\n"
)
CARD = "Transaction Date,Post Date,Description,Category,Type,Amount,Memo\n02/23/2025,02/24/2025,SHOP,Food,{},{},\n"


@pytest.mark.parametrize(
    ("layout", "text"),
    [
        ("monzo", MONZO.format("12.50", "-99.00", "")),
        ("monzo", MONZO.format("-12.50", "", "12.50")),
        ("monzo", MONZO.format("-12.50", "-13.50", "")),
        ("monzo", MONZO.format("12.50", "", "-12.50")),
        ("chase-us-checking", CHASE.format("DEBIT", "12.50")),
        ("chase-us-checking", CHASE.format("DSLIP", "-12.50")),
        ("chase-us-card", CARD.format("Sale", "12.50")),
    ],
)
def test_what_a_bank_says_twice_must_agree(layout: str, text: str) -> None:
    with pytest.raises(StatementFileError, match=r"statement:2: .*(do not agree|another direction)"):
        read_statement(text.encode(), layout, **IDS)


@pytest.mark.parametrize("out", ["-12.50", "12.50", ""])
def test_money_out_is_written_with_a_sign_or_without(out: str) -> None:
    rows = read_statement(MONZO.format("-12.50", out, "").encode(), "monzo", **IDS).rows
    assert rows["amount_minor"].tolist() == [-1250]
