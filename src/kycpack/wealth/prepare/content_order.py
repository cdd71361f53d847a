"""An order of transactions and accounts by what they contain: ids are names, and no choice between payments may rest on a name.

A payment comes before another one by its day, amount, currency, and then its texts and balance. An account comes before another one of
the customer as its first payments do. Only what is equal in all of this is in the order of its ids, and then it does not matter which
of the two is chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import numpy.typing as npt

from kycpack.wealth.prepare.coded import Codes, joint_code, sorted_by


def order_by_content(
    customer: Codes,
    account: Codes,
    numbers: tuple[Codes, ...],
    further: Iterable[Callable[[Codes], npt.NDArray[np.object_]]],
    ids: npt.NDArray[np.object_],
) -> tuple[Codes, Codes]:
    """Return the order of accounts, and the place of each row among all.

    Args:
        customer: Customer of each row.
        account: Account of each row, numbered by customer and id; one number belongs to one customer.
        numbers: What rows are compared by first, the most important first; most rows differ in it.
        further: Values of given rows as texts, None for a missing one, that are compared only where all of the numbers are equal.
        ids: Ids of the rows.

    Returns:
        The accounts, each customer's in the order of their contents; and for each row its place by customer, content and account.
    """
    code = joint_code(customer, *numbers)
    tied = np.flatnonzero((np.bincount(code, minlength=1) > 1)[code])
    code = _with_ties_split(code, tied, [_ranks(texts_of(tied)) for texts_of in further])
    accounts = _accounts_in_order(customer, account, code)
    rank = np.empty(len(accounts), dtype=np.int64)
    rank[accounts] = np.arange(len(accounts))
    place = np.empty(len(code), dtype=np.int64)
    of_id = np.zeros(len(code), dtype=np.int64)
    of_id[tied] = _ranks(ids[tied])
    place[sorted_by(code, rank[account], of_id)] = np.arange(len(code))
    return accounts, place


def _ranks(texts: npt.NDArray[np.object_]) -> Codes:
    """Return the place of each text in the order of texts; -1 for a missing one."""
    given = texts.tolist()
    place = {text: rank for rank, text in enumerate(sorted(set(given) - {None}))}
    return np.array([place.get(text, -1) for text in given], dtype=np.int64)


def _with_ties_split(code: Codes, tied: Codes, values: list[Codes]) -> Codes:
    """Return codes, in the same order, in which rows with one code that differ in a value have different codes."""
    keys = (code[tied], *values)
    order = sorted_by(*keys)
    new = np.zeros(len(order), dtype=np.bool_)
    new[1:] = np.any([np.diff(one[order]) != 0 for one in keys[1:]], axis=0) if values else False
    new[1:] &= np.diff(keys[0][order]) == 0
    begins = np.zeros(len(code) + 1, dtype=np.int64)
    np.add.at(begins, keys[0][order[new]] + 1, 1)  # so many more codes before the next one
    further = np.cumsum(new) - np.cumsum(begins)[keys[0][order]]
    result = code + np.cumsum(begins)[code]
    result[tied[order]] += further
    return result


def _accounts_in_order(customer: Codes, account: Codes, code: Codes) -> Codes:
    """Return the accounts by customer, and those of one customer by the codes of their rows in order."""
    size = int(account.max(initial=-1)) + 1
    owner = np.zeros(size, dtype=np.int64)
    owner[account] = customer
    several = (np.bincount(owner, minlength=1) > 1)[owner]
    order = sorted_by(account, code)
    order = order[several[account[order]]]
    # Bytes of numbers written from the largest digit to the smallest sort as the numbers do.
    histories = np.split(code[order].astype(">i8"), np.flatnonzero(np.diff(account[order])) + 1)
    written = dict.fromkeys(range(size), b"")
    written |= {
        int(one): history.tobytes()
        for one, history in zip(np.flatnonzero(several).tolist(), histories, strict=False)
    }
    return np.array(sorted(range(size), key=lambda one: (int(owner[one]), written[one])), dtype=np.int64)
