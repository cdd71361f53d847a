"""Evidence of trouble never reads as fine: whatever its name, its form, or the list that leaves it out."""

from __future__ import annotations

import copy
import datetime as dt
import json
from typing import Any

import pytest
from tests.frames.evidence_maker import (
    IDENTITY,
    KNOWN,
    RECORD,
    RESULTS,
    SESSION,
    STATUS,
    EvidenceMaker,
    clear_customer,
)
from tests.triage.test_evaluate import AS_OF, POLICY, bank_customer, changed, finding, level, triage, wealth

from kycpack.errors import EvidenceError
from kycpack.frames import flatten
from kycpack.triage import Triage, evaluate, shared_documents
from kycpack.triage.customers.duplicates import DOCUMENT, identity_keys
from kycpack.triage.levels import rank
from kycpack.triage.observations.consistency import compare_sources, consistency_frame
from kycpack.triage.observations.frame_rows import read_rows

ACCOUNT = {
    "id": "a1",
    "currency": "GBP",
    "accountHolderName": "MS A BYRON",
    "tokenExpiry": "2026-08-01T00:00:00Z",
}
ITEM = {"amount": "10.00", "creditDebitIndicator": "Credit", "currency": "GBP", "description": "PAY"}


def row(made: Triage) -> Any:
    return made.recommendations.iloc[0]


def outcomes(made: Triage, rule_id: str) -> set[str]:
    return set(made.findings.loc[made.findings["rule_id"] == rule_id, "outcome"])


@pytest.mark.parametrize("listed", ["accounts", "refused", "empty", "404"])
def test_transactions_and_flags_are_bank_data_whatever_the_list_of_accounts_says(listed: str) -> None:
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.session()
    if listed in {"accounts", "empty"}:
        made.answer("bank_accounts.list", {"items": [ACCOUNT] if listed == "accounts" else []})
    else:
        made.refuse("bank_accounts.list", status=404 if listed == "404" else 403)
    items = [{**ITEM, "id": str(day), "bookingDate": f"2026-05-{day:02d}"} for day in range(1, 13)]
    made.answer("bank_accounts.transactions", {"items": items}, account_id="a1")
    made.known()
    found = evaluate(flatten(made.make()), POLICY, wealth(("near_threshold", "edd")), as_of=AS_OF)
    assert level(found) == "edd"
    assert "WLT-1" in row(found)["fired"]


def test_flags_alone_are_bank_data() -> None:
    found = evaluate(flatten(clear_customer()), POLICY, wealth(("pass_through", "edd")), as_of=AS_OF)
    assert level(found) == "edd"


@pytest.mark.parametrize(
    ("path", "value", "at_least", "routed"),
    [
        ("document.contentAnalysis.tamperingDetected", True, "edd", "MLRO"),
        ("document.contentAnalysis.compromisedDocument", "forged", "edd", "MLRO"),
        ("document.contentAnalysis.imageIntegrity", "SUSPECTED", "review", "Analyst"),
        ("identity.authenticityAnalysis.deepfake", "detected", "edd", "MLRO"),
        ("document.document.stolen", True, "edd", "MLRO"),
        ("identity.faceAnalysis.sameFaceElsewhere", "yes", "review", "Analyst"),
        ("identity.faceAnalysis.ageEstimateScore", 0.2, "review", "Analyst"),
        ("document.contentAnalysis.documentGenuine", False, "review", "Analyst"),
        ("document.contentAnalysis.hologram", {"front": "odd"}, "review", "Analyst"),
        ("device", {"result": "rejected"}, "review", "Analyst"),
        ("device", {"result": "odd"}, "review", "Analyst"),
        ("device", {"emulator": True}, "review", "Analyst"),
        ("screening.matches", [{"name": "A. Byron", "list": "OFAC"}], "escalate", "MLRO"),
        ("screening.verdict", "odd", "edd", "MLRO"),
        ("screening.verdict", "rejected", "escalate", "MLRO"),
        ("screening.flagged", True, "edd", "MLRO"),
    ],
)
def test_trouble_with_an_unknown_name_is_never_approved(
    path: str, value: Any, at_least: str, routed: str
) -> None:
    made = triage(results=changed(path, value))
    assert rank(level(made)) >= rank(at_least)
    assert routed in row(made)["routes"]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.document.issuedOn", "2021-01-01"),
        ("document.document.personalNumber", "850710-1234"),
        ("document.holder.placeOfBirth", "Leeds"),
        ("document.holder.middleName", "Marlow"),
        ("document.contentAnalysis.checkedAt", "2026-05-02T09:00:00Z"),
        ("document.contentAnalysis.hologramCheck", "clear"),
        ("document.contentAnalysis.tamperingDetected", False),
        ("address.extractedAddress.county", "West Yorkshire"),
        ("screening.screenedAt", "2026-05-02T09:00:00Z"),
        ("screening.matches", []),
        ("screening.summary.watchlist.fitnessProbity", "clear"),
        ("providerVersion", "4.1"),
    ],
)
def test_a_new_field_that_only_tells_something_sends_nobody_to_review(path: str, value: Any) -> None:
    assert level(triage(results=changed(path, value))) == "approve"


