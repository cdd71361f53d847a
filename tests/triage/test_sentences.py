"""What is compared is named so that a sentence about two things reads as one."""

from __future__ import annotations

import pytest
from tests.frames.evidence_maker import STATUS
from tests.triage.test_evaluate import changed, triage

from kycpack.triage import load_policy
from kycpack.triage.judge.sentences import label_of, value_words

_RULE = next(rule for rule in load_policy().rules if rule.id == "CON-4")


@pytest.mark.parametrize("path", ["consistency.name.record.bank", "consistency.name.document.bank"])
def test_two_names_that_do_not_match_are_both_named(path: str) -> None:
    sentence = _RULE.texts.hit.format(label=label_of(path))
    assert sentence.count("name on the") == 2
    assert sentence.endswith(" and the name on the bank account do not match")


def test_a_code_stands_in_a_sentence_as_words() -> None:
    assert value_words("match_confirmed") == "'match confirmed'"
    assert value_words("Match_Confirmed") == "'Match_Confirmed'"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.document.documentNumber", None),
        ("document.document.documentNumber", 17),
        ("document.document.expirationDate", "2031-02-30"),
        ("document.document.expirationDate", ""),
    ],
)
def test_results_that_came_are_not_said_to_be_missing_because_of_one_member(path: str, value: object) -> None:
    reasons = list(triage(results=changed(path, value)).recommendations["reasons"].iloc[0])
    assert any("in a form that can be read" in reason for reason in reasons)
    assert not any("not obtained." in reason or "were not obtained" in reason for reason in reasons)
    assert not any("got " in reason for reason in reasons)


def test_a_session_whose_status_is_known_is_not_said_to_have_none() -> None:
    status = {**STATUS, "status": "pending", "progress": {}}
    reasons = list(triage(status=status).recommendations["reasons"].iloc[0])
    assert any("does not give the identity confirmation" in reason for reason in reasons)
    assert not any("status of the session is not known" in reason for reason in reasons)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("\u202egnihton", "'<U+202E>gnihton'"),
        ("a\x00b\nc", "'a<U+0000>b c'"),
        ("نمی\u200cدانم", "'نمی\u200cدانم'"),
        ("\u202e" * 90, f"'{'<U+202E>' * 10}...'"),
    ],
)
def test_no_character_of_a_value_is_left_out_in_silence(value: str, said: str) -> None:
    assert value_words(value) == said
