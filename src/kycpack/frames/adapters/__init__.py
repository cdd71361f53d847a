"""Named adapters from the shapes of banks and providers to the normal form of `transactions`."""

from __future__ import annotations

from kycpack.frames.adapters.balance_chain import Break, Chain
from kycpack.frames.adapters.bank_csv import CSV_FORMS, StatementFile, StatementRow, read_statement

__all__ = ["CSV_FORMS", "Break", "Chain", "StatementFile", "StatementRow", "read_statement"]
