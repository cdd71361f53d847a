"""How the values of a results document are read: which leaves are listed, and what an unlisted one says."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import dropwhile
from typing import Any

from kycpack.frames.answer_members import SECTIONS
from kycpack.frames.json_leaves import leaves
from kycpack.triage.case_file import NESTED, Nested, Observation, Unreadable
from kycpack.triage.leaf_names import WORDS_OF_NAME, name_words, steps_of
from kycpack.triage.levels import CLEAR, HIT, UNKNOWN
from kycpack.triage.machine_readable import lines_of
from kycpack.triage.paths import matches
from kycpack.triage.plain_claims import (
    affirms_well,
    denies_trouble,
    is_done,
    is_long_known,
    is_low_risk,
    is_near,
    is_whole_match,
)
from kycpack.triage.remarks import RemarkWords, says_all_is_well

DATA = "DATA"
"""What an unlisted leaf is that tells something and judges nothing."""

_TEXT_WORDS = re.compile(r"[^\W\d_]+")
_PLAIN = re.compile(r"[\s_\-]+")
_LANGUAGE = re.compile(r"[a-z]{2}(?:[-_][A-Za-z]{2})?")
_BY_LANGUAGE = (["labels"], ["label"], ["translations"], ["translation"], ["names"])
_BY_PART = frozenset({"versions"})
_BY_VALUE = frozenset({"value", "text", "raw"})
_OF_FINDING = frozenset({"detected", "found", "present", "suspected", "used", "confirmed", "instrument"})
_WHOSE = frozenset({"customer", "applicant", "session", "user", "account", "person", "subject"})
_GRAVITY = (CLEAR, DATA, UNKNOWN, HIT)
_SHARE = re.compile(r"0(?:\.0+)? ?(?:-|\u2013|to) ?1(?:\.0+)?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ].*)?")
_LONG_STEM = 5
_LONGEST_CODE = 3
_LONGEST_NAME = 8
_LONGEST_ANSWER = 4_000
_COMPARED = frozenset({"full_name", "given_name", "family_name", "full_address", "ip_country", "ip_city"})
_OF_CONNECTION = {
    "country": "ip_country",
    "countrycode": "ip_country",
    "countryname": "ip_country",
    "countryiso": "ip_country",
    "city": "ip_city",
    "town": "ip_city",
}
_YES = frozenset({"yes", "y", "true", "1", "match", "matched", "confirmed", "matchconfirmed", "found"})


@dataclass(frozen=True, slots=True)
class Kind:
    """What a kind of check may say: plain words, booleans and numbers that are fine, and those that are trouble."""

    name: str
    fine: frozenset[Any]
    trouble: frozenset[Any]


# What is remembered of names and paths is found by which vocabulary it is, and not by all that stands in it.
@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """The vocabulary of results documents, read from its file.

    Attributes:
        version: Its version.
        digest: SHA-256 of the file's bytes.
        kinds: By name.
        check_kinds: Patterns of the listed leaves that judge, each with its kind.
        values: Patterns of the listed leaves that hold a value.
        words: The other lists of the file by name, plain words.
        forms: What the value of a name that only tells something looks like: a form, by the last word of the name.
        fine_names: Plain names, each with its values that are fine.
        details: Plain names of what tells of the person or the document, each with the detail that it is.
        moments: Plain names of what says when something was, each with what was: `issued`, `started`, `ended`, `happened` or `recorded`.
        axes: Plain names of coordinates, each with its axis: `latitude` or `longitude`.
        captures: Plain names of what is captured, each with which capture it is, as `selfie`.
        remarks: The words of free text that says that all is well.
    """

    version: str
    digest: str
    kinds: Mapping[str, Kind]
    check_kinds: tuple[tuple[str, str], ...]
    values: tuple[str, ...]
    words: Mapping[str, tuple[str, ...]]
    forms: Mapping[str, str]
    fine_names: Mapping[str, frozenset[Any]]
    details: Mapping[str, str]
    moments: Mapping[str, str]
    axes: Mapping[str, str]
    captures: Mapping[str, str]
    remarks: RemarkWords

    def judge(self, kind: str, value: Any) -> tuple[str, bool]:
        """Judge the value of a listed check.

        Args:
            kind: `match` or `check`.
            value: A word, a boolean or a number.

        Returns:
            HIT, CLEAR or UNKNOWN, and whether the value was understood.
        """
        said = self.kinds[kind]
        if isinstance(value, Decimal):
            if kind == "match" and value > 0:
                return HIT, True
            return (CLEAR, True) if value_key(value) in said.fine else (UNKNOWN, False)
        key = value_key(value)
        if key in said.trouble:
            return HIT, True
        return (CLEAR, True) if key in said.fine else (UNKNOWN, False)

    def kind_of(self, path: str) -> str:
        """Return the kind of a listed check by its path; empty for any other leaf."""
        return _kind_of(self, path)

    def is_listed(self, path: str) -> bool:
        """Tell whether a policy's rules judge a leaf by its path."""
        return _is_listed(self, path)

    def detail_of(self, path: str) -> str:
        """Return which detail of the person or the document an unlisted leaf gives again, as in `born_on`; empty for none."""
        return _detail_of(self, path)

    def is_of_person(self, path: str) -> bool:
        """Tell whether an unlisted leaf may tell of the person, and not of somebody or something else that its path names."""
        return _is_of_person(self, path)

    def moment_of(self, path: str) -> str:
        """Return of what an unlisted leaf says when it was: `issued`, `started`, `ended`, `happened` or `recorded`; empty for none."""
        return _moment_of(self, path)

    def dates_list(self, path: str) -> bool:
        """Tell whether an unlisted leaf below screening says of which day the lists are that were searched."""
        return _dates_list(self, path)

    def axis_of(self, path: str) -> str:
        """Return which coordinate an unlisted leaf is, `latitude` or `longitude`; empty for none."""
        return _axis_of(self, path)

    def is_reading(self, path: str) -> bool:
        """Tell whether a leaf lies in another reading of the identity document, as in its chip, and not in another document."""
        groups = ["".join(name_words(step)) for step in steps_of(path)[0]]
        return groups[:1] in ([], ["document"]) and {*groups} <= {*self.words["detail_groups"]}

    def is_placeholder(self, text: str) -> bool:
        """Tell whether a text only fills a place, as `n/a` does."""
        said = " ".join(text.split()).casefold()
        return said in self.words["placeholders"] or not any(map(str.isalnum, said))

    def read(self, seen: Observation) -> str:  # noqa: C901, PLR0911 - one return for each line of the file's table
        """Return what an unlisted leaf says: HIT, CLEAR, UNKNOWN or `DATA`."""
        if isinstance(seen.value, str) and (inner := _inner_leaves(seen.path, seen.value)):
            # A detail in it would be compared with nothing.
            known = not any(self.detail_of(one.path) for one in inner)
            return max([*map(self.read, inner), CLEAR if known else UNKNOWN], key=_GRAVITY.index)
        section, name, value = seen.path.partition(".")[0], _name_of(seen.path), seen.value
        parts = name_words(name)
        plain = "".join(parts)
        screening = section == "screening"
        troubled = self._says(
            [part for part in parts if part not in self.words["good_words"]], "trouble_names"
        )
        matched = screening and any(self._is_match(step) for step in seen.path.split(".")[1:])
        told = self._is_data(seen.path, parts, value, screening=screening) or self._is_detail(
            seen.path, value
        )
        if self._denies_trouble(seen.path, parts, value) or self._is_feature_seen(parts, value):
            return CLEAR
        if isinstance(value, str) and not (told and self._names_somebody(seen.path)):
            said = plain_word(value)
            if said in self.words["trouble_values"] or (screening and said in self.kinds["match"].trouble):
                return HIT
            if said in self.words["fine_values"] and not matched:
                return CLEAR
            told = told and not self._says([*map(str.casefold, _TEXT_WORDS.findall(value))], "trouble_names")
        around = any(self._is_trouble_group(step) for step in seen.path.split(".")[:-1])
        within = "".join(part for step in steps_of(seen.path)[0][-1:] for part in name_words(step))
        if not around and any(
            value_key(value) in self.fine_names.get(one, ()) for one in (plain, within + plain)
        ):
            return CLEAR
        if isinstance(value, Nested):
            return DATA
        # What a score of risk says depends on what it is held against.
        is_score = not screening and isinstance(value, Decimal) and self._is_score_of_risk(parts)
        if (troubled and _affirms(value) and not is_score) or (matched and not _denies(value)):
            return HIT
        if value is False and self._says(parts, "good_names"):
            return HIT
        if (
            (not screening and self._is_plainly_fine(seen.path, parts, value))
            or self._is_well_said(seen.path, parts, value)
            or self._claims_well(seen.path, parts, value)
        ):
            return CLEAR
        if told or (value in (None, "") and not (troubled or screening)):
            return DATA
        return UNKNOWN

    def may_name_check(self, text: str, *, of_register: bool = False) -> bool:
        """Tell whether a text may be the name of a check, and holds no word of a verdict; a register may be named for what it lists."""
        said = [word.casefold() for word in _TEXT_WORDS.findall(text)]
        wrong = {*self.words["verdict_words"], *self.words["trouble_values"]}
        if of_register:
            wrong -= {*self.words["register_topics"]}
        return len(said) <= _LONGEST_NAME and wrong.isdisjoint(said)

    def is_better_if_high(self, path: str) -> bool:
        """Tell whether a score is the better the higher it is, by the words of its path."""
        steps = [name_words(step) for step in path.split(".")[1:]] or [name_words(path)]
        around = {part for step in steps for part in step}
        return (
            not path.startswith("screening.")
            and not self._turns(path)
            and around.isdisjoint(self.words["better_if_low"])
            and not any(self._says(step, "trouble_names") for step in steps)
            and not around.isdisjoint({*self.words["better_if_high"]} | self.remarks.subjects)
        )

    def is_better_if_low(self, path: str) -> bool:
        """Tell whether a score is the better the lower it is, by the words of its path: one of trouble, or of an age."""
        around = {part for step in path.split(".") if step not in SECTIONS for part in name_words(step)}
        return not path.startswith("screening.") and (
            not around.isdisjoint({*self.words["better_if_low"], *self.words["denied_words"], "age"})
            or any(self._says(name_words(step), "trouble_names") for step in path.split("."))
        )

    def is_feature(self, text: str) -> bool:
        """Tell whether a text names a feature that protects a document."""
        said = {word.casefold() for word in _TEXT_WORDS.findall(text)}
        features = said & {*self.words["security_features"]}
        known = {*self.words["feature_words"], *self.words["plain_words"]}
        return (
            bool(said) and said - features <= known and bool(features or "ink" in said or "feature" in said)
        )

    def may_read_as_forged(self, path: str) -> bool:
        """Tell whether a leaf can say that a document is forged: not one that is listed as data, unless its name says it."""
        is_data = self._in_data_group(path) and self.is_listed(path)
        return not is_data or _is_named_forgery(self, path)

    def reads_as_forged(self, seen: Observation) -> bool:
        """Tell whether a leaf says that a document is forged, stolen or altered."""
        stems = self.words["forgery"]
        if isinstance(seen.value, str):
            if self._in_data_group(seen.path) and self.is_listed(seen.path):
                return False
            said = plain_word(seen.value)
            if said.startswith(("not", "no", "un")):
                return False
            if any(said.startswith(stem) for stem in stems):
                return True
            if said not in self.words["trouble_values"] and not _affirms(seen.value):
                return False
        return _is_named_forgery(self, seen.path) and (isinstance(seen.value, str) or _affirms(seen.value))

    def _says(self, parts: list[str], words: str) -> bool:
        """Tell whether a name has a word that starts with one of some stems; a long stem may also stand inside."""
        return _has_stem(self, words, tuple(parts))

    def _is_match(self, step: str) -> bool:
        plain = "".join(WORDS_OF_NAME.findall(step)).casefold()
        return any(plain == word or plain.endswith(word) for word in self.words["trouble_names_of_screening"])

    def _names_somebody(self, path: str) -> bool:
        """Tell whether a leaf stands where a person or a place is named, of whom a word of trouble may be the name."""
        return self._in_data_group(path) and not path.startswith("document.document.")

    def _in_data_group(self, path: str) -> bool:
        return any(path.startswith(f"{group}.") for group in self.words["data_groups"])

    def _is_detail(self, path: str, value: Any) -> bool:
        """Tell whether a text gives a detail again that is always compared with the listed one; a name has no word of a verdict."""
        detail = self.detail_of(path) if isinstance(value, str) else ""
        if isinstance(value, str) and "<" in value and self.is_of_person(path) and lines_of(value):
            return True
        wrong = set() if detail == "full_address" else {*self.words["verdict_words"]}
        of_query = bool(detail) and path.startswith("screening.")
        return (detail in _COMPARED or of_query) and wrong.isdisjoint(
            map(str.casefold, _TEXT_WORDS.findall(value))
        )

    def _is_data(self, path: str, parts: list[str], value: Any, *, screening: bool) -> bool:
        """Tell whether a leaf only tells something: each word of its name is listed as telling, and no group around it is trouble."""
        parts = [part for part in parts if not part.isdigit()]
        if isinstance(value, bool | Nested | Unreadable) or not parts:
            return False
        names = {*self.words["data_names_of_screening" if screening else "data_names"]}
        if screening and self._is_searched(path):
            names |= {*self.words["data_names_of_sources"]}
        dated = isinstance(value, str) and _DATE.fullmatch(value) is not None
        telling = {*self.words["data_names"], *self.words["data_words"], *names}
        of_somebody = (
            parts[-1:] == ["id"]
            and not {*parts}.isdisjoint(_WHOSE)
            and any(step.isdigit() for step in path.split("."))
        )
        of_past = parts[-1] == "country" and not {
            part for step in path.split(".")[:-1] for part in name_words(step)
        }.isdisjoint(self.words["past_words"])
        of_place = parts[-2:] in (["of", "issue"], ["of", "origin"])
        return (
            (parts[-1] in names or dated or of_place)
            and not of_somebody
            and not of_past
            and (not screening or self._is_of_search(path, parts))
            and all(part in telling for part in parts)
            and self._has_form(path, parts, value)
            and not any(self._is_trouble_group(step) for step in path.split(".")[:-1])
        )

    def _has_form(self, path: str, parts: list[str], value: Any) -> bool:  # noqa: PLR0911 - one return for each form
        """Tell whether a value looks like what its name says: a date has digits, a type is one of those that are known."""
        form = self.forms.get(parts[-1], "")
        if not isinstance(value, str):
            return (
                value is None or form == "digits" or (parts[-1] in self.words["number_names"] and value > 0)
            )
        if not value.strip() or _DATE.fullmatch(value):
            return True
        words = [word.casefold() for word in _TEXT_WORDS.findall(value)]
        if form == "digits":
            return any(one.isdigit() for one in value)
        if form == "places":
            return "." in value or "/" in value
        if form == "codes":
            of_something = any(part in self.words["data_codes"] for part in parts[:-1])
            return of_something and max(map(len, words), default=0) <= _LONGEST_CODE
        if form == "words":
            return self._are_known(words)
        if parts[-1] == "name" and path.startswith("document.document."):
            return self._are_known(words)
        # A section's own `name` may be that of a finding.
        named = parts != ["name"] or path.count(".") > 1 or path.partition(".")[0] not in SECTIONS
        return self._in_data_group(path) or (named and not {*words} & {*self.words["verdict_words"]})

    def _are_known(self, words: list[str]) -> bool:
        known = self.words["data_texts"]
        return all(
            word in known or (len(word) <= _LONGEST_CODE and word.isascii()) for word in words
        ) and not {*words} & ({*self.words["verdict_words"], *self.words["trouble_values"]} - {*known})

    def _is_plainly_fine(self, path: str, parts: list[str], value: Any) -> bool:
        """Tell whether a name says nothing but trouble and the value denies it, or nothing but good and the value affirms it."""
        steps = [name_words(step) for step in path.split(".")]
        if any(part in self.words["turning_words"] for step in steps for part in step):
            return False
        if isinstance(value, str) and plain_word(value) in self.words["well_values"]:
            return not any(self._says(step, "trouble_names") for step in steps)
        telling = [part for part in parts if part not in self.words["plain_words"]]
        if value is True:
            around = path.split(".")[:-1]
            matching = {*telling} & {*self.words["matching_words"]}
            return (
                bool(telling)
                and {*telling} - matching <= {*self.words["good_words"], *self.words["feature_words"]}
                and (not matching or {*parts} - matching <= self._compared_words)
                and not any(self._says(name_words(step), "trouble_names") for step in around)
                and not self._looks_for_trouble(path)
            )
        nothing = isinstance(value, str) and plain_word(value) in self.words["nothing_found"]
        if nothing:
            telling = [part for part in telling if part not in self.words["check_words"]]
        return (
            (value is False or nothing)
            and bool(telling)
            and all(
                self._says([part], "trouble_names") and part not in self.words["good_words"]
                for part in telling
            )
        )

    def _is_score_of_risk(self, parts: list[str]) -> bool:
        return "risk" in parts and not {*parts}.isdisjoint(self.words["score_words"])

    def _claims_well(self, path: str, parts: list[str], value: Any) -> bool:  # noqa: PLR0911 - one return for each kind of claim
        """Tell whether a name and its value say in plain words that a check was done or passed, or that there is no trouble."""
        own = [part for part in parts if not part.isdigit()]
        last = name_words(next(reversed(steps_of(path)[0]), ""))
        turning = {*self.words["turning_words"]} - {"clear", "free", "no", "failed"}
        if not own or any(part in turning for step in path.split(".") for part in name_words(step)):
            return False
        of_search = self._looks_for_trouble(path)
        around = [
            part
            for step in path.split(".")[:-1]
            if step not in SECTIONS
            for part in name_words(step)
            if not part.isdigit()
        ]
        if path.startswith("address."):
            around.append("address")
        # Of `injectionAttack.detected` the group says of what.
        whole = [*last, *own] if {*own} <= _OF_FINDING else own
        if any(
            denies_trouble(name, around, value, self.words, self.remarks, of_search=of_search)
            for name in (own, whole)
        ):
            return True
        if is_low_risk(own, [part for step in path.split(".") for part in name_words(step)], value):
            return True
        if self._is_in_trouble(path, own):
            return False
        if value is True:
            # That an address is in such a register is well.
            of_search = of_search and {*around}.isdisjoint(self.words["good_registers"])
            return affirms_well(own, around, last, self.words, self.remarks, of_search=of_search)
        searched = {*self.words["searched_words"]}
        if (
            of_search
            and {*own} & searched
            and {*own} <= searched | {*self.words["data_names_of_sources"], "articles"}
        ):
            if isinstance(value, str):
                return self.may_name_check(value, of_register=True)
            return isinstance(value, Decimal) and value > 0
        return (
            (of_search and is_done(own, value, self.words, self.remarks))
            or is_near(own, value)
            or is_long_known(own, last, value, self.words)
            or (not of_search and is_whole_match(own, value, self.words, self.remarks))
            or self._is_share(path, own, value)
        )

    def _is_share(self, path: str, own: list[str], value: Any) -> bool:
        """Tell whether a text says that the scores of the section are shares, as the service's own are."""
        return (
            path.startswith("identity.")
            and "scale" in own
            and {*own} <= {"score", "scores", "scale"}
            and isinstance(value, str)
            and _SHARE.fullmatch(value.strip()) is not None
        )

    def _is_in_trouble(self, path: str, own: list[str]) -> bool:
        """Tell whether a name or a group around it speaks of trouble, and not of the search for it."""
        around = path.split(".")[:-1]
        if self._looks_for_trouble(path):
            return self._says(own, "trouble_names")
        return self._says(own, "trouble_names") or any(self._is_trouble_group(step) for step in around)

    def _turns(self, path: str) -> bool:
        """Tell whether a word anywhere in a path may turn the meaning round."""
        return any(
            part in self.words["turning_words"] for step in path.split(".") for part in name_words(step)
        )

    def _looks_for_trouble(self, path: str) -> bool:
        """Tell whether a leaf is about a search for trouble, of which it is well that nothing was found."""
        around = {part for step in path.split(".") for part in name_words(step)}
        return path.startswith("screening.") or not around.isdisjoint(self.words["searches_for_trouble"])

    def _denies_trouble(self, path: str, parts: list[str], value: Any) -> bool:
        """Tell whether a leaf says that a search for trouble found none: by a word for it, or by a number of nothing that is trouble."""
        if self._turns(path):
            return False
        if isinstance(value, str):
            return plain_word(value) in self.words["nothing_listed"] and self._looks_for_trouble(path)
        counted = [part for part in parts if part not in self.words["count_words"]]
        return (
            (isinstance(value, Decimal) and value == 0)
            and bool(counted)
            and all(
                self._says([part], "trouble_names") or part in self.words["trouble_names_of_screening"]
                for part in counted
            )
        )

    def _is_feature_seen(self, parts: list[str], value: Any) -> bool:
        """Tell whether a leaf says that a feature that protects a document is there."""
        features = {*parts} & {*self.words["security_features"]}
        return (
            bool(features)
            and {*parts} - features
            <= {*self.words["plain_words"], *self.words["feature_words"], *self.words["check_words"]}
            and (
                value is True or (isinstance(value, str) and plain_word(value) in self.words["feature_seen"])
            )
        )

    def _is_well_said(self, path: str, parts: list[str], value: Any) -> bool:
        """Tell whether a text says that all is well, under a name that turns nothing round."""
        if not isinstance(value, str) or self._turns(path) or self._says(parts, "trouble_names"):
            return False
        if any(self._is_trouble_group(step) for step in path.split(".")[:-1]):
            return False
        of_search = self._looks_for_trouble(path)
        # A mere `confirmed` says what is well only under a name of which that is known.
        if plain_word(value) in self.remarks.matching and (of_search or not {*parts} <= self._compared_words):
            return False
        return says_all_is_well(value, self.remarks, of_search=of_search)

    @property
    def _compared_words(self) -> frozenset[str]:
        return self.remarks.subjects | {*self.words["check_words"], *self.words["compared_words"]}

    def _is_of_search(self, path: str, parts: list[str]) -> bool:
        """Tell whether a leaf below screening is about the search and not about somebody it found, as the id in a list of people is."""
        groups = [step for step in path.split(".")[1:-1] if not step.isdigit()]
        searched = {*self.words["searched_words"]}
        return (
            all(
                plain_word(step) in self.words["data_groups_of_screening"] or searched & {*name_words(step)}
                for step in groups
            )
            and (not any(step.isdigit() for step in path.split(".")) or self._is_searched(path))
            and not any(part in self.words["trouble_names_of_screening"] for part in parts)
        )

    def _is_searched(self, path: str) -> bool:
        """Tell whether a leaf below screening is about what was searched, as in `sourcesSearched`."""
        around = [{*name_words(step)} for step in path.split(".")[1:]]
        searched, sources = {*self.words["searched_words"]}, {*self.words["data_names_of_sources"]}
        return any(searched & step and (sources & step or len(step) == 1) for step in around)

    def _is_trouble_group(self, step: str) -> bool:
        """Tell whether a group is named for trouble, as in `fraudReport`, and not for the check that looks for it, as in `fraudCheck`."""
        parts = name_words(step)
        return (
            bool(parts) and parts[-1] not in self.words["check_words"] and self._says(parts, "trouble_names")
        )


