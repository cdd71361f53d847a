"""What a name and its value claim together: that a search found nothing, that something is fine, that what every capture shows is there; and free text that says that all is well: every word is known, and it says nothing else."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any

from kycpack.frames.answer_members import SECTIONS
from kycpack.triage.results.data_leaves import is_impossible
from kycpack.triage.results.further_people import is_of_second_one
from kycpack.triage.results.negated_names import turns_good_round
from kycpack.triage.results.plain_claims import (
    affirms_well,
    denies_trouble,
    is_alone,
    is_done,
    is_fresh,
    is_long_known,
    is_low_risk,
    is_near,
    is_share,
    is_sure,
    is_whole,
    is_whole_match,
)
from kycpack.triage.results.trouble_words import (
    in_trouble_group,
    is_good_to_miss,
    is_plural_of_trouble,
    looks_for_trouble,
    names_no_list,
    speaks_of_trouble,
    turns_meaning,
)
from kycpack.triage.results.vocabulary import (
    RemarkWords,
    Vocabulary,
    group_words,
    name_words,
    names_finding,
    own_words,
    plain_word,
    text_words,
    words_of,
)

_CLAUSES = re.compile(r"[.,;:!\n()]+|\s[-\u2013\u2014]+\s|\band (?=no\b)|\bwith (?=no\b)")
_SAME_COUNT = re.compile(r"\b(\d+)\s*(?:of|/|out of)\s*\1\b")
_TOKENS = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+|[^\w\s'\"-]")
_ENUMERATED = re.compile(
    r"\b(?:no|without|nor)\b(?! (?:issue|concern|problem|remark|finding|doubt|objection))[^.,;:!\n]*(?:, [^.,;:!\n]*)+\b(?:or|nor)\b"
)
_LONGEST = 600
_WORDS = words_of("claims")
_WELL, _NOTHING, _MORE = "well", "nothing", "more"
_VERDICTS = (["verdict"], ["result"], ["outcome"], ["conclusion"])


def is_shown(own: Collection[str], around: Collection[str], value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a member says that what every capture should show is there, as in `documentFrontFullyVisible`.

    Args:
        own: The words of the name.
        around: The words of the groups around it.
        value: Its value; only true says so.
        vocabulary: Its words for pictures.
    """
    said = {*own}
    return (
        value is True
        and not said.isdisjoint(_WORDS["shown"])
        and not said.isdisjoint(_WORDS["as_shown"])
        and said <= _WORDS["shown"] | _WORDS["as_shown"] | _WORDS["how_shown"]
        # A picture of a picture is a copy.
        and sum(part in vocabulary["picture_words"] for part in own) <= 1
        and {*around} <= _WORDS["shown"] | _WORDS["around_shown"]
    )


def gives_consent(own: Sequence[str], value: Any) -> bool:
    """Return whether a member says that the customer gave a usual consent, as in `biometricConsent`."""
    return value is True and own[-1:] == ["consent"] and {*own[:-1]} <= _WORDS["consented"]


