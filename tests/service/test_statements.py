"""The service's own statement as a document: amounts with their currency, which its JSON has no place for."""

from __future__ import annotations

import io
import re
from datetime import date

import pytest
from pypdf import PdfReader

from kycpack import Client
from kycpack.models.wealth import PrimarySource
from kycpack.service.embedded import EmbeddedService
from kycpack.service.loader import ServiceTarget, load_customer
from kycpack.synthetic import generate


@pytest.mark.parametrize("of_payment", [False, True])
def test_the_document_names_the_currency_of_each_source(*, of_payment: bool) -> None:
    plan = generate(1, 3, date(2026, 6, 1), history_days=200, scenario="employee").customers[0]
    with EmbeddedService() as service:
        ids = load_customer(plan, ServiceTarget(service.service))
        payment = ids.payment_ids[:1] if of_payment else ()
        with Client(service.base_url, key_id=service.key_id, secret=service.secret) as client:
            stated = client.source_of_wealth.get(ids.customer_id, *payment)
            content = client.source_of_wealth.get(ids.customer_id, *payment, format="pdf")
    text = " ".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages)
    assert isinstance(stated.primary_source, PrimarySource)
    total = re.escape(f"{stated.primary_source.total_value:,.2f}")
    assert re.search(rf"{total}\s+GBP", text)
    assert "currency" not in stated.primary_source.wire()
