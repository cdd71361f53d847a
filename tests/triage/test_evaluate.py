"""What triage recommends, and the laws it keeps: it is only ever raised, and what is missing never reads as fine."""

from __future__ import annotations

import copy
import datetime as dt
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.frames.evidence_maker import (
    CUSTOMER,
    IDENTITY,
    KNOWN,
    RECORD,
    RESULTS,
    SESSION,
    STATUS,
    EvidenceMaker,
    clear_customer,
)

from kycpack.errors import InputError
from kycpack.frames import flatten
from kycpack.frames.json_leaves import leaves
from kycpack.triage import Triage, evaluate, load_policy
from kycpack.triage.judge.sentences import evidence_words
from kycpack.triage.levels import LEVELS, RECOMMENDED, rank
from kycpack.triage.policies.policy import Policy
from kycpack.triage.policies.rules import Leaf, Rule

AS_OF = dt.date(2026, 6, 1)
POLICY = load_policy()
PATHS = [path for path, _ in leaves(RESULTS)]
CHECKS = [
    path
    for path in PATHS
    if path.startswith("screening.summary.")
    or "Analysis." in path
    or "Validation." in path
    or path.endswith(".outcome")
]
WORDS = [
    "clear",
    "attention",
    "not_processed",
    "match_confirmed",
    "banana",
    "",
    True,
    False,
    0,
    3,
    -1,
    0.5,
    None,
    {},
    [],
    ["x"],
]


def triage(policy: Policy = POLICY, wealth: Any = None, **parts: Any) -> Triage:
    return evaluate(flatten(clear_customer(**parts)), policy, wealth, as_of=AS_OF)


def level(made: Triage) -> str:
    (found,) = made.recommendations["level"]
    return str(found)


def changed(path: str, value: Any, results: Any = RESULTS) -> Any:
    made = copy.deepcopy(results)
    *parents, last = path.split(".")
    place = made
    for name in parents:
        place = place[name]
    place[last] = value
    return made


def removed(path: str) -> Any:
    made = changed(path, None)
    *parents, last = path.split(".")
    place = made
    for name in parents:
        place = place[name]
    del place[last]
    return made


def finding(made: Triage, rule_id: str) -> pd.Series[Any]:
    (row,) = (row for _, row in made.findings[made.findings["rule_id"] == rule_id].iterrows())
    return row


def test_a_clear_customer_is_recommended_for_approval() -> None:
    made = triage()
    row = made.recommendations.iloc[0]
    assert (row["customer_id"], row["level"]) == (CUSTOMER, "approve")
    assert row["fired"] == row["unknown"] == row["routes"] == row["reasons"] == []
    assert set(made.findings["outcome"]) == {"CLEAR", "NOT_APPLICABLE"}
    unused = made.findings[made.findings["outcome"] == "NOT_APPLICABLE"]
    assert set(unused["rule_id"]) == {
        "CON-4",
        "CON-7",
        "BNK-2",
        "BNK-3",
        "BNK-4",
        "INT-2",
        "WLT-1",
        "WLT-2",
        "WLT-3",
        "PAY-1",
        "IDN-3",
        "OTH-6",
        "PEP-4",
    }
    assert not unused["reason"].str.contains("no red flag|clear").any()
    assert {rule.id for rule in POLICY.rules} <= set(made.findings["rule_id"])
    assert (row["policy_id"], row["policy_digest"]) == (POLICY.id, POLICY.digest)


def test_findings_name_rule_value_and_evidence() -> None:
    made = triage(results=changed("screening.summary.watchlist.sanctionsLists", "attention"))
    row = finding(made, "SAN-1")
    assert row[["outcome", "level", "owner", "value", "session_id"]].tolist() == [
        "HIT",
        "escalate",
        "MLRO",
        "attention",
        SESSION,
    ]
    assert row["path"] == "screening.summary.watchlist.sanctionsLists"
    assert row["evidence_ids"] == ["E-03"]
    recommendation = made.recommendations.iloc[0]
    assert recommendation["level"] == "escalate"
    said = "Possible match on a sanctions list: the screening reports 'attention' and names neither list nor regime (E-03)"
    assert recommendation["top_reason"] == recommendation["reasons"][0] == row["sentence"] == said
    assert recommendation["routes"][0] == "MLRO"


