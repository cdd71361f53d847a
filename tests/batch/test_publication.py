"""A run whose packs go to an object store: moto's server on loopback stands for S3."""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

pytest.importorskip("moto")
pytest.importorskip("s3fs")

import boto3
import s3fs
from tests import object_store
from tests.cli.conftest import a_town
from typer.testing import CliRunner

import kycpack as kp
from kycpack.batch import Job, RunEntry, run_batch
from kycpack.batch.erasure import customers_in, erase_files, erase_from_runs
from kycpack.batch.publication import Publication
from kycpack.batch.remote_run import local_copy
from kycpack.batch.run_verification import verify_run
from kycpack.batch.stored_folders import local_folders
from kycpack.cli.application import app
from kycpack.errors import ConfigurationError, ObjectStoreError, OutputLockedError, PackError
from kycpack.storage.object_folder import ObjectFolder

sys.path.insert(0, str(Path(__file__).parent))
from stub_packs import StubTask, write_stub

AS_OF = datetime(2026, 6, 1, tzinfo=UTC)
URL = "s3://packs/run"

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture(scope="module")
def server() -> Iterator[None]:
    with object_store.server():
        yield


@pytest.fixture
def bucket(server: None) -> Iterator[None]:
    with object_store.bucket():
        yield


def _run(
    out: Path, ids: list[str], task: StubTask | None = None, *, as_of: datetime = AS_OF
) -> dict[str, RunEntry]:
    report = run_batch(
        [Job(name) for name in ids], out, task=task or StubTask(), as_of=as_of, workers=1, url=URL
    )
    return {entry.customer_id: entry for entry in report.entries}


@pytest.mark.usefixtures("bucket")
def test_a_run_lies_whole_in_the_store_and_is_read_and_verified_from_there(tmp_path: Path) -> None:
    entries = _run(tmp_path / "here", ["a", "b", "none-1"])
    assert [entry.outcome for entry in entries.values()] == ["produced", "produced", "failed"]
    there = ObjectFolder(URL)
    here = {
        path.relative_to(tmp_path / "here").as_posix()
        for path in (tmp_path / "here").rglob("*")
        if path.is_file() and ".kycpack" not in path.parts
    }
    assert {name for name in there.names() if not name.startswith(".kycpack/")} == here
    run = kp.open_run(URL)
    assert sorted(run.frames.customers["customer_id"]) == ["a", "b"]
    local = kp.open_run(tmp_path / "here")
    assert run.frames.transactions.equals(local.frames.transactions)
    assert run.triage.findings.equals(local.triage.findings)
    assert not run.customer("a").frames["documents"].empty
    run.fetch("b")
    assert (run.path / "b" / "data" / "manifest.json").is_file()
    absent = CliRunner().invoke(app, ["verify", "s3://packs/other"])
    assert absent.exit_code == 2
    assert "nothing is stored there" in absent.output
    answer = json.loads(CliRunner().invoke(app, ["verify", "--hashes-only", "--json", URL]).stdout)
    assert [(item["pack"], item["ok"]) for item in answer["items"]] == [
        (f"{URL}/a", True),
        (f"{URL}/b", True),
    ]
    assert [run["run"] for run in answer["runs"]] == [URL]
    assert not [problem for run in answer["runs"] for problem in run["problems"] if "frames" in problem]


@pytest.mark.usefixtures("bucket")
def test_another_machine_goes_on_from_what_lies_in_the_store(tmp_path: Path) -> None:
    _run(tmp_path / "first", ["a", "b"])
    entries = _run(tmp_path / "second", ["a", "b"], StubTask(fingerprint="other"))
    assert [entry.pack for entry in entries.values()] == ["a+2", "b+2"]
    names = ObjectFolder(URL).names()
    assert {"a/tagmanifest-sha256.txt", "a+2/tagmanifest-sha256.txt"} <= set(names)
    assert not [each for each in verify_run(tmp_path / "second").problems if "frames" in each]
    assert sorted(kp.open_run(URL).frames.customers["customer_id"]) == ["a", "b"]


@dataclass(frozen=True)
class CheckedTask(StubTask):
    """Keeps evidence of each customer: of an unchanged pack the evidence that it was checked with."""

    def __call__(self, job: Job, *, out: Path, as_of: datetime, previous: RunEntry | None) -> RunEntry:
        entry = super().__call__(job, out=out, as_of=as_of, previous=previous)
        kept = out / ".kycpack" / "evidence" / job.customer_id
        shutil.rmtree(kept, ignore_errors=True)
        if entry.outcome == "produced":
            return entry
        kept.mkdir(parents=True)
        (kept / f"{as_of.date()}.json").write_text("an answer")
        (kept / "index.json").write_text(str(as_of))
        root = hashlib.sha256((kept / "index.json").read_bytes()).hexdigest()
        place = kept.relative_to(out).as_posix()
        if entry.outcome == "unchanged":
            return replace(entry, checked_root=root, evidence=place)
        return replace(entry, evidence_root=root, evidence=place)


