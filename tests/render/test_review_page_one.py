"""Page one says what was found, why, and what is missing, and leaves nothing out without a word."""

from __future__ import annotations

import copy
import re
from base64 import b64decode
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, time
from html import unescape
from io import BytesIO
from itertools import pairwise
from typing import Any

import pandas as pd
import pytest
from pypdf import PageObject, PdfReader
from tests.frames.evidence_maker import RECORD, RESULTS
from tests.render.specimen_review import AS_OF, contents_of, inputs_of, with_body, words_of
from tests.render.test_decision import DECISION
from tests.triage.test_evaluate import AS_OF as EVALUATED_AS_OF
from tests.triage.test_evaluate import changed, clear_customer
from tests.triage.test_supersession import two_sessions

from kycpack.evidence import Evidence
from kycpack.frames import flatten
from kycpack.frames.answer_members import RISK_FACTORS
from kycpack.models.json import parse_json
from kycpack.pack.check.printed_values import squeezed
from kycpack.render import CasePeople, ReviewContents, build_contents, render_review_pdf
from kycpack.render.charts import (
    NATURE_FILLS,
    PART_MONTH,
    STRIP_WIDTH,
    WIDTH,
    Series,
    chart_months,
    chart_share,
)
from kycpack.render.document_parts import REFERENCE, Cell
from kycpack.render.drawing import POINT, Box, Drawing, Label
from kycpack.render.palette import Tone
from kycpack.render.pdf_pages import BOTTOM, FOOT, MARGIN, PAGE_HEIGHT, TEXT_WIDTH, Sheet
from kycpack.render.review import pdf_reasons
from kycpack.render.review.after_decision import to_do_of
from kycpack.render.review.approval import Terms
from kycpack.render.review.cover import codes_words, cover_lines
from kycpack.render.review.decision import CaseRecord
from kycpack.render.review.gaps import Headline
from kycpack.render.review.html import render_summary_html
from kycpack.render.review.matters import headline_of, matters_of
from kycpack.render.review.reasons import Reason, Unknown, reasons_of
from kycpack.render.review.short_names import ShortNames
from kycpack.render.review.task_kinds import Task
from kycpack.render.text_runs import runs, width_of
from kycpack.render.typefaces import Face
from kycpack.render.wording import disposition_words, level_cell
from kycpack.triage import evaluate
from kycpack.triage.judge.recommendations import LACKS_FILE, NOTHING
from kycpack.wealth import derive
from kycpack.wealth.judge.coverage import DISPOSITIONS, IRREGULAR, KNOWN


def test_page_one_answers_what_why_what_is_missing_and_who(
    pages: list[str], contents: ReviewContents
) -> None:
    for said in (
        "Enhanced due diligence",
        contents.headline,
        "No decision recorded",
        "A. Analyst",
        "No second reviewer",
        "30 Jun 2026, 12:00 UTC",
        "default-uk",
        "What is not known",
        "Share of credits whose nature is known",
        "Zofia Kowalczyk-Łaska",
    ):
        assert said in pages[0]


def test_a_pack_that_nobody_prepared_says_what_that_means(
    contents: ReviewContents, specimen: Evidence
) -> None:
    said = "Nobody is named as having prepared this pack: the setting “analyst” (KYCPACK_ANALYST) was empty"
    for made, is_said in ((contents_of(specimen), True), (contents, False)):
        assert ("Nobody named" in render_summary_html(made)) == is_said
        assert (said in words_of(made.section("decision"))) == is_said


def test_the_bar_in_the_page_names_its_colours(contents: ReviewContents) -> None:
    bar = chart_share(contents.shares[0].parts, WIDTH, with_legend=True)
    named = [mark.text for mark in bar.marks if isinstance(mark, Label)]
    fills = [mark.fill for mark in bar.marks if isinstance(mark, Box)]
    assert named == [words for words, minor, _ in contents.shares[0].parts if minor]
    assert fills[-len(named) :] == [fill for _, minor, fill in contents.shares[0].parts if minor]


