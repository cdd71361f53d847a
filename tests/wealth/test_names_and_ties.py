"""Law: ids are names. Other ids, or the rows in another order, change nothing but the names themselves."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pandas as pd
import pytest
from tests.wealth.tied_histories import Histories, histories

_ROW = ["customer_id", "account_id", "txn_id"]
_CONTENT = [
    "booked_on", "amount_minor", "currency", "description_raw", "status", "counterparty_name", "balance_after_minor",
]  # fmt: skip
_NAMES = {"stream_id", "follows_stream_id", "source_id", "evidence_id"}


class _Said:
    """What was derived, with every id replaced by what it stands for."""

    def __init__(self, given: Histories, back: dict[str, str]) -> None:
        rows = given.transactions
        content = [name for name in _CONTENT if name in rows]
        self._back = back
        self._of = {
            (row[0], row[1], row[2]): tuple(map(str, row[3:]))
            for row in rows[[*_ROW, *content]].itertuples(index=False, name=None)
        }
        self.wealth = given.derived()

    def _name(self, one: Any) -> Any:
        return self._back.get(one, one) if isinstance(one, str) else one

    def _row(self, *key: Any) -> tuple[Any, ...]:
        return (self._name(key[0]), self._name(key[1]), self._of.get(key))

    def frame(self, name: str) -> Counter[tuple[Any, ...]]:
        """Return the rows of a frame with how often each occurs."""
        frame: pd.DataFrame = getattr(self.wealth, name)
        columns = [one for one in frame.columns if one not in _NAMES]
        found = []
        for row in frame[columns].to_dict("records"):
            customer = row.get("customer_id")
            for prefix in ("", "kept_", "credit_", "debit_"):
                if f"{prefix}txn_id" in row:
                    account = row.pop(f"{prefix}account_id")
                    key = (customer, account, row.pop(f"{prefix}txn_id"))
                    row[f"{prefix}row"] = None if pd.isna(key[2]) else self._row(*key)
            for other in ("pair_txn_id", "may_repeat_txn_id"):
                if other in row:
                    row[other] = None if pd.isna(row[other]) else self._days_of(customer, row[other])
            if "txn_ids" in row:
                keys = zip(row.pop("account_ids"), row.pop("txn_ids"), strict=True)
                row["rows"] = sorted(str(self._row(customer, *key)) for key in keys)
            row.pop("row", None)
            found.append(tuple((one, str(self._name(value))) for one, value in sorted(row.items())))
        return Counter(found)

    def _days_of(self, customer: str, txn_id: str) -> list[tuple[str, ...]]:
        return sorted(of for (who, _, one), of in self._of.items() if who == customer and one == txn_id)

    def statement(self, customer: str) -> Any:
        said = self.wealth.statement(customer)
        sources = [one and one.model_dump() for one in (said.primary_source, *said.additional_sources)]
        return self._renamed(f"{sources} {said.context}")

    def explained(self, customer: str) -> list[str]:
        mine = self.wealth.of(self.wealth.streams, customer)["stream_id"]
        return sorted(self._renamed(str(self.wealth.explain(one))) for one in mine)

    def _renamed(self, text: str) -> str:
        known = re.sub(r"\b[cat]\d{6}\b", lambda new: self._back[new.group()], text)
        return re.sub(r"S-[0-9a-f]{12}", "S", known)

    def support(self, customer: str) -> list[Any]:
        asked = [self.wealth.sufficiency(customer, None, amount, "GBP") for amount in (500, 5_000, 50_000)]
        return [
            (one.answer, one.supported_minor, one.basis, one.assumptions, len(one.source_ids))
            for one in asked
        ]


def differences(seed: int) -> list[str]:
    given = histories(seed)
    other, back = given.renamed(seed + 1)
    one, two = _Said(given, {}), _Said(other, back)
    found = []
    for name in (
        "credits",
        "streams",
        "pairs",
        "set_aside",
        "coverage",
        "flags",
        "flows",
        "feed_holes",
        "balance_breaks",
        "rejects",
    ):
        first, second = one.frame(name), two.frame(name)
        if first != second:
            found.append(
                f"{name}: {list((first - second).elements())[:1]} {list((second - first).elements())[:1]}"
            )
    for new, old in back.items():
        if old in set(given.customers["customer_id"]):
            if one.statement(old) != two.statement(new):
                found.append(f"statement: {one.statement(old)} {two.statement(new)}")
            if one.explained(old) != two.explained(new):
                found.append(f"explained: {one.explained(old)} {two.explained(new)}")
            if one.support(old) != two.support(new):
                found.append(f"support: {one.support(old)} {two.support(new)}")
    return found


@pytest.mark.parametrize("seed", range(12))
def test_other_ids_and_another_order_of_rows_change_only_names(seed: int) -> None:
    assert differences(seed) == []
