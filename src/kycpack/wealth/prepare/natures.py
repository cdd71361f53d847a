"""What the texts of a payment say about its nature: each piece of evidence, its place, and the result.

Words count by their place. A firm's name says little about what it pays for; the word for the payment comes after the payer,
or is in the reference. Words that a sender can write freely are never proof on their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from kycpack.wealth.prepare.clues import (
    BONUS,
    CONTRADICTS,
    DECIDES,
    HINTS,
    IGNORED,
    MARKS,
    NOT_FROM_STATE,
    OF_ANY_RUN,
    OWN_TRANSFER,
    PARTY_WORDS,
    REFUND,
    SAYS_MORE,
    SUPPORTS,
    Clue,
    Nature,
    clue_of,
    nature_of_firm,
    overruled,
    says_only_run,
    weigh_words,
)
from kycpack.wealth.prepare.lexicon import FAMILY, PASSED_ON, STUDY_GRANT, Lexicon
from kycpack.wealth.prepare.named_in_text import ORDINARY_REFUNDS
from kycpack.wealth.prepare.parties import PARTIES, PERSON, STATE, UNKNOWN
from kycpack.wealth.prepare.phrase_meanings import NAME, OF_THE_STATE, TEXT, Said, is_sent_back, only_ignored
from kycpack.wealth.prepare.text_reading import TextReading
from kycpack.wealth.prepare.trades import INHERITANCE

_PRIVATE_PERSON = "private person"  # the trade in `trades.yaml` that lists what persons pay each other for
# Words so ordinary that what is known about the firm outranks them: INT in "FIVERR INT WD".
_ORDINARY = frozenset({"interest", "cash_deposit"})
# What a firm pays its customers; if a job title is named as well, as in "COMPENSATION MANAGER", the nature stays open.
_NOT_TO_STAFF = frozenset({"gambling", "pension", "settlement"})
# The claim in "HB CLAIM 00714" from a council is the one for the benefit.
_CLAIMED = ("state_benefit", "settlement")
_NUMBERS = ("no", "nr", "number", "nummer", "matr", "matricule")


def nature_of(
    own: TextReading,
    reference: TextReading,
    lexicon: Lexicon,
    known: str = UNKNOWN,
    trade: str = "",
    *,
    named: bool,
) -> Nature:
    """Return what a payer's name and a description say about a payment.

    Args:
        own: What the counterparty's or merchant's name says.
        reference: What the description says.
        lexicon: Names of types.
        known: The payer, if listed.
        trade: The payer's trade; empty if not known.
        named: Whether the data names a counterparty or merchant.
    """
    party = own.party if own.party != UNKNOWN else reference.party
    if own.party == UNKNOWN and reference.between and (named or party == UNKNOWN):
        party = PERSON
    elif named and own.party == UNKNOWN and party in (PERSON, STATE):
        party = UNKNOWN  # the named party pays, and not a party mentioned in the reference
    party = party if known == UNKNOWN else known
    where = NAME if named else TEXT
    said = _counted(own, reference, party)
    plies = _PRIVATE_PERSON if party == PERSON else trade
    company = own.company or reference.company
    far, shell = own.far or reference.far, own.shell or reference.shell
    by_trade = [one for of, one in reference.by_trade if plies and of == plies]
    if (
        by_trade
        and company
        and {word for one in (*by_trade, *said) for word in one.words.split()} <= OF_ANY_RUN
    ):
        # PAYROLL from "HARBOUR PENSIONS LTD" is for its pensioners or its staff.
        both = tuple(clue_of(one, HINTS) for one in (*by_trade, *said))
        return Nature(party=party, far=far, shell=shell, doubtful=True, post=True, clues=both)
    said = _with_trade(said, by_trade)
    family = party in (UNKNOWN, PERSON) and any(_names_a_relative(one, lexicon) for one in said)
    unread = reference.unread and party == PERSON and not family  # relatives do not buy from each other
    if not (said or own.of_firm or reference.of_firm or own.ignored or reference.ignored or reference.hints):
        silent = _SILENT[party, where]
        return replace(silent, far=far, shell=shell, unclear=unread) if far or unread else silent
    in_name = set(own.counted)
    if any(one.strong and one.says in lexicon.corroboration for one in reference.counted[-1:]):
        said = tuple(
            one for one in said if one.says != REFUND or one not in in_name
        )  # "REFUND LTD" pays wages
    by_payment = _for_payment(said, own, lexicon)
    by_firm = [one for one in _of_firms(own, reference) if one.says in lexicon.corroboration]
    # The State Examinations Commission pays no commission.
    marks = frozenset(
        one.says for one in said if one.says in MARKS and not (one.says == BONUS and one in in_name)
    )
    ignored = tuple(clue_of(one, IGNORED) for one in only_ignored((*reference.ignored, *own.ignored), said))
    clues = [*_party_clue(party, where)]
    sent_back = any(one.strong and one.says == REFUND and is_sent_back(one.words) for one in said)
    taxed = not sent_back and any(one.says == "tax_refund" for one in (*by_payment, *by_firm))
    # "REMBOURSEMENT RESTO" and "ZWROT ZA PALIWO" from a friend are shared costs.
    shared = any(one.says == "person_transfer" for one in said)
    ordinary = ORDINARY_REFUNDS if reference.unread else ()
    loosely = shared or not any(
        one.strong and one.words not in ordinary for one in said if one.says == REFUND
    )
    if REFUND in marks and not taxed and party == PERSON and loosely:
        clues += [clue_of(one, IGNORED) for one in said if one.says == REFUND]
        paid = Clue("a private person pays it", "person_transfer", DECIDES, NAME)
        return Nature("person_transfer", frozenset(), family, party, far=far, clues=(paid, *clues, *ignored))
    if REFUND in marks and not taxed:
        clues += [clue_of(one, DECIDES) for one in said if one.says == REFUND]
        clues += [*(clue_of(one, IGNORED) for one in by_payment), *ignored]
        return Nature("", marks, family, party, sent_back=sent_back, far=far, clues=tuple(clues))
    hints = () if party == PERSON else reference.hints
    if any(one.says == "employment" for one in hints):
        # "LETTINGS NEGOTIATOR COMM": the job title shows the purpose.
        by_payment = [one for one in by_payment if one.says == "employment"] or by_payment
    marks -= {REFUND}
    clues += [clue_of(one, SUPPORTS) for one in said if one.says in marks or (taxed and one.says == REFUND)]
    nature = _by_words_and_firm(
        _without_run(by_payment, by_firm, company=company),
        by_firm,
        hints,
        PERSON if family else party,
        unread=unread,
    )
    nature = _without_coins_held_for_others(
        _without_rent_of_relatives(_without_work_on_loan(nature, reference, party), family=family),
        office=trade in lexicon.trades.sales.offices,
    )
    if nature.type == "interest":
        marks -= {OWN_TRANSFER}
    hinted = {one.says for one in hints if one.says in lexicon.corroboration}
    return replace(
        nature,
        marks=marks,
        family=family,
        party=party,
        far=far,
        shell=shell,
        hint=hinted.pop() if len(hinted) == 1 else "",
        post=any(one.strong for one in hints),
        unclear=unread or nature.unclear,
        clues=(*clues, *nature.clues, *(clue_of(one, IGNORED) for one in hints), *ignored),
    )


def _for_payment(said: Sequence[Said], own: TextReading, lexicon: Lexicon) -> list[Said]:
    """Return the words for the payment, those outside the payer's name first; a DISTRIBUTION of an estate is no dividend."""
    every = [one for one in said if one.says in lexicon.corroboration]
    by_payment = [one for one in every if one not in own.counted] or every
    estate = any(one.says == INHERITANCE for one in own.of_firm)
    return [one for one in by_payment if one.strong] if estate else by_payment


