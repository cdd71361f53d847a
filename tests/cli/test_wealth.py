from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from kycpack.assets import asset_path
from kycpack.cli import app

HEADER = "customer_id,account_id,txn_id,booked_on,amount_minor,currency,description_raw\n"


def _file(tmp_path: Path, rows: str) -> str:
    path = tmp_path / "transactions.csv"
    path.write_text(HEADER + rows)
    return str(path)


def _run(file: str, *more: str) -> Result:
    return CliRunner().invoke(app, ["wealth", "--transactions", file, "--as-of", "2026-06-30", *more])


@pytest.fixture
def salary(tmp_path: Path) -> str:
    rows = [f"c-1,a-1,t-{month},2026-{month:02}-28,245000,GBP,TESCO STORES SALARY\n" for month in range(1, 7)]
    return _file(tmp_path, "".join(rows) + "c-1,a-1,t-9,2026-03-03,-5000,GBP,RENT\n")


def test_every_credit_is_explained_or_said_not_to_be(salary: str) -> None:
    answer = _run(salary, "--json")
    assert answer.exit_code == 0, answer.stderr
    document = json.loads(answer.stdout)
    assert [(row["cadence"], row["total_minor"]) for row in document["streams"]] == [("monthly", 1470000)]
    assert (
        sum(row["total_minor"] for row in document["coverage"] if row["disposition"] == "stream") == 1470000
    )
    assert document["statements"]["c-1"]["primarySource"]["totalValue"] == 14700
    shown = _run(salary).stdout
    assert "monthly" in shown
    assert "14,700.00" in shown
    assert "unexplained" in shown


def test_a_figure_can_be_followed_to_its_transactions(salary: str) -> None:
    again = Path(salary).read_text().splitlines()[1] + "\n"
    Path(salary).write_text(Path(salary).read_text() + again)
    document = json.loads(_run(salary, "--json").stdout)
    (stream,) = document["streams"]
    assert (stream["first_on"], stream["last_on"]) == ("2026-01-28", "2026-06-28")
    credits_ = [row for row in document["credits"] if row["stream_id"] == stream["stream_id"]]
    assert [row["txn_id"] for row in credits_] == [f"t-{month}" for month in range(1, 7)]
    assert sum(row["amount_minor"] for row in credits_) == stream["total_minor"]
    assert [(row["txn_id"], row["disposition"]) for row in document["set_aside"]] == [("t-1", "duplicate")]


def test_the_same_transactions_from_parquet_say_the_same(salary: str, tmp_path: Path) -> None:
    import pandas as pd  # noqa: PLC0415 - the other tests of the command line do without

    path = tmp_path / "transactions.parquet"
    pd.read_csv(salary).to_parquet(path)
    assert json.loads(_run(str(path), "--json").stdout) == json.loads(_run(salary, "--json").stdout)


@pytest.mark.parametrize(
    "rows",
    [
        "c-1,a-1,t-1,2026-02-30,1,GBP,x\n",
        "c-1,a-1,t-1,2026-02-01,1.5,GBP,x\n",
        "c-1,a-1,t-1,2026-02-01,1,,x\n",
    ],
)
def test_a_value_that_does_not_fit_is_named(tmp_path: Path, rows: str) -> None:
    answer = _run(_file(tmp_path, rows))
    assert answer.exit_code == 2
    assert "row" in answer.stderr


def test_no_transactions_give_no_streams(tmp_path: Path) -> None:
    answer = _run(_file(tmp_path, ""), "--json")
    assert answer.exit_code == 0, answer.stderr
    assert json.loads(answer.stdout)["streams"] == []


def test_a_banks_own_export_is_read_by_the_layout_that_is_named() -> None:
    answer = _run(str(asset_path("samples/uk_statement.csv")), "--layout", "uk-csv", "--json")
    assert answer.exit_code == 0, answer.stderr
    total = sum(row["total_minor"] for row in json.loads(answer.stdout)["coverage"])
    assert total == 231045 + 10240 + 1240


