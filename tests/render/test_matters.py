"""One matter has one owner and one action; the lesser reasons of it stand under the reason that governs, with their own levels."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from io import BytesIO
from typing import Any

import pikepdf
from pypdf import PdfReader
from tests.render.said_steps import steps_of
from tests.render.specimen_review import contents_of, inputs_of, with_body
from tests.render.step_findings import NEED
from tests.render.test_decision import DECISION

from kycpack.evidence import Evidence
from kycpack.frames.rows import records
from kycpack.models.json import parse_json
from kycpack.render import CasePeople, ReviewContents, build_contents, render_review_pdf
from kycpack.render.document_parts import Paragraph, Table
from kycpack.render.review.cover import review_words
from kycpack.render.review.decision import CaseRecord
from kycpack.render.review.html import render_summary_html
from kycpack.render.review.matters import also_words, matters_of, values_once
from kycpack.render.review.reasons import Reason, Unknown
from kycpack.render.review.report_grounds import considered
from kycpack.render.review.steps import HEADING
from kycpack.render.review.task_kinds import Kind, Task
from kycpack.render.wording import level_cell

LONG = "many payments to many companies, " * 8


def results_of(evidence: Evidence) -> Any:
    return parse_json(evidence.body(evidence.select("onboarding.results")[0].id))


def troubled(evidence: Evidence) -> Evidence:
    """Return the specimen with a sanctions match and a rejected document."""
    body = results_of(evidence)
    body["document"]["outcome"] = "rejected"
    body["document"]["contentAnalysis"]["dataIntegrity"] = "attention"
    body["screening"] |= {"outcome": "warning", "matchCount": 1}
    body["screening"]["summary"]["watchlist"]["sanctionsLists"] = "attention"
    return with_body(evidence, "onboarding.results", {name: body[name] for name in ("document", "screening")})


def reasons_in(made: ReviewContents) -> list[Reason]:
    return [one for one in made.why if isinstance(one, Reason)]


def test_an_outcome_and_the_check_that_it_names_are_one_reason_on_page_one(specimen: Evidence) -> None:
    document = results_of(specimen)["document"]
    document["outcome"] = "rejected"
    document["contentAnalysis"]["dataIntegrity"] = "attention"
    made = contents_of(with_body(specimen, "onboarding.results", {"document": document}))
    labels = {one.rule_id for one in made.reasons}
    assert {"OUT-document", "DOC-2"} <= labels
    once = matters_of(made.reasons)
    (outcome,) = [one for one in once if one.rule_id == "OUT-document"]
    assert outcome.also == ("also: DOC-2 · Manual review · Data integrity of the document",)
    assert "data integrity 'attention'" in outcome.text
    assert "DOC-2" not in {one.rule_id for one in once}
    assert "Data integrity of the identity document: 'attention'" not in render_summary_html(made)
    page = PdfReader(BytesIO(render_review_pdf(made))).pages[0].extract_text()
    assert outcome.also[0] in " ".join(page.split())


SCREENING = {"subjects": frozenset({"screening"}), "evidence": ("E-03",)}


def test_a_check_is_a_matter_of_its_own_where_it_asks_for_more_than_an_answer() -> None:
    outcome = Reason(
        "OUT-screening",
        "Screening rejected: sanctions lists 'attention' (E-03)",
        "MLRO",
        "reject",
        **SCREENING,
    )
    check = Reason(
        "SAN-1",
        "Sanctions (E-03)",
        "Analyst",
        "review",
        check=("OUT-screening", "sanctions lists 'attention'"),
        title="Sanctions lists",
        **SCREENING,
    )
    (one,) = matters_of((outcome, check))
    assert (one.rule_id, one.owner, one.also) == (
        "OUT-screening",
        "MLRO",
        ("also: SAN-1 · Manual review · Sanctions lists",),
    )
    for other in (
        replace(check, level="escalate"),
        replace(check, evidence=("E-04",)),
        replace(check, subjects=frozenset({"document"})),
        replace(check, subjects=frozenset()),
        replace(check, action="internal_report"),
        replace(check, action="hold"),
        replace(check, internal=True),
    ):
        assert matters_of((outcome, other)) == (outcome, other)


def test_what_a_lesser_reason_adds_is_listed_under_the_reason_that_governs() -> None:
    outcome = Reason(
        "OUT-screening",
        "Screening has a warning: PEP level 2 'attention' (E-03)",
        "Analyst",
        "review",
        title="Outcome of the screening",
        **SCREENING,
    )
    pep = ("OUT-screening", "PEP level 2 'attention'")
    check = Reason("PEP-2", "A PEP at level 2 (E-03)", "MLRO", "edd", "hold", check=pep, **SCREENING)
    matches = Reason(
        "SCR-1", "Number of screening matches: 1 (E-03)", "Analyst", "review", "ask", **SCREENING
    )
    (one,) = matters_of((check, outcome, matches))
    assert (one.rule_id, one.text, one.level, one.owner, one.action) == (
        "PEP-2",
        check.text,
        "edd",
        "MLRO",
        "hold",
    )
    assert one.also == (
        "also: OUT-screening · Manual review · Screening has a warning: PEP level 2 'attention' (E-03)",
        "also: SCR-1 · Manual review · Number of screening matches: 1 (E-03)",
    )
    more = outcome.text.replace(" (E-03)", ", sanctions lists 'attention' (E-03)")
    (one,) = matters_of((check, replace(outcome, text=more)))
    assert one.also == (f"also: OUT-screening · Manual review · {more}",)
    equal = replace(matches, rule_id="RES-2")
    assert matters_of((matches, equal)) == (matches, equal)  # one owner and one action: nothing to settle


def test_one_sanctions_match_has_one_owner_and_one_action(specimen: Evidence) -> None:
    made = contents_of(troubled(specimen))
    (match,) = [one for one in reasons_in(made) if one.rule_id == "SAN-1"]
    assert (match.level, match.owner, match.action) == ("escalate", "MLRO", "hold")
    assert [line.split(" · ")[0] for line in match.also] == ["also: OUT-screening", "also: SCR-1"]
    assert "SCR-1" not in {one.rule_id for one in reasons_in(made)}
    hits = next(block for block in made.section("findings").blocks if isinstance(block, Table))
    rows = {row[1].text.partition(":")[0]: [cell.text for cell in row[2:4]] for row in hits.rows}
    assert rows["SAN-1"] == ["Escalate", "MLRO: hold"]
    assert rows["SCR-1"] == ["Manual review", "Settled with SAN-1 (MLRO: hold)"]


def test_each_reason_of_page_one_has_the_level_of_its_own_finding(specimen: Evidence) -> None:
    inputs = inputs_of(troubled(specimen))
    made = build_contents(inputs)
    found = {(row["rule_id"], level_cell(row["level"]).text) for row in records(inputs.triage.findings)}
    page = unescape(re.sub("<[^>]*>", "", render_summary_html(made)))
    pages = PdfReader(BytesIO(render_review_pdf(made))).pages[:2]
    printed = " ".join(" ".join(each.extract_text() for each in pages).split())
    heads = [(one.rule_id, level_cell(one.level).text) for one in reasons_in(made)]
    also = [tuple(line.removeprefix("also: ").split(" · ")[:2]) for one in made.why for line in one.also]
    assert ("OUT-screening", "Manual review") in also
    for rule, level in (*heads, *also):
        assert (rule, level) in found
        assert f"{rule} · {level}" in page
        assert f"{rule} {level}" in printed or f"{rule} · {level}" in printed


def test_further_reasons_stand_in_full_on_the_page_after_page_one(specimen: Evidence) -> None:
    why = tuple(
        Reason(f"WLT-{n}", f"Gambling: {LONG}{n},000.00 GBP (E-12)", "MLRO", "edd", evidence=("E-12",))
        for n in range(1, 25)
    )
    last = Reason("SES-2", "The identity is not confirmed (E-02)", "Analyst", "review", evidence=("E-02",))
    made = replace(contents_of(specimen), reasons=(*why, last), unknowns=())
    first, *after = PdfReader(BytesIO(render_review_pdf(made))).pages[:3]
    said = " ".join(first.extract_text().split())
    left = re.search(
        r"([0-9]+) more reasons \(([0-9]+) Enhanced due diligence, 1 Manual review\): pages? 2", said
    )
    assert left is not None
    assert int(left[1]) == int(left[2]) + 1 == 25 - said.count("Gambling: ")
    following = " ".join(" ".join(page.extract_text() for page in after).split())
    assert "SES-2 · Manual review · Analyst: The identity is not confirmed (E-02)" in following
    assert f"Gambling: {LONG}24,000.00 GBP (E-12)" in following
    assert sum(len(page.get("/Annots", ())) for page in after) >= following.count("(E-12)")


def test_what_cannot_be_evaluated_has_one_owner_the_strictest(specimen: Evidence) -> None:
    for one in contents_of(specimen).unknowns:
        assert one.owner in {"MLRO", "Analyst"}
        assert one.action == "ask"


def test_what_to_do_is_in_order_with_who_does_it_and_what_it_waits_for(specimen: Evidence) -> None:
    made = contents_of(troubled(specimen))
    hold, *others = made.steps
    decline = next(step for step in others if ": reject the customer" in step)
    after = others[others.index(decline) + 1 :]
    assert hold.startswith(
        "1. MLRO: hold the case; check with the provider whether any match on sanctions lists is this person "
        "(the list, its date, the name and the date of birth) (SAN-1)"
    )
    assert "the customer is contacted only if the MLRO agrees" in hold
    assert decline.startswith(
        f"{made.steps.index(decline) + 1}. Analyst: reject the customer because of “Document rejected by the provider” (OUT-document), "
        "once the MLRO has lifted the hold and said that the customer may be rejected, with the MLRO as one of the two people."
    )
    assert any(
        "MLRO: say whether the hold is lifted and the customer may be rejected." in step for step in others
    )
    assert after
    begun = made.steps.index(decline) + 2
    follow = re.search(
        r" Steps ([0-9]+) (?:to|and) ([0-9]+) follow only if the customer is not rejected\.$", decline
    )
    assert follow is not None
    assert int(follow[1]) == begun
    assert all(
        any(
            said in step
            for said in (": after an approval", ": record the decision", ": only if the customer")
        )
        for step in made.steps[int(follow[2]) :]
    )
    first = _page_one(made)
    assert made.to_do.first in first
    assert " Why " in first
    said = [block.text for block in made.section("decision").blocks if isinstance(block, Paragraph)]
    page = unescape(re.sub("<[^>]*>", "", render_summary_html(made)))
    assert made.to_do.first in page
    assert all(step in said for step in made.steps)


def test_page_one_has_the_first_step_and_leads_to_all_of_them_which_stand_once(
    contents: ReviewContents,
) -> None:
    content = render_review_pdf(contents)
    first, *others = (" ".join(page.extract_text().split()) for page in PdfReader(BytesIO(content)).pages)
    count = len(contents.steps)
    assert contents.to_do.first in first
    assert f"FIRST OF {count} STEPS" in first
    assert not any(step in first for step in contents.steps[1:])
    assert all(sum(step in page for page in others) == 1 for step in contents.steps)
    place = next(at for at, page in enumerate(others, 2) if HEADING in page)
    last = next(at for at, page in enumerate(others, 2) if contents.steps[-1] in page)
    pages = f"page {place}" if last == place else f"pages {place} to {last}"
    assert f"All {count} steps: {pages} " in f"{first} "
    with pikepdf.open(BytesIO(content)) as pdf:
        assert place - 1 in {pdf.pages.index(pikepdf.Page(link.Dest[0])) for link in pdf.pages[0].Annots}


def _page_one(made: ReviewContents) -> str:
    return " ".join(PdfReader(BytesIO(render_review_pdf(made))).pages[0].extract_text().split())


def test_no_decline_comes_before_a_hold_or_the_question_of_a_report() -> None:
    decline = Reason("OUT-document", "Document rejected (E-03)", "Analyst", "reject", "decline")
    report = Reason(
        "INT-1",
        "Consider an internal report (E-03)",
        "MLRO",
        "review",
        "internal_report",
        internal=True,
    )
    hold = Reason("SAN-1", "Sanctions (E-03)", "MLRO", "escalate", "hold")
    approval = Reason("PEP-2", "A PEP (E-03)", "MLRO", "edd", "senior_approval")
    unknown = Unknown("No results", ("A",), "review", "Analyst", (), ("E-02",))
    _, decided, alone, _ = steps_of((decline,))
    assert decided.endswith("; say in any case whether the customer may be rejected.")
    assert alone.endswith("once the MLRO has said that the customer may be rejected.")
    every = steps_of((decline, approval, unknown, report, hold))
    assert [step.partition(":")[0] for step in every] == [
        "1. MLRO",
        "2. MLRO",
        "3. MLRO",
        "4. Analyst",
        "5. Analyst",
        "6. MLRO",
        "7. Senior management",
        "8. Analyst",
        "9. MLRO",
    ]
    rules = ("SAN-1", "INT-1", "rejected", "OUT-document", "“A”", "“A PEP”", "PEP-2", "record", "PEP-2")
    for step, said in zip(every, rules, strict=True):
        assert said in step
    assert "lifted the hold and said that the customer may be rejected" in every[3]
    assert every[3].endswith(" Steps 5 and 6 follow only if the customer is not rejected.")
    assert steps_of(()) == (
        "Analyst: record the decision. One person may approve or reject, because the level (approve) is not above manual review.",
    )
    assert steps_of((unknown,))[0] == "1. Analyst: find out what could not be evaluated: “A”."
    assert steps_of((unknown, replace(hold, rule_id="EDD-1", action="ask"))) == (
        "1. Analyst: find out what could not be evaluated: “A”.",
        "2. MLRO: find out what stands behind “Sanctions” (EDD-1).",
        "3. MLRO: decide whether to approve the customer, and record the decision. An approval takes two people, because the level is above manual review.",
    )


def test_red_flags_that_rest_on_the_same_transactions_are_matters_of_their_own() -> None:
    bank: Any = {"subjects": frozenset({"bank"}), "evidence": ("E-07",)}
    gambling = Reason("WLT-1", "Gambling (E-07)", "MLRO", "edd", "hold", **bank)
    cash = Reason("WLT-2", "A large share of cash (E-07)", "Analyst", "review", "ask", **bank)
    assert matters_of((gambling, cash)) == (gambling, cash)


def test_page_one_with_a_decision_has_the_first_step_and_keeps_what_is_escalated(specimen: Evidence) -> None:
    record = CaseRecord(replace(DECISION, standing="The case was reopened."), is_before=True)
    made = build_contents(replace(inputs_of(troubled(specimen)), case=CasePeople("case-1", record=record)))
    first = _page_one(made)
    assert made.steps[0].startswith("1. MLRO: hold the case")
    assert made.to_do.first in first
    assert re.search(r"SAN-1 · Escalate", first)
    assert "Credits by month" in first


def test_who_reviews_a_case_includes_who_has_to_speak_before_a_decline(specimen: Evidence) -> None:
    made = contents_of(specimen)
    decline = Reason("OUT-document", "Document rejected (E-03)", "Analyst", "reject", "decline")
    alone = replace(made, reasons=(decline,), unknowns=(), considered=(), routes=("Analyst",))
    assert review_words(alone) == "For review by: Analyst, MLRO before any rejection"
    # The MLRO who decides on a report has more to do than that.
    said = review_words(
        replace(alone, considered=considered((replace(decline, path="document.outcome"),), NEED))
    )
    assert said == "For review by: Analyst, MLRO"
    office = replace(decline, rule_id="PEP-1", action="senior_approval")
    said = review_words(replace(made, reasons=(office,), routes=("MLRO", "Analyst")))
    assert said == "For review by: MLRO, Analyst, senior management"
    counted = Task("find out on which list each match is", kind=Kind.WHICH_LIST)
    match = Reason("SCR-6", "Match", "MLRO", "review", action="hold", tasks=(counted,))
    said = review_words(replace(made, reasons=(decline, match), routes=("Analyst", "MLRO")))
    assert said.startswith("For review by: MLRO, Analyst")
    assert review_words(replace(made, reasons=(decline,), routes=("MLRO", "Analyst"))).endswith(
        "MLRO, Analyst"
    )
    alone = replace(made.to_do, steps=("Analyst: decide on the evidence of this pack.",), owners=("Analyst",))
    bare = replace(made, reasons=(), routes=(), to_do=alone)
    assert review_words(bare) == "For review by: the Analyst, who records the decision"
    watched = ("1. MLRO: decide whether to order monitoring.", "2. Analyst: record the decision.")
    said = review_words(replace(bare, to_do=replace(alone, steps=watched, owners=("MLRO", "Analyst"))))
    assert said == "For review by: Analyst, MLRO"


def test_names_that_stand_in_a_reason_above_are_not_given_again() -> None:
    def differ(rule: str, bare: str, values: str) -> Reason:
        return Reason(
            rule,
            f"{bare}: {values} (E-01)",
            "Analyst",
            "review",
            impersonal=f"{bare} (E-01)",
            evidence=("E-01",),
        )

    every = Reason(
        "INT-2",
        "Consider a report: “Ada” on the record; “MAREK” on the document; “Rhys” on the bank accounts A1 and A12 (E-01)",
        "MLRO",
        "review",
    )
    first = differ("CON-1", "Record and document differ", "“Ada” on the record, “MAREK” on the document")
    other = differ(
        "CON-8", "Document and statement differ", "“MAREK” on the document, “Ada” on the service's statement"
    )
    again = differ(
        "CON-4",
        "Account and statement differ",
        "“Rhys” on the bank accounts A1 and A12, “Ada” on the service's statement",
    )
    unlike = differ(
        "CON-4", "Record and account differ", "“Ada” on the record, “Rhys” on the bank accounts A1 and A1"
    )
    unknown = Unknown("No results", ("A",), "review", "Analyst", (), ("E-02",))
    said = [one.text for one in values_once((every, first, other, again, unlike, unknown))]
    assert said == [
        every.text,
        "Record and document differ: values in INT-2 (E-01)",
        other.text,
        "Account and statement differ: values in INT-2 and CON-8 (E-01)",
        unlike.text,
        unknown.text,
    ]


def test_the_box_names_what_decides_who_must_act_and_counts_what_is_as_grave() -> None:
    found = (
        Reason("SCR-6", "A match (E-03)", "MLRO", "edd", action="hold", title="Unnamed match"),
        Reason("PEP-2", "A PEP (E-03)", "MLRO", "edd", action="senior_approval", title="PEP level 2"),
        Reason("SES-2", "Not confirmed (E-02)", "Analyst", "review", action="ask", title="Identity"),
    )
    assert also_words(found, found[0].text) == "Also: PEP level 2 not clear (PEP-2)."
    assert also_words(found[:1], found[0].text) == ""
    lists = replace(found[1], text="Possible politically exposed person: at level 2 (E-03)")
    assert (
        also_words((found[0], lists), found[0].text) == "Also: Possible politically exposed person (PEP-2)."
    )
    # Who must act is told from a lesser finding too, also from one that stays inside the firm.
    softer = (
        Reason("CON-1", "Names differ (E-01)", "Analyst", "review", action="ask", title="Names"),
        Reason("INT-2", "A report (E-01)", "MLRO", "review", title="Comparison of names", internal=True),
        *(
            Reason("CON-4", f"Bank {at} (E-05)", "Analyst", "review", action="ask", title="Bank")
            for at in "12"
        ),
        *(
            Reason(f"RES-{at}", f"Result {at} (E-05)", "Analyst", "review", title=f"Result {at}")
            for at in "123"
        ),
    )
    said = "Also: Decision on a report to the NCA (INT-2); 5 other reasons at this level."
    assert also_words(softer, softer[0].text) == said
    lesser = (found[0], softer[0])
    assert also_words(lesser, found[0].text) == ""
    senior = (found[0], replace(found[1], level="review"))
    assert also_words(senior, found[0].text) == "Also: PEP level 2 not clear (PEP-2)."
    missed = Unknown("No results", ("Age", "Residence"), "edd", "MLRO", (), ("E-02",))
    assert also_words((found[0], missed), found[0].text) == "Also: 1 other reason at this level."
    every = replace(missed, titles=("Age", "Residence", "Document check"), codes=("A", "B", "C"))
    said = "Also: 3 checks could not be evaluated."
    assert also_words((softer[0], every, replace(found[2], level="edd")), softer[0].text) == said
