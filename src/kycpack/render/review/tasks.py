"""What has to be found out or obtained about a finding, in words that the person who has to do it can act on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kycpack.frames import Frames
from kycpack.frames.answer_members import SECTIONS
from kycpack.frames.rows import records, values_of
from kycpack.models.enums import OPEN_SESSIONS, SessionState
from kycpack.render.review.short_names import ShortNames
from kycpack.render.review.sums import Sums
from kycpack.render.review.task_kinds import Kind, Task
from kycpack.render.review.task_things import LINKED_TWICE, quoted_head, things_of
from kycpack.render.wording import is_absent, text_of
from kycpack.triage.judge.sentences import label_of, value_words
from kycpack.triage.paths import OWN_ROOTS, SOURCE_FOUND, UNNAMED_MATCHES

_OF_SECTIONS = frozenset({Kind.SCREENING, Kind.SECTION})
_ACCESS = "have the customer give access to a bank account"
_BANK_ACCESS = Task(_ACCESS)
_BACKGROUND = Task("establish the background and purpose of {}, with evidence", kind=Kind.CREDITS)
_CHECKED = {
    "document": "the document check",
    "address": "the address check",
    "identity": "the identity check",
    "screening": "the screening",
}
COMPLETE = Task("have the customer complete {}", kind=Kind.COMPLETION)
"""The task of a customer who has an open session."""
REPORT = "decide as nominated officer whether to report to the National Crime Agency"
"""What the MLRO does about a report."""
REPORT_UNSEEN = f"{REPORT}: the checks that look for grounds could not all be completed"
"""What the MLRO decides where the checks could not show it."""
_ANY_SESSION = Task("have the customer complete a session")
_SEEN = "look at the results of {} in the new pack"
_SCREENING_SEEN = "review the screening of {} in the new pack"
_ENTRY = Task(
    "check with the provider whether any match on {} is this person (the list, its date, the name and the date of birth)",
    kind=Kind.MATCH,
)
_RECORD = Task(
    "find out the customer's name, correct it on the customer record, and have the names compared again"
)
_NAME_ON_RECORD = re.compile("The name on the customer record .*cannot be read as a name")
_ONE_PERSON = Task("find out whether the names on {} are of one person", kind=Kind.NAMES)
_OFFICE = Task(
    "check with the provider whether any match is this person and for which office, and establish the source of wealth and of funds",
    kind=Kind.OFFICE,
)
_WHICH_LIST = Task(
    "find out from the provider on which list each match is, and check whether it is this person",
    kind=Kind.WHICH_LIST,
)
_BESIDE_LISTS: Mapping[Kind, str] = {
    Kind.OFFICE: "if a match is this person, find out for which office, and establish the source of wealth and of funds",
}
"""What is asked of a match for which the provider is asked already on which list it is."""
_FURTHER_LIST = replace(
    _WHICH_LIST,
    words="find out from the provider on which list each further match is, and check whether it is this person",
)
_SOURCE_OF_WEALTH = Task("get documents that prove the source of wealth")
_PAYMENT = Task("get documents that show where the money of {} comes from", kind=Kind.PAYMENT)
_MEANING = Task("ask the provider what {} means", kind=Kind.MEANING, is_contact=False)
_VALID = Task("get a valid identity document from the customer, and have it checked")
_RESULTS = Task("get the results that were ordered and are missing from {}")
_AGAIN = Task("request again what was not received or could not be read", is_contact=False)
# What to find out about something that was found, by the beginning of its path; the longest match counts.
_FOUND: Mapping[str, Task] = {
    "screening": Task(
        "ask the provider what stands behind the screening result, and decide whether it is about this person",
        kind=Kind.SCREENING,
        is_contact=False,
    ),
    "screening.summary.watchlist": _ENTRY,
    "screening.summary.pep": _OFFICE,
    "screening.summary.adverseMedia": Task(
        "get the reports behind the adverse media from the provider, and decide whether they are about this person and how serious they are",
        is_contact=False,
    ),
    "screening.matchCount": _WHICH_LIST,
    UNNAMED_MATCHES: _WHICH_LIST,
    "plausible.sanctions_entries": Task(
        "check with the provider whether the entries of sanctions lists in the results are about this person",
        kind=Kind.ENTRIES,
    ),
    "risk.pep": Task("record the public office, and establish the source of wealth and of funds"),
    "session": Task("ask the provider what happened in {}", is_contact=False),
    "session.status": COMPLETE,
    "session.identity_completed": COMPLETE,
    "session.ais_completed": _BANK_ACCESS,
    "session.identity_confirmed": Task(
        "have the customer repeat the identity check, and ask the provider why the identity was not confirmed"
    ),
    "session.age_days": Task("have the checks of {} made again, because they are too old"),
    "session.screening_depth": Task("have the screening made in the depth that was ordered"),
    "requested": _RESULTS,
    "requested.bank": _BANK_ACCESS,
    "diligence.bank": Task(f"{_ACCESS}, which enhanced due diligence needs"),
    "diligence.completion": _ANY_SESSION,
    "document": Task(
        "get another identity document from the customer, and ask the provider what is wrong with the first one",
        kind=Kind.SECTION,
    ),
    "document.contentAnalysis.expirationDateCheck": _VALID,
    "expiry": _VALID,
    "plausible": Task(
        "compare the details with the pictures of the documents, and ask the provider about those that disagree",
        is_contact=False,
    ),
    "plausible.refusals": Task("ask the provider why it refused the customer", is_contact=False),
    "plausible.specimens": Task(
        "look at the pictures of the documents for the detail where the results have a specimen, a test value or a remark",
        is_contact=False,
    ),
    "address": Task(
        "get another, recent proof of address in the customer's name, and have it checked", kind=Kind.SECTION
    ),
    "address.geoLocationAnalysis": Task("find out where the customer was when the check was made, and why"),
    "identity": Task(
        "have the customer repeat the identity check, and ask the provider what is wrong with the face comparison",
        kind=Kind.SECTION,
    ),
    "age": Task("check the date of birth against the identity document", is_contact=False),
    "country": Task("find out where the customer lives and what ties the customer has to the country"),
    "consistency.name": _ONE_PERSON,
    "consistency.date_of_birth": Task(
        "find out which date of birth is right, and correct the record if it is wrong"
    ),
    "consistency.address": Task(
        "find out at which address the customer lives, and correct the record if it is wrong"
    ),
    "consistency.town": Task(
        "find out in which town the customer lives, and correct the record if it is wrong"
    ),
    "bank": _BANK_ACCESS,
    "bank.history_days": _SOURCE_OF_WEALTH,
    "bank.access_days": Task("have the customer renew the access to the bank account"),
    "wealth": _SOURCE_OF_WEALTH,
    "wealth.flags": _BACKGROUND,
    "wealth.questions.pay_beside_benefit": Task(
        "ask the customer what the payments beside the benefit are and how, if they are pay, both could be paid at the same time, with evidence",
        kind=Kind.BENEFIT,
    ),
    LINKED_TWICE: Task(
        "ask the customer and the bank whether accounts are one ({}), and count their payments once if they are",
        kind=Kind.ACCOUNTS,
    ),
    "wealth.silent_account": Task(
        "ask the customer and the bank why there is no transaction of {} between the days that the finding gives, and get the statements of that time from the bank",
        kind=Kind.ACCOUNTS,
    ),
    "wealth.payment_support": _PAYMENT,
    "gaps": _AGAIN,
    "gaps.bank.other_currency": Task(
        "find out from the provider in which currency the account is kept", is_contact=False
    ),
    "gaps.register.document_shared": Task("find out to which of the customers the identity document belongs"),
    "gaps.register.same_person": Task("find out whether the two customers are one person"),
    "gaps.register.decided_otherwise": Task(
        "find out whether the two customers are one person, and why they were decided differently"
    ),
    "gaps.register.rejected_before": Task(
        "find out why the customer was rejected before, and whether the reason still holds"
    ),
}
_DETAILS = {
    "name": "names",
    "date_of_birth": "dates of birth",
    "address": "addresses",
    "town": "towns",
}
# The same for something that could not be evaluated.
_MISSING: Mapping[str, Task] = {
    **{
        section: Task(f"get the missing results of {check} from the provider", is_contact=False)
        for section, check in _CHECKED.items()
    },
    "risk.pep": Task("record in the firm's file whether the customer is politically exposed"),
    "session": Task("ask the provider for the record of {}", is_contact=False),
    "session.status": COMPLETE,
    "session.identity_confirmed": Task(
        "ask the provider whether the identity was confirmed in {}", is_contact=False
    ),
    "session.screening_depth": Task("ask the provider how deep the screening went", is_contact=False),
    "requested": _RESULTS,
    "requested.bank": Task("find out whether the customer gave access to a bank account"),
    "diligence.bank": Task(f"order bank access and {_ACCESS}, which enhanced due diligence needs"),
    "diligence.completion": _ANY_SESSION,
    "expiry": Task("find out when the identity document expires"),
    "plausible": Task(
        "look at the pictures of the documents for {}, which could not be checked",
        kind=Kind.CHECKS,
        is_contact=False,
    ),
    "age": Task("find out the date of birth"),
    "country": Task(
        "find out the country of residence, the nationality and the country that issued the document"
    ),
    **{
        f"consistency.{detail}": Task(
            f"find out the {several} on {{}}, which could not be compared, and compare them", kind=Kind.NAMES
        )
        for detail, several in _DETAILS.items()
    },
    "bank": Task("find out whether there is bank data, and get it"),
    "bank.history_days": _SOURCE_OF_WEALTH,
    "wealth": Task("get the bank data and have it analysed"),
    SOURCE_FOUND: _SOURCE_OF_WEALTH,
    "wealth.payment_support": _PAYMENT,
    "gaps": _AGAIN,
}
_ON_LISTS = re.compile("sanction|watchlist|terror|pep|politically|screen|monitoring", re.IGNORECASE)
_WRONG_SUBJECT = ("gaps.", ".wrong_subject")
_NOT_RUN = "not_processed"
_MOST_APART = 3  # tasks of one cause that are given one by one


def tasks_of_hit(
    rows: Sequence[Mapping[Any, Any]],
    text: str,
    names: ShortNames,
    absent: Mapping[str, Task],
    sums: Sums,
    earlier: str = "",
) -> tuple[Task, ...]:
    """Return the tasks of findings that say the same.

    Args:
        rows: Their rows in frame `findings`.
        text: What they say.
        names: Short names of sessions.
        absent: As returned by `sessions_without_results`.
        sums: What findings are about.
        earlier: The message of an earlier red flag that rests on the same payments, which are asked about once; empty for none.
    """
    path = text_of(rows[0]["path"], "")
    if path.startswith(_WRONG_SUBJECT[0]) and path.endswith(_WRONG_SUBJECT[1]):
        return (Task("find out from the provider about whom the data is, and request it again"),)
    values = _values(text)
    if path.partition(".")[0] in SECTIONS and text_of(rows[0]["action"], "") == "decline" and values:
        return (replace(_MEANING, things=(values,)),)
    task = _longest(_FOUND, path)
    if task is None and text_of(rows[0]["action"], "") == "hold" and _ON_LISTS.search(path):
        return (_WHICH_LIST,)  # a section that nobody knows
    if task is None:
        return (Task("find out what stands behind {}", (quoted_head(text),)),)
    if task.kind == Kind.WHICH_LIST and sums.named.issuperset(str(row["session_id"]) for row in rows):
        return (replace(task, kind=Kind.COUNTED),)
    made = _about(task, path, rows, text, names, absent, sums)
    if task.kind == Kind.CREDITS:
        said = [text_of(row["sentence"], "") for row in rows]
        made = replace(made, txns=frozenset().union(*map(sums.transactions_of, (*said, earlier))))
    if task.kind == Kind.BENEFIT:
        made = replace(made, txns=sums.beside)
    if task.kind == Kind.CREDITS and earlier:
        made = replace(made, things=sums.credits_of(earlier) or (quoted_head(earlier), *made.things))
    return (made,)


def tasks_of_unknown(
    rows: Sequence[Mapping[Any, Any]],
    names: ShortNames,
    absent: Mapping[str, Task],
    sums: Sums,
    *,
    internal: bool,
) -> tuple[Task, ...]:
    """Return the tasks of checks that could not be evaluated for one cause.

    Args:
        rows: Their rows in frame `findings`.
        names: Short names of sessions.
        absent: As returned by `sessions_without_results`.
        sums: What findings are about.
        internal: Whether they stay inside the firm.
    """
    sections = {text_of(row["path"], "").partition(".")[0] for row in rows} & {*SECTIONS, "**", "session"}
    without = tuple(dict.fromkeys(str(row["session_id"]) for row in rows if str(row["session_id"]) in absent))
    if without and sections:
        got = replace(absent[without[0]], things=tuple(f"session {names.of(id_)}" for id_ in without))
        if internal:
            return (Task(REPORT_UNSEEN, before=got, kind=Kind.REPORT),)
        return (Task(_SCREENING_SEEN if "screening" in sections else _SEEN, got.things, got),)
    if internal:
        return (Task(REPORT_UNSEEN, kind=Kind.REPORT),)
    corrected = (_RECORD,) if _NAME_ON_RECORD.match(text_of(rows[0]["cause"], "")) else ()
    found = tuple(dict.fromkeys((*corrected, *(_missing(row, names, absent, sums) for row in rows))))
    if len(found) <= _MOST_APART:
        return found
    return (Task("get what the checks could not see: {}", (_plain(rows[0]["cause"]),)),)


def sessions_without_results(frames: Frames) -> dict[str, Task]:
    """Return what has to be done about each session that has no results, by id, without what it is about."""
    seen = {str(id_) for id_ in values_of(frames.results["session_id"].array)}
    return {
        str(row["session_id"]): COMPLETE
        if text_of(row["status"], "") in OPEN_SESSIONS
        else Task("have the customer complete a new session in place of {}")
        if text_of(row["status"], "") == SessionState.EXPIRED
        else Task("request the record and the results of {} again")
        for row in records(frames.sessions, "session_id", "status")
        if str(row["session_id"]) not in seen
    }


def tasks_of_matter(
    own: tuple[Task, ...], lesser: Iterable[Task], rules: tuple[str, ...]
) -> tuple[Task, ...]:
    """Return the tasks of a matter: its own, unless they only speak of a whole section and lesser reasons say more; and to find out on which list a match is.

    Args:
        own: The tasks of the reason that governs it.
        lesser: The tasks of the reasons under it.
        rules: Which of these asks on which list a match is.
    """
    said = tuple(dict.fromkeys(lesser))
    if said and all(one.kind in _OF_SECTIONS for one in own):
        return said
    if not any(one.kind == Kind.WHICH_LIST for one in said):
        return own
    is_further = any(one.kind == Kind.MATCH for one in own)
    which = replace(_FURTHER_LIST, rules=rules) if is_further else _WHICH_LIST
    mine = (replace(one, words=_BESIDE_LISTS.get(one.kind, one.words)) for one in own)
    return tuple(dict.fromkeys((*mine, which)))


def _values(text: str) -> str:
    """Return what a sentence gives after its colon, without its evidence."""
    return text.partition(": ")[2].rpartition(" (")[0] if text.endswith(")") else text.partition(": ")[2]


def _missing(row: Mapping[Any, Any], names: ShortNames, absent: Mapping[str, Task], sums: Sums) -> Task:
    path, value = text_of(row["path"], ""), row["value"]
    root = path.partition(".")[0]
    if root not in OWN_ROOTS and not is_absent(value) and str(value) != "null":
        if str(value) == _NOT_RUN:
            return Task("have the check made that did not run: {}", (label_of(path),))
        return Task(
            "ask the provider what the value {} means",
            (f"{value_words(value)} of the {label_of(path)}",),
            kind=Kind.ENTRIES if root == "screening" else Kind.OTHER,
        )
    task = _longest(_MISSING, path)
    if task is None:
        return Task("find out what could not be evaluated: {}", (quoted_head(text_of(row["title"])),))
    return _about(task, path, (row,), "", names, absent, sums)


def _about(
    task: Task,
    path: str,
    rows: Sequence[Mapping[Any, Any]],
    text: str,
    names: ShortNames,
    absent: Mapping[str, Task],
    sums: Sums,
) -> Task:
    """Return a task with what it is about; a session that cannot be completed any more is replaced, or requested again."""
    things = things_of(task, path, rows, text, names, sums)
    is_completion = task.kind == Kind.COMPLETION
    return replace(absent.get(str(rows[0]["session_id"]), task) if is_completion else task, things=things)


def _longest(table: Mapping[str, Task], path: str) -> Task | None:
    words = path.split(".")
    starts = (".".join(words[:count]) for count in range(len(words), 0, -1))
    return next((table[start] for start in starts if start in table), None)


def _plain(cause: Any) -> str:
    said = text_of(cause, "").rstrip(".")
    return f"{said[:1].lower()}{said[1:]}"