def test_the_accounts_that_an_export_names_are_kept_apart(tmp_path: Path) -> None:
    path = tmp_path / "export.csv"
    lines = [
        f"0{day}/02/2026,{number},ACME LTD,1{day}.00" for day, number in enumerate(["111", "222", "111"], 1)
    ]
    path.write_text("\n".join(["Date,Account Number,Description,Amount", *lines]))
    answer = _run(str(path), "--layout", "uk-csv", "--json")
    assert answer.exit_code == 0, answer.stderr
    assert sum(row["total_minor"] for row in json.loads(answer.stdout)["coverage"]) == 3600
    refused = _run(str(path), "--layout", "uk-csv", "--account-id", "a-1")
    assert "contains 2 accounts" in refused.stderr


def test_a_broken_line_of_an_export_is_named(tmp_path: Path) -> None:
    path = tmp_path / "export.csv"
    path.write_text("Date,Description,Amount\n01/02/2026,a,1.00\n31/02/2026,b,1.00\n")
    answer = _run(str(path), "--layout", "uk-csv")
    assert answer.exit_code == 2
    assert "export.csv:3: the date does not exist" in answer.stderr


def test_the_list_of_layouts_needs_no_file() -> None:
    answer = CliRunner().invoke(app, ["wealth", "--layout", "list", "--json"])
    assert answer.exit_code == 0, answer.stderr
    listed = {one["name"]: one for one in json.loads(answer.stdout)}
    assert listed["monzo"]["currency"] == "its column"
    assert listed["amex-uk"]["sign"].startswith("plus is a purchase")
    assert all(one["sources"] for name, one in listed.items() if not name.startswith("uk-"))
    assert "monzo" in CliRunner().invoke(app, ["wealth", "--layout", "list"]).stdout


def test_a_file_is_needed_and_its_layout_is_not_guessed(tmp_path: Path) -> None:
    assert CliRunner().invoke(app, ["wealth"]).exit_code == 2
    path = tmp_path / "export.csv"
    path.write_text('Date,Description,Amount,Currency\n01/02/2026,TOKYO OFFICE,"300,000",JPY\n')
    answer = _run(str(path), "--layout", "monzo")
    assert answer.exit_code == 2
    assert "this is not the header of monzo" in answer.stderr
    answer = _run(str(path), "--layout", "uk-csv", "--customer-id", "c9", "--account-id", "a9", "--json")
    assert answer.exit_code == 0, answer.stderr
    (credit,) = json.loads(answer.stdout)["credits"]
    assert (credit["amount_minor"], credit["currency"]) == (300000, "JPY")
    assert (credit["customer_id"], credit["account_id"]) == ("c9", "a9")
    assert _run(str(path), "--layout", "uk-csv", "--currency", "GBP").exit_code == 2


def test_red_flags_the_period_and_the_reasons_of_rejected_rows_are_shown(tmp_path: Path) -> None:
    pay = "".join(
        f"c-1,a-1,t-{month},2026-{month:02}-28,200000,GBP,ACME LTD SALARY\n" for month in range(1, 6)
    )
    moved = (
        "c-1,a-1,t-7,2026-05-03,1500000,GBP,J DOE LOAN BACK\nc-1,a-1,t-8,2026-05-05,-1400000,GBP,COINBASE\n"
    )
    file = _file(tmp_path, pay + moved + "c-1,a-1,t-9,2026-08-01,100,GBP,LATER\n")
    answer = _run(file)
    assert "Crypto assets: 1 payment out (14,000.00 GBP)" in " ".join(answer.stdout.split())
    assert "transactions from 2026-01-28 to 2026-08-01" in answer.stdout + answer.stderr
    assert "booked after the date" in answer.stdout + answer.stderr
    facts = json.loads(_run(file, "--json").stdout)["flags"][0]["facts"]
    assert (facts["first_on"], facts["last_on"]) == ("2026-05-05", "2026-05-05")


def test_that_no_red_flag_was_found_is_said(salary: str) -> None:
    answer = _run(salary)
    assert "no red flag was found" in answer.stdout + answer.stderr


def test_the_export_of_a_bank_without_its_layout_is_refused_with_a_hint(tmp_path: Path) -> None:
    path = tmp_path / "export.csv"
    path.write_text("Date,Description,Amount\n2026-01-28,ACME SALARY,2000.00\n")
    answer = _run(str(path))
    assert answer.exit_code == 2
    assert "--layout" in answer.stderr
