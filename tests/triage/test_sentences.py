"""What is compared is named so that a sentence about two things reads as one."""

from __future__ import annotations

import pytest

from kycpack.triage import load_policy
from kycpack.triage.sentences import label_of, value_words

_RULE = next(rule for rule in load_policy().rules if rule.id == "CON-4")


@pytest.mark.parametrize("path", ["consistency.name.record.bank", "consistency.name.document.bank"])
def test_two_names_that_do_not_match_are_both_named(path: str) -> None:
    sentence = _RULE.texts.hit.format(label=label_of(path))
    assert sentence.count("name on the") == 2
    assert sentence.endswith(" and the name on the bank account do not match")


def test_a_code_stands_in_a_sentence_as_words() -> None:
    assert value_words("match_confirmed") == "'match confirmed'"
    assert value_words("Match_Confirmed") == "'Match_Confirmed'"
