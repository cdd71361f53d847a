from __future__ import annotations

import itertools
import os
import subprocess
import sys
import unicodedata
from datetime import date, timedelta
from decimal import Decimal
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kycpack.models.customers import CustomerCreate
from kycpack.models.json import dump_json
from kycpack.models.payments import PaymentCreate
from kycpack.synthetic import CustomerPlan, Population, generate

AS_OF = date(2026, 6, 30)


@pytest.fixture(scope="module")
def population() -> Population:
    return generate(12, seed=7, as_of=AS_OF)


def bodies(plan: CustomerPlan) -> bytes:
    return dump_json(
        {
            "customer": plan.customer_body,
            "sessions": [[session.options, session.results, session.ending] for session in plan.sessions],
            "bank": plan.bank_access_body,
            "payments": list(plan.payment_bodies),
        }
    )


def test_the_same_seed_gives_the_same_customers_however_many(population: Population) -> None:
    again = generate(14, seed=7, as_of=AS_OF)
    for first, second in zip(population.customers, again.customers, strict=False):
        assert bodies(first) == bodies(second)
    assert bodies(generate(1, seed=8, as_of=AS_OF).customers[0]) != bodies(again.customers[0])


def test_another_process_makes_the_same_customers(population: Population) -> None:
    program = (
        "from datetime import date; from hashlib import sha256; from kycpack.models.json import dump_json;"
        "from kycpack.synthetic import generate;"
        "bodies = [plan.bank_access_body for plan in generate(10, 7, date(2026, 6, 30)).customers];"
        "print(sha256(dump_json(bodies)).hexdigest())"
    )
    other = subprocess.run(  # noqa: S603 - this interpreter and the program above
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    held = dump_json([plan.bank_access_body for plan in population.customers[:10]])
    assert other.stdout.strip() == sha256(held).hexdigest()


@pytest.mark.parametrize("seed", [1, 2, 99])
def test_the_first_twelve_show_every_level_several_scripts_and_a_customer_without_bank_data(
    seed: int,
) -> None:
    customers = generate(12, seed, AS_OF).customers
    assert {plan.meant_level for plan in customers} == {"approve", "review", "edd", "escalate", "reject"}
    assert [plan.bank_access_body for plan in customers].count(None) == 1
    names = "".join(plan.customer_body["lastName"] for plan in customers)
    scripts = {unicodedata.name(letter).split()[0] for letter in names if letter.isalpha()}
    assert {"LATIN", "ARABIC", "CYRILLIC", "CJK", "DEVANAGARI"} <= scripts


def test_one_of_the_twelve_has_a_name_that_tries_to_break_things(population: Population) -> None:
    names = [
        f"{plan.customer_body['firstName']} {plan.customer_body['lastName']}" for plan in population.customers
    ]
    (hostile,) = [name for name in names if "<script>" in name]
    assert "{nb}" in hostile
    assert hostile.startswith("=1+1")
    assert "\u202e" in hostile


def test_bodies_are_what_the_interface_takes(population: Population) -> None:
    for plan in population.customers:
        CustomerCreate.read(plan.customer_body)
        for body in plan.payment_bodies:
            PaymentCreate.read({**body, "customerId": "00000000-0000-4000-8000-000000000000"})


@pytest.mark.parametrize("profile", ["service", "evaluation"])
def test_balances_follow_from_the_bookings(profile: str) -> None:
    for plan in generate(6, seed=3, as_of=AS_OF, profile=profile).customers:
        for account in (plan.bank_access_body or {"accounts": []})["accounts"]:
            booked = [one for one in account["transactions"] if one["status"] == "booked"]
            if not booked:
                continue
            signs = {"Credit": 1, "Debit": -1}
            amounts = [signs[one["creditDebitIndicator"]] * Decimal(one["amount"]) for one in booked]
            after = [Decimal(one["balanceAfter"]) for one in booked]
            assert after[-1] == Decimal(account["balance"]["current"])
            steps = [second - first for first, second in itertools.pairwise(after)]
            # A lost month leaves one step that no row explains.
            wrong = [index for index, step in enumerate(steps) if step != amounts[index + 1]]
            assert len(wrong) <= 2
            assert all(Decimal(one["amount"]) > 0 for one in account["transactions"])


def test_history_lies_within_its_window(population: Population) -> None:
    for plan in population.customers:
        days = [posting.movement.booked_on for account in plan.accounts for posting in account.postings]
        assert all(AS_OF - timedelta(days=735) <= day <= AS_OF for day in days)


def test_a_short_history_is_a_window_of_days() -> None:
    for plan in generate(3, seed=3, as_of=AS_OF, profile="evaluation", history_days=90).customers:
        days = [posting.movement.booked_on for account in plan.accounts for posting in account.postings]
        assert (max(days) - min(days)).days < 90


def test_an_account_that_was_linked_twice_tells_the_same_history(population: Population) -> None:
    accounts = {account.key: account for account in population.customers[9].accounts}
    again = accounts["A9"]
    assert again.duplicate_of == "A1"
    assert (again.number, again.sort_code, again.closing_minor) == (
        accounts["A1"].number,
        accounts["A1"].sort_code,
        accounts["A1"].closing_minor,
    )
    latest = accounts["A1"].postings[-len(again.postings) :]
    assert [posting.movement for posting in latest] == [posting.movement for posting in again.postings]
    assert not {posting.txn_id for posting in latest} & {posting.txn_id for posting in again.postings}


@settings(max_examples=25)
@given(
    seed=st.integers(),
    as_of=st.dates(date(1999, 1, 1), date(2060, 12, 31)),
    history_days=st.integers(1, 500),
    profile=st.sampled_from(["service", "evaluation"]),
    first=st.integers(0, 5_000),
)
def test_any_choices_make_a_population(
    seed: int, as_of: date, history_days: int, profile: str, first: int
) -> None:
    (plan,) = generate(1, seed, as_of, profile=profile, history_days=history_days, first=first).customers
    for account in plan.accounts:
        days = [posting.movement.booked_on for posting in account.postings]
        assert days == sorted(days)
        assert all(as_of - timedelta(days=history_days + 4) <= day <= as_of for day in days)
        assert len({posting.txn_id for posting in account.postings}) == len(days)
    CustomerCreate.read(plan.customer_body)


def test_a_population_can_be_made_in_parts() -> None:
    whole = generate(6, seed=2, as_of=AS_OF, history_days=60).customers
    parts = [
        plan for first in (0, 3) for plan in generate(3, 2, AS_OF, history_days=60, first=first).customers
    ]
    assert [bodies(plan) for plan in whole] == [bodies(plan) for plan in parts]


def test_an_unknown_scenario_is_refused() -> None:
    with pytest.raises(ValueError, match="no scenario 'king'"):
        generate(1, seed=1, as_of=AS_OF, scenario="king")


def test_plans_do_not_show_people() -> None:
    plan = generate(1, seed=7, as_of=AS_OF).customers[0]
    assert plan.customer_body["lastName"] not in repr(plan)


def test_an_unknown_profile_is_refused() -> None:
    with pytest.raises(ValueError, match="no profile 'prod'"):
        generate(1, seed=1, as_of=AS_OF, profile="prod")


def test_every_document_is_one_that_its_country_issues() -> None:
    shown = [
        plan.sessions[0].results["document"]["document"]
        for seed in (1, 2, 3)
        for plan in generate(120, seed, AS_OF).customers
        if (plan.sessions[0].results or {}).get("document")
    ]
    of_card = {one["issuingCountry"] for one in shown if one["documentType"] == "national_identity_card"}
    assert of_card
    assert of_card.isdisjoint({"GB", "IE", "IN", "MM"})
    assert {one["documentType"] for one in shown if one["issuingCountry"] == "GB"} == {
        "passport",
        "driving_licence",
    }
