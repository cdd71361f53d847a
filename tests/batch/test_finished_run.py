"""A finished run opened as data, as an analyst would in a notebook."""

from __future__ import annotations

import builtins
import json
import zipfile
from getpass import GetPassWarning
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from IPython.core.error import StdinNotImplementedError
from tests.frames.evidence_maker import RECORD, RESULTS, STATUS, EvidenceMaker, clear_customer

import kycpack as kp
from kycpack.batch.report import RunEntry, RunReport
from kycpack.errors import InputError

AS_OF = "2026-06-01T23:59:59Z"
NAME = "Quillfeather"


def rejected() -> EvidenceMaker:
    made = EvidenceMaker("customer-2")
    made.answer("customers.get", {**RECORD, "id": "customer-2", "lastName": NAME})
    results = {**RESULTS, "document": {**RESULTS["document"], "outcome": "rejected"}}
    made.session(results, {**STATUS, "id": "s2"}, session_id="s2")
    return made


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("run")
    entries = []
    for evidence in (clear_customer(), rejected().make()):
        pack = kp.write_pack(evidence, out, as_of=AS_OF)
        entries.append(
            RunEntry(evidence.customer_id, "produced", pack.path.name, pack.level, pack.top_reason)
        )
    entries.append(RunEntry("customer-3", "failed", note="no answer"))
    report = RunReport("run-1", AS_OF, AS_OF, AS_OF, "0.1.0", 1, tuple(entries))
    (out / "run.json").write_text(json.dumps(report.to_document()))
    return out


def test_the_run_shows_who_is_in_it_worst_first(place: Path) -> None:
    run = kp.open_run(place)
    assert len(run) == 3
    assert run.overview["customer_id"].tolist()[:2] == ["customer-3", "customer-2"]
    assert run.overview.set_index("customer_id").loc["customer-2", "level"] == "reject"


def test_frames_are_those_of_the_packs_with_their_dtypes(place: Path) -> None:
    run = kp.open_run(place)
    single = kp.flatten(clear_customer())
    assert dict(run.frames.customers.dtypes.astype(str)) == dict(single.customers.dtypes.astype(str))
    assert len(run.frames.checks) == len(kp.flatten(rejected().make()).checks) + len(single.checks)
    assert set(run.triage.findings["customer_id"]) == {single.customers["customer_id"].iloc[0], "customer-2"}
    assert all(isinstance(ids, list) for ids in run.triage.findings["evidence_ids"])
    with pytest.raises(AttributeError, match="there are"):
        run.frames.no_such_frame  # noqa: B018 - the access is the test


def test_a_customer_is_found_by_a_part_of_the_name_and_opened(place: Path) -> None:
    run = kp.open_run(place)
    found = run.find("quillF")
    assert found["customer_id"].tolist() == ["customer-2"]
    customer = run.customer("customer-2")
    assert customer.findings["level"].iloc[0] == "reject"
    assert "<code>.findings</code>" in customer._repr_html_()
    assert customer.review_pdf is not None
    assert customer.review_pdf.is_file()
    assert run.customer("customer-3").review_pdf is None
    with pytest.raises(InputError, match="not among the 3"):
        run.customer("nobody")


def test_without_an_argument_the_name_is_asked_for_unseen(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("getpass.getpass", lambda _prompt: NAME)
    assert len(kp.open_run(place).find()) == 1
    monkeypatch.setattr(builtins, "get_ipython", lambda: None, raising=False)
    assert len(kp.open_run(place).find()) == 1
    with pytest.warns(UserWarning, match="stays in this notebook"):
        kp.open_run(place).find(NAME)


@pytest.mark.parametrize("nobody", [EOFError, GetPassWarning, StdinNotImplementedError])
def test_where_nobody_can_be_asked_the_name_is_wanted_as_an_argument(
    place: Path, monkeypatch: pytest.MonkeyPatch, nobody: type[Exception]
) -> None:
    def ask(_prompt: str) -> str:
        raise nobody

    monkeypatch.setattr("getpass.getpass", ask)
    with pytest.raises(InputError, match=r"run\.find\('smith'\)"):
        kp.open_run(place).find()


def test_what_is_printed_names_nobody(place: Path) -> None:
    run = kp.open_run(place)
    shown = repr(run) + run._repr_html_() + repr(run.frames) + repr(run.customer("customer-2"))
    assert NAME not in shown
    assert RECORD["lastName"] not in shown
    assert "reject 1" in repr(run)


def test_two_runs_are_compared_by_customer(place: Path, tmp_path: Path) -> None:
    document: dict[str, Any] = json.loads((place / "run.json").read_text())
    entries = {entry["customer_id"]: entry for entry in document["entries"]}
    entries["customer-2"]["level"] = "review"
    entries["customer-4"] = entries.pop("customer-3") | {"customer_id": "customer-4"}
    document["entries"] = list(entries.values())
    (tmp_path / "run.json").write_text(json.dumps(document))
    moved = kp.open_run(place).compare(kp.open_run(tmp_path)).set_index("customer_id")
    assert moved["change"].to_dict() == {"customer-2": "changed", "customer-3": "new", "customer-4": "gone"}
    assert moved.loc["customer-2", ["level_before", "level_now"]].tolist() == ["review", "reject"]
    assert kp.open_run(place).compare(kp.open_run(place)).empty
    assert kp.open_run(place).compare(place).empty
    assert kp.open_run(place).changes(str(place)).empty


def test_the_workbook_of_a_run_says_whose_each_row_is(place: Path, tmp_path: Path) -> None:
    path = kp.open_run(place).to_excel(tmp_path / "run.xlsx")
    assert path.stat().st_mode & 0o077 == 0
    with zipfile.ZipFile(path) as book:
        texts = book.read("xl/sharedStrings.xml").decode()
        assert b'name="overview"' in book.read("xl/workbook.xml")
    assert "<t>customer_id</t>" in texts
    assert texts.count("<t>customer-2</t>") == 1


@pytest.mark.parametrize("content", ["", "{}", "[1]", '{"schema": "other"}'])
def test_what_is_not_a_run_is_refused_by_name(tmp_path: Path, content: str) -> None:
    with pytest.raises(InputError, match=r"run\.json"):
        kp.open_run(tmp_path)
    (tmp_path / "run.json").write_text(content)
    with pytest.raises(InputError):
        kp.open_run(tmp_path)


def test_a_run_without_packs_has_empty_frames(tmp_path: Path) -> None:
    report = RunReport("run-1", AS_OF, AS_OF, AS_OF, "0.1.0", 1, (RunEntry("customer-1", "failed"),))
    (tmp_path / "run.json").write_text(json.dumps(report.to_document()))
    run = kp.open_run(tmp_path)
    assert run.frames.transactions.empty
    assert "amount_minor" in run.frames.transactions
    assert isinstance(run.wealth.streams, pd.DataFrame)


def test_a_relative_path_is_said_to_start_at_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="reports/demo starts at ") as refused:
        kp.open_run("reports/demo")
    assert str(tmp_path) in str(refused.value)
