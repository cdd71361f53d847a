"""A decision that is corrected, and runs that know of it: by the commands, on processes and on Dask."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kycpack.pack import replay_pack, verify_pack
from kycpack.pack.check.printed_values import html_text

if TYPE_CHECKING:
    from tests.cli.conftest import Town

FIRST = "nothing that the customer sent explains what was reported"
SECOND = "the customer was mistaken for somebody else in the first decision"


@dataclass(frozen=True)
class Corrected:
    """A case that was rejected, opened again, and rejected for another reason."""

    town: Town
    folder: Path
    case_id: str
    customer_id: str

    def types(self, *arguments: str) -> str:
        answer = self.town.run(
            *arguments, KYCPACK_WORKSPACE=str(self.folder / "own.db"), KYCPACK_ANALYST="anna"
        )
        assert answer.exit_code in {0, 3}, answer.output
        return answer.stdout

    def reads(self, *arguments: str) -> Any:
        return json.loads(self.types(*arguments, "--json"))

    def reject(self, code: str, why: str) -> dict[str, Any]:
        shown = self.reads("case", "show", self.case_id)
        named = [each["finding_id"] for each in shown["findings"]]
        verdicts = [part for each in named for part in ("--finding", f"{each}=inconclusive")]
        made: dict[str, Any] = self.reads(
            "case", "decide", self.case_id, "--outcome", "reject", "--code", code, *verdicts,
            "--text", f"{', '.join(named)}: {why}", "--version", str(shown["version"]),
        )  # fmt: skip
        return made


@pytest.fixture(scope="module")
def corrected(town: Town, tmp_path_factory: pytest.TempPathFactory) -> Corrected:
    folder = tmp_path_factory.mktemp("corrected")
    desk = Corrected(town, folder, "", "")
    desk.types("case", "import", str(_run(desk, "first")))
    case = next(
        each
        for each in desk.reads("case", "list")["items"]
        if not any(finding["subject"] and finding["outcome"] == "HIT" for finding in each["findings"])
    )
    desk = Corrected(town, folder, case["case_id"], case["customer_id"])
    assert desk.reject("OUTSIDE-APPETITE", FIRST)["state"] == "closed"
    desk.types("case", "reopen", desk.case_id, "--reason", "Another customer was meant")
    assert desk.reject("NOT-VERIFIED", SECOND)["decision_id"] == f"{desk.case_id}-D2"
    return desk


def _run(desk: Corrected, name: str, *more: str) -> Path:
    out = desk.folder / name
    desk.types(
        "batch",
        *([desk.customer_id] if desk.customer_id else desk.town.customers),
        "--out",
        str(out),
        *more,
        "--json",
    )
    return out


def _page(pack: Path) -> str:
    return " ".join(html_text((pack / "data/report/review.html").read_text("utf-8")).split())


def _replaced(desk: Corrected) -> str:
    return f"Earlier decision that this one replaces {desk.case_id}-D1: Rejected by anna"


def test_the_history_of_a_case_says_which_decision_another_one_replaces(corrected: Corrected) -> None:
    shown = " ".join(corrected.types("case", "show", corrected.case_id).split())
    assert shown.count(f"Replaces the earlier decision {corrected.case_id}-D1.") == 1
    first, second = [
        each["data"]
        for each in corrected.reads("case", "show", corrected.case_id)["history"]
        if each["kind"] == "case.decided"
    ]
    assert (first["corrects"], second["corrects"]) == ("", f"{corrected.case_id}-D1")
    assert FIRST in first["text"]
    assert SECOND in second["text"]


def test_the_section_on_a_decision_says_which_one_it_replaces_by_whom_and_why(corrected: Corrected) -> None:
    pack = Path(
        corrected.reads("case", "pack", corrected.case_id, "--packs", str(corrected.folder / "first"))["pack"]
    )
    page = _page(pack)
    _, opening, _ = page.split("Comparison with an earlier pack", 2)
    assert _replaced(corrected) in opening
    assert SECOND in opening
    assert (
        "The case was reopened after this decision (Another customer was meant). Evidence looked at"
        in opening
    )
    assert verify_pack(pack).problems == ()
    assert replay_pack(pack).identical


@pytest.mark.parametrize("more", [(), ("--dask", "local")], ids=["processes", "dask"])
def test_a_run_that_knows_of_a_corrected_case_carries_its_decision_and_replays(
    corrected: Corrected, more: tuple[str, ...]
) -> None:
    if more:
        pytest.importorskip("distributed")
    out = _run(corrected, f"later-{len(more)}", *more)
    (entry,) = json.loads((out / "run.json").read_text())["entries"]
    assert entry["outcome"] in {"produced", "incomplete"}
    pack = out / entry["pack"]
    page = _page(pack)
    assert _replaced(corrected) in page
    assert "on other evidence" in page
    assert (pack / "data/ledger-excerpt.json").is_file()
    assert verify_pack(pack).problems == ()
    assert replay_pack(pack).identical


def test_the_step_that_closes_a_case_names_the_command_for_its_pack(corrected: Corrected) -> None:
    desk = corrected
    desk.types("case", "reopen", desk.case_id, "--reason", "The customer wrote again")
    shown = desk.reads("case", "show", desk.case_id)
    named = [each["finding_id"] for each in shown["findings"]]
    answer = desk.town.run(
        "case", "decide", desk.case_id, "--outcome", "reject", "--code", "NOT-VERIFIED",
        *(part for each in named for part in ("--finding", f"{each}=inconclusive")),
        "--text", f"{', '.join(named)}: the letter does not explain it either",
        KYCPACK_WORKSPACE=str(desk.folder / "own.db"), KYCPACK_ANALYST="anna",
    )  # fmt: skip
    assert f"case pack {desk.case_id}" in " ".join(answer.stderr.split())
