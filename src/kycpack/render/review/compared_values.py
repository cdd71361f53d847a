"""The two values of each pair of sources that differ, for the sentences of page one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from kycpack.frames.rows import records
from kycpack.models.listed import listed
from kycpack.render.review.short_names import ShortNames
from kycpack.render.wording import dated_words, is_absent, text_of
from kycpack.triage.likeness import DIFFERENT, ORDER, ORDER_ALONE, SIMILAR, words_of
from kycpack.triage.names.readable_names import is_name

_COMPARED = ("field", "left", "right", "verdict", "kinds", "left_value", "right_value")
_OF_SOURCE = {"statement": "the service's", "address": "the proof of"}
_MOST_VALUE = 60
_OF_PERSON = ("record", "document", "bank")
_ALL_NAMES = ("consistency.name", "")


def compared_values(
    consistency: pd.DataFrame | None, names: ShortNames
) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the two values of the pairs that are not equal, each with its source, by path of the finding and kind of likeness.

    A pair that is different has no kind. What two accounts share is said once. All names together are under the path of no pair.

    Args:
        consistency: Frame `consistency` of one customer; None for none.
        names: Short names of accounts and payments.
    """
    pairs: dict[tuple[str, str, str, str], tuple[list[str], list[str]]] = {}
    for row in () if consistency is None else records(consistency, *_COMPARED):
        verdict, values = text_of(row["verdict"], ""), (row["left_value"], row["right_value"])
        if verdict not in {DIFFERENT, SIMILAR} or any(map(is_absent, values)):
            continue
        left, right = (text_of(row[side]).partition(" ")[0] for side in ("left", "right"))
        alike = ".likeness" if verdict == SIMILAR else ""
        path = f"consistency.{row['field']}{alike}.{left}.{right}"
        for kind in text_of(row["kinds"], "").split(", ") if alike else ("",):
            sources = pairs.setdefault((path, kind, str(values[0]), str(values[1])), ([], []))
            for side, said in zip(("left", "right"), sources, strict=True):
                source = names.within(text_of(row[side]))
                said.extend([source] if source not in said else [])
    found: dict[tuple[str, str], list[str]] = {}
    for (path, kind, one, other), sources in pairs.items():
        named = [_named(of) for of in sources]
        if named[0] == named[1]:  # two of one kind, such as the documents of two sessions
            named = [named[0].replace("the ", f"{which} ", 1) for which in ("one", "another")]
        both = (f"{quoted(value)} on {of}" for value, of in zip((one, other), named, strict=True))
        found.setdefault((path, kind), []).append(", ".join(both))
    return {key: tuple(said) for key, said in found.items()} | {_ALL_NAMES: _each_name(consistency, names)}


def _each_name(consistency: pd.DataFrame | None, names: ShortNames) -> tuple[str, ...]:
    """Return the names on the record, the documents and the accounts in one text, each once with its sources, and which cannot be read as a name."""
    sources: dict[str, dict[str, list[str]]] = {}
    for row in () if consistency is None else records(consistency, *_COMPARED):
        for side in ("left", "right"):
            source, value = names.within(text_of(row[side])), row[f"{side}_value"]
            kind = source.partition(" ")[0]
            if row["field"] == "name" and kind in _OF_PERSON and not is_absent(value):
                said = sources.setdefault(str(value), {}).setdefault(kind, [])
                said.extend([source] if source not in said else [])
    every = "; ".join(
        f"{quoted(value)} on {listed([_named(of) for of in kinds.values()])}{'' if is_name(value) else ', which cannot be read as a name'}"
        for value, kinds in sources.items()
    )
    return (every,) if every else ()


def values_of(row: Mapping[Any, Any], compared: Mapping[tuple[str, str], tuple[str, ...]]) -> tuple[str, ...]:
    """Return the values that a finding is about; one about a likeness has the kind as its value, and one about an internal report is about all names.

    Args:
        row: The row of frame `findings`.
        compared: As returned by `compared_values`.
    """
    path = text_of(row["path"], "")
    if row["internal"] and path.startswith("consistency.name."):
        return compared[_ALL_NAMES]
    kind = text_of(row["value"], "") if ".likeness." in path else ""
    return compared.get((path, ORDER if kind == ORDER_ALONE else kind), ())


def difference_words(consistency: pd.DataFrame | None, path: str, kind: str) -> str:
    """Return a difference in words, with the number or the part that only one value has.

    Args:
        consistency: Frame `consistency` of one customer; None for none.
        path: The path of the finding.
        kind: The kind of likeness.
    """
    said: dict[str, None] = {}
    for row in () if consistency is None else records(consistency, *_COMPARED, "reason"):
        left, right = (text_of(row[side]).partition(" ")[0] for side in ("left", "right"))
        is_same = path == f"consistency.{row['field']}.likeness.{left}.{right}"
        if is_same and kind in text_of(row["kinds"], "").split(", "):
            said[words_of(kind, text_of(row["reason"], ""))] = None
    return " or ".join(said) or words_of(kind, "")


def quoted(value: str) -> str:
    """Return a value of a comparison in quotes, cut if it is long; a date is in words and has none."""
    words = dated_words(value)
    return words if words != value else f"“{in_short(value)}”"


def _named(sources: Sequence[str]) -> str:
    """Return the sources of one value in words, as in `the bank accounts A1, A2 and A3`."""
    kind, _, _ = sources[0].partition(" ")
    rest = [source.removeprefix("bank account ") for source in sources]
    if kind == "bank":
        return f"the bank account{'' if len(rest) == 1 else 's'} {listed(rest)}"
    return " and ".join(f"{_OF_SOURCE.get(one.partition(' ')[0], 'the')} {one}" for one in sources)


def with_values(sentence: str, values: tuple[str, ...]) -> str:
    """Return a sentence with the values that it is about."""
    return f"{sentence}: {'; '.join(values)}" if values else sentence


def in_short(value: str) -> str:
    """Return a value that is cut between two words if it is long, and within a word only if that word is all of it."""
    if len(value) <= _MOST_VALUE:
        return value
    kept = value[:_MOST_VALUE].rpartition(" ")[0] or value[:_MOST_VALUE]
    return f"{kept.rstrip(' ,;')}…"
