from __future__ import annotations

import json
import uuid
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kycpack.cli.terminal import print_json, print_table, program, visible


@given(st.text())
def test_no_text_from_outside_reaches_the_terminal_as_a_command(text: str) -> None:
    assert visible(text).isprintable()
    if text.isprintable():
        assert visible(text) == text


def test_a_table_shows_markup_and_escapes_instead_of_obeying(capsys: pytest.CaptureFixture[str]) -> None:
    print_table("[bold]t", ("name", "count#"), [("[red]x[/red]", 3), ("\x1b[2J\u202ey", None)])
    shown = capsys.readouterr().out
    assert "[bold]t" in shown
    assert "[red]x[/red]" in shown
    assert "\\u001b[2J\\u202ey" in shown
    assert "\x1b" not in shown


def test_a_table_without_rows_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    print_table("Runs", ("run", "state"), [])
    assert capsys.readouterr().out == "Runs: none\n"


def test_a_long_id_takes_no_other_column_away(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(
        "t", ("customer", "outcome", "why"), [("x" * 200, "failed", "not found"), ("c-1", "produced", None)]
    )
    shown = capsys.readouterr().out
    assert "failed" in shown
    assert "not found" in shown
    assert "produced" in shown
    assert shown.count("x") == 200


@pytest.mark.parametrize("columns", [("", ""), ("same", "same"), ("what", "value")])
def test_a_long_value_cuts_no_label(capsys: pytest.CaptureFixture[str], columns: tuple[str, str]) -> None:
    words = [f"word{number}" for number in range(100)]
    labels = ["customer id", "outcome", "top reason", "review pdf"]
    print_table(
        "Customer c-1", columns, [(label, " ".join(words)) for label in labels] + [("pack", "/" * 500)]
    )
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 200
    starts = [line.strip() for line in lines]
    assert all(any(line.startswith(f"{label} ") for line in starts) for label in labels)
    shown = " ".join(lines).split()
    assert all(shown.count(word) == len(labels) for word in words)
    assert sum(line.count("/") for line in lines) == 500


def test_a_long_reason_can_be_read_on_a_terminal_of_80_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "dumb")
    reason = "The session's results document was not requested, because the session is pending (S1): 46 checks could not be evaluated"
    print_table(
        "Packs",
        ("customer", "outcome", "level", "top reason", "nature known#", "seconds#"),
        [(str(uuid.UUID(int=7)), "incomplete", "escalate", reason, "100%", "4.1")],
    )
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert any(
        all(word in line for word in (str(uuid.UUID(int=7)), "escalate", "100%", "4.1")) for line in lines
    )
    assert reason in " ".join(" ".join(lines).split())
    assert len(lines) < 10


def test_a_table_of_many_columns_can_be_read_on_a_terminal_of_80_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "dumb")
    run = str(uuid.UUID(int=7))
    print_table(
        "Runs",
        ("run", "state", "started", "finished", "in scope#", "outcomes", "output"),
        [
            (
                run,
                "finished",
                "2026-06-01T02:15:00Z",
                "2026-06-01T03:15:00Z",
                12,
                "12 produced",
                "/srv/reports",
            )
        ],
    )
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 80
    print_table("Ids", ("id",), [("x" * 200,)])
    assert capsys.readouterr().out.count("x") == 200
    words = " ".join(shown.split())
    assert f"{run} state: finished; started: 2026-06-01T02:15:00Z; finished: 2026-06-01T03:15:00Z" in words
    assert "in scope: 12; outcomes: 12 produced; output: /srv/reports" in words


def test_json_is_plain_ascii_with_exact_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"name": "Ünï\u202e", "amount": Decimal("0.10")})
    text = capsys.readouterr().out
    assert text.isascii()
    assert '"amount": 0.10' in text
    assert json.loads(text, parse_float=Decimal) == {"name": "Ünï\u202e", "amount": Decimal("0.10")}


def test_a_hint_names_the_program_as_it_can_be_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = tmp_path / "kycpack"
    installed.touch(mode=0o700)
    monkeypatch.setattr("sys.argv", [str(installed)])
    monkeypatch.setenv("PATH", str(tmp_path / "elsewhere"))
    assert program() == str(installed)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert program() == "kycpack"
    monkeypatch.setattr("sys.argv", [str(tmp_path / "__main__.py")])
    assert program() == "kycpack"


def test_a_table_shows_instants_to_the_second(capsys: pytest.CaptureFixture[str]) -> None:
    print_table("Runs", ["run", "started"], [["run-1.5Z", "2026-11-21T23:34:36.583936Z"]])
    text = capsys.readouterr().out
    assert "2026-11-21T23:34:36Z" in text
    assert "583936" not in text
    assert "run-1.5Z" in text
