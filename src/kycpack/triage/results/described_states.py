"""Members named after data whose text describes how the document looks or what became of the data, as in `birthName: overprinted` and `birthName: legible`."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from kycpack.triage.results.data_leaves import NAMES, is_written_as_name, names_somebody
from kycpack.triage.results.leaf_details import in_data_group, named
from kycpack.triage.results.leaf_names import name_words, steps_of
from kycpack.triage.results.trouble_words import holds_data
from kycpack.triage.results.vocabulary import Vocabulary, plain_word, text_words

_FIRST_BEYOND_LATIN = 0x250
_MARK = re.compile(r"\?+|(\w)\1{2,}", re.IGNORECASE)
# No name has these, and a template or a masked name does.
_NOT_OF_NAMES = re.compile(r"[?*%{}\[\]|=~^#@]")
_DENYING = frozenset({"not", "cannot"})
# Last words of names of data, beside those that name a person, a place or an office.
_DATA = frozenset(
    {"number", "numbers", "no", "id", "date", "birth", "dob", "surname", "surnames", "forename", "forenames", "nickname", "sex", "gender", "nationality"}
    | {"nationalities", "citizenship", "postcode", "zip", "country", "occupation", "profession", "father", "mother", "spouse", "height", "address", "colour", "color"}
    | {"supplier", "employer", "bank", "branch", "title"}
)  # fmt: skip
# As in `dateOfIssue`.
_WHEN_OR_WHERE, _THREE = frozenset({"date", "place"}), 3
# Those of them that no word names.
_NO_NAMES = frozenset(
    {"number", "numbers", "no", "id", "date", "dob", "sex", "gender", "postcode", "zip", "height"}
)


def stands_for_data(path: str, value: Any, vocabulary: Vocabulary, *, is_fine: bool) -> bool:
    """Return whether a text says of data of the person, the document or the address that it is in order, where the data itself should be.

    Args:
        path: Path of a leaf that reads as fine or as plain data.
        value: Its value.
        vocabulary: Its words for verdicts and states.
        is_fine: Whether it reads as fine. In another reading of the document, such as the chip, that may be the verdict of a comparison.
    """
    said = text_words(value) if isinstance(value, str) else []
    words = vocabulary.words
    own = [part for part in name_words(named(path)[1]) if not part.isdigit()]
    names_data = (
        not (words["naming_words"] | _DATA | NAMES).isdisjoint(own[-1:])
        or (len(own) == _THREE and own[1] == "of" and own[0] in _WHEN_OR_WHERE)
        or (own == ["state"] and path.startswith("address."))
    )
    listed = in_data_group(path, vocabulary)
    if not (names_data and (listed or holds_data(path, vocabulary))) or vocabulary.is_placeholder(
        " ".join(said)
    ):
        return False
    if (
        is_written_as_name(str(value))
        and own[-1] not in _NO_NAMES
        and words["names_like_states"].issuperset(said)
    ):
        return False
    states = (
        _in_order(vocabulary) if listed or not is_fine else words["state_words"] | words["states_in_order"]
    )
    return plain_word(str(value)) in states or (
        not states.isdisjoint(said)
        and (states | words["words_of_states"] | words["remark_words"]).issuperset(said)
    )


@cache
def _in_order(vocabulary: Vocabulary) -> frozenset[str]:
    words, remarks = vocabulary.words, vocabulary.remarks
    return remarks.good.union(
        remarks.matching,
        *(
            words[name]
            for name in (
                "states_in_order",
                "good_words",
                "more_good",
                "matching_words",
                "done_words",
                "done_alone",
                "feature_seen",
                "fine_values",
                "well_values",
            )
        ),
    )


def describes_state(path: str, value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a text is no name, place or number but says in what state it is; somebody may be called Void or Blank, and is looked at.

    Under a name of a person or a place, a text in small letters alone is a description too: names are written with a capital. So are several words for states and
    what stands beside them, a text with a word of remarks or that begins with a denial, and a mark such as `XXXX`, `????` or `B***`.

    Args:
        path: Path of a leaf that reads as plain data.
        value: Its value.
        vocabulary: Its words for states.
    """
    if not isinstance(value, str):
        return False
    said = text_words(value)
    own = name_words(steps_of(path)[1])
    words = vocabulary.words
    is_naming = "place" in own or not words["naming_words"].isdisjoint(own[-1:])
    names_one = is_naming and names_somebody(path, vocabulary)
    if names_one and (_MARK.fullmatch(value.strip()) or (own[-1] in NAMES and value.isdecimal())):
        return True
    if vocabulary.is_placeholder(" ".join(said)):
        return False
    describes = (words["state_words"] | words["words_of_states"]).issuperset(said)
    if describes and not words["state_words"].isdisjoint(said):
        return True
    if is_naming and said[0] in _DENYING:
        return True
    is_latin = any(word.isalpha() and ord(word[0]) < _FIRST_BEYOND_LATIN for word in said)
    return names_one and (
        (describes and len(said) > 1)
        or not words["remark_words"].isdisjoint(said)
        or _NOT_OF_NAMES.search(value) is not None
        or (is_latin and not is_written_as_name(value))
    )
