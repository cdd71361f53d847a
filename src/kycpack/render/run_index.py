"""The index of a run: totals by level and outcome, and every customer with a link to the pack, on several pages."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from html import escape
from itertools import islice
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from kycpack.models.dates import instant_words
from kycpack.models.listed import counted
from kycpack.ordering import in_order
from kycpack.render.decisions_page import DECISIONS
from kycpack.render.document_parts import REFERENCE, Cell
from kycpack.render.html_pages import render_page
from kycpack.render.text_runs import visible
from kycpack.render.wording import (
    DEMONSTRATION,
    OUTCOMES_OF_A_RUN,
    approval_words,
    hardness,
    is_population_whole,
    level_cell,
    population_words,
    recommended_cell,
    recommended_totals,
)
from kycpack.render.wording import share_words as part_words
from kycpack.triage.levels import LEVELS, rank

FIRST_PAGE = "index.html"
FOLDER = "index"
_CUSTOMERS_A_PAGE = 1000
_WHOLE = 10**9  # a share is rounded to the part of a penny in any sum
_FIRST = {"failed": 0, "incomplete": 1}
_LEGEND = f"{OUTCOMES_OF_A_RUN} Nature known: the share of incoming payments whose nature is known beyond doubt, without transfers between own accounts; of several currencies, the lowest share."
_SCRIPT = """"use strict";
const table = document.querySelector("table.kp-table"), body = table.tBodies[0], rows = [...body.rows];
const text = document.getElementById("filter"), level = document.getElementById("level");
const outcome = document.getElementById("outcome"), count = document.getElementById("shown");
document.getElementById("tools").hidden = false;
function show() {
  const wanted = text.value.toLowerCase().trim();
  let shown = 0;
  for (const row of rows) {
    const fits = (!wanted || row.textContent.toLowerCase().includes(wanted))
      && (!level.value || row.dataset.level === level.value)
      && (!outcome.value || row.dataset.outcome === outcome.value);
    row.hidden = !fits;
    shown += fits ? 1 : 0;
  }
  count.textContent = `${shown} of ${rows.length} shown`;
}
for (const control of [text, level, outcome]) control.addEventListener("input", show);
for (const head of table.tHead.rows[0].cells) {
  const button = head.querySelector("button");
  if (!button) continue;
  button.disabled = false;
  button.addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const place = head.cellIndex;
    const key = (row) => row.cells[place].dataset.key ?? row.cells[place].textContent.trim();
    rows.sort((a, b) => key(a).localeCompare(key(b), undefined, { numeric: true }) * (down ? -1 : 1));
    body.append(...rows);
  });
}
show();
"""


def render_index_pages(
    run: Mapping[str, Any], names: Mapping[str, str] | None = None
) -> Iterator[tuple[str, str]]:
    """Render the index of a run, page by page: failed customers first, then incomplete ones, then the most severe level first.

    Args:
        run: The content of `run.json`.
        names: The name of each customer by id, to be shown; None for an index without names.

    Yields:
        The name of each page, relative to the run's output, and its HTML. There is always at least one page.
    """
    entries = run["entries"]
    levels = recommended_totals(
        (str(entry["level"]), entry["top_reason"]) for entry in entries if entry["level"]
    )
    ordered = in_order(entries, urgency)
    count = max(1, math.ceil(len(entries) / _CUSTOMERS_A_PAGE))
    for number in range(1, count + 1):
        some = list(islice(ordered, _CUSTOMERS_A_PAGE))
        yield _name(number), _page(run, some, names, number, count, levels)


def render_index_html(run: Mapping[str, Any], names: Mapping[str, str] | None = None) -> str:
    """Render the first page of the index of a run; see `render_index_pages`.

    Args:
        run: The content of `run.json`.
        names: The name of each customer by id, to be shown; None for an index without names.
    """
    return next(iter(render_index_pages(run, names)))[1]


def _name(number: int) -> str:
    return FIRST_PAGE if number == 1 else f"{FOLDER}/page-{number}.html"


def _page(
    run: Mapping[str, Any],
    entries: Sequence[Mapping[str, Any]],
    names: Mapping[str, str] | None,
    number: int,
    count: int,
    levels: Sequence[tuple[str, Cell, int]],
) -> str:
    up = "" if number == 1 else "../"
    approval, population = run.get("policy_approval"), run.get("population")
    is_approved = approval is not None and approval["state"] == "approved"
    earlier = run.get("compared_with")
    return render_page(
        "index.html.j2",
        script=_SCRIPT,
        title="Review packs",
        run=run,
        as_of=instant_words(datetime.fromisoformat(run["as_of"])),
        rows=[_row(entry, names, up) for entry in entries],
        legend=_LEGEND,
        decisions=f"{up}{DECISIONS}",
        population="" if population is None else population_words(population),
        population_tone="quiet" if population is None or is_population_whole(population) else "alarm",
        approval=approval_words("", approval),
        approval_tone="quiet" if is_approved else "unknown" if approval is None else "alarm",
        levels=levels,
        outcomes=sorted({str(entry["outcome"]) for entry in entries}),
        named=names is not None,
        demonstration=demonstration_words(run["entries"]),
        earlier=None if earlier is None else instant_words(datetime.fromisoformat(earlier["as_of"])),
        number=number,
        count=count,
        pages=[(each, f"{up}{_name(each)}") for each in range(1, count + 1)],
    )


def _row(entry: Mapping[str, Any], names: Mapping[str, str] | None, up: str) -> dict[str, Any]:
    level = entry["level"]
    return {
        **entry,
        "name": "" if names is None else names.get(str(entry["customer_id"]), ""),
        "mark": DEMONSTRATION if entry.get("is_demonstration") else "",
        "link": f"{up}{quote(entry['pack'])}/data/report" if entry["pack"] else "",
        "reason": _reason(entry, up),
        "recommended": recommended_cell(level, entry["top_reason"]) if level else None,
        "severity": f"{_FIRST.get(entry['outcome'], 2)}{9 - rank(level) if level in LEVELS else 0}",
        "explained": share_words(entry),
        "change": _change(entry),
    }


def demonstration_words(entries: Sequence[Mapping[str, Any]]) -> str:
    """Return how many customers of a run are invented; empty if none is known to be.

    Args:
        entries: The entries of `run.json`.
    """
    count = sum(bool(entry.get("is_demonstration")) for entry in entries)
    if not count:
        return ""
    verb, whose = ("is", "The customer's") if count == 1 else ("are", "Their")
    return (
        f"{DEMONSTRATION}: {count:,} of the {counted(len(entries), 'customer')} of this run {verb} invented. "
        f"{whose} verification and its pictures are invented too."
    )


def share_words(entry: Mapping[str, Any]) -> str:
    """Return a customer's share of incoming payments whose nature is known, in words; empty if there is no pack.

    Args:
        entry: The customer's entry in `run.json`.
    """
    if entry["explained_share"] is None:
        return "no credits" if entry["pack"] else ""
    known = round(_WHOLE * float(entry["explained_share"]))
    return part_words([known, _WHOLE - known])[0]


def _change(entry: Mapping[str, Any]) -> str:
    """Return the difference from the previous run in a few words; empty if there is none, or nothing was compared."""
    if "before" not in entry:
        return ""
    before = entry["before"]
    if before is None:
        return "new"
    if before["level"] != entry["level"]:
        return f"was {level_cell(before['level']).text if before['level'] else 'without a level'}"
    if (before["outcome"] == "failed") != (entry["outcome"] == "failed"):
        return f"was {before['outcome']}"
    return "" if before["top_reason"] == entry["top_reason"] else "different reason"


def _reason(entry: Mapping[str, Any], up: str) -> Markup:
    """Return the reason for a level, and the run's note; each id of evidence is a link into the review."""
    lines = [escape(visible(text)) for text in (entry["top_reason"], entry["note"]) if text]
    if entry["pack"]:
        page = f"{up}{quote(entry['pack'])}/data/report/review.html"
        lines = [REFERENCE.sub(rf'<a href="{page}#\g<0>">\g<0></a>', line) for line in lines]
    return Markup("<br>".join(lines))  # noqa: S704 - escaped above


def urgency(entry: Mapping[str, Any]) -> tuple[int, int, str]:
    """Return the sort key of a customer: failed first, then incomplete, then the most severe level.

    Args:
        entry: The customer's entry in `run.json`.
    """
    level = entry["level"]
    return (
        _FIRST.get(entry["outcome"], 2),
        hardness(level)[0],
        str(entry["customer_id"]),
    )
