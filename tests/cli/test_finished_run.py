"""`show` and `find`: what the notebook answers, the terminal answers too."""

from __future__ import annotations

import getpass
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.frames.evidence_maker import RECORD, RESULTS, STATUS, EvidenceMaker, clear_customer
from typer.testing import CliRunner, Result

import kycpack as kp
from kycpack.batch.report import RunEntry, RunReport
from kycpack.cli import app
from kycpack.settings import Settings

AS_OF = "2026-06-01T23:59:59Z"
NAME = "Quillfeather"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("run")
    made = EvidenceMaker("customer-2")
    made.answer("customers.get", {**RECORD, "id": "customer-2", "lastName": NAME})
    summary = {**RESULTS["screening"]["summary"], "pep": {"level1": "attention", "level2": "attention"}}
    results = {**RESULTS, "screening": {**RESULTS["screening"], "summary": summary}}
    made.session(results, {**STATUS, "id": "s2"}, session_id="s2")
    entries = []
    for evidence in (clear_customer(), made.make()):
        pack = kp.write_pack(evidence, out, as_of=AS_OF)
        entries.append(
            RunEntry(evidence.customer_id, "produced", pack.path.name, pack.level, pack.top_reason)
        )
    entries.append(RunEntry("customer-3", "failed", note="no answer"))
    report = RunReport("run-1", AS_OF, AS_OF, AS_OF, "0.1.0", 1, tuple(entries))
    (out / "run.json").write_text(json.dumps(report.to_document()))
    return out


def run(place: Path, *words: str) -> Result:
    return CliRunner().invoke(app, [*words, "--run", str(place)])


def found(place: Path, *words: str) -> list[str]:
    answer = run(place, "find", *words, "--json")
    assert answer.exit_code == 0, answer.output
    return [row["customer_id"] for row in json.loads(answer.stdout)["items"]]


def test_a_customer_is_shown_with_the_level_and_the_findings_and_without_a_name(place: Path) -> None:
    shown = run(place, "show", "customer-2")
    assert shown.exit_code == 0, shown.output
    assert str(kp.open_run(place).customer("customer-2").entry.level) in shown.stdout
    assert "HIT" in shown.stdout
    assert NAME not in shown.stdout
    document = json.loads(run(place, "show", "customer-2", "--json").stdout)
    expected = kp.open_run(place).customer("customer-2")
    assert document["level"] == expected.entry.level
    assert [row["sentence"] for row in document["findings"]] == expected.findings["sentence"].tolist()


def test_a_later_pack_beside_that_of_the_run_is_named(place: Path, tmp_path: Path) -> None:
    copied = tmp_path / "run"
    shutil.copytree(place, copied)
    own = kp.open_run(copied).customer("customer-2").folder
    assert own is not None
    assert json.loads(run(copied, "show", "customer-2", "--json").stdout)["later_pack"] is None
    shutil.copytree(own, own.with_name(f"{own.name}+2"))
    own.with_name(f"{own.name}+latest").write_text(f"{own.name}+2\n")
    assert json.loads(run(copied, "show", "customer-2", "--json").stdout)["later_pack"] == f"{own}+2"
    assert "later pack" in run(copied, "show", "customer-2").stdout


def test_a_customer_who_failed_is_shown_with_the_reason(place: Path) -> None:
    document = json.loads(run(place, "show", "customer-3", "--json").stdout)
    assert (document["outcome"], document["note"], document["findings"]) == ("failed", "no answer", [])
    assert run(place, "show", "nobody").exit_code == 2


def test_pep_names_the_hits_and_what_is_not_known(place: Path) -> None:
    answer = json.loads(run(place, "find", "--pep", "--json").stdout)["items"]
    assert {row["customer_id"]: row["pep"] for row in answer}["customer-2"] == "HIT"
    assert "1 have no pack" in run(place, "find", "--pep").stderr


def test_conditions_hold_together(place: Path) -> None:
    level = kp.open_run(place).customer("customer-2").entry.level
    assert found(place, "--pep", "--level", str(level)) == ["customer-2"]
    assert found(place, "--pep", "--level", "approve") == []
    assert run(place, "find", "--level", "fine").exit_code == 2


def test_documents_that_expire_are_counted_from_the_day_of_the_run(place: Path) -> None:
    opened = kp.open_run(place)
    documents = opened.frames.documents.dropna(subset=["expires_on"])
    days = (documents["expires_on"].iloc[0].date() - opened.as_of.date()).days
    assert found(place, "--expiring", str(days))
    assert found(place, "--expiring", str(days - 1)) == []


def test_a_name_is_asked_for_where_nothing_is_given(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("getpass.getpass", lambda _: NAME)
    assert found(place) == ["customer-2"]
    assert NAME not in run(place, "find").output


def test_the_secret_goes_into_the_keyring_and_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    keyring = pytest.importorskip("keyring")
    kept: dict[tuple[str, str], str] = {}
    monkeypatch.setattr(keyring, "set_password", lambda *words: kept.update({words[:2]: words[2]}))
    monkeypatch.setattr(keyring, "get_password", lambda *words: kept.get(words))
    monkeypatch.setattr(keyring, "delete_password", lambda *words: kept.pop(words))
    monkeypatch.setattr(getpass, "getpass", lambda _: "a-secret")
    answer = CliRunner().invoke(app, ["login", "--key-id", "key-1"])
    assert answer.exit_code == 0, answer.output
    assert "a-secret" not in answer.output
    assert Settings.load(key_id="key-1", environ={}).secret == "a-secret"
    assert CliRunner().invoke(app, ["login", "--key-id", "key-1", "--remove"]).exit_code == 0
    assert kept == {}


@pytest.mark.parametrize(
    ("words", "variable"),
    [
        (("login", "--key-id", "key-1"), "KYCPACK_SECRET"),
        (("sign", ".", "--key", __file__), "KYCPACK_SIGNING_PASSPHRASE"),
    ],
)
def test_a_secret_is_not_asked_for_without_a_terminal(words: tuple[str, ...], variable: str) -> None:
    if words[0] == "sign":
        pytest.importorskip("pyhanko")
    done = subprocess.run(  # noqa: S603 - the words of this test
        [sys.executable, "-m", "kycpack", *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        start_new_session=True,
    )
    assert done.returncode == 2
    assert "typed in a terminal" in done.stderr
    assert variable in done.stderr


@pytest.mark.parametrize("command", [("show", "customer-2"), ("find", "--pep")])
def test_without_a_run_in_the_usual_folder_the_error_names_the_option(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = CliRunner().invoke(app, [*command])
    assert answer.exit_code == 2
    said = " ".join(answer.stderr.split())
    assert "--run: reports/batch does not have a run.json" in said


def test_the_readme_and_the_tutorial_name_the_run_wherever_they_show_a_customer(checkout: Path) -> None:
    for page in ("README.md", "docs/tutorial.md", "docs/cookbook.md"):
        text = " ".join((checkout / page).read_text().split())
        assert text.count("kycpack show CUSTOMER_ID --run reports/demo") == 1, page
        assert text.count("kycpack show CUSTOMER_ID") == 1, page
