"""What changed since an earlier review of the same customer, and which earlier decision the evidence no longer supports.

A review is reduced to its state: a small document that is kept in a later pack, so that the comparison can be repeated from the
later pack alone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from kycpack.evidence.citations import CITATION
from kycpack.frames.answer_members import SECTIONS
from kycpack.frames.rows import rows
from kycpack.triage.levels import HIT, LEVEL_WORDS, UNKNOWN, highest, rank

KINDS = ("decision", "level", "outcome", "screening", "document", "finding", "flag", "stream")
"""The subjects of changes, in the order in which changes are listed."""

NEEDED = ("recommendations", "findings", "sessions", "results", "screening", "documents", "streams", "flags")
"""The frames from which a state is made."""

ABSENT = "none"
_FACTS = frozenset({*SECTIONS, "risk", "country"})


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that differs between two reviews.

    Attributes:
        kind: One of `KINDS`.
        subject: The subject of the change, in words.
        before: The earlier value; `none` if there was none.
        now: The present value; `none` if there is none any more.
        worse: Whether it is less favourable to the customer than before.
    """

    kind: str
    subject: str
    before: str
    now: str
    worse: bool = False


def is_fact(path: str) -> bool:
    """Return whether the subject of a finding is a fact whose value does not depend on the day of the review.

    Args:
        path: Path of the finding, as in `holder.addresses.0`.
    """
    return path.partition(".")[0] in _FACTS


def is_money(path: str) -> bool:
    """Return whether a finding is about money: its sentence has a sum that its path does not have, and that may grow.

    Args:
        path: Path of the finding, as in `wealth.flags.structuring`.
    """
    return path.partition(".")[0] == "wealth"


def without_evidence(sentence: str) -> frozenset[str]:
    """Return the parts of a sentence without the ids of its evidence, which may be others when the same is found again.

    Args:
        sentence: The sentence of a finding, or several with `; ` between them.
    """
    return frozenset(CITATION.sub("", sentence).split("; "))


def finding_key(row: Mapping[Any, Any]) -> str:
    """Return the key by which a finding is recognised again, whatever its sentence says and its evidence is called.

    Args:
        row: Its row in frame `findings`: rule_id, session_id, path, outcome, level and value at least.
    """
    path = str(row["path"])
    value = row["value"] if is_fact(path) else None
    said = [each if isinstance(each, str) else None for each in (row["session_id"], value)]
    named = [row["rule_id"], said[0], path, row["outcome"], row["level"], said[1]]
    return hashlib.sha256(json.dumps(named).encode()).hexdigest()[:32]


