"""The forms of names: like names have one in common, other names have none, whatever the order of the words."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kycpack.triage.names.name_forms import are_compared, name_forms
from kycpack.triage.names.person_names import compare_names

FIRST = (
    "Robert",
    "Elizabeth",
    "Aleksandr",
    "Zofia",
    "Mohammed",
    "Jean-Luc",
    "Thandiwe",
    "Ingeborg",
    "Catherine",
    "Yevgeny",
)
LAST = ("Ashdown", "Kowalczyk", "van der Berg", "Petrov", "Al-Hashimi", "Okonkwo", "Lindqvist", "O'Sullivan", "Featherstone")  # fmt: skip


def alike(one: str, other: str) -> set[str] | None:
    """Return the kinds of likeness of the forms that two names have in common; None where there is none."""
    theirs = {form.value: form for form in name_forms(other)}
    shared = [
        {*form.kinds, *theirs[form.value].kinds}
        for form in name_forms(one)
        if form.value in theirs and are_compared(form, theirs[form.value])
    ]
    return min(shared, key=len) if shared else None


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("Robert Ashdown", "Ashdown, Robert", "particle"),
        ("Pieter van der Berg", "Pieter Berg", "particle"),
        ("Robert Ashdown", "Bob Ashdown", "nickname"),
        ("Liz Okonkwo", "Elizabeth Okonkwo", "nickname"),
        ("Aleksandr Petrov", "Alexander Petrov", "transliteration"),
        ("Mohammed Karimi", "Muhammad Karimi", "transliteration"),
        ("Александр Петров", "Aleksandr Petrov", "particle"),
        ("Robert James Ashdown", "Robert Ashdown", "extra_name"),
        ("Robert James Ashdown", "Bob Ashdown", "extra_name"),
        ("Zofia Kowalczyk", "Z Kowalczyk", "initial"),
        ("Zofia Maria Kowalczyk", "Z. Kowalczyk", "initial"),
        ("Zofia Kowalczyk", "Zofia Kowalcyk", "slip"),
        ("Zofia Kowalczyk", "Zofia Kovalczyk", "transliteration"),
        ("Zofia Kowalczyk", "Zofia Kowaclzyk", "slip"),
    ],
)
def test_like_names_have_a_form_in_common(one: str, other: str, kind: str) -> None:
    assert kind in (alike(one, other) or set())
    assert alike(one, other) == alike(other, one)
    assert compare_names(one, other).verdict != "different"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("John Ashdown", "Joan Ashdown"),
        ("Maria Ashdown", "Mario Ashdown"),
        ("Martin Lindqvist", "Martina Lindqvist"),
        ("Robert James Ashdown", "Robert Paul Ashdown"),
        ("Robert Ashdown", "Robert Okonkwo"),
        ("J Ashdown", "P Ashdown"),
        ("Robert", "Robert"),
    ],
)
def test_other_names_have_none(one: str, other: str) -> None:
    assert alike(one, other) is None


def test_forms_seldom_find_what_comparing_the_names_does_not() -> None:
    rng = random.Random(7)  # noqa: S311 - made-up names
    people = [f"{rng.choice(FIRST)} {rng.choice(LAST)}" for _ in range(60)]
    for one in people:
        for other in people:
            assert (alike(one, other) is not None) <= (compare_names(one, other).verdict != "different")


@given(st.lists(st.sampled_from([*FIRST, *LAST]), min_size=2, max_size=5, unique=True), st.randoms())
def test_the_order_of_words_does_not_matter(words: list[str], rng: random.Random) -> None:
    turned = list(words)
    rng.shuffle(turned)
    assert {one.value for one in name_forms(" ".join(words))} == {
        one.value for one in name_forms(" ".join(turned))
    }


def test_a_name_of_many_spellings_has_the_same_forms_in_any_order() -> None:
    words = ["Mohammed", "Yevgeny", "Kowalczyk", "Catherine", "O'Sullivan"]
    assert {form.value for form in name_forms(" ".join(words))} == {
        form.value for form in name_forms(" ".join(reversed(words)))
    }


def test_a_form_does_not_depend_on_where_a_name_stands_in_the_lists() -> None:
    parts = {part for form in name_forms("Catherine Mohammed") for part in form.value}
    assert not any(part.strip("~=").isdigit() for part in parts)


@given(st.text(max_size=60))
def test_any_text_has_forms_or_none_and_not_too_many(text: str) -> None:
    assert len(name_forms(text)) < 2000
