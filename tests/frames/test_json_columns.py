"""Leaves in columns are the leaves one by one, whatever the documents before looked like."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.frames.evidence_maker import RESULTS

from kycpack.errors import InputError
from kycpack.frames.answer_fields import kind_of
from kycpack.frames.json_columns import KINDS, LeafColumns
from kycpack.frames.json_leaves import leaf_text, leaves
from kycpack.models.json import parse_json, parse_json_leniently

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
    documents = documents * 3
    for document in documents:
        columns.add(parse_json_leniently(json.dumps(document, indent=indent).encode()))
    made = columns.take()
    expected = [leaf for document in documents if document for leaf in leaves(document)]
    assert [made.paths[number] for number in made.path] == [path for path, _ in expected]
    assert [KINDS[number] for number in made.kind] == [kind_of(value) for _, value in expected]
    assert made.text.to_pylist() == [leaf_text(value) for _, value in expected]
    assert made.counts.tolist() == [len(list(leaves(document))) if document else 0 for document in documents]


def test_a_leaf_that_becomes_an_object_is_seen() -> None:
    columns = LeafColumns()
    for pep in ("clear", "clear", {"level": "attention"}, ["attention"], {}, "clear"):
        columns.add(parse_json_leniently(json.dumps({"summary": {"pep": pep, "terror": "clear"}}).encode()))
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
    columns.add(parse_json_leniently(b'{"a": "kept"}'))
    with pytest.raises(InputError):
        columns.add(parse_json_leniently(body))
    columns.add(parse_json_leniently(b'{"b": 0.10}'))
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
        columns.add(parse_json_leniently(body))
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
    columns.add(parse_json_leniently(b'\xef\xbb\xbf{"a": "kept"}'))
    assert columns.take().text.to_pylist() == ["kept"]


def test_a_name_that_is_given_again_keeps_every_value() -> None:
    columns = LeafColumns()
    columns.add(parse_json_leniently(b'{"a": {"b": "x", "b": "y"}, "a": {"b": "z"}, "c": 1}'))
    made = columns.take()
    found = [(made.paths[path], text) for path, text in zip(made.path, made.text.to_pylist(), strict=True)]
    assert found == [("a.b", "x"), ("a.b\\2", "y"), ("a\\2.b", "z"), ("c", "1")]


Found = list[tuple[str, str, str | None]]
BODY = json.dumps(RESULTS).encode()
SMALL = b'{"a": {"b": "x", "c": [1, {"d": 0.5}]}, "e": {"f": null}}'


def strictly(body: bytes) -> Found | None:
    try:
        document = parse_json(body)
    except InputError:
        try:
            document = parse_json_leniently(body)
        except InputError:
            return None
    if not isinstance(document, dict) or not document:
        return []
    return [(path, kind_of(leaf), leaf_text(leaf)) for path, leaf in leaves(document)]


def after_others(*bodies: bytes) -> Found | None:
    """The leaves of the last body, read after the others."""
    columns = LeafColumns()
    for body in bodies[:-1]:
        columns.add(parse_json_leniently(body))
    columns.take()
    try:
        columns.add(parse_json_leniently(bodies[-1]))
    except InputError:
        assert len(columns) == 0
        return None
    made = columns.take()
    paths = [made.paths[number] for number in made.path]
    kinds = [KINDS[number] for number in made.kind]
    return list(zip(paths, kinds, made.text.to_pylist(), strict=True))


PIECES = st.sampled_from([
    b"", b'"', b"\\", b"\\u0041", b"\\ud800", b"{", b"}", b"{}", b"[]", b"[", b"]", b",", b":", b" ", b"\n",
    b"-", b"-0", b"-0.0", b"0", b"00", b".", b"1e3", b"NaN", b"null", b"true", b"false", b"\x00", b"\x1f",
    b"\xff", b"\xc2\xa0", "\u202e".encode(), b'"a": 1, ', b'"b": "x", ', b"12345678901234567890.123456789",
])  # fmt: skip


@settings(max_examples=50)
@given(st.data())
def test_whatever_is_put_into_a_document_is_read_as_the_strict_reader_reads_it(data: st.DataObject) -> None:
    known = data.draw(st.sampled_from([BODY, SMALL]))
    for _ in range(20):
        start = data.draw(st.integers(0, len(known)))
        end = data.draw(st.integers(start, min(start + 6, len(known))))
        changed = known[:start] + data.draw(PIECES) + known[end:]
        assert after_others(known, known, known, changed) == strictly(changed)


@pytest.mark.parametrize(
    "value",
    [
        "clear", "", "\u202e", "\u007f", 'a "quote"', None, True, False, 0, -7, 97, 0.97, -0.5,
        123456789012345678, [], {}, {"level": "x"}, ["x"], 1e-7,
    ],
)  # fmt: skip
def test_a_leaf_of_any_kind_may_stand_where_another_was(value: Any) -> None:
    document = json.loads(BODY)
    document["identity"]["faceAnalysis"]["facialSimilarityScore"] = value
    body = json.dumps(document, ensure_ascii=False).encode()
    assert after_others(BODY, BODY, BODY, body) == strictly(body)


def test_digits_stay_as_they_were_written() -> None:
    bodies = [b'{"a": {"score": 0.%d0}}' % number for number in (5, 6, 7, 8)]
    assert after_others(*bodies) == [("a.score", "number", "0.80")]


@pytest.mark.parametrize("section", ["null", "{}", "[]", '"clear"', "7", '{"outcome": "clear"}'])
def test_what_a_document_is_does_not_depend_on_those_before(section: str) -> None:
    columns = LeafColumns()
    usual = b'{"document": {"outcome": "clear"}, "address": {"outcome": "clear"}}'
    for body in (usual, usual, usual):
        columns.add(parse_json_leniently(body))
    other = usual.replace(b'"address": {"outcome": "clear"}', b'"address": ' + section.encode())
    assert columns.add(parse_json_leniently(other)) == LeafColumns().add(parse_json_leniently(other))
    assert columns.add(parse_json_leniently(usual)) == LeafColumns().add(parse_json_leniently(usual))