@pytest.mark.usefixtures("bucket")
def test_evidence_that_an_unchanged_pack_was_checked_with_is_in_the_store(tmp_path: Path) -> None:
    out = tmp_path / "out"
    _run(out, ["a", "none-1"], CheckedTask())
    for day in (2, 3):
        entries = _run(out, ["a", "none-1"], CheckedTask(), as_of=AS_OF + timedelta(days=day))
        assert [entry.outcome for entry in entries.values()] == ["unchanged", "failed"]
        with local_copy(URL) as copy:
            assert not [each for each in verify_run(copy).problems if "evidence" in each]
            kept = {path.relative_to(copy).as_posix() for path in copy.glob(".kycpack/evidence/*/*")}
        assert kept == {path.relative_to(out).as_posix() for path in out.glob(".kycpack/evidence/*/*")}
        assert len(kept) == 4
    _run(out, ["a", "none-1"], CheckedTask(fingerprint="other"))
    assert not ObjectFolder(URL).names(".kycpack/evidence/a/")


@pytest.mark.usefixtures("bucket")
def test_two_machines_cannot_write_to_one_place_at_once(tmp_path: Path) -> None:
    with (
        Publication(URL, tmp_path / "first").held(),
        pytest.raises(OutputLockedError, match="another machine"),
        Publication(URL, tmp_path / "second").held(),
    ):
        pass
    with Publication(URL, tmp_path / "second").held():
        pass


@pytest.mark.usefixtures("bucket")
def test_a_killed_coordinator_is_followed_from_the_same_folder(tmp_path: Path) -> None:
    held = Publication(URL, tmp_path).held()
    held.__enter__()  # and it is never left
    with Publication(URL, tmp_path).held():
        pass


@pytest.mark.usefixtures("bucket")
def test_a_pack_is_there_whole_or_not_at_all_and_never_replaced(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for out in (first, second):
        out.mkdir()
    write_stub(first, "a", AS_OF)
    write_stub(second, "a", datetime(2026, 6, 2, tzinfo=UTC))
    there = ObjectFolder(URL)
    there.write("a/data/left.txt", b"by an upload that was killed")
    there.write("a/data/manifest.json", b"of another content")
    Publication(URL, first).publish_pack("a")
    before = {name: there.read(name) for name in there.names("a/")}
    assert before["a/data/manifest.json"] == (first / "a/data/manifest.json").read_bytes()
    assert "a/data/left.txt" not in before
    Publication(URL, first).publish_pack("a")
    with pytest.raises(PackError, match="never replaced"):
        Publication(URL, second).publish_pack("a")
    assert {name: there.read(name) for name in there.names("a/")} == before
    (first / "a/data/figures.json").write_text("{}")
    write_stub(first, "b", AS_OF)
    (first / "b/data/figures.json").write_text("{}")
    with pytest.raises(PackError, match="not uploaded"):
        Publication(URL, first).publish_pack("b")
    assert not there.names("b/")


@pytest.mark.usefixtures("bucket")
def test_a_name_is_taken_once() -> None:
    there = ObjectFolder(URL)
    assert there.create("x", b"1")
    assert not there.create("x", b"2")
    assert there.read("x") == b"1"
    assert there.read("nothing") is None


def test_a_store_that_does_not_answer_is_named_without_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "hidden-secret")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    s3fs.S3FileSystem.clear_instance_cache()
    with pytest.raises(ObjectStoreError, match=r"s3://packs/run/x: the object store refused") as raised:
        ObjectFolder(URL).create("x", b"")
    assert "hidden" not in str(raised.value)


@pytest.mark.usefixtures("bucket")
def test_a_bucket_that_is_not_there_is_named() -> None:
    there = ObjectFolder("s3://no-such-bucket/run")
    with pytest.raises(ObjectStoreError, match=r"^s3://no-such-bucket/run: there is no such bucket"):
        there.create("x", b"1")
    with pytest.raises(ObjectStoreError, match=r"^s3://no-such-bucket/run: there is no such bucket"):
        there.write("x", b"1")


