from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import kycpack.batch
from kycpack.batch import RunEntry, RunReport
from kycpack.cli.runs.run_table import show
from kycpack.errors import ConfigurationError
from kycpack.evidence import load_evidence
from kycpack.pack.check.printed_values import html_text
from kycpack.pack.notebooks.review_notebook import OWN_NOTEBOOK
from kycpack.render import render_index_html

if TYPE_CHECKING:
    from tests.cli.conftest import Town

UNKNOWN = "00000000-0000-4000-8000-000000000000"


def _pack(town: Town, out: Path, *arguments: str) -> tuple[int, dict[str, Any]]:
    answer = town.run("batch", *arguments, "--out", str(out), "--as-of", "2026-06-01T12:00:00Z", "--json")
    return answer.exit_code, json.loads(answer.stdout)


def test_packs_are_made_once_and_a_failure_stays_alone(town: Town, tmp_path: Path) -> None:
    customers = tmp_path / "customers.csv"
    customers.write_text("customer_id\n" + "\n".join([*town.customers[:2], UNKNOWN]) + "\n")
    code, run = _pack(town, tmp_path / "out", "--customers", str(customers))
    assert code == 1
    assert (run["in_scope"], run["produced"], run["failed"]) == (3, 2, 1)
    produced, _, failed = run["entries"]
    assert (tmp_path / "out" / produced["pack"] / "bagit.txt").is_file()
    assert "not found (404)" in failed["note"]
    said = run["population"]
    assert (said["scope"], said["in_scope"]) == ("file", 3)
    assert (
        said["in_register"] == said["listed"] >= len(town.customers)
    )  # other tests add customers of their own
    assert said["missing_from_register"] == said["missing_from_service"] == [UNKNOWN]
    assert said["left_out_of_register"] == said["left_out_of_service"]
    assert town.customers[2] in said["left_out_of_register"]
    assert not {*town.customers[:2]} & {*said["left_out_of_register"]}
    assert UNKNOWN in said["without_session"]
    manifest = json.loads((tmp_path / "out" / "run-manifest.json").read_bytes())
    assert manifest["population"] == said
    assert (tmp_path / "out" / failed["evidence"] / "index.json").is_file()
    assert json.loads((tmp_path / "out" / "run.json").read_bytes()) == run
    page = (tmp_path / "out" / "index.html").read_text()
    assert f"{produced['pack']}/data/report/review.pdf" in page
    assert not list((tmp_path / "out").glob(".*.partial"))

    code, again = _pack(town, tmp_path / "out", *town.customers[:2])
    assert code == 0
    assert (again["in_scope"], again["unchanged"]) == (2, 2)
    first = again["entries"][0]
    assert first["level"] == produced["level"]
    kept = tmp_path / "out" / first["evidence"]
    assert load_evidence(kept).root == first["checked_root"]
    assert town.run("verify", str(tmp_path / "out")).exit_code == 0
    (kept / "index.json").unlink()
    missing = town.run("verify", str(tmp_path / "out"))
    assert missing.exit_code == 1
    assert f"the evidence of customer {first['customer_id']} is missing" in missing.output


def test_one_pack_is_made_from_evidence_that_was_kept(town: Town, tmp_path: Path) -> None:
    customer = town.customers[2]
    town.run("collect", customer, "--out", str(tmp_path / "evidence"))
    answer = town.run(
        "review",
        str(tmp_path / "evidence" / customer),
        "--out",
        str(tmp_path / "packs"),
        "--as-of",
        "2026-06-01",
        "--case",
        "case-7",
        "--json",
        KYCPACK_BASE_URL="",
    )
    assert answer.exit_code == 0, answer.stderr
    result = json.loads(answer.stdout)
    assert result["customer_id"] == customer
    manifest = json.loads((Path(result["path"]) / "data" / "manifest.json").read_bytes())
    assert manifest["case"]["id"] == "case-7"
    assert manifest["as_of"] == "2026-06-01T23:59:59Z"


def test_evidence_that_was_altered_is_wrong_input(town: Town, tmp_path: Path) -> None:
    customer = town.customers[1]
    town.run("collect", customer, "--out", str(tmp_path))
    (tmp_path / customer / "E-01.json").write_bytes(b"{}")
    answer = town.run("review", str(tmp_path / customer), "--out", str(tmp_path / "packs"))
    assert answer.exit_code == 2
    assert "E-01.json was altered" in answer.stderr
    assert not list((tmp_path / "packs").glob("*/bagit.txt"))


