"""Names that contain words for payments: companies called after what others pay.

"DIVIDEND CLEANING LTD" cleans, "LOTTO FLOWERS" sells flowers, and "REFUND RIGHTS LTD WAGES" are wages: a company's name ends with its legal form, and
what it pays for comes after it.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from kycpack.wealth.prepare.parties import (
    FIRM_WORD,
    LEGAL_FORM,
    NOISE,
    TRADE_WORD,
)
from kycpack.wealth.prepare.phrases import FIRM, LOOSE, STRONG, Hit

_MARKS_FIRM = FIRM_WORD | LEGAL_FORM
_REFUND, _BONUS, _PAY, _GAMBLING = "refund", "bonus", "employment", "gambling"
_CRYPTO = "crypto"
_PLAYED_AT = frozenset({_GAMBLING, _CRYPTO})
_LONGEST_CODE = 4  # letters
# Payments that no customer makes to a firm, so no firm can refund them.
_NEVER_PAID_BACK = frozenset({"employment", "pension", "investment_income", "inheritance"})
ORDINARY_REFUNDS = frozenset(
    {
        *("refund", "refunds", "remboursement", "remboursements", "erstattung", "erstattungen"),
        *("zwrot", "rimborso", "reembolso", "devolucion", "terugbetaling"),
    }
)
"""Words for refunds that firms have in their names and friends write; RUECKBUCHUNG or RETURNED before a name is the bank's own wording."""

# Payments whose words appear in the names of other trades: "DIVIDEND CLEANING LTD" cleans, "PENSION PLUMBING LTD" plumbs.
_NAMED_AFTER = frozenset(
    {
        "bonus",
        "gift",
        "inheritance",
        "interest",
        "investment_income",
        "loan",
        "pension",
        "rental_income",
        "savings",
        "settlement",
        "state_benefit",
    }
)
_PAYMENT = frozenset({"payment", "payments", "pymt", "pymts", "pmt", "pmts", "payt", "paymt", "pyt"})
# "ADVANCE PAYMENT LTD" and "REFUND PAYMENT SERVICES" may be names.
_MARKED_BY_PAYMENT = frozenset({"refund", "own_transfer", "loan", "employment"})


def called_after(
    hits: Sequence[Hit], words: Sequence[str], classes: Sequence[int], end: int, brands: Container[str]
) -> frozenset[int]:
    """Return the indices of phrases that are part of a firm's name: followed by its trade and legal form, or by its legal form and what it pays; for a game, a bookmaker or an exchange, by its trade.

    Args:
        hits: Phrases in the text.
        words: Its words.
        classes: Their classes.
        end: Index after the firm's name.
        brands: Names of bookmakers and exchanges.
    """
    namesakes = frozenset(
        hit.start
        for hit in hits
        if all(one.force == FIRM and one.says in _PLAYED_AT for one in hit.meanings)
        and (
            any(bits & TRADE_WORD for bits in classes[hit.end : hit.end + 1])
            or (" ".join(words[hit.start : hit.end]) in brands and _goes_on(hit, words, classes, end))
        )
    )
    if end < 1:
        return namesakes
    company = classes[end - 1] & LEGAL_FORM
    paid = company and any(
        hit.start >= end and any(one.force == STRONG and one.says in _NEVER_PAID_BACK for one in hit.meanings)
        for hit in hits
    )
    found = set()
    for hit in hits:
        says = {one.says for one in hit.meanings}
        says -= {_PAY} if _BONUS in says else set()
        after = classes[hit.end : end]
        if not after:
            continue
        plies = company and after[0] & TRADE_WORD and all(bits & (_MARKS_FIRM | NOISE) for bits in after)
        called = hit.end - hit.start == 1 and words[hit.start] in ORDINARY_REFUNDS
        # "RIMBORSO SRL AFFITTI" is a landlord, and no company is called "RIMBORSO ENEL SRL".
        called_so = called and after[0] & LEGAL_FORM and any(other.start >= end for other in hits)
        # "POKER STOVE BBQ SUPPLY" sells stoves.
        plays = says == {_GAMBLING} and hit.end - hit.start == 1
        plays = plays and any(bits & TRADE_WORD for bits in (*classes[: hit.start], *after))
        if (
            (plies and says <= _NAMED_AFTER)
            or ((paid or called_so) and called and says == {_REFUND})
            or plays
        ):
            found.add(hit.start)
    return namesakes | found


def _goes_on(hit: Hit, words: Sequence[str], classes: Sequence[int], end: int) -> bool:
    """Return whether a brand's name goes on with a word of its own, as in "KRAKEN RUM CO"; as an exchange has no branches, no legal form need follow: "KRAKEN TRAWLERS"."""
    after = classes[hit.end : end]
    if len(after) > 1 and not after[0]:
        return True
    exchange = hit.meanings[0].says == _CRYPTO and hit.end < len(words)
    return (
        exchange and not classes[hit.end] and words[hit.end].isalpha() and len(words[hit.end]) > _LONGEST_CODE
    )


def _is_payment(hit: Hit, words: Sequence[str]) -> bool:
    """Return whether a phrase that says what is paid ends with a word for a payment."""
    strong = any(one.force == STRONG and one.says not in _MARKED_BY_PAYMENT for one in hit.meanings)
    return hit.end - hit.start > 1 and strong and words[hit.end - 1] in _PAYMENT


def end_of_firm(
    words: Sequence[str], classes: Sequence[int], hits: Sequence[Hit], inside: Container[int]
) -> int:
    """Return the index after the last word that marks a firm's name; -1 if there is none.

    Args:
        words: Words of a text.
        classes: Their classes.
        hits: Phrases in it.
        inside: Indices of the words that repeat the payer's name.
    """
    # The last word of "ESTATE OF J HALL DISTRIBUTION" is what is paid.
    in_phrase = {
        index
        for hit in hits
        if hit.end - hit.start > 1
        or (hit.end == len(classes) and any(one.force in (STRONG, LOOSE) for one in hit.meanings))
        for index in range(hit.start, hit.end)
    }
    # "DELINKED PAYMENT FARM 10882", "CLAIM PYMT WATER DAMAGE": what follows the word for a payment is its purpose, not a name.
    paid = min((hit.end for hit in hits if _is_payment(hit, words)), default=len(classes))
    for index in range(min(paid, len(classes)) - 1, 0, -1):
        if classes[index] & _MARKS_FIRM and index not in in_phrase and index not in inside:
            return index + 1
    return -1
