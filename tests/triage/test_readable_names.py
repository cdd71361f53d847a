"""A value that cannot be read as a name is never clear: nobody knows whose name it is."""

from __future__ import annotations

import pytest
from tests.frames.evidence_maker import RECORD, RESULTS
from tests.triage.test_evaluate import finding, level, triage
from tests.triage.test_pairs_of_sources import judged
from tests.triage.test_repeated_details import put

from kycpack.triage.names.readable_names import is_name

UNREADABLE = [
    "<script>alert('x')</script>", "=1+1", "Ada <b>", "O&#39;Brien", "Ada &amp; Co", "{nb}", "Ada\u202enoryB", "http://a.example",
    "---", "...", "???", "M?ller", "Ada\ufffd", "\U0001f600", "Robert'); DROP TABLE x;--", "first_name", "$name", "ada@example.test", "xxxx",
    "Ada = Byron", "Ada\tByron", "[name]", "Ada | Byron", "\ue000", "N/A", "n/a", "#REF!", "\\u0041da",
]  # fmt: skip
NAMES = [
    "Ada", "O'Brien", "O\u2019Brien", "D\u02bcAngelo", "Jean-Luc", "A. Byron", "Byron, Ada", "Nguyễn Thị Ánh", "सीता", "小梅 欧阳", "Борис", "مريم الخطيب",
    "佐藤ひろみ", "Kumar A/L Raman", "Boris (Борис)", "José III", "Ada Byron Jr.", "Smith & Sons Ltd", "Лев·Толстой", "Jos\u00e9 Mar\u00eda", "O", "י",
    "محمد\u200cرضا", "Null", "Na", "Ng", "3M Company",
]  # fmt: skip


@pytest.mark.parametrize("text", UNREADABLE)
def test_what_is_no_name_is_not_read_as_one(text: str) -> None:
    assert not is_name(text)


@pytest.mark.parametrize("text", NAMES)
def test_a_name_is_read_as_one(text: str) -> None:
    assert is_name(text)


@pytest.mark.parametrize("member", ["firstName", "lastName"])
@pytest.mark.parametrize("text", [one for one in UNREADABLE if one != "Ada\tByron"])
def test_a_record_that_names_nobody_is_never_clear_of_specimens(member: str, text: str) -> None:
    made = triage(record={**RECORD, member: text})
    found = finding(made, "RES-8")
    assert found["outcome"] == "UNKNOWN"
    assert found["cause"] == "The name on the customer record cannot be read as a name."
    assert finding(made, "RES-7")["outcome"] != "CLEAR"
    assert level(made) != "approve"


@pytest.mark.parametrize("member", ["document.holder.firstName", "document.holder.lastName"])
@pytest.mark.parametrize("text", ["Ada = Byron", "---", "Ada\u202e", "M?ller"])
def test_nor_is_a_document_that_names_nobody(member: str, text: str) -> None:
    made = triage(results=put(member, text))
    assert finding(made, "RES-8")["outcome"] == "UNKNOWN"
    assert "cannot be read as a name" in finding(made, "RES-8")["cause"]


@pytest.mark.parametrize(
    ("first", "last"),
    [("Test", "Byron"), ("John", "Doe"), ("Ada", "Byron2"), ("Ada", "(illegible)"), ("FNU", "Byron")],
)
def test_a_name_of_a_specimen_on_the_record_is_a_finding(first: str, last: str) -> None:
    found = finding(triage(record={**RECORD, "firstName": first, "lastName": last}), "RES-8")
    assert found["outcome"] == "HIT"
    assert "in the customer record" in found["sentence"]


def test_an_address_of_a_form_on_the_record_is_a_finding() -> None:
    address = {**RECORD["address"], "addressLine1": "1 Fake Street"}
    assert finding(triage(record={**RECORD, "address": address}), "RES-8")["outcome"] == "HIT"


@pytest.mark.parametrize("line", ["<script>alert(1)</script>", "1 High {street}", "---"])
def test_an_address_that_cannot_be_read_is_not_clear(line: str) -> None:
    address = {**RESULTS["address"]["extractedAddress"], "addressLine1": line}
    made = triage(
        record={**RECORD, "address": {**RECORD["address"], "addressLine1": line}},
        results=put("address.extractedAddress", address),
    )
    assert finding(made, "RES-8")["outcome"] in {"UNKNOWN", "HIT"}


def test_two_equal_values_that_are_no_names_do_not_agree() -> None:
    made = judged(("=1+1", "<b>"), ("=1+1", "<b>"), "=1+1 <b>", statement=("=1+1", "<b>"))
    assert {one.verdict for one in made.compared if one.field == "name"} == {"unreadable"}
    for rule in ("CON-1", "CON-4", "CON-8"):
        found = made.findings[made.findings["rule_id"] == rule]
        assert set(found["outcome"]) == {"UNKNOWN"}
        assert found["cause"].str.contains("cannot be read as a name").all()
        assert found["evidence_ids"].map(len).all()


def test_a_name_that_differs_from_what_is_no_name_is_still_different() -> None:
    made = judged(("=1+1", "<b>"), ("Ada", "Byron"), "Ada Byron")
    assert finding(made, "CON-1")["outcome"] == "HIT"
