"""Words beside a name: further names, and words that say that the person has died, name somebody else, or are no name."""

from __future__ import annotations

import pytest
from tests.frames.evidence_maker import RESULTS
from tests.triage.test_evaluate import changed, level, triage

from kycpack.triage.names.person_names import compare_names

PERSON = "Vera Lindqvist"
FOUND = [
    ("Vera Lindqvist, decd", "deceased"),
    ("The Late Vera Lindqvist", "deceased"),
    ("Heirs of Vera Lindqvist", "deceased"),
    ("NACHLASS VERA LINDQVIST", "deceased"),
    ("Probate Vera Lindqvist", "deceased"),
    ("Father of Vera Lindqvist", "second_person"),
    ("Wife of Vera Lindqvist", "second_person"),
    ("Vera Lindqvist (aunt of)", "second_person"),
    ("Trustees of Vera Lindqvist", "second_person"),
    ("Vera Lindqvist Family Trust", "second_person"),
    ("Omar Haddad obo Vera Lindqvist", "second_person"),
    ("Vera Lindqvist c/o Haddad", "second_person"),
    ("Vera and Nils Lindqvist", "second_person"),
    ("VERA OR NILS LINDQVIST", "second_person"),
    ("Vera + Nils Lindqvist", "second_person"),
    ("Vera Lindqvist / Nils Okonkwo", "second_person"),
    ("Vera Lindqvist und Nils Okonkwo", "second_person"),
    ("Vera Lindqvist fka Okonkwo", "alias"),
    ("Vera Lindqvist also known as Okonkwo", "alias"),
    ("Vera Lindqvist otherwise Okonkwo", "alias"),
    ("Vera Lindqvist (infant)", "not_a_name"),
    ("Vera Lindqvist cancelled", "not_a_name"),
    ("Vera Lindqvist zebra", "not_a_name"),
    ("Vera Lindqvist 2", "not_a_name"),
    ("Vera Lindqvist Okonkwo Haddad Mansour", "many_names"),
]


@pytest.mark.parametrize(("name", "kind"), FOUND)
def test_words_that_are_no_further_name_have_a_kind_of_their_own(name: str, kind: str) -> None:
    for found in (compare_names(PERSON, name), compare_names(name, PERSON)):
        assert found.verdict == "similar"
        assert kind in found.kinds
        assert "extra_name" not in found.kinds


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("Vera Okonkwo Lindqvist", ("extra_name",)),
        ("Vera Maria Okonkwo Lindqvist", ("extra_name",)),
        ("VERA MARIA LINDQVIST", ("extra_name",)),
        ("Vera Lindqvist née Okonkwo", ("extra_name",)),
        ("Vera Lindqvist geb. van der Meulen Okonkwo", ("extra_name",)),
        ("Vera (Maria) Lindqvist", ("extra_name",)),
        ("Vera Lindqvist y Okonkwo", ("extra_name",)),
        ("vera okonkwo lindqvist", ("extra_name",)),
        ("Vera Jean-marie Lindqvist", ("extra_name",)),
    ],
)
def test_one_or_two_further_names_stay_a_further_name(name: str, kinds: tuple[str, ...]) -> None:
    for found in (compare_names(PERSON, name), compare_names(name, PERSON)):
        assert (found.verdict, found.kinds) == ("similar", kinds)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Piers Minor", "Piers Minor"), ("Ravi Kumar s/o Anil", "Ravi Kumar S/O ANIL"), ("Trust Moyo", "TRUST MOYO")],
)  # fmt: skip
def test_a_word_that_both_names_have_is_a_name(one: str, other: str) -> None:
    assert compare_names(one, other).verdict == "equal"


@pytest.mark.parametrize("mark", ["son of", "son  of", "SON\tOF", "s/o"])
def test_the_father_is_read_however_the_mark_of_descent_is_spaced(mark: str) -> None:
    one, other = f"Sukarman {mark} Wiryo", "Sukarman Wiryo"
    for found in (compare_names(one, other), compare_names(other, one)):
        assert (found.verdict, found.kinds) == ("similar", ("particle",))


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        ("Ada", "Byron Haddad", "approve"),
        ("Ada", "Byron (decd)", "review"),
        ("Aunt of Ada", "Byron", "review"),
        ("Ada and Nils", "Byron", "review"),
        ("Ada", "Byron Haddad Mansour Okonkwo", "review"),
        ("Byron", "A.", "review"),
    ],
)
def test_only_a_document_of_one_living_person_is_approved(first: str, last: str, expected: str) -> None:
    holder = RESULTS["document"]["holder"] | {"firstName": first, "lastName": last}
    made = triage(results=changed("document.holder", holder))
    assert level(made) == expected
    hits = made.findings[made.findings["outcome"] == "HIT"]
    assert {*hits["rule_id"]} - {"RES-8"} == (set() if expected == "approve" else {"CON-5"})