ODD = [
    b'"matchCount": 1e300',
    b'"matchCount": ' + b"9" * 41,
    b'"checkType": "\\ud800"',
    b'"matchCount": NaN',
    b'"extra": ' + b"[" * 600 + b"]" * 600,
    b'"matchCount": 0, "matchCount": 0',
    b'"checkType": "exten\x01sive"',
]


@pytest.mark.parametrize(
    "odd", ODD, ids=["exponent", "digits", "surrogate", "NaN", "nesting", "twice", "control"]
)
@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("screening.summary.watchlist.sanctionsLists", "match_confirmed", "escalate"),
        ("document.outcome", "rejected", "reject"),
        ("screening.outcome", "clear", "review"),
    ],
)
def test_one_odd_value_does_not_hide_a_document(odd: bytes, path: str, value: str, expected: str) -> None:
    results = changed(path, value)
    for name in ("matchCount", "checkType"):
        if name.encode() in odd:
            del results["screening"][name]
    body = json.dumps(results).encode().replace(b'"screening": {', b'"screening": {' + odd + b", ")
    made = triage(results=body)
    assert rank(level(made)) >= rank(expected)
    assert "REQ-1" not in row(made)["fired"]
    assert outcomes(made, "DOC-2") == {"CLEAR"}


@pytest.mark.parametrize("odd", [*ODD[:2], b'"matchCount": NaN'])
@pytest.mark.parametrize(
    ("name", "expected"), [("matchCount", "edd"), ("sanctionsLists", "escalate"), ("other", "edd")]
)
def test_a_value_of_the_screening_that_cannot_be_read_is_judged_like_one_that_is_not_understood(
    odd: bytes, name: str, expected: str
) -> None:
    place = (
        {"summary": {"watchlist": {"sanctionsLists": "ODD"}}} if name == "sanctionsLists" else {name: "ODD"}
    )
    results = {**RESULTS, "screening": {**RESULTS["screening"], **place}}
    body = json.dumps(results).encode().replace(b'"ODD"', odd.partition(b": ")[2])
    assert level(triage(results=body)) == expected


def test_a_byte_order_mark_changes_nothing() -> None:
    assert level(triage(results=b"\xef\xbb\xbf" + json.dumps(RESULTS).encode())) == "approve"


