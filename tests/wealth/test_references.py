"""References put into one form: nothing that is read of a text changes, and few texts are left of many."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kycpack.wealth.given_thresholds import entities_with
from kycpack.wealth.prepare.entities import load_entities
from kycpack.wealth.prepare.lexicon import load_lexicon
from kycpack.wealth.prepare.plain_text import to_plain_text
from kycpack.wealth.prepare.text_reading import read_text

_WORDS = (
    "TRADING 212", "BET365", "32RED", "888SPORT", "HMRC", "TESCO", "SALARY", "UNIVERSAL CREDIT", "Halfmoon Cafe", "MR J SMITH", "RENT", "LTD", "ref",
    "INV1042", "invoice7", "RG123456", "24JUN", "5march", "JUN25", "CARD12", "X1234567", "A1B2", "7", "12", "00123", "000000", "0jan", "000JAN", "1ST",
    "118118", "1822direkt", "3", "B&Q", "A.B.C.", "O'Neill 24JUN", "É24", "24MÄRZ", "10ß", "İ2", "ΟΔΟΣ9", "4\u0301B2",
)  # fmt: skip
_BETWEEN = st.sampled_from([" ", "  ", "-", "_", ".", "/", "&", "'", "\t"])
_PIECES = st.one_of(
    st.sampled_from(_WORDS), st.text(max_size=8), st.from_regex(r"[A-Za-z0-9]{1,9}", fullmatch=True)
)
_TEXTS = st.lists(st.tuples(_PIECES, _BETWEEN), max_size=6).map(
    lambda parts: "".join(one + between for one, between in parts)
)


@given(_TEXTS)
def test_a_text_is_read_alike_with_any_reference(text: str) -> None:
    entities, lexicon = load_entities(), load_lexicon()
    (folded,) = entities.references.fold([text])
    assert to_plain_text([folded]) == to_plain_text([text])
    for is_name in (True, False):
        assert entities.find(folded, is_name=is_name) == entities.find(text, is_name=is_name)
    said, said_folded = (read_text(words.split(), (), lexicon) for words in lexicon.words_of([text, folded]))
    assert said_folded == said


@given(st.lists(_TEXTS, max_size=8))
def test_a_text_is_put_into_one_form_whatever_stands_beside_it(texts: list[str]) -> None:
    references = load_entities().references
    assert references.fold(texts).tolist() == [references.fold([text])[0] for text in texts]


@pytest.mark.parametrize(
    "texts",
    [
        ["CARD 24JUN AIRE WATER 7734080", "CARD 03DEC AIRE WATER 1200457"],
        ["ACME LTD INV1042", "ACME LTD INV9977"],
        ["O'NEILL ΟΔΟΣ 7734080", "O'NEILL ΟΔΟΣ 1200457"],
        ["STORE 4471 A1B2C3", "STORE 0952 77X88Y"],
    ],
)
def test_texts_that_differ_by_a_reference_become_one(texts: list[str]) -> None:
    assert len(set(load_entities().references.fold(texts))) == 1


@pytest.mark.parametrize("text", ["TRADING 212", "BET365 PAYOUT", "O'NEILL7734080", "ΟΔΟΣ7734080"])
def test_known_numbers_and_words_in_other_letters_stay(text: str) -> None:
    assert load_entities().references.fold([text]).tolist() == [text]


def test_a_number_by_which_a_firm_knows_a_payer_is_no_reference() -> None:
    references = entities_with({"employer": "Agency 0; Bureau 000000"}).references
    assert references.fold(["AGENCY 0", "AGENCY 7", "BUREAU 7734080"]).tolist() == [
        "AGENCY 0",
        "AGENCY 7",
        "BUREAU 7734080",
    ]