def _names_a_relative(one: Said, lexicon: Lexicon) -> bool:
    """Return whether words name a relative, by themselves or within a longer phrase for a gift: "HOUSE DEPOSIT FROM MUM"."""
    return one.says == FAMILY or (
        one.says == "gift"
        and any(
            hit.meanings[0].says == FAMILY
            for word in one.words.split()
            for hit in lexicon.phrases.find([word])
        )
    )


def unless_no_income(nature: Nature, own: TextReading, reference: TextReading) -> Nature:
    """Return no nature for money that the sender asks to be sent on, whatever else the text calls it, or that is only called a grant to study: no pay, whoever pays it."""
    against = tuple(
        clue_of(one, CONTRADICTS)
        for one in (*own.counted, *reference.counted)
        if one.says == PASSED_ON or (one.says == STUDY_GRANT and not (nature.type or nature.marks))
    )
    if not against:
        return nature
    clues = (*against, *overruled(nature.clues, IGNORED))
    return replace(nature, type="", marks=frozenset(), doubtful=True, by_firm=False, hint="", clues=clues)


def _counted(own: TextReading, reference: TextReading, party: str) -> tuple[Said, ...]:
    """Return the meanings that count.

    Of what a public body says, words that friends write do not, since maintenance that it collects is part of its trade. The plain word for rent beside
    the name of a benefit is what the benefit is for, as in BUERGERGELD MIETE; AL TIERS PAYANT BAILLEUR is paid to a landlord.
    """
    said = (*reference.counted, *own.counted)
    if party != STATE:
        return said
    benefit = any(one.strong and one.says == "state_benefit" for one in said)
    return tuple(
        one
        for one in said
        if one.says != "person_transfer"
        and not (benefit and one.says == "rental_income" and " " not in one.words)
    )


def _without_work_on_loan(nature: Nature, reference: TextReading, party: str) -> Nature:
    """Return no nature if a person pays for work and also mentions a loan: "TUITION LOAN HELP"."""
    lent = any(one.says == "loan" for one in (*reference.counted, *reference.hints))
    if party != PERSON or nature.type != "self_employment" or not lent:
        return nature
    return Nature(doubtful=True, clues=tuple(replace(one, force=CONTRADICTS) for one in nature.clues))