@pytest.mark.parametrize("order", [("clear", "rejected"), ("rejected", "clear")])
def test_of_a_name_given_twice_both_values_are_judged_and_the_worse_counts(order: tuple[str, str]) -> None:
    body = json.dumps(RESULTS).replace(
        '"document": {"outcome": "clear"',
        f'"document": {{"outcome": "{order[0]}", "outcome": "{order[1]}"',
        1,
    )
    made = triage(results=body.encode())
    assert level(made) == "reject"
    section = json.dumps({"screening": {"summary": {"watchlist": {"terror": "match_confirmed"}}}})[1:]
    made = triage(results=(json.dumps(RESULTS)[:-1] + ", " + section).encode())
    assert level(made) == "escalate"
    assert "GAP-1" in row(made)["fired"]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.outcome", ["clear"]),
        ("document.outcome", {"a": "clear"}),
        ("document.contentAnalysis.dataIntegrity", {"result": "clear"}),
        ("screening.summary.pep.level1", ["clear"]),
        ("identity.faceAnalysis.facialSimilarityScore", 0.01),
        ("identity.authenticityAnalysis.livenessCheckScore", -5),
        ("identity.authenticityAnalysis.livenessCheckScore", 97),
        ("screening.checkType", "standard"),
        ("screening.checkType", "quick"),
        ("document.document.documentNumber", ""),
        ("document.document.documentNumber", "000000000"),
        ("document.document.documentNumber", "123456789"),
        ("document.document.documentNumber", "A00000000"),
        ("document.document.documentNumber", "PL1111111"),
        ("document.holder.nationality", "XXX"),
        ("document.holder.nationality", "ZZZ"),
        ("document.document.issuingCountry", "QQ"),
        ("document.holder.dateOfBirth", "2015-01-01"),
        ("document.holder.dateOfBirth", "1850-01-01"),
        ("document.holder.dateOfBirth", "2031-01-01"),
    ],
)
def test_what_cannot_be_right_is_not_clear(path: str, value: Any) -> None:
    assert level(triage(results=changed(path, value))) != "approve"


@pytest.mark.parametrize("born", ["2015-01-01", "1850-01-01", "2031-01-01"])
def test_an_impossible_age_is_a_finding_of_its_own(born: str) -> None:
    made = triage(
        results=changed("document.holder.dateOfBirth", born), record={**RECORD, "dateOfBirth": born}
    )
    assert row(made)["fired"] == ["AGE-1"]


@pytest.mark.parametrize(
    ("created", "fired"),
    [("2016-05-01", True), ("2036-05-01", True), ("2026-06-02", True), ("2026-05-30", False)],
)
def test_a_session_of_another_time_is_a_finding(created: str, *, fired: bool) -> None:
    when = f"{created}T10:00:00.000Z"
    progress = {**STATUS["progress"], "identity": {"completed": True, "confirmed": True, "completedAt": when}}
    made = triage(status={**STATUS, "created": when, "updated": when, "progress": progress})
    assert ("SES-4" in row(made)["fired"]) is fired


@pytest.mark.parametrize("part", ["created", "updated"])
def test_one_date_of_another_time_is_enough(part: str) -> None:
    assert "SES-4" in row(triage(status={**STATUS, part: "2016-01-01T00:00:00Z"}))["fired"]


@pytest.mark.parametrize(("moment", "fired"), [("00:03:00", False), ("00:06:00", True)])
def test_a_session_a_few_minutes_ahead_is_a_difference_of_clocks(moment: str, *, fired: bool) -> None:
    # The review's bare date is the end of 1 June.
    made = triage(status={**STATUS, "updated": f"2026-06-02T{moment}.000Z"})
    assert ("SES-4" in row(made)["fired"]) is fired


@pytest.mark.parametrize("part", ["status", "record"])
def test_an_answer_about_somebody_else_is_no_evidence_of_this_customer(part: str) -> None:
    parts = {"status": {**STATUS, "id": "another"}, "record": {**RECORD, "id": "another"}}
    with pytest.raises(EvidenceError, match="is about another"):
        triage(**{part: parts[part]})


@pytest.mark.parametrize("name", ["customer_id", "session_id", "SessionID", "customerid"])
def test_the_id_of_somebody_else_counts_however_its_name_is_written(name: str) -> None:
    with pytest.raises(EvidenceError, match="is about another"):
        triage(results=RESULTS | {name: "another"})


def test_a_bank_account_of_another_customer_is_left_out_and_said() -> None:
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.session()
    made.answer("bank_accounts.list", {"items": [ACCOUNT, {**ACCOUNT, "id": "a2", "customerId": "another"}]})
    made.known()
    frames = flatten(made.make())
    assert frames.accounts["account_id"].tolist() == ["a1"]
    assert "OTH-1" in row(evaluate(frames, POLICY, as_of=AS_OF))["fired"]


