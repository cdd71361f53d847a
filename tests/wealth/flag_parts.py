"""What tests of red flags share: kinds by level, a year of pay, and stories that were derived once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from tests.wealth.money_patterns import Diary

from kycpack.wealth import Wealth, derive
from kycpack.wealth.judge.red_flags.lives import Lives
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.prepare.coded import words_of
from kycpack.wealth.thresholds import Thresholds

Ledger = Callable[..., pd.DataFrame]
Stories = list[tuple[str, bool, pd.DataFrame, Wealth]]
AS_OF = "2025-12-31"
SEED = 20_260_627
SEEDS = range(6)


def codes(wealth: Wealth) -> dict[str, str]:
    return dict(zip(wealth.flags["code"], wealth.flags["severity"], strict=True))


def pay() -> list[tuple[object, ...]]:
    return [(f"2025-{month:02d}-27", 200_000, "ACME LTD SALARY") for month in range(1, 13)]


def is_found(wealth: Wealth) -> bool:
    return "edd" in set(wealth.flags["severity"])


def movement(day: int, amount: int, party: str, *, is_credit: bool) -> Movement:
    return Movement(
        day=day, amount=amount, is_credit=is_credit, account="A", txn_id=f"{day} {amount} {party}", evidence_id=None, party=party, payer="",
        stranger=True, kind="", type="other", is_open=is_credit, unproven=is_credit, own=False, returned=False, purchase=False, collected=False, abroad=False, upkeep=False, event=False, voucher=False, lent=False, given=False,
        cash=False, place="", property=False, trade=False, self_named=False, related=False, kin=False, loan=False, partner="", number="",
    )  # fmt: skip


def lives_of(all_: Sequence[Sequence[Movement]], limits: Thresholds) -> Lives:
    """Return payments, given by customer, as columns."""
    each: Any = Movement._make(
        words_of(np.array(column, dtype=object), np.arange(len(column)))
        if isinstance(column[0], (str, type(None)))
        else np.array(column)
        for column in zip(*(one for rows in all_ for one in rows), strict=True)
    )
    owners = [(f"C{number}", "GBP") for number in range(len(all_))]
    starts = np.cumsum([0, *(len(rows) for rows in all_[:-1])])
    return Lives(owners, starts, each, limits, dict.fromkeys(owners[::2], 1_000))


def derived(*makers: Callable[[], Iterable[tuple[str, bool, pd.DataFrame, pd.DataFrame]]]) -> Stories:
    """Return kind, whether it is guilty, transactions, and the credits and flags derived from them.

    Each story is a customer of one frame: many at once give what each alone gives (`test_blocks.py`), in a fraction of the time.
    """
    stories = [story for make in makers for story in make()]
    names = [f"C{number:04d}" for number in range(len(stories))]
    rows, accounts = (
        pd.concat(
            [story[part].assign(customer_id=name) for name, story in zip(names, stories, strict=True)],
            ignore_index=True,
        )
        for part in (2, 3)
    )
    whole = derive(rows, accounts=accounts, as_of="2026-06-27")
    credited, flags = whole.credits.groupby("customer_id"), whole.flags.groupby("customer_id")
    return [
        (
            kind,
            guilty,
            mine,
            replace(
                whole,
                credits=credited.get_group(name),
                flags=flags.get_group(name) if name in flags.groups else whole.flags.head(0),
            ),
        )
        for name, (kind, guilty, mine, _) in zip(names, stories, strict=True)
    ]


def derived_kinds(
    kinds: Iterable[tuple[Callable[[Diary], None], bool]], *, salary: float | None = 0
) -> Stories:
    """Return what `derived` does of each kind, once for each of `SEEDS`, in the year of somebody who lives an ordinary life.

    Args:
        kinds: What happens in the year, and whether it is guilty.
        salary: The monthly salary in pounds; 0 for a random one, None for no salary.
    """

    def stories() -> Iterator[tuple[str, bool, pd.DataFrame, pd.DataFrame]]:
        for make, guilty in kinds:
            for seed in SEEDS:
                diary = Diary(f"{make.__name__} {seed}")
                if salary is not None:
                    diary.salary(amount=salary)
                diary.live()
                make(diary)
                yield (make.__name__, guilty, *diary.frames())

    return derived(stories)


def codes_by_kind(stories: Stories) -> dict[str, list[dict[str, str]]]:
    """Return the codes and levels of the flags of each story, by kind."""
    found: dict[str, list[dict[str, str]]] = {}
    for kind, _, _, wealth in stories:
        found.setdefault(kind, []).append(codes(wealth))
    return found
