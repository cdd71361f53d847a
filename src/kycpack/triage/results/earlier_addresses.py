"""Entries of an address history: where the customer lived before, which no check judges, and where the customer lives now."""

from __future__ import annotations

from collections.abc import Iterator

from kycpack.triage.case_file import Observation
from kycpack.triage.countries import country_name
from kycpack.triage.results.data_groups import needs_review
from kycpack.triage.results.data_leaves import is_written_as_name
from kycpack.triage.results.document_forms import letters_of
from kycpack.triage.results.leaf_groups import LeafGroup
from kycpack.triage.results.result_dates import dates_of
from kycpack.triage.results.vocabulary import name_words, own_words, text_words, words_of

_WORDS = words_of("earlier_addresses")
_STARTS = ("from", "since", "movedin", "movein", "start", "startdate", "fromdate", "moveindate")
_ENDS = ("to", "until", "movedout", "moveout", "end", "enddate", "todate", "moveoutdate")
_LINE, _CODE = "address.extractedAddress.addressLine1", "address.extractedAddress.postalCode"


def earlier_addresses(group: LeafGroup) -> Iterator[str]:
    """Yield the members of an address where the customer lived before, or of the present one if it is that of the proof of address.

    Rules about countries of residence look at its country. A word that asks for a look, as `prison`, leaves it open.
    """
    named = [part for part in name_words(group.path) if not part.isdigit()]
    if not group.path.rpartition(".")[2].isdigit() or not {"address", "addresses"} & {*named}:
        return
    if not _WORDS["past"] & {*named} or not {*named} <= _WORDS["past"] | {
        "address",
        "addresses",
        "residence",
        "residences",
    }:
        return
    by_name = {"".join(own_words(one.path)): one for one in group.members}
    ended = [one for name, one in by_name.items() if name in _ENDS and one.value is not None]
    if not ended and not _is_present(group):
        return
    if all(_is_part(one, group) for one in group.members):
        yield from (one.path for one in group.members)


def _is_part(seen: Observation, group: LeafGroup) -> bool:
    own, value = own_words(seen.path), seen.value
    name = "".join(own)
    if name in _ENDS and value is None:
        return True
    if not isinstance(value, str):
        return False
    if name in _STARTS or name in _ENDS:
        return any(date <= group.day for date in dates_of(value))
    if "country" in own and _WORDS["country"].issuperset(own):
        return country_name(value) is not None
    wrong = (group.vocabulary["verdict_words"] | group.vocabulary["trouble_values"]) - _WORDS[
        "words_of_streets"
    ]
    return (
        _WORDS["parts"].issuperset(own)
        and is_written_as_name(value)
        and wrong.isdisjoint(text_words(value))
        and not group.vocabulary.has_stem(text_words(value), "trouble_names")
        and not needs_review(value, group.vocabulary)
    )


def _is_present(group: LeafGroup) -> bool:
    """Return whether an entry without an end is the address of the proof, by its post code and its line."""
    given = {letters_of(one.value) for one in group.members if isinstance(one.value, str)}
    known = [letters_of(str(group.listed.get(path) or "")) for path in (_LINE, _CODE)]
    return all(one and one in given for one in known)
