"""Every two sources that state a name or a date of birth are in a finding if they differ, each pair in its own."""

from __future__ import annotations

from typing import Any

import pytest
from tests.frames.evidence_maker import CUSTOMER, RECORD, RESULTS, EvidenceMaker
from tests.triage.test_evaluate import AS_OF, POLICY, changed

from kycpack.frames import flatten
from kycpack.triage import Triage, evaluate

OTHER = "33333333-3333-4333-8333-333333333333"


def judged(
    record: tuple[str, str],
    document: tuple[str, str],
    *holders: str,
    statement: tuple[str, str] | None = None,
    second: Any = None,
    town: str | None = None,
) -> Triage:
    """Return the triage of a customer whose sources state these names."""
    made = EvidenceMaker()
    made.answer("customers.get", {**RECORD, "firstName": record[0], "lastName": record[1]})
    holder = {**RESULTS["document"]["holder"], "firstName": document[0], "lastName": document[1]}
    made.session(changed("document.holder", holder))
    if second is not None:
        made.session(changed("document.holder", {**holder, **second}), session_id=OTHER)
    accounts = [{"id": f"A-{at}", "accountHolderName": name} for at, name in enumerate(holders)]
    made.answer("bank_accounts.list", {"items": accounts})
    if statement is not None:
        named = {"firstName": statement[0], "lastName": statement[1], **({"city": town} if town else {})}
        made.answer("source_of_wealth.get", {"customerId": CUSTOMER, "customer": named})
    made.known()
    return evaluate(flatten(made.make()), POLICY, as_of=AS_OF)


def differing(made: Triage) -> set[str]:
    hits = made.findings[made.findings["outcome"] == "HIT"]
    assert all(hits["evidence_ids"].map(len) > 0)
    return {path for path in hits["path"] if path.startswith("consistency.")}


ADA, BEA, CID, DAN = ("Ada", "Byron"), ("Bea", "King"), ("Cid", "Lovelace"), ("Dan", "Moss")


def test_three_people_are_three_findings() -> None:
    made = judged(ADA, BEA, "Cid Lovelace")
    pairs = {"record.document", "record.bank", "document.bank"}
    assert differing(made) == {f"consistency.name.{pair}" for pair in pairs}
    hits = made.findings[(made.findings["rule_id"] == "CON-4") & (made.findings["outcome"] == "HIT")]
    assert {text.partition(" (")[0] for text in hits["sentence"]} == {
        "The name on the record and the name on the bank account do not match",
        "The name on the document and the name on the bank account do not match",
    }


@pytest.mark.parametrize(
    ("names", "pairs"),
    [
        ((ADA, BEA, "Bea King"), {"record.document", "record.bank"}),
        ((ADA, ADA, "Bea King"), {"record.bank", "document.bank"}),
        ((ADA, BEA, "Ada Byron"), {"record.document", "document.bank"}),
        ((ADA, ADA, "Ada Byron"), set()),
    ],
)
def test_each_pair_that_differs_is_a_finding_and_no_other(names: Any, pairs: set[str]) -> None:
    assert differing(judged(*names)) == {f"consistency.name.{pair}" for pair in pairs}


def test_the_statement_is_compared_with_the_document_and_the_bank() -> None:
    made = judged(ADA, BEA, "Cid Lovelace", statement=DAN)
    pairs = {
        "record.document", "record.bank", "document.bank", "record.statement", "document.statement", "bank.statement",
    }  # fmt: skip
    assert differing(made) == {f"consistency.name.{pair}" for pair in pairs}


def test_two_documents_of_two_people_are_a_finding_even_if_the_record_fits_both() -> None:
    made = judged(("A", "Byron"), ADA, second={"firstName": "Anna"})
    assert "consistency.name.document.document" in differing(made)
    born = judged(ADA, ADA, second={"dateOfBirth": "1985-12-11"})
    assert "consistency.date_of_birth.document.document" in differing(born)


def test_two_equal_documents_are_not_compared_with_one_another() -> None:
    made = judged(ADA, ADA, second={})
    assert not any(one.left == one.right for one in made.compared)
    assert differing(made) == set()


def test_a_pair_that_cannot_be_read_is_not_hidden_by_one_that_differs() -> None:
    made = judged(("=1+1", "<b>"), ADA, "Ada Byron", statement=("=1+1", "<b>"))
    verdicts = {(one.left, one.right): one.verdict for one in made.compared if one.field == "name"}
    assert verdicts["record", "statement"] == "unreadable"
    found = made.findings[made.findings["rule_id"] == "CON-8"]
    said = {
        row.path.removeprefix("consistency.name."): (row.outcome, row.title) for row in found.itertuples()
    }
    assert said["record.statement"] == (
        "UNKNOWN",
        "Name on the record and the name on the service's statement",
    )
    assert said["document.statement"][0] == said["bank.statement"][0] == "HIT"
    scores = {(one.left, one.right): (one.score, one.reason) for one in made.compared if one.field == "name"}
    assert scores["document", "statement"] == (
        None,
        "the texts differ, and one cannot be read as a name: statement",
    )


def test_of_two_pairs_of_which_one_was_compared_only_the_other_is_said_to_be_not_known() -> None:
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.answer("bank_accounts.list", {"items": [{"id": "A-1", "accountHolderName": "Ada Byron"}]})
    made.known()
    judged_ = evaluate(flatten(made.make()), POLICY, as_of=AS_OF)
    (row,) = judged_.findings[judged_.findings["rule_id"] == "CON-4"].itertuples()
    assert (row.outcome, row.path) == ("UNKNOWN", "consistency.name.document.bank")
    assert row.title == "Name on the document and the name on the bank account"


def test_where_no_pair_could_be_compared_the_check_is_one() -> None:
    made = judged(("=1+1", "<b>"), ("=1+1", "<b>"), "=1+1 <b>")
    found = made.findings[made.findings["rule_id"] == "CON-4"]
    assert set(found["title"]) == {"Name on the bank account"}


@pytest.mark.parametrize(
    ("town", "outcome"),
    [("Leeds", "CLEAR"), ("LEEDS", "CLEAR"), ("Leeds 6", "CLEAR"), ("Leads", "HIT"), ("London", "HIT")],
)
def test_the_town_of_the_statement_is_compared_with_the_record(town: str, outcome: str) -> None:
    made = judged(ADA, ADA, "Ada Byron", statement=ADA, town=town)
    assert RECORD["address"]["city"] == "Leeds"
    (row,) = made.findings[made.findings["rule_id"] == "CON-9"].itertuples()
    assert row.outcome == outcome
    assert [one.right_value for one in made.compared if one.field == "town"] == [town]


def test_a_statement_without_a_town_says_nothing_of_it() -> None:
    made = judged(ADA, ADA, "Ada Byron", statement=ADA)
    assert not [one for one in made.compared if one.field == "town"]
    assert set(made.findings.loc[made.findings["rule_id"] == "CON-9", "outcome"]) == {"CLEAR"}
