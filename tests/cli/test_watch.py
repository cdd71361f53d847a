"""`kycpack watch`: from a delivery to a pack in one process, which may be killed at any moment."""

from __future__ import annotations

import base64
import json
import os
import random
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from tests.forks import Command, begin_command

from kycpack.folders import clear_leftovers
from kycpack.workspace import Inbox, Register, Workspace

if TYPE_CHECKING:
    from tests.cli.conftest import Town

_MOMENT = "2026-05-25T09:30:00.000Z"


@pytest.fixture(scope="module")
def town(own_town: Town) -> Town:
    return own_town


def complete_session(town: Town, customer: str) -> str:
    session = town.target.create_session({"customerId": customer}, timedelta())
    town.target.finish_session(session, {})
    return session


def workspace_of(place: Path | str, *sessions: tuple[str, str | None]) -> str:
    with Workspace.open(place) as workspace:
        for session, customer in sessions:
            Register(workspace).add_session(session, learned_from="import", customer_id=customer)
    return str(place)


def once(town: Town, place: str, out: Path, **environment: str) -> tuple[int, dict[str, Any]]:
    answer = town.run("watch", "--once", "--json", "--out", str(out), KYCPACK_WORKSPACE=place, **environment)
    return answer.exit_code, json.loads(answer.stdout) if answer.stdout else {}


def test_a_round_makes_the_packs_of_what_completed_and_the_next_one_has_nothing_to_do(
    town: Town, tmp_path: Path
) -> None:
    customer = town.customers[1]
    place = workspace_of(tmp_path / "w.db", (complete_session(town, customer), customer))
    code, said = once(town, place, tmp_path / "out")
    assert (code, said["run"]["produced"], said["reconciled"]["completed"]) == (0, 1, 1)
    code, said = once(town, place, tmp_path / "out")
    assert (code, said["run"]) == (0, None)


def test_a_round_holds_each_customer_to_a_memory_limit(town: Town, tmp_path: Path) -> None:
    customer = town.customers[1]
    place = workspace_of(tmp_path / "w.db", (complete_session(town, customer), customer))
    once(town, place, tmp_path / "out")
    complete = complete_session(town, customer)
    workspace_of(place, (complete, customer))
    limited = ["watch", "--once", "--json", "--memory-limit", "2048", "--out", str(tmp_path / "out")]
    town.run(*limited, KYCPACK_WORKSPACE=place)
    runs = json.loads(town.run("runs", "list", "--json", KYCPACK_WORKSPACE=place).stdout)["items"]
    assert [run["options"]["memory_limit"] for run in runs] == [2048, 4096]


def test_sessions_whose_customer_nobody_knows_are_in_the_exit_code(town: Town, tmp_path: Path) -> None:
    customer = town.customers[1]
    nobodys = complete_session(town, customer)
    place = workspace_of(tmp_path / "w.db", (nobodys, None))
    code, said = once(town, place, tmp_path / "out")
    assert (code, said["run"]) == (3, None)
    with Workspace.open(place) as workspace:
        Register(workspace).add_session(nobodys, learned_from="import", customer_id=customer)
    assert once(town, place, tmp_path / "out")[0] == 0
    with Workspace.open(place) as workspace:
        Inbox(workspace).keep(delivery_of("a-session-of-somebody-else"))
    assert once(town, place, tmp_path / "out")[0] == 3


