from __future__ import annotations

import io
import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kycpack.cli.progress import Result, Tally, progress

_RESULTS: list[Result] = ["done", "failed", "incomplete"]


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_rate_and_time_left_are_of_this_run() -> None:
    seconds = [0.0]
    tally = Tally(1000, lambda: seconds[0])
    tally.skip(400)
    assert tally.figures() == "400/1000, 0 failed"
    for number in range(100):
        tally.add(f"c-{number}", "failed" if number < 3 else "done")
    seconds[0] = 120.0
    assert tally.figures() == "500/1000, 3 failed, 50/min, 10 min left"
    assert tally.figures(ended=True) == "500/1000, 3 failed, 50/min"


def test_a_piece_that_is_done_again_counts_once_as_it_ended() -> None:
    seconds = [0.0]
    tally = Tally(2, lambda: seconds[0])
    tally.add("a", "incomplete")
    tally.add("b", "failed")
    assert tally.figures() == "2/2, 1 failed, 1 incomplete"
    tally.add("a", "done")
    tally.add("b", "failed")
    seconds[0] = 60.0
    assert tally.figures() == "2/2, 1 failed, 2.0/min"


def test_a_piece_that_is_done_again_after_the_last_one_is_not_one_more() -> None:
    """A customer about whom the register has learned more is done again when all are done."""
    tally = Tally(2, lambda: 0.0)
    for name in ("a", "b", "a"):
        tally.add(name, "done")
    assert tally.figures() == "2/2, 0 failed"


@pytest.mark.parametrize(
    ("pieces", "left"), [(11, "10 s"), (301, "5 min"), (5401, "1 h 30 min"), (300_001, "3 d 11 h")]
)
def test_time_left_is_in_words(pieces: int, left: str) -> None:
    seconds = [0.0]
    tally = Tally(pieces + 4, lambda: seconds[0])
    for number in range(5):
        tally.add(f"c-{number}", "done")
    seconds[0] = 5.0
    assert tally.figures().endswith(f"{left} left")


def test_slow_first_pieces_do_not_make_the_time_left_long() -> None:
    seconds = [15.0]
    tally = Tally(1000, lambda: seconds[0])
    seconds[0] = 30.0
    tally.add("first", "done")
    assert tally.figures() == "1/1000, 0 failed, 4.0/min"
    for number in range(299):
        seconds[0] += 0.5
        tally.add(f"c-{number}", "done")
    assert tally.figures() == "300/1000, 0 failed, 120/min, 6 min left"
    assert tally.figures(ended=True) == "300/1000, 0 failed, 109/min"


@given(
    st.lists(st.tuples(st.integers(0, 50), st.sampled_from(_RESULTS)), max_size=80),
    st.floats(0.001, 10**6),
    st.integers(0, 99_949),
)
def test_the_figures_fit_beside_a_bar(pieces: list[tuple[int, Result]], elapsed: float, skipped: int) -> None:
    seconds = [0.0]
    tally = Tally(100_000, lambda: seconds[0])
    tally.skip(skipped)
    settled: set[int] = set()
    for name, result in pieces:
        if name not in settled:  # what is done is not done again
            tally.add(f"c-{name}", result)
        if result == "done":
            settled.add(name)
    seconds[0] = elapsed
    assert len(tally.figures()) <= 72
    assert tally.done == skipped + len({name for name, _ in pieces})


def test_without_a_terminal_each_piece_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("packs", 3) as shown:
        shown.skip(1)
        shown.advance("a", "one")
        shown.advance("b", "two\x07", "failed")
    lines = capsys.readouterr().err.splitlines()
    assert lines[:3] == [
        "packs: 1 were finished before",
        "[2/3] one",
        "[3/3] two\\u0007",
    ]
    assert lines[3].startswith("packs: 3/3, 1 failed")


def test_a_bar_fits_in_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _Terminal()
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress("packs", 100_000) as shown:
        shown.skip(88_000)
        for number in range(1500):
            shown.advance(f"c-{number}", "a line that is not shown", "failed")
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal.getvalue())
    lines = [line for line in re.split(r"[\r\n]", text) if line.strip()]
    assert any("89500/100000, 1500 failed" in line and "left" in line for line in lines)
    assert max(map(len, lines)) <= 80
    assert "not shown" not in text
