"""The figure map of a run: for each number on its index and in its summary, the rows of `run.json` it comes from.

Each row of the table of customers comes from that customer's entry, so the map describes the table once. The entry itself comes
from the pack, whose own figure map leads further.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from sys import intern
from typing import Any

from kycpack.batch.report import OUTCOMES
from kycpack.batch.run_manifest import INDEX, INDEX_PAGES, REPORT, SUMMARY
from kycpack.batch.run_summary import DEMONSTRATION_ORIGINS, ONE_ROW, POPULATION, RUN, kind_of, run_summary
from kycpack.errors import InputError, PackError
from kycpack.models.dates import instant_words
from kycpack.models.instants import read_as_of
from kycpack.models.json import parse_json
from kycpack.pack.check.trace import TracedFigure, TracedRow, traced_figure
from kycpack.pack.figures.figure_cells import Columns, Tables, numbers
from kycpack.pack.figures.figure_check import arithmetic_problems, unmapped
from kycpack.pack.figures.figure_map import FigureMapBuilder, block_texts
from kycpack.pack.limits import read_limited
from kycpack.render.origin import Given, count_of, value_of
from kycpack.render.run_index import demonstration_words
from kycpack.render.wording import approval_words, population_words

SCHEMA = "kycpack-run-figures-1"
MAP = f"{INDEX_PAGES}/figure_map.json"
_INDEX = (INDEX, f"{INDEX_PAGES}/page-*.html")
_TABLE = {
    "id": "customers",
    "place": "Table of customers",
    "documents": list(_INDEX),
    "frame": RUN,
    "each": "customer_id",
    "columns": ["customer_id", "top_reason", "note", "explained_share"],
    "operation": "value",
}
_NOT_FIGURES = (
    {"place": "foot of the table", "why": "number of the page", "printed": []},
    {"place": "column Name", "why": "name of a customer", "printed": []},
    {"place": "foot of each page", "why": "number of the page, or version of kycpack", "printed": []},
)
_AS_REPORTED = ("customer_id", "outcome", "level", "top_reason", "note", "pack")
_COLUMNS = (
    *_AS_REPORTED,
    "explained_share",
    "first_reason",
    "has_level",
    "earlier",
    "level_before",
    "level_changed",
    "is_demonstration",
)
_COUNTED = (
    "outcome",
    "level",
    "first_reason",
    "has_level",
    "earlier",
    "level_before",
    "level_changed",
    "is_demonstration",
)
"""Columns that the figures of index and summary are counted by; what else a row has is the table's, not a figure."""
MOST_BYTES = 2**28
"""Size limit for reading the figure map, the summary or `run.json`, in bytes."""


def run_tables(report: Mapping[str, Any]) -> Tables:
    """Return `run.json` as frames for the figure map: frame `run` with one row per customer, and frame `report` with one row."""
    of_customers: dict[str, list[Any]] = {name: [] for name in _COLUMNS}
    for row in _customer_rows(report):
        for name, value in row.items():
            of_customers[name].append(value)
    frames: dict[str, Columns] = {RUN: of_customers, ONE_ROW: _report_row(report)}
    return Tables(frames.__getitem__, {})


def _counted_tables(report: Mapping[str, Any]) -> Tables:
    """Return the frames of `run_tables` as far as the figure map needs them: customers who are alike in them are one row."""
    alike = Counter(tuple(row[name] for name in _COUNTED) for row in _customer_rows(report))
    of_customers = {name: [values[place] for values in alike] for place, name in enumerate(_COUNTED)}
    frames: dict[str, Columns] = {RUN: of_customers, ONE_ROW: _report_row(report)}
    return Tables(frames.__getitem__, {}, {RUN: [*alike.values()]})


def _report_row(report: Mapping[str, Any]) -> Columns:
    compared = report.get("compared_with")
    approval, population = report.get("policy_approval") or {}, report.get("population") or {}
    return {
        "run_id": [report["run_id"]],
        "as_of": [report["as_of"]],
        "code_version": [report["code_version"]],
        "compared_as_of": [None if compared is None else compared["as_of"]],
        "gone": [None if compared is None else compared["gone"]],
        "approval_at": [approval.get("at")],
        "approval_seq": [approval.get("seq")],
        **{name: [_total(population.get(name))] for name in POPULATION},
    }


