"""Ids that are unique within an account: the bank's own where it gives one, else a hash of the content."""

from __future__ import annotations

from collections import defaultdict


class TransactionIds:
    """The ids of one account's transactions, as they are read."""

    def __init__(self) -> None:
        self._read: set[tuple[str, str]] = set()
        self._taken: set[str] = set()
        self._ordinals: defaultdict[str, int] = defaultdict(lambda: 1)

    def assign(self, given: str | None, content: str) -> str | None:
        """Return the id of a transaction.

        Args:
            given: The bank's id; without one, the id is made of the content.
            content: Hash of all that is said of the transaction; text that says it will do where there is an id.

        Returns:
            `given` where no other transaction has it; else with an ordinal, as in `T-1#2`. None for the same transaction under the same id:
            it was given a second time. Without the bank's id, two that are alike are two.
        """
        if given:
            if (given, content) in self._read:
                return None
            self._read.add((given, content))
        wanted = txn_id = given or f"h-{content[:24]}"
        while txn_id in self._taken:
            # Counted on, so that one id on very many transactions does not take the square of the time.
            self._ordinals[wanted] += 1
            txn_id = f"{wanted}#{self._ordinals[wanted]}"
        self._taken.add(txn_id)
        return txn_id
