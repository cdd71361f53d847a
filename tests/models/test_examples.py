"""The records against examples written by hand from the interface, field by field."""

from __future__ import annotations

import copy
import importlib.util
import pickle
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from kycpack.errors import InputError
from kycpack.models import bank_data, customers, errors, onboarding, payments, wealth, webhooks
from kycpack.models.enums import SessionState
from kycpack.models.json import dump_json, parse_json
from kycpack.models.record import Record, Request


def _examples() -> ModuleType:
    spec = importlib.util.spec_from_file_location("kycpack_examples", Path(__file__).with_name("examples.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


EX = _examples()

PAIRS: list[tuple[type[Record | Request], dict[str, Any]]] = [
    (customers.Address, EX.ADDRESS),
    (customers.Customer, EX.CUSTOMER),
    (customers.CustomerCreate, EX.CUSTOMER_CREATE),
    (customers.CustomerUpdate, EX.CUSTOMER_UPDATE),
    (payments.PaymentCreate, EX.PAYMENT_CREATE),
    (payments.PaymentCreated, EX.PAYMENT_CREATED),
    (payments.AttemptCreate, EX.BANK_ATTEMPT),
    (payments.AttemptCreate, EX.CARD_ATTEMPT),
    (payments.Attempt, EX.ATTEMPT),
    (onboarding.SessionCreate, EX.SESSION_CREATE),
    (onboarding.SessionCreated, EX.SESSION_CREATED),
    (onboarding.SessionStatus, EX.SESSION_STATUS),
    (onboarding.Results, EX.RESULTS),
    (onboarding.MediaAccess, EX.MEDIA_ACCESS),
    (wealth.SourceOfWealth, EX.SOURCE_OF_WEALTH),
    (webhooks.WebhookCreate, EX.WEBHOOK_CREATE),
    (webhooks.Webhook, EX.WEBHOOK),
    (webhooks.SessionCompleted, EX.SESSION_COMPLETED),
    (errors.ErrorBody, EX.MISSING_PERSON_DATA),
]
IDS = [f"{model.__name__}-{index}" for index, (model, _) in enumerate(PAIRS)]


def _declared(value: Any) -> None:
    """Every member of an example must be a field that the record declares, not an extra that it merely keeps."""
    if isinstance(value, Record | Request):
        assert not value.model_extra, (
            f"{type(value).__name__} does not declare {sorted(value.model_extra or {})}"
        )
        for name in type(value).model_fields:
            _declared(getattr(value, name))
    elif isinstance(value, list):
        for item in value:
            _declared(item)


@pytest.mark.parametrize(("model", "example"), PAIRS, ids=IDS)
def test_an_example_survives_the_round_trip_over_the_wire(
    model: type[Record], example: dict[str, Any]
) -> None:
    record = model.read(parse_json(dump_json(example)))
    assert record.wire() == example
    _declared(record)


@pytest.mark.parametrize(("model", "example"), PAIRS, ids=IDS)
def test_unknown_members_are_kept_in_answers_and_refused_in_requests(
    model: type[Record], example: dict[str, Any]
) -> None:
    extended = {**example, "brandNew": {"a": 1}}
    if issubclass(model, Request):
        with pytest.raises(InputError, match="brandNew"):
            model.read(extended)
    else:
        assert model.read(extended).wire() == extended


@pytest.mark.parametrize(("model", "example"), PAIRS, ids=IDS)
def test_a_repr_shows_no_value_but_an_id(model: type[Record], example: dict[str, Any]) -> None:
    shown = repr(model.read(example)) + str(model.read(example)) + f"{model.read(example)}"
    for canary in ("Ada", "Example Street", "ada@example.org", "4242", "abc", "1990", "order-1"):
        assert canary not in shown


def test_identity_options_have_the_defaults_of_the_interface() -> None:
    assert onboarding.IdentityOptions().model_dump(by_alias=True) == {
        "identityCheck": True,
        "enhancedIdentityCheck": False,
        "documentCheck": True,
        "proofOfAddressCheck": True,
        "amlStandardScreening": False,
        "amlExtensiveScreening": True,
        "amlStandardMonitoring": False,
        "amlExtensiveMonitoring": False,
    }


@pytest.mark.parametrize("scope", ["balances", "transactions"])
def test_balances_or_transactions_switch_accounts_on(scope: str) -> None:
    options = onboarding.AisOptions.read({scope: True, "accounts": False})
    assert options.accounts
    assert options.account_limit is None


def test_requirements_that_are_all_false_are_not_in_force() -> None:
    assert not payments.AisRequirements.read({"useVerifiedBankAccount": True}).in_force
    assert payments.AisRequirements.read({"balances": True}).in_force


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({**EX.PAYMENT_CREATE, "amount": 0}, "amount"),
        ({**EX.PAYMENT_CREATE, "amount": "-1"}, "amount"),
        ({**EX.PAYMENT_CREATE, "amount": True}, "amount"),
        ({**EX.PAYMENT_CREATE, "amount": 1.5}, "amount"),
        ({**EX.PAYMENT_CREATE, "amount": "12,50"}, "amount"),
        ({**EX.PAYMENT_CREATE, "reference": ""}, "reference"),
        ({**EX.PAYMENT_CREATE, "returnUrl": "javascript:alert(1)"}, "returnUrl"),
        ({"amount": 1}, "reference"),
    ],
)
def test_a_payment_that_breaks_a_rule_is_refused_with_its_place(body: dict[str, Any], place: str) -> None:
    with pytest.raises(InputError) as caught:
        payments.PaymentCreate.read(body)
    assert caught.value.place == place


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"bank": {"bankId": "b"}, "card": EX.CARD_ATTEMPT["card"], "browserData": {}},
        {"bank": {}},
        {"card": EX.CARD_ATTEMPT["card"]},
    ],
)
def test_an_attempt_is_a_bank_or_a_card_with_browser_data(body: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        payments.AttemptCreate.read(body)


@pytest.mark.parametrize("born", ["1990-02-30", "90-02-28", "1990-2-28", "1990-02-28T00:00:00", 19900228])
def test_a_date_that_does_not_exist_is_refused(born: Any) -> None:
    with pytest.raises(InputError, match="dateOfBirth"):
        customers.CustomerCreate.read({"dateOfBirth": born})


@pytest.mark.parametrize(
    "url", ["http://shop.example/", "https://", "/done", "https://a\nb.example", "https://u:p@h/"]
)
def test_a_session_returns_to_an_absolute_https_url(url: str) -> None:
    with pytest.raises(InputError, match="returnUrl"):
        onboarding.SessionCreate.read({"customerId": "c", "returnUrl": url})


def test_an_empty_list_of_events_is_refused_and_the_default_is_the_documented_event() -> None:
    assert webhooks.WebhookCreate.read({"url": "https://a.example/"}).events == ["onboard.session.completed"]
    with pytest.raises(InputError, match="events"):
        webhooks.WebhookCreate.read({"url": "https://a.example/", "events": []})


def test_a_word_nobody_has_seen_stays_as_it_came() -> None:
    status = onboarding.SessionStatus.read({**EX.SESSION_STATUS, "status": "paused"})
    assert status.status == "paused"
    assert onboarding.SessionStatus.read(EX.SESSION_STATUS).status is SessionState.COMPLETE


def test_an_update_tells_absent_from_cleared() -> None:
    assert customers.CustomerUpdate.read({"firstName": None}).wire() == {"firstName": None}
    assert customers.CustomerUpdate.read({}).wire() == {}
    with pytest.raises(InputError, match="orgId"):
        customers.CustomerUpdate.read({"orgId": "x"})


def test_card_data_shows_nowhere_but_on_the_wire() -> None:
    attempt = payments.AttemptCreate.read(EX.CARD_ATTEMPT)
    card = attempt.card
    assert card is not None
    shown = [
        repr(attempt),
        repr(card),
        str(card.number),
        repr(card.model_dump()),
        card.model_dump_json(),
        repr(attempt.model_dump()),
        attempt.model_dump_json(),
        attempt._repr_html_(),
        repr(copy.deepcopy(attempt).card),
    ]
    try:
        payments.AttemptCreate.read({**EX.CARD_ATTEMPT, "bank": {"bankId": "b"}})
    except InputError as error:
        shown += [str(error), "".join(traceback.format_exception(error))]
    for text in shown:
        assert "4242" not in text
        assert "123" not in text.replace("1234567", "")
    with pytest.raises(TypeError, match="card data cannot be pickled"):
        pickle.dumps(attempt)
    assert attempt.wire()["card"]["number"] == "4242424242424242"


def test_an_error_does_not_quote_the_value_that_is_wrong() -> None:
    body = {"firstName": ["Ada Canary"], "emailAddress": 7}
    with pytest.raises(InputError) as caught:
        customers.CustomerCreate.read(body)
    assert "Canary" not in "".join(traceback.format_exception(caught.value))


def test_a_transaction_needs_its_five_members_and_no_more() -> None:
    needed = {
        "bookingDate": "2026-05-25",
        "amount": "2450.00",
        "creditDebitIndicator": "Credit",
        "currency": "GBP",
        "description": "PAY",
    }
    assert bank_data.Transaction.read(needed).wire()["amount"] == payments.Decimal("2450.00")
    for name in needed:
        with pytest.raises(InputError, match=name):
            bank_data.Transaction.read({key: value for key, value in needed.items() if key != name})
