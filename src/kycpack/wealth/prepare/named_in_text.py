"""Where a text names its payer: words that repeat the payer's name from another field, or a person's name at the beginning."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from kycpack.wealth.prepare.parties import GIVEN_NAME, IN_PHRASE, NOISE, PERSON, TITLE, party_by_classes
from kycpack.wealth.prepare.phrases import LOOSE, Hit, Meaning

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
                rest = _shortened(words[start + length :], name[length:])
                return range(start, start + length + rest)
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
