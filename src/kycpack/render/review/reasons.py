"""The reasons for a level, and what could not be evaluated: one sentence each, with value and evidence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

import pandas as pd

from kycpack.evidence.citations import CITED_AT_END
from kycpack.frames.rows import records
from kycpack.models.listed import listed
from kycpack.render.document_parts import REFERENCE
from kycpack.render.origin import Origins, distinct_of, value_of
from kycpack.render.review.compared_values import compared_values, values_of, with_values
from kycpack.render.review.decision import DisposedFinding, numbers_of
from kycpack.render.review.short_names import ShortNames
from kycpack.render.review.subjects import subjects_of
from kycpack.render.review.sums import Sums
from kycpack.render.review.task_kinds import Task
from kycpack.render.review.tasks import tasks_of_hit, tasks_of_unknown
from kycpack.render.wording import action_words, is_absent, sentence_case, text_of, title_in
from kycpack.triage.judge.findings import precedence
from kycpack.triage.judge.sentences import evidence_words, named_value
from kycpack.triage.levels import ANALYST, OF_SECTION, rank, strictness
from kycpack.triage.likeness import DIFFERENT, SIMILAR
from kycpack.triage.paths import SOURCE_FOUND

_COLUMNS = (
    "outcome",
    "rule_id",
    "session_id",
    "level",
    "owner",
    "action",
    "title",
    "sentence",
    "cause",
    "evidence_ids",
    "path",
    "value",
    "internal",
)
_FEW_RULES = 2
NOT_ESTABLISHED = "not established"
NOT_KNOWN = "Not known"  # the label of many checks that could not be evaluated
DECISION_ON_REPORT = "Decision on a report to the NCA"
_NO_SUMS = Sums()
_SENTENCES = re.compile("[.:] ")  # several, or one that cannot go on


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason for the recommended level.

    Attributes:
        rule_id: The rule that was hit; empty where none was and a decision is open all the same.
        text: One sentence, with the value and the evidence it rests on.
        owner: Who has to review it.
        level: The level that the rule calls for.
        action: The action that the policy requires, one of `ACTIONS`; empty for none.
        origins: The findings that it stands for.
        impersonal: The sentence without personal data from another source, for use outside the pack: the index of a run,
            the terminal, a list of cases. Empty if the text has no such data.
        number: Its id in the decision, as in `F-2`; empty if it has none.
        check: The rule of the section's outcome, and the check with its value as the sentence of that outcome names them; empty for none.
        internal: Whether it stays inside the firm, as in `Unknown`.
        subjects: The parts of the results that it is about, as in `subjects_of`.
        evidence: Ids of the evidence.
        also: The lesser reasons of the same matter, each with its rule, its level and its evidence.
        above: The rule that governs the matter to which it belongs; empty if it does itself.
        tasks: What has to be found out or obtained.
        path: What it is about, as in column `path` of the findings.
        title: What the rule looks at, in a few words of the policy; of a red flag, its own title.
        sum: The sum of money that it is about, in words; empty for none.
        asked: When the customer is asked, as the steps say it; empty if nothing has to come before.
    """

    rule_id: str
    text: str
    owner: str
    level: str
    action: str = ""
    origins: Origins = ()
    impersonal: str = ""
    number: str = ""
    check: tuple[str, str] = ("", "")
    internal: bool = False
    subjects: frozenset[str] = frozenset()
    evidence: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    above: str = ""
    tasks: tuple[Task, ...] = ()
    path: str = ""
    title: str = ""
    sum: str = ""
    asked: str = ""

    @property
    def label(self) -> str:
        """The label before it in lists: the rule, or the decision on a report that no rule asks for."""
        return f"{self.number} {self.rule_id}".strip() or DECISION_ON_REPORT

    @property
    def rules(self) -> tuple[str, ...]:
        """What names it in a list of what has to be done."""
        return (self.rule_id,) if self.rule_id else ()

    @property
    def about(self) -> tuple[str, ...]:
        """Who has to review it, and what to do, in words."""
        return (self.owner, f"{action_words(self.action)} {self.asked}".strip())


