"""Every number that a pack prints can be followed to rows and evidence, and what does not follow is found."""

from __future__ import annotations

import datetime as dt
import json
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
from tests.triage.invented_customers import evidence as evidence_of
from tests.wealth.losses import losses

import kycpack as kp
from kycpack.assets import asset_path
from kycpack.errors import PackError
from kycpack.evidence import load_evidence
from kycpack.frames.plain_table import plain_table
from kycpack.models.json import canonical_json, parse_json
from kycpack.pack import PackResult, verify_pack
from kycpack.pack.check.pdf import read_pdf
from kycpack.pack.check.printed_values import html_text
from kycpack.pack.check.trace import check_trace, list_figures, trace_figure
from kycpack.pack.compute.parquet import table_bytes
from kycpack.pack.compute.review import build_review
from kycpack.pack.figures import figure_cells as cells_module
from kycpack.pack.figures import figure_check as check_module
from kycpack.pack.figures.figure_cells import numbers
from kycpack.pack.figures.figure_check import check_figures
from kycpack.pack.figures.figure_map import REVIEW, FigureMapBuilder, block_texts, tables_of
from kycpack.render.review.credit_sources import months_of
from kycpack.render.review.credit_sources import sections as credit_sections
from kycpack.render.review.short_names import ShortNames
from kycpack.synthetic import generate
from kycpack.wealth import derive

_PAGE_NUMBER = re.compile(r"Page\s+\d+\s+of\s+\d+")


def the_map(pack: Path) -> dict:
    return json.loads((pack / "data/figure_map.json").read_text())


def ids_of(pack: Path) -> list[str]:
    """The hashes and ids that a document may break over two lines."""
    entries = json.loads((pack / "data/evidence/index.json").read_text())["entries"]
    manifest = json.loads((pack / "data/manifest.json").read_text())
    streams = pq.read_table(pack / "data/frames/streams.parquet").column("stream_id").to_pylist()
    hashes = [entry["sha256"] for entry in entries if entry["sha256"]]
    return [manifest["evidence_root"], manifest["case"]["id"], manifest["customer_id"], *hashes, *streams]


def without_ids(text: str, ids: list[str]) -> str:
    for id_ in ids:
        text = re.sub(r"\s*".join(map(re.escape, id_)), " ", text)
    return _PAGE_NUMBER.sub(" ", text)


@pytest.mark.parametrize("name", ["review.pdf", "review.html", "statement.pdf"])
def test_every_number_that_is_shown_is_in_the_map_or_on_the_list_of_what_is_no_figure(
    made: PackResult, name: str
) -> None:
    path = made.path / "data/report" / name
    text = html_text(path.read_text()) if name.endswith("html") else read_pdf(path.read_bytes(), name).text
    document = the_map(made.path)
    known = {
        number
        for one in document["figures"]
        if f"report/{name}" in one["documents"]
        for number in numbers(one["printed"])
    }
    known |= {number for one in document["not_figures"] for number in one["printed"]}
    # The counts of the last table are those of the frames themselves, which are beside the page.
    known |= {
        number
        for frame in (made.path / "data/frames").glob("*.parquet")
        for number in (str(pq.read_metadata(frame).num_rows), str(pq.read_metadata(frame).num_columns))
        if name == "review.html"
    }
    shown = numbers(without_ids(text, ids_of(made.path)))
    assert len(shown) > 20
    assert [number for number in shown if number not in known] == []


def test_no_number_is_without_an_origin(made: PackResult) -> None:
    assert the_map(made.path)["unmapped"] == []
    assert check_trace(made.path) == ()


def test_every_figure_names_evidence_that_is_in_the_pack(made: PackResult) -> None:
    document = the_map(made.path)
    entries = {
        entry["id"] for entry in json.loads((made.path / "data/evidence/index.json").read_text())["entries"]
    }
    assert {id_ for one in document["figures"] for id_ in one["evidence"]} <= entries
    assert [one["id"] for one in document["figures"] if not one["evidence"]] == []
    for file in document["files"].values():
        assert (made.path / "data" / file).is_file()


def test_an_amount_is_followed_to_each_payment_and_its_place_in_the_evidence(made: PackResult) -> None:
    streams = pd.read_parquet(made.path / "data/frames/streams.parquet")
    row = streams.iloc[0]
    printed = f"{row['total_minor'] / 100:,.2f}"
    figure = next(one for one in trace_figure(made.path, printed) if one.id.startswith("streams."))
    assert sum(one.cells["amount_minor"] for one in figure.rows) == row["total_minor"]
    assert len(figure.rows) == row["count"]
    for one in figure.rows:
        (place,) = one.places
        file, _, pointer = place.partition("#")
        document = json.loads((made.path / "data" / file).read_text())
        for name in pointer.split("/")[1:]:
            document = document[int(name)] if isinstance(document, list) else document[name]
        assert document["id"] == one.key["txn_id"]
        assert round(float(document["amount"]) * 100) == one.cells["amount_minor"]


