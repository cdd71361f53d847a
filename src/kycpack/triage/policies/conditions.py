"""Evaluates a condition on the observations: HIT, CLEAR or UNKNOWN.

`all` is the lowest and `any` the highest of CLEAR < UNKNOWN < HIT, which is three-valued logic: an unknown
remains unknown unless another part decides the result.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import NamedTuple

from kycpack.triage.case_file import Observation
from kycpack.triage.levels import CLEAR, HIT, weight
from kycpack.triage.policies.questions import Asked, QuestionAnswer, Questions, outcome_of
from kycpack.triage.policies.rules import Leaf


class Judgement(NamedTuple):
    """The result for one observation.

    Attributes:
        outcome: HIT, CLEAR or UNKNOWN.
        seen: The observation; None if there is none.
        understood: False where it has a value that the policy does not know.
    """

    outcome: str
    seen: Observation | None
    understood: bool = True


class Verdict(NamedTuple):
    """The result of a condition.

    Attributes:
        outcome: HIT, CLEAR or UNKNOWN.
        leaf: The question that decided.
        judged: The observations with the deciding outcome, the deciding one first; one entry without an observation if there
            is none.
        evidence_ids: The entries of everything that decided a question, in order.
    """

    outcome: str
    leaf: Leaf
    judged: tuple[Judgement, ...]
    evidence_ids: tuple[str, ...]

    @property
    def understood(self) -> bool:
        """Whether no deciding observation has a value that the policy does not know."""
        return all(one.understood for one in self.judged)


class Judge:
    """Evaluates conditions of a policy for one session of one customer.

    Args:
        questions: The policy's.
        day: The day as of which country lists are read.
        sections: Sections that the results have.
        optional: Sections that were not checked and did not have to be; a rule about several sections skips them.
    """

    def __init__(
        self, questions: Questions, day: dt.date, sections: Iterable[str], optional: frozenset[str]
    ) -> None:
        self.optional = optional
        self._questions, self._day = questions, day
        self._outcomes = list(questions.if_missing(frozenset(sections), optional))
        self._heard: dict[int, list[tuple[QuestionAnswer, Observation]]] = {}

    def hear(self, observations: Iterable[Observation]) -> None:
        """Answer every question for further observations."""
        answers, heard, outcomes, day = self._questions.answers, self._heard, self._outcomes, self._day
        for seen in observations:
            for said in answers(seen.path, seen.value, seen.of_results, day):
                number, outcome = said.number, said.outcome
                before = heard.get(number)
                if before is None:
                    heard[number], outcomes[number] = [(said, seen)], outcome
                else:
                    before.append((said, seen))
                    if outcome != outcomes[number] and weight(outcome) > weight(outcomes[number]):
                        outcomes[number] = outcome

    def clear(self) -> frozenset[int]:
        """Return the indices of the rules that are in force, apply, and are clear because the check was made."""
        return self._questions.clear(tuple(self._outcomes), self._day)

    def judge(self, asked: Asked) -> Verdict:
        """Return the verdict of a condition."""
        if isinstance(asked, int):
            return self._leaf(asked)
        kind, conditions = asked
        outcome = outcome_of(asked, self._outcomes)
        parts = [self.judge(part) for part in conditions]
        deciding = [part for part in parts if part.outcome == outcome]
        # If every part is a hit, the first ones only mean that the rule applies; the last one says what was found.
        first = deciding[-1] if kind == "all" and outcome == HIT else deciding[0]
        judged = first.judged
        if kind == "any":
            judged = tuple(one for part in deciding for one in part.judged)
        # The evidence of a hit or an unknown is what decided; the evidence that all is clear is everything that was checked.
        shown = parts if outcome == CLEAR else deciding
        ids = sorted({entry for part in shown for entry in part.evidence_ids})
        return Verdict(outcome, first.leaf, judged, tuple(ids))

    def _leaf(self, number: int) -> Verdict:
        leaf, outcome = self._questions.leaves[number], self._outcomes[number]
        worst = [(said, seen) for said, seen in self._heard.get(number, ()) if said.outcome == outcome]
        if not worst:
            return Verdict(outcome, leaf, (Judgement(outcome, None),), ())
        ids = {entry for _, seen in worst for entry in seen.evidence_ids}
        judged = tuple(Judgement(outcome, seen, said.understood) for said, seen in worst)
        return Verdict(outcome, leaf, judged, tuple(sorted(ids)))
