"""Members that say in known words that something is fine: a check was made or passed, or there is no trouble."""

from __future__ import annotations

import re
from collections.abc import Collection
from decimal import Decimal
from typing import Any

from kycpack.triage.results.leaf_details import READINGS
from kycpack.triage.results.vocabulary import Vocabulary, names_finding, own_words, plain_word, words_of

_WORDS = words_of("plain_claims")
_ALMOST = Decimal("0.95")
_A_LITTLE = 20
_NEAR_KM = 50
_YEAR = {"years": 1, "months": 12, "days": 365}
_QUARTER = {"days": 92, "weeks": 13, "months": 3}
_OF_RISK = _WORDS["risks"] | _WORDS["risk_levels"]
_SAME_COUNT = re.compile(r"([1-9][0-9]*)(?:of|/|outof)\1")
_ALL = re.compile(r"100(?:\.0+)? ?%")
_SHARE = re.compile(r"0(?:\.0+)? ?(?:-|\u2013|to) ?1(?:\.0+)?")


def affirms_well(  # noqa: PLR0911 - one return for each kind of claim
    own: Collection[str],
    around: Collection[str],
    last: Collection[str],
    vocabulary: Vocabulary,
    *,
    of_search: bool,
) -> bool:
    """Return whether a name with the value true says that a check was made or that something is fine.

    Args:
        own: The words of the name.
        around: The words of the groups around it; with an unknown word the answer is False.
        last: The words of the nearest group.
        vocabulary: Its lists of words.
        of_search: Whether it is about a search for trouble, for which only `done` is good.
    """
    remarks = vocabulary.remarks
    said = {*own}
    done = said & vocabulary["done_words"]
    things = vocabulary["plain_words"] | vocabulary.compared_words | vocabulary["picture_measures"]
    if not vocabulary["good_registers"].isdisjoint(around) and said <= _WORDS["in_register"]:
        return bool(said)
    known = things.union(
        *(
            vocabulary[name]
            for name in (
                "group_words",
                "data_words",
                "data_names",
                "connection_words",
                "done_words",
                "good_words",
                "asserting_groups",
            )
        )
    )
    if not {*around} <= known | vocabulary["searches_for_trouble"]:
        return False
    if (
        not vocabulary["asserting_groups"].isdisjoint(last)
        and {*last} - _WORDS["what_is_compared"] - READINGS <= vocabulary["asserting_groups"]
        and said <= things
        and said.isdisjoint(vocabulary["denied_words"] | vocabulary["trouble_values"])
    ):
        return True
    if said <= vocabulary["done_words"] | {"requested", "enabled"} and not vocabulary[
        "ongoing_words"
    ].isdisjoint(around):
        return True
    if of_search and said <= {"passed", "pass"}:
        return bool(said)
    if of_search:
        return (
            bool(done) and said <= vocabulary["done_words"] | vocabulary["check_words"] | _WORDS["of_search"]
        )
    # The day of expiry has passed, while a check of it was.
    if said & {"passed", "pass"} and said & _WORDS["ends"] and said.isdisjoint(vocabulary["check_words"]):
        return False
    if len(said) == 1 and said <= vocabulary["done_alone"]:
        return True
    matching = said & vocabulary["matching_words"]
    good = said & (vocabulary["good_words"] | vocabulary["more_good"] | remarks.good)
    if not matching and not said.isdisjoint(_WORDS["seen"]):
        # That both faces are there is bad news, and that both agree is not.
        good -= {"both"}
    rest = said - done - good - matching
    return (
        bool(done or good or matching)
        and rest <= (things | vocabulary["acts_of_person"] if {"passed"} <= said else things)
        and rest.isdisjoint(remarks.troubles - remarks.subjects)
        and rest.isdisjoint(vocabulary["denied_words"] if not matching else ())
    )