def test_a_red_flag_is_followed_to_each_payment_that_it_counts(tmp_path: Path) -> None:
    (plan,) = generate(1, 7, dt.date(2026, 6, 1), history_days=365, scenario="gambler").customers
    made = kp.write_pack(evidence_of(plan), tmp_path, as_of="2026-06-01T12:00:00Z")
    flags = pq.read_table(made.path / "data/frames/flags.parquet").to_pylist()
    assert flags
    for flag in flags:
        counted = sorted(zip(flag["account_ids"], flag["txn_ids"], strict=True))
        printed = [one["id"] for one in list_figures(made.path) if flag["message"] in one["printed"]]
        assert printed
        for figure in printed:
            (traced,) = trace_figure(made.path, figure)
            payments = [one for one in traced.rows if one.frame == "transactions"]
            assert sorted((one.key["account_id"], one.key["txn_id"]) for one in payments) == counted
            assert all(one.places for one in payments)


def test_a_check_is_followed_to_its_member_of_the_results(made: PackResult) -> None:
    (figure,) = (one for one in trace_figure(made.path, "screening.1") if one.place == "Matches")
    (row,) = figure.rows
    assert row.cells == {"screening_match_count": 1}
    assert row.evidence == ("E-03",)


def test_a_figure_that_is_not_there_is_an_error_that_says_what_to_give(made: PackResult) -> None:
    with pytest.raises(PackError, match="as it is printed"):
        trace_figure(made.path, "123,456,789.00")
    with pytest.raises(PackError, match="older version"):
        list_figures(made.path.parent)


def change_frame(path: Path, column: str, change: object) -> None:
    frame = pd.read_parquet(path)
    frame.loc[0, column] = change
    path.write_bytes(table_bytes(plain_table(frame).arrow))


def test_an_amount_that_was_changed_in_a_frame_does_not_follow_any_more(copy: Path) -> None:
    change_frame(copy / "data/frames/credits.parquet", "amount_minor", 99_999_999)
    problems = check_figures(copy)
    assert any("sum over frame credits" in problem for problem in problems)
    assert any("does not follow from the rows" in problem for problem in problems)


def test_a_cell_that_the_evidence_does_not_have_is_found(copy: Path) -> None:
    change_frame(copy / "data/frames/transactions.parquet", "counterparty_name", "Somebody Else Ltd")
    (problem,) = check_figures(copy)
    assert "counterparty_name" in problem
    assert "Somebody" not in problem


def test_a_changed_map_is_found_by_verify(copy: Path) -> None:
    path = copy / "data/figure_map.json"
    document = parse_json(path.read_bytes())
    figure = next(one for one in document["figures"] if one["id"].startswith("coverage."))
    figure["printed"] = figure["printed"].replace("71.6%", "91.6%").replace("103,637.62", "903,637.62")
    path.write_bytes(canonical_json(document))
    assert any("does not follow" in problem for problem in verify_pack(copy).problems)


def test_the_check_runs_with_nothing_but_the_standard_library_and_pyarrow(made: PackResult) -> None:
    program = """
import importlib.util, sys, types
from pathlib import Path
for name in ("kycpack", "kycpack.pack", "kycpack.pack.figures"):
    sys.modules[name] = types.ModuleType(name)
for name, path in (("figure_cells", sys.argv[1]), ("figure_check", sys.argv[2])):
    spec = importlib.util.spec_from_file_location(f"kycpack.pack.figures.{name}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
print(module.check_figures(Path(sys.argv[3])))
others = {name.partition(".")[0] for name in sys.modules} - set(sys.stdlib_module_names)
print(sorted(name for name in others if not name.startswith("_")))
"""
    command = [
        sys.executable,
        "-c",
        program,
        str(cells_module.__file__),
        str(check_module.__file__),
        str(made.path),
    ]
    done = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 - our own module, alone
    problems, modules = done.stdout.splitlines()
    assert problems == "[]"
    foreign = set(eval(modules))  # noqa: S307 - printed by the program above
    assert "kycpack" in foreign
    # pyarrow takes cloudpickle in where it finds it.
    carried = {"kycpack", "pyarrow", "pandas", "numpy", "dateutil", "pytz", "tzdata", "six", "cloudpickle"}
    assert foreign - carried <= {
        name for name in foreign if "cython" in name or "distutils" in name or "mypyc" in name
    }


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("12 of 1,204.50 GBP, 71.6%", ["12", "1,204.50", "71.6%"]),
        ("from 1 Jan 2025 to 23 Jun 2026, 09:00 UTC", ["2025-01-01", "2026-06-23", "09:00"]),
        ("since Mar 2025, on 2025-03-04T10:30", ["2025-03", "2025-03-04", "10:30"]),
        ("the 1st and 20th; 5k", ["1", "20", "5"]),
        ("E-12, A1, ****4471, **-**-27, case-2026-0042, 8869a2138e", []),
    ],
)
def test_what_a_number_is(text: str, found: list[str]) -> None:
    assert numbers(text) == found


