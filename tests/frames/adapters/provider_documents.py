"""Examples written by hand from each provider's published reference."""

from __future__ import annotations

from typing import Any

import pandas as pd

from kycpack.frames.adapters import read_statement

IDS: dict[str, Any] = {"customer_id": "c1", "account_id": "a1", "evidence_id": "E-01"}


SERVICE = {
    "items": [
        {
            "id": "t1",
            "bookingDate": "2026-05-25",
            "valueDate": "2026-05-26",
            "status": "booked",
            "amount": "2450.00",
            "creditDebitIndicator": "Credit",
            "currency": "GBP",
            "description": "ACME LTD SALARY",
            "purposeCode": "SALA",
            "bankTransactionCode": "PMNT-RCDT-SALA",
            "balanceAfter": "3000.10",
        },
        {
            "bookingDate": "2026-05-27",
            "amount": 5,
            "creditDebitIndicator": "Debit",
            "currency": "GBP",
            "description": "Shop",
        },
    ]
}


UK_V31 = {
    "Data": {
        "Transaction": [
            {
                "AccountId": "22289",
                "TransactionId": "123",
                "TransactionReference": "Ref 123",
                "Amount": {"Amount": "10.00", "Currency": "GBP"},
                "CreditDebitIndicator": "Credit",
                "Status": "Booked",
                "BookingDateTime": "2017-04-05T10:43:07+00:00",
                "ValueDateTime": "2017-04-06T10:45:22+00:00",
                "TransactionInformation": "Cash from Aubrey",
                "BankTransactionCode": {
                    "Code": "ReceivedCreditTransfer",
                    "SubCode": "DomesticCreditTransfer",
                },
                "ProprietaryBankTransactionCode": {"Code": "Transfer", "Issuer": "AlphaBank"},
                "Balance": {
                    "Amount": {"Amount": "230.00", "Currency": "GBP"},
                    "CreditDebitIndicator": "Debit",
                    "Type": "InterimBooked",
                },
                "DebtorAccount": {"Identification": "20-45-14 12345678", "Name": "Aubrey"},
            },
            {
                "Amount": {"Amount": "3.30", "Currency": "GBP"},
                "CreditDebitIndicator": "Debit",
                "Status": "Pending",
                "BookingDateTime": "2017-04-07T00:00:00+00:00",
                "MerchantDetails": {"MerchantName": "Cafe", "MerchantCategoryCode": "5812"},
            },
        ]
    }
}


UK_V4 = {
    "Data": {
        "Transaction": [
            {
                "TransactionId": "123",
                "Amount": {"Amount": "2450.00", "Currency": "GBP"},
                "CreditDebitIndicator": "Credit",
                "Status": "BOOK",
                "BookingDateTime": "2026-04-05T10:43:07+00:00",
                "TransactionInformation": "ACME",
                "BankTransactionCode": {"Code": "RCDT", "SubCode": "SALA"},
                "CategoryPurposeCode": "SALA",
            },
            {
                "TransactionId": "124",
                "Amount": {"Amount": "1.00", "Currency": "GBP"},
                "CreditDebitIndicator": "Debit",
                "Status": "FUTR",
                "BookingDateTime": "2026-05-05T00:00:00+00:00",
            },
        ]
    }
}


BERLIN = {
    "account": {"iban": "DE2310010010123456788"},
    "transactions": {
        "booked": [
            {
                "transactionId": "1234567",
                "creditorName": "John Miles",
                "creditorAccount": {"iban": "DE67100100101306118605"},
                "transactionAmount": {"currency": "EUR", "amount": "-256.67"},
                "bookingDate": "2017-10-25",
                "valueDate": "2017-10-26",
                "remittanceInformationUnstructured": "Example 1",
                "bankTransactionCode": "PMNT-ICDT-ESCT",
            },
            {
                "entryReference": "e-2",
                "debtorName": "Paul Simpson",
                "debtorAccount": {"iban": "NL76RABO0359400371"},
                "transactionAmount": {"currency": "EUR", "amount": "343.01"},
                "bookingDate": "2017-10-25",
                "remittanceInformationUnstructuredArray": ["Line 1", "Line 2"],
                "purposeCode": "PENS",
                "balanceAfterTransaction": {
                    "balanceType": "interimBooked",
                    "balanceAmount": {"currency": "EUR", "amount": "-1.00"},
                },
            },
        ],
        "pending": [
            {"transactionAmount": {"currency": "EUR", "amount": "-100.03"}, "valueDate": "2017-10-26"}
        ],
        "_links": {"account": {"href": "/v1/accounts/1"}},
    },
}


PLAID = """{"added": [
  {"transaction_id": "lPNjeW1nR6CDn5okmGQ6hEpMo4lLNoSrzqDje", "account_id": "x", "amount": 72.10,
   "iso_currency_code": "USD", "date": "2023-09-24", "authorized_date": "2023-09-22", "pending": false,
   "name": "PURCHASE WM SUPERCENTER #1700", "merchant_name": "Walmart",
   "personal_finance_category": {"primary": "GENERAL_MERCHANDISE", "detailed": "GENERAL_MERCHANDISE_SUPERSTORES"}},
  {"transaction_id": "p2", "amount": -2078.5, "iso_currency_code": "USD", "date": "2023-09-24", "pending": true,
   "name": "ACME PAYROLL", "payment_meta": {"payer": "Acme"}}]}"""


TRUELAYER = """{"results": [
  {"transaction_id": "03c333979b729315545816aaa365c33f", "timestamp": "2018-03-06T00:00:00", "description":
   "GOOGLE PLAY STORE", "amount": -2.99, "currency": "GBP", "transaction_type": "DEBIT", "transaction_category":
   "PURCHASE", "merchant_name": "Google play", "running_balance": {"amount": 1238.60, "currency": "GBP"},
   "meta": {"provider_transaction_category": "DEB"}},
  {"transaction_id": "3484333edb2078e77cf2ed58f1dec11e", "timestamp": "2018-02-18T00:00:00", "description": "PAY",
   "amount": 25.25, "currency": "GBP", "transaction_type": "CREDIT", "transaction_category": "TRANSFER"}]}"""


CARD = """{"results": [
  {"transaction_id": "1", "timestamp": "2018-03-06T00:00:00Z", "description": "SHOP", "amount": 9.99, "currency": "GBP",
   "transaction_type": "DEBIT"},
  {"transaction_id": "2", "timestamp": "2018-03-07T00:00:00Z", "description": "PAYMENT, THANK YOU", "amount": -50,
   "currency": "GBP", "transaction_type": "CREDIT"}]}"""


EXAMPLES: dict[str, Any] = {
    "service-v1": SERVICE,
    "uk-open-banking-3.1": UK_V31,
    "uk-open-banking-4": UK_V4,
    "berlin-group": BERLIN,
    "plaid": PLAID,
    "truelayer": TRUELAYER,
    "truelayer-card": CARD,
    "plaid-sandbox": {
        "transactions": [
            {"date_transacted": "2026-08-21", "date_posted": "2026-08-22", "amount": -7500, "description": "In",
             "currency": "USD"},
            {"date_transacted": "2026-08-21", "date_posted": "2026-08-22", "amount": -7500, "description": "In",
             "currency": "USD"},
        ]
    },
}  # fmt: skip


def rows(name: str, data: Any = None) -> pd.DataFrame:
    return read_statement(given_as(data if data is not None else EXAMPLES[name]), name, **IDS).rows


def given_as(document: Any) -> Any:
    """Text is a path; a document is given as bytes or parsed."""
    return document.encode() if isinstance(document, str) else document
