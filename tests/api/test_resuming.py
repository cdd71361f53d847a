"""A collection that is written as it comes: what is lost on the way, what is kept, and how much is held in memory."""

from __future__ import annotations

import asyncio
import errno
import gzip
import hashlib
import os
import resource
import stat
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NoReturn

import httpx
import pytest
from tests.api.scripted_service import PNG, Service, code, gather, reply

from kycpack.api import AsyncClient, Client, CollectionProgress, CollectJob, collect, collect_async
from kycpack.api.unchanged import record_digest
from kycpack.errors import EvidenceError
from kycpack.evidence import load_evidence, open_journal
from kycpack.frames import flatten
from kycpack.models.customers import Customer

WANTED: dict[str, Any] = {"sessions": ["s-1", "s-2"], "payments": ["p-1"]}
ENTRIES = 24
ASKED_AGAIN = ("/customers/c-1", "/onboard/sessions/", "/results", "/bank-accounts")


def interrupt_after(number: int) -> Callable[[CollectionProgress], None]:
    def tell(progress: CollectionProgress) -> None:
        if progress.done == number:
            raise KeyboardInterrupt

    return tell


@pytest.mark.parametrize("kind", ["make_client", "make_async_client"])
def test_what_is_written_is_what_would_be_held(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    make = request.getfixturevalue(kind)
    held = gather(Service(), make)
    written = gather(Service(), make, folder=tmp_path / "c-1")
    plain = [(entry.id, entry.operation, entry.sha256, entry.outcome) for entry in held.entries]
    assert [(entry.id, entry.operation, entry.sha256, entry.outcome) for entry in written.entries] == plain
    assert dict(written.bodies) == dict(held.bodies)
    assert load_evidence(tmp_path / "c-1") == written
    assert [path.name for path in tmp_path.iterdir()] == ["c-1"]
    assert {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "c-1").iterdir()} == {0o600}


@pytest.mark.parametrize("number", [1, 5, 12, 20])
def test_after_ctrl_c_it_goes_on_where_it_stopped(
    number: int, make_client: Callable[..., Client], tmp_path: Path
) -> None:
    folder = tmp_path / "c-1"
    with pytest.raises(KeyboardInterrupt):
        collect(make_client(Service()), "c-1", folder=folder, on_progress=interrupt_after(number), **WANTED)
    assert not folder.exists()
    service = Service()
    evidence = collect(make_client(service), "c-1", folder=folder, **WANTED)
    whole = gather(Service(), make_client)
    assert [(entry.id, entry.sha256) for entry in evidence.entries] == [
        (entry.id, entry.sha256) for entry in whole.entries
    ]
    kept = [entry for entry in evidence.entries if "kept from an interrupted start" in entry.note]
    assert len(kept) + len(service.asked) == sum(bool(entry.method) for entry in whole.entries)
    assert len(kept) >= min(number, 6) - 5
    assert not any(entry.path.endswith(ASKED_AGAIN) for entry in kept)
    assert not list(tmp_path.glob(".*"))
    first, last = evidence.asked_between or ("", "")
    assert first <= last
    assert first in evidence._repr_html_()


def test_the_record_results_sessions_and_accounts_are_asked_again(
    make_client: Callable[..., Client], tmp_path: Path
) -> None:
    whole = len(gather(Service(), make_client).entries)
    with pytest.raises(KeyboardInterrupt):
        collect(
            make_client(Service()),
            "c-1",
            folder=tmp_path / "c-1",
            on_progress=interrupt_after(whole),
            **WANTED,
        )
    service = Service()
    collect(make_client(service), "c-1", folder=tmp_path / "c-1", **WANTED)
    assert sorted(asked.partition("?")[0] for asked in service.asked) == [
        "GET /v1/customers/c-1",
        "GET /v1/customers/c-1/bank-accounts",
        "GET /v1/onboard/sessions/s-1",
        "GET /v1/onboard/sessions/s-1/results",
        "GET /v1/onboard/sessions/s-2",
        "GET /v1/onboard/sessions/s-2/results",
    ]


@pytest.mark.parametrize("status", [404, 403, 503])
def test_a_refusal_before_the_interruption_is_asked_again(
    status: int, make_client: Callable[..., Client], tmp_path: Path
) -> None:
    folder, whole = tmp_path / "c-1", len(gather(Service(), make_client).entries)
    refused = dict.fromkeys(("/source-of-wealth$", "/balance$"), code(status, "not_now"))
    client = make_client(Service(refused), max_retries=0)
    with pytest.raises(KeyboardInterrupt):
        collect(client, "c-1", folder=folder, on_progress=interrupt_after(whole), **WANTED)
    evidence = collect(make_client(Service()), "c-1", folder=folder, **WANTED)
    assert {entry.outcome for entry in evidence.entries} <= {"answered", "not_asked"}