@pytest.mark.parametrize("url", ["s3://key:secret@bucket/x", "s3://bucket/x?key=1", "s3:///x", "s3://b/../c"])
def test_a_url_is_a_place_and_nothing_else(url: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        ObjectFolder(url)
    assert "secret" not in str(raised.value)


def _every_version(bucket: str) -> list[tuple[str, bytes]]:
    client = boto3.Session().client("s3")
    pages = client.get_paginator("list_object_versions").paginate(Bucket=bucket)
    return [
        (
            one["Key"],
            client.get_object(Bucket=bucket, Key=one["Key"], VersionId=one["VersionId"])["Body"].read(),
        )
        for page in pages
        for one in page.get("Versions", [])
    ]


@pytest.mark.usefixtures("bucket")
def test_an_erasure_leaves_no_version_of_the_customer_and_every_version_of_the_others(tmp_path: Path) -> None:
    boto3.Session().resource("s3").BucketVersioning("packs").enable()
    _run(tmp_path / "first", ["gone", "stays"])
    _run(tmp_path / "first", ["gone", "stays"], StubTask(fingerprint="other"))
    there = ObjectFolder(URL)
    # A pack under another name that somebody removed: only versions of it are left.
    for name in there.names("gone/"):
        elsewhere = name.replace("gone/", "handed-over/")
        there.write(elsewhere, there.read(name) or b"")
        there.remove(elsewhere)
    canary = hashlib.sha256(b"gone").hexdigest().encode()
    before = _every_version("packs")
    assert sum(canary in content for _, content in before) == 3
    kept = {(name, content) for name, content in before if name.startswith("run/stays")}

    with local_folders([URL]) as (folders, (stored,)):
        assert "gone" in customers_in(folders)
        erase_files(folders, {"gone"})
        erase_from_runs(folders, {"gone"}, 1)
        sent = stored.send_back({"gone"}, 1)
    assert sent.removed > 40
    assert sent.versions is not None
    assert sent.versions > sent.removed

    after = _every_version("packs")
    assert [name for name, content in after if canary in content] == []
    assert [name for name, _ in after if "gone" in name or "handed-over" in name] == []
    assert {(name, content) for name, content in after if name.startswith("run/stays")} == kept
    assert sorted(kp.open_run(URL).frames.customers["customer_id"]) == ["stays"]
    report = json.loads(there.read("run.json") or b"")
    assert {one["customer_id"]: one["disposition"] for one in report["entries"]} == {"gone": 1, "stays": 0}
    with local_folders([URL]) as (_, (again,)):
        assert again.send_back({"gone"}, 1).removed == 0


@pytest.mark.usefixtures("bucket")
def test_an_erasure_waits_for_a_run_that_writes_to_the_store(tmp_path: Path) -> None:
    _run(tmp_path / "first", ["a"])
    with (
        Publication(URL, tmp_path / "first").held(),
        pytest.raises(OutputLockedError, match="a run is writing there"),
        local_folders([URL]),
    ):
        pass


def test_a_store_that_cannot_be_asked_for_versions_says_so() -> None:
    assert ObjectFolder("memory://packs/run").versions() is None


@pytest.mark.usefixtures("bucket")
def test_doctor_tries_the_store_out_and_leaves_nothing_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KYCPACK_REPORTS", str(tmp_path))

    def store(url: str) -> tuple[str, str]:
        answer = json.loads(CliRunner().invoke(app, ["doctor", "--json", "--out", url]).stdout)
        (found,) = (check for check in answer["checks"] if check["name"] == "store")
        return found["state"], found["message"]

    assert store(URL) == ("ok", f"{URL}: files can be listed, created, read and removed")
    assert ObjectFolder(URL).names() == ()
    absent = "s3://absent/run: there is no such bucket, or these keys cannot see it"
    assert store("s3://absent/run") == ("failed", absent)
    assert store("s3://key@packs/run")[0] == "failed"
    with monkeypatch.context() as patched:
        patched.setattr(ObjectFolder, "create", lambda *_: True)
        patched.setattr(ObjectFolder, "read", lambda *_: b"")
        assert "could be replaced" in store(URL)[1]


@pytest.mark.usefixtures("bucket")
def test_a_round_of_watch_ends_as_a_batch_does_where_the_bucket_is_absent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KYCPACK_REPORTS", str(tmp_path))
    with a_town(tmp_path / "kycpack.db") as town:
        session = town.target.create_session({"customerId": town.customers[0]}, timedelta())
        town.target.finish_session(session, {})
        for command in (["watch", "--once"], ["batch", "--all"]):
            answer = town.run(*command, "--out", "s3://absent/run")
            assert answer.exit_code == 2, command
            assert "s3://absent/run: there is no such bucket" in answer.stderr
