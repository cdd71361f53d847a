"""The annex of clear checks: what was seen, and what does not count as clear."""

from __future__ import annotations

import re

import pandas as pd
import pytest
from tests.render.annex_rows import seen_beside
from tests.render.specimen_review import words_of

from kycpack.render import ReviewContents
from kycpack.render.document_parts import Cell, Paragraph, Subheading, Table
from kycpack.render.origin import Given
from kycpack.render.palette import Tone
from kycpack.render.review.check_counts import count_cell
from kycpack.render.review.clear_annex import clear_section
from kycpack.render.review.clear_checks import WithoutObjection, skipped_paragraph, without_objection
from kycpack.render.review.findings import findings_section
from kycpack.render.review.same_matter import Opposition, questions_of_rules
from kycpack.render.review.short_names import ShortNames
from kycpack.triage import load_policy
from kycpack.triage.judge.findings import Finding, findings_frame
from kycpack.triage.observations.consistency import consistency_frame
from kycpack.wealth.judge.support import SHOWN_BY_SENDER

NOTHING_COMPARED = consistency_frame([])


def test_the_annex_says_of_every_check_what_was_seen(contents: ReviewContents) -> None:
    unseen = "no such category in the results, so it is not known whether it was searched"
    assert seen_beside(contents, "Other watchlists") == unseen
    unknown = "not known: no customer risk file was given"
    assert seen_beside(contents, "PEP in the firm's file") == unknown
    forged = "in S1: nothing in the results suggests one; for S2 see “Findings”"
    assert seen_beside(contents, "Forged or stolen document") == forged
    assert "–" not in words_of(contents.section("clear"))


CLEAR_ONES, OTHERS = 0, 1


def annex(found: list[Finding], consistency: pd.DataFrame | None = None) -> dict[str, tuple[int, str, Tone]]:
    """Return, for each check of the annex, which table it is in, the words beside it and their tone."""
    rows = NOTHING_COMPARED if consistency is None else consistency
    blocks = clear_section(
        without_objection(findings_frame(found), ShortNames(()), rows, {}), Cell("")
    ).blocks
    tables = [block for block in blocks if isinstance(block, Table)]
    return {
        row[at].text: (place, row[at + 1].text, row[at + 1].tone)
        for place, shown in enumerate(tables)
        for row in shown.rows
        for at in range(0, len(row), 2)
        if row[at].text
    }


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        ("missing", (OTHERS, "nothing to compare: record with bank account", Tone.UNKNOWN)),
        ("equal", (CLEAR_ONES, "no difference seen that needs a look", Tone.GOOD)),
        (None, (OTHERS, "nothing to compare: record with bank account", Tone.UNKNOWN)),
    ],
)
def test_the_annex_says_of_a_comparison_without_two_values_that_nothing_was_compared(
    verdict: str | None, expected: tuple[int, str, Tone]
) -> None:
    row = {"field": "name", "left": "record", "right": "bank account a1", "verdict": verdict}
    compared = pd.DataFrame([row] if verdict else [], columns=NOTHING_COMPARED.columns)
    assert annex([_found("consistency.name.likeness.record.bank")], compared)["How alike"] == expected


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("wealth.payment_support", None, "no payment to look at"),
        ("diligence.completion", "open", "open"),
        ("diligence.completion", None, "nothing to look at"),
        ("risk.pep", None, "not known: the customer risk file does not say"),
        (
            "screening.summary.watchlist.*",
            None,
            "no such category in the results, so it is not known whether it was searched",
        ),
        ("session.times", None, "nothing to look at"),
        ("plausible.unnamed_matches", None, "no match beyond those of a category or listed one by one"),
        ("requested.bank", "not_ordered", "not ordered"),
        ("diligence.bank", "not_required", "not required"),
        ("bank.expected", "false", "no account is linked, and no bank access was ordered"),
        ("triage.level", "review", "not required"),
    ],
)
def test_a_check_with_nothing_to_look_at_is_not_among_the_clear_ones(
    path: str, value: str | None, words: str
) -> None:
    assert annex([_found(path, value)])["How alike"] == (OTHERS, words, Tone.UNKNOWN)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("wealth.payment_support", "supported"),
        ("diligence.completion", "complete"),
        ("requested.bank", "answered"),
        ("gaps.register.same_person", None),
        ("risk.pep", "none"),
        ("document.**", None),
        ("wealth.flags.*", None),
        ("wealth.linked_twice", None),
        ("wealth.silent_account", None),
    ],
)
def test_a_check_that_looked_and_found_nothing_against_approval_is_clear(
    path: str, value: str | None
) -> None:
    place, _, tone = annex([_found(path, value)])["How alike"]
    assert (place, tone) == (CLEAR_ONES, Tone.GOOD)


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("diligence.bank", "not_required", "not known: the firm gave no level of due diligence"),
        (
            "triage.level",
            "review",
            "not looked at: no finding calls for enhanced due diligence, and the firm gave no level",
        ),
        ("risk.pep", None, "not known: no customer risk file was given"),
    ],
)
def test_what_the_firm_s_file_would_say_is_not_known_if_there_is_none(
    path: str, value: str | None, words: str
) -> None:
    checks = without_objection(
        findings_frame([_found(path, value)]), ShortNames(()), NOTHING_COMPARED, {}, level_given=False
    )
    ((_, why),) = checks.skipped
    assert why.text == words
    skipped = skipped_paragraph(checks)
    assert skipped is not None
    assert skipped.text.endswith(f"{words[0].upper()}{words[1:]} (How alike).")


