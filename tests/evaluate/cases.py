"""Small whole statements, each with what must be said of it and what must not, as a table of misses.

Written by an author who had not read the code; see `data/evaluation/README.md` for the meaning of each field.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

import pandas as pd
from tests.evaluate.blind.load import Case, cases

from kycpack.wealth import Wealth, derive

# Cases that follow an example which the authors of the code know as well.
FAMILIAR = frozenset(
    f"C{number:02d}"
    for number in (9, 11, 13, 14, 17, 18, 19, 20, 22, 23, 24, 30, 33, 34, 43, 50, 51, 53, 54, 60)
)
_NOT_INCOME = ("own_transfer", "refund")
_NATURE_KNOWN = ("code", "entity", "keyword", "purpose", "pattern")
_NEVER_A_NATURE = ("other", "gift", "person_transfer", "cash_deposit", "savings", "loan")
_SUFFICIENT = {
    "supported": "yes",
    "not supported": "no",
    "partly supported": "no",
    "cannot tell": "cannot_tell",
}


@dataclass(frozen=True)
class Answer:
    """What was asked of one case, and what the toolkit says."""

    case_id: str
    about: str
    title: str
    demand: str
    said: object
    right: bool


def answers() -> Iterator[Answer]:
    """Yield an answer for each demand of each case."""
    for case in cases():
        said = _Said(case)
        for kind in ("must", "must_not"):
            for demand in case.raw.get(kind, []):
                value = said.of(demand["of"], demand["field"], demand["in"])
                meets = _comparable(value) in map(_comparable, demand["in"])
                text = f"{kind} {demand['of']}.{demand['field']} {demand['in']}"
                yield Answer(
                    case.case_id, case.raw["about"], case.raw["title"], text, value, meets == (kind == "must")
                )


def _comparable(value: object) -> str:
    """Return a value as text, a number with two decimals: 27003 is 27003.0."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return f"{value:.2f}" if is_number else str(value).lower()


def case_figures() -> Iterator[tuple[str, str]]:
    """Yield how many demands and whole cases are met, by subject, and every miss."""
    every = list(answers())
    for name, some in (
        ("all", every),
        ("those that follow no known example", [one for one in every if one.case_id not in FAMILIAR]),
    ):
        whole = {one.case_id for one in some} - {one.case_id for one in some if not one.right}
        met = sum(one.right for one in some)
        yield (
            f"small statements, {name}",
            f"{met} of {len(some)} demands, {len(whole)} of {len({one.case_id for one in some})} whole",
        )
    for about in sorted({one.about for one in every}):
        some = [one for one in every if one.about == about]
        yield f"small statements about {about}", f"{sum(one.right for one in some)} of {len(some)} demands"
    for one in every:
        if not one.right:
            yield f"miss: {one.case_id} {one.title}", f"{one.demand}; said {one.said}"