def _without_rent_of_relatives(nature: Nature, *, family: bool) -> Nature:
    """Return no nature if a relative writes of rent: what they pay for living there is no tenant's rent."""
    if not family or nature.type != "rental_income":
        return nature
    return replace(nature, type="", clues=overruled(nature.clues, IGNORED))


def _without_coins_held_for_others(nature: Nature, *, office: bool) -> Nature:
    """Return no nature if an office that holds other people's money pays out coins or winnings: it deals in neither."""
    if not office or nature.type not in ("crypto", "gambling"):
        return nature
    return replace(nature, type="", doubtful=True, clues=overruled(nature.clues, CONTRADICTS))


def _of_firms(own: TextReading, reference: TextReading) -> Iterable[Said]:
    """Yield what texts say about the payer's trade; rent in an estate's name, as in "EST OF J PIKE LETTINGS", is not the customer's."""
    estate = any(one.says == INHERITANCE for one in (*own.ignored, *reference.ignored))
    of_dead = any(one.says == INHERITANCE for one in own.of_firm)  # an estate pays nothing else
    for one in own.of_firm if of_dead else (*own.of_firm, *reference.of_firm):
        if not (estate and one.says == "rental_income"):
            yield one


def _by_words_and_firm(
    by_payment: list[Said], by_firm: list[Said], hints: Sequence[Said], party: str, *, unread: bool
) -> Nature:
    """Return the nature from the words for the payment, the payer's trade, and hints."""
    of_state = bool(by_firm) and by_firm[-1].says in OF_THE_STATE
    if by_firm and all(not one.strong and one.says in _ORDINARY for one in by_payment):
        by_payment = []
    # "Rente" from the state insurer is what that insurer pays.
    payers_own = of_state and not any(one.strong and one.says not in NOT_FROM_STATE for one in by_payment)
    if by_payment and not payers_own:
        nature = weigh_words(by_payment, party, unread=unread)
    elif by_firm and (by_payment or not (of_state and hints)):
        nature = nature_of_firm(by_firm[-1], party)
    else:
        nature = Nature()
    if nature.type in _NOT_TO_STAFF and _other_than(hints, nature.type):
        return replace(nature, type="", doubtful=True)
    return nature


def _without_run(by_payment: list[Said], by_firm: Sequence[Said], *, company: bool) -> list[Said]:
    """Return words for the payment without those of any payroll if a pension body that is not a company pays: RETIREES NET PAY is a pension."""
    fund = not company and bool(by_firm) and by_firm[-1].says == "pension"
    return [one for one in by_payment if not (fund and says_only_run(one))]


def _other_than(hints: Sequence[Said], type_: str) -> bool:
    """Return whether job titles are named for which another type is paid; pensioners have a personnel number too."""
    return any(one.strong and one.says != type_ and not one.words.endswith(_NUMBERS) for one in hints)


def _with_trade(said: tuple[Said, ...], paid: list[Said]) -> tuple[Said, ...]:
    """Return meanings with the last one that the payer's trade gives to a word, which outranks loose meanings and those of the same words."""
    if not paid:
        return said
    wider = {one for closer, one in SAYS_MORE if any(closer == other.says for other in paid)}
    fits = [one for one in reversed(paid) if one.says not in wider] or paid
    chosen = max(fits, key=lambda one: len(one.words.split()))
    words = {word for one in paid if one.says == chosen.says for word in one.words.split()}
    others = tuple(
        one
        for one in said
        if one.strong
        and not words.issuperset(one.words.split())
        and (chosen.says, one.says) not in (*SAYS_MORE, _CLAIMED)
    )
    if any(one.says not in (*MARKS, FAMILY, chosen.says) for one in others) or (
        chosen.says in MARKS and others
    ):
        return said
    return (*others, replace(chosen, strong=True))


def trade_of(kind: str, own: TextReading, reference: TextReading, lexicon: Lexicon) -> str:
    """Return the trade of a payer, by its kind, its name or the text: the first trade that pays what the text says; empty if nothing shows one.

    Args:
        kind: Kind of the known payer; empty if not known.
        own: What the counterparty's or merchant's name says.
        reference: What the description says.
        lexicon: Trades.
    """
    shown = [lexicon.trades.of_kind.get(kind, ""), *own.trades]
    # "DWP UC" from "DWP HELPERS LTD" does not show a public body.
    shown += [one for one in reference.trades if not (own.company and one in lexicon.trades.public)]
    plied = [one for one in shown if one]
    paid = {of for of, _ in reference.by_trade}
    return next((one for one in plied if one in paid), plied[0] if plied else "")


def _party_clue(party: str, where: str) -> Iterable[Clue]:
    if party in PARTY_WORDS:
        yield Clue(f"the payer's name looks like that of a {PARTY_WORDS[party]}", party, SUPPORTS, where)


_SILENT = {
    (party, where): Nature(party=party, clues=tuple(_party_clue(party, where)))
    for party in PARTIES
    for where in (NAME, TEXT)
}
