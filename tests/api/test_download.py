from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest

from kycpack.api import Client, operations
from kycpack.errors import ApiError, ContractError, NotFoundError, PermissionDeniedError

PNG = b"\x89PNG\r\n\x1a\n" + bytes(40)
STORE = "https://store.example/blob?sig=s3cret"


class Script:
    """Answers the media endpoint with redirects and the storage host with files, and keeps what was sent."""

    def __init__(self, *answers: httpx.Response, location: str = STORE) -> None:
        self.answers = list(answers)
        self.location = location
        self.sent: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.sent.append(request)
        if request.url.path.startswith("/v1/"):
            return httpx.Response(302, headers={"location": self.location})
        return self.answers.pop(0)


def png(content: bytes = PNG, content_type: str = "image/png") -> httpx.Response:
    return httpx.Response(200, content=content, headers={"content-type": content_type})


def test_the_redirect_is_followed_without_our_authorization(make_client: Callable[..., Client]) -> None:
    script = Script(png())
    assert make_client(script).onboarding.download("s", "m") == PNG
    api, store = script.sent
    assert "authorization" in api.headers
    assert str(store.url) == STORE
    assert not {"authorization", "x-nonce", "x-date", "x-request-id", "cookie"} & set(store.headers)
    assert store.headers["host"] == "store.example"


def test_a_relative_redirect_stays_with_the_service(make_client: Callable[..., Client]) -> None:
    script = Script(png(), location="/files/1?sig=s3cret")
    assert make_client(script).onboarding.download("s", "m") == PNG
    assert str(script.sent[1].url) == "http://127.0.0.1:8443/files/1?sig=s3cret"
    assert "authorization" not in script.sent[1].headers


def test_an_expired_link_is_asked_for_once_more(make_client: Callable[..., Client]) -> None:
    script = Script(httpx.Response(403), png())
    assert make_client(script).onboarding.download("s", "m") == PNG
    assert [request.url.path for request in script.sent] == [
        "/v1/onboard-sessions/s/media/m",
        "/blob",
        "/v1/onboard-sessions/s/media/m",
        "/blob",
    ]


def test_a_link_that_stays_refused_is_an_error(make_client: Callable[..., Client]) -> None:
    script = Script(httpx.Response(403), httpx.Response(403))
    with pytest.raises(PermissionDeniedError) as caught:
        make_client(script).onboarding.download("s", "m")
    assert "s3cret" not in str(caught.value)


def test_a_storage_fault_that_passes_is_a_success(
    make_client: Callable[..., Client], naps: list[float]
) -> None:
    script = Script(httpx.Response(503), png())
    assert make_client(script).onboarding.download("s", "m") == PNG


def test_a_direct_answer_is_taken_too(make_client: Callable[..., Client]) -> None:
    assert make_client(lambda _: png()).onboarding.download("s", "m") == PNG


def test_a_refusal_of_the_service_is_its_error(make_client: Callable[..., Client]) -> None:
    with pytest.raises(NotFoundError):
        make_client(lambda _: httpx.Response(404)).onboarding.download("s", "m")


@pytest.mark.parametrize(
    "location",
    ["", "http://store.example/x?sig=s3cret", "ftp://store.example/s3cret", "javascript:s3cret", "file:///etc/passwd",
     "https://u:s3cret@store.example/x", "https://[s3cret", "//"],
)  # fmt: skip
def test_a_redirect_that_leads_nowhere_safe_is_not_followed(
    location: str, make_client: Callable[..., Client]
) -> None:
    script = Script(location=location)
    with pytest.raises(ContractError) as caught:
        make_client(script, base_url="https://api.example").onboarding.download("s", "m")
    assert len(script.sent) == 1
    assert "s3cret" not in str(caught.value)


def test_redirects_come_to_an_end(make_client: Callable[..., Client]) -> None:
    script = Script(*[httpx.Response(302, headers={"location": f"{STORE}{n}"}) for n in range(9)])
    with pytest.raises(ContractError, match="redirects"):
        make_client(script).onboarding.download("s", "m")
    assert len(script.sent) == 4


@pytest.mark.parametrize(
    ("content", "content_type", "problem"),
    [
        (b"", "image/png", "empty"),
        (b"<html>", "image/png", "the content is not image/png"),
        (PNG, "image/jpeg", "the content is not image/jpeg"),
        (PNG, "text/html", "not accepted"),
        (PNG, "image/svg+xml", "not accepted"),
        (PNG, "", "not accepted"),
        (b"MZ\x90", "application/pdf", "the content is not application/pdf"),
    ],
)
def test_a_file_must_be_what_it_says(
    content: bytes, content_type: str, problem: str, make_client: Callable[..., Client]
) -> None:
    with pytest.raises(ContractError, match=problem):
        make_client(Script(png(content, content_type))).onboarding.download("s", "m")


@pytest.mark.parametrize(
    ("content", "content_type"),
    [
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"RIFF1234WEBP", "image/webp"),
        (b"II*\x00", "image/tiff"),
        (b"%PDF-1.7", "application/pdf; charset=binary"),
        (b"\x00\x00\x00\x18ftypisom", "VIDEO/MP4"),
        (b"\x1a\x45\xdf\xa3", "video/webm"),
    ],
)
def test_the_usual_kinds_of_files_are_taken(
    content: bytes, content_type: str, make_client: Callable[..., Client]
) -> None:
    assert make_client(Script(png(content, content_type))).onboarding.download("s", "m") == content


def test_a_file_has_a_largest_size(
    make_client: Callable[..., Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    small = operations.Operation(
        **{
            name: getattr(operations.DOWNLOAD_MEDIA, name)
            for name in operations.Operation.__slots__
            if name != "limit"
        },
        limit=len(PNG) - 1,
    )
    monkeypatch.setattr(operations, "DOWNLOAD_MEDIA", small)
    with pytest.raises(ApiError, match="more than"):
        make_client(Script(png())).onboarding.download("s", "m")
