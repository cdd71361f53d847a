"""Names that deny trouble, as in `notExpired` and `tamperFree`: with yes they say that there is none, and with no that there is some.

Names that only leave it open are no denial: `noTamperingCheck` says that nobody looked, and `fraudExcluded` may also say that nobody was to look.
"""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from itertools import pairwise, takewhile
from typing import Any

from kycpack.frames.answer_members import SECTIONS
from kycpack.triage.results.leaf_details import named
from kycpack.triage.results.vocabulary import (
    Vocabulary,
    affirms,
    name_words,
    plain_word,
    text_words,
    words_of,
)

_WORDS = words_of("negated_names")
_NEGATIONS = _WORDS["before"] | _WORDS["before_of"] | _WORDS["after"]
_JOINED = ("non", "not", "no", "un")
# What these words begin with `un` is no denial: nobody wants it, and nobody reported it.
_OTHERWISE = ("wanted", "reported")
_REPORTING = ("report", "suspect", "listed", "missing", "failed")
_MADE = _WORDS["looked"] | {"made", "done", "performed", "run", "conducted", "executed", "carried", "out", "completed", "started", "ordered", "requested", "available", "possible", "included"}  # fmt: skip
_LEFT_OPEN = tuple(frozenset({word}) for word in ("excluded", "unchecked", "untested", "unscreened", "unexamined", "unassessed"))  # fmt: skip
_PARTICIPLES = ("ed", "en")