def _year_of_pay(odd: bytes) -> EvidenceMaker:
    days = [dt.date(2025, 6, 28) + dt.timedelta(days=30 * number) for number in range(11)]
    items = [
        {**ITEM, "id": str(number), "amount": "1500.00", "bookingDate": day.isoformat()}
        for number, day in enumerate(days)
    ]
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.session()
    made.answer("bank_accounts.list", {"items": [ACCOUNT]})
    body = json.dumps({"items": items}).encode().replace(b'"id": "5"', b'"id": "5"' + odd)
    made.answer("bank_accounts.transactions", body, account_id="a1")
    made.known()
    return made


@pytest.mark.parametrize(
    ("odd", "rows", "noted"),
    [
        (b', "amount": 1e300', 10, True),
        (b', "amount": "9000.00"', 10, True),
        (b', "note": "\\ud800"', 11, True),
        (b', "note": "a\tb"', 11, False),
    ],
)
def test_one_odd_value_does_not_hide_a_page_of_transactions(odd: bytes, rows: int, *, noted: bool) -> None:
    frames = flatten(_year_of_pay(odd).make())
    assert len(frames.transactions) == rows
    flagged = wealth(("cash_structuring", "edd"))
    found = row(evaluate(frames, POLICY, flagged, as_of=AS_OF))
    assert found["level"] == "edd"
    assert ("GAP-1" in found["fired"]) is noted
    assert "items" not in " ".join(found["reasons"])


def test_an_identity_step_that_was_not_finished_is_reviewed() -> None:
    progress = {**STATUS["progress"], "identity": {"completed": False, "confirmed": True}}
    assert "SES-3" in row(triage(status={**STATUS, "progress": progress}))["fired"]


@pytest.mark.parametrize("number", ["****4821", "XXXXX4821", "\u2022\u2022\u20224821"])
def test_a_masked_document_number_is_not_too_short(number: str) -> None:
    made = triage(results=changed("document.document.documentNumber", number))
    assert "HIT" not in outcomes(made, "DOC-4")
    assert "HIT" in outcomes(triage(results=changed("document.document.documentNumber", "4821")), "DOC-4")


@pytest.mark.parametrize(
    ("holder", "verdict"),
    [
        ("CALDER & ROWE LIMITED", "equal"),
        ("Calder and Rowe Ltd.", "equal"),
        ("CALDER AND HOWE LTD", "different"),
    ],
)
def test_a_firm_that_holds_an_account_is_compared_as_a_firm(holder: str, verdict: str) -> None:
    made = EvidenceMaker()
    made.answer("customers.get", {**RECORD, "firstName": "Calder & Rowe", "lastName": "Ltd"})
    made.session()
    made.answer("bank_accounts.list", {"items": [{**ACCOUNT, "accountHolderName": holder}]})
    made.known()
    pairs = consistency_frame(compare_sources(read_rows(flatten(made.make()))))
    bank = pairs[(pairs["left"] == "record") & pairs["right"].str.startswith("bank")]
    assert {one == "different" for one in bank["verdict"]} == {verdict == "different"}


@pytest.mark.parametrize(
    ("holder", "verdict", "kinds"),
    [
        ("ADA BYRON LTD", "similar", "legal_form"),
        ("Byron Ada Limited", "similar", "order, legal_form"),
        ("ADA BYRON", "equal", "format"),
        ("Byron Holdings LLP", "different", ""),
    ],
)
def test_a_firm_that_bears_the_customers_name_is_not_the_customer(
    holder: str, verdict: str, kinds: str
) -> None:
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.session()
    made.answer("bank_accounts.list", {"items": [{**ACCOUNT, "accountHolderName": holder}]})
    made.known()
    frames = flatten(made.make())
    (pair,) = (
        one for one in compare_sources(read_rows(frames)) if one.path == "consistency.name.record.bank"
    )
    assert (pair.verdict, pair.kinds) == (verdict, kinds)
    judged = evaluate(frames, POLICY, as_of=AS_OF)
    if verdict != "equal":
        assert {"HIT"} & (outcomes(judged, "CON-4") | outcomes(judged, "CON-7"))


def _documents(made: EvidenceMaker) -> dict[str, list[tuple[tuple[str, ...], str]]]:
    keys = identity_keys(dict(flatten(made.make()).items()))
    return {
        customer_id: [(key.value, key.session_id) for key in own if key.kind == DOCUMENT]
        for customer_id, own in keys.items()
    }


