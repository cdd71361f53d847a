"""The figure map of a pack: for each printed number, the frame's rows and columns it comes from, and the evidence."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kycpack.evidence import Evidence
from kycpack.evidence.record import index_bytes
from kycpack.models.money import exponent, known_currency
from kycpack.pack.figures.evidence_pointers import evidence_pointers
from kycpack.pack.figures.figure_cells import (
    Columns,
    Tables,
    evaluate,
    evidence_ids,
    index_columns,
    numbers,
    printed_forms,
)
from kycpack.render.document_parts import Block, Cell, Facts, Figure, Paragraph, Section, Subheading, Table
from kycpack.render.drawing import Label
from kycpack.render.origin import Given, Origin, Origins
from kycpack.render.text_runs import visible

SCHEMA = "kycpack-figures-1"
REVIEW = ("report/review.pdf", "report/review.html")
STATEMENT = ("report/statement.pdf",)
_EVERYWHERE = (
    {"place": "foot of each page", "why": "number of the page", "printed": []},
    {"place": "everywhere", "why": "part of an id, a masked number or a hash", "printed": []},
)


def tables_of(frames: Mapping[str, Columns], evidence: Evidence) -> Tables:
    """Return the frames of a pack in the form that the figure map's check reads.

    Args:
        frames: The columns of the frames as they are written, by frame name.
        evidence: Evidence of the customer.
    """

    def read(name: str) -> Columns:
        if name == "evidence":
            return index_columns(json.loads(index_bytes(evidence.customer_id, evidence.entries)))
        return frames[name]

    currencies = {
        str(currency)
        for frame in frames.values()
        if "currency" in frame
        for currency in set(frame["currency"])
        if currency is not None and known_currency(str(currency))
    }
    return Tables(read, {currency: exponent(currency) for currency in sorted(currencies)})


def figure_map(
    summary: Sequence[Cell],
    sections: Sequence[Section],
    statement: Sequence[Section],
    frames: Mapping[str, Columns],
    evidence: Evidence,
) -> dict[str, Any]:
    """Return the figure map of a review.

    Args:
        summary: The texts of page one that hold numbers.
        sections: The sections after page one.
        statement: The sections of the statement.
        frames: The columns of the frames as they are written, by frame name.
        evidence: Evidence of the customer.

    Returns:
        `figures`, each with its id, the documents that print it, the printed text, its place, and its origins; `not_figures`,
        numbers that are neither measured nor calculated; `unmapped`, numbers without a known origin (none, in a sound pack);
        `pointers` into the evidence, as returned by `evidence_pointers`; `files` of the evidence; `decimals` by currency.
    """
    tables = tables_of(frames, evidence)
    builder = FigureMapBuilder(tables)
    for cell in summary:
        builder.add("summary", "Page one", REVIEW, cell.text, cell.origins)
    for documents, prefix, parts in ((REVIEW, "", sections), (STATEMENT, "statement-", statement)):
        for section in parts:
            for block in section.blocks:
                for text, label, origins in block_texts(block):
                    known = origins or ((Given(section.given),) if section.given else ())
                    builder.add(f"{prefix}{section.key}", label or section.title, documents, text, known)
    return {
        "schema": SCHEMA,
        "figures": builder.figures,
        "not_figures": [
            *_EVERYWHERE,
            *(
                {"place": place, "why": why, "printed": list(found)}
                for (place, why), found in builder.given.items()
            ),
        ],
        "unmapped": builder.unmapped,
        "pointers": evidence_pointers(evidence, tables, list(frames)),
        "files": {entry.id: f"evidence/{entry.file}" for entry in evidence.entries if entry.file},
        "decimals": dict(tables.decimals),
    }


class FigureMapBuilder:
    """Collects the printed texts of a document, and finds the origin of each number.

    Args:
        tables: The frames.

    Attributes:
        figures: The figures so far, as the map has them.
        given: Numbers that are not figures, by place and by what they are.
        unmapped: Numbers that are in none of their text's origins.
    """

    def __init__(self, tables: Tables) -> None:
        self.figures: list[dict[str, Any]] = []
        self.given: dict[tuple[str, str], dict[str, None]] = {}
        self.unmapped: list[dict[str, Any]] = []
        self._tables = tables
        self._counts: dict[str, int] = {}

    def add(self, section: str, place: str, documents: Sequence[str], text: str, origins: Origins) -> None:
        """Add a text.

        Args:
            section: Short name with which the ids of its figures begin.
            place: The heading or column that the text is under.
            documents: The documents that print it.
            text: The text.
            origins: Where its numbers come from.
        """
        printed = visible(text)
        found = numbers(printed)
        if not found:
            return
        left = list(dict.fromkeys(found))
        used: list[dict[str, Any]] = []
        for origin in origins:
            if left and isinstance(origin, Origin):
                used += self._used(origin, left)
        whys = [origin.why for origin in origins if isinstance(origin, Given)]
        where = {"place": place, "documents": list(documents), "printed": printed}
        if used:
            self._counts[section] = self._counts.get(section, 0) + 1
            evidence = sorted({id_ for one in used for id_ in evidence_ids(self._tables, one)})
            self.figures.append(
                {"id": f"{section}.{self._counts[section]}", **where, "origins": used, "evidence": evidence}
            )
        if left and whys:
            self.given.setdefault((place, "; ".join(whys)), {}).update(dict.fromkeys(left))
            if used:
                self.figures[-1]["not_figures"] = list(left)
        elif left:
            self.unmapped.append({**where, "numbers": left})
            if used:
                self.figures[-1]["unmapped"] = list(left)

    def _used(self, origin: Origin, left: list[str]) -> Iterator[dict[str, Any]]:
        """Yield the origin with the fewest columns that hold the numbers left, and remove these numbers from `left`."""
        described = {
            "frame": origin.frame,
            "rows": {column: list(values) for column, values in origin.rows.items()},
            "columns": list(origin.columns),
            "operation": origin.operation,
            **({"of": {column: list(values) for column, values in origin.of.items()}} if origin.of else {}),
        }
        if origin.operation != "value":
            forms = printed_forms(self._tables, described)
            if forms & set(left):
                left[:] = [number for number in left if number not in forms]
                yield {**described, "value": evaluate(self._tables, described)}
            return
        wanted = set(left)
        columns = self._narrowed(described, left)
        if columns:
            yield {
                **described,
                "rows": self._nearest(described, columns, wanted - set(left)),
                "columns": columns,
            }

    def _nearest(
        self, described: Mapping[str, Any], columns: list[str], held: set[str]
    ) -> dict[str, list[Any]]:
        """Return the conditions for the rows, narrowed to the rows that hold the numbers."""
        frame, rows = described["frame"], described["rows"]
        meant = self._tables.rows(frame, rows)
        if len(meant) == 1 or len(columns) > 1:
            return dict(rows)
        (column,) = columns
        holding = self._tables.printing(frame, meant, column, held)
        return {**rows, column: sorted(set(map(str, self._tables.cells(frame, holding, column))))}

    def _narrowed(self, described: Mapping[str, Any], left: list[str]) -> list[str]:
        by_column = self._tables.forms_by_column(described["frame"], described["rows"], described["columns"])
        chosen: list[str] = []
        while left:
            # The column that holds most of them, so that a chance match elsewhere in the row does not count.
            wanted = set(left)
            best = max(by_column, key=lambda column: len(by_column[column] & wanted), default=None)
            if best is None or not by_column[best] & wanted:
                break
            left[:] = [number for number in left if number not in by_column[best]]
            chosen.append(best)
        return chosen


def block_texts(block: Block) -> Iterator[tuple[str, str, Origins]]:
    """Yield each text of a block with its label and the origins of its numbers."""
    match block:
        case Table():
            for row in block.rows:
                for column, cell in zip(block.columns, row, strict=True):
                    yield cell.text, column.title, cell.origins
        case Facts():
            for label, cell in block.pairs:
                yield cell.text, label, cell.origins
        case Paragraph():
            yield block.text, "", block.origins
        case Subheading():
            yield block.text, "", ()
        case Figure():
            yield from ((text, "", origins) for text, origins in _drawn(block))


def _drawn(figure: Figure) -> Iterator[tuple[str, Origins]]:
    yield figure.caption, figure.origins
    yield figure.drawing.words, figure.origins
    for mark in figure.drawing.marks:
        if isinstance(mark, Label):
            yield mark.text, (Given("scale of a chart"),) if mark.scale else figure.origins
