"""Which editions of the law were read for the deciding rules: the policy names them, and they need not be the text in force."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Any

import pandas as pd

from kycpack.frames.rows import records
from kycpack.models.dates import day_words
from kycpack.render.document_parts import Block, Cell, Paragraph, Subheading, TableColumn, resting_on, table
from kycpack.render.origin import Given
from kycpack.render.palette import Tone
from kycpack.render.wording import text_of
from kycpack.triage.judge.findings import standing
from kycpack.triage.levels import HIT, LEVELS, UNKNOWN, rank
from kycpack.triage.policies.policy import LegalSource, sources_of

EDITION_NUMBERS = Given("a number in the name of a text or of its edition, as the policy lists it")
"""What the numbers are that are printed of the texts of law."""
_NO_TEXT = "No text of law that the policy lists is behind the rules that decide the level"
_NO_RULE = "No rule calls for more than an approval, so no text of law decides the level"
_MOST_RULES = 6  # named beside one text
_COLUMNS = (
    TableColumn("Rule", 0.9),
    TableColumn("Text", 2.0),
    TableColumn("Edition read", 2.6),
    TableColumn("Parts read", 2.6),
    TableColumn("Amended since?", 1.6),
)


def law_blocks(
    findings: pd.DataFrame, sources: Sequence[LegalSource], day: date, own: Collection[str] = ()
) -> tuple[Block, ...]:
    """Return which editions were read of the texts behind the rules of the highest level found, or that these cite no law; nothing where the policy lists no text.

    Args:
        findings: Frame `findings` of one customer.
        sources: The texts that the policy lists.
        day: The day of the review, on which the law has to be in force.
        own: The rules that have a reason of their own: of these the amended texts are named at any level.
    """
    if not sources:
        return ()
    rows = [
        row
        for row in records(standing(findings), "rule_id", "basis", "level", "outcome", "internal")
        if row["outcome"] in {HIT, UNKNOWN} and not row["internal"] and rank(str(row["level"]))
    ]
    highest = max((rank(str(row["level"])) for row in rows), default=0)
    deciding, others = _cited(rows, sources, highest, own)
    if not deciding:
        to_reject = ", and to reject is the firm's own decision" if LEVELS[highest] == "reject" else ""
        said = f"{_NO_TEXT if highest else _NO_RULE}: the recommendation rests on the firm's policy alone{to_reject}."
        said += (
            " Other rules cite texts that were amended after the edition read. Check the text in force before you rely on a rule."
            if others
            else ""
        )
    else:
        said = (
            f"It is not shown that the law in force on {day_words(day)} was read for the rules that decide the level: the policy names these editions and "
            f"no later ones. Check the text in force before you rely on a rule.{_supervisor(sources)}"
        )
    lines = [
        resting_on((_named(rules), one.title, one.edition, one.checked, _amended(one)), EDITION_NUMBERS)
        for one, rules in (*deciding.items(), *others.items())
    ]
    return (
        Subheading("Law behind the deciding rules"),
        Paragraph(said, Tone.UNKNOWN if lines else Tone.PLAIN, (Given("date of the review"),)),
        *([table(_COLUMNS, lines)] if lines else []),
    )


def _cited(
    rows: Sequence[Mapping[Any, Any]], sources: Sequence[LegalSource], highest: int, own: Collection[str]
) -> tuple[dict[LegalSource, list[str]], dict[LegalSource, list[str]]]:
    """Return the texts behind the rules of the highest level, and the amended texts behind others with a reason of their own, each with its rules."""
    deciding: dict[LegalSource, list[str]] = {}
    others: dict[LegalSource, list[str]] = {}
    decides = {str(row["rule_id"]) for row in rows if rank(str(row["level"])) == highest}
    for rule, basis in {str(row["rule_id"]): text_of(row["basis"], "") for row in rows}.items():
        for one in sources_of(basis, sources):
            if not one.law:
                continue
            if rule in decides:
                deciding.setdefault(one, []).append(rule)
            elif rule in own and one.amended:
                others.setdefault(one, []).append(rule)
    return deciding, others


def _named(rules: Sequence[str]) -> str:
    """Return the codes of rules, of many only the first."""
    more = len(rules) - _MOST_RULES
    return ", ".join(rules[:_MOST_RULES]) + (f" and {more} more" if more > 0 else "")


def _amended(source: LegalSource) -> Cell:
    """Return whether the policy itself says that a text was amended after the edition that was read."""
    if source.amended:
        return Cell("Yes, and the text as amended was not read: check the text in force", Tone.WATCH)
    return Cell("The policy does not say: check the text in force", Tone.UNKNOWN)


def _supervisor(sources: Sequence[LegalSource]) -> str:
    """Return whose guidance the firm has to add where the policy cites that of HMRC and of no other supervisor; empty elsewhere."""
    cited = " ".join(f"{one.title} {one.edition} {one.checked}" for one in sources)
    if "HMRC" not in cited or any(other in cited for other in ("FCA", "JMLSG")):
        return ""
    return (
        " Of the supervisors the policy cites only HMRC, by its handbook: if another one supervises the firm, such as the FCA, its guidance and that of "
        "the JMLSG are for the firm to add."
    )
