"""What the texts of one payment say of its nature: each piece of evidence, where it stands, and what it comes to.

Words count by their place. What a firm is called says little of what it pays for; the word that names the payment follows
the payer, or stands in the reference. What a sender can write freely is never proof by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from kycpack.wealth.prepare.lexicon import FAMILY, Lexicon
from kycpack.wealth.prepare.parties import FIRM, PERSON, STATE, UNKNOWN, party_of
from kycpack.wealth.prepare.phrases import FIRM as OF_FIRM
from kycpack.wealth.prepare.phrases import LOOSE, STRONG, TRAP, WHOLE, Hit

DECIDES, SUPPORTS, CONTRADICTS, IGNORED = "decides", "supports", "contradicts", "not counted"
REFERENCE, NAME, TEXT, BANK_CODE = "reference", "payer's name", "text", "bank code"

REFUND, OWN_TRANSFER, OWN_ACCOUNT, BONUS = "refund", "own_transfer", "own_account", "bonus"
MARKS = (REFUND, OWN_TRANSFER, OWN_ACCOUNT, BONUS)

# What a private person does not pay: a word for it in a person's payment is that person's word.
_NOT_FROM_PERSONS = frozenset(
    {
        "state_benefit",
        "tax_refund",
        "pension",
        "investment_income",
        "interest",
        "gambling",
        "crypto",
        "business_income",
    }
)
_UNUSUAL_FROM_PERSONS = frozenset({"employment", "loan", "property_sale", "business_sale"})
_OF_THE_STATE = frozenset({"state_benefit", "tax_refund"})
_DIGITS = "0123456789"
_NOT_FROM_FIRMS = frozenset({"gift"})


@dataclass(frozen=True)
class Clue:
    """A piece of evidence.

    Args:
        what: What was seen, as in `the words NET PAY`.
        says: The type or mark it speaks for, or who the payer reads like.
        force: `decides`, `supports`, `contradicts` or `not counted`.
        place: Where it was seen.
    """

    what: str
    says: str
    force: str
    place: str


@dataclass(frozen=True)
class Nature:
    """What texts say of a payment.

    Args:
        type: A type of wealth; empty where nothing is said, or too much.
        marks: Marks that decide a disposition.
        family: A relative is named.
        party: Who the payer reads like.
        doubtful: Something speaks against the type.
        by_firm: The type rests on what the payer does, not on what the payment is for.
        loose: The type rests on an ordinary word.
        clues: All evidence, in the order in which it was weighed.
    """

    type: str = ""
    marks: frozenset[str] = frozenset()
    family: bool = False
    party: str = UNKNOWN
    doubtful: bool = False
    by_firm: bool = False
    loose: bool = False
    clues: tuple[Clue, ...] = ()


@dataclass(frozen=True)
class _Said:
    """A meaning that counts: what it says, how strongly, and the words."""

    says: str
    strong: bool
    words: str
    place: str


def nature_of(name: Sequence[str], text: Sequence[str], lexicon: Lexicon, known: str = UNKNOWN) -> Nature:
    """Return what a payer's name and a description say of a payment.

    Args:
        name: Plain words of the counterparty's or merchant's name; empty where the data has none.
        text: Plain words of the description.
        lexicon: Phrases, and words of persons, firms and public bodies.
        known: Who the payer is, where a list says so.
    """
    if lexicon.phrases.first_words.isdisjoint(text) and lexicon.phrases.first_words.isdisjoint(name):
        party = party_of(name, lexicon) if known == UNKNOWN else known
        party = party_of(text, lexicon) if party == UNKNOWN else party
        return Nature(party=party, clues=tuple(_party_clue(party, name)))
    reference = _read(text, name, lexicon)
    own = _read(name, (), lexicon) if name else _Read((), (), (), UNKNOWN)
    party = own.party if name and own.party != UNKNOWN else reference.party
    party = party if known == UNKNOWN else known
    by_payment = [one for one in reference.counted if one.says in lexicon.types] or [
        one for one in own.counted if one.says in lexicon.types
    ]
    by_firm = [one for one in (*own.of_firm, *reference.of_firm) if one.says in lexicon.types]
    marks = frozenset(one.says for one in (*reference.counted, *own.counted) if one.says in MARKS)
    family = any(one.says == FAMILY for one in (*reference.counted, *own.counted)) and party in (
        UNKNOWN,
        PERSON,
    )
    ignored = (*reference.ignored, *own.ignored)
    clues = [*_party_clue(party, name)]
    taxed = any(one.says == "tax_refund" for one in (*by_payment, *by_firm))
    if REFUND in marks and not taxed:
        clues += [_clue(one, DECIDES) for one in (*reference.counted, *own.counted) if one.says == REFUND]
        clues += [_clue(one, IGNORED) for one in by_payment]
        return Nature(marks=marks, family=family, party=party, clues=(*clues, *ignored))
    marks -= {REFUND}
    clues += [_clue(one, SUPPORTS) for one in (*reference.counted, *own.counted) if one.says in marks]
    # "Rente" from the state's insurer is what the insurer pays.
    if by_payment and not (
        by_firm and by_firm[-1].says in _OF_THE_STATE and not any(one.strong for one in by_payment)
    ):
        nature = _weighed(by_payment, party)
    elif by_firm:
        nature = _from_firm(by_firm[-1], party)
    else:
        nature = Nature()
    return replace(nature, marks=marks, family=family, party=party, clues=(*clues, *nature.clues, *ignored))


def _weighed(said: list[_Said], party: str) -> Nature:
    """Return the nature that words for the payment come to: strong before loose, of equals the last."""
    strong = [one for one in said if one.strong] or said
    plain = [one for one in strong if one.says != "person_transfer"]
    chosen = (plain or strong)[-1]
    others = [one for one in said if one.says != chosen.says]
    doubtful = any(one.strong and one.says != "person_transfer" for one in others)
    clues = [_clue(chosen, DECIDES)]
    clues += [_clue(one, CONTRADICTS if one.strong else IGNORED) for one in others]
    if chosen.says == "person_transfer" and party in (FIRM, STATE):
        return Nature(doubtful=True, clues=(_clue(chosen, CONTRADICTS), *clues[1:]))
    if party == PERSON and chosen.says in _NOT_FROM_PERSONS:
        against = Clue("a private person pays it", "person_transfer", DECIDES, NAME)
        return Nature(
            "person_transfer", doubtful=True, clues=(against, _clue(chosen, CONTRADICTS), *clues[1:])
        )
    if party == PERSON and chosen.says in _UNUSUAL_FROM_PERSONS:
        doubtful = True
        clues.append(Clue("a private person pays it", "person_transfer", CONTRADICTS, NAME))
    if party in (FIRM, STATE) and chosen.says in _NOT_FROM_FIRMS:
        doubtful = True
        clues.append(Clue("a firm pays it", "other", CONTRADICTS, NAME))
    return Nature(chosen.says, doubtful=doubtful, loose=not chosen.strong, clues=tuple(clues))


def _from_firm(one: _Said, party: str) -> Nature:
    if party == PERSON:
        return Nature(clues=(_clue(one, IGNORED),))
    return Nature(one.says, by_firm=True, clues=(_clue(one, DECIDES),))


def _clue(one: _Said, force: str) -> Clue:
    return Clue(f"the words {one.words.upper()}", one.says, force, one.place)


def _party_clue(party: str, name: Sequence[str]) -> Iterable[Clue]:
    if party != UNKNOWN:
        yield Clue(f"the payer reads like a {_PARTY_WORDS[party]}", party, SUPPORTS, NAME if name else TEXT)


_PARTY_WORDS = {PERSON: "person", FIRM: "firm", STATE: "public body"}


@dataclass(frozen=True)
class _Read:
    counted: tuple[_Said, ...]
    of_firm: tuple[_Said, ...]
    ignored: tuple[Clue, ...]
    party: str


def _read(words: Sequence[str], name: Sequence[str], lexicon: Lexicon) -> _Read:
    """Return what counts in one text, given the payer's name where it stands apart."""
    hits = lexicon.phrases.find(words) if not lexicon.phrases.first_words.isdisjoint(words) else []
    inside = _named(words, name)
    core = [index for index, word in enumerate(words) if not _is_noise(word, lexicon) and not inside[index]]
    end = _end_of_firm(words, hits, inside, lexicon)
    after_person = _after_person(words, name, lexicon) if end < 0 else len(words)
    counted: list[_Said] = []
    of_firm: list[_Said] = []
    ignored: list[Clue] = []
    covered: set[int] = set()
    place = REFERENCE if name else TEXT
    for hit in hits:
        phrase = " ".join(words[hit.start : hit.end])
        first = bool(core) and hit.start <= core[0]
        strong = any(meaning.force == STRONG for meaning in hit.meanings)
        in_name = inside[hit.start] or (hit.end <= end and not (first and strong and hit.end < end))
        last = not core or hit.end > core[-1]
        for meaning in hit.meanings:
            if meaning.force == TRAP:
                continue
            if in_name and meaning.force != OF_FIRM:
                ignored.append(Clue(f"the words {phrase.upper()}", meaning.says, IGNORED, NAME))
            elif meaning.force == OF_FIRM:
                of_firm.append(_Said(meaning.says, strong=False, words=phrase, place=NAME))
            elif meaning.force == STRONG:
                counted.append(_Said(meaning.says, strong=True, words=phrase, place=place))
                covered.update(range(hit.start, hit.end))
            elif (
                meaning.force == LOOSE
                and (last or (first and end < 0) or bool(name) or hit.start >= after_person)
            ) or (meaning.force == WHOLE and first and last):
                counted.append(_Said(meaning.says, strong=False, words=phrase, place=place))
                covered.update(range(hit.start, hit.end))
            else:
                ignored.append(Clue(f"the words {phrase.upper()}", meaning.says, IGNORED, NAME))
    rest = [word for index, word in enumerate(words) if index not in covered and (index <= end or end < 0)]
    return _Read(tuple(counted), tuple(of_firm), tuple(ignored), party_of(rest, lexicon))


