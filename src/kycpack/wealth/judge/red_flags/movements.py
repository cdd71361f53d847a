"""The movements in a customer's accounts, payment by payment, as the red flags use them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kycpack.wealth.judge.red_flags.other_parties import (
    account_numbers,
    by_card,
    of_firms,
    other_parties,
    own_names,
    payer_keys,
)
from kycpack.wealth.judge.red_flags.payment_words import TOPICS, are_called, speak_of, topics_of, words_about
from kycpack.wealth.match.own_transfers import OWN_TRANSFERS, Pairs
from kycpack.wealth.match.sides import Debits, OwnParties
from kycpack.wealth.prepare.clues import EVIDENCE_LEVELS, ONLY_POSSIBLE
from kycpack.wealth.prepare.coded import Codes, Mask, Words, first_said, joint_code, pick, sorted_by, words_of
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.lexicon import NO_TYPE, OTHER, Lexicon
from kycpack.wealth.prepare.parties import PERSON, UNKNOWN
from kycpack.wealth.prepare.payers import party_keys
from kycpack.wealth.prepare.readings import Reading
from kycpack.wealth.prepare.signals import Signals, is_party

# The type of such a credit does not explain it: the nature is not known, rests only on the sender's word, or is just how the money came.
OPEN_TYPES = frozenset({OTHER, "gift", "person_transfer", "cash_deposit"})
_ITS_OWN_WORD = ("none", "keyword", "purpose")
_NOT_A_LETTER = re.compile(r"[-_]")
# A payment to a known firm of these kinds is not the money's final destination.
_NO_PURCHASE = frozenset({"broker", "crypto", "gambling", "payment_processor"})
_ORDERED = "PMNT-ICDT"
_CARD, _DEBITED, _CASH_OUT = "PMNT-CCRD", "PMNT-RDDT", ("PMNT-CCRD-CWDL", "PMNT-CNTR-CWDL", "PMNT-MCRD-CWDL")


class Movement(NamedTuple):
    """A booked payment; a named tuple, because a batch makes millions of them.

    Args:
        day: Booking day, days since 1970-01-01.
        amount: Minor units, above zero.
        is_credit: Into the account.
        account: Account, as its mark in `Book.account_marks`: what is sorted by it does not depend on a name.
        txn_id: Transaction, as its mark in `Book.txn_marks`.
        evidence_id: Evidence entry from which it was read.
        party: Key of the other party; empty if nobody is named.
        payer: Key of a credit's payer in the streams, shared by all its spellings; empty for a debit, and where a party's cards stand for several.
        stranger: The other party is a person, is not recognised as anything in particular, or is paid abroad, and does not have the customer's surname.
        kind: Kind of the other party if it is known, such as `crypto`.
        type: Type of a credit; for a debit, what its words describe.
        is_open: A credit whose nature is not established, or whose type shows only how the money came.
        unproven: The same, or a credit whose nature is supported only by the sender's word; one that is given back counts too: whoever gives it back chooses the word.
        own: Between the customer's accounts, linked or not.
        returned: A refund or reversal.
        purchase: A debit that looks like a purchase or a bill.
        collected: A debit that only a firm can take: by card or by direct debit, or to a party that takes such debits; or a credit that comes back on a card.
        abroad: A debit that leaves the country, or goes to a firm that carries money to people.
        upkeep: A debit to a firm whose words show that it is a care home, a school or a diocese, which people pay month after month.
        event: A debit whose words describe a wedding or another celebration.
        voucher: A debit whose words describe gift cards or vouchers.
        lent: A credit whose words describe a loan, and not one that is paid back.
        given: A credit whose words describe a grant, or a gift to a cause.
        cash: Cash paid in or withdrawn.
        place: For cash paid in, the words of the text, which show where, and for what a money carrier sends, those that show to whom; empty for other payments.
        property: The words describe buying or selling a home or land, as does the name of a lawyer or an estate agent, and the tax on it that goes to the tax office.
        trade: A debit to a firm whose words describe what a trade buys.
        self_named: The other party has the customer's own first name and surname.
        related: The other party has the customer's surname, is called a relative, or shares a household with the customer.
        kin: The other party has the customer's surname, which is more than a word in a text.
        loan: A loan paid out, or a payment to a lender.
        partner: For an own transfer, the account on the other side, if it is linked.
        number: The other party's account as the bank writes it; empty if it does not.
        turn: Place among the payments of the account on that day, from 1; 0 where the data does not show it.
    """

    day: int
    amount: int
    is_credit: bool
    account: str
    txn_id: str
    evidence_id: str | None
    party: str
    payer: str
    stranger: bool
    kind: str
    type: str
    is_open: bool
    unproven: bool
    own: bool
    returned: bool
    purchase: bool
    collected: bool
    abroad: bool
    upkeep: bool
    event: bool
    voucher: bool
    lent: bool
    given: bool
    cash: bool
    place: str
    property: bool
    trade: bool
    self_named: bool
    related: bool
    kin: bool
    loan: bool
    partner: str
    number: str
    turn: int = 0


@dataclass(frozen=True, eq=False)
class Credits:
    """The credits of a book, with their natures.

    Args:
        rows: Rows of the book.
        signals: What the credits' codes, payers and words show.
        own: Which are counted as own transfers.
        refund: Which are counted as refunds.
        type_code: Their types; `NO_TYPE` if it is not known.
        level: How these are known, an index into `EVIDENCE_LEVELS`.
        payer: Their payers in normal form.
    """

    rows: Codes
    signals: Signals
    own: Mask
    refund: Mask
    type_code: Codes
    level: Codes
    payer: Words


def movements_of(
    book: Book,
    credits_: Credits,
    debits: Debits,
    pairs: Pairs,
    parties: OwnParties,
    lexicon: Lexicon,
    most_relatives: int,
    turns: Codes,
) -> tuple[list[tuple[str, str]], Codes, Any]:
    """Return customers with a currency, the index of the first movement of each, and a `Movement` of columns, by day, with credits first on each day.

    Args:
        book: Transactions.
        credits_: The credits that count and do not duplicate another one.
        debits: The debits that count and do not duplicate another one.
        pairs: Own transfers, from `match_own_transfers`.
        parties: Names and accounts of the customers.
        lexicon: Words that do not name a party, and names of types.
        most_relatives: If so many payers of one customer are related only by their words, none of these words is believed.
        turns: From `turns_of`, for all rows of the book.
    """
    rows = np.concatenate([credits_.rows, debits.rows])
    columns = _columns(book, rows, credits_, debits, pairs, parties, lexicon, most_relatives)
    owner = book.owners(rows)
    is_debit = np.arange(len(rows)) >= len(credits_.rows)
    order = sorted_by(owner, book.day[rows], is_debit, book.account[rows], book.place[rows])
    starts = np.flatnonzero(np.diff(owner[order], prepend=-1))
    first = rows[order[starts]]
    owners = zip(book.customer.texts(first).tolist(), book.currency.texts(first).tolist(), strict=True)
    each: Any = Movement._make(
        one.ordered(order) if isinstance(one, Words) else one[order] for one in [*columns, turns[rows]]
    )
    return list(owners), starts, each


def _columns(
    book: Book,
    rows: Codes,
    credits_: Credits,
    debits: Debits,
    pairs: Pairs,
    parties: OwnParties,
    lexicon: Lexicon,
    most_relatives: int,
) -> list[npt.NDArray[Any] | Words]:
    """Return the fields of `Movement`, one value per row."""
    spent = debits.signals
    topics, called = _topics(book, rows, lexicon)
    like = [credits_.signals, spent]
    # A known firm is one party, however a bank writes it.
    whole_party = first_said(_of_readings(like, _known_name), party_keys(book, rows, lexicon))
    surname, self_named = own_names(book, rows, whole_party, parties)
    debit = np.arange(len(rows)) >= (split := len(credits_.rows))
    family = surname & ~self_named & ~debit
    party, for_firm = of_firms(book, rows, family, other_parties(book, rows, whole_party, lexicon), lexicon)
    surname &= ~for_firm
    of_party = joint_code(book.customer.codes[rows], party.codes)
    nobody, names = ~party.present, party.distinct.tolist()
    person = np.concatenate([is_party(one, PERSON) for one in like]) & ~for_firm
    kind = _of_readings(like, lambda one: one.kind, "bank", "gambling", "tax_office")
    # Savings are held with more firms than a list can name; a firm whose name says that it keeps savings keeps them for the customer.
    # In `ISA KHAN`, a first word that looks like one is a person's name.
    after_first = [name.partition(" ")[2] for name in names]
    kind.put("bank", kind.are("") & ~person & speak_of("saving", after_first, party.codes))
    kind.put(
        "gambling",
        kind.are("")
        & _of_same_party(of_party, nobody, kind.are("gambling") | _takes_bets(whole_party, person)),
    )
    type_ = _types(credits_, spent, lexicon)
    said = np.concatenate([one.family for one in like]) | topics["joint"]
    claimed = said & ~surname & ~nobody & ~debit
    crowd = _claimed_by_many(book.customer.codes[rows], party.codes, claimed, most_relatives)
    related = (surname | (said & ~crowd)) & ~for_firm
    own, partner = _own(book, rows, credits_, debits, pairs, lexicon)
    returned = credits_.refund
    known_by = Words(credits_.level, np.array(EVIDENCE_LEVELS, dtype=object))
    not_known = type_.are(*OPEN_TYPES)[:split]
    for possible, level in ONLY_POSSIBLE:
        not_known |= type_.are(possible)[:split] & known_by.are(level)
    open_ = (not_known | credits_.signals.doubtful) & ~own[:split] & ~returned
    unproven = open_ | ((known_by.are(*_ITS_OWN_WORD) | (returned & not_known)) & ~own[:split])
    somebody = _of_same_party(of_party, nobody, person)
    unknown = np.concatenate([is_party(one, UNKNOWN) for one in like]) & ~for_firm
    # A text that the bank begins with a transfer order is no withdrawal and no collection, whatever the payer adds.
    ordered = topics["ordered"] | _has_code(book, rows, (_ORDERED,))
    cash = _has_code(book, rows, _CASH_OUT) | (topics["cash_out"] & ~ordered)
    # Cash that is called rent or takings when it is paid in is still cash.
    counter = topics["counter"] & ~topics["cheque"] & (book.names.codes[rows] < 0)
    cash[:split] = (type_.are("cash_deposit") | topics["cash_in"] | counter)[:split]
    debited = _has_code(book, rows, (_DEBITED,)) | (topics["debited"] & ~ordered)
    carded = _has_code(book, rows, (_CARD,)) | ((topics["by_card"] | topics["card_first"]) & ~ordered)
    carded[split:] |= spent.merchant
    remitted = topics["remittance"] | (
        (speak_of("changer", names, party.codes) | called["exchange_house"]) & ~person & ~carded
        | speak_of("carrier", names, party.codes) & kind.are("payment_processor")
    )
    taxed = kind.are("state_paymaster") | (kind.are("") & debited & topics["taxes"])
    kind.put("tax_office", taxed & debit)
    # Whoever has the number of a gift card has the money.
    bought = debit & ~cash & ~remitted & ~kind.are("crypto", "gambling") & ~topics["voucher"]
    collected = (_of_same_party(of_party, nobody, bought & (carded | debited)) & bought) | (
        carded & ~debit & ~cash & ~somebody
    )
    purchase = bought & (collected | ~kind.are("", *_NO_PURCHASE) | (called["purchases"] & ~somebody))
    loan = (type_.are("loan") & ~(person & ~debit)) | (kind.are("lender") & debit)
    never = np.zeros(len(debits.rows), dtype=np.bool_)
    cards = by_card(book, rows, party, ~debit & unknown & kind.are(""))
    return [
        book.day[rows],
        np.abs(book.amount[rows]),
        ~debit,
        words_of(book.account_marks, book.account[rows]),
        book.txn_marks[rows],
        words_of(book.evidence_id.distinct, book.evidence_id.codes[rows], None),
        cards,
        payer_keys(credits_.payer, party, cards),
        (person | unknown | (topics["abroad"] & debit)) & ~related,
        kind,
        type_,
        np.concatenate([open_, never]),
        np.concatenate([unproven, never]),
        own,
        np.concatenate([returned, never]),
        purchase,
        collected,
        (topics["abroad"] | remitted) & debit,
        called["upkeep"] & ~somebody & debit & ~cash,
        topics["event"] & debit & ~cash,
        topics["voucher"] & debit,
        topics["lent"] & ~topics["repaid"] & ~debit,
        topics["given"] & ~debit & ~cash,
        cash,
        _places(book, rows, (cash & ~debit) | (remitted & debit & ~cash), lexicon),
        (called["property"] | (topics["stamp_duty"] & kind.are("tax_office"))) & ~cash,
        ((called["trade"] & ~somebody) | are_called("trade", party) | (topics["lottery"] & debited))
        & debit
        & ~cash,
        self_named,
        related,
        surname,
        loan,
        partner,
        account_numbers(book, rows),
    ]


def _of_same_party(of_party: Codes, nobody: Mask, chosen: Mask) -> Mask:
    """Return which rows belong to a customer and a named party that have a chosen row."""
    among = np.bincount(of_party[chosen], minlength=len(of_party)) > 0
    return (among[of_party] & ~nobody) | chosen


def _claimed_by_many(owner: Codes, party: Codes, claimed: Mask, most: int) -> Mask:
    """Return the claimed rows of customers with so many different parties that claim something that it is not to be believed."""
    several = np.unique(np.stack([owner[claimed], party[claimed]]), axis=1)[0]
    counted = np.bincount(several, minlength=int(owner.max(initial=-1)) + 1)
    return claimed & (counted[owner] >= most)


def _takes_bets(names: Words, person: Mask) -> Mask:
    """Return which rows are of a betting firm, and not of a person, by the name.

    The last word of a name shows what the firm does: no list has every bookmaker, and `ALPHA BET NURSERY` takes no bets. `LUCKMOOR BET WITHDRAWAL` is
    a credit from the firm that `LUCKMOOR BET` names as a payee.
    """
    last = [name.rpartition(" ")[2] if " " in name else "" for name in names.distinct]
    return speak_of("betting", last, names.codes) & ~person


def _of_readings(both: Sequence[Signals], say: Callable[[Reading], str], *more: str) -> Words:
    """Return a text from each reading of credits and debits, with room for further words."""
    said = [say(reading) for one in both for reading in one.readings]
    credited, spent = both
    codes = np.concatenate([credited.reading, spent.reading + len(credited.readings)])
    return words_of(np.array([*said, *more], dtype=object), codes)


def _known_name(reading: Reading) -> str:
    """Return the name of a known firm; empty if it is not known."""
    return _NOT_A_LETTER.sub(" ", reading.entity.rpartition(".")[2])


def _types(credits_: Credits, spent: Signals, lexicon: Lexicon) -> Words:
    """Return the types of credits, and the types that the words of debits describe."""
    code = np.concatenate([credits_.type_code, spent.type_code])
    return Words(np.where(code == NO_TYPE, lexicon.code(OTHER), code), np.array(lexicon.types, dtype=object))


def _topics(book: Book, rows: Codes, lexicon: Lexicon) -> tuple[dict[str, Mask], dict[str, Mask]]:
    """Return, for each topic of `TOPICS`, which rows contain it in the name of the other party or in the text, and which contain it in the name.

    The text stands for the name where no name is given; otherwise whoever pays can write anything in it.
    """
    columns = book.names, book.columns["description_raw"]
    both = [one.read(lexicon.words_of).read(topics_of) for one in columns]
    # Many texts have few combinations of topics. The first place is for rows without a name, or without a text.
    size = len(both[1].distinct) + 1
    pair = (both[0].codes[rows] + 1) * size + both[1].codes[rows] + 1
    named, said = (np.array([[False, *(it in one for one in of.distinct)] for it in TOPICS]) for of in both)
    by_either = (named[:, :, None] | said[:, None]).reshape(len(TOPICS), -1)
    by_name = np.concatenate([said, np.repeat(named[:, 1:], size, axis=1)], axis=1)
    tables = (table.take(pair, axis=1) for table in (by_either, by_name))
    either, called = (dict(zip(TOPICS, table, strict=True)) for table in tables)
    return either, called


def _has_code(book: Book, rows: Codes, beginnings: tuple[str, ...]) -> Mask:
    """Return which rows have a bank transaction code that begins with one of the given texts."""
    if "bank_code" not in book.columns:
        return np.zeros(len(rows), dtype=np.bool_)
    column = book.columns["bank_code"]
    begins = np.array([str(one).upper().startswith(beginnings) for one in column.distinct], dtype=np.bool_)
    return pick(begins, column.codes[rows], missing=False)


def _places(book: Book, rows: Codes, chosen: Mask, lexicon: Lexicon) -> Words:
    """Return the words of the text of chosen rows, without numbers, days and the way of paying in: it is not a place. A carrier's name is the same in all its texts."""
    code = np.full(len(rows), -1, dtype=np.int64)
    words = book.columns["description_raw"].read(lexicon.words_of).of_rows(rows[chosen])
    ways = words_about("cash_in", "counter")
    kept = [
        " ".join(one for one in text.split() if one.isalpha() and one not in ways)
        for text in words.distinct.tolist()
    ]
    code[chosen] = words.codes
    return words_of(np.array(kept, dtype=object), code)


