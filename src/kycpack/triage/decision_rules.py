"""What a policy says of decisions: reason codes, when a second person is needed, which roles, and how long an override lasts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kycpack.triage.levels import LEVELS
from kycpack.triage.located_yaml import Node

OUTCOMES = ("approve", "hold", "escalate", "reject")
"""What a person can decide. A hold or an escalation takes effect at once."""

SANCTIONS, PEP = "sanctions", "pep"
MLRO, SENIOR_MANAGER = "MLRO", "senior_manager"
ROLES = ("administrator", MLRO, SENIOR_MANAGER)

_SANCTIONS_WORDS = ("sanction", "terror")
_DECISIONS = ("alone_up_to", "override_days", "sanctions", "pep", "senior_approval", "checklist")


@dataclass(frozen=True, slots=True)
class DecisionRules:
    """What a policy says of decisions; what it leaves out is at its strictest.

    Attributes:
        reason_codes: The outcomes that a code may stand for, by code, with its words.
        alone_up_to: The highest recommended level that one person may approve alone.
        override_days: How long an approval against a recommendation lasts before the case reopens.
        sanctions: Rules about sanctions and terrorism, besides those that can be seen from what they look at.
        pep: Rules about politically exposed persons, as above.
        senior_approval: Rules whose hit needs the approval of senior management.
        checklist: What enhanced due diligence requires before an approval.
    """

    reason_codes: Mapping[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    alone_up_to: str = "approve"
    override_days: int = 90
    sanctions: tuple[str, ...] = ()
    pep: tuple[str, ...] = ()
    senior_approval: tuple[str, ...] = ()
    checklist: tuple[str, ...] = ()

    def subject(self, rule_id: str, path: str) -> str:
        """Return what a finding is about where decisions on it need more: `sanctions`, `pep`, or empty.

        A policy that forgets to list a rule does not make it softer: what the rule looks at counts as well.

        Args:
            rule_id: The rule.
            path: What it looked at.
        """
        words = path.casefold().split(".")
        if rule_id in self.sanctions or any(sign in word for word in words for sign in _SANCTIONS_WORDS):
            return SANCTIONS
        return PEP if rule_id in self.pep or "pep" in words else ""


def read_decision_rules(codes: Node | None, node: Node | None, rules: set[str]) -> DecisionRules:
    """Return what a policy's blocks `reason_codes` and `decisions` say.

    Args:
        codes: The block `reason_codes`; None where there is none.
        node: The block `decisions`; None where there is none.
        rules: Ids of the policy's rules.

    Raises:
        PolicyError: Something in them has no meaning.
    """
    reason_codes = {
        code: _reason_code(entry) for code, entry in ({} if codes is None else codes.members()).items()
    }
    top = {} if node is None else node.members(_DECISIONS)
    alone = top.get("alone_up_to")
    if alone is not None and alone.scalar() not in LEVELS:
        raise alone.error(f"the levels are {', '.join(LEVELS)}")
    days = top.get("override_days")
    if days is not None and (
        isinstance(days.scalar(), bool)
        or not isinstance(days.scalar(), int)
        or not 1 <= days.scalar() <= 1095
    ):
        raise days.error("expected a number of days from 1 to 1095")
    return DecisionRules(
        reason_codes=reason_codes,
        alone_up_to=LEVELS[0] if alone is None else str(alone.scalar()),
        override_days=90 if days is None else int(days.scalar()),
        sanctions=_rules(top.get("sanctions"), rules),
        pep=_rules(top.get("pep"), rules),
        senior_approval=_rules(top.get("senior_approval"), rules),
        checklist=tuple(item.text() for item in (top["checklist"].items() if "checklist" in top else ())),
    )


def _reason_code(node: Node) -> tuple[str, tuple[str, ...]]:
    entry = node.members(("text", "outcomes"), ("text", "outcomes"))
    for outcome in entry["outcomes"].items():
        if outcome.scalar() not in OUTCOMES:
            raise outcome.error(f"the outcomes are {', '.join(OUTCOMES)}")
    return entry["text"].text(), tuple(item.text() for item in entry["outcomes"].items())


def _rules(node: Node | None, known: set[str]) -> tuple[str, ...]:
    named = () if node is None else tuple(node.items())
    for item in named:
        if item.text() not in known:
            raise item.error(f"there is no rule {item.text()!r}")
    return tuple(item.text() for item in named)
