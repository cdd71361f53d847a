"""What a later run found about a case, as the review of the earlier evidence shows it: the level, who acts, and the parts concerned."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kycpack.evidence.citations import CITED_AT_END
from kycpack.frames.answer_members import SECTIONS
from kycpack.models.dates import instant_words
from kycpack.render.document_parts import Block, Cell, Paragraph, Subheading, TableColumn, table
from kycpack.render.palette import Tone
from kycpack.render.review.decision import CaseRecord, DisposedFinding
from kycpack.render.review.finding_ids import id_ranges
from kycpack.render.review.reasons import Reason, Unknown
from kycpack.render.review.reopened import NewerFinding, Reopening
from kycpack.render.review.short_names import ShortNames
from kycpack.render.review.subjects import subjects_of
from kycpack.render.review.sums import Sums
from kycpack.render.review.tasks import tasks_of_hit, tasks_of_unknown
from kycpack.render.wording import DASH, level_cell, sentence_case
from kycpack.triage import Policy
from kycpack.triage.levels import HIT, LEVELS, rank
from kycpack.triage.paths import LEVEL
from kycpack.triage.policies.policy import SANCTIONS
from kycpack.triage.policies.rules import Rule, leaves_of

_OUTCOME = "OUT-"  # begins the rule of a section's outcome
_SEEN = "Newer evidence"
Touch = Callable[[NewerFinding, Sequence[str]], bool]
"""Whether a finding about some paths is about the matter of a section or a check."""
_OF_RESULTS = frozenset({*SECTIONS, "session", "expiry", "plausible"})
_OF_LIMITS = frozenset({"gaps", "requested", "diligence", "bank"})
# What the sections are about that a newer finding may leave alone; all others are about every finding.
_MATTERS: Mapping[str, Touch] = {
    "consistency": lambda _, paths: any(path.startswith("consistency.") for path in paths),
    "results": lambda _, paths: any(
        path.partition(".")[0] in _OF_RESULTS
        or (path.startswith("consistency.") and path.count(".document") > 1)
        for path in paths
    ),
    "screening": lambda _, paths: any("screening" in subjects_of(path) for path in paths),
    "limits": lambda one, paths: (
        (one.outcome != HIT and not one.repeats)
        or any(path.partition(".")[0] in _OF_LIMITS or "screening" in subjects_of(path) for path in paths)
    ),
}
_HARDER = (Tone.GOOD, Tone.PLAIN, Tone.QUIET, Tone.UNKNOWN, Tone.WATCH, Tone.ALARM)
_COLUMNS = (
    TableColumn("Finding", 0.6),
    TableColumn("Rule", 0.7),
    TableColumn("What was found", 4.0),
    TableColumn("Calls for", 1.1),
    TableColumn("Owner and action", 1.3),
)


def with_words(record: CaseRecord | None, policy: Policy) -> CaseRecord | None:
    """Return a record whose newer findings have the titles of their rules, and say which of them the decision had as not known already.

    Args:
        record: What the ledger says about the case.
        policy: The policy of the pack.
    """
    decision = record.decision if record else None
    if record is None or decision is None or decision.reopening is None:
        return record
    found = [
        replace(
            one,
            title=_title_of(one, _rule_of(one, policy)),
            repeats=_asked_before(one, decision.findings),
        )
        for one in decision.reopening.found
    ]
    reopening = replace(decision.reopening, found=tuple(found))
    return replace(record, decision=replace(decision, reopening=reopening))


def _title_of(one: NewerFinding, rule: Rule | None) -> str:
    """Return the title of a rule; of a comparison that differs, whose rule has several pairs, what was found."""
    is_pair = one.outcome == HIT and any(path.startswith("consistency.") for path in _paths(one, rule))
    found = CITED_AT_END.sub("", one.sentence).partition(":")[0] if is_pair else ""
    return found or (rule.title if rule else "")


def _asked_before(one: NewerFinding, decided: Sequence[DisposedFinding]) -> str:
    """Return the finding of a decision that has the rule and the question of one that could not be evaluated; empty for none."""
    asked = one.sentence.partition(". ")[0]
    same = (
        each.finding_id
        for each in decided
        if one.outcome != HIT and each.rule_id == one.rule_id and each.sentence.partition(". ")[0] == asked
    )
    return next(same, "")


def newer_reasons(newer: Reopening | None, policy: Policy, names: ShortNames) -> tuple[Reason | Unknown, ...]:
    """Return the findings of a later run as reasons, the highest level first, with owner, action and tasks by the policy of the pack.

    Args:
        newer: What the run found; None if there was no such run.
        policy: The policy of the pack.
        names: Short names of sessions.
    """
    found = () if newer is None else newer.found
    said = [_reason(newer, one, policy, names) for one in found if newer is not None]
    return tuple(sorted(said, key=lambda one: -rank(one.level)))


def newer_level(newer: Reopening | None, level: str) -> Cell | None:
    """Return the level of newer evidence in words, with its reason; None if there is none, or the level of the pack is harder."""
    if newer is None or rank(newer.level) < rank(level):
        return None
    cell = level_cell(newer.level)
    return replace(cell, text=f"{cell.text} ({newer.reason})")


def newer_headline(newer: Reopening) -> str:
    """Return what stands beside the level of newer evidence: the finding that calls for the highest level."""
    hardest = newer.hardest
    if hardest is None:
        return f"Recommended by {newer.run}, without a finding that was not there before"
    return newer.named(hardest)


def with_newer(
    strip: Mapping[str, Cell], newer: Reopening | None, reasons: Iterable[Reason | Unknown]
) -> dict[str, Cell]:
    """Return the strip of page one; a part that newer findings are about is not shown as it was without them.

    Args:
        strip: The state of each part, by its name.
        newer: What a later run found; None if there was no such run.
        reasons: Its findings, as returned by `newer_reasons`.
    """
    shown = dict(strip)
    if newer is None:
        return shown
    for one in reasons:
        tone = level_cell(one.level).tone
        for part in map(str.title, one.subjects):
            cell = shown[part]
            worst = max(cell.tone, tone, key=_HARDER.index)
            text = cell.text if _SEEN.lower() in cell.text.lower() else _with_own(cell)
            shown[part] = replace(cell, text=text, tone=worst)
    return shown


def _with_own(cell: Cell) -> str:
    """Return that there is newer evidence, beside what this pack itself shows of a part of the strip; what alarms comes first."""
    own = cell.text.replace("does not match", "differs")
    state = own.partition(", ")[0]
    is_sound = state.startswith(("Clear", "Supported"))
    if cell.tone == Tone.ALARM and not is_sound and "differ" not in state:
        return f"{state}, newer evidence"
    said = own if cell.tone in {Tone.WATCH, Tone.ALARM} else state
    return f"{_SEEN}, this pack: {said[0].lower()}{said[1:]}"


def newer_blocks(newer: Reopening | None, reasons: Iterable[Reason | Unknown]) -> tuple[Block, ...]:
    """Return the list of everything that a later run found, for the section on the decision; nothing if there was no such run."""
    if newer is None:
        return ()
    owners = {one.number: one.about for one in reasons}
    rows = [
        (
            Cell(one.finding_id, strong=True),
            one.rule_id,
            f"{newer.said_of(one)}. As {one.repeats}, by further evidence"
            if one.repeats
            else newer.said_of(one) or DASH,
            level_cell(one.level),
            ": ".join(filter(None, owners[one.finding_id])),
        )
        for one in newer.found
    ]
    return (
        Subheading(f"Found since by {newer.run}"),
        Paragraph(
            f"{newer.level_words} {sentence_case(newer.reason)}, received by {instant_words(newer.at)}, reopened the case. "
            f"The findings are in the pack of run {newer.run_id}, evidence {newer.evidence_root}, and "
            f"not in the other sections of this one. {newer.whose_ids}. {_of_values(newer)}"
        ),
        table(_COLUMNS, rows, "Nothing that was not there before."),
    )


def _of_values(newer: Reopening) -> str:
    """Return where the values in the sentences of a later run are from, or that they are missing."""
    if newer.pack_root:
        return (
            "These lines come from the ledger; the values in them come from that pack, which has the documents, and are kept in "
            f"data/newer-pack.json with its root {newer.pack_root}."
        )
    return (
        "Missing here are the values that were compared: the ledger, from which these lines come, does not keep them, and that pack was "
        "not at hand when this one was made. It has them, with the documents that they come from."
    )


def otherwise(newer: Reopening | None, policy: Policy, is_touched: Touch, matter: str = "this") -> str:
    """Return that newer evidence bears on a matter, with the findings that do; empty for none.

    Args:
        newer: What a later run found; None if there was no such run.
        policy: The policy of the pack.
        is_touched: Whether a finding about some paths bears on it; a rule that the policy does not have is about none.
        matter: What the matter is called.
    """
    ids = [
        one.finding_id
        for one in (newer.found if newer else ())
        if is_touched(one, _paths(one, _rule_of(one, policy)))
    ]
    return f"newer evidence bears on {matter}: {id_ranges(ids)} ({newer.run})" if newer and ids else ""


def otherwise_in(section: str, newer: Reopening | None, policy: Policy, matter: str = "this") -> str:
    """Return that newer evidence bears on a section, with the findings that touch its matter; empty for none.

    Args:
        section: The key of the section.
        newer: As for `otherwise`.
        policy: As for `otherwise`.
        matter: As for `otherwise`.
    """
    is_touched = _MATTERS.get(section)
    said = otherwise(
        newer, policy, lambda one, paths: not (paths and is_touched) or is_touched(one, paths), matter
    )
    return sentence_case(said)


def _rule_of(found: NewerFinding, policy: Policy) -> Rule | None:
    return next((each for each in policy.rules if each.id == found.rule_id), None)


def _paths(found: NewerFinding, rule: Rule | None) -> tuple[str, ...]:
    """Return what a finding is about; a level is nothing that anybody looks into."""
    section = found.rule_id.removeprefix(_OUTCOME)
    if section in SECTIONS:
        return (f"{section}.outcome",)
    asked = [leaf.path for leaf in leaves_of(rule.when)] if rule else []
    return tuple(path.replace("**", "x").replace("*", "x") for path in asked if path != LEVEL)


def _reason(newer: Reopening, found: NewerFinding, policy: Policy, names: ShortNames) -> Reason | Unknown:
    rule = _rule_of(found, policy)
    paths = _paths(found, rule)
    text, owner = newer.said_of(found) or found.label, policy.owner_of(found.rule_id)
    title = rule.title if rule else found.label
    without_rule = "hold" if found.subject == SANCTIONS else "decline" if found.level == LEVELS[-1] else "ask"
    action = rule.action if rule else without_rule
    row = {
        "path": (*paths, "")[0],
        "session_id": None,
        "value": None,
        "title": title,
        "cause": text,
        "action": action,
    }
    rows: list[dict[str, Any]] = [{**row, "sentence": text, "evidence_ids": ()}]
    if found.outcome != HIT:
        tasks = tasks_of_unknown(rows, names, {}, Sums(), internal=False)
        return Unknown(
            text, (title,), found.level, owner, (), (),
            number=found.finding_id, tasks=tasks, rules=(found.rule_id,), paths=frozenset(paths),
        )  # fmt: skip
    return Reason(
        found.rule_id,
        text,
        owner,
        found.level,
        action,
        number=found.finding_id,
        subjects=frozenset(part for path in paths for part in subjects_of(path)),
        tasks=tasks_of_hit(rows, text, names, {}, Sums()),
        path=str(row["path"]),
    )
