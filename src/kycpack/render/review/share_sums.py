"""What the shares of a customer's credits are, from the frames of a derivation."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import pandas as pd

from kycpack.frames.gaps import Gap
from kycpack.frames.rows import records, rows
from kycpack.render.review.bank_limits import with_more
from kycpack.render.review.coverage import by_count
from kycpack.render.review.payment_keys import Key, key_of
from kycpack.render.review.reasons import with_evidence
from kycpack.render.review.shares import NATURE_WORDS, Shares
from kycpack.render.review.weak_natures import weak_kind
from kycpack.render.wording import range_words, text_of
from kycpack.triage.judge.findings import standing
from kycpack.triage.levels import HIT
from kycpack.triage.paths import QUESTIONS_OF_MONEY
from kycpack.wealth.judge.coverage import BY_EVIDENCE, CASH_OR_NAMED, KNOWN, natures_of
from kycpack.wealth.judge.pay_beside_benefits import questioned_pay
from kycpack.wealth.judge.support import NO_SOURCE
from kycpack.wealth.judge.unexplained import unexplained_of

_CITED = ("account_id", "txn_id", "evidence_id")
_UNSURE = ("may_be_twice_minor", "may_be_returned_minor", "returned_minor")


def questions_of_pay(findings: pd.DataFrame) -> tuple[str, ...]:
    """Return the findings that question pay, each by its title and its rule.

    Args:
        findings: Frame `findings` of one customer.
    """
    found = (
        f"{row['title']} ({row['rule_id']})"
        for row in records(standing(findings), "outcome", "rule_id", "title", "path")
        if row["outcome"] == HIT and text_of(row["path"], "").startswith(QUESTIONS_OF_MONEY)
    )
    return tuple(dict.fromkeys(found))


def shares_of(
    nature: pd.DataFrame,
    coverage: pd.DataFrame,
    credits_: pd.DataFrame | None = None,
    base_currency: str | None = None,
    streams: pd.DataFrame | None = None,
    holders_in_doubt: Mapping[str, str] = MappingProxyType({}),
    questioned: Sequence[str] = (),
) -> tuple[Shares, ...]:
    """Return the shares by currency: the base currency, then the one with the most credits; equal ones in alphabetical order.

    Args:
        nature: `Wealth.nature` of one customer: currency, nature, evidence_level, count, total_minor.
        coverage: Frame `coverage` of the customer, for the own transfers.
        credits_: The customer's rows of frame `credits`, for what may be counted twice, what was or may have been taken back, and the largest
            single credits whose nature is not established; None if these are not needed.
        base_currency: The currency that comes first.
        streams: The customer's rows of frame `streams`, for the same except the largest; None if these are not needed.
        holders_in_doubt: The holder of each account that is not shown to be held in the customer's name.
        questioned: As `questions_of_pay` returns them.
    """
    natures: Counter[tuple[str, str]] = Counter()
    least: Counter[tuple[str, str]] = Counter()
    known: Counter[tuple[str, str]] = Counter()
    counts: Counter[str] = Counter()
    for row in rows(nature, "currency", "nature", "evidence_level", "count", "total_minor", "least_minor"):
        counts[row.currency] += row.count
        natures[row.currency, row.nature] += row.total_minor
        least[row.currency, row.nature] += row.least_minor
        if row.nature == KNOWN:
            known[row.currency, row.evidence_level] += row.total_minor
    own: Counter[str] = Counter()
    for row in rows(coverage, "currency", "disposition", "total_minor"):
        if row.disposition == "own_transfer":
            own[row.currency] += row.total_minor
    unsure: Counter[tuple[str, str]] = Counter()
    weak: dict[str, set[str]] = defaultdict(set)
    ids: dict[tuple[str, str], list[str]] = defaultdict(list)
    doubted: dict[str, Counter[str]] = defaultdict(Counter)
    rows_of: dict[tuple[str, bool], list[Key]] = defaultdict(list)
    for part, nature_of in () if credits_ is None or streams is None else _parts(credits_, streams):
        currency = part["currency"]
        if part["disposition"] == "own_transfer":
            unsure[currency, "own_twice"] += part["may_be_twice_minor"]
            continue
        unsure.update({(currency, name): part[name] for name in _UNSURE})
        in_doubt = str(part["account_id"]) in holders_in_doubt or bool(questioned and part["questioned"])
        for what, id_ in _further_kinds(part, nature_of, holders_in_doubt, in_doubt=in_doubt):
            unsure.update({(currency, f"{end} {what}"): part[f"{end}_minor"] for end in ("least", "most")})
            ids[currency, what].append(id_)
        if nature_of == KNOWN:
            rows_of[currency, in_doubt].append(key_of(part))
            ends = {f"{end} doubted": part[f"{end}_minor"] for end in ("least", "most")}
            unsure.update({(currency, end): minor for end, minor in ends.items() if in_doubt})
            doubted[currency][part["known_by"]] += part["most_minor"] if in_doubt else 0
        if nature_of == CASH_OR_NAMED and part["most_minor"]:
            weak[currency].add(weak_kind(part))
    single = () if credits_ is None else unexplained_of(credits_)
    unexplained = {one.currency: one for one in single}
    return tuple(
        Shares(
            currency,
            {name: natures[currency, name] for name in NATURE_WORDS},
            {level: known[currency, level] for level in BY_EVIDENCE},
            own[currency],
            may_be_twice_minor=unsure[currency, _UNSURE[0]],
            may_be_returned_minor=unsure[currency, _UNSURE[1]],
            returned_minor=unsure[currency, _UNSURE[2]],
            unexplained=unexplained.get(currency),
            refunds=(unsure[currency, "least refunds"], unsure[currency, "most refunds"]),
            no_source=(unsure[currency, "least no source"], unsure[currency, "most no source"]),
            no_source_types=frozenset(ids[currency, "no source"]),
            wages=(unsure[currency, "least wages"], unsure[currency, "most wages"]),
            wage_ids=tuple(ids[currency, "wages"]),
            wage_accounts=tuple(dict.fromkeys(ids[currency, "accounts of wages"])),
            held_by={id_: holders_in_doubt[id_] for id_ in dict.fromkeys(ids[currency, "of others"])},
            of_others=(unsure[currency, "least of others"], unsure[currency, "most of others"]),
            natures_of_others={name: unsure[currency, f"most {name} of others"] for name in NATURE_WORDS},
            questioned=tuple(questioned) if unsure[currency, "most wages"] else (),
            doubted=(unsure[currency, "least doubted"], unsure[currency, "most doubted"]),
            doubted_evidence=doubted[currency],
            doubted_rows=tuple(rows_of[currency, True]),
            sure_rows=tuple(rows_of[currency, False]),
            weak=frozenset(weak[currency]),
            least={name: least[currency, name] for name in NATURE_WORDS},
            own_twice_minor=unsure[currency, "own_twice"],
        )
        for currency in by_count(counts, base_currency)
    )


def with_doubted(
    limits: pd.DataFrame, shares: Sequence[Shares], credits_: pd.DataFrame, customer_id: str
) -> pd.DataFrame:
    """Return frame `limits` with a row for the money of each currency whose nature is stated but in doubt: it is neither known nor of no established source.

    Args:
        limits: As returned by `limits_of`.
        shares: As returned by `shares_of`.
        credits_: The customer's rows of frame `credits`.
        customer_id: Customer id.
    """
    evidence = {key_of(row): text_of(row["evidence_id"], "") for row in records(credits_, *_CITED)}
    found = []
    for one in shares:
        if not one.doubted[1]:
            continue
        sum_ = range_words(*one.doubted, one.currency)
        ids = dict.fromkeys(evidence[key] for key in one.doubted_rows)
        words = with_evidence(
            f"{sum_} of credits is not counted as known: the nature is stated, but the money is {one.why_doubted}",
            ids,
        )
        found.append(
            Gap(
                customer_id,
                customer_id,
                "bank",
                "nature_in_doubt",
                f"{words}.",
                next(iter(ids)),
                part=one.why_doubted,
                amount_minor=one.doubted[1],
                currency=one.currency,
                least_minor=one.doubted[0],
            )
        )
    return with_more(limits, found)


def _further_kinds(
    part: Mapping[str, Any], nature: str, holders_in_doubt: Mapping[str, str], *, in_doubt: bool
) -> Iterator[tuple[str, str]]:
    """Yield what else a credit is, each with the id by which it is found."""
    is_sure = nature == KNOWN and not in_doubt
    if is_sure and part["disposition"] == "refund":
        yield "refunds", str(part["txn_id"])
    elif is_sure and part["type"] in NO_SOURCE and part["most_minor"]:
        yield "no source", str(part["type"])
    if nature == KNOWN and part["questioned"]:
        yield "wages", str(part["txn_id"])
        yield "accounts of wages", str(part["account_id"])
    if str(part["account_id"]) in holders_in_doubt:
        yield from ((what, str(part["account_id"])) for what in ("of others", f"{nature} of others"))


def _parts(credits_: pd.DataFrame, streams: pd.DataFrame) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield each credit with its nature, by what that is known, and whether it is pay that is questioned."""
    columns = (
        *("account_id", "txn_id", "currency", "disposition", "type", "evidence_level", "doubtful"),
        *("least_minor", "most_minor", *_UNSURE),
    )
    natures = natures_of(credits_, streams)
    asked = questioned_pay(credits_).tolist()
    for part, (nature, level), is_asked in zip(records(credits_, *columns), natures, asked, strict=True):
        yield part | {"questioned": is_asked, "known_by": level}, nature
