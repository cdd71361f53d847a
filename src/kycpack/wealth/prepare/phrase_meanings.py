"""What the phrases of a text mean by their position: something about the payment, about the firm, nothing that counts, or a hint."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kycpack.wealth.prepare.coded import Words
from kycpack.wealth.prepare.phrases import FIRM, HINT, LOOSE, STRONG, TRAP, WHOLE, Hit

REFERENCE, NAME, TEXT = "reference", "payer's name", "text"
REFERENCE_BEGINS = frozenset({"motif", "rnf", "libelle"})  # French banks write "/DE payer /MOTIF reference"

_OF_THE_STATE = frozenset({"state_benefit", "tax_refund"})
_CALLS_ACCOUNTS = frozenset({"employment", "pension", "rental_income", "self_employment", "business_income"})
_OF_ALL_STAFF = frozenset({"staff", "employee", "employees", "personnel"})
# What stands before a word that the text denies. "NO" alone is left out: it stands for "number". So is "PAS", a French tax on pay.
_DENIALS = frozenset(
    tuple(words.split())
    for words in (
        *("not", "not a", "not an", "not my", "not for", "no longer", "nicht", "kein", "keine", "keinen"),
        *("pas de", "pas un", "pas une", "pas le"),
    )
)
_ACCOUNTS = (["account"], ["acct"], ["acc"], ["ac"], ["konto"], ["kto"])
_ACCOUNT_IN_SHORT = ["a", "c"]
_SENT_BACK = frozenset(
    {
        *(
            "returned",
            "retd",
            "retn",
            "rtnd",
            "rtd",
            "rtn",
            "bounced",
            "unpaid",
            "unpd",
            "unp",
            "rejected",
            "rejctd",
        ),
        *("recall", "recalled", "reversal", "reversed", "rvsd", "refused", "failed", "indemnity"),
        *(
            "rejet",
            "rejete",
            "impaye",
            "retourne",
            "ruecklastschrift",
            "rucklastschrift",
            "ruecklast",
            "ruckbuchung",
            "rueckbuchung",
        ),
    }
)
_REFERENCE_MARKS = REFERENCE_BEGINS | {"ref", "reference", "re", "rf", "verwendungszweck", "svwz"}


@dataclass(frozen=True)
class Said:
    """A meaning, how strongly it is said, and the words.

    Args:
        says: A type of wealth or a mark.
        strong: Whether the words mean it wherever they stand.
        words: The words.
        place: The field they are in.
    """

    says: str
    strong: bool
    words: str
    place: str


@dataclass(frozen=True)
class TextPlaces:
    """Where the words of a text stand.

    Args:
        words: The words.
        inside: Indices of those that repeat the payer's name.
        first: Index of the first word that counts.
        last: Index of the last one.
        counting: Indices of the words that count.
        end: Index after the firm's name; -1 if there is none.
        after_person: Index after a person's name at the beginning.
        named: Whether the payer is named in another field.
        place: Name of the field.
        company: Whether it contains a legal form or a word for a club, which no public body has.
        by_person: Whether the payer named in the other field is a person.
        of_name: Indices of the first words of phrases that are part of a company's name.
        closed: Index after the legal form that ends its name; the text's length if there is none.
    """

    words: Sequence[str]
    inside: Container[int]
    first: int
    last: int
    counting: Container[int]
    end: int
    after_person: int
    named: bool
    place: str
    company: bool
    by_person: bool
    of_name: Container[int]
    closed: int


def sort_meanings(
    hits: Sequence[Hit], of: TextPlaces
) -> tuple[list[Said], list[Said], list[Said], list[Said], set[int]]:
    """Return the meanings for the payment, for the firm, those that do not count and those that only hint, and the indices of the words that count."""
    counted: list[Said] = []
    of_firm: list[Said] = []
    ignored: list[Said] = []
    hints: list[Said] = []
    covered: set[int] = set()
    post = -1  # index after the last job title: a word for pay after it is not part of a firm's name
    for hit in hits:
        phrase = " ".join(of.words[hit.start : hit.end])
        first = hit.start <= of.first < len(of.words)
        last = hit.end > of.last
        strong = any(meaning.force == STRONG for meaning in hit.meanings)
        marked = hit.start == post or (hit.start > 0 and of.words[hit.start - 1] in _REFERENCE_MARKS)
        # If a text ends with the payer's name, as in "HMRC CHILD BENEFIT", a strong last word is still what is paid.
        repeated = of.named and not of.by_person and strong and hit.end == len(of.words)
        # EMPL in the name of "DEPT EMPL AFFRS" is no word for its staff.
        of_payer = of.named and hit.start in of.inside and hit.end - 1 in of.inside
        called = hit.start in of.of_name
        # LOAN in "KARST CAPITAL LLP LOAN" is what is paid; it does not make the payer a lender.
        follows = hit.start >= of.closed and any(meaning.force == LOOSE for meaning in hit.meanings)
        in_name = (hit.start in of.inside and hit.end - 1 in of.inside and not repeated) or (
            hit.end <= of.end and (called or not (first and strong and hit.end < of.end)) and not marked
        )
        free = last or (first and of.end < 0) or of.named or hit.start >= of.after_person or marked
        free = (
            free or hit.start == of.closed
        )  # RENT in "HARBOUR CRAFTS LTD RENT UNIT 4" follows a complete name
        denied = _is_denied(of.words, hit.start)
        for meaning in hit.meanings:
            force = meaning.force
            if hints and force != HINT and meaning.says != "employment":
                # "STAFF PENSION" is a pension, "PENSIONS OFFICER" is not.
                hints = [replace(one, strong=False) for one in hints]
            if (
                (denied and force != TRAP)
                or _names_account(meaning.says, of, hit.end)
                or (force == HINT and (of_payer or _says_whose(phrase, of, hit.end)))
            ):
                ignored.append(Said(meaning.says, strong=False, words=phrase, place=of.place))
            elif force == FIRM and ((not of.named and hit.start in of.inside) or called or follows):
                ignored.append(Said(meaning.says, strong=False, words=phrase, place=NAME))
            elif force == FIRM and not (of.company and meaning.says in _OF_THE_STATE):
                of_firm.append(Said(meaning.says, strong=False, words=phrase, place=NAME))
            elif force == HINT or (force == LOOSE and not (free or in_name)):
                post = hit.end if force == HINT else post
                hints.append(Said(meaning.says, strong=force == HINT, words=phrase, place=of.place))
            elif not in_name and _counts(force, free=free, whole=first and last):
                counted.append(Said(meaning.says, strong=force == STRONG, words=phrase, place=of.place))
                covered.update(range(hit.start, hit.end))
            elif force != TRAP:
                ignored.append(Said(meaning.says, strong=False, words=phrase, place=NAME))
    return counted, of_firm, ignored, hints, covered


def _is_denied(words: Sequence[str], start: int) -> bool:
    """Return whether the words before a phrase deny it: "NOT SALARY", "KEINE MIETE"."""
    return any(tuple(words[at:start]) in _DENIALS for at in (start - 1, start - 2) if at >= 0)


def _says_whose(phrase: str, of: TextPlaces, end: int) -> bool:
    """Return whether a word for all who work somewhere stands before another one, which says what is paid: "STAFF S'ANN"."""
    return phrase in _OF_ALL_STAFF and (end in of.counting or end in of.inside)


def without_sent_back(party: Words) -> Words:
    """Return names in plain words without the words for a payment that came back, which are not part of a party's name; a name of such words alone stays."""
    bare = [
        " ".join(word for word in text.split() if word not in _SENT_BACK) or text
        for text in party.distinct.tolist()
    ]
    return Words(party.codes, np.array(bare, dtype=object))


def only_ignored(ignored: Sequence[Said], counted: Sequence[Said]) -> list[Said]:
    """Return each meaning that does not count once, without those that the same words have elsewhere and that count there."""
    count = {(one.says, one.words) for one in counted}
    return [one for one in dict.fromkeys(ignored) if (one.says, one.words) not in count]


def is_sent_back(words: str) -> bool:
    """Return whether words for a refund mean a payment that could not be made, as RETURNED DD does, rather than one that was too much."""
    return not _SENT_BACK.isdisjoint(words.split())


def _names_account(says: str, of: TextPlaces, end: int) -> bool:
    """Return whether a word for income is the name of an account, in a text that names no firm: "SALARY A/C 93-20-11 TFR"."""
    return (
        says in _CALLS_ACCOUNTS
        and not of.named
        and of.end < 0
        and (of.words[end : end + 1] in _ACCOUNTS or of.words[end : end + 2] == _ACCOUNT_IN_SHORT)
    )


def _counts(force: str, *, free: bool, whole: bool) -> bool:
    return force == STRONG or (force == LOOSE and free) or (force == WHOLE and whole)
