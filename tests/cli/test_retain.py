"""`kycpack retain`, as two people type it: no byte of the customer is left, and the run still says what became of everybody."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner, Result

from kycpack.cli import app

if TYPE_CHECKING:
    from tests.cli.conftest import Town

_SHORTEST = 8
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")  # other customers and policies have the same days
_PEOPLE = ("ada", "anna")


class Firm:
    """A workspace with two people, and two runs on one output folder, of which a copy was made."""

    def __init__(self, town: Town, folder: Path) -> None:
        self.gone, self.stays = town.customers[0], town.customers[2]
        self.folder = folder
        self.out = folder / "reports" / "nightly"
        self.relationships = folder / "relationships.csv"
        for who in _PEOPLE:
            made = json.loads(self.types(who, "keys", "new", str(folder / f"{who}.pem"), "--json").stdout)
            enrolled = self.types("ada", "keys", "enrol", who, "--public-key", made["public_key"])
            assert enrolled.exit_code == 0, enrolled.output
        for policy in (None, "data/policies/default.yaml"):
            more = [] if policy is None else ["--country", "IE"]
            made_run = town.run(
                "batch",
                self.gone,
                self.stays,
                "--out",
                str(self.out),
                "--json",
                *more,
                **self._environment("ada"),
            )
            assert made_run.exit_code in {0, 3}, made_run.output
        copied = self.types(
            "ada",
            "redact",
            str(self.out / self.gone),
            "--profile",
            "auditor",
            "--to",
            str(folder / "reports" / "copy"),
        )
        assert copied.exit_code == 0, copied.output
        handed_out = folder.parent / f"{folder.name}-handed-out"
        copied = self.types(
            "ada", "redact", str(self.out / self.gone), "--profile", "customer", "--to", str(handed_out)
        )
        assert copied.exit_code == 0, copied.output
        self._leave_traces()

    def export(self, place: Path) -> None:
        """Export the ledger."""
        done = self.types("ada", "ledger", "export", str(place))
        assert done.exit_code == 0, done.output

    def _leave_traces(self) -> None:
        """What a night may leave: kept evidence, a failed notebook, and a folder that a killed process left."""
        pack = self.out / self.gone
        shutil.copytree(pack / "data" / "evidence", self.out / ".kycpack" / "evidence" / self.gone)
        failed = self.out / ".quarantine" / self.gone
        failed.mkdir(parents=True)
        shutil.copy(pack / "data" / "report" / "review.ipynb", failed / "customer_review.ipynb")
        shutil.copytree(pack, self.out / f".{self.gone}.999999.abcd1234.partial")

    def _environment(self, who: str) -> dict[str, str]:
        return {
            "KYCPACK_ANALYST": who,
            "KYCPACK_WORKSPACE": str(self.folder / "kycpack.db"),
            "KYCPACK_SIGNING_KEY": str(self.folder / f"{who}.pem"),
            "KYCPACK_LEDGER_ANCHOR": str(self.folder / "anchors" / "anchor.jsonl"),
        }

    def types(self, who: str, *arguments: str) -> Result:
        return CliRunner().invoke(app, list(arguments), env=self._environment(who))

    def retains(self, who: str, *arguments: str) -> Any:
        answer = self.types(
            who, "retain", "--relationships", str(self.relationships), "--folder", str(self.folder / "reports"), "--json", *arguments
        )  # fmt: skip
        assert answer.exit_code == 0, answer.output
        return json.loads(answer.stdout)

    def says(self, *lines: str) -> None:
        self.relationships.write_text("\n".join(("customer_id,ended_on,hold", *lines)) + "\n")

    def canaries(self) -> set[bytes]:
        """Return what was answered about the one customer and not about the other."""
        gone, stays = (self._texts(self.out / name / "data" / "evidence") for name in (self.gone, self.stays))
        own = {each for each in gone - stays if len(each) >= _SHORTEST and not _DATE.match(each)}
        return {each.encode() for each in own - {self.gone}}

    def _texts(self, evidence: Path) -> set[str]:
        found: set[str] = set()
        for path in evidence.glob("E-*.json"):
            found |= set(_strings(json.loads(path.read_text())))
        return found

    def bytes(self) -> bytes:
        """Return every byte of every file, and what compressed tables hold, dictionaries of columns included."""
        files = [path for path in sorted(self.folder.rglob("*")) if path.is_file()]
        tables = [pq.read_table(path) for path in files if path.suffix == ".parquet"]
        plain = [chunk for table in tables for column in table.columns for chunk in column.chunks]
        values = [(one.dictionary if hasattr(one, "dictionary") else one).to_pylist() for one in plain]
        return b"\n".join([*(path.read_bytes() for path in files), repr(values).encode()])


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)


@pytest.fixture(scope="module")
def firm(town: Town, tmp_path_factory: pytest.TempPathFactory) -> Firm:
    return Firm(town, tmp_path_factory.mktemp("firm"))


def test_what_is_past_its_date_is_erased_by_two_people_and_nothing_else(firm: Firm) -> None:
    canaries = firm.canaries()
    assert len(canaries) > 20
    held = firm.bytes()
    assert [each for each in canaries if each not in held] == []
    others = {
        path.relative_to(firm.out): path.read_bytes() for path in (firm.out / firm.stays).rglob("*.json")
    }

    firm.says(f"{firm.gone},2021-05-31,LIT-2026-4", f"{firm.stays},,")
    assert {item["state"] for item in firm.retains("ada", "--as-of", "2026-06-01")["items"]} == {
        "held",
        "unknown",
    }
    firm.says(f"{firm.gone},2021-05-31,", f"{firm.stays},2024-01-01,")
    listed = firm.retains("ada", "--as-of", "2026-06-01")
    assert {item["state"] for item in listed["items"] if item["customer_id"] == firm.gone} == {"open"}
    _close_cases(firm)
    listed = firm.retains("ada", "--as-of", "2026-06-01")
    assert {(item["customer_id"], item["state"]) for item in listed["items"]} == {
        (firm.gone, "due"),
        (firm.stays, "kept"),
    }
    assert all("reg. 40" in item["law"] for item in listed["items"])
    assert firm.bytes().count(firm.gone.encode()) >= held.count(firm.gone.encode())  # a list changes nothing

    early = firm.types("ada", "retain", "--relationships", str(firm.relationships), "--execute")
    assert early.exit_code == 2
    assert "nobody has proposed" in early.stderr
    export = firm.folder / "reports" / "export"
    firm.export(export)
    assert b"the customer withdrew and left the firm" in (export / "ledger.jsonl").read_bytes()
    firm.export(firm.folder.parent / "given-away")
    assert firm.retains("anna", "--as-of", "2026-06-01", "--propose")["proposed"]
    less = firm.types("ada", "retain", "--relationships", str(firm.relationships), "--execute")
    assert less.exit_code == 2, "without the folder it is another list"
    done = firm.retains("ada", "--execute")
    assert (done["disposition"], done["left"]) == (1, [])
    assert [(one["what"], one.get("profile")) for one in done["not_reached"]] == [
        ("redacted copy", "customer"),
        ("export of the ledger", None),
    ]
    assert done["exports"] == 1
    assert b"the customer withdrew and left the firm" not in (export / "ledger.jsonl").read_bytes()
    verifier = [sys.executable, str(export / "verify_ledger.py"), str(export / "ledger.jsonl")]
    assert subprocess.run(verifier, check=False, capture_output=True).returncode == 0  # noqa: S603 - our own verifier
    assert firm.gone not in (firm.folder / "copies.jsonl").read_text()
    assert {pack["name"] for pack in done["packs"]} >= {firm.gone, f"{firm.gone}+2"}

    now = firm.bytes()
    assert sorted(each for each in canaries if each in now) == []
    assert {path.name for path in firm.folder.rglob(f"*{firm.gone}*")} == set()
    assert {
        path.relative_to(firm.out): path.read_bytes() for path in (firm.out / firm.stays).rglob("*.json")
    } == others

    anchor = str(firm.folder / "anchors" / "anchor.jsonl")
    checked = firm.types("ada", "verify", str(firm.out), "--ledger-anchor", anchor)
    assert checked.exit_code == 0, checked.output
    assert f"customer {firm.gone}: erased, disposition 1" in checked.output
    assert "missing" not in checked.output
    assert firm.types("ada", "ledger", "verify").exit_code == 0
    assert firm.retains("ada", "--execute")["disposition"] == 1, "what was interrupted can be done to its end"
    assert firm.types("ada", "verify", str(firm.out)).exit_code == 0


def _close_cases(firm: Firm) -> None:
    cases = json.loads(firm.types("ada", "case", "list", "--json").stdout)["items"]
    for case in cases:
        if case["customer_id"] != firm.gone:
            continue
        shown = json.loads(firm.types("ada", "case", "show", case["case_id"], "--json").stdout)
        named = [each["finding_id"] for each in shown["findings"]]
        decided = firm.types(
            "anna", "case", "decide", case["case_id"], "--outcome", "reject", "--code", "CDD-INCOMPLETE",
            "--text", f"{', '.join(named)}: the customer withdrew and left the firm",
            *[part for each in named for part in ("--finding", f"{each}=inconclusive")],
        )  # fmt: skip
        assert decided.exit_code == 0, decided.output
        shown = json.loads(firm.types("ada", "case", "show", case["case_id"], "--json").stdout)
        assert shown["state"] == "closed"


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (
            lambda out: (out / ".kycpack/dispositions/1.json").unlink(),
            "disposition 1: its record cannot be read",
        ),
        (
            lambda out: _edit(out, "customer_id", "somebody-else"),
            "its payload is not the one that was recorded",
        ),
    ],
)
def test_a_customer_is_erased_only_where_the_record_says_so(
    firm: Firm, tmp_path: Path, change: Any, found: str
) -> None:
    out = Path(shutil.copytree(firm.out, tmp_path / "run"))
    change(out)
    answer = firm.types("ada", "verify", str(out))
    assert answer.exit_code == 1
    assert found in answer.output


def test_a_record_of_another_ledger_shows_nothing_to_a_reader_who_knows_the_firms_key(firm: Firm) -> None:
    answer = firm.types("ada", "verify", str(firm.out), "--hashes-only", "--ledger-key", "0" * 32)
    assert answer.exit_code == 1
    assert "disposition 1: the ledger was not founded with a trusted key" in answer.output


def _edit(out: Path, name: str, value: str) -> None:
    path = out / ".kycpack/dispositions/1.json"
    record = json.loads(path.read_text())
    for entry in record["entries"]:
        for one in (
            entry["payload"]["data"].get("customers", [])
            if entry["payload"]["kind"].endswith("started")
            else []
        ):
            one[name] = value
    path.write_text(json.dumps(record))
