from __future__ import annotations

from typing import Any

import pytest

from kycpack.frames.adapters import ADAPTERS
from kycpack.models.paging import PAGING, PageEnd, read_page_end


def test_every_adapter_states_its_paging() -> None:
    assert set(PAGING) == set(ADAPTERS)


@pytest.mark.parametrize(
    "document",
    [
        {"items": []}, {"items": [], "nextCursor": None}, {"items": [], "nextCursor": ""}, [], None, {"next": None},
        {"items": [], "hasMore": False}, {"added": [], "next_cursor": "later", "has_more": False},
        {"Data": {}, "Links": {"Self": "https://bank.example/x"}, "Meta": {"TotalPages": 1}},
        {"results": [], "status": "Succeeded"}, {"items": [], "page": 3, "totalPages": 3},
        {"items": [], "links": {"self": "/x", "prev": "/x?page=1"}},
    ],
)  # fmt: skip
def test_a_last_page_says_nothing_of_more(document: Any) -> None:
    assert read_page_end(document).names == ()


@pytest.mark.parametrize(
    ("document", "end"),
    [
        ({"nextCursor": "two"}, PageEnd(cursor="two", more=("nextCursor",))),
        ({"nextCursor": 2}, PageEnd(cursor="2", more=("nextCursor",))),
        ({"next": 2}, PageEnd(cursor="2", more=("next",))),
        ({"next": "abc"}, PageEnd(cursor="abc", more=("next",))),
        ({"next": "https://bank.example/x?page=2"}, PageEnd(link="https://bank.example/x?page=2", more=("next",))),
        ({"links": {"next": "/x?page=2"}}, PageEnd(link="/x?page=2", more=("links.next",))),
        ({"transactions": {"_links": {"next": {"href": "/x?page=2"}}}}, PageEnd(link="/x?page=2", more=("transactions._links.next",))),
        ({"Links": {"Next": "https://b.example/x?page=2"}}, PageEnd(link="https://b.example/x?page=2", more=("Links.Next",))),
        ({"added": [], "next_cursor": "c", "has_more": True}, PageEnd(cursor="c", more=("next_cursor", "has_more"))),
        ({"hasMore": True}, PageEnd(more=("hasMore",))),
        ({"last": False}, PageEnd(more=("last",))),
        ({"totalCount": 1000}, PageEnd(totals=(("totalCount", 1000),))),
        ({"page": 1, "totalPages": 4}, PageEnd(more=("the number of pages",))),
        ({"remaining": 900}, PageEnd(unread=("remaining",))),
        ({"meta": {"nextOffset": 100}}, PageEnd(unread=("meta.nextOffset",))),
        ({"next": {"page": 2}}, PageEnd(unread=("next",))),
    ],
)  # fmt: skip
def test_a_page_says_what_comes_after_it(document: Any, end: PageEnd) -> None:
    assert read_page_end(document) == end
    assert read_page_end({"items": [], **document}) == end


def test_transactions_themselves_do_not_speak_of_pages() -> None:
    item = {
        "id": "t",
        "amount": "1.00",
        "bookingDate": "2026-05-01",
        "balanceAfter": "2.00",
        "description": "RENT",
    }
    assert read_page_end({"items": [item]}) == PageEnd()