def says_none_found(path: str, parts: list[str], value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf says that a search for trouble found none: by a word for it, or by a count of 0."""
    if turns_meaning(path, vocabulary):
        return False
    if isinstance(value, str):
        return plain_word(value) in vocabulary["nothing_listed"] and is_good_to_miss(path, vocabulary)
    counted = [part for part in parts if part not in vocabulary["count_words"]]
    if parts and not counted:
        counted = group_words(path)
    return (
        (isinstance(value, Decimal) and value == 0)
        and bool(counted)
        and all(
            vocabulary.has_stem([part], "trouble_names")
            or part in vocabulary["trouble_names_of_screening"]
            or is_plural_of_trouble(part, vocabulary)
            or (part == "results" and path.startswith("screening."))
            for part in counted
        )
        # No hit of a search that may as well look for what should be there, as in `companySearch.hits`, is no good news.
        and (not all(map(names_finding, counted)) or is_good_to_miss(path, vocabulary))
    )


def is_plainly_fine(path: str, parts: list[str], value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a name is only about trouble and the value denies it, or only about something good and the value affirms it."""
    if turns_meaning(path, vocabulary):
        return False
    steps = [name_words(step) for step in path.split(".")]
    said = plain_word(value) if isinstance(value, str) else None
    if said in vocabulary["well_values"]:
        return not any(vocabulary.has_stem(step, "trouble_names") for step in steps)
    telling = {*parts} - vocabulary["plain_words"]
    if value is True:
        matching = telling & vocabulary["matching_words"]
        return (
            bool(telling)
            and telling - matching <= vocabulary["good_words"] | vocabulary["feature_words"]
            # That a face is present says nothing of whose it is.
            and not telling.isdisjoint(vocabulary["good_words"] | matching | vocabulary["security_features"])
            and not is_of_second_one(parts)
            and (not matching or {*parts} - matching <= vocabulary.compared_words)
            and not any(vocabulary.has_stem(step, "trouble_names") for step in steps[:-1])
            and not looks_for_trouble(path, vocabulary)
        )
    if said in vocabulary["nothing_found"]:
        said_of = (
            vocabulary["good_words"]
            | vocabulary["done_words"]
            | vocabulary["check_words"]
            | vocabulary["matching_words"]
        )
        of_check = (
            said_of.isdisjoint(telling) or telling <= vocabulary["check_words"] | vocabulary["data_words"]
        )
        telling -= vocabulary["check_words"]
        if of_check and any(vocabulary.has_stem([part], "trouble_names") for part in telling):
            return True
    elif value is not False:
        return False
    return (
        bool(telling)
        and all(
            vocabulary.has_stem([part], "trouble_names") and part not in vocabulary["good_words"]
            for part in telling
        )
        and (not all(map(names_finding, telling)) or is_good_to_miss(path, vocabulary))
    )


def is_well_said(path: str, parts: list[str], value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a text says that all is well, under a name that does not reverse its meaning."""
    if (
        not isinstance(value, str)
        or turns_meaning(path, vocabulary)
        or vocabulary.has_stem(parts, "trouble_names")
        or in_trouble_group(path, vocabulary)
    ):
        return False
    of_search = looks_for_trouble(path, vocabulary)
    # A bare `confirmed` is good only under a name for which that is known.
    if plain_word(value) in vocabulary.remarks.matching and (
        of_search
        or not vocabulary.compared_words.issuperset(parts)
        or not _WORDS["matched_in_lists"].isdisjoint(parts)
    ):
        return False
    return _says_all_is_well(value, vocabulary.remarks, of_search=of_search)


def is_good_verdict(path: str, own: list[str], value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether the verdict of a check for trouble says that what was checked is genuine, as in `spoofVerdict: genuine live capture`."""
    said = {*text_words(value)} if isinstance(value, str) else set()
    remarks, rest = vocabulary.remarks, own[:-1]
    return (
        not path.startswith("screening.")
        and own[-1:] in _VERDICTS
        and bool(rest)
        and all(vocabulary.has_stem([part], "trouble_names") for part in rest)
        and not said.isdisjoint(_WORDS["genuine"])
        and said <= _WORDS["genuine"] | remarks.subjects | remarks.good - remarks.matching
        and not turns_meaning(path, vocabulary)
    )


def claims_well(path: str, own: list[str], value: Any, vocabulary: Vocabulary) -> bool:  # noqa: C901, PLR0911 - one return for each kind of claim
    """Return whether a name and its value say in plain words that a check was made or passed, or that there is no trouble."""
    last = group_words(path)
    if not own or not (vocabulary["turning_words"] - _WORDS["denied_plainly"]).isdisjoint(name_words(path)):
        return False
    if value is True and any(turns_good_round(name_words(step), vocabulary) for step in path.split(".")):
        return False
    of_search = looks_for_trouble(path, vocabulary)
    around = [
        part
        for step in path.split(".")[:-1]
        if step not in SECTIONS
        for part in own_words(step)
        if len(part) > 1
    ]
    if path.startswith("address."):
        around.append("address")
    # In `injectionAttack.detected` the group says what was detected.
    of_group = {*own} <= _WORDS["of_finding"] or (
        bool(last) and {*last} <= vocabulary["denied_words"] - vocabulary["turning_words"]
    )
    whole = [*last, *own] if of_group else own
    to_miss = is_good_to_miss(path, vocabulary)
    if any(denies_trouble(name, around, value, vocabulary, to_miss=to_miss) for name in (own, whole)):
        return True
    if is_low_risk(own, name_words(path), value, vocabulary):
        return True
    if speaks_of_trouble(path, own, vocabulary):
        return False
    if not of_search and (
        is_whole(own, value, vocabulary)
        or is_alone(own, value)
        or is_shown(own, around, value, vocabulary)
        or gives_consent(own, value)
    ):
        return True
    if value is True:
        if is_of_second_one(own):
            return False
        if not _WORDS["consents"].isdisjoint(last):
            known = (
                vocabulary["data_words"]
                | vocabulary["data_names"]
                | vocabulary["done_words"]
                | vocabulary["good_words"]
            )
            return {*own} <= (known | _WORDS["consented"]) - vocabulary["denied_words"]
        # It is good if an address is in such a register.
        of_search = of_search and vocabulary["good_registers"].isdisjoint(around)
        return affirms_well(own, around, last, vocabulary, of_search=of_search)
    searched = vocabulary["searched_words"]
    if (
        of_search
        and (not searched.isdisjoint(own) or (bool(last) and searched.issuperset(last)))
        and {*own} <= searched | vocabulary["data_names_of_sources"] | {"articles"}
    ):
        if isinstance(value, str):
            return vocabulary.may_name_check(value, of_register=True) and not names_no_list(value, vocabulary)
        return isinstance(value, Decimal) and value > 0 and not is_impossible(path, own, value, vocabulary)
    return (
        (of_search and is_done(own, value, vocabulary))
        or is_near(own, value)
        or is_sure(own, value, vocabulary)
        or is_fresh(path, own, value)
        or is_long_known(
            own,
            last if path.count(".") > 1 or path.partition(".")[0] not in SECTIONS else [],
            value,
            vocabulary,
        )
        or (not of_search and is_whole_match(own, around, value, vocabulary))
        or is_share(path, own, value)
    )


@lru_cache(maxsize=4_096)
def _says_all_is_well(text: str, words: RemarkWords, *, of_search: bool) -> bool:
    """Return whether a text says that something is fine and nothing else; False if it has an unknown word.

    Args:
        text: What a person or a machine wrote.
        words: The known words.
        of_search: Whether it is about a search of lists, where a match is trouble.
    """
    if len(text) > _LONGEST:
        return False
    said = {
        _said(clause, words, of_search=of_search)
        for clause in _clauses(_SAME_COUNT.sub("all", text.casefold().replace("\u2019", "'")))
    }
    return _WELL in said and _MORE not in said


def _clauses(text: str) -> Iterator[list[str]]:
    """Yield the clauses of a text, each as its words: `no tampering, forgery or replay` is one."""
    for part in _CLAUSES.split(_ENUMERATED.sub(lambda found: found.group().replace(",", " or"), text)):
        if tokens := _TOKENS.findall(part):
            yield tokens


def _said(tokens: list[str], words: RemarkWords, *, of_search: bool) -> str:
    """Return what a clause says: that something is fine, nothing, or something else."""
    denied = next((place for place, token in enumerate(tokens) if token in words.negatives), None)
    if denied is not None:
        before, after = tokens[:denied], tokens[denied:]
        # `Face no match` denies what is good, and `sanctions no fraud` may be about somebody on a list.
        known = words.neutral | (_WORDS["listed"] | _WORDS["searches"] if of_search else words.subjects)
        # What is good may come before, as in `all checks completed without findings`.
        known |= frozenset() if of_search else words.good
        is_known = {*before} <= known and not (before and of_search and words.entries.isdisjoint(after))
        well = is_known and _is_denial(after, words, of_search=of_search)
        return _WELL if well else _MORE
    good = words.good - words.matching if of_search else words.good
    if of_search and not _WORDS["listed"].isdisjoint(tokens) and _WORDS["searches"].isdisjoint(tokens):
        return _MORE
    if not {*tokens} <= words.subjects | words.neutral | words.found | good:
        return _MORE
    if "same" in tokens and not of_search and not _WORDS["who"].isdisjoint(tokens):
        return _WELL
    # A date that has passed is over, but a check that has passed is fine.
    if "passed" in tokens and not _WORDS["ends"].isdisjoint(tokens):
        return _MORE
    return _NOTHING if good.isdisjoint(tokens) else _WELL


def _is_denial(tokens: list[str], words: RemarkWords, *, of_search: bool) -> bool:
    """Return whether a clause denies some trouble, as in `no signs of tampering on the document`."""
    troubles = words.troubles | words.entries if of_search else words.troubles
    said = next((place for place, token in enumerate(tokens[1:], 1) if token not in words.signs), len(tokens))
    rest = tokens[said:]
    known = troubles | words.subjects | words.neutral | words.found | words.signs
    named = bool(rest) and rest[0] in troubles
    if tokens[0] in {"nothing", "none"} and 0 < len(tokens) - 1 <= len({*tokens} & _WORDS["to_add"]):
        return True
    # `Nothing found` is good only for a search of lists: elsewhere something was expected.
    found = of_search and tokens[0] in {"nothing", "none"} and rest[:1] != [] and rest[0] in words.found
    # As in `nothing about this person`.
    of_person = (
        of_search
        and tokens[0] in {"nothing", "none", "nobody"}
        and tokens[1:2]
        and tokens[1] in _WORDS["about"]
    )
    if of_person and {*tokens[2:]} <= words.subjects | words.neutral and len(tokens) > 2:
        return True
    return (named or found) and {*rest} <= known
