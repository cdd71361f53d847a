from __future__ import annotations

import hashlib
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import event
from tests.forks import begin
from tests.traced_memory import with_peak
from tests.workspace.case_material import (
    MEDIA,
    OUTSIDE,
    SANCTIONS,
    Office,
    decision,
    open_cases,
    open_office,
    said,
)
from tests.workspace.writers import write_entries

from kycpack.errors import ConfigurationError, InputError, WorkspaceError
from kycpack.workspace import Decision, Keys, Ledger, Workspace
from kycpack.workspace.entries.signing import Actor, make_key, read_key, verify_fast
from kycpack.workspace.entries.verify_ledger import (
    LATER_ENTRIES,
    NOT_AUTHENTICATED,
    canonical,
    check_excerpt,
    check_ledger,
    main,
    merkle_levels,
    merkle_path,
    merkle_root,
    root_from_path,
    verify_ed25519,
)
from kycpack.workspace.ledger.ledger import head_of
from kycpack.workspace.ledger.ledger_files import add_anchor, excerpt_bytes, read_anchors, write_export

# RFC 8032, section 7.1: tests 1, 2, 3, 1024 is left out for its length, and SHA(abc).
VECTORS = [
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
    (
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        hashlib.sha512(b"abc").hexdigest(),
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704",
    ),
]

_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text("abcdefghij_KLM", min_size=1), inner, max_size=4)
    ),
)


@pytest.fixture
def office(place: str, tmp_path: Path) -> Any:
    yield from open_office(place, tmp_path)


@pytest.mark.parametrize("vector", VECTORS, ids=["1", "2", "3", "sha(abc)"])
def test_the_verifier_accepts_the_vectors_of_the_rfc_and_nothing_beside_them(
    vector: tuple[str, str, str],
) -> None:
    key, message, signature = (bytes.fromhex(each) for each in vector)
    assert verify_ed25519(key, message, signature)
    assert verify_fast(key, message, signature)
    for place in (0, 31, 32, 63):
        changed = bytearray(signature)
        changed[place] ^= 1
        assert not verify_ed25519(key, message, bytes(changed))
    assert not verify_ed25519(key, message + b"x", signature)


def test_the_verifier_refuses_a_scalar_beyond_the_order() -> None:
    """A second signature for the same message could be made of any other (RFC 8032, section 5.1.7)."""
    key, message, signature = (bytes.fromhex(each) for each in VECTORS[1])
    order = 2**252 + 27742317777372353535851937790883648493
    scalar = int.from_bytes(signature[32:], "little") + order
    assert not verify_ed25519(key, message, signature[:32] + scalar.to_bytes(32, "little"))
    assert not verify_ed25519(key[:-1], message, signature)
    assert not verify_ed25519(b"\xff" * 32, message, signature)


@given(_JSON)
def test_both_writers_of_canonical_json_agree(value: Any) -> None:
    assert canonical(value) == rfc8785.dumps(value)


@given(st.lists(st.binary(min_size=32, max_size=32).map(bytes.hex), min_size=1, max_size=40))
def test_a_path_leads_each_entry_to_the_root_and_no_other(hashes: list[str]) -> None:
    levels, root = merkle_levels(hashes), merkle_root(iter(hashes))
    assert levels[-1] == bytes.fromhex(root)
    for index, each in enumerate(hashes):
        path = merkle_path(levels, index)
        assert root_from_path(each, index, len(hashes), path) == root
        assert root_from_path("00" * 32, index, len(hashes), path) != root or each == "00" * 32
        if path:
            assert root_from_path(each, index, len(hashes), path[:-1]) is None


def test_the_head_of_a_long_ledger_is_found_without_its_hashes_in_memory() -> None:
    head, peak = with_peak(lambda: head_of(f"{number:064x}" for number in range(1, 20_001)))
    assert head is not None
    assert (head.size, int(head.ledger, 16), int(head.hash, 16)) == (20_000, 1, 20_000)
    assert peak < 1_000_000  # the hashes alone would be 2.3 MB


def test_the_tree_of_a_long_ledger_takes_little_more_memory_than_its_nodes() -> None:
    levels, peak = with_peak(lambda: merkle_levels(f"{number:064x}" for number in range(1, 20_001)))
    assert levels[-1].hex() == merkle_root(f"{number:064x}" for number in range(1, 20_001))
    assert peak < 100 * 20_000  # bytes; the nodes are 64 for each entry