def state_of(frames: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
    """Return the state of a review: the input of `changes_between`.

    Args:
        frames: The frames of one customer by name, at least those in `NEEDED`.

    Returns:
        level, top_reason, outcomes (by section), screening (by path), documents, findings, flags and streams; only text and whole
        numbers only.
    """
    recommendation = next(rows(frames["recommendations"], "level", "top_reason"))
    order = _session_order(frames["sessions"])
    return {
        "level": str(recommendation.level),
        "top_reason": _text(recommendation.top_reason),
        "outcomes": _outcomes(frames["results"], order),
        "screening": _latest(
            (order.get(str(row.session_id), -1), str(row.path), _text(row.value))
            for row in rows(frames["screening"], "session_id", "path", "value")
        ),
        "documents": _documents(frames["documents"]),
        "findings": _findings(frames["findings"]),
        "flags": _flags(frames["flags"]),
        "streams": _streams(frames["streams"]),
    }


def changes_between(before: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[Change, ...]:
    """Return what differs between two states, in the order of `KINDS`.

    Args:
        before: The earlier state, from `state_of`; with a member `decision` if one was recorded: outcome,
            decision_id and level.
        now: The later state.
    """
    return tuple(_changes(before, now))


def unsupported(before: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[str, ...]:
    """Return why the decision of an earlier review is no longer supported; empty if it still is, or if there was none.

    An approval is no longer supported if the level is higher, if something was found that was not there before, or if what was found
    about money, such as a sum, is not what it was. A hold, an
    escalation or a rejection is no longer supported if the level fell or nothing is left of the findings that it rested on.

    Args:
        before: The earlier state, as for `changes_between`.
        now: The later state, as for `changes_between`.
    """
    decision = before.get("decision")
    if not decision:
        return ()
    old, new = _by_key(before["findings"]), _by_key(now["findings"])
    why: list[str] = []
    if decision["outcome"] == "approve":
        if rank(now["level"]) > rank(before["level"]):
            why.append(f"The recommended level rose {_from_to(before['level'], now['level'])}.")
        other = [key for key in new if key not in old or _money_of(new[key]) != _money_of(old[key])]
        why += [f"New: {new[key]['sentence']}" for key in sorted(other)]
    else:
        if rank(now["level"]) < rank(before["level"]):
            why.append(f"The recommended level fell {_from_to(before['level'], now['level'])}.")
        if old and not old.keys() & new.keys():
            why += [f"No longer found: {old[key]['sentence']}" for key in sorted(old)]
    return tuple(why)


def _changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[Change]:
    if why := unsupported(before, now):
        decision = before["decision"]
        subject = f"Decision {decision['decision_id']}: {decision['outcome']}"
        yield Change("decision", subject, "supported", " ".join(why), worse=True)
    if before["level"] != now["level"]:
        worse = rank(now["level"]) > rank(before["level"])
        yield Change("level", "Recommended level", before["level"], now["level"], worse)
    for kind, member, subject in (
        ("outcome", "outcomes", "{} check"),
        ("screening", "screening", "{}"),
        ("document", "documents", "{}"),
    ):
        yield from _differing(kind, subject, before[member], now[member])
    old, new = _by_key(before["findings"]), _by_key(now["findings"])
    for key in sorted(old.keys() | new.keys()):
        if (key in old) != (key in new):
            one = new.get(key) or old[key]
            words = f"{one['outcome']}, {one['level']}"
            was, is_now = (ABSENT, words) if key in new else (words, ABSENT)
            yield Change("finding", f"{one['rule']}: {one['sentence']}", was, is_now, key in new)
        elif _money_of(old[key]) != _money_of(new[key]):
            yield Change("finding", new[key]["rule"], old[key]["sentence"], new[key]["sentence"], worse=True)
    yield from _differing("flag", "{}", before["flags"], now["flags"])
    yield from _stream_changes(before["streams"], now["streams"])


def _from_to(before: str, now: str) -> str:
    return f"from {LEVEL_WORDS[before]} to {LEVEL_WORDS[now]}"


def _differing(
    kind: str, subject: str, before: Mapping[str, str], now: Mapping[str, str]
) -> Iterator[Change]:
    for name in sorted(before.keys() | now.keys()):
        was, is_now = before.get(name, ABSENT), now.get(name, ABSENT)
        if was != is_now:
            worse = is_now.partition(",")[0] not in {"clear", "0", "false", ABSENT}
            yield Change(kind, subject.format(_words(name)), was, is_now, worse)


def _stream_changes(
    before: Iterable[Mapping[str, str]], now: Iterable[Mapping[str, str]]
) -> Iterator[Change]:
    old, new = _streams_by_name(before), _streams_by_name(now)
    for name in sorted(old.keys() | new.keys()):
        was, is_now = old.get(name), new.get(name)
        if was is None and is_now is not None:
            yield Change("stream", name, ABSENT, f"began {is_now['first_on']}, {is_now['status']}")
        elif was is not None and is_now is None:
            yield Change("stream", name, was["status"], "not found any more", worse=True)
        elif was is not None and is_now is not None and was["status"] != is_now["status"]:
            ended = is_now["status"] == "ceased"
            words = f"{is_now['status']}, last credit {is_now['last_on']}" if ended else is_now["status"]
            yield Change("stream", name, was["status"], words, ended)


def _streams_by_name(streams: Iterable[Mapping[str, str]]) -> dict[str, Mapping[str, str]]:
    """Return streams by payer, type and currency; a second one with the same name is numbered."""
    named: dict[str, Mapping[str, str]] = {}
    for stream in sorted(streams, key=lambda one: (one["first_on"], one["last_on"], one["status"])):
        name = f"{stream['payer'] or 'No payer'} ({_words(stream['type'])}, {stream['currency']})"
        number = 1
        while (label := name if number == 1 else f"{name}, {number}") in named:
            number += 1
        named[label] = stream
    return named


def _by_key(findings: Iterable[Mapping[str, str]]) -> dict[tuple[str, ...], Mapping[str, str]]:
    return {(each["rule"], each["path"], each["outcome"], each["value"]): each for each in findings}


def _money_of(finding: Mapping[str, str]) -> frozenset[str]:
    return without_evidence(finding["sentence"]) if is_money(finding["path"]) else frozenset()


def _session_order(sessions: pd.DataFrame) -> dict[str, int]:
    listed = sorted(
        (_text(row.created_at), str(row.session_id)) for row in rows(sessions, "session_id", "created_at")
    )
    return {session_id: place for place, (_, session_id) in enumerate(listed)}


def _outcomes(results: pd.DataFrame, order: Mapping[str, int]) -> dict[str, str]:
    names = [f"{section}_outcome" for section in SECTIONS if f"{section}_outcome" in results]
    return _latest(
        (order.get(str(row.session_id), -1), name.removesuffix("_outcome"), value)
        for row in rows(results, "session_id", *names)
        for name in names
        if (value := _text(getattr(row, name)))
    )


def _latest(answers: Iterable[tuple[int, str, str]]) -> dict[str, str]:
    return {name: value for _, name, value in sorted(answers)}


def _documents(documents: pd.DataFrame) -> dict[str, str]:
    found: dict[str, str] = {}
    for row in rows(
        documents, "kind", "document_type", "issuing_country", "document_number", "expires_on", "outcome"
    ):
        about = (
            _words(_text(row.document_type) or str(row.kind)),
            _text(row.issuing_country),
            _text(row.document_number),
        )
        expires = f", expires {_day(row.expires_on)}" if _text(row.expires_on) else ""
        found[" ".join(part for part in about if part)] = f"{_text(row.outcome) or 'no outcome'}{expires}"
    return found


def _findings(findings: pd.DataFrame) -> list[dict[str, str]]:
    wanted = ("rule_id", "path", "outcome", "level", "sentence", "value", "internal", "superseded_by")
    found: dict[tuple[str, ...], dict[str, str]] = {}
    for row in rows(findings, *wanted):
        if row.outcome in {HIT, UNKNOWN} and not row.internal and not _text(row.superseded_by):
            value = _text(row.value) if is_fact(_text(row.path)) else ""
            about = (str(row.rule_id), _text(row.path), str(row.outcome), value)
            # A rule may say several things of one path.
            found.setdefault(about, {})[_text(row.sentence)] = str(row.level)
    return [
        {
            "rule": rule,
            "path": path,
            "outcome": outcome,
            "value": value,
            "level": highest(levels.values()),
            "sentence": "; ".join(levels),
        }
        for (rule, path, outcome, value), levels in sorted(found.items())
    ]


def _flags(flags: pd.DataFrame) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for row in rows(flags, "code", "severity"):
        found.setdefault(str(row.code), []).append(str(row.severity))
    return {
        code: f"{len(severities)} ({', '.join(sorted(set(severities)))})"
        for code, severities in found.items()
    }


def _streams(streams: pd.DataFrame) -> list[dict[str, str]]:
    wanted = ("payer", "type", "currency", "cadence", "status", "first_on", "last_on")
    return sorted(
        (
            {
                name: _day(getattr(row, name)) if name.endswith("_on") else _text(getattr(row, name))
                for name in wanted
            }
            for row in rows(streams, *wanted)
        ),
        key=lambda one: tuple(one.values()),
    )


def _words(name: str) -> str:
    return name.replace("_", " ")


def _day(value: Any) -> str:
    return _text(value)[:10]


def _text(value: Any) -> str:
    return "" if value is None or value is pd.NaT or pd.isna(value) else str(value)