def test_a_record_that_was_changed_since_the_interruption_is_asked_for_again(
    make_client: Callable[..., Client], tmp_path: Path
) -> None:
    folder, changed = tmp_path / "c-1", {"id": "c-1", "firstName": "Anne"}
    with pytest.raises(KeyboardInterrupt):
        collect(make_client(Service()), "c-1", folder=folder, on_progress=interrupt_after(20), **WANTED)
    service = Service({"/v1/customers/[^/]+$": lambda _: reply(changed)})
    listed = record_digest(Customer.read(changed))
    evidence = collect(make_client(service), "c-1", folder=folder, listed=listed, **WANTED)
    assert flatten(evidence).customers["first_name"].tolist() == ["Anne"]


def test_a_cancelled_collection_goes_on_too(make_async_client: Callable[..., Any], tmp_path: Path) -> None:
    folder = tmp_path / "c-1"

    async def run(client: AsyncClient) -> None:
        def stop(progress: CollectionProgress) -> None:
            if progress.done == 9:
                task.cancel()

        job = CollectJob("c-1", folder=folder, **WANTED)
        task: asyncio.Task[Any] = asyncio.create_task(collect_async(client, job, on_progress=stop))
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run(make_async_client(Service())))
    service = Service()
    asyncio.run(collect_async(make_async_client(service), "c-1", folder=folder, **WANTED))
    assert 0 < len(service.asked) < len(gather(Service(), make_async_client).entries)


def test_what_was_altered_in_between_is_asked_for_again(
    make_client: Callable[..., Client], tmp_path: Path
) -> None:
    folder = tmp_path / "c-1"
    with pytest.raises(KeyboardInterrupt):
        collect(make_client(Service()), "c-1", folder=folder, on_progress=interrupt_after(20), **WANTED)
    for path in (tmp_path / ".c-1.collecting").iterdir():
        path.write_bytes(path.read_bytes()[:-3])
    evidence = collect(make_client(Service()), "c-1", folder=folder, **WANTED)
    assert not any("kept" in entry.note for entry in evidence.entries)
    assert flatten(evidence).customers["first_name"].tolist() == ["Ann"]


def test_a_killed_collection_goes_on(make_client: Callable[..., Client], tmp_path: Path) -> None:
    folder = tmp_path / "c-1"
    child = os.fork()
    if child == 0:
        http = httpx.Client(transport=httpx.MockTransport(Service()))
        client = Client("http://127.0.0.1:1", signer=lambda _: {}, http_client=http)

        def kill(progress: CollectionProgress) -> None:
            if progress.done == 15:
                os.kill(os.getpid(), 9)

        collect(client, "c-1", folder=folder, on_progress=kill, **WANTED)
    os.waitpid(child, 0)
    assert not folder.exists()
    evidence = collect(make_client(Service()), "c-1", folder=folder, **WANTED)
    assert any("kept" in entry.note for entry in evidence.entries)
    assert load_evidence(folder) == evidence


def test_two_collections_of_one_folder_do_not_mix(make_client: Callable[..., Client], tmp_path: Path) -> None:
    with (
        open_journal(tmp_path / "c-1", "c-1"),
        pytest.raises(EvidenceError, match="another collection is writing there"),
    ):
        collect(make_client(Service()), "c-1", folder=tmp_path / "c-1")
    assert collect(make_client(Service()), "c-1", folder=tmp_path / "c-1").entries


def test_the_folder_of_another_customer_is_left_alone(
    make_client: Callable[..., Client], tmp_path: Path
) -> None:
    kept = collect(make_client(Service()), "c-1", folder=tmp_path / "place")
    other = Service({"/v1/customers/": lambda _: reply({"id": "c-2"})})
    with pytest.raises(EvidenceError, match="another customer's evidence"):
        collect(make_client(other), "c-2", folder=tmp_path / "place")
    assert other.asked == []
    assert load_evidence(tmp_path / "place") == kept


