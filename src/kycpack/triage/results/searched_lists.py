"""Lists that the screening names with their size or edition: the lists that were searched, where it counted no match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from kycpack.triage.case_file import Observation
from kycpack.triage.results.data_leaves import DATE
from kycpack.triage.results.leaf_names import name_words, own_words
from kycpack.triage.results.vocabulary import Vocabulary, plain_word, text_words

_COUNT = "screening.matchCount"
# A list of persons has more entries than a screening has matches.
_SHORTEST_LIST = 100
_NAMES = frozenset(
    {"name", "list", "source", "title", "id", "code", "publisher", "owner", "country", "jurisdiction"}
)
_SIZES = frozenset({"entries", "records", "size", "count", "total", "names", "persons", "entities"})
_EDITIONS = frozenset(
    {"updated", "refreshed", "published", "edition", "version", "as", "of", "last", "at", "on"}
)
_SEARCHED = frozenset({"checked", "searched", "screened", "queried", "consulted", "at", "on", "last"})


def searched_lists(
    group: str, seen: Sequence[Observation], listed: Mapping[str, Any], vocabulary: Vocabulary
) -> Iterator[str]:
    """Yield what an item in a list of sources says, if it names a list with its size or edition and says nothing else.

    Args:
        group: Path of the item.
        seen: The leaves of the results.
        listed: Their values by path; the screening must count no match.
        vocabulary: Its words of lists.
    """
    words = vocabulary.words
    *around, lists, place = group.split(".") if group.count(".") > 1 else ("", "", "")
    if (
        around[:1] != ["screening"]
        or not place.isdigit()
        or listed.get(_COUNT) != 0
        or not {*name_words(lists)} <= words["data_names_of_sources"]
        or not {plain_word(step) for step in around[1:]} <= words["data_groups_of_screening"]
    ):
        return
    members = [one for one in seen if one.of_results and one.path.startswith(f"{group}.")]
    kinds = {_kind(one, group, vocabulary) for one in members}
    if "" not in kinds and "name" in kinds and len(kinds) > 1:
        yield from (one.path for one in members)


def _kind(one: Observation, group: str, vocabulary: Vocabulary) -> str:
    """Return whether a member is the name of a list, or its size or edition; empty for any other."""
    own, value = {*own_words(one.path)}, one.value
    if not own or one.path.rpartition(".")[0] != group:
        return ""
    if isinstance(value, Decimal):
        is_size = own <= _SIZES and value >= _SHORTEST_LIST and value == value.to_integral_value()
        return "size" if is_size else ""
    if not isinstance(value, str):
        return ""
    if own & (_EDITIONS | _SEARCHED) - {"at", "on", "last", "as", "of"} and own <= _EDITIONS | _SEARCHED:
        return "edition" if DATE.fullmatch(value) else ""
    is_name = own <= _NAMES and vocabulary.may_name_check(value, of_register=True)
    return "name" if is_name and vocabulary.words["answers"].isdisjoint(text_words(value)) else ""
