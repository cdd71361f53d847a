"""A slip of syntax is marked where it is, and hides nothing beside it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kycpack.errors import InputError
from kycpack.models.broken_json import SLIP, UnreadableValue
from kycpack.models.json import dump_json, parse_json_leniently, without_odd_values

_NO_VALUE = UnreadableValue("not a value of JSON")


@pytest.mark.parametrize("value", ["-.5", "+7", "007", "0b1", "True", "nil", "5%", "'x'"])
def test_a_value_that_json_does_not_have_is_marked(value: str) -> None:
    read = parse_json_leniently(f'{{"score": {value}, "outcome": "rejected"}}'.encode())
    assert read == {"score": _NO_VALUE, "outcome": "rejected"}


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"one": 1 "outcome": "rejected"}', "line 1, column 11"),
        ('{"one": 1, "outcome": "rejected"}\nHTTP/1.1', "line 2, column 1"),
        ('{"one": 1, "outcome": "rejected"', "line 1, column 33"),
        ('{"one": 1],\n "outcome": "rejected"}', "line 1, column 10"),
        ('{"one": 1,, "outcome": "rejected"}', "line 1, column 11"),
        ('{"one": 1, two: 2, "outcome": "rejected"}', "line 1, column 12"),
        ('{"one": 1, "outcome": "rejected", "cut off', "line 1, column 35"),
        ('/* the "export" of {today} */\n{"one": 1, "outcome": "rejected"}', "line 1, column 1"),
        ('\n// don\'t "edit [this]\n{"one": 1, "outcome": "rejected"}', "line 2, column 1"),
        ('{"one": 1, /* cut off "outcome": "rejected"}', "line 1, column 12"),
        ('{"one": 1, // "edited\n "outcome": "rejected"}', "line 1, column 12"),
        ('{"one": 1, "outcome": /* was clear */ "rejected"}', "line 1, column 23"),
        ('{"one": 1, "outcome": "rejected"} // "end', "line 1, column 35"),
    ],
)
def test_a_slip_is_marked_with_its_place_and_hides_nothing_beside_it(text: str, place: str) -> None:
    read = parse_json_leniently(text.encode())
    assert read.pop(SLIP) == UnreadableValue(f"not JSON at {place}")
    assert read == {"one": 1, "outcome": "rejected"}


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_other_encodings_of_unicode_are_read(encoding: str) -> None:
    assert parse_json_leniently('{"outcome": "rejected ☒"}'.encode(encoding)) == {"outcome": "rejected ☒"}


@pytest.mark.parametrize(
    "data", [b"", b"<html>{}</html>", b'"clear', b"\xff\xfe\x00", b"{" * 100, b"{nope", b"[", b"{]}"]
)
def test_what_is_neither_an_object_nor_a_list_or_has_nothing_readable_is_refused(data: bytes) -> None:
    with pytest.raises(InputError):
        parse_json_leniently(data)


def test_an_item_with_a_slip_is_left_out_whole_because_its_numbers_may_be_cut() -> None:
    page = b'{"items": [{"id": "a", "amount": 1,234.50}, {"id": "b", "amount": 7}, {"id": "c", "amount": 12'
    assert without_odd_values(parse_json_leniently(page))["items"] == [{}, {"id": "b", "amount": 7}, {}]


_DOCUMENTS = st.dictionaries(
    st.text("abc", min_size=1),
    st.recursive(
        st.none() | st.booleans() | st.integers(0, 999) | st.text('ab"\\{}[]:, \n'),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text("xyz", min_size=1), inner, max_size=3)
        ),
        max_leaves=8,
    ),
    min_size=1,
)


@given(_DOCUMENTS)
def test_nothing_after_the_end_of_a_document_changes_what_was_read(document: dict[str, Any]) -> None:
    read = parse_json_leniently(dump_json(document) + b" x")
    assert read.pop(SLIP).reason.startswith("not JSON at line ")
    assert read == document


@given(_DOCUMENTS, st.data())
def test_whatever_is_cut_out_of_a_document_is_read_or_refused(document: dict[str, Any], data: Any) -> None:
    text = json.dumps(document)
    begin = data.draw(st.integers(1, len(text)))
    end = data.draw(st.integers(begin, len(text)))
    try:
        read = parse_json_leniently((text[:begin] + text[end:]).encode())
    except InputError:
        return
    assert isinstance(read, dict)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        parse_json_leniently(data)
    except InputError:
        return
