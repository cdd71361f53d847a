"""The lexicon speaks the words of the statement."""

from __future__ import annotations

import re
from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.models.enums import SourceType
from kycpack.wealth import derive
from kycpack.wealth.prepare.lexicon import load_lexicon


def test_every_type_is_one_that_a_statement_knows_and_none_is_missing() -> None:
    lexicon = load_lexicon()
    assert sorted(lexicon.types) == sorted(SourceType)
    coded = {*lexicon.purposes.values(), *lexicon.merchant_categories.values()}
    for code in lexicon.bank_codes.values():
        coded |= {code.type, *code.one_of} - {""}
    assert coded <= set(SourceType)


def test_a_phrase_ends_where_its_text_ends() -> None:
    book = load_lexicon().phrases
    for word in sorted(book.words):
        for words in ([word], ["kate", word], [word, "kate"]):
            assert all(0 <= hit.start < hit.end <= len(words) for hit in book.find(words)), words


@pytest.mark.parametrize("form", ["{}", "KATE {}", "ZELLE FROM {}"])
def test_no_word_of_the_lexicon_stops_a_derivation(form: str) -> None:
    texts = [form.format(word.upper()) for word in sorted(load_lexicon().phrases.words)]
    rows = pd.DataFrame(
        {
            # Who is paid with thousands of words on one day is nobody: the payers of a customer are compared in pairs.
            "customer_id": [f"C{number // 40}" for number in range(len(texts))],
            "account_id": [f"A{number // 40}" for number in range(len(texts))],
            "txn_id": [f"T{number}" for number in range(len(texts))],
            "booked_on": "2025-03-04",
            "amount_minor": range(1_000, 1_000 + len(texts)),
            "currency": "GBP",
            "description_raw": texts,
        }
    )
    assert len(derive(rows, as_of="2025-12-31").credits) == len(texts)


def test_no_long_pattern_is_compiled_again_for_the_next_customer(
    ledger: Callable[..., pd.DataFrame], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = ledger(("2025-03-04", 200_000, "ACME LTD SALARY"), ("2025-04-04", 200_000, "ACME LIMITED SALARY"))
    derive(rows, as_of="2025-06-30")
    compiled: list[str] = []
    compile_ = re.compile
    monkeypatch.setattr(
        re, "compile", lambda pattern, flags=0: compiled.append(pattern) or compile_(pattern, flags)
    )
    derive(rows, as_of="2025-06-30")
    assert not [pattern[:40] for pattern in compiled if len(pattern) > 1_000]