def test_the_page_gives_each_share_once_as_text_below_the_bar(contents: ReviewContents) -> None:
    """As text it can be copied, read on a phone and compared with the figures; the bar only names its colours."""
    page = unescape(render_summary_html(contents))
    (picture,) = re.findall(r'src="data:image/svg\+xml;base64,([^"]*)"', page)
    drawn = re.findall(r"<text[^>]*>([^<]*)", b64decode(picture).decode())
    beside = re.sub(r"<img [^>]*>", "", page)
    (share,) = contents.shares
    for percent, (words, minor, _) in zip(share.percents.values(), share.parts, strict=True):
        if minor:
            assert beside.count(f"{percent} {words}") == 1
            assert unescape(" ".join(drawn)).count(words) == 1
    assert not any("%" in text for text in drawn)


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


def test_page_one_names_the_person_and_how_each_kind_of_check_stands(pages: list[str]) -> None:
    for said in ("Born", "14 Mar 1986", "Nationality", "Poland (PL)", "Document", "Passport, Poland (PL)"):
        assert said in pages[0]
    for label in ("Document", "Address", "Identity", "Screening", "Bank", "Payment"):
        assert label in pages[0]


def test_the_strip_of_checks_is_not_cut(contents: ReviewContents) -> None:
    tone, words = Tone.WATCH, ("Clear", "No red flag", "Supported", "Clear", "No red flag", "Clear")
    strip = tuple(
        (label, Cell(f"{said}, see findings", tone))
        for (label, _), said in zip(contents.strip, words, strict=True)
    )
    page = PdfReader(BytesIO(render_review_pdf(replace(contents, strip=strip)))).pages[0].extract_text()
    assert page.count("see findings") == len(strip)
    assert page.count("No red flag") == 2


@pytest.mark.parametrize(
    "said",
    [
        "Name does not match",
        "Date of birth does not match",
        "1 red flag, name does not match",
        "Name in part different",
        "No red flag, name in part different",
    ],
)
def test_a_detail_that_does_not_match_is_not_cut_in_the_strip(contents: ReviewContents, said: str) -> None:
    strip = tuple((label, Cell(said, Tone.WATCH)) for label, _ in contents.strip)
    page = PdfReader(BytesIO(render_review_pdf(replace(contents, strip=strip)))).pages[0].extract_text()
    whole = " ".join(page.split())
    assert "…" not in whole[whole.index("Payment") : whole.index("As of")]
    assert page.count(said.rsplit(maxsplit=1)[-1]) >= len(strip)


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


def test_a_name_of_three_thousand_characters_stands_whole_and_no_page_one_is_lost(specimen: Evidence) -> None:
    name = " ".join(f"Name{number:04d}" for number in range(330))
    contents = contents_of(with_body(specimen, "customers.get", {"firstName": name}))
    pages = [page.extract_text() for page in PdfReader(BytesIO(render_review_pdf(contents))).pages]
    assert "…" in pages[0]
    assert "Recommendation".upper() in pages[0]
    assert all(f"Name{number:04d}" in " ".join(pages[1:]) for number in range(330))


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
    assert "Consider an internal report to the nominated officer" in render_summary_html(made)


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
    said = LACKS_FILE if missing else NOTHING
    assert (made.headline, triage.recommendations["top_reason"].iloc[0]) == (said, said)
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
        assert ("Not yet: conditions to be met" in one) == bool(missing)
    level, _ = made.verdict
    assert level == (
        Cell("Not yet: conditions to be met", Tone.WATCH) if missing else Cell("Approve", Tone.GOOD)
    )
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
    assert sum(map(int, re.findall("([0-9]+) [a-z]", counts[4]))) == int(counts[3])
    assert "due diligence" not in contents.rests_on.text
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


def test_the_steps_have_numbers_and_no_bullets_beside_them(contents: ReviewContents) -> None:
    page = render_summary_html(contents)
    assert len(contents.steps) > 1
    for step in contents.steps:
        assert f"<li>{step[:3]}" not in page