def _inner_leaves(path: str, text: str) -> list[Observation]:
    """Return the leaves of an object that a text holds as JSON, as a provider's raw answer; nothing for any other text."""
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


def _name_of(path: str) -> str:
    """Return a member's own name; of one that is named by a language, as in `labels.fr`, that of its group."""
    groups, name = steps_of(path)
    by_language = (
        bool(_LANGUAGE.fullmatch(name)) and bool(groups) and name_words(groups[-1])[-1:] in _BY_LANGUAGE
    )
    if groups and groups[-1] in _BY_PART:
        return groups[-1]
    by_value = name in _BY_VALUE and bool(groups) and groups[-1] not in SECTIONS
    return groups[-1] if by_language or by_value else name


@lru_cache(maxsize=65_536)
def _is_listed(vocabulary: Vocabulary, path: str) -> bool:
    return bool(_kind_of(vocabulary, path)) or any(
        matches(pattern, path) is not None for pattern in vocabulary.values
    )


@lru_cache(maxsize=65_536)
def _detail_of(vocabulary: Vocabulary, path: str) -> str:  # noqa: PLR0911 - one return for each kind of place
    around_it, own = steps_of(path)
    if own in _BY_VALUE and len(around_it) > 1:
        *around_it, own = around_it
    groups, name = [name_words(step) for step in around_it], name_words(own)
    if found := _of_connection(vocabulary, groups, name):
        return found
    if not _is_of_person(vocabulary, path):
        return ""
    if groups[:1] == [["screening"]] and "".join(name) in {"country", "countrycode", "countryofresidence"}:
        return "screened_country"
    if groups[:1] == [["address"]] and _ends_residence(vocabulary, groups[1:], name):
        return "lives_until"
    bare = list(dropwhile(vocabulary.words["detail_qualifiers"].__contains__, name))
    if bare == ["name"] and groups == [["document"], ["document"]]:
        # It is the document's own, as `Reisepass`.
        return ""
    if bare == ["name"] and (
        bare != name or (groups and "".join(groups[-1]) in vocabulary.words["detail_groups"])
    ):
        return "full_name"
    names = ([*(part for step in groups[-1:] for part in step), *name], name, bare)
    detail = next((one for each in names if (one := vocabulary.details.get("".join(each)))), "")
    around = {part for step in (*groups, name) for part in step}
    # Elsewhere a post code is that of another place, and a place one of birth or of issue.
    is_other = (detail == "postcode" and groups[:1] not in ([], [["address"]])) or (
        detail == "captured_in" and around.isdisjoint(vocabulary.words["capture_words"])
    )
    return "" if is_other else detail


