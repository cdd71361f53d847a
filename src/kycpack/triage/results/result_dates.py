"""Impossible dates in the results: after the review, before the person's birth, or an end before its start."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from kycpack.frames.labels import spoken
from kycpack.triage.case_file import Observation
from kycpack.triage.results.identity_documents import may_last_for_ever
from kycpack.triage.results.leaf_details import dates_list, detail_of, is_new_contact, is_of_person, moment_of
from kycpack.triage.results.vocabulary import Vocabulary, name_words, steps_of, words_of

POSSIBLE = "possible"
_WORDS = words_of("result_dates")
_BORN, _EXPIRES = "document.holder.dateOfBirth", "document.document.expirationDate"
_TYPE, _ISSUER = "document.document.documentType", "document.document.issuingCountry"
_DAYS_OF_A_YEAR = 365.25
# Ten years, and up to nine months that some states added from the previous passport.
_LONGEST_OF_A_PASSPORT = 11 * 366
_CENTURY = 100
_SHORTEST_CAPTURE = dt.timedelta(seconds=2)
_ONE_DAY, _A_MONTH, _A_QUARTER, _A_YEAR = (dt.timedelta(days=days) for days in (1, 31, 92, 366))
_BEGINS_AS_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])")
_DATE_ALONE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MONTH_ALONE = re.compile(r"(?:19|20)[0-9]{2}-(?:0[1-9]|1[0-2])")
_FORMS = (
    "%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%Y%m%d", "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%d-%m-%Y", "%d %b %Y", "%d %B %Y", "%B %d, %Y", "%y%m%d",
)  # fmt: skip
_HELD_AGAINST = frozenset({_BORN, _EXPIRES, _TYPE, _ISSUER})


class _Limits(NamedTuple):
    """The days that dates are held against.

    Attributes:
        day: The day of the review.
        earliest: A month before the session; a year before the review if the session's date is not known.
        begun: The day before the session was created; None if not known.
        finished: The day after it was finished; None if not known.
    """

    day: dt.date
    earliest: dt.date
    begun: dt.date | None
    finished: dt.date | None


def impossible_dates(
    seen: Sequence[Observation],
    telling: Sequence[Observation],
    vocabulary: Vocabulary,
    day: dt.date,
    begun: dt.datetime | None,
    ended: dt.datetime | None = None,
) -> Iterator[tuple[Observation, str]]:
    """Yield the impossible dates in a session's results.

    Args:
        seen: The observations of one session.
        telling: Those whose path no rule judges, or that name an authority or a file.
        vocabulary: Says which members are dates of something.
        day: The day of the review.
        begun: When the session was created; None if not known.
        ended: When its identity part was finished; None if not known.

    Yields:
        The observation, and a description such as `a date of issue in the future under “passport” in the section “document”`.
    """
    listed = {one.path: one for one in seen if one.of_results and one.path in _HELD_AGAINST}
    earliest = day - _A_YEAR if begun is None else _moved(begun.date(), -_A_MONTH)
    started, finished = begun and _moved(begun.date(), -_ONE_DAY), ended and _moved(ended.date(), _ONE_DAY)
    limits = _Limits(day, earliest, started, finished)
    texts = [one for one in telling if one.of_results and isinstance(one.value, str)]
    dated = [
        (role, one)
        for one in texts
        if (role := moment_of(one.path, vocabulary))
        or (_BEGINS_AS_DATE.match(one.value) and is_of_person(one.path, vocabulary))
    ]
    yield from _too_far(listed, day)
    yield from (
        (one, f"lists that were out of date when they were searched{place_of(one.path)}")
        for one in texts
        if dates_list(one.path, vocabulary)
        and max(dates_of(one.value), default=dt.date.max) < _moved(earliest, -_A_QUARTER)
    )
    yield from (
        (one, f"a means of contact or an account that is less than three months old{place_of(one.path)}")
        for one in texts
        if is_new_contact(one.path, vocabulary)
        and max(dates_of(one.value), default=dt.date.min) > day - _A_QUARTER
    )
    for role, one in dated:
        look = _issued(one, listed, limits) if role == "issued" else _happened(role, one, listed, limits)
        yield from ((one, f"{words}{place_of(one.path)}") for words in look)
    yield from _wrong_spans(dated)


def _moved(day: dt.date, by: dt.timedelta) -> dt.date:
    """Return a day earlier or later, within the calendar: a provider's placeholder may be its first or last day."""
    try:
        return day + by
    except OverflowError:
        return dt.date.min if by < dt.timedelta(0) else dt.date.max


def _wrong_spans(dated: Sequence[tuple[str, Observation]]) -> Iterator[tuple[Observation, str]]:
    """Yield the end of what ended before it started, or of what a person cannot have done so fast."""
    starts = {
        _group(one): _moment(str(one.value))
        for role, one in sorted(dated, key=lambda each: each[0] == "started")
        if role == "started"
        or (role in {"recorded", "captured"} and name_words(steps_of(one.path)[1])[:1] == ["created"])
    }
    for role, one in dated:
        start, end = starts.get(_group(one)), _moment(str(one.value))
        if role == "modified" and start is not None and end is not None and end - start > _ONE_DAY:
            yield one, f"a file that was changed after it was made{place_of(one.path)}"
        if role != "ended" or start is None or end is None:
            continue
        if end < start:
            yield one, f"an end before its start{place_of(one.path)}"
        elif one.path.startswith("identity.") and end - start < _SHORTEST_CAPTURE:
            yield one, f"a check of a live person that took less than two seconds{place_of(one.path)}"


