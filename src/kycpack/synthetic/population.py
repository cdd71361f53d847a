"""Generates a population from a seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Any

from kycpack.models.money import from_minor
from kycpack.synthetic.events import EVENTS
from kycpack.synthetic.expected_levels import highest_level, level_of_deeds
from kycpack.synthetic.incomes import INCOMES
from kycpack.synthetic.ledger import HouseholdLedger
from kycpack.synthetic.outgoings import not_booked, pending_twins, refunds, returned_debits, spend
from kycpack.synthetic.people import InventedPerson, bank_holder, has_surname_first, make_person
from kycpack.synthetic.records import Account, CustomerPlan, Population, SessionPlan
from kycpack.synthetic.scenarios import CustomerScenario, demo_scenarios, other_scenarios
from kycpack.synthetic.verification_results import FINDINGS, clear_results
from kycpack.synthetic.word_lists import draw_random, read_material

PROFILES = ("service", "evaluation")

_HAPPENINGS = {
    **EVENTS,
    "refunds": refunds,
    "returned_debits": returned_debits,
    "pending_twins": pending_twins,
    "not_booked": not_booked,
}
_AFTER_SPENDING = ("refunds", "returned_debits", "pending_twins", "not_booked", "missing_months", "relinked")
_LEAN_SPENDING = 0.35
_HOSTILE_FIRST = "=1+1 {nb}"
_HOSTILE_LAST = "<script>alert('kyc')</script> \u202egnihton"


@dataclass(frozen=True, slots=True)
class _Choices:
    """The arguments of `generate`."""

    seed: int
    as_of: date
    profile: str
    history_days: int
    scenario: CustomerScenario | None

    @property
    def is_evaluation(self) -> bool:
        return self.profile == "evaluation"


def generate(
    n: int,
    seed: int,
    as_of: date,
    *,
    profile: str = "service",
    history_days: int = 730,
    first: int = 0,
    scenario: str | None = None,
) -> Population:
    """Generate customers; each depends only on the seed and its number, not on how many there are.

    Args:
        n: Number of customers.
        seed: Any integer.
        as_of: The day on which histories end, or a few days later.
        profile: `service` for customers with sessions of all outcomes, where the first twelve are one of each kind;
            `evaluation` for histories with a wider mix of income and less spending.
        history_days: Length of the bank history in days.
        first: Number of the first customer, so that a large population can be generated in parts.
        scenario: Name of a scenario for all customers; None draws one for each.

    Returns:
        The customers with all data to load, and the truth.

    Raises:
        ValueError: The profile or scenario does not exist.
    """
    if profile not in PROFILES:
        raise ValueError(f"no profile {profile!r}; the profiles are {' and '.join(PROFILES)}")
    kinds = {kind.name: kind for kind in (*demo_scenarios(), *other_scenarios())}
    if scenario is not None and scenario not in kinds:
        raise ValueError(f"no scenario {scenario!r}")
    choices = _Choices(seed, as_of, profile, history_days, kinds[scenario] if scenario else None)
    customers = tuple(_customer(index, choices) for index in range(first, first + n))
    return Population(seed, as_of, profile, customers)


def _customer(index: int, choices: _Choices) -> CustomerPlan:
    rng = draw_random(choices.seed, choices.profile, index)
    scenario = choices.scenario or _draw_scenario(index, choices, rng)
    person = make_person(rng, choices.as_of, script=scenario.script, pensioner=scenario.pensioner)
    accounts: tuple[Account, ...] = ()
    holder = ""
    if scenario.bank:
        end = choices.as_of - timedelta(days=rng.randint(1, 4))
        start = end - timedelta(days=choices.history_days - 1)
        density = _LEAN_SPENDING if choices.is_evaluation else 1.0
        holder = scenario.bank_holder or (bank_holder(person, rng) if scenario.varied else "")
        accounts = _history(scenario, HouseholdLedger(person, start, end, rng, holder), density)
    turned = has_surname_first(person, holder)
    return CustomerPlan(
        key=f"C{index + 1:05d}",
        scenario=scenario.name,
        customer_body=_customer_body(scenario, person, index),
        sessions=(_session(scenario, person, choices.as_of, rng),),
        payment_bodies=_payments(scenario, index),
        accounts=accounts,
        scopes=scenario.scopes,
        meant_level=highest_level([_meant_level(scenario, accounts), "review" if turned else "approve"]),
        why=f"{scenario.why}; the bank has the surname first" if turned else scenario.why,
    )


def _meant_level(scenario: CustomerScenario, accounts: tuple[Account, ...]) -> str:
    """Return the level of the findings, or that of the payments if it is higher and visible in the bank data."""
    if "transactions" not in scenario.scopes:
        return scenario.meant_level
    return highest_level([scenario.meant_level, level_of_deeds(scenario.events, accounts)])


def _draw_scenario(index: int, choices: _Choices, rng: Random) -> CustomerScenario:
    if choices.is_evaluation:
        return _evaluation_scenario(rng)
    demo, others = demo_scenarios(), other_scenarios()
    if index < len(demo):
        return demo[index]
    return rng.choices(others, weights=[scenario.weight for scenario in others])[0]


def _evaluation_scenario(rng: Random) -> CustomerScenario:
    described = read_material("scenarios")["evaluation"]
    mixes = described["incomes"]
    incomes = tuple(rng.choices(mixes, weights=[mix["weight"] for mix in mixes])[0]["mix"])
    happenings = tuple(name for name, share in described["events"].items() if rng.random() < share)
    return CustomerScenario(
        "evaluation",
        "approve",
        "made for measuring",
        incomes,
        happenings,
        pensioner="state_pension" in incomes,
    )


def _history(scenario: CustomerScenario, ledger: HouseholdLedger, density: float) -> tuple[Account, ...]:
    ledger.open_account()
    if {"interest", "own_transfers"} & {*scenario.incomes, *scenario.events}:
        ledger.open_account("savings")
        if ledger.rng.random() < 0.2:
            ledger.open_account("savings")
    for name in scenario.incomes:
        (INCOMES.get(name) or EVENTS[name])(ledger)
    for name in scenario.events:
        if name not in _AFTER_SPENDING:
            _HAPPENINGS[name](ledger)
    spend(ledger, density)
    for name in _AFTER_SPENDING:
        if name in scenario.events:
            _HAPPENINGS[name](ledger)
    return ledger.close()


def _customer_body(scenario: CustomerScenario, person: InventedPerson, index: int) -> dict[str, Any]:
    first = person.first_name if scenario.native_record else person.latin_first
    last = person.last_name if scenario.native_record else person.latin_last
    if scenario.hostile:
        first, last = _HOSTILE_FIRST, _HOSTILE_LAST
    return {
        "firstName": first,
        "lastName": last,
        "emailAddress": f"customer{index + 1:05d}@example.org",
        "dateOfBirth": person.born_on.isoformat(),
        "address": dict(person.address),
        "orgId": f"branch-{index % 3 + 1}",
    }


def _session(scenario: CustomerScenario, person: InventedPerson, as_of: date, rng: Random) -> SessionPlan:
    results = clear_results(person, as_of, rng, varied=scenario.varied)
    for name in scenario.findings:
        FINDINGS[name](results, rng, as_of)
    options: dict[str, Any] = {}
    if scenario.monitoring:
        options["identity"] = {"amlExtensiveMonitoring": True}
    if scenario.bank:
        options["ais"] = dict.fromkeys(scenario.scopes, True)
    return SessionPlan(options or None, results if scenario.ending == "complete" else {}, scenario.ending)


def _payments(scenario: CustomerScenario, index: int) -> tuple[Mapping[str, Any], ...]:
    if not scenario.payment_minor:
        return ()
    return (
        {
            "amount": str(from_minor(scenario.payment_minor, "GBP")),
            "reference": f"order-{index + 1:05d}",
            "aisRequirements": {"accounts": True, "balances": True, "transactions": True},
            "returnUrl": "https://shop.example.org/return",
        },
    )