def _ends_residence(vocabulary: Vocabulary, groups: Sequence[list[str]], name: list[str]) -> bool:
    """Tell whether a leaf in the section of the address says until when somebody lives there: the words of its groups and of its name."""
    living = vocabulary.words["residence_words"]
    end = "".join(part for part in name if part not in living)
    around = {part for step in (*groups, name) for part in step}
    return not around.isdisjoint(living) and end in vocabulary.words["residence_ends"]


def _of_connection(vocabulary: Vocabulary, groups: Sequence[list[str]], name: list[str]) -> str:
    """Return the detail that a member of a connection is, which has to be in the country of the address; empty for none."""
    around = {part for step in groups for part in step}
    if around.isdisjoint(vocabulary.words["connection_words"]) or groups[:1] == [["screening"]]:
        return ""
    return _OF_CONNECTION.get("".join(name), "")


@lru_cache(maxsize=65_536)
def _is_of_person(vocabulary: Vocabulary, path: str) -> bool:
    section, *groups = path.split(".")[:-1] or [""]
    others = {*vocabulary.words["details_of_others"]}
    around = {part for group in (section, *groups) for part in name_words(group)}
    if section == "screening" and not _is_of_query(vocabulary, groups):
        return False
    return not others & around and not _is_listed(vocabulary, path)


