"""A public function that raises says so in its docstring, with what and when."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import kycpack as kp

SOURCES = Path(kp.__file__).parent


def raises_itself(function: ast.AST) -> bool:
    """Tell whether the body of a function, without functions inside it, raises an error by name."""
    waiting = list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)
    return False


def public_functions(body: list[ast.stmt], prefix: str) -> Iterator[tuple[str, ast.AST, str]]:
    for node in body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from public_functions(node.body, f"{prefix}.{node.name}")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            yield f"{prefix}.{node.name}", node, ast.get_docstring(node) or ""


# The command line and the service answer to people and programs by exit codes and problems, which their pages describe.
ROOMS = ("api", "batch", "evidence", "frames", "models", "pack", "render", "storage", "synthetic", "triage", "wealth", "workspace")  # fmt: skip


@pytest.mark.parametrize("room", ROOMS)
def test_what_raises_says_what_and_when(room: str) -> None:
    silent = [
        name
        for path in sorted((SOURCES / room).rglob("*.py"))
        for name, node, doc in public_functions(
            ast.parse(path.read_text(encoding="utf-8")).body, str(path.relative_to(SOURCES))
        )
        if raises_itself(node) and "Raises:" not in doc and "NotImplementedError" not in ast.unparse(node)
    ]
    assert silent == []
