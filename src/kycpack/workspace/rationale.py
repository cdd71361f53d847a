"""The text of a decision: whether it says something, and about which findings."""

from __future__ import annotations

from collections.abc import Collection

from kycpack.errors import InputError
from kycpack.workspace.verify_ledger import rationale_fault, text_fault


def check_rationale(text: str, cited: Collection[str], known: Collection[str]) -> str:
    """Return the text of a decision.

    Args:
        text: What a person wrote, in any script.
        cited: Ids of findings that it has to name.
        known: Ids of the findings of the case.

    Raises:
        InputError: It is empty, too long, has characters that hide or turn what it says, names a finding that the case
            does not have, does not name one that it has to, or has no words beside ids.
    """
    if fault := rationale_fault(text, cited, known):
        raise InputError(fault, place="text")
    return text


def check_text(text: str, place: str = "text") -> str:
    """Return text of a person that can be shown as it was written.

    Raises:
        InputError: It is empty, too long, or has control characters, marks that turn the direction of other text, or characters
            that nobody can see.
    """
    if fault := text_fault(text):
        raise InputError(fault, place=place)
    return text
