"""Sentences about the accounts that a stream is paid into: who holds them, and what may have come from the customer's other accounts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def account_lines(joint: Sequence[Mapping[str, Any]], moved: int, count: int) -> list[str]:
    """Return what a reader has to know about the accounts of a stream, one sentence a line.

    Args:
        joint: The joint accounts among them, rows of `joint_accounts`.
        moved: Number of credits with a debit in another account that may be their other side.
        count: Number of credits in the stream.
    """
    shared = [
        f"Account {one['account_id']} is a joint account ({one['holder_name']}): the data does not show whose income a payment into it is."
        for one in joint
    ]
    what = "a transfer" if moved == 1 else "transfers"
    own = f"{moved} of the {count} credits may be {what} between the customer's own accounts and not income: another account has a debit that fits."
    return [*shared, *([own] if moved else [])]
