"""What speaks against a check that has no objection of its own: findings on the same matter, and the reason of a decision."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from kycpack.models.listed import listed
from kycpack.render.review.decision import CaseDecision
from kycpack.render.review.newer_findings import Touch
from kycpack.render.review.reopened import NewerFinding
from kycpack.render.review.subjects import subjects_of
from kycpack.triage.levels import HIT
from kycpack.triage.paths import LEVEL, OWN_ROOTS, QUESTIONS_OF_MONEY, SOURCE_FOUND, UNNAMED_MATCHES
from kycpack.triage.policies.questions import is_about
from kycpack.triage.policies.rules import Leaf, Rule, leaves_of

_MOST_NAMED = 4
_REPEATED, _TWO_DOCUMENTS = "plausible.repeated_details", ".document.document"
_WATCHLISTS = "screening.summary.watchlist."
# Beginnings of what a check looks at, with beginnings of what a finding may be about that would belie it.
_BELIED_BY: Mapping[str, tuple[str, ...]] = {
    SOURCE_FOUND: (
        "wealth.flags.",
        QUESTIONS_OF_MONEY,
        "wealth.linked_twice",
        "wealth.silent_account",
    ),
    "wealth.flags.": (QUESTIONS_OF_MONEY,),
    "expiry.": ("document.contentAnalysis.expirationDateCheck",),
    "document.contentAnalysis.expirationDateCheck": ("expiry.",),
    "screening.matchCount": ("screening.summary.",),
    "screening.summary.pep": ("risk.pep",),
    "risk.pep": ("screening.summary.pep",),
}
# Checks that say of the customer as a whole what findings about any of these parts belie.
_OF_PARTS: Mapping[str, frozenset[str]] = {
    "diligence.completion": frozenset({"document", "address", "identity"}),
    "session.identity_confirmed": frozenset({"document", "identity"}),
}
# Reasons of a decision, with beginnings of what a check looks at that they belie.
_DECIDED: Mapping[str, tuple[str, ...]] = {
    "CDD-INCOMPLETE": ("diligence.completion",),
    "SUSPECTED-MATCH": ("screening.outcome",),
    "TRUE-MATCH": ("screening.outcome",),
}
# The same for a reason that does not say which of these checks it rests on, so that it makes none of them less than clear.
_BESIDE: Mapping[str, tuple[str, ...]] = {
    "NOT-VERIFIED": (
        "session.identity_",
        "document.outcome",
        "address.outcome",
        "identity.outcome",
        "consistency.name.record.document",
        "consistency.date_of_birth.",
        "consistency.address.record.",
    ),
}


class Objection(NamedTuple):
    """A finding, or a check that could not be evaluated.

    Attributes:
        rule_id: Its rule.
        session_id: Its session; empty for the customer.
        path: What it is about.
        title: The title of the rule.
    """

    rule_id: str
    session_id: str
    path: str
    title: str = ""


class Opposition(NamedTuple):
    """All that may speak against a check that has no objection of its own.

    Attributes:
        objections: Findings, and checks that could not be evaluated.
        questions: What each rule asks about, by its id.
        decision: The last decision of the case; None if there is none.
        newer: Says that newer evidence bears on it, as `newer_findings.otherwise` does; empty where nothing does.
    """

    objections: Sequence[Objection] = ()
    questions: Mapping[str, Sequence[Leaf]] = MappingProxyType({})
    decision: CaseDecision | None = None
    newer: Callable[[Touch], str] = lambda _: ""

    def is_raised(self, session_id: str, path: str) -> bool:
        """Return whether something objects to the very value that a check looks at."""
        return any((one.session_id, one.path) == (session_id, path) for one in self.objections)

    def against(self, rule_id: str, session_id: str, path: str, first: Sequence[str] = ()) -> str:
        """Return what speaks against a check, in words that follow what it saw; empty if nothing does.

        Args:
            rule_id: The rule of the check.
            session_id: Its session; empty for the customer.
            path: What decided it.
            first: Rules of the objections that speak against it whatever they ask about.
        """
        asked = self.questions.get(rule_id) or (Leaf(path, "present", argument=True),)
        newer = self.newer(
            lambda one, paths: (
                one.rule_id == rule_id
                or any(is_belied(leaf, each) for leaf in asked for each in paths)
                or (path.startswith("screening.") and is_of_screening(one, paths))
                or (path == _REPEATED and _is_of_details(one, paths))
            )
        )
        said = self._against(rule_id, session_id, path, asked, first)
        return "; ".join(filter(None, (said, newer and f"{'' if said else 'but '}{newer}")))

    def _against(
        self, rule_id: str, session_id: str, path: str, asked: Sequence[Leaf], first: Sequence[str]
    ) -> str:
        """Return what speaks against a check by the evidence of the pack, or by the decision; of the first rules all are named."""
        codes = dict.fromkeys(first) | dict.fromkeys(
            one.rule_id
            for one in self.objections
            if one.rule_id != rule_id
            and (not session_id or not one.session_id or one.session_id == session_id)
            and any(is_belied(each, one.path) for each in asked)
        )
        if codes:
            most = max(_MOST_NAMED, len({*first}))
            more = ["others"] if len(codes) > most else []
            titles = {one.rule_id: one.title for one in self.objections}
            named = [f"{titles[code]} ({code})" if titles.get(code) else code for code in [*codes][:most]]
            return f"but see {listed(named + more)} in “Findings”"
        told = self.decision
        if told is not None and path.startswith(_DECIDED.get(told.reason_code, ())):
            return f"but {_reason_of(told)}"
        return ""

    def reason_beside(self, path: str) -> str:
        """Return the reason of the decision where it is about a check without making it less than clear, in words that follow what the check saw; empty for none."""
        told = self.decision
        is_about = told is not None and path.startswith(_BESIDE.get(told.reason_code, ()))
        if told is None or not is_about:
            return ""
        return f" (the reason given for {_which(told)} is “{told.reason}”, {told.reason_code})"


def _which(told: CaseDecision) -> str:
    return "the decision" if told.is_in_force else "the decision, which is not in force,"


def _reason_of(told: CaseDecision) -> str:
    return f"the reason given for {_which(told)} is “{told.reason}” ({told.reason_code})"


NO_OPPOSITION = Opposition()


def is_of_screening(one: NewerFinding, paths: Iterable[str]) -> bool:
    """Return whether newer evidence is about the screening, of which it has every category again, and not all of them are in this pack."""
    return not one.repeats and any("screening" in subjects_of(path) for path in paths)


def _is_of_details(one: NewerFinding, paths: Iterable[str]) -> bool:
    """Return whether newer evidence is about details that the results repeat: within one answer, or on two documents."""
    return not one.repeats and any(path.startswith("plausible.") or _TWO_DOCUMENTS in path for path in paths)


def is_reportable(row: Mapping[Any, Any]) -> bool:
    """Return whether a row of frame `findings` is a finding about sanctions, terrorism or the document itself."""
    path = str(row["path"])
    is_of_document = subjects_of(path) == {"document"} and not path.startswith("consistency.")
    is_listed = path.startswith((_WATCHLISTS, UNNAMED_MATCHES))
    return str(row["outcome"]) == HIT and (is_of_document or is_listed)


def questions_of_rules(rules: Iterable[Rule]) -> dict[str, tuple[Leaf, ...]]:
    """Return what each rule asks about, by its id, without the condition under which it applies."""
    return {rule.id: tuple(leaves_of(rule.when)) for rule in rules}


def is_belied(asked: Leaf, found: str) -> bool:
    """Return whether a finding is on the same matter as a question of a check.

    Args:
        asked: The question; one that only looks for what the policy does not list says nothing of the rest.
        found: What the finding is about.
    """
    path = asked.path
    if asked.operator == "unlisted" or path == LEVEL:
        return False
    parts = next((parts for start, parts in _OF_PARTS.items() if path.startswith(start)), frozenset[str]())
    if asked.operator == "forgery" and found.startswith("plausible."):
        parts = frozenset({"document"})
    return (
        is_about(asked, found, of_results=found.partition(".")[0] not in OWN_ROOTS) is not None
        or any(path.startswith(start) and found.startswith(others) for start, others in _BELIED_BY.items())
        or bool(parts & subjects_of(found))
    )
