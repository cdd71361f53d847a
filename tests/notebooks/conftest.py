"""A finished run of the sample customer, and of one whose collection failed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import kycpack as kp
from kycpack.assets import asset_path
from kycpack.batch.report import RunEntry, RunReport

AS_OF = "2026-06-30T23:59:59Z"


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("run")
    pack = kp.write_pack(asset_path("samples/evidence/index.json").parent, out, as_of=AS_OF)
    produced = RunEntry(pack.customer_id, "produced", pack.path.name, pack.level, pack.top_reason)
    entries = (produced, RunEntry("customer-3", "failed", note="no answer"))
    report = RunReport("run-1", AS_OF, AS_OF, AS_OF, "0.1.0", 1, entries)
    (out / "run.json").write_text(json.dumps(report.to_document()))
    return out


@pytest.fixture
def answering_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do at once what a browser does with the number of a press: send it back."""
    widgets = pytest.importorskip("ipywidgets")

    def link(source: tuple[Any, str], target: tuple[Any, str]) -> None:
        source[0].observe(lambda change: setattr(*target, change["new"]), names=source[1])

    monkeypatch.setattr(widgets, "jsdlink", link)
