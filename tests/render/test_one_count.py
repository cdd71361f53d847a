"""What could not be evaluated is one number, wherever it stands: page one, the findings, the recommendation, and the case with its place in the queue."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, cast

import pandas as pd
import pytest
from tests.render.specimen_review import inputs_of, words_of
from tests.triage.invented_customers import evidence as evidence_of

from kycpack.evidence import Evidence
from kycpack.frames.rows import records
from kycpack.render import ReviewContents, ReviewInputs, build_contents, render_summary_html
from kycpack.render.review import checks
from kycpack.render.review.case_record import reviewed_case
from kycpack.render.review.checks import checks_of
from kycpack.render.review.short_names import ShortNames
from kycpack.synthetic import generate
from kycpack.synthetic.scenarios import demo_scenarios
from kycpack.triage.judge.findings import standing
from kycpack.triage.paths import LEVEL
from kycpack.triage.policies.rules import Group, Leaf
from kycpack.workspace.cases.case_records import findings_of

DAY = datetime(2026, 6, 1, 12, tzinfo=UTC)
KINDS = [kind.name for kind in demo_scenarios()]


def _check(evidence: Evidence, as_of: datetime) -> int:
    """Return the number of checks that could not be evaluated, after it was found to be the same everywhere."""
    inputs = inputs_of(evidence, as_of)
    made, triage = build_contents(inputs), inputs.triage
    on_page_one = {title for one in made.unknowns if not one.internal for title in one.titles}
    said = re.search(r"(\d+) could not be evaluated", words_of(made.section("findings")))
    found = findings_of(records(triage.findings), inputs.policy.decisions)
    in_case = {one.title for one in found if one.outcome == "UNKNOWN"}
    assert (int(said[1]) if said else 0) == len(on_page_one) == len(in_case)
    reasons = triage.recommendations["reasons"].iloc[0]
    counts = [re.search(r": (\d+) checks could not be evaluated", one) for one in reasons]
    by_cause = [len(one.titles) for one in made.unknowns if len(one.titles) > 1 and not one.internal]
    assert sorted(int(one[1]) for one in counts if one) == sorted(by_cause)
    head = re.search(r"What is not known \((.*?)\)", render_summary_html(made))
    every = _number_of_checks(triage.findings)
    unevaluated = f"{len(on_page_one)} of {every} checks could not be evaluated"
    assert head is not None
    checks = f", {len(on_page_one)} check{'s' * (len(on_page_one) != 1)}" if on_page_one else ""
    listed = sum(len(getattr(block, "rows", ())) for block in made.section("limits").blocks)
    assert head[1] == f"{made.gap_count} gaps{checks}, {listed - made.gap_count} limits"
    assert bool(made.unevaluated.text) is bool(on_page_one)
    inside = {code for one in made.unknowns if one.internal for code in one.codes}
    apart = f" ({' and '.join(sorted(inside))} not counted)" if inside else ""
    assert not on_page_one or made.unevaluated.text.startswith(f"{unevaluated}{apart}: ")
    assert (unevaluated in render_summary_html(made)) is bool(on_page_one)
    _counts_each_check_once(inputs, made, on_page_one)
    return len(on_page_one)


def _counts_each_check_once(inputs: ReviewInputs, made: ReviewContents, unevaluated: set[str]) -> None:
    """Check that the numbers of clear checks and of all others are those of the annex, and add up to the number of page one."""
    case = reviewed_case(inputs)
    rows = [*standing(inputs.triage.findings).itertuples()]
    inside = {row.title for row in rows if row.internal}
    hits = {str(row.title) for row in rows if row.outcome == "HIT"}
    others = unevaluated | inside | hits
    parts = [{title.text for title, _ in pairs} - others for pairs in checks_of(inputs, case)]
    assert len(set().union(*parts)) == sum(map(len, parts))
    said = words_of(made.section("findings"))
    patterns = (
        r"(\d+) (?:is|are) clear\b",
        r"(\d+) (?:is|are) not counted as clear",
        r"(\d+) had nothing to look at",
        r"\((\d+) of which also ha",
        r"(\d+) (?:has a finding|have findings)",
        r"(\d+) checks, counted once for all sessions",
    )
    *numbers, twice, found, every = (
        int(told[1]) if (told := re.search(each, said)) else 0 for each in patterns
    )
    assert numbers == [len(part) for part in parts]
    assert said[said.index(f"{every} checks, counted once") :].partition(":")[2].partition(".")[
        0
    ] in words_of(made.section("clear"))
    assert found == len({str(row.rule_id) for row in rows if row.outcome == "HIT" and not row.internal})
    assert (
        every == len(unevaluated) + sum(numbers) + found - twice == _number_of_checks(inputs.triage.findings)
    )


def _number_of_checks(findings: pd.DataFrame) -> int:
    """Return the number of rules that a customer may know of, of which one pair of sources each is not known at most."""
    rows = [one for one in standing(findings).itertuples() if not one.internal]
    unknown = {(str(one.rule_id), str(one.title)) for one in rows if one.outcome == "UNKNOWN"}
    assert len(unknown) == len({rule for rule, _ in unknown})
    return len({str(one.rule_id) for one in rows})


@pytest.mark.parametrize("with_statement", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_a_demo_customer_has_one_number_of_what_could_not_be_evaluated(
    kind: str, *, with_statement: bool
) -> None:
    (plan,) = generate(1, 7, DAY.date(), history_days=120, scenario=kind).customers
    _check(evidence_of(plan, with_statement=with_statement), DAY)


def test_the_specimen_with_two_sessions_has_one_number_of_what_could_not_be_evaluated(
    specimen: Evidence,
) -> None:
    assert _check(specimen, datetime(2026, 6, 30, 12, tzinfo=UTC)) > 20


def test_what_one_rule_says_twice_is_one_finding_of_a_case_with_both_sentences(specimen: Evidence) -> None:
    inputs = inputs_of(specimen, datetime(2026, 6, 30, 12, tzinfo=UTC))
    rows = records(inputs.triage.findings)
    first = next(row for row in rows if row["outcome"] == "HIT" and not row["internal"])
    second = {**first, "sentence": "Another sum without an explanation", "evidence_ids": ["E-99"]}
    alone = findings_of(rows, inputs.policy.decisions)
    both = findings_of([*rows, second], inputs.policy.decisions)
    assert [one.key for one in both] == [one.key for one in alone]
    (changed,) = set(both) - set(alone)
    assert str(first["sentence"]) in changed.sentence
    assert "Another sum without an explanation" in changed.sentence
    assert {"E-99", *map(str, first["evidence_ids"])} <= set(changed.evidence_ids)


def test_each_check_that_could_not_be_evaluated_stands_beside_its_rule() -> None:
    kind = "session not finished"
    (plan,) = generate(1, 7, DAY.date(), history_days=120, scenario=kind).customers
    inputs = inputs_of(evidence_of(plan, with_statement=True), DAY)
    said = words_of(build_contents(inputs).section("findings"))
    rows = records(inputs.triage.findings, "outcome", "rule_id", "title")
    missed = [row for row in rows if row["outcome"] == "UNKNOWN"]
    assert len(missed) > 40
    for row in missed:
        assert re.search(rf"{re.escape(str(row['title'])[1:])} \([^)]*{row['rule_id']}[,)]", said)


def test_newer_evidence_that_reaches_any_level_of_a_rule_is_said_of_its_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    leaves = tuple(Leaf(LEVEL, "at_least", level) for level in ("edd", "escalate"))
    rule = SimpleNamespace(title="Source of wealth", when=Group("any", leaves))
    inputs: Any = SimpleNamespace(names=ShortNames(()), policy=SimpleNamespace(rules=[rule]))
    found = SimpleNamespace(level="edd")
    monkeypatch.setattr(
        checks.newer_findings, "otherwise", lambda _run, _policy, touch: "newer" if touch(found, ()) else ""
    )
    assert checks._raised(inputs, cast("Any", SimpleNamespace(run=None))) == {"Source of wealth": "newer"}
