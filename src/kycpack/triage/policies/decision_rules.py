"""A policy's rules for decisions: reason codes, when a second person is needed, which roles, and how long an override lasts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from kycpack.frames.answer_members import SECTIONS
from kycpack.triage.levels import LEVELS, OF_SECTION, UNKNOWN
from kycpack.triage.located_yaml import Node

OUTCOMES = ("approve", "hold", "escalate", "reject")
"""The decisions that a person can make. A hold or an escalation takes effect at once."""

SANCTIONS, PEP = "sanctions", "pep"

_SANCTIONS_WORDS = ("sanction", "terror")
_CODE = ("text", "outcomes", "about")
_OUTCOMES_OF_SECTIONS = tuple(OF_SECTION + section for section in SECTIONS)
_DECISIONS = ("alone_up_to", "override_days", "sanctions", "pep", "senior_approval", "checklist")


@dataclass(frozen=True, slots=True)
class DecisionRules:
    """A policy's rules for decisions; for anything that the policy leaves out, the strictest rule applies.

    Attributes:
        reason_codes: The outcomes that each code may be used for, by code, with its wording.
        alone_up_to: The highest recommended level at which one person may approve alone.
        override_days: Number of days for which an approval against a recommendation lasts before the case reopens.
        sanctions: Rules about sanctions and terrorism, besides those recognised by the paths that they check.
        pep: Rules about politically exposed persons, besides those recognised by the paths that they check.
        senior_approval: Rules whose hit needs the approval of senior management.
        checklist: What enhanced due diligence requires before an approval.
        grounds: The rules that a code is about, by code: ids, with `*` at the end for all that begin so, and `UNKNOWN` for whatever could not be
            evaluated. A code that is not in it may be used for any.
    """

    reason_codes: Mapping[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    alone_up_to: str = "approve"
    override_days: int = 90
    sanctions: tuple[str, ...] = ()
    pep: tuple[str, ...] = ()
    senior_approval: tuple[str, ...] = ()
    checklist: tuple[str, ...] = ()
    grounds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def subject(self, rule_id: str, path: str) -> str:
        """Return the subject of a finding, if decisions on it have stricter rules: `sanctions`, `pep`, or empty.

        A rule that a policy forgets to list is not treated more leniently: the path that the rule checks also counts.

        Args:
            rule_id: The rule.
            path: The path that it checked.
        """
        words = path.casefold().split(".")
        if rule_id in self.sanctions or any(sign in word for word in words for sign in _SANCTIONS_WORDS):
            return SANCTIONS
        return PEP if rule_id in self.pep or "pep" in words else ""


def read_decision_rules(codes: Node | None, node: Node | None, rules: set[str]) -> DecisionRules:
    """Return the content of a policy's blocks `reason_codes` and `decisions`.

    Args:
        codes: The block `reason_codes`; None if there is none.
        node: The block `decisions`; None if there is none.
        rules: Ids of the policy's rules.

    Raises:
        PolicyError: Part of them has no meaning.
    """
    entries = {
        code: entry.members(_CODE, _CODE[:2])
        for code, entry in ({} if codes is None else codes.members()).items()
    }
    top = {} if node is None else node.members(_DECISIONS)
    alone = top.get("alone_up_to")
    if alone is not None and alone.scalar() not in LEVELS:
        raise alone.error(f"expected one of the levels {', '.join(LEVELS)}")
    days = top.get("override_days")
    if days is not None and (
        isinstance(days.scalar(), bool)
        or not isinstance(days.scalar(), int)
        or not 1 <= days.scalar() <= 1095
    ):
        raise days.error("expected a number of days from 1 to 1095")
    return DecisionRules(
        reason_codes={code: _reason_code(entry) for code, entry in entries.items()},
        alone_up_to=LEVELS[0] if alone is None else str(alone.scalar()),
        override_days=90 if days is None else int(days.scalar()),
        sanctions=_rules(top.get("sanctions"), rules),
        pep=_rules(top.get("pep"), rules),
        senior_approval=_rules(top.get("senior_approval"), rules),
        checklist=tuple(item.text() for item in (top["checklist"].items() if "checklist" in top else ())),
        grounds={
            code: _grounds(entry["about"], rules) for code, entry in entries.items() if "about" in entry
        },
    )


def is_among(rule_id: str, patterns: Sequence[str]) -> bool:
    """Return whether a rule is one of some ids, of which one that ends in `*` stands for all that begin so."""
    return any(fnmatchcase(rule_id, pattern) for pattern in patterns)


def _grounds(node: Node, rules: set[str]) -> tuple[str, ...]:
    for item in node.items():
        known = (*rules, *_OUTCOMES_OF_SECTIONS, UNKNOWN)
        if not any(is_among(rule_id, (item.text(),)) for rule_id in known):
            raise item.error(f"there is no rule {item.text()!r}")
    return tuple(item.text() for item in node.items())


def _reason_code(entry: Mapping[str, Node]) -> tuple[str, tuple[str, ...]]:
    for outcome in entry["outcomes"].items():
        if outcome.scalar() not in OUTCOMES:
            raise outcome.error(f"expected one of the outcomes {', '.join(OUTCOMES)}")
    return entry["text"].text(), tuple(item.text() for item in entry["outcomes"].items())


def _rules(node: Node | None, known: set[str]) -> tuple[str, ...]:
    named = () if node is None else tuple(node.items())
    for item in named:
        if item.text() not in known:
            raise item.error(f"there is no rule {item.text()!r}")
    return tuple(item.text() for item in named)
