"""Leaves in columns are the leaves one by one, whatever the documents before looked like."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kycpack.errors import InputError
from kycpack.frames.leaf_columns import KINDS, LeafColumns
from kycpack.frames.leaves import leaf_text, leaves
from kycpack.frames.members import kind_of

VALUES = st.recursive(
    st.sampled_from([None, True, False, 0, -7, 0.5, "", "clear", 'a "quoted" word', "\u202e", {}, []]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["a", "b", "a.b", ""]), inner, max_size=3)
    ),
    max_leaves=8,
)
DOCUMENTS = st.lists(st.dictionaries(st.sampled_from(["a", "b", "c"]), VALUES, max_size=3), max_size=5)


@settings(max_examples=100)
@given(DOCUMENTS, st.sampled_from([None, 2]))
def test_columns_are_the_leaves(documents: list[dict[str, Any]], indent: int | None) -> None:
    columns = LeafColumns()
    # More than once, since what was seen before is read by its shape.
    documents = documents * 3
    for document in documents:
        columns.add(json.dumps(document, indent=indent).encode())
    made = columns.take()
    expected = [leaf for document in documents if document for leaf in leaves(document)]
    assert [made.paths[number] for number in made.path] == [path for path, _ in expected]
    assert [KINDS[number] for number in made.kind] == [kind_of(value) for _, value in expected]
    assert made.text.to_pylist() == [leaf_text(value) for _, value in expected]
    assert made.counts.tolist() == [len(list(leaves(document))) if document else 0 for document in documents]


def test_a_leaf_that_becomes_an_object_is_seen() -> None:
    columns = LeafColumns()
    for pep in ("clear", "clear", {"level": "attention"}, ["attention"], {}, "clear"):
        columns.add(json.dumps({"summary": {"pep": pep, "terror": "clear"}}).encode())
    made = columns.take()
    found = [(made.paths[path], text) for path, text in zip(made.path, made.text.to_pylist(), strict=True)]
    assert ("summary.pep.level", "attention") in found
    assert ("summary.pep.0", "attention") in found
    assert ("summary.pep", "{}") in found
    assert made.counts.tolist() == [2] * 6


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 2000,
        b"{",
        b'{"a": 1, "a"}',
        b'{"a": 1} {"b": 2}',
    ],
)
def test_what_is_not_json_is_refused_and_leaves_nothing(body: bytes) -> None:
    columns = LeafColumns()
    columns.add(b'{"a": "kept"}')
    with pytest.raises(InputError):
        columns.add(body)
    columns.add(b'{"b": 0.10}')
    made = columns.take()
    assert made.text.to_pylist()[0] == "kept"
    assert Decimal(made.text.to_pylist()[1]) == Decimal("0.1")
    assert made.counts.tolist() == [1, 1]


DEEP = b"[" * 600 + b'"x"' + b"]" * 600


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (b"1e300", "unreadable"),
        (b"9" * 41, "unreadable"),
        (b"1e999999999", "unreadable"),
        (b'"\\ud800"', "unreadable"),
        (b'"\xff"', "unreadable"),
        (b"NaN", "unreadable"),
        (DEEP, "unreadable"),
    ],
)
def test_one_odd_value_is_marked_and_the_others_are_read(value: bytes, kind: str) -> None:
    columns = LeafColumns()
    for body in (b'{"a": "x", "b": {"c": "kept"}}', b'{"a": ' + value + b', "b": {"c": "kept"}}'):
        columns.add(body)
    made = columns.take()
    found = [
        (made.paths[path], KINDS[of], text)
        for path, of, text in zip(made.path, made.kind, made.text.to_pylist(), strict=True)
    ]
    assert found[-1] == ("b.c", "string", "kept")
    path, of, reason = found[2]
    assert (path.partition(".")[0], of) == ("a", kind)
    assert reason in {
        "a number with more than 40 digits",
        "text that is not UTF-8",
        "NaN is not a number",
        "nested deeper than 64",
    }


def test_a_byte_order_mark_is_passed_over() -> None:
    columns = LeafColumns()
    columns.add(b'\xef\xbb\xbf{"a": "kept"}')
    assert columns.take().text.to_pylist() == ["kept"]


def test_a_name_that_is_given_again_keeps_every_value() -> None:
    columns = LeafColumns()
    columns.add(b'{"a": {"b": "x", "b": "y"}, "a": {"b": "z"}, "c": 1}')
    made = columns.take()
    found = [(made.paths[path], text) for path, text in zip(made.path, made.text.to_pylist(), strict=True)]
    assert found == [("a.b", "x"), ("a.b\\2", "y"), ("a\\2.b", "z"), ("c", "1")]
