"""Judges customers: applies every rule of a policy, lets later sessions replace earlier ones, and recommends a level.

Most customers differ only in what identifies them. Those about whom the same is known are judged once.
"""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from kycpack.frames.answer_members import SECTIONS
from kycpack.triage.case_file import CaseFile, Observation, SessionFile
from kycpack.triage.judge.findings import Finding, Ruling, recommendation
from kycpack.triage.judge.rulings import policy_rulings, rule_rulings
from kycpack.triage.judge.section_outcomes import is_not_fine, is_optional, is_outcome, section_rulings
from kycpack.triage.judge.supersession import Supersession, supersede
from kycpack.triage.levels import LEVEL_WORDS, highest
from kycpack.triage.paths import LEVEL
from kycpack.triage.policies.conditions import Judge
from kycpack.triage.policies.policy import Policy
from kycpack.triage.policies.questions import AskedRule, QuestionAnswer

_REMEMBERED = 131_072
_BANK_EXPECTED, _BANK_ACCESS, _BANK_HISTORY = "bank.expected", "requested.bank", "bank.history_days"
_DECISIVE = frozenset({_BANK_EXPECTED, _BANK_ACCESS})
"""The paths that a judgement uses besides those of the rules."""

Recommendation = dict[str, object]


@dataclass(frozen=True, slots=True)
class JudgedCase:
    """The result of a policy for one customer."""

    recommendation: dict[str, object]
    findings: tuple[Finding, ...]
    supersessions: tuple[Supersession, ...]


def judge_case(policy: Policy, case: CaseFile, day: dt.date, *, with_clear: bool = False) -> JudgedCase:
    """Return the result of a policy for one customer.

    Args:
        policy: The policy.
        case: The customer.
        day: The day of the review.
        with_clear: Whether to return findings that are clear as well; most are, and the others do not depend on them.
    """
    required = frozenset(policy.diligence.required[policy.diligence.kind(case.risk)])
    seen = [*case.seen, _requirement(case, required)]
    judges = [(session, _judge(policy, session, day, required)) for session in case.sessions]
    for session, judge in judges:
        judge.hear(session.seen)
        judge.hear(seen)
    made = _Rulings(policy, case, day, judges, with_clear=with_clear)
    made.rulings += policy_rulings(policy, case, day)
    for session in case.sessions:
        made.rulings += section_rulings(policy, case, session, required, with_clear=with_clear)
    made.judge_rules(about_level=False)
    rulings, superseded = supersede(case, made.rulings, made.clear_in)
    level = highest(ruling.finding.level for ruling in rulings if ruling.finding.stands)
    unneeded = f"none is needed, because the recommended level is {LEVEL_WORDS[level]}"
    for _, judge in judges:
        judge.hear([Observation(LEVEL, level, note=unneeded)])
    made.rulings = rulings
    made.judge_rules(about_level=True)
    findings = tuple(ruling.finding for ruling in _in_order(policy, case, made.rulings))
    return JudgedCase(recommendation(policy, case, findings, day), findings, tuple(superseded))


def _requirement(case: CaseFile, required: frozenset[str]) -> Observation:
    """Return whether the bank data that the customer's level of due diligence requires exists, or was at least ordered."""
    expected = any(seen.path == _BANK_EXPECTED and seen.value is True for seen in case.seen)
    there = any(seen.path == _BANK_HISTORY for seen in case.seen) or any(
        seen.path == _BANK_ACCESS and seen.value == "answered"
        for session in case.sessions
        for seen in session.seen
    )
    if "bank" not in required:
        word = "not_required"
    elif there:
        word = "answered"
    else:
        word = "absent" if expected else "not_ordered"
    return Observation("diligence.bank", word, (case.evidence_id,))


def _judge(policy: Policy, session: SessionFile, day: dt.date, required: frozenset[str]) -> Judge:
    optional = frozenset(section for section in SECTIONS if is_optional(session, section, required))
    return Judge(policy.questions, day, session.sections, optional)


class _Rulings:
    """Collects the rulings for one customer.

    Attributes:
        rulings: The rulings so far.
    """

    def __init__(
        self,
        policy: Policy,
        case: CaseFile,
        day: dt.date,
        judges: Sequence[tuple[SessionFile, Judge]],
        *,
        with_clear: bool,
    ) -> None:
        self.rulings: list[Ruling] = []
        self._policy, self._case, self._day = policy, case, day
        self._judges, self._with_clear = judges, with_clear
        self._optional_in_all = frozenset.intersection(*(judge.optional for _, judge in judges))

    def judge_rules(self, *, about_level: bool) -> None:
        """Judge the rules about the recommended level, or all others."""
        of_customer, of_session = self._policy.questions.about(level=about_level)
        self._judge(of_customer, *self._judges[0], self._optional_in_all)
        for session, judge in self._judges:
            self._judge(of_session, session, judge, judge.optional)

    def _judge(
        self, rules: Sequence[AskedRule], session: SessionFile, judge: Judge, optional: frozenset[str]
    ) -> None:
        clear = judge.clear()
        for asked in rules:
            if self._with_clear or asked.place not in clear or asked.rule.section in optional:
                self.rulings += rule_rulings(
                    self._policy, asked, self._case, session, judge, self._day, optional
                )

    def clear_in(self, session_id: str | None) -> set[str]:
        """Return the rules that are clear for a session."""
        _, of_session = self._policy.questions.about(level=False)
        return {
            asked.rule.id
            for session, judge in self._judges
            for asked in of_session
            if session.id == session_id
            and asked.place in judge.clear()
            and asked.rule.section not in judge.optional
        }


