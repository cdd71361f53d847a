"""The lexicon speaks the words of the statement."""

from __future__ import annotations

from kycpack.models.enums import SourceType
from kycpack.wealth.prepare.lexicon import load_lexicon


def test_every_type_is_one_that_a_statement_knows_and_none_is_missing() -> None:
    lexicon = load_lexicon()
    assert sorted(lexicon.types) == sorted(SourceType)
    coded = {*lexicon.purposes.values(), *lexicon.merchant_categories.values()}
    for code in lexicon.bank_codes.values():
        coded |= {code.type, *code.one_of} - {""}
    assert coded <= set(SourceType)
