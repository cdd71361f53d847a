"""The review of the specimen, made once for each module."""

from __future__ import annotations

from io import BytesIO

import pytest
from pypdf import PdfReader
from tests.render.specimen_review import contents_of

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
