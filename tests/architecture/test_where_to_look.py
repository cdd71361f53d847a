"""The design's table of where to look names files that are there."""

from __future__ import annotations

import re
from pathlib import Path

TOP = Path(__file__).parents[2]


def test_every_file_of_the_table_is_there() -> None:
    text = (TOP / "docs" / "design.md").read_text()
    table = text.split("## Where to look", 1)[1].split("\n## ", 1)[0]
    named = re.findall(r"`([a-z_/-]+/[a-z_-]+\.(?:py|yaml))`", table)
    assert len(named) >= 10
    missing = [
        name
        for name in named
        if not (TOP / name).is_file() and not (TOP / "src" / "kycpack" / name).is_file()
    ]
    assert missing == []
