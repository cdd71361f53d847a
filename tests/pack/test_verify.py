"""Whatever is altered in a pack, verifying says so and names the file."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.frames.evidence_maker import clear_customer

from kycpack.cli.packs.verify import find_packs
from kycpack.errors import PackError
from kycpack.models.json import canonical_json, parse_json
from kycpack.pack import PackResult, verify_pack, write_pack
from kycpack.pack.bag import close_bag
from kycpack.pack.check.spreadsheet import cover_facts, read_workbook
from kycpack.pack.check.verification_page import verification_page


def reseal(pack: Path) -> None:
    """Hash everything anew, as a forger would."""
    for name in ("bagit.txt", "bag-info.txt", "manifest-sha256.txt", "tagmanifest-sha256.txt"):
        (pack / name).unlink()
    close_bag(pack, {})


def change_json(path: Path, change: Callable[[dict], None]) -> None:
    document = parse_json(path.read_bytes())
    change(document)
    path.write_bytes(canonical_json(document) + b"\n")


def test_a_pack_as_it_was_made_verifies(made: PackResult) -> None:
    answer = verify_pack(made.path)
    assert (answer.ok, answer.problems) == (True, ())
    assert answer.checked > 40


@pytest.mark.parametrize(
    "name",
    [
        "data/report/review.pdf",
        "data/evidence/E-03.json",
        "data/frames/credits.parquet",
        "manifest-sha256.txt",
        "bagit.txt",
    ],
)
def test_one_changed_byte_is_found(copy: Path, name: str) -> None:
    content = bytearray((copy / name).read_bytes())
    content[len(content) // 2] ^= 1
    (copy / name).write_bytes(content)
    assert any(name in problem for problem in verify_pack(copy).problems)


@pytest.mark.parametrize("name", ["data/report/extra.pdf", "notes.txt", "data/evidence/E-99.json"])
def test_a_file_that_should_not_be_there_is_found(copy: Path, name: str) -> None:
    (copy / name).write_bytes(b"x")
    assert any(name in problem for problem in verify_pack(copy).problems)


@pytest.mark.parametrize(
    "name", ["data/report/statement.pdf", "data/evidence/E-01.json", "tagmanifest-sha256.txt"]
)
def test_a_missing_file_is_found(copy: Path, name: str) -> None:
    (copy / name).unlink()
    assert any(name in problem for problem in verify_pack(copy).problems)


def test_a_resealed_pack_with_another_level_is_found(copy: Path) -> None:
    change_json(copy / "data/figures.json", lambda figures: figures.update(level="approve"))
    reseal(copy)
    problems = verify_pack(copy).problems
    assert any("manifest.json" in problem for problem in problems)
    assert any("review.pdf" in problem for problem in problems)
    assert any("recommendations.parquet" in problem for problem in problems)


def test_a_resealed_pack_with_other_evidence_is_found(copy: Path) -> None:
    path = copy / "data/evidence/E-03.json"
    path.write_bytes(path.read_bytes().replace(b'"attention"', b'"clear"'))
    reseal(copy)
    assert any("E-03.json" in problem for problem in verify_pack(copy).problems)


def test_a_resealed_pack_with_an_evidence_entry_taken_away_is_found(copy: Path) -> None:
    index = copy / "data/evidence/index.json"
    change_json(index, lambda document: document["entries"].pop())
    reseal(copy)
    assert any("data/evidence" in problem for problem in verify_pack(copy).problems)


def test_a_resealed_pack_with_another_policy_is_found(copy: Path) -> None:
    path = copy / "data/policy.yaml"
    path.write_bytes(path.read_bytes() + b"\n# softer\n")
    reseal(copy)
    assert any("manifest.json: policy" in problem for problem in verify_pack(copy).problems)


def test_a_manifest_cannot_point_outside_the_bag(copy: Path) -> None:
    with (copy / "manifest-sha256.txt").open("a") as manifest:
        manifest.write(f"{'0' * 64}  ../outside.txt\n")
    assert any("inside the bag" in problem for problem in verify_pack(copy).problems)


def test_what_is_no_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PackError):
        verify_pack(tmp_path / "nothing")


def test_a_pack_without_its_declaration_is_still_looked_for(copy: Path) -> None:
    (copy / "bagit.txt").unlink()
    assert find_packs(copy.parent) == [copy]


def test_what_was_found_is_a_page_on_request(copy: Path) -> None:
    (copy / "data/figures.json").write_bytes(b"{}")
    page = verification_page([(copy, verify_pack(copy))])
    assert "defect" in page
    assert "data/figures.json" in page
    assert "<script" not in page


def test_every_damaged_part_is_named_and_not_only_the_first(copy: Path) -> None:
    for name in ("workbook.xlsx", "report/statement.pdf", "frames/gaps.parquet"):
        (copy / "data" / name).write_bytes(b"damaged")
    found = "\n".join(verify_pack(copy).problems)
    for name in ("workbook.xlsx", "statement.pdf", "gaps.parquet"):
        assert f"data/{name}" in found or f"report/{name}" in found or f"frames/{name}" in found
    assert str(copy) not in found


def test_a_resealed_pack_that_says_another_level_in_words_is_found(copy: Path) -> None:
    change_json(copy / "data/figures.json", lambda figures: figures.update(level_words="Approve"))
    reseal(copy)
    problems = verify_pack(copy).problems
    assert any("limits.parquet and data/figures.json differ" in problem for problem in problems)
    assert any("workbook.xlsx does not show the recommended level" in problem for problem in problems)


def test_figures_of_earlier_versions_without_the_level_in_words_are_compared_by_the_level(copy: Path) -> None:
    change_json(copy / "data/figures.json", lambda figures: figures.pop("level_words"))
    reseal(copy)
    assert any("limits.parquet and data/figures.json differ" in each for each in verify_pack(copy).problems)
    change_json(copy / "data/manifest.json", lambda manifest: manifest["code"].update(version="0.0.1"))
    reseal(copy)
    assert not any("workbook" in each or "limits" in each for each in verify_pack(copy).problems)


def test_figures_of_earlier_versions_without_what_is_in_doubt_are_compared_without_it(copy: Path) -> None:
    def without(figures: dict) -> None:
        for one in figures["credits"]:
            del one["doubted_minor"]

    added_up = "do not add up to data/figures.json"
    change_json(copy / "data/figures.json", without)
    reseal(copy)
    assert any(added_up in each for each in verify_pack(copy).problems)
    change_json(copy / "data/manifest.json", lambda manifest: manifest["code"].update(version="0.0.1"))
    reseal(copy)
    assert not any(added_up in each for each in verify_pack(copy).problems)


def test_a_resealed_pack_that_says_that_less_of_the_money_is_in_doubt_is_found(
    hostile: PackResult, tmp_path: Path
) -> None:
    """The accounts are held in another name, so that nothing that came into them is beyond doubt."""
    pack = Path(shutil.copytree(hostile.path, tmp_path / "pack"))
    assert any(
        one["doubted_minor"] for one in parse_json((pack / "data/figures.json").read_bytes())["credits"]
    )
    assert verify_pack(pack).ok

    def no_doubt(figures: dict) -> None:
        for one in figures["credits"]:
            one["doubted_minor"] = 0

    change_json(pack / "data/figures.json", no_doubt)
    reseal(pack)
    assert any("do not add up to data/figures.json" in each for each in verify_pack(pack).problems)


def test_no_form_of_a_pack_calls_a_customer_without_a_risk_file_approved(tmp_path: Path) -> None:
    pack = write_pack(clear_customer(), tmp_path, as_of="2026-06-02T12:00:00Z", prepared_by="A. Analyst").path
    words = "Approve once conditions are met"
    assert parse_json((pack / "data/figures.json").read_bytes())["level_words"] == words
    cover = cover_facts(read_workbook((pack / "data/workbook.xlsx").read_bytes(), "workbook.xlsx"))
    assert cover["Recommended level"] == words
    assert verify_pack(pack).ok

    def as_before(figures: dict) -> None:
        figures["level_words"] = "Not yet: conditions to be met"

    change_json(pack / "data/figures.json", as_before)
    reseal(pack)
    assert any("limits.parquet and data/figures.json differ" in each for each in verify_pack(pack).problems)
    change_json(pack / "data/manifest.json", lambda manifest: manifest["code"].update(version="0.0.1"))
    reseal(pack)
    assert not any("limits" in each for each in verify_pack(pack).problems)
    change_json(pack / "data/figures.json", lambda figures: figures.update(level_words="Approve"))
    reseal(pack)
    assert any("limits.parquet and data/figures.json differ" in each for each in verify_pack(pack).problems)
