from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kycpack.errors import InputError
from kycpack.models.json import canonical_json, dump_json, parse_json

_LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(10**39) + 1, 10**39 - 1)
    | st.decimals(allow_nan=False, allow_infinity=False, places=2, min_value=-(10**12), max_value=10**12)
    | st.text(st.characters(exclude_categories=["Cs"]))
)
_DOCUMENTS = st.recursive(
    _LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(_DOCUMENTS)
def test_what_is_written_is_read_back_exactly(document: Any) -> None:
    assert parse_json(dump_json(document)) == document
    assert parse_json(canonical_json(document)) == document


@pytest.mark.parametrize("text", ["0.1", "1234567890123456.78", "-0.005", "100.00"])
def test_a_number_keeps_its_digits(text: str) -> None:
    assert parse_json(text) == Decimal(text)
    assert str(parse_json(text)) == text
    assert dump_json(Decimal(text)) == text.encode()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"{", "not JSON"),
        (b"\xff", "not UTF-8"),
        (b"NaN", "NaN"),
        (b"[Infinity]", "Infinity"),
        (b"1e400", "digits"),
        (b"1e-400", "digits"),
        (b"9" * 5000, "digits"),
        (b'{"a":1,"a":2}', "twice"),
        (b'"\\ud800"', "surrogate"),
        (b'{"\\udfff":1}', "surrogate"),
        (b"[" * 100 + b"]" * 100, "nested"),
        (b"[" * 100_000, "nested|not JSON"),
    ],
)
def test_what_json_leaves_open_is_refused_without_a_quote(data: bytes, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        parse_json(data)


@pytest.mark.parametrize("value", [{1, 2}, object(), Decimal("NaN"), "\ud800"])
def test_what_has_no_exact_form_is_not_written(value: Any) -> None:
    with pytest.raises(InputError, match="no JSON form"):
        dump_json({"value": value})


def test_equal_documents_have_equal_canonical_bytes() -> None:
    assert canonical_json({"b": 1, "a": [True, None]}) == canonical_json({"a": [True, None], "b": 1})


@pytest.mark.parametrize("inner", [b"", b"1", b'{"a":1}', b"[]", b'["\\u0041"]'])
def test_the_deepest_nesting_that_is_read(inner: bytes) -> None:
    containers = inner.count(b"[") + inner.count(b"{") + (inner not in {b"", b"[]"})
    least = b"[" * (8 - containers) + inner + b"]" * (8 - containers)
    assert parse_json(least, max_depth=8)
    with pytest.raises(InputError, match="deeper than 8"):
        parse_json(b"[" + least + b"]", max_depth=8)