@dataclass(frozen=True, slots=True)
class Unknown:
    """The checks that could not be evaluated for one cause.

    Attributes:
        cause: The cause, as a sentence.
        titles: The checks that could not be evaluated, in the words of the policy.
        level: The highest level of these rules.
        owner: Who has to review it: the owner of the strictest of these rules.
        sessions: Short names of the sessions it is about; empty for the customer.
        evidence: Ids of the evidence.
        origins: The findings that it stands for.
        internal: Whether it stays inside the firm: it is not in a recommendation, a case or a queue.
        number: Their ids in the decision, as in `F-2 to F-9`; empty if they have none.
        action: What has to be done, as for `Reason`.
        tasks: What has to be found out or obtained.
        paths: What could not be evaluated, as in column `path` of the findings.
        codes: The rules that could not be evaluated, all of them.
        rules: What names it in a list of what has to be done; empty for many rules, and for what stays inside the firm.
    """

    cause: str
    titles: tuple[str, ...]
    level: str
    owner: str
    sessions: tuple[str, ...]
    evidence: tuple[str, ...]
    origins: Origins = ()
    internal: bool = False
    number: str = ""
    action: str = "ask"
    tasks: tuple[Task, ...] = ()
    rules: tuple[str, ...] = ()
    paths: frozenset[str] = frozenset()
    codes: tuple[str, ...] = ()

    also: ClassVar[tuple[str, ...]] = ()

    @property
    def label(self) -> str:
        """The label before it on page one: the rules, or that many are not known."""
        codes = self.codes or self.rules
        return f"{self.number} {listed(codes) if 0 < len(codes) <= _FEW_RULES else NOT_KNOWN}".lstrip()

    @property
    def title(self) -> str:
        """The checks in a few words; many by their number."""
        return listed(self.titles) if len(self.titles) <= _FEW_RULES else f"{len(self.titles)} checks"

    @property
    def result(self) -> str:
        """Its result in two words: a source of wealth was looked for, all else is not known."""
        return NOT_ESTABLISHED if self.paths == {SOURCE_FOUND} else "not known"

    @property
    def about(self) -> tuple[str, ...]:
        """Who has to review it, and what to do, in words; where results are missing, who gets them first, as the steps do."""
        if self.internal:
            return (self.owner, action_words("internal_report"))
        if self.action == "hold" or not self.tasks or not all(task.before for task in self.tasks):
            return (self.owner, action_words(self.action))
        then = f", then {self.owner}" if self.owner not in {"", ANALYST} else ""
        return (f"{ANALYST}{then}", "get the results")

    @property
    def subjects(self) -> frozenset[str]:
        """The parts of the results that it is about, as in `subjects_of`."""
        return frozenset(part for path in self.paths for part in subjects_of(path))

    @property
    def text(self) -> str:
        """The unknown in one sentence, for page one."""
        about = f" ({', '.join(self.sessions)})" if self.sessions else ""
        count = len(self.titles)
        so = ". One" if _SENTENCES.search(self.cause) else ", so one"
        named = f"{so} check could not be evaluated: {self.titles[0]}"
        if self.result == NOT_ESTABLISHED:
            named = f". Not established by the bank data: {self.titles[0]}"
        what = named if count == 1 else f": {count} checks could not be evaluated"
        if count == 1 and " " in self.titles[0] and self.titles[0].casefold() in self.cause.casefold():
            what = ""  # the cause already names it; with a title of one word this is less certain
            are = "session" if len(self.sessions) == 1 else "sessions"
            about = f": {are} {', '.join(self.sessions)}" if about else ""
        return with_evidence(f"{self.cause}{about}{what}", self.evidence)


def with_evidence(sentence: str, evidence_ids: Any) -> str:
    """Return a sentence with the ids of its evidence in brackets, unless it already names them."""
    bare = sentence.rstrip(". ")
    if REFERENCE.search(bare):
        return bare
    return (
        bare
        if is_absent(evidence_ids) or not len(evidence_ids)
        else f"{bare} ({evidence_words(list(evidence_ids))})"
    )


