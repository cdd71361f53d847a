"""The public methods: one module for each part of the interface, with a class for each of the two clients."""

from __future__ import annotations

from kycpack.api.resources.bank_data import AsyncBankAccounts as AsyncBankAccounts
from kycpack.api.resources.bank_data import AsyncSourceOfWealthStatements as AsyncSourceOfWealthStatements
from kycpack.api.resources.bank_data import BankAccounts as BankAccounts
from kycpack.api.resources.bank_data import SourceOfWealthStatements as SourceOfWealthStatements
from kycpack.api.resources.customers import AsyncCustomers as AsyncCustomers
from kycpack.api.resources.customers import Customers as Customers
from kycpack.api.resources.onboarding import AsyncOnboarding as AsyncOnboarding
from kycpack.api.resources.onboarding import Onboarding as Onboarding
from kycpack.api.resources.payments import AsyncAttempts as AsyncAttempts
from kycpack.api.resources.payments import AsyncBanks as AsyncBanks
from kycpack.api.resources.payments import AsyncPayments as AsyncPayments
from kycpack.api.resources.payments import Attempts as Attempts
from kycpack.api.resources.payments import Banks as Banks
from kycpack.api.resources.payments import Payments as Payments
from kycpack.api.resources.webhooks import AsyncWebhooks as AsyncWebhooks
from kycpack.api.resources.webhooks import Webhooks as Webhooks

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
