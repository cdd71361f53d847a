"""The reasons on page one: each a sentence with its value and evidence, and what supports an approval."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, time
from html import unescape
from io import BytesIO

import pandas as pd
import pytest
from pypdf import PdfReader
from tests.render.specimen_review import AS_OF, contents_of, inputs_of, with_body, words_of
from tests.render.test_decision import DECISION
from tests.triage.test_evaluate import AS_OF as EVALUATED_AS_OF
from tests.triage.test_supersession import two_sessions

from kycpack.evidence import Evidence
from kycpack.frames import flatten
from kycpack.frames.answer_members import RISK_FACTORS
from kycpack.models.json import parse_json
from kycpack.render import ReviewContents, build_contents, render_review_pdf
from kycpack.render.document_parts import REFERENCE, Cell
from kycpack.render.palette import Tone
from kycpack.render.review.compared_values import compared_values
from kycpack.render.review.cover import cover_lines
from kycpack.render.review.decision import CaseRecord
from kycpack.render.review.html import render_summary_html
from kycpack.render.review.matters import headline_of, matters_of
from kycpack.render.review.pack_limits import SETTLE_FIRST
from kycpack.render.review.reasons import Reason, Unknown, reasons_of
from kycpack.render.review.short_names import ShortNames
from kycpack.render.wording import CONDITIONAL, level_cell, recommended_cell
from kycpack.triage import evaluate
from kycpack.triage.judge.findings import LACKS_FILE, NOTHING
from kycpack.wealth import derive


def test_what_is_unknown_for_one_cause_is_one_sentence_with_the_count_of_the_recommendation(
    pages: list[str], contents: ReviewContents, specimen: Evidence
) -> None:
    """The index of a run prints the review's sentence, and the queue the recommendation's."""
    (unknown,) = [one for one in contents.unknowns if len(one.titles) > 20]
    assert "S2" in unknown.sessions
    assert f"{len(unknown.titles)} checks could not be evaluated" in unknown.text
    assert "(E-" in unknown.text
    assert unknown.text in " ".join(pages[0].split())
    frames = flatten(specimen)
    wealth = derive(frames.transactions, frames.customers, frames.accounts, frames.balances, as_of=AS_OF)
    reasons = evaluate(frames, wealth=wealth, as_of=AS_OF).recommendations["reasons"].iloc[0]
    together = [re.search(r": (\d+) checks could not be evaluated", reason) for reason in reasons]
    counts = sorted(int(one.group(1)) for one in together if one)
    assert counts == sorted(len(one.titles) for one in contents.unknowns if len(one.titles) > 1)


def test_each_reason_is_a_sentence_with_its_evidence(contents: ReviewContents) -> None:
    assert contents.reasons
    for reason in contents.reasons:
        assert REFERENCE.search(reason.text)


def test_a_rejection_does_not_hide_what_has_to_be_escalated(specimen: Evidence) -> None:
    results = specimen.select("onboarding.results")[0]
    body = parse_json(specimen.body(results.id))
    body["document"]["outcome"] = "rejected"
    body["screening"]["summary"]["watchlist"]["sanctionsLists"] = "match_confirmed"
    changed = with_body(specimen, "onboarding.results", body)
    contents = contents_of(changed)
    assert contents.level == "reject"
    page = " ".join(PdfReader(BytesIO(render_review_pdf(contents))).pages[0].extract_text().split())
    assert "Also escalate to MLRO" in page
    assert "anction" in contents.headline
    assert dict(contents.strip)["Screening"].text == "Match confirmed"


def test_page_one_names_who_else_is_meant_and_what_leaves_the_pack_does_not() -> None:
    finding = {
        "outcome": "HIT",
        "level": "reject",
        "rule_id": "CON-1",
        "owner": "Analyst",
        "action": "ask",
        "sentence": "The name on the document differs from the customer record (E-01, E-03)",
        "evidence_ids": ["E-01", "E-03"],
        "path": "consistency.name.record.document",
    }
    hidden = {**finding, "level": "escalate", "rule_id": "CON-2", "owner": "MLRO"}
    compared = {
        "field": "name",
        "left": "record",
        "right": "document",
        "verdict": "different",
        "kinds": "",
        "left_value": "Ada Byron",
        "right_value": "MAREK UNDERHILL",
    }
    found = pd.DataFrame([finding, hidden])
    for name in ("session_id", "title", "cause", "value"):
        found[name] = ""
    found["internal"] = False
    reasons = reasons_of(found, ShortNames(()), pd.DataFrame([compared]))
    said = "“Ada Byron” on the record, “MAREK UNDERHILL” on the document"
    assert [reason.text for reason in reasons] == [
        f"The name on the document differs from the customer record: {said} (E-01, E-03)"
    ] * 2
    headline = headline_of(reasons, (), "")
    assert headline == (
        "The name on the document differs from the customer record (E-01, E-03). "
        "Also escalate to MLRO: The name on the document differs from the customer record (E-01, E-03)"
    )


def test_two_documents_whose_names_differ_are_told_apart() -> None:
    compared = {
        "field": "name",
        "left": "document",
        "right": "document",
        "verdict": "different",
        "kinds": "",
        "left_value": "Ada Byron",
        "right_value": "MAREK UNDERHILL",
    }
    said = compared_values(pd.DataFrame([compared]), ShortNames(()))["consistency.name.document.document", ""]
    assert said == ("“Ada Byron” on one document, “MAREK UNDERHILL” on another document",)


def test_a_date_on_page_one_is_written_as_in_the_matrix() -> None:
    finding = {
        "outcome": "HIT",
        "level": "review",
        "rule_id": "CON-2",
        "owner": "Analyst",
        "action": "ask",
        "sentence": "The date of birth on the document differs from the customer record (E-01, E-03)",
        "evidence_ids": ["E-01", "E-03"],
        "path": "consistency.date_of_birth.record.document",
    }
    compared = {
        "field": "date_of_birth",
        "left": "record",
        "right": "document",
        "verdict": "different",
        "kinds": "",
        "left_value": "1985-12-10",
        "right_value": "1965-05-06",
    }
    found = pd.DataFrame([finding])
    for name in ("session_id", "title", "cause", "value"):
        found[name] = ""
    found["internal"] = False
    (reason,) = reasons_of(found, ShortNames(()), pd.DataFrame([compared]))
    assert reason.text.endswith(
        "differs from the customer record: 10 Dec 1985 on the record, 6 May 1965 on the document (E-01, E-03)"
    )


def test_what_holds_of_two_accounts_is_one_reason_with_the_evidence_of_both() -> None:
    refused = [
        {
            "outcome": "HIT",
            "level": "review",
            "rule_id": "GAP-1",
            "owner": "Analyst",
            "action": "ask",
            "sentence": f"Not obtained: the account's balance was refused ({evidence})",
            "evidence_ids": [evidence],
            "path": "gaps.bank.refused",
        }
        for evidence in ("E-06", "E-08")
    ]
    found = pd.DataFrame(refused)
    for name in ("session_id", "title", "cause", "value"):
        found[name] = ""
    found["internal"] = False
    reasons = reasons_of(found, ShortNames(()))
    assert [reason.text for reason in reasons] == [
        "Not obtained: the account's balance was refused (E-06, E-08)"
    ]


def test_a_check_that_its_cause_names_is_not_named_again() -> None:
    cause = "The results do not give the number of screening matches"
    named = Unknown(cause, ("Number of screening matches",), "review", "", ("S1",), ("E-03",))
    assert named.text == f"{cause}: session S1 (E-03)"
    other = replace(named, titles=("Screening",))
    assert other.text == f"{cause} (S1), so one check could not be evaluated: Screening (E-03)"


def test_an_internal_report_is_asked_for_on_page_one_also_where_an_outcome_names_its_cause(
    specimen: Evidence,
) -> None:
    screening = parse_json(specimen.body(specimen.select("onboarding.results")[0].id))["screening"]
    screening["summary"]["watchlist"]["terror"] = "attention"
    made = contents_of(
        with_body(specimen, "onboarding.results", {"screening": screening | {"outcome": "warning"}})
    )
    (report,) = [one for one in matters_of(made.reasons) if one.rule_id == "INT-1"]
    assert (report.rule_id, report.about[1]) == ("INT-1", "decision on a report to the NCA")
    assert (
        "Possible need for a report to the NCA, on which the nominated officer, the MLRO, decides:"
        in render_summary_html(made)
    )


def test_a_check_that_is_not_true_is_not_repeated_after_the_outcome_that_names_it(specimen: Evidence) -> None:
    address = parse_json(specimen.body(specimen.select("onboarding.results")[0].id))["address"]
    address["clientValidation"]["firstNameMatch"] = False
    made = contents_of(with_body(specimen, "onboarding.results", {"address": address}))
    (outcome,) = [one for one in matters_of(made.reasons) if one.rule_id == "OUT-address"]
    assert "first name match 'no'" in outcome.text
    assert "also: ADR-1 · Manual review · Name and address on the proof of address" in outcome.also


def test_what_is_not_known_stands_first_where_it_alone_raises_the_level() -> None:
    unknown = Unknown("The session has no results", ("A", "B"), "edd", "MLRO", ("S1",), ("E-02",))
    reason = Reason("SES-3", "The identity step was not finished (E-02)", "Analyst", "review")
    assert headline_of((reason,), (unknown,), "") == unknown.text
    assert headline_of((replace(reason, level="edd"),), (unknown,), "") == reason.text
    assert headline_of((), (), NOTHING) == NOTHING
    inside = replace(reason, rule_id="INT-1", level="edd", internal=True)
    assert headline_of((inside, reason), (replace(unknown, internal=True),), "") == reason.text
    assert headline_of((inside,), (), "Inside") == "Inside"


def test_within_a_level_what_holds_the_case_comes_first_and_then_who_the_customer_is(
    specimen: Evidence,
) -> None:
    screening = parse_json(specimen.body(specimen.select("onboarding.results")[0].id))["screening"]
    screening["summary"]["adverseMedia"]["environmentProduction"] = "attention"
    media = with_body(specimen, "onboarding.results", {"screening": screening | {"outcome": "consider"}})
    made = contents_of(
        with_body(
            media, "onboarding.get", {"progress": {"identity": {"completed": True, "confirmed": False}}}
        )
    )
    order = [one.rule_id for one in made.reasons if one.level == "review" and not one.internal]
    assert order.index("SES-2") < order.index("OUT-screening")
    assert order[0] != "OUT-screening"
    assert made.top_reason in made.headline


@pytest.mark.parametrize("missing", ["", "purpose"])
def test_one_sentence_says_that_no_finding_stands_against_approval_and_what_is_still_needed(
    missing: str,
) -> None:
    evidence = two_sessions()
    factors = {name: "low" for name in RISK_FACTORS if name != missing} | {"pep": "none"}
    frames = flatten(evidence)
    frames = replace(
        frames, customers=frames.customers.assign(**{f"risk_{name}": said for name, said in factors.items()})
    )
    as_of = datetime.combine(EVALUATED_AS_OF, time(12), UTC)
    inputs = inputs_of(evidence, as_of)
    triage = evaluate(frames, inputs.policy, wealth=inputs.wealth, as_of=as_of)
    made = build_contents(replace(inputs, frames=frames, triage=triage))
    # Without a gap in the file, categories of screening were perhaps not searched.
    said, judged = (LACKS_FILE, LACKS_FILE) if missing else (SETTLE_FIRST, NOTHING)
    assert (made.headline, triage.recommendations["top_reason"].iloc[0]) == (said, judged)
    assert made.own_level == recommended_cell("approve", made.headline) == CONDITIONAL
    clear = re.search(r"([0-9]+) are clear", words_of(made.section("findings")))
    assert clear is not None
    assert re.fullmatch(
        rf"Supports an approval: {clear[1]} of [0-9]+ checks are clear \(E-01 to E-04, E-06, in the annex\); "
        r"due diligence: [a-z ]+\. The other [0-9]+ checks: .*[0-9]+ had nothing to look at \(see “Findings”\)\.",
        made.without_reasons[0],
    )
    assert any(
        "customer's risk file lacks (purpose of the relationship)" in step for step in made.steps
    ) == bool(missing)
    page = " ".join(PdfReader(BytesIO(render_review_pdf(made))).pages[0].extract_text().split())
    for one in (page, unescape(re.sub("<[^>]*>", "", render_summary_html(made)))):
        assert one.count(said) == 1
        assert all(each in one for each in made.without_reasons)
        assert "othing stands against approval" not in one
        assert "Approve once conditions are met" in one
    level, _ = made.verdict
    assert level == Cell("Approve once conditions are met", Tone.WATCH)
    cover = dict(cover_lines(made))
    assert (cover["Recommended level"], cover["Why"]) == (level.text, said)
    assert "Recommended level now" not in cover
    figures = made.figures()
    assert (made.level, figures["level"], figures["level_words"]) == ("approve", "approve", level.text)


def test_what_an_approval_rests_on_has_the_known_share_of_each_currency(contents: ReviewContents) -> None:
    for share in contents.shares:
        said = f"; {share.known_percent} of {share.total_words} of credits has a known nature"
        assert said in contents.rests_on.text
    assert contents.shares
    counts = re.search(
        "^Supports an approval: ([0-9]+) of ([0-9]+) checks .*The other ([0-9]+) checks: (.*)$",
        contents.rests_on.text,
    )
    assert counts is not None
    assert int(counts[1]) + int(counts[3]) == int(counts[2])
    (twice,) = re.findall(r"\(([0-9]+) of which also have findings\)", counts[4])
    assert sum(map(int, re.findall("([0-9]+) [a-z]", counts[4]))) == int(counts[3]) + 2 * int(twice)
    assert "; due diligence: " not in contents.rests_on.text
    assert contents.rests_on in contents.summary


def test_no_page_says_that_nothing_stands_against_approval_where_newer_evidence_or_a_hold_does(
    contents: ReviewContents,
) -> None:
    held = CaseRecord(replace(DECISION, outcome="hold", effect="hold"))
    newer = (Reason("SAN-1", "A match (E-06)", "MLRO", "escalate", "hold"),)
    bare = replace(contents, reasons=(), unknowns=(), top_reason=NOTHING)
    page = render_summary_html(replace(bare, case=replace(bare.case, record=held), newer=newer))
    assert (
        "That is by the evidence of this pack alone: the newer evidence is in “Decision”.</li><li>The case is on hold by a decision."
        in page
    )


def test_what_is_not_known_stands_against_approval_in_the_page_too(contents: ReviewContents) -> None:
    unknown = Unknown("The session has no results", ("A", "B"), "edd", "MLRO", (), ("E-02",))
    page = render_summary_html(replace(contents, reasons=(), unknowns=(unknown,)))
    assert unknown.cause in page
    assert not any(said in page for said in contents.without_reasons)
    softer = Reason("SES-3", "The identity step was not finished (E-02)", "Analyst", "review")
    page = render_summary_html(replace(contents, reasons=(softer,), unknowns=(unknown,)))
    page = page.partition(">Why</h3>")[2]
    assert page.index(unknown.cause) < page.index("The identity step was not finished")


def test_the_page_names_who_has_to_look_at_each_reason_and_what_to_do_as_the_pdf_does(
    contents: ReviewContents,
) -> None:
    page = unescape(re.sub("<[^>]*>", "", render_summary_html(contents)))
    for one in (*matters_of(contents.reasons), *contents.unknowns):
        about = " · ".join(part for part in one.about if part)
        assert about
        level = level_cell(one.level).text
        assert f"{one.label} · {level} · {about}: {one.text}" in page