def reasons_of(
    findings: pd.DataFrame,
    names: ShortNames,
    consistency: pd.DataFrame | None = None,
    disposed: Sequence[DisposedFinding] = (),
    absent: Mapping[str, Task] = MappingProxyType({}),
    sums: Sums = _NO_SUMS,
) -> tuple[Reason, ...]:
    """Return the reasons of all rules that were hit, in the order of `by_weight`; a reason for several sessions is listed once.

    Args:
        findings: Frame `findings` of one customer.
        names: Short names of sessions and accounts.
        consistency: Frame `consistency` of the customer, for the value that differs from the record; None for none.
        disposed: The findings of the decision, for their ids.
        absent: What has to be done about each session without results, as returned by `sessions_without_results`.
        sums: What findings about money are about.
    """
    others = compared_values(consistency, names)
    alike: dict[_Said, list[tuple[str, dict[Any, Any]]]] = {}
    hits = [row for row in records(findings, *_COLUMNS) if str(row["outcome"]) == "HIT"]
    hits.sort(key=lambda row: (-rank(str(row["level"])), precedence(str(row["action"]), str(row["path"]))))
    for row, (note, earlier) in zip(
        hits, sums.notes_of([text_of(row["sentence"]) for row in hits]), strict=True
    ):
        bare = f"{_without_evidence(names.within(text_of(row['sentence'])))}{note}"
        paid = sums.paid_by(bare, earlier).words
        sentence = f"{with_values(bare, values_of(row, others))}{paid}"
        said = _Said(str(row["rule_id"]), str(row["level"]), sentence, earlier)
        alike.setdefault(said, []).append((bare, row))
    return tuple(_reason_of(said, rows, disposed, names, absent, sums) for said, rows in alike.items())


class _Said(NamedTuple):
    """What findings of one reason have in common; with the message of an earlier red flag that rests on the same payments, or empty."""

    rule_id: str
    level: str
    sentence: str
    earlier: str


def _reason_of(
    said: _Said,
    rows: list[tuple[str, dict[Any, Any]]],
    disposed: Sequence[DisposedFinding],
    names: ShortNames,
    absent: Mapping[str, Task],
    sums: Sums,
) -> Reason:
    """Return the reason for findings of one rule that say the same, each with its sentence as it is outside the pack; of a red flag that rests on payments of an earlier one, that one is asked about."""
    rule_id, level, sentence, earlier = said
    evidence = sorted({id_ for _, row in rows for id_ in _ids(row["evidence_ids"])})
    paid = sums.paid_by(sentence, earlier).origins
    impersonal, (_, first) = next((bare for bare, _ in rows if bare != sentence), ""), rows[0]
    title, sum_ = sums.total_of(sentence)
    return Reason(
        rule_id,
        with_evidence(sentence, evidence),
        text_of(first["owner"], ""),
        level,
        text_of(first["action"], ""),
        (
            value_of("findings", outcome="HIT", rule_id=rule_id, level=level),
            *([value_of("consistency", verdict=(DIFFERENT, SIMILAR))] if impersonal and not paid else []),
            *paid,
        ),
        with_evidence(impersonal, evidence) if impersonal else "",
        numbers_of(disposed, [row for _, row in rows]),
        _check_of(first),
        bool(first["internal"]),
        subjects_of(text_of(first["path"], "")),
        tuple(evidence),
        tasks=tasks_of_hit([row for _, row in rows], sentence, names, absent, sums, earlier),
        path=text_of(first["path"], ""),
        title=title or title_in(sentence, sentence_case(text_of(first["title"], ""))),
        sum=sum_,
    )


def _check_of(row: Mapping[Any, Any]) -> tuple[str, str]:
    path, value = text_of(row["path"], ""), row["value"]
    if is_absent(value) or path.endswith(".outcome"):
        return ("", "")
    return (OF_SECTION + path.partition(".")[0], named_value(path, value))


def _without_evidence(sentence: str) -> str:
    """Return a sentence without the evidence at its end, so that equal sentences can be merged with all their evidence."""
    return CITED_AT_END.sub("", sentence)