def test_nothing_is_printed_as_nothing_where_no_row_adds_up_to_it() -> None:
    frame = {"currency": ["GBP", "GBP"], "amount_minor": [500, 700]}
    tables = cells_module.Tables(lambda _: frame, {"GBP": 2})
    origin = {"frame": "t", "rows": {"amount_minor": ["<0"]}, "columns": ["amount_minor"], "operation": "sum"}
    assert cells_module.printed_forms(tables, origin) == {"0.00"}
    above = {**origin, "rows": {"amount_minor": [">0"]}}
    assert cells_module.printed_forms(tables, above) == {"12.00"}


def test_amounts_of_two_currencies_are_never_added_up() -> None:
    frame = {"currency": ["GBP", "EUR"], "amount_minor": [500, 700]}
    tables = cells_module.Tables(lambda _: frame, {"GBP": 2, "EUR": 2})
    origin = {"frame": "t", "rows": {}, "columns": ["amount_minor"], "operation": "sum"}
    assert cells_module.printed_forms(tables, origin) == set()


def test_a_red_flag_of_many_transactions_prints_no_number_without_an_origin() -> None:
    rows, accounts = next(one[2:] for one in losses(5) if one[0] == "supplier_and_payer")
    wealth = derive(rows, accounts=accounts, as_of="2026-06-27")
    assert max(map(len, wealth.flags["txn_ids"])) > 12
    frames = {
        name: {column: frame[column].tolist() for column in frame.columns}
        for name, frame in (("flags", wealth.flags), ("transactions", wealth.transactions))
    }
    evidence = load_evidence(asset_path("samples/evidence/index.json").parent)
    section = next(
        one
        for one in credit_sections(wealth, "C1", months_of(wealth, "C1", {}), ShortNames(()))
        if one.key == "flags"
    )
    builder = FigureMapBuilder(tables_of(frames, evidence))
    for block in section.blocks:
        for text, label, origins in block_texts(block):
            builder.add("flags", label, REVIEW, text, origins)
    assert builder.figures
    assert not builder.unmapped


def test_a_cell_of_the_results_leads_to_its_own_member_and_to_no_other_of_the_same_value(
    made: PackResult,
) -> None:
    pointers = the_map(made.path)["pointers"]
    members = pointers["results"]["members"]
    for section in ("document", "address", "identity", "screening"):
        assert members[f"{section}_outcome"] == [f"/{section}/outcome"]
    path_of = {
        re.sub(r"[^a-z0-9]", "", column): found
        for column, found in members.items()
        if not column.endswith("_on")
    }
    for column, found in path_of.items():
        assert [re.sub(r"[^a-z0-9]", "", one.lower()) for one in found] == [column]
    documents = pq.read_table(made.path / "data/frames/documents.parquet").column("kind").to_pylist()
    sections = {row: pointer for row, _, _, pointer, _ in pointers["documents"]["runs"]}
    assert [sections[row] for row in range(len(documents))] == [
        {"identity": "/document", "proof_of_address": "/address"}[kind] for kind in documents
    ]
    assert pointers["documents"]["members"]["outcome"] == ["/outcome"]


def test_when_the_identity_check_ended_is_no_time_of_another_check(made: PackResult) -> None:
    members = the_map(made.path)["pointers"]["sessions"]["members"]
    assert members["identity_completed_at"] == ["/progress/identity/completedAt"]


@pytest.mark.parametrize("kind", ["hostile name", "new job, match without category"])
def test_numbers_of_names_and_of_matches_without_a_list_have_an_origin(kind: str, tmp_path: Path) -> None:
    (plan,) = generate(1, 7, dt.date(2026, 6, 1), history_days=120, scenario=kind).customers
    build_review(evidence_of(plan), as_of="2026-06-01T12:00:00Z").write(tmp_path)
    assert parse_json((tmp_path / "figure_map.json").read_bytes())["unmapped"] == []