def denies_by_name(path: str, value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a member outside screening affirms that there is no trouble, as in `noSignOfTampering: true`."""
    return (
        value is True
        and not path.startswith("screening.")
        and names_denial(path, vocabulary, known_alone=True)
    )


def affirms_denial(path: str, value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a member says yes to a name that denies trouble, whatever else the name says; a number after `no` counts the trouble."""
    return affirms(value) and not _may_count(path, value) and names_denial(path, vocabulary)


def refuses_denial(path: str, value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a member says no to a name that denies trouble, as in `notExpired: false`."""
    return _says_no(value) and not _may_count(path, value) and names_denial(path, vocabulary)


def leaves_open(path: str, value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a member says yes to a name that leaves open whether there is trouble: its check was not made or was passed, or it was excluded."""
    return affirms(value) and not isinstance(value, Decimal) and _names_no_finding(path, vocabulary)


def is_denial(text: str, vocabulary: Vocabulary) -> bool:
    """Return whether a text begins with a denial, as in `not forged`; `notary seal forged` does not."""
    return _parted(next(iter(text_words(text)), ""), vocabulary)[0] in _WORDS["before"]


def denies_genuineness(path: str, value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a member says of the document that it is not genuine, as `isGenuine: false` and `notAuthentic: true` do; of a person, or in a section of another kind, it has to name the document."""
    groups, name = named(path)
    parts, around = name_words(name), {part for step in groups for part in name_words(step)}
    said = {*parts}
    negated = len([part for part in parts if part in _WORDS["before"]])
    known = (
        vocabulary["genuine_words"]
        | _WORDS["before"]
        | _WORDS["beside"] - {"lost"}
        | vocabulary["document_words"]
    )
    if (
        said.isdisjoint(vocabulary["genuine_words"])
        or not said <= known
        or (groups[:1] != ["document"] and vocabulary["document_words"].isdisjoint(said | around))
        or not (vocabulary["turning_words"] | _NEGATIONS).isdisjoint(around)
    ):
        return False
    return affirms(value) if negated % 2 else _says_no(value)


def turns_good_round(parts: list[str], vocabulary: Vocabulary) -> bool:
    """Return whether a name denies what it goes on with, as in `noMatch`, `inValid` and `toBeVerified`; in `noOfPages` and `documentNo` it is a number."""
    good = vocabulary["good_words"]
    return ["to", "be"] in map(list, pairwise(parts)) or any(
        (part == "no" and after != "of")
        or (part == "in" and after in good)
        or (part in good and after == "no")
        for part, after in pairwise(parts)
    )


def _says_no(value: Any) -> bool:
    return value is False or value == 0 or (isinstance(value, str) and plain_word(value) in _WORDS["no"])


def _may_count(path: str, value: Any) -> bool:
    return isinstance(value, Decimal) and "no" in name_words(named(path)[1])


@lru_cache(maxsize=65_536)
def names_denial(path: str, vocabulary: Vocabulary, *, known_alone: bool = False) -> bool:
    """Return whether the name of a leaf denies trouble once, and no group around it speaks of trouble or turns the meaning of its members.

    Args:
        path: Path of the leaf.
        vocabulary: Its words for trouble, and those that turn a meaning.
        known_alone: Whether the name may say nothing else.
    """
    remarks = vocabulary.remarks
    groups, name = named(path)
    parts = [one for part in name_words(name) for one in _parted(part, vocabulary)]
    around = [part for step in groups if step not in SECTIONS for part in name_words(step)]
    turning = vocabulary["turning_words"] | _NEGATIONS
    if not turning.isdisjoint(around) or any(_has_stem(path, part, vocabulary) for part in around):
        return False
    at = [place for place, part in enumerate(parts) if part in _NEGATIONS]
    # In `notUnaltered` two words turn the meaning.
    if len(at) != 1 or not (turning - _NEGATIONS - {"failed"}).isdisjoint(parts):
        return False
    before, said, after = parts[: at[0]], parts[at[0]], parts[at[0] + 1 :]
    in_before, in_after = (
        any(_is_trouble(path, part, vocabulary) for part in some) for some in (before, after)
    )
    if in_before:
        # In `forgedOrAbsent` and `stolenDocumentNotFound` it denies something else, and what is missing is absent.
        denied = before[-1] in remarks.signs | _WORDS["nouns"] or _is_trouble(path, before[-1], vocabulary)
        is_denied = (
            denied
            and not before[-1].startswith(_REPORTING)
            and (
                (said in _WORDS["after"] and not after)
                or (said == "not" and bool(after) and _WORDS["finding"].issuperset(after))
            )
        )
    elif said == "un":
        # It denies its own word alone.
        is_denied = in_after and not any(_is_trouble(path, part, vocabulary) for part in after[1:])
    else:
        is_denied = in_after and (
            said in _WORDS["before"] or (said in _WORDS["before_of"] and after[0] in {"of", "from"})
        )
        # A loss that nobody reported is one.
        is_denied = is_denied and "lost" not in before
    beside = _WORDS["beside"] | remarks.signs | remarks.found | _WORDS["finding"]
    if not known_alone:
        beside |= (vocabulary["plain_words"] | remarks.subjects) - vocabulary["check_words"]
    return (
        is_denied
        and _is_one_denial([*before, *after], path, vocabulary)
        and all(part in beside or _is_trouble(path, part, vocabulary) for part in [*before, *after])
    )


@lru_cache(maxsize=65_536)
def _names_no_finding(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether a name says of a check for trouble whether it was made or passed, as in `noTamperingCheck`, or that trouble was excluded."""
    groups, name = named(path)
    around = [part for step in groups if step not in SECTIONS for part in name_words(step)]
    turning = vocabulary["turning_words"] | _NEGATIONS
    if not turning.isdisjoint(around) or any(_has_stem(path, part, vocabulary) for part in around):
        return False
    said = name_words(" ".join(name_words(name)).replace("ruled out", "excluded"))
    sought, looked, became, denials = _parts_of_check(path, said, vocabulary)
    troubles = [part for part in sought if _is_trouble(path, part, vocabulary)]
    if not troubles or denials > 1 or any(part.startswith(_REPORTING) for part in troubles):
        return False
    # A document that is `forged` is so, whatever was checked.
    is_named = bool(looked) or not troubles[-1].endswith(_PARTICIPLES)
    if denials:
        return is_named and became <= _MADE and bool(looked or became & _WORDS["looked"])
    return (is_named and became in _LEFT_OPEN) or (
        bool(looked and became) and (became <= _WORDS["not_made"] or became <= _WORDS["in_order"])
    )


def _parts_of_check(
    path: str, said: list[str], vocabulary: Vocabulary
) -> tuple[list[str], list[str], frozenset[str], int]:
    """Return what a check looks for, the words for the check, those for what became of it, and the number of denials, from the words of its name.

    The name is in the order of `noTamperingCheckMade` and `tamperingCheckNotMade`, or of `notCheckedForTampering`.
    """
    said = [part for part in said if part not in _WORDS["auxiliary"]]
    first = int(said[:1] != [] and said[0] in _WORDS["without"])
    checks = vocabulary["check_words"] | _WORDS["checking"]
    if "for" in said:
        at = said.index("for")
        sought, rest = said[at + 1 :], said[first:at]
    else:
        first = 0 if said[:1] == ["not"] else first
        sought = list(
            takewhile(
                lambda part: part in _WORDS["beside"] or _is_trouble(path, part, vocabulary), said[first:]
            )
        )
        rest = said[first + len(sought) :]
    known = {*_WORDS["beside"], *(part for part in sought if _is_trouble(path, part, vocabulary))}
    looked = list(takewhile(checks.__contains__, rest))
    became = frozenset(rest[len(looked) :]) | frozenset(part for part in sought if part not in known)
    # `noFraudRun` names no check, and `noFraudCheckFailed` says that none did.
    denials = first + len(became & _WORDS["denying"])
    if first and not looked and "for" not in said:
        denials += 1
    return sought, looked, became - _WORDS["denying"], denials


def _is_one_denial(said: list[str], path: str, vocabulary: Vocabulary) -> bool:
    """Return whether a denial covers every trouble of a name: in `noDoubtForged` it covers the doubt alone."""
    troubles = [place for place, part in enumerate(said) if _is_trouble(path, part, vocabulary)]
    return all(
        not _WORDS["joining"].isdisjoint(said[one:other])
        or said[one].startswith(_REPORTING)
        or (_has_stem(path, said[one], vocabulary) and said[other] in _WORDS["nouns"])
        for one, other in pairwise(troubles)
    )


def _parted(part: str, vocabulary: Vocabulary) -> list[str]:
    """Return a word as its negation and the trouble that it denies, as in `nofraud`, `unforged` and `tamperfree`; any other word as it is."""
    stems = tuple(vocabulary["trouble_names"])
    for negation in _JOINED:
        rest = part.removeprefix(negation)
        if rest != part and rest.startswith(stems) and not (negation == "un" and rest.startswith(_OTHERWISE)):
            return [negation, rest]
    rest = part.removesuffix("free")
    return [rest, "free"] if rest not in ("", part) and rest.startswith(stems) else [part]


def _is_trouble(path: str, part: str, vocabulary: Vocabulary) -> bool:
    remarks = vocabulary.remarks
    # That there is no report may be bad news.
    return _has_stem(path, part, vocabulary) or part in remarks.troubles - remarks.subjects - {"report"}


def _has_stem(path: str, part: str, vocabulary: Vocabulary) -> bool:
    return vocabulary.has_stem([part], "trouble_names") or (
        path.startswith("screening.") and vocabulary.has_stem([part], "trouble_names_of_screening")
    )
