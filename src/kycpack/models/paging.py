"""How a list answer indicates that there are more pages.

The interface does not document paging, and providers differ: each adapter states its own way, and common forms are read for
all of them. A member that suggests more pages but is not understood is reported, so that an incomplete list is never taken
for a complete one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_CURSORS = frozenset({"nextcursor", "nextpagetoken", "nextpagecursor", "nexttoken", "continuationtoken", "endcursor"})  # fmt: skip
_MORE = frozenset({"hasmore", "more", "hasnext", "hasnextpage", "moreavailable", "truncated", "istruncated"})
_LAST = frozenset({"last", "islast", "islastpage", "lastpage", "complete"})
_TOTALS = frozenset({"total", "totalcount", "totalitems", "totalresults", "totalrecords", "totalelements", "totaltransactions", "totalaccounts", "count"})  # fmt: skip
_PAGES = frozenset({"totalpages", "pagecount", "pages", "numpages"})
_NUMBERS = frozenset({"page", "pagenumber", "currentpage"})
_AROUND = frozenset({"meta", "metadata", "pagination", "paging", "page", "pageinfo", "links", "cursor", "cursors", "transactions", "account"})  # fmt: skip
_SPEAKS_OF_MORE = re.compile(r"next|more|remain|continu")

PAGING: Mapping[str, str] = {
    "service-v1": "`nextCursor`, absent on the last page, is sent in the query as `cursor`.",
    "uk-open-banking-3.1": "`Links.Next` is the address of the next page; `Meta.TotalPages` is the number of pages.",
    "uk-open-banking-4": "`Links.Next` is the address of the next page; `Meta.TotalPages` is the number of pages.",
    "berlin-group": "`transactions._links.next.href` is the address of the next page.",
    "plaid": "`/transactions/sync`: `next_cursor` while `has_more`; `/transactions/get`: `total_transactions` is the number of all of them.",
    "plaid-sandbox": "One document holds everything.",
    "truelayer": "One document holds everything for its dates.",
    "truelayer-card": "One document holds everything for its dates.",
}
"""How each adapter of bank data pages; common forms are read for all of them."""


@dataclass(frozen=True, slots=True)
class PageEnd:
    """What a page says about further pages.

    Attributes:
        cursor: The cursor of the next page, if the page gives one.
        link: Address of the next page, if the page gives one.
        more: Names of members that say that there are more pages.
        unread: Names of members that suggest more pages but are not understood.
        totals: Total counts, by the name of the member.
    """

    cursor: str | None = None
    link: str | None = None
    more: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    totals: tuple[tuple[str, int], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all members that suggest more pages."""
        return tuple(dict.fromkeys((*self.more, *self.unread)))


def read_page_end(document: Any) -> PageEnd:
    """Return what a page says about further pages.

    Args:
        document: The parsed answer; if it is not an object, the result is empty.
    """
    if not isinstance(document, Mapping):
        return PageEnd()
    found: defaultdict[str, list[Any]] = defaultdict(list)
    for path, name, value in _members(document, ""):
        for kind, said in _statements(path, name, value):
            found[kind].append(said)
    more, unread, totals = (tuple(found[kind]) for kind in ("more", "unread", "total"))
    # A provider may give a cursor for later although it says that this is the last page.
    if found["flag"] and not any(found["flag"]):
        return PageEnd(totals=totals)
    cursor, link = (next(iter(found[kind]), None) for kind in ("cursor", "link"))
    page = found["page"][-1] if found["page"] else 1
    if max(found["pages"], default=0) > page and cursor is None and link is None:
        more += ("the number of pages",)
    return PageEnd(cursor, link, more, unread, totals)


def _statements(path: str, name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield what a member says: its kind, and its value or path."""
    if name == "next" or name in _CURSORS:
        link = _link(value) if name == "next" else None
        cursor = None if link else _cursor(value)
        if link or cursor:
            yield "link" if link else "cursor", link or cursor
            yield "more", path
        elif value:
            yield "unread", path
    elif name in _MORE or name in _LAST:
        says_more = value is (name in _MORE)
        if isinstance(value, bool):
            yield "flag", says_more
        if isinstance(value, bool) and says_more:
            yield "more", path
    elif _is_count(value) and name in _TOTALS:
        yield "total", (path, value)
    elif _is_count(value) and name in _PAGES | _NUMBERS:
        yield "pages" if name in _PAGES else "page", value
    elif _SPEAKS_OF_MORE.search(name) and not isinstance(value, list) and value:
        yield "unread", path


def _members(document: Mapping[str, Any], above: str) -> Iterator[tuple[str, str, Any]]:
    for key, value in document.items():
        name = re.sub(r"[^a-z]", "", str(key).casefold())
        path = f"{above}.{key}" if above else str(key)
        if isinstance(value, Mapping) and name in _AROUND and above.count(".") < 2:
            yield from _members(value, path)
        else:
            yield path, name, value


def _link(value: Any) -> str | None:
    if isinstance(value, Mapping):
        value = value.get("href") or value.get("Href")
    if isinstance(value, str) and (value[:4].casefold() == "http" or value[:1] in {"/", "?"}):
        return value
    return None


def _cursor(value: Any) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) and value else None


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
