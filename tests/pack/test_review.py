"""Writing a review into a folder that somebody names in the notebook."""

from __future__ import annotations

from pathlib import Path

import pytest

import kycpack as kp
from kycpack.assets import asset_path
from kycpack.errors import PackError
from kycpack.pack.compute.review import Review


@pytest.fixture(scope="module")
def review() -> Review:
    return kp.build_review(asset_path("samples/evidence/index.json").parent, as_of="2026-06-30")


def test_the_folder_of_a_review_is_made_with_its_parents(review: Review, tmp_path: Path) -> None:
    target = tmp_path / "reviews" / "tonight"
    written = review.write(target)
    assert (target / "report" / "review.pdf").is_file()
    assert all((target / name).is_file() for name in written.files)
    assert target.stat().st_mode & 0o077 == 0


def test_a_review_is_not_written_over_another(review: Review, tmp_path: Path) -> None:
    review.write(tmp_path / "a")
    before = (tmp_path / "a" / "figures.json").stat().st_mtime_ns
    with pytest.raises(PackError, match="already holds a review; give another folder"):
        review.write(tmp_path / "a")
    assert (tmp_path / "a" / "figures.json").stat().st_mtime_ns == before


def test_a_file_in_the_place_of_the_folder_is_named_in_a_sentence(review: Review, tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    with pytest.raises(PackError, match="cannot be made"):
        review.write(tmp_path / "a" / "b")
    with pytest.raises(PackError, match="cannot be made"):
        review.write(tmp_path / "a")
