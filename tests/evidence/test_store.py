from __future__ import annotations

import dataclasses
import json
import stat
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kycpack.errors import EvidenceError
from kycpack.evidence import Entry, Evidence, load_evidence, save_evidence, sha256_hex
from kycpack.evidence.store import check_place
from kycpack.folders import held

BODY = b'{"id":"c-1","firstName":"Ann"}'


def make_entry(entry_id: str, body: bytes | None, **given: object) -> Entry:
    fields: dict[str, Any] = {
        "id": entry_id,
        "operation": "customers.get",
        "subject": {"customer_id": "c-1"},
        "outcome": "answered" if body is not None else "refused",
        "bytes": len(body or b""),
        "sha256": None if body is None else sha256_hex(body),
        "file": None if body is None else f"{entry_id}.json",
        "status": 200 if body is not None else 404,
        **given,
    }
    return Entry(**fields)


@pytest.fixture
def evidence() -> Evidence:
    return Evidence(
        customer_id="c-1",
        entries=(make_entry("E-01", BODY), make_entry("E-02", None, note="404 session_not_found")),
        bodies={"E-01": BODY},
    )


def test_what_was_saved_is_what_is_loaded(evidence: Evidence, tmp_path: Path) -> None:
    loaded = load_evidence(evidence.save(tmp_path / "ev"))
    assert loaded == evidence
    assert loaded.root == evidence.root
    assert loaded.json("E-01") == {"id": "c-1", "firstName": "Ann"}
    assert [entry.outcome for entry in loaded.select("customers.get")] == ["answered", "refused"]


def test_the_root_is_the_hash_of_the_index_file(evidence: Evidence, tmp_path: Path) -> None:
    folder = evidence.save(tmp_path / "ev")
    assert sha256_hex((folder / "index.json").read_bytes()) == evidence.root


def test_only_the_owner_can_read(evidence: Evidence, tmp_path: Path) -> None:
    folder = evidence.save(tmp_path / "ev")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


def test_nothing_else_is_left_beside_it(evidence: Evidence, tmp_path: Path) -> None:
    evidence.save(tmp_path / "ev")
    evidence.save(tmp_path / "ev", replace=True)
    assert [path.name for path in tmp_path.iterdir()] == ["ev"]


def test_saving_the_same_again_changes_nothing(evidence: Evidence, tmp_path: Path) -> None:
    assert evidence.save(tmp_path / "ev") == evidence.save(tmp_path / "ev")


def test_other_evidence_is_not_overwritten_unasked(evidence: Evidence, tmp_path: Path) -> None:
    folder = evidence.save(tmp_path / "ev")
    other = dataclasses.replace(evidence, entries=evidence.entries[:1])
    with pytest.raises(EvidenceError, match="already exists"):
        other.save(folder)
    assert load_evidence(other.save(folder, replace=True)) == other


def test_what_is_no_evidence_is_never_replaced(evidence: Evidence, tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "thesis.tex").write_text("the only copy")
    (tmp_path / "file").write_text("a file")
    (tmp_path / "empty").mkdir()
    for name in ("papers", "file"):
        with pytest.raises(EvidenceError, match="something else"):
            evidence.save(tmp_path / name, replace=True)
    assert (tmp_path / "papers" / "thesis.tex").read_text() == "the only copy"
    assert load_evidence(evidence.save(tmp_path / "empty", replace=True)) == evidence


def test_a_place_is_judged_when_nobody_is_putting_anything_there(evidence: Evidence, tmp_path: Path) -> None:
    folder = evidence.save(tmp_path / "ev")
    judging = threading.Thread(target=check_place, args=(folder, evidence.customer_id))
    with held(tmp_path):
        judging.start()
        judging.join(0.2)
        assert judging.is_alive()
    judging.join(60)
    assert not judging.is_alive()


