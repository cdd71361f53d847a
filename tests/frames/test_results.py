"""The leaves of a results document in `checks`, whatever the documents before looked like."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.frames.evidence_maker import RESULTS, EvidenceMaker

from kycpack.errors import InputError
from kycpack.frames import flatten
from kycpack.frames.answer_fields import kind_of
from kycpack.frames.flatten import Frames
from kycpack.frames.json_leaves import leaf_text, leaves
from kycpack.models.json import parse_json, parse_json_leniently

Found = list[tuple[str, str, str | None]]

VALUES = st.recursive(
    st.sampled_from([None, True, False, 0, -7, 0.5, "", "clear", 'a "quoted" word', "\u202e", {}, []]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["a", "b", "a.b", ""]), inner, max_size=3)
    ),
    max_leaves=8,
)
DOCUMENTS = st.lists(st.dictionaries(st.sampled_from(["a", "b", "c"]), VALUES, max_size=3), max_size=5)


def together(*bodies: bytes) -> Frames:
    """The frames of customers who have one results document each."""
    made = []
    for number, body in enumerate(bodies):
        one = EvidenceMaker(f"customer-{number}")
        one.answer("onboarding.results", body, session_id=f"session-{number}")
        made.append(one.make())
    return flatten(made)


def found_in(frames: Frames, number: int) -> Found:
    checks = frames.checks[frames.checks["customer_id"] == f"customer-{number}"].astype(object)
    values = checks["value"].where(checks["value"].notna(), None)
    return list(zip(checks["path"], checks["kind"], values, strict=True))


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
    """The leaves of the last body, read after the others; None where it cannot be read."""
    frames = together(*bodies)
    number = len(bodies) - 1
    gaps = frames.gaps[frames.gaps["customer_id"] == f"customer-{number}"]
    return None if "unreadable" in set(gaps["code"]) else found_in(frames, number)


@settings(max_examples=50, deadline=None)
@given(DOCUMENTS, st.sampled_from([None, 2]))
def test_checks_are_the_leaves(documents: list[dict[str, Any]], indent: int | None) -> None:
    bodies = [json.dumps(document, indent=indent).encode() for document in documents] * 3
    frames = together(*bodies)
    for number, body in enumerate(bodies):
        assert found_in(frames, number) == strictly(body)


def test_a_leaf_that_becomes_an_object_is_seen() -> None:
    peps: list[Any] = ["clear", "clear", {"level": "attention"}, ["attention"], {}, "clear"]
    frames = together(*(json.dumps({"summary": {"pep": pep, "terror": "clear"}}).encode() for pep in peps))
    assert found_in(frames, 2)[0] == ("summary.pep.level", "string", "attention")
    assert found_in(frames, 3)[0] == ("summary.pep.0", "string", "attention")
    assert found_in(frames, 4)[0] == ("summary.pep", "object", "{}")
    assert [len(found_in(frames, number)) for number in range(len(peps))] == [2] * 6


@pytest.mark.parametrize("body", [b"[" * 2000, b"", b"clear", b'clear {"a": 1}'])
def test_what_is_not_json_is_refused_and_leaves_nothing(body: bytes) -> None:
    frames = together(b'{"a": "kept"}', body, b'{"b": 0.10}')
    assert [found_in(frames, number) for number in range(3)] == [
        [("a", "string", "kept")], [], [("b", "number", "0.10")],
    ]  # fmt: skip
    assert after_others(b'{"a": "kept"}', body) is None


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
    body = b'{"a": ' + value + b', "b": {"c": "kept"}}'
    (path, of, reason), last = after_others(b'{"a": "x", "b": {"c": "kept"}}', body) or ()
    assert last == ("b.c", "string", "kept")
    assert (path.partition(".")[0], of) == ("a", kind)
    assert reason in {
        "a number with more than 40 digits",
        "text that is not UTF-8",
        "NaN is not a number",
        "nested deeper than 64",
    }


def test_a_byte_order_mark_is_passed_over() -> None:
    assert after_others(b'\xef\xbb\xbf{"a": "kept"}') == [("a", "string", "kept")]


def test_a_name_that_is_given_again_keeps_every_value() -> None:
    assert after_others(b'{"a": {"b": "x", "b": "y"}, "a": {"b": "z"}, "c": 1}') == [
        ("a.b", "string", "x"), ("a.b\\2", "string", "y"), ("a\\2.b", "string", "z"), ("c", "number", "1"),
    ]  # fmt: skip


BODY = json.dumps(RESULTS).encode()
SMALL = b'{"a": {"b": "x", "c": [1, {"d": 0.5}]}, "e": {"f": null}}'


PIECES = st.sampled_from([
    b"", b'"', b"\\", b"\\u0041", b"\\ud800", b"{", b"}", b"{}", b"[]", b"[", b"]", b",", b":", b" ", b"\n",
    b"-", b"-0", b"-0.0", b"0", b"00", b".", b"1e3", b"NaN", b"null", b"true", b"false", b"\x00", b"\x1f",
    b"\xff", b"\xc2\xa0", "\u202e".encode(), b'"a": 1, ', b'"b": "x", ', b"12345678901234567890.123456789",
])  # fmt: skip


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_whatever_is_put_into_a_document_is_read_as_the_strict_reader_reads_it(data: st.DataObject) -> None:
    known = data.draw(st.sampled_from([BODY, SMALL]))
    bodies = [known]
    for _ in range(20):
        start = data.draw(st.integers(0, len(known)))
        end = data.draw(st.integers(start, min(start + 6, len(known))))
        bodies += [known[:start] + data.draw(PIECES) + known[end:]]
    frames = together(*bodies)
    for number, body in enumerate(bodies):
        assert found_in(frames, number) == (strictly(body) or [])


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
    usual = b'{"document": {"outcome": "clear"}, "address": {"outcome": "clear"}}'
    other = usual.replace(b'"address": {"outcome": "clear"}', b'"address": ' + section.encode())
    after, alone = together(usual, usual, other), together(other)
    whose = {"customer-2": "customer-0", "session-2": "session-0"}
    for name, frame in after.items():
        own = frame[frame["customer_id"] == "customer-2"].astype(object).replace(whose)
        assert own.to_json(orient="records") == getattr(alone, name).astype(object).to_json(orient="records")


def test_checks_made_in_many_steps_are_those_made_in_few(monkeypatch: pytest.MonkeyPatch) -> None:
    bodies = [BODY, SMALL, BODY.replace(b'"GB"', b'"FR"'), b"{}", BODY]
    few = together(*bodies)
    monkeypatch.setattr("kycpack.frames.frame_builder._CHUNK", 3)
    monkeypatch.setattr("kycpack.frames.frame_builder._MOMENT", 2)
    for name, frame in together(*bodies).items():
        pd.testing.assert_frame_equal(frame, getattr(few, name))
