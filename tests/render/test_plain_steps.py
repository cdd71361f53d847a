"""A step can be done by somebody who reads nothing but it: who, with whom, about what, and why it waits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd
import pytest
from tests.frames.evidence_maker import clear_customer
from tests.render.said_steps import steps_of
from tests.render.specimen_review import inputs_of, words_of
from tests.render.step_findings import DECLINE, LIST, NEED, NO_GAPS, REJECTED, findings, steps
from tests.render.test_review_gaps import FOUND, gaps_of

from kycpack.evidence import Entry, Evidence
from kycpack.render.document_parts import Cell, Table
from kycpack.render.origin import value_of
from kycpack.render.review.after_decision import to_do_of
from kycpack.render.review.approval import Terms
from kycpack.render.review.case_record import terms_of
from kycpack.render.review.evidence_index import evidence_section
from kycpack.render.review.findings import findings_section
from kycpack.render.review.gap_duties import tasks_of_gaps
from kycpack.render.review.reasons import Reason, reasons_of, unknowns_of
from kycpack.render.review.report_grounds import considered
from kycpack.render.review.short_names import ShortName, ShortNames
from kycpack.triage.judge.findings import Finding, findings_frame

ACCOUNTS = ShortNames(
    tuple(ShortName(f"A{n}", f"acc-{n}", "An account", value_of("accounts")) for n in (1, 2, 3))
)
IDENTITY = {"rule_id": "SES-2", "path": "session.identity_confirmed", "session_id": "ses-1"}


def test_accounts_are_named_in_the_steps_about_them() -> None:
    silent = {"rule_id": "BNK-4", "path": "wealth.silent_account"}
    twice = {"rule_id": "BNK-3", "path": "wealth.linked_twice"}
    rows = (
        silent | {"sentence": "Bank data: No transaction of acc-1 between 1 Apr 2026 and 2 Jun 2026 (E-05)"},
        silent
        | {
            "sentence": "Bank data: No transaction of acc-1 and acc-3 between 1 Jul 2026 and 2 Sep 2026 (E-05)"
        },
        twice | {"sentence": "Bank data: acc-3 and acc-1 may be one account (E-05)"},
    )
    (asked, _) = steps_of(reasons_of(findings(*rows), ACCOUNTS))
    assert (
        "ask the customer and the bank why there is no transaction of A1 and A3 between the days that the finding gives"
        in asked
    )
    assert "ask the customer and the bank whether accounts are one (A3 with A1)" in asked


def test_a_finding_about_one_account_is_no_step_about_another_that_the_same_answer_shows() -> None:
    silent = Finding(
        **FOUND | {"sentence": "Bank data: No transaction of A1 (E-07)", "evidence_ids": ("E-07",)}
    )
    found = findings_frame([silent])
    (other,) = tasks_of_gaps(gaps_of("months_missing", subject="A10"), found, ShortNames(()))
    assert other.words.endswith(" of A10")
    assert tasks_of_gaps(gaps_of("months_missing", subject="A1"), found, ShortNames(())) == ()
    twice = findings_frame(
        [
            Finding(
                **FOUND | {"path": "wealth.linked_twice", "sentence": "A1 and A2 may be one account (E-07)"}
            )
        ]
    )
    pair, others = (gaps_of("may_be_one_account", subject="A1", part=part) for part in ("A2", "A3"))
    assert tasks_of_gaps(pair, twice, ShortNames(())) == ()
    assert len(tasks_of_gaps(others, twice, ShortNames(()))) == 1


def test_what_could_not_be_evaluated_is_named_by_what_the_check_is_about() -> None:
    unknown = {"outcome": "UNKNOWN", "cause": "The name cannot be read as a name."}
    rows = (
        unknown | {"rule_id": "RES-7", "path": "plausible.name_letters", "title": "Mixed alphabets in names"},
        unknown | {"rule_id": "CON-8", "path": "consistency.name.record.statement", "cause": "Not read."},
    )
    asked, _ = steps(*rows)
    assert (
        "look at the pictures of the documents for mixed alphabets in names, which could not be checked (RES-7)"
        in asked
    )
    assert (
        "find out the names on the record and the service's statement, which could not be compared" in asked
    )
    birth = unknown | {"rule_id": "CON-2", "path": "consistency.date_of_birth.record.document"}
    assert "find out the dates of birth on the record and the document, which" in steps(birth)[0]


def test_only_what_contacts_the_customer_waits_for_the_mlro() -> None:
    remark = {"rule_id": "RES-8", "path": "plausible.specimens"}
    terms = Terms(of_lists=frozenset({"SAN-1"}))
    made = steps_of(reasons_of(findings(LIST, IDENTITY, remark), ACCOUNTS), terms)
    (looked,) = (step for step in made if "RES-8" in step)
    assert "Analyst: look at the pictures" in looked
    (asked,) = (step for step in made if "SES-2" in step)
    assert (
        "Analyst: when the MLRO agrees, have the customer repeat the identity check, and ask the provider why"
        in asked
    )


def test_there_is_one_step_on_a_report_and_it_decides(specimen: Evidence) -> None:
    credit = {"rule_id": "WLT-2", "path": "wealth.flags.b", "sentence": "Large unexplained credit: 5 (E-10)"}
    unseen = {
        "rule_id": "INT-1",
        "outcome": "UNKNOWN",
        "internal": True,
        "owner": "MLRO",
        "cause": "Missing.",
    }
    found = {
        "rule_id": "INT-1",
        "path": "wealth.flags.x",
        "owner": "MLRO",
        "action": "internal_report",
        "internal": True,
    }
    for rows in ((credit,), (credit, DECLINE), (found, DECLINE), (found, credit)):
        why = reasons_of(findings(*rows), ACCOUNTS)
        made = steps_of((*why, *considered(why, NEED)))
        (said,) = (step for step in made if "National Crime Agency" in step)
        assert "MLRO: decide as nominated officer whether to report to the National Crime Agency" in said
    made = steps(unseen, DECLINE)
    assert sum("National Crime Agency" in step for step in made) == 1
    assert not any("nsider" in step for step in made)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({}, "One person may approve or reject, because the level is not above manual review."),
        ({"level": "edd"}, "An approval takes two people, because the level is above manual review."),
        (
            DECLINE,
            " A rejection takes one person, once the MLRO agrees.",
        ),
        ({"level": "approve"}, "because the level (approve) is not above manual review."),
        (LIST, "An approval or a rejection takes two people, one of them the MLRO"),
        (
            {"rule_id": "PEP-9"},
            "An approval takes two people, because the customer may be politically exposed.",
        ),
    ],
)
def test_every_case_says_how_many_people_decide(row: dict[str, str], said: str) -> None:
    reasons = reasons_of(findings({"path": "address.outcome"} | row), ACCOUNTS)
    terms = Terms(of_lists=frozenset({"SAN-1"}), of_pep=frozenset({"PEP-9"}))
    made = to_do_of(None, (), reasons, (), terms)
    assert said in made.steps[-1]
    assert said in made.people


@pytest.mark.parametrize(
    "row",
    [
        {},
        {"level": "edd"},
        {"rule_id": "PEP-9"},
        {"rule_id": "PEP-9", "action": "senior_approval", "level": "edd"},
        DECLINE,
        {"outcome": "UNKNOWN", "rule_id": "INT-1", "internal": True, "owner": "MLRO", "cause": "Missing."},
    ],
)
def test_nobody_rejects_while_a_report_is_open_before_the_mlro_has_said_so(row: dict[str, Any]) -> None:
    report = {"path": "wealth.flags.x", "owner": "MLRO", "action": "internal_report", "internal": True}
    asked = findings({"path": "address.outcome"} | row, {"rule_id": "INT-1"} | report)
    why = (*reasons_of(asked, ACCOUNTS), *unknowns_of(asked, ACCOUNTS, NO_GAPS))
    terms = Terms(of_pep=frozenset({"PEP-9"}))
    # The workspace asks for two people where such a match is called a false positive.
    of_pep = "Once the MLRO agrees, a rejection takes one person, or two if a match with a politically exposed person is called a false positive."
    said = of_pep if row.get("rule_id") == "PEP-9" else REJECTED
    assert any(one.endswith(said) or f"{said} " in one for one in steps_of(why, terms))
    assert not any("One person may approve or reject" in one for one in steps_of(why, terms))
    escalated = replace(terms, is_escalated=True)
    assert any("A rejection waits until the MLRO agrees." in one for one in steps_of(why, escalated))


def test_the_rules_about_politically_exposed_persons_are_those_of_the_policy() -> None:
    assert terms_of(inputs_of(clear_customer())).of_pep >= {"PEP-1", "PEP-2", "PEP-3", "PEP-4"}


def test_who_has_a_step_is_not_read_from_its_words() -> None:
    reason = Reason("OWN-1", "A thing (E-03)", "Desk: North", "review", action="ask")
    assert to_do_of(None, (), (reason,), (), Terms()).owners == ("Desk: North",)


def test_a_lesser_finding_of_a_matter_says_that_it_is_settled_with_the_other() -> None:
    screened = {"path": "document.outcome", "evidence_ids": ["E-03"]}
    rejected = DECLINE | screened | {"sentence": "Document rejected: data integrity 'attention' (E-03)"}
    lesser = screened | {"rule_id": "DOC-2", "path": "document.contentAnalysis.dataIntegrity"}
    found = findings(rejected, lesser)
    section = findings_section(found, reasons_of(found, ACCOUNTS), (), Cell(""))
    (table, *_) = [block for block in section.blocks if isinstance(block, Table)]
    assert [(row[2].text, row[3].text) for row in table.rows] == [
        ("Reject", "Analyst: reject"),
        ("Manual review", "Settled with OUT-document (Analyst: reject)"),
    ]


@pytest.mark.parametrize(("status", "said"), [(404, "Not found 404"), (403, "Refused 403")])
def test_what_does_not_exist_is_not_found_in_the_index_of_evidence_too(status: int, said: str) -> None:
    entry = Entry(
        id="E-01", operation="source_of_wealth.get", subject={}, method="GET", path="/x", outcome="refused", status=status, note="",
    )  # fmt: skip
    evidence = Evidence("C-1", (entry,), {})
    section = evidence_section(evidence, ShortNames(()), pd.DataFrame())
    assert said in words_of(section)
