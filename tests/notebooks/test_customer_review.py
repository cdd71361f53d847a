"""The review notebook: empty in the repository, the same by every engine, and safe with hostile text."""

from __future__ import annotations

import json
import shutil
import threading
from pathlib import Path

import pytest
from tests.render.specimen_review import contents_of

from kycpack.assets import asset_path, notebook_path
from kycpack.evidence import load_evidence
from kycpack.pack.notebooks.engine import NAME
from kycpack.pack.notebooks.notebook import normalised, notebook_bytes
from kycpack.pack.notebooks.review_notebook import read_review_notebook
from kycpack.pack.notebooks.runner import run_notebook
from kycpack.render import render_review_html

NOTEBOOK = notebook_path("customer_review.ipynb")
PARAMETERS = {"evidence_path": "evidence", "order_path": "order.json", "output_path": "."}


def place(folder: Path) -> Path:
    samples = asset_path("samples/order.json").parent
    shutil.copytree(samples / "evidence", folder / "evidence")
    shutil.copyfile(samples / "order.json", folder / "order.json")
    return folder


def test_the_notebook_has_no_stored_outputs_and_one_cell_of_parameters() -> None:
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    codes = [cell for cell in cells if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in codes)
    assert sum("parameters" in cell["metadata"].get("tags", []) for cell in cells) == 1
    assert len({cell["id"] for cell in cells}) == len(cells)


def test_the_notebook_that_analysts_open_is_the_one_that_packs_are_made_from() -> None:
    assert read_review_notebook(NOTEBOOK) == read_review_notebook()


def executed_by(engine: str, folder: Path) -> bytes:
    folder.mkdir()
    run = run_notebook(NOTEBOOK, place(folder), PARAMETERS, folder / "quarantine", engine=engine)
    return notebook_bytes(normalised(run))


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return executed_by(NAME, tmp_path_factory.mktemp("fast") / "run")


@pytest.mark.filterwarnings(
    "ignore::DeprecationWarning", "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)
def test_a_kernel_gives_the_same_notebook_as_the_fast_engine(executed: bytes, tmp_path: Path) -> None:
    assert executed_by("nbclient", tmp_path / "run") == executed


def test_a_process_with_other_threads_gives_the_same_notebook(executed: bytes, tmp_path: Path) -> None:
    ended = threading.Event()
    other = threading.Thread(target=ended.wait)
    other.start()
    try:
        assert executed_by(NAME, tmp_path / "run") == executed
    finally:
        ended.set()
        other.join()


def test_a_page_of_a_hostile_notebook_runs_nothing_and_loads_nothing() -> None:
    def shown(kind: str, text: str) -> dict:
        return {"output_type": "display_data", "data": {kind: text}, "metadata": {}}

    outputs = [
        shown(
            "text/html",
            "<script>alert(1)</script><img src=x onerror=alert(2)><a href='javascript:alert(3)'>a</a>",
        ),
        shown(
            "text/html",
            "<img src='https://example.test/p.png'><style>body{display:none}</style><iframe src=/></iframe>",
        ),
        shown(
            "text/html",
            "<svg><script>alert(4)</script></svg><div style='position:fixed' class='kp evil'>kept</div>",
        ),
        shown("text/plain", "</pre><script>alert(5)</script>\u202e"),
        shown("text/markdown", "<script>alert(6)</script>"),
    ]
    cells = [
        {
            "cell_type": "markdown",
            "source": "# A <script>alert(7)</script>\n\n[x](javascript:alert(8)) ![y](https://example.test/z.png)",
        },
        {"cell_type": "code", "source": "", "outputs": outputs},
    ]
    page = render_review_html({"cells": cells}, title="</title><script>alert(9)</script>")
    assert "<script" not in page.lower()
    assert "onerror" not in page
    assert "javascript:" not in page
    assert "<iframe" not in page
    assert "<svg" not in page
    assert "example.test" not in page
    assert "display:none" not in page
    assert 'class="kp"' in page
    assert "default-src &#39;none&#39;" in page or "default-src 'none'" in page
    assert "&lt;U+202E&gt;" in page


def test_the_page_has_every_section_of_the_pdf_and_no_code_in_its_words(executed: bytes) -> None:
    cells = json.loads(executed)["cells"]
    words = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    headings = {line.removeprefix("## ") for text in words for line in text.splitlines()}
    evidence = load_evidence(asset_path("samples/order.json").parent / "evidence")
    titles = {section.title for section in contents_of(evidence).sections}
    assert titles <= headings
    assert [text for text in words if "`" in text] == []