def test_two_customers_with_one_document_are_found_without_its_number() -> None:
    evidence = []
    for number in (1, 2):
        made = EvidenceMaker(f"customer-{number}")
        made.answer("customers.get", {**RECORD, "id": made.customer_id})
        made.session(RESULTS, {**STATUS, "id": f"s{number}"}, session_id=f"s{number}")
        evidence.append(made)
    found = shared_documents(_documents(made) for made in evidence)
    assert found["customer-1"]["sharedDocuments"] == [{"sessionId": "s1", "customerIds": ["customer-2"]}]
    assert RESULTS["document"]["document"]["documentNumber"] not in json.dumps(found)
    evidence[0].answer("register.shared_documents", found["customer-1"])
    judged = evaluate(flatten(evidence[0].make()), POLICY, as_of=AS_OF)
    hit = finding(judged, "OTH-2")
    assert hit["outcome"] == "HIT"
    assert "customer-2" in hit["sentence"]
    assert hit["owner"] == "MLRO"


def test_every_unknown_has_an_owner_and_sanctions_unknown_goes_to_the_mlro() -> None:
    results = {name: section for name, section in RESULTS.items() if name != "screening"}
    made = triage(results=results)
    unknown = made.findings[made.findings["outcome"] == "UNKNOWN"]
    assert (unknown["owner"].str.len() > 0).all()
    assert level(made) == "edd"
    assert "MLRO" in row(made)["routes"]


def test_a_rejected_screening_reaches_the_mlro() -> None:
    made = triage(results=changed("screening.outcome", "rejected"))
    assert (level(made), row(made)["routes"]) == ("reject", ["MLRO"])


def test_what_nobody_looked_at_is_neither_clear_nor_a_hit() -> None:
    made = triage()
    assert outcomes(made, "WLT-1") == {"NOT_APPLICABLE"}
    assert "not looked at" in finding(made, "WLT-1")["sentence"]
    known = copy.deepcopy(KNOWN)
    known["sessions"][0]["ordered"]["identity"] = {**IDENTITY, "proofOfAddressCheck": False}
    results = {name: section for name, section in RESULTS.items() if name != "address"}
    made = triage(results=results, known=known)
    # The policy requires it and nobody ordered it.
    assert outcomes(made, "OUT-address") == outcomes(made, "ADR-1") == {"UNKNOWN"}


def test_a_check_is_optional_only_where_the_firm_s_file_makes_it_so() -> None:
    known = copy.deepcopy(KNOWN)
    known["sessions"][0]["ordered"]["identity"] = {**IDENTITY, "proofOfAddressCheck": False}
    results = {name: section for name, section in RESULTS.items() if name != "address"}
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.session(results)
    made.answer("bank_accounts.list", {"items": []})
    made.known(known)
    low = {"country": "GB", "product": "savings_account", "channel": "branch", "purpose": "salary"}
    made.answer("register.risk_profile", low)
    found = evaluate(flatten(made.make()), POLICY, as_of=AS_OF)
    assert outcomes(found, "OUT-address") == outcomes(found, "ADR-1") == {"NOT_APPLICABLE"}
    assert (row(found)["diligence"], level(found)) == ("simplified", "approve")
    assert row(found)["next_review_on"] == (AS_OF + dt.timedelta(days=1_095)).isoformat()


@pytest.mark.parametrize("say", [{"product": "crypto"}, {"pep": "foreign"}])
def test_enhanced_diligence_asks_for_bank_data(say: dict[str, str]) -> None:
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.session()
    made.answer("bank_accounts.list", {"items": []})
    made.known()
    made.answer("register.risk_profile", say)
    found = evaluate(flatten(made.make()), POLICY, as_of=AS_OF)
    assert row(found)["diligence"] == "enhanced"
    assert outcomes(found, "REQ-3") == {"UNKNOWN"}
    assert level(found) == ("edd" if "pep" in say else "review")