def _in_order(policy: Policy, case: CaseFile, rulings: Iterable[Ruling]) -> list[Ruling]:
    """Return the rulings by session, and within a session in the order of the policy; rulings about the customer come with the first session."""
    of_rule = policy.questions.places
    of_session = {session.id: place for place, session in enumerate(case.sessions)}
    return sorted(
        rulings,
        key=lambda one: (of_session.get(one.finding.session_id, 0), of_rule.get(one.finding.rule_id, -1)),
    )


def recommend(
    policy: Policy, cases: Sequence[CaseFile], day: dt.date
) -> tuple[list[Recommendation], list[Supersession]]:
    """Return the recommendation for every customer, in the order of the customers, and the sessions that later ones replace.

    Args:
        policy: The policy.
        cases: The customers.
        day: The day of the review.
    """
    equal = _EqualCases(policy, day)
    recommended: list[Recommendation] = []
    superseded: list[Supersession] = []
    for case in cases:
        if len(case.sessions) == 1 and len(cases) > 1:
            recommended.append(equal.recommendation(case))
        else:
            # Which session a later one replaces depends on the ids and dates of both, which no two customers share.
            judged = judge_case(policy, case, day)
            recommended.append(judged.recommendation)
            superseded += judged.supersessions
    return recommended, superseded


class _EqualCases:
    """The recommendations so far, by everything that decides them.

    Args:
        policy: The policy.
        day: The day of the review.
    """

    def __init__(self, policy: Policy, day: dt.date) -> None:
        self._policy, self._day = policy, day
        self._recommended: dict[Hashable, Recommendation] = {}
        # The key is the object's id, since the case keeps the object: by value, true would be found in place of 1.
        self._number_of: dict[tuple[int, frozenset[int]], int] = {}
        self._said: dict[Hashable, int] = {}

    def recommendation(self, case: CaseFile) -> Recommendation:
        """Return the recommendation for a customer with one session."""
        if max(len(self._number_of), len(self._recommended)) > _REMEMBERED:
            self._recommended, self._number_of, self._said = {}, {}, {}
        known = self._all_that_decides(case)
        made = self._recommended.get(known)
        if made is None:
            made = self._recommended[known] = judge_case(self._policy, case, self._day).recommendation
        own = {name: [*value] if isinstance(value, list) else value for name, value in made.items()}
        return own | {"customer_id": case.customer_id}

    def _all_that_decides(self, case: CaseFile) -> Hashable:
        """Return everything in a case that a recommendation depends on; it names neither the customer nor the session."""
        (session,) = case.sessions
        every = itertools.chain.from_iterable(map(self._answers, (*session.seen, *case.seen)))
        left_out = self._policy.questions.left_out(every)
        return (
            case.evidence_id,
            tuple(case.risk.items()),
            tuple(case.because.items()),
            session.evidence_id,
            session.id is None,
            frozenset(session.sections),
            session.ordered,
            session.no_results,
            self._told(session.seen, left_out),
            self._told(case.seen, left_out),
        )

    def _told(self, observations: Sequence[Observation], left_out: frozenset[int]) -> tuple[int, ...]:
        """Return a number for what each observation says; those that say nothing are left out."""
        numbers = [self._number_of.get((id(seen), left_out)) for seen in observations]
        if None in numbers:
            numbers = [
                self._number(seen, left_out) if number is None else number
                for seen, number in zip(observations, numbers, strict=True)
            ]
        return tuple(filter(None, numbers))

    def _answers(self, seen: Observation) -> tuple[QuestionAnswer, ...]:
        return self._policy.questions.answers(seen.path, seen.value, seen.of_results, self._day)

    def _number(self, seen: Observation, left_out: frozenset[int]) -> int:
        """Return a number that is equal for observations that say the same; 0 if they say nothing."""
        answers = self._answers(seen)
        is_named = is_outcome(seen) or is_not_fine(self._policy, seen) or seen.path in _DECISIVE
        says: Hashable = id(seen)
        if not is_named and self._policy.questions.are_clear(answers, left_out):
            # A recommendation contains neither values, words nor evidence of what is clear.
            says = answers if answers or seen.path == _BANK_HISTORY else None
        number = 0 if says is None else self._said.setdefault(says, len(self._said) + 1)
        self._number_of[id(seen), left_out] = number
        return number
