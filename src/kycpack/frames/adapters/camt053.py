"""ISO 20022 bank-to-customer statements, camt.053 (and the reports of camt.052, which have the same entries), all versions.

Sign rule: `Amt` has no sign; `CdtDbtInd` is CRDT (into the account) or DBIT (out of it). `RvslInd` marks an entry that reverses
another one; it does not change the sign. An entry with one `TxDtls` takes its details from there; one with several (a batch)
is one row, because the account has one posting.

Source: ISO 20022, camt.053.001 BankToCustomerStatement, elements `Stmt`, `Ntry`, `NtryDtls`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from xml.etree.ElementTree import Element

from kycpack.errors import StatementFileError
from kycpack.frames.adapters import fields
from kycpack.frames.adapters.cell_values import check_currency, fit_64_bits
from kycpack.frames.adapters.file_bytes import MOST_XML_BYTES, read_bytes
from kycpack.frames.adapters.result import OnMisfit
from kycpack.frames.adapters.stated_balances import StatedBalances, carry_balances, read_balance
from kycpack.frames.adapters.statement_file import StatementFile, StatementRow, read_rows
from kycpack.frames.adapters.xml_document import children, find, line_of, local_name, read_xml, text_at
from kycpack.frames.transactions import MisfitError
from kycpack.models.money import to_minor

NAME = "camt053"
_STATUSES = {"BOOK": "booked", "PDNG": "pending", "INFO": "info", "FUTR": "future"}
_NAMESPACE = re.compile(r"\{urn:iso:std:iso:20022:tech:xsd:camt\.05[23]\.001\.[0-9]{2}\}Document")


def read_camt053(
    source: str | Path | bytes,
    *,
    currency: str | None = None,
    zone: str | None = None,
    on_misfit: OnMisfit = "raise",
) -> StatementFile:
    """Read a camt.053 or camt.052 document of one or several accounts.

    Args:
        source: Path of the file, or its bytes.
        currency: The account's currency, which every entry must have.
        zone: The bank's time zone, as in `Europe/Berlin`: a timestamp with an offset is converted to the day in that zone.
            None takes the day as written.
        on_misfit: `raise` stops at the first entry that does not fit, `reject` lists it.

    Raises:
        StatementFileError: The document is neither, or an entry does not fit; the message names the line.
    """
    name, data = read_bytes(source, most=MOST_XML_BYTES)
    root = read_xml(data, name)
    if not _NAMESPACE.fullmatch(str(root.tag)):
        raise StatementFileError("is not a camt.053 or camt.052 document", place=name)
    rows, rejects = read_rows(
        _entries(root),
        lambda line, found: replace(_row(found[0], line, found[1], currency, zone), statement=found[2]),
        name,
        on_misfit,
    )
    stated = {
        number: balances
        for number, statement in enumerate(_statements(root))
        if (balances := _stated_balances(statement)) is not None
    }
    rows, breaks = carry_balances(rows, rejects, stated)
    return StatementFile(name, NAME, rows, rejects, (), currency, breaks)


def _statements(root: Element) -> Iterator[Element]:
    return (one for message in root for one in message if local_name(one) in {"Stmt", "Rpt"})


def _entries(root: Element) -> Iterator[tuple[int, tuple[Element, str | None, int]]]:
    """Yield the line of each entry, the entry, its account, and the number of its statement."""
    for number, statement in enumerate(_statements(root)):
        account = fields.hashed(text_at(statement, "Acct/Id/IBAN", "Acct/Id/Othr/Id"))
        for entry in children(statement, "Ntry"):
            yield line_of(entry), (entry, account, number)


def _stated_balances(statement: Element) -> StatedBalances | None:
    """Return the booked balances of a statement; None if it does not state both in one currency."""
    found: dict[str, tuple[str, int, int]] = {}
    for balance in children(statement, "Bal"):
        kind = text_at(balance, "Tp/CdOrPrtry/Cd") or ""
        amount = find(balance, "Amt")
        code = "" if amount is None else amount.attrib.get("Ccy", "")
        minor = read_balance(text_at(balance, "Amt") or "", code)
        sign = {"CRDT": 1, "DBIT": -1}.get(text_at(balance, "CdtDbtInd") or "")
        if minor is not None and sign is not None:
            found.setdefault(kind, (code, sign * minor, line_of(balance)))
    opening, closing = found.get("OPBD") or found.get("PRCD"), found.get("CLBD")
    if opening is None or closing is None or opening[0] != closing[0]:
        return None
    return StatedBalances(opening[0], opening[1], closing[1], closing[2])


def _row(
    entry: Element, line: int, account: str | None, expected: str | None, zone: str | None
) -> StatementRow:
    amount = find(entry, "Amt")
    code = "" if amount is None else amount.attrib.get("Ccy", "")
    check_currency(code, expected, "Amt has no ISO 4217 currency")
    written = text_at(entry, "Amt") or ""
    if written.startswith(("-", "+")):
        raise MisfitError("Amt has a sign, but CdtDbtInd gives the direction")
    minor = fit_64_bits(to_minor(written, code), "Amt")
    direction = text_at(entry, "CdtDbtInd")
    if direction not in {"CRDT", "DBIT"}:
        raise MisfitError("CdtDbtInd is neither CRDT nor DBIT")
    status = _STATUSES.get(text_at(entry, "Sts/Cd", "Sts") or "BOOK")
    if status is None:
        raise MisfitError("Sts is not a status of this standard")
    booked = _day(entry, "BookgDt", zone) or _day(entry, "ValDt", zone)
    if booked is None:
        raise MisfitError("it has neither BookgDt nor ValDt")
    detail = _only_detail(entry)
    side = "Dbtr" if direction == "CRDT" else "Cdtr"
    remittance = [] if detail is None else [
        text.text.strip() for info in children(detail, "RmtInf") for text in children(info, "Ustrd") if text.text
    ]  # fmt: skip
    return StatementRow(
        line,
        booked,
        minor if direction == "CRDT" else -minor,
        code,
        " ".join(remittance) or text_at(detail, "AddtlTxInf") or text_at(entry, "AddtlNtryInf") or "",
        account=account,
        txn_id=text_at(entry, "AcctSvcrRef") or "",
        status=status,
        value_on=_day(entry, "ValDt", zone),
        counterparty_name=text_at(detail, f"RltdPties/{side}/Pty/Nm", f"RltdPties/{side}/Nm"),
        counterparty_account=fields.hashed(
            text_at(detail, f"RltdPties/{side}Acct/Id/IBAN", f"RltdPties/{side}Acct/Id/Othr/Id")
        ),
        bank_code=_bank_code(entry),
        purpose=text_at(detail, "Purp/Cd"),
        proprietary_code=text_at(entry, "BkTxCd/Prtry/Cd"),
    )


def _only_detail(entry: Element) -> Element | None:
    found = [one for details in children(entry, "NtryDtls") for one in children(details, "TxDtls")]
    return found[0] if len(found) == 1 else None


def _bank_code(entry: Element) -> str | None:
    codes = [text_at(entry, f"BkTxCd/Domn/{path}") for path in ("Cd", "Fmly/Cd", "Fmly/SubFmlyCd")]
    return "-".join(str(code) for code in codes) if all(codes) else None


def _day(entry: Element, name: str, zone: str | None) -> date | None:
    written = text_at(entry, f"{name}/Dt", f"{name}/DtTm")
    if written is None:
        return None
    try:
        stamp = datetime.fromisoformat(written)
    except ValueError:
        raise MisfitError(f"{name} is not a date") from None
    if zone is not None and stamp.tzinfo is not None:
        return fields.day_in_zone(stamp, zone)
    return stamp.date()
