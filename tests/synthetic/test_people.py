from __future__ import annotations

from datetime import date

import pytest

from kycpack.synthetic.people import bank_holder, machine_readable, make_person
from kycpack.synthetic.word_lists import draw_random

AS_OF = date(2026, 6, 30)


@pytest.mark.parametrize(
    ("name", "spelt"),
    [
        ("Müllerschön", "MUELLERSCHOEN"),
        ("Großkopf", "GROSSKOPF"),
        ("Łucja", "LUCJA"),
        ("Núñez Ibarrola", "NUNEZ IBARROLA"),
        ("O'Dalaigh", "ODALAIGH"),
        ("Ødegårdsen", "OEDEGAARDSEN"),
    ],
)
def test_a_document_spells_names_in_capitals_from_a_to_z(name: str, spelt: str) -> None:
    assert machine_readable(name) == spelt


def test_every_name_can_be_spelt_by_a_machine() -> None:
    for index in range(300):
        person = make_person(draw_random(1, index), AS_OF)
        spelt = machine_readable(f"{person.latin_first} {person.latin_last}")
        assert all(letter in " -" or "A" <= letter <= "Z" for letter in spelt), person.script


def test_pensioners_are_of_pension_age_and_others_are_not() -> None:
    old = make_person(draw_random(1), AS_OF, pensioner=True)
    young = make_person(draw_random(1), AS_OF)
    assert (AS_OF - old.born_on).days >= 66 * 365
    assert 18 * 365 < (AS_OF - young.born_on).days < 65 * 366


def test_a_person_does_not_show() -> None:
    person = make_person(draw_random(1), AS_OF, script="greek")
    assert person.last_name not in repr(person)
    assert person.last_name != person.latin_last


def test_banks_write_a_holder_in_their_own_way() -> None:
    person = make_person(draw_random(1), AS_OF)
    holders = {bank_holder(person, draw_random(seed)) for seed in range(40)}
    assert len(holders) >= 4
    assert all(person.latin_last.upper() in holder.upper() for holder in holders)
