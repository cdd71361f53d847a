"""A pack appears whole, tells nothing it must not, and is the same every time."""

from __future__ import annotations

import hashlib
import json
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from pypdf import PdfReader

from kycpack.errors import InputError, NotebookFailedError, PackError
from kycpack.evidence import Evidence
from kycpack.models.json import parse_json
from kycpack.pack import PackResult, build_review, latest_pack, write_pack
from kycpack.render.run_index import share_words

AS_OF = "2026-06-30T12:00:00Z"


def hashes(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_the_result_says_what_is_recommended_and_how_much_is_explained(made: PackResult) -> None:
    assert made.customer_id == made.path.name
    assert made.level == "edd"
    assert "politically exposed" in made.top_reason
    assert made.explained_share is not None
    assert 0 < made.explained_share < 1


def test_the_share_of_known_nature_outside_a_pack_is_that_of_its_page_one(
    made: PackResult, hostile: PackResult
) -> None:
    """The accounts of the hostile customer are held in another name, so nothing that came into them is beyond doubt."""
    assert hostile.explained_share == 0
    for pack in (made, hostile):
        figures = parse_json((pack.path / "data/figures.json").read_bytes())
        shown = share_words({"explained_share": pack.explained_share, "pack": "p"})
        assert shown in {one["known_share"] for one in figures["credits"]}
        page = PdfReader(pack.path / "data/report/review.pdf").pages[0].extract_text()
        assert f"{shown} of " in " ".join(page.split())


@pytest.mark.parametrize(
    ("share", "shown"),
    [(0, "0.0%"), (0.0004, "under 0.1%"), (0.5, "50.0%"), (0.99996, "over 99.9%"), (1, "100.0%")],
)
def test_a_share_that_is_not_all_is_never_shown_as_all(share: float, shown: str) -> None:
    assert share_words({"explained_share": share, "pack": "p"}) == shown


def test_the_same_order_gives_the_same_bytes_in_every_file(
    made: PackResult, specimen: Evidence, tmp_path: Path
) -> None:
    again = write_pack(specimen, tmp_path, as_of=AS_OF, case_id="case-2026-0042", prepared_by="A. Analyst")
    assert hashes(again.path) == hashes(made.path)


def test_the_bag_has_the_layout_that_auditors_are_told(made: PackResult) -> None:
    there = set(hashes(made.path))
    assert {"bagit.txt", "bag-info.txt", "manifest-sha256.txt", "tagmanifest-sha256.txt"} <= there
    for name in ("manifest.json", "workbook.xlsx", "evidence/index.json", "frames/transactions.parquet"):
        assert f"data/{name}" in there
    for name in ("review.pdf", "statement.pdf", "review.html", "review.ipynb"):
        assert f"data/report/{name}" in there


def test_stock_tools_find_the_bag_valid(made: PackResult) -> None:
    command = [sys.executable, "-W", "ignore", "-m", "bagit", "--validate", str(made.path)]
    done = subprocess.run(command, check=False, capture_output=True)  # noqa: S603 - the stock tool, on our own pack
    assert done.returncode == 0


def test_only_the_owner_can_read_a_pack(made: PackResult) -> None:
    for path in (made.path, *made.path.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)


def test_frames_of_the_pack_are_those_of_the_review(made: PackResult, specimen: Evidence) -> None:
    review = build_review(specimen, as_of=AS_OF)
    stored = pd.read_parquet(made.path / "data/frames/transactions.parquet")
    assert stored["amount_minor"].tolist() == review.frames.transactions["amount_minor"].tolist()
    assert stored["txn_id"].tolist() == review.frames.transactions["txn_id"].tolist()


def test_the_notebook_names_no_place_of_this_machine_and_no_moment_of_its_run(
    made: PackResult, tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = (made.path / "data/report/review.ipynb").read_text(encoding="utf-8")
    assert str(tmp_path_factory.getbasetemp()) not in text
    assert "papermill" not in json.loads(text)["metadata"]
    assert " at 0x" not in text


def test_the_manifest_says_that_nobody_has_decided(made: PackResult) -> None:
    manifest = parse_json((made.path / "data/manifest.json").read_bytes())
    assert manifest["decision"] is None
    assert manifest["case"] == {"id": "case-2026-0042", "prepared_by": "A. Analyst", "reviewed_by": None}
    assert manifest["policy"]["id"] == "default-uk"


def test_a_failing_notebook_leaves_no_pack_and_is_kept_apart(specimen: Evidence, tmp_path: Path) -> None:
    broken = tmp_path / "broken.ipynb"
    cell = {
        "cell_type": "code",
        "id": "a",
        "metadata": {"tags": ["parameters"]},
        "source": "evidence_path = ''\npolicy_path = ''\norder_path = ''\noutput_path = ''\n1 / 0",
        "outputs": [],
        "execution_count": None,
    }
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    broken.write_text(json.dumps({"cells": [cell], "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}))
    out = tmp_path / "packs"
    with pytest.raises(NotebookFailedError, match="ZeroDivisionError") as caught:
        write_pack(specimen, out, as_of=AS_OF, notebook=broken)
    assert caught.value.quarantine is not None
    assert caught.value.quarantine.is_file()
    assert [path.name for path in out.iterdir()] == [".quarantine"]


def test_a_pack_is_put_beside_an_earlier_one_and_the_same_pack_is_not_made_twice(
    copy: Path, specimen: Evidence
) -> None:
    before = hashes(copy)
    same = write_pack(specimen, copy.parent, as_of=AS_OF, case_id="case-2026-0042", prepared_by="A. Analyst")
    assert same.path == copy
    later = write_pack(specimen, copy.parent, as_of="2026-07-31", earlier=copy)
    assert later.path != copy
    assert hashes(copy) == before
    assert latest_pack(copy.parent, specimen.customer_id) == later.path


@pytest.mark.parametrize("as_of", ["yesterday", "2026-06-30T12:00:00"])
def test_a_pack_needs_an_instant(specimen: Evidence, tmp_path: Path, as_of: str) -> None:
    with pytest.raises(InputError, match="as_of"):
        write_pack(specimen, tmp_path, as_of=as_of)


def test_a_pack_of_another_customer_is_not_replaced(made: PackResult, specimen: Evidence) -> None:
    # As on a file system that ignores case.
    other = replace(specimen, customer_id=specimen.customer_id.lower())
    (made.path.parent / other.customer_id).symlink_to(made.path)
    with pytest.raises(PackError, match="another customer's"):
        write_pack(other, made.path.parent, as_of=AS_OF)