def test_a_failed_replacement_leaves_the_old(
    evidence: Evidence, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = evidence.save(tmp_path / "ev")
    other = dataclasses.replace(evidence, entries=evidence.entries[:1])
    rename = Path.rename

    def fail(path: Path, target: Path) -> Path:
        if path.suffix == ".partial":
            raise OSError(5, "Input/output error")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", fail)
    with pytest.raises(EvidenceError, match="Input/output error"):
        other.save(folder, replace=True)
    assert load_evidence(folder) == evidence
    assert [path.name for path in tmp_path.iterdir()] == ["ev"]


def test_a_failed_save_leaves_nothing(
    evidence: Evidence, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full_disk(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("kycpack.evidence.store.add_file", full_disk)
    with pytest.raises(EvidenceError, match="cannot be written: No space"):
        evidence.save(tmp_path / "ev")
    assert list(tmp_path.iterdir()) == []


def test_an_altered_body_is_named(evidence: Evidence, tmp_path: Path) -> None:
    folder = evidence.save(tmp_path / "ev")
    (folder / "E-01.json").write_bytes(BODY.replace(b"Ann", b"Eve"))
    with pytest.raises(EvidenceError, match=r"E-01\.json was altered"):
        load_evidence(folder)


def test_a_missing_body_is_named(evidence: Evidence, tmp_path: Path) -> None:
    folder = evidence.save(tmp_path / "ev")
    (folder / "E-01.json").unlink()
    with pytest.raises(EvidenceError, match=r"E-01\.json is missing"):
        load_evidence(folder)


def test_an_extra_file_is_named(evidence: Evidence, tmp_path: Path) -> None:
    folder = evidence.save(tmp_path / "ev")
    (folder / "E-03.json").write_bytes(b"{}")
    with pytest.raises(EvidenceError, match=r"E-03\.json is not listed"):
        load_evidence(folder)


def test_a_body_that_is_a_link_elsewhere_is_refused(evidence: Evidence, tmp_path: Path) -> None:
    folder = evidence.save(tmp_path / "ev")
    (folder / "E-01.json").rename(tmp_path / "outside.json")
    (folder / "E-01.json").symlink_to(tmp_path / "outside.json")
    with pytest.raises(EvidenceError, match=r"E-01\.json is missing"):
        load_evidence(folder)


def test_taking_an_absence_out_of_the_index_changes_the_root(evidence: Evidence) -> None:
    assert dataclasses.replace(evidence, entries=evidence.entries[:1]).root != evidence.root


@pytest.mark.parametrize(
    "damage",
    [
        lambda index: index.pop("format"),
        lambda index: index.update(extra=1),
        lambda index: index.update(customerId=7),
        lambda index: index["entries"][0].update(file="../../etc/passwd"),
        lambda index: index["entries"][0].update(file="E-02.json"),
        lambda index: index["entries"][0].update(id="E-1/x"),
        lambda index: index["entries"][0].update(outcome="fine"),
        lambda index: index["entries"][0].update(status="200"),
        lambda index: index["entries"][0].pop("note"),
        lambda index: index["entries"][0].update(subject={"customer_id": 1}),
        lambda index: index["entries"].append(index["entries"][0]),
    ],
)
def test_a_damaged_index_is_an_error_that_names_it(
    damage: Callable[[dict[str, Any]], object], evidence: Evidence, tmp_path: Path
) -> None:
    folder = evidence.save(tmp_path / "ev")
    index = json.loads((folder / "index.json").read_bytes())
    damage(index)
    (folder / "index.json").write_text(json.dumps(index))
    with pytest.raises(EvidenceError):
        load_evidence(folder)


def test_a_file_that_cannot_be_read_is_named(
    evidence: Evidence, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = evidence.save(tmp_path / "ev")

    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(EvidenceError, match=r"index\.json cannot be read: Permission denied"):
        load_evidence(folder)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(EvidenceError, match=r"nowhere.index\.json is missing"):
        load_evidence(tmp_path / "nowhere")


def test_an_index_in_another_form_is_refused(evidence: Evidence, tmp_path: Path) -> None:
    folder = evidence.save(tmp_path / "ev")
    index = json.loads((folder / "index.json").read_bytes())
    (folder / "index.json").write_text(json.dumps(index, indent=1))
    with pytest.raises(EvidenceError, match="canonical"):
        load_evidence(folder, root=sha256_hex((folder / "index.json").read_bytes()))
    with pytest.raises(EvidenceError, match="altered"):
        load_evidence(folder)


def test_every_flipped_bit_of_index_and_root_is_seen(evidence: Evidence, tmp_path: Path) -> None:
    folder = evidence.save(tmp_path / "ev")
    for name in ("index.json", "index.sha256"):
        whole = (folder / name).read_bytes()
        for place in range(len(whole)):
            (folder / name).write_bytes(
                whole[:place] + bytes([whole[place] ^ 1 << place % 8]) + whole[place + 1 :]
            )
            with pytest.raises(EvidenceError):
                load_evidence(folder)
        (folder / name).write_bytes(whole)
    assert load_evidence(folder) == evidence


def test_the_root_stands_beside_the_index_as_its_tool_reads_it(evidence: Evidence, tmp_path: Path) -> None:
    folder = evidence.save(tmp_path / "ev")
    assert (folder / "index.sha256").read_text() == f"{evidence.root}  index.json\n"
    (folder / "index.sha256").unlink()
    with pytest.raises(EvidenceError, match=r"index\.sha256 is missing"):
        load_evidence(folder)
    assert load_evidence(folder, root=evidence.root) == evidence


def test_a_body_that_changes_after_it_was_loaded_is_refused(evidence: Evidence, tmp_path: Path) -> None:
    folder = evidence.save(tmp_path / "ev")
    loaded = load_evidence(folder)
    (folder / "E-01.json").write_bytes(BODY.replace(b"Ann", b"Bob"))
    with pytest.raises(EvidenceError, match="altered"):
        loaded.body("E-01")


def test_a_body_about_somebody_else_is_refused() -> None:
    other = BODY.replace(b"c-1", b"c-2")
    with pytest.raises(EvidenceError, match="about another customer"):
        Evidence("c-1", (make_entry("E-01", other),), {"E-01": other})


def test_bodies_and_entries_belong_together(evidence: Evidence) -> None:
    with pytest.raises(EvidenceError, match="E-01"):
        dataclasses.replace(evidence, bodies={})
    with pytest.raises(EvidenceError, match="twice"):
        dataclasses.replace(evidence, entries=(evidence.entries[0], evidence.entries[0]))


def test_a_body_that_is_not_there_or_not_json_is_an_error(evidence: Evidence) -> None:
    with pytest.raises(EvidenceError, match=r"E-02 .*has no body"):
        evidence.body("E-02")
    with pytest.raises(EvidenceError, match="no entry E-09"):
        evidence.body("E-09")
    page = b"<html>"
    broken = Evidence(customer_id="c-1", entries=(make_entry("E-01", page),), bodies={"E-01": page})
    with pytest.raises(EvidenceError, match="E-01 is not JSON"):
        broken.json("E-01")


def test_the_table_of_a_notebook_escapes_what_came_from_outside() -> None:
    entry = make_entry("E-01", None, note="<script>alert(1)</script>")
    shown = Evidence(customer_id="<b>", entries=(entry,), bodies={})._repr_html_()
    assert "<script>" not in shown
    assert "<b>" not in shown
    assert "&lt;script&gt;" in shown


def test_the_repr_has_no_body(evidence: Evidence) -> None:
    assert "Ann" not in repr(evidence)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["E", "M", "R"]),
            st.one_of(st.none(), st.binary(max_size=200)),
            st.text(max_size=40),
            st.sampled_from(["answered", "refused", "failed", "timeout", "not_asked"]),
        ),
        max_size=8,
    )
)
def test_any_evidence_survives_the_disk(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, bytes | None, str, str]]
) -> None:
    entries, bodies = [], {}
    for number, (prefix, body, note, outcome) in enumerate(rows, 1):
        entry_id = f"{prefix}-{number:02d}"
        text = note.encode("utf-8", "replace").decode()
        entries.append(make_entry(entry_id, body, note=text, outcome=outcome))
        if body is not None:
            bodies[entry_id] = body
    evidence = Evidence(customer_id="c-1", entries=tuple(entries), bodies=bodies)
    folder = save_evidence(evidence, tmp_path_factory.mktemp("any") / "ev")
    assert load_evidence(folder) == evidence
