"""What must not leak: card data, secrets, signed links and names, through every door and every fault."""

from __future__ import annotations

import logging
import pickle
import traceback
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from pypdf import PdfReader

from kycpack.api import Client, collect
from kycpack.errors import ApiError, KycpackError
from kycpack.models.payments import CardDetails
from kycpack.pack import write_pack
from kycpack.workspace import Register, Workspace

PAN, CVC, NAME = "4000000000003220", "917", "Canaryname"
BROWSER = {"browser_language": "en-GB"}
CARD = {"number": PAN, "expiry_month": "12", "expiry_year": "2031", "cvc": CVC}
CANARIES = "canaries"
FAULTS = ("status", "drop_before", "drop_after", "half_body", "wrong_json")


class Ears:
    """Everything that was said: every log record of every library, and every error in every form."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def hear(self, error: BaseException, *, with_locals: bool) -> None:
        told = traceback.TracebackException.from_exception(error, capture_locals=with_locals)
        self.heard += [str(error), repr(error), "".join(told.format()), repr(pickle.dumps(error))]

    def said(self, canary: str) -> list[str]:
        return [text[:300] for text in self.heard if canary in text]


@pytest.fixture
def ears() -> Iterator[Ears]:
    ears = Ears()
    handler = logging.Handler(logging.DEBUG)
    handler.emit = lambda record: ears.heard.append(f"{record.getMessage()} {record.args} {record.exc_info}")  # type: ignore[method-assign]
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield ears
    root.removeHandler(handler)
    root.setLevel(level)


def attempt(ears: Ears, ask: Callable[[], Any], *, with_locals: bool = False) -> None:
    try:
        ears.heard.append(repr(ask()))
    except KycpackError as error:
        ears.hear(error, with_locals=with_locals)


@pytest.fixture
def client(embedded: Any) -> Iterator[Client]:
    with Client(embedded.base_url, key_id=embedded.key_id, secret=embedded.secret, max_retries=1) as client:
        yield client


def test_a_card_is_seen_by_the_wire_alone(
    bench: Any, client: Client, ears: Ears, tally: Callable[..., None]
) -> None:
    payment = client.payments.create(amount=5, reference="r")
    for fault in (*FAULTS, ""):
        if fault:
            rule = {"route": "POST /v1/payments/{id}/attempts", "kind": fault, "times": 1}
            bench.control("/faults", rule)
        card = CardDetails.model_validate(CARD)
        attempt(
            ears,
            lambda card=card: client.with_options(max_retries=0).payments.attempts.create(
                payment.id, card=card, browser_data=BROWSER
            ),
            with_locals=True,
        )
    for spoilt in ({**CARD, "extra": PAN}, {**CARD, "number": PAN * 9}, {**CARD, "cvc": [CVC]}):
        attempt(
            ears,
            lambda spoilt=spoilt: client.payments.attempts.create(
                payment.id, card=spoilt, browser_data=BROWSER
            ),
        )
    attempt(ears, lambda: client.payments.attempts.create(payment.id, card=CARD, bank={"bank_id": PAN}))
    attempt(ears, lambda: client.payments.attempts.create("no-such-payment", card=CARD, browser_data=BROWSER))
    assert len(ears.heard) > 20
    assert ears.said(PAN) == []
    assert ears.said(f"'{CVC}'") == []
    assert ears.said(client._settings.secret) == []
    tally(CANARIES, "texts searched for card numbers, codes and secrets", len(ears.heard))
    tally(CANARIES, "hits", len(ears.said(PAN)))


def test_names_and_links_are_in_no_error_log_or_register(
    bench: Any, client: Client, ears: Ears, tmp_path: Path, tally: Callable[..., None]
) -> None:
    with Workspace.open(str(tmp_path / "register.db")) as workspace:
        recording = Client(
            client.base_url,
            key_id=client._settings.key_id,
            secret=client._settings.secret,
            recorder=Register(workspace),
            max_retries=0,
        )
        person = {"first_name": NAME, "last_name": NAME, "email_address": f"{NAME}@mail.example"}
        address = {"address_line1": NAME, "city": NAME, "postal_code": NAME, "country": "GB"}
        for fault in FAULTS:
            bench.control("/faults", {"route": "POST /v1/customers", "kind": fault, "times": 1})
            attempt(ears, lambda: recording.customers.create(**person, address=address))
        made = recording.customers.create(**person)
        ears.heard += [repr(made), str(made)]
        attempt(ears, lambda: recording.customers.create(first_name=NAME, address={"country": NAME}))
        attempt(ears, lambda: recording.customers.update(made.id, date_of_birth=NAME))
        session = recording.onboarding.create(made.id, last_name=NAME)
        ears.heard += [repr(session), str(session), session._repr_html_()]
        bench.control(f"/sessions/{session.session_id}/finish", {})
        media = recording.onboarding.media(session.session_id)
        ears.heard += [repr(media), str(media), media._repr_html_()]
        links = [item.download_url for item in media.media]
        for item in media.media:
            recording.onboarding.download(session.session_id, item.id)
        payment = recording.payments.create(amount=5, reference="r", customer_id=made.id)
        ears.heard += [repr(payment), payment._repr_html_()]
        evidence = collect(client, made.id, sessions=[session.session_id], payments=[payment.id])
        recording.close()
    ears.heard += [repr(evidence), evidence._repr_html_()]
    folder = evidence.save(tmp_path / "evidence")
    stored = [
        path.read_bytes() for path in [*folder.iterdir(), *tmp_path.glob("register.db*")] if path.is_file()
    ]
    assert links
    assert all(links)
    for link in (*links, session.onboard_url, payment.pay_link):
        secret_part = link.rpartition("/")[2]
        assert len(secret_part) > 16
        assert ears.said(secret_part) == []
        assert not any(secret_part.encode() in content for content in stored)
    register = [path.read_bytes() for path in tmp_path.glob("register.db*")]
    assert register
    assert not any(NAME.encode() in content for content in register)
    assert ears.said(NAME) == []
    tally(CANARIES, "texts searched for names and links", len(ears.heard))
    tally(CANARIES, "files searched for links", len(stored))
    tally(CANARIES, "database files searched for names", len(register))


def test_the_secret_is_in_no_error_log_or_repr(embedded: Any, ears: Ears, tally: Callable[..., None]) -> None:
    with Client(embedded.base_url, key_id="nobody", secret=embedded.secret, max_retries=0) as stranger:
        attempt(ears, stranger.banks.list, with_locals=True)
        ears.heard += [repr(stranger), repr(stranger.__dict__), repr(vars(stranger.customers))]
    with Client("http://127.0.0.1:9", key_id="k", secret=embedded.secret, max_retries=0) as nowhere:
        attempt(ears, nowhere.banks.list, with_locals=True)
    with Client(embedded.base_url, key_id="k k", secret=embedded.secret) as odd:
        attempt(ears, odd.banks.list, with_locals=True)
    assert ears.said(embedded.secret) == []
    tally(CANARIES, "texts searched for the secret", len(ears.heard))


@pytest.mark.parametrize("bench", ["sync"], indirect=True)
def test_a_pack_holds_no_card_link_or_secret(
    bench: Any, client: Client, tmp_path: Path, tally: Callable[..., None]
) -> None:
    person = client.customers.create(first_name=NAME, last_name=NAME, email_address=f"{NAME}@mail.example")
    session = client.onboarding.create(person.id)
    bench.control(f"/sessions/{session.session_id}/finish", {})
    links = [item.download_url for item in client.onboarding.media(session.session_id).media]
    payment = client.payments.create(amount=5, reference="r", customer_id=person.id)
    client.payments.attempts.create(payment.id, card=CARD, browser_data=BROWSER)
    evidence = collect(client, person.id, sessions=[session.session_id], payments=[payment.id])
    pack = write_pack(evidence, tmp_path, as_of="2027-01-01T00:00:00Z").path
    contents = [content for path in pack.rglob("*") if path.is_file() for content in _unfolded(path)]
    secrets = [link.rpartition("/")[2] for link in (*links, session.onboard_url, payment.pay_link) if link]
    assert len(secrets) >= 3
    for canary in (PAN, client._settings.secret, *secrets):
        assert not any(canary.encode() in content for content in contents)
    assert any(NAME.encode() in content for content in contents)
    tally(
        CANARIES,
        "parts of a pack, its notebook among them, searched for card, links and secret",
        len(contents),
    )


def _unfolded(path: Path) -> list[bytes]:
    """Return a file's bytes, and of what is packed inside it the members, the columns or the streams."""
    if path.suffix == ".xlsx":
        with zipfile.ZipFile(path) as book:
            return [book.read(name) for name in book.namelist()]
    if path.suffix == ".parquet":
        return [pd.read_parquet(path).to_csv().encode()]
    if path.suffix == ".pdf":
        return [page.extract_text().encode() for page in PdfReader(path).pages]
    return [path.read_bytes()]


def test_the_ears_do_hear(ears: Ears) -> None:
    logging.getLogger("httpx").info("link %s", "https://store.example/?sig=heard")
    ears.hear(ApiError("heard"), with_locals=False)
    assert len(ears.said("heard")) >= 2
