from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

from kycpack.batch.fingerprint import code_digest, fingerprint
from kycpack.evidence import Entry, Evidence
from kycpack.evidence.record import sha256_hex
from kycpack.frames import Frames, flatten
from kycpack.models.json import dump_json

GIVEN: dict[str, Any] = {
    "policy_digest": "p",
    "code_digest": "c",
    "country": "GB",
    "people": ("A. Analyst", ""),
    "occasion": "onboarding",
}


def _frames(first_name: str | None = "Ada", *, requested_at: str = "2026-06-01T00:00:00.000Z") -> Frames:
    record = {"id": "c-1", "firstName": first_name, "created": "2026-01-01T00:00:00.000Z"}
    body = dump_json(record)
    entry = Entry(
        "E-01",
        "customers.get",
        {"customer_id": "c-1"},
        "answered",
        method="GET",
        status=200,
        requested_at=requested_at,
        bytes=len(body),
        sha256=sha256_hex(body),
        file="E-01.json",
    )
    return flatten(Evidence("c-1", (entry,), {"E-01": body}))


def test_the_same_answers_at_another_time_are_the_same() -> None:
    later = _frames(requested_at="2026-06-02T00:00:00.000Z")
    assert fingerprint(_frames(), **GIVEN) == fingerprint(later, **GIVEN)


def test_another_answer_policy_code_country_person_or_occasion_is_not() -> None:
    base = fingerprint(_frames(), **GIVEN)
    others = {
        fingerprint(_frames("Eve"), **GIVEN),
        fingerprint(_frames(""), **GIVEN),
        fingerprint(_frames(None), **GIVEN),
        *(fingerprint(_frames(), **{**GIVEN, name: "other"}) for name in GIVEN),
    }
    assert len(others) == 8
    assert base not in others


@pytest.mark.parametrize(("frame", "column"), [("balances", "balance_at"), ("statements", "generated_at")])
def test_when_the_service_made_a_document_does_not_count(frame: str, column: str) -> None:
    frames = _frames()
    table: Any = getattr(frames, frame)
    rows = [pd.concat([table, pd.DataFrame([{column: f"2026-06-0{day}"}])]) for day in (1, 2)]
    first, second = (fingerprint(replace(frames, **{frame: row}), **GIVEN) for row in rows)
    assert first == second
    assert first != fingerprint(frames, **GIVEN)


def test_the_code_has_one_digest() -> None:
    assert code_digest() == code_digest()
    assert len(code_digest()) == 64
