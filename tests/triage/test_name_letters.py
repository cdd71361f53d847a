"""A word of a name in the letters of two scripts is a finding; a name in any one script is none."""

from __future__ import annotations

from typing import Any

import pytest
from tests.frames.evidence_maker import RECORD
from tests.triage.test_evaluate import finding, level, triage
from tests.triage.test_repeated_details import put

from kycpack.triage.details.doubtful_names import mixed_scripts
from kycpack.workspace.entries import verify_ledger

MIXED = [
    ("\u0410da", "Cyrillic and Latin"),  # Ada with a Cyrillic A
    ("Ad\u0430", "Cyrillic and Latin"),
    ("\u0391da", "Greek and Latin"),
    ("A\u0501a", "Cyrillic and Latin"),
    ("Maria J\u043ese", "Cyrillic and Latin"),
    ("\u0410\u0301da", "Cyrillic and Latin"),  # with an accent of its own
    ("\u041e'Byron", "Cyrillic and Latin"),
    ("\u041e\u2019Byron", "Cyrillic and Latin"),
    ("\u0410\u200bda", "Cyrillic and Latin"),  # parted by a space that nobody sees
    ("Бо\u0440is", "Cyrillic and Latin"),
    ("Νίκoς", "Greek and Latin"),
    ("Ա\u0430рам", "Armenian and Cyrillic"),
]
OF_ONE_SCRIPT = [
    "Ada", "Zoë", "Łukasz", "O'Brien", "O\u2019Brien", "D\u02bcAngelo", "Nguyễn Thị Ánh", "Jean-Luc", "Борис", "Наталья О\u2019Брайен",
    "Борис Boris", "Boris-Борис", "Boris (Борис)", "Αλέξης Alexis", "Νίκος-Nikos", "Sol\u02b9eva", "Əliyev", "Straße", "Ａｄａ", "佐藤ひろみ", "マリア",
    "陳大文 CHAN Tai Man", "陳大文CHAN", "김민준 Kim", "محمد Mohammed", "יעל", "ศรีสุข", "सीता", "José III", "Ada 2", "A. Byron", "",
]  # fmt: skip


@pytest.mark.parametrize(("name", "said"), MIXED)
@pytest.mark.parametrize("member", ["document.holder.firstName", "document.holder.lastName"])
def test_a_name_of_two_scripts_on_the_document_is_a_finding(member: str, name: str, said: str) -> None:
    made = triage(results=put(member, name))
    found = finding(made, "RES-7")
    assert (level(made), found["outcome"]) == ("review", "HIT")
    assert f"mixes {said} letters under “holder” in the section “document”" in found["sentence"]
    assert found["evidence_ids"]


def test_a_name_of_two_scripts_under_a_member_that_nobody_lists_is_a_finding() -> None:
    made = triage(results=put("document.chip.surname", "Byr\u043en"))
    assert level(made) == "review"
    assert "under “chip”" in finding(made, "RES-7")["sentence"]


@pytest.mark.parametrize(("member", "name"), [("firstName", "\u0410da"), ("lastName", "\u0412yron")])
def test_a_name_of_two_scripts_in_the_customer_record_is_a_finding(member: str, name: str) -> None:
    made = triage(record={**RECORD, member: name})
    found = finding(made, "RES-7")
    assert (level(made), found["outcome"]) == ("review", "HIT")
    assert f"Cyrillic and Latin letters in the customer record: '{name}' (E-" in found["sentence"]


@pytest.mark.parametrize("name", OF_ONE_SCRIPT)
def test_a_name_of_one_script_is_no_finding(name: str) -> None:
    assert finding(triage(results=put("document.holder.firstName", name)), "RES-7")["outcome"] == "CLEAR"


@pytest.mark.parametrize("path", ["document.holder.placeOfBirth", "address.note", "identity.device.name"])
def test_only_names_of_the_person_are_looked_at(path: str) -> None:
    assert finding(triage(results=put(path, "Le\u0435ds")), "RES-7")["outcome"] == "CLEAR"


def test_without_results_nobody_says_what_letters_the_names_have() -> None:
    results: Any = {}
    assert finding(triage(results=results), "RES-7")["outcome"] == "UNKNOWN"


@pytest.mark.parametrize(
    "name", ["\u0410da", "Ad\u0430", "\u0391da", "Ada", "Борис Boris", "佐藤ひろみ", "陳大文CHAN"]
)
def test_the_ledger_finds_the_same_in_a_name(name: str) -> None:
    assert verify_ledger.mixed_scripts(name) == mixed_scripts(name)
