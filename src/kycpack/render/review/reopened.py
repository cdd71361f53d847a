"""What came after a decision: the new evidence, and who decides now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from kycpack.evidence import Evidence
from kycpack.frames.gaps import thing_of
from kycpack.models.dates import instant_words
from kycpack.render.review.short_names import ShortNames
from kycpack.triage.levels import ANALYST, LEVEL_WORDS

_MOST_NEW = 3  # named on page one


@dataclass(frozen=True, slots=True)
class Reopening:
    """What opened a case again.

    Attributes:
        at: When the ledger recorded it.
        run_id: The run that did; empty if a person or a date did, and all that follows then is empty as well.
        evidence_root: Root of the evidence that it read.
        level: What the policy recommended from then on.
        found: The findings that were not there before: id and rule, with the sentence in a ledger that has it.
        rules: The rules of all findings since then.
    """

    at: datetime
    run_id: str = ""
    evidence_root: str = ""
    level: str = ""
    found: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """What the run found, with the evidence as its own pack numbers it, and the level since then."""
        level = f"The recommended level is now {LEVEL_WORDS[self.level]}."
        if not self.found:
            return (level,)
        found = _first_few([*map(_first_said, self.found)], "in that run's pack")
        came = (
            f"New evidence since then, received by {instant_words(self.at)} (run {self.run_id}): {found}. The numbers of the evidence "
            f"are those of that run's pack (evidence {self.evidence_root[:12]})."
        )
        return (came, level)


def new_evidence(
    evidence: Evidence, earlier: Mapping[str, Any] | None, names: ShortNames, cited: Sequence[str]
) -> tuple[str, ...]:
    """Return the answers that an earlier pack did not have, each with its id, its kind and when it was received.

    Args:
        evidence: Of this pack.
        earlier: What the pack keeps about the earlier one; None if there was none.
        names: Short names of sessions and accounts.
        cited: Ids that the findings rest on which the decision did not know; these come first.
    """
    if earlier is None or "answers" not in earlier:
        return ()
    found = [
        one for one in evidence.entries if one.sha256 is not None and one.sha256 not in earlier["answers"]
    ]
    found.sort(key=lambda entry: (entry.id not in cited, entry.id))
    said = []
    for entry in found:
        about = names.of(entry.subject.get("session_id") or entry.subject.get("account_id"), "")
        of = f" ({about})" if about else ""
        at = f", received on {instant_words(entry.asked_at)}" if entry.asked_at else ""
        said.append(f"{entry.id}, {thing_of(entry.operation)}{of}{at}")
    return tuple(said)


def words_of_new(new: Sequence[str]) -> tuple[str, ...]:
    """Return the sentence that names the evidence of a pack which came after the decision; none if there is none."""
    return (f"New evidence since then: {_first_few(new, 'in the annexes')}.",) if new else ()


def in_order(routes: Sequence[str]) -> tuple[str, ...]:
    """Return who decides, whoever has more authority than an analyst first."""
    return tuple(sorted(dict.fromkeys(routes), key=lambda one: one == ANALYST)) or (ANALYST,)


def _first_said(found: str) -> str:
    """Return the first of the sentences of a finding, with its evidence."""
    first, more, _ = found.partition("); ")
    return f"{first}) and more" if more else found


def _first_few(said: Sequence[str], where: str) -> str:
    more = len(said) - _MOST_NEW
    return "; ".join(said[:_MOST_NEW]) + (f"; and {more} more, {where}" if more > 0 else "")
