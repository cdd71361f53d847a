"""Finds the call for the next page; if it cannot be found, that is reported, so that a list is never cut off silently."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TypeVar
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from kycpack.api.answers import Answer
from kycpack.api.protocol import Call
from kycpack.models.paging import PageEnd, read_page_end

T = TypeVar("T")

MAX_PAGES = 10_000
_LONGEST_CURSOR = 4096


def next_query(call: Call[T], end: PageEnd, asked: Collection[str]) -> tuple[str, str]:
    """Return the query for the next page, or why there is none.

    Args:
        call: The call for this page.
        end: What the page says about further pages.
        asked: The queries of the pages so far.

    Returns:
        The raw query, and the reason why it cannot be requested; both are empty if this page is the last.
    """
    if not end.names:
        return "", ""
    query, why_not = _query(call, end)
    if not why_not and (query == call.query or query in asked):
        why_not = "the cursor repeats"
    if not why_not and len(asked) + 1 >= MAX_PAGES:
        why_not = f"more than {MAX_PAGES} pages"
    return query, why_not


def next_call(answer: Answer[T], call: Call[T], asked: list[str]) -> Call[T] | None:
    """Return the call for the next page, None after the last.

    Args:
        answer: The page as received.
        call: The call for this page.
        asked: The queries of the pages so far; this page's query is added.

    Raises:
        ContractError: There are more pages, but it is not clear how to request them.
    """
    query, why_not = next_query(call, read_page_end(answer.json()), asked)
    asked.append(call.query)
    if why_not:
        raise answer.contract_error(
            f"there are more pages, but {why_not}", expected="a cursor for the next page"
        )
    return replace(call, query=query) if query else None


def _query(call: Call[T], end: PageEnd) -> tuple[str, str]:
    said = " and ".join(end.names)
    if end.cursor is not None:
        if len(end.cursor) <= _LONGEST_CURSOR and end.cursor.isprintable():
            kept = [pair for pair in parse_qsl(call.query, keep_blank_values=True) if pair[0] != "cursor"]
            return urlencode([*kept, ("cursor", end.cursor)], quote_via=quote), ""
        return "", f"{said} cannot be sent"
    if end.link is None:
        return "", f"the answer has {said}, and it is not clear how to request more"
    try:
        path, pairs = urlsplit(end.link).path, parse_qsl(urlsplit(end.link).query, keep_blank_values=True)
    except ValueError:
        return "", f"{said} cannot be read"
    if not pairs or (path and not path.endswith(call.path)):
        return "", f"{said} leads elsewhere"
    return urlencode(pairs, quote_via=quote), ""
