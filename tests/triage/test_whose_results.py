"""The results are of the customer who was asked about: ids and names inside them that are somebody else's are found."""

from __future__ import annotations

from typing import Any

import pytest
from tests.frames.evidence_maker import CUSTOMER, SESSION
from tests.triage.test_evaluate import finding, level, triage
from tests.triage.test_repeated_details import put

OTHER = "33333333-3333-4333-8333-333333333333"


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("screening.customerId", OTHER, "another customer's id in the section “screening”"),
        ("identity.customerId", OTHER, "another customer's id in the section “identity”"),
        ("document.customerId", OTHER, "another customer's id in the section “document”"),
        ("screening.subject.customerId", OTHER, "another customer's id under “subject”"),
        ("document.customer.id", OTHER, "another customer's id under “customer”"),
        ("identity.customerReference", OTHER, "another customer's id"),
        ("screening.sessionId", OTHER, "another session's id in the section “screening”"),
        ("screening.searchedName", "Bea Stone", "another name in the section “screening”"),
        ("screening.nameSearched", "Bea Stone", "another name"),
        ("screening.screenedName", "Bea Stone", "another name"),
        ("screening.checkedSurname", "Stone", "another family name"),
        ("screening.searchedDateOfBirth", "1970-01-01", "another date of birth"),
        ("document.holder.alias", "Bea Stone", "another name under “holder”"),
    ],
)
def test_an_id_or_a_name_of_somebody_else_is_a_finding(path: str, value: Any, said: str) -> None:
    made = triage(results=put(path, value))
    assert level(made) != "approve"
    assert said in "".join(made.findings[made.findings["rule_id"] == "RES-5"]["sentence"])


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("screening.customerId", CUSTOMER),
        ("identity.customerId", CUSTOMER.upper()),
        ("document.customerId", "cus_8812"),
        ("screening.sessionId", SESSION),
        ("screening.searchedName", "BYRON Ada"),
        ("screening.searchedDateOfBirth", "1985-12-10"),
        ("screening.listsSearched", 12),
        ("screening.namesSearched", 1),
        ("document.holder.alias", "Ada Byron"),
    ],
)
def test_the_customers_own_ids_and_names_ask_for_nothing(path: str, value: Any) -> None:
    made = triage(results=put(path, value))
    assert finding(made, "RES-5")["outcome"] == "CLEAR"
    assert level(made) == "approve"


def test_two_users_are_a_finding() -> None:
    results = put("document.userId", "U-1")
    results["identity"]["userId"] = "U-2"
    assert "another user id in the section “identity”" in str(
        finding(triage(results=results), "RES-5")["sentence"]
    )


@pytest.mark.parametrize(
    "name",
    [
        "Estate of Ada Byron",
        "Ada Byron (deceased)",
        "Ada & George Byron",
        "Ada Byron c/o George King",
        "Ada Byron alias Kitty",
        "Ada Byron (покойная)",
        "המנוחה Ada Byron",
        "Ada Byron 故人",
        "Ada Byron เสียชีวิต",
    ],
)
def test_a_name_with_words_of_somebody_else_is_another_one(name: str) -> None:
    made = triage(results=put("address.billedTo", name))
    assert level(made) == "review"
    assert "another name" in finding(made, "RES-5")["sentence"]


@pytest.mark.parametrize(
    "name",
    [
        "ADA BYRON",
        "Byron, Ada",
        "Ms Ada Byron",
        "A. Byron",
        "Ada Byron (Ада Байрон)",
        "Ада Байрон / Ada Byron",
    ],
)
def test_a_name_that_is_only_written_differently_is_the_same(name: str) -> None:
    assert level(triage(results=put("address.billedTo", name))) == "approve"


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("userId", "user id"),
        ("identity.userId", "user id"),
        ("document.endUserId", "user id"),
        ("applicantId", "applicant id"),
        ("identity.applicantId", "applicant id"),
        ("person.personId", "person id"),
        ("document.subjectId", "subject id"),
    ],
)
def test_a_single_id_in_the_form_of_ours_has_to_be_the_customers(path: str, said: str) -> None:
    made = triage(results=put(path, OTHER))
    assert level(made) == "review"
    assert f"another {said}" in finding(made, "RES-5")["sentence"]
    assert level(triage(results=put(path, CUSTOMER))) == "approve"
    assert level(triage(results=put(path, "usr-0071"))) == "approve"


def test_a_given_name_alone_is_compared_in_each_of_its_scripts() -> None:
    assert level(triage(results=put("document.chip.givenNames", "Ada (Ада)"))) == "approve"
    assert level(triage(results=put("document.chip.givenNames", "Ada (Ольга)"))) == "review"
    assert level(triage(results=put("document.chip.givenNames", "Ада"))) == "approve"
