"""The gaps of a pack: what it cannot show."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import pandas as pd

from kycpack.evidence.citations import ENTRY_ID
from kycpack.frames.gaps import STANDING_GAPS, Gap
from kycpack.frames.rows import rows
from kycpack.models.listed import counted
from kycpack.render.document_parts import (
    Block,
    Cell,
    Paragraph,
    Section,
    TableColumn,
    resting_on,
    table,
)
from kycpack.render.origin import Origins, calculated, count_of, distinct_of, value_of
from kycpack.render.palette import Tone
from kycpack.render.review.bank_limits import with_more
from kycpack.render.review.gap_duties import MATCHES, NOBODY, SETTLED, duties_of, in_one
from kycpack.render.review.gap_titles import LIMITS, evidence_of, template_of, title_of
from kycpack.render.review.reasons import Reason, Unknown
from kycpack.render.review.reopened import Reopening
from kycpack.render.review.short_names import ShortNames
from kycpack.render.wording import DASH, is_absent, sentence_case, text_of
from kycpack.triage.judge.sentences import evidence_words
from kycpack.triage.levels import UNKNOWN
from kycpack.triage.paths import PAYMENT_SUPPORT

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
    "decision": "Decision",
}

_WAS_REJECTED = "As it was at the decision: the customer is rejected, so nobody asks the customer, and what only an approval needs is no longer to be done"
_OF_MATCHES = frozenset({"matches_not_visible", "matches_not_listed", "list_date_not_visible"})
_MOST_LINES = 40
_APART = frozenset({"may_be_one_account", "pay_beside_benefit"})
"""Gaps of two accounts, or of sums that may overlap, so that each has a line of its own."""
_Kind = tuple[str, str, str | None, tuple[str, ...]]
"""An area, a code, a currency, and the words of a title, with what tells gaps of `_APART` from one another."""
_ONE_FACT: tuple[tuple[tuple[str, str], tuple[str, str]], ...] = (
    (("screening", "matches_not_visible"), ("screening", "list_date_not_visible")),
    (("bank", "no_accounts"), ("bank", "not_ordered")),
)
"""Areas and codes of gaps that share a line, that of the first."""
_OF_OTHER_PACK = re.compile(rf"(?<=[(\s])[\w-]+-{ENTRY_ID}")
_PRINTED = 60  # otherwise a statement with ten thousand broken lines would make a document too long to open


@dataclass(frozen=True, slots=True)
class Headline:
    """A line on page one about what is not known.

    Attributes:
        text: The line.
        origins: The origins of its numbers.
        area: The area of its gaps in words; empty if it stands for none.
        gaps: For how many gaps it stands.
        is_note: Whether it only says how to read the others.
        duty: Who does what about it; empty if nobody does anything.
    """

    text: str
    origins: Origins = ()
    area: str = ""
    gaps: int = 0
    is_note: bool = False
    duty: str = ""


def in_order(gaps: pd.DataFrame, newer: Sequence[Reason] = ()) -> pd.DataFrame:
    """Return gaps in the order in which they are shown: by area, then code, then subject.

    Args:
        gaps: The gaps, in the columns of frame `gaps`.
        newer: Findings of a later run about matches that the evidence of this pack does not have: gaps about the matches then cite what these do.
    """
    if newer:
        cited = dict.fromkeys(id_ for one in newer for id_ in _OF_OTHER_PACK.findall(one.text))
        found = gaps["evidence_id"].mask(gaps["code"].isin(MATCHES), ", ".join(cited) or None)
        gaps = gaps.assign(evidence_id=found)
    rank = {area: place for place, area in enumerate(_AREAS)}
    keys = [
        (rank.get(str(gap.area), len(rank)), str(gap.code), is_absent(gap.subject), str(gap.subject))
        for gap in rows(gaps, "area", "code", "subject")
    ]
    return gaps.take(sorted(range(len(keys)), key=keys.__getitem__))


def of_customer(gaps: pd.DataFrame, matches: str = "") -> pd.DataFrame:
    """Return the gaps that page one counts: those of the customer, without the limits of the service that nobody acts on.

    Args:
        gaps: The gaps, in the order of `in_order`.
        matches: Who has to settle the matches of the screening, whose lists are then no mere limit; empty for nobody.
    """
    return gaps[~_is_limit(gaps, matches)]


def of_service(gaps: pd.DataFrame, matches: str = "") -> pd.DataFrame:
    """Return the gaps that page one counts as limits of the service: all that `of_customer` leaves out."""
    return gaps[_is_limit(gaps, matches)]


def _is_limit(gaps: pd.DataFrame, matches: str) -> pd.Series:
    return gaps["code"].isin({*STANDING_GAPS} - {*(MATCHES if matches else ())})


def limits_line(limits: pd.DataFrame) -> tuple[Headline, ...]:
    """Return the limits of the service in one line, each kind named once; nothing if there are none.

    Args:
        limits: As returned by `of_service`.
    """
    codes = {*map(str, limits["code"])}
    named = "; ".join(words for code, words in LIMITS.items() if code in codes)
    words = f"{counted(len(limits), 'limit')} of the service: it does not show {named}"
    return (Headline(words, (count_of(OPEN_GAPS, code=sorted(codes)),)),) if codes else ()


def headlines(
    gaps: pd.DataFrame,
    names: ShortNames,
    replaced: Mapping[str, str],
    closed_by: str = "",
    matches: str = "",
    askers: Mapping[str, str] = MappingProxyType({}),
) -> tuple[Headline, ...]:
    """Return one short line for each kind of gap of this customer, and each currency, for page one: what somebody has to act on first.

    Args:
        gaps: The gaps, as returned by `of_customer`.
        names: Short names of sessions, accounts and payments.
        replaced: Sessions that a later one replaces, by id; the gaps of each are counted in one line.
        closed_by: The outcome of the decision that closed the case, as in `ReviewedCase.closed_by`.
        matches: Who has to settle the matches of the screening; empty for nobody.
        askers: As returned by `askers_of`.
    """
    kinds: dict[_Kind, list[Any]] = {}
    first: dict[_Kind, int] = {}
    done: dict[_Kind, list[str]] = {}
    settled: set[_Kind] = set()
    left_open: dict[str, list[str]] = {}
    duties = duties_of(gaps, matches=matches, closed_by=closed_by, askers=askers)
    for row, duty in zip(rows(gaps, *Gap._fields), duties, strict=True):
        if str(row.subject) in replaced:
            left_open.setdefault(str(row.subject), []).append(str(row.code))
            continue
        urgency = _urgency(str(row.code), duty.owner)
        # Sums of two currencies are not compared.
        currency = None if is_absent(row.currency) else str(row.currency)
        apart = (str(row.subject), str(row.message)) if row.code in _APART else ()
        kind = str(row.area), str(row.code), currency, (template_of(row), *apart)
        kinds.setdefault(kind, []).append(row)
        done.setdefault(kind, []).extend([duty.text] if duty.owner != NOBODY else [])
        first[kind] = min(urgency, first.get(kind, urgency))
        settled |= {kind} if duty.words == SETTLED else set()
    for one, other in _ONE_FACT:
        for kind in [kind for kind in kinds if kind[:2] == other]:
            if into := next((kind for kind in kinds if kind[:2] == one), None):
                kinds[into] += kinds.pop(kind)
                done[into] += done[kind]
                first[into] = min(first[into], first[kind])
    found = [
        _line(kinds[kind], names, done[kind], is_settled=kind in settled)
        for kind in sorted(kinds, key=first.__getitem__)
    ]
    found += [
        Headline(
            names.within(
                f"{_AREAS['session']}: {counted(len(codes), 'gap')} of {earlier}, which {replaced[earlier]} replaces"
            ),
            (count_of(OPEN_GAPS, subject=earlier, code=sorted(set(codes))),),
            _AREAS["session"],
            len(codes),
        )
        for earlier, codes in left_open.items()
    ]
    if len(found) > _MOST_LINES:
        rest = found[_MOST_LINES - 1 :]
        count = sum(line.gaps for line in rest)
        origins = tuple(origin for line in rest for origin in line.origins)
        found[_MOST_LINES - 1 :] = [Headline(further_words(count), origins, "other areas", count)]
    return tuple(found)


def further_words(count: int) -> str:
    """Return how many gaps there are besides those that page one names, and where they are."""
    return f"{counted(count, 'further gap')} in “What this pack cannot show”"


_OTHERS, _NOBODYS = 3, 4


def _line(of_kind: Sequence[Any], names: ShortNames, duties: Sequence[str], *, is_settled: bool) -> Headline:
    """Return the line of gaps of one kind, with what is done about each; of the matches, that the decision settled them."""
    title = f"{title_of(of_kind, names)}{f'; {SETTLED}' if is_settled else ''}"
    area = str(of_kind[0].area)
    rows_of = {
        name: {None if is_absent(value := getattr(row, name)) else str(value) for row in of_kind}
        for name in ("area", "code", "subject", "cause", "currency")
    }
    origins = (
        count_of(OPEN_GAPS, **rows_of),
        value_of(OPEN_GAPS, **rows_of),
        calculated("sum", OPEN_GAPS, "amount_minor", **rows_of),
        calculated("sum", OPEN_GAPS, "least_minor", **rows_of),
    )
    return Headline(title, origins, _AREAS.get(area, area), len(of_kind), duty=in_one(duties))


def _urgency(code: str, owner: str) -> int:
    """Return when a gap is shown: what says how to read the page, what the matches are, what reopened the case, what the MLRO decides, what others do, what nobody does."""
    if code == "unprintable":
        return 0
    if code == "values_not_at_hand":
        return 1
    if owner == NOBODY:
        return _NOBODYS
    return (1 if code in _OF_MATCHES else 2) if owner == "MLRO" else _OTHERS


def checks_beside(
    gaps: pd.DataFrame, names: ShortNames, why: Sequence[Reason | Unknown]
) -> tuple[Unknown, ...]:
    """Return the single checks that page one names beside the gaps, among those that could not be evaluated.

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