@pytest.mark.parametrize(
    ("ordered", "accounts", "outcome", "value"),
    [
        (True, [], "HIT", "absent"),
        (True, [{"id": "A1", "currency": "GBP"}], "CLEAR", "answered"),
        (False, [], "UNKNOWN", "not_ordered"),
    ],
)
def test_bank_data_that_enhanced_diligence_needs_is_there_or_absent_or_not_ordered(
    ordered: bool,  # noqa: FBT001 - a row of the table
    accounts: list[dict[str, str]],
    outcome: str,
    value: str,
) -> None:
    known = copy.deepcopy(KNOWN)
    known["sessions"][0]["ordered"]["ais"] = {"accounts": True} if ordered else None
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.session()
    made.answer("bank_accounts.list", {"items": accounts})
    made.known(known)
    made.answer("register.risk_profile", {"pep": "foreign"})
    found = evaluate(flatten(made.make()), POLICY, as_of=AS_OF)
    assert finding(found, "REQ-3")[["outcome", "value"]].tolist() == [outcome, value]
    assert level(found) == "edd"


def test_what_asks_for_an_internal_report_stays_out_of_everything_that_leaves_the_firm() -> None:
    found = evaluate(bank_customer(), POLICY, wealth(("pass_through", "edd")), as_of=AS_OF)
    hit = finding(found, "INT-1")
    assert (hit["outcome"], hit["internal"], hit["action"], hit["owner"]) == (
        "HIT",
        True,
        "internal_report",
        "MLRO",
    )
    recommended = row(found)
    assert recommended["internal"] == ["INT-1"]
    shown = " ".join(
        [recommended["top_reason"], *recommended["reasons"], *recommended["fired"], *recommended["actions"]]
    )
    assert "report" not in shown
    assert "INT-1" not in shown


def test_what_asks_for_an_internal_report_says_what_asks_for_it_and_on_what_it_rests() -> None:
    flags = wealth(("pass_through", "edd"), ("near_threshold", "edd"), ("gambling", "review"))
    flags.flags["message"] = ["Money moved on: 4 credits in", "Credits just below a limit: 5", "Gambling: 9"]
    hit = finding(evaluate(bank_customer(), POLICY, flags, as_of=AS_OF), "INT-1")
    said = (
        "Possible need for a report to the NCA, on which the nominated officer, the MLRO, decides: "
        "money moved on; credits just below a limit"
    )
    assert hit["sentence"] == f"{said} (E-05)"


def test_nothing_that_a_person_reads_is_a_raw_path() -> None:
    results = changed(
        "document.contentAnalysis.imageIntegrity", "SUSPECTED", changed("screening.matchCount", "three")
    )
    for made in (triage(results=results), triage(results={}), triage(results={"document": 3}), triage()):
        read = " ".join(
            made.findings["sentence"].tolist() + made.findings["cause"].tolist() + row(made)["reasons"]
        )
        for raw in (
            "contentAnalysis",
            "matchCount",
            "screening.",
            "wealth.",
            "gaps.",
            "_",
            "imageIntegrity",
            "adverseMedia",
        ):
            assert raw not in read.replace("match_confirmed", "").replace("'", ""), raw


def test_many_unknowns_with_one_cause_are_one_sentence() -> None:
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.answer("onboarding.get", STATUS, session_id=SESSION)
    made.refuse("onboarding.results", session_id=SESSION)
    made.known()
    made.answer("bank_accounts.list", {"items": []})
    found = evaluate(flatten(made.make()), POLICY, as_of=AS_OF)
    about = [
        reason for reason in row(found)["reasons"] if "results document was refused with status 403" in reason
    ]
    assert len([reason for reason in about if "checks could not be evaluated" in reason]) == 1
    assert len(row(found)["reasons"]) <= 5


@pytest.mark.parametrize("value", [["clear"], {"a": "clear"}])
def test_an_outcome_that_is_no_word_is_not_quoted_as_one(value: Any) -> None:
    said = finding(triage(results=changed("document.outcome", value)), "OUT-document")["sentence"]
    assert "has further fields where one value was expected" in said
    assert "'clear'" not in said


def test_a_value_the_policy_does_not_know_is_called_that() -> None:
    made = triage(results=changed("screening.summary.watchlist.sanctionsLists", "banana"))
    said = finding(made, "SAN-1")
    assert said["outcome"] == "UNKNOWN"
    assert "The value of the sanctions lists is 'banana', which this policy does not know" in said["sentence"]
    assert level(made) == "escalate"
