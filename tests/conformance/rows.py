"""The rows and rules of the interface, each with a name of its own: every table row, every numbered rule, every paragraph."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

LISTED = Path(__file__).with_name("rows.txt")
"""The names, in the interface's order."""

_WIDE = (
    ["Method", "Path"],
    ["Status", "Error"],
    ["State", "Trigger"],
    ["Customer bank access", "Payment with satisfied requirements"],
)
_NOT_ROWS = ("#", "This document covers")


def listed_rows() -> list[str]:
    """Return the rows that tests have to cover."""
    return LISTED.read_text(encoding="utf-8").split("\n")[:-1]


def rows_covered_by(items: Iterable[pytest.Item]) -> dict[str, list[str]]:
    """Return the rows that tests say they cover, each with the ids of those tests."""
    covered: dict[str, list[str]] = {}
    for item in items:
        for marker in item.iter_markers("row"):
            for name in marker.args:
                covered.setdefault(name, []).append(item.nodeid)
    return covered


def rows_of(interface: str) -> list[str]:
    """Return the names of the rows of an interface document.

    A name is the heading, the label of the table or list where there is one, and the first cell (of some tables the first two), the number
    of the rule, or the number of the paragraph.
    """
    rows: list[str] = []
    part = section = label = last_table = ""
    header: list[str] | None = None
    for line in interface.splitlines():
        if line.startswith("## "):
            part, section, label, last_table, header = line[3:], "", "", "", None
        elif line.startswith("### "):
            section, label, last_table, header = line[4:], "", "", None
        elif line.startswith("|"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if header is None:
                header, last_table = cells, label
            elif not set(line) <= set("|- "):
                key = " ".join(cells[:2]) if header[:2] in _WIDE else cells[0]
                rows.append(_name(section or part, label, key))
        elif match := re.match(r"(\d+)\. ", line):
            group = f"{last_table} rules" if label == "Rules" and last_table else label
            rows.append(_name(section or part, group, f"rule {match[1]}"))
        elif not line.strip():
            header = None
        else:
            label = re.split(r" \(|:", line)[0] if line.endswith(":") else ""
            if not label and not line.startswith(_NOT_ROWS):
                heading = section or part
                number = sum(row.startswith(f"{heading} > paragraph") for row in rows) + 1
                rows.append(_name(heading, "", f"paragraph {number}"))
    return rows


def fields(table: str, *names: str) -> list[Any]:
    """Return parameters of a test, each of which covers the row of a field."""
    return [pytest.param(name, marks=pytest.mark.row(f"{table} > {name}"), id=name) for name in names]


def _name(heading: str, label: str, key: str) -> str:
    return " > ".join(part for part in (heading, label, key) if part)