def count_cell(gaps: pd.DataFrame, limits: pd.DataFrame, unevaluated: int = 0) -> Cell:
    """Return how many gaps there are, how many checks could not be evaluated, and how many limits of the service, in words: gaps and limits together are the rows of “What this pack cannot show”.

    Args:
        gaps: The gaps, as returned by `of_customer`.
        limits: As returned by `of_service`.
        unevaluated: How many checks could not be evaluated.
    """
    parts = (
        counted(len(gaps), "gap"),
        *([counted(unevaluated, "check")] if unevaluated else ()),
        *([counted(len(limits), "limit")] if len(limits) else ()),
    )
    checks = distinct_of("findings", "title", outcome=UNKNOWN, superseded_by=None, internal=False)
    count, more = (count_of(OPEN_GAPS, code=sorted({*map(str, each["code"])})) for each in (gaps, limits))
    return Cell(", ".join(parts), origins=(count, checks, *([more] if len(limits) else ())))


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
    return with_more(
        limits, [Gap(customer_id, customer_id, "text", "unprintable", each, "") for each in words]
    )


def with_values_missing(limits: pd.DataFrame, customer_id: str, run: Reopening | None) -> pd.DataFrame:
    """Return frame `limits` with a row for the values that a later run compared, where its pack was not at hand.

    Args:
        limits: As returned by `limits_of`.
        customer_id: Customer id.
        run: What a later run found that reopened the case; None if none did.
    """
    if run is None or not run.is_without_values:
        return limits
    words = f"The values that {run.run} compared, which reopened the case, are only in that run's pack, which was not at hand."
    return with_more(limits, [Gap(customer_id, customer_id, "decision", "values_not_at_hand", words, "")])


def limits_section(
    gaps: pd.DataFrame,
    names: ShortNames,
    waits: str = "",
    matches: str = "",
    closed_by: str = "",
    askers: Mapping[str, str] = MappingProxyType({}),
) -> Section:
    """Return the section that lists everything the pack cannot show.

    Args:
        gaps: The gaps, in the order of `in_order`.
        names: Short names of sessions, accounts and payments.
        waits: What a contact with the customer waits for, as in `ToDo`.
        matches: Who has to settle the matches of the screening; empty for nobody.
        closed_by: The outcome of the decision that closed the case, as in `ReviewedCase.closed_by`.
        askers: As returned by `askers_of`.
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
        duties_of(gaps, waits, matches, closed_by, askers),
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
                    duty.text,
                    names.of(r.subject),
                    evidence_words(evidence_of([r])) or DASH,
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


def _message(message: object, names: ShortNames) -> str:
    return sentence_case(names.within(text_of(message)))