def test_files_are_not_held_in_memory(tmp_path: Path) -> None:
    """Forty media of 12 MB each: together, and one by one, more than a collection to a folder may hold."""
    size, number = 12 * 1024 * 1024, 40
    media = [{"id": f"m-{n}"} for n in range(number)]
    chunk = bytes(65536)

    def picture() -> Iterator[bytes]:
        yield PNG
        for _ in range(size // len(chunk)):
            yield chunk

    def answer(request: httpx.Request) -> httpx.Response:
        if "/media/" in request.url.path:
            return httpx.Response(200, content=picture(), headers={"content-type": "image/png"})
        if request.url.path.endswith("/media-access"):
            return reply({"sessionId": "s-1", "media": media})
        if "/onboard/sessions/" in request.url.path:
            return reply({"id": "s-1", "status": "complete"})
        return httpx.Response(404)

    child = os.fork()
    if child == 0:
        http = httpx.Client(transport=httpx.MockTransport(answer))
        client = Client("http://127.0.0.1:1", signer=lambda _: {}, http_client=http)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        evidence = collect(client, "c-1", sessions=["s-1"], folder=tmp_path / "c-1", without_record=True)
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
        downloads = evidence.select("onboarding.download")
        sizes = {entry.bytes for entry in downloads}
        os._exit(0 if len(downloads) == number and sizes == {size + len(PNG)} and grown < size else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


class Broken(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body that breaks off after its first bytes."""

    def __iter__(self) -> Iterator[bytes]:
        yield PNG
        raise httpx.ReadError("reset")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield PNG
        raise httpx.ReadError("reset")


@pytest.mark.parametrize("kind", ["make_client", "make_async_client"])
@pytest.mark.parametrize(
    ("picture", "received"),
    [
        pytest.param(
            lambda _: httpx.Response(200, content=b"no picture", headers={"content-type": "image/png"}),
            hashlib.sha256(b"no picture").hexdigest(),
            id="not what its type says",
        ),
        pytest.param(lambda _: httpx.Response(200, headers={"content-type": "image/png"}), None, id="empty"),
        pytest.param(
            lambda _: httpx.Response(200, stream=Broken(), headers={"content-type": "image/png"}),
            None,
            id="broken off",
        ),
    ],
)
def test_a_file_that_is_not_taken_leaves_nothing(
    kind: str,
    picture: Callable[[httpx.Request], httpx.Response],
    received: str | None,
    request: pytest.FixtureRequest,
    tmp_path: Path,
) -> None:
    make = request.getfixturevalue(kind)
    evidence = gather(Service({"/media/": picture}), make, folder=tmp_path / "c-1")
    found = evidence.select("onboarding.download")
    assert [(entry.outcome, entry.received_sha256, entry.file) for entry in found] == [
        ("failed", received, None)
    ] * 4
    assert not any(path.name.startswith("M-") for path in (tmp_path / "c-1").iterdir())
    assert [path.name for path in tmp_path.iterdir()] == ["c-1"]


def test_a_packed_file_is_unpacked(make_client: Callable[..., Client], tmp_path: Path) -> None:
    headers = {"content-type": "image/png", "content-encoding": "gzip"}
    packed = Service({"/media/": lambda _: httpx.Response(200, content=gzip.compress(PNG), headers=headers)})
    evidence = gather(packed, make_client, folder=tmp_path / "c-1")
    assert {evidence.body(entry.id) for entry in evidence.select("onboarding.download")} == {PNG}


def test_a_full_disk_is_named_and_not_taken_for_a_broken_connection(
    make_client: Callable[..., Client], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("kycpack.api.bodies.os.open", refuse)
    with pytest.raises(EvidenceError, match="cannot be written: No space left on device"):
        collect(make_client(Service()), "c-1", folder=tmp_path / "c-1", **WANTED)


def test_collections_of_one_folder_from_several_processes_are_whole_or_refused_by_name(
    tmp_path: Path,
) -> None:
    folder, number = tmp_path / "c-1", 6
    gate = tmp_path / "go"
    children = []
    for _ in range(number):
        child = os.fork()
        if child == 0:
            while not gate.exists():
                time.sleep(0.001)
            os._exit(attempt(folder))
        children.append(child)
    gate.touch()
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    gate.unlink()
    assert set(codes) <= {WHOLE, REFUSED}
    assert WHOLE in codes
    assert load_evidence(folder).customer_id == "c-1"
    assert [path.name for path in tmp_path.iterdir()] == ["c-1"]


WHOLE, REFUSED, OTHERWISE = 0, 3, 4


def attempt(folder: Path) -> int:
    """Collect to a folder in a new client, and return how it went."""
    http = httpx.Client(transport=httpx.MockTransport(Slow()))
    client = Client("http://127.0.0.1:1", signer=lambda _: {}, http_client=http)
    try:
        evidence = collect(client, "c-1", folder=folder, **WANTED)
        return WHOLE if len(evidence.entries) == ENTRIES else OTHERWISE
    except EvidenceError as error:
        return REFUSED if "another collection is writing there" in str(error) else OTHERWISE


class Slow(Service):
    """Takes a moment for each answer, so that collections that began together are at work together."""

    def __call__(self, request: httpx.Request) -> httpx.Response:
        time.sleep(0.002)
        return super().__call__(request)


def test_collections_of_one_folder_from_several_threads_are_whole_or_refused_by_name(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "c-1"
    with ThreadPoolExecutor(8) as pool:
        codes = list(pool.map(lambda _: attempt(folder), range(24)))
    assert {WHOLE} <= set(codes) <= {WHOLE, REFUSED}
    assert len(load_evidence(folder).entries) == ENTRIES
    assert [path.name for path in tmp_path.iterdir()] == ["c-1"]


def test_collections_of_one_folder_in_one_event_loop_are_whole_or_refused_by_name(
    make_async_client: Callable[..., AsyncClient], tmp_path: Path
) -> None:
    folder = tmp_path / "c-1"

    async def several() -> list[Any]:
        calls = [
            collect_async(make_async_client(Service()), "c-1", folder=folder, **WANTED) for _ in range(6)
        ]
        return await asyncio.gather(*calls, return_exceptions=True)

    results = asyncio.run(several())
    refused = [one for one in results if isinstance(one, EvidenceError)]
    whole = [one for one in results if not isinstance(one, BaseException)]
    assert len(refused) + len(whole) == 6
    assert {len(one.entries) for one in whole} == {ENTRIES}
    assert all("another collection is writing there" in str(one) for one in refused)
    assert [path.name for path in tmp_path.iterdir()] == ["c-1"]