def unknowns_of(
    findings: pd.DataFrame,
    names: ShortNames,
    gaps: pd.DataFrame,
    disposed: Sequence[DisposedFinding] = (),
    absent: Mapping[str, Task] = MappingProxyType({}),
    sums: Sums = _NO_SUMS,
) -> tuple[Unknown, ...]:
    """Return what could not be evaluated, one entry per cause, counted as in the recommendation, the highest level first.

    Findings that the customer must not learn of are not in the reasons of a recommendation, and have their own entry here.

    Args:
        findings: Frame `findings` of one customer.
        names: Short names of sessions and accounts.
        gaps: Frame `gaps` of the customer, for the request that a cause is about.
        disposed: The findings of the decision, for their ids.
        absent: As for `reasons_of`.
        sums: As for `reasons_of`.
    """
    asked: dict[tuple[str, str], list[str]] = {}
    for gap in records(gaps, "message", "subject", "evidence_id"):
        if not is_absent(gap["evidence_id"]):
            asked.setdefault((_plain(gap["message"]), text_of(gap["subject"], "")), []).append(
                str(gap["evidence_id"])
            )
    groups: dict[tuple[str, bool], list[dict[Any, Any]]] = {}
    for row in records(findings, *_COLUMNS):
        if str(row["outcome"]) == "UNKNOWN":
            groups.setdefault((text_of(row["cause"], ""), bool(row["internal"])), []).append(row)
    found = [
        Unknown(
            cause=sentence_case(names.within(cause or "The cause is not known").rstrip(".")),
            titles=_distinct(sentence_case(text_of(row["title"])) for row in rows),
            level=max((str(row["level"]) for row in rows), key=rank),
            owner=text_of(max(rows, key=_strictness_of)["owner"], ""),
            sessions=_distinct(names.of(row["session_id"], "") for row in rows),
            evidence=tuple(
                sorted(
                    {id_ for row in rows for id_ in _ids(row["evidence_ids"])}.union(
                        *(asked.get((_plain(cause), text_of(row["session_id"], "")), ()) for row in rows)
                    )
                )
            ),
            origins=_origins(cause, rows),
            internal=internal,
            number=numbers_of(disposed, rows),
            tasks=tasks_of_unknown(rows, names, absent, sums, internal=internal),
            rules=_rules_of(rows) if not internal else (),
            action="hold" if not internal and any(str(row["level"]) == "escalate" for row in rows) else "ask",
            paths=frozenset(text_of(row["path"], "") for row in rows),
            codes=_distinct(str(row["rule_id"]) for row in rows),
        )
        for (cause, internal), rows in groups.items()
    ]
    return tuple(sorted(found, key=lambda one: -rank(one.level)))


def unevaluated(unknowns: Iterable[Unknown]) -> set[str]:
    """Return the titles of the checks that could not be evaluated, without those that stay inside the firm."""
    return {title for one in unknowns if not one.internal for title in one.titles}


def _rules_of(rows: list[dict[Any, Any]]) -> tuple[str, ...]:
    rules = _distinct(str(row["rule_id"]) for row in rows)
    return rules if len(rules) <= _FEW_RULES else ()


def _strictness_of(row: Mapping[Any, Any]) -> tuple[int, bool, bool]:
    return strictness(str(row["level"]), text_of(row["action"], ""), text_of(row["owner"], ""))


def _origins(cause: str, rows: list[dict[Any, Any]]) -> Origins:
    which: dict[str, Any] = {
        "outcome": "UNKNOWN",
        "rule_id": sorted({str(row["rule_id"]) for row in rows}),
        "session_id": list(dict.fromkeys(text_of(row["session_id"], "") or None for row in rows)),
    }
    if cause:
        which["cause"] = cause
    return (value_of("findings", **which), distinct_of("findings", "title", **which))


def _plain(message: Any) -> str:
    return text_of(message, "").rstrip(".").casefold()


def _ids(value: Any) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list | tuple) or hasattr(value, "__len__") else []


def _distinct(texts: Iterator[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in texts if text))
