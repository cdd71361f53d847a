"""Names that may not be those of a real person: from specimen documents, templates and tests, as addresses and authorities may be too, or with letters of two scripts, such as Anna with a Cyrillic A, which looks the same."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from kycpack.assets import asset_yaml
from kycpack.triage.addresses.places import SPECIMENS, without_places
from kycpack.triage.case_file import CaseFile, Observation, SessionFile
from kycpack.triage.names.company_names import is_firm
from kycpack.triage.names.readable_names import is_line, is_name
from kycpack.triage.names.transliteration import words
from kycpack.triage.results.identity_documents import is_of_no_state, names_authority
from kycpack.triage.results.leaf_details import NAME_DETAILS, detail_of
from kycpack.triage.results.result_dates import place_of
from kycpack.triage.results.vocabulary import Vocabulary, group_words, own_words
from kycpack.triage.results.vocabulary_file import load_vocabulary

_LETTERS = frozenset({"Lu", "Ll", "Lt", "Lo"})
_INSIDE_WORD = frozenset({"Mn", "Me", "Cf", "Lm", "Sk"})  # accents, invisible characters, modifiers
_APOSTROPHES = re.compile("['\u2018\u2019`\u00b4\u2032]")
_BETWEEN_WORDS = re.compile(r"[\W\d_]+")
_WRITTEN_TOGETHER = frozenset({"CJK", "HIRAGANA", "KATAKANA", "BOPOMOFO", "HANGUL", "IDEOGRAPHIC"})
NONE = "none"
_REMARK = re.compile(r"[(\[{][^)\]}]{3,}[)\]}]")
_FIRST, _LAST = "document.holder.firstName", "document.holder.lastName"
# What is left of a template that was not filled in, and what programs write for nothing: `Null` is a name that people have.
_TEMPLATE = re.compile(
    r"(?<![0-9])%(?:\(\w+\))?[sd]\b|\$\{[^}]*\}|\{\{?\s*[\w.]+\s*\}?\}|<[A-Za-z_ ]+>|(?<!\w)__[A-Za-z]\w*__(?!\w)|\[object Object\]"
)
# In place of a name or a place, what is left of one in further languages of templates, and an error of a spreadsheet.
_MARK = re.compile(
    r"<+[\w -]+>+|\[[\w -]+\]|%[\w-]+%|__[A-Za-z_]+__|\$[A-Za-z_]+|#(?:NAME|REF|VALUE|NULL|N/A)[?!]?",
    re.ASCII,
)
_NOTHING = frozenset({"null", "(null)", "undefined", "nil", "nan", "NaN"})
_OF_NAMES = frozenset({"name", "names", "surname", "surnames"})
_WHOSE = _OF_NAMES | {
    "birth", "maiden", "mother", "mothers", "father", "fathers", "parent", "parents", "previous", "former", "first", "given", "last", "family", "middle", "full", "legal", "other",
    "holder", "person", "at", "of", "s",
}  # fmt: skip
_PLACES = frozenset({"place", "office", "city", "town"})
_OF_SPECIMENS = "a name that stands on specimens and in tests"
_OF_FORMS = "an address that stands in forms and in tests"
_LINE, _CITY = "address.extractedAddress.addressLine1", "address.extractedAddress.city"
_Found = tuple[Any, tuple[str, ...], str]
_Unreadable = tuple[tuple[str, ...], str]


def observe_doubtful_names(customers: Sequence[Any], cases: Mapping[str, CaseFile]) -> None:
    """Add to each session the names with mixed scripts, the names, addresses and authorities from specimens, templates, forms or tests, and what cannot be read as a name.

    Args:
        customers: Rows of `customers`.
        cases: The customers, with the leaf values of their results.
    """
    vocabulary = load_vocabulary()
    records = {row.customer_id: row for row in customers}
    for customer_id, case in cases.items():
        row = records.get(customer_id)
        for session in case.sessions:
            mixed = (*_mixed_in_record(row), *_mixed_in_results(session, vocabulary))
            unreadable = tuple(_unreadable_names(session, row))
            _add(session, "plausible.name_letters", mixed, unreadable, "one_script")
            made_up = tuple(_made_up(session, row, vocabulary))
            unreadable += tuple(_unreadable_addresses(session, row))
            _add(session, "plausible.specimens", made_up, unreadable, NONE)


def _add(
    session: SessionFile, path: str, found: Sequence[_Found], unreadable: Sequence[_Unreadable], fine: str
) -> None:
    """Add what was found and what cannot be read; where there is neither, that all is well, if there are results."""
    for value, evidence_ids, note in (*found, *((None, *one) for one in unreadable)):
        session.add(path, value, *evidence_ids, note=note)
    if session.sections and not (found or unreadable):
        session.add(path, fine, session.evidence_id)


def _made_up(session: SessionFile, row: Any, vocabulary: Vocabulary) -> Iterator[_Found]:
    """Yield what comes from specimens, templates, forms or tests in a session's results, and in the customer record if the results do not repeat it."""
    of_results = tuple(_specimens(session.seen, vocabulary))
    yield from ((seen.value, seen.evidence_ids, words_) for seen, words_ in of_results)
    repeated = {(str(seen.value).casefold(), words_) for seen, words_ in of_results}
    for value, words_ in () if row is None else _of_record(row, vocabulary):
        if (value.casefold(), words_) not in repeated:
            yield value, (row.evidence_id,), f"{words_} in the customer record"


