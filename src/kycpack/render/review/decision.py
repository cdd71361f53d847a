"""A person's decision as a review shows it: in a few lines on page one, and in full in a section with the ledger's record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from kycpack.models.dates import day_words, in_one_minute, instant_words
from kycpack.models.listed import counted, listed
from kycpack.render.document_parts import Cell
from kycpack.render.palette import Tone
from kycpack.render.review.finding_ids import id_ranges, number_of, ranges, with_ranges
from kycpack.render.review.reopened import Reopening
from kycpack.render.wording import level_cell, sentence_case
from kycpack.triage.customers.changes import finding_key, is_money, without_evidence

NO_DECISION = "No decision recorded"
MADE_BEFORE = (
    "This pack was made before any decision was recorded. A later pack of this case may contain one."
)
ENDS_CASE = ("approve", "reject")
"""The outcomes that decide about the customer."""
WHY_IN_SECTION = " (why: “Decision”)"
"""What stands on page one in place of a text that is too long for it."""
_MLRO = "MLRO"
_NO_MLRO = f"no {_MLRO} took part"
_REPORT = "Whether a report to the National Crime Agency was considered before this rejection, by whom and when: not recorded in this case"
_ROOM_ON_PAGE_ONE = 250  # characters: about two lines
_NOT_STOOD = frozenset({"false_positive", "inconclusive"})
_VERDICTS = {"": "No verdict yet", "accepted": "Accepted as correct"}
_OUTCOMES = {
    "approve": Cell("Approved", Tone.GOOD),
    "hold": Cell("On hold", Tone.ALARM),
    "escalate": Cell("Escalated", Tone.ALARM),
    "reject": Cell("Rejected", Tone.ALARM),
}


def outcome_title(outcome: str) -> Cell:
    """Return the outcome of a decision in a word or two, as in `On hold`."""
    return _OUTCOMES.get(outcome, Cell(sentence_case(outcome)))


def verdict_words(verdict: str) -> str:
    """Return a verdict in words; one that accepts a finding tolerates nothing, but says that the finding is right."""
    return _VERDICTS.get(verdict) or sentence_case(verdict.replace("_", " "))


@dataclass(frozen=True, slots=True)
class DisposedFinding:
    """A finding with the verdict of a decision.

    Attributes:
        finding_id: Its id in the case, as in `F-1`.
        rule_id: The rule.
        sentence: The finding in a sentence.
        verdict: As in `false_positive`; empty if the decision has no verdict on it.
        outside: The external evidence, in words; empty if there is none.
        file_sha256: The SHA-256 of the file of that evidence; empty if there is none.
        key: What it is recognised by, as in `finding_key`; empty in a ledger of an older version.
    """

    finding_id: str
    rule_id: str
    sentence: str
    verdict: str
    outside: str = ""
    key: str = ""
    file_sha256: str = ""


def numbers_of(disposed: Iterable[DisposedFinding], rows: Sequence[Mapping[Any, Any]]) -> str:
    """Return the ids that findings have in a decision, as in `F-2, F-4 to F-9`; empty if none of them is in it.

    A finding about money whose sum is another one since is not in it.

    Args:
        disposed: The findings of the decision; what one rule says several times of one thing is one of them.
        rows: The findings, as rows of frame `findings`.
    """
    said: dict[str, list[tuple[str, str]]] = {}
    for row in rows:
        said.setdefault(finding_key(row), []).append((str(row["path"]), str(row["sentence"])))
    found = {(str(row["rule_id"]), str(row["sentence"])) for row in rows}
    ids = (
        number_of(each.finding_id)
        for each in disposed
        if (_has_one(each, said.get(each.key, ())) if each.key else _is_among(each, found))
    )
    return ranges(sorted(ids))


def _has_one(one: DisposedFinding, said: Iterable[tuple[str, str]]) -> bool:
    """Return whether a finding of a decision says what one of some paths and sentences with its key say, as far as they are about money."""
    return any(
        not is_money(path) or without_evidence(sentence) <= without_evidence(one.sentence)
        for path, sentence in said
    )


def _is_among(one: DisposedFinding, found: AbstractSet[tuple[str, str]]) -> bool:
    """Return whether a finding of a ledger without keys has one of these rules and whole sentences."""
    return any(rule == one.rule_id and f"; {said}; " in f"; {one.sentence}; " for rule, said in found)


@dataclass(frozen=True, slots=True)
class LedgerStep:
    """An entry of the ledger about the case: when, what, by whom, and what was said."""

    seq: int
    at: datetime
    what: str
    actor: str
    text: str
    signed: bool


@dataclass(frozen=True, slots=True)
class CaseDecision:
    """The last decision of a case.

    Attributes:
        decision_id: Its id, as in `cus_1-9f2c81aa-D1`.
        outcome: approve, hold, escalate or reject.
        reason: The reason code in words.
        text: Why, in the words of the person who decided.
        decided_by: Who decided.
        decided_at: When.
        second_by: The second person; empty if nobody has approved.
        second_at: When the second person approved.
        second_text: Why, in the second person's words.
        decider_role: The role that the person who decided held then, in words, as in `MLRO`; empty if none was granted.
        second_role: The role that the second person held then, in the same way.
        effect: `hold` or `escalate` while one is in force, which a decision that waits for a second person does not end; else empty.
        reason_code: The reason code itself, as in `TRUE-MATCH`; empty if it is not known.
        authenticated: Whether the second person signed with an enrolled key.
        second_needed: Why a second person is needed; empty if none is.
        standing: What has happened to the decision since, in a sentence; empty if it still stands.
        reopens_on: When the case opens again, ISO 8601; empty if it does not.
        text_used_before: In how many earlier decisions the same text was used.
        corrects: Id of the earlier decision that it corrects; empty if it corrects none.
        level: What the policy recommended when it was decided.
        policy: Id, version and state of the policy that was in force, as in `default-uk 2.1.0 (approved)`.
        evidence_root: Root of the evidence that was reviewed.
        findings: The findings with their verdicts.
        reopening: What reopened the case after it; None if nothing did.
        about: The rules that the reason code is about, as in `DecisionRules.grounds`; empty where the policy of the pack does not say.
    """

    decision_id: str
    outcome: str
    reason: str
    text: str
    decided_by: str
    decided_at: datetime
    second_by: str
    second_at: datetime | None
    second_text: str
    authenticated: bool
    second_needed: tuple[str, ...]
    standing: str
    reopens_on: str
    text_used_before: int
    corrects: str
    level: str
    policy: str
    evidence_root: str
    findings: tuple[DisposedFinding, ...] = ()
    decider_role: str = ""
    second_role: str = ""
    effect: str = ""
    reason_code: str = ""
    reopening: Reopening | None = None
    about: tuple[str, ...] = ()

    @property
    def title(self) -> Cell:
        """The outcome in a word."""
        return outcome_title(self.outcome)

    @property
    def is_in_force(self) -> bool:
        """Whether the decision is in force: a hold or an escalation at once, any other decision when the case is closed."""
        return not self.standing or self.outcome in {"hold", "escalate"}

    @property
    def sentence(self) -> str:
        """Who decided what, when, with whom."""
        decider = _with_role(self.decided_by, self.decider_role)
        second_at = self.second_at if self.second_by else None
        seconds = second_at is not None and in_one_minute(self.decided_at, second_at)
        who = f"{self.title.text} by {decider} on {instant_words(self.decided_at, seconds=seconds)}"
        if second_at is not None:
            second = _with_role(f"{self.second_by} as the second person", self.second_role)
            return f"{who}; agreed by {second} on {instant_words(second_at, seconds=seconds)}"
        return f"{who}; {self._without_second}"

    @property
    def because(self) -> str:
        """Why, in the words of the reason code and of the person who decided if there is room for all of them; consecutive ids of findings are written as a range."""
        said = f"{self.coded_reason}: {with_ranges(' '.join(self.text.split()))}"
        return said if len(said) <= _ROOM_ON_PAGE_ONE else f"{self.coded_reason}{WHY_IN_SECTION}"

    @property
    def verdict_counts(self) -> str:
        """How many findings have which verdict, and which did not stand; empty if the case had none."""
        said: dict[str, list[str]] = {}
        for each in self.findings:
            said.setdefault(each.verdict, []).append(each.finding_id)
        return ", ".join(
            f"{len(ids)} {verdict_words(one).lower() if one else 'without a verdict'}{f' ({id_ranges(ids)})' if one in _NOT_STOOD else ''}"
            for one, ids in said.items()
        )

    @property
    def verdicts(self) -> str:
        """The findings by verdict, each with its id and its rule."""
        said: dict[str, dict[str, list[int]]] = {}
        for each in self.findings:
            said.setdefault(verdict_words(each.verdict), {}).setdefault(each.rule_id, []).append(
                number_of(each.finding_id)
            )
        return ". ".join(
            f"{verdict}: {', '.join(f'{ranges(numbers)} {rule}' for rule, numbers in by_rule.items())}"
            for verdict, by_rule in said.items()
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """What else a reader of page one has to know: whether the decision ends, and what is not proved."""
        said = []
        if self.second_by and not self.authenticated:
            said.append("The second person was not authenticated: nobody in this workspace signs with a key.")
        if self.reopens_on and self.is_in_force:
            ends = day_words(date.fromisoformat(self.reopens_on))
            what = "approval" if self.outcome == "approve" else "escalation"
            said.append(f"The {what} ends on {ends}; the case then opens again.")
        return tuple(said)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What else belongs to the record: by which rule one person decided alone, what is not recorded of a rejection, and a text that was used before."""
        alone = not (self.second_by or self.second_needed)
        said = [self._rule_for_one] if alone and self.outcome in ENDS_CASE else []
        if self.outcome == "reject":
            said.append(f"{_REPORT}; {self._officer_words}.")
        if self.text_used_before:
            said.append(f"The same text was used in {counted(self.text_used_before, 'earlier decision')}.")
        return tuple(said)

    @property
    def outside(self) -> str:
        """The external evidence that false positives rest on: list entry and date, by finding; empty if there is none."""
        said: dict[str, list[int]] = {}
        for each in self.findings:
            if each.outside:
                said.setdefault(each.outside, []).append(number_of(each.finding_id))
        return ". ".join(f"External evidence for {ranges(of)}: {named}" for named, of in said.items())

    @property
    def outside_in_short(self) -> str:
        """The same for page one, where many entries are not listed."""
        ids = id_ranges(each.finding_id for each in self.findings if each.outside)
        listed_ = len(self.outside) <= _ROOM_ON_PAGE_ONE
        said = self.outside if listed_ else f"External evidence for {ids}: in “Decision”"
        return f"{said} (not in this pack)." if ids else ""

    @property
    def _officers(self) -> list[str]:
        """Who took part in the decision as the MLRO, and when."""
        took_part = (
            (self.decided_by, self.decider_role, self.decided_at),
            (self.second_by, self.second_role, self.second_at),
        )
        return [f"{name} on {instant_words(at)}" for name, role, at in took_part if at and _MLRO in role]

    @property
    def _officer_words(self) -> str:
        """Whether the MLRO took part in the decision, and when."""
        if not self._officers:
            return f"{_NO_MLRO} in the decision"
        return f"the {_MLRO} took part in the decision: {listed(self._officers)}"

    @property
    def coded_reason(self) -> str:
        """The reason in words, with its code."""
        return f"Reason code {self.reason_code}: {self.reason}" if self.reason_code else self.reason

    @property
    def _without_second(self) -> str:
        if self.outcome == "hold":
            return "one person may put a case on hold, and the hold takes effect at once"
        if self.second_needed:
            return f"a second person has not approved it, and is needed ({'; '.join(self.second_needed)})"
        alone = "no second person was needed"
        return f"{alone}, and {_NO_MLRO}" if self.outcome == "reject" and not self._officers else alone

    @property
    def _rule_for_one(self) -> str:
        policy = self.policy.partition(" (")[0]
        if self.outcome == "approve":
            return f"One person decided alone: {policy} lets one person approve at the level {level_cell(self.level).text.lower()}."
        return (
            f"One person decided alone: {policy} lets one person reject a customer; where a report is open, the steps ask for that only once the MLRO "
            "agrees. Two people have to decide together where a rejection ends a hold or an escalation, calls a match on a list of sanctions, terrorism or "
            "politically exposed persons a false positive, or is about a customer with a match on sanctions or terrorism; no such case was known then."
        )


