"""Screening matches of which the results do not say on which list they are, so that no category beside them is clear, and categories that the results do not have."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import pandas as pd

from kycpack.frames import Frames
from kycpack.frames.rows import records
from kycpack.models.listed import counted
from kycpack.render.origin import value_of
from kycpack.render.wording import is_absent, text_of
from kycpack.triage.judge.findings import standing
from kycpack.triage.levels import CLEAR, HIT
from kycpack.triage.paths import UNNAMED_MATCHES

SCREENING_CATEGORIES = "screening.summary."
"""How the path of a category of the screening begins."""
_COUNT = "screening.matchCount"
COUNTS = (UNNAMED_MATCHES, _COUNT)
"""What a finding is about that counts matches of which the list may not be named."""
NUMBERS = (
    value_of("results", "screening_match_count"),
    value_of("findings", "sentence", outcome=HIT, path=UNNAMED_MATCHES),
)
"""Where the numbers are from that `open_matches` gives."""
_NAMED = 2
_GRAVEST = (f"{SCREENING_CATEGORIES}**", f"{SCREENING_CATEGORIES}pep.*")
"""Paths of the categories that are named first: those of no one list, which hold sanctions and terrorism, and further politically exposed persons."""
_UNLISTED = frozenset({"matches_not_visible", "matches_not_listed"})
_NOT_NAMED = "not clear: the provider does not name the kind of list of {}"
_MORE = "not clear: {} are counted, and the provider does not say on which list each is"


def open_matches(frames: Frames, findings: pd.DataFrame) -> Mapping[str, str]:
    """Return what is said of each category that the provider calls clear, by session with a match that may belong to it all the same.

    A policy that does not ask on which list each match is has the number of matches alone: a match is then taken to be in a category that has one only if
    there are no more matches than such categories, or if the results list it.

    Args:
        frames: Frames of one customer.
        findings: Frame `findings` of the customer.
    """
    hits: dict[str, dict[str, str]] = defaultdict(dict)
    for row in records(findings, "outcome", "path", "session_id", "value"):
        if row["outcome"] == HIT:
            hits[str(row["session_id"])][str(row["path"])] = text_of(row["value"], "")
    within: Counter[str] = Counter()
    for row in records(frames.screening, "session_id", "path", "value"):
        within[str(row["session_id"])] += _matches_in(
            row["value"], is_hit=row["path"] in hits[str(row["session_id"])]
        )
    gaps = records(frames.gaps, "code", "subject")
    unlisted = {str(gap["subject"]) for gap in gaps if gap["code"] in _UNLISTED}
    said: dict[str, str] = {}
    for row in records(frames.results, "session_id", "screening_match_count"):
        session, count = str(row["session_id"]), row["screening_match_count"]
        if left := hits[session].get(UNNAMED_MATCHES):
            said[session] = _NOT_NAMED.format(_of_all(left, count))
        elif _COUNT in hits[session] and session in unlisted:
            if is_absent(count):  # a number that is no whole one is a finding all the same
                said[session] = _MORE.format("matches")
            elif count > within[session]:
                said[session] = _MORE.format(f"{count:,} matches")
    return said


def lists_not_named(frames: Frames, findings: pd.DataFrame) -> dict[str, str]:
    """Return what is said beside the state of a screening that has such a match, by session: that the list of no match is named, or not of every one.

    Args:
        frames: Frames of one customer.
        findings: Frame `findings` of the customer.
    """
    named = {
        str(row["session_id"])
        for row in records(standing(findings), "outcome", "path", "session_id")
        if row["outcome"] == HIT and str(row["path"]).startswith(SCREENING_CATEGORIES)
    }
    return {
        id_: "not every list named" if id_ in named else "list not named"
        for id_ in open_matches(frames, findings)
    }


def absent_categories(findings: pd.DataFrame) -> dict[str, set[tuple[str, str]]]:
    """Return the categories of the screening that a rule asks about and the results do not have, each with its path and its title, by session.

    Args:
        findings: Frame `findings` of one customer.
    """
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for row in records(standing(findings), "outcome", "session_id", "path", "value", "title"):
        is_category = str(row["outcome"]) == CLEAR and str(row["path"]).startswith(SCREENING_CATEGORIES)
        if is_category and is_absent(row["value"]):
            found[str(row["session_id"])].add((str(row["path"]), str(row["title"])))
    return found


def gravest_of(absent: Sequence[tuple[str, str]]) -> str:
    """Return the gravest of categories that the results do not have by their titles, and how many others there are.

    Args:
        absent: Paths and titles, as in `absent_categories`.
    """
    first = sorted(absent, key=lambda one: _GRAVEST.index(one[0]) if one[0] in _GRAVEST else len(_GRAVEST))
    titles = [*dict.fromkeys(title for _, title in first)]
    named = [f"“{one.removesuffix(' categories')}”" for one in titles[:_NAMED]]
    if len(titles) > _NAMED:
        named.append(f"and {counted(len(titles) - _NAMED, 'other')}")
    return ", ".join(named)


def _of_all(left: str, count: object) -> str:
    """Return of how many matches the list is not named, of how many; without numbers where these are no whole ones."""
    if not isinstance(count, int) or not left.isdecimal():
        return "every match"
    return f"{int(left):,} of {counted(count, 'match', 'matches')}"


def _matches_in(value: object, *, is_hit: bool) -> int:
    """Return how many matches a value stands for: none if it tells of no match, otherwise its number, or one for a word."""
    number = text_of(value, "")
    return int(number) if is_hit and number.isdecimal() else int(is_hit)