def test_an_empty_output_is_not_the_current_folder(
    town: Town, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    place = workspace_of(tmp_path / "w.db", (complete_session(town, town.customers[1]), town.customers[1]))
    answer = town.run("watch", "--once", "--out", "", KYCPACK_WORKSPACE=place)
    assert answer.exit_code == 2
    assert "the output is empty" in answer.stderr
    assert not (tmp_path / ".kycpack").exists()


def test_a_refused_key_ends_a_round_with_2(town: Town, tmp_path: Path) -> None:
    place = workspace_of(tmp_path / "w.db", (complete_session(town, town.customers[1]), None))
    assert once(town, place, tmp_path / "out", KYCPACK_KEY_ID="unknown")[0] == 2


def test_a_workspace_that_cannot_be_used_is_2_for_the_caller_and_in_the_log(
    town: Town, tmp_path: Path
) -> None:
    place = workspace_of(tmp_path / "w.db", (complete_session(town, town.customers[1]), town.customers[1]))
    (tmp_path / "redaction.key").mkdir()  # as if the workspace's folder could not be written to
    log = tmp_path / "log.jsonl"
    arguments = ("watch", "--once", "--out", str(tmp_path / "out"), "--log-file", str(log))
    answer = town.run(*arguments, KYCPACK_WORKSPACE=place)
    assert answer.exit_code == 2
    assert "redaction key" in answer.stderr.splitlines()[-1]
    assert json.loads(log.read_text().splitlines()[-1])["exit_code"] == 2


def delivery_of(session: str) -> bytes:
    ended = {"Completed": True, "Confirmed": None, "CompletedAt": _MOMENT}
    document = {
        "Id": session,
        "Status": "Complete",
        "Progress": {"Identity": ended, "Ais": ended},
        "Created": _MOMENT,
        "Updated": _MOMENT,
    }
    return json.dumps(
        {"Event": "onboard.session.completed", "Timestamp": _MOMENT, "Session": document}
    ).encode()


def start(town: Town, place: str, out: Path | str) -> tuple[Command, str]:
    words = ["watch", "--port", "0", "--every", "1", "--json", "--out", str(out)]
    running = begin_command(words, {**town.environment, "KYCPACK_WORKSPACE": place})
    return running, json.loads(running.said.readline())["url"]


def settled(place: str) -> bool:
    with Workspace.open(place) as workspace:
        box = Inbox(workspace)
        states = set(box.counts())
        # A session that was asked about before its delivery was read makes the delivery a duplicate.
        return not box.completions() and bool(states) and states <= {"completed", "duplicate"}


def work_through(town: Town, place: str, out: Path | str, *, limit_seconds: float) -> None:
    """Watch until every session has been worked on, and end with SIGTERM."""
    running, _ = start(town, place, out)
    deadline = time.monotonic() + limit_seconds
    while not settled(place):
        assert time.monotonic() < deadline, "the sessions were not all worked on in time"
        assert running.process.is_alive()
        time.sleep(0.5)
    assert running.terminate() == 0


@pytest.mark.timeout(900)
def test_killed_at_random_it_loses_no_session_and_seals_each_pack_once(
    town: Town, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # beside a workspace on a server is where the command was started
    chance = random.Random(3)  # noqa: S311 - a replay has to be the same each time
    sessions = [(complete_session(town, customer), customer) for customer in town.customers]
    out = tmp_path / "out"
    workspace_of(place, *sessions)
    waiting = [session for session, _ in sessions]
    for _ in range(5):
        running, url = start(town, place, out)
        if waiting:
            httpx.post(url, content=delivery_of(waiting.pop()), trust_env=False).raise_for_status()
        time.sleep(chance.uniform(0.1, 4.0))
        running.kill()
    work_through(town, place, out, limit_seconds=400)
    packs = [json.loads(path.read_bytes())["customer_id"] for path in out.glob("*/data/manifest.json")]
    assert set(packs) == set(town.customers)
    clear_leftovers(
        out
    )  # as the next run does: the last kill may have come when all packs were made, and then no run followed
    assert not list(out.rglob("*.partial"))
    checked = town.run("verify", str(out))
    assert checked.exit_code == 0, checked.stdout + checked.stderr


def test_sigterm_in_a_round_leaves_nothing_half_done(town: Town, tmp_path: Path) -> None:
    customer = town.customers[1]
    place = workspace_of(tmp_path / "w.db", (complete_session(town, customer), customer))
    running, _ = start(town, place, tmp_path / "out")
    time.sleep(1.0)
    assert running.terminate() == 0
    assert not list((tmp_path / "out").rglob("*.partial"))
    assert once(town, place, tmp_path / "out")[0] == 0


_SIGTERM_AND_A_REFUSAL = """
import os, signal
from kycpack.cli.runs import watch
from kycpack.cli.application import main
from kycpack.cli.stop import StopError
from kycpack.errors import WorkspaceError

def round_of(plan):
    try:
        os.kill(os.getpid(), signal.SIGTERM)
    except StopError:
        raise WorkspaceError("the database refused") from None

watch._Plan._watched_round = round_of
main()
"""


def test_what_an_interrupted_connection_refuses_is_not_the_exit_code(tmp_path: Path) -> None:
    ended = watch_with(_SIGTERM_AND_A_REFUSAL, tmp_path)
    assert "stopped by the system" in ended.stderr
    assert ended.returncode == 0


_SIGTERM_IN_A_FINALIZER = """
import os, signal
from kycpack.cli.runs import watch
from kycpack.cli.application import main

class Last:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        sum(range(10_000))

def round_of(plan):
    Last()
    return 0

watch._Plan._watched_round = round_of
main()
"""


def test_sigterm_ends_it_even_if_it_arrives_in_a_finalizer(tmp_path: Path) -> None:
    # Python drops what is raised there; the round on PostgreSQL ran on for ever after such a signal.
    ended = watch_with(_SIGTERM_IN_A_FINALIZER, tmp_path)
    assert "Exception ignored" in ended.stderr  # the error was dropped
    assert "stopped by the system" in ended.stderr
    assert ended.returncode == 0


def watch_with(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "KYCPACK_BASE_URL": "http://127.0.0.1:9",
        "KYCPACK_KEY_ID": "key",
        "KYCPACK_SECRET": base64.b64encode(bytes(32)).decode(),
        "KYCPACK_WORKSPACE": str(folder / "w.db"),
    }
    return subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", code, "watch", "--no-receive", "--every", "1"],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
