"""Where a text names its payer: words that repeat the payer's name from another field, or a person's name at the beginning.

A name may contain words for payments. "DIVIDEND CLEANING LTD" cleans, "LOTTO FLOWERS" sells flowers, and "REFUND RIGHTS LTD WAGES" are wages: a company's
name ends with its legal form, and what it pays for comes after it.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Sequence

from kycpack.wealth.prepare.parties import (
    GIVEN_NAME,
    IN_PHRASE,
    LEGAL_FORM,
    MARKS_FIRM,
    NOISE,
    PERSON,
    TITLE,
    TRADE_WORD,
    party_by_classes,
)
from kycpack.wealth.prepare.phrases import FIRM, LOOSE, STRONG, Hit, Meaning

NOWHERE = range(0)
NOT_FROM_PERSONS = frozenset(
    {
        "state_benefit",
        "tax_refund",
        "pension",
        "investment_income",
        "interest",
        "gambling",
        "crypto",
        "business_income",
        "cash_deposit",
        "property_sale",
        "business_sale",
        "settlement",
    }
)
"""Types that private persons do not pay: a word for one in a payment by a person is that person's wording, or part of the name."""

_UMLAUTS = (("ae", "a"), ("oe", "o"), ("ue", "u"))
_SHORTEST_SHORT_FORM = 3
_BETWEEN_PEOPLE = Meaning("person_transfer", LOOSE)
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


def indices_of_name(words: Sequence[str], name: Sequence[str]) -> range | set[int]:
    """Return the indices of the words of a text that repeat the whole name of the payer, in any order.

    Args:
        words: Words of the text.
        name: Words of the name.
    """
    words, name = _folded(words), _folded(name)
    size, first = len(name), name[0]
    starts = [index for index, word in enumerate(words) if word == first]
    for length in range(size, 0, -1):
        if not starts or 2 * length < size:
            break
        beginning = list(name[:length])
        for start in starts:
            if list(words[start : start + length]) == beginning:
                return range(start, start + length + _shortened(words[start + length :], name[length:]))
    if size > 1 and set(name) <= set(words):
        return {index for index, word in enumerate(words) if word in name}
    for start in starts:
        length = _shortened(words[start:], name)
        if length > 1:
            return range(start, start + length)
    return NOWHERE


def indices_of_reordered(words: Sequence[str], name: Sequence[str]) -> range:
    """Return the indices of the first two or more neighbouring words that are all in a name, in any order: "GIFT OKAFOR" of "OKAFOR CHIDI GIFT".

    Args:
        words: Words of the text.
        name: Words of the name.
    """
    for at in range(len(words) - 1):
        end = at
        while end < len(words) and words[end] in name and words[end] not in words[at:end]:
            end += 1
        if end - at > 1:
            return range(at, end)
    return NOWHERE


def _shortened(words: Sequence[str], name: Sequence[str]) -> int:
    """Return how many words at the beginning repeat a name in its order; words may be in a short form, as in BLDG CONTRS, or on either side an initial, as in GEORGE W."""
    count = 0
    for word, whole in zip(words, name, strict=False):
        initial = count > 0 and len(min(word, whole, key=len)) == 1 and word[0] == whole[0]
        if not (word == whole or initial or _short_form_of(word, whole)):
            break
        count += 1
    return count


def _short_form_of(word: str, whole: str) -> bool:
    letters = iter(whole)
    return (
        _SHORTEST_SHORT_FORM <= len(word) < len(whole)
        and word[0] == whole[0]
        and all(letter in letters for letter in word)
    )


def _folded(words: Sequence[str]) -> list[str]:
    """Return words with umlauts written as one letter, as in "backerei" for "baeckerei"."""
    folded = " ".join(words)
    for two, one in _UMLAUTS:
        folded = folded.replace(two, one)
    return folded.split()


def indices_of_person(words: Sequence[str], classes: Sequence[int], name: Sequence[str]) -> set[int]:
    """Return the indices of the words of a person's name in a text, in any order, including words after a title before them.

    Args:
        words: Words of the text.
        classes: Their classes.
        name: Words of the name.
    """
    own = {word for word in name if len(word) > 1}
    inside = {index for index, word in enumerate(words) if word in own}
    titled = {
        index for index in range(1, len(words) - 1) if classes[index - 1] & TITLE and index + 1 in inside
    }
    return inside | titled


def indices_of_friend(words: Sequence[str], classes: Sequence[int], hits: Sequence[Hit]) -> range:
    """Return the indices of a first name and a surname at the beginning of a text, if they name the payer.

    A surname may be an ordinary word, as in "ZELLE FROM BILL LOTTERY". If nothing shows that one person pays another, it must be a word
    for something that no person pays: "KATE RENT" is rent, "GRACE DIVIDEND" a person.

    Args:
        words: Words of the text.
        classes: Their classes.
        hits: Phrases in it.
    """
    between = hits[0].end if hits and _BETWEEN_PEOPLE in hits[0].meanings else 0
    first = next((at for at in range(between, len(words)) if not classes[at] & NOISE), len(words))
    second = first + 1
    # After ZELLE FROM comes a name, even if it is an ordinary word.
    named = between and words[between - 1] == "from" and classes[first : first + 1] != [IN_PHRASE]
    if second >= len(words) or len(words[first]) == 1 or not (named or classes[first] & GIVEN_NAME):
        return NOWHERE
    if between and not classes[second]:
        return range(first, second + 1)
    hit = next((one for one in hits if one.start == second), None)
    is_surname = (
        hit is not None
        and hit.end == second + 1
        and all(one.says in NOT_FROM_PERSONS for one in hit.meanings)
    )
    return range(first, second + 1) if is_surname else NOWHERE


def begins_between_people(
    words: Sequence[str], classes: Sequence[int], hits: Sequence[Hit], services: Collection[str]
) -> bool:
    """Return whether a text begins with a service for payments between persons and with a name, as in "ZELLE FROM" and "VENMO MARK PRIOR".

    Args:
        words: Words of the text.
        classes: Their classes.
        hits: Phrases in it.
        services: Names of such services, each in one word.
    """
    if not hits or hits[0].start or _BETWEEN_PEOPLE not in hits[0].meanings:
        return False
    end = hits[0].end
    if words[end - 1] == "from":
        return True
    is_name = end < len(words) and (not classes[end] or bool(classes[end] & GIVEN_NAME))
    return is_name and "".join(words[:end]) in services


def index_after_person(words: Sequence[str], classes: Sequence[int]) -> int:
    """Return the index after a person's name at the beginning of a text; the text's length if there is none.

    Args:
        words: Words of the text.
        classes: Their classes.
    """
    core = [index for index, bits in enumerate(classes) if not bits & NOISE]
    size = 3 if core and classes[core[0]] & TITLE else 2
    start = core[:size]
    if len(start) < size:
        return len(words)
    party = party_by_classes([words[index] for index in start], [classes[index] for index in start])
    return start[-1] + 1 if party == PERSON else len(words)


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
        plies = company and after[0] & TRADE_WORD and all(bits & (MARKS_FIRM | NOISE) for bits in after)
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
        if classes[index] & MARKS_FIRM and index not in in_phrase and index not in inside:
            return index + 1
    return -1
