"""Values written in another form than the usual one: a number or a boolean as a text, a JSON object as a text, an id without a name in a list, an e-mail address, an id in known words, the name of a camera."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any

from kycpack.frames.json_leaves import leaves
from kycpack.triage.case_file import NESTED, Observation
from kycpack.triage.results.data_groups import claims_nothing
from kycpack.triage.results.data_leaves import are_known
from kycpack.triage.results.vocabulary import Vocabulary, name_words, steps_of, text_words, words_of

_LONGEST_ANSWER = 4_000
_NUMBER = re.compile(r"(0|[1-9][0-9]{0,8}|[0-9]\.[0-9]{1,6})(?: (hits?|match(?:es)?))?")
# A tick is a yes; nobody knows whether a cross is a no or a failure.
_BOOLEANS = {
    "true": True,
    "false": False,
    "yes": True,
    "no": False,
    "\u2713": True,
    "\u2714": True,
    "\u2705": True,
}
_LISTED = ("ids", "uuids", "guids", "urls", "hashes", "fonts")
_EMAIL = re.compile(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
_WORDS = words_of("written_forms")
_SLUG = re.compile(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)+")


def inner_leaves(path: str, text: str) -> list[Observation]:
    """Return the leaves of a JSON object inside a text; empty for any other text.

    Args:
        path: Path of the text.
        text: The text.
    """
    if not text.lstrip().startswith("{") or len(text) > _LONGEST_ANSWER:
        return []
    try:
        answer = json.loads(text, parse_float=Decimal, parse_int=Decimal, object_pairs_hook=_members)
    except (ValueError, RecursionError):
        return []
    return [
        Observation(f"{path}.{name}", NESTED if value in ({}, []) else value)
        for name, value in leaves(answer)
    ]


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a name is given twice")
    return made


def in_usual_form(seen: Observation) -> Observation | None:
    """Return a leaf whose text is a number or a boolean with that value, `0 hits` as that of a member `hits`; None for any other leaf."""
    text = seen.value.strip().casefold() if isinstance(seen.value, str) else ""
    if text in _BOOLEANS:
        return seen._replace(value=_BOOLEANS[text])
    found = _NUMBER.fullmatch(text)
    if found is None:
        return None
    path = f"{seen.path}.{found[2]}" if found[2] else seen.path
    return seen._replace(path=path, value=Decimal(found[1]))


def with_name_of_list(seen: Observation) -> Observation:
    """Return an item without a name in a list of ids, links or fonts under the name that it has by itself, as in `photoIds.0.photoId`; any other leaf as it is."""
    group, _, name = seen.path.rpartition(".")
    listed = group.rpartition(".")[2]
    last = name_words(listed)[-1:]
    if not name.isdigit() or not last or last[0] not in _LISTED:
        return seen
    ending = "es" if listed.casefold().endswith("hashes") else "s"
    return seen._replace(path=f"{seen.path}.{listed[: -len(ending)]}")


def is_written_plainly(path: str, own: list[str], value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a text outside screening is an e-mail address under such a name, or an id in known words, as `uk-standard` is.

    Args:
        path: Path of the leaf.
        own: The words of its name, without numbers.
        value: Its value.
        vocabulary: Its words of names and of plain data.
    """
    if not isinstance(value, str) or not own or not claims_nothing(path, own, vocabulary):
        return False
    if {*own} <= _WORDS["of_email"]:
        return _EMAIL.fullmatch(value) is not None
    if own[-1] != "id" or _SLUG.fullmatch(value) is None:
        return False
    said = text_words(value)
    return are_known(said, vocabulary) and vocabulary["verdict_words"].isdisjoint(said)


def is_unknown_camera(path: str, value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf names the camera that took the pictures, and its name has a word nobody knows: it may be a program in place of one.

    Args:
        path: Path of the leaf.
        value: Its value.
        vocabulary: Its words for cameras, and those known as plain data.
    """
    groups, name = steps_of(path)
    cameras, names = vocabulary["camera_words"], vocabulary["camera_names"]
    own = name_words(name)
    around = name_words(groups[-1]) if groups else []
    named = not cameras.isdisjoint(own) or not own
    is_name = (named and cameras.union(names).issuperset(own)) or (
        not cameras.isdisjoint(around) and names.issuperset(own)
    )
    return is_name and isinstance(value, str) and not are_known(text_words(value), vocabulary)
