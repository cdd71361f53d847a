"""Somebody who integrates finds out from the console alone why a call was refused, and what to do about it."""

from __future__ import annotations

import ast
import html
import inspect
import re
from pathlib import Path

import pytest
from tests.service.console.refused_calls import REFUSED_CALLS
from tests.service.console.refused_money_calls import REFUSED_MONEY_CALLS
from tests.service.signed import (
    Caller,
)

from kycpack.service import problems
from kycpack.service.console.journal import advice_on
from kycpack.service.request_log import HEADER

REFUSALS = {**REFUSED_CALLS, **REFUSED_MONEY_CALLS}


def _codes(tree: ast.AST) -> set[str]:
    """Return the codes of refusals that a module writes."""
    found = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        texts = [arg.value if isinstance(arg, ast.Constant) else None for arg in node.args]
        match node.func.id, texts:
            case "RefusedError", [int(), str(code), *_]:
                found.add(code)
            case "conflict", [str(code), *_]:
                found.add(code)
            case "not_found", [str(what)]:
                found.add(f"{what.replace(' ', '_')}_not_found")
    return found


def test_every_refusal_in_the_code_has_advice(checkout: Path) -> None:
    codes = set(problems.REFUSALS)
    for path in (checkout / "src" / "kycpack" / "service").rglob("*.py"):
        codes |= _codes(ast.parse(path.read_text("utf-8")))
    assert len(codes) > 40
    assert [code for code in sorted(codes) if not advice_on(code)] == []


@pytest.mark.parametrize("kind", REFUSALS)
def test_the_console_names_cause_and_remedy(call: Caller, kind: str) -> None:
    ask, status, code, cause, remedy = REFUSALS[kind]
    answer = ask(call)
    assert (answer.status_code, answer.json()["error"]) == (status, code)
    page = html.unescape(call.plain("GET", f"/console/requests/{answer.headers[HEADER]}").text)
    notice = re.sub(r"<[^>]+>", " ", page)
    assert cause in notice
    assert remedy in notice
    row = re.search(
        rf"<tr>(?:(?!</tr>).)*{answer.headers[HEADER]}.*?</tr>",
        call.plain("GET", "/console/requests").text,
        re.DOTALL,
    )
    assert row
    assert cause in html.unescape(row[0])


def test_the_table_has_every_code_of_the_interfaces_refusals() -> None:
    tried = {code for _, _, code, _, _ in REFUSALS.values()}
    problems = ast.parse(inspect.getsource(__import__("kycpack.service.problems", fromlist=["x"])))
    elsewhere = {"database_unavailable"}  # tests/service/test_database.py stops the database
    assert _codes(problems) - elsewhere <= tried
