"""Invoices that are paid again and again: an invoice is paid once, so its number is only what the sender wrote."""

from __future__ import annotations

import re

import numpy as np

from kycpack.wealth.prepare.clues import KEYWORD, PURPOSE
from kycpack.wealth.prepare.coded import Codes, Mask, joint_code, pick
from kycpack.wealth.prepare.lexicon import Lexicon
from kycpack.wealth.prepare.signals import Signals
from kycpack.wealth.streams.grouping import Grouping

_FEWEST = 3
_TRADE = ("self_employment", "business_income")


def pay_one_invoice(signals: Signals, amount: Codes, grouping: Grouping, lexicon: Lexicon) -> Mask:
    """Return the groups of a trade's income in which most payments are one amount for one invoice, three times or more; an instalment says that it is one.

    Args:
        signals: Texts of the credits.
        amount: Amounts of the credits, minor units.
        grouping: Groups by payer.
        lexicon: Names of types, words for invoices and for instalments.
    """
    trade = np.isin(grouping.type_code, [lexicon.code(name) for name in _TRADE])
    trade &= np.isin(grouping.evidence, (KEYWORD, PURPOSE)) & (grouping.groups.count >= _FEWEST)
    found = np.zeros(len(trade), dtype=np.bool_)
    mine = np.flatnonzero((grouping.group >= 0) & pick(trade, grouping.group, missing=False))
    if not mine.size:
        return found
    texts = signals.description.of_rows(mine)
    numbers = [_invoice_number(str(text), lexicon) for text in texts.distinct]
    _, of_text = np.unique(np.array([*numbers, ""]), return_inverse=True)
    invoice = of_text[texts.codes]
    group = grouping.group[mine]
    same = joint_code(group, invoice, amount[mine])
    again = (np.bincount(same)[same] >= _FEWEST) & (invoice != of_text[-1])
    repeated = np.bincount(group[again], minlength=len(found))
    return np.asarray(2 * repeated > grouping.groups.count, dtype=np.bool_)


def _invoice_number(text: str, lexicon: Lexicon) -> str:
    """Return the number of the invoice that a text names; empty without one, and for an instalment of one."""
    found = re.search(lexicon.invoice_pattern, text, re.IGNORECASE)
    if found is None or re.search(lexicon.instalment_pattern, text, re.IGNORECASE):
        return ""
    return found["number"].lower()