def test_a_rejected_document_does_not_hide_a_sanctions_hit_from_the_mlro() -> None:
    results = changed(
        "document.outcome", "rejected", changed("screening.summary.watchlist.terror", "attention")
    )
    row = triage(results=results).recommendations.iloc[0]
    assert row["level"] == "reject"
    assert {"MLRO", "Analyst"} <= set(row["routes"])
    assert {"SAN-2", "OUT-document"} <= set(row["fired"])
    assert "Document rejected" in row["top_reason"]
    assert "terrorism list" in row["top_reason"]
    assert list(row["actions"]) == ["hold", "decline", "ask"]  # in the order in which they are taken


@pytest.mark.parametrize("section", ["document", "address", "identity", "screening"])
@pytest.mark.parametrize("outcome", [*RECOMMENDED, "excellent", None, 3])
def test_never_softer_than_what_the_service_recommends(section: str, outcome: Any) -> None:
    made = level(triage(results=changed(f"{section}.outcome", outcome)))
    softest = RECOMMENDED.get(outcome, "review") if isinstance(outcome, str) else "review"
    assert rank(made) >= rank(softest)


@pytest.mark.parametrize("path", PATHS)
def test_a_member_that_is_taken_away_or_null_is_never_approved(path: str) -> None:
    for results in (removed(path), changed(path, None)):
        made = triage(results=results)
        assert level(made) != "approve", path
        assert made.recommendations["unknown"].iloc[0], path


@pytest.mark.parametrize("path", [path for path in CHECKS if not path.endswith("Score")])
def test_not_processed_is_unknown_and_not_clear(path: str) -> None:
    made = triage(results=changed(path, "not_processed"))
    grave = path.startswith(("screening.summary.watchlist", "screening.summary.pep"))
    assert level(made) == ("edd" if grave else "review")
    assert made.recommendations["unknown"].iloc[0]
    if grave:
        assert "MLRO" in made.recommendations["routes"].iloc[0]


@settings(max_examples=15)
@given(st.sampled_from(PATHS), st.sampled_from(PATHS), st.sampled_from(WORDS))
def test_removing_data_never_lowers_what_the_rest_gives(bad: str, gone: str, word: Any) -> None:
    """With one member spoilt, taking another one away gives at least what the spoilt one gives by itself."""
    spoilt = changed(bad, word)
    *parents, last = gone.split(".")
    less = copy.deepcopy(spoilt)
    place = less
    for name in parents:
        place = place[name]
    del place[last]
    remaining = "approve" if gone == bad else level(triage(results=spoilt))
    made = level(triage(results=less))
    assert rank(made) >= rank(remaining)
    assert made != "approve"


@settings(max_examples=15)
@given(
    st.sampled_from(CHECKS),
    st.sampled_from(WORDS),
    st.sampled_from(CHECKS),
    st.sampled_from(["attention", "rejected", 7]),
)
def test_worsening_a_value_never_lowers(first: str, word: Any, second: str, worse: Any) -> None:
    before = changed(first, word)
    after = changed(second, worse, changed(second, "clear", before) if second != first else before)
    base = level(triage(results=changed(second, "clear", before)))
    assert rank(level(triage(results=after))) >= rank(base) or second == first