def _with_role(name: str, role: str) -> str:
    return f"{name} ({role})" if role else name


@dataclass(frozen=True, slots=True)
class CaseRecord:
    """What the ledger says about a case.

    Attributes:
        decision: The last decision; None if nothing was decided.
        steps: The entries of the case in order.
        corrected: The decision before the last; None if there is none.
        support: Whether the evidence of this pack supports the last decision, or the one that it corrects, if that rests on other evidence; empty if both rest on this pack's.
        is_before: Whether the last decision is based on evidence other than this pack's.
        is_supported: Whether the evidence of this pack supports a decision that is based on other evidence and has not ended.
        since: Which evidence came since the last decision, and the level since then, a sentence each.
        deciders: Who decides now; empty where the decision was not overtaken.
        newer: What a later run found that opened the case of this pack again; None if none did.
        head: Hash of the ledger's last entry when the excerpt was made.
        size: How many entries the ledger had.
    """

    decision: CaseDecision | None = None
    steps: tuple[LedgerStep, ...] = field(default=(), repr=False)
    head: str = ""
    size: int = 0
    corrected: CaseDecision | None = None
    support: str = ""
    is_before: bool = False
    is_supported: bool = False
    since: tuple[str, ...] = ()
    deciders: tuple[str, ...] = ()
    newer: Reopening | None = None

    @property
    def who_decides(self) -> str:
        """Who decides now, in a sentence; empty where the decision was not overtaken."""
        return f"Who decides now: {listed(self.deciders)}." if self.deciders else ""

    @property
    def replaces(self) -> str:
        """Which decision the last one replaces: its id, its outcome, by whom, when, and why the case was opened again."""
        if self.corrected is None:
            return ""
        said = (f"{self.corrected.decision_id}: {self.corrected.sentence}.", self.corrected.standing)
        return " ".join(filter(None, said))