def test_wrong_usage_makes_nothing(town: Town, tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    assert town.run("batch", "--out", out).exit_code == 2
    assert town.run("batch", "c-1", "--all", "--out", out).exit_code == 2
    assert town.run("batch", "c-1", "--out", out, "--as-of", "yesterday").exit_code == 2
    refused = town.run("batch", "c-1", "--out", out, "--as-of", "2999-12-31")
    assert (refused.exit_code, "2999-12-31 is in the future" in refused.output) == (2, True)
    (tmp_path / "nobody.csv").write_text("customer_id\n")
    refused = town.run("batch", "--customers", str(tmp_path / "nobody.csv"), "--out", out)
    assert (refused.exit_code, "names no customers" in refused.stderr) == (2, True)
    (tmp_path / "nobody.db").touch(0o600)
    refused = town.run("batch", "--all", "--out", out, KYCPACK_WORKSPACE=str(tmp_path / "nobody.db"))
    assert (refused.exit_code, "the register of the workspace has no customers" in refused.stderr) == (
        2,
        True,
    )
    for step in (".", ".."):
        refused = town.run("batch", step, "--out", out)
        assert (refused.exit_code, f"{step} is not an id" in refused.stderr) == (2, True)
    for country in ("XX", "gbr"):
        refused = town.run("batch", "c-1", "--out", out, "--country", country)
        assert refused.exit_code == 2
        assert "two-letter code" in refused.output
    assert town.run("batch", "c-1", "--out", out, KYCPACK_BASE_URL="", KYCPACK_KEY_ID="").exit_code == 2
    assert not (tmp_path / "out").exists()
    (tmp_path / "file").write_text("not a folder")
    assert town.run("batch", "c-1", "--out", str(tmp_path / "file" / "out")).exit_code == 2


def test_a_long_run_shows_what_failed_and_counts_the_rest(capsys: pytest.CaptureFixture[str]) -> None:
    entries = [RunEntry(f"good-{number}", "produced", level="review") for number in range(60)]
    show(_report(*entries, RunEntry("bad-1", "failed", note="TransportError: no answer")), Path("out"))
    shown = capsys.readouterr()
    assert "bad-1" in shown.out
    assert "good-1" not in shown.out
    assert "60 review" in shown.err
    assert "61 in scope = 60 produced + 0 incomplete + 1 failed + 0 skipped + 0 unchanged" in shown.err
    assert "open out/index.html, and check the packs with: kycpack verify out\n" in shown.err


def test_the_next_command_can_be_pasted_whatever_the_folder_is_called(
    capsys: pytest.CaptureFixture[str],
) -> None:
    show(_report(RunEntry("c-1", "produced", level="review")), Path("my packs/nächt"))
    command = capsys.readouterr().err.rpartition("with: ")[2]
    assert shlex.split(command) == ["kycpack", "verify", "my packs/nächt"]


def test_a_long_run_without_failures_shows_no_empty_table(capsys: pytest.CaptureFixture[str]) -> None:
    show(
        _report(*(RunEntry(f"good-{number}", "produced", level="review") for number in range(60))),
        Path("out"),
    )
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "are shown" not in shown.err


def test_a_long_list_of_failures_says_how_many_it_shows(capsys: pytest.CaptureFixture[str]) -> None:
    show(
        _report(*(RunEntry(f"bad-{number}", "failed", note="no answer") for number in range(60))), Path("out")
    )
    shown = capsys.readouterr()
    assert shown.out.count("bad-") == 50
    assert "50 of 60 failed or incomplete customers are shown" in shown.err


def test_the_table_has_the_order_and_the_shares_of_the_index(capsys: pytest.CaptureFixture[str]) -> None:
    entries = (
        RunEntry("c-fine", "produced", "c-fine", "approve", explained_share=1.0),
        RunEntry("c-little", "produced", "c-little", "review", explained_share=0.002),
        RunEntry("c-none", "produced", "c-none", "reject"),
        RunEntry("c-failed", "failed", note="no answer"),
    )
    report = _report(*entries)
    show(report, Path("out"))
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    shown = {line[0]: line for line in lines if line and line[0].startswith("c-")}
    page = html_text(render_index_html(report.to_document()))
    assert list(shown) == ["c-failed", "c-none", "c-little", "c-fine"]
    assert sorted(shown, key=page.index) == list(shown)
    assert "0.2%" in shown["c-little"]
    assert "0.2%" in page
    assert "100.0%" in shown["c-fine"]
    assert "no credits" in " ".join(shown["c-none"])
    assert "no credits" in page


def _report(*entries: RunEntry) -> RunReport:
    return RunReport(
        run_id="r",
        as_of="2026-06-01T00:00:00Z",
        started_at="",
        finished_at="",
        code_version="",
        workers=1,
        entries=entries,
    )


def test_a_run_in_an_object_store_is_to_be_checked_there(capsys: pytest.CaptureFixture[str]) -> None:
    stamp = "2026-06-01T00:00:00Z"
    report = RunReport(
        "r", stamp, stamp, stamp, "", 1, (RunEntry("a", "produced", pack="a", level="review"),)
    )
    show(report, Path("uploads"), checked="s3://bucket/packs")
    shown = capsys.readouterr().err
    assert "open uploads/index.html" in shown
    assert "verify s3://bucket/packs\n" in shown


def test_runs_are_listed_and_what_failed_is_done_again(town: Town, tmp_path: Path) -> None:
    out = tmp_path / "out"
    town.run("batch", town.customers[1], UNKNOWN, "--out", str(out), "--json")
    listed = json.loads(town.run("runs", "list", "--json").stdout)["items"]
    (run,) = (each for each in listed if each["output"] == str(out.resolve()))
    assert (run["state"], run["counts"]) == ("finished", {"produced": 1, "failed": 1})
    failed = json.loads(town.run("runs", "failed", run["run_id"], "--json").stdout)
    assert [each["customer_id"] for each in failed["items"]] == [UNKNOWN]
    again = town.run("runs", "retry", run["run_id"], "--json")
    assert again.exit_code == 1
    report = json.loads(again.stdout)
    assert (report["run_id"], report["skipped"], report["failed"]) == (run["run_id"], 1, 1)
    assert town.run("runs", "show", "none").exit_code == 2
    town.run("batch", town.customers[1], "--out", str(tmp_path / "well"), "--json")
    listed = json.loads(town.run("runs", "list", "--json").stdout)["items"]
    (well,) = (each["run_id"] for each in listed if each["output"] == str((tmp_path / "well").resolve()))
    assert "no customer failed or is unfinished" in town.run("runs", "failed", well).stderr
    nothing = town.run("runs", "retry", well)
    assert (nothing.exit_code, nothing.stdout) == (0, "")
    assert "nothing to retry" in nothing.stderr
    for command in (("list",), ("show", run["run_id"])):
        shown = town.run("runs", *command)
        assert shown.exit_code == 0
        assert run["run_id"] in shown.stdout


def test_a_retry_is_of_the_same_run_with_its_notebook_or_is_refused(town: Town, tmp_path: Path) -> None:
    out, notebook = tmp_path / "out", tmp_path / "our_review.ipynb"
    cells = json.loads(OWN_NOTEBOOK.read_text("utf-8"))
    ours = {"cell_type": "markdown", "id": "ours", "metadata": {}, "source": ["## Our own section"]}
    cells["cells"][-2:-2] = [ours]
    notebook.write_text(json.dumps(cells), encoding="utf-8")
    _pack(town, out, town.customers[1], UNKNOWN, "--notebook", str(notebook))
    listed = json.loads(town.run("runs", "list", "--json").stdout)["items"]
    (run,) = (each for each in listed if each["output"] == str(out.resolve()))
    refused = town.run("runs", "retry", run["run_id"], KYCPACK_ANALYST="Somebody Else")
    assert refused.exit_code == 2
    assert "analyst" in refused.stderr
    kept = json.loads(town.run("runs", "show", run["run_id"], "--json").stdout)
    assert (kept["state"], kept["finished_at"]) == ("finished", run["finished_at"])
    report = json.loads(town.run("runs", "retry", run["run_id"], "--json").stdout)
    assert (report["run_id"], report["skipped"], report["failed"]) == (run["run_id"], 1, 1)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("KYCPACK_BASE_URL", "127.0.0.1:8080"),
        ("KYCPACK_BASE_URL", "ftp://127.0.0.1"),
        ("KYCPACK_BASE_URL", "https://kyc example.com"),
        ("KYCPACK_BASE_URL", "https://127.0.0.1:80800"),
        ("KYCPACK_BASE_URL", "http://kyc.example.com"),
        ("KYCPACK_SECRET", "hunter2!"),
        ("KYCPACK_SECRET", "c2hvcnQ="),
    ],
)
def test_a_setting_that_cannot_be_used_is_named_before_a_run_begins(
    town: Town, tmp_path: Path, setting: str, value: str
) -> None:
    out = str(tmp_path / "out")
    for words in (("batch", town.customers[0]), ("batch", "--all"), ("watch", "--once"), ("doctor",)):
        answer = town.run(*words, "--out", out, **{setting: value})
        assert answer.exit_code == 2, words
        assert setting in answer.output
        assert "cannot be used" in answer.output
        if setting == "KYCPACK_SECRET":
            assert value not in answer.output
    assert list(tmp_path.iterdir()) == []


def test_no_pack_imports_the_command_line_anew(
    town: Town, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run_batch(*_: Any, task: Any, **_other: Any) -> None:
        # The last of them freezes what was imported before it.
        assert task.preload.index("kycpack.cli") < task.preload.index("kycpack.pack.preload")
        raise ConfigurationError("seen")

    monkeypatch.setattr(kycpack.batch, "run_batch", run_batch)
    answer = town.run("batch", town.customers[0], "--out", str(tmp_path / "out"))
    assert (answer.exit_code, "seen" in answer.stderr) == (2, True)
