"""Texts as plain words."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kycpack.wealth.prepare.plain_text import to_plain_text, to_plain_words, to_words

# Characters that one Unicode version assigns and another does not are left out, and numerals that are no digits.
_CHARACTERS = st.characters(exclude_categories=("Cs", "Cn", "Co", "Nl", "No"))
_PIECES = st.sampled_from(
    [
        "A.B.C. ",
        "bet365",
        "888sport",
        "ref",
        "X1234567",
        "É",
        "ł",
        "ß",
        " & ",
        "O'Neill",
        "ΟΔΟΣ",
        "İ",
        "J.P. ",
    ]
)
_TEXTS = st.lists(st.one_of(_PIECES, st.text(_CHARACTERS, max_size=6)), max_size=6).map("".join)


@pytest.mark.parametrize(
    ("text", "plain", "with_digits", "words"),
    [
        ("SALARY  Acme-Payroll REF 00123", "salary acme payroll ref", "salary acme payroll ref", None),
        ("Bet365 O\u2019Neill", "o neill".replace(" ", ""), "bet365 oneill", None),
        ("CAF\u00c9 A.B.C. & S\u00f8n", "cafe a b c son", "cafe a b c son", "cafe abc and son"),
    ],
)
def test_what_is_left_of_a_text(text: str, plain: str, with_digits: str, words: str | None) -> None:
    assert to_plain_text([text]) == [plain]
    assert to_words([text]) == [with_digits]
    if words is not None:
        assert to_plain_words([text]) == [words]


@given(_TEXTS)
def test_plain_text_has_neither_accents_nor_digits(text: str) -> None:
    (plain,) = to_plain_text([text])
    assert all(letter == " " or unicodedata.category(letter)[0] == "L" for letter in plain)
    assert plain == " ".join(plain.split())
