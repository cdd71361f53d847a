"""A policy says what it means or does not parse, and the error names the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from kycpack.errors import PolicyError
from kycpack.triage import Policy, check_policy, load_policy, policy_file, read_policy
from kycpack.triage.levels import LEVELS
from kycpack.triage.policies.policy import sources_of
from kycpack.triage.policies.rules import Leaf, leaves_of
from kycpack.triage.policy_file import default_policy_file

MINIMAL = """\
policy: {id: mine, version: 1.0.0, effective: 2026-01-01}
levels: [approve, review, edd, escalate, reject]
floor: {clear: approve, warning: review, consider: review, rejected: reject, missing: review, "*": review}
rules:
  - id: SAN-1
    when: {path: screening.summary.watchlist.sanctionsLists, not_in: [clear, not_processed, 0, false]}
    raise_to: escalate
    owner: MLRO
    reason: Possible sanctions hit
    basis: MLR 2017 reg. 33
tests:
  - {given: {screening: {outcome: clear, summary: {watchlist: {sanctionsLists: attention}}}}, expect: escalate, fired: [SAN-1]}
"""


def read(text: str) -> Policy:
    return read_policy(text.encode(), "mine.yaml")


def test_the_policy_of_the_design_parses_and_passes_its_own_test() -> None:
    policy = read(MINIMAL)
    assert (policy.id, policy.version) == ("mine", "1.0.0")
    assert [rule.id for rule in policy.rules] == ["SAN-1"]
    assert check_policy(policy) == []


def test_the_default_policy_passes_its_own_tests() -> None:
    policy = load_policy()
    assert len(policy.tests) > 30
    assert check_policy(policy) == []


def test_every_rule_of_the_default_policy_is_fired_by_one_of_its_tests() -> None:
    policy = load_policy()
    fired = {rule for test in policy.tests for rule in test.fired}
    # A rule that only asks whether something is there can say that it is not known, and never fires.
    asking = {
        rule.id
        for rule in policy.rules
        if all(leaf.operator in {"present", "country"} for leaf in leaves_of(rule.when))
    }
    assert {rule.id for rule in policy.rules} - fired == asking


def test_a_failing_test_of_a_policy_is_told_with_its_line() -> None:
    (failure,) = check_policy(read(MINIMAL.replace("expect: escalate", "expect: edd")))
    assert failure == "mine.yaml, line 12: expected edd, got escalate"
    (failure,) = check_policy(
        read(
            MINIMAL.replace("sanctionsLists: attention", "sanctionsLists: clear").replace(
                "expect: escalate", "expect: review"
            )
        )
    )
    assert failure == "mine.yaml, line 12: SAN-1 did not fire"


def test_equal_bytes_are_tested_once_and_a_failure_names_each_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tested: list[Policy] = []

    def check(policy: Policy) -> list[str]:
        tested.append(policy)
        return check_policy(policy)

    monkeypatch.setattr(policy_file, "check_policy", check)
    text = MINIMAL.replace("Possible sanctions hit", "Possible hit of these bytes")
    for name in ("first.yaml", "second.yaml"):
        (tmp_path / name).write_text(text)
        assert load_policy(tmp_path / name).id == "mine"
    assert len(tested) == 1
    for name in ("third.yaml", "fourth.yaml"):
        (tmp_path / name).write_text(text.replace("expect: escalate", "expect: edd"))
        with pytest.raises(PolicyError, match=f"^{name}, line 12: fails its own test: expected edd"):
            load_policy(tmp_path / name)


def test_the_digest_is_that_of_the_file() -> None:
    assert read(MINIMAL).digest != read(MINIMAL + "\n").digest
    assert read(MINIMAL).source == MINIMAL.encode()


@pytest.mark.parametrize(
    ("old", "new", "line", "complaint"),
    [
        ("sanctionsLists, not_in", "sanctionsList, nought_in", 6, "unknown name 'nought_in'"),
        ("screening.summary.watchlist", "screning.summary.watchlist", 6, "unknown path"),
        ("screening.summary.watchlist.sanctionsLists", "screening..x", 6, "unknown path"),
        ("raise_to: escalate", "raise_to: burn", 7, "unknown level 'burn'"),
        ("raise_to: escalate", "raise_to: approve", 7, "a rule raises"),
        ("levels: [approve, review", "levels: [review, approve", 2, "in this order"),
        ("consider: review", "consider: approve", 3, "softer"),
        ("rejected: reject", "rejected: edd", 3, "softer"),
        ('"*": review', '"*": approve', 3, "softer"),
        ("    owner: MLRO\n", "", 5, "'owner' is missing"),
        ("    owner: MLRO\n", "    owner: MLRO\n    lower_to: approve\n", 9, "unknown name 'lower_to'"),
        ("reason: Possible sanctions hit", "reason: ''", 9, "expected text"),
        ("not_in: [clear, not_processed, 0, false]", "not_in: clear", 6, "expected a list"),
        ("not_in: [clear, not_processed, 0, false]", "not_in: [null]", 6, "null"),
        ("not_in: [clear, not_processed, 0, false]", "above: many", 6, "takes a number"),
        ("not_in: [clear, not_processed, 0, false]", "in_list: nowhere", 6, "no list 'nowhere'"),
        ("not_in: [clear, not_processed, 0, false]", "equals: 1, above: 2", 6, "exactly one of these operators"),
        ("not_in: [clear, not_processed, 0, false]", "if_missing: clear", 6, "exactly one of these operators"),
        ("not_in: [clear, not_processed, 0, false]", "in: [a], if_missing: fine", 6, "if_missing"),
        ("screening.summary.watchlist.sanctionsLists, not_in: [clear, not_processed, 0, false]", "triage.level, equals: edd", 6, "at_least"),
        ("path: screening.summary.watchlist.sanctionsLists, not_in: [clear, not_processed, 0, false]", "path: requested.document, in: [abssent]", 6, "never 'abssent'"),
        ("path: screening.summary.watchlist.sanctionsLists, not_in: [clear, not_processed, 0, false]", "path: consistency.name.likeness.record.document, in: [slip, slipp]", 6, "never 'slipp'"),
        ("path: screening.summary.watchlist.sanctionsLists, not_in: [clear, not_processed, 0, false]", "path: bank.expected, equals: yes please", 6, "never 'yes please'"),
        ("{path: screening.summary.watchlist.sanctionsLists, not_in: [clear, not_processed, 0, false]}", "{all: [{path: document.outcome, in: [a, b]}, {path: document.outcome, equals: c}]}", 6, "can never fire"),
        ("{path: screening.summary.watchlist.sanctionsLists, not_in: [clear, not_processed, 0, false]}", "{all: [{path: document.outcome, in: [a, b]}, {path: document.outcome, not_in: [b, a]}]}", 6, "can never fire"),
        ("{path: screening.summary.watchlist.sanctionsLists, not_in: [clear, not_processed, 0, false]}", "{all: [{path: screening.matchCount, above: 4}, {path: screening.matchCount, below: 2}]}", 6, "can never fire"),
        ("{path: screening.summary.watchlist.sanctionsLists, not_in: [clear, not_processed, 0, false]}", "{all: [{path: screening.matchCount, at_least: 3}, {path: screening.matchCount, below: 3}]}", 6, "can never fire"),
        ("{path: screening.summary.watchlist.sanctionsLists, not_in: [clear, not_processed, 0, false]}", "{path: document.outcome, in: [rejected]}\n    applies_if: {path: document.outcome, in: [clear]}", 7, "can never fire"),
        ("{path: screening.summary.watchlist.sanctionsLists, not_in: [clear, not_processed, 0, false]}", "{all: [{path: document.outcome, equals: warning}, {path: document.outcome, not_equals: warning}]}", 6, "can never fire"),
        ("{path: screening.summary.watchlist.sanctionsLists, not_in: [clear, not_processed, 0, false]}", "{all: [{path: screening.matchCount, in: [1, 2]}, {path: screening.matchCount, above: 2}]}", 6, "can never fire"),
        ("path: screening.summary.watchlist.sanctionsLists, not_in: [clear, not_processed, 0, false]", "path: requested.document, not_in: [not_ordered, answered, absent, order_not_known]", 6, "can never fire"),
        ("path: screening.summary.watchlist.sanctionsLists, not_in: [clear, not_processed, 0, false]", "path: requested.document, above: 3", 6, "can never fire"),
        ("path: screening.summary.watchlist.sanctionsLists, not_in: [clear, not_processed, 0, false]", "path: bank.expected, below: 1, if_missing: clear", 6, "can never fire"),
        ("{path: screening.summary.watchlist.sanctionsLists, not_in: [clear, not_processed, 0, false]}", "{all: [{path: document.outcome, equals: a}, {all: [{path: document.outcome, equals: b}]}]}", 6, "can never fire"),
        ("{path: screening.summary.watchlist.sanctionsLists, not_in: [clear, not_processed, 0, false]}", "{all: [{path: document.outcome, equals: a}, {any: [{path: document.outcome, equals: b}]}]}", 6, "can never fire"),
        ("not_in: [clear, not_processed, 0, false]", "not_in: [clear], clear: [not_processed]", 6, "'not_processed' is both a hit and clear"),
        ("path: screening.summary.watchlist.sanctionsLists, not_in: [clear, not_processed, 0, false]", "path: screening.matchCount, above: 0, clear: [0, 5]", 6, "is both a hit and clear"),
        ("rules:\n", "owners: {screning: MLRO}\nrules:\n", 4, "unknown name 'screning'"),
        ("rules:\n", "lists: {ours: ../../notes.yaml}\nrules:\n", 4, "there is no list '../../notes.yaml'"),
        ("rules:\n", "lists: {ours: countries}\nrules:\n", 4, "there is no list 'countries'"),
        ("fired: [SAN-1]", "fired: [SAN-9]", 12, "no rule 'SAN-9'"),
        ("id: mine", "id: ../mine", 1, "an id consists of"),
        ("effective: 2026-01-01", "effective: soon", 1, "expected a date"),
        ("rules:\n", "rules: &anchor\n", 4, "anchors"),
        ("    owner: MLRO\n", "    owner: MLRO\n    owner: Other\n", 9, "given twice"),
        ("policy: {id: mine", "policy: {[id]: mine", 1, "a name must be text"),
    ],
)  # fmt: skip
def test_what_has_no_meaning_is_named_by_its_line(old: str, new: str, line: int, complaint: str) -> None:
    assert old in MINIMAL
    with pytest.raises(PolicyError, match=complaint) as raised:
        read(MINIMAL.replace(old, new))
    assert raised.value.place == f"mine.yaml, line {line}"


@pytest.mark.parametrize(
    "text", ["", "[]", "policy: !!python/object/apply:os.system [ls]", "\x00", "a: " + "[" * 1500]
)
def test_what_is_no_policy_at_all_is_refused(text: str) -> None:
    with pytest.raises(PolicyError):
        read(text)


def test_norway_is_text_and_not_false() -> None:
    policy = read(MINIMAL.replace("not_in: [clear, not_processed, 0, false]", "in: [NO, off, 2026-01-01]"))
    when = policy.rules[0].when
    assert isinstance(when, Leaf)
    assert when.argument == ("NO", "off", "2026-01-01")


def test_thresholds_are_those_that_derivation_knows() -> None:
    assert read(MINIMAL + "thresholds: {near_limit_count: 4}\n").thresholds == {"near_limit_count": 4}
    with pytest.raises(PolicyError) as raised:
        read(MINIMAL + "thresholds: {near_limit_cuont: 4}\n")
    assert raised.value.place == "mine.yaml, line 13"


@pytest.mark.parametrize(
    ("threshold", "said"),
    [
        ("large_credit_share: 140", "a share above 0 and at most 1, such as 0.2 for 20%"),
        ("large_credit_share: 20", "a share above 0 and at most 1"),
        ("structuring_spread: 1.01", "a share above 0 and at most 1"),
        ("pass_through_share: -0.2", "a share above 0 and at most 1"),
        ("pass_through_share: 0", "a share above 0 and at most 1"),
        ("pass_through_days: -5", "a number of days from 1 to 3660"),
        ("pass_through_days: 0", "a number of days from 1 to 3660"),
        ("pass_through_days: 3.5", "a whole number"),
        ("fan_in_parties: 0", "a number from 1 to 100000"),
        ("large_credit: 0", "an amount above 0"),
        ("structuring_total: -1", "an amount above 0"),
        ("large_credit: .inf", "expected a number"),
        ("refund_factor: 1000", "a multiple above 0 and at most 100"),
    ],
)
def test_a_threshold_out_of_range_is_refused_with_its_line_and_range(threshold: str, said: str) -> None:
    with pytest.raises(PolicyError, match=said) as raised:
        read(MINIMAL + f"thresholds:\n  {threshold}\n")
    assert raised.value.place == "mine.yaml, line 14"


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("path: identity.faceAnalysis.facialSimilarityScore, below: 3", "from 0 to 1"),
        ("path: identity.faceAnalysis.facialSimilarityScore, below: 60, within: [0, 1]", "from 0 to 1"),
        ("path: bank.history_days, below: -5", "from 0 to 36600"),
        ("path: expiry.document_days, below: 99999", "from -36600 to 36600"),
        ("path: age.record, below: 180", "from 0 to 150"),
        ("path: screening.matchCount, above: -1", "from 0 to"),
        ("path: screening.matchCount, equals: -3", "from 0 to"),
        ("path: screening.matchCount, not_in: [0, -1]", "from 0 to"),
        ('path: "*.matchCount", above: -2', "from 0 to"),
        ("path: identity.faceAnalysis.facialSimilarityScore, in: [5]", "from 0 to 1"),
    ],
)
def test_a_rule_with_a_number_out_of_range_is_refused_with_its_line_and_range(
    condition: str, said: str
) -> None:
    old = "path: screening.summary.watchlist.sanctionsLists, not_in: [clear, not_processed, 0, false]"
    with pytest.raises(PolicyError, match=f"is out of range: .* {said}") as raised:
        read(MINIMAL.replace(old, condition))
    assert raised.value.place == "mine.yaml, line 6"


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("path: identity.authenticityAnalysis.livenessCheckScore, above: 1", "so it is never above 1"),
        ("path: identity.authenticityAnalysis.livenessCheckScore, below: 0", "so it is never below 0"),
        (
            "path: identity.faceAnalysis.facialSimilarityScore, below: 0.5, within: [-3, 100]",
            "the scale of a score begins at 0",
        ),
    ],
)
def test_a_rule_whose_number_is_never_passed_is_refused_with_its_line(condition: str, said: str) -> None:
    old = "path: screening.summary.watchlist.sanctionsLists, not_in: [clear, not_processed, 0, false]"
    with pytest.raises(PolicyError, match=said) as raised:
        read(MINIMAL.replace(old, condition))
    assert raised.value.place == "mine.yaml, line 6"


def test_a_score_of_another_scale_is_compared_with_that_scale() -> None:
    old = "path: screening.summary.watchlist.sanctionsLists, not_in: [clear, not_processed, 0, false]"
    scaled = "path: identity.faceAnalysis.facialSimilarityScore, below: 60, within: [0, 100]"
    assert read(MINIMAL.replace(old, scaled)).rules


@pytest.mark.parametrize("days", [0, -5, 4000])
def test_a_review_period_out_of_range_is_refused(days: int) -> None:
    text = Path(default_policy_file()).read_text(encoding="utf-8")
    with pytest.raises(PolicyError, match="a number of days from 1 to 3660"):
        read(text.replace("enhanced: 365}", f"enhanced: {days}}}"))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="cannot be read"):
        load_policy(tmp_path / "gone.yaml")


def test_the_levels_are_ordered() -> None:
    assert LEVELS == ("approve", "review", "edd", "escalate", "reject")


def test_every_basis_of_the_default_policy_cites_a_text_with_its_edition() -> None:
    policy = load_policy()
    for rule in policy.rules:
        cited = sources_of(rule.basis, policy.legal_sources)
        assert cited, rule.id
        assert all(one.edition and one.checked for one in cited)


def test_a_basis_that_no_source_lists_is_refused_with_its_line(tmp_path: Path) -> None:
    text = default_policy_file().read_text()
    changed = tmp_path / "ours.yaml"
    changed.write_text(text.replace('basis: "MLR 2017 reg. 33"', 'basis: "A custom of the house"', 1))
    with pytest.raises(
        PolicyError, match=r"ours\.yaml, line \d+: the basis cites none of the `sources` listed"
    ):
        load_policy(changed)


@pytest.mark.parametrize(
    "condition",
    [
        "{path: requested.document, not_in: [not_ordered, answered, absent]}",
        "{path: requested.document, not_in: [not_ordered, answered, absent, order_not_known], if_missing: hit}",
        "{all: [{path: document.outcome, equals: a}, {any: [{path: document.outcome, equals: b}, {path: document.outcome, equals: a}]}]}",
    ],
)
def test_a_rule_that_some_value_fires_is_read(condition: str) -> None:
    old = "{path: screening.summary.watchlist.sanctionsLists, not_in: [clear, not_processed, 0, false]}"
    assert old in MINIMAL
    assert read(MINIMAL.replace(old, condition)).rules
