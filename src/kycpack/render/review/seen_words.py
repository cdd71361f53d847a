"""What a check without an objection saw, or why it had nothing to look at, in a few words."""

from __future__ import annotations

from collections.abc import Mapping

from kycpack.models.listed import counted
from kycpack.render.wording import value_words
from kycpack.triage.countries import country_words
from kycpack.triage.levels import CLEAR
from kycpack.triage.paths import LEVEL, PAYMENT_SUPPORT, UNNAMED_MATCHES

SILENT = "wealth.silent_account"
"""The path of the check for accounts without transactions."""
SHARED = "gaps.register.document_shared"
"""The path of the check for other customers with the same identity document."""
NO_BANK_DATA_NEEDED = ("diligence.bank", "not_required")
"""The path and the value of a check of bank data that the level of due diligence does not require."""
NOT_SEARCHED = "no such category in the results, so it is not known whether it was searched"
"""What is said of a category of the screening that the results do not have."""
NOTHING_TO_COMPARE = "nothing to compare"
"""What is said of a comparison of which one side is missing or cannot be read."""
_NO_DOCUMENT = "no identity document was seen"
# Why a check saw nothing, by its path and its value, where the firm gave no file of the customer's risk.
_WITHOUT_FILE: Mapping[tuple[str, str | None], str] = {
    (LEVEL, None): "not looked at: no finding calls for enhanced due diligence, and the firm gave no level",
    NO_BANK_DATA_NEEDED: "not known: the firm gave no level of due diligence",
    ("risk.pep", None): "not known: no customer risk file was given",
}
# Why a check that is clear saw no value, by the beginning of its path.
_NOT_SEEN = {
    "consistency.": NOTHING_TO_COMPARE,
    PAYMENT_SUPPORT: "no payment to look at",
    "wealth.questions.pay_beside_benefit": "no pay beyond the limit of such a benefit seen; Universal Credit has no such limit",
    UNNAMED_MATCHES: "no match beyond those of a category or listed one by one",
    "risk.pep": "not known: the customer risk file does not say",
    "screening.summary.": NOT_SEARCHED,
}
AGE_NOT_SHOWN = ("address.contentAnalysis.documentAgeOutcome", "clear")
"""The path and the value of a check of an age of which the results give no date."""
NAME_ON_PROOF = "address.clientValidation."
"""How the path of what the provider compared with a proof of address begins."""
BY_PROVIDER = "clear by the provider alone: the results do not give the name on the proof"
"""What is said of that: this pack has nothing to compare it with."""
_SELDOM = "; months without a transaction, if there are any, are listed in “What this pack cannot show”"
# Values that alone would be read as more, or as another thing, than they say.
_SAID_OF = {
    ("diligence.completion", "complete"): "a session was completed",
    ("bank.expected", "true"): "yes: at least one of the two",
    ("bank.expected", "false"): "no account is linked, and no bank access was ordered",
    ("requested.bank", "answered"): "given: an account is linked",
    ("diligence.bank", "answered"): "there is bank data",
    AGE_NOT_SHOWN: "the provider says clear; the date of the document is not in the results",
    ("plausible.name_letters", "one_script"): "each name is in one script",
}
_OWN = frozenset({"session", "plausible", "diligence", "requested"})
_OF_THE_PERSON = ("document.holder.", "document.document.", "address.extractedAddress.")
_COUNTRIES = (
    "document.holder.nationality",
    "document.document.issuingCountry",
    "address.extractedAddress.country",
)


def clear_words(path: str, value: str | None, said: str, title: str) -> str:
    """Return what a check that is clear saw.

    Args:
        path: The path of the check.
        value: The value; None for none.
        said: The sentence of the check without its title.
        title: The title.
    """
    if path == SILENT and value is None:
        return f"{said}{_SELDOM}"
    if path in {"gaps.register.rejected_before", "gaps.register.decided_otherwise"}:
        return f"{said}; this case is not counted"
    if path.startswith(NAME_ON_PROOF):
        return BY_PROVIDER
    # Yes or no answers only a title that is a question; there may be red flags, but none that a rule looks for.
    if (
        value is None
        or path == PAYMENT_SUPPORT
        or path.startswith("wealth.flags.")
        or (value in {"true", "false"} and not title.startswith("Whether "))
    ):
        return said
    words = _seen_words(path, value)
    # A country or a number of days alone does not show why it is clear.
    if path.endswith("_days"):
        return f"{words} (rule: {said})"
    return f"{words}: {said}" if path.partition(".")[0] == "country" else words


def skipped_words(path: str, value: str | None, said: str, outcome: str, *, level_given: bool) -> str:
    """Return why a check had nothing to look at.

    Args:
        path: The path of the check.
        value: The value; None for none.
        said: The sentence of the check without its title.
        outcome: CLEAR or NOT_APPLICABLE.
        level_given: Whether the firm's file says anything, from which a level of due diligence follows.
    """
    if path == SHARED:
        return _NO_DOCUMENT
    if not level_given and (unknown := _WITHOUT_FILE.get((path, None if path == LEVEL else value))):
        return unknown
    if outcome == CLEAR and value is None:
        return next((why for start, why in _NOT_SEEN.items() if path.startswith(start)), "nothing to look at")
    return said if value is None else _seen_words(path, value)


def _seen_words(path: str, value: str) -> str:
    """Return the value of a check with its unit; personal data from documents is only said to be given."""
    root = path.partition(".")[0]
    if path == LEVEL:
        return "not required"  # a rule about the requirements of a level has nothing to look at if the level is another one
    if path.endswith("_days"):
        return counted(int(value), "day") if value.lstrip("-").isdecimal() else value
    if root == "age":
        return f"{value} years"
    if root == "country" or path in _COUNTRIES:
        return country_words(value)
    words = _SAID_OF.get((path, value)) or value_words(value)
    return words.strip("“”") if root in _OWN else "given" if path.startswith(_OF_THE_PERSON) else words
