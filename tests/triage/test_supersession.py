"""An unfinished session followed by a complete one of the same person with the same checks gives way, and nothing else does."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest
from tests.frames.evidence_maker import IDENTITY, KNOWN, RECORD, RESULTS, STATUS, EvidenceMaker
from tests.triage.test_evaluate import AS_OF, POLICY, changed

from kycpack.evidence import Evidence
from kycpack.frames import flatten
from kycpack.triage import Triage, evaluate

FIRST = {"status": "expired", "created": "2026-05-01T10:00:00.000Z", "updated": "2026-05-08T10:00:00.000Z"}
LATER = {"status": "complete", "created": "2026-05-10T10:00:00.000Z", "updated": "2026-05-11T10:00:00.000Z"}
DONE = {
    "identity": {"completed": True, "confirmed": True, "completedAt": "2026-05-11T09:00:00.000Z"},
    "ais": {"completed": False},
}
OPEN = {"identity": {"completed": False, "confirmed": False}, "ais": {"completed": False}}
EXPIRED = changed("document.document.expirationDate", "2026-05-05")


def two_sessions(
    first: Any = FIRST,
    results: Any = None,
    later_results: Any = RESULTS,
    later: Any = LATER,
    ordered: Any = IDENTITY,
    progress: Any = OPEN,
    registered: tuple[str, ...] = ("s1", "s2"),
) -> Evidence:
    """Return evidence of a session and of a later one, of which the register knows the order of some."""
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.answer(
        "onboarding.get", {**first, "id": "s1", "progress": progress, "attemptCount": 1}, session_id="s1"
    )
    if results is not None:
        made.answer("onboarding.results", results, session_id="s1")
    made.session(later_results, {**STATUS, **later, "id": "s2", "progress": DONE}, session_id="s2")
    made.answer("bank_accounts.list", {"items": []})
    known = copy.deepcopy(KNOWN)
    known["sessions"] = [
        {**known["sessions"][0], "sessionId": session, "ordered": {"identity": options, "ais": None}}
        for session, options in (("s1", ordered), ("s2", IDENTITY))
        if session in registered
    ]
    made.known(known)
    return made.make()


def two(*sessions: Any, **changes: Any) -> Triage:
    return evaluate(flatten(two_sessions(*sessions, **changes)), POLICY, as_of=AS_OF)


def level(made: Triage) -> str:
    return str(made.recommendations["level"].iloc[0])


def test_an_expired_session_gives_way_to_a_complete_one_and_that_is_recorded() -> None:
    made = two()
    assert level(made) == "approve"
    (record,) = made.supersessions.itertuples()
    assert (record.session_id, record.superseded_by, record.kind, record.attempts) == (
        "s1",
        "s2",
        "complete",
        2,
    )
    assert {"SES-1", "SAN-1", "OUT-document"} <= set(record.gave_way)
    assert "2 sessions in all" in record.sentence
    gave_way = made.findings[made.findings["superseded_by"].notna()]
    assert set(gave_way["session_id"]) == {"s1"}
    assert set(gave_way["superseded_by"]) == {"s2"}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.outcome", "consider"),
        ("address.outcome", "warning"),
        ("document.outcome", "rejected"),
        ("screening.summary.watchlist.sanctionsLists", "attention"),
        ("screening.summary.adverseMedia.socialLabour", "attention"),
        ("document.contentAnalysis.tamperingDetected", True),
        ("document.contentAnalysis.dataIntegrity", "attention"),
    ],
)
def test_what_was_found_stays(path: str, value: Any) -> None:
    assert level(two(results=changed(path, value))) != "approve"


@pytest.mark.parametrize(
    "arguments",
    [
        {"later": {**LATER, "status": "inprogress"}},
        {"first": {**FIRST, "status": "rejected"}},
        {"first": {**FIRST, "status": "blocked_fraud"}},
        {"later": {**LATER, "created": "2026-04-01T10:00:00.000Z", "updated": "2026-04-02T10:00:00.000Z"}},
        {
            "results": {
                "document": {
                    **RESULTS["document"],
                    "holder": {**RESULTS["document"]["holder"], "lastName": "Lovelace"},
                }
            }
        },
        {"ordered": {**IDENTITY, "enhancedIdentityCheck": True}},
    ],
    ids=["later unfinished", "rejected", "blocked", "earlier", "another person", "fewer checks"],
)
def test_without_a_like_session_nothing_gives_way(arguments: dict[str, Any]) -> None:
    made = two(**arguments)
    assert level(made) != "approve"
    assert made.supersessions.empty


def test_a_renewed_passport_clears_the_expiry_of_the_old_one() -> None:
    complete = {**LATER, "created": "2026-05-01T10:00:00.000Z", "updated": "2026-05-02T10:00:00.000Z"}
    done = {**DONE, "identity": {**DONE["identity"], "completedAt": "2026-05-02T09:00:00.000Z"}}
    made = two(first=complete, results=EXPIRED, progress=done)
    assert level(made) == "approve"
    assert made.supersessions["kind"].tolist() == ["renewal"]
    assert made.supersessions["gave_way"].tolist() == [["DOC-1"]]
    other = changed("document.holder.dateOfBirth", "1985-12-11", EXPIRED)
    assert level(two(first=complete, results=other, progress=done)) != "approve"


def test_of_a_session_that_is_not_finished_the_status_is_said_and_no_check_is_said_not_to_have_run() -> None:
    findings = two(first={**FIRST, "status": "pending"}).findings
    of_status = findings[(findings["session_id"] == "s1") & (findings["path"] == "session.status")]
    assert set(of_status["sentence"]) == {"The session is not complete: its status is 'pending' (E-02)"}


WITHOUT_ADDRESS = {section: said for section, said in RESULTS.items() if section != "address"}


@pytest.mark.parametrize("registered", [("s1", "s2"), ("s1",), ("s2",), ()])
def test_a_later_session_without_one_of_the_checks_replaces_none_whether_its_order_is_known_or_not(
    registered: tuple[str, ...],
) -> None:
    assert two(registered=registered).supersessions["kind"].tolist() == ["complete"]
    made = two(registered=registered, later_results=WITHOUT_ADDRESS)
    assert made.supersessions.empty
    assert level(made) != "approve"


@pytest.mark.parametrize("expires", ["", "2026-05-08"])
def test_an_old_expiry_stays_where_the_newer_document_has_expired_too_or_has_no_day(expires: str) -> None:
    complete = {**LATER, "created": "2026-05-01T10:00:00.000Z", "updated": "2026-05-02T10:00:00.000Z"}
    done = {**DONE, "identity": {**DONE["identity"], "completedAt": "2026-05-02T09:00:00.000Z"}}
    renewed = changed("document.document.expirationDate", expires or None)
    made = two(first=complete, results=EXPIRED, later_results=renewed, progress=done)
    assert made.supersessions.empty
    assert set(made.findings.loc[made.findings["rule_id"] == "DOC-1", "session_id"]) == {"s1", "s2"}


def test_a_name_in_other_letters_and_with_other_spaces_is_the_same_person() -> None:
    later = changed("document.holder.firstName", "ADA ", changed("document.holder.lastName", "byron"))
    made = two(results=RESULTS, later_results=later)
    assert made.supersessions["kind"].tolist() == ["complete"]


def test_a_word_that_is_not_understood_stays_where_the_rule_gives_way() -> None:
    """What was found and is not understood is neither missing nor unfinished."""
    rules = tuple(replace(one, gives_way="complete") if one.id == "DOC-2" else one for one in POLICY.rules)
    odd = changed("document.contentAnalysis.dataIntegrity", "perhaps")
    found = evaluate(flatten(two_sessions(results=odd)), replace(POLICY, rules=rules), as_of=AS_OF)
    of_rule = found.findings[found.findings["rule_id"] == "DOC-2"].set_index("session_id")
    assert of_rule.loc["s1", "outcome"] == "UNKNOWN"
    assert pd.isna(of_rule.loc["s1", "superseded_by"])


def test_a_newer_document_replaces_nothing_where_the_older_one_is_in_order() -> None:
    complete = {**LATER, "created": "2026-05-01T10:00:00.000Z", "updated": "2026-05-02T10:00:00.000Z"}
    done = {**DONE, "identity": {**DONE["identity"], "completedAt": "2026-05-02T09:00:00.000Z"}}
    made = two(first=complete, results=RESULTS, progress=done)
    assert made.supersessions.empty
    assert made.findings["superseded_by"].isna().all()
