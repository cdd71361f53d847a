from __future__ import annotations

import csv
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kycpack.assets import asset_path
from kycpack.errors import InputError, StatementFileError
from kycpack.frames.adapters import read_export

HEADER = "Date,Description,Money in,Money out,Balance\n"


def test_reads_every_row_of_a_file_that_is_not_in_order() -> None:
    statement = read_export(asset_path("samples/uk_statement.csv"), "uk-csv")
    assert len(statement.rows) == 9
    assert statement.credits_minor == 231045 + 10240 + 1240
    assert statement.debits_minor == 85000 + 2 * 1240 + 2 * 320 + 10000
    assert statement.breaks == ()
    assert statement.chain is not None
    assert (statement.chain.opening_minor, statement.chain.closing_minor) == (-103587, 40818)
    assert statement.rows[7].description == 'Transfer to saver, "rainy day"'


def test_a_missing_row_shows_as_a_break_between_named_lines() -> None:
    data = b"Date,Description,Amount,Balance\n01/02/2025,a,10.00,110.00\n03/02/2025,b,-5.00,85.00\n"
    statement = read_export(data, "uk-csv")
    assert statement.describe_breaks() == (
        "after line 2 the balance is 110.00 GBP, and line 3 opens at 90.00 GBP",
    )


def test_rows_that_are_alike_stay_two_rows() -> None:
    statement = read_export(asset_path("samples/uk_statement_signed.csv"), "uk-csv")
    coffees = [row for row in statement.rows if row.description == "Coffee stall"]
    assert len(coffees) == 2
    assert coffees[0].txn_id != coffees[1].txn_id
    assert statement.chain is None
    assert statement.unread_columns == ()


def test_ids_do_not_depend_on_the_order_of_the_file() -> None:
    lines = asset_path("samples/uk_statement.csv").read_text(encoding="utf-8").splitlines()
    forward = read_export("\n".join(lines).encode(), "uk-csv")
    backward = read_export("\n".join([lines[0], *reversed(lines[1:])]).encode(), "uk-csv")
    assert {row.txn_id for row in forward.rows} == {row.txn_id for row in backward.rows}


def test_the_body_for_the_service_carries_exact_strings() -> None:
    body = read_export(asset_path("samples/uk_statement.csv"), "uk-csv").to_bank_access_body(
        account_holder_name="Ada Byron"
    )
    account = body["accounts"][0]
    assert account["balance"] == {"current": "408.18", "currency": "GBP"}
    assert account["accountHolderName"] == "Ada Byron"
    assert "accountNumber" not in account
    first = account["transactions"][0]
    assert first["bookingDate"] == "2025-03-03"
    assert (first["amount"], first["creditDebitIndicator"]) == ("850.00", "Debit")
    assert first["balanceAfter"] == "412.18"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("31/02/2025,x,1.00,,", "does not exist"),
        ("2025-02-01,x,1.00,,", "does not have the form d/m/yyyy"),
        ("02/01/25,x,1.00,,", "does not have the form d/m/yyyy"),
        ("01/02/2025,x,,,", "neither money in nor money out"),
        ("01/02/2025,x,1.00,2.00,", "both money in and money out"),
        ("01/02/2025,x,-1.00,,", "money in has a sign"),
        ("01/02/2025,x,1.234,,", "not an amount"),
        ('01/02/2025,x,"1,23.00",,', "not an amount"),
        ("01/02/2025,x,€1.00,,", "not an amount"),
        ("01/02/2025,x,1e3,,", "not an amount"),
        ("01/02/2025,x,١٢,,", "not an amount"),
        ("01/02/2025,x,1.00,,abc", "balance is not an amount"),
        ("01/02/2025,x,1.00", "3 fields where the header has 5"),
        ('01/02/2025,"x,1.00,,', "is not CSV"),
        ("01/02/2025,x\0,1.00,,", "NUL"),
    ],
)
def test_a_broken_line_is_named_and_nothing_is_read(line: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "export.csv"
    path.write_text(f"{HEADER}01/02/2025,good,1.00,,\n\n{line}\n01/02/2025,good,1.00,,\n", encoding="utf-8")
    with pytest.raises(StatementFileError, match=message) as caught:
        read_export(path, "uk-csv")
    assert caught.value.place == "export.csv:4"


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("", "has no column for date and description"),
        ("Date,Details\n", "money in and money out, or one amount"),
        ("Date,Details,Money in\n", "money in and money out, or one amount"),
        ("Date,Details,Amount,Money in,Money out\n", "money in and money out, or one amount"),
        ("Date,Details,Memo,Amount\n", "two columns could be description"),
    ],
)
def test_a_header_that_cannot_be_used_is_told(header: str, message: str) -> None:
    with pytest.raises(StatementFileError, match=message):
        read_export(header.encode(), "uk-csv")


