"""Compares the sources of a customer's name, date of birth and address in pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import Any, NamedTuple

import pandas as pd

from kycpack.frames.rows import columns_of, frame_of
from kycpack.triage.addresses.address_likeness import PostalAddress, compare_addresses
from kycpack.triage.likeness import DIFFERENT, EQUAL, FORMAT, PLACE_ONLY, WORDS, Likeness, different
from kycpack.triage.names.account_holders import compare_holder
from kycpack.triage.names.company_names import compare_companies, is_firm, legal_form
from kycpack.triage.names.person_names import compare_names
from kycpack.triage.names.readable_names import is_name
from kycpack.triage.observations.frame_rows import FrameRows


class Statement(NamedTuple):
    """What one source says.

    Attributes:
        source: Its name for readers.
        value: Its value; None if it has none.
        text: The value as shown to a reader.
        evidence_id: The evidence entry.
    """

    source: str
    value: Any
    text: str | None
    evidence_id: str


Compare = Callable[[Any, Any], Likeness]


class Comparison(NamedTuple):
    """Two sources compared.

    Attributes:
        customer_id: The customer.
        field: name, date_of_birth, address or town.
        left: The first source: record, document, address, bank or statement; with an id if there are several.
        right: The second source; a further document may be compared with a document.
        verdict: equal, similar, different, missing, or unreadable if the two are not different, and one of them cannot be read as a name.
        score: 0..1; None for missing and unreadable, and where one of two different names cannot be read as a name.
        reason: Why, in words; `identical` if a reader is shown the same text twice.
        kinds: From `likeness.KINDS`, separated by commas; empty if the two are the same text, or different.
        evidence_ids: The entries that show it.
        left_value: What was compared; None if the source has no value.
        right_value: Likewise for the second source.
        path: The path of the observation that a policy asks about.
    """

    customer_id: str
    field: str
    left: str
    right: str
    verdict: str
    score: float | None
    reason: str
    kinds: str
    evidence_ids: tuple[str, ...]
    left_value: str | None
    right_value: str | None
    path: str


COLUMNS = Comparison._fields[:-1]
_REMEMBERED = 16_384
MISSING, UNREADABLE = "missing", "unreadable"


def compare_sources(given: FrameRows) -> list[Comparison]:
    """Return the comparisons of all customers, in the order of the customers.

    Args:
        given: From `read_rows`.
    """
    compared = []
    for customer, sources in _by_customer(given).items():
        for field, left, right, compare in _PAIRS:
            path = f"consistency.{field}.{left}.{right}"
            for one, other in _pairs_of(sources, field, left, right):
                verdict, score, reason, kinds = _likeness(field, one, other, compare)
                if verdict == EQUAL and one.text == other.text:
                    reason = "identical"
                compared.append(
                    Comparison(
                        customer, field, one.source, other.source, verdict, score, reason, ", ".join(kinds),
                        _entries(one.evidence_id, other.evidence_id), one.text, other.text, path,
                    )
                )  # fmt: skip
    return compared


def _pairs_of(
    sources: Mapping[tuple[str, str], Sequence[Statement]], field: str, left: str, right: str
) -> Iterator[tuple[Statement, Statement]]:
    """Yield the statements to compare; of one source with itself, only those that say something else."""
    if left == right:
        each = {one.text: one for one in sources[field, left] if one.value is not None}
        yield from combinations(each.values(), 2)
        return
    for one, other in product(sources[field, left], sources[field, right]):
        if (left, right) not in _IF_GIVEN or (one.value is not None and other.value is not None):
            yield one, other


def _likeness(
    field: str, one: Statement, other: Statement, compare: Compare
) -> tuple[str, float | None, str, tuple[str, ...]]:
    absent = [statement.source for statement in (one, other) if statement.value is None]
    if absent:
        return MISSING, None, f"nothing to compare: not given by {' and '.join(absent)}", ()
    found = compare(one.value, other.value)
    # Two values that are no names do not show that two sources name one person, even if they are equal.
    wrong = [said.source for said in (one, other) if field == "name" and not is_name(said.value)]
    if not wrong:
        return found
    sources = " and ".join(wrong)
    if found.verdict != DIFFERENT:
        shown = "the texts agree, but cannot be read as a name, so they do not show whose they are"
        return UNREADABLE, None, f"{shown}: {sources}", ()
    which = "one cannot" if len(wrong) == 1 else "neither can"
    return DIFFERENT, None, f"the texts differ, and {which} be read as a name: {sources}", ()


def consistency_frame(compared: Sequence[Comparison]) -> pd.DataFrame:
    """Return comparisons as the consistency matrix, one row each; `evidence_ids` are lists.

    Args:
        compared: From `compare_sources`.
    """
    columns = columns_of(COLUMNS, [one[:-1] for one in compared])
    columns |= {"evidence_ids": [list(ids) for ids in columns["evidence_ids"]]}
    return frame_of(columns, {"score": "Float64", "evidence_ids": "object"})


# Most customers have the same few.
@lru_cache(_REMEMBERED)
def _entries(one: str, other: str) -> tuple[str, ...]:
    return tuple(sorted({one, other} - {""}))


# Several accounts usually have one holder, whose name is compared once.
@lru_cache(_REMEMBERED)
def _compare_names(left: str, right: str) -> Likeness:
    """Compare names of people, or of firms."""
    return compare_companies(left, right) if _are_firms(left, right) else compare_names(left, right)


@lru_cache(_REMEMBERED)
def _compare_holder(name: str, holder: str) -> Likeness:
    """Compare with the holder of an account in the same way; a person's account may have several holders."""
    return compare_companies(name, holder) if _are_firms(name, holder) else compare_holder(name, holder)


