"""Who does what about each gap, in the table of gaps and in the steps."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pandas as pd
import pytest
from tests.render.said_steps import steps_of
from tests.render.specimen_review import inputs_of
from tests.triage.invented_customers import evidence as evidence_of

from kycpack.evidence import NO_STATEMENT, Entry, Outcome
from kycpack.frames.gaps import Gaps
from kycpack.render import build_contents
from kycpack.render.document_parts import Table
from kycpack.render.review.approval import Terms
from kycpack.render.review.bank_limits import COLUMNS
from kycpack.render.review.case_record import terms_of
from kycpack.render.review.gap_duties import duties_of, duty_of, questions_of, tasks_of_gaps
from kycpack.render.review.gaps import (
    limits_section,
)
from kycpack.render.review.pieces import GapTask
from kycpack.render.review.reasons import Reason
from kycpack.render.review.short_names import ShortNames
from kycpack.synthetic import generate
from kycpack.synthetic.scenarios import demo_scenarios
from kycpack.triage.judge.findings import Finding, findings_frame

DAY = datetime(2026, 6, 1, 12, tzinfo=UTC)


def one(kind: str) -> Any:
    """Return an invented customer of a kind."""
    (plan,) = generate(1, 7, DAY.date(), history_days=120, scenario=kind).customers
    return plan


QUESTION = {
    "area": "bank",
    "code": "opening_balance",
    "message": "72,892.31 GBP was in account A1 before the first transaction.",
    "subject": "A1",
    "evidence_id": "E-07",
    "part": "",
    "cause": "",
    "number": None,
    "amount_minor": "7289231",
    "least_minor": None,
    "currency": "GBP",
}


def test_each_gap_of_the_section_says_who_does_what() -> None:
    monitoring = QUESTION | {
        "area": "monitoring",
        "code": "monitoring_not_ordered",
        "message": "Not ordered.",
    }
    gaps = pd.DataFrame([QUESTION, monitoring, QUESTION | {"code": "refused"}], dtype="string")
    (listed,) = (block for block in limits_section(gaps, ShortNames(())).blocks if isinstance(block, Table))
    assert [row[2].text for row in listed.rows] == [
        "Analyst: ask the customer, with evidence",
        "Analyst: collect the evidence again",
        "MLRO: decide whether to order it",
    ]
    section = limits_section(gaps, ShortNames(()), "when the MLRO agrees")
    (listed,) = (block for block in section.blocks if isinstance(block, Table))
    assert [row[2].text for row in listed.rows] == [
        "Analyst: when the MLRO agrees, ask the customer, with evidence",
        "Analyst: collect the evidence again",
        "MLRO: decide whether to order it",
    ]


def test_the_questions_of_the_money_are_named_together_and_one_that_is_a_finding_is_not() -> None:
    codes = ("nature_not_known", "opening_balance", "pay_beside_benefit", "silent")
    limits = pd.DataFrame([QUESTION | {"code": code} for code in codes], dtype="string")
    more = pd.DataFrame([QUESTION | {"subject": "A2"}], dtype="string")
    assert questions_of(pd.concat([limits, more]), ShortNames(())) == (
        "where the money came from that was in A1 and A2 before the first transaction",
    )
    assert questions_of(limits[limits["code"] == "silent"], ShortNames(())) == ()


def test_a_step_names_what_was_not_ordered() -> None:
    limits = pd.concat([gaps_of("not_ordered", part="bank"), gaps_of("not_ordered", part="document")])
    assert tasks_of_gaps(limits, NOTHING_FOUND, ShortNames(())) == (
        GapTask(
            "Analyst",
            "order bank access and the document check, if the level of due diligence needs it",
            is_contact=False,
        ),
    )


FOUND = {
    "customer_id": "C-1", "session_id": None, "rule_id": "BNK-4", "outcome": "HIT", "level": "review", "owner": "Analyst", "action": "ask",
    "internal": False, "title": "Months", "reason": "", "sentence": "No transaction of A1", "cause": "", "basis": "",
    "path": "wealth.silent_account", "value": "hole", "evidence_ids": (), "superseded_by": None,
}  # fmt: skip
UNKNOWN = {"outcome": "UNKNOWN"}
NOTHING_FOUND = findings_frame([])


def gaps_of(*codes: str, **more: str | None) -> pd.DataFrame:
    made = [QUESTION | {"code": code, **more} for code in codes]
    return pd.DataFrame(made, columns=COLUMNS, dtype="string")


def test_a_gap_for_which_no_finding_asks_has_a_step_and_one_with_a_finding_has_that_of_the_finding() -> None:
    gaps = gaps_of(
        "months_missing",
        "silent",
        "standard_only",
        "nature_not_known",
        "risk_not_given",
        "unprintable",
        "not_linked",
    )
    assert tasks_of_gaps(gaps, NOTHING_FOUND, ShortNames(())) == (
        GapTask("Analyst", "ask the customer, or the bank, for statements of A1", is_contact=True),
        GapTask("MLRO", "decide whether a deeper screening is needed", is_contact=False),
    )
    silent = findings_frame([Finding(**FOUND | {"evidence_ids": ("E-06", "E-07")})])
    assert tasks_of_gaps(gaps_of("months_missing"), silent, ShortNames(())) == ()
    (other,) = tasks_of_gaps(
        gaps_of("months_missing", subject="A2", evidence_id="E-08"), silent, ShortNames(())
    )
    assert other.words.endswith(" of A2")
    refused = findings_frame([Finding(**FOUND | {"path": "gaps.bank.refused"})])
    assert tasks_of_gaps(gaps_of("refused"), refused, ShortNames(())) == ()
    assert [
        one.words for one in tasks_of_gaps(gaps_of("refused", area="media"), refused, ShortNames(()))
    ] == ["collect the evidence again"]


def test_a_step_about_gaps_waits_for_what_any_contact_and_what_an_approval_waits_for() -> None:
    terms = Terms(
        gaps=(
            GapTask("Analyst", "ask the customer", is_contact=True),
            GapTask("MLRO", "decide", is_contact=False),
        )
    )
    hold = Reason("SAN-1", "Match (E-03)", "MLRO", "escalate", "hold", subjects=frozenset({"screening"}))
    decline = Reason("OUT-document", "Document rejected: forged (E-03)", "Analyst", "reject", "decline")
    steps = " ".join(steps_of((hold, decline), terms))
    assert "Analyst: when the MLRO agrees, ask the customer (see “What this pack" in steps
    assert "MLRO: decide (see “What this pack cannot show”)." in steps
    assert " follow only if the customer is not rejected." in steps
    alone = " ".join(steps_of((), terms))
    assert "Analyst: ask the customer (see “What this pack cannot show”)." in alone


def test_what_only_an_approval_needs_waits_in_the_table_of_gaps_as_in_the_steps() -> None:
    waits = "only if the customer is not rejected and the MLRO agrees"
    assert (
        duty_of("risk_not_given", waits).text
        == "Analyst: only if the customer is not rejected, get it from the department that keeps it"
    )
    assert duty_of("monitoring_not_ordered", waits).text.startswith(
        "MLRO: only if the customer is not rejected, decide"
    )
    assert duty_of("not_linked", waits).text.startswith("No action: ")
    assert (
        duty_of("monitoring_not_ordered", "when the MLRO agrees").text == "MLRO: decide whether to order it"
    )


def test_what_the_provider_hides_of_a_match_that_was_found_is_not_nobody_s() -> None:
    for code in ("matches_not_visible", "list_date_not_visible"):
        assert duty_of(code).text.startswith("No action: ")
        assert duty_of(code, matches="MLRO").text == "MLRO: get it from the provider for each possible match"
    assert duty_of("monitoring_not_visible", matches="MLRO").text.startswith("No action: ")


def test_a_gap_about_which_nothing_can_be_done_says_why() -> None:
    assert [one.text for one in duties_of(gaps_of("currency_missing", area="statement"))] == [
        "No action: the provider's statements never give one"
    ]
    assert [one.text for one in duties_of(gaps_of("currency_missing"))] == [
        "Analyst: ask the provider for the currency"
    ]
    statement = unasked("source_of_wealth.get", "not_found", "refused", 404)
    assert [one.text for one in duties_of(statement)] == ["Analyst: collect the evidence again"]
    unlinked = pd.concat([statement, gaps_of("no_accounts")])
    assert next(duties_of(unlinked)).text == "No action: without a linked account there is no statement"
    as_pdf = pd.concat([unasked("source_of_wealth.get", NO_STATEMENT), gaps_of("no_accounts")])
    assert next(duties_of(as_pdf)).text == "No action: without a linked account there is no statement"
    forbidden = unasked("source_of_wealth.get", "forbidden", "refused", 403)
    refused = pd.concat([forbidden, gaps_of("no_accounts")])
    assert next(duties_of(refused)).text == "Analyst: collect the evidence again"
    small = gaps_of("payment_not_supported", cause="below_limit")
    assert [one.text for one in duties_of(small)] == ["No action: it is less than the policy asks about"]
    assert [one.text for one in duties_of(gaps_of("payment_not_supported"))] == [
        "Analyst: ask the customer for documents"
    ]


def unasked(
    operation: str, note: str, outcome: Outcome = "not_asked", status: int | None = None, form: str = "json"
) -> pd.DataFrame:
    """Return the gap of a request without an answer."""
    entry = Entry(
        id="E-07", operation=operation, subject={"customer_id": "C-1", "format": form}, method="", path="", outcome=outcome, status=status, note=note,
    )  # fmt: skip
    gaps = Gaps("C-1")
    gaps.add_unanswered(entry)
    return pd.DataFrame(gaps.found, columns=COLUMNS, dtype="string")


@pytest.mark.parametrize(
    ("operation", "note"),
    [
        ("onboarding.media", "media were not wanted"),
        ("register.known", "no register was given"),
        ("onboarding.get", "no session of this customer is known"),
        ("bank_accounts.balance", "account 1 has no id"),
        ("bank_accounts.transactions", "page 3 was not requested: the page says that it is the last"),
        ("source_of_wealth.get", "there is no statement: the request for it as JSON was answered with 404"),
    ],
)
def test_what_was_not_requested_and_can_be_is_collected_by_the_analyst(operation: str, note: str) -> None:
    gaps = unasked(operation, note)
    assert [one.text for one in duties_of(gaps)] == ["Analyst: collect it once it can be requested"]
    (task,) = tasks_of_gaps(gaps, NOTHING_FOUND, ShortNames(()))
    assert task == GapTask("Analyst", "collect it once it can be requested", is_contact=False)


@pytest.mark.parametrize(
    ("operation", "note", "said"),
    [
        (
            "onboarding.results",
            "the session is pending",
            "Analyst: collect it once the session, or one in its place, is complete",
        ),
        (
            "onboarding.media",
            "the session is expired",
            "Analyst: collect it once the session, or one in its place, is complete",
        ),
        (
            "payments.get",
            "no payment of this customer is known",
            "No action: no payment is known, so there is none to request",
        ),
    ],
)
def test_what_nobody_can_request_yet_has_no_step_besides_that_of_its_session(
    operation: str, note: str, said: str
) -> None:
    gaps = unasked(operation, note)
    assert [one.text for one in duties_of(gaps)] == [said]
    assert tasks_of_gaps(gaps, NOTHING_FOUND, ShortNames(())) == ()


@pytest.mark.parametrize(
    ("code", "part", "path", "other"),
    [
        ("section_missing", "address", "requested.address", "document.outcome"),
        ("members_missing", "identity", "identity.outcome", "document.outcome"),
        ("not_ordered", "identity", "requested.identity", "requested.document"),
        ("matches_not_listed", "", "screening.matchCount", "screening.outcome"),
    ],
)  # fmt: skip
def test_only_a_finding_about_the_same_session_and_section_asks_for_what_is_missing(
    code: str, part: str, path: str, other: str
) -> None:
    gaps = gaps_of(code, part=part, subject="ses-1", area="session")

    def tasks(**found: str | None) -> int:
        findings = findings_frame([Finding(**FOUND | {"session_id": "ses-1"} | found)])
        return len(tasks_of_gaps(gaps, findings, ShortNames(())))

    assert tasks(path=path) == 0
    assert tasks(path=path, superseded_by="ses-2") == 0
    assert tasks(path=path, session_id="ses-2") == 1
    assert tasks(path=other) == 1


def test_an_id_on_two_transactions_is_a_defect_that_the_provider_is_asked_about() -> None:
    gaps = gaps_of("transaction_id_reused", "transaction_repeated", "account_repeated")
    said = "No action: it was put right here"
    assert [one.text for one in duties_of(gaps)] == ["Analyst: ask the provider", said, said]
    assert tasks_of_gaps(gaps, NOTHING_FOUND, ShortNames(())) == (
        GapTask("Analyst", "ask the provider", is_contact=False),
    )


def test_what_was_not_found_is_not_called_refused() -> None:
    entry = Entry(
        id="E-07", operation="source_of_wealth.get", subject={"customer_id": "C-1"}, method="GET", path="/", outcome="refused", status=404,
        note="not_found",
    )  # fmt: skip
    gaps = Gaps("C-1")
    gaps.add_unanswered(entry)
    gaps.add_unanswered(replace(entry, status=403, note="forbidden"))
    assert [gap[4] for gap in gaps.found] == [
        "the service's own statement was not found (status 404)",
        "the service's own statement was refused with status 403: forbidden",
    ]


@pytest.mark.parametrize("kind", [kind.name for kind in demo_scenarios()])
def test_every_task_in_the_table_of_gaps_of_a_demo_customer_has_somebody_with_a_step(kind: str) -> None:
    day = datetime(2026, 6, 1, 12, tzinfo=UTC)
    (plan,) = generate(1, 7, day.date(), history_days=120, scenario=kind).customers
    inputs = inputs_of(evidence_of(plan, with_statement=True), day)
    made = build_contents(inputs)
    (listed,) = (block for block in made.section("limits").blocks if isinstance(block, Table))
    owners = {one for row in listed.rows for one in row[2].text.partition(":")[0].split(" and ")} - {
        "No action"
    }
    assert owners <= {*made.to_do.owners}
    for task in terms_of(inputs).gaps:
        assert task.words in " ".join(made.steps)