def _after_person(words: Sequence[str], name: Sequence[str], lexicon: Lexicon) -> int:
    """Return the index after a person's name at the beginning of a text, the text's length where it begins with none."""
    if name:
        return len(words)
    core = [index for index, word in enumerate(words) if not _is_noise(word, lexicon)]
    size = 3 if core and words[core[0]] in lexicon.titles else 2
    start = [words[index] for index in core[:size]]
    return core[size - 1] + 1 if len(start) == size and party_of(start, lexicon) == PERSON else len(words)


def _is_noise(word: str, lexicon: Lexicon) -> bool:
    """Tell whether a word says how money travelled, or when, as in `mar25`."""
    return word in lexicon.noise or word.strip(_DIGITS) in lexicon.noise


def _named(words: Sequence[str], name: Sequence[str]) -> list[bool]:
    """Return which words of a text repeat the payer's name."""
    inside = [False] * len(words)
    size = len(name)
    for length in range(size, 0, -1):
        if 2 * length < size:
            break
        for start in range(len(words) - length + 1):
            if list(words[start : start + length]) == list(name[:length]):
                inside[start : start + length] = [True] * length
                return inside
    return inside


def _end_of_firm(words: Sequence[str], hits: Sequence[Hit], inside: Sequence[bool], lexicon: Lexicon) -> int:
    """Return the index after the last word that marks a firm's name, -1 where none does."""
    in_phrase = {index for hit in hits if hit.end - hit.start > 1 for index in range(hit.start, hit.end)}
    ends = [
        index + 1
        for index, word in enumerate(words)
        if index
        and not inside[index]
        and index not in in_phrase
        and (word in lexicon.legal_words or word in lexicon.firm_words)
    ]
    return max(ends, default=-1)
