"""What an operator sees of a night in which the provider does not answer."""

from __future__ import annotations

import json
import re
import shlex
import sys
import time
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from pypdf import PdfReader
from tests.forks import begin_command

if TYPE_CHECKING:
    from tests.cli.conftest import Town

AS_OF = ("--as-of", "2026-06-01T12:00:00Z")


@pytest.fixture(scope="module")
def town(own_town: Town) -> Town:
    return own_town


def _fault(town: Town, route: str, status: int = 503, **given: Any) -> None:
    body = {"route": route, "kind": "status", "times": 1000, "status": status, **given}
    httpx.post(f"{town.service.control_url}/faults", json=body, trust_env=False).raise_for_status()


def _mend(town: Town) -> None:
    httpx.delete(f"{town.service.control_url}/faults", trust_env=False).raise_for_status()


def _run(town: Town, out: Path, *arguments: str, **environment: str) -> tuple[int, dict[str, Any], str]:
    answer = town.run("batch", *arguments, "--out", str(out), *AS_OF, "--json", **environment)
    return answer.exit_code, json.loads(answer.stdout), answer.stderr


def test_an_outage_leaves_the_completion_open_and_is_asked_again(town: Town, tmp_path: Path) -> None:
    customer = town.target.create_customer(
        {
            "firstName": "Ada",
            "lastName": "Specimen",
            "emailAddress": "ada@example.com",
            "dateOfBirth": "1980-01-01",
        }
    )
    session = town.target.create_session({"customerId": customer}, timedelta())
    town.target.finish_session(session, {})
    town.run("inbox", "work", "--json")
    _fault(town, "GET /v1/customers/{customer_id}/bank-accounts")
    try:
        code, run, _ = _run(town, tmp_path, "--completed")
    finally:
        _mend(town)
    assert (code, run["incomplete"], run["failed"]) == (3, run["in_scope"], 0)
    (entry,) = (entry for entry in run["entries"] if entry["customer_id"] == customer)
    assert entry["level"] != "approve"
    page_one = PdfReader(tmp_path / entry["pack"] / "data/report/review.pdf").pages[0].extract_text()
    page_one = " ".join(page_one.split())
    assert "This pack is incomplete: 1 request failed" in page_one
    assert "before it has been sent again" in page_one
    assert "This pack is incomplete" in (tmp_path / entry["pack"] / "data/report/review.html").read_text()
    assert json.loads((tmp_path / entry["pack"] / "data/manifest.json").read_bytes())["incomplete"]

    code, run, _ = _run(town, tmp_path, "--completed")
    assert (code, run["produced"]) == (0, run["in_scope"])
    code, run, _ = _run(town, tmp_path, "--completed")
    assert run["in_scope"] == 0


@pytest.mark.parametrize(
    "route",
    [
        "GET /v1/onboard-sessions/{session_id}/media/{media_id}",
        "GET /v1/customers/{customer_id}/source-of-wealth",
        "GET /v1/onboard/sessions/{session_id}/results",
    ],
)
def test_whatever_failed_nobody_is_approved(town: Town, tmp_path: Path, route: str) -> None:
    _fault(town, route)
    try:
        code, run, _ = _run(town, tmp_path, *town.customers)
    finally:
        _mend(town)
    assert code == 3
    hit = [entry for entry in run["entries"] if entry["outcome"] == "incomplete"]
    assert hit
    assert "approve" not in {entry["level"] for entry in hit}


def test_a_service_that_is_not_there_stops_the_run_with_one_sentence(town: Town, tmp_path: Path) -> None:
    code, run, said = _run(town, tmp_path, *town.customers, KYCPACK_BASE_URL="http://127.0.0.1:9")
    assert code == 2
    assert run["state"] == "stopped"
    *pieces, sentence = said.splitlines()
    assert all(
        line.startswith("[") for line in pieces
    )  # the progress of the run; it is shown with --json too
    assert sentence.startswith("kycpack: the run was stopped: the service cannot be reached")
    assert sentence.endswith("could not be fetched: the connection failed")


def test_a_refused_key_stops_the_run(town: Town, tmp_path: Path) -> None:
    code, run, said = _run(town, tmp_path, *town.customers, KYCPACK_KEY_ID="nobody")
    assert (code, run["state"], run["produced"]) == (2, "stopped", 0)
    assert "401" in said


def test_a_run_that_a_wrong_clock_stops_names_the_clock(town: Town, tmp_path: Path) -> None:
    clock = f"{town.service.control_url}/clock"
    httpx.post(clock, json={"advance_seconds": 86_400}, trust_env=False).raise_for_status()
    try:
        code, run, said = _run(town, tmp_path, *town.customers)
    finally:
        httpx.post(clock, json={"advance_seconds": -86_400}, trust_env=False).raise_for_status()
    assert (code, run["state"]) == (2, "stopped")
    sentence = said.splitlines()[-1]
    assert sentence.startswith(
        "kycpack: the run was stopped: the service refuses requests, most likely because the clocks differ: set this machine's "
        "clock with NTP"
    )
    assert re.search(r"the service's clock differs from ours by 86[34]\d\d s", sentence)


def test_a_key_that_is_withdrawn_while_a_customer_is_collected_leaves_the_customer_open(
    town: Town, tmp_path: Path
) -> None:
    customer = town.customers[0]
    _fault(town, "GET /v1/onboard/sessions/{session_id}/results", status=401)
    try:
        code, run, _ = _run(town, tmp_path, customer)
    finally:
        _mend(town)
    assert (code, run["incomplete"]) == (3, 1)
    assert "the key refused (401)" in run["entries"][0]["note"]
    code, run, _ = _run(town, tmp_path, customer)
    assert (code, run["produced"]) == (0, 1)


