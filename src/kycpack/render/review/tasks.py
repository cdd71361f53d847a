"""What has to be found out or obtained about a finding, in words that the person who has to do it can act on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kycpack.frames import Frames
from kycpack.frames.answer_members import SECTIONS
from kycpack.frames.rows import records, values_of
from kycpack.models.enums import OPEN_SESSIONS, SessionState
from kycpack.render.review.short_names import ShortNames
from kycpack.render.review.sums import Sums
from kycpack.render.wording import is_absent, text_of
from kycpack.triage.judge.sentences import label_of, value_words
from kycpack.triage.paths import OWN_ROOTS

_BANK_ACCESS = "have the customer give access to a bank account"
_BACKGROUND = "establish the background and purpose of {}, with evidence"
_CHECKED = {
    "document": "the document check",
    "address": "the address check",
    "identity": "the identity check",
    "screening": "the screening",
}
COMPLETE = "have the customer complete {}"
"""The words of a task that a customer does who has an open session."""
_SEEN = "look at the results of {} in the new pack"
_SCREENING_SEEN = "review the screening of {} in the new pack"
_DETAILS = (
    "compare the details with the pictures of the documents, and ask the provider about those that disagree"
)
_ENTRY = "check with the provider whether a match on {} is this person (the list, its date, the name and the date of birth)"
_ONE_PERSON = "find out whether the names on {} are of one person"
_OFFICE = "check with the provider whether the entry is this person and for which office, and establish the source of wealth and of funds"
_SOURCE_OF_WEALTH = "get documents that prove the source of wealth"
PAYMENT = "get documents that show where the money of {} comes from"
"""The words of a task about a payment, which is not released before."""
MEANING = "ask the provider what {} means"
"""The words of a task about a rejected result, which comes before a decline."""
_VALID = "get a valid identity document from the customer, and have it checked"
_RESULTS = "get the results that were ordered and are missing from {}"
_AGAIN = "request again what was not received or could not be read"
# What to find out about something that was found, by the beginning of its path; the longest match counts.
_FOUND: Mapping[str, str] = {
    "screening": "ask the provider what stands behind the screening result, and decide whether it is about this person",
    "screening.summary.watchlist": _ENTRY,
    "screening.summary.pep": _OFFICE,
    "screening.summary.adverseMedia": "get the reports behind the adverse media from the provider, and decide whether they are about this person and how serious they are",
    "screening.matchCount": "check with the provider for each screening match whether it is this person",
    "plausible.sanctions_entries": "check with the provider whether the entries of sanctions lists in the results are about this person",
    "risk.pep": "record the public office, and establish the source of wealth and of funds",
    "session": "ask the provider what happened in {}",
    "session.status": COMPLETE,
    "session.identity_completed": COMPLETE,
    "session.ais_completed": _BANK_ACCESS,
    "session.identity_confirmed": "ask the provider why the identity was not confirmed, and have the customer repeat the identity check",
    "session.age_days": "have the checks of {} made again, because they are too old",
    "session.screening_depth": "have the screening made in the depth that was ordered",
    "requested": _RESULTS,
    "requested.bank": _BANK_ACCESS,
    "diligence.bank": f"{_BANK_ACCESS}, which enhanced due diligence needs",
    "diligence.completion": COMPLETE.format("a session"),
    "document": "ask the provider what is wrong with the identity document, and get another identity document from the customer",
    "document.contentAnalysis.expirationDateCheck": _VALID,
    "expiry": _VALID,
    "plausible": _DETAILS,
    "plausible.refusals": "ask the provider why it refused the customer",
    "address": "get another, recent proof of address in the customer's name, and have it checked",
    "address.geoLocationAnalysis": "find out where the customer was when the check was made, and why",
    "identity": "ask the provider what is wrong with the face comparison, and have the customer repeat the identity check",
    "age": "check the date of birth against the identity document",
    "country": "find out where the customer lives and what ties the customer has to the country",
    "consistency.name": _ONE_PERSON,
    "consistency.date_of_birth": "find out which date of birth is right, and correct the record if it is wrong",
    "consistency.address": "find out at which address the customer lives, and correct the record if it is wrong",
    "consistency.town": "find out in which town the customer lives, and correct the record if it is wrong",
    "bank": _BANK_ACCESS,
    "bank.access_days": "have the customer renew the access to the bank account",
    "wealth": _SOURCE_OF_WEALTH,
    "wealth.flags": _BACKGROUND,
    "wealth.linked_twice": "ask the customer and the bank whether the accounts named in the finding are one, and count their payments once if they are",
    "wealth.silent_account": "ask the customer and the bank why the account named in the finding has no transaction between the days given, and get the statements of that time from the bank",
    "wealth.payment_support": PAYMENT,
    "gaps": _AGAIN,
    "gaps.bank.other_currency": "find out from the provider in which currency the account is kept",
    "gaps.register.document_shared": "find out to which of the customers the identity document belongs",
    "gaps.register.same_person": "find out whether the two customers are one person",
    "gaps.register.decided_otherwise": "find out whether the two customers are one person, and why they were decided differently",
    "gaps.register.rejected_before": "find out why the customer was rejected before, and whether the reason still holds",
}
OF_LISTS = frozenset(
    _FOUND[path] for path in ("screening", "screening.summary.watchlist", "plausible.sanctions_entries")
)
"""The words of tasks that show whether a match is a person whose funds have to be frozen."""
_OF_SECTIONS = frozenset(_FOUND[section] for section in SECTIONS)
# The same for something that could not be evaluated.
_MISSING: Mapping[str, str] = {
    **{
        section: f"get the missing results of {check} from the provider"
        for section, check in _CHECKED.items()
    },
    "risk.pep": "record in the firm's file whether the customer is politically exposed",
    "session": "ask the provider for the record of {}",
    "session.status": COMPLETE,
    "session.identity_confirmed": "ask the provider whether the identity was confirmed in {}",
    "session.screening_depth": "ask the provider how deep the screening went",
    "requested": _RESULTS,
    "requested.bank": "find out whether the customer gave access to a bank account",
    "diligence.bank": f"order bank access and {_BANK_ACCESS}, which enhanced due diligence needs",
    "diligence.completion": COMPLETE.format("a session"),
    "expiry": "find out when the identity document expires",
    "plausible": _DETAILS,
    "age": "find out the date of birth",
    "country": "find out the country of residence, the nationality and the country that issued the document",
    "consistency.name": "find out the name that could not be compared",
    "consistency.date_of_birth": "find out the date of birth that could not be compared",
    "consistency.address": "find out the address that could not be compared",
    "consistency.town": "find out the town that could not be compared",
    "bank": "find out whether there is bank data, and get it",
    "wealth": "get the bank data and have it analysed",
    "wealth.source_found": _SOURCE_OF_WEALTH,
    "wealth.payment_support": PAYMENT,
    "gaps": _AGAIN,
}
_WRONG_SUBJECT = ("gaps.", ".wrong_subject")
_SOURCES = {
    "record": "the record",
    "document": "the document",
    "bank": "the bank account",
    "statement": "the service's statement",
    "address": "the proof of address",
}
_NOT_RUN = "not_processed"
_MOST_APART = 3  # tasks of one cause that are given one by one


@dataclass(frozen=True, slots=True)
class Task:
    """What has to be found out or obtained.

    Attributes:
        words: A request without its subject, such as `find out who lives at {}`, with `{}` in place of what it is about.
        things: What it is about.
        before: What has to be there first, which is the Analyst's to get; None if nothing has to.
    """

    words: str
    things: tuple[str, ...] = ()
    before: Task | None = None


def tasks_of_hit(
    rows: Sequence[Mapping[Any, Any]], text: str, names: ShortNames, absent: Mapping[str, str], sums: Sums
) -> tuple[Task, ...]:
    """Return the tasks of findings that say the same.

    Args:
        rows: Their rows in frame `findings`.
        text: What they say.
        names: Short names of sessions.
        absent: As returned by `sessions_without_results`.
        sums: What findings about money are about.
    """
    path = text_of(rows[0]["path"], "")
    if path.startswith(_WRONG_SUBJECT[0]) and path.endswith(_WRONG_SUBJECT[1]):
        return (Task("find out from the provider about whom the data is, and request it again"),)
    values = _values(text)
    if path.partition(".")[0] in SECTIONS and text_of(rows[0]["action"], "") == "decline" and values:
        return (Task(MEANING, (values,)),)
    words = _longest(_FOUND, path)
    if not words:
        return (Task("find out what stands behind {}", (quoted_head(text),)),)
    return (Task(_of_session(words, rows, absent), _things(words, path, rows, text, names, sums)),)


def tasks_of_unknown(
    rows: Sequence[Mapping[Any, Any]],
    names: ShortNames,
    absent: Mapping[str, str],
    sums: Sums,
    *,
    internal: bool,
) -> tuple[Task, ...]:
    """Return the tasks of checks that could not be evaluated for one cause.

    Args:
        rows: Their rows in frame `findings`.
        names: Short names of sessions.
        absent: As returned by `sessions_without_results`.
        sums: What findings about money are about.
        internal: Whether they stay inside the firm.
    """
    sections = {text_of(row["path"], "").partition(".")[0] for row in rows} & {*SECTIONS, "**", "session"}
    without = tuple(dict.fromkeys(str(row["session_id"]) for row in rows if str(row["session_id"]) in absent))
    if without and sections:
        got = Task(absent[without[0]], tuple(f"session {names.of(id_)}" for id_ in without))
        seen = _SCREENING_SEEN if "screening" in sections and not internal else _SEEN
        return (Task(seen, got.things, got),)
    if internal:
        return (
            Task("decide whether there is reason for an internal report, which the checks could not show"),
        )
    found = tuple(dict.fromkeys(_missing(row, names, absent, sums) for row in rows))
    if len(found) <= _MOST_APART:
        return found
    return (Task("get what the checks could not see: {}", (_plain(rows[0]["cause"]),)),)


def sessions_without_results(frames: Frames) -> dict[str, str]:
    """Return what has to be done about each session that has no results, in the form of `Task.words`, by id."""
    seen = {str(id_) for id_ in values_of(frames.results["session_id"].array)}
    return {
        str(row["session_id"]): COMPLETE
        if text_of(row["status"], "") in OPEN_SESSIONS
        else "have the customer complete a new session in place of {}"
        if text_of(row["status"], "") == SessionState.EXPIRED
        else "request the record and the results of {} again"
        for row in records(frames.sessions, "session_id", "status")
        if str(row["session_id"]) not in seen
    }


def tasks_of_matter(own: tuple[Task, ...], lesser: Iterable[Task]) -> tuple[Task, ...]:
    """Return the tasks of a matter: its own, unless they only speak of a whole section and lesser reasons say more.

    Args:
        own: The tasks of the reason that governs it.
        lesser: The tasks of the reasons under it.
    """
    said = tuple(dict.fromkeys(lesser))
    return said if said and all(one.words in _OF_SECTIONS for one in own) else own


def quoted_head(text: str) -> str:
    """Return what a sentence is about, without its values and its evidence, in quotes."""
    return f"“{text.partition(':')[0].partition(' (')[0].rstrip('. ')}”"


def _values(text: str) -> str:
    """Return what a sentence gives after its colon, without its evidence."""
    return text.partition(": ")[2].rpartition(" (")[0] if text.endswith(")") else text.partition(": ")[2]


def _missing(row: Mapping[Any, Any], names: ShortNames, absent: Mapping[str, str], sums: Sums) -> Task:
    path, value = text_of(row["path"], ""), row["value"]
    root = path.partition(".")[0]
    if root not in OWN_ROOTS and not is_absent(value) and str(value) != "null":
        if str(value) == _NOT_RUN:
            return Task("have the check made that did not run: {}", (label_of(path),))
        return Task(
            "ask the provider what it means that {}", (f"the {label_of(path)} is {value_words(value)}",)
        )
    words = _longest(_MISSING, path)
    if not words:
        return Task("find out what could not be evaluated: {}", (quoted_head(text_of(row["title"])),))
    return Task(_of_session(words, (row,), absent), _things(words, path, (row,), "", names, sums))


def _of_session(words: str, rows: Sequence[Mapping[Any, Any]], absent: Mapping[str, str]) -> str:
    """Return the words; a session that cannot be completed any more is replaced, in the words of its results."""
    return absent.get(str(rows[0]["session_id"]), words) if words == COMPLETE else words


def _things(
    words: str,
    path: str,
    rows: Sequence[Mapping[Any, Any]],
    text: str,
    names: ShortNames,
    sums: Sums,
) -> tuple[str, ...]:
    if "{}" not in words:
        return ()
    if words == _BACKGROUND:
        one = _distinct(words for row in rows for words in sums.credits_of(text_of(row["sentence"], "")))
        return one or (quoted_head(text),)
    if words == PAYMENT:
        evidence = [id_ for row in rows if not is_absent(row["evidence_ids"]) for id_ in row["evidence_ids"]]
        return sums.payments_of(evidence) or ("the payment",)
    if words == _ENTRY:
        return tuple(dict.fromkeys(label_of(text_of(row["path"], "")) for row in rows))
    if words == _ONE_PERSON:
        sources = path.removeprefix("consistency.name.").removeprefix("likeness.").split(".")
        return tuple(dict.fromkeys(_SOURCES.get(one, one) for one in sources))
    return _distinct(
        f"session {names.of(row['session_id'])}" for row in rows if not is_absent(row["session_id"])
    ) or ("the session",)


def _longest(table: Mapping[str, str], path: str) -> str:
    words = path.split(".")
    starts = (".".join(words[:count]) for count in range(len(words), 0, -1))
    return next((table[start] for start in starts if start in table), "")


def _plain(cause: Any) -> str:
    said = text_of(cause, "").rstrip(".")
    return f"{said[:1].lower()}{said[1:]}"


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))
