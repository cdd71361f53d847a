"""What the first page of a review, in PDF, HTML or a workbook, says before its sections."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from kycpack.frames.answer_members import SECTIONS
from kycpack.models.dates import instant_words
from kycpack.models.listed import listed
from kycpack.models.money import format_minor
from kycpack.render.document_parts import Cell
from kycpack.render.palette import Tone
from kycpack.render.review.case_record import DEMONSTRATED
from kycpack.render.review.decision import NO_DECISION, news_lines
from kycpack.render.review.left_open import is_done
from kycpack.render.review.pieces import SENIOR, is_of_report, needs_senior
from kycpack.render.review.reasons import DECISION_ON_REPORT, Reason, Unknown
from kycpack.render.text_runs import visible
from kycpack.render.wording import DEMONSTRATION_WORDS, level_cell
from kycpack.triage.levels import ANALYST, LEVELS

if TYPE_CHECKING:
    from kycpack.render.review.contents import ReviewContents

CODES = (
    "Codes: E, M, R evidence (“Evidence index”); F findings, numbered by a decision, and codes such as SES-2 rules (“Findings”); "
    "S, A, P sessions, accounts, payments (“The customer”)."
)
"""Explains the codes on page one, in the same words in every pack."""

_OF_RESULTS = re.compile("'([a-z][a-z_ ]*)'")
_DEFINED = frozenset({"clear", "consider", "warning", "rejected", "yes", "no"})
"""Values of the results that the interface explains."""
CONSIDER = "“Consider” is the provider's word for possible issues."
LEVEL_SCALE = f"Levels: {', '.join(level_cell(one).text.lower() for one in LEVELS)}"
"""The scale on which the recommended level is one, beside it; in small letters, so that no level but the recommended one stands there as such."""
_MARK = re.compile("<U\\+[0-9A-F]{4,6}>")
_NOT_NAMED, _NO_SECOND = "Nobody named", "No second reviewer"


def demonstration_words(contents: ReviewContents) -> str:
    """Return what is said of an invented person, and of the times of a decision about one; empty for any other."""
    if not contents.is_demonstration:
        return ""
    record = contents.case.record
    return f"{DEMONSTRATION_WORDS} {DEMONSTRATED if record and record.decision else ''}".rstrip()


def cover_lines(contents: ReviewContents) -> tuple[tuple[str, str], ...]:
    """Return what the cover of the workbook says, as labels with values."""
    level, beside = contents.verdict
    return (
        ("Customer id", contents.customer_id),
        ("Case", contents.case.case_id),
        ("As of", instant_words(contents.as_of)),
        ("Recommended level", contents.own_level.text),
        ("Why", contents.headline),
        *(
            []
            if level == contents.own_level
            else [("Recommended level now", level.text), ("Why now", beside[0])]
        ),
        ("Decision", decision_words(contents)),
        *(
            (
                "Share of credits whose nature is known",
                f"{one.known_percent} of {one.total_words}{one.questioned_words}",
            )
            for one in contents.shares
            if one.questioned_words
        ),
        *(
            (
                "May be counted twice",
                f"{format_minor(twice, one.currency)} of the credits; the sheets list them all, and the totals of sheet coverage include them",
            )
            for one in contents.shares
            if (twice := one.may_be_twice_minor + one.own_twice_minor)
        ),
        *(
            ("Since the decision", said)
            for said in filter(None, (" ".join(news_lines(contents.case.record)),))
        ),
        *(("Left open", cell.text) for cell in contents.left_open),
        ("Policy", contents.policy),
        ("Evidence root", contents.evidence_root),
        ("Classification", contents.case.classification),
    )


def codes_words(contents: ReviewContents) -> str:
    """Return what the codes of page one mean, with the words of the provider that no interface explains, and the marks of characters that have no shape."""
    why = (*contents.newer, *contents.why)
    of_results = [one for one in why if isinstance(one, Reason) and one.path.partition(".")[0] in SECTIONS]
    own = [
        (f"'{word}'", _treated(one))
        for one in of_results
        for word in _OF_RESULTS.findall(one.text)
        if word not in _DEFINED
    ]
    marks = dict.fromkeys(_MARK.findall(visible(" ".join((contents.name, *(one.text for one in why))))))
    said = [CODES]
    if words := [*dict(own)]:
        are, it = ("is a word", "it is") if len(words) == 1 else ("are words", "they are")
        treated = listed(sorted({how for _, how in own}))
        said.append(
            f"{listed(words)} {are} of the provider that its interface does not define; {it} treated {treated}."
        )
    of_provider = any("'consider'" in one.text for one in of_results)
    if of_provider or shows_consider(cell for _, cell in contents.strip):
        said.append(CONSIDER)
    if marks:
        are = "is a control character" if len(marks) == 1 else "are control characters"
        said.append(f"{listed([*marks])} {are}, shown by the code point.")
    return " ".join(said)


def _treated(one: Reason) -> str:
    """Return what a word of the provider is taken for in a reason, and why."""
    if one.action == "decline":
        return "as a rejection, because the provider's outcome is rejected"
    return "as a possible match" if one.path.startswith("screening.") else "as a point to clarify"


def shows_consider(cells: Iterable[Cell]) -> bool:
    """Return whether cells have this outcome of the provider."""
    return any(cell.text.startswith("Consider") for cell in cells)


def reason_words(one: Reason | Unknown, *, with_about: bool = True) -> tuple[str, str, Tone]:
    """Return a reason as page one lists it: its label with its level, what follows, and the tone of both.

    Args:
        one: The reason.
        with_about: Whether it says who has to act, and how.
    """
    level = level_cell(one.level)
    label = (
        f"{DECISION_ON_REPORT} ({one.rule_id})"
        if isinstance(one, Reason) and one.internal and one.rule_id
        else one.label
    )
    known = (level.text.casefold(), label.partition(" (")[0].casefold())
    about = (
        "".join(f" · {part}" for part in one.about if part and part.casefold() not in known)
        if with_about
        else ""
    )
    said = "; ".join((f"{about}: {one.text}", *one.also))
    tone = level.tone if isinstance(one, Reason) else Tone.UNKNOWN
    return f"{label} · {level.text}", said, tone


def people(contents: ReviewContents) -> tuple[tuple[str, str], ...]:
    """Return who prepared and who reviewed the pack, as labels with values."""
    return (
        ("Prepared by", contents.case.prepared_by or _NOT_NAMED),
        ("Reviewed by", contents.case.reviewed_by or _NO_SECOND),
    )


def review_words(contents: ReviewContents) -> str:
    """Return who has to look at the case; empty where a decision stands and nobody is needed any more."""
    if is_done(contents.case.record, (*contents.reasons, *contents.unknowns)):
        return ""
    record = contents.case.record
    routes = list((record and record.deciders) or contents.routes)
    if SENIOR not in routes and needs_senior((*contents.newer, *contents.reasons)):
        routes.append(SENIOR)
    if "MLRO" not in routes and any(one.action == "decline" for one in contents.reasons):
        routes.append("MLRO" if any(map(is_of_report, contents.why)) else "MLRO before any rejection")
    if "MLRO" in routes and any(one.owner == "MLRO" and _is_of_lists(one) for one in contents.why):
        routes = ["MLRO", *(one for one in routes if one != "MLRO")]
    said = {one.partition(" before ")[0].casefold() for one in routes}
    said |= {ANALYST.casefold(), SENIOR}
    more = [one for one in contents.to_do.owners if one.casefold() not in said]
    if more and not routes:
        routes.append(ANALYST)
    routes += more
    return f"For review by: {', '.join(routes) or 'the Analyst, who records the decision'}"


def _is_of_lists(one: Reason | Unknown) -> bool:
    """Return whether a match may be of a person whose funds have to be frozen."""
    return any(task.is_of_lists for task in one.tasks)


def decision_words(contents: ReviewContents) -> str:
    """Return the decision in one line: what was decided by whom, or that nothing was."""
    record = contents.case.record
    if record is None or record.decision is None:
        return NO_DECISION
    return record.decision.sentence
