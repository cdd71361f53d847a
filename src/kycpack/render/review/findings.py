"""Findings as criterion, condition and evidence; the consistency of sources; and the checks that are clear."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from math import inf
from typing import Any

import pandas as pd

from kycpack.frames import Frames
from kycpack.frames.rows import records
from kycpack.render.document_parts import (
    Block,
    Cell,
    Paragraph,
    Section,
    Subheading,
    TableColumn,
    resting_on,
    table,
)
from kycpack.render.origin import count_of, distinct_of, value_of
from kycpack.render.palette import Tone
from kycpack.render.review.reasons import Reason, Unknown, with_evidence
from kycpack.render.review.short_names import ShortNames
from kycpack.render.wording import (
    DASH,
    cell_of,
    dated_words,
    is_absent,
    joined,
    level_cell,
    outcome_cell,
    sentence_case,
    text_of,
    value_words,
)
from kycpack.triage.countries import country_words
from kycpack.triage.judge.findings import standing
from kycpack.triage.levels import CLEAR, HIT, NOT_APPLICABLE, UNKNOWN, rank
from kycpack.triage.likeness import WORDS
from kycpack.triage.paths import LEVEL, PAYMENT_SUPPORT
from kycpack.triage.policies.legal_sources import LegalSource
from kycpack.wealth.judge.red_flags.flag import counted

_NUMBER = TableColumn("In the decision", 0.8)
_HITS = (
    TableColumn("Finding, with value and evidence", 4.6),
    TableColumn("Rule and basis", 2.4),
    TableColumn("Calls for", 1.3),
    TableColumn("Owner and action", 1.5),
)
_UNKNOWNS = (
    TableColumn("Cause", 2.2),
    TableColumn("What could not be evaluated", 4.0),
    TableColumn("Calls for", 1.2),
    TableColumn("Owner", 0.9),
    TableColumn("Session", 0.8),
    TableColumn("Evidence", 0.9),
)
_CLEAR = (
    TableColumn("Check", 2.4),
    TableColumn("Seen", 1.8),
    TableColumn("Check", 2.4),
    TableColumn("Seen", 1.8),
)
_SOURCES = (TableColumn("Text", 2.6), TableColumn("Edition", 2.4), TableColumn("Parts read", 3.0))
_NOTHING, _NO_PAYMENT, _NOT_COMPARED = "nothing to look at", "no payment to look at", "nothing to compare"
_SEARCHED = frozenset({"gaps"})  # a register in which nothing was found
# Values that no rule objects to, but which show that nothing was there to look at.
_NOTHING_SEEN = frozenset(
    {("requested", "not_ordered"), ("diligence.bank", "not_required"), ("diligence.completion", "open")}
)
_OWN = frozenset({"session", "plausible", "diligence", "requested"})
_OF_THE_PERSON = ("document.holder.", "document.document.", "address.extractedAddress.")
_DIGITS = re.compile("[0-9]+")
_COUNTRIES = (
    "document.holder.nationality",
    "document.document.issuingCountry",
    "address.extractedAddress.country",
)
_MATRIX = (
    TableColumn("Field", 0.9),
    TableColumn("One source", 2.2),
    TableColumn("The other", 2.2),
    TableColumn("Verdict", 0.9),
    TableColumn("Score", 0.6, right=True),
    TableColumn("Why", 2.2),
    TableColumn("Evidence", 0.8),
)


def findings_section(
    findings: pd.DataFrame,
    reasons: Sequence[Reason],
    unknowns: Sequence[Unknown],
    replacements: Sequence[Paragraph] = (),
) -> Section:
    """Return the section of findings: what was found, checks that could not be evaluated, and findings replaced by a later session.

    Args:
        findings: Frame `findings` of one customer.
        reasons: The hits, as returned by `reasons_of`.
        unknowns: What could not be evaluated, as returned by `unknowns_of`.
        replacements: Which session replaces which, as returned by `replacement_lines`.
    """
    counts = standing(findings)["outcome"].astype("string").value_counts()
    hit, clear = (int(counts.get(outcome, 0)) for outcome in ("HIT", "CLEAR"))
    unknown = len({title for one in unknowns if not one.internal for title in one.titles})
    apart = len({title for one in unknowns if one.internal for title in one.titles})
    more = f" (and {apart} that {'stays' if apart == 1 else 'stay'} inside the firm)" if apart else ""
    basis = {str(row["rule_id"]): text_of(row["basis"], "") for row in records(findings, "rule_id", "basis")}
    blocks: list[Block] = [
        Paragraph(
            f"{counted(hit, 'finding')}, {counted(unknown, 'check')} that could not be evaluated{more}, {counted(clear, 'check')} clear or with "
            "nothing to look at. Findings and clear checks count once for each session to which they apply, a check that could not be "
            "evaluated once. What could not be evaluated is never treated as clear.",
            origins=(
                *(count_of("findings", outcome=outcome, superseded_by=None) for outcome in ("HIT", "CLEAR")),
                *(
                    distinct_of("findings", "title", outcome="UNKNOWN", superseded_by=None, internal=kept)
                    for kept in ((False, True) if apart else (False,))
                ),
            ),
        ),
        Subheading("Found"),
        _numbered(_HITS, reasons, [_hit_row(reason, basis) for reason in reasons], "Nothing was found."),
        Subheading("Could not be evaluated"),
        _numbered(
            _UNKNOWNS, unknowns, [_unknown_row(one) for one in unknowns], "Every check could be evaluated."
        ),
    ]
    if replacements:
        blocks += [Subheading("Replaced by a later session"), *replacements]
    return Section("findings", "Findings", tuple(blocks))


def replaced_sessions(findings: pd.DataFrame) -> dict[str, str]:
    """Return the sessions whose findings no longer apply, each with the later session that replaces it."""
    return {
        str(row["session_id"]): str(row["superseded_by"])
        for row in records(findings, "session_id", "superseded_by")
        if not is_absent(row["superseded_by"])
    }


def replacement_lines(supersessions: pd.DataFrame, frames: Frames, names: ShortNames) -> list[Paragraph]:
    """Return a sentence for each session that a later one replaces, with the origins of its numbers.

    Args:
        supersessions: As in `Triage.supersessions`.
        frames: Frames of one customer.
        names: Short names of sessions.
    """
    sessions = records(frames.sessions, "session_id", "created_at")
    created = {str(row["session_id"]): row["created_at"] for row in sessions}
    lines = []
    for row in records(supersessions, "session_id", "superseded_by", "sentence", "evidence_ids"):
        earlier, later = str(row["session_id"]), str(row["superseded_by"])
        by_then = [id_ for id_, at in created.items() if not is_absent(at) and at <= created[later]]
        origins = (
            count_of("findings", session_id=earlier, superseded_by=later),
            count_of("sessions", session_id=by_then),
            value_of("sessions", session_id=later),
        )
        text = with_evidence(names.within(text_of(row["sentence"])), row["evidence_ids"])
        lines.append(Paragraph(text, origins=origins))
    return lines


def clear_section(findings: pd.DataFrame, names: ShortNames, consistency: pd.DataFrame) -> Section:
    """Return the annex of the checks that are clear, and of those that were not looked at or had nothing to compare.

    Args:
        findings: Frame `findings` of one customer.
        names: Short names of sessions and accounts.
        consistency: Frame `consistency` of the customer, for the comparisons that had nothing to compare.
    """
    clear, skipped = _seen(findings, names, consistency)
    blocks: list[Block] = [
        Paragraph(
            "Checks that were found clear, with the value seen; if a rule does not look at a single value, with its own words."
        ),
        table(_CLEAR, _in_two(clear), "No rule is clear."),
    ]
    if skipped:
        blocks += [Subheading("Not looked at, or nothing to compare"), table(_CLEAR, _in_two(skipped))]
    return Section("clear", "Annex: checks that are clear", tuple(blocks))


def legal_section(sources: Sequence[LegalSource]) -> Section:
    """Return the annex of the texts that the rules cite, with the edition and the parts that were read."""
    rows = [(Cell(one.title), Cell(one.edition), Cell(one.checked)) for one in sources]
    blocks: list[Block] = [
        Paragraph(
            "The texts that the policy's rules cite, each with its edition and the parts that were read when the policy was written. The "
            "firm should check them against the text in force."
        ),
        table(_SOURCES, rows, "The policy does not list the texts that its rules cite."),
    ]
    given = "a number in the name of a text or of its edition, as the policy lists it"
    return Section("legal", "Annex: texts that the rules cite", tuple(blocks), given=given)


def consistency_section(consistency: pd.DataFrame, names: ShortNames) -> Section:
    """Return the section that compares the record, document, address and bank, value by value."""
    rows = [
        resting_on(
            (
                Cell(sentence_case(text_of(row["field"]).replace("_", " ")), strong=True),
                _compared(row["left"], row["left_value"], names),
                _compared(row["right"], row["right_value"], names),
                outcome_cell(row["verdict"]),
                _score(row["score"]),
                _why(row, names),
                Cell(joined(row["evidence_ids"])),
            ),
            value_of("consistency", field=row["field"], left=row["left"], right=row["right"]),
        )
        for row in records(consistency)
    ]
    return Section(
        "consistency",
        "Consistency of identity",
        (
            Paragraph(
                "The customer record, the document's holder, the proof of address and the holder of each bank account, "
                "compared on name, date of birth and address."
            ),
            table(_MATRIX, rows, "Nothing could be compared."),
        ),
    )


def _numbered(
    columns: tuple[TableColumn, ...],
    found: Sequence[Reason | Unknown],
    rows: list[tuple[Cell, ...]],
    empty: str,
) -> Block:
    """Return a table of findings; if a decision was made, with their ids in it, by which they are in order within a level."""
    if not any(one.number for one in found):
        return table(columns, rows, empty)
    pairs = sorted(
        zip(found, rows, strict=True), key=lambda pair: (-rank(pair[0].level), _place(pair[0].number))
    )
    numbered = [(Cell(one.number or _none(one), strong=bool(one.number)), *row) for one, row in pairs]
    return table((_NUMBER, *columns), numbered, empty)


def _none(one: Reason | Unknown) -> str:
    """Return why a finding has no id in the decision."""
    return "Kept apart" if one.internal else "Not in it"


def _place(number: str) -> float:
    first = _DIGITS.search(number)
    return int(first[0]) if first else inf


def _hit_row(reason: Reason, basis: dict[str, str]) -> tuple[Cell, ...]:
    level = level_cell(reason.level)
    rule = f"{reason.rule_id}: {basis[reason.rule_id]}" if basis.get(reason.rule_id) else reason.rule_id
    owner = f"{reason.owner}: {reason.action}" if reason.action else reason.owner
    return resting_on((reason.text, rule, level, owner or DASH), *reason.origins)


def _unknown_row(one: Unknown) -> tuple[Cell, ...]:
    cells = (
        Cell(one.cause, Tone.UNKNOWN),
        Cell(one.listed),
        level_cell(one.level),
        Cell(", ".join(one.owners) or DASH),
        Cell(", ".join(one.sessions) or DASH),
        Cell(joined(list(one.evidence))),
    )
    return resting_on(cells, *one.origins)


def _seen(
    findings: pd.DataFrame, names: ShortNames, consistency: pd.DataFrame
) -> tuple[list[tuple[Cell, Cell]], list[tuple[Cell, Cell]]]:
    """Return the checks that are clear, and those that looked at nothing, each once with the values seen in all sessions."""
    compared = {
        (str(row["field"]), str(row["left"]), str(row["right"]).partition(" ")[0])
        for row in records(consistency, "field", "left", "right", "verdict")
        if str(row["verdict"]) != "missing"
    }
    raised = {
        (text_of(row["session_id"], ""), str(row["path"]))
        for row in records(standing(findings), "outcome", "session_id", "path")
        if str(row["outcome"]) in {HIT, UNKNOWN}
    }
    clear: dict[str, list[str]] = {}
    skipped: dict[str, list[str]] = {}
    titles: dict[str, set[str]] = {}
    elsewhere: set[str] = set()
    for row in records(findings, "outcome", "session_id", "value", "title", "path", "sentence"):
        if str(row["outcome"]) in {HIT, UNKNOWN}:
            continue
        before, _, after = text_of(row["sentence"]).partition(": ")
        said, path = after or before, text_of(row["path"], "")
        value = None if is_absent(row["value"]) else str(row["value"])
        title = names.within(sentence_case(text_of(row["title"])))
        titles.setdefault(title, set()).add(str(row["title"]))
        looked = str(row["outcome"]) == CLEAR and _looked_at(path, value, compared)
        words = (
            _clear_words(path, value, said, title)
            if looked
            else _skipped_words(path, value, said, str(row["outcome"]))
        )
        if looked and value is not None and (text_of(row["session_id"], ""), path) in raised:
            words = f"{said} (the value itself is in “Findings”)"  # this rule has no objection, but another one has
            elsewhere.add(title)
        values = (clear if looked else skipped).setdefault(title, [])
        if words not in values:
            values.append(words)

    def pairs(seen: dict[str, list[str]], tone: Tone) -> Iterator[tuple[Cell, Cell]]:
        for title, values in seen.items():
            origin = value_of("findings", outcome=(CLEAR, NOT_APPLICABLE), title=titles[title])
            shown = Tone.QUIET if title in elsewhere else tone
            yield Cell(title, origins=(origin,)), Cell(", ".join(values), shown, origins=(origin,))

    return list(pairs(clear, Tone.GOOD)), list(pairs(skipped, Tone.UNKNOWN))


def _looked_at(path: str, value: str | None, compared: AbstractSet[tuple[str, ...]]) -> bool:
    """Return whether a rule without objection had something to look at.

    A pattern and a list have been searched even if nothing was found; a single value that is absent was not seen.
    """
    root, *about = path.split(".")
    if value is not None:
        return path != LEVEL and (path, value) not in _NOTHING_SEEN and (root, value) not in _NOTHING_SEEN
    if root == "consistency":
        return tuple(one for one in about if one != "likeness") in compared
    return "*" in path or root in _SEARCHED or path.startswith("wealth.flags.")


def _clear_words(path: str, value: str | None, said: str, title: str) -> str:
    # Yes or no answers only a title that is a question.
    if value is None or (value in {"true", "false"} and not title.startswith("Whether ")):
        return said
    if path.startswith("wealth.flags."):
        return "nothing found"  # there may be red flags, but none that this rule looks for
    words = _seen_words(path, value)
    # A country or a number of days alone does not show why it is clear.
    return f"{words}: {said}" if path.partition(".")[0] == "country" or path.endswith("_days") else words


def _skipped_words(path: str, value: str | None, said: str, outcome: str) -> str:
    if outcome == CLEAR and value is None:
        if path.startswith("consistency."):
            return _NOT_COMPARED
        return _NO_PAYMENT if path == PAYMENT_SUPPORT else _NOTHING
    return said if value is None else _seen_words(path, value)


def _seen_words(path: str, value: str) -> str:
    """Return the value of a check with its unit; personal data from documents is only said to be given."""
    root = path.partition(".")[0]
    if path == LEVEL:
        return "not required"  # a rule about the requirements of a level has nothing to look at if the level is another one
    if path.endswith("_days"):
        return f"{int(value):,} day{'' if value == '1' else 's'}" if value.lstrip("-").isdecimal() else value
    if root == "age":
        return f"{value} years"
    if ".likeness." in path:
        return WORDS.get(value, value.replace("_", " "))
    if root == "country" or path in _COUNTRIES:
        return country_words(value)
    words = value_words(value)
    return words.strip("“”") if root in _OWN else "given" if path.startswith(_OF_THE_PERSON) else words


def _in_two(pairs: list[tuple[Cell, Cell]]) -> list[tuple[Cell, ...]]:
    half = (len(pairs) + 1) // 2
    rest = [*pairs[half:], *[(Cell(""), Cell(""))] * (2 * half - len(pairs))]
    return [(*left, *right) for left, right in zip(pairs[:half], rest, strict=True)]


def _why(row: Mapping[str, Any], names: ShortNames) -> Cell:
    absent = [
        _source_words(row[side], names) for side in ("left", "right") if is_absent(row[f"{side}_value"])
    ]
    gave_none = f"nothing to compare: not given by the {' and the '.join(absent)}"
    return Cell(gave_none) if absent else cell_of(row["reason"], DASH)


def _compared(source: Any, value: Any, names: ShortNames) -> Cell:
    label = sentence_case(_source_words(source, names))
    if is_absent(value):
        return Cell(f"{label}: not known", Tone.UNKNOWN)
    return Cell(f"{label}: {dated_words(str(value))}")


def _source_words(source: Any, names: ShortNames) -> str:
    return "proof of address" if source == "address" else names.within(text_of(source))


def _score(value: object) -> Cell:
    text = text_of(value, DASH)
    return Cell(f"{float(text):.2f}" if text not in {DASH, "nan"} else DASH)