@settings(max_examples=15)
@given(
    st.sampled_from([*PATHS, "session.status", "country.record", "wealth.flags.x"]),
    st.sampled_from(["in", "not_in"]),
    st.lists(st.sampled_from(["clear", "attention", 0, True]), max_size=3),
    st.sampled_from(LEVELS[1:]),
    st.sampled_from(["clear", "unknown", "hit"]),
    st.sampled_from(CHECKS),
    st.sampled_from(WORDS),
)
def test_adding_a_rule_never_lowers(
    path: str, operator: Any, values: list[Any], raise_to: str, if_missing: Any, spoilt: str, word: Any
) -> None:
    frames = flatten(clear_customer(results=changed(spoilt, word)))
    rule = Rule(
        id="NEW-1",
        when=Leaf(path=path, operator=operator, argument=tuple(values), if_missing=if_missing),
        raise_to=raise_to,
        owner="Analyst",
        reason="New",
        basis="None",
        place="test",
    )
    more = replace(POLICY, rules=(*POLICY.rules, rule))
    before = level(evaluate(frames, POLICY, as_of=AS_OF))
    after = level(evaluate(frames, more, as_of=AS_OF))
    assert rank(after) >= rank(before)


@pytest.mark.parametrize(
    "operation",
    ["customers.get", "onboarding.get", "onboarding.results", "bank_accounts.list", "register.known"],
)
@pytest.mark.parametrize(("outcome", "status"), [("refused", 403), ("failed", 503), ("timeout", None)])
def test_an_answer_that_is_missing_is_never_approved(
    operation: str, outcome: str, status: int | None
) -> None:
    bodies = {
        "customers.get": (RECORD, {}),
        "onboarding.get": (STATUS, {"session_id": SESSION}),
        "onboarding.results": (RESULTS, {"session_id": SESSION}),
        "bank_accounts.list": ({"items": []}, {}),
        "register.known": (KNOWN, {}),
    }
    for entirely in (False, True):
        made = EvidenceMaker()
        for name, (body, subject) in bodies.items():
            if name != operation:
                made.answer(name, body, **subject)
            elif not entirely:
                made.refuse(name, outcome=outcome, status=status, **subject)
        found = level(evaluate(flatten(made.make()), POLICY, as_of=AS_OF))
        # Without the register everything that triage asks is still known: what came back shows what was ordered.
        # Without results nobody knows whether the person is sanctioned.
        expected = "edd" if operation == "onboarding.results" else "review"
        assert found == expected or (operation == "register.known" and found == "approve")


def test_where_a_section_is_not_there_nothing_in_it_reads_as_clear() -> None:
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.answer("onboarding.get", STATUS, session_id=SESSION)
    found = evaluate(flatten(made.make()), POLICY, as_of=AS_OF).findings
    clear = set(found.loc[found["outcome"] == "CLEAR", "rule_id"])
    about_results = ("SAN", "WAT", "PEP", "ADV", "SCR", "RES", "DOC", "ADR", "IDN", "INT", "AGE")
    assert {rule for rule in clear if rule.startswith(about_results)} == set()


def test_a_customer_without_anything_is_reviewed() -> None:
    made = evaluate(flatten(EvidenceMaker().make()), POLICY, as_of=AS_OF)
    assert level(made) == "edd"
    assert made.findings["session_id"].isna().all()
    assert evaluate(flatten([]), POLICY, as_of=AS_OF).recommendations.empty


@pytest.mark.parametrize(
    ("status", "expected"),
    [("pending", "review"), ("inprogress", "review"), ("expired", "review"), ("complete", "approve")],
)
def test_a_session_that_is_not_complete_is_reviewed(status: str, expected: str) -> None:
    assert level(triage(status={**STATUS, "status": status})) == expected


def test_a_check_that_was_ordered_and_is_absent_is_a_finding_of_its_own() -> None:
    results = {name: section for name, section in RESULTS.items() if name != "address"}
    made = triage(results=results)
    assert "REQ-1" in made.recommendations["fired"].iloc[0]
    known = copy.deepcopy(KNOWN)
    known["sessions"][0]["ordered"]["identity"] = {**IDENTITY, "proofOfAddressCheck": False}
    made = triage(results=results, known=known)
    assert "REQ-1" not in made.recommendations["fired"].iloc[0]
    assert level(made) == "review"