def test_a_difference_without_objection_is_called_one_with_the_compared_values() -> None:
    row = {
        "field": "address",
        "left": "record",
        "right": "address",
        "verdict": "similar",
        "kinds": "number_missing",
        "reason": "only one has a flat",
        "left_value": "Flat 4, 12 High Street, Leeds",
        "right_value": "12 High Street, Leeds",
    }
    path = "consistency.address.likeness.record.address"
    place, words, tone = annex([_found(path, "number_missing")], pd.DataFrame([row]))["How alike"]
    assert (place, tone) == (CLEAR_ONES, Tone.QUIET)
    assert words == (
        "clear, with a difference that the policy accepts: only one has a flat: "
        "“Flat 4, 12 High Street, Leeds” on the record, “12 High Street, Leeds” on the proof of address"
    )
    seen = annex([_found("consistency.address.record.address", "similar")], pd.DataFrame([row]))
    assert seen["How alike"][:2] == (CLEAR_ONES, "similar, not equal")


@pytest.mark.parametrize(
    ("path", "hit", "place", "words"),
    [
        (
            "consistency.name.likeness.record.bank",
            "consistency.name.document.bank",
            OTHERS,
            "the name does not match, which is more than a small difference (see “Findings”)",
        ),
        (
            "consistency.name.likeness.record.document",
            "consistency.name.record.document",
            OTHERS,
            "the name does not match, which is more than a small difference (see “Findings”)",
        ),
        (
            "gaps.*.wrong_subject",
            "consistency.name.record.bank",
            OTHERS,
            "none by the ids of the answers, but the name does not match (see “Findings”)",
        ),
        (
            "gaps.*.wrong_subject",
            "consistency.date_of_birth.record.document",
            OTHERS,
            "none by the ids of the answers, but the date of birth does not match (see “Findings”)",
        ),
        (
            "consistency.name.likeness.record.document",
            "consistency.name.record.bank",
            CLEAR_ONES,
            "no difference seen that needs a look",
        ),
        (
            "gaps.*.wrong_subject",
            "consistency.town.record.statement",
            CLEAR_ONES,
            "no difference seen that needs a look",
        ),
    ],
)
def test_nothing_reads_as_clear_of_a_detail_that_is_of_somebody_else(
    path: str, hit: str, place: int, words: str
) -> None:
    _, _, *about = path.split(".")
    left, right = about[-2:] if "likeness" in path else ("record", "bank")
    rows = [{"field": "name", "left": left, "right": right, "verdict": "different"}]
    compared = pd.DataFrame(rows, columns=NOTHING_COMPARED.columns)
    found = _found(hit, "different")._replace(outcome="HIT", rule_id="X-2", title="Whose it is")
    seen = annex([_found(path), found], compared)["How alike"]
    assert seen[:2] == (place, words)
    assert (seen[2] == Tone.GOOD) == (place == CLEAR_ONES)


def test_a_value_that_another_rule_raises_does_not_stand_among_the_clear_ones() -> None:
    hit = _found("screening.matchCount", "3")._replace(outcome="HIT", rule_id="X-2", title="Matches")
    seen = annex([_found("screening.matchCount", "3"), hit])
    assert list(seen) == ["How alike"]
    _, words, tone = seen["How alike"]
    assert words == "no difference seen that needs a look, but see Matches (X-2) in “Findings”"
    assert tone is not Tone.GOOD
    assert annex([_found("screening.matchCount", "0")])["How alike"] == (CLEAR_ONES, "0", Tone.GOOD)


def test_the_age_of_a_proof_of_address_without_a_date_is_not_counted_as_clear() -> None:
    age = annex([_found("address.contentAnalysis.documentAgeOutcome", "clear")])["How alike"]
    words = "the provider says clear; the date of the document is not in the results"
    assert age == (CLEAR_ONES + 1, words, Tone.WATCH)


