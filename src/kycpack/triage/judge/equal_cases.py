"""Recommendations for many customers: customers about whom the same is known are judged once.

Most customers differ only in what identifies them.
"""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Hashable, Sequence

from kycpack.triage.case_file import CaseFile, Observation
from kycpack.triage.judge.judgement import BANK_ACCESS, BANK_EXPECTED, BANK_HISTORY, judge_case
from kycpack.triage.judge.section_outcomes import is_not_fine, is_outcome
from kycpack.triage.judge.supersession import Supersession
from kycpack.triage.policies.policy import Policy
from kycpack.triage.policies.questions import QuestionAnswer

_REMEMBERED = 131_072
_DECISIVE = frozenset({BANK_EXPECTED, BANK_ACCESS})
"""The paths that a judgement uses besides those of the rules."""

Recommendation = dict[str, object]


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
            says = answers if answers or seen.path == BANK_HISTORY else None
        number = 0 if says is None else self._said.setdefault(says, len(self._said) + 1)
        self._number_of[id(seen), left_out] = number
        return number
