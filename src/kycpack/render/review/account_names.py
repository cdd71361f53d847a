"""In whose name the accounts are held, where that is not the name of the record and of the document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd

from kycpack.frames.rows import records
from kycpack.models.listed import listed
from kycpack.render.document_parts import Cell
from kycpack.render.origin import count_of, value_of
from kycpack.render.palette import Tone
from kycpack.render.review.compared_values import quoted
from kycpack.render.review.reasons import with_evidence
from kycpack.render.review.short_names import ShortNames
from kycpack.render.wording import is_absent, text_of
from kycpack.triage.judge.findings import standing
from kycpack.triage.levels import HIT
from kycpack.triage.likeness import DIFFERENT, ORDER, ORDER_ALONE, SIMILAR
from kycpack.triage.observations.consistency import MISSING, UNREADABLE

_LIKE = "like"
_ACCOUNT = "bank account "
_MOST = 3
_COLUMNS = ("field", "left", "right", "verdict", "kinds", "left_value", "right_value", "evidence_ids")
_RANK = (DIFFERENT, _LIKE, UNREADABLE, MISSING)

_Holder = tuple[str | None, tuple[tuple[str, str], ...]]
"""The name of a holder, None if none is given, and how it compares with the other sources: pairs of source and verdict."""


def account_names(
    consistency: pd.DataFrame, findings: pd.DataFrame, names: ShortNames, *, in_review: bool = True
) -> tuple[Cell, ...]:
    """Return a sentence for each holder of accounts whose name is not that of the record and of the document, the worst first.

    Args:
        consistency: Frame `consistency` of one customer.
        findings: Frame `findings` of the customer, which says what likeness of names is a finding.
        names: Short names of accounts.
        in_review: Whether the sentences stand in the review: then they name their evidence, and only the first few are in full.
    """
    holders: dict[_Holder, dict[str, set[str]]] = {}
    for source, (name, compared, evidence) in _accounts(consistency, _kinds_found(findings)).items():
        if compared:
            holders.setdefault((name, tuple(sorted(compared.items()))), {})[source] = evidence
    ordered = sorted(holders, key=lambda one: min(_RANK.index(verdict) for _, verdict in one[1]))
    lines = [_line(one, holders[one], names, is_cited=in_review) for one in ordered]
    if in_review and len(lines) > _MOST:
        rest = sum(len(holders[one]) for one in ordered[_MOST - 1 :])
        more = f"{rest} further accounts are held in other names, or nobody knows in whose: see “Consistency of identity”"
        origin = count_of("consistency", field="name", left="record")
        lines = [*lines[: _MOST - 1], Cell(more, Tone.ALARM, origins=(origin,))]
    return tuple(lines)


def holders_in_doubt(consistency: pd.DataFrame, findings: pd.DataFrame) -> dict[str, str]:
    """Return the holder of each account of which `account_names` says something, by account id; empty for a holder who is not named.

    Args:
        consistency: Frame `consistency` of one customer.
        findings: Frame `findings` of the customer.
    """
    every = _accounts(consistency, _kinds_found(findings)).items()
    return {source.removeprefix(_ACCOUNT): name or "" for source, (name, compared, _) in every if compared}


def in_other_names(consistency: pd.DataFrame) -> dict[str, str]:
    """Return the holder of each account whose name differs from every other name of the customer that is known, by account id.

    Args:
        consistency: Frame `consistency` of one customer. A joint account that the customer holds with somebody else does not differ.
    """
    verdicts: dict[str, set[str]] = {}
    holders: dict[str, str] = {}
    for row in records(consistency, *_COLUMNS):
        source = text_of(row["right"])
        if row["field"] == "name" and source.startswith(_ACCOUNT) and not is_absent(row["right_value"]):
            account = source.removeprefix(_ACCOUNT)
            holders[account] = str(row["right_value"])
            verdicts.setdefault(account, set()).add(text_of(row["verdict"]))
    return {
        account: holders[account] for account, said in verdicts.items() if said - {MISSING} == {DIFFERENT}
    }


def linked_by_others(consistency: pd.DataFrame, names: ShortNames) -> Iterator[str]:
    """Yield what the customer is asked of accounts held in another name, before anything is asked about the money in them, in words.

    Args:
        consistency: Frame `consistency` of one customer.
        names: Short names of accounts.
    """
    held: dict[str, list[str]] = {}
    for account, holder in in_other_names(consistency).items():
        held.setdefault(holder, []).append(names.of(account))
    for holder, accounts in held.items():
        were = "were" if len(accounts) > 1 else "was"
        yield f"why {listed(accounts)}, held in the name {quoted(holder)}, {were} linked"
    if held:
        yield "whether each holder agreed" if len(held) > 1 else "whether the holder agreed"


def _kinds_found(findings: pd.DataFrame) -> set[tuple[str, str]]:
    """Return the kinds of likeness between a holder and another source that are findings, by source."""
    return {
        (str(row["path"]).split(".")[3], ORDER if row["value"] == ORDER_ALONE else text_of(row["value"], ""))
        for row in records(standing(findings), "outcome", "path", "value")
        if str(row["outcome"]) == HIT
        and str(row["path"]).startswith("consistency.name.likeness.")
        and str(row["path"]).endswith(".bank")
    }


def _accounts(
    consistency: pd.DataFrame, found: set[tuple[str, str]]
) -> Mapping[str, tuple[str | None, dict[str, str], set[str]]]:
    """Return, by account, the holder's name, the sources with which it does not agree, and the evidence."""
    accounts: dict[str, tuple[str | None, dict[str, str], set[str]]] = {}
    for row in records(consistency, *_COLUMNS):
        other, source = text_of(row["left"]), text_of(row["right"])
        if row["field"] != "name" or not source.startswith(_ACCOUNT):
            continue
        holder = None if is_absent(row["right_value"]) else str(row["right_value"])
        _, compared, evidence = accounts.setdefault(source, (holder, {}, set()))
        verdict = text_of(row["verdict"])
        kinds = text_of(row["kinds"], "").split(", ")
        if verdict == SIMILAR and any((other, kind) in found for kind in kinds):
            verdict = _LIKE
        is_own = verdict == MISSING and holder is not None  # it is the other source that gives no name
        if verdict in _RANK and not is_own:
            worst = compared.get(other, verdict)
            compared[other] = min(worst, verdict, key=_RANK.index)
            evidence |= set(row["evidence_ids"])
    return accounts