def test_the_checks_that_are_counted_as_clear_are_those_with_nothing_against_them() -> None:
    clear = _found("session.times")
    hit = _found("x.y", "1")._replace(outcome="HIT", rule_id="X-2", title="Matches")
    objections = [hit, _found("a.b", "1")._replace(outcome="UNKNOWN", title="Unknown check", session_id="S2")]
    found = [
        *(clear._replace(title=f"Check {number}", path=f"document.{number}.**") for number in range(3)),
        *(clear._replace(title=f"Empty {number}", outcome="NOT_APPLICABLE") for number in range(2)),
        clear._replace(title="Unknown check", path="a.b", value="2", session_id="S1"),
        _found("x.y", "1")._replace(title="Validity of the matches"),
        _found("z.z", "0")._replace(title="Of a replaced session", session_id="S0", superseded_by="S1"),
        *objections,
    ]
    frame = findings_frame(found)
    checks = without_objection(frame, ShortNames(()), NOTHING_COMPARED, {})
    assert [len(part) for part in checks] == [3, 2, 2]
    assert all(seen.tone == Tone.GOOD for _, seen in checks.clear)
    said = findings_section(frame, [], [], count_cell(checks, {"Unknown check"}, frame)).blocks[0]
    assert isinstance(said, Paragraph)
    assert said.text.startswith(
        "1 finding. 8 checks, counted once for all sessions: 1 has a finding, 1 could not be evaluated, "
        "3 are clear, 1 is not counted as clear and 2 had nothing to look at."
    )


def test_a_check_with_a_finding_counts_as_one_whatever_else_it_shows() -> None:
    clear = _found("session.times")._replace(title="In two sessions", session_id="S1")
    name = _found("consistency.name.record.statement")._replace(rule_id="X-3")
    found = [
        clear,
        clear._replace(outcome="HIT", session_id="S2"),
        name._replace(title="One pair of names", outcome="UNKNOWN"),
        name._replace(title="Names", outcome="HIT", path="consistency.name.document.statement"),
        _found("a.b", "1")._replace(title="Not known", outcome="UNKNOWN"),
        _found("a.c", "1")._replace(title="Fine"),
    ]
    frame = findings_frame(found)
    checks = without_objection(frame, ShortNames(()), NOTHING_COMPARED, {})
    said = count_cell(checks, {"One pair of names", "Not known"}, frame)
    assert said.text == (
        "2 findings (counted separately for each session). 4 checks, counted once for all sessions: 2 have findings, "
        "2 could not be evaluated (1 of which also has a finding) and 1 is clear."
    )
    assert len(said.origins) == 6  # one for each number


def test_a_check_that_had_nothing_to_look_at_in_one_of_two_sessions_counts_once() -> None:
    clear = _found("document.outcome", "clear")._replace(session_id="S1")
    found = [
        clear,
        clear._replace(
            outcome="NOT_APPLICABLE", session_id="S2", value=None, sentence="How alike: not ordered"
        ),
    ]
    checks = without_objection(findings_frame(found), ShortNames(()), NOTHING_COMPARED, {})
    assert [len(part) for part in checks] == [1, 0, 0]
    ((_, seen),) = checks.clear
    assert seen.text == "clear, in S2: not ordered"
    said = count_cell(checks, set(), findings_frame(found)).text
    assert said.endswith(" 1 check, counted once for all sessions: 1 is clear.")


@pytest.mark.parametrize("seen", [True, False])
def test_no_register_is_said_to_have_been_searched_for_a_document_that_was_not_seen(*, seen: bool) -> None:
    shared = _found("gaps.register.document_shared")._replace(sentence="How alike: none recorded")
    checks = without_objection(
        findings_frame([shared]), ShortNames(()), NOTHING_COMPARED, {}, document_seen=seen
    )
    ((_, said),) = checks.clear if seen else checks.skipped
    assert said.text == ("none recorded" if seen else "no identity document was seen")


def test_a_check_whose_value_another_rule_objects_to_is_not_said_to_have_had_nothing_to_look_at() -> None:
    clear = _found("diligence.completion", "open")._replace(
        sentence="Completion: a session is complete, or still open"
    )
    hit = clear._replace(outcome="HIT", rule_id="X-2", title="Sessions that wait")
    checks = without_objection(findings_frame([clear, hit]), ShortNames(()), NOTHING_COMPARED, {})
    assert [len(part) for part in checks] == [0, 1, 0]
    assert checks.beside[0][1].text == (
        "not complete: a session is still open, but see Sessions that wait (X-2) in “Findings”"
    )


