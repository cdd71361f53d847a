"""The annex of the checks that are clear, and of those that looked at nothing."""

from __future__ import annotations

from collections.abc import Sequence

from kycpack.render.document_parts import Block, Cell, Paragraph, Section, Subheading, TableColumn, table
from kycpack.render.palette import Tone
from kycpack.render.review.clear_checks import NOT_COMPLETE, WithoutObjection

_CLEAR = (
    TableColumn("Check", 2.4),
    TableColumn("Seen", 1.8),
    TableColumn("Check", 2.4),
    TableColumn("Seen", 1.8),
)

_BESIDE = (TableColumn("Check", 2.4), TableColumn("Seen", 6.0))  # which takes several lines


def clear_section(checks: WithoutObjection, counts: Cell) -> Section:
    """Return the annex of the checks that are clear, and of those that were not looked at or had nothing to compare.

    Args:
        checks: As returned by `without_objection`.
        counts: How many checks have which result, as returned by `check_counts.checks_cell`.
    """
    clear, beside, skipped = checks
    blocks: list[Block] = [
        Paragraph(counts.text, origins=counts.origins),
        Paragraph(
            "Checks found clear, each with the value seen, or with a short description if the rule looks at more than one value."
        ),
        table(_CLEAR, _in_two(clear), "No rule is clear."),
    ]
    unfinished = [pair for pair in beside if pair[1].text.startswith(NOT_COMPLETE)]
    others = [pair for pair in beside if pair not in unfinished]
    if beside:
        blocks.append(Subheading("Not counted as clear"))
    if unfinished:
        what = "Not complete, which is a finding of another rule:"
        blocks += [Paragraph(what, Tone.WATCH), table(_BESIDE, unfinished)]
    if others:
        blocks += [
            Paragraph(
                "Each of these checks found nothing itself, but other evidence speaks against it, or this pack cannot settle it.",
                Tone.WATCH,
            ),
            table(_BESIDE, _together(others)),
        ]
    if skipped:
        blocks += [Subheading("Not looked at, or nothing to compare"), table(_CLEAR, _in_two(skipped))]
    return Section("clear", "Annex: clear checks, and those not counted as clear", tuple(blocks))


def _together(pairs: Sequence[tuple[Cell, Cell]]) -> list[tuple[Cell, Cell]]:
    """Return checks with what is seen of them, those of which the same is seen in one row."""
    alike: dict[str, list[tuple[Cell, Cell]]] = {}
    for pair in pairs:
        alike.setdefault(pair[1].text, []).append(pair)
    rows = []
    for mine in alike.values():
        titles, seen = zip(*mine, strict=True)
        origins = tuple(origin for title in titles for origin in title.origins)
        rows.append((Cell("; ".join(title.text for title in titles), origins=origins), seen[0]))
    return rows


def _in_two(pairs: list[tuple[Cell, Cell]]) -> list[tuple[Cell, ...]]:
    half = (len(pairs) + 1) // 2
    rest = [*pairs[half:], *[(Cell(""), Cell(""))] * (2 * half - len(pairs))]
    return [(*left, *right) for left, right in zip(pairs[:half], rest, strict=True)]