def test_page_one_says_of_a_session_that_a_later_one_replaces_that_it_no_longer_counts() -> None:
    made = contents_of(two_sessions(), datetime.combine(EVALUATED_AS_OF, time(12), UTC))
    assert (made.level, made.headline) == ("approve", LACKS_FILE)
    assert (made.reasons, made.unknowns, made.routes) == ((), (), ())
    assert {label: cell.text for label, cell in made.strip[:4]} == {
        "Document": "Clear",
        "Address": "Clear by provider, date of proof not shown",
        "Identity": "Clear",
        "Screening": "Clear by provider, 6 categories not seen",
    }
    assert "Sessions: 5 gaps of S1, which S2 replaces" in [line.text for line in made.missing]
    said = words_of(made.section("findings"))
    assert said.startswith("0 findings. ")
    assert "Session S1 is expired and was followed by the complete session S2 of 10 May 2026" in said


def test_page_one_calls_no_part_of_the_credits_by_a_word_of_the_ledger(contents: ReviewContents) -> None:
    """The ledger says how each credit is counted, page one whether its nature is known: two things, two words."""
    parts = {words for words, _, _ in contents.shares[0].parts}
    assert not parts & {disposition_words(name).lower() for name in DISPOSITIONS}


def test_the_longest_words_of_page_one_stay_inside_the_margin(
    contents: ReviewContents, monkeypatch: pytest.MonkeyPatch
) -> None:
    share = replace(
        contents.shares[0],
        natures=dict.fromkeys(contents.shares[0].natures, 1_111_111_11),
        evidence=dict.fromkeys(contents.shares[0].evidence, 222_222_22),
        own_transfer_minor=123_456_789_01,
    )
    ends, put = {}, Sheet.put

    def noted(sheet: Sheet, x: float, baseline: float, text: Any, **more: Any) -> float:
        width = put(sheet, x, baseline, text, **more)
        if more.get("align", "left") == "left":
            said = text if isinstance(text, str) else "".join(run.text for run in text)
            ends[said] = x + width
        return width

    monkeypatch.setattr(Sheet, "put", noted)
    render_review_pdf(replace(contents, shares=(share,)))
    assert [said for said, end in ends.items() if end > MARGIN + TEXT_WIDTH + 0.01] == []
    assert sum("% " in said and "regular, nature not established" in said for said in ends) == 2


