"""The sections behind page one name every check, figure and gap."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pandas as pd
import pytest
from tests.frames.evidence_maker import clear_customer
from tests.render.specimen_review import AS_OF, contents_of, only, words_of

from kycpack.evidence import Evidence
from kycpack.frames import flatten
from kycpack.pack.check.printed_values import html_text
from kycpack.render import ReviewContents
from kycpack.render.document_parts import Cell, Paragraph, Subheading, Table
from kycpack.render.html_sections import linked
from kycpack.render.palette import Tone
from kycpack.render.review.bank_limits import _counted_twice, limits_of
from kycpack.render.review.check_counts import count_cell
from kycpack.render.review.clear_annex import clear_section
from kycpack.render.review.clear_checks import skipped_paragraph, without_objection
from kycpack.render.review.consistency import consistency_section
from kycpack.render.review.credit_sources import _total_words, months_of, sections
from kycpack.render.review.findings import findings_section
from kycpack.render.review.gaps import limits_section, with_unprintable
from kycpack.render.review.outlook import outlook_blocks
from kycpack.render.review.same_matter import Opposition, questions_of_rules
from kycpack.render.review.short_names import ShortNames
from kycpack.render.style import NOTEBOOK_STYLE
from kycpack.triage import load_policy
from kycpack.triage.judge.findings import Finding, findings_frame
from kycpack.triage.observations.consistency import consistency_frame
from kycpack.wealth import derive
from kycpack.wealth.judge.support import SHOWN_BY_SENDER

NOTHING_COMPARED = consistency_frame([])


def test_what_cannot_be_shown_has_a_section_with_refusals_and_timeouts(pages: list[str]) -> None:
    text = " ".join(pages)
    assert "What this pack cannot show" in text
    assert "refused with status 403" in text
    assert "did not arrive in time" in text
    assert "Accounts that the customer did not link cannot be seen." in text


def test_a_session_without_results_stands_in_the_outcomes(contents: ReviewContents) -> None:
    for key in ("results", "screening"):
        rows = [row for block in contents.section(key).blocks for row in getattr(block, "rows", ())]
        assert any(row[0].text == "S2" and row[1].text == "No result" for row in rows)


def test_every_entry_of_the_evidence_is_in_the_index_with_its_hash(
    pages: list[str], specimen: Evidence
) -> None:
    text = "".join(" ".join(pages).split())
    for entry in specimen.entries:
        assert entry.id in text
        assert entry.sha256 is None or entry.sha256 in text


def test_each_figure_of_the_ledger_is_printed_to_the_penny(
    pages: list[str], contents: ReviewContents
) -> None:
    text = " ".join(pages)
    share = contents.shares[0]
    assert share.total_minor == sum(share.natures.values())
    assert share.natures["known"] == sum(share.evidence.values())
    for minor in (share.total_minor, share.own_transfer_minor):
        assert f"{minor // 100:,}.{minor % 100:02d} GBP" in text
    for percent, (words, minor, _) in zip(share.percents.values(), share.parts, strict=True):
        assert (f"{percent} {words}" in text) == bool(minor)


def test_limits_of_the_bank_data_are_told_as_of_the_date(specimen: Evidence) -> None:
    late = contents_of(specimen, as_of=datetime(2026, 12, 1, tzinfo=UTC))
    text = " ".join(
        cell.text for b in late.section("limits").blocks for row in getattr(b, "rows", ()) for cell in row
    )
    assert "Access to account **-**-27 ****4471 expired on 18 Sep 2026." in text
    assert "No transactions of account **-**-27 ****4471 were seen after 23 Jun 2026" in text


def limits_without(specimen: Evidence, account: str, months: set[str]) -> list[str]:
    """Return what the limits say when an account has no transactions in some months."""
    frames = flatten(specimen)
    booked = frames.transactions["booked_on"].dt.strftime("%Y-%m")
    gone = booked.isin(months) & (frames.transactions["account_id"].astype("string") == account)
    left = replace(frames, transactions=frames.transactions[~gone])
    credits_ = derive(left.transactions, as_of=AS_OF).credits
    return list(limits_of(specimen, left, credits_, AS_OF)["message"])


def test_months_without_transactions_are_named_with_the_account(specimen: Evidence) -> None:
    said = "No transactions of account **-**-27 ****4471 were seen in 2 months of the period that its data covers: Jul 2025 to Aug 2025 (E-11, E-12)."
    assert said in limits_without(specimen, "acc_main", {"2025-07", "2025-08"})


def test_each_limit_cites_what_shows_it(specimen: Evidence) -> None:
    limits = contents_of(specimen, as_of=datetime(2026, 12, 1, tzinfo=UTC)).tables["limits"]
    cited = {(row.code, row.subject): (row.evidence_id, row.message) for row in limits.itertuples()}
    assert cited["access_expired", "acc_main"][0] == "E-09"
    entry, message = cited["silent", "acc_main"]
    assert entry == "E-11"
    assert message.endswith("(E-11, E-12).")
    entry, message = cited["silent", "acc_save"]
    assert entry == "E-14"
    assert "E-" not in message
    frames = flatten(specimen)
    of_main = frames.transactions["account_id"].astype("string") == "acc_main"
    left = replace(frames, transactions=frames.transactions[~of_main])
    credits_ = derive(left.transactions, as_of=AS_OF).credits
    empty = limits_of(specimen, left, credits_, AS_OF)
    assert empty.loc[empty["code"] == "no_transactions", "evidence_id"].tolist() == ["E-11"]


def test_a_limit_that_was_read_from_no_entry_has_an_empty_one(specimen: Evidence) -> None:
    frames = flatten(specimen)
    limits = limits_of(specimen, frames, derive(frames.transactions, as_of=AS_OF).credits, AS_OF)
    found = with_unprintable(limits, "C-1", ("U+A9B2 JAVANESE LETTER HA",))
    assert found["evidence_id"].tolist()[-1] == ""
    assert found["evidence_id"].notna().all()


def test_accounts_with_the_same_visible_number_are_told_apart(specimen: Evidence) -> None:
    frames = flatten(specimen)
    numbers = frames.accounts.assign(sort_code="**-**-27", account_number="****4471")
    alike = replace(frames, accounts=numbers)
    credits_ = derive(alike.transactions, as_of=AS_OF).credits
    said = limits_of(specimen, alike, credits_, datetime(2026, 12, 1, tzinfo=UTC))
    named = said[said["message"].str.contains(r"\*\*-", regex=True)]
    assert len(named)
    for row in named.itertuples():
        assert f"account **-**-27 ****4471 ({row.subject})" in row.message


def test_all_missing_months_of_a_quarterly_account_are_one_sentence(specimen: Evidence) -> None:
    quarters = {"2025-01", "2025-04", "2025-07", "2025-10", "2026-01", "2026-04", "2026-06"}
    every = {f"{year}-{month:02d}" for year in (2025, 2026) for month in range(1, 13)}
    about = [line for line in limits_without(specimen, "acc_save", every - quarters) if "****9020" in line]
    (sentence,) = (line for line in about if "of the period that its data covers" in line)
    assert sentence.startswith("No transactions of account **-**-27 ****9020 were seen in 11 months of")
    assert sentence.endswith(
        "Feb 2025 to Mar 2025, May 2025 to Jun 2025, Aug 2025 to Sep 2025, Nov 2025 to Dec 2025, Feb 2026 to Mar 2026, "
        "May 2026."
    )


def test_of_very_many_gaps_the_first_are_printed_and_all_are_counted(specimen: Evidence) -> None:
    gaps = pd.DataFrame(
        {
            "area": ["bank"] * 500,
            "code": ["transaction_misfit"] * 500,
            "message": [f"transaction {number} of page E-11: it has no currency" for number in range(500)],
            "subject": ["acc_main"] * 500,
            "evidence_id": ["E-11"] * 500,
            "cause": [""] * 500,
            "part": [""] * 500,
        }
    )
    section = limits_section(gaps, ShortNames(()))
    rows = [row for block in section.blocks for row in getattr(block, "rows", ())]
    said = " ".join(block.text for block in section.blocks if hasattr(block, "text"))
    assert 0 < len(rows) < 500
    assert "the others are in the workbook, sheets gaps and limits" in said
    assert "500 transaction misfit" in said


def test_every_gap_is_a_sentence_with_a_full_stop(contents: ReviewContents) -> None:
    rows = [row for block in contents.section("limits").blocks for row in getattr(block, "rows", ())]
    assert len(rows) > 3
    assert [row[1].text for row in rows if not row[1].text.endswith(".") or row[1].text.endswith("..")] == []


def test_the_matrix_shows_the_compared_values(contents: ReviewContents) -> None:
    (matrix,) = [block for block in contents.section("consistency").blocks if hasattr(block, "rows")]
    texts = {cell.text for row in matrix.rows for cell in row}
    assert "Record: Zofia Kowalczyk-Łaska" in texts
    assert "Record: 14 Mar 1986" in texts


def seen_beside(contents: ReviewContents, check: str) -> str:
    """Return what the annex of clear checks says beside a check."""
    rows = [
        [cell.text for cell in row]
        for block in contents.section("clear").blocks
        for row in getattr(block, "rows", ())
    ]
    pairs = [(row[place], row[place + 1]) for row in rows for place in (0, 2)]
    return dict(pairs)[check]


def test_the_annex_says_of_every_check_what_was_seen(contents: ReviewContents) -> None:
    unseen = "no such category in the results, so it is not known whether it was searched"
    assert seen_beside(contents, "Other watchlists") == unseen
    unknown = "not known: no customer risk file was given"
    assert seen_beside(contents, "PEP in the firm's file") == unknown
    forged = "in S1: nothing in the results suggests one; for S2 see “Findings”"
    assert seen_beside(contents, "Forged or stolen document") == forged
    assert "–" not in words_of(contents.section("clear"))


CLEAR_ONES, OTHERS = 0, 1


def test_a_comparison_says_of_which_paper_a_value_is_or_is_missing() -> None:
    row = {
        "field": "address", "left": "record", "right": "address", "verdict": "missing", "score": None,
        "reason": "nothing to compare: not given by address", "evidence_ids": ["E-01"],
        "left_value": "1 High Street", "right_value": None,
    }  # fmt: skip
    other = {**row, "left_value": None, "verdict": "similar", "right": "document"}
    section = consistency_section(pd.DataFrame([row, other]), ShortNames(()))
    (matrix,) = [block for block in section.blocks if isinstance(block, Table)]
    one, both = ([cell.text for cell in cells] for cells in matrix.rows)
    assert one[1:3] == ["Record: 1 High Street", "Proof of address: not known"]
    assert one[5] == "nothing to compare: not given by the proof of address"
    assert both[5] == "nothing to compare: not given by the record and the document"


def test_a_name_that_cannot_be_read_has_no_score_against_any_other_name() -> None:
    row = {
        "field": "name", "left": "record", "right": "document", "verdict": "different", "score": None,
        "reason": "the texts differ, and one cannot be read as a name: record", "evidence_ids": ["E-01"],
        "left_value": "=1+1", "right_value": "ADA BYRON",
    }  # fmt: skip
    section = consistency_section(pd.DataFrame([row]), ShortNames(()))
    (matrix,) = [block for block in section.blocks if isinstance(block, Table)]
    assert [cell.text for cell in matrix.rows[0]][3:5] == ["Different", "–"]
    (words,) = [block.text for block in section.blocks if isinstance(block, Paragraph)]
    assert words == "Compared: name of the customer record and the document."


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
        for at in (0, 2)
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
        "2 findings, counted once for each session. 4 checks, counted once for all sessions: 2 have findings, "
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


def test_without_credits_nothing_explains_how_they_are_shown() -> None:
    made = contents_of(clear_customer())
    assert words_of(made.section("streams")).strip() == "There are no booked credits."
    assert words_of(made.section("coverage")).strip() == "There are no booked credits to explain."


def test_a_review_without_results_says_that_no_document_was_seen(specimen: Evidence) -> None:
    made = contents_of(only(specimen, "customers.get", "onboarding.get", "register.known"))
    shown = seen_beside(made, "Identity document also used by another customer")
    assert shown == "no identity document was seen"


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


def test_streams_stand_by_currency_and_say_what_they_come_to_in_a_month(contents: ReviewContents) -> None:
    blocks = contents.section("streams").blocks
    totals = [row[5].text.split() for row in next(b for b in blocks if isinstance(b, Table)).rows]
    currencies = [currency for _, currency in totals]
    assert currencies == sorted(currencies, key=currencies.index)
    heads = [block.columns[1].title for block in blocks if isinstance(block, Table)]
    assert "Per month, last 3 months" in heads


def outlook_of_one(as_of: str = "2026-06-30", **changed: Any) -> list[str]:
    stream = {
        "stream_id": "S-1", "payer": "DWP RP", "currency": "GBP", "status": "active", "cadence": "four_weekly", "count": 26, "expected_count": 26,
        "odd_count": 0, "total_minor": 750_000, "least_total_minor": 750_000, "most_total_minor": 750_000, "monthly_3_minor": 91_395,
        "monthly_3_least_minor": 91_395, "monthly_3_paid_minor": 91_395, "monthly_3_sum_minor": 253_095,
        "monthly_3_from_on": pd.Timestamp("2026-04-17"), "data_to_on": pd.Timestamp("2026-06-30"), "monthly_12_minor": None,
        "trend": "falling", "next_on": pd.Timestamp("2026-06-27"), "next_minor": 84_365,
    }  # fmt: skip
    *_, shown = outlook_blocks([stream | changed], as_of)
    assert isinstance(shown, Table)
    return [cell.text for cell in shown.rows[0]]


def test_an_average_of_pay_periods_says_which_periods_it_is_made_of() -> None:
    assert outlook_of_one()[1] == (
        "913.95 GBP (2,530.95 GBP, counted as 3 periods of 28 days; 75 days of data, 17 Apr 2026 to 30 Jun 2026)"
    )


def test_a_payment_that_was_expected_before_the_review_is_not_announced() -> None:
    assert outlook_of_one()[4] == "843.65 GBP on 27 Jun 2026, was expected before the review"
    assert outlook_of_one("2026-06-27")[4] == "843.65 GBP on 27 Jun 2026"


@pytest.mark.parametrize(
    ("changed", "is_said"),
    [
        ({}, False),
        ({"count": 27}, True),
        ({"odd_count": 1}, True),
        ({"odd_count": 1, "trend": "level"}, False),
        ({"count": 27, "cadence": "irregular", "expected_count": None}, False),
    ],
)
def test_a_trend_says_that_single_payments_may_make_it(changed: dict[str, Any], *, is_said: bool) -> None:
    assert ("may make the difference" in outlook_of_one(**changed)[3]) == is_said


def test_nothing_is_expected_next_of_a_stream_that_has_ceased() -> None:
    stream = {
        "stream_id": "S-1",
        "payer": "TARN LTD",
        "currency": "GBP",
        "status": "active",
        "total_minor": 750_000,
        "least_total_minor": 750_000,
        "most_total_minor": 750_000,
        "monthly_3_minor": 250_000,
        "monthly_3_least_minor": 250_000,
        "monthly_3_paid_minor": 250_000,
        "monthly_3_sum_minor": 750_000,
        "monthly_3_from_on": pd.Timestamp("2026-04-01"),
        "data_to_on": pd.Timestamp("2026-06-30"),
        "cadence": "monthly",
        "monthly_12_minor": None,
        "trend": None,
        "next_on": pd.Timestamp("2026-07-31"),
        "next_minor": 250_000,
    }
    *_, shown = outlook_blocks([stream, {**stream, "payer": "OLD LTD", "status": "ceased"}], "2026-06-30")
    assert isinstance(shown, Table)
    assert [[cell.text for cell in row] for row in shown.rows] == [
        [
            "TARN LTD",
            "2,500.00 GBP (7,500.00 GBP, 1 Apr 2026 to 30 Jun 2026)",
            "–",
            "–",
            "2,500.00 GBP on 31 Jul 2026",
        ]
    ]
    assert not list(outlook_blocks([{**stream, "status": "ceased"}], "2026-06-30"))


@pytest.mark.parametrize(
    ("least", "most", "words", "why"),
    [
        (250_000, 500_000, "2,500.00 to 5,000.00 GBP (up to 15,000.00 GBP, {})", "may be counted twice"),
        (490_000, 490_000, "4,900.00 GBP; as paid 5,000.00 GBP (14,700.00 GBP, {})", "as paid is beside it"),
        (
            240_000,
            490_000,
            "2,400.00 to 4,900.00 GBP; as paid 5,000.00 GBP (up to 14,700.00 GBP, {})",
            "may be counted twice",
        ),
        (500_000, 500_000, "5,000.00 GBP (15,000.00 GBP, {})", ""),
    ],
)
def test_amounts_a_month_are_a_range_where_they_are_not_sure_and_net_of_what_was_taken_back(
    least: int, most: int, words: str, why: str
) -> None:
    stream = {
        "stream_id": "S-1",
        "payer": "TARN LTD",
        "currency": "GBP",
        "status": "active",
        "total_minor": 1_500_000,
        "least_total_minor": 3 * least,
        "most_total_minor": 3 * most,
        "monthly_3_minor": most,
        "monthly_3_least_minor": least,
        "monthly_3_paid_minor": 500_000,
        "monthly_3_sum_minor": 3 * most,
        "monthly_3_from_on": pd.Timestamp("2026-04-01"),
        "data_to_on": pd.Timestamp("2026-06-30"),
        "cadence": "monthly",
        "monthly_12_minor": None,
        "trend": None,
        "next_on": None,
        "next_minor": None,
    }
    _, said, shown = outlook_blocks([stream], "2026-06-30")
    assert isinstance(shown, Table)
    assert [cell.text for cell in shown.rows[0]] == [
        "TARN LTD",
        words.format("1 Apr 2026 to 30 Jun 2026"),
        "–",
        "–",
        "–",
    ]
    assert why in str(said)
    assert why or "range" not in str(said)


@pytest.mark.parametrize(
    ("least", "most", "words"),
    [
        (750_000, 1_500_000, "7,500.00 to 15,000.00 GBP"),
        (0, 1_500_000, "0.00 to 15,000.00 GBP"),
        (1_500_000, 1_500_000, "15,000.00 GBP"),
        (1_470_000, 1_470_000, "14,700.00 GBP; as paid 15,000.00 GBP"),
    ],
)
def test_a_total_is_a_range_where_it_is_not_sure_and_net_of_what_was_taken_back(
    least: int, most: int, words: str
) -> None:
    row = {"currency": "GBP", "total_minor": 1_500_000, "least_total_minor": least, "most_total_minor": most}
    assert _total_words(row) == words


def test_single_credits_are_named_with_payer_day_and_evidence(specimen: Evidence) -> None:
    frames = flatten(specimen)
    booked = frames.transactions
    sale = booked.head(1).assign(
        txn_id="sale", amount_minor=18_354_900, description_raw="DENHOLM CONVEYANCING HOUSE SALE",
        counterparty_name="Denholm Conveyancing", counterparty_account=None, merchant_name=None, bank_code=None, purpose=None, booked_on=pd.Timestamp("2026-05-19"),
    )  # fmt: skip
    wealth = derive(pd.concat([booked, sale], ignore_index=True), as_of=AS_OF)
    customer = str(booked["customer_id"].iloc[0])
    streams, *_ = sections(wealth, customer, months_of(wealth, customer, {}), ShortNames(()))
    assert (
        "Denholm Conveyancing Sale of property (words in the payment text) 183,549.00 GBP 19 May 2026"
        in words_of(streams)
    )


def test_a_transfer_from_a_person_has_no_established_nature_wherever_it_is_named(specimen: Evidence) -> None:
    booked = flatten(specimen).transactions
    gift = booked.head(1).assign(
        txn_id="person", amount_minor=1_929_200, description_raw="MR IVAN GROMOV", counterparty_name="Mr Ivan Gromov",
        counterparty_account=None, merchant_name=None, bank_code=None, purpose=None, booked_on=pd.Timestamp("2026-05-19"),
    )  # fmt: skip
    wealth = derive(pd.concat([booked, gift], ignore_index=True), as_of=AS_OF)
    customer = str(booked["customer_id"].iloc[0])
    streams, *_ = sections(wealth, customer, months_of(wealth, customer, {}), ShortNames(()))
    said = words_of(streams)
    assert "Transfers from persons, nature not established 19,292.00 GBP 19 May 2026" in said
    assert "Transfers from persons show who paid and not what for" in said


def test_credits_of_different_currencies_are_never_in_one_order(specimen: Evidence) -> None:
    booked = flatten(specimen).transactions
    sale = booked.head(1).assign(description_raw="DENHOLM CONVEYANCING HOUSE SALE", counterparty_name="Denholm Conveyancing",
        counterparty_account=None, merchant_name=None, bank_code=None, purpose=None, booked_on=pd.Timestamp("2026-05-19"))  # fmt: skip
    pounds = sale.assign(txn_id="pounds", amount_minor=18_354_900)
    yen = [sale.assign(txn_id=f"Y{number}", amount_minor=90_000_000 + number, currency="JPY", account_id="J", counterparty_name=f"{chr(65 + number) * 3} Conveyancing") for number in range(25)]  # fmt: skip
    wealth = derive(pd.concat([booked, pounds, *yen], ignore_index=True), as_of=AS_OF)
    customer = str(booked["customer_id"].iloc[0])
    streams, *_ = sections(wealth, customer, months_of(wealth, customer, {}), ShortNames(()))
    for block in streams.blocks:
        for row in getattr(block, "rows", ()):
            assert not ({"GBP", "JPY"} <= set(" ".join(cell.text for cell in row).split()))
    assert "183,549.00 GBP 19 May 2026" in words_of(streams)
    heads = [block.text for block in streams.blocks if isinstance(block, Subheading)]
    assert [head[-3:] for head in heads if "outside the streams" in head] == ["GBP", "JPY"]


def test_where_no_bank_data_was_seen_no_pattern_was_looked_for(
    contents: ReviewContents, specimen: Evidence
) -> None:
    nothing = derive(flatten(specimen).transactions.head(0), as_of=AS_OF)
    flags = next(one for one in sections(nothing, "C1", {}, ShortNames(())) if one.key == "flags")
    assert words_of(flags) == "No bank transactions were seen, so red flags could not be looked for."
    assert "no patterns could be checked" not in words_of(contents.section("flags"))


def test_identical_values_are_not_said_to_be_the_same_apart_from_something(contents: ReviewContents) -> None:
    rows = [row for block in contents.section("consistency").blocks for row in getattr(block, "rows", ())]
    alike = [
        [cell.text for cell in row]
        for row in rows
        if row[1].text.partition(": ")[2] == row[2].text.partition(": ")[2]
    ]
    assert alike
    assert {row[5] for row in alike} == {"identical"}


def test_the_timeline_is_not_said_to_list_checks_only(contents: ReviewContents) -> None:
    said = [block.text for block in contents.section("results").blocks if isinstance(block, Subheading)]
    assert said[-1] == "Timeline of sessions, payments and bank data"


def test_red_flags_have_one_name(contents: ReviewContents) -> None:
    assert contents.section("flags").title == "Red flags"
    assert "pattern" not in words_of(contents.section("flags")).casefold()


def test_the_id_of_a_finding_is_not_broken_at_its_hyphen_in_html() -> None:
    assert linked("F-12 and E-03") == '<span class="kp-id">F-12</span> and <a href="#E-03">E-03</a>'
    assert (
        linked("OUT-screening, WLT-2")
        == '<span class="kp-id">OUT-screening</span>, <span class="kp-id">WLT-2</span>'
    )
    for other in ("PMNT-RCDT, well-known", "2026-INV-0117", "INV-0117-B"):
        assert linked(other) == other
    assert ".kp .kp-id{white-space:nowrap}" in NOTEBOOK_STYLE


@pytest.mark.parametrize(
    ("dispositions", "said"),
    [
        (("stream", "stream"), "2 credits, 50.00 GBP in all, may be counted twice."),
        (
            ("stream", "own_transfer"),
            "2 credits, 50.00 GBP in all, may be counted twice; 30.00 GBP of it is own transfers.",
        ),
    ],
)
def test_own_transfers_that_may_be_counted_twice_are_named_apart(
    dispositions: tuple[str, str], said: str
) -> None:
    """Page one gives the sum of what may be counted twice without them, so the two sums would differ without a word."""
    credits_ = pd.DataFrame(
        {
            "customer_id": "C-1", "account_id": "acc_2", "txn_id": ["t1", "t2"], "booked_on": pd.Timestamp("2026-05-19"),
            "amount_minor": [20_00, 30_00], "currency": "GBP", "may_repeat_txn_id": ["t1", "t2"], "evidence_id": "E-07",
            "disposition": dispositions,
        }
    )  # fmt: skip
    (gap,) = _counted_twice(credits_)
    assert gap.message.endswith(said)
    assert (gap.amount_minor, gap.currency) == (50_00, "GBP")


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


def test_the_evidence_section_says_what_each_letter_and_each_media_file_is(
    contents: ReviewContents, specimen: Evidence
) -> None:
    section = contents.section("evidence")
    said = words_of(section)
    assert "M is a media file of a session" in said
    media = flatten(specimen).media
    tables = [block for block in section.blocks if isinstance(block, Table)]
    legend = {row[0].text: row[1].text for row in tables[-1].rows}
    assert legend == dict(zip(media["file_evidence_id"].dropna(), media["description"], strict=False))
    assert all(
        re.search(r"[0-9]{2}:[0-9]{2}:[0-9]{2} UTC", row[3].text)
        for row in tables[0].rows
        if row[3].text != "–"
    )


def test_a_page_breaks_a_long_id_only_at_its_separators_and_a_hash_between_groups() -> None:
    assert linked("a 6d2e7045-e484-4909-8e77-936318a14d20") == (
        "a 6d2e7045-<wbr>e484-<wbr>4909-<wbr>8e77-<wbr>936318a14d20"
    )
    assert linked("0123456789abcdef" * 4) == "<wbr>".join(["01234567", "89abcdef"] * 4)
    assert (
        html_text(f"<p>{linked('6d2e7045-e484-4909-8e77-936318a14d20')}</p>")
        == "6d2e7045-e484-4909-8e77-936318a14d20"
    )


def test_no_sign_of_forgery_is_not_clear_beside_a_document_with_an_objection() -> None:
    rejected = _found("document.outcome", "rejected")._replace(outcome="HIT", rule_id="X-2", title="Document")
    place, words, _ = annex([_found("document.**"), rejected])["How alike"]
    assert place == OTHERS
    assert words.endswith("but see Document (X-2) in “Findings”")
    assert annex([_found("document.**")])["How alike"][0] == CLEAR_ONES