def _is_of_query(vocabulary: Vocabulary, groups: Sequence[str]) -> bool:
    """Tell whether groups below screening say of whom the search was, as in `screening.query`."""
    return bool(groups) and all(plain_word(group) in vocabulary.words["searched_groups"] for group in groups)


@lru_cache(maxsize=65_536)
def _moment_of(vocabulary: Vocabulary, path: str) -> str:
    around = {part for step in path.split(".") for part in name_words(step)}
    is_other = bool(around & {*vocabulary.words["coming_words"]}) or _is_listed(vocabulary, path)
    return "" if is_other else vocabulary.moments.get("".join(name_words(steps_of(path)[1])), "")


@lru_cache(maxsize=65_536)
def _dates_list(vocabulary: Vocabulary, path: str) -> bool:
    around, own = steps_of(path)
    name = name_words(own)
    if not name or path.startswith("address.") or _is_listed(vocabulary, path):
        return False
    words = {part for step in around for part in name_words(step)} | {*name}
    of_edition = name[-1] in {"version", "edition", "updated", "refreshed"}
    if path.startswith("screening."):
        dated = name[-1] in vocabulary.words["list_days"] and not words.isdisjoint(
            vocabulary.words["dated_lists"]
        )
        dated = dated or name in (["version"], ["edition"])
    else:
        dated = of_edition and not words.isdisjoint(vocabulary.words["dated_lists"])
    return dated and _moment_of(vocabulary, path) not in {"happened", "started", "ended"}


