"""What kycpack works out is read by a rule of the default policy, or is listed as not judged: nothing falls between the two."""

from __future__ import annotations

import re
from typing import get_args

import pytest
from tests.frames.evidence_maker import RECORD, EvidenceMaker
from tests.render.step_findings import steps
from tests.triage.test_evaluate import AS_OF, POLICY, finding, level

from kycpack.frames import flatten
from kycpack.frames.gaps import STANDING_GAPS, GapCode
from kycpack.render.review.gap_duties import QUESTIONS, duty_of
from kycpack.triage import evaluate
from kycpack.triage.paths import NOT_JUDGED, OF_CUSTOMERS, OF_SESSIONS, matches
from kycpack.wealth.flag_levels import DEFAULT_LEVELS

# A pattern such as `**` reads results documents and none of kycpack's own observations.
READ = [leaf.path for rule in POLICY.rules for leaf in rule.leaves if "*" not in leaf.path.partition(".")[0]]
AREAS = ("customer", "session", "screening", "bank", "payment", "statement", "media", "register")
# Gaps that no rule reads as gaps, by the rules that judge the same fact.
BY_OTHER_RULES = {
    "order_not_known": {"REQ-1"},
    "not_ordered": {"REQ-1", "REQ-2"},
    "standard_only": {"SCR-3"},
    "section_missing": {"REQ-1"},
    "members_missing": {"RES-1"},
    "matches_not_listed": {"SCR-1"},
    "no_accounts": {"REQ-2", "REQ-3"},
    "not_asked": {"CDD-2", "REQ-1"},
    "amount_missing": {"PAY-1"},
    "payment_not_supported": {"PAY-1"},
    "token_expiry_missing": {"BNK-2"},
    "access_expired": {"BNK-2"},
    "no_transactions": {"WLT-1", "WLT-2", "EDD-1"},
    "history_short": {"EDD-1"},
    "pay_beside_benefit": {"WLT-3"},
}
# Gaps that only say how far the evidence reaches, or what was set aside; every pack lists them under "What this pack cannot show".
LISTED_ONLY = {
    *STANDING_GAPS, "not_downloaded", "account_repeated", "transaction_repeated", "transaction_id_reused", "account_limit", "silent",
    "months_missing", "may_be_one_account", "unprintable", "opening_below_limit", "risk_not_given", "monitoring_not_ordered",
    "screened_name_not_shown", "categories_not_seen", "address_date_not_shown", "address_name_not_shown", "payee_not_known", "nature_below_limit",
    "values_not_at_hand", "nature_in_doubt",
    *QUESTIONS,
} - {"pay_beside_benefit"}  # fmt: skip


@pytest.mark.parametrize("path", [*OF_SESSIONS, *OF_CUSTOMERS])
def test_an_observation_is_read_by_a_rule_or_listed_as_not_judged(path: str) -> None:
    assert any(matches(one, path) for one in READ) != (path in NOT_JUDGED)


@pytest.mark.parametrize("code", get_args(GapCode))
def test_a_gap_is_read_by_a_rule_or_judged_by_another_or_only_listed(code: str) -> None:
    is_read = any(matches(one, f"gaps.{area}.{code}") for one in READ for area in AREAS)
    assert [is_read, code in BY_OTHER_RULES, code in LISTED_ONLY].count(True) == 1


@pytest.mark.parametrize("expiries", [["2026-08-01T00:00:00Z", None], [None, "2026-08-01T00:00:00Z"], [None]])
def test_an_account_whose_access_has_no_known_end_is_not_hidden_by_one_that_has(
    expiries: list[str | None],
) -> None:
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.session()
    accounts = [
        {"id": f"a{number}", "currency": "GBP", "accountHolderName": "Ada Byron"}
        | ({} if ends is None else {"tokenExpiry": ends})
        for number, ends in enumerate(expiries)
    ]
    made.answer("bank_accounts.list", {"items": accounts})
    made.known()
    row = finding(evaluate(flatten(made.make()), POLICY, as_of=AS_OF), "BNK-2")
    assert row["outcome"] == "UNKNOWN"
    assert level(evaluate(flatten(made.make()), POLICY, as_of=AS_OF)) != "approve"


@pytest.mark.parametrize("code", get_args(GapCode))
def test_every_gap_says_who_does_what_and_asks_no_customer_before_the_mlro_agrees(code: str) -> None:
    assert re.match(r"(Analyst|MLRO|No action): [a-z]+ \w+", duty_of(code).text)
    quiet = duty_of(code, "when the MLRO agrees").text
    assert ("when the MLRO agrees" in quiet) == ("customer" in duty_of(code).text or code == "account_limit")


def test_the_owner_of_a_gap_is_the_owner_of_the_rule_that_reads_it() -> None:
    for rule in POLICY.rules:
        read = {
            code
            for leaf in rule.leaves
            for code in get_args(GapCode)
            if leaf.path.startswith("gaps.")
            and any(matches(leaf.path, f"gaps.{area}.{code}") for area in AREAS)
        }
        for code in read:
            assert duty_of(code).text.startswith(f"{rule.owner}: "), (rule.id, code)


def test_every_finding_and_every_gap_that_the_policy_can_raise_has_an_owner_and_a_step() -> None:
    """For each rule, each path that it asks about and each outcome that is no approval: who has it, and a step that begins with them."""
    for rule in POLICY.rules:
        assert rule.owner, rule.id
        for leaf in rule.leaves:
            for path in (
                leaf.path.replace("**", "x").replace("*", one)
                for one in (*get_args(GapCode), *(flag for flag in DEFAULT_LEVELS), "x")
                if "*" in leaf.path or one == "x"
            ):
                row = {
                    "rule_id": rule.id,
                    "path": path,
                    "session_id": "ses-1",
                    "level": rule.raise_to,
                    "owner": rule.owner,
                    "action": rule.action,
                    "internal": rule.internal,
                }
                made = " ".join(steps(row))
                assert f"{rule.owner}: " in made, (rule.id, path)
                assert rule.id in made, (rule.id, path)


def test_the_rules_that_judge_what_a_gap_says_exist() -> None:
    assert set().union(*BY_OTHER_RULES.values()) <= {rule.id for rule in POLICY.rules}
