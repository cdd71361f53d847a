"""The results of the rules of a policy for a customer."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence

from kycpack.frames.answer_members import SECTIONS
from kycpack.models.dates import day_words
from kycpack.triage.case_file import CaseFile, Observation, SessionFile
from kycpack.triage.judge.findings import Finding, Ruling
from kycpack.triage.judge.sentences import cause_of, label_of, raw_value, sentence
from kycpack.triage.levels import CLEAR, HIT, LEVELS, NOT_APPLICABLE, UNKNOWN, highest
from kycpack.triage.policies.conditions import Judge, Judgement, Verdict
from kycpack.triage.policies.policy import PEP, SANCTIONS, Policy
from kycpack.triage.policies.questions import AskedRule, numbers_of
from kycpack.triage.policies.rules import Rule, leaves_of
from kycpack.triage.results.list_entries import entries_of, in_one

POLICY_BASIS = "The policy's own dates"


def policy_rulings(policy: Policy, case: CaseFile, day: dt.date) -> Iterator[Ruling]:
    """Yield the defects of the policy itself on a day: it is not in force yet, or one of its lists is out of date."""
    if day < dt.date.fromisoformat(policy.effective):
        since = day_words(dt.date.fromisoformat(policy.effective))
        cause = f"The policy {policy.id} {policy.version} is in force from {since}, after the date of this review."
        yield _about_policy(case, "POL-1", "Policy in force", cause)
    for name, countries in policy.lists.items():
        complaint = countries.complaint(day) if name in policy.questions.lists else ""
        if complaint:
            yield _about_policy(case, f"POL-{name}", "Country lists current", f"{complaint}.")


def _about_policy(case: CaseFile, rule_id: str, title: str, cause: str) -> Ruling:
    text = f"{title}: not known. {cause.removesuffix('.')}"
    finding = Finding(
        customer_id=case.customer_id, session_id=None, rule_id=rule_id, outcome=UNKNOWN, level="review", owner="MLRO", action="",
        internal=False, title=title, reason=text, sentence=text, cause=cause, basis=POLICY_BASIS, path="policy", value=None,
        evidence_ids=(case.evidence_id,),
    )  # fmt: skip
    return Ruling(finding)


def rule_rulings(
    policy: Policy,
    asked: AskedRule,
    case: CaseFile,
    session: SessionFile,
    judge: Judge,
    day: dt.date,
    optional: frozenset[str],
) -> list[Ruling]:
    """Return the results of a rule for a session, or for the customer if the rule is not about a session.

    Args:
        policy: The policy.
        asked: One of its rules.
        case: The customer.
        session: The session.
        judge: Evaluates conditions for this session.
        day: The day of the review.
        optional: Sections that were not checked in any session that the rule is about, and did not have to be.
    """
    rule = asked.rule
    maker = _Maker(policy, rule, case, session)
    if not rule.in_force(day):
        if any(other.series == rule.series and other.in_force(day) for other in policy.rules if rule.series):
            return [
                maker.not_applicable(
                    f"{rule.title}: this rule was not in force on {day_words(day)}; another one was"
                )
            ]
        return [maker.unknown_because(f"The rule {rule.id} is not in force on {day_words(day)}.")]
    if rule.section in optional:
        return [maker.not_applicable()]
    if asked.applies_if is not None:
        applies = judge.judge(asked.applies_if)
        if applies.outcome == CLEAR:
            return [maker.not_applicable()]
        if applies.outcome == UNKNOWN:
            return [maker.ruling(applies, applies.judged[0])]
    return _judged(asked, maker, judge)


def _judged(asked: AskedRule, maker: _Maker, judge: Judge) -> list[Ruling]:
    rule, verdict = asked.rule, judge.judge(asked.when)
    if verdict.outcome == CLEAR or not rule.each:
        return [maker.ruling(verdict, verdict.judged[0])]
    if all(leaf.path.startswith("consistency.") for leaf in leaves_of(rule.when)):
        pairs = [judge.judge(leaf) for leaf in numbers_of(asked.when)]
        if any(pair.outcome != UNKNOWN and pair.judged[0].seen is not None for pair in pairs):
            return [ruling for pair in pairs for ruling in maker.pair(pair)]
    return maker.each(verdict)


class _Maker:
    """Makes the findings of one rule for one session."""

    def __init__(self, policy: Policy, rule: Rule, case: CaseFile, session: SessionFile) -> None:
        self.policy, self.rule, self.case, self.session = policy, rule, case, session

    def each(self, verdict: Verdict) -> list[Ruling]:
        """Return a ruling for each different sentence; what is found in one entry of a list or in one match has one sentence.

        Of several with the same sentence, the one stays on whose path decisions are strictest.
        """
        entries: dict[object, list[Judgement]] = {}
        for judged, place in zip(
            verdict.judged, entries_of([one.seen for one in verdict.judged]), strict=True
        ):
            entries.setdefault(place or id(judged), []).append(judged)
        kept: dict[str, Ruling] = {}
        for key, entry in entries.items():
            ruling = self.ruling(verdict, self._in_one(key, entry), entry)
            held = kept.setdefault(ruling.finding.sentence, ruling)
            kept[ruling.finding.sentence] = min(
                held, ruling, key=lambda one: self._strictness(one.finding.path)
            )
        return list(kept.values())

    def pair(self, verdict: Verdict) -> list[Ruling]:
        """Return the rulings for one pair of sources: what is not known of it is named as this pair, and hides behind no other one."""
        if verdict.outcome == CLEAR:
            return []
        made = self.each(verdict)
        if verdict.outcome == HIT:
            return made
        label = label_of(verdict.leaf.path)
        title = f"{label[:1].upper()}{label[1:]}"
        return [ruling._replace(finding=ruling.finding._replace(title=title)) for ruling in made]

    def _in_one(self, place: object, entry: Sequence[Judgement]) -> Judgement:
        """Return what was found in one entry of a list or one match as one judgement, which begins with the members on which decisions are strictest."""
        if len(entry) == 1:
            return entry[0]
        seen = sorted(
            (one.seen for one in entry if one.seen is not None), key=lambda one: self._strictness(one.path)
        )
        said = in_one(str(place), seen)
        return Judgement(entry[0].outcome, said, all(one.understood for one in entry))

    def _strictness(self, path: str) -> int:
        """Return a number that is lower the stricter the rules for decisions on a path are."""
        return (SANCTIONS, PEP, "").index(self.policy.decisions.subject(self.rule.id, path))

    def ruling(self, verdict: Verdict, judged: Judgement, own: Sequence[Judgement] = ()) -> Ruling:
        """Return the ruling for a verdict, with the sentence for one of the deciding observations.

        Args:
            verdict: The verdict.
            judged: The observation that the sentence is about.
            own: What the ruling alone is about; all that decided the verdict if it is not given.
        """
        seen = judged.seen
        outcome = verdict.outcome
        ids = verdict.evidence_ids
        if own and seen is not None and seen.evidence_ids:
            ids = seen.evidence_ids
        if not ids:
            # If nothing was found, the evidence is the entry that should have contained it.
            ids = (self.case.evidence_id if self.rule.about_customer else self.session.evidence_id,)
        cause = cause_of(self.policy, self.case, self.session, verdict, judged) if outcome == UNKNOWN else ""
        decided = own or verdict.judged
        return Ruling(
            self._finding(
                outcome,
                self._level(outcome, decided),
                cause,
                seen,
                ids,
                verdict.leaf.path,
                found=[one.seen for one in decided if one.seen is not None],
            ),
            absent=outcome == UNKNOWN and all(self._is_absent(one) for one in decided),
            gives_way=self.rule.gives_way,
            seen=seen,
        )

    def not_applicable(self, text: str = "") -> Ruling:
        """Return the ruling that a check was not made and did not have to be."""
        return Ruling(self._finding(NOT_APPLICABLE, LEVELS[0], "", None, (), self.rule.leaves[0].path, text))

    def unknown_because(self, cause: str) -> Ruling:
        """Return the ruling that something is unknown, for a reason that does not lie with the customer."""
        return Ruling(
            self._finding(
                UNKNOWN, self.rule.if_unknown, cause, None, (self.case.evidence_id,), self.rule.leaves[0].path
            )
        )

    def _level(self, outcome: str, decided: Sequence[Judgement]) -> str:
        if outcome == HIT:
            return self.rule.raise_to
        if outcome == UNKNOWN:
            return highest(
                self.rule.if_unknown if one.understood else self.rule.if_not_understood for one in decided
            )
        return LEVELS[0]

    def _is_absent(self, one: Judgement) -> bool:
        value = None if one.seen is None else one.seen.value
        return value is None or (isinstance(value, str) and value in self.policy.not_processed)

    def _unseen(self) -> frozenset[str]:
        """Return the sections that are not in the results, and `wealth` where no bank data was analysed."""
        analysed = any(seen.path == "wealth.derived" for seen in self.case.seen)
        return frozenset({*SECTIONS} - self.session.sections | (set() if analysed else {"wealth"}))

    def _finding(
        self,
        outcome: str,
        level: str,
        cause: str,
        seen: Observation | None,
        ids: tuple[str, ...],
        path: str,
        text: str = "",
        found: Sequence[Observation] = (),
    ) -> Finding:
        rule = self.rule
        said = text or sentence(rule, outcome, seen, cause, ids, found, self._unseen)
        return Finding(
            customer_id=self.case.customer_id,
            session_id=None if rule.about_customer else self.session.id,
            rule_id=rule.id,
            outcome=outcome,
            level=level,
            owner=rule.owner,
            action=rule.action if outcome == HIT else "ask" if outcome == UNKNOWN else "",
            internal=rule.internal,
            title=rule.title,
            reason=said,
            sentence=said,
            cause=cause,
            basis=rule.basis,
            path=seen.path if seen is not None else path,
            value=None if seen is None else raw_value(seen.value),
            evidence_ids=ids,
        )
