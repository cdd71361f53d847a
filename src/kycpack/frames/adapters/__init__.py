"""Named layouts, which turn the formats of banks and providers into the normal form of `transactions`.

A layout is chosen by name and never guessed from the data; each states its sign rule.
"""

from __future__ import annotations

from kycpack.frames.adapters.balance_chain import Break, Chain
from kycpack.frames.adapters.bank_csv import read_export
from kycpack.frames.adapters.catalogue import (
    ADAPTERS,
    LayoutEntry,
    list_layouts,
    read_statement,
)
from kycpack.frames.adapters.result import AdapterResult
from kycpack.frames.adapters.statement_file import Reject, StatementFile, StatementRow

__all__ = [
    "ADAPTERS",
    "AdapterResult",
    "Break",
    "Chain",
    "LayoutEntry",
    "Reject",
    "StatementFile",
    "StatementRow",
    "list_layouts",
    "read_export",
    "read_statement",
]
