"""A policy that cannot do what it says is refused; one that is not in force is a finding, and no error."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from tests.frames.evidence_maker import RECORD, clear_customer
from tests.triage.test_evaluate import POLICY
from tests.triage.test_policy_file import MINIMAL

from kycpack.errors import PolicyError
from kycpack.frames import flatten
from kycpack.triage import evaluate, load_policy, read_policy

LEAF = "{path: screening.summary.watchlist.sanctionsLists, not_in: [clear, not_processed, 0, false]}"


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("expect: escalate", "expect: edd", "fails its own test: expected edd, got escalate"),
        (LEAF, "{path: screening.matchCount, in: []}", "can never be met"),
        (
            LEAF,
            "{path: screening.summary.pep.*, except: [screening.summary.**], not_in: [clear]}",
            "leaves nothing",
        ),
        (LEAF, "{path: screening.matchCount, except: [screening.matchCount], above: 0}", "leaves nothing"),
        (LEAF, "{path: screening.checkType, in: [a], clear: [a]}", "both a hit and clear"),
        ("    owner: MLRO\n", "    owner: MLRO\n    from: 2026-02-01\n    until: 2026-01-31\n", "never fire"),
        ("    owner: MLRO\n", "    owner: MLRO\n    until: 2025-12-31\n", "never fire"),
        (LEAF, "{path: wealth.flags.crypto, in: [purple], if_missing: clear}", "is never 'purple'"),
        (LEAF, "{path: wealth.flags.*, equals: approve, if_missing: clear}", "is never 'approve'"),
        (LEAF, "{path: risk.pep, in: [maybe], if_missing: clear}", "is never 'maybe'"),
        (LEAF, "{path: session.times, equals: late}", "is never 'late'"),
        ("    owner: MLRO\n", "    owner: MLRO\n    action: burn\n", "expected one of"),
        ("    owner: MLRO\n", "    owner: MLRO\n    if_unknown: approve\n", "a rule raises"),
        ("    owner: MLRO\n", "    owner: MLRO\n    hit: '{name} was seen'\n", "cannot be filled in"),
    ],
)
def test_what_can_never_do_what_it_says_is_not_loaded(
    old: str, new: str, complaint: str, tmp_path: Path
) -> None:
    assert old in MINIMAL
    file = tmp_path / "mine.yaml"
    file.write_text(MINIMAL.replace(old, new))
    with pytest.raises(PolicyError, match=complaint) as raised:
        load_policy(file)
    assert raised.value.place.startswith("mine.yaml, line ")


def test_a_policy_without_a_rule_is_refused() -> None:
    head = MINIMAL[: MINIMAL.index("rules:")]
    with pytest.raises(PolicyError, match="at least one rule"):
        read_policy(f"{head}rules: []\n".encode(), "mine.yaml")


@pytest.mark.parametrize(
    ("day", "rule"),
    [
        ("2025-12-31", "POL-1"),
        ("2027-06-01", "POL-call_for_action"),
        ("2027-06-01", "POL-increased_monitoring"),
    ],
)
def test_what_is_not_in_force_or_not_current_is_unknown_at_the_review(day: str, rule: str) -> None:
    made = evaluate(flatten(clear_customer()), POLICY, as_of=day)
    found = made.findings.set_index("rule_id").loc[rule]
    assert (found["outcome"], found["level"], found["owner"]) == ("UNKNOWN", "review", "MLRO")
    assert made.recommendations["level"].iloc[0] != "approve"


def test_a_dated_rule_without_a_successor_is_unknown_after_its_end() -> None:
    text = MINIMAL.replace("    owner: MLRO\n", "    owner: MLRO\n    until: 2026-02-01\n")
    policy = read_policy(text.encode(), "mine.yaml")
    frames = flatten(clear_customer())
    for day, outcome in (("2026-02-01", "CLEAR"), ("2026-02-02", "UNKNOWN")):
        findings = evaluate(frames, policy, as_of=day).findings.set_index("rule_id")
        assert findings.loc["SAN-1", "outcome"] == outcome


@pytest.mark.parametrize(
    ("country", "day", "expected"),
    [
        ("KE", dt.date(2026, 6, 29), "edd"),
        ("KE", dt.date(2026, 6, 30), "edd"),
        ("KW", dt.date(2026, 2, 12), "review"),
        ("KW", dt.date(2026, 2, 13), "edd"),
        ("DZ", dt.date(2026, 6, 18), "edd"),
        ("IR", dt.date(2026, 7, 1), "edd"),
    ],
)
def test_residence_is_held_against_the_list_and_the_rule_of_the_day(
    country: str, day: dt.date, expected: str
) -> None:
    record = {**RECORD, "address": {**RECORD["address"], "country": country}}
    made = evaluate(flatten(clear_customer(record=record)), POLICY, as_of=day)
    listed = made.findings[made.findings["rule_id"].isin(["CTY-1", "CTY-2"])]
    hits = set(listed.loc[listed["outcome"] == "HIT", "level"])
    # Kuwait was listed on 13 February 2026; before it, only the differing address asks for a review.
    assert hits == (set() if (country, day.day) == ("KW", 12) else {expected})


def test_a_policy_is_parsed_once_a_process() -> None:
    assert load_policy() is load_policy()


def test_a_rule_that_has_ended_may_stay_where_another_of_its_series_goes_on() -> None:
    ended = "    owner: MLRO\n    series: sanctions\n    until: 2025-12-31\n"
    one = MINIMAL.replace("    owner: MLRO\n", ended)
    with pytest.raises(PolicyError, match="never fire"):
        read_policy(one.encode(), "mine.yaml")
    start = MINIMAL.index("  - id: SAN-1")
    later = MINIMAL[start : MINIMAL.index("tests:")].replace("SAN-1", "SAN-1a")
    both = one.replace(
        "tests:", later.replace("    owner: MLRO\n", "    owner: MLRO\n    series: sanctions\n") + "tests:"
    )
    assert [rule.id for rule in read_policy(both.encode(), "mine.yaml").rules] == ["SAN-1", "SAN-1a"]


def test_before_the_first_edition_of_a_country_list_a_rule_says_that_there_was_none() -> None:
    made = evaluate(flatten(clear_customer()), POLICY, as_of="2025-10-01")
    found = made.findings[made.findings["rule_id"] == "CTY-1"]
    assert set(found["outcome"]) == {"UNKNOWN"}
    assert found["sentence"].str.contains("No edition of the list “FATF high-risk jurisdictions").all()
    assert not found["sentence"].str.contains("does not know").any()
