"""Irregularities between a firm and the people it pays: names without real people, invoices from its own staff, and firms that support somebody.

Sources: Association of Certified Fraud Examiners, Fraud Examiners Manual (2023), payroll and billing schemes; OECD, Bribery and Corruption Awareness Handbook
for Tax Examiners (2013); FATF, Guidance on Politically Exposed Persons (2013), family members supported by firms.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from kycpack.wealth.judge.red_flags.flag import Flag, beside_income, make_flag
from kycpack.wealth.judge.red_flags.life import Life, keeps_no_rhythm
from kycpack.wealth.judge.red_flags.lives import found_where
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.outgoings import is_taxed, is_trader

_FEWEST_MONTHS = 3
_FEWEST_TIMES = 4
_FEWEST_KEEPERS = 2
_FEWEST_PARTIES = 3
_FEWEST_SUMS = 3
_FEWEST_ACCOUNTS = 2


@found_where(
    lambda lives: (
        lives.parties(lives.to_unknown & lives.written("number") & (lives.times_paid_out >= _FEWEST_MONTHS))
        >= lives.limits.one_account_names
    )
)
def names_of_one_account(life: Life) -> Iterator[Flag]:
    """Yield payments to several names, with no word in common, that all go to one account, repeatedly: a couple shares an account, a staff does not."""
    limits = life.limits
    by_number: dict[str, list[Movement]] = defaultdict(list)
    for one in life.uncollected:
        if one.number and one.party and not (one.kind or one.cash):
            by_number[one.number].append(one)
    chosen: list[Movement] = []
    for _, rows in sorted(by_number.items()):
        names: list[str] = []
        for party in sorted({one.party for one in rows}):
            if not any(set(party.split()) & set(other.split()) for other in names):
                names.append(party)
        times = Counter(one.party for one in rows)
        if sum(times[party] >= _FEWEST_MONTHS for party in names) >= limits.one_account_names:
            chosen += rows
    if sum(one.amount for one in chosen) >= max(life.minor(limits.one_account_total), 1):
        yield make_flag(
            "names_of_one_account",
            "Several names and one account: {debits_words} to {payees_words} by name, {debits_minor} in all, all to one account, {dates}",
            life.currency,
            (),
            chosen,
        )


@found_where(
    lambda lives: (
        lives.has(lives.credits & lives.of_type("employment"), _FEWEST_TIMES)
        & (lives.accounts(lives.credits) >= _FEWEST_ACCOUNTS)
    )
)
def employer_as_customer(life: Life) -> Iterator[Flag]:
    """Yield what an employer pays into an account other than the one for the wage, in uneven sums and more than expenses: staff who supply their own employer."""
    limits = life.limits
    for party, account in sorted(_wages_into(life).items()):
        rows = life.payments_of[party]
        # The same wage on the same days is one account linked twice.
        wage = {(one.day, one.amount) for one in rows if one.account == account}
        beside = [
            one
            for one in rows
            if one.account != account and not one.cash and (one.day, one.amount) not in wage
        ]
        total = sum(one.amount for one in beside)
        if (
            len(beside) >= limits.supplied_count
            and len({one.amount for one in beside}) >= limits.supplied_count
            and total >= limits.supplied_share * sum(one.amount for one in rows)
        ):
            yield make_flag(
                "employer_as_customer",
                "An employer that also pays another account: {credits_words} besides the wage, {credits_minor} in all, in uneven sums, {dates}",
                life.currency,
                beside,
            )
            return


def _wages_into(life: Life) -> dict[str, str]:
    """Return, for each employer that pays into several accounts, the account that receives similar sums month after month."""
    found = {}
    for party, rows in life.payments_of.items():
        if len({one.account for one in rows}) < _FEWEST_ACCOUNTS:
            continue
        by_account: dict[str, list[Movement]] = defaultdict(list)
        for one in rows:
            if one.type == "employment":
                by_account[one.account].append(one)
        for account, mine in sorted(by_account.items()):
            amounts = sorted(one.amount for one in mine)
            usual = amounts[len(amounts) // 2]
            like = sum(10 * abs(amount - usual) <= usual for amount in amounts)
            if len(mine) >= _FEWEST_TIMES and 10 * like >= 8 * len(mine):
                found[party] = account
    return found


@found_where(
    lambda lives: (
        lives.has(
            lives.from_unknown & lives.open & lives.at_least(lives.limits.kept_least),
            lives.limits.kept_count,
        )
        & lives.comes_to(lives.from_unknown & lives.open, lives.limits.kept_total)
    )
)
def kept_by_firms(life: Life) -> Iterator[Flag]:
    """Yield sums whose nature is not established from several firms, in no monthly rhythm and beyond all income, to somebody who has no trade and pays no tax on them."""
    limits = life.limits
    if is_trader(life):
        return
    paid = [
        one
        for one in life.open_credits
        if one.party
        and keeps_no_rhythm(life, life.payments_of[one.party])
        and not (one.stranger and one.type == "person_transfer")
        and not (one.kind or one.cash or one.related or one.self_named or one.property)
        and one.amount >= life.minor(limits.kept_least)
    ]
    times = Counter(one.party for one in paid)
    paid = [one for one in paid if times[one.party] >= _FEWEST_SUMS]
    total = sum(one.amount for one in paid)
    firms = {one.party for one in paid if not one.stranger}
    if (
        len(firms) >= _FEWEST_KEEPERS
        and len({one.party for one in paid}) >= _FEWEST_PARTIES
        and len(paid) >= limits.kept_count
        and total >= life.minor(limits.kept_total)
        and total >= life.yearly_income
        and not is_taxed(life, total, paid[0].day)
    ):
        yield make_flag(
            "kept_by_firms",
            "Kept by firms: {credits_words} from {payers_words}, {credits_minor} in all, whose nature is not established, {dates}, "
            + beside_income(life.income_minor),
            life.currency,
            paid,
            income_minor=life.income_minor,
        )
