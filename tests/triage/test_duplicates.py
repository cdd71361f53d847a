from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from kycpack.triage.customers.duplicates import LARGEST_GROUP, PastDecision, find_duplicates

CREATED = pd.Timestamp("2026-03-01T00:00:00Z")


def frames(*people: dict[str, Any]) -> dict[str, pd.DataFrame]:
    customers, documents, accounts, levels = [], [], [], []
    for person in people:
        name = person["id"]
        first, _, last = person.get("name", "Zofia Kowalczyk").partition(" ")
        customers.append(
            (name, first, last, person.get("born", "1986-03-14"), person.get("created", CREATED))
        )
        if "document" in person:
            country, nationality = person.get("country", "PL"), person.get("nationality", "PL")
            documents.append((name, f"s-{name}", "identity", country, nationality, person["document"]))
        if "account" in person:
            accounts.append((name, "20-00-27", person["account"]))
        levels.append((name, person.get("level", "review")))
    made = {
        "customers": pd.DataFrame(
            customers, columns=["customer_id", "first_name", "last_name", "date_of_birth_on", "created_at"]
        ),
        "documents": pd.DataFrame(
            documents,
            columns=[
                "customer_id",
                "session_id",
                "kind",
                "issuing_country",
                "holder_nationality",
                "document_number",
            ],
        ),
        "accounts": pd.DataFrame(accounts, columns=["customer_id", "sort_code", "account_number"]),
        "recommendations": pd.DataFrame(levels, columns=["customer_id", "level"]),
    }
    made["customers"]["date_of_birth_on"] = pd.to_datetime(made["customers"]["date_of_birth_on"])
    return made


OTHER = {"name": "Piotr Nowak", "born": "1990-01-02"}


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ({"document": "EK1234567"}, {"document": "ek 1234567", **OTHER}, ("strong", "document")),
        ({}, {"name": "Zofia Kowalczyk"}, ("possible", "name and date of birth")),
        ({"name": "Aleksandr Petrov"}, {"name": "Alexander Petrov"}, ("possible", "name and date of birth")),
        (
            {"account": "12345678"},
            {"account": "12345678"},
            ("strong", "name and date of birth, bank account"),
        ),
        ({"account": "12345678"}, {"account": "12345678", **OTHER}, None),  # a joint account
        ({"document": "EK*****12"}, {"document": "EK*****12", **OTHER}, None),
        ({"document": "000000000"}, {"document": "000000000", **OTHER}, None),
        ({}, {"born": "1986-03-15"}, None),
        ({}, {"name": "Zofia Nowak"}, None),
    ],
)
def test_what_makes_two_customers_seem_one_person(
    one: dict[str, Any], other: dict[str, Any], expected: tuple[str, str] | None
) -> None:
    found = find_duplicates(frames({"id": "c-1", **one}, {"id": "c-2", **other})).pairs
    if expected is None:
        assert found.empty
    else:
        (row,) = found.to_dict("records")
        assert (row["strength"], row["grounds"]) == expected
        assert (row["customer_id"], row["other_customer_id"]) == ("c-1", "c-2")
        assert "c-1" in row["sentence"]
        assert "c-2" in row["sentence"]
        assert not any(secret in row["sentence"] for secret in ("Kowalczyk", "EK1234567", "12345678", "1986"))


def test_other_treatment_of_one_person_is_a_conflict() -> None:
    people = frames({"id": "c-1", "level": "reject"}, {"id": "c-2", "level": "approve"})
    decisions = {
        "c-1": PastDecision("reject", "2026-02-01T00:00:00.000000Z"),
        "c-2": PastDecision("approve", "2026-04-01T00:00:00.000000Z"),
    }
    (row,) = find_duplicates(people, decisions).pairs.to_dict("records")
    assert row["conflict"] == "recommended reject and approve, decided reject and approve"
    assert row["returned"] == "c-2"
    assert "came after the other was rejected" in row["sentence"]


def test_a_customer_who_was_there_before_has_not_returned() -> None:
    decisions = {"c-1": PastDecision("reject", "2026-05-01T00:00:00.000000Z")}
    (row,) = find_duplicates(frames({"id": "c-1"}, {"id": "c-2"}), decisions).pairs.to_dict("records")
    assert row["returned"] == ""


def test_the_order_of_the_customers_does_not_matter() -> None:
    people = [{"id": f"c-{number}", "document": f"EK123456{number // 2}"} for number in range(6)]
    there, back = find_duplicates(frames(*people)).pairs, find_duplicates(frames(*reversed(people))).pairs
    pd.testing.assert_frame_equal(there, back)


def test_a_date_of_birth_that_many_share_is_named_and_equal_names_are_found_all_the_same() -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    people = [
        {"id": f"c-{number:03}", "name": f"{letters[number % 26] * 5} {letters[number // 26] * 6}"}
        for number in range(LARGEST_GROUP)
    ]
    found = find_duplicates(
        frames(*people, {"id": "c-900", "name": "Zed Zulu"}, {"id": "c-901", "name": "ZULU Zed"})
    )
    assert [day.isoformat() for day in found.not_compared] == ["1986-03-14"]
    assert found.pairs[["customer_id", "other_customer_id"]].to_numpy().tolist() == [["c-900", "c-901"]]


def test_nobody_is_nobodys_duplicate() -> None:
    assert find_duplicates(frames()).pairs.empty


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("GB", "United Kingdom", True),
        ("GBR", "gb", True),
        ("POL", "PL", True),
        ("GB", None, True),
        ("GB", "not given", True),
        ("GB", "France", False),
    ],
)
def test_a_document_is_the_same_however_its_country_is_written(
    one: str, other: str | None, *, same: bool
) -> None:
    nationality = "PL" if one == "POL" else "GB"
    shown = {"document": "EK1234567", "nationality": nationality}
    people = frames({"id": "c-1", "country": one, **shown}, {"id": "c-2", "country": other, **shown, **OTHER})
    assert find_duplicates(people).pairs.empty is not same
