"""The strip on page one: the state of document, address, identity, screening, bank and payment, in a word or two each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pandas as pd

from kycpack.frames import Frames
from kycpack.frames.rows import records, rows, values_of
from kycpack.models.listed import counted
from kycpack.render.document_parts import Cell
from kycpack.render.origin import count_of, distinct_of, value_of
from kycpack.render.palette import Tone
from kycpack.render.review.accepted_differences import ALIKE, IN_PART_DIFFERENT, in_part_different
from kycpack.render.review.findings import replaced_sessions
from kycpack.render.review.open_matches import absent_categories, lists_not_named
from kycpack.render.review.payment_keys import share_payments
from kycpack.render.review.payments import SMALL
from kycpack.render.review.seen_words import AGE_NOT_SHOWN
from kycpack.render.review.shares import Shares
from kycpack.render.review.subjects import subjects_of
from kycpack.render.wording import is_absent, is_named, level_cell, no_outcome, outcome_cell
from kycpack.triage.judge.findings import standing
from kycpack.triage.levels import CLEAR, HIT, UNKNOWN, highest, rank
from kycpack.wealth.judge.coverage import KNOWN

_ORDERED = {
    "document": ("ordered_document_check",),
    "address": ("ordered_proof_of_address_check",),
    "identity": ("ordered_identity_check", "ordered_enhanced_identity_check"),
    "screening": ("ordered_aml_standard_screening", "ordered_aml_extensive_screening"),
}
# The worst first; an unknown word comes between bad outcomes and outcomes that need a look.
_ALARM, _WATCH = (
    ("match_confirmed", "rejected", "attention"),
    ("consider", "warning", "not_processed", "missing"),
)
# States that are worse than clear, and better than a word that is: clear with findings, details that do not match, counted matches, not
# confirmed, in part different; and not ordered.
_ALARMED, _UNLIKE, _WATCHED, _DIFFERENT, _LAST = 15.0, 16.0, 17.0, 19.0, 30.0
_LESS = 1.5  # how far a state that the provider alone calls clear comes before one that is clear
# Details that are compared between two sources, the one that says most of whose they are first.
_COMPARED = {"name": "Name", "date_of_birth": "Date of birth", "address": "Address", "town": "Town"}
_DIFFERENCES = tuple(
    f"{detail} {how}" for how in ("does not match", IN_PART_DIFFERENT) for detail in _COMPARED.values()
)


class _Objection(NamedTuple):
    session: str | None
    level: str
    outcome: str
    difference: str
    """The detail that differs and how, one of `_DIFFERENCES`; empty for another objection."""
    title: str
    is_hold: bool


_Against = Mapping[str, Sequence[_Objection]]

NAME_NOT_SHOWN = "name used not shown"
"""What is said beside the state of a screening of which it matters which name was searched."""
SOURCE_OPEN = "Source not known"
"""What is said first of bank data without a red flag while the source of most credits is not established."""
_NO_DATE = "list date not shown"
_NO_AGE = "date of proof not shown"
BY_PROVIDER_ALONE = "Clear by provider"
"""What is said of a part that the provider calls clear, while a piece of it that this pack would need is not shown."""
_NOT_KNOWN = Cell("Unknown value", Tone.UNKNOWN)
_NOT_DETERMINED = Cell("Not determined", Tone.UNKNOWN)
_ANSWERS = {
    "not supported": Cell("Not supported", Tone.ALARM),
    "cannot tell": _NOT_DETERMINED,
    SMALL: Cell("Not supported", Tone.WATCH),
    "partly supported": Cell("Partly supported", Tone.WATCH),
    "supported": Cell("Supported", Tone.GOOD),
}


class State(NamedTuple):
    """The state of a part in a session, and its place: the worst states have the lowest."""

    place: float
    cell: Cell

    def __lt__(self, other: tuple[Any, ...]) -> bool:
        return bool(self.place < other[0])


States = Mapping[str, Mapping[str, State]]
"""The state of each part of the results, by session id and part."""


def check_strip(
    frames: Frames,
    flags: pd.DataFrame,
    answers: Iterable[str],
    findings: pd.DataFrame,
    states: States,
    *,
    is_source_open: bool = False,
) -> tuple[tuple[str, Cell], ...]:
    """Return the six parts of the strip, each with its state in words.

    A part whose own results are fine is not shown as fine if there is a finding about it. What the results show is the worst state of
    the sessions.

    Args:
        frames: Frames of one customer.
        flags: The customer's red flags.
        answers: For each payment, whether it is supported by what was observed.
        findings: The customer's findings, as returned by `triage.findings_frame`.
        states: As returned by `session_states`.
        is_source_open: As returned by the function of that name.
    """
    against = _findings_against(findings)
    bank = _with_difference(_beside(_bank(frames, flags), against, "bank"), findings)
    if is_source_open and bank.tone == Tone.GOOD:
        beside = bank.text.partition(", ")[2] or "no red flag"
        bank = replace(bank, text=f"{SOURCE_OPEN}, {beside}", tone=Tone.UNKNOWN)
    if ", " not in bank.text and not flags.empty and share_payments(flags):
        bank = _with_words(bank, "some share payments")
    payment = _beside(_payment(frames, set(answers)), against, "payment")
    if payment.tone == Tone.GOOD:  # the service names no payee
        payment = replace(_with_words(payment, "payee not known"), tone=Tone.WATCH)
    replaced = replaced_sessions(findings).keys()
    # What a replaced session left open is not missing.
    counted = [
        cells for id_, cells in states.items() if id_ not in replaced or _has_results(frames, id_)
    ] or [*states.values()]
    none = State(0, Cell("No session", Tone.UNKNOWN))
    parts = (
        *((part, min((one[part] for one in counted), default=none).cell) for part in _ORDERED),
        ("bank", bank),
        ("payment", payment),
    )
    return tuple((part.title(), cell) for part, cell in parts)


def is_source_open(shares: Iterable[Shares], limits: pd.DataFrame) -> bool:
    """Return whether the source of most credits of a currency is not established, where the policy asks about it.

    Args:
        shares: How much of the credits is of known nature, one entry a currency.
        limits: Frame `limits` of the customer.
    """
    asked = {row.currency for row in rows(limits, "code", "currency") if row.code == "nature_not_known"}
    return any(one.currency in asked and 2 * one.natures[KNOWN] < one.total_minor for one in shares)


def session_states(frames: Frames, findings: pd.DataFrame, *, name_in_doubt: bool = False) -> States:
    """Return the state of document, address, identity and screening in each session, by session id and part.

    The sections of the review show the cells of these, so that they use the words of the strip.

    Args:
        frames: Frames of one customer.
        findings: The customer's findings, as returned by `triage.findings_frame`.
        name_in_doubt: As returned by `is_name_in_doubt`.
    """
    against = _findings_against(findings)
    states = {id_: _of_session(frames, id_, against) for id_ in _session_ids(frames)}
    different = in_part_different(findings)
    for id_, parts in states.items() if different else ():
        shown = {*map(str, values_of(_of(frames.results, id_)["evidence_id"].array))}
        for (part, words), ids in different.items():
            if part in parts and parts[part].cell.tone == Tone.GOOD and not ids.isdisjoint(shown):
                parts[part] = State(_DIFFERENT, _with_words(parts[part].cell, words))
    for row in rows(standing(findings), "outcome", "path", "value", "session_id"):
        if row.outcome == CLEAR and (row.path, row.value) == AGE_NOT_SHOWN:
            place, cell = states[str(row.session_id)]["address"]
            if cell.tone == Tone.GOOD:
                # Worse than each state of an address that is clear, so that no other session hides it.
                states[str(row.session_id)]["address"] = State(place - _LESS, _by_provider(cell, _NO_AGE))
    for id_, words in lists_not_named(frames, findings).items():
        place, cell = states[id_]["screening"]
        states[id_]["screening"] = State(place, _with_words(cell, words))
    for id_, parts in states.items():
        if parts["screening"].cell.tone == Tone.GOOD:
            parts["screening"] = _limited(parts["screening"], id_, findings, name_in_doubt=name_in_doubt)
    return states


def _limited(clear: State, session_id: str, findings: pd.DataFrame, *, name_in_doubt: bool) -> State:
    """Return the state of a screening that is clear, with what that does not cover; not shown as fine where a name or a category may be missing.

    Every pack lacks the date of the lists.
    """
    if name_in_doubt:
        return State(_DIFFERENT, _by_provider(clear.cell, NAME_NOT_SHOWN))
    absent = absent_categories(findings).get(session_id)
    if not absent:
        return State(clear.place, _with_words(clear.cell, _NO_DATE))
    titles = sorted({title for _, title in absent})
    words = f"{counted(len(titles), 'category', 'categories')} not seen"
    origin = distinct_of("findings", "title", outcome=CLEAR, session_id=session_id, title=titles)
    cell = _by_provider(clear.cell, words)
    return State(_DIFFERENT, replace(cell, origins=(*cell.origins, origin)))


def _session_ids(frames: Frames) -> tuple[str, ...]:
    ids = (values_of(frame["session_id"].array) for frame in (frames.sessions, frames.results))
    return tuple(dict.fromkeys(str(id_) for each in ids for id_ in each))


def _has_results(frames: Frames, session_id: str) -> bool:
    return not _of(frames.results, session_id).empty


def _of(frame: pd.DataFrame, session_id: str) -> pd.DataFrame:
    """Return the rows of one session; they are mostly all there are."""
    own = [one == session_id for one in map(str, values_of(frame["session_id"].array))]
    return frame if all(own) else frame[own]


def _of_session(frames: Frames, session_id: str, against: _Against) -> dict[str, State]:
    own = {name: _of(getattr(frames, name), session_id) for name in ("sessions", "results", "screening")}
    alone = replace(frames, **own)
    return {part: _with_findings(_section(alone, part), against, part, session_id) for part in _ORDERED}


def _with_findings(state: State, against: _Against, part: str, session_id: str) -> State:
    cell = _beside(state.cell, against, part, session_id)
    if cell == state.cell:
        return state
    if state.cell.tone != Tone.GOOD:
        return State(min(state.place, _ALARMED if cell.tone == Tone.ALARM else _UNLIKE), cell)
    unlike = cell.text in _DIFFERENCES
    return State(_ALARMED if cell.tone == Tone.ALARM else _UNLIKE if unlike else _WATCHED, cell)


def _with_words(cell: Cell, words: str) -> Cell:
    return replace(cell, text=f"{cell.text}, {words}")


def _by_provider(clear: Cell, not_shown: str) -> Cell:
    """Return the state of a part that the provider alone calls clear; the annex does not count it as clear either."""
    beside = clear.text.removeprefix("Clear").removeprefix(", ")
    words = f"{beside[:1].upper()}{beside[1:]}" or BY_PROVIDER_ALONE
    return replace(clear, text=f"{words}, {not_shown}", tone=Tone.UNKNOWN)


def _findings_against(findings: pd.DataFrame) -> _Against:
    """Return the findings against approval, by the part of the strip that they are about."""
    found: dict[str, list[_Objection]] = defaultdict(list)
    for row in rows(findings, "outcome", "level", "path", "superseded_by", "session_id", "title", "action"):
        stands = row.outcome in {HIT, UNKNOWN} and is_absent(row.superseded_by)
        if stands and rank(str(row.level)) > rank("approve"):
            session = None if is_absent(row.session_id) else str(row.session_id)
            difference = _difference(str(row.path)) if row.outcome == HIT else ""
            for part in subjects_of(str(row.path)):
                one = session, str(row.level), str(row.outcome), difference, str(row.title)
                found[part].append(_Objection(*one, row.action == "hold"))
    return found


def _difference(path: str) -> str:
    """Return which detail of two sources differs and how, by the path of the finding; empty for any other path."""
    root, detail, *about = f"{path}.".split(".")
    if root != "consistency" or detail not in _COMPARED:
        return ""
    return f"{_COMPARED[detail]} {IN_PART_DIFFERENT if about[0] == ALIKE else 'does not match'}"


def _beside(cell: Cell, against: _Against, part: str, session_id: str | None = None) -> Cell:
    """Return the cell, with what stands against a part: findings, or checks that could not be evaluated.

    A detail that differs is said of any part; the rest only of a part that is fine otherwise. What stands against a part gives it the tone of
    its level, unless its own is harder or says that it is not known.

    Args:
        cell: The cell.
        against: From `_findings_against`.
        part: The part.
        session_id: The session that the cell is about; findings about another one do not count. None for all.
    """
    mine = [
        one
        for one in against.get(part, ())
        if one.session is None or session_id is None or one.session == session_id
    ]
    if not mine:
        return cell
    unlike = next((one for one in _DIFFERENCES if one in {each.difference for each in mine}), "")
    tone = level_cell(highest(one.level for one in mine)).tone
    if cell.tone != Tone.GOOD:
        harder = tone if cell.tone == Tone.WATCH else cell.tone
        text = f"{cell.text}, {unlike[0].lower()}{unlike[1:]}" if unlike else cell.text
        found = {level_cell(one.level).tone for one in mine if one.outcome == HIT}
        # A harder colour of what could not be evaluated alone would be read as that of the state.
        open_alone = harder != cell.tone and harder not in found
        said = replace(cell, text=text, tone=harder)
        return _with_open(said, mine) if open_alone else said
    if unlike:
        return replace(cell, text=unlike, tone=tone)
    # What is against a part matters more than what is said beside it otherwise.
    said = replace(cell, text=cell.text.partition(", ")[0], tone=tone)
    is_alarm = part == "bank" and tone == Tone.ALARM
    if not any(one.outcome == HIT for one in mine):
        # What has no red flag is not red, unless the policy holds the case for what could not be evaluated.
        is_held = is_alarm and any(one.is_hold for one in mine)
        mild = replace(said, tone=Tone.WATCH) if is_alarm and not is_held else said
        open_ = _with_open(mild, mine, is_first=True)
        return _after("On hold", open_) if is_held else open_
    if is_alarm:
        return replace(said, text="Open question")
    return _after("Open question" if part == "bank" else "See findings", said)


def _after(words: str, cell: Cell) -> Cell:
    """Return a cell that was fine, after what it is coloured for: the first words of a tile are its head."""
    return replace(cell, text=f"{words}, {cell.text[0].lower()}{cell.text[1:]}")


def _with_open(cell: Cell, against: Sequence[_Objection], *, is_first: bool = False) -> Cell:
    """Return the cell with how many checks could not be evaluated, before its own words or after them."""
    titles = sorted({one.title for one in against if one.outcome == UNKNOWN})
    origin = distinct_of("findings", "title", outcome=UNKNOWN, superseded_by=None, title=titles)
    words = f"{counted(len(titles), 'check')} open"
    said = _after(words, cell) if is_first else _with_words(cell, words)
    return replace(said, origins=(*cell.origins, origin))


def _section(frames: Frames, section: str) -> State:
    """Return the state of a section in the frames of one session."""
    sessions = records(
        frames.sessions, "session_id", "status", "order_known", "identity_confirmed", *_ORDERED[section]
    )
    outcomes = [_word(row[f"{section}_outcome"]) for row in records(frames.results, f"{section}_outcome")]
    known = all(session["order_known"] for session in sessions)
    ordered = any(session[check] for session in sessions for check in _ORDERED[section])
    if known and not ordered and not set(outcomes) - {"missing"}:
        return State(_LAST, Cell("Not ordered", Tone.UNKNOWN))
    words = outcomes or ["missing"]
    if section == "screening":
        words += [_word(value) for value in values_of(frames.screening["value"].array)]
    worst = min(words, key=_badness)
    # An unknown word may be of any length; it is shown in full among the checks that are not clear.
    if worst == "missing":
        absent = no_outcome(sessions[0]["status"] if sessions else None)
        return State(_badness(worst) + _waits(absent) / 10, absent)
    cell = outcome_cell(worst) if is_named(worst) else _NOT_KNOWN
    counts = frames.results["screening_match_count"].dropna()
    matches = int(counts.max()) if section == "screening" and len(counts) else 0
    if matches > 0 and cell.tone == Tone.GOOD:
        origin = value_of("results", "screening_match_count")
        return State(
            _WATCHED - 1 / (1 + matches),
            Cell(counted(matches, "match", "matches"), Tone.WATCH, origins=(origin,)),
        )
    denied = section == "identity" and any(session["identity_confirmed"] is False for session in sessions)
    if denied and cell.tone == Tone.GOOD:
        return State(_WATCHED, Cell("Not confirmed", Tone.WATCH))
    return State(_badness(worst), cell)


def _waits(absent: Cell) -> int:
    """Return the place of an absent outcome: what a complete session lacks comes first, then what is still to come."""
    return ("Missing", "No result yet", "No result").index(absent.text)


def _word(value: object) -> str:
    return "missing" if is_absent(value) else str(value)


def _badness(word: str) -> int:
    if word in _ALARM:
        return _ALARM.index(word)
    if word in _WATCH:
        return 10 + _WATCH.index(word)
    return 20 if word in {"clear", "0", "false"} else 5


def _bank(frames: Frames, flags: pd.DataFrame) -> Cell:
    if not flags.empty:
        tone = level_cell(highest(map(str, flags["severity"]))).tone
        return Cell(counted(len(flags), "red flag"), tone, origins=(count_of("flags"),))
    if not frames.transactions.empty:
        return Cell("No red flag", Tone.GOOD)
    if frames.accounts.empty:
        return Cell("Not looked at", Tone.UNKNOWN)
    return Cell("Nothing seen" if frames.balances.empty else "Balance only", Tone.UNKNOWN)


def _with_difference(bank: Cell, findings: pd.DataFrame) -> Cell:
    """Return the state of the bank data, with a holder's name that is in part different although no rule objects."""
    words = next((words for part, words in in_part_different(findings) if part == "bank"), "")
    return _with_words(bank, words) if words and bank.tone == Tone.GOOD else bank


def _payment(frames: Frames, answers: set[str]) -> Cell:
    if frames.payments.empty:
        return Cell("None known", Tone.UNKNOWN)
    return next((cell for answer, cell in _ANSWERS.items() if answer in answers), _NOT_DETERMINED)
