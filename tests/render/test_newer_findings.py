"""What a later run found is told apart: what is new, and what the decision had as not known already; and one person owns a match everywhere."""

from __future__ import annotations

from dataclasses import replace

from tests.frames.evidence_maker import clear_customer
from tests.render.specimen_review import inputs_of, words_of
from tests.render.test_decision import DECISION

from kycpack.evidence import Evidence
from kycpack.render import CasePeople, ReviewContents, build_contents
from kycpack.render.document_parts import Table
from kycpack.render.palette import Tone
from kycpack.render.review.decision import CaseRecord, DisposedFinding, news_lines
from kycpack.render.review.reopened import NewerFinding, Reopening
from kycpack.triage import load_policy

QUESTION = "Whether each word of the names is in one alphabet is not known"
ASKED = DisposedFinding("F-7", "RES-7", f"{QUESTION}. The name on the record (E-01)", "inconclusive")
AGAIN = NewerFinding(
    "F-12", "RES-7", "UNKNOWN", "review", f"{QUESTION}. The name on the document (E-01, E-06)"
)
OTHER = NewerFinding(
    "F-11", "RES-7", "UNKNOWN", "review", "Whether it is a name is not known. No name (E-06)"
)
MATCH = NewerFinding(
    "F-9", "SAN-1", "HIT", "escalate", "Sanctions screening reports 'attention' (E-06)", "sanctions"
)
MATCH_NOT_SHOWN = "The service gives the number of matches but not the matches themselves."


def overtaken(
    evidence: Evidence, *found: NewerFinding, had: tuple[DisposedFinding, ...] = (ASKED,)
) -> ReviewContents:
    later = Reopening(
        DECISION.decided_at, "run-2", "2" * 64, "escalate", found, tuple(one.rule_id for one in found)
    )
    decided = replace(
        DECISION,
        outcome="reject",
        evidence_root=evidence.root,
        findings=had,
        reopening=later,
        standing="Opened again.",
    )
    record = CaseRecord(decided)
    return build_contents(replace(inputs_of(evidence), case=CasePeople("case-1", record=record)))


def duty_of_matches(made: ReviewContents) -> str:
    return words_of(made.section("limits")).partition(MATCH_NOT_SHOWN)[2].partition(" S1 ")[0].strip()


def test_what_could_not_be_evaluated_at_the_decision_either_is_not_new() -> None:
    made = overtaken(clear_customer(), MATCH, AGAIN)
    news = " ".join(news_lines(made.case.record))
    assert "Still not known: F-12 RES-7, the same question as F-7 (run-2-E-01, run-2-E-06)." in news
    assert "Also new" not in news
    assert "(run-2-E-01, run-2-E-06). As F-7, by further evidence" in words_of(made.section("decision"))
    assert made.missing[0].text == "Newer evidence bears on what is listed here: F-9 (run run-2)"
    both = overtaken(clear_customer(), MATCH, AGAIN, OTHER)
    assert "Also new: F-11 RES-7: Whether it is a name is not known. No name (run-2-E-06)." in " ".join(
        news_lines(both.case.record)
    )
    assert both.missing[0].text == "Newer evidence bears on what is listed here: F-9, F-11 (run run-2)"


def test_a_hit_is_new_although_the_decision_had_a_finding_of_its_rule() -> None:
    had = DisposedFinding("F-1", "SAN-1", MATCH.sentence, "accepted")
    made = overtaken(
        clear_customer(), MATCH, NewerFinding("F-10", "SAN-1", "HIT", "escalate", MATCH.sentence), had=(had,)
    )
    assert "Also new: F-10 SAN-1: Sanctions screening reports 'attention' (run-2-E-06)." in " ".join(
        news_lines(made.case.record)
    )


def test_findings_too_long_for_page_one_are_named_there_by_the_titles_of_their_rules() -> None:
    (rule,) = (each for each in load_policy().rules if each.id == "RES-7")
    longer = replace(OTHER, sentence=f"Whether it is a name is not known{' at all' * 90} (E-06)")
    news = " ".join(news_lines(overtaken(clear_customer(), MATCH, longer).case.record))
    assert f"Also new: F-11 RES-7: {rule.title} (run-2-E-06)." in news


