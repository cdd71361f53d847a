"""What a notebook shows of the public objects: short, useful, and without anything that says who the customer is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import kycpack as kp
from kycpack.evidence import Evidence
from kycpack.models.customers import Customer
from kycpack.models.payments import Bank

AS_OF = "2026-06-30"


def shown_objects(evidence: Evidence) -> dict[str, Any]:
    review = kp.build_review(evidence, as_of=AS_OF)
    return {
        "evidence": evidence,
        "frames": review.frames,
        "wealth": review.wealth,
        "triage": review.triage,
        "policy": review.triage.policy,
        "review": review,
        "statement": review.wealth.statement(evidence.customer_id),
        "customer": Customer.read(evidence.json("E-01")),
    }


def personal_values(evidence: Evidence) -> set[str]:
    customer = Customer.read(evidence.json("E-01"))
    address = customer.address
    assert address is not None
    frames = kp.flatten(evidence)
    values = {
        customer.first_name, customer.last_name, customer.email_address, customer.date_of_birth,
        address.address_line1, address.postal_code,
        *frames.transactions["counterparty_name"].dropna(), *frames.documents["document_number"].dropna(),
        *frames.accounts["holder_name"].dropna(),
    }  # fmt: skip
    banks = set(frames.accounts["bank_name"].dropna())
    return {value for value in values - banks if value and len(value) > 3}


def test_no_object_shows_who_the_customer_is(specimen: Evidence) -> None:
    personal = personal_values(specimen)
    assert len(personal) > 8
    for name, one in shown_objects(specimen).items():
        text, card = repr(one), one._repr_html_()
        assert len(text) < 250, name
        assert len(card) < 24_000, name
        assert [value for value in personal if value in text or value in card] == [], name


def test_a_card_says_what_to_do_next(specimen: Evidence) -> None:
    cards = {name: one._repr_html_() for name, one in shown_objects(specimen).items()}
    assert "<code>.streams</code>" in cards["wealth"]
    assert "54,878.55 GBP" in cards["wealth"]
    assert "edd" in cards["triage"]
    assert "large_credit_share" in cards["policy"]
    assert "date_of_birth" in cards["customer"]
    assert "dateOfBirth" in cards["customer"]
    assert "read them as attributes" in cards["customer"]


def test_what_says_nothing_about_a_person_is_not_masked() -> None:
    card = Bank.read({"id": "bank-1", "name": "Bank <b> of Test", "countryCode": "GB"})._repr_html_()
    assert "Bank &lt;b&gt; of Test" in card
    assert "•••" not in card


def test_a_resource_lists_its_methods() -> None:
    client = kp.Client("http://127.0.0.1:9", key_id="key", secret="not-shown")
    assert repr(client.customers) == "Customers(create, get, iter, list, update)"
    card = client.customers._repr_html_()
    assert "Create a customer; the service does not prevent duplicates." in card
    assert "not-shown" not in card + repr(client)


def test_a_client_lists_the_parts_of_the_interface() -> None:
    for made in (kp.Client, kp.AsyncClient):
        shown = made("http://127.0.0.1:9", key_id="key", secret="not-shown")._repr_html_()
        assert shown.count("<tr>") == 1 + 7
        assert ".source_of_wealth" in shown
        assert "not-shown" not in shown


def test_a_name_of_the_wire_leads_to_the_attribute(specimen: Evidence) -> None:
    customer = Customer.read(specimen.json("E-01"))
    with pytest.raises(AttributeError, match="the attribute is first_name"):
        customer.firstName  # noqa: B018 - asking is what is tested
    with pytest.raises(AttributeError, match="no attribute 'shoe_size'"):
        customer.shoe_size  # noqa: B018


def test_a_loaded_policy_cannot_be_changed_behind_its_digest(tmp_path: Path) -> None:
    policy = kp.load_policy()
    with pytest.raises(TypeError, match="does not support item assignment"):
        policy.thresholds["large_credit"] = 1  # type: ignore[index]
    with pytest.raises(TypeError, match="does not support item assignment"):
        policy.thresholds["levels"]["fan_in"] = "approve"
