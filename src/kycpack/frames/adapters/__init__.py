"""Named adapters from the shapes of banks and providers to the normal form of `transactions`.

An adapter is chosen by its name in the settings and never guessed from the data; each states its sign rule.
"""

from __future__ import annotations

from kycpack.frames.adapters.balance_chain import Break, Chain
from kycpack.frames.adapters.bank_csv import CSV_FORMS, read_statement
from kycpack.frames.adapters.catalogue import ADAPTERS, read
from kycpack.frames.adapters.result import AdapterResult
from kycpack.frames.adapters.statement_file import StatementFile, StatementRow

__all__ = [
    "ADAPTERS",
    "CSV_FORMS",
    "AdapterResult",
    "Break",
    "Chain",
    "StatementFile",
    "StatementRow",
    "read",
    "read_statement",
]
