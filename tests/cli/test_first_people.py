"""The steps of the documentation by which a small firm enrols its first three people, as written, in an empty workspace."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from tests.workspace.case_material import MEDIA, ROOT, decision, triage
from typer.testing import CliRunner, Result

from kycpack.cli import app
from kycpack.errors import WorkspaceError
from kycpack.workspace import Cases, Ledger, Workspace
from kycpack.workspace.entries.signing import Actor, read_key

PAGE = Path(__file__).parents[2] / "docs" / "decisions-and-cases.md"
NAMES = {"Ada": "Ada Founder", "Anna": "Anna Analyst", "Mia": "Mia Officer"}


def _steps() -> list[tuple[str, list[str]]]:
    """Return who types what."""
    section = PAGE.read_text("utf-8").partition("### The first three people")[2]
    lines = section.partition("```console\n")[2].partition("```")[0].splitlines()
    found = [re.fullmatch(r"\$ kycpack (.+?) +# (\w+).*", line) for line in lines]
    assert all(found)
    return [(each[2], shlex.split(each[1])) for each in found if each is not None]


@pytest.fixture
def firm(tmp_path: Path) -> Path:
    public: dict[str, str] = {}
    for who, words in _steps():
        given = [public.get(word, word) for word in words]
        made = _typed(
            tmp_path, who, *(str(tmp_path / word) if word.endswith(".pem") else word for word in given)
        )
        assert made.exit_code == 0, made.output
        if words[1] == "new":
            public[who.upper()] = json.loads(made.stdout)["public_key"]
    return tmp_path


def _typed(folder: Path, who: str, *words: str) -> Result:
    environment = {
        "KYCPACK_WORKSPACE": str(folder / "kycpack.db"),
        "KYCPACK_ANALYST": NAMES[who],
        "KYCPACK_SIGNING_KEY": "" if words[1] == "new" else str(folder / f"{who.lower()}.pem"),
    }
    return CliRunner().invoke(app, [*words, "--json"], env=environment)


def test_the_first_three_people_are_enrolled_as_the_page_says(firm: Path) -> None:
    listed = json.loads(_typed(firm, "Ada", "keys", "list").stdout)["items"]
    assert {row["name"]: row["roles"] for row in listed} == {
        "Ada Founder": ["administrator"],
        "Anna Analyst": [],
        "Mia Officer": ["MLRO", "administrator", "senior_manager"],
    }
    assert json.loads(_typed(firm, "Ada", "ledger", "verify").stdout)["problems"] == []


@pytest.mark.parametrize(
    ("first", "second", "is_closed"),
    [("Anna", "Mia", True), ("Mia", "Anna", True), ("Ada", "Mia", False), ("Ada", "Anna", False)],
)
def test_the_two_check_each_other_and_nobody_is_the_second_person_of_the_founder(
    firm: Path, first: str, second: str, *, is_closed: bool
) -> None:
    people = {who: Actor(name, read_key(firm / f"{who.lower()}.pem", "")) for who, name in NAMES.items()}
    with Workspace.open(firm / "kycpack.db") as workspace:
        cases = Cases(Ledger(workspace))
        cases.open_from(triage({"c-1": ("review", [MEDIA])}), run_id="run-1", evidence_roots={"c-1": ROOT})
        (case,) = cases.list()
        escalated = decision("escalate", "SUSPECTED-MATCH", F_1="inconclusive")
        case = cases.decide(case.case_id, escalated, version=1, actor=people[first])
        said = "Read the file; it goes to the officer"
        if is_closed:
            assert cases.approve(case.case_id, said, version=2, actor=people[second]).state == "closed"
        else:
            with pytest.raises(WorkspaceError, match="was enrolled or given a role by Ada Founder"):
                cases.approve(case.case_id, said, version=2, actor=people[second])
            case = cases.send_back(case.case_id, said, version=2, actor=people[second])
            case = cases.decide(case.case_id, escalated, version=case.version, actor=people["Anna"])
            with pytest.raises(WorkspaceError, match="and Ada Founder worked on this case"):
                cases.approve(case.case_id, said, version=case.version, actor=people["Mia"])
        assert Ledger(workspace).verify().problems == []