def _are_firms(left: str, right: str) -> bool:
    """Return whether names are compared as names of firms: both have a legal form, or one is certainly a firm.

    A person and a firm of the same name then differ only in the legal form, which a policy can ask about.
    """
    return is_firm(left) or is_firm(right) or bool(legal_form(left) and legal_form(right))


def _compare_dates(left: str, right: str) -> Likeness:
    if left == right:
        return Likeness(EQUAL, 1.0, "the same date")
    if left[:4] == right[:4] and left[5:7] == right[8:10] and left[8:10] == right[5:7]:
        return different("day and month are the other way round", 0.5, (FORMAT,))
    return different("another date")


def _compare_towns(left: str, right: str) -> Likeness:
    """Compare towns as those of two addresses are compared that name nothing else."""
    found = compare_addresses(PostalAddress(None, left, None, None), PostalAddress(None, right, None, None))
    kinds = tuple(kind for kind in found.kinds if kind != PLACE_ONLY)
    if found.verdict == DIFFERENT or kinds:
        reason = "; ".join(WORDS[kind] for kind in kinds) or found.reason
        return found._replace(reason=reason, kinds=kinds)
    return Likeness(EQUAL, 1.0, "the same town")


_PAIRS: tuple[tuple[str, str, str, Compare], ...] = (
    ("name", "record", "document", _compare_names),
    ("name", "record", "bank", _compare_holder),
    ("name", "document", "bank", _compare_holder),
    ("name", "document", "document", _compare_names),
    ("name", "record", "statement", _compare_names),
    ("name", "document", "statement", _compare_names),
    ("name", "bank", "statement", lambda holder, name: _compare_holder(name, holder)),
    ("date_of_birth", "record", "document", _compare_dates),
    ("date_of_birth", "document", "document", _compare_dates),
    ("address", "record", "address", compare_addresses),
    ("town", "record", "statement", _compare_towns),
)


_IF_GIVEN = frozenset({("document", "statement"), ("bank", "statement")})
"""Pairs that are compared only if both have a value; what is missing is said where each is compared with the record."""

_OPTIONAL = frozenset({"bank", "statement"})
"""Sources that a customer need not have; their absence is not `missing`."""


def _by_customer(given: FrameRows) -> dict[str, dict[tuple[str, str], list[Statement]]]:
    said: dict[str, dict[tuple[str, str], list[Statement]]] = {}
    for row in given.customers:
        name, born = _joined(row.first_name, row.last_name), _date(row.date_of_birth_on)
        said[row.customer_id] = {
            ("name", "record"): [_stated("record", name, row.evidence_id)],
            ("date_of_birth", "record"): [_stated("record", born, row.evidence_id)],
            ("address", "record"): [_address("record", row, row.address_line2)],
            ("town", "record"): [_stated("record", _joined(row.city), row.evidence_id)],
            ("name", "document"): [],
            ("date_of_birth", "document"): [],
            ("address", "address"): [],
            ("name", "bank"): [],
            ("name", "statement"): [],
            ("town", "statement"): [],
        }
    for customer, field, source, fact in _others(given):
        if customer in said:
            said[customer][field, source].append(fact)
    for sources in said.values():
        for (field, source), facts in sources.items():
            if not facts and source not in _OPTIONAL:
                sources[field, source] = [_stated(source, None, "")]
    return said


def _others(given: FrameRows) -> Iterator[tuple[str, str, str, Statement]]:
    for row in given.documents:
        if row.kind == "identity":
            name = _joined(row.holder_first_name, row.holder_last_name)
            yield row.customer_id, "name", "document", _stated("document", name, row.evidence_id)
            born = _date(row.holder_date_of_birth_on)
            yield row.customer_id, "date_of_birth", "document", _stated("document", born, row.evidence_id)
        else:
            yield row.customer_id, "address", "address", _address("address", row)
    for row in given.statements:
        source = "statement" if row.payment_id is None else f"statement of payment {row.payment_id}"
        said = {"name": _joined(row.first_name, row.last_name), "town": _joined(row.city)}
        for field, value in said.items():
            if value is not None:
                yield row.customer_id, field, "statement", _stated(source, value, row.evidence_id)
    for row in given.accounts:
        fact = _stated(f"bank account {row.account_id}", row.holder_name, row.evidence_id)
        yield row.customer_id, "name", "bank", fact


def _stated(source: str, value: str | None, evidence_id: str) -> Statement:
    return Statement(source, value, value, evidence_id)


def _joined(*parts: str | None) -> str | None:
    return " ".join([part for part in parts if part and part.strip()]) or None


def _date(value: Any) -> str | None:
    return None if value is pd.NaT else value.date().isoformat()


def _address(source: str, row: Any, second_line: str | None = None) -> Statement:
    address = PostalAddress(row.address_line1, row.city, row.postal_code, row.country, second_line)
    if not address.is_given:
        return _stated(source, None, row.evidence_id)
    parts = (address.line, second_line, address.city, address.postal_code, address.country)
    return Statement(source, address, ", ".join([part for part in parts if part]), row.evidence_id)
