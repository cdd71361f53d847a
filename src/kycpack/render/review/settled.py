"""What a review says of the screening beside a decision: its verdicts, their evidence, and what the customer can be compared with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from kycpack.frames import Frames
from kycpack.models.dates import day_words
from kycpack.models.listed import listed
from kycpack.render.document_parts import Cell, Paragraph
from kycpack.render.origin import Given
from kycpack.render.palette import Tone
from kycpack.render.review.decision import CaseDecision, CaseRecord, stands
from kycpack.render.review.decision_section import FROM_RECORD
from kycpack.render.review.finding_ids import id_ranges
from kycpack.render.review.left_open import numbers_in
from kycpack.render.review.open_matches import COUNTS
from kycpack.render.review.person import name_of, person_facts
from kycpack.render.review.reasons import Reason, Unknown

_BY_VERDICT = " by the verdict of "
_SETTLED = {"false_positive": "False positive", "true_match": "True match"}
_SCREENING, _OTHER = "screening", "false_positive"
_COMPARED = ("Born", "Nationality")


def screening_decision(record: CaseRecord | None, why: Iterable[Reason | Unknown]) -> CaseDecision | None:
    """Return the decision that stands, with only its findings about the screening; None if there is none of these.

    Args:
        record: What the ledger says about the case.
        why: All rules that were hit and all that could not be evaluated, with their numbers in the decision.
    """
    decision = None if record is None else record.decision
    if decision is None or decision.standing or not stands(record):
        return None
    about = numbers_in(one.number for one in why if one.subjects == {_SCREENING})
    found = tuple(each for each in decision.findings if each.finding_id in about)
    return replace(decision, findings=found) if found else None


def without_verdict(words: str) -> str:
    """Return words from `with_verdict` as they hold for a category that the results do not have: a match can be a false positive, and what was perhaps not searched cannot.

    Args:
        words: What is said of a category.
    """
    return "; ".join(part for part in words.split("; ") if _BY_VERDICT not in part)


def with_verdict(
    said: Mapping[str, str], record: CaseRecord | None, reasons: Iterable[Reason]
) -> dict[str, str]:
    """Return what is said of the categories of each session with an open match, with the verdict of a decision where that settles every match.

    Args:
        said: As returned by `open_matches`.
        record: As for `screening_decision`.
        reasons: All rules that were hit, with their numbers in the decision.
    """
    counted = [one for one in reasons if one.path in COUNTS]
    decision = screening_decision(record, counted)
    if decision is None or not all(one.number for one in counted):
        return dict(said)
    verdict = _verdict_words(decision)
    return {session: f"{words}{verdict}" for session, words in said.items()}


def verdicts_by_path(record: CaseRecord | None, why: Iterable[Reason | Unknown]) -> dict[str, str]:
    """Return the verdict that settled what was found of the screening, as it stands beside its value, by path; of all screenings together it is under the path of none.

    Args:
        record: As for `screening_decision`.
        why: As for `screening_decision`.
    """
    about: dict[str, list[Reason | Unknown]] = {}
    for one in why:
        if one.subjects == {_SCREENING} and not one.internal:
            for path in ("", one.path) if isinstance(one, Reason) else ("", *one.paths):
                about.setdefault(path, []).append(one)
    said = {path: _verdict_words(screening_decision(record, mine)) for path, mine in about.items()}
    return {path: words for path, words in said.items() if words and all(one.number for one in about[path])}


def _verdict_words(decision: CaseDecision | None) -> str:
    """Return the verdict of a decision that has one and the same on all its findings, with its day and their ids; empty for none."""
    verdicts = {each.verdict for each in decision.findings} if decision else set()
    settled = _SETTLED.get(verdicts.pop(), "").lower() if len(verdicts) == 1 else ""
    if decision is None or not settled:
        return ""
    ids = id_ranges(each.finding_id for each in decision.findings)
    return f"; {settled}{_BY_VERDICT}{day_words(decision.decided_at.date())} ({ids} in “Decision”)"


def with_settled(
    strip: Mapping[str, Cell], record: CaseRecord | None, why: Iterable[Reason | Unknown]
) -> dict[str, Cell]:
    """Return the strip of page one; a screening of which a decision says one and the same of every finding says so, in the tone of what was found; a false positive does not alarm.

    Args:
        strip: The state of each part, by its name.
        record: As for `screening_decision`.
        why: As for `screening_decision`.
    """
    every = [one for one in why if _SCREENING in one.subjects and not one.internal]
    decision, shown = screening_decision(record, every), dict(strip)
    if decision is None or not all(one.number for one in every):
        return shown
    verdicts = {each.verdict for each in decision.findings}
    words = _SETTLED.get(verdicts.pop(), "") if len(verdicts) == 1 else ""
    cell = shown[_SCREENING.title()]
    if words:
        people = listed([decision.decided_by, *filter(None, [decision.second_by])])
        is_other = words == _SETTLED[_OTHER] and cell.tone == Tone.ALARM
        tone = Tone.WATCH if is_other else cell.tone
        shown[_SCREENING.title()] = replace(cell, text=f"{words}, by {people}", tone=tone)
    return shown


def screening_paragraphs(
    record: CaseRecord | None, why: Iterable[Reason | Unknown], frames: Frames
) -> tuple[Paragraph, ...]:
    """Return what a decision says of the screening, on what external evidence, and with which details of the customer a listed person can be compared.

    Args:
        record: As for `screening_decision`.
        why: As for `screening_decision`.
        frames: Frames of the customer.
    """
    decision = screening_decision(record, why)
    if decision is None:
        return ()
    said = [f"Decision {decision.decision_id} says of this screening: {decision.verdicts}."]
    if decision.outside:
        said.append(
            f"{decision.outside}. No other information about a listed person is kept, so the verdict rests on this alone. It did not come with the "
            "provider's results, which are shown below unchanged; of its file, this pack has only the hash."
        )
    details = dict(person_facts(frames))
    cells = [details[label] for label in _COMPARED]
    if any(each.verdict == _OTHER for each in decision.findings):
        known = ", ".join(
            f"{label.lower()} {cell.text}" for label, cell in zip(_COMPARED, cells, strict=True)
        )
        said.append(
            f"What this pack has of the customer to compare a listed person with: the name “{name_of(frames.customers)}”, {known}. No place of birth is read from the record or the document."
        )
    origins = (Given(FROM_RECORD), *(origin for cell in cells for origin in cell.origins))
    return (Paragraph(" ".join(said), Tone.WATCH, origins),)
