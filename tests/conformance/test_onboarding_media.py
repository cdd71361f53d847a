"""Media of onboard sessions: what is listed, and the links by which it is fetched."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from tests.service.signed import Caller, finish, new_customer, new_session, ok, refused

from kycpack.models.onboarding import MediaAccess

row = pytest.mark.row


@row(
    "Session media item > paragraph 1",
    "Onboard sessions > POST /v1/onboard-sessions/{sessionId}/media-access",
)
@row("What the service does > rule 5")
@pytest.mark.parametrize("body", [None, {}, {"anything": True}])
def test_media_access_lists_signed_links(call: Caller, body: Any) -> None:
    session = new_session(call, new_customer(call))
    assert ok(call("POST", f"/v1/onboard-sessions/{session}/media-access", body))["media"] == []
    finish(call, session)
    access = ok(call("POST", f"/v1/onboard-sessions/{session}/media-access", body))
    assert MediaAccess.read(access).wire() == access
    assert access["sessionId"] == session
    for item in access["media"]:
        assert item.keys() == {"id", "fileName", "contentType", "description", "type", "downloadUrl"}
        got = call.plain("GET", item["downloadUrl"])
        assert (got.status_code, got.headers["content-type"]) == (200, item["contentType"])
        assert got.content[:4] in {b"\x89PNG", b"%PDF"}


@row("Onboard sessions > GET /v1/onboard-sessions/{sessionId}/media/{mediaId}")
def test_a_media_item_redirects_to_its_signed_link(call: Caller) -> None:
    session = new_session(call, new_customer(call))
    finish(call, session)
    item = ok(call("POST", f"/v1/onboard-sessions/{session}/media-access"))["media"][0]
    answer = call("GET", f"/v1/onboard-sessions/{session}/media/{item['id']}")
    assert answer.status_code == 302
    assert call.plain("GET", answer.headers["location"]).status_code == 200
    refused(call("GET", f"/v1/onboard-sessions/{session}/media/{uuid4()}"), 404, "media_not_found")
    another = new_session(call, new_customer(call))
    refused(call("GET", f"/v1/onboard-sessions/{another}/media/{item['id']}"), 404, "media_not_found")


@row("Limits > Media download URL lifetime")
def test_a_download_link_lives_for_2_hours_and_cannot_be_altered(call: Caller) -> None:
    session = new_session(call, new_customer(call))
    finish(call, session)
    first, second = ok(call("POST", f"/v1/onboard-sessions/{session}/media-access"))["media"][:2]
    link = first["downloadUrl"]
    for altered in (link[:-1] + ("0" if link[-1] != "0" else "1"), link.replace("expires=", "expires=9")):
        refused(call.plain("GET", altered), 403, "link_invalid")
    swapped = link.replace(first["id"], second["id"])
    refused(call.plain("GET", swapped), 403, "link_invalid")
    refused(call.plain("GET", link.partition("?")[0]), 403, "link_invalid")
    call.advance(hours=1, seconds=3500)
    assert call.plain("GET", link).status_code == 200
    call.advance(seconds=102)
    refused(call.plain("GET", link), 403, "link_expired")
