"""Countries in which the results say that the person lives or lived, beside that of the proof of address."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from kycpack.triage.addresses.address_parts import country_of
from kycpack.triage.case_file import CaseFile
from kycpack.triage.countries import country_name
from kycpack.triage.results.leaf_details import is_listed
from kycpack.triage.results.vocabulary import Vocabulary, name_words, steps_of

PATH = "country.residences"


def observe_residences(cases: Iterable[CaseFile], vocabulary: Vocabulary) -> None:
    """Add every further country of residence that the results of a customer's sessions name.

    Args:
        cases: The customers, with what was observed of their sessions.
        vocabulary: Says which members are about a residence.
    """
    for case in cases:
        for session in case.sessions:
            for seen in session.seen:
                if (
                    seen.of_results
                    and isinstance(seen.value, str)
                    and is_of_residence(seen.path, vocabulary)
                    and country_name(country_of(seen.value)) is not None
                ):
                    case.add(PATH, seen.value, *seen.evidence_ids)


# Most sessions have the same leaves.
@lru_cache(maxsize=65_536)
def is_of_residence(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether an unlisted leaf names a country in which the person lives or lived, as in `previousAddresses` or `taxResidency`.

    Args:
        path: Path of the leaf.
        vocabulary: Its words for residences and for connections.
    """
    if path.startswith("screening.") or is_listed(path, vocabulary):
        return False
    groups, name = steps_of(path)
    own, around = name_words(name), [part for step in groups for part in name_words(step)]
    lives = vocabulary["living_words"]
    names_country = not {"country", "countries"}.isdisjoint(own)
    of_place = not lives.isdisjoint(own) or (names_country and not lives.isdisjoint(around))
    apart = vocabulary["connection_words"] | vocabulary["not_lived_in"]
    return of_place and apart.isdisjoint([*own, *around])