def denies_trouble(
    own: Collection[str],
    around: Collection[str],
    value: Any,
    vocabulary: Vocabulary,
    *,
    to_miss: bool,
) -> bool:
    """Return whether a value denies the trouble that a name is about, and the name is about nothing else.

    Args:
        own: The words of the name.
        around: The words of the groups around it.
        value: False, a number of 0, or a word for nothing.
        vocabulary: Its lists of words.
        to_miss: Whether it is about a search for trouble, so that finding nothing is good.
    """
    # Of a search for trouble a single letter may say that it was not made.
    if not _is_nothing(value) or (to_miss and isinstance(value, str) and plain_word(value) == "n"):
        return False
    remarks = vocabulary.remarks
    said = {*own}
    if isinstance(value, Decimal) and said & _WORDS["fired"] and said <= _WORDS["fired"] | _WORDS["rules"]:
        return True
    # How many lists there were is no number of matches in them.
    of_lists = isinstance(value, Decimal) and "list" in said
    of_matches = not said.isdisjoint(vocabulary["trouble_names_of_screening"] | {"hit"})
    if (
        to_miss
        and said
        and said <= vocabulary["found_words"]
        and vocabulary["good_to_find"].isdisjoint(around)
        and (of_matches or not of_lists)
    ):
        return True
    denied = said & vocabulary["denied_words"]
    if {*said, *around}.isdisjoint(vocabulary["turning_words"] | vocabulary["good_words"]):
        stems = tuple(vocabulary["trouble_names"])
        denied |= {part for part in said if part.startswith(stems) and (to_miss or not names_finding(part))}
    rest = said - denied - vocabulary["plain_words"] - vocabulary["beside_denied"]
    # The kind of attack is none, and the number of attacks is 0.
    counted = (
        vocabulary["count_words"] | vocabulary["counted_things"]
        if isinstance(value, Decimal)
        else _WORDS["kinds"]
    )
    return (
        bool(denied)
        and rest <= remarks.subjects | remarks.troubles | counted
        and rest.isdisjoint(vocabulary["good_words"] | vocabulary["done_words"] | vocabulary["check_words"])
        and (rest.isdisjoint(vocabulary["score_words"]) or not isinstance(value, Decimal))
    )


def is_alone(own: Collection[str], value: Any) -> bool:
    """Return whether a member says that there is one person and no other, as in `singleFaceInView` or `faces: 1`."""
    said = {*own}
    if isinstance(value, Decimal):
        return value == 1 and bool(said) and said <= _WORDS["seen"]
    return (
        value is True
        and not said.isdisjoint(_WORDS["one"])
        and not said.isdisjoint(_WORDS["who"])
        and said <= _WORDS["one"] | _WORDS["who"] | _WORDS["in_view"]
    )


def is_fresh(path: str, own: Collection[str], value: Any) -> bool:
    """Return whether a number says that a proof of address is at most three months old, as in `billAgeDays`."""
    unit = next((unit for unit in _QUARTER if unit in own), "")
    return (
        path.startswith("address.")
        and isinstance(value, Decimal)
        and bool(unit)
        and "age" in own
        and {*own} - {unit, "age", "in", "of"} <= _WORDS["proofs"]
        and 0 <= value <= _QUARTER[unit]
        and value == value.to_integral_value()
    )


