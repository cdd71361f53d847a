"""What a person decided, as a review says it: on page one in full, and in a section with the record behind it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any

from kycpack.models.dates import day_words, instant_words
from kycpack.render.document_parts import Cell
from kycpack.render.palette import Tone
from kycpack.render.wording import sentence_case
from kycpack.triage.changes import Change

NO_DECISION = "No decision recorded"
MADE_BEFORE = "This pack was made before any decision was recorded. A later pack of this case may carry one."
_IDS = re.compile(r"F-[0-9]+(?:, F-[0-9]+)+")
_NUMBER = re.compile(r"[0-9]+")
_FEW = 2  # ids in a row that are written one by one
_ROOM_ON_PAGE_ONE = 480  # characters: about four lines
_ROOM_FOR_THE_SECOND = 240
_OUTCOMES = {
    "approve": Cell("Approved", Tone.GOOD),
    "hold": Cell("On hold", Tone.ALARM),
    "escalate": Cell("Escalated", Tone.ALARM),
    "reject": Cell("Rejected", Tone.ALARM),
}


@dataclass(frozen=True, slots=True)
class DisposedFinding:
    """What was said of a finding in a decision.

    Attributes:
        finding_id: Its id in the case, as in `F-1`.
        rule_id: The rule.
        sentence: The finding in a sentence.
        verdict: As in `false_positive`; empty where nothing was said of it.
        outside: Evidence from outside the service, in words; empty where there is none.
    """

    finding_id: str
    rule_id: str
    sentence: str
    verdict: str
    outside: str = ""


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
        text: Why, in the words of who decided.
        decided_by: Who decided.
        decided_at: When.
        second_by: The second person; empty where none has approved.
        second_at: When the second person approved.
        second_text: Why, in the second person's words.
        decider_role: What who decided held then, in words, as in `MLRO`; empty where no such role was granted.
        second_role: What the second person held then, as above.
        reason_code: The reason code itself, as in `TRUE-MATCH`; empty where it is not known.
        authenticated: Whether the second person signed with an enrolled key.
        second_needed: Why a second person is needed; empty where none is.
        standing: What became of the decision since, in a sentence; empty where it stands.
        reopens_on: When the case opens again, ISO 8601; empty where it does not.
        text_used_before: In how many earlier decisions the same text was used.
        corrects: Id of the earlier decision of the case; empty where there is none.
        level: What the policy recommended when it was decided.
        policy: Id, version and state of the policy that was in force, as in `default-uk 2.1.0 (approved)`.
        evidence_root: The evidence that was looked at.
        findings: What was said of each finding.
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
    reason_code: str = ""

    @property
    def title(self) -> Cell:
        """The outcome in a word."""
        return _OUTCOMES.get(self.outcome, Cell(sentence_case(self.outcome)))

    @property
    def is_in_force(self) -> bool:
        """Whether what was decided holds: a hold or an escalation from the moment it was decided, anything else when it is closed."""
        return not self.standing or self.outcome in {"hold", "escalate"}

    @property
    def sentence(self) -> str:
        """Who decided what, when, with whom."""
        decider = _with_role(self.decided_by, self.decider_role)
        who = f"{self.title.text} by {decider} on {instant_words(self.decided_at)}"
        if self.second_by and self.second_at is not None:
            second = _with_role(f"{self.second_by} as the second person", self.second_role)
            return f"{who}; approved by {second} on {instant_words(self.second_at)}"
        return f"{who}; {self._without_second()}"

    @property
    def because(self) -> str:
        """Why, in the reason code's words and the decider's; ids of findings in a row are written as from and to."""
        return _cut(f"{self._coded_reason}: {_with_ranges(' '.join(self.text.split()))}", _ROOM_ON_PAGE_ONE)

    @property
    def second_because(self) -> str:
        """Why the second person approved, in that person's words; empty where none has."""
        if not self.second_by:
            return ""
        words = _with_ranges(" ".join(self.second_text.split()))
        return _cut(f"In the words of {self.second_by}: {words}", _ROOM_FOR_THE_SECOND)

    @property
    def verdicts(self) -> str:
        """What was said of the findings, those of one verdict together, each by its id and its rule."""
        said: dict[str, dict[str, list[int]]] = {}
        for each in self.findings:
            verdict = sentence_case(each.verdict.replace("_", " ")) if each.verdict else "No verdict yet"
            said.setdefault(verdict, {}).setdefault(each.rule_id, []).append(_number(each.finding_id))
        return ". ".join(
            f"{verdict}: {', '.join(f'{_ranges(numbers)} {rule}' for rule, numbers in by_rule.items())}"
            for verdict, by_rule in said.items()
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader has to know besides: what became of it, whether it ends, and what is not proved."""
        said = [self.standing] if self.standing else []
        if self.second_by and not self.authenticated:
            said.append("The second person was not authenticated: nobody in this workspace signs with a key.")
        if self.reopens_on and self.is_in_force:
            ends = day_words(date.fromisoformat(self.reopens_on))
            what = "approval" if self.outcome == "approve" else "escalation"
            said.append(f"The {what} ends on {ends}; the case then opens again.")
        if self.text_used_before:
            times = "decision" if self.text_used_before == 1 else "decisions"
            said.append(f"The same text was used in {self.text_used_before} earlier {times}.")
        return tuple(said)

    @property
    def outside(self) -> str:
        """The evidence from outside that false positives rest on: list entry and date, by finding; empty where there is none."""
        said: dict[str, list[int]] = {}
        for each in self.findings:
            if each.outside:
                named = each.outside.rpartition(", file ")[0]
                said.setdefault(named, []).append(_number(each.finding_id))
        return ". ".join(f"Evidence from outside for {_ranges(of)}: {named}" for named, of in said.items())

    @property
    def _coded_reason(self) -> str:
        return f"Reason code {self.reason_code}: {self.reason}" if self.reason_code else self.reason

    def _without_second(self) -> str:
        if self.second_needed:
            return f"a second person has not approved it, and is needed ({'; '.join(self.second_needed)})"
        return "no second person was needed"


def _with_role(name: str, role: str) -> str:
    return f"{name} ({role})" if role else name


@dataclass(frozen=True, slots=True)
class CaseRecord:
    """What the ledger says of a case.

    Attributes:
        decision: The last decision; None where nothing was decided.
        steps: The entries of the case in their order.
        corrected: The decision before the last; None where there is none.
        support: What the evidence of this pack says of the last decision, or of the corrected one, that rests on other evidence;
            empty where both rest on this pack's.
        is_before: Whether the last decision rests on other evidence than this pack's.
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

    @property
    def corrects(self) -> str:
        """Which decision the last one corrects: its id, its outcome, by whom, when, and why the case was opened again."""
        if self.corrected is None:
            return ""
        return " ".join(
            filter(
                None, (f"{self.corrected.decision_id}: {self.corrected.sentence}.", self.corrected.standing)
            )
        )


def earlier_decision(record: CaseRecord | None, evidence_root: str) -> CaseDecision | None:
    """Return the decision of a case that a pack has to be held against: its last one, or the one that this corrects.

    Args:
        record: What the ledger says of the case.
        evidence_root: The evidence of the pack.
    """
    if record is None or record.decision is None or record.decision.evidence_root != evidence_root:
        return None if record is None else record.decision
    return record.corrected


def support_of(
    record: CaseRecord | None,
    evidence_root: str,
    earlier: Mapping[str, Any] | None,
    changes: tuple[Change, ...],
) -> str:
    """Return whether the evidence of a pack supports a decision that rests on other evidence; empty where there is none.

    Args:
        record: What the ledger says of the case.
        evidence_root: The evidence of the pack.
        earlier: What the pack keeps of the earlier one; None where it follows none.
        changes: What differs between the two.
    """
    rested = earlier_decision(record, evidence_root)
    if rested is None or rested.evidence_root == evidence_root:
        return ""
    if earlier is None or earlier["evidence_root"] != rested.evidence_root:
        return (
            f"Whether the evidence of this pack supports decision {rested.decision_id} was not compared: the pack that the "
            f"decision rests on (evidence {rested.evidence_root[:12]}) was not reachable when this one was made."
        )
    fallen = [change.now for change in changes if change.kind == "decision"]
    if fallen:
        return f"The evidence of this pack no longer supports decision {rested.decision_id}. {fallen[0]}"
    others = [change for change in changes if change.kind in {"level", "finding"} and change.worse]
    said = f"The evidence of this pack still supports decision {rested.decision_id}."
    if not others:
        return said
    level = [
        f"the recommended level rose from {each.before} to {each.now}"
        for each in others
        if each.kind == "level"
    ]
    count = sum(each.kind == "finding" for each in others)
    new = [f"{count} finding{'' if count == 1 else 's'} came up"] if count else []
    return f"{said} Since then {' and '.join([*level, *new])}: the case has to be decided again."


def with_support(record: CaseRecord | None, evidence_root: str, support: str) -> CaseRecord | None:
    """Return a record with what the evidence of a pack says of an earlier decision."""
    if record is None or record.decision is None:
        return record
    return replace(record, support=support, is_before=record.decision.evidence_root != evidence_root)


def decision_lines(record: CaseRecord | None) -> tuple[str, ...]:
    """Return what page one says of the decision: who, when and with whom; why; of which findings what; what to know besides."""
    if record is None or record.decision is None:
        return (MADE_BEFORE,) if record is None else ("The case is open: nobody has decided it yet.",)
    decision = record.decision
    sentence = (
        f"Decided before this pack, on other evidence: {decision.sentence}"
        if record.is_before
        else decision.sentence
    )
    corrects = f"Corrects {record.corrects}" if record.corrected else ""
    lines = (
        sentence,
        record.support,
        corrects,
        decision.because,
        decision.verdicts,
        decision.outside,
        decision.second_because,
    )
    return (*filter(None, lines), *decision.warnings)


def is_settled(record: CaseRecord | None) -> bool:
    """Return whether nobody is needed any more: the last decision stands, and rests on the evidence of this pack."""
    decision = None if record is None else record.decision
    return record is not None and decision is not None and not decision.standing and not record.is_before


def decision_cell(record: CaseRecord | None) -> Cell:
    """Return the decision in a word or two; one that waits, was sent back or has to be taken anew is not shown as if it stood."""
    decision = None if record is None else record.decision
    if decision is None:
        return Cell(NO_DECISION)
    if record is not None and record.is_before:
        return Cell(f"{decision.title.text} before", Tone.WATCH)
    if decision.is_in_force:
        return decision.title
    return Cell(f"{decision.title.text}, not in force", Tone.WATCH)


def _cut(said: str, room: int) -> str:
    if len(said) <= room:
        return said
    return f"{said[:room].rsplit(' ', 1)[0]} ... (the whole text is in “Decision”)"


def _number(finding_id: str) -> int:
    return int(finding_id.partition("-")[2])


def _with_ranges(text: str) -> str:
    return _IDS.sub(lambda row: _ranges([int(number) for number in _NUMBER.findall(row[0])]), text)


def _ranges(numbers: list[int]) -> str:
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(
        f"F-{run[0]} to F-{run[-1]}" if len(run) > _FEW else ", ".join(f"F-{number}" for number in run)
        for run in runs
    )