def _customer_rows(report: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    is_compared = report.get("compared_with") is not None
    return (_customer_row(entry, is_compared=is_compared) for entry in report["entries"])


def _customer_row(entry: Mapping[str, Any], *, is_compared: bool) -> dict[str, Any]:
    before, share = entry.get("before"), entry["explained_share"]
    return {
        **{name: entry[name] for name in _AS_REPORTED},
        "explained_share": None if share is None else float(share),
        "first_reason": intern(kind_of(str(entry["top_reason"]))),
        "has_level": int(bool(entry["level"])),
        "earlier": ("new" if before is None else "both") if is_compared else "",
        "level_before": None if before is None else intern(before["level"]),
        "level_changed": before is not None and before["level"] != entry["level"],
        "is_demonstration": int(bool(entry.get("is_demonstration"))),
    }


def _total(value: int | Sequence[str] | None) -> int | None:
    return value if value is None or isinstance(value, int) else len(value)


def run_figure_map(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figure map of a run.

    Args:
        report: The content of `run.json`.

    Returns:
        `figures`, each with its id, documents, printed text, place and origins in the frames of `run_tables`; `tables`, whose
        rows come from the row of the frame with the same id; `not_figures`; and `unmapped` (none, in a sound run).
    """
    builder = FigureMapBuilder(_counted_tables(report))
    for place, text, origins in _on_the_index(report):
        builder.add("index", place, _INDEX, text, origins)
    memo = run_summary(report)
    as_of = (value_of(ONE_ROW, "as_of"),)
    builder.add("summary", "Head of each page", (SUMMARY,), instant_words(memo.as_of), as_of)
    for block in memo.opening:
        for text, label, origins in block_texts(block):
            builder.add("summary", label or memo.title, (SUMMARY,), text, origins)
    for section in memo.sections:
        for block in section.blocks:
            for text, label, origins in block_texts(block):
                builder.add(f"summary-{section.key}", label or section.title, (SUMMARY,), text, origins)
    given = [
        {"place": place, "why": why, "printed": list(found)} for (place, why), found in builder.given.items()
    ]
    return {
        "schema": SCHEMA,
        "figures": builder.figures,
        "tables": [_TABLE],
        "not_figures": [*_NOT_FIGURES, *given],
        "unmapped": builder.unmapped,
    }


def run_figure_problems(folder: Path, report: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with the figures of a run, calculated again from `run.json` with the figure map beside it.

    Args:
        folder: The run's output.
        report: The content of `run.json`.
    """
    document = _read(folder, MAP)
    tables = run_tables(report)
    yield from (f"{MAP}: {problem}" for problem in arithmetic_problems(document, tables))
    yield from (f"{MAP}: {problem}" for problem in unmapped(document))


def list_run_figures(folder: Path) -> tuple[dict[str, Any], ...]:
    """Return the figures of a run, as in its figure map, and those of each customer's row.

    Raises:
        PackError: The run has no figure map.
    """
    report, document = _read(folder, REPORT), _read(folder, MAP)
    tables = run_tables(report)
    rows = [
        {"id": f"{table['id']}.{columns[table['each']][row]}", **_row(table, row, tables), "evidence": []}
        for table in document["tables"]
        for columns in (tables.columns(table["frame"]),)
        for row in range(len(columns[table["each"]]))
    ]
    return (*({**one, "evidence": []} for one in document["figures"]), *rows)


def trace_run_figure(folder: Path, figure: str) -> tuple[TracedFigure, ...]:
    """Trace a number on the index or in the summary of a run to the entries of `run.json` and their packs.

    Args:
        folder: The run's output.
        figure: Id of a figure, as in `index.2` or `customers.CUSTOMER_ID`, or a number as it is printed.

    Raises:
        PackError: The run has no figure map, or the figure map does not have the figure.
    """
    report, document = _read(folder, REPORT), _read(folder, MAP)
    tables = run_tables(report)
    rows_of = partial(_rows, tables=tables)
    wanted = set(numbers(figure))
    found = [
        traced_figure(one, tables, rows_of)
        for one in document["figures"]
        if one["id"] == figure or (wanted and wanted <= set(numbers(one["printed"])))
    ]
    for table in document["tables"]:
        names = tables.columns(table["frame"])[table["each"]]
        for row, name in enumerate(names):
            forms: set[str] = set()
            for column in table["columns"] if wanted else ():
                forms |= tables.forms(table["frame"], row, column)
            if figure == f"{table['id']}.{name}" or (wanted and wanted <= forms):
                one = {**table, "id": f"{table['id']}.{name}", **_row(table, row, tables)}
                found.append(traced_figure(one, tables, rows_of))
    if not found:
        raise PackError(
            f"the figure map of the run has no figure {figure!r}; give an id, or a number as it is printed"
        )
    return tuple(found)


def check_run_trace(folder: Path) -> tuple[str, ...]:
    """Calculate every figure of a run again from its `run.json`, and return a sentence for each that differs.

    Raises:
        PackError: The run has no figure map or no report.
    """
    return tuple(run_figure_problems(folder, _read(folder, REPORT)))


def _on_the_index(report: Mapping[str, Any]) -> Iterator[tuple[str, str, tuple[Any, ...]]]:
    yield "As of", instant_words(read_as_of(report["as_of"])), (value_of(ONE_ROW, "as_of"),)
    yield "In scope", str(report["in_scope"]), (count_of(RUN),)
    for outcome in OUTCOMES:
        yield outcome.capitalize(), str(report[outcome]), (count_of(RUN, outcome=outcome),)
    if (compared := report.get("compared_with")) is not None:
        words = instant_words(read_as_of(compared["as_of"]))
        yield "Changes since the run as of", words, (value_of(ONE_ROW, "compared_as_of"),)
    yield "Run", str(report["run_id"]), (Given("id of the run"),)
    for level, count in Counter(str(one["level"]) for one in report["entries"] if one["level"]).items():
        yield f"Recommended: {level}", str(count), (count_of(RUN, level=level),)
    approval = approval_words("", report.get("policy_approval"))
    if population := report.get("population"):
        yield "Population", population_words(population), (value_of(ONE_ROW, *POPULATION),)
    yield "Demonstration data", demonstration_words(report["entries"]), DEMONSTRATION_ORIGINS
    yield "Approval of the policy", approval, (value_of(ONE_ROW, "approval_at", "approval_seq"),)


def _row(table: Mapping[str, Any], row: int, tables: Tables) -> dict[str, Any]:
    columns = tables.columns(table["frame"])
    shown = [columns[name][row] for name in table["columns"] if name != table["each"]]
    words = [f"{100 * one:.1f}%" if isinstance(one, float) else str(one) for one in shown if one]
    origin = {
        "frame": table["frame"],
        "rows": {table["each"]: [columns[table["each"]][row]]},
        "columns": table["columns"],
        "operation": table["operation"],
    }
    return {
        "place": table["place"],
        "documents": table["documents"],
        "printed": " ".join(words),
        "origins": [origin],
    }


def _rows(origin: Mapping[str, Any], tables: Tables) -> Iterator[TracedRow]:
    frame = origin["frame"]
    columns = tables.columns(frame)
    for row in tables.rows(frame, origin["rows"]):
        cells = {name: columns[name][row] for name in origin["columns"]}
        if frame == RUN:
            pack = str(columns["pack"][row])
            key = {"customer_id": str(columns["customer_id"][row])}
            places = (f"{REPORT}#/entries/{row}", *((f"{pack}/data/figures.json",) if pack else ()))
            yield TracedRow(frame, key, cells, (), places)
        else:
            yield TracedRow(frame, {}, cells, (), (REPORT,))


def _read(folder: Path, name: str) -> dict[str, Any]:
    if not (folder / name).is_file():
        raise PackError(
            f"{folder} has no {name}: it is not a run, or it comes from an older version of kycpack"
        )
    try:
        document = parse_json(read_limited(folder / name, name, most=MOST_BYTES))
    except InputError as error:
        raise PackError(f"{name} cannot be read: {error}") from None
    if not isinstance(document, dict) or (name == MAP and document.get("schema") != SCHEMA):
        raise PackError(f"{name} does not have the form that kycpack writes")
    return document
