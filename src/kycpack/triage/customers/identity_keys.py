"""Evidence that two customers may be one person: an identity document, a name with a date of birth, a bank account."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from kycpack.frames.rows import rows
from kycpack.triage.countries import country_code
from kycpack.triage.names.name_forms import NameForm, name_forms
from kycpack.triage.names.person_names import read_name
from kycpack.triage.results.document_forms import letters_of, number_form

DOCUMENT, PERSON, ACCOUNT = "document", "name and date of birth", "bank account"
KINDS = (DOCUMENT, PERSON, ACCOUNT)
"""The kinds of keys, the strongest first, in the words of a finding."""

LIKE_NAME = "like name and date of birth"
"""A form that similar names share, with a date of birth."""

NEEDED = ("customers", "documents", "accounts")
"""The frames that are used."""

_SHORTEST_ACCOUNT = 6  # digits of an account number that is not masked
_MASKS = frozenset("*•·")


@dataclass(frozen=True, slots=True)
class IdentityKey:
    """One detail by which a customer can be recognised.

    Attributes:
        kind: One of `KINDS`, or `LIKE_NAME`.
        value: A document's country and number; a date of birth and the words of a name; an account's sort code, its number and
            the holder's date of birth, which distinguishes the holders of a joint account.
        session_id: The session that shows the document; empty for the other kinds.
        form: For a similar name, the form that the value contains.
    """

    kind: str
    value: tuple[str, ...]
    session_id: str = ""
    form: NameForm | None = None


def identity_keys(frames: Mapping[str, pd.DataFrame]) -> dict[str, list[IdentityKey]]:
    """Return the keys by which each customer can be recognised.

    Args:
        frames: The frames in `NEEDED` by name, of one customer or of many. Masked numbers and placeholders such as `000000000`
            are left out.
    """
    found: dict[str, list[IdentityKey]] = {}
    for customer_id, key in (*_documents(frames["documents"]), *_people_and_accounts(frames)):
        found.setdefault(customer_id, []).append(key)
    return found


def like_name_keys(customers: pd.DataFrame) -> dict[str, list[IdentityKey]]:
    """Return the forms of each customer's name that similar names share, with the date of birth; empty if that is not known.

    Args:
        customers: The frame of customers.
    """
    return {
        customer_id: [IdentityKey(LIKE_NAME, (day, *form.value), form=form) for form in name_forms(name)]
        for customer_id, name, day in people(customers)
        if day
    }


def _documents(documents: pd.DataFrame) -> Iterator[tuple[str, IdentityKey]]:
    wanted = ("customer_id", "session_id", "kind", "issuing_country", "holder_nationality", "document_number")
    for row in rows(documents, *wanted):
        number = "" if pd.isna(row.document_number) else str(row.document_number)
        if row.kind != "identity" or _MASKS & set(number) or number_form(number) != "plausible":
            continue
        # A document that does not name its country is most likely of that of which its holder is a national.
        named = (row.issuing_country, row.holder_nationality)
        country = next((code for one in named if not pd.isna(one) and (code := country_code(str(one)))), "")
        yield str(row.customer_id), IdentityKey(DOCUMENT, (country, letters_of(number)), str(row.session_id))


def _people_and_accounts(frames: Mapping[str, pd.DataFrame]) -> Iterator[tuple[str, IdentityKey]]:
    born: dict[str, str] = {}
    for customer_id, name, day in people(frames["customers"]):
        born[customer_id] = day
        words = sorted({word.text for word in read_name(name).words})
        if day and words:
            yield customer_id, IdentityKey(PERSON, (day, *words))
    for row in rows(frames["accounts"], "customer_id", "sort_code", "account_number"):
        number = "" if pd.isna(row.account_number) else str(row.account_number)
        if _MASKS & set(number) or sum(map(str.isdigit, number)) < _SHORTEST_ACCOUNT:
            continue
        sort_code = "" if pd.isna(row.sort_code) else "".join(filter(str.isdigit, str(row.sort_code)))
        customer_id = str(row.customer_id)
        yield customer_id, IdentityKey(ACCOUNT, (sort_code, letters_of(number), born.get(customer_id, "")))


def people(customers: pd.DataFrame) -> Iterator[tuple[str, str, str]]:
    """Yield the customers: id, whole name, and date of birth as ISO 8601, empty if it is not known.

    Args:
        customers: The frame of customers.
    """
    for row in rows(customers, "customer_id", "first_name", "last_name", "date_of_birth_on"):
        name = " ".join(str(part) for part in (row.first_name, row.last_name) if not pd.isna(part))
        day: Any = row.date_of_birth_on
        yield (
            str(row.customer_id),
            name,
            "" if pd.isna(day) else pd.Timestamp(day).date().isoformat(),
        )
