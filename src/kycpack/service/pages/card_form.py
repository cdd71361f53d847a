"""The card form: read, checked for obvious errors, passed on, and never shown again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from kycpack.service.pages.forms import Form

_NUMBER = re.compile(r"[0-9]{12,19}")
_CVC = re.compile(r"[0-9]{3,4}")
_EXPIRY = re.compile(r"(0?[1-9]|1[0-2])\s*/\s*(?:20)?([0-9]{2})")


def read_card(form: Form, today: date, browser: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the members of a card attempt, and a sentence for each field with an error.

    Args:
        form: The submitted form.
        today: The service's date.
        browser: The headers that describe the browser.
    """
    number = re.sub(r"[ -]", "", form.text("number"))
    expiry = _EXPIRY.fullmatch(form.text("expiry"))
    cvc = form.text("cvc")
    errors: dict[str, str] = {}
    if not _NUMBER.fullmatch(number):
        errors["number"] = "Enter the card number: 12 to 19 digits."
    if expiry is None:
        errors["expiry"] = "Enter month and year, as in 04/30."
    elif (2000 + int(expiry[2]), int(expiry[1])) < (today.year, today.month):
        errors["expiry"] = "This card has expired. Use another one."
    if not _CVC.fullmatch(cvc):
        errors["cvc"] = "Enter the 3 or 4 digits of the security code."
    if errors or expiry is None:
        return {}, errors
    card = {"number": number, "expiryMonth": expiry[1].zfill(2), "expiryYear": f"20{expiry[2]}", "cvc": cvc}
    described = {
        "browserJavascriptEnabled": False,
        "browserLanguage": browser.get("accept-language", ""),
        "browserUserAgent": browser.get("user-agent", ""),
        "browserAcceptHeader": browser.get("accept", ""),
    }
    return {"card": card, "browserData": described}, errors
