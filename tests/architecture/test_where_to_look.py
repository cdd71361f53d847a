"""The design's table of where to look names files that are there."""

from __future__ import annotations

import re
from pathlib import Path

TOP = Path(__file__).parents[2]


def table() -> str:
    return (TOP / "docs" / "design.md").read_text().split("## Where to look", 1)[1].split("\n## ", 1)[0]


def files_in(text: str) -> list[str]:
    return re.findall(r"`([a-z_/-]+\.(?:py|yaml|md))`", text)


def test_each_question_is_answered_by_three_files_at_most() -> None:
    rows = [line for line in table().splitlines() if "?" in line]
    assert len(rows) >= 10
    assert [row for row in rows if not 1 <= len(files_in(row)) <= 3] == []


def test_every_file_of_the_table_is_there() -> None:
    named = files_in(table())
    assert len(named) >= 10
    missing = [
        name
        for name in named
        if not (TOP / name).is_file() and not (TOP / "src" / "kycpack" / name).is_file()
    ]
    assert missing == []