@lru_cache(maxsize=65_536)
def _axis_of(vocabulary: Vocabulary, path: str) -> str:
    is_other = path.startswith("screening.") or _is_listed(vocabulary, path)
    return "" if is_other else vocabulary.axes.get("".join(name_words(steps_of(path)[1])), "")


@lru_cache(maxsize=65_536)
def _is_named_forgery(vocabulary: Vocabulary, path: str) -> bool:
    return _has_stem(vocabulary, "forgery", tuple(name_words(steps_of(path)[1])))


@lru_cache(maxsize=65_536)
def _kind_of(vocabulary: Vocabulary, path: str) -> str:
    kind, pattern = next(
        ((kind, one) for one, kind in vocabulary.check_kinds if matches(one, path) is not None), ("", "")
    )
    is_of_search = {*name_words(steps_of(path)[1])} & {*vocabulary.words["words_of_searches"]}
    return "" if pattern.endswith("*") and is_of_search else kind


@lru_cache(maxsize=16_384)
def _has_stem(vocabulary: Vocabulary, words: str, parts: tuple[str, ...]) -> bool:
    # A word as `unaltered` holds a stem and says the opposite.
    parts = tuple(
        part for part in parts if words == "good_names" or part not in vocabulary.words["good_words"]
    )
    plain = "".join(parts)
    return any(
        any(part.startswith(stem) for part in parts) or (len(stem) >= _LONG_STEM and stem in plain)
        for stem in vocabulary.words[words]
    )


def _affirms(value: Any) -> bool:
    """Tell whether a value says yes to its name: true, a number above 0, or a word for yes or for a match."""
    if isinstance(value, bool):
        return value
    if isinstance(value, Decimal):
        return value > 0
    return isinstance(value, str) and plain_word(value) in _YES


def _denies(value: Any) -> bool:
    """Tell whether a value says that there is nothing, or says nothing."""
    if isinstance(value, str):
        return plain_word(value) in {"", "no", "n", "none", "false", "0", "clear", "nomatch", "nohit"}
    return (
        value is None
        or value is False
        or isinstance(value, Unreadable)
        or (isinstance(value, Decimal) and value <= 0)
    )


def plain_word(word: str) -> str:
    """Return a word without spaces, dashes and underscores, in small letters."""
    return _PLAIN.sub("", word).casefold()


def value_key(value: Any) -> Any:
    """Return a value so that words are compared plainly, and a boolean is not taken for a number."""
    if isinstance(value, bool):
        return ("boolean", value)
    if isinstance(value, int | Decimal):
        return Decimal(value).normalize()
    return plain_word(value) if isinstance(value, str) else ("other", type(value).__name__)