def _line(holder: _Holder, accounts: Mapping[str, set[str]], names: ShortNames, *, is_cited: bool) -> Cell:
    name, compared = holder
    shown = [names.within(account).removeprefix(_ACCOUNT) for account in accounts]
    which = listed(shown)
    several = len(shown) > 1
    evidence = sorted({id_ for ids in accounts.values() for id_ in ids})
    verdicts = {verdict for _, verdict in compared}
    if name is None or not verdicts & {DIFFERENT, _LIKE}:
        whose = f"accounts {which} are" if several else f"account {which} is"
        why = "is not given" if name is None else "cannot be read as a name, or another source cannot"
        text, tone = f"It is not known whose {whose}: the holder {why}", Tone.UNKNOWN
    else:
        held = "are" if several else "is"
        # What a comparison found is not for a statement, which the customer may see.
        beside = f", which is {' and is '.join(_compared(compared))}" if is_cited else ""
        text = f"{which} {held} held in the name {quoted(name)}{beside}"
        tone = Tone.ALARM if DIFFERENT in verdicts else Tone.WATCH
    origins = (value_of("consistency", field="name", right=list(accounts)),)
    return Cell(with_evidence(text, evidence) if is_cited else text, tone, origins=origins)


def _compared(compared: tuple[tuple[str, str], ...]) -> Iterator[str]:
    """Yield what a name is not, in words, as in `not that of the record`."""
    other = [source for source, verdict in reversed(compared) if verdict == DIFFERENT]
    like = [source for source, verdict in reversed(compared) if verdict == _LIKE]
    if len(other) > 1:
        yield f"neither {' nor '.join(f'that of the {source}' for source in other)}"
    elif other:
        yield f"not that of the {other[0]}"
    if like:
        yield f"only like {' and '.join(f'that of the {source}' for source in like)}"
