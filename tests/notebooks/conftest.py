"""A finished run of the sample customer, and of one whose collection failed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import kycpack as kp
from kycpack.assets import asset_path
from kycpack.batch.report import Entry, RunReport

AS_OF = "2026-06-30T23:59:59Z"


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("run")
    pack = kp.write_pack(asset_path("samples/evidence/index.json").parent, out, as_of=AS_OF)
    produced = Entry(pack.customer_id, "produced", pack.path.name, pack.level, pack.top_reason)
    entries = (produced, Entry("customer-3", "failed", note="no answer"))
    report = RunReport("run-1", AS_OF, AS_OF, AS_OF, "0.1.0", 1, entries)
    (out / "run.json").write_text(json.dumps(report.to_document()))
    return out


@pytest.fixture
def answering_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the kernel do what a browser does with a press: send its number back."""
    widgets = pytest.importorskip("ipywidgets")
    monkeypatch.setattr(widgets, "jsdlink", widgets.dlink)
