"""What came after a decision: the new evidence, and who decides now."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from kycpack.evidence import Evidence
from kycpack.evidence.citations import CITATION, CITED_AT_END, ENTRY_ID
from kycpack.frames.gaps import thing_of
from kycpack.models.dates import instant_words
from kycpack.models.listed import counted, listed
from kycpack.render.review.finding_ids import id_ranges
from kycpack.render.review.short_names import ShortNames
from kycpack.triage.levels import ANALYST, LEVEL_WORDS, rank

_ID = re.compile(ENTRY_ID)
_MOST_NEW = 3  # named on page one
_MOST_RULES = 8  # named on page one beside the most serious finding
_MOST_OF_ID = 8  # characters of a run's id where it is named again
_MOST_SAID = 510  # characters of findings on page one, each with its sentence: less than four lines


@dataclass(frozen=True, slots=True)
class NewerFinding:
    """A finding that came after a decision.

    Attributes:
        finding_id: Its id in the case, as in `F-9`.
        rule_id: The rule.
        outcome: HIT or UNKNOWN.
        level: The level that it calls for.
        sentence: The finding in a sentence, with the evidence as its own pack numbers it; empty in a ledger without sentences.
        subject: `sanctions` or `pep`; empty for anything else.
        title: The title of its rule in the policy of the pack, or which pair differs in a comparison; empty if that has no such rule.
        repeats: The finding of the decision that could not be evaluated either and asks the same, as in `F-7`; empty for what is new.
    """

    finding_id: str
    rule_id: str
    outcome: str
    level: str
    sentence: str = ""
    subject: str = ""
    title: str = ""
    repeats: str = ""

    @property
    def label(self) -> str:
        """What names it, as in `F-9 SAN-1`."""
        return f"{self.finding_id} {self.rule_id}"


@dataclass(frozen=True, slots=True)
class Reopening:
    """What opened a case again.

    Attributes:
        at: When the ledger recorded it.
        run_id: The run that did; empty if a person or a date did, and all that follows then is empty as well.
        evidence_root: Root of the evidence that it read.
        level: What the policy recommends since then.
        found: The findings that were not there before.
        rules: The rules of all findings since then.
        reason: Why it did, in words, as in `new evidence`.
        pack_root: The root of its pack, from which the values in the sentences are; empty where that was not at hand, so that they have none.
    """

    at: datetime
    run_id: str = ""
    evidence_root: str = ""
    level: str = ""
    found: tuple[NewerFinding, ...] = ()
    rules: tuple[str, ...] = ()
    reason: str = ""
    pack_root: str = ""

    @property
    def run(self) -> str:
        """The run in short, as in `run f6f52cb7`."""
        return f"run {self.run_id[:_MOST_OF_ID]}"

    @property
    def is_without_values(self) -> bool:
        """Whether what the run found is given without the values that it compared, as its pack was not at hand."""
        return bool(self.found) and not self.pack_root

    @property
    def whose_ids(self) -> str:
        """Whose the ids of the evidence are, without a full stop."""
        return f"Ids that begin with {self.run_id[:_MOST_OF_ID]} are of the evidence of that run's pack, and not of this one"

    @property
    def hardest(self) -> NewerFinding | None:
        """The finding that calls for the highest level; None if nothing was found that was not there before."""
        return max(self.found, key=lambda one: rank(one.level), default=None)

    def said_of(self, finding: NewerFinding) -> str:
        """Return the sentence of a finding, empty in a ledger without sentences; ids of evidence begin with that of the run, so that none is read as one of this pack."""
        return self._with_run(finding.sentence)

    def _with_run(self, text: str) -> str:
        of = f"{self.run_id[:_MOST_OF_ID]}-"
        return CITATION.sub(lambda cited: _ID.sub(rf"{of}\g<0>", cited[0]), text)

    def named(self, finding: NewerFinding) -> str:
        """Return a finding with its id and its rule, as in `F-9 SAN-1: Sanctions screening reports 'attention' (f6f52cb7-E-06)`."""
        return f"{finding.label}: {self.said_of(finding)}".removesuffix(": ")

    @property
    def level_words(self) -> str:
        """The level since then, in a sentence."""
        return f"The recommended level is now {LEVEL_WORDS[self.level]}."

    def words(self, level: str) -> tuple[str, ...]:
        """Return the level since then, unless it stands above, and what the run found, each in a sentence; where that is too long for page one, what is not the most serious has its title, with its evidence if there is room.

        Args:
            level: What the evidence that was decided on calls for; unless that is more, the most serious finding stands above, beside its level.
        """
        hardest = self.hardest
        if hardest is None:
            return (self.level_words,)
        is_above = rank(self.level) >= rank(level)
        top = " (see above)" if is_above else self._shortly(hardest)
        found = f"Found since then by {self.run}: {hardest.label}{top}."
        others = [one for one in self.found if one is not hardest]
        new, again = ([one for one in others if bool(one.repeats) is repeats] for repeats in (False, True))
        said = f"Missing: any values compared, which only {self.run}'s pack has."
        missing = [said] if self.is_without_values else []
        ways = (
            (self._with_sentences, self._as_before),
            (self._with_titles, self._as_before),
            (_by_rule, _by_rule),
        )
        for named, as_before in ways:
            more = [f"Also new: {named(new)}."] if new else []
            more += [f"Still not known: {as_before(again)}."] if again else []
            whole = " ".join((found, *more, *missing))
            if len(whole) <= _MOST_SAID and all(one.sentence for one in new):
                break
        return (whole,) if is_above else (self.level_words, whole)

    def _as_before(self, found: Iterable[NewerFinding]) -> str:
        """Return findings that the decision had as not known already, each with the evidence that it rests on now."""
        return "; ".join(
            f"{one.label}, the same question as {one.repeats}{self._cited(one)}" for one in found
        )

    def _with_titles(self, found: Iterable[NewerFinding]) -> str:
        """Return findings with their titles, each with the evidence that it rests on."""
        return "; ".join(
            f"{': '.join(filter(None, (one.label, one.title)))}{self._cited(one)}" for one in found
        )

    def _cited(self, finding: NewerFinding) -> str:
        ids = CITED_AT_END.search(finding.sentence)
        return self._with_run(ids[0]) if ids else ""

    def _with_sentences(self, found: Sequence[NewerFinding]) -> str:
        """Return findings with their rules and their sentences."""
        ids: dict[tuple[str, str], list[str]] = {}
        for one in found:
            ids.setdefault((one.rule_id, self._shortly(one)), []).append(one.finding_id)
        return "; ".join(f"{id_ranges(mine)} {rule}{said}" for (rule, said), mine in ids.items())

    def _shortly(self, finding: NewerFinding) -> str:
        """Return the sentence of a finding after a colon, the first of several with the number of the others; empty in a ledger without sentences."""
        first, *same = self.said_of(finding).split("); ")
        more = f"; {counted(len(same), 'more point')} under {finding.rule_id}: see “Decision”" if same else ""
        return f": {first}{')' * bool(same)}{more}" if first else ""


def _by_rule(found: Sequence[NewerFinding]) -> str:
    """Return findings with their rules and the titles of these; of many rules the last are only counted."""
    ids: dict[tuple[str, str], list[str]] = {}
    for one in found:
        ids.setdefault((one.rule_id, one.title), []).append(one.finding_id)
    said = [
        f"{id_ranges(mine)} {rule}{f' ({title})' if title else ''}" for (rule, title), mine in ids.items()
    ]
    left = len(said) - _MOST_RULES
    return (
        listed([*said[:_MOST_RULES], *([f"{counted(left, 'more rule')} in “Decision”"] if left > 0 else [])])
        if said
        else ""
    )


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


def _first_few(said: Sequence[str], where: str) -> str:
    more = len(said) - _MOST_NEW
    return "; ".join(said[:_MOST_NEW]) + (f"; and {more} more, {where}" if more > 0 else "")