def test_a_comparison_too_long_for_page_one_is_named_there_by_the_pair_that_differs() -> None:
    said = "The name on one document and the name on another document do not match"
    pair = NewerFinding("F-10", "CON-1", "HIT", "review", f"{said}: {'A' * 500} (E-03, E-06)")
    news = " ".join(news_lines(overtaken(clear_customer(), MATCH, pair).case.record))
    assert f"Also new: F-10 CON-1: {said} (run-2-E-03, run-2-E-06)." in news


def test_of_many_rules_page_one_names_the_first_and_counts_the_others() -> None:
    found = [
        NewerFinding(f"F-{n}", f"GONE-{n}", "HIT", "review", f"Thing {n}{' and more' * 40} (E-06)")
        for n in range(20, 52)
    ]
    news = " ".join(news_lines(overtaken(clear_customer(), MATCH, *found).case.record))
    assert "Also new: F-20 GONE-20, F-21 GONE-21, " in news
    assert "F-27 GONE-27 and 24 more rules in “Decision”." in news


def test_who_settles_the_matches_of_a_later_run_gets_them_from_the_provider_too() -> None:
    made = overtaken(clear_customer(), MATCH)
    assert any(step.removeprefix("1. ").startswith("MLRO: hold the case; check with") for step in made.steps)
    assert duty_of_matches(made) == "MLRO: get it from the provider for each possible match"
    assert any(
        line.text.startswith("Not shown for any match: who was matched, and on which list and date")
        for line in made.missing
    )
    assert duty_of_matches(overtaken(clear_customer(), AGAIN)).startswith("No action: a limit of ")


def test_no_category_of_a_screening_is_clear_once_a_later_run_found_a_match() -> None:
    """The categories of the later screening are not in this pack."""
    made = overtaken(clear_customer(), MATCH)
    bears = "newer evidence bears on this: F-9 (run run-2)"
    *_, categories = [block for block in made.section("screening").blocks if isinstance(block, Table)]
    assert {row[1].text for row in categories.rows} == {
        f"{bears[0].upper()}{bears[1:]} (the provider says “clear”)"
    }
    assert {row[1].tone for row in categories.rows} == {Tone.WATCH}
    clear, beside, *_ = [block for block in made.section("clear").blocks if isinstance(block, Table)]
    said = {title: row[1].text for row in beside.rows for title in row[0].text.split("; ")}
    for title in ("Sanctions lists", "Terrorism lists", "PEP level 1", "PEP level 2"):
        assert said[title].endswith(f"clear, but {bears}")
        assert title not in {row[at].text for row in clear.rows for at in range(0, len(row), 2)}
    again = overtaken(clear_customer(), AGAIN)
    *_, categories = [block for block in again.section("screening").blocks if isinstance(block, Table)]
    assert {row[1].text for row in categories.rows} == {"Clear"}


def test_who_decides_on_the_outcome_of_a_section_or_a_rule_of_another_policy_is_no_analyst(
    specimen: Evidence,
) -> None:
    for rule in ("OUT-screening", "POL-1", "GONE-1"):
        later = Reopening(
            DECISION.decided_at,
            "run-2",
            "2" * 64,
            "reject",
            (NewerFinding("F-9", rule, "HIT", "reject"),),
            (rule,),
        )
        record = CaseRecord(replace(DECISION, evidence_root=specimen.root, reopening=later))
        made = build_contents(replace(inputs_of(specimen), case=CasePeople("case-1", record=record)))
        assert made.case.record is not None
        assert made.case.record.deciders == ("MLRO",), rule


def test_the_step_of_a_newer_finding_about_evidence_names_what_has_to_be_got(specimen: Evidence) -> None:
    found = NewerFinding("F-9", "EDD-1", "HIT", "edd", "Evidence missing: no source of wealth (E-10)")
    later = Reopening(DECISION.decided_at, "run-2", "2" * 64, "edd", (found,), ("EDD-1",))
    record = CaseRecord(replace(DECISION, evidence_root=specimen.root, reopening=later))
    made = build_contents(replace(inputs_of(specimen), case=CasePeople("case-1", record=record)))
    said = " ".join(made.steps)
    assert "get documents that prove the source of wealth (EDD-1" in said
    assert "what stands behind “Evidence missing" not in said
