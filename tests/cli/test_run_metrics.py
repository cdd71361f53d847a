"""What a monitor reads of a batch: a file for Prometheus, and spans."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kycpack.batch import RunEntry, RunReport
from kycpack.cli.runs.run_metrics import RunMetrics
from kycpack.cli.runs.run_spans import RunSpans
from kycpack.cli.runs.run_watch import watched
from kycpack.errors import ConfigurationError

ENTRIES = (
    RunEntry("customer-1", "produced", level="edd", top_reason="Ada Byron was found", seconds=1.5),
    RunEntry("customer-2", "failed", note="ServerError: no answer", seconds=0.5),
)
REPORT = RunReport("run-1", "2026-06-01T00:00:00Z", "", "", "0", 1, ENTRIES)
_LINE = re.compile(r'kycpack_run_[a-z_]+(\{[a-z]+="[a-z ]+"\})? [0-9.e+-]+')


def _figures(path: Path) -> dict[str, float]:
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    assert all(_LINE.fullmatch(line) for line in lines)
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


def test_the_file_holds_the_figures_of_the_run_and_no_ids(tmp_path: Path) -> None:
    path = tmp_path / "kycpack.prom"
    with watched(None, path, None, tmp_path / "out") as watch:
        assert "kycpack_run_exit_code" not in _figures(path)
        watch.started("run-1", 2, 0)
        for entry in ENTRIES:
            watch.customer(entry)
        watch.report = REPORT
    found = _figures(path)
    assert found["kycpack_run_in_scope"] == 2
    assert found['kycpack_run_customers{outcome="produced"}'] == 1
    assert found['kycpack_run_customers{outcome="failed"}'] == 1
    assert found['kycpack_run_recommended{level="edd"}'] == 1
    assert found["kycpack_run_attempt_seconds"] == 2.0
    assert found["kycpack_run_exit_code"] == 0
    assert "customer-1" not in path.read_text()
    assert "Byron" not in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o644


def test_a_run_that_ends_in_an_error_says_so(tmp_path: Path) -> None:
    path = tmp_path / "kycpack.prom"
    with pytest.raises(ConfigurationError), watched(None, path, None, tmp_path / "out"):
        raise ConfigurationError("no key")
    assert _figures(path)["kycpack_run_exit_code"] == 2


def test_a_file_that_cannot_be_written_is_refused_at_the_start_and_only_reported_later(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ConfigurationError, match="metrics"):
        RunMetrics(tmp_path / "absent" / "kycpack.prom")
    with (
        pytest.raises(ConfigurationError, match="output folder"),
        watched(None, tmp_path / "out" / "kycpack.prom", None, tmp_path / "out"),
    ):
        pass
    (tmp_path / "there").mkdir()
    metrics = RunMetrics(tmp_path / "there" / "kycpack.prom")
    (tmp_path / "there" / "kycpack.prom").unlink()
    (tmp_path / "there").rmdir()
    metrics.started("run-1", 2, 0)
    assert "cannot be written" in capsys.readouterr().err


def test_spans_say_what_became_of_each_attempt_and_name_nobody() -> None:
    memory = pytest.importorskip("opentelemetry.sdk.trace.export.in_memory_span_exporter")
    exporter = memory.InMemorySpanExporter()
    spans = RunSpans(exporter)
    spans.started("run-1", 2, 0)
    for entry in ENTRIES:
        spans.customer(entry)
    spans.ended(1, REPORT)
    *customers, run = exporter.get_finished_spans()
    assert [span.attributes["kycpack.outcome"] for span in customers if span.attributes] == [
        "produced",
        "failed",
    ]
    assert all(span.parent is not None and span.parent.span_id == run.context.span_id for span in customers)
    assert [round((span.end_time - span.start_time) / 1e9, 1) for span in customers] == [1.5, 0.5]
    assert run.attributes is not None
    assert run.attributes["kycpack.exit_code"] == 1
    assert not any("Byron" in str(span.to_json()) for span in (*customers, run))
