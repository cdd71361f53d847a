"""The documents as an independent checker sees them.

PDFBox's Preflight knows PDF/A-1b, so that the same documents are rendered at that level, without attachments. veraPDF, which no
package index has, checks them as they are, at 3U: on machines that have it on the PATH.
"""

from __future__ import annotations

import shutil
import subprocess
from functools import partial
from pathlib import Path

import pytest
from fpdf import FPDF

from kycpack.assets import asset_path
from kycpack.evidence import load_evidence
from kycpack.pack import Review, build_review
from kycpack.render import (
    embedded_fonts,
    pdf_metadata,
    pdf_pages,
    render_review_pdf,
    render_statement_absent_pdf,
)

JARS = Path("/usr/share/java")
NAMES = (
    "preflight",
    "pdfbox2",
    "xmpbox",
    "fontbox2",
    "commons-logging",
    "commons-io",
    "javax.activation",
    "jaxb-api",
)


def _review() -> Review:
    return build_review(
        load_evidence(asset_path("samples/evidence/index.json").parent), as_of="2026-06-30T12:00:00Z"
    )


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("pdfa")
    review = _review()
    with pytest.MonkeyPatch.context() as patch:
        for module in (pdf_pages, pdf_metadata):
            patch.setattr(module, "PART", 1)
            patch.setattr(module, "LEVEL", "B")
        # PDF/A-1 wants a list of the characters of a face, which its basic part then has too.
        patch.setattr(embedded_fonts, "FPDF", partial(FPDF, enforce_compliance="PDFA_1B"))
        embedded_fonts._basic_part.cache_clear()
        patch.setattr(pdf_pages.Sheet, "embed", lambda *_, **__: None)
        made = {
            "review": render_review_pdf(review.contents),
            "statement": review.statement_pdf(),
            "absent": render_statement_absent_pdf("No bank account was linked.", as_of=review.as_of),
        }
    embedded_fonts._basic_part.cache_clear()
    for name, content in made.items():
        (folder / f"{name}.pdf").write_bytes(content)
    return sorted(folder.glob("*.pdf"))


@pytest.mark.java
def test_preflight_finds_every_document_valid(documents: list[Path]) -> None:
    jars = [JARS / f"{name}.jar" for name in NAMES]
    missing = [jar.name for jar in jars if not jar.is_file()]
    if missing:
        pytest.skip(f"Preflight is not on this machine: {', '.join(missing)}")
    for document in documents:
        command = [
            "java",
            "-cp",
            ":".join(map(str, jars)),
            "org.apache.pdfbox.preflight.Validator_A1b",
            str(document),
        ]
        done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 - a checker, on our own file
        assert "is a valid PDF/A-1b file" in done.stdout, done.stdout + done.stderr


if VERAPDF := shutil.which("verapdf"):

    @pytest.mark.java
    def test_verapdf_finds_every_document_valid(tmp_path: Path) -> None:
        review = _review()
        made = {"review": render_review_pdf(review.contents), "statement": review.statement_pdf()}
        for name, content in made.items():
            (tmp_path / f"{name}.pdf").write_bytes(content)
        command = [VERAPDF, "--flavour", "3u", "--format", "text", *map(str, sorted(tmp_path.glob("*.pdf")))]
        done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 - a checker, on our own files
        assert done.stdout.count("PASS") == len(made), done.stdout + done.stderr
