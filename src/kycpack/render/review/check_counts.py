"""How many checks are clear, and how the numbers add up to that of page one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import pandas as pd

from kycpack.frames.rows import records
from kycpack.models.listed import counted, listed
from kycpack.render.document_parts import Cell
from kycpack.render.origin import Origin, count_of, distinct_of
from kycpack.render.review.clear_checks import WithoutObjection
from kycpack.render.review.reasons import Unknown, unevaluated
from kycpack.render.review.shares import Shares
from kycpack.render.wording import sentence_case, text_of
from kycpack.triage.judge.findings import standing
from kycpack.triage.judge.sentences import evidence_words
from kycpack.triage.levels import HIT, UNKNOWN
from kycpack.triage.paths import SOURCE_FOUND

_FOUND = ("has a finding", "have findings")
_CLEAR = ("is clear", "are clear")
_BESIDE = ("is not counted as clear", "are not counted as clear")
_OF_CHECK = ("rule_id", "title", "outcome", "path", "internal")
_OF_REGISTER = "gaps.register."
_NAMED = 3  # checks on page one, of those that could not be evaluated


def count_cell(
    checks: WithoutObjection,
    missed: AbstractSet[str],
    findings: pd.DataFrame,
    alone: WithoutObjection | None = None,
) -> Cell:
    """Return how many findings there are, and how many checks have which result.

    Args:
        checks: As returned by `without_objection`.
        missed: Titles of the checks that are counted as not evaluated, also if they were in another session.
        findings: Frame `findings` of the customer.
        alone: The same as `checks` by the evidence of the pack alone; None where no newer evidence bears on them.
    """
    hits = [row for row in records(standing(findings), "outcome", "internal") if str(row["outcome"]) == HIT]
    inside = sum(map(bool, (row["internal"] for row in hits)))
    apart = f", {inside} of which {'stays' if inside == 1 else 'stay'} inside the firm" if inside else ""
    by_session = " (counted separately for each session)" if len(hits) > 1 else ""
    of_checks = checks_cell(checks, missed, findings)
    before, now = (
        _by_result(findings, each or checks, missed).get(_CLEAR, set()) for each in (alone, checks)
    )
    moved = before - now
    newer = (
        f" By the evidence of this pack alone, {len(moved)} more {_CLEAR[len(moved) != 1]}; newer evidence bears on {'it' if len(moved) == 1 else 'them'}."
        if moved
        else ""
    )
    return Cell(
        f"{counted(len(hits), 'finding')}{by_session}{apart}. {of_checks.text}{newer}",
        origins=(
            count_of("findings", outcome=HIT, superseded_by=None),
            *([count_of("findings", outcome=HIT, superseded_by=None, internal=True)] if inside else []),
            *of_checks.origins,
            *([_origin_of(_each_check(findings), moved)] if moved else []),
        ),
    )


def checks_cell(checks: WithoutObjection, missed: AbstractSet[str], findings: pd.DataFrame) -> Cell:
    """Return how many checks have which result, each check once, so that the numbers add up to that of page one.

    Args:
        checks: As for `count_cell`.
        missed: As for `count_cell`.
        findings: As for `count_cell`.
    """
    rows = records(standing(findings), "title", "internal")
    every = _each_check(findings)
    parts = _by_result(findings, checks, missed)
    inside = "; ".join(sorted({str(row["title"]) for row in rows if row["internal"]}))
    apart = (
        f" These numbers leave out the checks that stay inside the firm ({inside}), which are listed with the others."
        if inside
        else ""
    )
    return Cell(
        f"{counted(len(every), 'check')}, counted once for all sessions: {listed(_counted_by(parts)) or 'none was made'}.{apart}",
        origins=(
            _origin_of(every, every),
            *_origins_of(every, parts, missed),
        ),
    )


def _by_result(
    findings: pd.DataFrame, checks: WithoutObjection, missed: AbstractSet[str]
) -> dict[tuple[str, str], AbstractSet[str]]:
    """Return the titles of the checks by their result, in words for one and for several, and no result without a check.

    A check with a finding has no other result, except where it could not be evaluated in another session or comparison: the words say how many these are.
    """
    every, found = _each_check(findings), _with_finding(findings)
    clear, beside, skipped = (
        {title.text for title, _ in pairs} & every.keys() - missed - found for pairs in checks
    )
    twice = len(found & missed)
    also = f" ({twice} of which also {_FOUND[twice != 1]})" if twice else ""
    one, several = _without_result(findings, missed)
    parts = {
        _FOUND: found,
        (f"{one}{also}", f"{several}{also}"): every.keys() & missed,
        _CLEAR: clear,
        _BESIDE: beside,
        ("had nothing to look at",) * 2: skipped,
    }
    return {words: titles for words, titles in parts.items() if titles}


def _without_result(findings: pd.DataFrame, missed: AbstractSet[str]) -> tuple[str, str]:
    """Return what is said of checks that could not be evaluated, for one and for several: a source of wealth was looked for, and is not established."""
    sources = {
        sentence_case(text_of(row["title"]))
        for row in records(standing(findings), "title", "path", "outcome")
        if row["path"] == SOURCE_FOUND and row["outcome"] == UNKNOWN
    }
    if not sources & missed:
        return ("could not be evaluated",) * 2
    either = "" if missed <= sources else "could not be evaluated or "
    return f"{either}has no established result", f"{either}have no established result"


def _with_finding(findings: pd.DataFrame) -> set[str]:
    """Return the titles of the checks that have a finding, as `_each_check` shows them: of one whose pairs are counted once, the pair that could not be evaluated."""
    rows = [one for one in records(standing(findings), *_OF_CHECK) if not one["internal"]]
    hit = {str(row["rule_id"]) for row in rows if str(row["outcome"]) == HIT}
    shown = {
        sentence_case(text_of(row["title"]))
        for row in rows
        if str(row["outcome"]) == HIT or (_is_of_pair(row) and str(row["rule_id"]) in hit)
    }
    return shown & _each_check(findings).keys()


def _is_of_pair(row: Mapping[Any, Any]) -> bool:
    return str(row["outcome"]) == UNKNOWN and text_of(row["path"], "").startswith("consistency.")


def _counted_by(parts: Mapping[tuple[str, str], AbstractSet[str]]) -> list[str]:
    return [f"{len(titles)} {words[len(titles) != 1]}" for words, titles in parts.items()]


def approval_cell(
    checks: WithoutObjection,
    missed: AbstractSet[str],
    findings: pd.DataFrame,
    shares: Sequence[Shares],
    diligence: str,
    register: Sequence[str] = (),
) -> Cell:
    """Return what supports an approval: the clear checks with their evidence, the credits whose nature is known, and the level of due diligence; and what the other checks are, those by title that are not counted as clear.

    Args:
        checks: As for `count_cell`.
        missed: As for `count_cell`.
        findings: As for `count_cell`.
        shares: How much of the credits is of known nature, one entry a currency.
        diligence: The level of due diligence that the policy requires; empty where the firm gave nothing from which it follows.
        register: The entries of the evidence that the register contributes, on which the checks of what it records rest.
    """
    every = _each_check(findings)
    others = _by_result(findings, checks, missed)
    clear = others.pop(_CLEAR, set())
    rows = records(standing(findings), "title", "path", "evidence_ids")
    evidence = {
        str(id_)
        for row in rows
        if sentence_case(text_of(row["title"])) in clear
        for id_ in (*row["evidence_ids"], *(register if str(row["path"]).startswith(_OF_REGISTER) else ()))
    }
    known = [
        f"{one.known_percent} of {one.total_words} of credits {one.known_words}{one.questioned_words}"
        for one in shares
    ]
    if any(one.rounding for one in shares):
        known.append("shares are rounded so that they add up to the whole")
    said = (
        f"{len(clear)} of {counted(len(every), 'check')} {'is' if len(clear) == 1 else 'are'} clear ({evidence_words(sorted(evidence))}, in the annex)",
        *known,
        *([f"due diligence: {diligence}"] if diligence else []),
    )
    left, named = len(every) - len(clear), "; ".join(sorted(others.get(_BESIDE, ())))
    words = (f"{one} ({named})" if one.endswith(_BESIDE) else one for one in _counted_by(others))
    rest = f" The other {counted(left, 'check')}: {listed([*words])} (see “Findings”)." if left else ""
    return Cell(
        f"Supports an approval: {'; '.join(said)}.{rest}",
        origins=(
            _origin_of(every, clear),
            _origin_of(every, every),
            *([_origin_of(every, every.keys() - clear)] if left else []),
            *_origins_of(every, others, missed),
            *(origin for share in shares for cell in share.cells for origin in cell.origins),
        ),
    )


def _each_check(findings: pd.DataFrame) -> dict[str, str]:
    """Return the title of each check that page one counts as it is shown, with that in the findings.

    A check that found something in one pair of sources and could not be evaluated in another is counted once, as the pair that could not.
    """
    rows = [row for row in records(standing(findings), *_OF_CHECK) if not row["internal"]]
    apart = {str(row["rule_id"]) for row in rows if _is_of_pair(row)}
    return {
        sentence_case(text_of(row["title"])): str(row["title"])
        for row in rows
        if str(row["outcome"]) == UNKNOWN or str(row["rule_id"]) not in apart
    }


def _origins_of(
    every: Mapping[str, str], parts: Mapping[tuple[str, str], AbstractSet[str]], missed: AbstractSet[str]
) -> Iterator[Origin]:
    twice = parts.get(_FOUND, set()) & missed
    yield from (_origin_of(every, titles) for titles in (*parts.values(), *([twice] if twice else [])))


def _origin_of(every: Mapping[str, str], titles: Iterable[str]) -> Origin:
    return distinct_of(
        "findings", "title", superseded_by=None, internal=False, title=sorted(every[one] for one in titles)
    )


def unevaluated_cell(
    unknowns: Sequence[Unknown], findings: pd.DataFrame, beside: Sequence[Unknown] = ()
) -> Cell:
    """Return how many of all checks could not be evaluated, in a sentence; empty where every one could.

    Args:
        unknowns: What could not be evaluated; what stays inside the firm is not counted, which the sentence says.
        findings: Frame `findings` of the customer.
        beside: Those of a single check that are named first, as returned by `gaps.checks_beside`.
    """
    missed = unevaluated(unknowns)
    if not missed:
        return Cell("")
    every = _each_check(findings)
    first = [title for one in beside for title in one.titles if title in missed]
    named = [*dict.fromkeys((*first, *sorted(missed)))]
    others = named[_NAMED:]
    listed_ = "; ".join((*named[:_NAMED], *([counted(len(others), "other")] if others else ())))
    inside = dict.fromkeys(code for one in unknowns if one.internal for code in one.codes)
    apart = f" ({listed([*inside])} not counted)" if inside else ""
    where = "Why" if len(first) == len(missed) else "Findings"
    how = _without_result(findings, missed)[len(missed) > 1]
    return Cell(
        f"{len(missed)} of {counted(len(every), 'check')} {how}{apart}: {listed_} (see “{where}”)",
        origins=(
            distinct_of("findings", "title", outcome=UNKNOWN, superseded_by=None, internal=False),
            _origin_of(every, every),
            _origin_of(every, [one for one in others if one in every]),
            *(origin for one in beside for origin in one.origins),
        ),
    )