def test_the_date_form_belongs_to_the_adapter() -> None:
    data = b"Date,Description,Amount\n2025-02-01,x,1.00\n"
    assert read_export(data, "uk-iso-csv").rows[0].booked_on.isoformat() == "2025-02-01"
    with pytest.raises(InputError, match="no layout 'us-csv'"):
        read_export(data, "us-csv")


def test_pound_signs_in_either_encoding() -> None:
    text = "Date,Description,Amount\n01/02/2025,Café £,£1.00\n"
    assert (
        read_export(text.encode("cp1252"), "uk-csv").rows
        == read_export(text.encode("utf-8-sig"), "uk-csv").rows
    )
    with pytest.raises(StatementFileError, match="neither UTF-8 nor Windows-1252") as caught:
        read_export(b"Date,Description,Amount\n01/02/2025,\x81\xff,1.00\n", "uk-csv")
    assert caught.value.place == "statement:2"


def test_a_file_that_is_not_there_is_told_by_its_name_alone(tmp_path: Path) -> None:
    with pytest.raises(StatementFileError, match=r"^none\.csv: cannot be read"):
        read_export(tmp_path / "none.csv", "uk-csv")


@given(
    st.lists(
        st.tuples(st.integers(-99_999_999, 99_999_999).filter(bool), st.text("ab ,\"'£\n", max_size=5)),
        max_size=12,
    ),
    st.randoms(use_true_random=False),
)
def test_sums_survive_any_order(movements: list[tuple[int, str]], order: object) -> None:
    lines, balance = [], 0
    for minor, text in movements:
        balance += minor
        quoted = '"' + text.replace('"', '""') + '"'
        lines.append(f'01/02/2025,{quoted},"{minor / 100:,.2f}","{balance / 100:,.2f}"')
    order.shuffle(lines)  # type: ignore[attr-defined]
    statement = read_export(("Date,Description,Amount,Balance\n" + "\n".join(lines)).encode(), "uk-csv")
    assert statement.credits_minor - statement.debits_minor == sum(minor for minor, _ in movements)
    assert statement.breaks == ()
    assert len({row.txn_id for row in statement.rows}) == len(movements)


def test_a_published_export_adds_up_to_the_penny(shared_data: Path) -> None:
    path = shared_data / "moj" / "bank_transactions.csv"
    with path.open(encoding="utf-8", newline="") as file:
        raw = list(csv.DictReader(file))

    def total(column: str) -> int:
        return int(sum(Decimal(row[column].replace("£", "").replace(",", "") or 0) for row in raw) * 100)

    statement = read_export(path, "uk-csv")
    assert len(statement.rows) == len(raw) == 281
    assert statement.credits_minor == total("amount_in")
    assert statement.debits_minor == total("amount_out")
    assert statement.breaks == ()
    assert len({row.txn_id for row in statement.rows}) == 281


def test_a_published_export_without_balances(shared_data: Path) -> None:
    statement = read_export(shared_data / "moj" / "bank_transactions_2.csv", "uk-csv")
    assert len(statement.rows) == 34
    assert statement.chain is None