@pytest.mark.parametrize(
    ("state", "bold", "plain"),
    [
        ("Date of birth does not match", "Date of birth does not match", ""),
        ("Name does not match", "Name does not match", ""),
        ("Clear by provider, 12 categories not seen", "Clear by provider", "12 categories not seen"),
        ("12 red flags, 12 checks not evaluated", "12 red flags", "12 checks not evaluated"),
        ("Clear by provider, date of proof not shown", "Clear by provider", "date of proof not shown"),
        ("Attention, not every list named", "Attention", "not every list named"),
        ("Supported, not a release", "Supported", "not a release"),
        ("In part different, date of proof not shown", "In part different", "date of proof not shown"),
        ("Newer evidence, here: clear by provider", "Newer evidence", "here: clear by provider"),
        ("Source not known, no red flag", "Source not known", "no red flag"),
    ],
)
def test_a_tile_sets_its_state_in_one_weight_and_cuts_nothing(
    contents: ReviewContents, monkeypatch: pytest.MonkeyPatch, state: str, bold: str, plain: str
) -> None:
    shown: dict[bool, list[str]] = {True: [], False: []}
    put = Sheet.put

    def noted(sheet: Sheet, x: float, baseline: float, text: Any, **more: Any) -> float:
        if isinstance(text, str) and text and text in state:
            assert width_of(runs(text, more.get("face", Face.SANS)), more["size"]) <= more["room"] / POINT
            shown[more.get("face") == Face.STRONG].append(text)
        return put(sheet, x, baseline, text, **more)

    monkeypatch.setattr(Sheet, "put", noted)
    render_review_pdf(replace(contents, strip=(("Bank", Cell(state)),) * 6))
    each = [
        " ".join(parts)
        for parts in (shown[True][: len(shown[True]) // 6], shown[False][: len(shown[False]) // 6])
    ]
    assert each == [bold, plain]


def test_a_reason_too_long_for_page_one_keeps_the_evidence_it_rests_on(contents: ReviewContents) -> None:
    long = "Money moved on: " + "4 credits in and 4 payments out, " * 40 + "in all (E-07, E-09 to E-15)"
    reason = Reason("WLT-1", long, "MLRO", "edd")
    reader = PdfReader(BytesIO(render_review_pdf(replace(contents, reasons=(reason,), unknowns=()))))
    first = " ".join(reader.pages[0].extract_text().split())
    assert re.search(r"…\s*\(E-07, E-09 to E-15\)", first)


def test_a_rule_that_fired_many_times_leaves_room_for_the_others(contents: ReviewContents) -> None:
    many = tuple(Reason("SCR-2", f"Match {n} of the screening (E-03)", "MLRO", "escalate") for n in range(90))
    why = (
        *many,
        Reason("PEP-2", "Politically exposed (E-03)", "MLRO", "edd"),
        Reason("DOC-2", "Data integrity (E-03)", "Analyst", "review"),
    )
    made = PdfReader(BytesIO(render_review_pdf(replace(contents, reasons=why, unknowns=()))))
    first = made.pages[0].extract_text()
    assert "Match 0 of the screening" in first
    assert "Politically exposed (E-03)" in first
    left = re.search(r"([0-9]+) more reasons \(Escalate\): page 2", first)
    assert left is not None
    assert int(left[1]) == 90 - first.count("of the screening (E-03)")


def test_what_has_no_room_on_page_one_is_named_there_with_its_page(
    contents: ReviewContents, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kycpack.render.review.pdf._LEAST_FOR_REASONS", 250.0)
    made = PdfReader(BytesIO(render_review_pdf(contents)))
    first, second = (" ".join(page.extract_text().split()) for page in made.pages[:2])
    assert "“Why”, “What is not known”, and credits with their chart: page 2" in first
    assert "Credits by month" not in first
    assert " Why " not in first
    assert "Credits by month" in second
    assert " Why " in f" {second}"


def test_all_reasons_stand_on_page_one_in_the_order_of_their_severity(contents: ReviewContents) -> None:
    """Where they need the room, they are set smaller, and the chart is lower."""
    levels = ["reject", "escalate", *["edd"] * 4, *["review"] * 6]
    why = [
        Reason(f"R-{n}", f"Found {n}: 4 credits in, and more of it {'on a day ' * 12}(E-03)", "MLRO", level)
        for n, level in enumerate(levels)
    ]
    few = replace(contents, reasons=tuple(why[:2]), unknowns=(), incomplete="", missing=contents.missing[:3])
    sizes = []
    for made in (few, replace(few, reasons=tuple(why))):
        page = PdfReader(BytesIO(render_review_pdf(made))).pages[0]
        first = " ".join(page.extract_text().split())
        places = [first.index(f"{one.label} · {level_cell(one.level).text}") for one in made.reasons]
        assert places == sorted(places)
        assert all(squeezed(one.text) in squeezed(first) for one in made.reasons)
        assert "more reason" not in first
        assert "Credits by month" in first
        sizes.append(_size_of(page, "R-0 · Reject"))
    assert sizes[0] > sizes[1]


def _size_of(page: PageObject, words: str) -> float:
    """Return the type size of a text on a page."""
    found: list[float] = []

    def noted(text: str, _: Any, __: Any, ___: Any, size: float) -> None:
        if words in text:
            found.append(size)

    page.extract_text(visitor_text=noted)
    return found[0]


def test_the_chart_is_lower_before_a_reason_loses_its_room(
    contents: ReviewContents, monkeypatch: pytest.MonkeyPatch
) -> None:
    heights: list[float] = []
    whole = Sheet.draw

    def noted(sheet: Sheet, drawing: Drawing, x: float, y: float) -> None:
        if drawing.width == STRIP_WIDTH:
            heights.append(drawing.height)
        whole(sheet, drawing, x, y)

    monkeypatch.setattr(Sheet, "draw", noted)
    assert contents.months is not None
    full = contents.months.height
    for count, is_whole in ((1, True), (60, False)):
        why = tuple(Reason(f"R-{n}", f"Found {n} (E-03)", "MLRO", "edd") for n in range(count))
        render_review_pdf(replace(contents, reasons=why, unknowns=()))
        assert (heights[-1] == full) == is_whole


def test_gaps_without_room_are_counted_by_area_and_the_limits_of_every_pack_stay(
    contents: ReviewContents,
) -> None:
    lines_ = [
        Headline(f"Something is not known of account {n}, and why (E-07)", area="Bank data", gaps=1)
        for n in range(40)
    ]
    last = Headline("5 limits of the service that apply to every pack")
    made = replace(contents, missing=(*lines_, last))
    first = " ".join(PdfReader(BytesIO(render_review_pdf(made))).pages[0].extract_text().split())
    shown = first.count("Something is not known of account")
    assert 5 < shown < 40
    assert f"{40 - shown} further gaps in “What this pack cannot show”: {40 - shown} of Bank data" in first
    assert last.text in first


def test_a_comparison_that_stays_inside_the_firm_is_named_by_what_was_found() -> None:
    found = "Consider a report: the names on the record and the document do not match"
    inside = Reason("INT-1", f"{found} (E-03)", "MLRO", "review", internal=True, title="Need for a report")
    assert pdf_reasons._named([inside], 113.0) == "INT-1 Need for a report (E-03)"
    compared = replace(inside, path="consistency.name.record.document", impersonal=inside.text)
    assert pdf_reasons._named([compared], 113.0) == f"INT-1 {found.partition(': ')[2]} (E-03)"


@pytest.mark.parametrize("unsure", [0, 5_555_555_555_55])
def test_a_large_sum_of_credits_is_not_cut_beside_the_chart(contents: ReviewContents, unsure: int) -> None:
    share = replace(
        contents.shares[0],
        natures=dict.fromkeys(contents.shares[0].natures, 1_111_111_111_111_11),
        may_be_twice_minor=unsure,
        may_be_returned_minor=unsure,
    )
    made = render_review_pdf(replace(contents, shares=(share,)))
    first = " ".join(PdfReader(BytesIO(made)).pages[0].extract_text().split())
    assert f"of {share.total_words}" in first
    assert share.twice_words in first


def test_a_further_currency_is_told_on_page_one_without_a_bar(contents: ReviewContents) -> None:
    euros = replace(contents.shares[0], currency="EUR")
    made = render_review_pdf(replace(contents, shares=(contents.shares[0], euros)))
    first = " ".join(PdfReader(BytesIO(made)).pages[0].extract_text().split())
    for said in (
        f"59.0% of {euros.total_words} has a known nature.",
        *(words for words, _ in euros.legend),
    ):
        assert said in first[first.index(f"59.0% of {euros.total_words}") :]


def test_page_one_names_the_currencies_for_which_it_has_no_room(contents: ReviewContents) -> None:
    names = ("GBP", "EUR", "JPY", "KWD", "USD")
    shares = tuple(replace(contents.shares[0], currency=name) for name in names)
    made = PdfReader(BytesIO(render_review_pdf(replace(contents, shares=shares))))
    first = " ".join(made.pages[0].extract_text().split())
    assert "Credits in further currencies are in" in first
    assert "KWD, USD" in first


@pytest.mark.parametrize("reasons", [1, 3, 5, 7, 9])
@pytest.mark.parametrize("long", [1, 8])
def test_page_one_leaves_nothing_out_without_saying_so(
    contents: ReviewContents, reasons: int, long: int
) -> None:
    why = tuple(
        Reason(f"R-{n}", f"Found {n}: " + "and more of it " * long, "MLRO", "edd") for n in range(reasons)
    )
    made = render_review_pdf(replace(contents, reasons=why, unknowns=()))
    first = " ".join(PdfReader(BytesIO(made)).pages[0].extract_text().split())
    shown = [one for one in why if f"{one.label} · Enhanced" in first]
    assert shown
    assert all(squeezed(one.text) in squeezed(first) for one in shown)
    left = reasons - len(shown)
    reason = "reason" if left == 1 else "reasons"
    assert (f"{left} more {reason} (Enhanced due diligence): page 2" in first) == bool(left)
    assert all(squeezed(line.text)[:30] in squeezed(first) for line in contents.missing) or re.search(
        "[0-9]+ further gaps? in “What this pack", first
    )
    assert "Credits by month" in first


def test_page_one_says_how_many_people_decide_however_long_the_first_step_is(
    contents: ReviewContents,
) -> None:
    by_two = "An approval or a rejection takes two people, one of them the MLRO, because it ends the hold."
    long = "1. MLRO: hold the case; " + "establish the background and purpose of a payment; " * 20
    to_do = replace(contents.to_do, steps=(long, "2. MLRO: record the decision."), people=by_two)
    made = render_review_pdf(replace(contents, to_do=to_do))
    assert by_two in " ".join(PdfReader(BytesIO(made)).pages[0].extract_text().split())


def test_each_further_reason_on_page_one_is_a_sentence_with_its_value_and_evidence(
    contents: ReviewContents,
) -> None:
    """Codes of rules say nothing to a reader."""
    long = "and a name of a reason that is as long as in the policy: 1,234.56 GBP"
    asked = (Task("look at it"),)
    why = tuple(Reason(f"R-{n}", f"Found {n} {long} (E-0{n})", "MLRO", "edd", tasks=asked) for n in range(9))
    made = render_review_pdf(
        replace(
            contents,
            reasons=why,
            unknowns=(),
            to_do=to_do_of(
                None,
                (),
                why,
                (),
                Terms(needed_of_file="get the customer's risk file from the department that keeps it"),
            ),
            shares=contents.shares[:1],
            incomplete="",
        )
    )
    first = " ".join(PdfReader(BytesIO(made)).pages[0].extract_text().split())
    for one in why:
        assert re.search(rf"{one.rule_id} (· )?Enhanced due diligence", first)
        assert one.text in first
    assert " more reason" not in first


def test_the_chart_of_page_one_has_no_names_and_stands_beside_the_bar(
    contents: ReviewContents, pages: list[str]
) -> None:
    assert contents.months is not None
    two = chart_months([Series("A", {(2026, 1): 5}), Series("B", {(2026, 1): 5})], "GBP", is_strip=True)
    (fill,) = {mark.fill for mark in two.marks if isinstance(mark, Box)}
    assert fill == NATURE_FILLS[KNOWN][0]  # as in the bar beside it, where a nature has one colour
    assert not [mark for mark in contents.months.marks if isinstance(mark, Label) and not mark.scale]
    assert max(mark.x + mark.width for mark in contents.months.marks if isinstance(mark, Box)) <= STRIP_WIDTH
    assert contents.months.width == STRIP_WIDTH < TEXT_WIDTH / 1.8
    for said in ("Credits by month, GBP", "Coloured by nature, as the bar", PART_MONTH):
        assert said in pages[0]


@pytest.mark.parametrize("months", [1, 6, 24, 60])
def test_the_months_below_the_small_chart_do_not_run_into_each_other(months: int) -> None:
    by_month = {(2020 + place // 12, place % 12 + 1): 1_00 for place in range(months)}
    ends = frozenset({min(by_month), max(by_month)})
    drawn = chart_months([Series("A", by_month)], "GBP", part_months=ends, is_strip=True)
    marks = [mark for mark in drawn.marks if isinstance(mark, Label) and " " in mark.text]
    half = [width_of(runs(mark.text, Face.SANS), mark.size) * POINT / 2 for mark in marks]
    reached = [(mark.x - wide, mark.x + wide) for mark, wide in zip(marks, half, strict=True)]
    assert all(left[1] < right[0] for left, right in pairwise(reached))


def test_nothing_is_set_below_the_foot_of_page_one_however_much_there_is_to_say(
    contents: ReviewContents, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = "word " * 200
    decided = replace(DECISION, text=long, second_text=long, standing=long)
    why = [Reason(f"R-{n}", f"Found {n}: {long} (E-03)", "MLRO", "edd", "hold") for n in range(9)]
    full = replace(
        contents,
        headline=long,
        case=replace(contents.case, record=CaseRecord(decided)),
        shares=tuple(replace(contents.shares[0], currency=code) for code in ("GBP", "EUR", "USD")),
        reasons=tuple(why),
    )
    set_at: list[float] = []
    put = Sheet.put

    def _noted(sheet: Sheet, x: float, baseline: float, text: Any, **more: Any) -> float:
        set_at.append(baseline)
        return put(sheet, x, baseline, text, **more)

    def _unnoted(sheet: Sheet, setting: Callable[[], object]) -> float:
        count = len(set_at)
        taken = taken_by(sheet, setting)
        del set_at[count:]
        return taken

    taken_by = Sheet.taken_by
    monkeypatch.setattr(Sheet, "put", _noted)
    monkeypatch.setattr(Sheet, "taken_by", _unnoted)
    monkeypatch.setattr(Sheet, "finish", lambda _: b"")
    render_review_pdf(full)
    # What the codes mean stands in the room between the content and the foot.
    below = [place for place in set_at if place > PAGE_HEIGHT - BOTTOM]
    assert len(set(below)) == 2  # the codes, and what explains words
    assert all(PAGE_HEIGHT - BOTTOM + 2.0 < place < FOOT for place in below)


def test_what_is_not_known_stands_against_approval_in_the_page_too(contents: ReviewContents) -> None:
    unknown = Unknown("The session has no results", ("A", "B"), "edd", "MLRO", (), ("E-02",))
    page = render_summary_html(replace(contents, reasons=(), unknowns=(unknown,)))
    assert unknown.cause in page
    assert not any(said in page for said in contents.without_reasons)
    softer = Reason("SES-3", "The identity step was not finished (E-02)", "Analyst", "review")
    page = render_summary_html(replace(contents, reasons=(softer,), unknowns=(unknown,)))
    page = page.partition(">Why</h3>")[2]
    assert page.index(unknown.cause) < page.index("The identity step was not finished")


def test_where_no_credits_were_seen_the_page_says_why_it_has_no_chart(contents: ReviewContents) -> None:
    without = replace(contents, shares=(), months=None)
    page = PdfReader(BytesIO(render_review_pdf(without))).pages[0].extract_text()
    for shown in (" ".join(page.split()), render_summary_html(without)):
        assert "no nature is known, and there is no chart of credits by month" in shown


def test_only_shares_that_are_printed_have_an_origin(contents: ReviewContents) -> None:
    (share,) = contents.shares
    given = replace(share, natures={**dict.fromkeys(share.natures, 0), IRREGULAR: 100}, least={})
    shown = [cell.text for cell in given.cells if cell.text.endswith("%")]
    assert shown == [given.known_percent, "100.0%"]
    assert [words for words, _ in given.legend] == ["100.0% irregular, nature not established"]


def test_the_page_names_who_has_to_look_at_each_reason_and_what_to_do_as_the_pdf_does(
    contents: ReviewContents,
) -> None:
    page = unescape(re.sub("<[^>]*>", "", render_summary_html(contents)))
    for one in (*matters_of(contents.reasons), *contents.unknowns):
        about = " · ".join(part for part in one.about if part)
        assert about
        level = level_cell(one.level).text
        assert f"{one.label} · {level} · {about}: {one.text}" in page


def test_the_legend_of_page_one_names_no_part_that_is_empty(contents: ReviewContents) -> None:
    share = replace(contents.shares[0], natures=dict.fromkeys(contents.shares[0].natures, 0) | {KNOWN: 1_00})
    made = replace(contents, shares=(share,))
    first = " ".join(PdfReader(BytesIO(render_review_pdf(made))).pages[0].extract_text().split())
    for page in (first, render_summary_html(made)):
        assert "100.0% nature known" in page
        assert "0.0% regular" not in page


@pytest.mark.parametrize("decided", [False, True])
def test_the_codes_of_page_one_are_explained_on_it_in_the_same_words_in_every_pack(
    specimen: Evidence, *, decided: bool
) -> None:
    record = CaseRecord(DECISION) if decided else None
    made = build_contents(replace(inputs_of(specimen), case=CasePeople("case-1", record=record)))
    first = " ".join(PdfReader(BytesIO(render_review_pdf(made))).pages[0].extract_text().split())
    said = (
        "Codes: E, M, R evidence (“Evidence index”); F findings, numbered by a decision, and codes such as SES-2 rules "
        "(“Findings”); S, A, P sessions, accounts, payments (“The customer”)."
    )
    assert said in first
    assert said in unescape(re.sub("<[^>]*>", "", render_summary_html(made)))
    assert {"Evidence index", "Findings", "The customer"} <= {section.title for section in made.sections}


def test_page_one_says_once_which_words_are_the_provider_s_own_and_what_a_mark_stands_for(
    contents: ReviewContents,
) -> None:
    said = "Document rejected: data integrity 'attention' (E-03)"
    results = Reason("OUT-document", said, "Analyst", "reject", path="document.outcome")
    check = replace(results, rule_id="DOC-2", text="Data integrity: 'attention' or 'consider' (E-03)")
    names = Reason(
        "CON-1",
        "“Bishop's and smith's”, “\u202egnihton” (E-01)",
        "Analyst",
        "review",
        path="consistency.name",
    )
    explained = "'attention' is a word of the provider that its interface does not define."
    mark = "<U+202E> is a control character, shown by the code point."
    for reasons, present in (((results, check), [explained]), ((names,), [mark]), ((), [])):
        made = replace(contents, reasons=reasons, unknowns=())
        first = " ".join(PdfReader(BytesIO(render_review_pdf(made))).pages[0].extract_text().split())
        for page in (first, unescape(re.sub("<[^>]*>", "", render_summary_html(made)))):
            assert [one for one in (explained, mark) if one in page] == present
            assert page.count("is a word of the provider") == present.count(explained)


def test_the_word_consider_of_the_provider_is_explained_where_it_is_shown_and_nowhere_else() -> None:
    explained = "“Consider” is the provider's word for possible issues."
    clear = contents_of(clear_customer())
    assert explained not in codes_words(clear)
    shown = replace(clear, strip=(("Address", Cell("Consider, 1 check not evaluated")),) * 6)
    assert explained in codes_words(shown)
    first = PdfReader(BytesIO(render_review_pdf(shown))).pages[0].extract_text()
    assert explained in " ".join(first.split())
    results = copy.deepcopy(RESULTS)
    results["screening"] |= {"outcome": "consider", "matchCount": 2}
    made = contents_of(clear_customer(results))
    assert "Consider" in words_of(made.section("results"))
    assert explained in words_of(made.section("results"))
    assert explained not in words_of(clear.section("results"))
    on_page = any(cell.text.startswith("Consider") for _, cell in made.strip)
    assert (explained in codes_words(made)) == on_page


def test_the_scale_of_the_levels_stands_beside_the_recommended_one(contents: ReviewContents) -> None:
    said = "Levels: approve, manual review, enhanced due diligence, escalate, reject"
    first = " ".join(PdfReader(BytesIO(render_review_pdf(contents))).pages[0].extract_text().split())
    assert said in first
    assert said in render_summary_html(contents)


@pytest.mark.parametrize("count", [1, 5, 40])
def test_of_a_text_that_is_cut_the_evidence_stays_however_many_ids_there_are(count: int) -> None:
    cited = ", ".join(f"E-{2 * number:02d}" for number in range(1, count + 1))
    line = pdf_reasons._cut(f"{'word ' * 60}({cited})", Face.SANS, 8.0, 300.0)
    said = "".join(run.text for run in line)
    assert width_of(line, 8.0) <= 300.0
    assert said.endswith("…" if count == 40 else f"… ({cited})")


def test_each_detail_of_the_person_gives_its_evidence_and_a_licence_gives_no_nationality() -> None:
    made = contents_of(clear_customer())
    assert [label for label, _ in made.person] == [
        "Born (E-01)",
        "Nationality (E-03)",
        "Address (E-01)",
        "Document (E-03)",
    ]
    assert made.person[1][1].text == "United Kingdom (GB)"
    licence = contents_of(clear_customer(changed("document.document.documentType", "driving_licence")))
    assert licence.person[1][1].text == "United Kingdom (GB), as the provider gives it"
    page = PdfReader(BytesIO(render_review_pdf(made))).pages[0].extract_text()
    for label, _ in made.person:
        assert label in page
    set_ = " ".join(PdfReader(BytesIO(render_review_pdf(licence))).pages[0].extract_text().split())
    assert "as the provider gives it" in set_


def test_a_postcode_is_not_broken() -> None:
    for number in range(20):
        street = "1 " + "W" * number + "High Street"
        record = RECORD | {"address": RECORD["address"] | {"addressLine1": street, "postalCode": "LS11 9AU"}}
        page = PdfReader(BytesIO(render_review_pdf(contents_of(clear_customer(record=record))))).pages[0]
        assert "LS11 9AU" in page.extract_text()
