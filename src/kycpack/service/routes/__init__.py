"""The operations of the interface, with one module for each part; `OPERATIONS` contains all of them."""

from __future__ import annotations

from kycpack.service.operation import ServedOperation
from kycpack.service.routes import bank_data, customers, onboarding, payments, webhooks

OPERATIONS: tuple[ServedOperation, ...] = (
    *customers.OPERATIONS,
    *payments.OPERATIONS,
    *bank_data.OPERATIONS,
    *onboarding.OPERATIONS,
    *webhooks.OPERATIONS,
)
"""All operations, in the order of the interface."""
