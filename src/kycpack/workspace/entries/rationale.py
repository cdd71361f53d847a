"""Checks the text of a decision: whether it has content, and which findings it names."""

from __future__ import annotations

from collections.abc import Collection

from kycpack.errors import InputError
from kycpack.workspace.entries.verify_ledger import rationale_fault, text_fault


def check_rationale(text: str, cited: Collection[str], known: Collection[str]) -> str:
    """Return the text of a decision, checked.

    Args:
        text: What a person wrote, in any script.
        cited: Ids of the findings that it must name.
        known: Ids of the findings of the case.

    Raises:
        InputError: It is empty or too long, has characters that hide or reverse text, names a finding that the case does
            not have, does not name one that it must, or has no words besides ids.
    """
    if fault := rationale_fault(text, cited, known):
        raise InputError(fault, place="text")
    return text


def check_text(text: str, place: str = "text") -> str:
    """Return a person's text, checked so that it can be shown as written.

    Raises:
        InputError: It is empty or too long, or has control characters, marks that change the direction of other text, or
            invisible characters.
    """
    if fault := text_fault(text):
        raise InputError(fault, place=place)
    return text