def news_lines(record: CaseRecord | None) -> tuple[str, ...]:
    """Return the lines of page one about what has come since a decision."""
    if record is None or record.decision is None:
        return ()
    stands = " ".join(filter(None, (record.decision.standing, record.support)))
    return tuple(filter(None, (stands, record.who_decides, *record.since)))


def decision_lines(record: CaseRecord | None) -> tuple[str, ...]:
    """Return the lines of page one about the decision itself: who decided, when and with whom; and why, of one that a later run overtook by its code alone."""
    if record is None or record.decision is None:
        return (MADE_BEFORE,) if record is None else ("The case is open: nobody has decided it yet.",)
    decision = record.decision
    before = "Decided before this pack, on other evidence: " if record.is_before else ""
    because = decision.coded_reason if record.newer else decision.because
    return (f"{before}{decision.sentence}", because, *decision.warnings)


def stands(record: CaseRecord | None) -> bool:
    """Return whether the last decision was not overtaken, and the evidence of this pack is that of the decision or supports it."""
    decision = None if record is None else record.decision
    return (
        record is not None
        and decision is not None
        and decision.reopening is None
        and (record.is_supported or not record.is_before)
    )


def decision_cell(record: CaseRecord | None) -> Cell:
    """Return the decision in a word or two; a decision that waits, was sent back or has to be made again is not shown as if it stood."""
    decision = None if record is None else record.decision
    if decision is None:
        return Cell(NO_DECISION)
    if record is not None and record.is_before:
        return Cell(f"{decision.title.text} before", Tone.WATCH)
    if decision.is_in_force:
        return decision.title
    return Cell(f"{decision.title.text}, without effect", Tone.WATCH)
