from __future__ import annotations

import json
import stat
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from kycpack.batch import Entry, Job, RunReport, run_batch
from kycpack.batch.lock import locked_output
from kycpack.errors import InputError, OutputLockedError

sys.path.insert(0, str(Path(__file__).parent))
from fakes import FakeTask

AS_OF = datetime(2026, 6, 1, tzinfo=UTC)
LATER = datetime(2026, 6, 2, tzinfo=UTC)


def _run(out: Path, names: Sequence[str], **options: Any) -> RunReport:
    given: dict[str, Any] = {"task": FakeTask(), "as_of": AS_OF, **options}
    return run_batch([Job(name) for name in names], out, **given)


def _index(run: Mapping[str, Any]) -> str:
    return f"<p>{run['in_scope']}</p>"


def test_every_customer_has_one_entry_and_the_sums_add_up(tmp_path: Path) -> None:
    report = _run(tmp_path, ["a", "missing-1", "b", "surprise-1", "killed-1", "c"], render_index=_index)
    run = json.loads((tmp_path / "run.json").read_bytes())
    assert run["in_scope"] == 6 == run["produced"] + run["failed"] + run["skipped"] + run["unchanged"]
    assert (run["produced"], run["failed"]) == (3, 3)
    assert [entry["customer_id"] for entry in run["entries"]] == [
        entry.customer_id for entry in report.entries
    ]
    assert (tmp_path / "index.html").read_text() == "<p>6</p>"
    assert stat.S_IMODE((tmp_path / "run.json").stat().st_mode) == 0o600


def test_a_failure_says_what_and_to_whom_without_personal_data(tmp_path: Path) -> None:
    notes = {
        entry.customer_id: entry.note
        for entry in _run(tmp_path, ["missing-1", "surprise-1", "killed-1"]).entries
    }
    assert notes["missing-1"] == "NotFoundError: customer missing-1 is unknown (customers.get)"
    assert notes["surprise-1"].startswith("ValueError at fakes.py:")
    assert notes["killed-1"] == "its process ended by signal 9 before it answered"


def test_each_customer_has_a_process_of_its_own(tmp_path: Path) -> None:
    _run(tmp_path, ["a", "b", "c", "d"], workers=2)
    assert len({(tmp_path / name).read_text().split()[0] for name in "abcd"}) == 4


def test_what_has_not_changed_is_left_alone(tmp_path: Path) -> None:
    _run(tmp_path, ["a", "b"])
    before = (tmp_path / "a").read_text()
    again = _run(tmp_path, ["a", "b", "c"], as_of=LATER)
    assert [entry.outcome for entry in again.entries] == ["unchanged", "unchanged", "produced"]
    assert (again.entries[0].pack, again.entries[0].level) == ("a", "review")
    assert (tmp_path / "a").read_text() == before
    changed = _run(tmp_path, ["a"], task=FakeTask("other"))
    assert changed.entries[0].outcome == "produced"


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    names = ["a", "b", "c"]

    def stop(entry: Entry) -> None:
        if entry.customer_id == "b":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _run(tmp_path, names, workers=1, on_entry=stop)
    assert not (tmp_path / "run.json").exists()

    seen: list[tuple[int, int]] = []
    report = _run(tmp_path, names, as_of=LATER, on_begin=lambda scope, skipped: seen.append((scope, skipped)))
    assert seen == [(3, 2)]
    assert [entry.outcome for entry in report.entries] == ["skipped", "skipped", "produced"]
    assert report.entries[0].pack == "a"
    assert report.as_of == "2026-06-01T00:00:00Z"
    assert (tmp_path / "c").read_text().endswith("2026-06-01T00:00:00+00:00")
    assert report.count("skipped") == 2

    third = _run(tmp_path, names)
    assert [entry.outcome for entry in third.entries] == ["unchanged"] * 3


def test_a_run_with_another_policy_does_not_go_on_with_an_interrupted_one(tmp_path: Path) -> None:
    def stop(_entry: Entry) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _run(tmp_path, ["a", "b"], workers=1, on_entry=stop, identity={"policy": "one"})
    report = _run(tmp_path, ["a", "b"], task=FakeTask("two"), identity={"policy": "two"})
    assert [entry.outcome for entry in report.entries] == ["produced", "produced"]


def test_a_line_that_a_crash_cut_off_is_not_a_line(tmp_path: Path) -> None:
    _run(tmp_path, ["a"])
    ledger = tmp_path / ".kycpack" / "ledger.jsonl"
    ledger.write_bytes(ledger.read_bytes() + b'{"entry":{"customer_id":"b","outc')
    assert [entry.outcome for entry in _run(tmp_path, ["a", "b"]).entries] == ["unchanged", "produced"]


def test_a_failed_customer_is_tried_again(tmp_path: Path) -> None:
    assert _run(tmp_path, ["once-1", "a"]).count("failed") == 1
    (tmp_path / "second-try").touch()
    assert [entry.outcome for entry in _run(tmp_path, ["once-1", "a"]).entries] == ["produced", "unchanged"]


def test_a_hanging_customer_fails_and_the_others_do_not(tmp_path: Path) -> None:
    report = _run(tmp_path, ["slow-1", "a"], limit_seconds=5)
    assert [entry.outcome for entry in report.entries] == ["failed", "produced"]
    assert report.entries[0].note == "took longer than a customer may"


def test_a_second_run_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    with locked_output(tmp_path), pytest.raises(OutputLockedError, match="another run"):
        _run(tmp_path, ["a"])
    assert _run(tmp_path, ["a"]).count("produced") == 1


def test_nobody_in_scope_is_a_run_of_nobody(tmp_path: Path) -> None:
    assert _run(tmp_path, []).to_document()["in_scope"] == 0


def test_wrong_jobs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="twice"):
        _run(tmp_path, ["a", "a"])
    with pytest.raises(InputError, match="at least one worker"):
        _run(tmp_path, ["a"], workers=0)
