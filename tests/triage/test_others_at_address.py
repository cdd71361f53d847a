"""Another person who lives at the address is a finding, in whatever list of persons the results name them; the customer there is none."""

from __future__ import annotations

import pytest
from tests.triage.test_evaluate import finding, level, triage
from tests.triage.test_repeated_details import put

GROUPS = "residents occupants occupiers tenants inhabitants householders household householdMembers people persons members names flatmates cohabitants voters owners electoralRoll residentNames".split()  # noqa: SIM905 - a table of words


@pytest.mark.parametrize("group", GROUPS)
def test_somebody_else_in_a_list_of_persons_at_the_address_is_reviewed(group: str) -> None:
    made = triage(results=put(f"address.{group}", [{"name": "Ada Byron"}, {"name": "Somebody Else"}]))
    assert level(made) == "review"
    assert "another name" in finding(made, "RES-5")["sentence"]
    assert "'Somebody Else'" in finding(made, "RES-5")["sentence"]


@pytest.mark.parametrize("path", ["residents", "address.tenants", "address.bill.residents"])
def test_so_is_one_in_a_section_or_a_group_of_its_own(path: str) -> None:
    assert level(triage(results=put(path, [{"name": "Somebody Else"}]))) == "review"
    assert level(triage(results=put(path, {"name": "Somebody Else"}))) == "review"


# A group of two words is not known as one of data, whoever is in it.
@pytest.mark.parametrize("group", [group for group in GROUPS if group != "householdMembers"])
def test_the_customer_alone_in_it_is_approved(group: str) -> None:
    assert level(triage(results=put(f"address.{group}", [{"name": "BYRON, Ada"}]))) == "approve"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("address.residentsOnFile", 3),
        ("address.issuer.name", "British Gas"),
        ("address.council", {"name": "Leeds City Council"}),
        ("address.provider.name", "Royal Mail"),
    ],
)
def test_a_count_of_persons_or_the_name_of_a_firm_is_approved(path: str, value: object) -> None:
    assert level(triage(results=put(path, value))) == "approve"


@pytest.mark.parametrize("group", ["residents", "occupants", "tenants", "householders", "residentNames"])
def test_persons_may_be_listed_by_their_names_alone(group: str) -> None:
    assert level(triage(results=put(f"address.{group}", ["BYRON, Ada"]))) == "approve"
    made = triage(results=put(f"address.{group}", ["Ada Byron", "Somebody Else"]))
    assert level(made) == "review"
    assert "another name" in finding(made, "RES-5")["sentence"]
    assert "'Somebody Else'" in finding(made, "RES-5")["sentence"]
