"""What an operator's monitor learns of a batch: the log, the command for failures, and the warning about the disk."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import stat
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from kycpack.batch import RunEntry
from kycpack.cli.exit_codes import exit_code_of
from kycpack.cli.failure_command import run_failure_command
from kycpack.cli.runs.disk_estimate import disk_warning
from kycpack.cli.runs.run_log import RunLog
from kycpack.errors import ConfigurationError

if TYPE_CHECKING:
    from tests.cli.conftest import Town

UNKNOWN = "00000000-0000-4000-8000-000000000000"
ALERT = """
import json, os, sys
open(sys.argv[1], "w").write(json.dumps([sys.argv[2:], dict(os.environ)]))
print("the alert was sent")
"""


def _lines(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text().splitlines()]


def _alert(tmp_path: Path) -> tuple[str, Path]:
    script, sent = tmp_path / "alert.py", tmp_path / "alert.json"
    script.write_text(ALERT)
    return shlex.join([sys.executable, str(script), str(sent), "to; the operator", "$HOME"]), sent


def _environment(sent: Path) -> Mapping[str, str]:
    words, environment = json.loads(sent.read_text())
    assert words == ["to; the operator", "$HOME"]  # no shell has read them
    assert isinstance(environment, dict)
    return environment


def test_the_log_has_the_run_and_each_customer_without_names_or_reasons(
    town: Town, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, out = tmp_path / "batch.jsonl", tmp_path / "out"
    log.write_text('{"half a line')
    log.chmod(0o644)
    command, sent = _alert(tmp_path)
    given = ("batch", town.customers[1], "--out", str(out), "--as-of", "2026-06-01", "--json")
    answer = town.run(*given, "--log-file", str(log), "--on-failure", command)
    assert answer.exit_code == 0, answer.stderr
    run = json.loads(answer.stdout)
    torn, *whole = log.read_text().splitlines()
    assert torn == '{"half a line'
    started, customer, ended = (json.loads(line) for line in whole)
    assert {one["run_id"] for one in (started, customer, ended)} == {run["run_id"]}
    assert (started["event"], started["in_scope"], started["skipped"]) == ("run_started", 1, 0)
    (entry,) = run["entries"]
    assert set(customer) == {"event", "at", "run_id", "customer_id", "outcome", "level", "cause", "seconds"}
    assert [customer[name] for name in ("customer_id", "outcome", "level", "cause", "seconds")] == [
        entry["customer_id"],
        "produced",
        entry["level"],
        None,
        entry["seconds"],
    ]
    counts = {"produced": 1, "incomplete": 0, "failed": 0, "skipped": 0, "unchanged": 0}
    assert (ended["event"], ended["counts"], ended["exit_code"]) == ("run_ended", counts, 0)
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    assert not sent.exists()
    assert town.run("verify", str(out)).exit_code == 0

    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1000))
    again = town.run(*given, "--log-file", str(log))
    assert "warning: 1 pack is expected to need" in again.stderr
    assert json.loads(log.read_text().splitlines()[-1])["counts"]["unchanged"] == 1


def test_a_failed_customer_starts_the_command_without_secrets(town: Town, tmp_path: Path) -> None:
    log, out = tmp_path / "batch.jsonl", tmp_path / "out"
    command, sent = _alert(tmp_path)
    answer = town.run(
        *("batch", UNKNOWN, "--out", str(out), "--json", "--log-file", str(log), "--on-failure", command),
        KYCPACK_SIGNING_PASSPHRASE="a passphrase",
    )
    assert answer.exit_code == 1
    run = json.loads(answer.stdout)  # what the command prints is not in it
    environment = _environment(sent)
    assert environment["KYCPACK_RUN_ID"] == run["run_id"]
    assert environment["KYCPACK_EXIT_CODE"] == "1"
    assert environment["KYCPACK_OUTPUT"] == str(out.resolve())
    assert environment["KYCPACK_KEY_ID"] == town.service.key_id
    assert not {"KYCPACK_SECRET", "KYCPACK_SIGNING_PASSPHRASE"} & set(environment)
    assert town.service.secret not in environment.values()
    _, customer, ended = _lines(log)
    assert (customer["customer_id"], customer["outcome"]) == (UNKNOWN, "failed")
    assert (ended["counts"]["failed"], ended["exit_code"]) == (1, 1)
    assert customer["cause"] == "not found"
    assert "404" not in log.read_text().replace(run["run_id"], "")


def test_a_run_that_is_stopped_is_logged_and_starts_the_command(town: Town, tmp_path: Path) -> None:
    log = tmp_path / "batch.jsonl"
    command, sent = _alert(tmp_path)
    answer = town.run(
        *("batch", UNKNOWN, "--out", str(tmp_path / "out"), "--log-file", str(log), "--on-failure", command),
        KYCPACK_BASE_URL="http://127.0.0.1:9",
    )
    assert answer.exit_code == 2
    assert _environment(sent)["KYCPACK_EXIT_CODE"] == "2"
    _, customer, ended = _lines(log)
    assert customer["cause"] == "unreachable"
    assert ended["exit_code"] == 2


def test_settings_that_are_missing_start_the_command_before_any_run(town: Town, tmp_path: Path) -> None:
    log = tmp_path / "batch.jsonl"
    command, sent = _alert(tmp_path)
    answer = town.run(
        *("batch", UNKNOWN, "--out", str(tmp_path / "out"), "--log-file", str(log), "--on-failure", command),
        KYCPACK_BASE_URL="",
    )
    assert answer.exit_code == 2
    environment = _environment(sent)
    assert (environment["KYCPACK_EXIT_CODE"], environment["KYCPACK_RUN_ID"]) == ("2", "")
    (ended,) = _lines(log)
    assert (ended["event"], ended["run_id"], ended["exit_code"]) == ("run_ended", None, 2)


@pytest.mark.parametrize("command", ["", "  ", "alert 'open", "no-such-program-anywhere"])
def test_a_command_that_could_never_run_is_refused_at_once(town: Town, tmp_path: Path, command: str) -> None:
    out = tmp_path / "out"
    answer = town.run("batch", UNKNOWN, "--out", str(out), "--on-failure", command)
    assert answer.exit_code == 2
    assert "--on-failure" in answer.stderr
    assert not out.exists()


@pytest.mark.parametrize("place", ["out/batch.jsonl", "out/logs/batch.jsonl", "no-folder/batch.jsonl"])
def test_a_log_that_cannot_be_there_is_refused_at_once(town: Town, tmp_path: Path, place: str) -> None:
    command, sent = _alert(tmp_path)
    out = tmp_path / "out"
    answer = town.run(
        *("batch", UNKNOWN, "--out", str(out), "--log-file", str(tmp_path / place), "--on-failure", command)
    )
    assert answer.exit_code == 2
    assert "the log file cannot be" in answer.stderr
    assert _environment(sent)["KYCPACK_EXIT_CODE"] == "2"
    assert not out.exists()


@pytest.mark.parametrize("code", [0, 130])
def test_success_and_ctrl_c_start_no_command(tmp_path: Path, code: int) -> None:
    command, sent = _alert(tmp_path)
    run_failure_command(shlex.split(command), run_id="r", exit_code=code, out=tmp_path)
    assert not sent.exists()
    assert exit_code_of(KeyboardInterrupt()) == 130


def test_a_command_that_hangs_or_fails_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    hangs = (sys.executable, "-c", "import time; time.sleep(60)")
    run_failure_command(hangs, run_id="r", exit_code=1, out=tmp_path, limit_seconds=0.3)
    run_failure_command((sys.executable, "-c", "raise SystemExit(7)"), run_id="r", exit_code=1, out=tmp_path)
    hung, failed = capsys.readouterr().err.splitlines()
    assert "took longer" in hung
    assert "exit code 7" in failed


@pytest.mark.skipif(os.name == "nt", reason="Windows has no process groups")
def test_what_a_command_that_hangs_has_started_is_ended_with_it(tmp_path: Path) -> None:
    alive = tmp_path / "alive"
    script = f"sh -c 'while sleep 0.05; do touch {alive}; done' & wait"
    run_failure_command(("sh", "-c", script), run_id="r", exit_code=1, out=tmp_path, limit_seconds=1.0)
    alive.unlink()
    time.sleep(0.5)
    assert not alive.exists()


def test_an_interrupted_run_counts_what_was_seen(tmp_path: Path) -> None:
    log = RunLog.open(tmp_path / "batch.jsonl", tmp_path / "out")
    log.started("r", 5, 2)
    log.customer(RunEntry("c-1", "incomplete", note="Ada Specimen", top_reason="a reason"))
    log.customer(RunEntry("c-1", "produced", level="review"))
    log.customer(RunEntry("c\u2028\x9b2\n", "failed"))
    log.ended(130, None)
    *_, ended = _lines(tmp_path / "batch.jsonl")
    assert (ended["counts"]["produced"], ended["counts"]["skipped"], ended["counts"]["incomplete"]) == (
        1,
        2,
        0,
    )
    text = (tmp_path / "batch.jsonl").read_text()
    assert "Ada" not in text
    assert text.isascii()
    assert "reason" not in text


def test_a_log_is_not_opened_as_a_folder(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot be opened"):
        RunLog.open(tmp_path, tmp_path / "out")


def test_the_disk_is_compared_with_earlier_packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=10 * 2**20))
    assert disk_warning(tmp_path, 6) == ""
    assert "7 packs are expected to need 10 MB (1.5 MB per pack" in disk_warning(tmp_path, 7)
    assert "8 packs are expected to need 12 MB (" in disk_warning(tmp_path, 8)
    assert "but only 10 MB is free" in disk_warning(tmp_path, 8)
    assert "1.5 GB (" in disk_warning(tmp_path, 1000)
    for name, size in (("a", 2**20), ("b", 3 * 2**20)):
        (tmp_path / name / "data").mkdir(parents=True)
        (tmp_path / name / "bagit.txt").write_text("BagIt")
        (tmp_path / name / "data" / "report").write_bytes(bytes(size))
    (tmp_path / "no pack").mkdir()
    (tmp_path / "no pack" / "large").write_bytes(bytes(9 * 2**20))
    assert disk_warning(tmp_path, 4) == ""  # 2 MiB each, and one block more
    assert "5 packs are expected to need" in disk_warning(tmp_path, 5)
    assert "2 earlier packs" in disk_warning(tmp_path, 5)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("batch", "--customers", "tonight.csv"), "tonight.csv"),
        (("batch", "--customers", "."), "--customers"),
        (("batch", UNKNOWN, "--policy", "policy.yaml"), "policy.yaml"),
        (("batch", UNKNOWN, "--notebook", "ours.ipynb"), "ours.ipynb"),
        (("batch", UNKNOWN, "--country", "Atlantis"), "--country"),
        (("batch", UNKNOWN, "--as-of", "2999-01-01"), "--as-of"),
        (("batch", UNKNOWN, "--workers", "0"), "--workers"),
        (("batch", UNKNOWN, "--no-such-option"), "--no-such-option"),
        (("batch",), "--completed"),
        (("batch", UNKNOWN, "--out", ""), "the output is empty"),
        (("batch", UNKNOWN, "--dask", "tls://127.0.0.1:1"), "KYCPACK_DASK_CA"),
        (("watch", "--once", "--policy", "policy.yaml"), "policy.yaml"),
        (("watch", "--host", "no such host"), "no such host"),
    ],
)
def test_a_command_line_that_cannot_be_used_starts_the_command(
    town: Town, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    command, sent = _alert(tmp_path)
    answer = town.run(words[0], "--out", "out", *words[1:], "--on-failure", command)
    assert answer.exit_code == 2
    assert said in answer.stderr
    environment = _environment(sent)
    assert (environment["KYCPACK_EXIT_CODE"], environment["KYCPACK_RUN_ID"]) == ("2", "")
    assert environment["KYCPACK_OUTPUT"] in {str((tmp_path / "out").resolve()), ""}
    assert "KYCPACK_SECRET" not in environment
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("command", ["batch", "watch"])
@pytest.mark.parametrize("out", ["out", "s3://bucket/packs"])
def test_a_settings_file_that_cannot_be_used_starts_the_command(
    town: Town, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, out: str
) -> None:
    monkeypatch.chdir(tmp_path)
    alert, sent = _alert(tmp_path)
    (tmp_path / "kycpack.toml").write_text("bse_url = 'https://kyc.example.com'\n")
    words = [command, f"--out={out}", f"--on-failure={alert}", *([UNKNOWN] if command == "batch" else [])]
    answer = town.run(*words)
    assert answer.exit_code == 2
    assert "unknown setting 'bse_url'" in answer.stderr
    assert _environment(sent)["KYCPACK_EXIT_CODE"] == "2"


def test_help_starts_no_command(town: Town, tmp_path: Path) -> None:
    command, sent = _alert(tmp_path)
    assert town.run("batch", "--on-failure", command, "--help").exit_code == 0
    assert not sent.exists()