def test_bank_access_that_was_ordered_and_not_given_is_reviewed() -> None:
    known = copy.deepcopy(KNOWN)
    known["sessions"][0]["ordered"]["ais"] = {"accounts": True, "balances": False, "transactions": True}
    made = triage(known=known)
    assert level(made) == "review"
    assert "REQ-2" in made.recommendations["fired"].iloc[0]


@pytest.mark.parametrize(
    ("record", "rule"),
    [
        ({"lastName": "Lovelace"}, "CON-1"),
        ({"dateOfBirth": "1985-10-12"}, "CON-2"),
        (
            {
                "address": {
                    "addressLine1": "9 Low Road",
                    "city": "York",
                    "postalCode": "YO1 1AA",
                    "country": "GB",
                }
            },
            "CON-3",
        ),
    ],
)
def test_sources_that_differ_are_reviewed(record: dict[str, Any], rule: str) -> None:
    made = triage(record={**RECORD, **record})
    assert level(made) == "review"
    assert finding(made, rule)["outcome"] == "HIT"
    assert finding(made, rule)["evidence_ids"] == ["E-01", "E-03"]


@pytest.mark.parametrize(("days", "fired"), [(-1, True), (0, True), (29, True), (30, False)])
def test_a_document_that_expires_within_the_notice_period_is_reviewed(days: int, *, fired: bool) -> None:
    expiry = (AS_OF + dt.timedelta(days=days)).isoformat()
    made = triage(results=changed("document.document.expirationDate", expiry))
    assert (finding(made, "DOC-1")["outcome"] == "HIT") is fired


@pytest.mark.parametrize(
    ("country", "expected"),
    [("IR", "edd"), ("PRK", "edd"), ("MM", "edd"), ("NO", "review"), ("KE", "edd"), ("Atlantis", "review")],
)
def test_residence_in_a_country_on_a_dated_list_asks_for_due_diligence(country: str, expected: str) -> None:
    # Norway is review because record and proof of address then differ.
    assert level(triage(results=changed("address.extractedAddress.country", country))) == expected


@pytest.mark.parametrize(
    ("country", "expected"),
    [
        ("IR", "review"),
        ("PRK", "review"),
        ("KE", "review"),
        ("NO", "approve"),
        ("ZZZ", "review"),
        ("Atlantis", "review"),
    ],
)
def test_the_country_of_a_passport_may_be_reviewed(country: str, expected: str) -> None:
    results = changed("document.holder.nationality", country)
    results["document"]["document"]["issuingCountry"] = country
    assert level(triage(results=results)) == expected


@pytest.mark.parametrize("country", ["IR", "PRK", "KE", "NO", "ZZZ", "Atlantis"])
@pytest.mark.parametrize("path", ["document.holder.nationality", "document.document.issuingCountry"])
def test_nationality_or_issuer_alone_is_reviewed(path: str, country: str) -> None:
    assert level(triage(results=changed(path, country))) == "review"


def bank_customer(days: int = 400, expiry: str = "2026-08-01T00:00:00Z") -> Any:
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.session()
    account = {
        "id": "a1", "currency": "GBP", "accountHolderName": "MS A BYRON", "tokenExpiry": expiry,
        "scopes": ["accounts", "balances", "transactions"],
    }  # fmt: skip
    made.answer("bank_accounts.list", {"items": [account]})
    first = dt.date(2026, 5, 31) - dt.timedelta(days=days - 1)
    item = {"amount": "10.00", "creditDebitIndicator": "Credit", "currency": "GBP", "description": "PAY"}
    dates = [first.isoformat(), "2026-05-31"]
    items = [{**item, "id": date, "bookingDate": date} for date in dates]
    made.answer("bank_accounts.transactions", {"items": items}, account_id="a1")
    made.known()
    return flatten(made.make())


