"""Finds answers that belong to somebody else, by comparing their content with the customer record and the list of accounts.

Only two different facts are proof. One difference alone has harmless causes (a maiden name, a transliteration, a wrong date, a
new account): the answer is kept, and triage compares the names and reports the difference. A different account number is
proof by itself, as an id is. A currency that the account does not have is not: the list of accounts may be wrong, and money
that was left out would be missing from the statement. `bank_data` keeps it in its own currency and reports the conflict.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any

from kycpack.errors import InputError
from kycpack.evidence import Entry
from kycpack.frames.answer_fields import label
from kycpack.frames.identifying_facts import (
    AccountFacts,
    account_of,
    are_two_addresses,
    are_two_dates,
    born_on,
    is_named_in,
    listed,
    member,
    name_of,
    read_member,
    share_no_name,
)
from kycpack.frames.reading import EvidenceReading, foreign_id
from kycpack.models.ids import same_id
from kycpack.models.money import read_decimal

_NUMBERS = (b'"accountNumber"', b'"sortCode"', b'"iban"')
_IN_CURRENCY = re.compile(rb'"currency"\s*:\s*"([A-Za-z]{3})"')
_AMOUNT = re.compile(r"\d[\d.,'\u00a0\u202f ]*\d")
_NOT_DIGIT = re.compile(r"\D+")


@dataclass(frozen=True)
class Identity:
    """What is known about a customer, to check whether an answer is about that customer.

    Args:
        reading: The evidence that is being read.
    """

    reading: EvidenceReading = field(repr=False)

    def other_results(self, entry: Entry) -> str:
        """Return why a results document is about another person; empty if nothing proves it."""
        results = self.reading.lenient_document(entry)
        if thing := foreign_id(entry, results):
            return f"it contains another {thing}"
        if not self._name:
            return ""
        holder = member(results, "document.holder")
        if not share_no_name(self._name, name_of(holder)):
            return ""
        born, other = born_on(member(self._record, "dateOfBirth")), born_on(member(holder, "dateOfBirth"))
        if are_two_dates(born, other):
            return "the date of birth and every part of the name differ from the customer's record"
        if (born is None or other is None) and are_two_addresses(
            member(self._record, "address"), member(results, "address.extractedAddress")
        ):
            return "the address and every part of the name differ from the customer's record"
        return ""

    def other_accounts(self, entry: Entry) -> str:
        """Return why a list of bank accounts is another customer's; empty if nothing proves it."""
        accounts = [account_of(item) for item in listed(self.reading.lenient_document(entry))]
        holders = [account.holder for account in accounts if account.holder]
        if not holders or not all(share_no_name(self._name, holder) for holder in holders):
            return ""
        for statement in self._statements("json"):
            document = self.reading.lenient_document(statement)
            others = _accounts_of_statement(document)
            names_the_customer = not share_no_name(self._name, name_of(member(document, "customer")))
            if others and names_the_customer and _are_apart(accounts, others):
                return "no holder has any part of the customer's name, and the customer's statement names other accounts"
        return ""

    def other_statement(self, entry: Entry) -> str:
        """Return why a statement is about another person or payment; empty if nothing proves it."""
        statement = self.reading.lenient_document(entry)
        payment = self._payments.get(entry.subject.get("payment_id", ""))
        said, paid = (
            read_member(statement, "paymentAmount", read_decimal),
            read_member(payment, "amount", read_decimal),
        )
        if said is not None and paid is not None and said != paid:
            return "its amount differs from the payment's amount"
        named, wanted = read_member(statement, "merchantId", label), read_member(payment, "merchantId", label)
        if named and wanted and not same_id(named, wanted):
            return "its merchant differs from the payment's merchant"
        accounts, known = _accounts_of_statement(statement), [*self._accounts.values()]
        no_account = bool(accounts) and bool(known) and _are_apart(accounts, known)
        if no_account and share_no_name(self._name, name_of(member(statement, "customer"))):
            return "every part of the name and every account differ from the customer's"
        return ""

    def other_pdf(self, entry: Entry) -> str:
        """Return why a statement's PDF is about another person; empty if nothing proves it.

        Its text is compared with the name in the record and the amounts of the JSON statement for the same subject.
        """
        amounts = {
            amount
            for statement in self._statements("json")
            if statement.subject.get("payment_id") == entry.subject.get("payment_id")
            for amount in _amounts_of_statement(self.reading.lenient_document(statement))
        }
        if not amounts or not self._name:
            return ""
        wanted = tuple(digits for amount in amounts for digits in _digits(amount))
        has_amounts = False
        try:
            # Reading a page takes long, and the first one usually shows that the PDF is the customer's.
            for written in first_pages(self.reading.body(entry) or b""):
                shown = {_NOT_DIGIT.sub("", found[0]) for found in _AMOUNT.finditer(written)}
                if any(one.endswith(wanted) for one in shown) or is_named_in(self._name, written):
                    return ""
                has_amounts = has_amounts or bool(shown)
        except InputError:
            return ""
        why = "it contains no part of the customer's name, and none of the amounts of the statement"
        return why if has_amounts else ""

    def other_balance(self, entry: Entry) -> str:
        """Return why a balance is that of another account; empty if nothing proves it."""
        if self._is_of_others(entry):
            return "the account is on a list that was left out"
        account = self._account_of(entry)
        shows_other = account.has_other_numbers(account_of(self.reading.lenient_document(entry)))
        return "it shows the number of another account" if shows_other else ""

    def other_transactions(self, entry: Entry) -> str:
        """Return why a page of transactions is that of another account; empty if nothing proves it."""
        if self._is_of_others(entry):
            return "the account is on a list that was left out"
        account = self._accounts.get(entry.subject.get("account_id", ""))
        body = self.reading.body(entry) or b""
        if account is None:
            return ""
        # A page may be large, so it is parsed only if it may contain the number of its account.
        if any(name in body for name in _NUMBERS) and account.has_other_numbers(
            account_of(self.reading.lenient_document(entry))
        ):
            return "it shows the number of another account"
        twin = self._same_page_of_another(entry, account)
        return f"it is identical to the service's answer for another account ({twin})" if twin else ""

    def currency_of(self, account_id: str) -> str:
        """Return the currency that the list gives for an account, empty if it gives none."""
        account = self._accounts.get(account_id)
        return account.currency if account else ""

    def is_listed(self, account_id: str) -> bool:
        """Whether an account is on the customer's list; also True if no list could be read."""
        return not self._accounts or account_id in self._accounts

    def _is_of_others(self, entry: Entry) -> bool:
        return entry.subject.get("account_id") in self._accounts_of_others

    def _same_page_of_another(self, entry: Entry, account: AccountFacts) -> str:
        """Return the id of a page with identical content to which the transactions belong, from an account that cannot be this one.

        They belong to the account that has their currency; if that decides nothing, to the one that was asked for first.
        """
        pages = [
            page
            for page in self._pages_by_hash.get(entry.sha256 or "", ())
            if page.id == entry.id or account.is_other(self._account_of(page))
        ]
        if len(pages) < 2:
            return ""
        found = _IN_CURRENCY.findall(self.reading.body(entry) or b"")
        if not found:
            return ""
        in_currency = {code.decode("ascii").upper() for code in found}
        owner = max(pages, key=lambda page: self._account_of(page).currency in in_currency)
        return "" if owner.id == entry.id else owner.id

    def _account_of(self, entry: Entry) -> AccountFacts:
        return self._accounts.get(entry.subject.get("account_id", ""), AccountFacts())

    def _statements(self, kind: str) -> Iterator[Entry]:
        for entry in self.reading.answered("source_of_wealth.get"):
            if entry.subject.get("format", "json") == kind:
                yield entry

    @cached_property
    def _record(self) -> Any:
        answered = self.reading.answered("customers.get")
        document = self.reading.lenient_document(answered[-1]) if answered else None
        return None if document is None or foreign_id(answered[-1], document) else document

    @cached_property
    def _name(self) -> str:
        return name_of(self._record)

    @cached_property
    def _accounts(self) -> dict[str, AccountFacts]:
        return {
            account_id: account
            for entry in self.reading.select("bank_accounts.list")
            if not self.other_accounts(entry)
            for account_id, account in _by_id(self.reading.lenient_document(entry))
        }

    @cached_property
    def _accounts_of_others(self) -> frozenset[str]:
        lists = [entry for entry in self.reading.select("bank_accounts.list") if self.other_accounts(entry)]
        ids = (
            account_id for entry in lists for account_id, _ in _by_id(self.reading.lenient_document(entry))
        )
        return frozenset(ids) - self._accounts.keys()

    @cached_property
    def _payments(self) -> dict[str, Any]:
        payments = self.reading.select("payments.get")
        return {
            entry.subject.get("payment_id", ""): self.reading.lenient_document(entry) for entry in payments
        }

    @cached_property
    def _pages_by_hash(self) -> dict[str, list[Entry]]:
        found: dict[str, list[Entry]] = {}
        for entry in self.reading.answered("bank_accounts.transactions"):
            if entry.sha256:
                found.setdefault(entry.sha256, []).append(entry)
        return found