def test_a_check_that_only_looks_for_unlisted_values_is_not_clear_beside_an_objection_to_the_value() -> None:
    clear = _found("document.outcome", "attention")._replace(rule_id="RES-2", title="Unlisted results")
    hit = clear._replace(outcome="HIT", rule_id="DOC-1", title="Document")
    opposition = Opposition(questions=questions_of_rules(load_policy(None).rules))
    checks = without_objection(findings_frame([clear, hit]), ShortNames(()), NOTHING_COMPARED, {}, opposition)
    assert [len(part) for part in checks] == [0, 1, 0]
    assert checks.beside[0][1].text.endswith("(the value itself is in “Findings”)")


def _found(path: str, value: str | None = None) -> Finding:
    return Finding(
        customer_id="C-1", session_id=None, rule_id="X-1", outcome="CLEAR", level="review", owner="Analyst", action="ask", internal=False,
        title="How alike", reason="", sentence="Names: no difference seen that needs a look", cause="", basis="", path=path, value=value,
        evidence_ids=(), superseded_by=None,
    )  # fmt: skip


def test_a_source_of_wealth_that_only_the_senders_words_show_is_not_among_the_checks_that_are_clear() -> None:
    source = _found("wealth.source_found", "true")
    for shown, place in ((SHOWN_BY_SENDER, OTHERS), ("the bank's code", CLEAR_ONES)):
        sentence = f"Source of wealth: the largest source is employment, shown by {shown}"
        at, words, _ = annex([source._replace(sentence=sentence)])["How alike"]
        is_open = words.startswith(
            "not clear: it rests on the sender's words alone, so documents have to be seen"
        )
        assert is_open == (shown == SHOWN_BY_SENDER)
        assert at == place


def test_the_annex_says_of_a_country_and_of_days_why_they_are_clear(contents: ReviewContents) -> None:
    assert (
        seen_beside(contents, "Residence in a call-for-action country")
        == "United Kingdom (GB): not in a call-for-action country"
    )
    said = "in S1: [0-9,]+ days \\(rule: valid for 30 days or more\\); for S2 see “Findings”"
    assert re.fullmatch(said, seen_beside(contents, "Document expiry"))


def test_the_timeline_is_not_said_to_list_checks_only(contents: ReviewContents) -> None:
    said = [block.text for block in contents.section("results").blocks if isinstance(block, Subheading)]
    assert said[-1] == "Timeline of sessions, payments and bank data"


def test_every_check_is_said_to_be_evaluated_only_where_all_had_something_to_look_at(
    contents: ReviewContents,
) -> None:
    found = findings_frame([])
    assert skipped_paragraph(without_objection(found, ShortNames(()), NOTHING_COMPARED, {})) is None
    assert findings_section(found, [], [], Cell("")).blocks[-1].empty == "Every check could be evaluated."
    flags = Finding(
        customer_id="c", session_id=None, rule_id="WLT-1", outcome="NOT_APPLICABLE", level="approve", owner="MLRO", action="",
        internal=False, title="Red flags in the bank data", reason="", cause="", basis="", path="wealth.flags.*", value=None,
        sentence="Red flags in the bank data: not looked at, because no bank data was asked for", evidence_ids=("E-01",),
    )  # fmt: skip
    skipped = skipped_paragraph(
        without_objection(findings_frame([flags]), ShortNames(()), NOTHING_COMPARED, {})
    )
    assert skipped is not None
    section = findings_section(findings_frame([flags]), [], [], Cell(""), skipped=skipped)
    said = words_of(section)
    assert section.blocks[-2].empty == "Every check that had something to look at could be evaluated."
    assert "Not looked at, because no bank data was asked for: Red flags in the bank data." in said


def test_no_sign_of_forgery_is_not_clear_beside_a_document_with_an_objection() -> None:
    rejected = _found("document.outcome", "rejected")._replace(outcome="HIT", rule_id="X-2", title="Document")
    place, words, _ = annex([_found("document.**"), rejected])["How alike"]
    assert place == OTHERS
    assert words.endswith("but see Document (X-2) in “Findings”")
    assert annex([_found("document.**")])["How alike"][0] == CLEAR_ONES


def test_checks_of_which_the_same_is_seen_share_a_row_of_what_is_not_counted_as_clear() -> None:
    origin, other = Given("a number"), Given("another number")
    beside = [
        (Cell("Sanctions lists", origins=(origin,)), Cell("false positive by the verdict (F-3)")),
        (Cell("Address check"), Cell("not confirmed")),
        (Cell("PEP level 1", origins=(other,)), Cell("false positive by the verdict (F-3)")),
    ]
    blocks = clear_section(WithoutObjection([], beside, []), Cell("")).blocks
    *_, shown = (block for block in blocks if isinstance(block, Table))
    assert [[cell.text for cell in row] for row in shown.rows] == [
        ["Sanctions lists; PEP level 1", "false positive by the verdict (F-3)"],
        ["Address check", "not confirmed"],
    ]
    assert shown.rows[0][0].origins == (origin, other)
