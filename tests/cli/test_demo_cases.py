"""What the demo's people decide is borne out by what was found, and every decision can be found from the run's output."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from kycpack.cli import app
from kycpack.cli.service.demo_cases import (
    choose_cases,
    first_hold,
    hardest_outcome,
    matched_entries,
    reasoned,
    second_words,
)
from kycpack.pack.decide.decisions_page import packs_linked
from kycpack.triage import load_policy
from kycpack.workspace.cases.case_records import CaseFinding
from kycpack.workspace.cases.decisions import rule_on


def case(level: str, *findings: tuple[str, str, str]) -> Any:
    found = [
        CaseFinding(
            f"F-{number}",
            rule,
            rule,
            outcome,
            own,
            "analyst",
            "sanctions" if rule.startswith("SAN-") else "",
            "",
            "",
        )
        for number, (rule, outcome, own) in enumerate(findings, 1)
    ]
    return SimpleNamespace(level=level, effect=None, findings=tuple(found))


LISTING = {"list_entry": "Somebody else", "list_date": "2026-05-31", "file_sha256": "0" * 64}
NAMES = case("review", ("CON-1", "HIT", "review"))
COUNT = case("review", ("SCR-1", "HIT", "review"))
FORGED = case("reject", ("OUT-document", "HIT", "reject"), ("DOC-2", "HIT", "review"))
TERROR = case(
    "reject",
    ("OUT-document", "HIT", "reject"),
    ("SAN-2", "HIT", "escalate"),
    ("WLT-1", "HIT", "edd"),
    ("ADR-1", "UNKNOWN", "review"),
    ("OUT-screening", "HIT", "review"),
    ("SES-2", "HIT", "review"),
)
LISTED = case("escalate", ("SAN-1", "HIT", "escalate"), ("CON-1", "HIT", "review"))


@pytest.mark.parametrize("waiting", [[NAMES, COUNT, TERROR, FORGED], [COUNT, NAMES, FORGED, TERROR]])
def test_a_match_is_suspected_where_one_was_reported_and_an_identity_doubted_where_it_differs(
    waiting: list[Any],
) -> None:
    alone, waits, decided = choose_cases(waiting)
    assert (alone, waits, decided) == (NAMES, COUNT, TERROR)
    assert reasoned(alone, "reject", LISTING).reason_code == "NOT-VERIFIED"
    assert reasoned(decided, "escalate", LISTING).reason_code == "SUSPECTED-MATCH"
    # A document was rejected, so the identity could not be verified; what was left open was not needed for that.
    assert reasoned(decided, "reject", LISTING).reason_code == "NOT-VERIFIED"
    assert reasoned(FORGED, "reject", LISTING).reason_code == "NOT-VERIFIED"


def test_a_match_of_a_list_that_is_not_named_is_decided_by_no_one_person_alone() -> None:
    unnamed = case("edd", ("SCR-6", "HIT", "edd"), ("SCR-1", "HIT", "review"))
    alone, _, _ = choose_cases([unnamed, NAMES, COUNT, TERROR])
    assert alone is NAMES
    verdicts = {given.verdict for given in reasoned(unnamed, "escalate", LISTING).dispositions.values()}
    assert verdicts == {"escalated"}


def test_without_a_match_or_a_doubt_about_the_person_the_reasons_say_neither() -> None:
    wealth = case("edd", ("WLT-1", "HIT", "edd"))
    alone, waits, decided = choose_cases([COUNT, wealth, FORGED])
    assert len({id(one) for one in (alone, waits, decided)}) == 3
    assert reasoned(COUNT, "reject", LISTING).reason_code == "OUTSIDE-APPETITE"
    assert reasoned(wealth, "escalate", LISTING).reason_code == "PRECAUTION"


def test_findings_on_one_fact_have_one_verdict_and_the_code_is_about_what_was_accepted() -> None:
    shown = case(
        "reject", ("OUT-document", "HIT", "reject"), ("DOC-2", "HIT", "review"), ("SAN-2", "HIT", "escalate")
    )
    fact = "data integrity 'attention'"
    outcome, check, match = shown.findings
    shown.findings = (
        replace(outcome, sentence=f"Document rejected: {fact} (E-03)", evidence_ids=("E-03",)),
        replace(check, fact=fact, evidence_ids=("E-03",)),
        replace(match, fact="terror 'attention'", evidence_ids=("E-03",)),
    )
    made = reasoned(shown, "reject", LISTING)
    verdicts = [made.dispositions[f"F-{number}"].verdict for number in (1, 2, 3)]
    assert verdicts == ["accepted", "accepted", "false_positive"]
    assert made.reason_code == "NOT-VERIFIED"
    rule_on(shown, made, load_policy().decisions, checked=(), day=dt.date(2026, 6, 1))


@pytest.mark.parametrize(("shown", "outcome"), [(TERROR, "reject"), (LISTED, "escalate")])
def test_the_hardest_case_is_decided_as_the_policy_recommends_so_the_decision_has_no_end(
    shown: Any, outcome: str
) -> None:
    assert hardest_outcome(shown) == outcome
    made = reasoned(shown, outcome, LISTING)
    ruling = rule_on(shown, made, load_policy().decisions, checked=(), day=dt.date(2026, 6, 1))
    assert ruling.reopens_on is None
    assert ruling.state == "second_review"
    assert "MLRO" in ruling.roles


def test_a_case_is_held_before_it_is_rejected_and_the_second_person_speaks_of_the_match_and_the_hold() -> (
    None
):
    held = first_hold(TERROR)
    assert held is not None
    assert (held.outcome, held.text.partition(":")[0]) == ("hold", "F-2, F-3")
    rules = load_policy().decisions
    ruling = rule_on(TERROR, held, rules, checked=(), day=dt.date(2026, 6, 1))
    assert ruling.effect == "hold"
    after = SimpleNamespace(level=TERROR.level, effect=ruling.effect, findings=TERROR.findings)
    ends = rule_on(after, reasoned(after, "reject", LISTING), rules, checked=(), day=dt.date(2026, 6, 1))
    assert "it ends what is in force: hold" in ends.second_person
    said = second_words(after, "reject")
    assert said.startswith(
        "F-2, F-5: the year of birth in the provider's reply, which came from outside, is another person's"
    )
    assert "the hold on F-2, F-3 ends with this decision" in said
    assert len(said) < 200  # page one has it whole
    assert "not settled, and is for the MLRO to decide" in second_words(LISTED, "escalate")
    assert "hold" not in second_words(LISTED, "escalate")
    assert first_hold(NAMES) is None


def test_each_finding_has_a_verdict_that_fits_it_and_a_reason_of_its_kind() -> None:
    made = reasoned(TERROR, "reject", LISTING)
    verdicts = {name: given.verdict for name, given in made.dispositions.items()}
    assert verdicts == {
        "F-1": "accepted",
        "F-2": "false_positive",
        "F-3": "inconclusive",
        "F-4": "inconclusive",
        "F-5": "false_positive",
        "F-6": "accepted",
    }
    *reasons, alone, beside = made.text.split("; ")
    about = dict(part.split(": ", 1) for part in reasons)
    assert list(about) == ["F-1, F-6", "F-2, F-5", "F-3", "F-4"]
    # Not of the matches, of which the provider's reply is attached.
    assert alone == (
        "F-1: the policy rejects a customer on this alone, so the decision was made without waiting for an answer about it"
    )
    # The policy only calls for a review of it.
    assert beside.startswith("F-6: the policy calls for less than a rejection on this, and ")
    # The pack lists what was asked, so that no text says that nobody was.
    assert "asked" not in f"{made.text} {reasoned(NAMES, 'reject', LISTING).text}".replace("asking", "")
    assert (
        "the provider's reply of 31 May 2026, which came from outside and is not among the results"
        in about["F-2, F-5"]
    )
    assert made.dispositions["F-2"].evidence == LISTING
    assert not made.dispositions["F-1"].evidence
    assert len(set(about.values())) == 4


def test_the_reasons_name_the_evidence_that_was_looked_at_and_say_what_was_compared_with_what() -> None:
    one, other = NAMES.findings[0], COUNT.findings[0]
    differs = replace(one, evidence_ids=("E-01", "E-03"))
    counted = replace(other, finding_id="F-2", evidence_ids=("E-03",), outcome="UNKNOWN")
    shown = SimpleNamespace(level="review", effect=None, findings=(differs, counted))
    assert reasoned(shown, "reject", LISTING).text == (
        "F-1: the details (E-01, E-03) were compared word by word and are not those of one person; "
        "F-2: the evidence (E-03) does not settle this either way; "
        "the decision was made without waiting for answers to the questions of the review, as the findings accepted as correct are reason enough to reject the customer"
    )
    money = replace(one, rule_id="WLT-1", evidence_ids=("E-07",))
    kinds = {
        level: reasoned(SimpleNamespace(level=level, effect=None, findings=(money,)), "reject", LISTING).text
        for level in ("review", "reject")
    }
    assert "the payments were checked against the bank data (E-07)" in kinds["review"]
    assert "asking could have been tipping off" in kinds["reject"]
    assert "not put to" not in reasoned(shown, "escalate", LISTING).text


def test_the_answer_about_the_matches_says_of_which_list_and_how_many() -> None:
    count = replace(
        COUNT.findings[0],
        sentence="Number of screening matches on all lists together: 3; each has to be checked",
    )
    match = replace(LISTED.findings[0], title="Terrorism lists")
    assert matched_entries(SimpleNamespace(findings=(match, count))) == (  # type: ignore[arg-type]
        "Provider's reply (demonstration): all 3 matches are on terrorism lists, each of a person born in 1901"
    )
    assert "every match is on terrorism lists" in matched_entries(SimpleNamespace(findings=(match,)))  # type: ignore[arg-type]


def test_every_decision_of_the_demo_has_a_pack_that_the_page_of_decisions_links(tmp_path: Path) -> None:
    out = tmp_path / "demo"
    answer = CliRunner().invoke(app, ["demo", "--customers", "5", "--out", str(out)])
    assert answer.exit_code == 0, answer.output
    decided = [
        entry["payload"]["data"]
        for entry in map(json.loads, (out / ".kycpack/ledger/ledger.jsonl").read_text().splitlines())
        if (entry.get("payload") or {}).get("kind") == "case.decided"
    ]
    last = {each["decision_id"].rpartition("-D")[0]: each for each in decided}
    assert len(last) == 2
    assert {each["outcome"] for each in decided if each not in last.values()} <= {"hold"}
    for each in decided:
        verdicts = {given["verdict"] for given in each["dispositions"].values()}
        assert each["outcome"] not in {"approve", "reject"} or "escalated" not in verdicts
    page = (out / "decisions.html").read_text()
    found = {
        json.loads((out / pack / "data/manifest.json").read_text())["decision"]["decision_id"]
        for pack in packs_linked(page)
    }
    assert found == {each["decision_id"] for each in last.values()}
    assert "The case was reopened after this decision (new evidence)" in page
    said = " ".join(answer.output.split())
    assert str(out / ".kycpack/desk/later-run/index.html") in said.replace(" ", "")
    assert "Rejected by Demo Analyst" in said
    assert "agreed by Demo Officer as the second person" in said
    # The case is now that of the later run; its pack still goes beside the one that was decided on.
    (reopened,) = [
        each["decision_id"].rpartition("-D")[0] for each in last.values() if each["outcome"] == "reject"
    ]
    made = CliRunner().invoke(
        app,
        ["case", "pack", reopened, "--json"],
        env={"KYCPACK_WORKSPACE": str(out / ".kycpack/desk/kycpack.db")},
    )
    assert made.exit_code == 0, made.output
    assert Path(json.loads(made.stdout)["pack"]).parent.samefile(out)
