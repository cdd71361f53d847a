"""Source of wealth on texts that nobody planted: single payers, known payers, and payers that only look like them.

The texts, and what is true of them, were written by authors who had not read the lexicon, the lists of entities or the code; nothing is tuned
on them. See `data/evaluation/README.md`.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from decimal import Decimal

import pandas as pd
from tests.evaluate.blind.load import FOLDER, table

from kycpack.wealth import derive
from kycpack.wealth.prepare.entities import load_entities

LAST_DAY = dt.date(2026, 6, 26)
AS_OF = dt.date(2026, 6, 30)
_DAYS_APART = {"0": 0, "0.25": 7, "0.5": 14, "0.92": 28}
_DAYS_A_MONTH = 30.4375
_DISPOSITIONS = ("own_transfer", "refund")
# Words of the truth for words of the lists, where they differ.
_KINDS = {"benefits_office": "benefits"}


def judged_texts() -> pd.DataFrame:
    """Return every text with what the toolkit says of it.

    Returns:
        The truth's columns; `level`, the evidence level; `confidence`, that of the stream's type, `single` outside streams; and `said`: a type, or the disposition where that is an own transfer or a refund, or `other`;
        `verdict`: right, wrong, other, claimed (a type for a text of which a reader cannot tell) or silent; `value` in major units.
    """
    texts = table("texts")
    said = pd.concat([_said(rows, str(country)) for country, rows in texts.groupby("country")])
    texts = texts.merge(said, left_on="id", right_index=True, how="left", validate="1:1")
    texts["value"] = texts["amount"].map(Decimal).astype(float) * texts["count"].astype(int)
    texts["agreed"] = _agreed(texts)
    texts["verdict"] = [_verdict(row) for row in texts.to_dict("records")]
    return texts


def text_figures() -> Iterator[tuple[str, str]]:
    """Yield how the types said of texts compare with the truth, laundering texts apart."""
    texts = judged_texts()
    honest = texts[texts["class"] != "laundering"]
    told = honest[honest["verdict"].isin(["right", "wrong", "other"]) & honest["agreed"]]
    for name, rows in (
        ("all", told),
        ("ordinary", told[told["class"] == "ordinary"]),
        ("tricky", told[told["class"] == "tricky"]),
        *((f"from {country}", told[told["country"] == country]) for country in sorted(set(told["country"]))),
    ):
        yield f"texts that readers can classify, {name}: wrong, other", _two_shares(rows, "wrong", "other")
    vague = honest[honest["verdict"].isin(["claimed", "silent"])]
    yield "texts of which readers cannot tell: a nature claimed", _share(vague, "claimed")
    for name, column in (("evidence", "level"), ("confidence", "confidence")):
        for value, rows in told[told["verdict"] != "other"].groupby(column):
            yield f"a nature said, by {name} {value}: wrong", _share(rows, "wrong")
    bad = texts[texts["class"] == "laundering"]
    taken = bad[
        ~bad["said"].isin(["other", "person_transfer", "cash_deposit", "gift"]) & (bad["verdict"] != "right")
    ]
    yield "laundering texts: a nature claimed that is not true", f"{len(taken)} of {len(bad)}"
    wrong = told[told["verdict"] == "wrong"]
    for row in wrong.to_dict("records"):
        yield f"wrong: {row['id']} {row['description_raw'][:40]}", f"{row['said']}, truly {row['type']}"


def payer_figures() -> Iterator[tuple[str, str]]:
    """Yield how many well-known payers are known, and how many look-alikes are taken for one."""
    index = load_entities()
    payers = table("payers")
    found = index.find_all(list(payers["text"]), is_name=False)
    known = sum(entity is not None for entity in found)
    yield "well-known payers that are known", f"{known} of {len(payers)}"
    for kind, rows in payers.assign(known=[entity is not None for entity in found]).groupby("kind"):
        yield f"well-known payers: {kind}", f"{int(rows['known'].sum())} of {len(rows)}"
    others = table("lookalikes")
    for is_name in (False, True):
        taken = [
            f"{row['text']} as {entity.id}"
            for row, entity in zip(
                others.to_dict("records"), index.find_all(list(others["text"]), is_name=is_name), strict=True
            )
            if entity is not None
        ]
        where = "as a name" if is_name else "as a description"
        yield f"look-alikes taken for a known payer, {where}", f"{len(taken)} of {len(others)}"
        yield from (("taken", text) for text in taken)


def _said(texts: pd.DataFrame, country: str) -> pd.DataFrame:
    rows = [row for text in texts.to_dict("records") for row in _payments(text)]
    wealth = derive(pd.DataFrame(rows), country=country, as_of=AS_OF)
    credits_ = wealth.credits
    said = (
        credits_["disposition"]
        .astype(str)
        .where(
            credits_["disposition"].isin(_DISPOSITIONS),
            credits_["type"].astype("string").fillna("other").astype(str),
        )
    )
    sure = dict(zip(wealth.streams["stream_id"], wealth.streams["type_confidence"], strict=True))
    found = pd.DataFrame(
        {
            "id": credits_["customer_id"].astype(str),
            "said": said,
            "level": credits_["evidence_level"].astype(str),
            "confidence": credits_["stream_id"].astype(object).map(sure).fillna("single"),
        }
    )
    most_often = found.groupby("id")["said"].transform(lambda one: one.value_counts().index[0])
    return found[found["said"] == most_often].drop_duplicates("id").set_index("id")


def _payments(text: dict[str, str]) -> Iterator[dict[str, object]]:
    apart = _DAYS_APART.get(text["months_apart"], round(float(text["months_apart"]) * _DAYS_A_MONTH))
    for number in range(int(text["count"])):
        yield {
            "customer_id": text["id"],
            "account_id": "A",
            "txn_id": f"{text['id']}-{number}",
            "booked_on": pd.Timestamp(LAST_DAY - dt.timedelta(days=apart * number)),
            "amount_minor": int(Decimal(text["amount"]).scaleb(2)),
            "currency": text["currency"],
            "description_raw": text["description_raw"],
            "counterparty_name": text["counterparty_name"] or None,
            "bank_code": text["bank_code"] or None,
            "purpose": text["purpose"] or None,
        }


def _agreed(texts: pd.DataFrame) -> pd.Series:
    """Return which texts both readers classified alike; with one reader, all."""
    if not (FOLDER / "texts_reader2.csv").is_file():
        return pd.Series(data=True, index=texts.index)
    second = table("texts_reader2").set_index("id")
    both = texts.join(second[["type", "disposition"]], on="id", rsuffix="_2")
    return pd.Series(
        [
            bool({row["disposition_2"] or row["type_2"]} & _true_words(row))
            and row["type_2"] != "cannot_tell"
            for row in both.to_dict("records")
        ],
        index=texts.index,
    )


def _true_words(row: dict[str, str]) -> set[str]:
    return {row["disposition"] or row["type"], row["type"], *row["type_also"].split()}


def _verdict(row: dict[str, str]) -> str:
    truth = _true_words(row)
    if row["type"] == "cannot_tell" or (row["type"] == "other" and not row["disposition"]):
        return "silent" if row["said"] in {"other", "person_transfer"} | truth else "claimed"
    if row["said"] in truth - {"other"}:
        return "right"
    return "other" if row["said"] == "other" else "wrong"


def _share(rows: pd.DataFrame, verdict: str) -> str:
    if rows.empty:
        return "none"
    hit = rows["verdict"] == verdict
    by_value = rows.loc[hit, "value"].sum() / rows["value"].sum()
    return f"{hit.mean():.1%} of {len(rows)} ({by_value:.1%} by value)"


def _two_shares(rows: pd.DataFrame, *verdicts: str) -> str:
    return ", ".join(_share(rows, verdict) for verdict in verdicts)
