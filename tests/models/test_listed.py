"""Several words as one phrase, and a number with its noun, in one place for the whole house."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import kycpack
from kycpack.models.listed import counted


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((1, "day"), "1 day"),
        ((0, "day"), "0 days"),
        ((2_000, "credit"), "2,000 credits"),
        ((1, "match", "matches"), "1 match"),
        ((3, "match", "matches"), "3 matches"),
        ((1, "limit that applies", "limits that apply"), "1 limit that applies"),
    ],
)
def test_a_number_stands_with_its_noun(given: tuple, said: str) -> None:
    assert counted(*given) == said


def test_no_other_module_counts_a_noun_in_its_own_way() -> None:
    root = Path(kycpack.__file__).parent
    own = [
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef)
        and node.name in {"counted", "_counted"}
        and "noun" in ast.dump(node.args)
    ]
    assert own == ["models/listed.py"]
