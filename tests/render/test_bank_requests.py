"""The review says what bank data was requested and what was answered, for each way in which there may be none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from kycpack.evidence import Entry, Evidence
from kycpack.frames import flatten
from kycpack.models.json import canonical_json
from kycpack.render.palette import Tone
from kycpack.render.review.bank_requests import request_blocks
from kycpack.render.review.short_names import short_names

LIST, TRANSACTIONS = "bank_accounts.list", "bank_accounts.transactions"
Change = Callable[[Entry], Entry | None]


def changed(evidence: Evidence, change: Change, bodies: dict[str, object] | None = None) -> Evidence:
    entries = tuple(one for one in map(change, evidence.entries) if one is not None)
    kept = {one.id: evidence.bodies[one.id] for one in entries if one.file is not None}
    for id_, body in (bodies or {}).items():
        kept[id_] = canonical_json(body)
    return Evidence(evidence.customer_id, entries, kept)


def said_of(evidence: Evidence) -> tuple[str, Tone]:
    frames = flatten(evidence)
    (paragraph,) = request_blocks(evidence, frames, short_names(frames))
    return paragraph.text, paragraph.tone


def without_answer(entry: Entry, outcome: str, status: int | None, note: str = "") -> Entry:
    return replace(entry, outcome=outcome, status=status, note=note, file=None, sha256=None, bytes=0)


def test_all_that_was_requested_and_answered_is_said(specimen: Evidence) -> None:
    text, tone = said_of(specimen)
    assert text.startswith("The list of bank accounts was requested, and the answer has 2 accounts (E-")
    assert (tone is Tone.PLAIN) == ("refused" not in text and "not arrive" not in text)


@pytest.mark.parametrize("operation", [LIST, TRANSACTIONS])
@pytest.mark.parametrize(
    ("outcome", "status", "words"),
    [("refused", 403, "refused with status 403"), ("timeout", None, "did not arrive in time"), ("not_asked", None, "not requested")],
)  # fmt: skip
def test_a_request_without_an_answer_is_said_with_its_outcome(
    specimen: Evidence, operation: str, outcome: str, status: int | None, words: str
) -> None:
    text, tone = said_of(
        changed(
            specimen,
            lambda one: without_answer(one, outcome, status) if one.operation == operation else one,
        )
    )
    assert words in text
    assert tone is Tone.UNKNOWN
    assert "no account (" not in text


def test_a_list_that_was_never_requested_is_not_an_empty_one(specimen: Evidence) -> None:
    text, tone = said_of(
        changed(specimen, lambda one: None if one.operation.startswith("bank_accounts") else one)
    )
    assert (text, tone) == ("The list of bank accounts was not requested.", Tone.UNKNOWN)


def test_an_empty_list_was_requested_and_answered(specimen: Evidence) -> None:
    listed = specimen.select(LIST)
    kept = {one.id for one in listed}
    others = changed(
        specimen,
        lambda one: one if one.id in kept or not one.operation.startswith("bank_accounts") else None,
        {one.id: {"items": []} for one in listed if one.file is not None},
    )
    text, tone = said_of(others)
    assert text.startswith("The list of bank accounts was requested, and the answer has no account (E-")
    assert tone is Tone.UNKNOWN


def test_accounts_without_transactions_are_named(specimen: Evidence) -> None:
    pages = [one.id for one in specimen.select(TRANSACTIONS) if one.file is not None]
    text, tone = said_of(changed(specimen, lambda one: one, {id_: {"items": []} for id_ in pages}))
    assert "Transactions of A1 were requested, and the answer has none (E-" in text
    assert tone is Tone.UNKNOWN
    text, tone = said_of(changed(specimen, lambda one: None if one.operation == TRANSACTIONS else one))
    assert "Transactions of A1 were not requested." in text
    assert tone is Tone.UNKNOWN