def _by_id(document: Any) -> Iterator[tuple[str, AccountFacts]]:
    for item in listed(document):
        account_id = read_member(item, "id", label)
        if account_id is not None:
            yield account_id, account_of(item)


def _accounts_of_statement(statement: Any) -> list[AccountFacts]:
    return [account_of(item) for item in listed(member(statement, "accounts"))]


def _are_apart(some: list[AccountFacts], others: list[AccountFacts]) -> bool:
    """Whether no account of one list can be an account of the other."""
    return all(one.is_other(other) for one in some for other in others)


def _amounts_of_statement(statement: Any) -> Iterator[Decimal]:
    for source in (member(statement, "primarySource"), *listed(member(statement, "additionalSources"))):
        for name in ("amount", "totalValue"):
            if value := read_member(source, name, read_decimal):
                yield value


def _digits(amount: Decimal) -> Iterator[str]:
    """Yield the digits of an amount in each way it may be written: 322815 for 3,228.15, 5000 and 50 for 50.00."""
    yield _NOT_DIGIT.sub("", f"{abs(amount):.2f}")
    if amount == amount.to_integral_value():
        yield f"{abs(amount):.0f}"


_MOST_BYTES = 8 * 1024 * 1024
_MOST_PAGES = 5
_MOST_CHARACTERS = 100_000


def first_pages(content: bytes) -> Iterator[str]:
    """Yield the text of each of the first pages of a PDF; nothing if it is too large or not a PDF.

    Args:
        content: The file.

    Raises:
        InputError: The PDF or one of these pages cannot be read.
    """
    if not content.startswith(b"%PDF-") or len(content) > _MOST_BYTES:
        return
    import pypdfium2  # noqa: PLC0415 - a tenth of a second, and few customers have a statement as PDF

    left = _MOST_CHARACTERS
    try:
        with closing(pypdfium2.PdfDocument(content)) as document:
            for number in range(min(len(document), _MOST_PAGES)):
                written = _page_text(document[number])[:left]
                left -= len(written)
                yield written
    except pypdfium2.PdfiumError:
        raise InputError("not a readable PDF") from None


def _page_text(page: Any) -> str:
    with closing(page), closing(page.get_textpage()) as text:
        return str(text.get_text_bounded())
