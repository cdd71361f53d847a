"""Invented people: a name in its own script and in Latin letters, a birthday, an address."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Any
from unicodedata import combining, normalize

from kycpack.synthetic.word_lists import read_material


@dataclass(frozen=True)
class InventedPerson:
    """An invented person.

    Args:
        first_name: Given name as they write it themselves.
        last_name: Family name as they write it themselves.
        latin_first: Given name in Latin letters, as on a document.
        latin_last: Family name in Latin letters.
        script: Script of the name.
        address: Address object of the interface.
    """

    first_name: str
    last_name: str
    latin_first: str
    latin_last: str
    script: str
    nationality: str
    born_on: date
    address: dict[str, Any]

    def __repr__(self) -> str:
        return "InventedPerson(...)"


def make_person(
    rng: Random, as_of: date, *, script: str | None = None, pensioner: bool = False
) -> InventedPerson:
    """Return an invented person.

    Args:
        rng: Source of randomness.
        as_of: The day for which the age is calculated.
        script: Script of the name; None draws one.
        pensioner: At least 67 years old; otherwise 21 to 64.
    """
    groups = [group for group in read_material("names") if script in (None, group["script"])]
    group = rng.choices(groups, weights=[group["weight"] for group in groups])[0]
    first, latin_first = _spellings(rng.choice(group["given"]))
    last, latin_last = _spellings(rng.choice(group["family"]))
    age_days = rng.randint(67 * 366, 84 * 365) if pensioner else rng.randint(21 * 366, 64 * 365)
    return InventedPerson(
        first_name=first,
        last_name=last,
        latin_first=latin_first,
        latin_last=latin_last,
        script=group["script"],
        nationality=group["nationality"] if rng.random() < 0.7 else "GB",
        born_on=as_of - timedelta(days=age_days),
        address=make_address(rng),
    )


def make_address(rng: Random) -> dict[str, Any]:
    """Return an invented address in the United Kingdom."""
    places = read_material("places")
    town = rng.choice(places["towns"])
    inward = f"{rng.randint(1, 9)}{rng.choice('ABDEFGHJLN')}{rng.choice('PQRSTUWXYZ')}"
    address = {
        "addressLine1": f"{rng.randint(1, 240)} {rng.choice(places['streets'])}",
        "city": town["town"],
        "postalCode": f"{town['code']}{rng.randint(1, 28)} {inward}",
        "country": "GB",
    }
    if rng.random() < 0.25:
        address["addressLine2"] = f"Flat {rng.randint(1, 40)}"
    return address


def machine_readable(name: str) -> str:
    """Return a Latin name as in the machine-readable zone of a document: only capitals A to Z, spaces and hyphens.

    Source: ICAO Doc 9303 part 3, section 6, recommended transliterations.
    """
    spelt = "".join(_MACHINE_READABLE.get(letter, letter) for letter in name.upper())
    plain = "".join(letter for letter in normalize("NFKD", spelt) if not combining(letter))
    return plain.replace("'", "")


def bank_holder(person: InventedPerson, rng: Random) -> str:
    """Return a person's name in one of the forms in which banks write account holders."""
    first, last = person.latin_first, person.latin_last
    return rng.choice(
        (
            f"{first} {last}",
            f"{first[0]} {last}",
            f"{first} {last}".upper(),
            f"{last} {first}",
            f"Mx {first} {last}",
        )
    )


def has_surname_first(person: InventedPerson, holder: str) -> bool:
    """Return whether an account holder is a person's name with surname first, which may be another person's name."""
    return holder == f"{person.latin_last} {person.latin_first}"


_MACHINE_READABLE = {
    "Ä": "AE",
    "Ö": "OE",
    "Ü": "UE",
    "ß": "SS",
    "ẞ": "SS",
    "Ø": "OE",
    "Å": "AA",
    "Ł": "L",
    "Đ": "D",
    "Ð": "D",
    "Þ": "TH",
    "Æ": "AE",
    "Ñ": "N",
    "İ": "I",
}


def _spellings(entry: str) -> tuple[str, str]:
    native, _, latin = entry.partition("|")
    return native, latin or native
