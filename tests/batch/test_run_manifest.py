"""Whatever is done to a finished run is found; what only a signature or the firm's own list can find is named as such."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.frames.evidence_maker import RECORD, EvidenceMaker, clear_customer
from tests.traced_memory import with_peak

import kycpack as kp
from kycpack.batch.erasure import erase_from_runs
from kycpack.batch.report import RunEntry, RunReport, dump
from kycpack.batch.run_manifest import RUN_MANIFEST, RUN_SIGNATURE, put_away, write_run_manifest
from kycpack.batch.run_results import write_index
from kycpack.batch.run_signing import sign_run
from kycpack.batch.run_verification import RunVerification, verify_run
from kycpack.errors import PackError
from kycpack.models.json import canonical_json
from kycpack.pack.sign.signing import load_key
from kycpack.pack.sign.trial_key import new_trial_key
from kycpack.render import render_index_pages
from kycpack.render.decisions_page import DECISIONS, render_decisions_html

AS_OF, BEFORE = "2026-06-01T23:59:59Z", "2026-05-01T23:59:59Z"
PASSPHRASE = "correct horse"
ONE, TWO = clear_customer().customer_id, "customer-2"


def _evidence(customer_id: str) -> Any:
    if customer_id == ONE:
        return clear_customer()
    made = EvidenceMaker(customer_id)
    made.answer("customers.get", {**RECORD, "id": customer_id})
    return made.make()


def _close(out: Path, names: tuple[str, ...], *, run_id: str = "run-1", as_of: str = AS_OF) -> None:
    """Make packs, report, index and manifest as a batch does."""
    entries = []
    for name in names:
        pack = kp.write_pack(_evidence(name), out, as_of=as_of)
        entries.append(
            RunEntry(name, "produced", pack.path.name, pack.level, pack.top_reason, pack.explained_share)
        )
    kept = kp.load_evidence(clear_customer().save(out / ".kycpack/evidence/customer-9")).root
    failed = RunEntry(
        "customer-9", "failed", note="no answer", evidence=".kycpack/evidence/customer-9", evidence_root=kept
    )
    report = RunReport(run_id, as_of, as_of, as_of, kp.__version__, 1, (*entries, failed)).to_document()
    _write_report(out, report)
    write_run_manifest(out, report)


def _write_report(out: Path, report: dict[str, Any]) -> None:
    (out / "run.json").write_bytes(dump(report))
    write_index(out, report, render_index_pages)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("run")
    _close(out, (ONE, TWO))
    return out


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("foreign")
    _close(out, (ONE, "customer-3"), run_id="run-0", as_of=BEFORE)
    return out


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "run"))


@pytest.fixture(scope="module")
def firm(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    place = tmp_path_factory.mktemp("firm")
    new_trial_key(place / "k.p12", place / "k.pem", name="Head", passphrase=PASSPHRASE, now=datetime.now(UTC))
    return place / "k.p12", place / "k.pem"


@pytest.fixture(scope="module")
def sealed(made: Path, firm: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = Path(shutil.copytree(made, tmp_path_factory.mktemp("sealed") / "run"))
    sign_run(out, load_key(firm[0], PASSPHRASE))
    return out


@pytest.fixture
def signed(sealed: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sealed, tmp_path / "signed"))


def _edit(run: Path, change: Callable[[dict[str, Any]], object], name: str = RUN_MANIFEST) -> None:
    document = json.loads((run / name).read_bytes())
    change(document)
    (run / name).write_bytes(canonical_json(document))


def _said(answer: RunVerification) -> str:
    return "\n".join(answer.problems)


def test_a_run_that_nobody_touched_is_verified(made: Path) -> None:
    answer = verify_run(made, population=[ONE, TWO, "customer-9"])
    assert (answer.ok, answer.problems, answer.in_scope, answer.checked) == (True, (), 3, 2)
    assert any("no signature" in sentence for sentence in answer.not_shown)


def test_the_manifest_is_the_same_bytes_again(made: Path, run: Path) -> None:
    write_run_manifest(run, json.loads((run / "run.json").read_bytes()))
    assert (run / RUN_MANIFEST).read_bytes() == (made / RUN_MANIFEST).read_bytes()


def test_a_missing_pack_is_found(run: Path) -> None:
    shutil.rmtree(run / TWO)
    assert f"the pack of customer {TWO} is missing" in _said(verify_run(run))


def test_two_packs_that_changed_places_are_found(run: Path) -> None:
    (run / ONE).rename(run / "x")
    (run / TWO).rename(run / ONE)
    (run / "x").rename(run / TWO)
    assert f"{ONE} was replaced by another pack of the run's folder: {TWO}" in _said(verify_run(run))


def test_an_older_pack_is_found(run: Path, foreign: Path) -> None:
    shutil.rmtree(run / ONE)
    shutil.copytree(foreign / ONE, run / ONE)
    assert f"{ONE} was replaced by an older pack, as of {BEFORE}" in _said(verify_run(run))


def test_a_pack_of_another_run_is_found(run: Path, foreign: Path) -> None:
    shutil.rmtree(run / TWO)
    shutil.copytree(foreign / "customer-3", run / TWO)
    assert f"{TWO} was replaced by a pack of customer customer-3" in _said(verify_run(run))


def test_a_pack_put_beside_those_of_the_run_is_found(run: Path, foreign: Path) -> None:
    shutil.copytree(foreign / ONE, run / f"{ONE}+2")
    assert f"{ONE}+2 was not made by this run" in _said(verify_run(run))


def test_a_customer_who_was_never_in_scope_is_found(run: Path, foreign: Path) -> None:
    shutil.copytree(foreign / "customer-3", run / "customer-3")
    assert "customer-3 is a folder of a customer who was never in scope" in _said(verify_run(run))
    shutil.rmtree(run / "customer-3")
    _edit(
        run,
        lambda report: report["entries"].append({**report["entries"][0], "customer_id": "c-4"}),
        "run.json",
    )
    assert "run.json has customer c-4, who was never in scope" in _said(verify_run(run))


def test_a_customer_who_is_left_out_of_the_report_is_found(run: Path) -> None:
    _edit(run, lambda report: report["entries"].pop(1), "run.json")
    assert f"run.json leaves out customer {TWO}" in _said(verify_run(run))


def test_the_firms_own_list_finds_who_is_left_out_and_who_is_too_many(made: Path) -> None:
    said = _said(verify_run(made, population=[ONE, "customer-9", "customer-7"]))
    assert "customer customer-7 was not in scope of the run, but should have been" in said
    assert f"customer {TWO} is not in the list of customers who should be in scope" in said


@pytest.mark.parametrize("name", ["run.json", "index.html", "index/figure_map.json", "summary.pdf"])
def test_a_changed_or_missing_report_is_found(run: Path, name: str) -> None:
    (run / name).write_bytes((run / name).read_bytes() + b" ")
    assert f"{name} differs from the manifest of the run" in _said(verify_run(run))
    (run / name).unlink()
    assert f"{name} is missing" in _said(verify_run(run))


def test_an_index_that_shows_something_else_is_found_without_its_hash(run: Path) -> None:
    report = json.loads((run / "run.json").read_bytes())
    page = (run / "index.html").read_text()
    assert f"{TWO}/data" in page
    (run / "index.html").write_text(page.replace(f"{TWO}/data", f"{ONE}/data"))
    write_run_manifest(run, report)
    assert _said(verify_run(run)) == "index.html shows something other than run.json"


def test_a_page_of_decisions_that_links_other_packs_is_found(run: Path) -> None:
    assert 'href="decisions.html"' in (run / "index.html").read_text()
    page = render_decisions_html(
        [{"customer_id": ONE, "pack": f"{ONE}+2", "decided_on": ONE, "sentence": "Approved by nobody"}]
    )
    (run / DECISIONS).write_text(page)
    said = f"{DECISIONS} does not link the packs with decisions that are in the run's folder"
    assert _said(verify_run(run)) == said


def test_an_erasure_takes_a_customer_out_of_the_page_of_decisions(run: Path) -> None:
    (run / ".kycpack").mkdir(exist_ok=True)
    gone = {"customer_id": "gone-1", "pack": "gone-1+2", "decided_on": "gone-1", "sentence": "Approved"}
    (run / DECISIONS).write_text(render_decisions_html([gone]))
    erase_from_runs([run], {"gone-1"}, 1)
    assert "gone-1" not in (run / DECISIONS).read_text()


@pytest.mark.parametrize("name", ["summary.pdf", "index/figure_map.json"])
def test_a_summary_or_a_figure_map_that_is_made_of_other_entries_is_found_without_its_hash(
    run: Path, name: str
) -> None:
    report = json.loads((run / "run.json").read_bytes())
    forged = {**report, "entries": [{**one, "level": "reject"} for one in report["entries"]]}
    kept = {
        path: path.read_bytes()
        for path in (run / "index.html", run / "summary.pdf", run / "index/figure_map.json")
    }
    write_index(run, forged, render_index_pages)
    for path, content in kept.items():
        if path != run / name:
            path.write_bytes(content)
    write_run_manifest(run, report)
    assert f"{name} shows something other than run.json" in _said(verify_run(run))


def test_another_share_of_known_nature_is_found_although_everything_is_made_anew(run: Path) -> None:
    report = json.loads((run / "run.json").read_bytes())
    report["entries"][0]["explained_share"] = 0.875
    _write_report(run, report)
    write_run_manifest(run, report)
    assert "state different shares of known nature" in _said(verify_run(run))


def test_forged_outcomes_and_levels_are_found_although_everything_is_made_anew(run: Path) -> None:
    report = json.loads((run / "run.json").read_bytes())
    report["entries"][0]["level"] = "reject"
    report["failed"], report["produced"] = 0, 3
    _write_report(run, report)
    write_run_manifest(run, report)
    said = _said(verify_run(run))
    assert f"{ONE} does not have the recommendation that the run states" in said
    assert "has counts of outcomes that differ from its customers" in said


def test_one_pack_for_two_customers_is_found(run: Path) -> None:
    shutil.rmtree(run / TWO)
    shutil.copytree(run / ONE, run / TWO)
    write_run_manifest(run, json.loads((run / "run.json").read_bytes()))
    said = _said(verify_run(run))
    assert "has the same manifest 2 times" in said
    assert f"{TWO} is the pack of customer {ONE}, not of {TWO}" in said


def test_packs_of_two_policies_or_dates_are_found(run: Path, tmp_path: Path) -> None:
    default = next(path for path in (run / ONE / "data").glob("policy.yaml"))
    softer = tmp_path / "softer.yaml"
    softer.write_bytes(default.read_bytes() + b"\n# another\n")
    shutil.rmtree(run / TWO)
    kp.write_pack(_evidence(TWO), run, policy=kp.load_policy(softer), as_of=BEFORE)
    report = json.loads((run / "run.json").read_bytes())
    write_run_manifest(run, report)
    said = _said(verify_run(run))
    assert "use 2 policies; a run has one" in said
    assert f"{TWO} is as of {BEFORE}, unlike the run" in said


def test_kept_evidence_that_is_changed_or_missing_is_found(run: Path) -> None:
    index = run / ".kycpack/evidence/customer-9/index.json"
    index.write_bytes(index.read_bytes() + b" ")
    assert "the evidence of customer customer-9 does not match the run" in _said(verify_run(run))
    index.unlink()
    assert "the evidence of customer customer-9 is missing" in _said(verify_run(run))


@pytest.mark.parametrize("content", [b"", b"[]", b'{"schema":"kycpack-run-manifest-1"}', b"[" * 100_000])
def test_a_malformed_manifest_is_a_defect(run: Path, content: bytes) -> None:
    (run / RUN_MANIFEST).write_bytes(content)
    assert not verify_run(run).ok


def test_anything_else_in_the_folder_is_found(run: Path) -> None:
    (run / "approved.txt").write_text("all clear")
    (run / "link").symlink_to(run / ONE)
    (run / f"{TWO}+2").mkdir()
    (run / f"{ONE}+latest").write_text(f"{ONE}+7\n")
    said = _said(verify_run(run))
    assert "approved.txt is not part of the run" in said
    assert "link is a link" in said
    assert f"{TWO}+2 was not made by this run" in said
    assert f"{ONE}+latest names {ONE}+7, which is not the latest pack" in said


def test_packs_of_a_customer_that_are_not_in_a_row_are_found(run: Path) -> None:
    shutil.copytree(run / ONE, run / f"{ONE}+3")
    said = _said(verify_run(run))
    assert f"{ONE}+latest is missing, which names the latest pack" in said
    assert f"packs of a customer are numbered in a row, and {ONE}+2 is missing" in said
    assert f"{ONE}+3 is a copy of {ONE}" in said


def test_a_pack_numbered_far_beyond_the_others_is_found_at_once(run: Path) -> None:
    far = f"{ONE}+999999999999"
    shutil.copytree(run / ONE, run / far)
    said = _said(verify_run(run))
    assert f"packs of a customer are numbered in a row, and {ONE}+2 is missing" in said
    assert f"{far} is a copy of {ONE}" in said


def test_a_signed_run_is_verified_by_the_firms_certificate_only(
    sealed: Path, firm: tuple[Path, Path], tmp_path: Path
) -> None:
    answer = verify_run(sealed, trust=firm[1], require_signature=True, signer="Head")
    assert (answer.ok, answer.problems) == (True, ())
    assert all(kp.verify_pack(sealed / name, trust=firm[1], require_signature=True).ok for name in (ONE, TWO))
    new_trial_key(tmp_path / "o.p12", tmp_path / "o.pem", name="Head", passphrase="x", now=datetime.now(UTC))
    said = _said(verify_run(sealed, trust=tmp_path / "o.pem", require_signature=True))
    assert "for whom no certificate in the trust file vouches" in said


def test_only_the_signature_finds_a_customer_who_is_taken_out_everywhere(
    signed: Path, firm: tuple[Path, Path]
) -> None:
    shutil.rmtree(signed / TWO)
    report = json.loads((signed / "run.json").read_bytes())
    report["entries"] = [entry for entry in report["entries"] if entry["customer_id"] != TWO]
    report["in_scope"], report["produced"] = 2, 1
    _write_report(signed, report)
    signature = (signed / RUN_SIGNATURE).read_bytes()
    write_run_manifest(signed, report)
    assert verify_run(signed).ok
    assert f"{RUN_SIGNATURE} is missing" in _said(verify_run(signed, trust=firm[1], require_signature=True))
    (signed / RUN_SIGNATURE).write_bytes(signature)
    assert "it was changed after Head signed it" in _said(verify_run(signed))


def test_a_manifest_that_cannot_be_made_leaves_the_signed_one_as_it_was(signed: Path) -> None:
    files = signed / RUN_MANIFEST, signed / RUN_SIGNATURE
    before = [file.read_bytes() for file in files]
    report = json.loads((signed / "run.json").read_bytes())
    report["entries"][-1].pop("outcome")
    with pytest.raises(KeyError, match="outcome"):
        write_run_manifest(signed, report)
    assert [file.read_bytes() for file in files] == before
    write_run_manifest(signed, json.loads((signed / "run.json").read_bytes()))
    assert [file.exists() for file in files] == [True, False]


def test_a_stripped_signature_of_a_pack_is_found(signed: Path, made: Path) -> None:
    shutil.rmtree(signed / ONE)
    shutil.copytree(made / ONE, signed / ONE)
    assert f"{ONE} was changed after the run, or its signature was removed" in _said(verify_run(signed))


def test_a_run_with_a_defect_is_not_signed(run: Path, firm: tuple[Path, Path]) -> None:
    shutil.rmtree(run / TWO)
    with pytest.raises(PackError, match="was not signed"):
        sign_run(run, load_key(firm[0], PASSPHRASE))
    assert not (run / RUN_SIGNATURE).exists()


def test_the_next_run_names_the_one_before_and_keeps_its_signed_manifest(signed: Path) -> None:
    before = (signed / RUN_MANIFEST).read_bytes()
    put_away(signed)
    assert not (signed / RUN_SIGNATURE).exists()
    write_run_manifest(signed, json.loads((signed / "run.json").read_bytes()))
    named = json.loads((signed / RUN_MANIFEST).read_bytes())["earlier_run"]
    kept = signed / ".kycpack/earlier-runs" / named["sha256"]
    assert named["run_id"] == "run-1"
    assert (kept / RUN_MANIFEST).read_bytes() == before
    assert (kept / RUN_SIGNATURE).is_file()


def test_the_manifest_of_an_earlier_run_is_never_in_memory(run: Path) -> None:
    _edit(run, lambda held: held.update(customers=[{**held["customers"][0]} for _ in range(20_000)]))
    run_id = json.loads((run / RUN_MANIFEST).read_bytes())["run_id"]
    put_away(run)
    report = json.loads((run / "run.json").read_bytes())
    _, peak = with_peak(lambda: write_run_manifest(run, report))
    named = json.loads((run / RUN_MANIFEST).read_bytes())["earlier_run"]
    assert named["run_id"] == run_id
    size = (run / ".kycpack/earlier-runs" / named["sha256"] / RUN_MANIFEST).stat().st_size
    assert peak < size / 4
