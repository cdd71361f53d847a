"""A record or a document that does not fit is refused or listed, and counts add up."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.frames.adapters.provider_documents import EXAMPLES, IDS, PLAID, given_as

from kycpack.errors import FrameError, InputError
from kycpack.frames.adapters import ADAPTERS, read_statement
from kycpack.models.json import parse_json

BROKEN = [
    ("service-v1", "items", {"creditDebitIndicator": "Cr"}),
    ("service-v1", "items", {"currency": None}),
    ("uk-open-banking-3.1", "Data.Transaction", {"Amount": {"Amount": "-10.00", "Currency": "GBP"}}),
    ("uk-open-banking-3.1", "Data.Transaction", {"Amount": {"Amount": "10.00"}}),
    ("uk-open-banking-3.1", "Data.Transaction", {"CreditDebitIndicator": "Sideways"}),
    ("uk-open-banking-4", "Data.Transaction", {"BookingDateTime": "yesterday"}),
    ("berlin-group", "transactions.booked", {"transactionAmount": {"currency": "EUR", "amount": "1,00"}}),
    ("berlin-group", "transactions.booked", {"transactionAmount": {"currency": "EUR", "amount": "1.001"}}),
    ("berlin-group", "transactions.booked", {"transactionAmount": "1.00"}),
    ("plaid", "added", {"iso_currency_code": None, "unofficial_currency_code": "BTC"}),
    ("plaid", "added", {"pending": None}),
    ("truelayer", "results", {"amount": Decimal("1e30")}),
    ("truelayer", "results", {"amount": True}),
]


@pytest.mark.parametrize(("name", "where", "change"), BROKEN)
def test_a_record_that_does_not_fit_is_an_error_or_a_reject_and_counts_add_up(
    name: str, where: str, change: dict[str, Any]
) -> None:
    example = EXAMPLES[name]
    document = parse_json(example if isinstance(example, str) else json.dumps(example))
    records = document
    for part in where.split("."):
        records = records[part]
    records[1] = {**records[1], **change}
    whole = read_statement(given_as(EXAMPLES[name]), name, **IDS).count
    with pytest.raises(FrameError) as caught:
        read_statement(document, name, **IDS)
    assert caught.value.place == f"{where}[1]"
    result = read_statement(document, name, **IDS, on_misfit="reject")
    assert len(result.rejects) == 1
    assert result.rejects["place"].tolist() == [f"{where}[1]"]
    assert result.count == whole


def test_a_record_given_twice_is_listed_and_one_id_on_two_records_is_two_rows() -> None:
    first, second = records = json.loads(PLAID)["added"]
    changed = {**first, "amount": 1}
    result = read_statement(json.dumps({"added": [*records, first, changed]}).encode(), "plaid", **IDS)
    assert result.rows["txn_id"].tolist() == [
        first["transaction_id"],
        second["transaction_id"],
        first["transaction_id"] + "#2",
    ]
    assert result.rejects["reason"].tolist() == ["repeated under the same id"]
    assert result.count == 4


def test_documents_of_another_shape_are_refused() -> None:
    for name in ADAPTERS:
        for document in ({}, [1], {"Data": []}, {"items": {}}, {"transactions": 3}, {"results": None}):
            if name == "service-v1" and document == [1]:
                continue
            with pytest.raises(FrameError):
                read_statement(document, name, **IDS)
    with pytest.raises(InputError, match="no layout 'quicken'"):
        read_statement({}, "quicken", **IDS)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["amount", "Amount", "Currency", "currency", "id"]), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


@given(st.sampled_from(sorted(ADAPTERS)), st.lists(JSON, max_size=4))
def test_whatever_comes_is_a_row_or_a_reject(name: str, records: list[Any]) -> None:
    wrap: dict[str, Any] = {
        "service-v1": {"items": records},
        "berlin-group": {"transactions": {"booked": records}},
        "plaid": {"added": records},
        "plaid-sandbox": {"transactions": records},
    }
    document = wrap.get(
        name, {"results": records} if name.startswith("true") else {"Data": {"Transaction": records}}
    )
    assert read_statement(document, name, **IDS, on_misfit="reject").count == len(records)


def test_a_plaid_answer_that_changes_an_earlier_one_is_refused() -> None:
    document = {"added": [], "modified": [{"transaction_id": "t"}], "removed": []}
    with pytest.raises(FrameError, match="modified change an earlier answer"):
        read_statement(document, "plaid", **IDS)
