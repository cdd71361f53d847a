"""The committed sample is what the code makes today."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import pikepdf
import pytest
from pypdf import PdfReader
from typer.testing import CliRunner

from kycpack.cli import app
from kycpack.models.json import parse_json

_SPEC = importlib.util.spec_from_file_location("sample", Path(__file__).with_name("sample.py"))
assert _SPEC is not None
assert _SPEC.loader is not None
sample = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(sample)

ANEW = "run `python tests/golden/sample.py` if the change is meant"


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(sample.make_pack(tmp_path_factory.mktemp("sample")))


def contents(path: Path) -> list[bytes]:
    """Return what is drawn on each page, whatever the compression."""
    with pikepdf.open(path) as pdf:
        return [page.Contents.read_bytes() for page in pdf.pages]


def texts(path: Path) -> list[str]:
    return [page.extract_text() for page in PdfReader(path).pages]


@pytest.mark.parametrize("name", ["review.pdf", "statement.pdf"])
def test_the_sample_says_what_the_code_says(pack: Path, name: str) -> None:
    assert texts(sample.PACK / "data/report" / name) == texts(pack / "data/report" / name), ANEW


@pytest.mark.parametrize("name", ["review.pdf", "statement.pdf"])
def test_the_sample_looks_as_the_code_draws(pack: Path, name: str) -> None:
    before, now = (parse_json((place / "data/manifest.json").read_bytes()) for place in (sample.PACK, pack))
    if any(before["libraries"][name] != now["libraries"][name] for name in ("fpdf2", "fonttools")):
        pytest.skip("another fpdf2 or fontTools than the sample was made with numbers glyphs in its own way")
    assert contents(sample.PACK / "data/report" / name) == contents(pack / "data/report" / name), ANEW


def test_the_sample_has_the_figures_of_the_code(pack: Path) -> None:
    assert (sample.PACK / "data/figures.json").read_bytes() == (pack / "data/figures.json").read_bytes(), ANEW


def test_an_outsider_can_verify_and_replay_the_sample(tmp_path: Path) -> None:
    for command in ("verify", "replay"):
        result = CliRunner().invoke(app, [command, str(shutil.copytree(sample.PACK, tmp_path / command))])
        assert result.exit_code == 0, result.output


def test_the_readme_has_a_picture_of_the_first_page() -> None:
    assert (sample.SAMPLE / "review-page-1.png").read_bytes().startswith(b"\x89PNG")