class _Said:
    """What a derivation says of a case, field by field."""

    def __init__(self, case: Case) -> None:
        self.case = case
        customers = pd.DataFrame(
            {"customer_id": [case.case_id], "first_name": [None], "last_name": [case.customer]}
        )
        self.wealth: Wealth = derive(
            case.transactions,
            customers=customers,
            accounts=case.accounts,
            balances=_balances(case),
            country=case.country,
            as_of=case.as_of,
        )

    def of(self, label: str, field: str, wanted: list[Any]) -> object:
        if field in {"same_stream_as", "separate_from"}:
            other = str(wanted[0])
            together = bool(self._stream_ids(label) & self._stream_ids(other))
            return other if together == (field == "same_stream_as") else "no"
        read: Callable[[str], object] | None = getattr(self, f"_{field}", None)
        if read is not None:
            return read(label)
        return self._last_stream(label, field.removeprefix("stream_"))

    @cached_property
    def _labels(self) -> pd.Series:
        credits_ = self.wealth.credits
        keys = zip(credits_["account_id"].astype(str), credits_["txn_id"].astype(str), strict=True)
        return pd.Series([self.case.labels.get(key, "") for key in keys], index=credits_.index, dtype=object)

    def _rows(self, label: str) -> pd.DataFrame:
        return self.wealth.credits if label == "*" else self.wealth.credits[self._labels == label]

    def _stream_ids(self, label: str) -> set[str]:
        return set(self._rows(label)["stream_id"].dropna().astype(str))

    def _most(self, label: str, column: str) -> object:
        values = self._rows(label)[column].dropna().astype(str)
        return values.value_counts().index[0] if len(values) else "other" if column == "type" else "none"

    def _disposition(self, label: str) -> object:
        return self._most(label, "disposition")

    def _type(self, label: str) -> object:
        return self._most(label, "type")

    def _last_stream(self, label: str, column: str) -> object:
        ids = self._rows(label).sort_values("booked_on")["stream_id"].dropna()
        if ids.empty:
            return "none"
        value = self.wealth.streams.set_index("stream_id").loc[ids.iloc[-1], column]
        return value.date().isoformat() if isinstance(value, pd.Timestamp) else value

    def _median(self, label: str) -> object:
        value = self._last_stream(label, "median_minor")
        return value if value == "none" else _major(int(str(value)))

    def _stream_total(self, label: str) -> object:
        streams = self.wealth.streams
        return _major(
            int(streams.loc[streams["stream_id"].isin(self._stream_ids(label)), "total_minor"].sum())
        )

    def _streams(self, label: str) -> object:
        return len(self._stream_ids(label))

    def _paired(self, label: str) -> object:
        rows = self._rows(label)
        return bool(len(rows) and rows["pair_txn_id"].notna().all())

    def _set_aside(self, label: str) -> object:
        listed = self.wealth.set_aside
        keys = zip(listed["account_id"].astype(str), listed["txn_id"].astype(str), strict=True)
        return any(self.case.labels.get(key) == label for key in keys)

    def _counted_total(self, label: str) -> object:
        rows = self._rows(label)
        return _major(int(rows.loc[~rows["disposition"].isin(_NOT_INCOME), "amount_minor"].sum()))

    _counted_total_or_low = _counted_total

    def _not_counted_as_nature_known(self, label: str) -> object:
        rows = self._rows(label)
        known = (
            rows["evidence_level"].isin(_NATURE_KNOWN)
            & rows["type"].notna()
            & ~rows["type"].isin(_NEVER_A_NATURE)
            & ~rows["disposition"].isin(_NOT_INCOME)
        )
        return not bool(known.any())

    def _flag(self, _label: str) -> object:
        return "any" if len(self.wealth.flags) else "none"

    def _sufficient(self, _label: str) -> object:
        payment = self.case.raw["payment"]
        currency = self.case.transactions["currency"].iloc[0]
        answer = self.wealth.sufficiency(self.case.case_id, None, Decimal(str(payment["amount"])), currency)
        return _SUFFICIENT[str(answer.answer).replace("_", " ")]

    def _next_after_last(self, label: str) -> object:
        next_on, last_on = self._last_stream(label, "next_on"), self._last_stream(label, "last_on")
        return next_on is not pd.NaT and str(next_on) > str(last_on)

    @cached_property
    def _text(self) -> str:
        streams = self.wealth.streams
        lines = [
            *streams["description"].astype(str),
            *(self.wealth.explain(one) for one in streams["stream_id"]),
        ]
        statement = self.wealth.statement(self.case.case_id)
        return "\n".join([*lines, str(statement.model_dump())]).lower()

    def _change_said(self, _label: str) -> object:
        pattern = r"\b(rose|risen|fell|changed|change of|dip|lower|higher|since|missing|no payment|gap|was .* before)\b"
        return bool(re.search(pattern, self._text))

    def _amounts_said_stable(self, _label: str) -> object:
        return bool(
            re.search(r"amounts? (are|is) (stable|fixed|the same)|always the same amount", self._text)
        )

    def _feed_hole_said(self, _label: str) -> object:
        return bool(
            re.search(r"hole|no transactions? (at all|on any)|data (is|are) missing|missing data", self._text)
        )

    def _joint_said(self, _label: str) -> object:
        return "joint" in self._text


def _balances(case: Case) -> pd.DataFrame | None:
    given = case.raw.get("balances")
    if not given:
        return None
    return pd.DataFrame(
        [
            {
                "customer_id": case.case_id,
                "account_id": account,
                "current_minor": int(Decimal(str(amount)).scaleb(2)),
                "currency": case.transactions["currency"].iloc[0],
            }
            for account, amount in given.items()
        ]
    )


def _major(minor: int) -> object:
    amount = Decimal(minor).scaleb(-2)
    return float(amount) if amount % 1 else int(amount)
