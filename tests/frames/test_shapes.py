"""A document that is read by its shape gives what the strict reader gives, or is left to it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.frames.evidence_maker import RESULTS

from kycpack.errors import InputError
from kycpack.frames.leaf_columns import KINDS, LeafColumns
from kycpack.frames.leaves import leaf_text, leaves
from kycpack.frames.members import kind_of
from kycpack.models.json import parse_json, parse_json_leniently

Told = list[tuple[str, str, str | None]]
BODY = json.dumps(RESULTS).encode()
SMALL = b'{"a": {"b": "x", "c": [1, {"d": 0.5}]}, "e": {"f": null}}'


def strictly(body: bytes) -> Told | None:
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


def by_shape(*bodies: bytes) -> Told | None:
    """What is told of the last body, after the others."""
    columns = LeafColumns()
    for body in bodies[:-1]:
        columns.add(body)
    columns.take()
    try:
        columns.add(bodies[-1])
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
def test_whatever_is_put_into_a_known_document_is_read_as_strictly(data: st.DataObject) -> None:
    known = data.draw(st.sampled_from([BODY, SMALL]))
    for _ in range(20):
        start = data.draw(st.integers(0, len(known)))
        end = data.draw(st.integers(start, min(start + 6, len(known))))
        changed = known[:start] + data.draw(PIECES) + known[end:]
        assert by_shape(known, known, known, changed) == strictly(changed)


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
    assert by_shape(BODY, BODY, BODY, body) == strictly(body)


def test_digits_stay_as_they_were_written() -> None:
    bodies = [b'{"a": {"score": 0.%d0}}' % number for number in (5, 6, 7, 8)]
    assert by_shape(*bodies) == [("a.score", "number", "0.80")]


@pytest.mark.parametrize("section", ["null", "{}", "[]", '"clear"', "7", '{"outcome": "clear"}'])
def test_what_a_document_is_does_not_depend_on_those_before(section: str) -> None:
    columns = LeafColumns()
    usual = b'{"document": {"outcome": "clear"}, "address": {"outcome": "clear"}}'
    for body in (usual, usual, usual):
        columns.add(body)
    other = usual.replace(b'"address": {"outcome": "clear"}', b'"address": ' + section.encode())
    assert columns.add(other) == LeafColumns().add(other)
    assert columns.add(usual) == LeafColumns().add(usual)
