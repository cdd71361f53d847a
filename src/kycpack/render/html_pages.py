"""Whole HTML pages that reach no network and run no script but their own."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Mapping
from datetime import date, datetime
from functools import lru_cache
from typing import Any

import nh3
import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined

from kycpack.models.dates import day_words, instant_words
from kycpack.render.document_parts import REFERENCE
from kycpack.render.style import COLUMN_CLASSES, NOTEBOOK_STYLE, REPORT_STYLE
from kycpack.render.text_runs import visible
from kycpack.render.web_fonts import FONT_POLICY, font_rules
from kycpack.render.wording import DEMONSTRATION, recommended_cell, recommended_totals

_MOST_CASES, _MOST_DATES = 2_000, 500
_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_TAGS = {
    *("a", "p", "div", "span", "strong", "em", "code", "pre", "br", "wbr", "hr", "ul", "ol", "li"),
    *("dl", "dt", "dd"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "img"),
    *("table", "thead", "tbody", "tr", "th", "td", "caption", "colgroup", "col"),
}
_ATTRIBUTES = {
    "*": {"class"},
    "a": {"href"},
    "div": {"tabindex", "role", "aria-label"},
    "img": {"src", "alt"},
    "th": {"colspan", "scope"},
    "td": {"colspan", "id", "data-label"},
}
_CLASSES = {
    *COLUMN_CLASSES,
    *(
        "kp",
        "kp-text",
        "kp-sub",
        "kp-facts",
        "kp-table",
        "kp-scroll",
        "kp-chart",
        "kp-two",
        "kp-strip",
        "kp-check",
        "kp-instant",
        "kp-left",
        "kp-right",
        "kp-word",
        "kp-figure",
        "kp-list",
        "kp-id",
    ),
    *("kp-name", "kp-verdict", "kp-eyebrow", "kp-level"),
    *("kp-good", "kp-watch", "kp-alarm", "kp-unknown", "kp-quiet"),
}

_PAGES = Environment(
    loader=PackageLoader("kycpack.render"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def render_review_html(
    notebook: Mapping[str, Any], *, title: str, footer: tuple[str, ...] = (), demonstration: bool = False
) -> str:
    """Render an executed notebook as a page: its texts and outputs, without its code.

    Args:
        notebook: An nbformat 4 notebook.
        title: Title of the page.
        footer: Lines at the bottom.
        demonstration: Whether it is about an invented person.

    Returns:
        A page that loads nothing, from whatever the notebook holds.
    """
    parts = [part for cell in notebook["cells"] for part in _cell(cell)]
    contents: list[dict[str, str]] = []
    for part in parts:
        if "heading" in part:
            part["id"] = f"part-{len(contents) + 1}"
            contents.append({"id": part["id"], "title": part["heading"]})
    mark = f" · {DEMONSTRATION.upper()}" if demonstration else ""
    return render_page(
        "review.html.j2", title=title, parts=parts, contents=contents, footer=footer, mark=mark
    )


def render_queue_html(queue: pd.DataFrame, calendar: pd.DataFrame, as_of: date, *, preview: str = "") -> str:
    """Render the queue of cases and the calendar of dates as a page.

    Args:
        queue: The cases in their order: place, case_id, level, reason, top_reason, state and waits_for at least.
        calendar: The dates in their order: due_on, due_at, meaning, customer_id, case_id and subject.
        as_of: The day of the list.
        preview: What the page says where that day has not come; empty otherwise.

    Returns:
        A page that loads nothing. A long list is cut, and the page says how much it leaves out.
    """
    rows = [
        {**row, "recommended": recommended_cell(row["level"], row["top_reason"])}
        for row in queue.head(_MOST_CASES).to_dict("records")
    ]
    dates = [
        {**row, "due": instant_words(datetime.fromisoformat(row["due_at"]))}
        for row in calendar.head(_MOST_DATES).to_dict("records")
    ]
    return render_page(
        "queue.html.j2",
        title="Queue of cases",
        as_of=day_words(as_of),
        preview=preview,
        count=len(queue),
        levels=recommended_totals(zip(queue["level"], queue["top_reason"], strict=True)),
        rows=rows,
        rest=len(queue) - len(rows),
        dates=dates,
        dates_rest=len(calendar) - len(dates),
    )


def render_page(template: str, *, script: str = "", **values: Any) -> str:
    """Render a template of ours as a page that loads nothing, and runs at most the one script that is in it.

    Args:
        template: The template's name.
        script: The script of the page; empty for none.
        **values: What the template shows.
    """
    page = _PAGES.get_template(template)
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
    security = f"{_POLICY}; script-src 'sha256-{digest}'" if script else _POLICY
    values |= {"visible": visible, "script": script}
    style = NOTEBOOK_STYLE + REPORT_STYLE
    made = page.render(security=security, style=style, **values)
    if fonts := font_rules(made):
        return page.render(security=f"{security}{FONT_POLICY}", style=fonts + style, **values)
    return made


def _cell(cell: Mapping[str, Any]) -> list[dict[str, str]]:
    if cell["cell_type"] == "markdown":
        return _text_parts(_joined(cell["source"]))
    found = []
    for output in cell.get("outputs", ()):
        data = output.get("data", {})
        if "text/html" in data:
            found.append({"html": _CLEANER.clean(_joined(data["text/html"]))})
        elif "text/plain" in data or output["output_type"] == "stream":
            lines = _joined(data.get("text/plain", output.get("text", "")))
            found.append({"text": "\n".join(map(visible, lines.split("\n")))})
    return found


def _text_parts(source: str) -> list[dict[str, str]]:
    """Return a cell of text as its heading, which the contents list, and what follows."""
    first, _, rest = source.partition("\n")
    heading = re.fullmatch(r"##? (.+)", first.strip())
    parts = [] if heading is None else [{"heading": heading[1]}]
    body = source if heading is None else rest
    return [*parts, {"html": _CLEANER.clean(_markdown(body))}] if body.strip() else parts


def _markdown(source: str) -> str:
    # A fifth of what `import kycpack.batch` would take, and few processes render a notebook.
    from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath  # noqa: PLC0415

    renderer = IPythonRenderer(escape=True, exclude_anchor_links=True)
    return str(MarkdownWithMath(renderer=renderer).render(source))


def _joined(source: Any) -> str:
    return source if isinstance(source, str) else "".join(source)


# A page has thousands of attributes, most of them alike.
@lru_cache(maxsize=512)
def _filtered(tag: str, attribute: str, value: str) -> str | None:
    if attribute == "class":
        return " ".join(name for name in value.split() if name in _CLASSES) or None
    if attribute in {"href", "id"}:
        # Links lead to the index of evidence of the same page, and nowhere else.
        return value if REFERENCE.fullmatch(value.removeprefix("#")) else None
    if tag == "img" and attribute == "src":
        # Only drawings and bitmaps inside the page; nothing that a browser would fetch.
        return value if value.startswith(("data:image/svg+xml;base64,", "data:image/png;base64,")) else None
    return value


# Reduces HTML to what our own displays need: no script, style, outside link or outside image.
_CLEANER = nh3.Cleaner(
    tags=_TAGS,
    clean_content_tags={"script", "style"},
    attributes=_ATTRIBUTES,
    attribute_filter=_filtered,
    url_schemes={"data"},
    link_rel=None,
)
