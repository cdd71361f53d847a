"""Evidence in, frames out: rows are items, and what is not there is a gap."""

from __future__ import annotations

import copy
import json
import shutil
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.frames.evidence_maker import (
    CUSTOMER,
    IDENTITY,
    KNOWN,
    RECORD,
    RESULTS,
    SESSION,
    STATUS,
    EvidenceMaker,
    clear_customer,
)
from tests.frames.frame_checks import check_form, gaps_of

from kycpack.errors import FrameError
from kycpack.evidence import Evidence, load_evidence, save_evidence
from kycpack.frames import Frames, flatten
from kycpack.frames.json_leaves import leaves
from kycpack.frames.schema import SCHEMAS

HOSTILE = ["<script>alert(1)</script>", "{nb}", "=1+1", "\u202egnp.exe", "李小龍", "Ольга", "نور", "a\x00b"]


def with_transactions(*items: Any, **envelope: Any) -> EvidenceMaker:
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.answer("bank_accounts.transactions", {"items": list(items), **envelope}, account_id="a1")
    return made


def test_no_evidence_gives_the_same_columns() -> None:
    frames = flatten([])
    check_form(frames)
    assert all(frame.empty for _, frame in frames.items())
    assert [name for name, _ in frames.items()] == list(SCHEMAS)


def test_a_clear_customer() -> None:
    frames = flatten(clear_customer())
    check_form(frames)
    assert {name: len(frame) for name, frame in frames.items() if len(frame)} == {
        "customers": 1, "sessions": 1, "results": 1, "checks": 37, "screening": 6, "documents": 2, "gaps": 6,
    }  # fmt: skip
    customer = frames.customers.iloc[0]
    assert (customer["first_name"], str(customer["date_of_birth_on"].date())) == ("Ada", "1985-12-10")
    session = frames.sessions.iloc[0]
    assert session["status"] == "complete"
    assert session["ordered_document_check"]
    assert not session["ordered_ais_accounts"]
    assert str(session["expires_at"]) == "2026-05-08 10:00:00+00:00"
    results = frames.results.iloc[0]
    assert results["screening_match_count"] == 0
    assert results["identity_face_analysis_facial_similarity_score"] == 0.97
    assert str(results["document_document_expiration_date_on"].date()) == "2031-01-01"


def test_what_the_service_never_shows_is_always_a_gap() -> None:
    assert {
        ("register", "not_listable"),
        ("screening", "list_date_not_visible"),
        ("screening", "matches_not_visible"),
        ("monitoring", "monitoring_not_visible"),
    } <= gaps_of(flatten(clear_customer()))


@settings(max_examples=30)
@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-(10**12), 10**12)
        | st.text(max_size=8)
        | st.sampled_from(HOSTILE),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["outcome", "document", "screening", "summary", "pep", "level1", "a.b", "", "new"]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=12,
    )
)
def test_any_results_document_gives_one_row_for_each_leaf_and_never_an_error(document: Any) -> None:
    frames = flatten(clear_customer(results=document))
    check_form(frames)
    expected = list(leaves(document)) if isinstance(document, dict) and document else []
    assert list(frames.checks["path"]) == [path for path, _ in expected]


def test_unknown_members_nulls_and_wrong_types_are_kept_and_told() -> None:
    results = copy.deepcopy(RESULTS)
    results["screening"]["summary"]["pep"]["level4"] = "attention"
    results["screening"]["matchCount"] = "three"
    results["document"]["holder"]["firstName"] = None
    results["document"]["holder"]["lastName"] = {"family": "Byron"}
    results["device"] = {"outcome": "warning", "signals": [1, "two", {}]}
    frames = flatten(clear_customer(results=results))
    check_form(frames)
    checks = frames.checks.set_index("path")["value"]
    assert checks["screening.summary.pep.level4"] == "attention"
    assert checks["screening.matchCount"] == "three"
    assert checks["document.holder.lastName.family"] == "Byron"
    assert checks["device.signals.0"] == "1"
    assert checks["device.signals.2"] == "{}"
    assert frames.results["screening_match_count"].isna().all()
    messages = " ".join(frames.gaps["message"])
    assert (
        "the number of screening matches is not what was expected: it is a text of another form" in messages
    )
    assert "first name on the document" in messages
    assert "three" not in messages


