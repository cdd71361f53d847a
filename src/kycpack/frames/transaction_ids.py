"""Ids that are unique within an account: the bank's own id if there is one, otherwise a hash of the content."""

from __future__ import annotations

from collections import defaultdict


class TransactionIds:
    """The ids of one account's transactions while they are being read."""

    def __init__(self) -> None:
        self._read: set[tuple[str, str]] = set()
        self._taken: set[str] = set()
        self._ordinals: defaultdict[str, int] = defaultdict(lambda: 1)

    def assign(self, given: str | None, content: str) -> str | None:
        """Return the id of a transaction.

        Args:
            given: The bank's id; None to make the id from the content.
            content: Hash of the transaction's content; with an id, any text that represents the content is enough.

        Returns:
            `given` if no other transaction has it, otherwise `given` with an ordinal, as in `T-1#2`. None for a repetition: the same
            transaction with the same id. Without the bank's id, two identical transactions are two.
        """
        if given:
            if (given, content) in self._read:
                return None
            self._read.add((given, content))
        wanted = txn_id = given or f"h-{content[:24]}"
        while txn_id in self._taken:
            # Counts on from the last ordinal, so that one id on very many transactions does not take quadratic time.
            self._ordinals[wanted] += 1
            txn_id = f"{wanted}#{self._ordinals[wanted]}"
        self._taken.add(txn_id)
        return txn_id