def test_a_key_that_may_not_read_source_of_wealth_leaves_nothing_open(town: Town, tmp_path: Path) -> None:
    _fault(town, "GET /v1/customers/{customer_id}/source-of-wealth", status=401)
    try:
        code, run, _ = _run(town, tmp_path, town.customers[0])
    finally:
        _mend(town)
    assert (code, run["produced"]) == (0, 1)


def test_the_second_person_of_the_settings_is_in_the_pack(town: Town, tmp_path: Path) -> None:
    people = {"KYCPACK_ANALYST": "A. Analyst", "KYCPACK_REVIEWER": "R. Reviewer"}
    customer = town.customers[1]
    _, run, _ = _run(town, tmp_path, customer, **people)
    manifest = json.loads((tmp_path / run["entries"][0]["pack"] / "data/manifest.json").read_bytes())
    assert (manifest["case"]["prepared_by"], manifest["case"]["reviewed_by"]) == ("A. Analyst", "R. Reviewer")
    _, run, _ = _run(town, tmp_path, customer, **people)
    assert run["unchanged"] == 1
    _, run, _ = _run(town, tmp_path, customer, **{**people, "KYCPACK_REVIEWER": "S. Second"})
    assert run["produced"] == 1


def test_a_collection_that_lacks_an_answer_says_so_by_its_exit_code(town: Town, tmp_path: Path) -> None:
    _fault(town, "GET /v1/onboard/sessions/{session_id}/results")
    try:
        answer = town.run("collect", *town.customers, "--out", str(tmp_path), "--json")
    finally:
        _mend(town)
    assert answer.exit_code == 3
    assert any(item["failed"] for item in json.loads(answer.stdout)["items"])
    assert town.run("collect", *town.customers, "--out", str(tmp_path)).exit_code == 0


def test_sigterm_stops_a_run_as_ctrl_c_does_and_reaches_the_operator(town: Town, tmp_path: Path) -> None:
    # What systemd and timeout send. It ended the process at once, without the alert and the end of the log.
    _fault(town, "GET /v1/customers/{customer_id}", kind="latency", seconds=20)
    out, log, sent = tmp_path / "out", tmp_path / "log.jsonl", tmp_path / "sent"
    command = ["batch", *town.customers, "--out", str(out), *AS_OF]
    tell = "import os, sys; open(sys.argv[1], 'w').write(os.environ['KYCPACK_EXIT_CODE'])"
    alert = shlex.join([sys.executable, "-c", tell, str(sent)])
    with_log = [*command, "--log-file", str(log), "--on-failure", alert]
    running = begin_command(with_log, town.environment, stream=2)
    try:
        deadline = time.monotonic() + 120
        while "run_started" not in (log.read_text() if log.exists() else ""):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        running.process.terminate()
        said = running.said.read()
        assert running.exit_code() == 143
    finally:
        running.process.kill()
        _mend(town)
    assert said.splitlines()[-2:] == [
        "the same command continues where this one stopped",
        "kycpack: stopped by the system (SIGTERM)",
    ]
    assert json.loads(log.read_text().splitlines()[-1])["exit_code"] == 143
    assert sent.read_text() == "143"
    assert not list(out.rglob("*.partial"))


def test_a_run_that_was_stopped_is_continued_only_for_the_date_that_was_asked_for(
    town: Town, tmp_path: Path
) -> None:
    customer, out = town.customers[1], str(tmp_path)
    for date, code, key in (
        ("05-01", 2, "nobody"),
        ("04-01", 2, "nobody"),
        ("04-01", 0, town.service.key_id),
    ):
        dated = ("--as-of", f"2026-{date}T12:00:00Z", "--json")
        answer = town.run("batch", customer, "--out", out, *dated, KYCPACK_KEY_ID=key)
        assert answer.exit_code == code
        assert json.loads(answer.stdout)["as_of"] == f"2026-{date}T12:00:00Z"
        assert "this finished the run" not in answer.stderr
    runs = json.loads(town.run("runs", "list", "--json").stdout)["items"]
    assert [run["state"] for run in runs if run["output"] == out] == ["finished", "superseded"]


def test_a_run_of_an_earlier_night_that_is_finished_says_of_which_night_it_is(
    town: Town, tmp_path: Path
) -> None:
    command = ("batch", town.customers[1], "--out", str(tmp_path), "--json")
    first = json.loads(town.run(*command, KYCPACK_KEY_ID="nobody").stdout)
    time.sleep(1.1)
    second = town.run(*command)
    assert json.loads(second.stdout)["as_of"] == first["as_of"]
    assert (
        f"this finished the run that began at {first['started_at']}: its packs are as of {first['as_of']}, and customers "
        "done before were not requested again"
    ) in second.stderr
    third = town.run(*command)
    assert json.loads(third.stdout)["as_of"] > first["as_of"]
    assert "this finished the run" not in third.stderr


def test_a_run_that_has_a_date_is_repeated_with_it(town: Town, tmp_path: Path) -> None:
    _fault(town, "GET /v1/onboard/sessions/{session_id}/results")
    try:
        code, run, _ = _run(town, tmp_path, town.customers[0])
    finally:
        _mend(town)
    assert code == 3
    answer = town.run("runs", "retry", run["run_id"], "--json")
    assert (answer.exit_code, json.loads(answer.stdout)["as_of"]) == (0, run["as_of"])
