"""The review of the specimen, made once for each module, and an office whose cases are decided."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader
from tests.render.specimen_review import contents_of
from tests.workspace.case_material import Office, open_office

from kycpack.assets import asset_path
from kycpack.evidence import Evidence, load_evidence
from kycpack.render import ReviewContents, render_review_pdf


@pytest.fixture(scope="module")
def specimen() -> Evidence:
    return load_evidence(asset_path("samples/evidence/index.json").parent)


@pytest.fixture(scope="module")
def contents(specimen: Evidence) -> ReviewContents:
    return contents_of(specimen, prepared_by="A. Analyst")


@pytest.fixture(scope="module")
def pages(contents: ReviewContents) -> list[str]:
    reader = PdfReader(BytesIO(render_review_pdf(contents)))
    return [" ".join(page.extract_text().split()) for page in reader.pages]


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    yield from open_office(tmp_path / "work.db", tmp_path, is_honest=True)
