"""Reads transactions in the service's own format into the normal form: the schema `transactions` of the catalogue.

Sign rule of this format: `amount` has no sign, and `creditDebitIndicator` gives the direction: Credit is into the account,
Debit out of it. A transaction with a signed amount, another indicator or no currency does not fit.

Pages in which every transaction fits are read by column with the same rules, in `columnar`.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from kycpack.errors import InputError
from kycpack.frames.answer_fields import currency, date, kind_of, label, not_expected, text
from kycpack.frames.columnar import COLUMNS, STATUSES
from kycpack.frames.gaps import GapCode
from kycpack.frames.labels import spoken
from kycpack.frames.reading import EvidenceReading
from kycpack.models.json import canonical_json
from kycpack.models.money import read_decimal, to_minor


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


_WORDS = (
    "counterparty_name",
    "merchant_name",
    "counterparty_account",
    "bank_code",
    "purpose",
    "mcc",
    "proprietary_code",
)


class MisfitError(ValueError):
    """A transaction does not fit the format; the text says why, without its values."""


@dataclass(slots=True)
class AccountTransactions:
    """The transactions of one account, page by page.

    Args:
        reading: Collects rows and gaps.
        account_id: The account.
    """

    reading: EvidenceReading
    account_id: str
    ids: TransactionIds = field(default_factory=TransactionIds)
    pages: dict[tuple[str, ...], str] = field(default_factory=dict)
    pages_in: dict[str, list[str]] = field(default_factory=dict)
    """Evidence id of each transaction's page, by its currency."""

    def add_page(
        self,
        evidence_id: str,
        documents: Sequence[Any],
        read: Callable[[Any], dict[str, Any]] | None = None,
    ) -> None:
        """Add a page; a transaction that does not fit is a gap with its page and position.

        Args:
            evidence_id: Id of the page's evidence entry.
            documents: Its transactions.
            read: Returns one of them as columns of the normal form; None for `read_transaction`.
        """
        contents = [hashlib.sha256(canonical_json(document)).hexdigest() for document in documents]
        first = self.pages.setdefault(tuple(contents), evidence_id)
        if len(contents) > 1 and first != evidence_id:
            message = (
                f"page {evidence_id} repeats page {first}: the transactions that belong there are missing"
            )
            self._note("page_repeated", message, evidence_id)
            return
        for position, (document, content) in enumerate(zip(documents, contents, strict=True)):
            try:
                row = (read or read_transaction)(document)
            except (MisfitError, InputError) as misfit:
                self._note(
                    "transaction_misfit",
                    f"transaction {position} of page {evidence_id}: {misfit}",
                    evidence_id,
                )
                continue
            txn_id = self._identify(row.pop("txn_id"), content, evidence_id)
            if txn_id is not None:
                self.pages_in.setdefault(row["currency"], []).append(evidence_id)
                self.reading.add(
                    "transactions", evidence_id, account_id=self.account_id, txn_id=txn_id, **row
                )

    def _identify(self, given: str | None, content: str, evidence_id: str) -> str | None:
        txn_id = self.ids.assign(given, content)
        if txn_id is None:  # pages overlap
            message = f"transaction {given} was given more than once and is kept once"
            self._note("transaction_repeated", message, evidence_id)
        elif given and txn_id != given:
            message = f"the id {given} is on two different transactions; the second is {txn_id}"
            self._note("transaction_id_reused", message, evidence_id)
        return txn_id

    def _note(self, code: GapCode, message: str, evidence_id: str) -> None:
        self.reading.gaps.add("bank", code, message, subject=self.account_id, evidence_id=evidence_id)


def read_transaction(document: Any) -> dict[str, Any]:
    """Return one transaction as columns of the normal form, without the ids of customer, account and evidence.

    Raises:
        MisfitError: A required member is absent, or a member has an unexpected value.
        InputError: The amount has more decimals than the currency.
    """
    if not isinstance(document, dict):
        raise MisfitError(f"it {not_expected(kind_of(document))}")
    code = _required(document, "currency", currency)
    value_on = _optional(document, "valueDate", date)
    booked_on = _optional(document, "bookingDate", date) or value_on
    if booked_on is None:
        raise MisfitError("it has neither bookingDate nor valueDate")
    after = _optional(document, "balanceAfter", read_decimal)
    status = _optional(document, "status", text) or "booked"
    if status not in STATUSES:
        raise MisfitError("its status is unknown")
    txn_id = document.get("id")
    return {
        "txn_id": None if txn_id is None or txn_id == "" else _required(document, "id", label),
        "booked_on": booked_on,
        "value_on": value_on,
        "status": status,
        "amount_minor": _signed(document, code),
        "currency": code,
        "balance_after_minor": None if after is None else _fitting(to_minor(after, code), "balance"),
        "description_raw": _required(document, "description", text),
        **{column: _optional(document, COLUMNS[column], _word) for column in _WORDS},
    }


def _signed(document: dict[str, Any], code: str) -> int:
    value = _required(document, "amount", read_decimal)
    minor = to_minor(value, code)
    if value.is_signed():
        raise MisfitError("its amount has a sign, but the indicator gives the direction")
    _fitting(minor, "amount")
    direction = _required(document, "creditDebitIndicator", text).lower()
    if direction not in {"credit", "debit"}:
        raise MisfitError("its creditDebitIndicator is neither Credit nor Debit")
    return minor if direction == "credit" else -minor


def _fitting(minor: int, what: str) -> int:
    if abs(minor) >= 2**63:
        raise MisfitError(f"its {what} does not fit in 64 bits")
    return minor


def _required(document: dict[str, Any], member: str, read: Any) -> Any:
    value = _optional(document, member, read)
    if value is None:
        raise MisfitError(f"it has no {member}")
    return value


def _optional(document: dict[str, Any], member: str, read: Any) -> Any:
    value = document.get(member)
    if value is None or (value == "" and member != "description"):
        return None
    try:
        return read(value)
    except (ValueError, InputError):
        raise MisfitError(f"its {spoken(member)} {not_expected(kind_of(value))}") from None


def _word(value: Any) -> str:
    return value if isinstance(value, str) else label(value)