def _fail_after_appending(office: Office) -> None:
    with office.ledger.writing() as writer:
        writer.append("run.recorded", {"good": 2})
        raise RuntimeError  # as where what it records cannot be written


def test_an_entry_holds_no_float_and_what_failed_leaves_nothing(office: Office) -> None:
    before = office.ledger.head()
    with pytest.raises(InputError, match="cannot contain floats"), office.ledger.writing() as writer:
        writer.append("run.recorded", {"share": 0.5})
    with office.ledger.writing() as writer:
        writer.append("run.recorded", {"good": 1})
        with pytest.raises(InputError):
            writer.append("run.recorded", {"half": "\ud800"})
    with pytest.raises(RuntimeError):
        _fail_after_appending(office)
    assert [e["payload"]["data"] for e in office.ledger.entries()][-1] == {"good": 1}
    before = office.ledger.head()
    assert office.ledger.head() == before


def test_a_clock_that_goes_back_changes_no_order_and_is_recorded(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    office.clock.moment -= timedelta(hours=2)
    open_cases(office, {"c-2": ("review", [MEDIA])}, run="run-2")
    listed = list(office.ledger.entries())
    assert [entry["seq"] for entry in listed] == list(range(1, len(listed) + 1))
    behind = [entry for entry in listed if "clock_behind_seconds" in entry["payload"]]
    assert {entry["payload"]["data"].get("run_id") for entry in behind} == {"run-2"}
    assert 7100 < behind[0]["payload"]["clock_behind_seconds"] <= 7200
    assert office.ledger.verify().ok


def test_processes_that_write_at_once_make_one_chain(place: str) -> None:
    Workspace.open(place).close()
    running = [begin(write_entries, place, name) for name in "abc"]
    for each in running:
        each.join(timeout=120)
    assert [each.exitcode for each in running] == [0, 0, 0]
    with Workspace.open(place) as workspace:
        listed = list(Ledger(workspace).entries())
        assert check_ledger(listed).ok
    runs = [str(entry["payload"]["data"].get("run_id")) for entry in listed]
    said_by = {name: [each for each in runs if each.startswith(f"{name}-")] for name in "abc"}
    assert said_by == {name: [f"{name}-{number}" for number in range(40)] for name in "abc"}


def _decided(office: Office, customer: str) -> str:
    case = office.cases.of_customer(customer)[0]
    cleared = decision("approve", "FALSE-POSITIVE", F_1=said("false_positive", **OUTSIDE))
    case = office.cases.decide(case.case_id, cleared, version=case.version, actor=office.people["anna"])
    office.cases.approve(
        case.case_id,
        "Compared the list entry; another person",
        version=case.version,
        actor=office.people["mia"],
    )
    return case.case_id


def test_an_excerpt_proves_its_case_and_shows_nothing_of_another(
    office: Office, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    open_cases(office, {"customer-one": ("escalate", [SANCTIONS]), "customer-two": ("escalate", [SANCTIONS])})
    case_id = _decided(office, "customer-one")
    other = _decided(office, "customer-two")
    head = office.ledger.head()
    assert head is not None
    add_anchor(tmp_path / "anchor.jsonl", head, "2026-06-01T00:00:00Z", "run")
    excerpt = office.ledger.excerpt(case_id)
    report = check_excerpt(excerpt, anchors=read_anchors(tmp_path / "anchor.jsonl"))
    assert (report.problems, report.anchors) == ([], 1)
    assert report.notes[-1] == LATER_ENTRIES
    shown = excerpt_bytes(excerpt).decode()
    assert "customer-one" in shown
    assert "customer-two" not in shown
    assert other not in shown
    path = tmp_path / "excerpt.json"
    path.write_bytes(excerpt_bytes(excerpt))
    assert main(["--excerpt", str(path), "--anchor", str(tmp_path / "anchor.jsonl")]) == 0
    with pytest.raises(SystemExit):
        main([str(path)])
    assert "is the excerpt of a case: give it after --excerpt" in capsys.readouterr().err


@pytest.mark.parametrize("change", ["text", "entry", "path", "head", "case"])
def test_an_altered_excerpt_is_found(office: Office, change: str) -> None:
    open_cases(office, {"c-1": ("escalate", [SANCTIONS]), "c-2": ("review", [MEDIA])})
    excerpt = office.ledger.excerpt(_decided(office, "c-1"))
    head = office.ledger.head()
    assert head is not None
    anchor = {"ledger": head.ledger, "size": head.size, "hash": head.hash, "root": head.root}
    decided = next(e for e in excerpt["entries"] if e["payload"]["kind"] == "case.decided")
    if change == "text":
        decided["payload"]["data"]["text"] = "Something else that sounds as good"
    elif change == "entry":
        excerpt["entries"].remove(decided)
    elif change == "path":
        decided["path"] = decided["path"][:-1]
    elif change == "head":
        excerpt["head"]["root"] = "0" * 64
    else:
        excerpt["case_id"] = office.cases.of_customer("c-2")[0].case_id
    assert check_excerpt(excerpt, anchors=[anchor]).problems


def test_a_case_is_erased_and_the_chain_still_verifies(office: Office, tmp_path: Path) -> None:
    open_cases(office, {"customer-one": ("escalate", [SANCTIONS]), "customer-two": ("review", [MEDIA])})
    case_id = _decided(office, "customer-one")
    head = office.ledger.head()
    assert head is not None
    with pytest.raises(WorkspaceError, match="administrator"):
        office.cases.erase(case_id, "asked for by the customer", actor=office.people["anna"])
    assert office.cases.erase(case_id, "asked for by the customer", actor=office.people["ada"]) == 3
    anchors = [{"ledger": head.ledger, "size": head.size, "hash": head.hash, "root": head.root}]
    report = office.ledger.verify(anchors)
    assert (report.problems, report.anchors) == ([], 1)
    kept = json.dumps([entry["payload"] for entry in office.ledger.entries()])
    assert "explain what was reported" not in kept
    excerpt = office.ledger.excerpt(case_id)
    assert check_excerpt(excerpt).ok
    assert "explain what was reported" not in excerpt_bytes(excerpt).decode()


def test_without_keys_the_second_person_is_not_authenticated(place: str, tmp_path: Path) -> None:
    for office in open_office(place, tmp_path, keys=False):
        open_cases(office, {"c-1": ("escalate", [SANCTIONS])})
        case_id = _decided(office, "c-1")
        approved = office.cases.history(case_id)[-1]
        assert (approved["data"]["authenticated"], approved["data"]["note"]) == (False, NOT_AUTHENTICATED)
        assert any(NOT_AUTHENTICATED in note for note in office.ledger.verify().notes)


def test_roles_and_keys_come_from_somebody_else(office: Office, tmp_path: Path) -> None:
    people, keys = office.people, office.keys
    with pytest.raises(WorkspaceError, match="only an administrator"):
        keys.grant("anna", "MLRO", actor=people["anna"])
    with pytest.raises(WorkspaceError, match="by another person"):
        keys.grant("ada", "MLRO", actor=people["ada"])
    with pytest.raises(WorkspaceError, match="sign with the enrolled key"):
        keys.grant("ben", "MLRO", actor=Actor("ada", make_key(tmp_path / "other.pem")))
    with pytest.raises(WorkspaceError, match="sign with the enrolled key"):
        keys.grant("ben", "MLRO", actor=Actor("ada"))
    with pytest.raises(InputError, match="expected one of"):
        keys.grant("ben", "king", actor=people["ada"])
    keys.revoke("ben", actor=people["ada"])
    open_cases(office, {"c-1": ("review", [MEDIA])})
    with pytest.raises(WorkspaceError, match="ben has no key"):
        office.cases.wait(office.cases.list()[0].case_id, "Asked for a letter", actor=people["ben"])
    assert {row["name"]: row["roles"] for row in keys.rows()}["mia"] == ["MLRO"]
    assert office.ledger.verify().ok


def test_a_key_file_is_private_kept_and_encrypted(tmp_path: Path) -> None:
    path = tmp_path / "anna.pem"
    made = make_key(path, "a long passphrase")
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_key(path, "a long passphrase").public_key == made.public_key
    for wrong in ("", "another"):
        with pytest.raises(InputError, match="passphrase is wrong"):
            read_key(path, wrong)
    with pytest.raises(InputError, match="never replaced"):
        make_key(path)
    path.chmod(0o644)
    with pytest.raises(ConfigurationError, match="chmod 600"):
        read_key(path, "a long passphrase")
    assert "private" not in repr(made).casefold()


@pytest.mark.parametrize(
    ("pragma", "message"),
    [
        ("PRAGMA query_only=ON", "can only be read"),
        ("PRAGMA max_page_count=1", "disk of the workspace is full"),
    ],
)
def test_a_database_that_cannot_be_written_to_is_named_and_left_as_it_was(
    tmp_path: Path, pragma: str, message: str
) -> None:
    for office in open_office(tmp_path / "kycpack.db", tmp_path):
        open_cases(office, {"c-1": ("escalate", [SANCTIONS])})
        before, case = office.ledger.head(), office.cases.list()[0]
        office.workspace._engine.dispose()
        event.listen(office.workspace._engine, "connect", lambda raw, _: raw.execute(pragma))
        long = decision("hold", "PRECAUTION").text + " again" * 3_000
        for _ in range(30 if "page" in pragma else 1):
            try:
                office.cases.decide(
                    case.case_id,
                    Decision("hold", "PRECAUTION", long),
                    version=case.version,
                    actor=office.people["anna"],
                )
            except WorkspaceError as error:
                assert message in str(error)  # noqa: PT017 - the disk is full after a number of entries that is its own
                break
            before, case = office.ledger.head(), office.cases.list()[0]
        else:
            pytest.fail("the database was written to")
        assert office.ledger.head() == before
        assert office.cases.list()[0] == case
        assert office.ledger.verify().ok


def test_an_export_is_never_replaced_and_an_empty_ledger_has_none(
    office: Office, place: str, tmp_path: Path
) -> None:
    write_export(office.ledger, tmp_path / "export")
    with pytest.raises(InputError, match="never replaced"):
        write_export(office.ledger, tmp_path / "export")
    with Workspace.open(tmp_path / "other.db") as workspace:
        assert Ledger(workspace).verify().ok
        with pytest.raises(WorkspaceError, match="no entries"):
            write_export(Ledger(workspace), tmp_path / "none")
        with pytest.raises(WorkspaceError, match="enrols themselves"):
            Keys(Ledger(workspace)).enrol("ben", actor=Actor("anna"))


def test_a_damaged_file_of_anchors_is_named(tmp_path: Path) -> None:
    path = tmp_path / "anchor.jsonl"
    assert read_anchors(path) == []
    path.write_text("{}\n[]\n")
    with pytest.raises(InputError, match="not an anchor"):
        read_anchors(path)
    path.write_text("{")
    with pytest.raises(InputError, match="not JSON"):
        read_anchors(path)
    path.write_text("{}")
    assert check_ledger([], anchors=read_anchors(path)).problems


def test_excerpts_of_many_cases_are_those_of_each_and_the_ledger_is_read_once(office: Office) -> None:
    names = [f"c-{number}" for number in range(12)]
    open_cases(office, {name: ("review", [MEDIA]) for name in names})
    for name in names[:3]:
        (case,) = office.cases.of_customer(name)
        wanted = decision("approve", "REVIEWED", F_1="accepted")
        office.cases.decide(case.case_id, wanted, version=1, actor=office.people["anna"])
    erased = office.cases.of_customer(names[1])[0].case_id
    office.cases.erase(erased, "asked for by the customer", actor=office.people["ada"])
    ids = [case.case_id for case in office.cases.of_customers([*names, "nobody"], "onboarding")]
    assert len(ids) == 12

    def asked(wanted: list[str]) -> tuple[int, dict[str, Any]]:
        statements: list[str] = []
        with office.workspace.reading() as connection:
            engine = connection.engine
        event.listen(engine, "before_cursor_execute", lambda *given: statements.append(given[2]))
        found = office.ledger.excerpts(wanted)
        return len(statements), found

    few, _ = asked(ids[:1])
    many, found = asked([*ids, "of-nobody"])
    assert list(found) == ids
    assert found == {case_id: office.ledger.excerpt(case_id) for case_id in ids}
    assert all(check_excerpt(json.loads(json.dumps(each))).problems == [] for each in found.values())
    assert many <= 2 * few