@pytest.mark.parametrize("body", [b'document: {"outcome": "clear"}', b"{" * 500, b"[1]"])
def test_a_document_that_is_refused_leaves_nothing_behind_and_takes_nothing_from_others(body: bytes) -> None:
    made = EvidenceMaker()
    made.session(body, session_id="odd")
    made.session()
    frames = flatten(made.make())
    check_form(frames)
    assert frames.checks["session_id"].unique().tolist() == [SESSION]
    assert len(frames.checks) == 37
    assert frames.results["document_outcome"].tolist() == ["clear"]


@pytest.mark.parametrize(
    "number", ["0.12345678901234567890", "123456789012345678901234567890", "1e-9", "3.0", "-7"]
)
def test_numbers_keep_their_value_exactly(number: str) -> None:
    made = EvidenceMaker()
    made.session(f'{{"screening": {{"matchCount": {number}}}}}'.encode())
    (value,) = flatten(made.make()).checks["value"]
    assert Decimal(value) == Decimal(number)


def test_scores_are_numbers_and_keep_their_digits_as_text() -> None:
    body = json.dumps(RESULTS).replace("0.97", "0.9700").encode()
    made = EvidenceMaker()
    made.session(body)
    checks = flatten(made.make()).checks.set_index("path")
    score = checks.loc["identity.faceAnalysis.facialSimilarityScore"]
    assert score["score"] == 0.97
    assert Decimal(score["value"]) == Decimal("0.97")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"text"',
        b'{"a": NaN}',
        b'{"a": 1e400}',
        b'{"a": "\\ud800"}',
        b"\xff\xfe",
        b'{"a":1,"a":2}',
    ],
)
@pytest.mark.parametrize(
    "operation", ["customers.get", "onboarding.get", "onboarding.results", "register.known"]
)
def test_a_body_that_cannot_be_read_is_a_gap_and_stops_nothing(operation: str, body: bytes) -> None:
    made = EvidenceMaker()
    made.answer("bank_accounts.list", {"items": []})
    made.answer(operation, body, session_id=SESSION)
    frames = flatten(made.make())
    check_form(frames)
    assert len(frames.customers) == 1
    if body != b"null":
        assert {code for _, code in gaps_of(frames)} & {"unreadable", "wrong_type", "given_twice"}


@pytest.mark.parametrize(
    ("outcome", "status"), [("refused", 403), ("failed", 500), ("timeout", None), ("not_asked", None)]
)
def test_whatever_was_not_answered_is_a_gap_with_its_entry(outcome: str, status: int | None) -> None:
    made = EvidenceMaker()
    made.refuse("customers.get", outcome=outcome, status=status)
    entry = made.refuse("bank_accounts.list", outcome=outcome, status=status)
    frames = flatten(made.make())
    row = frames.gaps[frames.gaps["area"] == "bank"].iloc[0]
    assert (row["code"], row["evidence_id"], row["subject"]) == (outcome, entry, CUSTOMER)
    assert frames.customers["first_name"].isna().all()


def test_ordered_and_absent_is_another_gap_than_not_ordered() -> None:
    results = {name: section for name, section in RESULTS.items() if name not in {"address", "screening"}}
    known = copy.deepcopy(KNOWN)
    known["sessions"][0]["ordered"]["identity"] = {**IDENTITY, "amlExtensiveScreening": False}
    frames = flatten(clear_customer(results=results, known=known))
    assert ("session", "section_missing") in gaps_of(frames)
    assert ("screening", "not_ordered") in gaps_of(frames)


