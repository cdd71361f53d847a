from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.workspace.case_material import MEDIA, decision, open_cases, open_office
from typer.testing import CliRunner, Result

from kycpack.cli import app
from kycpack.cli.options import Occasion
from kycpack.pack.check.printed_values import html_text
from kycpack.workspace.entries.verify_ledger import OCCASIONS, ONLY_INCONSISTENT

if TYPE_CHECKING:
    from tests.cli.conftest import Town


class Desk:
    """People with keys at one workspace, who type commands."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.fingerprint = ""

    def types(self, who: str, *arguments: str) -> Result:
        environment = {
            "KYCPACK_ANALYST": who,
            "KYCPACK_WORKSPACE": str(self.folder / "kycpack.db"),
            "KYCPACK_SIGNING_KEY": str(self.folder / f"{who}.pem"),
            "KYCPACK_LEDGER_ANCHOR": str(self.folder / "elsewhere" / "anchor.jsonl"),
        }
        return CliRunner().invoke(app, list(arguments), env=environment)

    def reads(self, who: str, *arguments: str) -> Any:
        answer = self.types(who, *arguments, "--json")
        assert answer.exit_code == 0, answer.output
        return json.loads(answer.stdout)

    def enrol(self) -> None:
        for who in ("ada", "anna", "mia"):
            made = self.reads(who, "keys", "new", str(self.folder / f"{who}.pem"))
            self.fingerprint = self.fingerprint or made["fingerprint"]
            self.reads("ada", "keys", "enrol", who, "--public-key", made["public_key"])
        self.reads("ada", "keys", "grant", "mia", "MLRO")
        self.reads("ada", "keys", "grant", "mia", "senior_manager")


@pytest.fixture(scope="module")
def desk(town: Town, tmp_path_factory: pytest.TempPathFactory) -> Desk:
    desk = Desk(tmp_path_factory.mktemp("desk"))
    desk.enrol()
    out = desk.folder / "packs"
    made = town.run(
        "batch", *town.customers, "--out", str(out), "--json", KYCPACK_WORKSPACE=str(desk.folder / "none.db")
    )
    assert made.exit_code in {0, 3}, made.output
    opened = desk.reads("ada", "case", "import", str(out))
    assert opened["opened"]
    assert desk.reads("ada", "case", "import", str(out))["opened"] == []
    return desk


def test_a_case_is_decided_by_two_people_and_the_record_verifies(desk: Desk) -> None:
    case = desk.reads("anna", "case", "list")["items"][0]
    shown = desk.reads("anna", "case", "show", case["case_id"])
    named = [each["finding_id"] for each in shown["findings"]]
    evidence = desk.folder / "evidence.json"
    evidence.write_text(
        json.dumps({"list_entry": "OFSI 12345", "list_date": "2026-05-30", "file_sha256": "ab" * 32})
    )
    dispositions = [part for each in named for part in ("--finding", f"{each}=inconclusive")]
    decided = desk.reads(
        "anna", "case", "decide", case["case_id"], "--outcome", "escalate", "--code", "SUSPECTED-MATCH",
        "--text", f"{', '.join(named)}: what was reported cannot be explained by the documents", *dispositions,
        "--version", str(shown["version"]),
    )  # fmt: skip
    assert (decided["state"], decided["effect"]) == ("second_review", "escalate")
    own = desk.types("anna", "case", "approve", case["case_id"], "--text", "I looked once more at the file")
    assert own.exit_code == 2
    assert "anna decided this case" in own.stderr
    closed = desk.reads(
        "mia", "case", "approve", case["case_id"], "--text", "Read the file; it goes to the officer"
    )
    assert closed["state"] == "closed"
    assert case["case_id"] not in desk.types("anna", "case", "list").stdout
    late = desk.types(
        "anna", "case", "decide", case["case_id"], "--outcome", "hold", "--code", "PRECAUTION", "--text", "Hold it for now please"
    )  # fmt: skip
    assert late.exit_code == 2
    assert "is closed: approved by mia" in late.stderr
    out = desk.folder / "export"
    desk.reads("ada", "ledger", "export", str(out))
    report = desk.reads("ada", "ledger", "verify", "--trust", desk.fingerprint)
    assert (report["ok"], report["problems"]) == (True, [])
    alone = [
        sys.executable, "-I", str(out / "verify_ledger.py"), str(out / "ledger.jsonl"),
        "--anchor", str(desk.folder / "elsewhere" / "anchor.jsonl"), "--trust", desk.fingerprint,
    ]  # fmt: skip
    assert subprocess.run(alone, check=False).returncode == 0  # noqa: S603 - our own words
    of_case = desk.folder / "of-case"
    desk.reads("ada", "ledger", "export", str(of_case), "--case", case["case_id"])
    excerpt = of_case / "ledger-excerpt.json"
    assert json.loads(excerpt.read_text())["case_id"] == case["case_id"]
    of_excerpt = [*alone[:2], str(of_case / "verify_ledger.py"), "--excerpt", str(excerpt), *alone[4:]]
    assert subprocess.run(of_excerpt, check=False).returncode == 0  # noqa: S603 - our own words
    assert desk.types("ada", "ledger", "export", str(of_case), "--case", case["case_id"]).exit_code == 2
    packs = desk.folder / "packs"
    made = Path(desk.reads("ada", "case", "pack", case["case_id"], "--packs", str(packs))["pack"])
    assert made.parent == packs
    anchor = str(desk.folder / "elsewhere" / "anchor.jsonl")
    checked = desk.reads(
        "ada", "verify", str(packs), "--ledger-anchor", anchor, "--ledger-key", desk.fingerprint
    )
    assert checked["ok"]
    assert str(made) in {each["pack"] for each in checked["items"]}


@pytest.mark.parametrize(
    "command", [("ledger", "verify", "--anchor"), ("verify", "packs", "--ledger-anchor")]
)
def test_a_file_of_anchors_that_is_not_there_or_empty_is_an_error_where_it_was_named(
    desk: Desk, command: tuple[str, ...]
) -> None:
    (desk.folder / "empty.jsonl").touch()
    typed = [str(desk.folder / each) if each == "packs" else each for each in command]
    empty = desk.types("ada", *typed, str(desk.folder / "empty.jsonl"))
    assert (empty.exit_code, "has no anchor, or is not there" in empty.stderr) == (2, True)
    assert desk.types("ada", *typed, str(desk.folder / "mistyped.jsonl")).exit_code == 2


def test_the_queue_is_shown_written_as_a_page_and_given_as_data(desk: Desk) -> None:
    page = desk.folder / "queue.html"
    shown = desk.types("anna", "case", "queue", "--html", str(page), "--as-of", "2026-06-01")
    assert "Queue" in shown.stdout
    data = desk.reads("anna", "case", "queue", "--as-of", "2026-06-01")
    listed = desk.reads("anna", "case", "list")["items"]
    assert {each["case_id"] for each in data["items"]} == {each["case_id"] for each in listed}
    assert all(each["reason"] for each in data["items"])
    assert data["dates"]
    assert all(each["case_id"] in page.read_text() for each in data["items"])


def test_a_queue_of_a_day_to_come_is_a_preview_in_words_page_and_data(desk: Desk) -> None:
    page = desk.folder / "preview.html"
    shown = desk.types("anna", "case", "queue", "--html", str(page), "--as-of", "2126-06-01")
    assert "A preview of 1 Jun 2126: the cases as they are today" in shown.output
    assert "A preview of 1 Jun 2126" in page.read_text()
    data = desk.reads("anna", "case", "queue", "--as-of", "2126-06-01")
    assert data["preview"].startswith("A preview of 1 Jun 2126")
    today = desk.reads("anna", "case", "queue")
    assert (today["preview"], today["as_of"] < data["as_of"]) == ("", True)
    assert "preview" not in desk.types("anna", "case", "queue").output


def test_the_list_and_the_queue_say_which_date_is_due(desk: Desk) -> None:
    due = [each for each in desk.reads("anna", "case", "list")["items"] if each["due_on"]]
    assert due
    assert {each["due_kind"] for each in due} <= {"media", "session", "bank_access", "document"}
    assert "(bank access)" in " ".join(desk.types("anna", "case", "list").stdout.split())
    assert {each["due_kind"] for each in desk.reads("anna", "case", "queue")["items"]} >= {
        each["due_kind"] for each in due
    }


def test_customers_of_a_run_are_compared_with_each_other(desk: Desk) -> None:
    found = desk.reads("anna", "case", "duplicates", str(desk.folder / "packs"))
    assert found["not_compared"] == []
    assert all(each["customer_id"] < each["other_customer_id"] for each in found["items"])


@pytest.mark.parametrize(
    ("run", "said"),
    [
        ("no-such-run", "there is no run no-such-run"),
        ("packs", "cleared no customer without a person's decision"),
    ],
)
def test_a_sample_of_a_run_that_is_unknown_or_cleared_nobody_is_refused(
    desk: Desk, run: str, said: str
) -> None:
    place = str(desk.folder / run) if run == "packs" else run
    answer = desk.types("anna", "case", "sample", "draw", place, "--size", "5", "--seed", "1")
    assert answer.exit_code == 2
    assert said in answer.stderr


def test_a_report_of_suspicion_is_read_by_the_officer_alone(desk: Desk) -> None:
    store = str(desk.folder / "reports.jsonl")
    key = desk.reads("mia", "internal-report", "key", str(desk.folder / "mlro.pem"))
    desk.types("mia", "internal-report", "setup", store, "--public-key", key["public_key"])
    added = CliRunner().invoke(
        app,
        ["internal-report", "add", store, "c-1"],
        input="Asked how to stay below the amount that is reported",
        env={"KYCPACK_ANALYST": "anna"},
    )
    assert added.exit_code == 0, added.output
    (read,) = desk.reads("mia", "internal-report", "read", store, "--key", str(desk.folder / "mlro.pem"))[
        "items"
    ]
    assert (read["customer_id"], read["reported_by"]) == ("c-1", "anna")
    assert (
        desk.types("anna", "internal-report", "read", store, "--key", str(desk.folder / "anna.pem")).exit_code
        == 2
    )
    log = desk.reads("mia", "internal-report", "log", store)["items"]
    assert [each["kind"] for each in log] == ["set_up", "read"]


def test_what_is_typed_wrongly_is_named_and_changes_nothing(desk: Desk) -> None:
    case_id = desk.reads("anna", "case", "list", "--closed")["items"][-1]["case_id"]
    before = desk.reads("ada", "ledger", "list")["items"]
    decide = (
        "case",
        "decide",
        case_id,
        "--outcome",
        "approve",
        "--code",
        "REVIEWED",
        "--text",
        "Looked at all of it",
    )
    for arguments, said in (
        ((*decide, "--finding", "F-1"), "expected ID="),
        ((*decide, "--evidence", "F-1=missing.json"), "is not a JSON file"),
        ((*decide, "--until", "soon"), "expected a date"),
        (("case", "show", "no-such-case"), "there is no case no-such-case"),
        (("case", "list", "--state", "done"), "expected one of"),
        (("case", "import", str(desk.folder)), "run.json"),
        (("keys", "grant", "anna", "MLRO"), "only an administrator"),
    ):
        answer = desk.types("anna", *arguments)
        assert answer.exit_code == 2, arguments
        assert said in answer.stderr, answer.stderr
    unnamed = desk.types("", "case", "wait", case_id, "--reason", "Asked for a letter")
    assert unnamed.exit_code == 2
    assert desk.reads("ada", "ledger", "list")["items"] == before


def test_work_on_a_case_is_shown_with_who_and_why(desk: Desk) -> None:
    case_id = desk.reads("anna", "case", "list")["items"][-1]["case_id"]
    desk.reads("anna", "case", "assign", case_id, "mia")
    desk.reads("mia", "case", "wait", case_id, "--reason", "Asked for a letter")
    customer_id = desk.reads("anna", "case", "show", case_id)["customer_id"]
    assert desk.reads("anna", "case", "show", customer_id)["case_id"] == case_id
    shown = desk.types("anna", "case", "show", case_id).stdout
    assert "waiting for customer" in shown
    assert "Asked for a letter" in shown
    assert "mia" in desk.types("anna", "keys", "list").stdout


@pytest.fixture
def past(tmp_path: Path) -> dict[str, str]:
    """A workspace without keys, of years ago: one case approved until then, two decided with one text."""
    for office in open_office(tmp_path / "kycpack.db", tmp_path, keys=False):
        office.clock.moment = datetime(2020, 6, 1, tzinfo=UTC)
        open_cases(office, {name: ("review", [MEDIA]) for name in ("c-1", "c-2")})
        for name in ("c-1", "c-2"):
            case = office.cases.of_customer(name)[0]
            wanted = replace(decision("approve", "REVIEWED", F_1="accepted"), until=date(2020, 7, 1))
            office.cases.decide(case.case_id, wanted, version=1, actor=office.people["anna"])
    return {"KYCPACK_ANALYST": "ben", "KYCPACK_WORKSPACE": str(tmp_path / "kycpack.db")}


@pytest.mark.parametrize("command", ["list", "queue"])
def test_an_approval_that_has_ended_is_back_in_the_list_without_any_run(
    past: dict[str, str], command: str
) -> None:
    listed = json.loads(CliRunner().invoke(app, ["case", command, "--json"], env=past).stdout)
    assert sorted(each["customer_id"] for each in listed["items"]) == ["c-1", "c-2"]


def test_a_text_that_was_used_before_is_marked_where_a_case_is_shown(past: dict[str, str]) -> None:
    environment = {**past, "COLUMNS": "300"}
    first, second = (
        CliRunner().invoke(app, ["case", "show", name], env=environment).stdout for name in ("c-1", "c-2")
    )
    assert "the same text was used in 1 earlier decision]" in second
    assert "the same text" not in first


def test_a_batch_opens_cases_and_anchors_the_ledger(town: Town, tmp_path: Path) -> None:
    place = tmp_path / "kycpack.db"
    known = tmp_path / "known.csv"
    known.write_text(f"customer_id\n{town.customers[1]}\n")
    town.run("register", "import", str(known), KYCPACK_WORKSPACE=str(place))
    made = town.run(
        "batch", town.customers[1], "--out", str(tmp_path / "packs"), KYCPACK_WORKSPACE=str(place)
    )
    assert "cases: 1 opened" in made.stderr
    (opened,) = json.loads(town.run("case", "list", "--json", KYCPACK_WORKSPACE=str(place)).stdout)["items"]
    manifest = json.loads((tmp_path / "packs" / town.customers[1] / "data" / "manifest.json").read_bytes())
    assert manifest["case"]["id"] == opened["case_id"]
    anchors = [json.loads(line) for line in (tmp_path / "ledger-anchor.jsonl").read_text().splitlines()]
    assert [each["reason"] for each in anchors] == ["run"]
    checked = town.run("ledger", "verify", "--json", KYCPACK_WORKSPACE=str(place))
    report = json.loads(checked.stdout)
    assert (report["ok"], report["anchors"], report["size"]) == (True, 1, anchors[0]["size"])
    reviewed = town.run(
        "batch", town.customers[1], "--out", str(tmp_path / "packs"), "--occasion", "periodic_review",
        KYCPACK_WORKSPACE=str(place),
    )  # fmt: skip
    assert "cases: 1 opened" in reviewed.stderr
    listed = json.loads(town.run("case", "list", "--json", KYCPACK_WORKSPACE=str(place)).stdout)["items"]
    assert sorted(each["occasion"] for each in listed) == ["onboarding", "periodic_review"]
    assert tuple(Occasion) == OCCASIONS
    (tmp_path / "ledger-anchor.jsonl").unlink()
    assert ONLY_INCONSISTENT in town.run("ledger", "verify", KYCPACK_WORKSPACE=str(place)).stderr


def test_what_nobody_has_looked_at_in_a_sample_is_not_known(tmp_path: Path) -> None:
    for office in open_office(tmp_path / "kycpack.db", tmp_path, keys=False):
        open_cases(office, {name: ("approve", []) for name in ("c-1", "c-2")})
    environment = {"KYCPACK_ANALYST": "ben", "KYCPACK_WORKSPACE": str(tmp_path / "kycpack.db")}

    def types(*words: str) -> str:
        answer = CliRunner().invoke(app, ["case", "sample", *words], env=environment)
        assert answer.exit_code == 0, answer.output
        return answer.stdout

    drawn = json.loads(types("draw", "run-1", "--size", "2", "--seed", "7", "--json"))["sample_id"]
    shown = types("show", drawn)
    assert shown.count("not known") == 3  # the name of the stratum, its share, and that of all together
    assert "100.0%" not in shown
    types("review", drawn, "c-1", "--verdict", "agrees", "--text", "Read the pack: nothing was missed")
    more = CliRunner().invoke(
        app, ["case", "sample", "draw", "run-1", "--size", "60", "--seed", "8"], env=environment
    )
    assert "you asked for 60, but the run cleared 2: the sample is all of them" in more.output
    half = types("show", drawn)
    assert "0.0% to 97.5%" in half
    assert "nan" not in half


def test_a_run_into_another_folder_says_what_was_decided_before(town: Town, tmp_path: Path) -> None:
    """Nobody may read of a case that had a decision that it had none."""
    desk, customer = Desk(tmp_path), town.customers[1]
    desk.enrol()
    key, place = str(tmp_path / "anna.pem"), str(tmp_path / "kycpack.db")
    who = {"KYCPACK_ANALYST": "anna", "KYCPACK_SIGNING_KEY": key, "KYCPACK_WORKSPACE": place}
    first = tmp_path / "first"
    town.run("batch", customer, "--out", str(first), **who)
    (case,) = desk.reads("anna", "case", "list")["items"]
    names = [each["finding_id"] for each in case["findings"]]
    desk.reads(
        "anna", "case", "decide", case["case_id"], "--outcome", "escalate", "--code", "PRECAUTION",
        "--text", f"{', '.join(names)}: the evidence leaves open what was reported, so the officer decides",
        *(part for name in names for part in ("--finding", f"{name}=inconclusive")),
    )  # fmt: skip
    heading = " ".join(desk.types("anna", "case", "show", case["case_id"]).output.split())
    assert "escalate in force" in heading
    assert "assigned to nobody" in heading
    for is_there in (True, False):
        out = tmp_path / f"later-{is_there}"
        if not is_there:
            first.rename(tmp_path / "gone")
        town.run("batch", customer, "--out", str(out), **who)
        page = html_text((out / customer / "data" / "report" / "review.html").read_text("utf-8"))
        assert "Escalated by anna on" in page
        assert "before any decision" not in page
        assert "This pack was not compared with an earlier one." not in page
        assert ("was not reachable" in page) is not is_there
        assert ("still supports decision" in page) is is_there
        assert town.run("verify", str(out / customer)).exit_code == 0
