"""The titles and sentences of the default policy, as a person in a bank reads them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.frames.evidence_maker import clear_customer
from tests.render.said_steps import steps_of
from tests.triage.test_evaluate import AS_OF, POLICY, finding, level

from kycpack.frames import flatten
from kycpack.render.review.reasons import Reason
from kycpack.triage import evaluate
from kycpack.triage.policies.policy import sources_of
from kycpack.triage.policies.rules import Rule

RULES = pytest.mark.parametrize("rule", POLICY.rules, ids=lambda rule: rule.id)
# Words of data formats and of programs, and colloquial ones.
NOT_OF_A_BANK = re.compile(
    r"\b(member|members|unlisted|leaf|path|fractions|alike|look|asks? for one|cannot be)\b",
    re.IGNORECASE,
)
# A title stands beside a finding and in the list of clear checks, so it says what is checked and no result.
RESULT = re.compile(
    r"\b(possible|confirmed|finished|answered|given|complete|not|whose|how alike)\b", re.IGNORECASE
)


@RULES
def test_a_title_says_what_is_checked_and_not_the_result(rule: Rule) -> None:
    about = rule.title.replace("the policy does not list", "")
    assert RESULT.search(about) is None
    assert NOT_OF_A_BANK.search(rule.title) is None


@RULES
def test_no_sentence_of_a_rule_has_words_that_no_bank_uses(rule: Rule) -> None:
    said = rule.texts
    for text in (rule.reason, said.hit, said.clear, said.unknown, said.not_applicable):
        assert NOT_OF_A_BANK.search(text.replace("looked at", "")) is None, text


@RULES
def test_beside_its_title_a_clear_check_does_not_repeat_it(rule: Rule) -> None:
    title, colon, seen = rule.texts.clear.partition(": ")
    assert colon
    assert seen
    assert seen.casefold() != title.casefold()


def test_whether_bank_data_is_there_and_whether_it_is_required_are_two_facts_with_names_of_their_own() -> (
    None
):
    titles = {rule.id: rule.title for rule in POLICY.rules}
    assert titles["BNK-1"] == "Whether a bank account is linked or bank access was ordered"
    assert titles["REQ-3"] == "Requirement of bank data by the level of due diligence"
    assert not [title for title in titles.values() if "expected" in title]


def test_whoever_owns_the_question_of_a_report_is_the_nominated_officer_in_every_sentence_about_it() -> None:
    rule, names = (rule for rule in POLICY.rules if rule.action == "internal_report")
    assert (names.owner, names.internal, names.basis) == (rule.owner, True, rule.basis)
    assert rule.owner == "MLRO"
    for one in (rule, names):
        assert f"{one.title}, ".casefold() in one.texts.hit.casefold()
        assert "a report to the NCA, on which the nominated officer, the MLRO, decides: " in one.texts.hit
        assert "onsider" not in f"{one.reason} {one.texts.hit} {one.texts.clear}"
    assert rule.texts.hit.startswith("Possible need for a report to the NCA, ")
    assert ("s. 330" in rule.basis, "s. 331" in rule.basis) == (True, True)
    said = Reason(rule.id, rule.texts.hit, rule.owner, "review", rule.action, internal=True)
    assert said.about[1] == "decision on a report to the NCA"
    step, _ = steps_of((said,))
    assert "MLRO: decide as nominated officer whether to report to the National Crime Agency (INT-1)" in step
    assert "reports it internally to the MLRO" in step
    assert all("reasonable grounds for knowing or suspecting" in one for one in (rule.basis, step))


def test_the_default_policy_cites_no_text_as_one_that_nobody_has_read() -> None:
    text = POLICY.source.decode()
    assert not re.findall(r".*\b(?:not|never|nobody) (?:been )?(?:found, so|read)\b(?!able).*", text)
    for one in POLICY.legal_sources:
        assert "not known" not in f"{one.edition} {one.checked}".casefold(), one.cites
        assert "not found" not in f"{one.edition} {one.checked}".casefold(), one.cites


@pytest.mark.parametrize("cited", ["28(13)", "33(3A)", "33(4)", "33(5)", "33(6)", "s. 21D", "reg. 37"])
def test_a_paragraph_whose_text_was_not_at_hand_is_named_in_the_documentation_alone(cited: str) -> None:
    assert cited not in POLICY.source.decode()
    assert cited in (Path(__file__).parents[2] / "docs/policy.md").read_text()


def test_titles_tell_the_rules_apart() -> None:
    titles = [rule.title for rule in POLICY.rules]
    assert len({*titles}) == len(titles)


@pytest.mark.parametrize(
    ("recorded", "outcome", "recommended", "words"),
    [
        (None, "NOT_APPLICABLE", "approve", "nothing recorded"),
        ("none", "CLEAR", "approve", "recorded as not a PEP"),
        ("foreign", "HIT", "edd", "names a politically exposed person: 'foreign'"),
        ("maybe", "UNKNOWN", "review", "does not say whether the person is a PEP"),
    ],
)
def test_a_customer_whom_the_firms_file_does_not_have_is_not_clear_of_being_a_pep(
    recorded: str | None, outcome: str, recommended: str, words: str
) -> None:
    frames = flatten(clear_customer())
    frames.customers["risk_pep"] = recorded
    made = evaluate(frames, POLICY, as_of=AS_OF)
    row = finding(made, "PEP-4")
    assert (row["outcome"], level(made)) == (outcome, recommended)
    assert words in row["sentence"]


def test_every_regulation_that_a_basis_names_has_its_edition_and_every_edition_a_date_or_says_that_it_shows_none() -> (
    None
):
    for rule in POLICY.rules:
        cited = re.findall(r"MLR 2017 reg\. ([^;:]*)", rule.basis)
        named = {number for part in cited for number in re.findall(r"(?<![\d/(])\d{2}(?!\d| June)", part)}
        listed = {
            number
            for one in sources_of(rule.basis, POLICY.legal_sources)
            for number in re.findall(r"(?<!\d)\d{2}(?!\d)", one.cites)
        }
        assert named <= listed, rule.id
    for one in POLICY.legal_sources:
        parts = one.edition.split("; ")
        assert all(
            re.search(r"\b20\d\d\b|date shown|kycpack|This policy|notes \d", part) for part in parts
        ), one.cites