CREDITS = [
    *(
        "customer_id",
        "currency",
        "disposition",
        "type",
        "evidence_level",
        "doubtful",
        "least_minor",
        "most_minor",
    ),
    *("stream_id", "evidence_id", "payer", "pair_txn_id", "account_id", "booked_on"),
]

BOOKED = [
    *("status", "account_id", "currency", "booked_on", "amount_minor", "balance_after_minor", "evidence_id"),
]


def wealth(*flags: tuple[str, str], kind: str = "employment") -> Any:
    rows = [(CUSTOMER, code, severity, "told", ["t"], ["E-05"]) for code, severity in flags]
    columns = ["customer_id", "code", "severity", "message", "txn_ids", "evidence_ids"]
    stream = {
        "stream_id": "s1",
        "type": kind,
        "currency": "GBP",
        "least_total_minor": 3_000_000,
        "payer": "Wyre Analytics",
        "evidence_level": "entity",
        "type_confidence": "high",
        "cadence": "monthly",
        "doubtful": False,
    }
    streams = pd.DataFrame([{"customer_id": CUSTOMER, **stream}])
    flagged = pd.DataFrame(rows, columns=columns)
    return SimpleNamespace(
        flags=flagged,
        streams=streams,
        credits=pd.DataFrame(columns=CREDITS),
        transactions=pd.DataFrame(columns=BOOKED),
        balances=None,
        thresholds=POLICY.thresholds,
        of=lambda frame, _: frame,
    )


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ((), "approve"),
        ((("pass_through", "edd"),), "edd"),
        ((("structuring", "review"),), "edd"),
        ((("gambling", "review"),), "review"),
        ((("something_new", "edd"),), "edd"),
        ((("something_new", "review"),), "review"),
    ],
)
def test_red_flags_of_wealth(flags: tuple[tuple[str, str], ...], expected: str) -> None:
    made = evaluate(bank_customer(), POLICY, wealth(*flags), as_of=AS_OF)
    assert level(made) == expected


def test_a_red_flag_is_shown_by_what_was_found() -> None:
    row = finding(evaluate(bank_customer(), POLICY, wealth(("pass_through", "edd")), as_of=AS_OF), "WLT-1")
    assert row["path"].startswith("wealth.flags.pass_through")
    assert "E-05" in row["evidence_ids"]


def test_bank_data_without_a_derivation_is_not_known() -> None:
    made = evaluate(bank_customer(), POLICY, as_of=AS_OF)
    assert level(made) == "review"
    assert {"WLT-1", "WLT-2"} <= set(made.recommendations["unknown"].iloc[0])


def test_expired_bank_access_is_reviewed() -> None:
    made = evaluate(bank_customer(expiry="2026-05-01T00:00:00Z"), POLICY, wealth(), as_of=AS_OF)
    assert level(made) == "review"
    assert "BNK-2" in made.recommendations["fired"].iloc[0]


@pytest.mark.parametrize(
    ("days", "kind", "missing"), [(180, "employment", False), (179, "employment", True), (400, "other", True)]
)
def test_due_diligence_asks_for_a_source_of_wealth_and_half_a_year(
    days: int, kind: str, *, missing: bool
) -> None:
    made = evaluate(bank_customer(days), POLICY, wealth(("pass_through", "edd"), kind=kind), as_of=AS_OF)
    assert ("EDD-1" in made.recommendations["fired"].iloc[0]) is missing


def test_a_section_cannot_pose_as_our_own_facts() -> None:
    results = {
        **RESULTS,
        "bank": {"expected": False},
        "consistency": {"name": "equal"},
        "triage": {"level": "reject"},
    }
    made = triage(results=results)
    # They are sections that nobody has listed, and not what was observed: the level is not `reject`, bank data not `expected`.
    assert level(made) == "review"
    assert "RES-3" in made.recommendations["fired"].iloc[0]
    assert set(made.findings.loc[made.findings["path"].str.startswith("results."), "rule_id"]) == {"RES-3"}