def test_a_session_that_only_the_register_knows_has_a_row() -> None:
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    register = made.known()
    frames = flatten(made.make())
    check_form(frames)
    assert frames.sessions["session_id"].tolist() == [SESSION]
    assert frames.sessions["status"].isna().all()
    assert frames.sessions["evidence_id"].tolist() == [register]
    assert ("session", "not_asked") in gaps_of(frames)


def test_many_customers_give_the_same_frames_with_more_rows() -> None:
    evidence = []
    for number in range(3):
        made = EvidenceMaker(f"{CUSTOMER[:-1]}{number}")
        made.answer("customers.get", {**RECORD, "id": made.customer_id, "firstName": HOSTILE[number]})
        made.session(RESULTS, STATUS, session_id=f"s{number}")
        evidence.append(made.make())
    together = flatten(iter(evidence))
    check_form(together)
    one_by_one = [flatten(one) for one in evidence]
    for name, frame in together.items():
        parts = pd.concat([getattr(one, name).astype(object) for one in one_by_one], ignore_index=True)
        pd.testing.assert_frame_equal(frame.astype(object), parts)


def test_a_customer_given_twice_is_refused() -> None:
    with pytest.raises(FrameError, match="twice"):
        flatten([clear_customer(), clear_customer()])


def test_frames_of_single_customers_become_one_with_the_dtypes_of_many() -> None:
    other = EvidenceMaker("another-customer")
    other.answer("customers.get", {**RECORD, "id": other.customer_id})
    parts = [flatten(clear_customer()), flatten(other.make())]
    stacked = Frames.concat(parts)
    for name, frame in stacked.items():
        single = [dict(part.items())[name] for part in parts]
        assert frame.dtypes.astype(str).to_dict() == single[0].dtypes.astype(str).to_dict(), name
        assert len(frame) == sum(map(len, single)), name
    with pytest.raises(FrameError, match="given twice"):
        Frames.concat([parts[0], parts[0]])


def test_what_is_written_to_frames_is_not_in_those_of_the_next_time() -> None:
    evidence = clear_customer()
    first, before = flatten(evidence), flatten(evidence).customers.to_dict("records")
    first.customers["first_name"] = "Somebody else"
    first.customers.loc[0, "last_name"] = "Somebody else"
    assert flatten(evidence).customers.to_dict("records") == before


def test_other_bodies_give_other_frames_even_where_an_index_says_the_same() -> None:
    evidence = clear_customer()
    flatten(evidence)
    (entry,) = evidence.select("customers.get")
    record = json.loads(evidence.body(entry.id)) | {"firstName": "Zoe"}
    bodies = {**evidence.bodies, entry.id: json.dumps(record).encode()}
    changed = Evidence(evidence.customer_id, evidence.entries, bodies)
    assert flatten(changed).customers["first_name"].tolist() == ["Zoe"]


def test_evidence_whose_folder_is_gone_since_stands_in_nobodys_way(tmp_path: Path) -> None:
    evidence = clear_customer()
    stored = load_evidence(save_evidence(evidence, tmp_path / "evidence"))
    frames = flatten(stored)
    shutil.rmtree(tmp_path / "evidence")
    (entry,) = evidence.select("customers.get")
    other = Evidence(
        evidence.customer_id, evidence.entries, {**evidence.bodies, entry.id: b'{"firstName": "Zoe"}'}
    )
    assert flatten(other).customers["first_name"].tolist() == ["Zoe"]
    assert flatten(evidence).customers.equals(frames.customers)
    assert stored.bodies == evidence.bodies
    assert stored.bodies != other.bodies


def test_a_gap_names_a_member_that_is_answered_by_yes_or_no_as_a_question() -> None:
    progress = {**STATUS["progress"], "identity": {"completed": True, "confirmed": "maybe"}}
    messages = " ".join(flatten(clear_customer(status={**STATUS, "progress": progress})).gaps["message"])
    assert (
        "the answer to “identity confirmed” is not what was expected: it is a text of another form"
        in messages
    )
