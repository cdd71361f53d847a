"""A run on a Dask cluster of processes on this machine, with workers, scheduler and coordinator killed on the way."""

from __future__ import annotations

import pickle
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

pytest.importorskip("distributed")

from kycpack.batch import Job, review_task, run_batch
from kycpack.batch.dask_executor import LOCAL, DaskExecutor
from kycpack.batch.review_task import ReviewTask
from kycpack.errors import ConfigurationError

sys.path.insert(0, str(Path(__file__).parent))
from dask_kills import AS_OF, KilledTask, contents, disturbed_run, entries
from stub_packs import specimen


@pytest.mark.timeout(900)
def test_a_run_with_kills_of_every_kind_gives_the_packs_of_one_that_nobody_killed(tmp_path: Path) -> None:
    customers = [f"customer-{number}" for number in range(8)] + ["fatal-1"]
    calm, folder = tmp_path / "calm", tmp_path / "killed"
    folder.mkdir()
    task = KilledTask(tmp_path, specimen())
    run_batch([Job(name) for name in customers[:-1]], calm, task=task, as_of=AS_OF, workers=2)
    plan = {
        "customer-0": (("kept", "worker"),),
        "customer-1": (("sealed", "worker"),),
        "customer-2": (("made", "task"),),
        "customer-3": (("sealed", "task"),),
        "customer-4": (("sealed", "coordinator"),),
        "customer-5": (("kept", "scheduler"),),
    }
    started = disturbed_run(folder, customers, plan, workers=2)
    assert {path.name.split("-")[1] for path in folder.glob("killed-*")} == {
        "worker",
        "task",
        "coordinator",
        "scheduler",
    }
    assert started["coordinator"] == 2
    assert started["scheduler"] == 2
    assert contents(folder / "out") == contents(calm)
    *others, fatal = entries(folder / "out")
    assert others == entries(calm)
    assert (fatal["outcome"], fatal["cause"]) == ("failed", "workers ended")


def test_two_runs_on_one_machine_have_a_cluster_each() -> None:
    with DaskExecutor(LOCAL)._cluster(1) as first, DaskExecutor(LOCAL)._cluster(1) as second:
        assert first().scheduler.address != second().scheduler.address


def test_what_is_sent_to_workers_holds_no_secret() -> None:
    task = ReviewTask(
        "https://kyc.example.com", "nightly", "c2VjcmV0LW9mLXRoZS1rZXk=", redaction_key=b"a-key-of-redaction"
    )
    sent = pickle.dumps(task.for_workers())
    assert b"c2VjcmV0LW9mLXRoZS1rZXk=" not in sent
    assert b"a-key-of-redaction" not in sent


def test_a_worker_reads_its_own_secret_and_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = ReviewTask("https://127.0.0.1:1", "nightly", "c2VjcmV0", code="this").for_workers()
    monkeypatch.setattr(review_task, "code_digest", lambda: "that")
    with pytest.raises(ConfigurationError, match="worker's version of kycpack"):
        task(Job("a"), out=tmp_path, as_of=datetime(2026, 6, 1, tzinfo=UTC), previous=None)
    monkeypatch.setattr(review_task, "code_digest", lambda: "this")
    monkeypatch.delenv("KYCPACK_SECRET", raising=False)
    with pytest.raises(ConfigurationError, match="KYCPACK_SECRET"):
        task(Job("a"), out=tmp_path, as_of=datetime(2026, 6, 1, tzinfo=UTC), previous=None)
    monkeypatch.setenv("KYCPACK_SECRET", "bWluZQ==")
    monkeypatch.setenv("KYCPACK_WORKSPACE", str(tmp_path / "kycpack.db"))
    assert task._on_worker().secret == "bWluZQ=="


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:8786", "127.0.0.1:8786", "tls://127.0.0.1:8786"])
def test_a_scheduler_without_tls_on_both_sides_is_refused(address: str) -> None:
    with pytest.raises(ConfigurationError, match="TLS"):
        DaskExecutor(address)


@pytest.mark.parametrize("missing", ["CA", "CERT", "KEY"])
def test_a_missing_tls_file_is_named_by_its_variable(tmp_path: Path, missing: str) -> None:
    file = tmp_path / "dask.pem"
    file.touch()
    given = {f"{name}_file": "" if name.upper() == missing else str(file) for name in ("ca", "cert", "key")}
    with pytest.raises(ConfigurationError, match=f"KYCPACK_DASK_{missing} "):
        DaskExecutor("tls://127.0.0.1:8786", **given)
