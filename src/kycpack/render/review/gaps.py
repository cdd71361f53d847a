"""The gaps of a pack: what it cannot show."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from kycpack.frames.gaps import STANDING_GAPS
from kycpack.frames.rows import rows
from kycpack.models.listed import counted, listed
from kycpack.render.document_parts import (
    REFERENCE,
    Block,
    Cell,
    Paragraph,
    Section,
    TableColumn,
    resting_on,
    table,
)
from kycpack.render.origin import Origins, count_of, distinct_of, value_of
from kycpack.render.palette import Tone
from kycpack.render.review.bank_limits import with_more
from kycpack.render.review.gap_duties import NOBODY, duties_of
from kycpack.render.review.reasons import Reason, Unknown, with_evidence
from kycpack.render.review.short_names import ShortNames
from kycpack.render.wording import DASH, is_absent, sentence_case, text_of
from kycpack.triage.paths import PAYMENT_SUPPORT, QUESTIONS_OF_MONEY

OPEN_GAPS = "open_gaps"
"""Name, in origins, of the frames `gaps` and `limits` stacked."""

_AREAS = {
    "text": "Text",
    "customer": "Customer record",
    "session": "Sessions",
    "screening": "Screening",
    "monitoring": "Monitoring",
    "bank": "Bank data",
    "payment": "Payments",
    "statement": "Statement",
    "media": "Media",
    "register": "Register",
}

_WAS_REJECTED = "As it was at the decision: the customer is rejected, so nobody asks the customer, and what only an approval needs is no longer to be done"
_AMOUNT = re.compile(r"[0-9][0-9,]*(?:\.[0-9]+)? [A-Z]{3}\b")
_PRINTED = 60  # otherwise a statement with ten thousand broken lines would make a document too long to open


@dataclass(frozen=True, slots=True)
class Headline:
    """A line on page one, and the origins of its numbers."""

    text: str
    origins: Origins = ()


def in_order(gaps: pd.DataFrame) -> pd.DataFrame:
    """Return gaps in the order in which they are shown: by area, then code, then subject."""
    rank = {area: place for place, area in enumerate(_AREAS)}
    keys = [
        (rank.get(str(gap.area), len(rank)), str(gap.code), is_absent(gap.subject), str(gap.subject))
        for gap in rows(gaps, "area", "code", "subject")
    ]
    return gaps.take(sorted(range(len(keys)), key=keys.__getitem__))


def headlines(
    gaps: pd.DataFrame,
    names: ShortNames,
    limit: int,
    replaced: Mapping[str, str],
    why: Sequence[Reason | Unknown] = (),
    closed_by: str = "",
) -> tuple[Headline, ...]:
    """Return one line for each kind of gap of this customer, for page one: what somebody has to do something about first, limits that always apply last.

    Args:
        gaps: The gaps, in the order of `in_order`.
        names: Short names of sessions, accounts and payments.
        limit: Maximum number of lines before the last.
        replaced: Sessions that a later one replaces, by id; the gaps of each are counted in one line.
        why: The reasons of the same page; where one gives the amounts of a payment, its gap refers to them.
        closed_by: The outcome of the decision that closed the case, as in `ReviewedCase.closed_by`.
    """
    messages: dict[tuple[str, str], list[str]] = {}
    standing, left_open = set[str](), defaultdict[str, list[str]](list)
    to_do = set[tuple[str, str]]()
    for row, duty in zip(
        rows(gaps, "area", "code", "message", "subject", "evidence_id"),
        duties_of(gaps, closed_by=closed_by),
        strict=True,
    ):
        if row.code == "unprintable" or not duty.startswith(NOBODY):  # how to read the page comes first
            to_do.add((str(row.area), str(row.code)))
        if row.code in STANDING_GAPS:  # shown in full in their section, and only counted on page one
            standing.add(str(row.code))
        elif str(row.subject) in replaced:
            left_open[str(row.subject)].append(str(row.code))
        else:
            messages.setdefault((str(row.area), str(row.code)), []).append(
                with_evidence(_on_page_one(row, names, why), _evidence(row.evidence_id))
            )
    for key in [one for one in messages if one not in to_do]:
        messages[key] = messages.pop(key)  # nobody has to do anything about it, so that it comes last
    found = [
        Headline(
            _line(area, lines),
            (count_of(OPEN_GAPS, area=area, code=code), value_of(OPEN_GAPS, area=area, code=code)),
        )
        for (area, code), lines in messages.items()
    ]
    found += [
        Headline(
            names.within(
                f"{_AREAS['session']}: {counted(len(codes), 'gap')} of {earlier}, which {replaced[earlier]} replaces"
            ),
            (count_of(OPEN_GAPS, subject=earlier, code=sorted(set(codes))),),
        )
        for earlier, codes in left_open.items()
    ]
    found[:0] = [
        Headline(f"Checks: {one.listed} could not be evaluated, as given under “Why”", one.origins)
        for one in checks_beside(gaps, names, why)
    ]
    if found and closed_by == "reject":
        found.insert(0, Headline(_WAS_REJECTED))
    if len(found) > limit:
        found = [*found[: limit - 1], Headline("Further gaps are in “What this pack cannot show”")]
    if standing:
        limits = counted(
            len(standing), "limit of the service that applies", "limits of the service that apply"
        )
        words = f"{limits} to every pack: see “What this pack cannot show”"
        found.append(Headline(words, (distinct_of(OPEN_GAPS, "code", code=sorted(STANDING_GAPS)),)))
    return tuple(found)


def checks_beside(
    gaps: pd.DataFrame, names: ShortNames, why: Sequence[Reason | Unknown]
) -> tuple[Unknown, ...]:
    """Return the single checks that page one lists beside the gaps.

    What a request without an answer leaves open, and the support of a payment, are among the gaps already.
    """
    causes = {_message(row.message, names).rstrip(".").casefold() for row in rows(gaps, "message")}
    payments = "payment_not_supported" in set(gaps["code"])
    beside = {
        one.titles[0]: one
        for one in why
        if isinstance(one, Unknown)
        and len(one.titles) == 1
        and one.cause.casefold() not in causes
        and not (payments and one.paths == {PAYMENT_SUPPORT})
    }
    return tuple(beside.values())


def count_cell(gaps: pd.DataFrame) -> Cell:
    """Return how many gaps there are, in words."""
    return Cell(counted(len(gaps), "gap"), origins=(count_of(OPEN_GAPS),))


def with_unprintable(limits: pd.DataFrame, customer_id: str, marks: tuple[str, ...]) -> pd.DataFrame:
    """Return frame `limits` with a row for each character that no font has.

    Args:
        limits: As returned by `limits_of`.
        customer_id: Customer id.
        marks: Names of the characters.
    """
    words = (
        f"The character {mark} cannot be shown: no font has it, so a mark takes its place." for mark in marks
    )
    return with_more(limits, [(customer_id, customer_id, "text", "unprintable", each, "") for each in words])


def limits_section(
    gaps: pd.DataFrame, names: ShortNames, waits: str = "", matches: str = "", closed_by: str = ""
) -> Section:
    """Return the section that lists everything the pack cannot show.

    Args:
        gaps: The gaps, in the order of `in_order`.
        names: Short names of sessions, accounts and payments.
        waits: What a contact with the customer waits for, as in `ToDo`.
        matches: Who has to settle the matches of the screening; empty for nobody.
        closed_by: The outcome of the decision that closed the case, as in `ReviewedCase.closed_by`.
    """
    blocks: list[Block] = [
        Paragraph(
            "What was not requested, not answered or not understood. None of it was treated as clear.",
            Tone.UNKNOWN,
        ),
        *([Paragraph(f"{_WAS_REJECTED}.", Tone.WATCH)] if closed_by == "reject" else []),
    ]
    columns = (
        TableColumn("Area", 1.0),
        TableColumn("What is missing", 3.6),
        TableColumn("Who does what", 1.7),
        TableColumn("About", 0.6),
        TableColumn("Evidence", 0.7),
    )
    lines, notes = [], []
    by_area: dict[str, list[Any]] = {}
    for row, duty in zip(
        rows(gaps, "area", "code", "message", "subject", "evidence_id"),
        duties_of(gaps, waits, matches, closed_by),
        strict=True,
    ):
        by_area.setdefault(str(row.area), []).append((row, duty))
    for area, mine in by_area.items():
        title = _AREAS.get(area, area)
        lines += [
            resting_on(
                (
                    Cell(title, strong=True),
                    f"{_message(r.message, names).rstrip('.')}.",
                    duty,
                    names.of(r.subject),
                    next(iter(_evidence(r.evidence_id)), DASH),
                ),
                value_of(OPEN_GAPS, code=r.code, subject=None if is_absent(r.subject) else r.subject),
            )
            for r, duty in mine[:_PRINTED]
        ]
        if len(mine) > _PRINTED:
            counts = Counter(str(r.code) for r, _ in mine).most_common()
            kinds = ", ".join(f"{count} {code.replace('_', ' ')}" for code, count in counts)
            words = f"{title}: the others are in the workbook, sheets gaps and limits. All of this area, by kind: {kinds}."
            origins = (count_of(OPEN_GAPS, area=area, code=code) for code, _ in counts)
            notes.append(Paragraph(words, Tone.UNKNOWN, tuple(origins)))
    blocks.append(table(columns, lines, "No gap was found."))
    blocks += notes
    return Section("limits", "What this pack cannot show", tuple(blocks))


def _line(area: str, lines: list[str]) -> str:
    more = f"; {counted(len(lines), 'gap')} of this kind" if len(lines) > 1 else ""
    return f"{_AREAS.get(area, area)}: {max(lines, key=_sum_of)}{more}"


def _sum_of(line: str) -> float:
    """Return the first amount in a line, which is what is not known; 0 if it has none."""
    found = _AMOUNT.search(line)
    return 0.0 if found is None else float(found[0].partition(" ")[0].replace(",", ""))


def _is_said(gap: Any, why: Sequence[Reason | Unknown]) -> bool:
    """Return whether one of the reasons gives all amounts of a gap, from the same entry of the evidence."""
    amounts = set(_AMOUNT.findall(str(gap.message)))
    return any(
        amounts <= set(_AMOUNT.findall(one.text)) and str(gap.evidence_id) in REFERENCE.findall(one.text)
        for one in why
    )


def _on_page_one(gap: Any, names: ShortNames, why: Sequence[Reason | Unknown]) -> str:
    """Return what page one says of a gap; what a reason of the same page says is not said again."""
    if gap.code == "payment_not_supported" and _is_said(gap, why):
        return f"How far {names.of(gap.subject)} is supported is given under “Why”"
    asked = dict.fromkeys(
        one.label
        for one in why
        if isinstance(one, Reason)
        and one.path == f"{QUESTIONS_OF_MONEY}{gap.code}"
        and (not gap.evidence_id or gap.evidence_id in one.evidence)
    )
    if asked:
        return f"A question about the money is given under “Why” ({listed([*asked])})"
    return _message(gap.message, names)


def _message(message: object, names: ShortNames) -> str:
    return sentence_case(names.within(text_of(message)))


def _evidence(evidence_id: str) -> list[str]:
    return [str(evidence_id)] if evidence_id else []
