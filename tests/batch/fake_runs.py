"""Runs of fake tasks, for tests of what a run does with their outcomes."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kycpack.batch import Job, RunReport, run_batch

sys.path.insert(0, str(Path(__file__).parent))
from fakes import FakeTask

AS_OF = datetime(2026, 6, 1, tzinfo=UTC)


def run_fakes(out: Path, names: Sequence[str], **options: Any) -> RunReport:
    given: dict[str, Any] = {"task": FakeTask(), "as_of": AS_OF, **options}
    return run_batch([Job(name) for name in names], out, **given)


def short_index(run: Mapping[str, Any], _names: Mapping[str, str] | None) -> Iterator[tuple[str, str]]:
    yield "index.html", f"<p>{run['in_scope']}</p>"