def _specimens(seen: Sequence[Observation], vocabulary: Vocabulary) -> Iterator[tuple[Observation, str]]:
    """Yield the names, addresses and authorities in a session's results that come from specimens, templates, forms or tests.

    Args:
        seen: The observations of one session.
        vocabulary: Says which members name an authority.

    Yields:
        The observation, and a description such as `a name that stands on specimens and in tests`.
    """
    texts = [one for one in seen if one.of_results and isinstance(one.value, str)]
    given = {one.path: one for one in texts if one.path in {_FIRST, _LAST, _LINE, _CITY}}
    first, last = (str(given[path].value) if path in given else "" for path in (_FIRST, _LAST))
    name = given.get(_LAST) or given.get(_FIRST)
    if name is not None and is_specimen(first, last):
        yield name, _OF_SPECIMENS
    yield from (
        (given[path], wrong)
        for path in (_FIRST, _LAST)
        if path in given and (wrong := _odd_name(str(given[path].value)))
    )
    yield from (
        (given[path], _OF_FORMS)
        for path in (_LINE, _CITY)
        if path in given and is_placeholder_of_home(str(given[path].value))
    )
    yield from (
        (one, wrong) for one in texts if (wrong := _in_place_of_data(one.path, one.value, vocabulary))
    )


def _of_record(row: Any, vocabulary: Vocabulary) -> Iterator[tuple[str, str]]:
    """Yield the names and the address of a customer record that come from specimens, templates, forms or tests, each with its description."""
    first, last = row.first_name or "", row.last_name or ""
    of_firm = is_firm(f"{first} {last}")
    if not of_firm and all(map(is_name, _given(first, last))) and is_specimen(first, last):
        yield last or first, _OF_SPECIMENS
    for path, value in ((_FIRST, first), (_LAST, last)):
        odd = "" if of_firm else _odd_name(value)
        wrong = odd or _in_place_of_data(path, value, vocabulary)
        if wrong and is_name(value):  # what cannot be read as a name is not known
            yield value, wrong
    for path, value in ((_LINE, row.address_line1 or ""), (_CITY, row.city or "")):
        odd = _OF_FORMS if is_placeholder_of_home(value) else ""
        if wrong := odd or _in_place_of_data(path, value, vocabulary):
            yield value, wrong


def _unreadable_names(session: SessionFile, row: Any) -> Iterator[_Unreadable]:
    """Yield, at most once, the evidence of names that cannot be read as such, with a sentence that says where they are.

    Args:
        session: The session, for the document.
        row: The row of `customers`; None if there is none.
    """
    said = () if row is None else _given(row.first_name, row.last_name)
    of_session = [one for one in _texts(session, _FIRST, _LAST) if not is_name(one.value)]
    places = {"the customer record": not all(map(is_name, said)), "the document": bool(of_session)}
    yield from _sentence("name", places, row, of_session)


def _unreadable_addresses(session: SessionFile, row: Any) -> Iterator[_Unreadable]:
    said = () if row is None else _given(row.address_line1, row.address_line2, row.city)
    of_session = [one for one in _texts(session, _LINE, _CITY) if not is_line(one.value)]
    places = {"the customer record": not all(map(is_line, said)), "the proof of address": bool(of_session)}
    yield from _sentence("address", places, row, of_session)


def _sentence(
    what: str, places: Mapping[str, bool], row: Any, of_session: Sequence[Observation]
) -> Iterator[_Unreadable]:
    of_record, _ = places.values()
    ids = {id_ for one in of_session for id_ in one.evidence_ids} | (
        {row.evidence_id} if of_record else set()
    )
    where = [f"on {place}" for place, is_there in places.items() if is_there]
    if where:
        article = "an" if what == "address" else "a"
        yield tuple(sorted(ids)), f"The {what} {' and '.join(where)} cannot be read as {article} {what}."


def _given(*texts: str | None) -> tuple[str, ...]:
    return tuple(text for text in texts if text and text.strip())


def _texts(session: SessionFile, *paths: str) -> Iterator[Observation]:
    for one in session.seen:
        if one.of_results and one.path in paths and isinstance(one.value, str) and one.value.strip():
            yield one


def _odd_name(text: str) -> str:
    if any(map(str.isdigit, text)):
        return "a name with a digit"
    return "a name with a remark in brackets" if _REMARK.search(_TEMPLATE.sub("", text)) else ""