def _own(
    book: Book,
    rows: Codes,
    credits_: Credits,
    debits: Debits,
    pairs: Pairs,
    lexicon: Lexicon,
) -> tuple[Mask, Words]:
    """Return which rows are between the customer's accounts, and the linked account on the other side."""
    own = np.zeros(len(book), dtype=np.bool_)
    partner = np.full(len(book), -1, dtype=np.int64)
    somebody = np.zeros(len(book), dtype=np.bool_)
    somebody[debits.rows] = debits.sides.other
    bare = np.zeros(len(book), dtype=np.bool_)
    bare[debits.rows] = debits.sides.words != ""
    # A transfer that is only possible counts if it names nobody else: a fee or a split payment does not make it somebody else's money, and nor does a
    # word such as HOUSEHOLD that is on both sides and is no person's or firm's name.
    possible = np.asarray(pairs.verdict == "possible")
    one_word = party_keys(book, pairs.credit, lexicon)[:] == party_keys(book, pairs.debit, lexicon)[:]
    nobody = ~somebody[pairs.debit] | (possible & one_word & bare[pairs.debit])
    likely = np.isin(pairs.verdict, OWN_TRANSFERS) | (nobody & (pairs.verdict != "contradicted"))
    into, out = pairs.credit[likely], pairs.debit[likely]
    own[into] = own[out] = True
    partner[into] = book.account[out]
    partner[out] = book.account[into]
    own[credits_.rows] |= credits_.own
    own[debits.rows] |= debits.sides.own | debits.sides.worded
    return own[rows], words_of(book.account_marks, partner[rows])
