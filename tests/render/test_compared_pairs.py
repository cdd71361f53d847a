"""A check that asks about several pairs of sources says what all of them show, and which could not be compared."""

from __future__ import annotations

import pandas as pd
import pytest
from tests.render.test_pairs_on_page_one import THREE, review
from tests.render.test_same_matter import QUESTIONS, RULES, finding

from kycpack.render.document_parts import Table
from kycpack.render.review.clear_checks import WithoutObjection, without_objection
from kycpack.render.review.same_matter import Opposition
from kycpack.render.review.short_names import ShortNames
from kycpack.triage.judge.findings import findings_frame

RECORD_DOCUMENT = "consistency.name.record.document"
SMALL = "consistency.name.likeness.record.document"
ON_STATEMENT = "consistency.name.record.statement"


def checks(rule_id: str, path: str, value: str | None, **verdicts: str) -> WithoutObjection:
    """Return the checks of a customer with one clear check, and the pairs of names by their verdicts."""
    (rule,) = [rule for rule in RULES if rule.id == rule_id]
    clear = finding(rule, path, "CLEAR")._replace(
        value=value, sentence=f"{rule.title}: none that needs review"
    )
    pairs = [
        {"field": "name", "left": left, "right": right, "verdict": verdict, "kinds": "", "left_value": "a", "right_value": "b"}
        for (left, right), verdict in ((pair.split("_"), verdict) for pair, verdict in verdicts.items())
    ]  # fmt: skip
    return without_objection(
        findings_frame([clear]), ShortNames(()), pd.DataFrame(pairs), {}, Opposition((), QUESTIONS)
    )


@pytest.mark.parametrize(("other", "said"), [
        ("equal", "equal: record with statement and bank account with statement; not compared: document with statement"),
        ("similar", "equal: record with statement; similar: bank account with statement; not compared: document with statement"),
    ],
)  # fmt: skip
def test_a_name_is_called_equal_only_if_it_is_so_in_all_pairs(other: str, said: str) -> None:
    seen = checks(
        "CON-8",
        ON_STATEMENT,
        "equal",
        record_statement="equal",
        bank_statement=other,
        document_statement="missing",
    )
    assert [words.text for _, words in seen.beside] == [said]


def test_a_pair_that_could_not_be_compared_is_named_and_the_check_is_not_clear() -> None:
    seen = checks("CON-5", SMALL, None, record_document="missing", record_statement="equal")
    assert (seen.clear, seen.skipped) == ([], [])
    assert [words.text for _, words in seen.beside] == [
        "none that needs review; not compared: record with document"
    ]
    small = "consistency.name.likeness.record.bank"
    seen = checks("CON-7", small, "transliteration", record_bank="similar", document_bank="missing")
    assert [words.text.partition(":")[0] for _, words in seen.beside] == [
        "a difference that the policy accepts"
    ]
    seen = checks(
        "INT-2",
        "consistency.name.record.bank",
        "similar",
        record_document="missing",
        record_bank="similar",
        document_bank="unreadable",
    )
    assert [words.text for _, words in seen.beside] == [
        "similar: record with bank account; not compared: record with document and document with bank account"
    ]


def test_a_source_that_was_not_seen_at_all_is_not_said_to_agree() -> None:
    seen = checks("INT-2", "consistency.name.record.bank", "similar", record_bank="similar")
    assert (seen.clear, seen.skipped) == ([], [])
    assert [words.text for _, words in seen.beside] == [
        "similar: record with bank account; not compared: record with document and document with bank account"
    ]


def test_nothing_is_said_to_be_compared_where_no_pair_could_be() -> None:
    seen = checks("CON-5", SMALL, None, record_document="missing")
    assert [words.text for _, words in seen.skipped] == ["nothing to compare: record with document"]


def test_a_check_that_names_the_statement_says_that_there_is_none() -> None:
    seen = checks("CON-5", SMALL, None, record_document="equal")
    assert [words.text for _, words in seen.clear] == [
        "none that needs review; there is no statement of the service to compare"
    ]
    seen = checks("CON-1", RECORD_DOCUMENT, "equal", record_document="equal")
    assert [words.text for _, words in seen.clear] == ["equal"]


def test_the_need_for_an_internal_report_names_the_other_finding_that_asks_for_one() -> None:
    tables = [block for block in review(*THREE).section("clear").blocks if isinstance(block, Table)]
    cells = [cell.text for shown in tables for row in shown.rows for cell in row]
    assert cells[cells.index("Need for a report to the NCA") + 1].startswith(
        "see Comparison of the names on record, document and bank account (INT-2) in “Findings”; apart from"
    )