def is_done(own: Collection[str], value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a member below a search says that it was made, as in `familyAndCloseAssociates: searched`."""
    known = (
        vocabulary["done_words"]
        | vocabulary["check_words"]
        | vocabulary["data_names_of_sources"]
        | vocabulary.remarks.entries
        | _WORDS["of_lists"]
    )
    return isinstance(value, str) and value.strip().casefold() in _WORDS["done"] and {*own} <= known


def is_near(own: Collection[str], value: Any) -> bool:
    """Return whether a number is a short distance in kilometres or metres, or a slight turn of the head in degrees."""
    if isinstance(value, Decimal) and {*own} <= _WORDS["turned"]:
        return abs(value) <= _A_LITTLE
    if not isinstance(value, Decimal) or {"distance", "proximity"}.isdisjoint(own):
        return False
    per_km = 1 if "km" in own else 0 if _WORDS["metres"].isdisjoint(own) else 1_000
    return 0 <= value <= _NEAR_KM * per_km and per_km > 0


def is_sure(own: Collection[str], value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a number is a probability of at least 19 in 20 of something good, as in `humanLikelihood`."""
    said = {*own} - _WORDS["probabilities"]
    return (
        isinstance(value, Decimal)
        and _ALMOST <= value <= 1
        and said != {*own}
        and bool(said)
        and said <= vocabulary["good_words"] | vocabulary["more_good"] | {"real", "person"}
    )


def is_long_known(own: Collection[str], last: Collection[str], value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a number says that something has existed for at least a year, as in `domainAgeYears`."""
    known = vocabulary["long_known_words"]
    unit = next((unit for unit in _YEAR if unit in own), "")
    return (
        isinstance(value, Decimal)
        and bool(unit)
        and {*own} - {unit} <= known
        and bool(({*own} | ({*last} & known)) - {unit, "age", "number", "for", "known", "history", "file"})
        and value >= _YEAR[unit]
    )


def is_whole_match(own: Collection[str], around: Collection[str], value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a comparison reports full agreement, as in `nameMatch: full`; a match alone is one only of an address."""
    things = vocabulary["compared_words"] | vocabulary["plain_words"] | vocabulary.remarks.subjects
    matching = {*own} & vocabulary["matching_words"]
    rest = {*own} - matching - _WORDS["grades"]
    if not rest.isdisjoint(_WORDS["lists"]):
        return False
    said = "".join(value.split()).casefold() if isinstance(value, str) else ""
    is_whole = said in _WORDS["whole"] or _SAME_COUNT.fullmatch(said) is not None
    return is_whole and bool(matching) and rest <= things and (bool(rest) or "address" in around)


def is_whole(own: Collection[str], value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a text says that all of something is there or to be seen, as in `completeness: 100%`."""
    good = vocabulary["picture_measures"] & vocabulary["better_if_high"] | {
        "complete",
        "coverage",
    }
    return (
        isinstance(value, str)
        and _ALL.fullmatch(value.strip()) is not None
        and not good.isdisjoint(own)
        and good.issuperset(own)
    )


def is_low_risk(own: Collection[str], path: Collection[str], value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a level of risk is low, also of a risk that is named, as in `fraudRisk: low`."""
    said = "".join(value.split()).casefold() if isinstance(value, str) else ""
    rest = [part for part in own if part not in _OF_RISK]
    return (
        said in _WORDS["low"]
        and not _WORDS["risks"].isdisjoint(path)
        and (not rest or not _WORDS["risks"].isdisjoint(own))
        and all(
            vocabulary.has_stem([part], "trouble_names") or part in _WORDS["named_risks"] for part in rest
        )
    )


def is_share(path: str, own: Collection[str], value: Any) -> bool:
    """Return whether a text says that the scores of the section are shares, like the service's own."""
    return (
        path.startswith("identity.")
        and "scale" in own
        and {*own} <= {"score", "scores", "scale"}
        and isinstance(value, str)
        and _SHARE.fullmatch(value.strip()) is not None
    )


def _is_nothing(value: Any) -> bool:
    if isinstance(value, str):
        return plain_word(value) in _WORDS["nothing"]
    return value is False or (isinstance(value, Decimal) and value == 0)


def may_be_over(path: str, value: Any) -> bool:
    """Return whether a text may say that a day has passed, as in `expiry: passed`, and not that the check of it was."""
    own = own_words(path)
    return (
        isinstance(value, str)
        and plain_word(value) in {"passed", "pass"}
        and bool(own)
        and {*own} <= _WORDS["ends"]
    )