def test_a_statement_for_a_customer_whose_record_has_no_name_has_nothing_to_compare() -> None:
    made = EvidenceMaker()
    made.answer("customers.get", {**RECORD, "firstName": None, "lastName": None})
    made.session()
    made.answer("bank_accounts.list", {"items": []})
    made.answer("source_of_wealth.get", {"customer": {"firstName": "Ada"}, "sources": []}, format="json")
    made.known()
    found = evaluate(flatten(made.make()), POLICY, as_of=AS_OF)
    (compared,) = found.consistency.query("left == 'record' and right == 'statement'").itertuples()
    assert (compared.verdict, compared.reason) == ("missing", "nothing to compare: not given by record")
    assert level(found) != "approve"


def test_several_customers_are_judged_each_by_itself_and_in_their_order() -> None:
    evidence = []
    for number, word in enumerate(["clear", "attention", "clear"]):
        made = EvidenceMaker(f"{CUSTOMER[:-1]}{number}")
        made.answer("customers.get", {**RECORD, "id": made.customer_id})
        results = changed("screening.summary.watchlist.terror", word)
        made.session(results, {**STATUS, "id": f"s{number}"}, session_id=f"s{number}")
        made.answer("bank_accounts.list", {"items": []})
        made.known(
            {
                **KNOWN,
                "customerId": made.customer_id,
                "sessions": [{**KNOWN["sessions"][0], "sessionId": f"s{number}"}],
            }
        )
        evidence.append(made.make())
    together = evaluate(flatten(evidence), POLICY, as_of=AS_OF)
    assert together.recommendations["level"].tolist() == ["approve", "escalate", "approve"]
    one_by_one = pd.concat(
        [evaluate(flatten(one), POLICY, as_of=AS_OF).findings for one in evidence], ignore_index=True
    )
    pd.testing.assert_frame_equal(together.findings, one_by_one)


def test_the_worst_of_several_sessions_counts() -> None:
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.session()
    made.session(changed("document.outcome", "rejected"), {**STATUS, "id": "s2"}, session_id="s2")
    made.answer("bank_accounts.list", {"items": []})
    assert level(evaluate(flatten(made.make()), POLICY, as_of=AS_OF)) == "reject"


def test_as_of_is_a_date_an_instant_or_text() -> None:
    frames = flatten(clear_customer())
    end = dt.datetime(2026, 6, 1, 23, 59, 59, tzinfo=dt.UTC)
    moments = [AS_OF, end, "2026-06-01", "2026-06-01T23:59:59Z", "2026-06-02T01:59:59+02:00"]
    assert {evaluate(frames, POLICY, as_of=moment).as_of for moment in moments} == {end}
    with pytest.raises(InputError, match="as_of"):
        evaluate(frames, POLICY, as_of="soon")


@pytest.mark.parametrize(
    ("ids", "said"),
    [
        (["E-07", "E-08", "E-09", "E-10"], "E-07 to E-10"),
        (["E-03", "E-07", "E-08"], "E-03, E-07, E-08"),
        (["E-03", "E-09", "E-10", "E-11", "R-01"], "E-03, E-09 to E-11, R-01"),
        (["E-98", "E-99", "E-100"], "E-98 to E-100"),
        ([], ""),
    ],
)
def test_evidence_that_follows_on_is_named_as_a_span(ids: list[str], said: str) -> None:
    assert evidence_words(ids) == said


@pytest.mark.parametrize(("word", "expected"), [("CLEAR", "approve"), ("Clear", "approve"), (" clear", "approve"), ("REJECTED", "reject"), ("Warning", "review"), ("\u0441lear", "review"), ("CLEARED", "review"), ("clear?", "review")])  # fmt: skip
def test_an_outcome_is_read_in_any_letter_case_and_in_no_other_letters(word: str, expected: str) -> None:
    assert level(triage(results=changed("document.outcome", word))) == expected
