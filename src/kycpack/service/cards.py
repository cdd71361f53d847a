"""Test cards: the outcome of each published number, and checks of impossible card data.

No card number, cvc or expiry is stored, logged or echoed: they are compared and forgotten.
"""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

from kycpack.models.enums import ActionType, AttemptState
from kycpack.models.payments import CardDetails
from kycpack.service.problems import RefusedError, invalid_request


class CardOutcome(NamedTuple):
    """The outcome of an attempt with a published test card number."""

    status: AttemptState
    action: ActionType | None


TEST_CARDS = {
    "4242424242424242": CardOutcome(AttemptState.SUCCEEDED, None),
    "5555555555554444": CardOutcome(AttemptState.SUCCEEDED, None),
    "4000000000000002": CardOutcome(AttemptState.FAILED, None),
    "4000000000009995": CardOutcome(AttemptState.FAILED, None),
    "4000000000003220": CardOutcome(AttemptState.STARTED, ActionType.THREE_DS_CHALLENGE),
    "4000000000003063": CardOutcome(AttemptState.STARTED, ActionType.THREE_DS_CHALLENGE),
}
"""Published test card numbers; every other number is refused."""


def judge_card(card: CardDetails | None, today: date) -> CardOutcome:
    """Return the outcome of an attempt with a card.

    Raises:
        RefusedError: 400: not a published test number, or an impossible expiry or cvc.
    """
    if card is not None:
        _require_possible(card, today)
    given = card.number.get_secret_value() if card is not None and card.number is not None else ""
    outcome = TEST_CARDS.get(re.sub(r"[ -]", "", given))
    if outcome is None:
        raise RefusedError(400, "card_not_accepted", "Only published test card numbers are accepted")
    return outcome


def _require_possible(card: CardDetails, today: date) -> None:
    """Refuse impossible card data; the message names the member, never its value. Absent members are not checked."""
    month, year, cvc = (
        None if secret is None else secret.get_secret_value().strip()
        for secret in (card.expiry_month, card.expiry_year, card.cvc)
    )
    if month is not None and not re.fullmatch(r"0?[1-9]|1[0-2]", month, re.ASCII):
        raise invalid_request("card.expiryMonth: expected 01 to 12")
    if year is not None and not re.fullmatch(r"(?:20)?[0-9]{2}", year, re.ASCII):
        raise invalid_request("card.expiryYear: expected a year such as 2030 or 30")
    if cvc is not None and not re.fullmatch(r"[0-9]{3,4}", cvc, re.ASCII):
        raise invalid_request("card.cvc: expected three or four digits")
    if year is not None and (2000 + int(year[-2:]), int(month or 12)) < (today.year, today.month):
        raise invalid_request("card.expiryYear: the card has expired")
