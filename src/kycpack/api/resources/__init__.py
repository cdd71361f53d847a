"""The public methods: one module for each part of the interface, with a class for each of the two clients."""

from __future__ import annotations

from kycpack.api.resources.bank_data import (
    AsyncBankAccounts,
    AsyncSourceOfWealthStatements,
    BankAccounts,
    SourceOfWealthStatements,
)
from kycpack.api.resources.customers import AsyncCustomers, Customers
from kycpack.api.resources.onboarding import AsyncOnboarding, Onboarding
from kycpack.api.resources.payments import AsyncAttempts, AsyncBanks, AsyncPayments, Attempts, Banks, Payments
from kycpack.api.resources.webhooks import AsyncWebhooks, Webhooks

__all__ = [
    "AsyncAttempts",
    "AsyncBankAccounts",
    "AsyncBanks",
    "AsyncCustomers",
    "AsyncOnboarding",
    "AsyncPayments",
    "AsyncSourceOfWealthStatements",
    "AsyncWebhooks",
    "Attempts",
    "BankAccounts",
    "Banks",
    "Customers",
    "Onboarding",
    "Payments",
    "SourceOfWealthStatements",
    "Webhooks",
]