@lru_cache(maxsize=65_536)
def _in_place_of_data(path: str, text: str, vocabulary: Vocabulary) -> str:
    """Return what a text is that stands in place of a name, a place or an authority, or is left of a template; empty for anything else."""
    if "://" not in text and _TEMPLATE.search(text):
        return "an unfilled placeholder of a template"
    own = own_words(path)
    is_listed, is_authority = path in {_FIRST, _LAST}, names_authority(path, vocabulary)
    of_person = is_listed or _names_person(path)
    if not (of_person or is_authority or path == _CITY or not _PLACES.isdisjoint([*own[:1], *own[-1:]])):
        return ""
    said = [word.text for word in words(text)]
    wrong = (
        (_MARK.fullmatch(text.strip()) is not None, "an unfilled placeholder of a template"),
        (len(own) > 1 and said == own, "the name of the member in place of its value"),
        (text.strip() in _NOTHING, "a word that programs write for nothing"),
        (
            any(f" {one} " in f" {' '.join(said)} " for one in _known()["remarks"]),
            "a remark in place of data",
        ),
        (of_person and not _known()["unnamed"].isdisjoint(said), "a word that stands for an unknown name"),
        (of_person and not is_listed and is_specimen(text, ""), _OF_SPECIMENS),
        (is_authority and is_of_no_state(text), "an authority of no state"),
    )
    return next((said_of_it for is_wrong, said_of_it in wrong if is_wrong), "")


def _names_person(path: str) -> bool:
    """Return whether a leaf outside screening is a further name of a person, such as that at birth or the mother's."""
    own = own_words(path)
    whole = {*own, *(group_words(path) if len(own) == 1 else ())}
    return (
        not path.startswith("screening.")
        and not _OF_NAMES.isdisjoint(own)
        and len(whole) > 1
        and whole <= _WHOSE
    )


@lru_cache(maxsize=16_384)
def is_specimen(first: str, last: str) -> bool:
    """Return whether a name is one that specimens and tests use."""
    said = [word.text for word in words(f"{first} {last}")]
    return not _known()["names"].isdisjoint(said) or " ".join(said) in _known()["whole"]


@lru_cache(maxsize=16_384)
def is_placeholder_of_home(line: str) -> bool:
    """Return whether the line or the town of an address is one that forms and tests use."""
    said = [word.text for word in words(line)]
    named = " ".join(word for word in said if not word.isdigit())
    known = _known()
    return not known["places"].isdisjoint(without_places(said, in_address=True)) or named in known["lines"]


@cache
def _known() -> Mapping[str, frozenset[str]]:
    """Return the lists of the file, by their names."""
    known: dict[str, Any] = asset_yaml(SPECIMENS)
    return {
        name: frozenset(known[name]) for name in ("names", "whole", "places", "lines", "unnamed", "remarks")
    }


def _mixed_in_record(row: Any) -> Iterator[_Found]:
    for name in () if row is None else (row.first_name, row.last_name):
        if name is not None and (mixed := mixed_scripts(name)):
            yield name, (row.evidence_id,), f"{_words(mixed)} in the customer record"


def _mixed_in_results(session: SessionFile, vocabulary: Vocabulary) -> Iterator[_Found]:
    for seen in session.seen:
        if not seen.of_results or not isinstance(seen.value, str) or seen.value.isascii():
            continue
        names_person = seen.path in {_FIRST, _LAST} or detail_of(seen.path, vocabulary) in NAME_DETAILS
        if names_person and (mixed := mixed_scripts(seen.value)):
            yield seen.value, seen.evidence_ids, f"{_words(mixed)}{place_of(seen.path)}"


def _words(mixed: Sequence[str]) -> str:
    return f"a name in which one word mixes {' and '.join(mixed)} letters"


@lru_cache(maxsize=16_384)
def mixed_scripts(name: str) -> tuple[str, ...]:
    """Return the scripts that a word in a name mixes, such as `Cyrillic, Latin`; empty if each word has one script.

    The scripts of East Asia are used together. Accents, apostrophes and invisible characters do not separate words. The ledger's verifier
    has its own check, because it runs without the toolkit.
    """
    if name.isascii():
        return ()
    plain = "".join(
        each
        for each in unicodedata.normalize("NFKD", _APOSTROPHES.sub("", name))
        if unicodedata.category(each) not in _INSIDE_WORD
    )
    for word in _BETWEEN_WORDS.split(plain):
        letters = [each for each in word if unicodedata.category(each) in _LETTERS]
        scripts = {unicodedata.name(each, "UNKNOWN").split()[0].partition("-")[0] for each in letters}
        if len(scripts - _WRITTEN_TOGETHER) > 1:
            return tuple(sorted(each.capitalize() for each in scripts))
    return ()


@lru_cache(maxsize=16_384)
def parts_by_script(name: str) -> tuple[str, ...]:
    """Return the words of each script in a name, as in `Ada Byron (Ада Байрон)`; the scripts of East Asia are one."""
    if name.isascii():
        return (name,)
    parts: dict[str, list[str]] = {}
    for word in name.split():
        letter = next((each for each in word if unicodedata.category(each) in _LETTERS), "")
        if letter:
            script = unicodedata.name(letter, "UNKNOWN").split()[0].partition("-")[0]
            parts.setdefault("CJK" if script in _WRITTEN_TOGETHER else script, []).append(word)
    return tuple(map(" ".join, parts.values()))