def _too_far(listed: dict[str, Observation], day: dt.date) -> Iterator[tuple[Observation, str]]:
    expiry = listed.get(_EXPIRES)
    if expiry is None:
        return
    years = 15 if _is_passport(listed) else 60
    found = dates_of(str(expiry.value))
    if {date.year for date in found} == {dt.MAXYEAR} and _may_last(listed, day):
        return
    if found and all((date - day).days > years * _DAYS_OF_A_YEAR for date in found):
        yield expiry, f"a date of expiry more than {years} years ahead"


def _may_last(listed: dict[str, Observation], day: dt.date) -> bool:
    """Return whether the document may be one without an end, by its type, its issuer and the age of its holder."""
    kind, issuer, born = (
        str(listed[path].value) if path in listed else "" for path in (_TYPE, _ISSUER, _BORN)
    )
    birth = max(dates_of(born), default=day)
    return may_last_for_ever(kind, issuer, int((day - birth).days // _DAYS_OF_A_YEAR))


def _is_passport(listed: dict[str, Observation]) -> bool:
    return _TYPE in listed and "passport" in str(listed[_TYPE].value).casefold()


def _issued(seen: Observation, listed: dict[str, Observation], limits: _Limits) -> Iterator[str]:
    """Yield what is wrong with a date of issue, once; an ambiguous date is wrong only if both readings are."""
    found, name, day = dates_of(str(seen.value)), seen.path.rpartition(".")[2], limits.day
    is_proof = seen.path.startswith("address.")
    born, expires = (
        dates_of(str(listed[path].value)) if path in listed else set() for path in (_BORN, _EXPIRES)
    )
    if not found:
        return
    if min(found) > day + _ONE_DAY:
        yield "a date of issue in the future"
    elif limits.finished is not None and min(found) > limits.finished:
        yield "a date of issue after the session"
    elif born and max(found) < min(born):
        yield "a date of issue before the date of birth"
    elif is_proof and "valid" not in name.casefold() and max(found) < day - _A_YEAR:
        yield "a proof of address that was issued more than a year ago"
    elif expires and min(found) > max(expires) and not is_proof:
        yield "a date of issue after the date of expiry"
    elif (
        expires
        and not is_proof
        and _is_passport(listed)
        and (min(expires) - max(found)).days > _LONGEST_OF_A_PASSPORT
    ):
        yield "a passport that is valid for more than eleven years"


def _happened(role: str, seen: Observation, listed: dict[str, Observation], limits: _Limits) -> Iterator[str]:
    """Yield what is wrong with any other date, once."""
    found = dates_of(str(seen.value))
    born = dates_of(str(listed[_BORN].value)) if _BORN in listed else frozenset()
    if not found:
        return
    if born and max(found) < min(born):
        yield "a date before the date of birth"
    elif role and min(found) > limits.day + _ONE_DAY:
        yield "a time in the future"
    elif role in {"happened", "captured", "started", "ended"} and max(found) < limits.earliest:
        yield "a time long before the session"
    elif role == "captured" and limits.begun is not None and max(found) < limits.begun:
        yield "a picture that was taken before the session"


def is_unread_day(path: str, value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a text repeats a date of birth or of expiry in a form that cannot be read, so that it cannot be compared."""
    is_text = isinstance(value, str) and bool(value.strip())
    return is_text and detail_of(path, vocabulary) in _WORDS["compared"] and not dates_of(value)


@lru_cache(maxsize=16_384)
def dates_of(text: str) -> frozenset[dt.date]:
    """Return every date that a text may mean: 03/04/1980 has two readings, a two-digit year is in this century or the last, and 2014-05 is any day of that month.

    Args:
        text: A date, or a timestamp that begins with one.
    """
    written = text.strip()
    # No other form begins with a year and a hyphen, and trying all forms is the slowest part of observing a session.
    if _MONTH_ALONE.fullmatch(written):
        return frozenset(_days_of(written))
    if _DATE_ALONE.fullmatch(written):
        return frozenset(_read(written, _FORMS[0]))
    for part in dict.fromkeys((written, written[:10])):
        found = {date for form in _FORMS for date in _read(part, form)}
        if found:
            return frozenset(found)
    return frozenset()


def place_of(path: str) -> str:
    """Return the place of a leaf of the results, in words to follow a noun, as in ` under “chip” in the section “document”`.

    Args:
        path: Path of the leaf.
    """
    around, _ = steps_of(path)
    if not around:
        return " at the top of the results"
    section, *groups = around
    inside = f" under “{spoken(groups[-1])}”" if groups else ""
    return f"{inside} in the section “{spoken(section)}”"


def _days_of(month: str) -> Iterator[dt.date]:
    """Yield every day of a month as in `2014-05`."""
    day = dt.date.fromisoformat(f"{month}-01")
    while day.isoformat().startswith(month):
        yield day
        day += _ONE_DAY


def _read(text: str, form: str) -> Iterator[dt.date]:
    try:
        date = dt.datetime.strptime(text, form).replace(tzinfo=dt.UTC).date()
    except ValueError:
        return
    yield date
    if "%y" in form and date.year - _CENTURY >= dt.MINYEAR and (date.month, date.day) != (2, 29):
        yield date.replace(year=date.year - _CENTURY)


def _group(seen: Observation) -> str:
    return seen.path.rpartition(".")[0]


def _moment(text: str) -> dt.datetime | None:
    try:
        read = dt.datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return read if read.tzinfo else read.replace(tzinfo=dt.UTC)
