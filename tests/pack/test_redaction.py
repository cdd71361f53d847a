"""A redacted copy shows what its reader may see and nothing else, and proves that it is the sealed pack less the rest."""

from __future__ import annotations

import hmac
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kycpack.errors import PackError
from kycpack.evidence import Evidence, sha256_hex
from kycpack.models.json import canonical_json, parse_json
from kycpack.pack import PackResult, replay_pack, verify_pack, write_pack
from kycpack.pack.bag import close_bag
from kycpack.pack.check.pdf import read_pdf
from kycpack.pack.redact.disclosure import DisclosedFrame, DisclosedRow, disclosed, root_of
from kycpack.pack.redact.redaction import redact_pack
from kycpack.workspace.redaction_key import redaction_key

AS_OF = "2026-06-30T12:00:00Z"
KEY = bytes(range(32))
_NEVER_FOR_CUSTOMERS = (
    "screening",
    "pep",
    "edd",
    "evidence",
    "rule",
    "policy",
    "decision",
    "flag",
    "level",
    "E-0",
    "case-",
)


@pytest.fixture(scope="module")
def sealed(specimen: Evidence, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pack that was sealed with a redaction key, not to be changed."""
    out = tmp_path_factory.mktemp("sealed")
    return write_pack(specimen, out, as_of=AS_OF, case_id="case-2026-0042", redaction_key=KEY).path


@pytest.fixture(scope="module")
def screened(specimen: Evidence, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pack of the same customer with a hit on every list, and with results that were asked for once more."""
    bodies = dict(specimen.bodies)
    (entry,) = (
        one for one in specimen.entries if one.operation == "onboarding.results" and one.outcome == "answered"
    )
    document = parse_json(bodies[entry.id])
    document["screening"]["matchCount"] = 7
    for category in document["screening"]["summary"].values():
        category.update(dict.fromkeys(category, "match_confirmed"))
    body = canonical_json(document)
    bodies[entry.id] = body
    entries = tuple(
        replace(one, bytes=len(body), sha256=sha256_hex(body)) if one.id == entry.id else one
        for one in specimen.entries
    )
    out = tmp_path_factory.mktemp("screened")
    other = replace(specimen, entries=entries, bodies=bodies)
    return write_pack(other, out, as_of=AS_OF, case_id="case-2026-0099", redaction_key=KEY).path


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_screening_changes_not_one_byte_of_the_statement(sealed: Path, screened: Path) -> None:
    plain, escalated = ((pack / "data/report/statement.pdf").read_bytes() for pack in (sealed, screened))
    assert plain == escalated


def test_screening_changes_not_one_byte_of_the_customers_copy(
    sealed: Path, screened: Path, tmp_path: Path
) -> None:
    levels = [json.loads((pack / "data/figures.json").read_text())["level"] for pack in (sealed, screened)]
    assert levels[0] != levels[1]
    copies = [
        redact_pack(pack, tmp_path / name, "customer", KEY)
        for pack, name in ((sealed, "one"), (screened, "two"))
    ]
    assert contents(copies[0]) == contents(copies[1])


def test_the_customers_copy_holds_nothing_that_tips_off(sealed: Path, tmp_path: Path) -> None:
    copy = redact_pack(sealed, tmp_path / "copy", "customer", KEY)
    assert set(contents(copy)) == {
        *("bagit.txt", "bag-info.txt", "manifest-sha256.txt", "tagmanifest-sha256.txt"),
        *("data/README.txt", "data/redacted.json", "data/report/copy.pdf"),
    }
    document = json.loads((copy / "data/redacted.json").read_text())
    shown = " ".join(
        [
            *document["frames"],
            *(column for frame in document["frames"].values() for column in frame["columns"]),
        ]
    )
    text = read_pdf((copy / "data/report/copy.pdf").read_bytes(), "copy.pdf").text
    assert "Zofia" in text
    for word in _NEVER_FOR_CUSTOMERS:
        assert word.casefold() not in shown.casefold()
        assert word.casefold() not in (copy / "bag-info.txt").read_text().casefold()
    every_hash = json.loads((sealed / "data/evidence/index.json").read_text())["entries"]
    copied = b"".join(contents(copy).values()).decode("latin-1")
    assert not any(entry["sha256"] in copied for entry in every_hash if entry["sha256"])
    assert json.loads((sealed / "data/manifest.json").read_text())["evidence_root"] not in copied


@pytest.mark.parametrize("profile", ["auditor", "customer"])
def test_a_copy_is_proved_against_the_full_pack(sealed: Path, tmp_path: Path, profile: str) -> None:
    copy = redact_pack(sealed, tmp_path / "copy", profile, KEY)
    answer = verify_pack(copy, full=sealed)
    assert (answer.ok, answer.problems) == (True, ())
    assert not any("--full" in doubt for doubt in answer.not_shown)
    alone = verify_pack(copy)
    assert alone.ok
    assert any("--full" in doubt for doubt in alone.not_shown)


def test_the_auditors_copy_shows_figures_and_no_person(sealed: Path, tmp_path: Path) -> None:
    copy = redact_pack(sealed, tmp_path / "copy", "auditor", KEY)
    text = read_pdf((copy / "data/report/copy.pdf").read_bytes(), "copy.pdf").text
    everything = f"{(copy / 'data/redacted.json').read_text()} {text}".casefold()
    for private in (
        "zofia",
        "kowalczyk",
        "quayside",
        "1986-03-14",
        "severn marine",
        "****4471",
        "example.test",
    ):
        assert private not in everything
    frames = json.loads((copy / "data/redacted.json").read_text())["frames"]
    assert len(frames["transactions"]["rows"]) == 192
    assert "amount_minor" in frames["credits"]["columns"]


def change(copy: Path, alter: object) -> None:
    path = copy / "data/redacted.json"
    document = json.loads(path.read_text())
    alter(document)  # type: ignore[operator]
    path.write_bytes(canonical_json(document) + b"\n")
    close_bag(copy, {"Bagging-Date": AS_OF[:10], "Internal-Sender-Identifier": document["customer_id"]})


def test_an_altered_amount_a_lost_row_and_a_new_column_are_found(sealed: Path, tmp_path: Path) -> None:
    original = redact_pack(sealed, tmp_path / "copy", "customer", KEY)

    def amount(document: dict) -> None:
        document["frames"]["transactions"]["rows"][0]["cells"][2] += 1

    def row(document: dict) -> None:
        document["frames"]["transactions"]["rows"].pop()

    def column(document: dict) -> None:
        document["frames"]["customers"]["columns"][0] = "risk_country"

    for number, (alter, said) in enumerate(
        (
            (amount, "not those that the pack was sealed with"),
            (row, "not those that the pack"),
            (column, "does not show"),
        )
    ):
        copy = Path(shutil.copytree(original, tmp_path / f"altered-{number}"))
        change(copy, alter)
        assert any(said in problem for problem in verify_pack(copy, full=sealed).problems)


def test_a_copy_of_another_pack_is_found(sealed: Path, screened: Path, tmp_path: Path) -> None:
    copy = redact_pack(sealed, tmp_path / "copy", "auditor", KEY)
    assert any(
        "not made from the full pack" in problem for problem in verify_pack(copy, full=screened).problems
    )


def test_a_pack_without_a_commitment_cannot_be_proved_and_the_copy_says_so(
    made: PackResult, tmp_path: Path
) -> None:
    copy = redact_pack(made.path, tmp_path / "copy", "auditor", KEY)
    assert "cannot be proved" in (copy / "data/README.txt").read_text()
    assert any("cannot be shown" in doubt for doubt in verify_pack(copy).not_shown)
    assert not verify_pack(copy, full=made.path).ok


def test_another_key_or_something_in_the_way_is_an_error(sealed: Path, tmp_path: Path) -> None:
    with pytest.raises(PackError, match="another redaction key"):
        redact_pack(sealed, tmp_path / "copy", "auditor", bytes(32))
    with pytest.raises(PackError, match="already"):
        redact_pack(sealed, tmp_path, "auditor", KEY)
    with pytest.raises(PackError, match="auditor, customer"):
        redact_pack(sealed, tmp_path / "copy", "everybody", KEY)


def test_a_sealed_pack_verifies_and_replays(sealed: Path) -> None:
    assert verify_pack(sealed).problems == ()
    assert replay_pack(sealed).identical
    assert KEY.hex().encode() not in b"".join(contents(sealed).values())


def test_the_key_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    first = redaction_key(tmp_path)
    assert redaction_key(tmp_path) == first
    assert len(first) == 32
    assert (tmp_path / "redaction.key").stat().st_mode & 0o777 == 0o600


@given(st.lists(st.text(max_size=5), min_size=1, max_size=9), st.data())
def test_any_change_of_a_row_changes_the_root(cells: list[str], data: st.DataObject) -> None:
    rows = tuple(DisclosedRow((cell,), "00", "") for cell in cells)
    place = data.draw(st.integers(0, len(rows) - 1))
    other = (*rows[:place], DisclosedRow((cells[place] + "x",), "00", ""), *rows[place + 1 :])
    before, after, fewer = (root_of([DisclosedFrame("f", ("a",), one)]) for one in (rows, other, rows[:-1]))
    assert len({before, after, fewer}) == 3


@pytest.mark.parametrize("length", [32, 64, 65])
def test_a_salt_is_the_hmac_of_what_a_row_is_about(length: int) -> None:
    key = bytes(range(length))
    (frame,) = disclosed({"credits": {"currency": ["GBP", "EUR"]}}, "auditor", key, ("c-1", AS_OF))
    about = ["c-1", AS_OF, "auditor", "shown", "credits"]
    said = [hmac.digest(key, canonical_json([*about, str(place)]), "sha256").hex() for place in range(2)]
    assert [row.salt for row in frame.rows] == said
