"""Every number on the index and in the summary of a run is followed to entries of `run.json`, and what does not follow is found."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from tests.traced_memory import with_peak

from kycpack.batch.report import SCHEMA, RunEntry, RunReport, dump
from kycpack.batch.run_figures import (
    MAP,
    check_run_trace,
    list_run_figures,
    run_figure_map,
    run_tables,
    trace_run_figure,
)
from kycpack.batch.run_results import write_index
from kycpack.errors import PackError
from kycpack.models.json import canonical_json
from kycpack.pack.check.pdf import read_pdf
from kycpack.pack.check.printed_values import html_text
from kycpack.pack.figures.figure_cells import numbers
from kycpack.render import render_index_pages
from kycpack.storage.paged import Paged

_PAGES = re.compile(r"Page\s+\d+\s+of\s+\d+(:[\d\s]+)?")
_COUNT = 1_234
_LEVELS = ("approve", "review", "edd", "escalate", "reject", "")


def _entry(number: int) -> dict[str, Any]:
    level = _LEVELS[number % len(_LEVELS)]
    before = {"outcome": "produced", "level": _LEVELS[number % 3], "top_reason": ""}
    return {
        "customer_id": f"customer-{number}",
        "outcome": "produced" if level else ("failed", "incomplete")[number % 4 // 2],
        "pack": f"customer-{number}" if level else "",
        "level": level,
        "top_reason": f"{number % 7} credits of {number % 5},000.50 GBP since {1 + number % 9} May 2025 (E-03)"
        if level
        else "",
        "note": "" if level else f"ServerError: 50{number % 4}",
        "explained_share": None if number % 9 == 0 or not level else number / _COUNT,
        "before": None if number % 4 == 0 else before,
    }


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index, the summary and the figure map of a run of many customers, not to be changed."""
    out = tmp_path_factory.mktemp("run")
    entries = [_entry(number) for number in range(_COUNT)]
    outcomes = [str(one["outcome"]) for one in entries]
    report = {
        "schema": SCHEMA,
        "run_id": "1c9f3a52-7d0e-4b41-9a66-2f8f0a1b2c3d",
        "state": "finished",
        "as_of": "2026-06-30T12:00:00Z",
        "code_version": "0.1.0",
        "policy_approval": {
            "state": "approved",
            "at": "2026-05-04T09:00:00Z",
            "by": "B. Manager",
            "seq": 318,
            "signed": True,
        },
        "compared_with": {"run_id": "r-0", "as_of": "2026-05-31T12:00:00Z", "gone": 77},
        "in_scope": _COUNT,
        **{
            name: outcomes.count(name)
            for name in ("produced", "incomplete", "failed", "skipped", "unchanged")
        },
        "entries": entries,
    }
    (out / "run.json").write_bytes(dump(report))
    write_index(out, report, render_index_pages)
    return out


def _report(run: Path) -> dict[str, Any]:
    return json.loads((run / "run.json").read_bytes())


def _known(document: dict[str, Any], name: str) -> set[str]:
    figures = [one for one in document["figures"] if any(Path(name).match(one) for one in one["documents"])]
    return {number for one in figures for number in numbers(one["printed"])}


def test_no_number_is_without_an_origin_and_each_is_recomputed(run: Path) -> None:
    document = json.loads((run / MAP).read_bytes())
    assert document["unmapped"] == []
    assert len(document["figures"]) > 40
    assert check_run_trace(run) == ()


def test_every_number_of_the_summary_is_in_the_map(run: Path) -> None:
    document = json.loads((run / MAP).read_bytes())
    text = _PAGES.sub(" ", read_pdf((run / "summary.pdf").read_bytes(), "summary.pdf").text)
    text = re.sub(r"\s*".join(_report(run)["run_id"]), " ", text).replace("kycpack 0.1.0", "")
    shown = numbers(text)
    assert len(shown) > 40
    assert [number for number in shown if number not in _known(document, "summary.pdf")] == []


@pytest.mark.parametrize("name", ["index.html", "index/page-2.html"])
def test_every_number_of_the_index_is_in_the_map_or_in_the_row_of_its_customer(run: Path, name: str) -> None:
    document = json.loads((run / MAP).read_bytes())
    page = (run / name).read_text(encoding="utf-8")
    head, *rows = page.partition("</table>")[0].split("<tr data-level")
    outside = html_text(head) + html_text(page.partition("</table>")[2])
    left = _PAGES.sub(" ", outside).replace("kycpack 0.1.0", "")
    assert [number for number in numbers(left) if number not in _known(document, name)] == []

    (table,) = document["tables"]
    tables = run_tables(_report(run))
    ids = tables.columns(table["frame"])[table["each"]]
    assert len(rows) > 200
    for row in rows:
        customer = re.search(r"<strong>([^<]+)</strong>", row)
        assert customer is not None
        place = ids.index(customer[1])
        forms = set().union(*(tables.forms(table["frame"], place, column) for column in table["columns"]))
        assert [number for number in numbers(html_text(f"<tr{row}")) if number not in forms] == []


def test_a_total_is_followed_to_each_customer_and_pack(run: Path) -> None:
    rejected = [one for one in _report(run)["entries"] if one["level"] == "reject"]
    (figure,) = trace_run_figure(
        run, next(one["id"] for one in list_run_figures(run) if one["place"] == "Recommended: reject")
    )
    assert [row.key["customer_id"] for row in figure.rows] == [one["customer_id"] for one in rejected]
    assert figure.rows[0].places == ("run.json#/entries/4", "customer-4/data/figures.json")


def test_a_share_in_the_table_is_followed_to_its_customer(run: Path) -> None:
    found = trace_run_figure(run, f"{100 * 1000 / _COUNT:.1f}%")
    assert "customers.customer-1000" in {one.id for one in found}
    (figure,) = trace_run_figure(run, "customers.customer-1000")
    assert figure.rows[0].cells["explained_share"] == pytest.approx(1000 / _COUNT)
    with pytest.raises(PackError, match="no figure 'nonsense'"):
        trace_run_figure(run, "nonsense")


def test_the_map_of_many_customers_needs_no_memory_for_each_of_them() -> None:
    def read(first: int, end: int) -> list[dict[str, Any]]:
        return [
            asdict(RunEntry(f"customer-{place:08}", "produced", level="edd", top_reason="A reason (E-03)"))
            for place in range(first, end)
        ]

    head = RunReport("run", *["2026-06-01T00:00:00Z"] * 3, "0", 1, ()).to_document()
    report = {**head, "in_scope": 10_000, "produced": 10_000, "entries": Paged(10_000, read)}
    run_figure_map({**report, "entries": read(0, 10)})  # what is made once
    document, peak = with_peak(lambda: run_figure_map(report))
    assert {"10000"} == {one["printed"] for one in document["figures"] if one["place"] == "Recommended: edd"}
    assert peak < 100 * 10_000  # a row for each customer takes 400


@pytest.mark.parametrize("member", ["value", "printed"])
def test_a_forged_figure_does_not_follow(run: Path, tmp_path: Path, member: str) -> None:
    document = run_figure_map(_report(run))
    one = next(one for one in document["figures"] if one["place"] == "Recommended: reject")
    if member == "value":
        one["origins"][0]["value"] += 1
    else:
        one["printed"] = "3"
    (tmp_path / "index").mkdir()
    (tmp_path / "run.json").write_bytes((run / "run.json").read_bytes())
    (tmp_path / MAP).write_bytes(canonical_json(document))
    (problem,) = check_run_trace(tmp_path)
    assert one["id"] in problem
