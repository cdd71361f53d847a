"""The checks that are clear, and those that looked at nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from types import MappingProxyType
from typing import Any, NamedTuple

import pandas as pd

from kycpack.frames.answer_members import SECTIONS
from kycpack.frames.rows import records
from kycpack.models.listed import listed
from kycpack.render.document_parts import Cell, Paragraph
from kycpack.render.origin import Given, value_of
from kycpack.render.palette import Tone
from kycpack.render.review.check_strip import BY_PROVIDER_ALONE, States
from kycpack.render.review.compared_pairs import Pairs, pairs_of, verdicts_by_pair
from kycpack.render.review.compared_values import compared_values, difference_words, values_of, with_values
from kycpack.render.review.decision_section import FROM_RECORD
from kycpack.render.review.open_matches import NUMBERS, SCREENING_CATEGORIES
from kycpack.render.review.same_matter import NO_OPPOSITION, Objection, Opposition, is_reportable
from kycpack.render.review.seen_words import (
    AGE_NOT_SHOWN,
    BY_PROVIDER,
    NAME_ON_PROOF,
    NO_BANK_DATA_NEEDED,
    NOT_SEARCHED,
    NOTHING_TO_COMPARE,
    SHARED,
    SILENT,
    clear_words,
    skipped_words,
)
from kycpack.render.review.settled import without_verdict
from kycpack.render.review.short_names import ShortNames
from kycpack.render.wording import is_absent, sentence_case, text_of
from kycpack.triage.judge.findings import standing
from kycpack.triage.levels import CLEAR, HIT, NOT_APPLICABLE, UNKNOWN
from kycpack.triage.likeness import SIMILAR
from kycpack.triage.paths import LEVEL, SOURCE_FOUND, UNNAMED_MATCHES
from kycpack.wealth.judge.support import SHOWN_BY_SENDER

_CLEAR_WITH = "clear, with "
_LINKED = "wealth.linked_twice"
_NOT_CLEAR = "These checks had nothing to look at, and do not count as clear."
_SEARCHED = frozenset({"gaps", _LINKED, SILENT})  # a register, or all accounts, in which nothing was found
_ON_WORDS = "not clear: it rests on the sender's words alone, so documents have to be seen"
_OPEN = ("diligence.completion", "open")
NOT_COMPLETE = "not complete: a session is still open"
"""What is said of due diligence that another rule objects to as it is not complete."""
# Values that no rule objects to, but which show that nothing was there to look at.
_NOTHING_SEEN = frozenset(
    {
        ("requested", "not_ordered"),
        NO_BANK_DATA_NEEDED,
        _OPEN,
        ("bank.expected", "false"),
    }
)
# Checks that say of a part of the strip as a whole that it is clear or complete.
_WHOLE = {
    **{f"{part}.outcome": part for part in SECTIONS},
    "session.identity_completed": "identity",
}
_BY_SERVICE = {"session.identity_completed": "the step itself was finished"}
# Details that say whose something is.
_WHOSE = {"name": "name", "date_of_birth": "date of birth", "address": "address"}
_WRONG_SUBJECT = "gaps.*.wrong_subject"
_SEEN = (
    value_of("consistency", verdict=SIMILAR),
    value_of("findings", "title", outcome=(HIT, UNKNOWN)),
    *NUMBERS,
)


class WithoutObjection(NamedTuple):
    """The checks without an objection, each once with the values seen in all sessions that no later one replaces.

    Attributes:
        clear: Those that are clear, and of which nothing else says more.
        beside: Those that are not clear as a whole, as something else objects to the same thing.
        skipped: Those that looked at nothing.
    """

    clear: list[tuple[Cell, Cell]]
    beside: list[tuple[Cell, Cell]]
    skipped: list[tuple[Cell, Cell]]


class _Objections(NamedTuple):
    """What stands against approval.

    Attributes:
        opposition: What may speak against a check that has no objection of its own.
        unlike: For each finding of a comparison, the detail and its two sources.
        sessions: The sessions of the objections, by the title of the check; empty for the customer.
        name_open: Whether the names on record and document do not match, or could not be compared.
        internal: The rules of the objections that stay inside the firm, and of those that a need for an internal report may rest on.
        open_matches: As returned by `open_matches`.
        names: Short names of sessions.
    """

    opposition: Opposition
    unlike: AbstractSet[tuple[str, ...]]
    sessions: Mapping[str, AbstractSet[str]]
    name_open: bool
    internal: Sequence[str]
    open_matches: Mapping[str, str]
    names: ShortNames


def skipped_paragraph(checks: WithoutObjection) -> Paragraph | None:
    """Return which checks had nothing to look at, by the reason why; None if every one had.

    Args:
        checks: As returned by `without_objection`.
    """
    titles: dict[str, list[str]] = {}
    for title, why in checks.skipped:
        titles.setdefault(why.text, []).append(title.text)
    if not titles:
        return None
    said = ". ".join(
        f"{sentence_case(why)} ({'; '.join(named)})"
        if ": " in why
        else f"{sentence_case(why)}: {'; '.join(named)}"
        for why, named in titles.items()
    )
    origins = tuple(origin for title, _ in checks.skipped for origin in title.origins)
    return Paragraph(f"{_NOT_CLEAR} {said}.", Tone.UNKNOWN, origins)


def not_searched(checks: WithoutObjection) -> tuple[Paragraph, ...]:
    """Return which categories of the screening the results do not have, in a sentence; nothing if they have all that the rules ask about.

    Args:
        checks: As returned by `without_objection`.
    """
    every = (*checks.beside, *checks.skipped)
    titles = [title for title, why in every if why.text.startswith(NOT_SEARCHED)]
    if not titles:
        return ()
    said = "; ".join(title.text for title in titles)
    origins = tuple(origin for title in titles for origin in title.origins)
    words = f"What the results say of the screening does not cover these: {NOT_SEARCHED} ({said})."
    return (Paragraph(words, Tone.UNKNOWN, origins),)


def without_objection(
    findings: pd.DataFrame,
    names: ShortNames,
    consistency: pd.DataFrame,
    states: States,
    opposition: Opposition = NO_OPPOSITION,
    *,
    open_matches: Mapping[str, str] = MappingProxyType({}),
    level_given: bool = True,
    document_seen: bool = True,
) -> WithoutObjection:
    """Return the checks without an objection: those that are clear, those that are not clear as a whole, and those that looked at nothing.

    Args:
        findings: Frame `findings` of one customer.
        names: Short names of sessions and accounts.
        consistency: Frame `consistency` of the customer, for the comparisons that had nothing to compare.
        states: As returned by `session_states`; a check that page one does not call clear is not among the clear ones.
        opposition: What each rule asks about, and the last decision of the case; without the objections, which are those of the findings.
        open_matches: As returned by `open_matches`.
        level_given: Whether the firm said anything from which a level of due diligence follows.
        document_seen: Whether the results give the number of an identity document, which other customers' can be compared with.
    """
    verdicts = verdicts_by_pair(consistency)
    different = compared_values(consistency, names)
    objections = _objections(findings, names, opposition, open_matches)
    clear: dict[str, list[str]] = {}
    beside: dict[str, list[str]] = {}
    skipped: dict[str, list[str]] = {}
    titles: dict[str, set[str]] = {}
    quiet: set[str] = set()  # titles of checks that are less than clear
    apart: dict[str, str] = {}  # sessions in which a check had nothing to look at, by title
    for row in records(
        standing(findings),
        "outcome",
        "session_id",
        "value",
        "title",
        "path",
        "sentence",
        "internal",
        "rule_id",
    ):
        if str(row["outcome"]) in {HIT, UNKNOWN}:
            continue
        said, path = _said(row), text_of(row["path"], "")
        value = None if is_absent(row["value"]) else str(row["value"])
        title = names.within(sentence_case(text_of(row["title"])))
        titles.setdefault(title, set()).add(str(row["title"]))
        pairs = pairs_of(path, opposition.questions.get(str(row["rule_id"]), ()), verdicts)
        looked = str(row["outcome"]) == CLEAR and _looked_at(path, value, pairs)
        looked = looked and (document_seen or path != SHARED)
        session = text_of(row["session_id"], "")
        may_hold_match = path.startswith(SCREENING_CATEGORIES) or path == UNNAMED_MATCHES
        looked = looked or (may_hold_match and session in open_matches)
        is_missing = value is None and path.startswith(SCREENING_CATEGORIES)
        looked = looked or (value is not None and objections.opposition.is_raised(session, path))
        difference = _with_difference(row, different, pairs, consistency) if looked else ""
        words = (
            difference or (value and pairs.said) or clear_words(path, value, said, title)
            if looked
            else skipped_words(path, value, said, str(row["outcome"]), level_given=level_given)
        )
        if difference:
            quiet.add(title)
        apart[title] = apart.get(title, "") if looked else names.of(row["session_id"], "other data")
        whole = states.get(session, {}).get(_WHOLE.get(path, ""))
        other = (
            _beside(row, title, words, objections, None if whole is None else whole.cell) if looked else ""
        )
        partly = looked and pairs.not_compared
        words = f"{NOT_SEARCHED}; {without_verdict(other)}" if other and is_missing else other or words
        if pairs.not_compared and words == NOTHING_TO_COMPARE:
            words = f"{words}: {pairs.not_compared}"
        if partly:
            words = f"{words.removeprefix(_CLEAR_WITH)}; not compared: {pairs.not_compared}"
        words += opposition.reason_beside(path) if looked and not other else ""
        if looked and pairs.no_statement and "statement" in title:
            words += "; there is no statement of the service to compare"
        values = (beside if other or partly else clear if looked else skipped).setdefault(title, [])
        if words not in values:
            values.append(words)

    _put_in_one_place(clear, beside, skipped, apart)

    beside_it = [
        *(origin for parts in states.values() for state in parts.values() for origin in state.cell.origins),
        *([Given(FROM_RECORD)] if open_matches and opposition.decision else []),
    ]

    def cells(seen: dict[str, list[str]], tone: Tone) -> Iterator[tuple[Cell, Cell]]:
        for title, values in seen.items():
            origin = value_of("findings", outcome=(CLEAR, NOT_APPLICABLE), title=titles[title])
            shown = Tone.QUIET if title in quiet else tone
            yield (
                Cell(title, origins=(origin,)),
                Cell(", ".join(values), shown, origins=(origin, *_SEEN, *beside_it)),
            )

    groups = zip((clear, beside, skipped), (Tone.GOOD, Tone.WATCH, Tone.UNKNOWN), strict=True)
    return WithoutObjection(*(list(cells(seen, tone)) for seen, tone in groups))


def _put_in_one_place(
    clear: dict[str, list[str]],
    beside: dict[str, list[str]],
    skipped: dict[str, list[str]],
    apart: Mapping[str, str],
) -> None:
    """Move what one session says of a check to what another session says of it: not clear comes before clear, and clear before nothing to look at."""
    for title in clear.keys() & beside.keys():
        beside[title] = [*clear.pop(title), *beside[title]]
    for seen in (clear, beside):
        for title in seen.keys() & skipped.keys():
            seen[title] += [f"in {apart[title]}: {words}" for words in skipped.pop(title)]


def _objections(
    findings: pd.DataFrame, names: ShortNames, opposition: Opposition, open_matches: Mapping[str, str]
) -> _Objections:
    raised = []
    unlike = set()
    sessions: dict[str, set[str]] = {}
    rows = records(standing(findings), "outcome", "session_id", "path", "title", "rule_id", "internal")
    against = [row for row in rows if str(row["outcome"]) in {HIT, UNKNOWN}]
    for row in sorted(against, key=lambda one: str(one["outcome"]) != HIT):
        session, path = text_of(row["session_id"], ""), str(row["path"])
        title = names.within(sentence_case(text_of(row["title"])))
        raised.append(Objection(str(row["rule_id"]), session, path, title))
        sessions.setdefault(title, set()).add(session)
        if str(row["outcome"]) == HIT and path.startswith("consistency."):
            unlike.add(tuple(path.split(".")[1:]))
    opposed = opposition._replace(objections=tuple(raised))
    reported = (row for row in against if row["internal"] or is_reportable(row))
    internal = [str(row["rule_id"]) for row in reported]
    name_open = any(str(row["path"]).startswith("consistency.name.record.document") for row in against)
    return _Objections(opposed, unlike, sessions, name_open, internal, open_matches, names)


def _beside(
    row: Mapping[Any, Any], title: str, words: str, objections: _Objections, state: Cell | None
) -> str:
    """Return what a check says that something else objects to, or that cannot settle anything; empty for any other check."""
    session, path = text_of(row["session_id"], ""), text_of(row["path"], "")
    if state is not None and state.tone != Tone.GOOD:
        alone = _BY_SERVICE.get(path, "the outcome of the provider alone is clear")
        return state.text if state.text.startswith(BY_PROVIDER_ALONE) else f"{state.text} ({alone})"
    if other := _of_another(session, path, objections):
        return other
    if title in objections.sessions:
        return _of_one_session(session, words, objections.sessions[title], objections.names)
    about_report = row["internal"] and not path.startswith("consistency.")
    inside = objections.internal if about_report else ()
    asked = objections.opposition.questions.get(str(row["rule_id"]), ())
    against = objections.opposition.against(str(row["rule_id"]), session, path, inside)
    is_raised = objections.opposition.is_raised(session, path) and not is_absent(row["value"])
    unseen = path == SOURCE_FOUND and f"shown by {SHOWN_BY_SENDER}" in words
    words = f"{_ON_WORDS}; {words}" if unseen else words
    if is_raised:
        seen = (path, str(row["value"]))  # this rule has no objection to the value, but another one has
        words = NOT_COMPLETE if seen == _OPEN else _said(row)
    if about_report:
        # What staff saw or heard is not in the evidence, so that nothing here can settle whether a report is needed.
        open_ = objections.open_matches.get(session, "")
        return _apart_from((open_, against), _said(row), open_=bool(open_))
    if against and any(one.operator == "forgery" for one in asked):
        words = _apart_from((against,), words)
    elif against or is_raised:
        words += f", {against}" if against else " (the value itself is in “Findings”)"
    not_shown = path.startswith(NAME_ON_PROOF) or (path, row["value"]) == AGE_NOT_SHOWN
    return words if against or is_raised or not_shown or unseen else ""


def _apart_from(found: Sequence[str], said: str, *, open_: bool = False) -> str:
    """Return what was found, and then what was not; a match whose list is not known may be on any list of which none was found."""
    first = "; ".join(one.removeprefix("but ") for one in found if one)
    without = " and without counting any match whose list is not known" if open_ else ""
    return f"{first}; apart from that{without}, {said}" if first else said


def _of_one_session(session: str, words: str, against: AbstractSet[str], names: ShortNames) -> str:
    """Return what a check says in a session, with where the findings of the same check are."""
    others = sorted(names.within(one) for one in against if one)
    if not session or not others or session in against:
        return f"{words} (see “Findings”)"
    return f"in {names.within(session)}: {words}; for {listed(others)} see “Findings”"


def _said(row: Mapping[Any, Any]) -> str:
    """Return the sentence of a check without its title."""
    before, _, after = text_of(row["sentence"]).partition(": ")
    return after or before


def _looked_at(path: str, value: str | None, pairs: Pairs) -> bool:
    """Return whether a rule without objection had something to look at.

    A pattern and a list have been searched even if nothing was found; a single value that is absent was not seen.
    """
    root = path.partition(".")[0]
    if value is not None:
        return path != LEVEL and (path, value) not in _NOTHING_SEEN and (root, value) not in _NOTHING_SEEN
    if path.startswith(SCREENING_CATEGORIES):
        return False  # the results may have further categories, and these are not among them
    if root == "consistency":
        return bool(pairs.verdicts)
    return "*" in path or bool({root, path} & _SEARCHED) or path.startswith("wealth.flags.")


def _of_another(session: str, path: str, objections: _Objections) -> str:
    """Return what a check says beside a finding that the check does not look at: a match that may belong to its category, or a detail that does not match; empty for any other check."""
    open_ = objections.open_matches.get(session, "")
    if open_ and (path.startswith(SCREENING_CATEGORIES) or path == UNNAMED_MATCHES):
        return open_
    unlike = objections.unlike
    if path.startswith(NAME_ON_PROOF) and objections.name_open:
        return f"{BY_PROVIDER}, and the names on record and document do not match or could not be compared (see “Findings”)"
    root, *about = path.split(".")
    if root == "consistency" and "likeness" in about:
        detail, _, *sources = about
        found = {one[0] for one in unlike if one[0] == detail and ("bank" in one) == ("bank" in sources)}
        said = ""
    else:
        found = {one[0] for one in unlike} if path == _WRONG_SUBJECT else set()
        said = "none by the ids of the answers"
    words = next((words for detail, words in _WHOSE.items() if detail in found), "")
    if words and not said:
        return f"the {words} does not match, which is more than a small difference (see “Findings”)"
    return f"{said}, but the {words} does not match (see “Findings”)" if words else ""


def _with_difference(
    row: Mapping[Any, Any],
    different: Mapping[tuple[str, str], tuple[str, ...]],
    pairs: Pairs,
    consistency: pd.DataFrame,
) -> str:
    """Return the difference that a rule has no objection to, with the compared values; empty for any other check."""
    path, value = text_of(row["path"], ""), text_of(row["value"], "")
    if path.startswith("consistency.") and ".likeness." not in path and pairs.is_similar(value):
        return pairs.said or "similar, not equal"
    if ".likeness." not in path or not value:
        return ""
    difference = (
        f"{_CLEAR_WITH}a difference that the policy accepts: {difference_words(consistency, path, value)}"
    )
    return with_values(difference, values_of(row, different))
