"""What an operator sees of `kycpack doctor`."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import httpx
import pytest
from typer.testing import Result

from kycpack.api import UnsignedRequest
from kycpack.cli import extras
from kycpack.workspace import Register, Workspace

if TYPE_CHECKING:
    from tests.cli.conftest import Town


class _Usage(NamedTuple):
    total: int
    used: int
    free: int


def _states(answer: Result) -> dict[str, str]:
    return {check["name"]: check["state"] for check in json.loads(answer.stdout)["checks"]}


def _message(answer: Result, name: str) -> str:
    return " ".join(
        check["message"] for check in json.loads(answer.stdout)["checks"] if check["name"] == name
    )


def test_a_machine_that_is_set_up_passes_each_check(town: Town, tmp_path: Path) -> None:
    answer = town.run("doctor", "--out", str(tmp_path / "packs"), "--json")
    assert answer.exit_code == 0
    assert json.loads(answer.stdout)["ok"] is True
    assert set(_states(answer)) == {
        "address",
        "key",
        "clock",
        "permissions",
        "workspace",
        "sessions",
        "extras",
        "disk",
    }
    assert set(_states(answer).values()) <= {"ok", "warning"}
    assert not (tmp_path / "packs").exists()

    lines = town.run("doctor", "--out", str(tmp_path)).stdout.splitlines()
    assert len(lines) == len(json.loads(answer.stdout)["checks"])
    assert {line.split()[0] for line in lines} <= {"ok", "warning"}


def test_a_wrong_secret_is_named_and_never_shown(town: Town) -> None:
    wrong = "c2VjcmV0LXRoYXQtaXMtd3Jvbmctc2VjcmV0LXRoYXQ="
    for arguments in (("doctor",), ("doctor", "--json")):
        answer = town.run(*arguments, KYCPACK_SECRET=wrong)
        assert answer.exit_code == 2
        assert wrong not in answer.output
        assert town.service.secret not in answer.output
    assert _states(answer)["address"] == "ok"
    assert _states(answer)["key"] == "failed"
    assert "KYCPACK_SECRET" in _message(answer, "key")


def refused(_request: UnsignedRequest) -> dict[str, str]:
    return {"Authorization": "Bearer another"}


def test_a_signature_that_is_refused_sends_to_the_signer(town: Town) -> None:
    answer = town.run("doctor", "--json", KYCPACK_SIGNER=f"{__name__}:refused")
    assert answer.exit_code == 2
    assert _states(answer)["key"] == "failed"
    assert "KYCPACK_SIGNER" in _message(answer, "key")
    assert "KYCPACK_SECRET" not in _message(answer, "key")


def test_a_provider_without_a_list_of_customers_is_tried_by_one(town: Town) -> None:
    body = {"route": "GET /v1/customers", "kind": "status", "times": 1000, "status": 404}
    httpx.post(f"{town.service.control_url}/faults", json=body, trust_env=False).raise_for_status()
    try:
        answer = town.run("doctor", "--json")
    finally:
        httpx.delete(f"{town.service.control_url}/faults", trust_env=False).raise_for_status()
    assert "404 to a list of customers, so" in _message(answer, "key")
    assert "kycpack collect CUSTOMER_ID" in _message(answer, "key")


def test_a_service_that_does_not_answer_fails_what_depends_on_it(town: Town) -> None:
    answer = town.run("doctor", "--json", KYCPACK_BASE_URL="http://127.0.0.1:9")
    assert answer.exit_code == 2
    states = _states(answer)
    assert [states[name] for name in ("address", "key", "clock")] == ["failed"] * 3
    assert states["extras"] == "ok"


def test_missing_settings_are_named(town: Town) -> None:
    answer = town.run("doctor", "--json", KYCPACK_BASE_URL="", KYCPACK_KEY_ID="", KYCPACK_SECRET="")
    assert answer.exit_code == 2
    assert "KYCPACK_BASE_URL" in _message(answer, "address")


def test_a_service_that_fails_did_not_accept_the_key(town: Town) -> None:
    body = {"route": "GET /v1/customers", "kind": "status", "times": 1000, "status": 503}
    httpx.post(f"{town.service.control_url}/faults", json=body, trust_env=False).raise_for_status()
    try:
        answer = town.run("doctor", "--json")
    finally:
        httpx.delete(f"{town.service.control_url}/faults", trust_env=False).raise_for_status()
    assert answer.exit_code == 2
    assert _states(answer)["key"] == "failed"
    assert "503" in _message(answer, "key")


@pytest.mark.parametrize(("ahead", "state"), [(30, "ok"), (240, "failed"), (-240, "failed")])
def test_a_clock_that_differs_is_named_with_its_seconds(
    town: Town, monkeypatch: pytest.MonkeyPatch, ahead: int, state: str
) -> None:
    monkeypatch.setattr("kycpack.api.failures.clock_difference", lambda *_: ahead)
    answer = town.run("doctor", "--json")
    assert answer.exit_code == (2 if state == "failed" else 0)
    assert _states(answer)["clock"] == state
    assert f"{abs(ahead)} s {'ahead of' if ahead > 0 else 'behind'}" in _message(answer, "clock")


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX permissions")
def test_files_that_others_can_read_are_named(town: Town, tmp_path: Path) -> None:
    key = tmp_path / "signing.pem"
    key.touch(mode=0o600)
    key.chmod(0o640)
    answer = town.run("doctor", "--json", KYCPACK_SIGNING_KEY=str(key))
    assert answer.exit_code == 2
    assert "chmod 600" in _message(answer, "permissions")
    assert str(key) in _message(answer, "permissions")
    key.chmod(0o600)
    assert town.run("doctor", KYCPACK_SIGNING_KEY=str(key)).exit_code == 0
    key.unlink()
    assert town.run("doctor", KYCPACK_SIGNING_KEY=str(key)).exit_code == 2


def test_customers_without_a_known_session_are_counted(town: Town, tmp_path: Path) -> None:
    place = tmp_path / "kycpack.db"
    with Workspace.open(place) as workspace:
        register = Register(workspace)
        register.add_customers([(f"c-{number}", None) for number in range(3)], learned_from="import")
        register.add_session("s-1", learned_from="import", customer_id="c-1")
        register.add_session("s-2", learned_from="import", customer_id="c-1")
    answer = town.run("doctor", "--json", KYCPACK_WORKSPACE=str(place))
    assert answer.exit_code == 0
    assert _states(answer)["sessions"] == "warning"
    assert "1 of 3 customers have a known session" in _message(answer, "sessions")


def test_a_workspace_is_not_made_and_a_damaged_one_fails(town: Town, tmp_path: Path) -> None:
    place = tmp_path / "kycpack.db"
    answer = town.run("doctor", "--json", KYCPACK_WORKSPACE=str(place))
    assert (answer.exit_code, _states(answer)["workspace"]) == (0, "warning")
    assert not place.exists()
    place.write_bytes(b"not a database" * 100)
    place.chmod(0o600)
    answer = town.run("doctor", "--json", KYCPACK_WORKSPACE=str(place))
    assert (answer.exit_code, _states(answer)["workspace"]) == (2, "failed")


def test_a_workspace_that_can_only_be_read_fails(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda path, mode: (str(path), mode) != (str(town.workspace), os.W_OK))
    answer = town.run("doctor", "--json")
    assert (answer.exit_code, _states(answer)["workspace"]) == (2, "failed")
    assert "can only be read" in _message(answer, "workspace")


def test_the_password_of_a_database_is_not_shown(town: Town) -> None:
    answer = town.run(
        "doctor", "--json", KYCPACK_WORKSPACE="postgresql+psycopg://kyc:hunter2@127.0.0.1:9/kyc"
    )
    assert answer.exit_code == 2
    assert _states(answer)["workspace"] == "failed"
    assert "hunter2" not in answer.output


def test_a_full_disk_fails(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: _Usage(10**12, 10**12 - 10**6, 10**6))
    answer = town.run("doctor", "--json")
    assert (answer.exit_code, _states(answer)["disk"]) == (2, "failed")


def test_an_output_below_a_file_fails(town: Town, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for out in (tmp_path / "file", tmp_path / "file" / "below"):
        answer = town.run("doctor", "--json", "--out", str(out))
        assert (answer.exit_code, _states(answer)["disk"]) == (2, "failed")
        assert "is a file" in _message(answer, "disk")


def test_an_extra_that_a_setting_needs_has_to_be_installed(
    town: Town, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = tmp_path / "signing.pem"
    key.touch(mode=0o600)
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name == "pyhanko" else object())
    answer = town.run("doctor", "--json")
    assert (answer.exit_code, _states(answer)["extras"]) == (0, "ok")
    assert "not installed: signing" in _message(answer, "extras")
    answer = town.run("doctor", "--json", KYCPACK_SIGNING_KEY=str(key))
    assert (answer.exit_code, _states(answer)["extras"]) == (2, "failed")


def test_an_output_below_a_folder_that_cannot_be_read_fails_with_its_reason(
    town: Town, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("kycpack.batch.lock.refuse_inside_another", refused)
    answer = town.run("doctor", "--out", str(tmp_path / "packs"), "--json")
    assert (answer.exit_code, _states(answer)["disk"]) == (2, "failed")
    assert "Permission denied" in _message(answer, "disk")


@pytest.mark.parametrize("inner", ["packs", "uploads"])
def test_an_output_that_a_run_refuses_fails_here_too(town: Town, tmp_path: Path, inner: str) -> None:
    """A new output inside that of another run; for an object store, the folder in which its packs are made."""
    (tmp_path / ".kycpack").mkdir()
    (tmp_path / ".kycpack" / "lock").touch()
    out = "memory://packs" if inner == "uploads" else str(tmp_path / inner)
    answer = town.run("doctor", "--out", out, "--json", KYCPACK_REPORTS=str(tmp_path))
    assert (answer.exit_code, _states(answer)["disk"]) == (2, "failed")
    assert "the output of another run" in _message(answer, "disk")
    assert "or for an object store another KYCPACK_REPORTS" in _message(answer, "disk")
